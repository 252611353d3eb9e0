"""How much memory a child process may hold when nobody has said."""

import contextlib
import os
from pathlib import Path

# What is left to the rest of the machine.
_SHARE = 0.8
_CGROUP = Path("/sys/fs/cgroup")


def default_limit() -> int | None:
    """Return most of the memory that is free now, in bytes, or None where that cannot be told."""
    free = [each for each in (_available(), _cgroup_left()) if each is not None]
    return int(min(free) * _SHARE) if free else None


def _available() -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


def _cgroup_left() -> int | None:
    """Return what the container that this process runs in has left; None without a limit."""
    with contextlib.suppress(OSError, ValueError):
        most = int((_CGROUP / "memory.max").read_text(encoding="ascii"))
        return max(0, most - int((_CGROUP / "memory.current").read_text(encoding="ascii")))
    return None
