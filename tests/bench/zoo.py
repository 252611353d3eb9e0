"""Traces every model of torchvision and small ones of transformers, and writes docs/zoo.md: `make zoo`."""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TORCHVISION = "tests/bench/zoo_models.py"
TRANSFORMERS = "tests/cases/zoo/transformers_models.py"
# One line of Python, so that this process need not import torch.
LIST = "from torchvision.models import *; [print(n, get_model_builder(n).__module__) for n in list_models()]"
# Functions of TORCHVISION that give example inputs, by the module of the models that symbolic_trace cannot take.
INPUTS = {"torchvision.models.detection": "pictures", "torchvision.models.optical_flow": "two_frames"}
SECONDS = "1800"
REASON = 160
RUNGS = ("symbolic_trace", "export", "eager", "none", "failed")


@dataclass(frozen=True)
class Row:
    """What became of one model.

    Attributes:
        name: Its name.
        rung: What captured it, `none`, or `failed` when there is no report.
        nodes: Number of nodes.
        calls: How many of them are calls.
        placed: How many of the calls have a trigger.
        reasons: Why each rung above did not take it.
    """

    name: str
    rung: str
    nodes: int = 0
    calls: int = 0
    placed: int = 0
    reasons: tuple[str, ...] = ()


def trace(name: str, model: str, inputs: str) -> Row:
    """Run the command on one model, in a process of its own."""
    command = [sys.executable, "-m", "fxanchor", "trace", model, "--json", "--timeout", SECONDS]
    command += ["--input", inputs] if inputs else []
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        return row(name, json.loads(done.stdout))
    except ValueError:
        return Row(name, "failed", reasons=((done.stderr.strip().splitlines() or ["no output"])[-1],))


def row(name: str, document: dict[str, Any]) -> Row:
    """Sum up what `trace --json` says of a model."""
    calls = [node for node in document["nodes"] if node["op"].startswith("call")]
    placed = sum(node["trigger"] is not None for node in calls)
    reasons = tuple(reason(step, document["blockers"]) for step in document["capture"]["steps"] if not step["ok"])
    return Row(name, document["capture"]["rung"], len(document["nodes"]), len(calls), placed, reasons)


def reason(step: dict[str, Any], blockers: Sequence[dict[str, Any]]) -> str:
    """Say which line stopped a rung, or why it was not tried."""
    if step["blocker"] is None:
        return f"{step['rung']}: {step['reason']}"
    stop = blockers[step["blocker"]]
    return f"{step['rung']}: {stop['file']}:{stop['line']} `{stop['expression']}`"


def torchvision_rows(names: Sequence[str]) -> Iterator[Row]:
    """Trace models of torchvision, all when none is named."""
    listed = subprocess.run([sys.executable, "-c", LIST], capture_output=True, text=True, check=True).stdout
    modules = dict(line.split() for line in listed.splitlines())
    for name in names or modules:
        inputs = next((given for module, given in INPUTS.items() if modules[name].startswith(module)), "")
        yield trace(name, f"{TORCHVISION}:build({name!r})", inputs)


def transformers_rows() -> Iterator[Row]:
    """Trace the small models of transformers; none when it is not installed."""
    if importlib.util.find_spec("transformers") is None:
        print("transformers is not installed, so its models are left out.", flush=True)
        return
    for name in transformers_names((ROOT / TRANSFORMERS).read_text(encoding="utf-8")):
        yield trace(name, f"{TRANSFORMERS}:{name}", f"{name}_inputs")


def transformers_names(source: str) -> list[str]:
    """Return the functions of a file that build a model: those with another that gives its inputs."""
    functions = [line.removeprefix("def ").partition("(")[0] for line in source.splitlines() if line.startswith("def ")]
    return [name for name in functions if f"{name}_inputs" in functions]


def shown(rows: Iterator[Row]) -> list[Row]:
    """Print a line for each as it is done."""
    done = []
    for one in rows:
        done.append(one)
        print(f"{one.name:36} {one.rung:15} {one.nodes:6} nodes  {one.placed}/{one.calls}  {one.reasons}", flush=True)
    return done


def summary(rows: Sequence[Row]) -> list[str]:
    """Return the sums: how many each rung took, and how many calls have their line."""
    if not rows:
        return []
    rungs = Counter(row.rung for row in rows)
    captured = len(rows) - rungs["none"] - rungs["failed"]
    took = ", ".join(f"{rungs[rung]} by {rung}" for rung in RUNGS[:3] if rungs[rung])
    calls, placed = sum(row.calls for row in rows), sum(row.placed for row in rows)
    return [f"{captured} of {len(rows)} models captured: {took}.", f"{placed} of {calls} calls have their line."]


def page(vision: Sequence[Row], language: Sequence[Row]) -> str:
    """Return the whole page.

    Args:
        vision: The models of torchvision.
        language: Those of transformers; may be empty.
    """
    lines = ["# The zoo", "", "What `make zoo` found, each model traced by `fxanchor trace` in a process of its own."]
    lines += ["", f"The capture is that of torch {release('torch')}."]
    lines += ["", *_part("torchvision", vision)]
    lines += ["", *_part("transformers", language)] if language else []
    return "\n".join(lines) + "\n"


def _part(title: str, rows: Sequence[Row]) -> list[str]:
    lines = [f"## {title} {release(title)}", "", *summary(rows), ""]
    lines += [
        "| model | captured by | nodes | calls with a line | what stopped the rungs above |",
        "| - | - | - | - | - |",
    ]
    for row in rows:
        reasons = "; ".join(_short(reason).replace("|", "\\|") for reason in row.reasons)
        lines.append(f"| {row.name} | {row.rung} | {row.nodes} | {row.placed} of {row.calls} | {reasons} |")
    return lines


def release(package: str) -> str:
    """Return the version of a package, without what it was built for."""
    return importlib.metadata.version(package).partition("+")[0]


def _short(reason: str) -> str:
    """Cut a reason at its bound, an expression that is open there closed."""
    if len(reason) <= REASON:
        return reason
    cut = reason[: REASON - 1] + "…"
    return cut + "`" if cut.count("`") % 2 else cut


def main() -> None:
    """Trace them one after the other, show each as it is done, and print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="models of torchvision to trace; everything when none is named")
    parser.add_argument("-o", "--output", type=Path, help="write the page here")
    options = parser.parse_args()
    os.nice(10)
    vision = shown(torchvision_rows(options.names))
    language = [] if options.names else shown(transformers_rows())
    print(*summary(vision), *summary(language), sep="\n")
    if options.output:
        options.output.write_text(page(vision, language), encoding="utf-8")


if __name__ == "__main__":
    main()
