"""Example inputs nobody gave: from a call of the model in its author's files, or from its first layer where certain."""

import ast
import copy
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from fxanchor.model.callsites import called_name, is_harmless, normal_call
from fxanchor.model.examples import ExampleInputs
from fxanchor.model.modules import is_module
from fxanchor.model.scopes import Scope, option_defaults, scopes_of
from fxanchor.model.syntax import parse_source
from fxanchor.model.usages import Usage

_SEED = 0
_DEVICE = re.compile(r"device|cuda|'cpu'|'mps'")
_LARGEST_BYTES = 2**30
_PASSED_ON = frozenset(
    {"to", "cuda", "cpu", "eval", "train", "half", "float", "double", "requires_grad_", "DataParallel"}
)
# Helpers that call the model they get first with what they get next.
_CALLS_MODEL = {"trace": 1, "export": 1, "FlopCountAnalysis": 1, "profile": 0}
_KEEP_SHAPE = (
    torch.nn.Linear,
    torch.nn.ReLU,
    torch.nn.GELU,
    torch.nn.SiLU,
    torch.nn.Tanh,
    torch.nn.Sigmoid,
    torch.nn.ELU,
    torch.nn.LeakyReLU,
    torch.nn.Softmax,
    torch.nn.LogSoftmax,
    torch.nn.Dropout,
    torch.nn.LayerNorm,
    torch.nn.Identity,
    torch.nn.BatchNorm1d,
)
_KEEP_SHAPE_NAMES = frozenset(
    {
        "relu",
        "gelu",
        "silu",
        "tanh",
        "sigmoid",
        "elu",
        "leaky_relu",
        "softmax",
        "log_softmax",
        "dropout",
        "abs",
        "neg",
        "exp",
    }
)


def inputs_from_calls(built: str, variables: Sequence[str], usages: Sequence[Usage]) -> ExampleInputs | None:
    """Return what the author's files call the model with, or None.

    Args:
        built: The call that built the model, as `normal_call` gives it: what other calls build may take other inputs.
        variables: Names that the model itself has at module level.
        usages: Files that may call the model, the model's own first.
    """
    for usage in usages:
        options = option_defaults(usage.tree)
        # All bindings tell which names are the model; those of names whose values are known do not replace the values.
        for full, scope in zip(scopes_of(usage.tree), scopes_of(usage.tree, usage.space), strict=True):
            models = {*variables, *_model_variables(full, scope, options, built)}
            for call in _model_calls(scope, models, options, built):
                found = _evaluated(call, scope, models, options, usage.space)
                if found is not None:
                    return ExampleInputs(*found, f"as at {usage.at(call.lineno)}")
    return None


def inputs_from_first_layer(model: torch.nn.Module) -> ExampleInputs | None:
    """Return inputs for a model of one argument whose layers leave only one shape possible, or None.

    That is so when the argument goes through layers that act on the last dimension alone and the first of them is a
    `Linear`, or when it goes straight into an `Embedding`.

    Args:
        model: The model.
    """
    chain = list(_chain(model, ""))
    layers = [layer for _, layer in chain if layer is not None]
    if not layers or len(layers) != len(chain):
        return None
    sized = next(
        ((name, layer) for name, layer in chain if isinstance(layer, torch.nn.Linear | torch.nn.Embedding)), None
    )
    if sized is None or not all(type(layer) in _KEEP_SHAPE for layer in layers[1:]):
        return None
    name, first = sized
    generator = torch.Generator().manual_seed(_SEED)
    if isinstance(first, torch.nn.Embedding) and first is layers[0]:
        value = torch.randint(0, first.num_embeddings, (2, 8), generator=generator)
    elif isinstance(first, torch.nn.Linear) and type(layers[0]) in _KEEP_SHAPE:
        value = torch.randn((2, first.in_features), generator=generator)
    else:
        return None
    return ExampleInputs((value,), {}, f"from the first layer, {name or 'the model itself'}")


def _model_variables(full: Scope, scope: Scope, options: Mapping[str, ast.expr], built: str) -> set[str]:
    """Return the names in a scope that are bound to the model."""
    found: set[str] = set()
    for bound, value in full.bindings.items():
        inner = value
        while isinstance(inner, ast.Call) and called_name(inner) in _PASSED_ON:
            inner = inner.func.value if isinstance(inner.func, ast.Attribute) and not inner.args else _passed(inner)
        if isinstance(inner, ast.Call) and _builds(inner, scope, options, built):
            found.add(bound)
    return found


def _builds(call: ast.Call, scope: Scope, options: Mapping[str, ast.expr], built: str) -> bool:
    """Return whether a call is the one that built the model."""
    if not built.startswith(called_name(call) + "("):
        return False
    read = scope.read(call, options, ())
    return isinstance(read, ast.Call) and normal_call(read) == built


def _passed(call: ast.Call) -> ast.expr:
    if called_name(call) == "DataParallel" and call.args:
        return call.args[0]
    return call.func.value if isinstance(call.func, ast.Attribute) else ast.Constant(None)


