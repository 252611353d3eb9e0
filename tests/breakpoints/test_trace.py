"""`trace_model`: a child process captures a model and proves the catalogue on it."""

import json
import re
from pathlib import Path

import pytest

from fxanchor.breakpoints.child import is_installed_under
from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.breakpoints.remember import last_table, remember_table
from fxanchor.breakpoints.resolved import resolve_catalogue
from fxanchor.breakpoints.trace import Trace, TraceRequest, trace_model
from fxanchor.breakpoints.wire import to_plain
from fxanchor.model.spec import parse_model
from fxanchor.source.definition import Stop
from fxanchor.source.index import Index, open_index

MODELS = Path(__file__).parents[1] / "cases" / "breakpoints" / "models"
OPTIONS = {"only_fx": True, "diagnose": False}


@pytest.fixture(scope="module")
def index() -> Index:
    return open_index(["torch.fx"])


@pytest.fixture(scope="module")
def net(index: Index) -> Trace:
    return trace_model(TraceRequest(f"{MODELS / 'net.py'}:Net", options=OPTIONS), index)


@pytest.fixture(scope="module")
def branch(index: Index) -> Trace:
    return trace_model(TraceRequest(f"{MODELS / 'net.py'}:Branch", options=OPTIONS), index)


def by_concept(trace: Trace) -> dict[str, Proof]:
    return {proof.wanted.concept: proof for proof in trace.proofs}


def test_the_golden_triangle_is_proven(net: Trace) -> None:
    proofs = by_concept(net)
    assert net.capture.ok
    assert [proofs[name].hits for name in ("entry", "proxy creation", "node creation")] == [1, 7, 8]
    assert proofs["entry"].first_trigger is None
    trigger = proofs["proxy creation"].first_trigger
    assert trigger is not None
    assert (trigger.line, trigger.expression) == (22, "x")


def test_each_first_trigger_is_the_expression_that_led_there(net: Trace) -> None:
    shown = {
        name: proof.first_trigger.expression
        for name, proof in by_concept(net).items()
        if proof.first_trigger is not None
    }
    assert shown["module call"] == "self.sub(x)"
    assert shown["torch function"] == "torch.relu(x)"
    assert shown["operator"] == "y + torch.relu(x)"
    assert shown["method call"] == "self.lin(x).relu()"
    assert shown["parameter read"] == "self.w"
    assert shown["argument lowering"] == "x"
    assert "generated code" not in shown


def test_every_breakpoint_is_hit_or_says_why_not(net: Trace, branch: Trace) -> None:
    for trace in (net, branch):
        assert all(
            proof.hits and proof.stops >= proof.hits if proof.kind == "hit" else proof.reason for proof in trace.proofs
        )


def test_what_a_complete_run_does_not_reach_has_its_own_reason(net: Trace) -> None:
    missed = {name: proof.reason for name, proof in by_concept(net).items() if proof.kind == "not reached"}
    assert missed == {
        "reflected operator": "no operator has a Proxy on its right alone",
        "attribute value": "no attribute of a Proxy, such as x.shape, is used as a value",
        "truth of a Proxy": "no Proxy is asked whether it is true",
    }


def test_what_a_run_that_stopped_does_not_reach_is_laid_to_the_stop(branch: Trace) -> None:
    proofs = by_concept(branch)
    assert not branch.capture.ok
    assert proofs["truth of a Proxy"].kind == "hit"
    assert proofs["finished graph"].kind == "not reached"
    assert re.fullmatch(
        r"symbolic tracing stopped before it at \S*net\.py:\d+ \(TraceError\)", proofs["finished graph"].reason
    )


def test_the_states_are_seen_in_the_order_of_the_run(net: Trace) -> None:
    seen = {state.state: [(one.expression, one.value) for one in state.seen] for state in net.states}
    assert list(seen)[:4] == [
        "the tracer is there, the graph is not",
        "still no graph",
        "the graph is there, and empty",
        "each argument is a placeholder, and a Proxy stands for it",
    ]
    assert ("len(self.graph.nodes)", "0") in seen["the graph is there, and empty"]
    assert ("n in list(self.nodes)", "False") in seen["the node is built, and not in the graph"]
    assert ("[x.name for x in self.nodes]", "['x']") in seen["the node is in the graph"]
    assert ("len(self.graph.nodes)", "8") in seen["the finished graph"]


def test_nothing_of_this_machine_or_run_is_in_what_is_shown(net: Trace, index: Index) -> None:
    again = trace_model(TraceRequest(f"{MODELS / 'net.py'}:Net", options=OPTIONS), index)
    text = json.dumps(to_plain([net.proofs, net.states]))
    assert json.dumps(to_plain([again.proofs, again.states])) == text
    assert not re.search(r"0x[0-9a-f]{4,}", text)
    assert str(index.packages[0].root) not in text
    assert str(Path.cwd()) + "/" not in text


def test_the_table_is_remembered_for_the_model(net: Trace) -> None:
    rows = last_table(parse_model(str(MODELS / "net.py")))
    assert [row.concept for row in rows] == [proof.wanted.concept for proof in net.proofs]


def test_another_model_has_another_table_and_a_broken_cache_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path))
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.touch()
    second.touch()
    rows = [Wanted("c", Stop("p.f", "p.py", 3, 2), ("w",))]
    remember_table(parse_model(str(first)), rows)
    assert list(last_table(parse_model(f"{first}:Other"))) == rows
    assert last_table(parse_model(str(second))) == ()
    for file in tmp_path.rglob("*.json"):
        file.write_text("[{", encoding="utf-8")
    assert last_table(parse_model(str(first))) == ()


def test_a_source_that_does_not_run_the_model_is_told(tmp_path: Path, index: Index) -> None:
    assert is_installed_under("torch", index.packages[0].root)
    assert not is_installed_under("torch", tmp_path)
    assert not is_installed_under("no_such_package_here", tmp_path)


def test_a_version_without_a_line_keeps_the_others(tmp_path: Path) -> None:
    package = tmp_path / "torch" / "fx"
    package.mkdir(parents=True)
    (tmp_path / "torch" / "__init__.py").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text("from .proxy import TracerBase\n", encoding="utf-8")
    (package / "proxy.py").write_text(
        "class TracerBase:\n    def create_proxy(self):\n        return 1\n", encoding="utf-8"
    )
    resolved = resolve_catalogue(open_index(["torch.fx"], source=tmp_path))
    lines = {wanted.concept: (wanted.stop.line, wanted.stop.note) for wanted in resolved.table}
    assert lines["proxy creation"] == (3, "")
    line, note = lines["node creation"]
    assert line == 0
    assert "create_node" in note
