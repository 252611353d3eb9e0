"""Another package, which is not indexed: its classes are read from their file."""

from bench.stand import *
