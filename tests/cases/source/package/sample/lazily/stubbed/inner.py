"""A module of a lazy package."""


def deep():  # def: sample.lazily.stubbed.inner.deep function
    return 1
