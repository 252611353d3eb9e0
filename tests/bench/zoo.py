"""Traces every model of torchvision and says which rung took it, and whether every call has its line: `make zoo`."""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BUILDER = "tests/bench/zoo_models.py"
REASON = 200
# One line of Python, so that this process need not import torch.
LIST = "from torchvision.models import *; [print(n, get_model_builder(n).__module__) for n in list_models()]"
# Example inputs by the module that a model is in, for what symbolic_trace cannot take alone.
INPUTS = {
    "torchvision.models.detection": "[3x256x320]",
    "torchvision.models.optical_flow": "1x3x128x128, 1x3x128x128",
    "torchvision.models.video": "1x3x16x224x224",
    "": "2x3x224x224",
}


@dataclass(frozen=True)
class Row:
    """What became of one model.

    Attributes:
        name: Its name in torchvision.
        rung: What captured it, `none`, or `failed` when there is no report.
        nodes: Number of nodes.
        calls: How many of them are calls.
        placed: How many of the calls have a trigger.
        reason: Why the rung above did not take it.
    """

    name: str
    rung: str
    nodes: int = 0
    calls: int = 0
    placed: int = 0
    reason: str = ""


def row(name: str, document: dict[str, Any]) -> Row:
    """Sum up what `trace --json` says of a model."""
    calls = [node for node in document["nodes"] if node["op"].startswith("call")]
    placed = sum(node["trigger"] is not None for node in calls)
    reason = next((step["reason"] for step in document["capture"]["steps"] if not step["ok"]), "")
    stops = [one for one in document["blockers"] if not one["silent"]]
    if stops:
        reason = f"{stops[0]['file']}:{stops[0]['line']} `{stops[0]['expression']}`: {reason}"
    reason = reason if len(reason) < REASON else reason[: REASON - 1] + "…"
    return Row(name, document["capture"]["rung"], len(document["nodes"]), len(calls), placed, reason)


def trace(name: str, module: str) -> Row:
    """Trace one model, with example inputs where it cannot be done without."""
    found = _trace(name)
    if found.rung != "none":
        return found
    example = next(text for prefix, text in INPUTS.items() if module.startswith(prefix))
    return _trace(name, "--input", example)


def _trace(name: str, *options: str) -> Row:
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "fxanchor", "trace", f"{BUILDER}:build({name!r})", "--json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        return row(name, json.loads(done.stdout))
    except ValueError:
        return Row(name, "failed", reason=(done.stderr.strip().splitlines() or ["no output"])[-1])


def summary(rows: Iterable[Row]) -> list[str]:
    """Return the lines that stand above the table."""
    rows = list(rows)
    rungs = Counter(row.rung for row in rows)
    calls, placed = sum(row.calls for row in rows), sum(row.placed for row in rows)
    took = ", ".join(f"{count} by {rung}" for rung, count in rungs.most_common())
    return [f"{len(rows)} models: {took}.", f"{placed} of {calls} calls have their line."]


def report(rows: Sequence[Row]) -> str:
    """Return a page in markdown: the sums, and every model that the first rung did not take whole."""
    lines = ["# The zoo", "", "What `make zoo` printed: every model of torchvision, traced.", "", *summary(rows), ""]
    lines += [
        "| model | captured by | nodes | calls with a line | what stopped symbolic_trace |",
        "| --- | --- | --- | --- | --- |",
    ]
    for one in rows:
        if one.rung != "symbolic_trace" or one.calls != one.placed:
            reason = one.reason.replace("|", "\\|")
            lines.append(f"| {one.name} | {one.rung} | {one.nodes} | {one.placed} of {one.calls} | {reason} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Trace them all, show each as it is done, and write the page when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="models to trace; all when none is named")
    parser.add_argument("-o", "--output", type=Path, help="write the page here")
    options = parser.parse_args()
    listed = subprocess.run([sys.executable, "-c", LIST], capture_output=True, text=True, check=True).stdout
    modules = dict(line.split() for line in listed.splitlines())
    rows = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in pool.map(lambda name: trace(name, modules[name]), options.names or modules):
            rows.append(one)
            print(
                f"{one.name:36} {one.rung:15} {one.nodes:6} nodes  {one.placed}/{one.calls}  {one.reason}", flush=True
            )
    print(*summary(rows), sep="\n")
    if options.output:
        options.output.write_text(report(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
