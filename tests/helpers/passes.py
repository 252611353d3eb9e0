"""Runs passes as the child process of `transform` does, and puts back what importing the reader's files does."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from fxanchor.labs.transform import child
from fxanchor.labs.transform.report import TransformReport
from fxanchor.labs.transform.run import read_report
from fxanchor.model.spec import ModelSpec

if TYPE_CHECKING:
    from fxanchor.model.sandbox import Child


class _Quiet:
    def phase(self, label: str, *limits: float) -> None:
        """Take no notice."""


@contextlib.contextmanager
def run_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *others: Path) -> Iterator[None]:
    """Run where the files are, and put back what importing them, or files of other folders, does to the interpreter."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    finders, modules = list(sys.meta_path), set(sys.modules)
    yield
    sys.meta_path[:] = finders
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", "")).startswith((str(folder), *map(str, others))):
            del sys.modules[name]


def run_passes(spec: ModelSpec, passes: Sequence[str], matches: str, tolerance: float) -> TransformReport:
    """Return what the passes do to a model."""
    request = {"model": spec.to_json(), "passes": passes, "matches": matches, "tolerance": tolerance}
    return read_report(child.run(request, cast("Child", _Quiet())))
