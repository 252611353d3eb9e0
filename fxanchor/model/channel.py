"""The records a child process leaves for its parent: one JSON line each, in a private file."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# A model may replace functions of modules; the channel goes on with those it started with.
_open, _write, _close, _dumps = os.open, os.write, os.close, json.dumps
_MODE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the channel: what it is about, and its content."""

    kind: str
    body: dict[str, Any]


class Recorder:
    """The child's end. No descriptor stays open between two records, so none can be written to or closed by accident.

    Args:
        path: The file of the channel.
        token: Starts every line; lines without it are not records.
    """

    def __init__(self, path: Path, token: str) -> None:
        self._path = str(path)
        self._token = token
        self._closed = False

    def write(self, kind: str, body: dict[str, Any]) -> None:
        """Add a record; does nothing in a copy of the process that the model forked.

        Args:
            kind: What the record is about.
            body: Its content, plain JSON values only.

        Raises:
            TypeError: When the content holds something else.
            ValueError: When it holds a number that JSON has not, or refers to itself.
            OSError: When the file cannot be written.
        """
        if self._closed:
            return
        text = _dumps({"kind": kind, "body": body}, allow_nan=False)
        data = f"\n{self._token} {text}\n".encode("ascii")
        descriptor = _open(self._path, _MODE, 0o600)
        try:
            while data:
                data = data[_write(descriptor, data) :]
        finally:
            _close(descriptor)

    def close(self) -> None:
        """Take no more records."""
        self._closed = True


class Reader:
    """The parent's end: follows the file as it grows.

    Args:
        path: The file of the channel.
        token: What every record's line starts with.
        limit: Bytes that are read at most; what comes after is dropped.
    """

    def __init__(self, path: Path, token: str, limit: int) -> None:
        self._path = path
        self._token = token.encode("ascii") + b" "
        self._left = limit
        self._offset = 0
        self._rest = b""

    def poll(self, take: Callable[[Record], None]) -> None:
        """Hand every record that is complete and new to `take`."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._offset)
                data = stream.read(self._left)
        except OSError:
            return
        self._offset += len(data)
        self._left -= len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(self._token) and (record := _parse(line[len(self._token) :])):
                take(record)

    @property
    def full(self) -> bool:
        """Whether the limit is reached."""
        return self._left <= 0


def _parse(line: bytes) -> Record | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match value:
        case {"kind": str(kind), "body": dict(body)}:
            return Record(kind, body)
    return None
