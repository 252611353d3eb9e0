"""Packages that import their names only when they are asked for, each in one of the ways that are in use."""

from lazy_loader import LazyLoader

late = LazyLoader("late", globals(), "sample.lazily._made")
near = LazyLoader("near", globals(), ".curve")
greeting = lazy_text("sample.curve")
