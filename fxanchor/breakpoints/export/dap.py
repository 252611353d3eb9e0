"""Breakpoints as `setBreakpoints` requests of the Debug Adapter Protocol."""

import json
from collections.abc import Sequence

from fxanchor.breakpoints.export.point import Point


def dap_requests(points: Sequence[Point]) -> str:
    """Return a JSON array of `setBreakpoints` requests, one for each file, because a request replaces a file's own.

    The requests have no `seq`; whoever sends them numbers them.
    """
    files: dict[str, list[int]] = {}
    for point in points:
        files.setdefault(str(point.path), []).append(point.line)
    requests = [
        {
            "type": "request",
            "command": "setBreakpoints",
            "arguments": {"source": {"path": path}, "breakpoints": [{"line": line} for line in lines]},
        }
        for path, lines in files.items()
    ]
    return json.dumps(requests, indent=2) + "\n"
