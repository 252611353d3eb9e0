"""Which line of the user's ran when each node was made, from the interpreter's own line events and nothing else."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

from torch import fx, nn
from torch.fx import proxy

_CREATE = fx.Graph.create_node.__code__
_READ = proxy.Attribute.__init__.__code__
_LATE = vars(proxy.Attribute)["node"].fget.__code__


@dataclass(slots=True)
class Running:
    """One call that is going on: its file and the last line that was reported for it."""

    file: str
    line: int
    late: int = 0


class Truth:
    """Follows calls, lines and returns, and notes the innermost line outside torch when a node is made.

    Args:
        is_user: Tells the files whose lines count.
    """

    def __init__(self, is_user: Callable[[str], bool]) -> None:
        self.lines: list[tuple[str, int] | None] = []
        self._is_user = is_user
        self._stack: list[Running] = []
        self._reads: dict[int, tuple[str, int] | None] = {}

    def trace(self, module: nn.Module) -> fx.Graph:
        """Trace a module with torch.fx.Tracer alone and return its graph."""
        sys.settrace(self._event)
        try:
            return fx.Tracer().trace(module)
        finally:
            sys.settrace(None)

    def _here(self) -> tuple[str, int] | None:
        return next(((r.file, r.line) for r in reversed(self._stack) if self._is_user(r.file)), None)

    def _event(self, frame: FrameType, event: str, _argument: Any) -> Callable[..., Any]:
        code = frame.f_code
        if event == "call":
            if code is _READ:
                # Its node is made later, where the value is used; the line to know is that of the read.
                self._reads[id(frame.f_locals["self"])] = self._here()
            if code is _CREATE:
                late = next((r.late for r in reversed(self._stack[-4:]) if r.late), 0)
                self.lines.append(self._reads[late] if late else self._here())
            late = id(frame.f_locals["self"]) if code is _LATE else 0
            self._stack.append(Running(code.co_filename, frame.f_lineno, late))
        elif event == "line":
            self._stack[-1].line = frame.f_lineno
        elif event == "return":
            self._stack.pop()
        return self._event
