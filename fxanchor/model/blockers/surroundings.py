"""Stops that no Proxy has to do with: memory, files, the keyboard, and what asks Python to stop."""

import torch

from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Goal
from fxanchor.model.blockers.raiser import is_raise
from fxanchor.model.blockers.stop import Stop
from fxanchor.model.places import Owner
from fxanchor.model.positions import Locator
from fxanchor.model.raised import text_of

_STOPPING = {
    SystemExit: "The code asks Python to exit here, which no capture outlives.",
    KeyboardInterrupt: "A KeyboardInterrupt ends Python's work here, as Ctrl-C does; no capture outlives it.",
    GeneratorExit: "A GeneratorExit is raised here, which is how Python closes a generator; no capture outlives it.",
}
_NO_MEMORY = (
    "The system does not give the memory that is asked for here; ask for less, or build the model smaller with --args."
)
_NO_KEYBOARD = "This waits for somebody to type, but a model that is captured has no standard input."
_FILES: dict[type[OSError], str] = {
    FileNotFoundError: "The code needs a file or a folder that is not there; make it, or give the model another one.",
    FileExistsError: "The code makes a file or a folder that is there already.",
    IsADirectoryError: "The code takes a folder for a file.",
    NotADirectoryError: "The code takes a file for a folder.",
    PermissionError: "The system does not allow what the code does here.",
    TimeoutError: "The code waited here for something that did not come in time.",
}


def diagnose(context: Context) -> Diagnosis | None:
    """Conclude from a stop that comes from what is around the model rather than from tracing it."""
    error, node = context.stop.error, context.node
    # What the expression would have given need not be a tensor: the trace goes on only where nothing is done with it.
    goal = Goal(node, "tensor") if node is not None and context.is_unused() else None
    for stopping, told in _STOPPING.items():
        if isinstance(error, stopping):
            return Diagnosis("own-error", told, None, (), goal)
    told = _told(context.stop, context.locator)
    return Diagnosis("surroundings", told, None, (), goal) if told else None


def _told(stop: Stop, locator: Locator) -> str:
    error = stop.error
    if _raised_by_user(stop, locator):
        # What the user's own code calls an error of memory or of a file need not be one.
        return ""
    if _is_out_of_memory(error):
        return _NO_MEMORY
    if isinstance(error, EOFError):
        reads = stop.raised_at.symbol.startswith("input of ")
        return _NO_KEYBOARD if reads else "What the code reads here ends before all that it needs has come."
    if isinstance(error, OSError):
        known = next((told for kind, told in _FILES.items() if isinstance(error, kind)), "")
        return known or "The system refuses what the code asks of it here."
    return ""


def _is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and "DefaultCPUAllocator: can't allocate memory" in text_of(error)


def _raised_by_user(stop: Stop, locator: Locator) -> bool:
    last = stop.last
    return last is not None and locator.places.owner_of(last.site.code) is Owner.USER and is_raise(last.site)
