"""Commands that only read never import torch, and help comes at once."""

import json
import os
import sys
from pathlib import Path

import pytest
from helpers.project import PRIMER, ROOT, fxanchor, python

NO_TORCH = {"PYTHONPATH": str(Path(__file__).parents[1] / "helpers" / "notorch")}
LOADED = """
import json, sys
from fxanchor.cli.app import run
sys.argv[0] = "fxanchor"
try:
    run()
except SystemExit as end:
    code = end.code or 0
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    return {"FXANCHOR_CACHE": str(tmp_path / "cache")}


def loaded(*arguments: str, env: dict[str, str]) -> set[str]:
    """Return the packages that a command has imported when it ends."""
    run = python("-c", LOADED, *arguments, env=env)
    code, names = json.loads(run.stderr.splitlines()[-1])
    assert code == 0, run.stderr
    return set(names)


def test_the_guard_guards() -> None:
    assert "torch was imported" in python("-c", "import torch", env=NO_TORCH).stderr
    assert python("-c", "import importlib.util as u; assert u.find_spec('torch').origin", env=NO_TORCH).returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("map", "--help"),
        ("trace", "--help"),
        ("map", str(PRIMER), "--json"),
        ("map", str(PRIMER), "-k", "Transformer", "--all"),
        ("show", "GraphModule.recompile"),
        ("show", "GraphModule.recompile", "--paper", str(PRIMER)),
        ("sheet", str(PRIMER), "--no-labs", "-o", "-"),
        ("check", str(ROOT / "docs" / "tutorial.md"), "--all"),
    ],
    ids=lambda arguments: " ".join(arguments).replace(str(ROOT), ""),
)
def test_torch_is_not_imported(arguments: tuple[str, ...], cache: dict[str, str]) -> None:
    run = fxanchor(*arguments, env={**NO_TORCH, **cache})
    assert run.returncode == 0, run.stderr
    assert run.stdout


def test_help_imports_nothing_heavy(cache: dict[str, str]) -> None:
    assert not loaded("--help", env=cache) & {"torch", "numpy", "pypdf", "pygments", "cryptography", "xml"}


def test_a_second_map_imports_neither_the_pdf_reader_nor_what_speaks_http(cache: dict[str, str]) -> None:
    assert "pypdf" in loaded("map", str(PRIMER), env=cache)
    assert not loaded("map", str(PRIMER), env=cache) & {"pypdf", "http", "ssl"}


@pytest.mark.skipif(sys.platform == "win32", reason="wait4 is POSIX")
def test_help_takes_less_than_three_tenths_of_a_second() -> None:
    """The least of some runs, in processor time: the bound is for the program, not for what else the machine does."""
    assert min(_processor_seconds("-m", "fxanchor", "--help") for _ in range(5)) < 0.3


def _processor_seconds(*arguments: str) -> float:
    null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(sys.executable, [sys.executable, *arguments], os.environ, file_actions=null)
    _, status, usage = os.wait4(process, 0)
    assert status == 0
    return usage.ru_utime + usage.ru_stime
