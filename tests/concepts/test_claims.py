"""Claims: which sentences are some, what they are about, and where the code gives up."""

import pytest
from helpers.cases import CASES, arrow_cases
from helpers.paper_text import paper_of

from fxanchor.concepts.claims import Claim, find_claims
from fxanchor.concepts.link import link_paper
from fxanchor.source.index import Index


def claims_of(text: str, index: Index) -> tuple[Claim, ...]:
    paper = paper_of(text, title="torch.fx")
    return find_claims(paper, link_paper(paper, index), index)


@pytest.mark.parametrize(("text", "kind"), arrow_cases(CASES / "concepts" / "claims.txt"))
def test_kind(fx: Index, text: str, kind: str) -> None:
    found = claims_of(f"# 1 Use\n\n{text}\n", fx)
    assert [claim.kind for claim in found] == ([] if kind == "nothing" else [kind])


def test_place_and_words(fx: Index) -> None:
    (claim,) = claims_of("# 2.1 Use\n\nEnglish first. A `Tracer` can be\noverridden by anybody.\n", fx)
    assert claim.sentence == "A Tracer can be overridden by anybody."
    assert (claim.cue, claim.section, claim.page, claim.line) == ("can be overridden", "2.1", 1, 3)
    assert claim.concepts == ("Tracer",)
    assert [place[:2] for place in claim.places] == [(1, 3), (1, 4)]
    assert claim.box == claim.places[0].box


def test_what_would_have_to_make_it_true(fx: Index) -> None:
    (claim,) = claims_of("# 1 Use\n\n`Proxy.__bool__` and `TracerBase.to_bool` are not supported.\n", fx)
    by_name = {ground.definition.name: ground for ground in claim.grounds}
    assert set(by_name) == {"torch.fx.proxy.Proxy.__bool__", "torch.fx.proxy.TracerBase.to_bool"}
    raises = by_name["torch.fx.proxy.TracerBase.to_bool"].raises
    assert [raised.exception for raised in raises] == ["TraceError"]
    assert all(raised.file == "torch/fx/proxy.py" and raised.line > 1 for raised in raises)


def test_a_class_gives_way_to_its_member(fx: Index) -> None:
    (claim,) = claims_of("# 1 Use\n\nIn `torch.fx` the `create_proxy` of a `Tracer` can be overridden.\n", fx)
    assert [ground.definition.name for ground in claim.grounds] == ["torch.fx.proxy.TracerBase.create_proxy"]
    assert set(claim.concepts) == {"torch.fx", "Tracer", "Tracer.create_proxy"}


def test_an_empty_paper_claims_nothing(fx: Index) -> None:
    assert claims_of("", fx) == ()


def test_all_places_where_a_definition_gives_up_are_counted(fx: Index) -> None:
    (claim,) = claims_of("# 1 Use\n\nIn `torch.fx` a `Graph` can be overridden by anybody.\n", fx)
    (ground,) = claim.grounds
    raised = [item for item in fx.raises(ground.definition) if item.exception]
    assert ground.total == len(raised) > len(ground.raises) > 0
    assert list(ground.raises) == raised[: len(ground.raises)]
