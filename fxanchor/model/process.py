"""Run an entry of fxanchor in a child process that nothing the model does can get out of."""

import contextlib
import json
import math
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from fxanchor.errors import CaptureError, FxanchorError, InputError, UsageError
from fxanchor.model.channel import Reader, Record
from fxanchor.model.memory import default_limit
from fxanchor.model.plain import escape_controls
from fxanchor.model.verdict import End, judge, whole
from fxanchor.progress import Progress, silent

_ROOT = str(Path(__file__).parents[2])
# Not -m: the working directory must not get onto the path, and the root must, also when nothing is installed.
_BOOT = (
    "import sys; root, folder = sys.argv[1:]; root in sys.path or sys.path.append(root);"
    " from fxanchor.model.sandbox import serve; serve(folder)"
)
_RESULT_BYTES = 128 * 2**20
_PRINTED_BYTES = 64 * 2**10
_STOP_SECONDS = 8.0
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "WANDB_MODE": "disabled"}


@dataclass(frozen=True, slots=True)
class ChildResult:
    """What became of a child process.

    Attributes:
        end: How it ended; `ok` when `value` is there, `error` when the entry raised one of fxanchor's errors.
        value: What the entry returned, plain JSON values.
        phase: What it was doing last, such as `importing net.py`; "" before the first phase.
        code: Exit code, or signal number for `killed`.
        sentence: One plain sentence with the next step; "" for `ok`.
        exit_code: The exit code that goes with the sentence.
        details: For `fault`: the traceback.
        printed: What it printed on both streams, bounded, without control characters.
        printed_bytes: How much it printed.
        seconds: Wall-clock time.
        peak_bytes: Greatest memory seen, all processes together; 0 when not measured.
    """

    end: End
    value: dict[str, Any] | None
    phase: str
    code: int
    sentence: str
    exit_code: int
    details: str
    printed: str
    printed_bytes: int
    seconds: float
    peak_bytes: int

    def unwrap(self) -> dict[str, Any]:
        """Return the value.

        Raises:
            UsageError: When the child said so.
            CaptureError: When the child said so.
            InputError: When there is no value for any other reason.
        """
        if self.value is not None:
            return self.value
        kinds: tuple[type[FxanchorError], ...] = (UsageError, CaptureError)
        raise next((kind for kind in kinds if kind.exit_code == self.exit_code), InputError)(self.sentence)


def run_child(
    entry: str,
    request: Mapping[str, Any],
    *,
    seconds: float,
    memory_bytes: int | None,
    progress: Progress = silent,
    network: bool = False,
) -> ChildResult:
    """Run `entry` in a child process and return how that ended; never raises for what the child does.

    Args:
        entry: `package.module:function` (`run` when not given); called with the request and a `sandbox.Child`,
            returns a mapping of plain JSON values.
        request: Plain JSON values.
        seconds: Wall-clock limit.
        memory_bytes: Limit of the memory that the child and its descendants hold; None for most of what is free.
        progress: Told the phases.
        network: Whether connections to other machines are allowed.
    """
    if memory_bytes is None:
        memory_bytes = default_limit()
    with tempfile.TemporaryDirectory(prefix="fxanchor-") as name:
        folder = Path(name)
        run = _Run(folder, progress)
        envelope = {
            "entry": entry,
            "request": dict(request),
            "network": network,
            "memory_bytes": memory_bytes,
            "token": run.token,
            "parent": os.getpid(),
        }
        (folder / "request.json").write_text(json.dumps(envelope), encoding="utf-8")
        return run.result(name, seconds, memory_bytes, _environment(network))


class _Run:
    """One child process, from its start to its classified end."""

    def __init__(self, folder: Path, progress: Progress) -> None:
        self.token = secrets.token_hex(16)
        self._reader = Reader(folder / "records", self.token, _RESULT_BYTES)
        self._progress = progress
        self._phase = ""
        self._phase_deadline = math.inf
        self._last: dict[str, dict[str, Any]] = {}

    def result(
        self, folder: str, seconds: float, memory_bytes: int | None, environment: Mapping[str, str]
    ) -> ChildResult:
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, _ROOT, folder],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            start_new_session=True,
        )
        try:
            output = _Drain(process.stdout)
            in_time = self._follow(process, started + seconds)
        finally:
            _stop(process)
        output.join()
        self._reader.poll(self._take)
        taken = time.monotonic() - started
        verdict = judge(
            self._last,
            phase=self._phase,
            returned=process.returncode,
            in_time=in_time,
            seconds=taken,
            memory_bytes=memory_bytes,
            printed=output.text(),
        )
        result = self._last.get("result", {}).get("value")
        return ChildResult(
            end=verdict.end,
            value=result if verdict.end == "ok" else None,
            phase=self._phase,
            code=verdict.code,
            sentence=verdict.sentence,
            exit_code=verdict.exit_code,
            details=str(self._last.get("fault", {}).get("traceback", "")),
            printed=output.text(),
            printed_bytes=output.size,
            seconds=taken,
            peak_bytes=whole(self._last.get("end", {}).get("peak")),
        )

    def _follow(self, process: subprocess.Popen[bytes], deadline: float) -> bool:
        while (left := min(deadline, self._phase_deadline) - time.monotonic()) > 0:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(min(0.05, left))
                return True
            self._reader.poll(self._take)
            if self._reader.full:
                return True
        return False

    def _take(self, record: Record) -> None:
        if record.kind == "phase":
            self._phase = escape_controls(str(record.body.get("label", "")))[:200]
            seconds = record.body.get("seconds")
            self._phase_deadline = time.monotonic() + seconds if isinstance(seconds, int | float) else math.inf
            self._progress(self._phase, 0, 0)
        else:
            self._last[record.kind] = record.body


class _Drain:
    """Reads what the child prints as fast as it comes and keeps the beginning and the end of it."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        assert stream is not None
        self._stream = stream
        self.size = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._thread = threading.Thread(target=self._run, name="fxanchor-drain", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        half = _PRINTED_BYTES // 2
        while chunk := os.read(self._stream.fileno(), 65536):
            self.size += len(chunk)
            taken = half - len(self._head)
            self._head += chunk[:taken]
            self._tail = (self._tail + chunk[taken:])[-half:]

    def join(self) -> None:
        # A process that got away may hold the other end: what it prints is not waited for.
        self._thread.join(1.0)
        if not self._thread.is_alive():
            self._stream.close()

    def text(self) -> str:
        left_out = self.size - len(self._head) - len(self._tail)
        gap = f"\n[{left_out} bytes left out]\n".encode() if left_out > 0 else b""
        return escape_controls(bytes(self._head + gap + self._tail).decode("utf-8", "replace"))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the child; its warden ends whatever the child started."""
    if process.poll() is not None:
        return
    process.terminate()
    if hasattr(signal, "SIGCONT"):
        process.send_signal(signal.SIGCONT)  # a warden that was stopped would not hear the first signal
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _environment(network: bool) -> dict[str, str]:
    environment = os.environ | {
        "MPLBACKEND": "Agg",
        "PYTHONIOENCODING": "utf-8:backslashreplace",
    }
    # Either would keep the interpreter waiting for a person.
    for name in ("PYTHONINSPECT", "PYTHONBREAKPOINT"):
        environment.pop(name, None)
    return environment | {"PYTHONBREAKPOINT": "0"} | ({} if network else _OFFLINE)
