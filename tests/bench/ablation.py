"""Measures what each linking rule gains and costs: every rule is switched off once and the maps are scored again."""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fxanchor.concepts.concept import Concept
from fxanchor.concepts.link import link_paper
from fxanchor.concepts.rules import ALL_RULES
from fxanchor.paper.document import Paper
from fxanchor.paper.read import read_paper
from fxanchor.source.index import Index, open_index


def document(concepts: Sequence[Concept]) -> dict[str, Any]:
    """Return what the scorer reads of a map."""
    return {
        "concepts": [
            {
                "name": concept.name,
                "kind": concept.kind,
                "status": concept.status,
                "symbol": concept.symbol,
                "public_name": concept.public_name,
                "definition": concept.definition and {"file": concept.definition.file, "line": concept.definition.line},
                "mentions": [
                    {"page": mention.page, "surface": mention.surface, "status": mention.status}
                    for mention in concept.mentions
                ],
            }
            for concept in concepts
        ]
    }


def score(shared: Path, gold: Path, paper: Paper, index: Index, rules: frozenset[str]) -> dict[str, Any]:
    """Link a paper with some of the rules and score the map."""
    found = link_paper(paper, index, rules=rules)
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(document(found.concepts), file)
        file.flush()
        command: list[str | Path] = [sys.executable, shared / "accept" / "score_map.py", gold, file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def rows(shared: Path, rules: Sequence[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Give the scores of all labelled papers with every rule on, then with each rule off."""
    labelled = []
    for gold in sorted(shared.glob("gold/*.json")):
        name, _, package = gold.stem.rpartition("__")
        labelled.append((gold, read_paper(shared / "papers" / f"{name}.pdf"), open_index([package])))
    for rule in ("", *rules):
        yield rule, [score(shared, *one, ALL_RULES - {rule}) for one in labelled]


def cells(one: dict[str, Any], base: dict[str, Any]) -> str:
    """Return recall, precision, links and broken traps; `.` where nothing changed."""
    shown = [f"{one[key]:.3f}" if one[key] != base[key] or one is base else "." for key in ("recall_must", "precision")]
    counts = [str(one[key]) if one[key] != base[key] or one is base else "." for key in ("links", "traps_broken")]
    return " ".join(f"{cell:>5}" for cell in (*shown, *counts))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, help="folder with papers/, gold/ and accept/")
    parser.add_argument("--without", action="append", metavar="RULE", help="only this rule; may be repeated")
    options = parser.parse_args()
    base: list[dict[str, Any]] = []
    names = [gold.stem for gold in sorted(options.shared.glob("gold/*.json"))]
    print("recall of must, precision, links, traps broken; columns:", ", ".join(names))
    for rule, scores in rows(options.shared, options.without or sorted(ALL_RULES)):
        base = base or scores
        print(f"{rule or '(all rules on)':22}", " | ".join(map(cells, scores, base)), flush=True)


if __name__ == "__main__":
    main()
