"""A debug adapter client, as small as one can be: attach, set breakpoints, see the stops."""

import json
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from subprocess import Popen
from typing import Any

Message = dict[str, Any]
_PATIENCE = 90.0


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Client:
    """The editor's side of a debugging session.

    Args:
        port: Where the program waits.
    """

    def __init__(self, port: int) -> None:
        self._socket = self._connect(port)
        self._file = self._socket.makefile("rb")
        self._sequence = 0

    @staticmethod
    def _connect(port: int) -> socket.socket:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                made = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return made

    def send(self, command: str, arguments: Mapping[str, Any]) -> int:
        """Send a request and return its number."""
        self._sequence += 1
        request = {"seq": self._sequence, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(request).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self._sequence

    def receive(self) -> Message:
        """Return the next message."""
        length = 0
        while line := self._file.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise EOFError("the debugged program closed the connection")
        message: Message = json.loads(self._file.read(length))
        return message

    def wait(self, wanted: Callable[[Message], bool]) -> Message:
        """Return the next message that is wanted, dropping the others."""
        while not wanted(message := self.receive()):
            pass
        return message

    def ask(self, command: str, arguments: Mapping[str, Any]) -> Message:
        """Send a request and return the answer's body."""
        number = self.send(command, arguments)
        answer = self.wait(lambda message: message.get("request_seq") == number)
        assert answer["success"], answer
        body: Message = answer.get("body", {})
        return body

    def session(self, requests: Sequence[Message] = ()) -> tuple[list[Message], list[tuple[str, str, int]]]:
        """Attach, send the requests, and continue at every stop until the program ends.

        Args:
            requests: Requests to send before the program goes on, such as `setBreakpoints`.

        Returns:
            The answers to the requests, and the stops: function, file and line.
        """
        self.ask("initialize", {"adapterID": "test", "pathFormat": "path", "linesStartAt1": True})
        self.send("attach", {"justMyCode": False})
        self.wait(lambda message: message.get("event") == "initialized")
        answers = [self.ask(request["command"], request["arguments"]) for request in requests]
        self.send("configurationDone", {})
        stops = []
        while (event := self._next_event()) != "terminated":
            if isinstance(event, dict):
                frame = self.ask("stackTrace", {"threadId": event["threadId"], "levels": 1})["stackFrames"][0]
                stops.append((frame["name"], frame["source"]["path"], frame["line"]))
                self.send("continue", {"threadId": event["threadId"]})
        self.send("disconnect", {})
        return answers, stops

    def _next_event(self) -> Message | str:
        message = self.wait(lambda message: message.get("event") in ("stopped", "terminated"))
        return "terminated" if message["event"] == "terminated" else message["body"]

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()


def end(process: Popen[str]) -> str:
    """Wait for a debugged program and return what it printed."""
    try:
        output, _ = process.communicate(timeout=_PATIENCE)
    finally:
        process.kill()
    return output
