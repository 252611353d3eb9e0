"""Has a stub beside it, which must not count."""


def real():  # def: sample.stubbed.real function
    return 1
