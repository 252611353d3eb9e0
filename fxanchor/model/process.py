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
from typing import IO, Any, Literal

from fxanchor.errors import CaptureError, FxanchorError, InputError, UsageError
from fxanchor.model.channel import Reader, Record
from fxanchor.model.plain import escape_controls
from fxanchor.progress import Progress, silent

End = Literal[
    "ok", "error", "exited", "killed", "timed out", "out of memory", "too many processes", "fault", "no result"
]

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
        memory_bytes: Limit of the memory that the child and its descendants hold, or None.
        progress: Told the phases.
        network: Whether connections to other machines are allowed.
    """
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
        end, code, sentence, exit_code = self._classify(in_time, taken, memory_bytes, process.returncode)
        result = self._last.get("result", {}).get("value")
        return ChildResult(
            end=end,
            value=result if end == "ok" else None,
            phase=self._phase,
            code=code,
            sentence=sentence,
            exit_code=exit_code,
            details=str(self._last.get("fault", {}).get("traceback", "")),
            printed=output.text(),
            printed_bytes=output.size,
            seconds=taken,
            peak_bytes=_whole(self._last.get("end", {}).get("peak")),
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

    def _classify(
        self, in_time: bool, seconds: float, memory_bytes: int | None, returned: int
    ) -> tuple[End, int, str, int]:
        phase = f" while {self._phase}" if self._phase else ""
        last = self._last
        if isinstance(last.get("result", {}).get("value"), dict):
            return "ok", 0, "", 0
        if "error" in last:
            sentence = escape_controls(str(last["error"].get("sentence", "")))
            return "error", 0, sentence, _whole(last["error"].get("exit_code")) or InputError.exit_code
        end = last.get("end", {"code": returned})
        cause, code = end.get("cause"), _whole(end.get("code"))
        ended: tuple[End, int, str]
        if cause == "memory":
            size = (memory_bytes or 0) / 2**30
            ended = "out of memory", 0, f"held more than {size:.3g} GiB of memory{phase}; allow more with --memory"
        elif cause == "processes":
            ended = (
                "too many processes",
                0,
                f"started more processes than is allowed{phase}; run them under a main guard",
            )
        elif not in_time:
            ended = "timed out", 0, f"was not done after {seconds:.3g} s{phase}; allow more with --timeout"
        elif "fault" in last:
            text = str(last["fault"].get("traceback", "")).strip().rpartition("\n")[2]
            ended = "fault", 0, f"raised {escape_controls(text)[:300]}{phase}; --debug shows the traceback"
        elif code < 0:
            name = _signal_name(-code)
            ended = (
                "killed",
                -code,
                f"crashed with {name}{phase}; run the file with python -X faulthandler to see where",
            )
        elif "exit" in last or self._phase or code:
            code = _whole(last.get("exit", {}).get("code")) or code
            ended = "exited", code, f"ended the process with exit code {code}{phase}; move the exit under a main guard"
        else:
            ended = "no result", code, "gave no result; run it with python to see why"
        return ended[0], ended[1], f"The model's code {ended[2]}.", InputError.exit_code


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
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8:backslashreplace",
    }
    # Either would keep the interpreter waiting for a person.
    for name in ("PYTHONINSPECT", "PYTHONBREAKPOINT"):
        environment.pop(name, None)
    return environment | {"PYTHONBREAKPOINT": "0"} | ({} if network else _OFFLINE)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
