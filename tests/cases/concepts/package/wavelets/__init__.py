"""Transforms of sampled signals: a package for tests, whose names are short enough to be words of a paper."""

from .ffs import *
from .czt import *
from .conv import *
from .util import *
from ._levels import coarse8, fine16
