"""Content streams: what is read of them, and where reading stops."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.paper.pdf import content
from fxanchor.paper.pdf.content import Operand, TooMuch, operators


def read(data: bytes) -> list[tuple[bytes, list[Operand]]]:
    return list(operators(data, time.monotonic() + 10))


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"BT /F1 9 Tf (a) Tj ET", [(b"BT", []), (b"Tf", ["/F1", 9.0]), (b"Tj", [b"a"]), (b"ET", [])]),
        (b"[(a)-250(b\\051)<6364>]TJ", [(b"TJ", [[b"a", -250.0, b"b)", b"cd"]])]),
        (b"(a(b)c) Tj", [(b"Tj", [b"a(b)c"])]),
        (b"(a\\(b\\\\) Tj", [(b"Tj", [b"a(b\\"])]),
        (b"(a\\\nb\\n\\101) Tj", [(b"Tj", [b"ab\nA"])]),
        (b"<4a4> Tj", [(b"Tj", [b"J@"])]),
        (b"1 0 0 1 -.5 +3. Tm", [(b"Tm", [1.0, 0.0, 0.0, 1.0, -0.5, 3.0])]),
        (b"--5 0 Td", [(b"Td", [-5.0, 0.0])]),
        (b"% (a) Tj\n(b) Tj", [(b"Tj", [b"b"])]),
        (b"0 0 m 3 0 l S", [(b"stroke", [0.0, 0.0, 3.0, 0.0])]),
        (b"0 0 m 3 0 l 5 5 l S 1 0 0 rg (a) Tj", [(b"S", []), (b"Tj", [b"a"])]),
        (b"BI /W 2 ID \x00(x) Tj\xff EI (a) Tj", [(b"Tj", [b"a"])]),
        (b"/S <</A 1>> BDC (a) Tj EMC", [(b"BDC", ["/S", "/A", 1.0]), (b"Tj", [b"a"]), (b"EMC", [])]),
        (b"(open", []),
        (b"[(open", []),
        (b"", []),
    ],
)
def test_operators(data: bytes, found: list[tuple[bytes, list[Operand]]]) -> None:
    assert read(data) == found


def test_too_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_STEPS", 10_000)
    with pytest.raises(TooMuch):
        read(b"(a) Tj " * 20_000)


def test_deadline() -> None:
    with pytest.raises(TooMuch):
        list(operators(b"(a) Tj " * 20_000, time.monotonic() - 1))


@pytest.mark.parametrize(
    "piece", [b"(", b"((", b"[", b"[(a)", b"<", b"\\", b"1 ", b"-", b"/", b"% ", b"0 0 m ", b"BI "]
)
def test_time_grows_with_size_only(piece: bytes) -> None:
    start = time.perf_counter()
    read(piece * (400_000 // len(piece)))
    assert time.perf_counter() - start < 5


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    read(data)
