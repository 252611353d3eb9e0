"""The data classes that the record of a transform is handed on in."""

from dataclasses import dataclass, field
from typing import Literal

from fxanchor.model.report import Trigger

ChangeKind = Literal["added", "removed", "retargeted", "rewired", "moved"]
InPlace = Literal[
    "new module, input as it was", "new module, and the input edited too", "input edited in place", "input as it was"
]


@dataclass(frozen=True, slots=True)
class Change:
    """What a stage did to one node.

    Attributes:
        kind: `retargeted` when it computes something else now, `rewired` when it only reads other arguments, `moved`
            when it only stands elsewhere in the order.
        name: Its name after the stage; for `removed`, before.
        before: The node as text before the stage, "" for `added`.
        after: The node as text after it, "" for `removed`.
        trigger: The user's expression that it came from; for an added node, that of the node it stands for.
        made_at: The expression of the pass that made or changed it, or None when not known.
    """

    kind: ChangeKind
    name: str
    before: str
    after: str
    trigger: Trigger | None
    made_at: Trigger | None


@dataclass(frozen=True, slots=True)
class Failure:
    """What broke a stage.

    Attributes:
        doing: What was being done: `importing the pass`, `running the pass`, `running the module it made`.
        message: The exception in one line.
        node: The node that was worked on, as text; "" when not known.
        trigger: The user's expression that the node came from.
        at: The line of the pass.
    """

    doing: str
    message: str
    node: str = ""
    trigger: Trigger | None = None
    at: Trigger | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far the results are from those of the model, on the same inputs.

    Attributes:
        absolute: Greatest absolute difference.
        relative: Greatest difference relative to the model's own value, where that is not zero.
        tolerance: What was allowed.
        within: Whether every value is within the tolerance, absolute plus relative.
        problem: Why they cannot be compared (another structure, shape or type), "" when they can.
    """

    absolute: float
    relative: float
    tolerance: float
    within: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StateChange:
    """A parameter, buffer or module that a stage added, lost or changed.

    Attributes:
        what: What it is.
        kind: What happened.
        name: Its path.
        detail: Shape and data type, or class; for `changed` before and after, or the greatest difference.
    """

    what: Literal["parameter", "buffer", "module"]
    kind: Literal["added", "lost", "changed"]
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Stage:
    """What one pass did.

    Attributes:
        name: The pass as it was asked for.
        kind: What sort of pass it is, in words.
        failure: What broke it, or None.
        changes: What it did to the graph, in the order of the graph.
        nodes_before: Number of nodes before.
        nodes_after: Number of nodes after; 0 when it made none.
        code_before: Generated code before.
        code_after: Generated code after.
        stale: Whether it edited the graph and left the old code running.
        lint: What `Graph.lint` complains of, "" when of nothing.
        dead: Names of nodes whose result nobody reads.
        state: Parameters, buffers and modules added, lost or changed.
        in_place: What became of its input.
        comparison: Against the model, or None without inputs.
    """

    name: str
    kind: str
    failure: Failure | None = None
    changes: tuple[Change, ...] = ()
    nodes_before: int = 0
    nodes_after: int = 0
    code_before: str = ""
    code_after: str = ""
    stale: bool = False
    lint: str = ""
    dead: tuple[str, ...] = ()
    state: tuple[StateChange, ...] = ()
    in_place: InPlace | None = None
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A node that a pattern takes, or just misses.

    Attributes:
        name: Its name.
        op: Its opcode.
        target: Its target in words; for a module call, its class behind the path.
        trigger: The user's expression.
        taken: Whether the pattern takes it; a near miss is the same operation in another spelling.
    """

    name: str
    op: str
    target: str
    trigger: Trigger | None
    taken: bool


@dataclass(frozen=True, slots=True)
class TransformReport:
    """What a pipeline of passes did to a model.

    Attributes:
        file: The model file as given.
        target: Name or expression of the model.
        built_by: How it was built, in words.
        stages: The passes in order, up to the first that broke.
        not_run: Passes behind a broken one.
        matches: For a pattern that was asked for: what it takes and what it just misses.
        code: The code in the end, each line with the expression it came from as a comment.
        notes: What else the user must know, one sentence each.
    """

    file: str
    target: str
    built_by: str
    stages: tuple[Stage, ...]
    not_run: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    code: str = ""
    notes: tuple[str, ...] = field(default=())
