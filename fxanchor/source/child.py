"""Starts a process of our own code, which imports nothing of the user's."""

import subprocess
import sys
from pathlib import Path

# `-I` keeps the user's directory and environment out of the process, so that no stray module is imported there.
# Syntax trees hold no cycles, and looking for them takes a third of the time.
_START = "import gc, sys; gc.disable(); sys.path.insert(0, sys.argv[1]); from {module} import serve; serve()"


def start(module: str) -> subprocess.Popen[bytes]:
    """Start a process that runs `serve()` of a module, with pipes to its standard input and from its output.

    Args:
        module: Dotted name of a module of fxanchor.
    """
    home = str(Path(__file__).resolve().parents[2])
    command = [sys.executable, "-I", "-c", _START.format(module=module), home]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
