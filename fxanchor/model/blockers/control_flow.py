"""A Proxy asked for True or False: branches, loops, asserts and comparisons that Python decides."""

import ast

from torch import fx

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.choosing import as_choice, choice, is_one_condition
from fxanchor.model.blockers.diagnosis import TO_BOOL, Context, Diagnosis, Draft, Goal
from fxanchor.model.blockers.origins import Dependence, dependence, is_flag, is_size, parameter_of, property_of
from fxanchor.model.report import Trigger
from fxanchor.model.rows import parameter_triggers

_INVERSE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


# What to try for a switch that has no default, by the name of its annotated type.
_EXAMPLES: dict[object, object] = {"int": 1, "float": 1.0, "str": ""}


def diagnose(context: Context) -> Diagnosis | None:
    """Conclude from a stop where a Proxy was asked for a truth value."""
    asked = context.stop.passed_through(TO_BOOL)
    proxy = None if asked is None else asked.locals.get("obj")
    if not isinstance(proxy, fx.Proxy) or context.node is None:
        return None
    depends = dependence(proxy.node, context.root)
    who = _asker(context)
    drafts = (*_flag_drafts(context, depends), *_source_drafts(context, depends), *context.builtin_drafts())
    drafts += (*context.wrap_drafts(), *context.leaf_drafts())
    if depends.origin == "flag":
        return Diagnosis(
            "control-flow-flag",
            f"{who} asks the argument `{depends.node.target}` for True or False. Symbolic tracing ignores defaults: "
            "every parameter of forward is a Proxy, also switches and numbers.",
            context.elsewhere(_parameter(context, depends)),
            drafts,
            _goal(context),
        )
    if depends.origin == "shape":
        return Diagnosis(
            "control-flow-shape",
            _of_property(who, depends),
            context.elsewhere(context.trigger_of_node(depends.node)),
            drafts,
            _goal(context),
        )
    return Diagnosis(
        "control-flow",
        f"{who} asks a tensor for True or False. The answer depends on the data, so no single graph is right.",
        context.elsewhere(context.trigger_of_node(proxy.node)),
        (*drafts, *_choosing_drafts(context)),
        _goal(context),
    )


def _of_property(who: str, depends: Dependence) -> str:
    """Explain a question that the values of the tensor do not decide."""
    if is_size(depends.node):
        return (
            f"{who} asks a size for True or False. Sizes are Proxies during symbolic tracing: the answer is not known."
        )
    return (
        f"{who} asks `{property_of(depends.node)}` of a tensor for True or False. It is a Proxy during symbolic "
        "tracing, as all that a tensor has, so the answer is not known."
    )


def _asker(context: Context) -> str:
    """What asks, in words."""
    around = _statement(context)
    if isinstance(around, ast.Assert):
        return "This assert"
    if isinstance(around, ast.While):
        return "This while loop"
    if isinstance(around, ast.If | ast.IfExp):
        return "This branch"
    if isinstance(context.node, ast.BoolOp):
        return f"`{'and' if isinstance(context.node.op, ast.And) else 'or'}`"
    if isinstance(context.node, ast.Call):
        return f"`{context.text(context.node.func)}`"
    return "This expression"


def _statement(context: Context) -> ast.AST | None:
    """The assert, while, if or conditional expression whose test is the syntax to look at, or holds it."""
    inner: ast.AST | None = context.node
    for node in [] if inner is None else context.locator.sources.parents(context.stop.filename, inner):
        if isinstance(node, ast.Assert | ast.While | ast.If | ast.IfExp):
            return node if node.test is inner else None
        if not isinstance(node, ast.BoolOp | ast.UnaryOp):
            return None
        inner = node
    return None


def _parameter(context: Context, depends: Dependence) -> Trigger | None:
    triggers = parameter_triggers(context.run.forward, context.locator)
    return triggers.get(str(depends.node.target))


def _goal(context: Context) -> Goal | None:
    node = context.node
    if not isinstance(node, ast.expr):
        return None
    around = _statement(context)
    if isinstance(around, ast.Assert):
        return Goal(node, "false" if isinstance(context.parent(), ast.UnaryOp) else "true")
    if isinstance(around, ast.While):
        return Goal(node, "once")
    if isinstance(around, ast.If):
        return Goal(node, "false" if _only_raises(around.body) else "true")
    if isinstance(node, ast.Call):
        return Goal(node, "integer")
    if isinstance(node, ast.BoolOp) and not isinstance(around, ast.IfExp):
        return Goal(node, "tensor")
    return Goal(node, "true")


def _only_raises(body: list[ast.stmt]) -> bool:
    return any(isinstance(statement, ast.Raise) for statement in body)


def _flag_drafts(context: Context, depends: Dependence) -> tuple[Draft, ...]:
    if depends.origin != "flag":
        return ()
    name = str(depends.node.target)
    parameter = parameter_of(depends.node, context.root)
    value = None if parameter is None else parameter.default
    if parameter is not None and value is parameter.empty:
        value = _EXAMPLES.get(getattr(parameter.annotation, "__name__", parameter.annotation), True)
    return (concrete_draft(name, value),)


