"""Which calls a session stops in, from the nodes it is about."""

from pathlib import Path

import pytest

from fxanchor.breakpoints.moments import Moment, about
from fxanchor.breakpoints.plan import Focus, focus_nodes, plan_stop
from fxanchor.breakpoints.proof import Wanted
from fxanchor.errors import UsageError
from fxanchor.model.report import NodeRow, Trigger
from fxanchor.source.definition import Stop

ROWS = (
    NodeRow("x", "placeholder", "x", "argument", None),
    NodeRow("layer1_0_conv1", "call_module", "layer1.0.conv1", "leaf module called", None, "layer1.0"),
    NodeRow("layer1_0_relu", "call_module", "layer1.0.relu", "leaf module called", None, "layer1.0"),
    NodeRow("add", "call_function", "operator.add", "operator on a proxy", None, "layer1.0"),
    NodeRow("flatten", "call_function", "torch.flatten", "__torch_function__", None),
)


def moment(*during: str, after: str = "") -> Moment:
    made = Moment(list(during), [])
    made.after = after
    return made


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        (Focus(), None),
        (Focus("add"), {"add"}),
        (Focus("layer1.0.conv1"), {"layer1_0_conv1"}),
        (Focus("layer1.0"), {"layer1_0_conv1", "layer1_0_relu", "add"}),
        (Focus("layer1"), {"layer1_0_conv1", "layer1_0_relu", "add"}),
        (Focus("operator.add"), {"add"}),
        (Focus(op="call_module"), {"layer1_0_conv1", "layer1_0_relu"}),
        (Focus("layer1.0", "call_function"), {"add"}),
    ],
)
def test_a_focus_means(focus: Focus, expected: set[str] | None) -> None:
    assert focus_nodes(focus, ROWS) == expected


@pytest.mark.parametrize(
    ("focus", "sentence"),
    [
        (Focus("layer2"), "No node of this model is 'layer2'; there are x, layer1_0_conv1"),
        (
            Focus(op="call_method"),
            "No node of this model is a call_method; there are call_function, call_module, placeholder",
        ),
        (Focus("flatten", "call_module"), "there are layer1_0_conv1, layer1_0_relu."),
    ],
)
def test_what_is_not_there_is_told_with_what_is(focus: Focus, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        focus_nodes(focus, ROWS)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("moments", "nodes", "expected"),
    [
        ([moment("x"), moment("a"), moment("b")], {"a"}, (1,)),
        ([moment("x", "a", "b"), moment("a", "b"), moment("b")], {"b"}, (2,)),
        ([moment("x", "a", "b"), moment("a", "b"), moment("b")], {"a"}, (1,)),
        ([moment(after="a"), moment(after="a"), moment(after="b")], {"a"}, (1,)),
        ([moment(after="a"), moment("a")], {"a"}, (1,)),
        ([moment("a"), moment("b"), moment("c")], {"a", "c"}, (0, 2)),
        ([moment("a")], {"z"}, ()),
        ([], {"a"}, ()),
    ],
)
def test_the_closest_calls_are_chosen(moments: list[Moment], nodes: set[str], expected: tuple[int, ...]) -> None:
    assert about(moments, frozenset(nodes)) == expected


WANTED = Wanted("creation", Stop("p.create", "p/proxy.py", 3, 2), ("kind",), "nothing is created")


def test_a_planned_stop_tells_what_each_call_is_about() -> None:
    trigger = Trigger("net.py", 4, 4, 8, 12, "f(x)")
    planned = plan_stop(WANTED, [moment("x"), moment("a"), moment("a", "b")], None, {"a": trigger}, Path("/site"))
    assert planned.path == str(Path("/site/p/proxy.py"))
    assert planned.calls is None
    assert planned.labels == ("node x", "node a  net.py:4:8  f(x)", "")


def test_a_planned_stop_is_for_the_nodes_asked_for() -> None:
    planned = plan_stop(WANTED, [moment("x"), moment("a")], frozenset({"a"}), {}, Path("/site"))
    assert planned.calls == frozenset({1})


@pytest.mark.parametrize(
    ("moments", "nodes", "sentence"),
    [
        ([], None, "never reaches creation: nothing is created; choose another one."),
        ([moment("x")], frozenset({"a"}), "creation is reached 1 times, but never for a; name another stop."),
    ],
)
def test_a_stop_that_never_comes_is_refused(moments: list[Moment], nodes: frozenset[str] | None, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan_stop(WANTED, moments, nodes, {}, Path("/site"))
    assert sentence in str(caught.value)
