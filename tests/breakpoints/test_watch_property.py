"""Whatever expression is watched, nothing is recorded, nothing is changed, and a short line comes back."""

from helpers.tape import RECORDING, stopped
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fxanchor.breakpoints.value import MAX_LENGTH
from fxanchor.breakpoints.watch import Watcher

NAMES = st.sampled_from(["y", "later", "pair", "numbers", "plain", "tape", "use", "unfriendly", "missing", "Box", "1"])
ATTRIBUTES = st.sampled_from(
    ["step", "shape", "tape", "steps", "name", "write", "root", "__class__", "__dict__", "append"]
)
BINARY = st.sampled_from(["+", "-", "*", "%", "==", "<", "in", "is", "and", "or", "[]"])
CALLS = st.sampled_from(
    ["len", "list", "tuple", "sorted", "str", "repr", "bool", "vars", "type", "dict", "sum", "hash", "use"]
)


def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return larger expressions made of smaller ones."""
    return st.one_of(
        st.builds("{}.{}".format, inner, ATTRIBUTES),
        st.builds(lambda a, op, b: f"{a}[{b}]" if op == "[]" else f"({a} {op} {b})", inner, BINARY, inner),
        st.builds("{}({})".format, CALLS, inner),
        st.builds("{}({})".format, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("[e for e in {} if {}]".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("f'{{{}}}'".format, inner),
        st.builds("(lambda e: {})({})".format, inner, inner),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("not {}".format, inner),
    )


@settings(max_examples=400, deadline=None)
@example("f'{tape}'")
@given(st.recursive(NAMES, grow, max_leaves=6))
def test_a_watch_never_records_and_never_changes(expression: str) -> None:
    frame, tape = stopped()
    numbers, plain = list(frame.f_locals["numbers"]), dict(frame.f_locals["plain"])
    shown = Watcher(RECORDING).look(expression, frame)
    assert [step.name for step in tape.steps] == ["y", "z"]
    assert (frame.f_locals["numbers"], frame.f_locals["plain"]) == (numbers, plain)
    assert "\n" not in shown
    assert "0x" not in shown
    assert len(shown) <= max(MAX_LENGTH, len(expression)) + 120
