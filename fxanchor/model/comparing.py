"""Running the captured graph against the model, and finding the first node whose result differs."""

import copy
from dataclasses import dataclass

import torch
from torch import fx, nn
from torch.utils import _pytree as pytree

from fxanchor.model.checking import is_small
from fxanchor.model.eager import Call, run_eager
from fxanchor.model.examples import ExampleInputs
from fxanchor.model.limits import RAISED, OutOfTime, time_limit
from fxanchor.model.places import Places
from fxanchor.model.provenance import Sites
from fxanchor.model.shapes import placeholder_values
from fxanchor.model.symbolic import Record, SymbolicRun

_SECONDS = 30.0
_MOST_KEPT_BYTES = 2**28
_SEED = 1


@dataclass(frozen=True, slots=True)
class Difference:
    """A node of the graph whose result is not that of the model.

    Attributes:
        record: The node, or None when only the final results are known to differ.
        reason: What differs, in words.
    """

    record: Record | None
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison showed.

    Attributes:
        difference: The first difference, or None.
        note: Why there was no comparison, one sentence, or "".
    """

    difference: Difference | None = None
    note: str = ""


def compare(run: SymbolicRun, module: nn.Module, inputs: ExampleInputs, places: Places) -> Comparison:
    """Run the graph and the model on the same inputs, on copies of both, with the same random numbers.

    Args:
        run: The trace that made the graph.
        module: The model.
        inputs: Example inputs.
        places: Whose files are whose.
    """
    if run.graph_module is None:
        return Comparison()
    if not is_small(module, inputs):
        return Comparison(note="The graph was not run against the model: they are too large or have no data.")
    try:
        with time_limit(_SECONDS):
            return _compared(run, run.graph_module, module, inputs, places)
    except OutOfTime:
        return Comparison(note="The graph was not run against the model to the end: the time was up.")
    except RAISED as error:
        return Comparison(note=f"The graph could not be run against the model ({type(error).__name__}).")


def _compared(
    run: SymbolicRun, graph: fx.GraphModule, module: nn.Module, inputs: ExampleInputs, places: Places
) -> Comparison:
    ours, theirs = copy.deepcopy((graph, module))
    eager: dict[tuple[Sites, int], torch.Tensor] = {}
    counts: dict[Sites, int] = {}
    budget = [_MOST_KEPT_BYTES]

    def keep(call: Call, result: object) -> None:
        number = counts[call.sites] = counts.get(call.sites, -1) + 1
        if isinstance(result, torch.Tensor) and budget[0] > 0:
            budget[0] -= result.numel() * result.element_size()
            eager[call.sites, number] = result.detach().clone()

    args, kwargs = _cloned(inputs)
    torch.manual_seed(_SEED)
    expected = run_eager(theirs, args, kwargs, places, watch=keep, whole=_is_leaf, keep_result=True)
    if expected.error is not None:
        return Comparison(note="The graph was not run against the model, which fails on these inputs.")
    args, kwargs = _cloned(inputs)
    values = placeholder_values(ours.graph, module, args, kwargs)
    torch.manual_seed(_SEED)
    follower = _Follower(ours, run.records, eager)
    try:
        with torch.no_grad():
            got = follower.run(*values)
    except RAISED as error:
        reason = f"the graph fails here ({type(error).__name__}), where the model does not"
        return Comparison(Difference(follower.at, reason))
    if _same(got, expected.result):
        return Comparison()
    if follower.first is not None:
        return Comparison(Difference(follower.first, "its result is not that of the model"))
    return Comparison(Difference(None, "the result of the graph is not that of the model"))


class _Follower(fx.Interpreter):
    """Runs a graph and compares every result with what the model had at the same place."""

    def __init__(
        self, graph: fx.GraphModule, records: list[Record], eager: dict[tuple[Sites, int], torch.Tensor]
    ) -> None:
        super().__init__(graph)
        self.at: Record | None = None
        self.first: Record | None = None
        self._records = {record.node.name: record for record in records}
        self._eager = eager
        self._counts: dict[Sites, int] = {}

    def run_node(self, n: fx.Node) -> object:
        """Run a node and compare its result."""
        self.at = self._records.get(n.name)
        result = super().run_node(n)
        record = self.at
        if record is None or n.op not in ("call_function", "call_method", "call_module") or not _tensors(result):
            return result
        number = self._counts[record.sites] = self._counts.get(record.sites, -1) + 1
        expected = self._eager.get((record.sites, number))
        differs = expected is not None and isinstance(result, torch.Tensor) and not _close(result, expected)
        if self.first is None and differs:
            self.first = record
        return result


def _is_leaf(module: nn.Module) -> bool:
    """Whether symbolic tracing keeps a module whole."""
    return fx.Tracer().is_leaf_module(module, "")


def _cloned(inputs: ExampleInputs) -> tuple[tuple[object, ...], dict[str, object]]:
    def cloned(value: object) -> object:
        return value.detach().clone() if isinstance(value, torch.Tensor) else value

    args, kwargs = pytree.tree_map(cloned, (tuple(inputs.args), dict(inputs.kwargs)))
    return args, kwargs


def _same(a: object, b: object) -> bool:
    """Whether two results hold the same tensors, whatever classes hold them."""
    ours, theirs = _tensors(a), _tensors(b)
    return len(ours) == len(theirs) and all(_close(x, y) for x, y in zip(ours, theirs, strict=True))


def _tensors(value: object) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _close(a: torch.Tensor, b: torch.Tensor) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not (a.dtype.is_floating_point or a.dtype.is_complex):
        return bool(torch.equal(a, b))
    return bool(torch.allclose(a, b, rtol=1e-3, atol=1e-5, equal_nan=True))
