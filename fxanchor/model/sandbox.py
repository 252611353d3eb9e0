"""The child's side of `run_child`: takes the request, runs an entry on it, and hands back what came of it."""

import contextlib
import faulthandler
import importlib
import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from fxanchor.errors import FxanchorError
from fxanchor.model import warden
from fxanchor.model.channel import Recorder
from fxanchor.model.network import deny_network

_exit = os._exit
_getpid = os.getpid
_OWN = str(Path(__file__).parents[1])


class Child:
    """What an entry may tell the parent while it works.

    Args:
        recorder: The channel to the parent.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._pid = _getpid()

    def phase(self, label: str, seconds: float | None = None) -> None:
        """Say what is done from now on, such as `importing net.py`; it is shown, and named when the process ends early.

        A copy of the process that the model forked ends here: the work is done once.

        Args:
            label: A few words that fit behind "while".
            seconds: Limit of this phase, when it has one of its own.
        """
        if _getpid() != self._pid:
            _exit(0)
        self._recorder.write("phase", {"label": label, "seconds": seconds})


def serve(directory: str) -> NoReturn:
    """Do what the request in a directory asks, and end the process.

    Args:
        directory: Made by `run_child`; holds `request.json` and takes the channel's file.
    """
    folder = Path(directory)
    envelope = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    recorder = Recorder(folder / "records", envelope["token"])

    def work() -> NoReturn:
        _work(envelope, recorder)

    warden.watch(work, recorder, folder, parent=envelope["parent"], memory_bytes=envelope["memory_bytes"])


def _work(envelope: Mapping[str, Any], recorder: Recorder) -> NoReturn:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=recorder.close)
    if not envelope["network"]:
        deny_network()
    faulthandler.enable(sys.__stderr__ or 2, all_threads=False)
    try:
        module, _, function = envelope["entry"].partition(":")
        run = getattr(importlib.import_module(module), function or "run")
        # From here on: fxanchor's own byte code is worth keeping, but none goes beside the user's files.
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        value = run(envelope["request"], Child(recorder))
        recorder.write("result", {"value": value})
    except FxanchorError as error:
        recorder.write("error", {"exit_code": error.exit_code, "sentence": str(error)})
    except SystemExit as error:
        recorder.write("exit", {"code": error.code if isinstance(error.code, int) else 1 if error.code else 0})
    except BaseException as error:
        text = traceback.format_exc(limit=-30)[-20_000:]
        recorder.write("fault", {"traceback": text, "own": _is_own(error.__traceback__)})
    finally:
        # Not sys.exit: hooks and threads that the model left must not run.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        _exit(0)


def _is_own(trace: TracebackType | None) -> bool:
    """Return whether it is a line of fxanchor that raised."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OWN)
