"""Keep the child process and everything it starts off the network."""

import contextlib
import ctypes
import errno
import os
import sys
from pathlib import Path
from typing import Any

_EVENTS = frozenset(
    {
        "socket.connect",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
    }
)
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000


def deny_network() -> None:
    """Take the network away from this process for good.

    Python code is refused with a sentence that says why. On Linux, where the system allows it, the process also moves
    to a network of its own that leads nowhere, so that programs it starts have none either.
    """
    sys.addaudithook(_refuse)
    if sys.platform == "linux":
        _leave_network()


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    # An audit hook cannot be taken away again, and also sees connections made by libraries that kept a reference.
    if event not in _EVENTS:
        return
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"} and isinstance(arguments[1], str | bytes):
        return  # AF_UNIX: stays on this machine
    raise OSError(errno.ENETUNREACH, "the network is off while the model is loaded (--allow-network turns it on)")


def _leave_network() -> None:
    unshare = ctypes.CDLL(None).unshare
    if not unshare(_CLONE_NEWNET):
        return
    user, group = os.getuid(), os.getgid()
    if unshare(_CLONE_NEWUSER | _CLONE_NEWNET):
        return
    # A new user namespace knows no users until they are mapped; the process stays who it is.
    with contextlib.suppress(OSError):
        own = Path("/proc/self")
        (own / "setgroups").write_text("deny", encoding="ascii")
        (own / "uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        (own / "gid_map").write_text(f"{group} {group} 1", encoding="ascii")
