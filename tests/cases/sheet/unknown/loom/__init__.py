"""A loom, for tests."""

from loom.cloth import Cloth, Thread, weave

__all__ = ["Cloth", "Thread", "weave"]
