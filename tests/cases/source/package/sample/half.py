"""A module that hands on what a compiled one defines; its stub says what that is."""

from ._fast import Quick, speed
from ._fast import *
from .curve import bend


def slow():  # def: sample.half.slow function
    return 1
