"""A module that exports a function of its own name by `*`."""

__all__ = ("curve", "bend") + ("twist",)


def curve(x):  # def: sample.curve.curve function
    return x  # stop: sample.curve.curve sample.curve


def bend(x):  # def: sample.curve.bend function
    return x  # stop: sample.bend


def twist(x):  # def: sample.curve.twist function
    return x


def unlisted(x):  # def: sample.curve.unlisted function
    return x
