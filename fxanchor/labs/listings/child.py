"""The child process of the listings: runs each one in a namespace of its own, behind what it continues."""

import contextlib
import io
import linecache
import sys
import traceback
import warnings
from collections.abc import Mapping
from typing import Any

from fxanchor.labs.batch import Journal
from fxanchor.model.limits import OutOfTime, time_limit
from fxanchor.model.raised import summary
from fxanchor.model.sandbox import Child

_PRINTED = 64 * 2**10  # characters handed in of what one step prints


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Run the listings that the request names and hand in what each printed.

    Args:
        request: `names`; `listings`, for each name its `imports`, `before` and `steps` (code, line, interactive);
            `seconds` for one listing; what a `Journal` needs.
        child: Told what is running.
    """
    journal = Journal(request, child)
    for name in request["names"]:
        journal.begin(name)
        try:
            with time_limit(request["seconds"]):
                value = _run_listing(name, request["listings"])
        except OutOfTime:
            value = {"printed": [], "error": f"was not done after {request['seconds']:.3g} s"}
        journal.hand_in(name, value)
    return {}


def _run_listing(name: str, listings: Mapping[str, Any]) -> dict[str, Any]:
    listing = listings[name]
    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    preamble = [{"code": code, "line": 1, "interactive": False} for code in listing["imports"]]
    _, error = _run_steps("imports", preamble, namespace)
    if error:
        return {"printed": [], "error": error}
    for earlier in listing["before"]:
        _, error = _run_steps(earlier, listings[earlier]["steps"], namespace)
        if error:
            return {"printed": [], "error": f"needs {earlier}, which {error}"}
    printed, error = _run_steps(name, listing["steps"], namespace)
    return {"printed": printed, "error": error}


def _run_steps(name: str, steps: list[dict[str, Any]], namespace: dict[str, Any]) -> tuple[list[str], str]:
    """Run code; return what each step printed, the one that raised too, and the error in words or ""."""
    printed: list[str] = []
    for step in steps:
        # Blank lines in front keep the line numbers of the listing.
        code = "\n" * (step["line"] - 1) + step["code"] + "\n"
        file = f"<{name}>" if step["line"] == 1 else f"<{name}, from line {step['line']}>"
        linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
        out = io.StringIO()
        _seed()
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(out):
                warnings.simplefilter("ignore")
                exec(compile(code, file, "single" if step["interactive"] else "exec"), namespace)
        except (Exception, SystemExit) as error:
            own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
            place = f" in line {own[-1].lineno}" if own else ""
            printed.append(out.getvalue()[:_PRINTED])
            return printed, f"raised {summary(error)}{place}"
        printed.append(out.getvalue()[:_PRINTED])
    return printed, ""


def _seed() -> None:
    """Make random numbers the same in every run, once torch is there."""
    if torch := sys.modules.get("torch"):
        torch.manual_seed(0)
