"""Values are shown short, without addresses or absolute paths, and the same in every run."""

import math
from pathlib import Path

import pytest
from helpers.tape import RECORDING, Later, Tape, Unfriendly

from fxanchor.breakpoints.recording import Recording
from fxanchor.breakpoints.value import MAX_LENGTH, Describer


class Plain:
    pass


class Point(tuple[int, ...]):
    __slots__ = ()


class Lines:
    def __repr__(self) -> str:
        return "Lines(\n  a,\n  b\n)"


class Located:
    def __repr__(self) -> str:
        return "<Located object at 0x7f12ab34cd56>"


def function() -> None:
    pass


ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "1"),
        ("a\n", "'a\\n'"),
        ((), "()"),
        ((1,), "(1,)"),
        ([1, [2]], "[1, [2]]"),
        ({"b": 1, "a": (2,)}, "{'b': 1, 'a': (2,)}"),
        ({3, 1, 2}, "{1, 2, 3}"),
        (set(), "set()"),
        (frozenset({1}), "frozenset({1})"),
        (Point((1, 2)), "Point((1, 2))"),
        (list(range(20)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 8 more]"),
        (ENDLESS, "[[[[...]]]]"),
        (math, "<module 'math'>"),
        (function, "<function function>"),
        (math.sin, "<function sin>"),
        ([].append, "<function list.append>"),
        (Plain(), "<Plain>"),
        (Unfriendly(), "<Unfriendly, its repr raises RuntimeError>"),
        (Lines(), "Lines( a, b )"),
        (Located(), "<Located object>"),
        ("<C object at 0x7f12ab34cd56>", "'<C object>'"),
        ("/site/pkg/file.py", "'pkg/file.py'"),
        ("from /home/me/net.py:3", "'from net.py:3'"),
        (int, "<class 'int'>"),
    ],
)
def test_a_value_is_shown_as(value: object, expected: str) -> None:
    assert Describer(Recording(), (Path("/site"), Path("/home/me"))).describe(value) == expected


def test_a_long_value_is_cut() -> None:
    text = Describer(Recording(), ()).describe("x" * 10_000)
    assert len(text) == MAX_LENGTH
    assert text.endswith("...")


def test_a_recording_object_is_shown_without_being_used() -> None:
    tape = Tape()
    box = tape.write("y")
    describer = Describer(RECORDING, ())
    assert describer.describe([box, Later(box, "shape")]) == "[Box(y), Later(attribute='shape')]"
    assert len(tape.steps) == 1


def test_an_object_whose_repr_would_record_does_not() -> None:
    tape = Tape()

    class Recorder:
        def __repr__(self) -> str:
            return repr(tape.write("repr"))

    assert Describer(RECORDING, ()).describe(Recorder()) == "<Recorder, its repr raises RecordingRefusedError>".replace(
        "Recorder,", "test_an_object_whose_repr_would_record_does_not.<locals>.Recorder,"
    )
    assert tape.steps == []


def test_tensors_are_short() -> None:
    torch = pytest.importorskip("torch")
    describer = Describer(Recording(), ())
    assert describer.describe(torch.zeros(1, 64, 56, 56)) == "float32[1, 64, 56, 56]"
    assert describer.describe((torch.tensor(3), [torch.zeros(2, dtype=torch.bool)])) == "(int64[], [bool[2]])"
    assert describer.describe(torch.nn.Parameter(torch.zeros(4))) == "Parameter float32[4]"
