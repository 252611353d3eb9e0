"""Runs the commands that pages show and puts what they really print in the page: `make docs`.

A transcript is a fence of the language `console`. Its lines that begin with `$ ` are run by bash in the root of the
repository, in order and with output that is not a terminal; what follows each is what it prints. Commands
that are not run here, such as those that install, are in fences of the language `sh`.
"""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from helpers.project import ROOT

FENCE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.M | re.S)
# Said at the top of a page: what its transcripts were made with.
MADE_WITH = re.compile(r"<!-- transcripts: torch (\S+) -->")


def refreshed(page: str) -> str:
    """Return a page with every transcript made anew."""
    page = MADE_WITH.sub(f"<!-- transcripts: torch {version('torch')} -->", page)
    return FENCE.sub(lambda match: _rerun(match.group()), page)


def made_with(page: str) -> str:
    """Return the version of torch that the transcripts of a page were made with, or ""."""
    found = MADE_WITH.search(page)
    return found.group(1) if found else ""


def _rerun(transcript: str) -> str:
    commands = [line for line in transcript.splitlines() if line.startswith("$ ")]
    lines = [line for command in commands for line in (command, *_printed(command.removeprefix("$ ")))]
    return "\n".join(lines) + "\n"


def _printed(command: str) -> list[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    env = {**environ, "PATH": path, "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    printed = run.stdout.decode("utf-8")
    if "Traceback (most recent call last)" in printed:
        raise RuntimeError(f"{command}\n{printed}")
    return [line.rstrip() for line in printed.rstrip().split("\n")]


def main() -> None:
    """Refresh the pages named on the command line."""
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
