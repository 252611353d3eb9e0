"""How long work tells how far it is; what is done with it is the terminal's business."""

from collections.abc import Callable

# Called with what is being done, how much of it is done, and how much there is (0 when not known).
Progress = Callable[[str, int, int], None]


def silent(_label: str, _done: int, _total: int) -> None:
    """Take no notice: the progress of callers that show none."""
