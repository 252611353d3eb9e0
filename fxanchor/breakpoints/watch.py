"""Looking at an expression in a stopped frame without changing what is looked at."""

import ast
import builtins
import functools
import inspect
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FrameType, MethodType, ModuleType

from fxanchor.breakpoints.recording import Recording, RecordingRefusedError, Value
from fxanchor.breakpoints.value import Describer
from fxanchor.errors import UsageError
from fxanchor.model.syntax import parse_source

_MAX_SOURCE = 500
# What is done to the items of a container too.
_COMPARISON, _FORMATTING = "a comparison", "formatting"
_GET, _PLAIN, _CALL = "__watch_get", "__watch_plain", "__watch_call"
# Built-ins that only look at the kind or at the identity of what they are given.
_BLIND = (builtins.type, builtins.vars, builtins.id, builtins.isinstance, builtins.callable)
# Built-ins that move values about without using them.
_CARRYING = (builtins.len, builtins.list, builtins.tuple, builtins.zip, builtins.enumerate, builtins.reversed)
_GATHERING = (builtins.all, builtins.any, builtins.max, builtins.min, builtins.set, builtins.sorted, builtins.sum)
_LOOKING = (
    *(builtins.abs, builtins.all, builtins.any, builtins.bin, builtins.bool, builtins.bytes, builtins.chr),
    *(builtins.complex, builtins.dict, builtins.dir, builtins.divmod, builtins.filter, builtins.float),
    *(builtins.format, builtins.frozenset, builtins.hash, builtins.hex, builtins.int, builtins.issubclass),
    *(builtins.map, builtins.max, builtins.min, builtins.oct, builtins.ord, builtins.pow, builtins.range),
    *(builtins.repr, builtins.round, builtins.set, builtins.slice, builtins.sorted, builtins.str, builtins.sum),
)
_MUTATORS = frozenset(
    (
        *("add", "append", "appendleft", "clear", "close", "discard", "difference_update", "extend", "extendleft"),
        *("insert", "intersection_update", "move_to_end", "pop", "popitem", "popleft", "remove", "reverse", "rotate"),
        *("send", "setdefault", "sort", "symmetric_difference_update", "throw", "update", "write", "writelines"),
    )
)
_CONTAINERS = (list, dict, set, bytearray)
# Compiled modules whose functions reach outside the program or into the interpreter.
_ACTING_MODULES = frozenset({"_io", "_socket", "_thread", "builtins", "gc", "nt", "posix", "sys", "time"})
_FORBIDDEN = {
    ast.NamedExpr: "it assigns",
    ast.Await: "it awaits",
    ast.Yield: "it yields",
    ast.YieldFrom: "it yields",
}


class WatchRefusedError(Exception):
    """Evaluating the expression would change what it looks at; the message says how."""


class Watcher:
    """Evaluates expressions in stopped frames.

    Every step of an expression is checked with the values it really has: attributes of recording objects, operators,
    comparisons and calls on them are refused before they happen. Functions that an expression calls run with
    recording switched off.

    Args:
        recording: What records.
        roots: Directories whose paths are shortened in values.
    """

    def __init__(self, recording: Recording, roots: Sequence[Path] = ()) -> None:
        self._recording = recording
        self._describer = Describer(recording, roots)

    def look(self, expression: str, frame: FrameType) -> str:
        """Return the value of `expression` in `frame` as short text, or why it has none."""
        try:
            value = self.evaluate(expression, frame)
        except WatchRefusedError as refused:
            return f"refused: {refused}"
        except UsageError as error:
            return str(error)
        except Exception as error:  # an expression may raise anything in a frame it was not written for
            return f"raises {type(error).__name__}"
        return self._describer.describe(value)

    def evaluate(self, expression: str, frame: FrameType) -> Value:
        """Return the value of `expression` in `frame`.

        Args:
            expression: A Python expression.
            frame: Where its names are looked up.

        Raises:
            WatchRefusedError: When it would change what it looks at.
            UsageError: When it is not an expression.
            Exception: Whatever the expression raises by itself.
        """
        code = compile_watch(expression)
        names = dict(frame.f_locals)
        scope = {**frame.f_globals, **names, "locals": lambda: names}
        scope |= {_GET: self._get, _PLAIN: self._plain, _CALL: self._call}
        try:
            with self._recording.switched_off():
                return eval(code, scope)
        except RecordingRefusedError as refused:
            raise WatchRefusedError(f"{expression} would record a node") from refused

    def warnings(self, frame: FrameType) -> tuple[str, ...]:
        """Return what a person who types expressions in `frame` must know: which names record, at most one sentence."""
        names = [name for name, value in frame.f_locals.items() if self._recording.records(value)]
        if not names:
            return ()
        first, through = names[0], self._recording.look_through
        listed = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        return (f"{listed}: what is done to it is recorded; look at {first}.{through}, not at {first}.shape",)

    def _get(self, value: Value, name: str) -> Value:
        if self._recording.records(value) and not _is_plain_attribute(value, name):
            raise WatchRefusedError(f".{name} of {self._safe(value)}")
        return getattr(value, name)

    def _plain(self, value: Value, what: str) -> Value:
        deep = what in (_COMPARISON, _FORMATTING)
        if self._recording.holds_recorder(value) if deep else self._recording.records(value):
            raise WatchRefusedError(f"{what} with {self._safe(value)}")
        return value

    def _call(self, function: Value, /, *args: Value, **kwargs: Value) -> Value:
        name = getattr(function, "__name__", type(function).__name__)
        if self._recording.records(function) or self._recording.records(getattr(function, "__self__", None)):
            raise WatchRefusedError(f"a call of {self._safe(function)}")
        if _in(function, _BLIND):
            return function(*args, **kwargs)
        if _in(function, (getattr, hasattr)) and len(args) > 1:
            self._get_named(args)
            return function(*args, **kwargs)
        for value in (*args, *kwargs.values()):
            # Going through a dictionary meets its keys only.
            met = list(value) if isinstance(value, dict) and _in(function, _GATHERING) else value
            uses = self._recording.records(met) if _in(function, _CARRYING) else self._recording.holds_recorder(met)
            if uses:
                raise WatchRefusedError(f"{name}() of {self._safe(value)}")
        _refuse_change(function, name)
        return function(*args, **kwargs)

    def _get_named(self, args: tuple[Value, ...]) -> None:
        if self._recording.records(args[0]) and not _is_plain_attribute(args[0], str(args[1])):
            raise WatchRefusedError(f".{args[1]} of {self._safe(args[0])}")

    def _safe(self, value: Value) -> str:
        """Name the recording object in `value`, with the form in which it can be looked at and what that shows."""
        if not self._recording.records(value):
            return "a value that records would record a node"
        through = self._recording.look_through
        shown = f", which is {vars(value)[through]}" if through in vars(value) else ""
        return f"a {type(value).__name__} would record a node; look at .{through} instead{shown}"