def _model_calls(scope: Scope, models: set[str], options: Mapping[str, ast.expr], built: str) -> Iterator[ast.Call]:
    """Yield calls whose arguments are the model's inputs."""
    for node in scope.nodes():
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name), attr="forward") if name in models:
                yield node
                continue
            case ast.Call() as inner if _builds(inner, scope, options, built):
                yield node  # Net()(x)
                continue
        yield from _through_helper(node, models)


def _through_helper(node: ast.Call, models: set[str]) -> Iterator[ast.Call]:
    name = called_name(node)
    if not (node.args and isinstance(node.args[0], ast.Name) and node.args[0].id in models):
        return
    place = _CALLS_MODEL.get(name)
    if place is None:
        return
    given = next((keyword.value for keyword in node.keywords if keyword.arg == "inputs"), None)
    if given is None and place and len(node.args) > place:
        given = node.args[place]
    if given is None:
        return
    values = given.elts if isinstance(given, ast.Tuple | ast.List) else [given]
    yield ast.copy_location(ast.Call(node.args[0], list(values), []), node)


def _evaluated(
    call: ast.Call, scope: Scope, models: set[str], options: Mapping[str, ast.expr], space: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    written = ast.Call(ast.Name("_inputs"), copy.deepcopy(call.args), copy.deepcopy(call.keywords))
    # Once before names are replaced, because the device may be a name that stands for nothing known.
    plain = scope.read(_OnCpu().visit(written), options, models)
    if not isinstance(plain, ast.Call):
        return None
    plain = _OnCpu().visit(plain)
    arguments = [*plain.args, *(keyword.value for keyword in plain.keywords)]
    if not all(is_harmless(each, space) for each in arguments):
        return None
    code = compile(ast.unparse(plain), "<inputs>", "eval", dont_inherit=True)
    torch.manual_seed(_SEED)
    try:
        args, kwargs = eval(code, {**space, "_inputs": lambda *args, **kwargs: (args, kwargs)})
    except Exception:
        return None
    tensors = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
    if not tensors or sum(each.numel() * each.element_size() for each in tensors) > _LARGEST_BYTES:
        return None
    return args, kwargs


class _OnCpu(ast.NodeTransformer):
    """Leaves out what moves a tensor to a device that may not be there."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.keywords = [keyword for keyword in node.keywords if keyword.arg != "device"]
        if isinstance(node.func, ast.Attribute):
            moves = node.func.attr == "to" and len(node.args) == 1 and _DEVICE.search(ast.unparse(node.args[0]))
            if node.func.attr == "cuda" or moves:
                return node.func.value
        return node


def _chain(module: torch.nn.Module, name: str) -> Iterator[tuple[str, torch.nn.Module | None]]:
    """Yield the leaf layers an input goes through, one after another; a None where that is not certain."""
    if isinstance(module, torch.nn.Sequential) and type(module).forward is torch.nn.Sequential.forward:
        for key, child in module.named_children():
            yield from _chain(child, f"{name}.{key}" if name else key)
        return
    if type(module).__module__.startswith("torch.nn."):
        yield name, module
        return
    try:
        tree = parse_source(textwrap.dedent(inspect.getsource(type(module).forward)))
    except (OSError, TypeError, SyntaxError):
        yield name, None
        return
    calls = _straight_calls(tree.body[0])
    if calls is None:
        yield name, None
        return
    for attribute in calls:
        inner: object = getattr(module, attribute, None)
        path = f"{name}.{attribute}" if name else attribute
        if is_module(inner):
            yield from _chain(inner, path)
        else:
            yield path, None


def _straight_calls(function: ast.stmt) -> list[str] | None:
    """Return the names of the sub-modules that a forward applies one after another to its only argument, else None."""
    if not isinstance(function, ast.FunctionDef) or len(function.args.args) != 2 or function.args.vararg:
        return None
    own, value = function.args.args[0].arg, function.args.args[1].arg
    names: list[str] = []
    for statement in function.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Name(id=bound)], value=expression) if _applied(expression, own, value, names):
                value = bound
            case ast.Return(value=ast.expr() as expression) if _applied(expression, own, value, names):
                return names
            case _:
                return None
    return None


def _applied(expression: ast.expr, own: str, value: str, names: list[str]) -> bool:
    """Return whether an expression only applies layers and pointwise functions to `value`; collects the layers."""
    match expression:
        case ast.Name(id=name):
            return name == value
        case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr=attribute), args=[inner, *rest]):
            if not _applied(inner, own, value, names) or not all(isinstance(each, ast.Constant) for each in rest):
                return False
            if base == own:
                names.append(attribute)
                return not rest
            return attribute in _KEEP_SHAPE_NAMES
        case ast.Call(func=ast.Attribute(value=inner, attr=attribute), args=[]):
            return attribute in _KEEP_SHAPE_NAMES and _applied(inner, own, value, names)
    return False
