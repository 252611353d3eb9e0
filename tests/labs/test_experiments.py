"""Every lab gives its recorded verdict and observations, alone as a script and on a reader's model."""

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers.cases import CASES

from fxanchor.labs.lab import Lab, LabResult
from fxanchor.labs.run import run_labs
from fxanchor.labs.script import script_of
from fxanchor.labs.shelf import all_labs, find_labs
from fxanchor.labs.stops import stops_of
from fxanchor.model.spec import parse_model

OBSERVED = CASES / "labs" / "observed"
MODELS = CASES / "labs" / "models"
INSTALLED = version("torch").partition("+")[0]
QUICK = [lab for lab in all_labs() if not lab.slow]


def name(lab: Lab) -> str:
    return lab.name


def known_here(lab: Lab) -> None:
    if INSTALLED not in lab.seen_on:
        pytest.skip(f"recorded on torch {', '.join(lab.seen_on)}")


@pytest.fixture(scope="module")
def results() -> dict[str, LabResult]:
    return {result.lab.name: result for result in run_labs(QUICK, seconds=300)}


def observed(result: LabResult) -> str:
    """Return what was seen as text, without what varies."""
    marks = {True: "agrees", False: "disagrees", None: "informs"}
    return "".join(
        f"{marks[each.agrees]}: {each.what}\n{''.join(f'    {line}{chr(10)}' for line in each.seen.splitlines())}"
        for each in result.observations
        if not each.what.endswith("(varies)")
    )


@pytest.mark.parametrize("lab", QUICK, ids=name)
def test_a_lab_gives_its_recorded_verdict(lab: Lab, results: dict[str, LabResult]) -> None:
    known_here(lab)
    result = results[lab.name]
    if result.verdict == "not applicable":
        pytest.skip(result.reason)
    assert result.verdict == lab.verdict, result.reason
    assert result.torch == INSTALLED


@pytest.mark.parametrize("lab", QUICK, ids=name)
def test_a_lab_sees_what_is_recorded(lab: Lab, results: dict[str, LabResult]) -> None:
    """When this fails and the new text is right, write it to the case."""
    known_here(lab)
    if results[lab.name].verdict == "not applicable":
        pytest.skip(results[lab.name].reason)
    assert observed(results[lab.name]) == (OBSERVED / f"{lab.name}.txt").read_text(encoding="utf-8")


def test_on_any_torch_every_lab_ends_in_a_verdict(results: dict[str, LabResult]) -> None:
    assert list(results) == [lab.name for lab in QUICK]
    assert all(result.observations or result.reason for result in results.values())


@pytest.mark.parametrize("lab", all_labs(), ids=name)
def test_a_lab_can_be_watched_where_it_says(lab: Lab) -> None:
    assert lab.break_at
    assert {key: stop.note for key, stop in stops_of([lab]).items() if not stop.line} == {}


@pytest.mark.parametrize("lab", all_labs(), ids=name)
def test_the_parts_of_a_script_do_not_hide_each_other(lab: Lab) -> None:
    tree = ast.parse(script_of(lab))
    defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    defined += [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert sorted(defined) == sorted(set(defined))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not any((module or "").startswith("fxanchor") for module in modules)


@pytest.mark.parametrize("lab", find_labs(["leaf-modules", "node-meta"]), ids=name)
def test_a_script_runs_alone_and_says_the_same(lab: Lab, results: dict[str, LabResult], tmp_path: Path) -> None:
    script = tmp_path / "alone.py"
    script.write_text(script_of(lab), encoding="utf-8")
    run = subprocess.run([sys.executable, "-I", str(script)], capture_output=True, text=True, check=True, timeout=120)
    lines = run.stdout.splitlines()
    result = results[lab.name]
    assert lines[0] == lab.statement
    assert lines[-1] == f"Verdict: {result.verdict}"
    assert all(f"{each.what}: {each.seen}" in run.stdout for each in result.observations if "\n" not in each.seen)


def test_on_a_readers_model_the_numbers_are_the_models() -> None:
    labs = find_labs(["leaf-modules", "spellings", "interpreter-transformer", "editing"])
    spec = parse_model(str(MODELS / "mlp.py"), inputs="2x4")
    by_name = {result.lab.name: result for result in run_labs(labs, model=spec)}
    seen = {each.what: each.seen for each in by_name["leaf-modules"].observations}
    assert seen["default"] == "6 nodes; weights read: none"
    assert seen["Linear opened"].startswith("10 nodes; weights read: first.bias, first.weight, second.bias")
    assert by_name["interpreter-transformer"].verdict == "holds"  # its one rectifier is a function
    assert not any(each.what.startswith("on this model") for each in by_name["spellings"].observations)
    assert by_name["editing"].verdict == "does not hold"


def test_a_model_that_cannot_be_traced_makes_labs_not_applicable() -> None:
    labs = find_labs(["leaf-modules", "editing"])
    leaf, editing = run_labs(labs, model=parse_model(str(MODELS / "branching.py")))
    assert leaf.verdict == "not applicable"
    assert "TraceError" in leaf.reason
    assert "fxanchor trace" in leaf.reason
    assert editing.verdict == "does not hold"


def test_a_model_that_ends_the_process_costs_only_the_lab_that_ran() -> None:
    labs = find_labs(["custom-tracer", "module-hierarchy", "spellings", "editing"])
    results = run_labs(labs, model=parse_model(str(MODELS / "dies.py")))
    assert [result.verdict for result in results] == ["holds", "not applicable", "does not hold", "does not hold"]
    assert results[1].reason == "its process ended early: exited"


def test_listing_and_reading_labs_loads_no_torch() -> None:
    code = "import sys; from fxanchor.labs.shelf import all_labs; all_labs(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
