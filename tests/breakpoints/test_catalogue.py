"""The catalogue of breakpoints against the installed torch, and against another one where it is named."""

import ast
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from fxanchor.breakpoints.catalogue import CatalogueEntry, load_breakpoints, resolve
from fxanchor.errors import UsageError
from fxanchor.source.index import Index, open_index

ENTRIES = load_breakpoints()
CHAINS = ["capture", "codegen", "call", "edit", "interpret", "transform", "rewrite", "passes"]
OTHER = os.environ.get("FXANCHOR_OTHER_TORCH", "")
FACTS = Path(__file__).parents[2].parent / "shared" / "facts" / "call_chain.md"
ROW = re.compile(r"^\| (T\d\d) \| (\S+) \| (\S+):(\d+) \| (.*) \|", re.MULTILINE)


def named(entry: CatalogueEntry) -> str:
    return entry.concept.replace(" ", "_")


@pytest.fixture(scope="module")
def fx() -> Index:
    return open_index(["torch.fx"])


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_stops_in_the_installed_version(fx: Index, entry: CatalogueEntry) -> None:
    stop = resolve(entry, fx)
    assert stop.line > 0
    assert stop.symbol in entry.symbols


@pytest.mark.skipif(not OTHER, reason="FXANCHOR_OTHER_TORCH names no wheel, sdist or directory of another torch")
def test_stops_in_another_version(fx: Index) -> None:
    other = open_index(["torch.fx"], source=Path(OTHER))
    assert other.packages[0].git_version != fx.packages[0].git_version
    missing = []
    for entry in ENTRIES:
        try:
            resolve(entry, other)
        except UsageError as error:
            missing.append(str(error))
    assert missing == []


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_watches_are_expressions_that_are_safe_by_their_text(entry: CatalogueEntry) -> None:
    assert entry.watches
    for watch in entry.watches:
        tree = ast.parse(watch, mode="eval")
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield)]


def test_names_and_order() -> None:
    assert [name for name, count in Counter(entry.concept for entry in ENTRIES).items() if count > 1] == []
    chains = [entry.chain for entry in ENTRIES]
    assert chains == sorted(chains, key=CHAINS.index)
    assert set(chains) == set(CHAINS)


def test_no_line_number_is_stored() -> None:
    text = (Path(__file__).parents[2] / "fxanchor" / "breakpoints" / "catalogue.toml").read_text(encoding="utf-8")
    assert re.findall(r":\d+|\bline\s*=", text) == []


def test_what_no_version_has_is_said(fx: Index) -> None:
    entry = CatalogueEntry("gone", ("torch.fx.Graph.nothing", "torch.fx.Graph.nothing_else"), (), (), "", "capture")
    with pytest.raises(UsageError, match="has no 'nothing'"):
        resolve(entry, fx)
    entry = CatalogueEntry("gone", ("torch.fx.Graph.lint",), ("return 1", "return 2"), (), "", "capture")
    with pytest.raises(UsageError, match="names no statement of lint"):
        resolve(entry, fx)


def test_the_first_form_that_exists_counts(fx: Index) -> None:
    symbols = ("torch.fx.graph.Graph.nothing", "torch.fx.graph.Graph.create_node")
    entry = CatalogueEntry("node", symbols, ("return nothing", "return n"), (), "", "capture")
    plain = CatalogueEntry("node", symbols[1:], ("return n",), (), "", "capture")
    assert resolve(entry, fx) == resolve(plain, fx)


@pytest.mark.skipif(not FACTS.is_file(), reason="the folder of measured facts is not beside the repository")
def test_every_measured_row_is_reproduced(fx: Index) -> None:
    stops = {(stop.file, stop.line) for stop in (resolve(entry, fx) for entry in ENTRIES)}
    rows = ROW.findall(FACTS.read_text(encoding="utf-8"))
    assert len(rows) == 67
    wanted = {(name, f"torch/fx/{file}", int(line), "never stops" in rest) for name, _, file, line, rest in rows}
    wrong = [row for row in sorted(wanted) if ((row[1], row[2]) in stops) is row[3]]
    assert wrong == []
