"""What a Proxy depends on: the value of a tensor, a shape, or an argument that is no tensor."""

import inspect
import operator
from dataclasses import dataclass
from typing import Literal

from torch import fx, nn

Origin = Literal["value", "shape", "flag"]

_SHAPE_METHODS = frozenset({"size", "dim", "ndimension", "numel", "nelement", "stride", "storage_offset", "__len__"})
_SHAPE_ATTRIBUTES = frozenset({"shape", "ndim"})
_METADATA = frozenset(
    {
        "device",
        "dtype",
        "element_size",
        "get_device",
        "grad_fn",
        "is_complex",
        "is_contiguous",
        "is_cpu",
        "is_cuda",
        "is_floating_point",
        "is_inference",
        "is_leaf",
        "is_meta",
        "is_mps",
        "is_nested",
        "is_pinned",
        "is_quantized",
        "is_signed",
        "is_sparse",
        "is_xpu",
        "itemsize",
        "layout",
        "nbytes",
        "requires_grad",
    }
)
_MAX_NODES = 10_000


@dataclass(frozen=True, slots=True)
class Dependence:
    """What a Proxy depends on.

    Attributes:
        origin: A value, a shape, or a flag.
        node: The node where that comes from: the argument, or what reads the shape.
    """

    origin: Origin
    node: fx.Node


def dependence(tested: fx.Node, root: nn.Module) -> Dependence:
    """What a node depends on; on a value when on any value at all."""
    shapes: list[fx.Node] = []
    flags: list[fx.Node] = []
    seen: set[fx.Node] = set()
    pending = [tested]
    while pending and len(seen) < _MAX_NODES:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if reads_shape(node):
            shapes.append(node)
        elif node.op == "placeholder" and is_flag(node, root):
            flags.append(node)
        elif not node.all_input_nodes or not _is_plain(node):
            return Dependence("value", node)
        else:
            pending += node.all_input_nodes
    if shapes:
        return Dependence("shape", shapes[0])
    return Dependence("flag", flags[0]) if flags else Dependence("value", tested)


def reads_shape(node: fx.Node) -> bool:
    """Whether a node reads the shape or another property of a tensor that is not its values."""
    name = property_of(node)
    return name in _SHAPE_METHODS | _SHAPE_ATTRIBUTES | _METADATA


def is_size(node: fx.Node) -> bool:
    """Whether a node reads a size or a number of dimensions."""
    return property_of(node) in _SHAPE_METHODS | _SHAPE_ATTRIBUTES


def property_of(node: fx.Node) -> str:
    """The name of what a node asks of a tensor: a method, an attribute, or a function of one; "" for anything else."""
    if node.op == "call_method":
        return str(node.target)
    if node.op != "call_function":
        return ""
    if node.target is getattr and len(node.args) > 1:
        return str(node.args[1])
    if node.target is len:
        return "__len__"
    name = str(getattr(node.target, "__name__", ""))
    return name if name in ("is_floating_point", "is_complex", "numel", "is_signed") else ""


def is_flag(placeholder: fx.Node, root: nn.Module) -> bool:
    """Whether an argument of forward is a switch or a number rather than a tensor, by its default or annotation."""
    parameter = parameter_of(placeholder, root)
    if parameter is None:
        return False
    if isinstance(parameter.default, bool | int | float | str) or parameter.default is None:
        return True
    return parameter.annotation in (bool, int, float, str, "bool", "int", "float", "str")


def parameter_of(placeholder: fx.Node, root: nn.Module) -> inspect.Parameter | None:
    """The parameter of forward that a placeholder stands for."""
    try:
        parameters = inspect.signature(type(root).forward).parameters
    except (TypeError, ValueError, AttributeError):
        return None
    return parameters.get(str(placeholder.target).lstrip("*"))


def _is_plain(node: fx.Node) -> bool:
    """Whether a node computes with Python values: an operator, or a function of Python itself."""
    if node.op != "call_function" or isinstance(node.target, str):
        return False
    module = getattr(node.target, "__module__", "") or ""
    return module in (operator.__name__, "_operator", "builtins", "math")
