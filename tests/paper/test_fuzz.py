"""Mutated files: a paper or one plain sentence, within a bounded time, and never any other exception."""

import random
import re
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.cases import CASES
from helpers.pdf_files import page_case, write_pdf

from fxanchor.errors import InputError
from fxanchor.paper.document import Paper
from fxanchor.paper.read import read_paper

PRIMER = Path(__file__).parents[2] / "papers" / "primer" / "primer.pdf"
SECONDS = 20.0
Mutation = Callable[[bytearray, random.Random], None]


def flip_bytes(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 8, 64))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def cut_the_end(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def cut_out_a_part(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    del data[start : start + chance.randrange(1, 2000)]


def repeat_a_part(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    data[start:start] = data[start : start + chance.randrange(1, 2000)] * chance.randrange(1, 4)


def point_elsewhere(data: bytearray, chance: random.Random) -> None:
    """Make references point at other objects, also at the one they stand in."""
    places = list(re.finditer(rb"\b(\d+) 0 R", data))
    for match in chance.sample(places, min(len(places), chance.choice((1, 3, 12)))):
        number = str(chance.randrange(1, 60)).zfill(len(match[1]))[-len(match[1]) :].encode()
        data[match.start(1) : match.end(1)] = number


def change_numbers(data: bytearray, chance: random.Random) -> None:
    places = list(re.finditer(rb"(?<=[ \[/])\d+(?=[ \]/>\n])", data))
    for match in chance.sample(places, min(len(places), 6)):
        data[match.start() : match.end()] = chance.choice((b"-1", b"0", b"99999999999", b"1e9", b"null", b"(x)"))


def swap_names(data: bytearray, chance: random.Random) -> None:
    names = [b"/Kids", b"/Parent", b"/Contents", b"/Resources", b"/Font", b"/Length", b"/Filter", b"/Type", b"/Count"]
    data[:] = data.replace(chance.choice(names), chance.choice(names), chance.choice((1, 2, 50)))


def garble_content(data: bytearray, chance: random.Random) -> None:
    """Change the unpacked operators of a page and pack them again."""
    streams = list(re.finditer(rb"/FlateDecode[^>]*?/Length (\d+)[^>]*?>>\s*stream\r?\n", data))
    if not streams:
        return
    head = chance.choice(streams)
    packed = bytes(data[head.end() : head.end() + int(head[1])])
    try:
        text = bytearray(zlib.decompress(packed))
    except zlib.error:
        return
    if text:
        chance.choice((flip_bytes, cut_out_a_part, repeat_a_part, change_numbers))(text, chance)
    again = zlib.compress(bytes(text))
    data[head.end() : head.end() + len(packed)] = again
    data[head.start(1) : head.end(1)] = str(len(again)).encode()


MUTATIONS: list[Mutation] = [
    flip_bytes,
    cut_the_end,
    cut_out_a_part,
    repeat_a_part,
    point_elsewhere,
    change_numbers,
    swap_names,
    garble_content,
]


def outcome(path: Path) -> Paper | InputError:
    start = time.monotonic()
    try:
        result: Paper | InputError = read_paper(path)
    except InputError as error:
        assert re.fullmatch(r"[^\n]+\.", str(error))
        result = error
    assert time.monotonic() - start < SECONDS
    return result


@pytest.fixture(scope="module")
def small_pdf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    pages = []
    for name in ("headings", "listing", "read-on-over-a-figure", "drawn-underscores"):
        pages += page_case((CASES / "paper" / f"{name}.txt").read_text(encoding="utf-8"))[0]
    return write_pdf(tmp_path_factory.mktemp("fuzz") / "x.pdf", pages).read_bytes()


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_mutations_of_a_small_file(mutate: Mutation, small_pdf: bytes, tmp_path: Path) -> None:
    chance = random.Random(mutate.__name__)
    for number in range(25):
        data = bytearray(small_pdf)
        mutate(data, chance)
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(data)
        outcome(path)


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_mutations_of_the_primer(mutate: Mutation, tmp_path: Path) -> None:
    chance = random.Random(mutate.__name__)
    whole = PRIMER.read_bytes()
    for number in range(4):
        data = bytearray(whole)
        mutate(data, chance)
        if number % 2:
            chance.choice(MUTATIONS)(data, chance)
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(data)
        outcome(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb"/Kids \[", b"/Kids [2 0 R 2 0 R "),
        (rb"/Type /Pages", b"/Type /Pages /Parent 2 0 R "),
        (rb"/Parent 2 0 R", b"/Parent 10 0 R"),
        (rb"/Contents \d+ 0 R", b"/Contents [2 0 R 1 0 R [[[]]]]"),
        (rb"/Encoding << /Type", b"/Encoding 3 0 R /X << /Type"),
        (rb"/Resources <<", b"/Resources 2 0 R /Was <<"),
        (rb"/Length \d+", b"/Length 1 0 R"),
        (rb"/Filter /FlateDecode", b"/Filter [/FlateDecode /FlateDecode /LZWDecode /ASCII85Decode]"),
        (rb"/Root 1 0 R", b"/Root 1 0 R /Prev 9"),
        (rb"/Catalog", b"/Catalog /Outlines << /First 1 0 R /Next 1 0 R >>"),
    ],
)
def test_loops_and_odd_types(old: bytes, new: bytes, small_pdf: bytes, tmp_path: Path) -> None:
    assert re.search(old, small_pdf)
    (tmp_path / "x.pdf").write_bytes(re.sub(old, lambda _: new, small_pdf))
    outcome(tmp_path / "x.pdf")


def test_a_bomb_is_not_unpacked(tmp_path: Path, small_pdf: bytes) -> None:
    bomb = zlib.compress(b"(a) Tj " * 30_000_000, 9)
    head = b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(bomb)
    pdf = re.sub(rb"<<  /Filter /FlateDecode /Length \d+ >>\nstream\n", lambda _: head + bomb, small_pdf, count=1)
    assert len(pdf) > len(small_pdf)
    (tmp_path / "x.pdf").write_bytes(pdf)
    result = outcome(tmp_path / "x.pdf")
    assert isinstance(result, Paper)
    assert any("Page 1" in warning for warning in result.warnings)


def test_a_large_file_without_a_root_is_not_searched_for_ever(tmp_path: Path, small_pdf: bytes) -> None:
    lost = small_pdf.replace(b"/Root 1 0 R", b"").replace(b"/Catalog", b"/Nothing").replace(b"/Size 2", b"/Size 90002")
    padding = b"% nothing to see here, in a line of a comment that is long enough\n" * 40_000
    (tmp_path / "x.pdf").write_bytes(lost.replace(b"\n2 0 obj", b"\n" + padding + b"2 0 obj", 1))
    result = outcome(tmp_path / "x.pdf")
    assert isinstance(result, Paper)
    assert result.warnings[0].startswith("The file is damaged")
