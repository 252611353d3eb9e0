"""What passes between the parent and its child comes back as it was."""

import json
from typing import Any

import pytest

from fxanchor.breakpoints.proof import Proof, Seen, Wanted
from fxanchor.breakpoints.states import states
from fxanchor.breakpoints.wire import from_plain, to_plain
from fxanchor.model.report import Blocker, Capture, NodeRow, RaisedAt, Recipe, Step, Trigger
from fxanchor.source.definition import Stop

TRIGGER = Trigger("net.py", 1, 2, 0, 4, "f(x)")
WANTED = Wanted("creation", Stop("p.f", "p/f.py", 3, 2), ("a", "b"), "never")
PROOF = Proof(WANTED, "hit", 2, 3, (Seen("a", "1"),), TRIGGER, "")
CAPTURE = Capture(
    "net.py",
    "Net",
    "Net()",
    True,
    "symbolic_trace",
    (Step("symbolic_trace", True), Step("export", False, "no", 0)),
    (NodeRow("x", "placeholder", "x", "argument", TRIGGER, shape=(1, "s0"), stack=(TRIGGER,)),),
    (Blocker("len", "net.py", 1, 0, 3, "len(x)", "m", RaisedAt("f", "g", 3), "e", None, (Recipe("t", "c", True, 3),)),),
    "code",
    ("note",),
)


@pytest.mark.parametrize(
    ("kind", "value"), [(Proof, PROOF), (Capture, CAPTURE), (Wanted, WANTED), (tuple[Proof, ...], (PROOF, PROOF))]
)
def test_it_comes_back_as_it_was(kind: Any, value: object) -> None:
    assert from_plain(kind, json.loads(json.dumps(to_plain(value)))) == value


def test_fields_that_are_not_known_are_left_out() -> None:
    assert from_plain(Seen, {"expression": "a", "value": "1", "new": 2}) == Seen("a", "1")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Seen, {"expression": 1, "value": "1"}),
        (Seen, []),
        (tuple[Seen, ...], {}),
        (Seen, {"expression": "a"}),
        (int | None, "a"),
    ],
)
def test_another_form_is_refused(kind: Any, value: object) -> None:
    with pytest.raises(TypeError):
        from_plain(kind, value)


def test_states_are_a_view_on_what_was_hit() -> None:
    never = Proof(WANTED, "not reached", 0, 0, (), None)
    other = Proof(Wanted("other", WANTED.stop), "hit", 1, 1, (Seen("a", "1"),), None)
    (state,) = states([never, PROOF, other], {"creation": "it is made"})
    assert (state.state, state.proof, state.seen) == ("it is made", PROOF, PROOF.watch)
