"""A model loaded and run in this very process, because a person asked to stand inside it."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fxanchor.breakpoints.facts import CaptureFacts, load_facts
from fxanchor.breakpoints.recording import Value
from fxanchor.model.report import Capture
from fxanchor.model.sandbox import Child
from fxanchor.model.spec import ModelSpec, parse_model


@dataclass(frozen=True, slots=True)
class Foreground:
    """A model that is here.

    Attributes:
        module: The model.
        inputs: Positional and named example inputs, or None.
        capture: What symbolic tracing alone makes of it.
    """

    module: Value
    inputs: tuple[tuple[Value, ...], Mapping[str, Value]] | None
    capture: Capture


def load(spec: ModelSpec, say: Callable[[str], None], concrete_args: Mapping[str, Value] | None = None) -> Foreground:
    """Load a model into this process and capture it once.

    Args:
        spec: The model.
        say: Told what is being done.
        concrete_args: Arguments of forward that are taken as constants, or None.

    Raises:
        FxanchorError: As `load_model` does.
    """
    from fxanchor.model.capture import capture
    from fxanchor.model.load import load_model
    from fxanchor.model.options import CaptureOptions

    loaded = load_model(spec, _Told(say))
    options = CaptureOptions(only_fx=True, diagnose=False, compare=False, concrete_args=concrete_args)
    inputs = None if loaded.inputs is None else (loaded.inputs.args, loaded.inputs.kwargs)
    return Foreground(loaded.module, inputs, capture(loaded, options))


def capture_once(model: str) -> None:
    """Load a model and capture it as a user does; what a debugger sees of it is its business.

    Args:
        model: The model, as `fxanchor trace` takes it.

    Raises:
        FxanchorError: As `load_model` does.
    """
    from fxanchor.breakpoints.proving import ModelRun
    from fxanchor.model.load import load_model

    facts: CaptureFacts = load_facts()
    ModelRun(load_model(parse_model(model), _Told(_to_stderr)).module, facts).call()


class _Told(Child):
    """Stands where a child process tells its parent what it does."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def phase(self, label: str, _seconds: float | None = None) -> None:
        """Say what is done from now on."""
        self._say(label)


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)
