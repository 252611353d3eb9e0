"""Scores `map` against hand-labelled answers, where a folder with them is at hand: `make accept`."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# The least recall of what must be found, and the least precision.
BOUNDS: Mapping[str, tuple[float, float]] = {
    "torch_fx_2112.08429__torch.fx": (0.97, 0.97),
    "pytorch_ddp_2006.15704__torch": (0.90, 0.92),
}


def last_json(text: str) -> dict[str, Any]:
    """Return the object on the last line of a scorer's output."""
    loaded: dict[str, Any] = json.loads(text.strip().splitlines()[-1])
    return loaded


def run(*command: str | Path, check: bool = True) -> str:
    """Run a command and return what it printed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def maps(shared: Path, build: Path) -> Iterator[tuple[str, ...]]:
    """Map every labelled paper and score it."""
    for gold in sorted(shared.glob("gold/*.json")):
        paper, _, package = gold.stem.rpartition("__")
        document = build / f"{gold.stem}.json"
        pdf = shared / "papers" / f"{paper}.pdf"
        document.write_text(
            run(sys.executable, "-m", "fxanchor", "map", pdf, "--package", package, "--json"), encoding="utf-8"
        )
        score = last_json(run(sys.executable, shared / "accept" / "score_map.py", gold, document, check=False))
        least = BOUNDS.get(gold.stem, (0.0, 0.0))
        yield (paper, package, *_map_cells(score, least))


def _map_cells(score: Mapping[str, Any], least: tuple[float, float]) -> tuple[str, ...]:
    def cell(key: str, bound: float) -> str:
        value = score.get(key)
        if value is None:
            return "-"
        return f"{value:.3f}" + (f" (>= {bound})" if bound else "")

    counts = (str(score["links"]), f"{score['traps_broken']} of {score['traps']}")
    return cell("recall_must", least[0]), cell("precision", least[1]), *counts


def main() -> None:
    """Score everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    shared = parser.parse_args().shared.resolve()
    if not (shared / "gold").is_dir():
        print(f"Nothing to score against: there is no folder {shared.name}/gold. Name one: make accept SHARED=path")
        return
    build = ROOT / "build" / "accept"
    build.mkdir(parents=True, exist_ok=True)
    rows = [("paper", "package", "recall (must)", "precision", "links", "traps broken"), *maps(shared, build)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
