"""A package whose own imports fail."""

raise RuntimeError("built only on release")
