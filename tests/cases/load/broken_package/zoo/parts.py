"""Parts."""

WIDTH = 4
