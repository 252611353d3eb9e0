"""A Proxy where torch's own C++ needs a tensor or an integer: buffers, sizes, arrays, types, arguments of nodes."""

import ast
import re

import torch
from torch import fx, nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.definitions import attribute_cause
from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Draft, Goal
from fxanchor.model.blockers.raiser import value_of
from fxanchor.model.raised import text_of
from fxanchor.model.report import Trigger
from fxanchor.model.rows import return_trigger

_SIZES = re.compile(
    r"^\w+\(\) (?:takes \d+ positional arguments? but \d+ (?:was|were) given|received an invalid combination"
    r"|: argument '\w+' .*)|must be tuple of ints, (?:but found element of type|not) (?:Proxy|Attribute)"
)
_ARRAY = re.compile(
    r"__(?:cuda_)?array_interface__|__array_struct__|__array__|Could not infer dtype of (?:Proxy|Attribute)"
    r"|only integer tensors of a single element|__dlpack__|(?:Proxy|Attribute)' object .*buffer"
)


def diagnose_buffer_slice(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a real tensor was indexed with a Proxy."""
    if "slice indices must be integers or None or have an __index__ method" not in context.stop.message:
        return None
    node, at = context.node, context.stop.at
    if at is None or not isinstance(node, ast.Subscript):
        return None
    value = node.value
    cause = None
    drafts: tuple[Draft, ...] = ()
    what = "a real tensor"
    if isinstance(value, ast.Attribute):
        owner = value_of(value.value, at.frame)
        if isinstance(owner, nn.Module):
            cause = attribute_cause(owner, value.attr, context.locator)
            if value.attr in object.__getattribute__(owner, "__dict__").get("_buffers", {}):
                what = f"the buffer `{value.attr}`, a real tensor"
                drafts = (_buffer_draft(),)
            elif not isinstance(value_of(value, at.frame), torch.Tensor):
                what = f"`{context.text(value)}`, a real {type(value_of(value, at.frame)).__name__}"
    return Diagnosis(
        "buffer-slice",
        f"`{context.text(value)}` is {what}, and it is cut with a size that is a Proxy. The same code works on a "
        "parameter, because parameters become Proxies during symbolic tracing and buffers do not.",
        context.elsewhere(cause),
        (*drafts, *context.wrap_drafts(), *context.leaf_drafts()),
        Goal(node, "tensor"),
    )


def _buffer_draft() -> Draft:
    change = (
        "class BufferTracer(torch.fx.Tracer):\n"
        "    proxy_buffer_attributes = True\n\n"
        "graph = BufferTracer().trace(model)"
    )
    return Draft("Make Proxies of buffers too", change, Attempt(proxy_buffers=True))


def diagnose_sizes(context: Context) -> Diagnosis | None:
    """Conclude from a stop where sizes were given one by one to a function of torch."""
    node, at = context.node, context.stop.at
    text = context.stop.message.partition(": ")[2]
    if at is None or not isinstance(node, ast.Call) or not isinstance(context.stop.error, TypeError):
        return None
    if not _SIZES.search(text) or (
        not context.stop.raised_at.symbol.endswith("of torch, in C++") and "Proxy" not in text
    ):
        return None
    positional = [arg for arg in node.args if not isinstance(arg, ast.Starred)]
    if len(positional) != len(node.args) or not positional:
        return None
    rest = [context.text(keyword) for keyword in node.keywords]
    sizes = f"({context.texts(positional)}{',' if len(positional) == 1 else ''})"
    name = context.text(node.func)
    drafts = [context.edit_draft("Give the sizes as one tuple", node, f"{name}({', '.join([sizes, *rest])})")]
    return Diagnosis(
        "sizes",
        f"{name} takes its sizes one by one only as real integers; with a Proxy among them torch's C++ does not "
        "recognise the call.",
        None,
        (*drafts, *context.wrap_drafts(), *context.leaf_drafts()),
        Goal(node, "tensor"),
    )


def diagnose_array(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a Proxy was taken for an array."""
    if not _ARRAY.search(text_of(context.stop.error)):
        return None
    node = context.node
    drafts: tuple[Draft, ...] = ()
    if (
        isinstance(node, ast.Call)
        and len(node.args) == 1
        and context.text(node.func) in ("torch.tensor", "torch.as_tensor")
    ):
        rest = "".join(f", {context.text(keyword)}" for keyword in node.keywords)
        drafts = (
            context.edit_draft(
                "Make the tensor with torch.full", node, f"torch.full((), {context.text(node.args[0])}{rest})"
            ),
            _as_tensor(context, node),
        )
    drafts += _torch_drafts(context, node)
    return Diagnosis(
        "array",
        "Making an array asks the object for the array protocols of numpy and torch; a Proxy answers any attribute, "
        "also those, with something that is no array.",
        None,
        (*drafts, *context.wrap_drafts(), *context.leaf_drafts()),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )


def _torch_drafts(context: Context, node: ast.expr | ast.stmt | None) -> tuple[Draft, ...]:
    """The function of torch of the same name as one of numpy."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or context.stop.at is None:
        return ()
    module = value_of(node.func.value, context.stop.at.frame)
    name = node.func.attr
    if getattr(module, "__name__", "") != "numpy" or not callable(getattr(torch, name, None)):
        return ()
    new = f"torch.{name}({context.texts([*node.args, *node.keywords])})"
    return (context.edit_draft(f"Use torch.{name}", node, new),)


def _as_tensor(context: Context, node: ast.Call) -> Draft:
    helper = "def as_tensor(value, **options):\n    return torch.tensor(value, **options)\n"
    arguments = ", ".join([context.text(node.args[0]), *(context.text(keyword) for keyword in node.keywords)])
    return context.edit_draft(
        "Make the tensor in a wrapped function", node, f"as_tensor({arguments})", before=f"import torch\n\n\n{helper}"
    )


def diagnose_type_dispatch(context: Context) -> Diagnosis | None:
    """Conclude from a stop where code chose what to do by the type of its argument."""
    text = text_of(context.stop.error)
    descriptor = re.search(r"descriptor '(\w+)' .*doesn't apply to a '(?:Proxy|Attribute)' object", text)
    named = re.search(
        r"(?:[Uu]nexpected|[Uu]nsupported|[Uu]nknown|should be|must be|[Ee]xpected|got).*torch\.fx\.proxy\.", text
    )
    if not descriptor and not named:
        return None
    node = context.node
    drafts: tuple[Draft, ...] = ()
    if descriptor and isinstance(node, ast.Call) and node.args:
        rest = ", ".join(context.text(arg) for arg in [*node.args[1:], *node.keywords])
        new = f"({context.text(node.args[0])}).{descriptor.group(1)}({rest})"
        if isinstance(node.args[0], ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            new = f"{context.text(node.args[0])}.{descriptor.group(1)}({rest})"
        drafts = (context.edit_draft("Call it as a method", node, new),)
    return Diagnosis(
        "type-dispatch",
        "The function that is called here chooses by the Python type of its argument, and a Proxy is no torch.Tensor.",
        None,
        (*drafts, *context.wrap_called(), *context.leaf_drafts()),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
    )


def diagnose_argument(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a node was given an argument that a graph cannot hold."""
    text = text_of(context.stop.error)
    type_match = re.match(r"argument of type: <(?:class|enum) '([^']+)'>", text)
    key = "Keys for dictionaries used as an argument cannot contain a Node" in text
    if not type_match and not key:
        return None
    node = context.node
    if key:
        explanation = "A dictionary whose key is a Proxy is given to an operation; keys must be known during tracing."
    else:
        name = type_match.group(1).rpartition(".")[2] if type_match else "?"
        explanation = (
            f"An object of class {name} would become an argument of a node. A graph holds only tensors, numbers, "
            "strings, tuples, lists, dictionaries, slices and dataclasses of them."
        )
    returned = context.around(ast.Return) or (node if isinstance(node, ast.Return) else None)
    drafts: tuple[Draft, ...] = ()
    if returned is not None or _is_output(context):
        drafts = (Draft("Return tensors, tuples or dictionaries", "return {'logits': logits}"),)
    else:
        drafts = (Draft("Take what is needed out of the object first", "scale = config.scale  # a number or a tensor"),)
    return Diagnosis(
        "unsupported-argument",
        explanation,
        None,
        (*drafts, *context.wrap_drafts(), *context.leaf_drafts()),
        Goal(node, "tensor") if isinstance(node, ast.expr) else None,
        where=_return_statement(context) if _is_output(context) else None,
    )


def _is_output(context: Context) -> bool:
    """Whether it was the result of the root's forward that could not be an argument."""
    return context.stop.at is None and context.stop.passed_through(fx.Tracer.trace.__code__) is not None


def _return_statement(context: Context) -> Trigger | None:
    return return_trigger(context.run.forward, context.run.returned, context.locator)
