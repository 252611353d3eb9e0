"""Show which nodes a pattern takes, and which are the same operation in another spelling."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import fx, nn

from fxanchor.errors import InputError
from fxanchor.labs.transform.report import Match
from fxanchor.model.raised import summary
from fxanchor.model.report import Trigger
from fxanchor.model.rows import target_in_words

# One operation under the names that torch, Python's operators and methods give it.
_SYNONYMS = {
    "subtract": "sub", "multiply": "mul", "divide": "div", "truediv": "div", "truedivide": "div", "negative": "neg",
    "absolute": "abs", "concat": "cat", "concatenate": "cat", "clip": "clamp", "power": "pow", "greater": "gt",
    "less": "lt", "view": "reshape", "moveaxis": "movedim", "swapaxes": "transpose", "swapdims": "transpose",
}  # fmt: skip
_BINARY = {"add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"}


def match_nodes(
    gm: fx.GraphModule, wanted: str | Callable[[fx.Node], Any], triggers: Mapping[fx.Node, Trigger]
) -> tuple[Match, ...]:
    """Return the nodes that a pattern takes and the near misses, in the order of the graph.

    Args:
        gm: The captured model.
        wanted: A target in words (`torch.relu`, `operator.add`, the name of a method, the path of a module or its
            class, `nn.ReLU`), with the opcode and a colon in front to be strict (`call_method:add`); or a predicate.
        triggers: For each node the user's expression.

    Raises:
        InputError: When the predicate raises.
    """
    modules = dict(gm.named_modules())
    taken = {node for node in gm.graph.nodes if _takes(wanted, node, modules)}
    families = {_family_of(node, modules) for node in taken} - {""}
    if isinstance(wanted, str):
        families.add(family(wanted.rpartition(":")[2].rpartition(".")[2]))
    return tuple(
        Match(node.name, node.op, _words(node, modules), triggers.get(node), node in taken)
        for node in gm.graph.nodes
        if node in taken or _family_of(node, modules) in families
    )


def family(name: str) -> str:
    """Return the name of an operation without what its spelling adds.

    Args:
        name: The last part of a function, method or class name.

    `relu_`, `ReLU` and `relu` are one family; so are `__radd__`, `iadd` and `add`, or `BatchNorm2d` and `batch_norm`.
    """
    bare = re.sub(r"(norm|dropout)[123]d$", r"\1", name.lower().replace("_", ""))
    if bare[:1] in ("i", "r") and bare[1:] in _BINARY:
        bare = bare[1:]
    return _SYNONYMS.get(bare, bare)


def _family_of(node: fx.Node, modules: Mapping[str, nn.Module]) -> str:
    if node.op == "call_module":
        module = modules.get(str(node.target))
        return family(type(module).__name__) if module is not None else ""
    return family(target_in_words(node).rpartition(".")[2]) if node.op in ("call_function", "call_method") else ""


def _takes(wanted: str | Callable[[fx.Node], Any], node: fx.Node, modules: Mapping[str, nn.Module]) -> bool:
    if not isinstance(wanted, str):
        try:
            return bool(wanted(node))
        except (Exception, SystemExit) as error:
            raise InputError(f"At node {node.name} the predicate raised {summary(error)}; correct it.") from error
    op, colon, name = wanted.rpartition(":")
    if colon and node.op != op:
        return False
    if node.op == "call_module":
        module = modules.get(str(node.target))
        return name == str(node.target) or name in _class_names(module)
    # A plain `relu` names methods: a function is called by its full name.
    return name == target_in_words(node) and node.op != "output"


def _class_names(module: nn.Module | None) -> set[str]:
    if module is None:
        return set()
    kind = type(module)
    names = {kind.__name__, f"{kind.__module__}.{kind.__qualname__}"}
    if kind.__module__.startswith("torch.nn."):
        names |= {f"nn.{kind.__name__}", f"torch.nn.{kind.__name__}"}
    return names


def _words(node: fx.Node, modules: Mapping[str, nn.Module]) -> str:
    words = target_in_words(node)
    if node.op == "call_module" and (module := modules.get(words)) is not None:
        return f"{words} ({type(module).__name__})"
    return words


def annotated(gm: fx.GraphModule, triggers: Mapping[fx.Node, Trigger]) -> str:
    """Return what `print_readable` prints, each line with the expression it came from as a comment.

    Args:
        gm: The module.
        triggers: For each node the user's expression.
    """
    by_name = {node.name: triggers.get(node) for node in gm.graph.nodes}
    output = next((triggers.get(node) for node in reversed(gm.graph.nodes) if node.op == "output"), None)
    try:
        code = gm.print_readable(print_output=False)
    except (Exception, SystemExit):
        # A pass that broke half way can leave a graph that no code can be made of; the code from before still stands.
        code = gm.code
    lines = code.strip("\n").splitlines()
    return "\n".join(_commented(lines, by_name, output))


def _commented(lines: Sequence[str], by_name: Mapping[str, Trigger | None], output: Trigger | None) -> Sequence[str]:
    width = min(72, max((len(line) for line in lines), default=0))
    shown = []
    for line in lines:
        if line.strip().startswith("# No stacktrace found"):
            # torch's word for a node without a recorded stack; the comments tell more.
            continue
        name = re.match(r"\s+(\w+)(?: ?: [^=]+)? = ", line)
        trigger = by_name.get(name[1]) if name else output if line.strip().startswith("return ") else None
        comment = f"  # {trigger.file}:{trigger.line} {trigger.expression}" if trigger else ""
        shown.append(f"{line:<{width}}{comment}".rstrip())
    return shown
