"""What `--json` prints is what docs/schema promises: nothing missing, and nothing that the schema does not explain."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from helpers.project import MODEL, PRIMER, ROOT, fxanchor
from jsonschema import Draft202012Validator

from fxanchor.breakpoints.proof import ProofKind
from fxanchor.checking.reference import ReferenceKind, Verdict
from fxanchor.concepts.claims import ClaimKind
from fxanchor.concepts.concept import ConceptKind, Status, Where
from fxanchor.model.report import Mechanism, Rung
from fxanchor.source.definition import Kind

SCHEMAS = sorted((ROOT / "docs" / "schema").glob("*.json"))


def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def closed(part: Any) -> Any:
    """Return a schema that allows no field it does not name."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    more = {"additionalProperties": False} if part.get("type") == "object" else {}
    return {**{key: closed(value) for key, value in part.items()}, **more}


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.stem)
def test_schemas_are_schemas(file: Path) -> None:
    loaded = json.loads(file.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(loaded)
    name, _, version = file.stem.partition(".")
    assert loaded["$id"] == loaded["properties"]["schema"]["const"] == f"fxanchor.{name}/{version}"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("map.1", ("map", str(PRIMER), "--json", "-k", "symbolic_trace", "-k", "Transformer", "-k", "no_such_name")),
        ("map.1", ("map", str(PRIMER), "--json", "--all", "--package", "torch.fx", "--package", "torch.jit")),
        ("map.1", ("map", str(PRIMER), "--json", "--claims")),
        ("trace.1", ("trace", str(MODEL), "--json", "--paper", str(PRIMER))),
        ("check.1", ("check", str(ROOT / "docs" / "examples" / "notes.md"), "--json")),
    ],
    ids=["requested", "packages", "claims", "trace", "check"],
)
def test_documents_keep_to_their_schema(name: str, arguments: tuple[str, ...]) -> None:
    run = fxanchor(*arguments)
    assert run.stdout, run.stderr
    errors = Draft202012Validator(closed(schema(name))).iter_errors(json.loads(run.stdout))
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (Status, schema("map.1")["$defs"]["status"]),
        (ConceptKind, schema("map.1")["$defs"]["concept"]["properties"]["kind"]),
        (ClaimKind, schema("map.1")["$defs"]["claim"]["properties"]["kind"]),
        (Where, schema("map.1")["$defs"]["mention"]["properties"]["where"]),
        (Kind, schema("map.1")["$defs"]["concept"]["properties"]["symbol_kind"]["anyOf"][0]),
        (Rung, schema("trace.1")["$defs"]["rung"]),
        (Mechanism, schema("trace.1")["$defs"]["node"]["properties"]["mechanism"]),
        (ReferenceKind, schema("check.1")["properties"]["references"]["items"]["properties"]["kind"]),
        (Verdict, schema("check.1")["properties"]["references"]["items"]["properties"]["verdict"]),
        (ProofKind, schema("trace.1")["$defs"]["anchor"]["properties"]["breakpoint"]["properties"]["proof"]),
    ],
)
def test_every_word_that_can_be_printed_is_listed(words: Any, listed: dict[str, list[str]]) -> None:
    assert set(get_args(words)) == set(listed["enum"])
