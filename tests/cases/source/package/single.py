"""A package of one module."""

import os

ONE = 1  # def: single.ONE attribute
_two = 2


def three():  # def: single.three function
    return 3  # stop: single.three
