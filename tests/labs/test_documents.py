"""What `--json` prints of labs, listings and transforms keeps to its schema, and the renderers say what is there."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from helpers.parts import text_of
from helpers.project import ROOT
from jsonschema import Draft202012Validator

from fxanchor.labs.lab import LabResult, Observation, Verdict
from fxanchor.labs.listings.listing import Line, LineKind, Listing, ListingResult, Plan, Status, Step
from fxanchor.labs.shelf import all_labs, find_labs
from fxanchor.labs.stops import stops_of
from fxanchor.labs.transform.report import (
    Change,
    ChangeKind,
    Comparison,
    Failure,
    InPlace,
    Match,
    Stage,
    StateChange,
    TransformReport,
)
from fxanchor.model.report import Trigger
from fxanchor.sheet.lab_json import labs_document, listings_document, results_document, transform_document
from fxanchor.sheet.lab_text import lab_text, list_table, result_text
from fxanchor.sheet.listing_text import listing_text
from fxanchor.sheet.transform_text import broken, transform_parts

HERE = Trigger("net.py", 3, 3, 4, 9, "x + 1")
NAN = float("nan")


def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(Path(ROOT / "docs" / "schema" / f"{name}.1.json").read_text(encoding="utf-8"))
    return loaded


def closed(part: Any) -> Any:
    """Return a schema that allows no field it does not name."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    more = {"additionalProperties": False} if part.get("type") == "object" else {}
    return {**{key: closed(value) for key, value in part.items()}, **more}


def check(name: str, document: dict[str, Any]) -> None:
    read = json.loads(json.dumps(document, allow_nan=False))
    errors = Draft202012Validator(closed(schema(name))).iter_errors(read)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


def lab_results() -> tuple[LabResult, ...]:
    labs = find_labs(["editing", "python-only", "ir-sizes", "leaf-modules"])
    seen = (Observation("a", "b", True), Observation("code", "one\ntwo", None), Observation("c", "d", False))
    return (
        LabResult(labs[0], "does not hold", seen, "", "2.14.1"),
        LabResult(labs[1], "changed since", seen, "it moved", "2.14.1"),
        LabResult(labs[2], "not applicable", (), "needs torchvision", "2.14.1"),
        LabResult(labs[3], "changed since", (), "its process ended early: killed", ""),
    )


def listing_results() -> tuple[ListingResult, ...]:
    good = Listing("Figure 1", 4, "2.1", "print(x)", (Step("print(x)", 1, "1"),))
    bad = Listing("Figure 2", 5, "", "graph(%", (), "line 1 is not Python: graph(%")
    plan = Plan(good, ("import math",), ("Figure 0",), ("Figure 1 does not import math: import math.",), ("x",))
    lines = (
        Line("same", "a", "a"),
        Line("elided", "a ...", "a b"),
        Line("different", "c", None),
        Line("different", None, "d"),
    )
    return (
        ListingResult(plan, "different", (lines,), "more\n"),
        ListingResult(plan, "raised", (), "", "raised NameError: x in line 1"),
        ListingResult(plan, "not run"),
        ListingResult(Plan(bad, (), (), (), ()), "skipped"),
    )


def report() -> TransformReport:
    changes = (
        Change(
            "added", "gelu", "", "%gelu : [num_users=1] = call_function[target=f](args = (), kwargs = {})", HERE, HERE
        ),
        Change("removed", "relu", "%relu", "", None, None),
    )
    lost = StateChange("buffer", "lost", "mean", "float32[2]")
    first = Stage(
        name="p.py:one",
        kind="function",
        changes=changes,
        nodes_before=3,
        nodes_after=3,
        code_before="a\nb\n",
        code_after="a\nc\nd\n",
        stale=True,
        lint="out of order",
        dead=("dead",),
        state=(lost,),
        in_place="input edited in place",
        comparison=Comparison(float("inf"), NAN, 1e-5, within=False),
    )
    second = Stage("p.py:two", "Transformer", Failure("running the pass", "ValueError: no", "%relu", HERE, HERE))
    return TransformReport(
        file="net.py",
        target="Net",
        built_by="Net()",
        stages=(first, second),
        not_run=("p.py:three",),
        matches=(Match("relu", "call_function", "torch.relu", HERE, taken=True),),
        code="code",
        notes=("a note",),
    )


