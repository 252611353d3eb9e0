"""Listings of papers: taken out, completed, run in a child process, and compared with what the paper prints."""

import re
from pathlib import Path

import pytest
from helpers.cases import CASES
from helpers.project import PRIMER, ROOT
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fxanchor.labs.listings.compare import compare_output, is_same
from fxanchor.labs.listings.extract import extract_listings, part_into_steps
from fxanchor.labs.listings.listing import ListingResult
from fxanchor.labs.listings.names import names_of
from fxanchor.labs.listings.plan import plan_listings
from fxanchor.labs.listings.run import try_listings
from fxanchor.paper.document import Box, Paper, Passage, Piece, Pieces
from fxanchor.paper.read import read_paper

FOLDER = CASES / "labs" / "listings"
FILES = sorted(FOLDER.glob("*.txt"))
FX_PAPER = ROOT.parent / "shared" / "papers" / "torch_fx_2112.08429.pdf"


def paper_of(text: str) -> Paper:
    """Return a paper whose listings stand behind `== label ==` lines."""
    parts = re.split(r"^== (.*?) ==\n", text, flags=re.MULTILINE)[1:]
    passages = []
    for label, body in zip(parts[::2], parts[1::2], strict=True):
        piece = Piece(0, max(1, len(body)), 1, 1, Box(0, 0, 1, 1), "Mono", 9.0, code=True)
        named = "" if label.startswith("-") else label
        passages.append(Passage("listing", "2", body.rstrip("\n"), Pieces.of([piece]), named))
    return Paper("0" * 64, "", 1, tuple(passages), (), has_code_font=True)


def told(result: ListingResult) -> str:
    plan = result.plan
    lines = [f"{plan.listing.name}: {result.status}"]
    lines += [f"  {plan.listing.skipped}"] if plan.listing.skipped else []
    lines += [f"  continues {', '.join(plan.before)}"] if plan.before else []
    lines += [f"  {note}" for note in plan.notes]
    lines += [f"  unknown {', '.join(plan.unknown)}"] if plan.unknown else []
    lines += [f"  {result.error}"] if result.error else []
    lines += [f"  > {line}" for line in result.printed.splitlines()]
    lines += [f"  {line.kind}: {line.paper} | {line.here}" for lines in result.comparisons for line in lines]
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_listings_are_run_and_compared_as_recorded(file: Path) -> None:
    text, _, expected = file.read_text(encoding="utf-8").partition("==== results ====\n")
    results = try_listings(paper_of(text), run=True, seconds=2)
    assert "".join(told(result) for result in results) == expected


def test_nothing_runs_unless_the_user_says_so(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    paper = paper_of(f"== Listing 1 ==\nopen({str(mark)!r}, 'w').close()\n")
    assert [result.status for result in try_listings(paper)] == ["not run"]
    assert not mark.exists()
    assert [result.status for result in try_listings(paper, run=True)] == ["ran"]
    assert mark.exists()


def test_the_listings_of_our_own_paper_print_what_it_prints() -> None:
    results = try_listings(read_paper(PRIMER), run=True)
    assert [(result.plan.listing.name, result.status) for result in results] == [
        ("Listing 1", "same"),
        ("Listing 2", "ran"),
    ]


@pytest.mark.skipif(not FX_PAPER.exists(), reason="the paper is not here")
def test_the_figures_of_the_fx_paper_run() -> None:
    results = {result.plan.listing.name: result for result in try_listings(read_paper(FX_PAPER), run=True)}
    status = {name: result.status for name, result in results.items()}
    assert {name: status[f"Figure {name}"] for name in "124"} == {"1": "same", "2": "ran", "4": "ran"}
    assert results["Figure 3"].plan.before == ("Figure 1", "Figure 2")
    assert results["Figure 3"].plan.imports == ("import math",)
    # Since the paper, code generation writes the function that gelu really is.
    (lines,) = results["Figure 3"].comparisons
    assert [line.here for line in lines if line.kind == "different"] == [
        "    gelu = torch._C._nn.gelu(add);  add = None"
    ]
    assert status["Figure 5, part 1"] == "skipped"


@pytest.mark.parametrize(
    ("code", "needs", "binds"),
    [
        ("x = y + 1", "y", "x"),
        ("x = x + 1", "x", "x"),
        ("x += 1", "x", "x"),
        ("x: T = y", "T y", "x"),
        ("import a.b as c\nc.d(e)", "e", "c"),
        ("from a import b\nb()", "", "b"),
        ("for i in y:\n    print(i)", "y", "i"),
        ("with open('f') as g:\n    g.read()", "", "g"),
        ("def f(a, b=c):\n    return a + later + print\nlater = 1", "c", "f later"),
        ("class C(Base):\n    x = y\n    def m(self):\n        return z", "Base y z", "C"),
        ("[i for i in y if i > z]", "y z", ""),
        ("a, (b, *c) = y", "y", "a b c"),
        ("f(x)\ndef f(a): return a", "f x", "f"),
        ("obj.attr = value", "obj value", ""),
        ("lambda a: a + b", "b", ""),
        ("@decorate\ndef f(): pass", "decorate", "f"),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None", "", "numpy"),
    ],
)
def test_names_that_code_needs_and_binds(code: str, needs: str, binds: str) -> None:
    names = names_of(code)
    assert (names.needs, names.binds) == (set(needs.split()), set(binds.split()))


@pytest.mark.parametrize(
    ("paper", "here", "kinds"),
    [
        ("a\nb", "a\nb\n", "same same"),
        ("\n  a\n\n", "  a", "same"),
        ("a  b", "a b", "blanks"),
        ("<f at 0x7fffdeadbeef>", "<f at 0x55550000aaaa>", "address"),
        ("<built-in method relu ...>", "<built-in method relu of type object at 0x55550000aaaa>", "elided"),
        ("x ... y ... z", "x 1 y 2 z", "elided"),
        ("x ... y", "x 1 z", "different"),
        ("ab ... bc", "abc", "different"),
        ("a", "b", "different"),
        ("a\nb\nc", "a\nc", "same different same"),
        ("a", "a\nb", "same different"),
        ("", "", ""),
    ],
)
def test_lines_are_compared(paper: str, here: str, kinds: str) -> None:
    assert [line.kind for line in compare_output(paper, here)] == kinds.split()


@given(st.text(max_size=200))
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert is_same(compare_output(text, text))


@given(st.text(max_size=200))
@example("0#\x85\x1b")
@settings(deadline=None)
def test_no_text_breaks_the_parting(text: str) -> None:
    steps, why = part_into_steps(text)
    assert bool(steps) != bool(why)
    for step in steps:
        names_of(step.code)


@given(
    st.lists(st.sampled_from(["x = 1", "print(x)", "x", "'''1'''", "def f():", "  return x", ">>> x", "1", "graph(%"]))
)
@settings(deadline=None)
def test_no_order_of_lines_breaks_the_planning(lines: list[str]) -> None:
    text = "== Listing 1 ==\nx = 2\n== Listing 2 ==\n" + "\n".join(lines) + "\n"
    plans = plan_listings(extract_listings(paper_of(text)))
    assert [plan.listing.name for plan in plans] == ["Listing 1", "Listing 2"]
