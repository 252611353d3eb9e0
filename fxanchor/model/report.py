"""The data classes that a capture is handed on in; their fields are those of the JSON contract."""

from dataclasses import dataclass, field
from typing import Literal

Rung = Literal["symbolic_trace", "export", "eager", "none"]
Mechanism = Literal[
    "argument",
    "leaf module called",
    "module opened",
    "__torch_function__",
    "operator on a proxy",
    "method on a proxy",
    "attribute of a proxy",
    "parameter read",
    "buffer read",
    "wrapped function",
    "constant",
    "return value",
    "recorded call",
]


@dataclass(frozen=True, slots=True)
class Trigger:
    """The expression in the user's model that caused a mechanism to run.

    Attributes:
        file: Path relative to the working directory, or to the site directory for library code.
        line: 1-based first line.
        end_line: 1-based last line.
        col: 0-based first column, in characters.
        end_col: 0-based column behind the last character, on `end_line`.
        expression: The source text, on one line; of a call in a chain of several lines, which is placed at its own
            line, with what it is called on.
    """

    file: str
    line: int
    end_line: int
    col: int
    end_col: int
    expression: str


@dataclass(frozen=True, slots=True)
class NodeRow:
    """One captured operation.

    Attributes:
        name: Unique name in the graph.
        op: The opcode: `placeholder`, `call_module`, ...
        target: The target in words (`torch.relu`, `operator.add`, `layer1.0.conv1`).
        mechanism: Which mechanism of the capture recorded it.
        trigger: The user's expression, or None where no line of the user's is the cause.
        module_path: Path of the module whose forward was running, "" for the root.
        shape: Shape of the result, or None when unknown.
        dtype: Data type of the result such as `float32`, or "" when unknown.
        stack: The frames outside torch, the user's and those of libraries, the outermost first.
        inputs: Names of the nodes whose values it reads, in order, without repeats.
    """

    name: str
    op: str
    target: str
    mechanism: Mechanism
    trigger: Trigger | None
    module_path: str = ""
    shape: tuple[int | str, ...] | None = None
    dtype: str = ""
    stack: tuple[Trigger, ...] = ()
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RaisedAt:
    """Who raised: the function and line, in torch, a library, or the user's own file."""

    symbol: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way past a blocker.

    Attributes:
        title: What it does, in a few words.
        change: Code to paste.
        verified: Whether it was tried and let the capture pass this blocker.
        nodes: Number of nodes captured with it, 0 when it was not tried.
        stops_at: Where the capture with it stops next, as `net.py:7`; "" when it comes to its end, or was not tried.
        behind_others: Whether what stopped the capture before this blocker was passed too when it was tried.
    """

    title: str
    change: str
    verified: bool
    nodes: int
    stops_at: str = ""
    behind_others: bool = False


@dataclass(frozen=True, slots=True)
class Blocker:
    """A place in the user's model that a capture cannot pass.

    Attributes:
        kind: Short name of the kind of failure, such as `control-flow`, `len`, `item-assignment`.
        file: As in `Trigger`.
        line: 1-based.
        col: 0-based.
        end_col: 0-based.
        expression: The source text.
        message: First line of the exception.
        raised_at: Who raised.
        explanation: Why, in plain words.
        cause: The root cause where it is on another line than the expression.
        recipes: Ways past it.
        silent: True when nothing raises and the graph is wrong.
    """

    kind: str
    file: str
    line: int
    col: int
    end_col: int
    expression: str
    message: str
    raised_at: RaisedAt | None
    explanation: str
    cause: Trigger | None = None
    recipes: tuple[Recipe, ...] = ()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One rung tried: whether it captured the model, why not, and which blocker (an index) stopped it."""

    rung: Rung
    ok: bool
    reason: str = ""
    blocker: int | None = None


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """One module that a symbolic trace called.

    Attributes:
        path: Its path, "" for the root.
        type: Name of its class.
        opened: Whether the trace went into it; else it is a leaf.
        calls: How often it was called.
        parameters: Number of values in its parameters, those of its submodules included.
        trigger: Where it was first called, or None.
    """

    path: str
    type: str
    opened: bool
    calls: int
    parameters: int
    trigger: Trigger | None = None


@dataclass(frozen=True, slots=True)
class Capture:
    """What became of capturing a model.

    Attributes:
        file: The model file as given, relative to the working directory.
        target: Name or expression of the model.
        built_by: How it was built, in words (`Net()`, `GPT(GPTConfig()), as at line 330`).
        ok: Whether some rung captured it.
        rung: Which.
        steps: The rungs tried, in order.
        nodes: The operations, in order.
        blockers: What stopped a rung, and silent wrongs, in order.
        code: The generated code, "" when the rung makes none.
        notes: What else the user must know, one sentence each.
        printed: What the model printed, cut to a bound.
        modules: The modules that `symbolic_trace` called, in order.
        fix: A tracer with the verified recipes, whose docstring names the blockers it leaves; "" without such recipes.
        diff: The source changes among them as a unified diff, "" when there are none.
    """

    file: str
    target: str
    built_by: str
    ok: bool
    rung: Rung
    steps: tuple[Step, ...]
    nodes: tuple[NodeRow, ...]
    blockers: tuple[Blocker, ...] = ()
    code: str = ""
    notes: tuple[str, ...] = field(default=())
    printed: str = ""
    modules: tuple[ModuleRow, ...] = ()
    fix: str = ""
    diff: str = ""