def test_documents_keep_to_their_schema() -> None:
    labs = all_labs()
    check("labs", labs_document(labs, stops_of(labs)))
    check("lab-results", results_document(lab_results(), {}))
    check("listings", listings_document(listing_results(), "2.14.1"))
    check("transform", transform_document(report()))


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (Verdict, schema("labs")["$defs"]["verdict"]),
        (Verdict, schema("lab-results")["$defs"]["verdict"]),
        (Status, schema("listings")["$defs"]["status"]),
        (LineKind, schema("listings")["$defs"]["line"]["properties"]["kind"]),
        (ChangeKind, schema("transform")["$defs"]["change_kind"]),
        (InPlace, schema("transform")["$defs"]["in_place"]),
    ],
)
def test_every_word_that_can_be_printed_is_listed(words: Any, listed: dict[str, list[str]]) -> None:
    assert set(get_args(words)) == set(listed["enum"])


def test_the_list_of_labs_has_them_all() -> None:
    text = text_of([list_table(all_labs())])
    assert all(f"{lab.name} | {lab.statement}" in text for lab in all_labs())


def test_one_lab_is_shown_with_code_and_the_line_to_watch_at() -> None:
    (lab,) = find_labs(["editing"])
    text = text_of(lab_text(lab, stops_of([lab])))
    assert lab.code in text
    assert lab.meaning in text
    assert "Watch at   torch/fx/graph_module.py:" in text


def test_few_results_are_told_in_full_and_many_in_a_table() -> None:
    results = lab_results()
    text = text_of(result_text(results[:2], {}))
    assert "  agrees     a: b\n" in text
    assert "             code:\n               one\n               two\n" in text
    assert "Because    it moved" in text
    text = text_of(result_text(results, {}))
    assert "4 labs on torch 2.14.1: 1 does not hold, 2 changed since, 1 not applicable." in text
    assert "ir-sizes: not applicable, needs torchvision." in text


def test_a_result_that_is_not_the_recorded_one_does_not_get_the_recorded_meaning() -> None:
    result = lab_results()[3]
    assert result.lab.meaning not in text_of(result_text([result], {}))


def test_listings_are_told_with_what_they_need_and_where_they_differ() -> None:
    text = text_of(listing_text(listing_results(), "2.14.1"))
    for line in (
        "Figure 1 · 2.1 · p4: prints something else than the paper",
        "  continues Figure 0",
        "  nothing in the paper says what these are: x",
        "    a b   (the paper leaves out a part)",
        "  - c   (paper)",
        "  + d   (here)",
        "  it raised NameError: x in line 1",
        "  line 1 is not Python: graph(%",
        "This is code from the paper; it is run when you say so: add --run.",
    ):
        assert line in text.splitlines()
    assert text_of(listing_text([], "")) == "The paper has no listing.\n"


def test_a_transform_is_told_stage_by_stage() -> None:
    text = text_of(transform_parts(report(), with_code=True))
    for line in (
        "net.py:Net, built by Net()",
        "taken | relu | call_function | torch.relu | net.py:3 x + 1",
        "added | gelu |  | call_function[target=f](args = (), kwargs = {}) | net.py:3 x + 1 | net.py:3 x + 1",
        "* | b | c",
        "* |  | d",
        "  nodes    3 -> 3: 1 added, 1 removed",
        "  lint     out of order",
        "  dead     nobody reads dead",
        "  holds    buffer lost: mean (float32[2])",
        "  results  absolute inf, relative nan; beyond 1e-05",
        "  broke    running the pass: ValueError: no",
        "           at net.py:3 x + 1",
        "Not run: p.py:three",
    ):
        assert line in text.splitlines()
    assert broken(report())
