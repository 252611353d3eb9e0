"""What the end of a child process means, in one sentence with the next step."""

import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fxanchor.errors import InputError
from fxanchor.model.plain import escape_controls, one_line

End = Literal[
    "ok", "error", "exited", "killed", "timed out", "out of memory", "too many processes", "fault", "no result"
]
_FRAME = re.compile(r'^  File "([^"\n]+)", line (\d+) in ', re.MULTILINE)
_OWN = Path(__file__).parents[1]
_GUARD = 'move what runs under if __name__ == "__main__":'
# What the child says it is doing while it runs what a model's forward holds, and nothing else of the model.
_RUNNING_FORWARD = frozenset({"capturing the model", "proving the breakpoints", "tracing the model"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a child process ended.

    Attributes:
        end: The kind of end.
        code: Exit code, or signal number for `killed`, else 0.
        sentence: One plain sentence with the next step; "" for `ok`.
        exit_code: The exit code that goes with the sentence.
    """

    end: End
    code: int = 0
    sentence: str = ""
    exit_code: int = InputError.exit_code


def judge(
    records: Mapping[str, Mapping[str, Any]],
    *,
    phase: str,
    returned: int,
    in_time: bool,
    seconds: float,
    memory_bytes: int | None,
    printed: str,
) -> Verdict:
    """Tell how a child process ended.

    Args:
        records: The last record of each kind that it left; any of them may be missing or untrue.
        phase: What it was doing last, "" when it did not say.
        returned: Exit code of its first process.
        in_time: Whether it came to an end by itself.
        seconds: How long it ran.
        memory_bytes: The limit it had.
        printed: What it printed.
    """
    if isinstance(records.get("result", {}).get("value"), dict):
        return Verdict("ok", exit_code=0)
    if "error" in records:
        sentence = escape_controls(str(records["error"].get("sentence", "")))
        return Verdict("error", 0, sentence, whole(records["error"].get("exit_code")) or InputError.exit_code)
    doing = f" while {phase}" if phase else ""
    if phase in _RUNNING_FORWARD:
        doing = f" while its forward ran ({phase})"
    ended = records.get("end", {"code": returned})
    code = whole(ended.get("code"))
    if ended.get("cause") == "memory":
        size = f"{(memory_bytes or 0) / 2**30:.3g} GiB"
        return _said("out of memory", 0, f"held more than {size} of memory{doing}; build it smaller with --args")
    if ended.get("cause") == "processes":
        return _said("too many processes", 0, f"started more processes than is allowed{doing}; {_advice(phase)}")
    if not in_time:
        return _said("timed out", 0, f"was not done after {seconds:.3g} s{doing}; allow more with --timeout")
    if "fault" in records:
        return _fault(records["fault"], doing)
    if code < 0:
        what = f"crashed with {_signal_name(-code)}{_crash_place(printed)}{doing}"
        return _said("killed", -code, f"{what}; correct it, or name a file without it")
    if "exit" in records or phase or code:
        code = whole(records.get("exit", {}).get("code")) or code
        # A process that ends in the middle raised nothing: what was raised is told, or has left a record.
        silent = "" if "exit" in records else ", without an exception"
        return _said("exited", code, f"ended the process with exit code {code}{doing}{silent}; {_advice(phase)}")
    return _said("no result", code, "gave no result; run it with python to see why")


def _advice(phase: str) -> str:
    """Return what to do about code that must not run in a phase."""
    if not phase or phase.startswith("importing "):
        return _GUARD
    if phase.startswith("building "):
        return "take what does that, such as os._exit, out of the constructor"
    return "take what does that, such as os._exit, out of the model"


def whole(value: object) -> int:
    """Return the value when it is a whole number, else 0.

    Args:
        value: Anything that JSON can hold.
    """
    return value if isinstance(value, int) else 0


def _said(end: End, code: int, text: str) -> Verdict:
    return Verdict(end, code, f"The model's code {text}.")


def _fault(fault: Mapping[str, Any], doing: str) -> Verdict:
    last = one_line(str(fault.get("traceback", "")).strip().rpartition("\n")[2], 300)
    if fault.get("own"):
        sentence = f"fxanchor itself failed{doing} ({last}); report it with what --debug shows."
        return Verdict("fault", 0, sentence)
    return _said("fault", 0, f"raised {last}{doing}; --debug shows the traceback")


def _crash_place(printed: str) -> str:
    """Return the innermost line of the user's in what `faulthandler` printed, in words, or ""."""
    from fxanchor.model.importing import is_library_file

    _, _, dump = printed.rpartition("Fatal Python error: ")
    for file, line in _FRAME.findall(dump) if dump != printed else ():
        path = Path(file)
        if path.is_absolute() and not path.is_relative_to(_OWN) and not is_library_file(path):
            return f" at {one_line(path.name)}:{line}"
    return ""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