def argument_drafts(context: Context) -> dict[str, Draft]:
    """Trace with the default of an argument that is no tensor, for each that the place to look at reads by its name."""
    at, node = context.stop.at, context.node
    names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)] if node is not None else []
    drafts: dict[str, Draft] = {}
    for name in names:
        value = None if at is None else at.locals.get(name)
        if type(value) is fx.Proxy and value.node.op == "placeholder" and is_flag(value.node, context.root):
            parameter = parameter_of(value.node, context.root)
            if parameter is not None and parameter.default is not parameter.empty:
                drafts[parameter.name] = concrete_draft(parameter.name, parameter.default)
    return drafts


def concrete_draft(name: str, value: object) -> Draft:
    """Trace with an argument of forward taken as a constant."""
    change = (
        f'graph = torch.fx.symbolic_trace(model, concrete_args={{"{name}": {value!r}}})\n'
        f"# The graph checks on every call that {name} is {value!r}."
    )
    return Draft(f"Trace with {name}={value!r}: concrete_args", change, Attempt(concrete={name: value}))


def _source_drafts(context: Context, depends: Dependence) -> tuple[Draft, ...]:
    around = _statement(context)
    if isinstance(around, ast.Assert):
        return _assert_drafts(context, around)
    if isinstance(around, ast.If) and around.test is context.node and not around.orelse:
        return _raising_if_drafts(context, around)
    if isinstance(around, ast.IfExp) and depends.origin == "value" and is_one_condition(around.test):
        new = choice(around.test, context.text(around.body), context.text(around.orelse), context.text)
        return (context.edit_draft("Compute both and choose: torch.where", around, new),)
    node = context.node
    if isinstance(node, ast.BoolOp) and len(node.values) == 2 and around is None:
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        new = f"torch.{name}({context.text(node.values[0])}, {context.text(node.values[1])})"
        return (context.edit_draft(f"Combine tensors with torch.{name}", node, new),)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and around is None:
        new = f"torch.logical_not({context.text(node.operand)})"
        return (context.edit_draft("Negate a tensor with torch.logical_not", node, new),)
    return ()


def _assert_drafts(context: Context, statement: ast.Assert) -> tuple[Draft, ...]:
    message = "" if statement.msg is None else context.text(statement.msg)
    if not (statement.msg is not None and isinstance(statement.msg, ast.Constant)):
        # The message would be computed on every call, and formatting a Proxy is a blocker of its own.
        message = repr(context.text(statement.test))
    checks = [f"torch._assert({context.text(part)}, {message})" for part in _comparisons(statement.test)]
    drafts = [context.edit_draft("Record the check: torch._assert", statement, "\n".join(checks))]
    removed = context.edit_draft("Leave asserts out: python -O", statement, "pass")
    drafts.append(Draft(removed.title, "python -O your_script.py", removed.attempt))
    return tuple(drafts)


def _comparisons(test: ast.expr) -> list[ast.expr]:
    """A condition cut into parts that must all hold, none of which needs Python to decide anything."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in _comparisons(value)]
    if isinstance(test, ast.Compare) and len(test.ops) > 1:
        operands = [test.left, *test.comparators]
        return [
            ast.Compare(left, [op], [right]) for left, op, right in zip(operands, test.ops, operands[1:], strict=False)
        ]
    return [test]


def _raising_if_drafts(context: Context, statement: ast.If) -> tuple[Draft, ...]:
    test = statement.test
    simple = isinstance(test, ast.Compare) and len(test.ops) == 1
    if not _only_raises(statement.body) or not simple or not isinstance(test, ast.Compare):
        return ()
    inverse = _INVERSE.get(type(test.ops[0]))
    if inverse is None:
        return ()
    condition = ast.unparse(ast.Compare(test.left, [inverse()], test.comparators))
    return (
        context.edit_draft("Record the check: torch._assert", statement, f"torch._assert({condition}, {condition!r})"),
    )


def _choosing_drafts(context: Context) -> tuple[Draft, ...]:
    """Compute both branches of an `if`; only told where they are more than two values, as what they mean is not known.

    They come last: what keeps a part of the model whole computes what the model does, and computes it once.
    """
    branch = _statement(context)
    if not isinstance(branch, ast.If) or context.node is None:
        return ()
    title = "Compute both branches and choose: torch.where"
    written = as_choice(branch, _behind(context, branch), context.text) if branch.test is context.node else None
    if written is not None:
        return (context.edit_draft(title, branch, written),)
    change = (
        f"result = torch.where({context.text(context.node)}, value_if_true, value_if_false)\n"
        "# Not tried: this branch does more than choose the value of one name, so the two values are yours to write."
    )
    return (Draft(title, change),)


def _behind(context: Context, statement: ast.stmt) -> ast.stmt | None:
    """The statement behind another one in its block."""
    parent = next(iter(context.locator.sources.parents(context.stop.filename, statement)), None)
    block = getattr(parent, "body", [])
    at = block.index(statement) + 1 if isinstance(block, list) and statement in block else 0
    return block[at] if 0 < at < len(block) else None
