"""The child process of the checker: runs the code blocks of a text in order, in one namespace."""

import contextlib
import io
import linecache
import sys
import traceback
import warnings
from collections.abc import Mapping
from typing import Any

from fxanchor.model.limits import OutOfTime, time_limit
from fxanchor.model.raised import message_of
from fxanchor.model.sandbox import Child

PHASE = "running code block "


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Run the blocks that the request names and tell how each ended.

    Args:
        request: `blocks`, each with its `number` and `code`; `seconds` for one block.
        child: Told what is running.
    """
    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    return {"ends": [_run_block(block, namespace, request["seconds"], child) for block in request["blocks"]]}


def _run_block(block: Mapping[str, Any], namespace: dict[str, Any], seconds: float, child: Child) -> dict[str, Any]:
    number, code = block["number"], block["code"]
    child.phase(f"{PHASE}{number}")
    file = f"<code block {number}>"
    linecache.cache[file] = len(code), None, code.splitlines(keepends=True), file
    end = {"number": number, "error": "", "message": "", "name": "", "line": 0}
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), time_limit(seconds):
            warnings.simplefilter("ignore")
            _seed()
            exec(compile(code, file, "exec"), namespace)
    except OutOfTime:
        end["error"] = "OutOfTime"
    except (Exception, SystemExit) as error:
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        end |= {
            "error": type(error).__name__,
            "message": message_of(error),
            "name": str(getattr(error, "name", "") or ""),
            "line": own[-1].lineno if own else 0,
        }
    return end


def _seed() -> None:
    """Make random numbers the same in every run, once torch is there."""
    if torch := sys.modules.get("torch"):
        torch.manual_seed(0)