@functools.lru_cache(maxsize=512)
def compile_watch(expression: str) -> CodeType:
    """Compile an expression so that each of its steps is checked when it runs.

    Args:
        expression: A Python expression.

    Raises:
        UsageError: When it is no expression, or longer than a watch should be.
        WatchRefusedError: When it assigns, awaits or yields.
    """
    if len(expression) > _MAX_SOURCE:
        raise UsageError(f"A watch has at most {_MAX_SOURCE} characters; shorten {expression[:40]!r}...")
    try:
        tree = parse_source(expression.strip(), mode="eval")
        for node in ast.walk(tree):
            for kind, why in _FORBIDDEN.items():
                if isinstance(node, kind):
                    raise WatchRefusedError(why)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(ast.fix_missing_locations(_Guarding().visit(tree)), "<watch>", "eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{expression!r} is not a Python expression; check its spelling.") from error


class _Guarding(ast.NodeTransformer):
    """Routes attribute reads, calls, operators, comparisons, truth tests and iteration through the watcher."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return _checked(_GET, self.visit(node.value), node.attr)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return ast.Call(ast.Name(_CALL, ast.Load()), [node.func, *node.args], node.keywords)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return ast.BinOp(_operand(node.left), node.op, _operand(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return ast.UnaryOp(node.op, _operand(node.operand))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            return node
        sides = [_checked(_PLAIN, side, _COMPARISON) for side in (node.left, *node.comparators)]
        return ast.Compare(sides[0], node.ops, sides[1:])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        # The last operand is the result and is not asked for its truth.
        return ast.BoolOp(node.op, [*map(_truth, node.values[:-1]), node.values[-1]])

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        return ast.IfExp(_truth(node.test), node.body, node.orelse)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        key = node.slice if isinstance(node.slice, ast.Slice | ast.Tuple) else _checked(_PLAIN, node.slice, "an index")
        return ast.Subscript(_checked(_PLAIN, node.value, "an index"), key, ast.Load())

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        self.generic_visit(node)
        parts = (node.lower, node.upper, node.step)
        return ast.Slice(*(None if part is None else _checked(_PLAIN, part, "an index") for part in parts))

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        self.generic_visit(node)
        return ast.Starred(_checked(_PLAIN, node.value, "iteration"), ast.Load())

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        self.generic_visit(node)
        return ast.FormattedValue(_checked(_PLAIN, node.value, _FORMATTING), node.conversion, node.format_spec)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.iter = _checked(_PLAIN, node.iter, "iteration")
        node.ifs = [_truth(test) for test in node.ifs]
        return node


def _operand(value: ast.expr) -> ast.expr:
    return _checked(_PLAIN, value, "an operator")


def _truth(value: ast.expr) -> ast.expr:
    return _checked(_PLAIN, value, "a truth test")


def _checked(checker: str, value: ast.expr, detail: str) -> ast.expr:
    return ast.Call(ast.Name(checker, ast.Load()), [value, ast.Constant(detail)], [])


def _is_plain_attribute(value: object, name: str) -> bool:
    """Tell whether reading the attribute of a recording object only fetches what is stored."""
    if name in ("__class__", "__dict__"):
        return True
    marker = object()
    on_type = inspect.getattr_static(type(value), name, marker)
    # A data descriptor, such as a property, wins over what the instance stores and may do anything.
    if on_type is not marker:
        return not hasattr(type(on_type), "__set__") and name in vars(value)
    return name in vars(value)


def _refuse_change(function: Value, name: str) -> None:
    """Refuse a built-in function that acts, and a method that changes the built-in container it is called on."""
    owner = getattr(function, "__self__", None)
    if isinstance(function, BuiltinFunctionType) and isinstance(owner, ModuleType):
        acts = owner.__name__ in _ACTING_MODULES or _in(function, vars(builtins).values())
        if acts and not _in(function, _LOOKING) and not _in(function, _CARRYING):
            raise WatchRefusedError(f"{name}() may change something")
    elif owner is not None and isinstance(function, BuiltinFunctionType | MethodType):
        in_place = name.endswith("_") and not name.endswith("__")
        on_container = isinstance(owner, _CONTAINERS) or isinstance(function, BuiltinFunctionType)
        if on_container and (name in _MUTATORS or in_place):
            raise WatchRefusedError(f"{name}() changes what it is called on")


def _in(function: Value, group: Iterable[Value]) -> bool:
    # By identity: an arbitrary callable may not be hashable, and comparing it may run its own code.
    return any(function is one for one in group)
