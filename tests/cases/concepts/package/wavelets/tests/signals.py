"""Signals to test with."""


class SampleSignal:
    """A made-up signal."""
