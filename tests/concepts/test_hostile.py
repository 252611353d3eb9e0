"""Papers made to hurt: whatever the text is, linking ends soon and says nothing wrong."""

import time

import pytest
from helpers.paper_text import paper_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fxanchor.concepts.claims import find_claims
from fxanchor.concepts.link import link_paper
from fxanchor.source.index import Index

# Seconds on a busy machine; the slowest takes a tenth of this alone.
BOUND = 20
HOSTILE = {
    "parentheses": "x " + "(" * 20_000,
    "open citations": "Transformer (a, " * 2_000,
    "nested citations": "Transformer networks (Vaswani, " + "(x) " * 2_000,
    "dots": "`" + "a." * 20_000 + "b`",
    "capitals": "A" * 50_000,
    "humps": "AbC" * 20_000 + " (ABC)",
    "underscores": "`" + "_a" * 30_000 + "`",
    "full stops": ". " * 20_000,
    "sentences": "a. B " * 10_000,
    "quotes": '. "' + '"' * 30_000,
    "digits": "a1" * 30_000,
    "blanks": "Graph " + " " * 50_000 + "of",
    "possessives": "X's " * 10_000,
    "acronyms": "aaaa bbbb (AB) " * 3_000,
    "addresses": "a@" * 20_000,
    "Chinese": "的" * 50_000,
    "deep calls": "\n\n```\n" + "f(" * 5_000 + ")" * 5_000 + "\n```",
    "long chain": "\n\n```\na" + ".b()" * 3_000 + "\n```",
    "typed chain": "\n\n```\nfrom torch.fx import Graph\nGraph()" + ".nodes" * 900 + "\n```",
    "no Python": "\n\n```\n" + "for for\n" * 399 + "```",
    "deep annotation": "\n\n```\nx: " + "list[" * 90 + "int" + "]" * 90 + " = 1\n```",
    "a class of itself": "\n\n```\nclass A(A):\n    def f(self):\n        return self.g()\n```",
    "zero byte": "`Graph\0Node`",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_ends_soon(fx: Index, name: str) -> None:
    paper = paper_of("In `torch.fx` " + HOSTILE[name], title="torch.fx")
    began = time.perf_counter()
    found = link_paper(paper, fx, keywords=["Graph", "Transformer"])
    find_claims(paper, found, fx)
    assert time.perf_counter() - began < BOUND
    assert [concept.name for concept in found.concepts[:2]] == ["Graph", "Transformer"]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            [
                "`Graph`",
                "Graph",
                "torch.fx",
                "`n.args`",
                "(x)",
                "[3]",
                "et al.",
                "\n\n",
                "# 1 A\n\n",
                "`",
                "code generation",
            ]
        )
        | st.text(max_size=8).filter(lambda text: "\r" not in text),
        max_size=20,
    )
)
def test_any_text_is_linked(fx: Index, words: list[str]) -> None:
    paper = paper_of(" ".join(words), title="torch.fx")
    found = link_paper(paper, fx)
    assert found == link_paper(paper, fx)
    find_claims(paper, found, fx)
