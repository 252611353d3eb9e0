"""Linking, case by case: each file is a small paper with the links it must and must not get."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from helpers.cases import CASES
from helpers.paper_text import Case, Expected, paper_of, read_case

from fxanchor.concepts.concept import Concept, Mention, PaperMap
from fxanchor.concepts.link import link_paper
from fxanchor.concepts.rules import ALL_RULES
from fxanchor.source.index import Index, open_index

FILES = sorted((CASES / "concepts" / "link").glob("*.txt"))
ON = ("linked", "moved")


@pytest.fixture(autouse=True, scope="module")
def own_package() -> Iterator[None]:
    """Let the package of the cases be found as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(CASES / "concepts" / "package"))
        yield


@cache
def index_of(packages: tuple[str, ...]) -> Index:
    return open_index(packages)


def link(case: Case, rules: frozenset[str] = ALL_RULES) -> PaperMap:
    return link_paper(case.paper, index_of(tuple(case.packages)), keywords=case.keywords, rules=rules)


def fits(expected: Expected, concept: Concept, mention: Mention) -> bool:
    return (
        mention.surface == expected.surface
        and mention.status == expected.status
        and (not expected.symbol or concept.symbol == expected.symbol)
        and expected.reason in f"{mention.reason}; {concept.reason}"
    )


def faults(case: Case, found: PaperMap) -> list[str]:
    """Return what the map has too little or too much, one sentence each."""
    places = [(concept, mention) for concept in found.concepts for mention in concept.mentions]
    wrong = []
    for expected in case.expected:
        if expected.status == "never":
            linked = [c.symbol for c, m in places if m.surface == expected.surface and m.status in ON]
            wrong += [f"{expected.surface} is linked to {symbol}" for symbol in linked]
        elif expected.status == "nowhere":
            wrong += [f"{expected.surface} is listed: {m.status}" for _, m in places if m.surface == expected.surface]
        elif expected.status == "asked":
            asked = [c for c in found.concepts if c.kind == "requested" and c.name == expected.surface]
            if not any(expected.reason in f"{c.status}: {c.reason}" for c in asked):
                wrong.append(f"{expected}: {[(c.status, c.reason) for c in asked]}")
        elif not any(fits(expected, concept, mention) for concept, mention in places):
            near = [(m.status, c.symbol, m.reason) for c, m in places if m.surface == expected.surface]
            wrong.append(f"{expected} is not there; there is {near}")
    if case.exact:
        wanted = {(expected.status, expected.surface) for expected in case.expected}
        extra = [
            (m.surface, c.symbol)
            for c, m in places
            if m.status in ON and m.surface not in case.packages and (m.status, m.surface) not in wanted
        ]
        wrong += [f"{surface} is linked to {symbol}, which nothing asks for" for surface, symbol in extra]
    return wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_case(path: object) -> None:
    case = read_case(path)  # type: ignore[arg-type]
    assert faults(case, link(case)) == []


@pytest.mark.parametrize(("path", "rule"), [(path, rule) for path in FILES for rule in read_case(path).rules], ids=str)
def test_the_rule_makes_the_difference(path: object, rule: str) -> None:
    case = read_case(path)  # type: ignore[arg-type]
    assert faults(case, link(case, ALL_RULES - {rule}))


def test_every_rule_has_a_case() -> None:
    assert {rule for path in FILES for rule in read_case(path).rules} == set(ALL_RULES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_every_map_keeps(path: object) -> None:
    case = read_case(path)  # type: ignore[arg-type]
    found = link(case)
    assert link(case) == found
    index = index_of(tuple(case.packages))
    for concept in found.concepts:
        assert 0 <= concept.confidence <= 1
        assert concept.reason
        assert (concept.definition is None) == (concept.symbol == "")
        assert concept.symbol == "" or index.get(concept.symbol) == concept.definition
        if concept.status in ON:
            assert concept.definition is not None
            assert any(mention.status in ON for mention in concept.mentions)
        for mention in concept.mentions:
            assert mention.page == 1
            assert mention.surface
    names = set(index.public_names())
    assert set(found.named_in_paper) | set(found.not_in_paper) == names
    assert not set(found.named_in_paper) & set(found.not_in_paper)


def test_a_module_is_named_by_what_is_reached_through_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "tides").mkdir()
    (tmp_path / "tides" / "__init__.py").write_text('from . import high, low\n__all__ = ["high", "low"]\n')
    for name in ("high", "low"):
        (tmp_path / "tides" / f"{name}.py").write_text('def water():\n    """Level."""\n    return 1\n')
    index = open_index(["tides"], source=tmp_path)
    found = link_paper(paper_of("# 1 Use\n\nThe tides package has `tides.high.water`.\n", title="On tides"), index)
    assert (found.named_in_paper, found.not_in_paper) == (("tides.high",), ("tides.low",))


def test_the_most_central_concept_comes_first(paper: Callable[[str], PaperMap]) -> None:
    found = paper(
        "# 1 torch.fx\n\n`torch.fx` has a `Graph`. A `Graph` has a `Node`.\n\n# 2 More\n\nThe `Graph` again.\n"
    )
    names = [concept.name for concept in found.concepts if concept.status == "linked"]
    assert names.index("Graph") < names.index("Node")


def test_both_directions_of_the_interface(paper: Callable[[str], PaperMap]) -> None:
    found = paper("# 1 torch.fx\n\n`torch.fx` calls `fx.symbolic_trace` and makes a `Graph`.\n")
    assert found.named_in_paper == ("torch.fx.Graph", "torch.fx.symbolic_trace")
    assert "torch.fx.Interpreter" in found.not_in_paper


def test_an_empty_paper(fx: Index) -> None:
    found = link_paper(paper_of(""), fx)
    assert found.concepts == ()
    assert found.named_in_paper == ()
