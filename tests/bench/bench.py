"""Times every command beside the least work that it could do, in one run, as ratios: `make bench`."""

import argparse
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRIMER = ROOT / "papers" / "primer" / "primer.pdf"
BARE_PDF = """
import sys
from pypdf import PdfReader
for page in PdfReader(sys.argv[1]).pages:
    page.extract_text()
"""
BARE_TRACE = """
import torch, torchvision
graph = torch.fx.symbolic_trace(torchvision.models.resnet50()).graph
for node in graph.nodes:
    print(node.op, node.name, node.target, node.args, node.kwargs)
"""
INDEX = """
import sys, time
from fxanchor.source.index import open_index
began = time.perf_counter()
open_index([sys.argv[1]]).get(sys.argv[1])
print(time.perf_counter() - began)
"""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        what: What was timed.
        seconds: Its median.
        beside: What it is compared with, or "".
        base: Median of that, in seconds.
        most: The bound: a ratio where there is something to compare with, else seconds.
    """

    what: str
    seconds: float
    beside: str = ""
    base: float = 0.0
    most: float = 0.0

    @property
    def value(self) -> float:
        """What the bound is about."""
        return self.seconds / self.base if self.base else self.seconds

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        ratio = f"{self.value:.2f}" if self.base else ""
        bound = "" if not self.most else f"{self.most:g}" if self.base else f"{self.most:g} s"
        verdict = "" if not self.most else "ok" if self.value <= self.most else "OVER"
        return (
            self.what,
            f"{self.seconds:.3f} s",
            self.beside,
            f"{self.base:.3f} s" if self.base else "",
            ratio,
            bound,
            verdict,
        )


@dataclass(frozen=True)
class Task:
    """A process to time.

    Attributes:
        command: What to run.
        prepare: Run before each time, not timed; returns the cache directory to use.
        inner: Whether the process prints the seconds itself, so that its start is not counted.
    """

    command: Sequence[str | Path]
    prepare: Callable[[], Path]
    inner: bool = False

    def seconds(self) -> float:
        """Run it once."""
        env = {**os.environ, "FXANCHOR_CACHE": str(self.prepare())}
        began = time.perf_counter()
        run = subprocess.run(self.command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
        wall = time.perf_counter() - began
        if run.returncode:
            raise SystemExit(f"{' '.join(map(str, self.command))}\n{run.stderr}")
        return float(run.stdout) if self.inner else wall


def medians(runs: int, *tasks: Task) -> list[float]:
    """Time tasks in turns, so that what else the machine does falls on all of them alike."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(runs):
        for task, seconds in zip(tasks, times, strict=True):
            seconds.append(task.seconds())
    return [statistics.median(seconds) for seconds in times]


class Caches:
    """Cache directories in every state of warmth."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def cold(self) -> Path:
        """Return an empty cache."""
        self._count += 1
        return self._folder / f"cold-{self._count}"

    def warm(self) -> Path:
        """Return the one cache that is kept."""
        return self._folder / "warm"

    def without(self, kind: str) -> Path:
        """Return the kept cache after one kind of entry has been removed from it."""
        shutil.rmtree(self.warm() / kind, ignore_errors=True)
        return self.warm()


def fxanchor(*arguments: str | Path) -> list[str | Path]:
    """Return the command line of a command."""
    return [sys.executable, "-m", "fxanchor", *arguments]


def python(code: str, *arguments: str | Path) -> list[str | Path]:
    """Return the command line of a piece of Python."""
    return [sys.executable, "-c", code, *arguments]


def startup(caches: Caches, runs: int) -> Iterator[Row]:
    """Time `--help`."""
    ours, bare = medians(runs * 2, Task(fxanchor("--help"), caches.warm), Task(python("pass"), caches.warm))
    yield Row("--help", ours, most=0.3)
    yield Row("--help", ours, "python -c pass", bare)


def mapping(paper: Path, caches: Caches, runs: int) -> Iterator[Row]:
    """Time `map` beside pypdf alone on the same paper."""
    command = fxanchor("map", paper, "--json")
    Task(command, caches.warm).seconds()
    bare, warm, half, cold = medians(
        runs,
        Task(python(BARE_PDF, paper), caches.warm),
        Task(command, caches.warm),
        Task(command, lambda: caches.without("paper")),
        Task(command, caches.cold),
    )
    name = paper.stem[:24]
    everything = [*command, "--package", "torch"]
    Task(everything, caches.warm).seconds()
    (large,) = medians(runs, Task(everything, caches.warm))
    yield Row(f"map {name}, all warm", warm, most=0.5)
    yield Row(f"map {name}, index warm", half, "pypdf alone", bare, 1.6)
    yield Row(f"map {name}, all cold", cold, "pypdf alone", bare, 2.5)
    yield Row(f"map {name} --package torch, all warm", large, most=0.5)


def index(package: str, caches: Caches, runs: int, cold_most: float, warm_most: float) -> Iterator[Row]:
    """Time the index of a package, without the start of the process."""
    command = python(INDEX, package)
    Task(command, caches.warm, inner=True).seconds()
    (warm,) = medians(runs, Task(command, caches.warm, inner=True))
    (cold,) = medians(runs if cold_most < 10 else 1, Task(command, caches.cold, inner=True))
    yield Row(f"index of {package}, cold", cold, most=cold_most)
    yield Row(f"index of {package}, warm", warm, most=warm_most)


def tracing(caches: Caches, runs: int) -> Iterator[Row]:
    """Time the whole of `trace` on a model that everybody knows."""
    ours, bare = medians(
        runs,
        Task(fxanchor("trace", "torchvision.models:resnet50", "--json"), caches.warm),
        Task(python(BARE_TRACE), caches.warm),
    )
    yield Row("trace resnet50", ours, "bare script", bare, 1.3)


def provenance() -> Iterator[Row]:
    """Time the recording of triggers inside one process."""
    command: list[str | Path] = [sys.executable, Path(__file__).with_name("provenance.py")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for line in run.stdout.splitlines():
        what, beside, ours, bare, most = line.split("\t")
        yield Row(what, float(ours), beside, float(bare), float(most))


def table(rows: Sequence[Row]) -> str:
    """Return the rows in columns."""
    head = ("what", "median", "beside", "median", "ratio", "bound", "")
    cells = [head, *(row.cells() for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )


def main() -> None:
    """Time everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shared", type=Path, default=ROOT.parent / "shared", help="folder with more papers, may be absent"
    )
    parser.add_argument("--runs", type=int, default=5, help="times that each process is run")
    options = parser.parse_args()
    # What was edited since the installation would be compiled anew in every process.
    compileall.compile_dir(ROOT / "fxanchor", quiet=1)
    papers = [PRIMER, *sorted(options.shared.glob("papers/torch_fx*.pdf"))]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        caches = Caches(Path(folder))
        rows += startup(caches, options.runs)
        for paper in papers:
            rows += mapping(paper.resolve(), caches, options.runs)
        rows += index("torch.fx", caches, options.runs, 2.0, 0.05)
        rows += index("torch", caches, options.runs, 25.0, 0.5)
        rows += tracing(caches, options.runs)
        rows += provenance()
    print(table(rows))


if __name__ == "__main__":
    main()
