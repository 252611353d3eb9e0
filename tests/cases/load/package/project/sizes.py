"""Sizes."""

WIDTH = 3
DEPTH = 2
