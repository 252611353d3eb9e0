"""The second rung: torch.export without Dynamo, with the frames behind every operation kept."""

import io
import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import torch
from torch import fx, nn
from torch.fx.node import Target
from torch.fx.proxy import TracerBase

from fxanchor.model.examples import ExampleInputs
from fxanchor.model.guard import kept
from fxanchor.model.limits import RAISED
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator, Site
from fxanchor.model.provenance import FrameWalker, Sites, stack_of, trigger_in_text, trigger_of
from fxanchor.model.replacing import replaced
from fxanchor.model.report import Mechanism, NodeRow, Trigger
from fxanchor.model.rows import parameter_triggers, return_trigger, target_in_words
from fxanchor.model.shapes import describe
from fxanchor.model.symbolic import forward_code

# Kept in a node's `custom` metadata, which torch.export carries from the node it traced to those it makes of it.
_KEY = "fxanchor_site"


@dataclass(slots=True)
class ExportRun:
    """What became of one export.

    Attributes:
        program: What was exported, or None.
        error: What stopped it.
        returned: Where forward was when it was last seen running: at the return that was taken, unless it raised.
        forward: The code of the root's forward.
        sites: The frames outside torch behind the traced nodes, by the number kept in their metadata.
    """

    program: torch.export.ExportedProgram | None = None
    error: BaseException | None = None
    returned: Site | None = None
    forward: CodeType | None = None
    sites: list[Sites] = field(default_factory=list)


def run_export(module: nn.Module, inputs: ExampleInputs, places: Places) -> ExportRun:
    """Export a module, and leave it as it was.

    Args:
        module: The module.
        inputs: Example inputs.
        places: Whose files are whose.
    """
    forward = forward_code(module)
    run = ExportRun(forward=forward)
    forwards: list[FrameType] = []
    walker = FrameWalker(places, (run_export.__code__,))
    create_node = TracerBase.create_node

    def noting(self: TracerBase, kind: str, target: Target, *args: Any, **kwargs: Any) -> fx.Node:  # noqa: ANN401 - passed on
        node = create_node(self, kind, target, *args, **kwargs)
        sites = walker.walk(sys._getframe(1))
        if sites:
            forwards[:] = _frame_of(forward, sys._getframe(1)) or forwards
            node.meta.setdefault("custom", {})[_KEY] = len(run.sites)
            run.sites.append(sites)
        return node

    with ExitStack() as stack:
        stack.enter_context(kept(module))
        stack.enter_context(replaced(TracerBase, "create_node", noting))
        stack.enter_context(_quiet())
        try:
            run.program = torch.export.export(module, inputs.args, dict(inputs.kwargs), strict=False)
        except RAISED as error:
            run.error = error
    if forwards and forward is not None:
        run.returned = Site(forward, forwards[0].f_lasti)
    return run


def _frame_of(code: CodeType | None, frame: FrameType | None) -> list[FrameType]:
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return [] if frame is None else [frame]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep in what torch logs and prints about a failed export; the error says it too."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.disable(before)


def export_rows(run: ExportRun, module: nn.Module, locator: Locator) -> tuple[NodeRow, ...]:
    """The rows of an exported program: its inputs, the weights it reads, its operations and its result."""
    if run.program is None:
        return ()
    signature = run.program.graph_signature
    weights = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
    weights.update(getattr(signature, "inputs_to_lifted_tensor_constants", {}))
    forward = forward_code(module)
    parameters = parameter_triggers(forward, locator)
    rows: list[NodeRow] = []
    for node in run.program.graph.nodes:
        shape, dtype = describe(node.meta.get("val"))
        number = node.meta.get("custom", {}).get(_KEY)
        sites = run.sites[number] if isinstance(number, int) else ()
        # A torch that does not carry the metadata on carries at least a stack trace.
        trigger = trigger_of(sites, locator) or trigger_in_text(node.meta.get("stack_trace") or "", locator)
        if node.op == "placeholder":
            trigger = None if node.name in weights else _argument(str(node.target), parameters)
        elif node.op == "output":
            trigger = return_trigger(forward, run.returned, locator)
        rows.append(
            NodeRow(
                name=node.name,
                op=node.op,
                target=weights.get(node.name, target_in_words(node)),
                mechanism=_mechanism(node, signature),
                trigger=trigger,
                module_path=_module_path(node),
                shape=shape,
                dtype=dtype,
                stack=stack_of(sites, locator) or ((trigger,) if trigger else ()),
                inputs=tuple(read.name for read in node.all_input_nodes),
            )
        )
    return tuple(rows)


def _argument(name: str, parameters: dict[str, Trigger]) -> Trigger | None:
    """The parameter of an input; the items `batch_x` and `batch_y` belong to `batch`."""
    fitting = [p for p in parameters if name == p or name.startswith(p.lstrip("*") + "_")]
    return parameters[max(fitting, key=len)] if fitting else None


def _mechanism(node: fx.Node, signature: torch.export.ExportGraphSignature) -> Mechanism:
    if node.op == "output":
        return "return value"
    if node.op == "placeholder":
        if node.name in signature.inputs_to_parameters:
            return "parameter read"
        if node.name in signature.inputs_to_buffers:
            return "buffer read"
        return "argument" if node.name in signature.user_inputs else "constant"
    return "constant" if node.op == "get_attr" else "recorded call"


def _module_path(node: fx.Node) -> str:
    stack = node.meta.get("nn_module_stack")
    path = list(stack.values())[-1][0] if stack else ""
    return path if isinstance(path, str) else ""
