"""What the packages beside hand out."""


class Made:  # def: sample.lazily._made.Made class
    """A class."""


def make():  # def: sample.lazily._made.make function
    return Made()


def shape():  # def: sample.lazily._made.shape function
    return Made()


def _hidden():  # def: sample.lazily._made._hidden function
    return Made()
