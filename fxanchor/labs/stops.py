"""The lines on which a lab's subject can be watched."""

from collections.abc import Sequence

from fxanchor.labs.lab import Lab
from fxanchor.progress import Progress, silent
from fxanchor.source.definition import Stop
from fxanchor.source.index import open_index
from fxanchor.source.stops import entry_stop


def stops_of(labs: Sequence[Lab], *, progress: Progress = silent) -> dict[str, Stop]:
    """Return for each name that labs are to be watched at the line that stops, in the installed source.

    Args:
        labs: The labs.
        progress: Told how the index grows, when it must be made.
    """
    names = dict.fromkeys(name for lab in labs for name in lab.break_at)
    packages = sorted({".".join(name.split(".")[:2]) for name in names})
    index = open_index(packages, progress=progress)
    return {name: entry_stop(index, name) for name in names}
