"""Every breakpoint of the catalogue stops in the scenario it is for, as often as its calls are."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from helpers.project import ROOT

from fxanchor.breakpoints.lines import stop_at
from fxanchor.breakpoints.proof import Wanted
from fxanchor.breakpoints.prove import Prover
from fxanchor.breakpoints.recording import load_recording
from fxanchor.breakpoints.resolved import Resolved, resolve_catalogue
from fxanchor.errors import UsageError
from fxanchor.source.index import open_index

CHAINS = ("capture", "codegen", "call", "edit", "interpret", "transform", "rewrite", "passes")
COUNTS = Path(__file__).parents[1] / "cases" / "breakpoints" / "chain" / "counts.txt"
FACTS = ROOT.parent / "shared" / "facts" / "call_chain.md"
ROW = re.compile(r"\| (T\d\d) \| \S+ \| (?P<file>\S+):(?P<line>\d+) \|.*\| (?P<stops>[^|]*) \|$")
STOPS = re.compile(r"(?P<scenario>\w+) (?P<stops>\d+)(?: \(calls (?P<calls>\d+)\))?")

Counts = dict[str, dict[str, tuple[int, int]]]


@pytest.fixture(scope="module")
def resolved() -> Resolved:
    return resolve_catalogue(open_index(["torch.fx"]), CHAINS)


@pytest.fixture(scope="module")
def counted(resolved: Resolved) -> Counts:
    """Return calls and stops by breakpoint and scenario."""
    from helpers.scenarios import scenarios

    facts = resolved.facts
    recording = load_recording(facts.objects, facts.functions, facts.look_through)
    found: Counts = {one.concept: {} for one in resolved.table}
    for name, run in scenarios():
        with Prover(resolved.table, resolved.site_root, lambda _frame: None, recording) as prover:
            run()
        for proof in prover.proofs():
            assert not any(seen.value.startswith("refused") for seen in proof.watch), proof
            assert not any(seen.value.startswith("raises") for seen in proof.watch), proof
            if proof.hits:
                found[proof.wanted.concept][name] = (proof.hits, proof.stops)
    return found


def test_every_breakpoint_of_the_catalogue_has_a_line(resolved: Resolved) -> None:
    assert [one.concept for one in resolved.table if not one.stop.line] == []
    assert len({one.concept for one in resolved.table}) == len(resolved.table)


def test_every_breakpoint_is_hit_in_some_scenario(counted: Counts) -> None:
    assert [concept for concept, hits in counted.items() if not hits] == []


def test_the_counts_are_those_written_down(counted: Counts) -> None:
    shown = {
        concept: ", ".join(
            f"{name} {calls}" + (f"/{stops}" if stops != calls else "") for name, (calls, stops) in hits.items()
        )
        for concept, hits in counted.items()
    }
    lines = [line for line in COUNTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert shown == dict(line.split(": ") for line in lines)


def test_the_counts_are_those_that_another_debugger_found(counted: Counts, resolved: Resolved) -> None:
    """The facts were taken with bdb, on torch 2.14.1 alone."""
    import torch

    if not FACTS.exists() or not torch.__version__.startswith("2.14.1"):
        pytest.skip("no independent counts for this version here")
    rows = [match for line in FACTS.read_text(encoding="utf-8").splitlines() if (match := ROW.match(line))]
    assert len(rows) == 67
    by_place = {(one.stop.file, one.stop.line): one.concept for one in resolved.table}
    for row in rows:
        concept = by_place.get((f"torch/fx/{row['file']}", int(row["line"])))
        if row["stops"] == "0":
            assert concept is None
            assert_never_stops(resolved.site_root / "torch" / "fx" / row["file"], int(row["line"]))
            continue
        assert concept is not None, row[0]
        assert without_ours(counted[concept]) == expected(row["stops"]), row[0]


def without_ours(hits: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return {name: count for name, count in hits.items() if name != "reflected"}


def expected(text: str) -> dict[str, tuple[int, int]]:
    found = STOPS.finditer(text)
    return {row["scenario"]: (int(row["calls"] or row["stops"]), int(row["stops"])) for row in found}


def assert_never_stops(path: Path, line: int) -> None:
    with pytest.raises(UsageError, match="never stops a call"):
        stop_at(path, line, path.name)


@pytest.mark.parametrize("name", ["Net", "Reflected"])
def test_graphs_are_the_same_with_and_without_watching(resolved: Resolved, name: str) -> None:
    from helpers.scenarios import load_models
    from torch import fx

    facts = resolved.facts
    recording = load_recording(facts.objects, facts.functions, facts.look_through)
    model = getattr(load_models(), name)()
    plain = fx.symbolic_trace(model)
    dangerous = ("args", "args[0].shape", "args[0] + 1", "list(args[0])", "a == a", "self.shape", "x.sum()")
    watched = [
        Wanted(
            one.concept, one.stop, (*one.watches, *dangerous, *(f"self.{method}" for method in ("root.shape", "dtype")))
        )
        for one in resolved.table
    ]
    with Prover(watched, resolved.site_root, lambda _frame: None, recording) as prover:
        seen = fx.symbolic_trace(model)
    assert seen.code == plain.code
    assert [node.name for node in seen.graph.nodes] == [node.name for node in plain.graph.nodes]
    values = [seen.value for proof in prover.proofs() for seen in proof.watch]
    assert any(value.startswith("refused: .shape of a Proxy would record a node; look at .node") for value in values)


def test_recording_functions_exist_in_this_version(resolved: Resolved) -> None:
    facts = resolved.facts
    recording = load_recording(facts.objects, facts.functions, facts.look_through)
    assert len(recording.types) == len(facts.objects)
    assert all(name in vars(owner) for owner, name in recording.functions)
    assert len(recording.functions) == len(facts.functions)
    assert facts.first_stop in {one.concept for one in resolved.table}
    assert facts.made_at in {one.concept for one in resolved.table}
