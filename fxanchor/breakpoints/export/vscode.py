"""Breakpoints for VS Code: a launch configuration, and a script that sets them, since VS Code can import none."""

import json
from collections.abc import Sequence
from pathlib import Path

from fxanchor.breakpoints.export.point import Point

_SCRIPT = '''"""Stops at breakpoints proven by fxanchor. Start it through the configuration in launch.json.

With arguments it runs that program instead of the capture: name it in "args" of the configuration.
"""

import runpy
import sys

MODEL = {model}
STOPS = [
{stops}]


def set_stops():
    debugger = "pydevd" in sys.modules and sys.modules["pydevd"].get_global_debugger()
    if not debugger:
        sys.exit("No debugger is attached: start this through Run and Debug in VS Code.")
    from _pydevd_bundle.pydevd_api import PyDevdAPI

    for number, (path, line, _) in enumerate(STOPS):
        PyDevdAPI().add_breakpoint(
            debugger, path, "python-line", "fxanchor-%d" % number, line, None, "None", None, "NONE", None, False
        )


if __name__ == "__main__":
    set_stops()
    if len(sys.argv) > 1:
        sys.argv = sys.argv[1:]
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        from fxanchor.breakpoints.foreground import capture_once

        capture_once(MODEL)
'''


def launch_json(model: str, script: Path, program_folder: Path) -> str:
    """Return the text of a `launch.json` whose only configuration runs the script under the debugger.

    Args:
        model: The model, as `fxanchor trace` takes it.
        script: Where the script of `stops_script` will be.
        program_folder: Directory that the model is named relative to.
    """
    configuration = {
        "name": f"fxanchor: {model}",
        "type": "debugpy",
        "request": "launch",
        "program": str(script.absolute()),
        "args": [],
        "cwd": str(program_folder.absolute()),
        "console": "integratedTerminal",
        "justMyCode": False,
    }
    return json.dumps({"version": "0.2.0", "configurations": [configuration]}, indent=2) + "\n"


def stops_script(model: str, points: Sequence[Point]) -> str:
    """Return the script that sets the breakpoints through debugpy and then captures the model."""
    stops = "".join(f"    ({str(point.path)!r}, {point.line}, {point.text!r}),\n" for point in points)
    return _SCRIPT.format(model=repr(model), stops=stops)
