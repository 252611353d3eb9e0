"""Run the code blocks of a text in a hardened child process, and judge what came of each."""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fxanchor.checking.child import PHASE
from fxanchor.checking.codeblocks import Block
from fxanchor.checking.library import Library
from fxanchor.checking.reference import Reference, Text, Verdict
from fxanchor.checking.vocabulary import vocabulary
from fxanchor.model.syntax import parse_source
from fxanchor.progress import Progress, silent

_MEMORY_BYTES = 4 * 2**30
_MOST_DEATHS = 3
_NEAR = 250
# What says that code is meant to fail, in the prose around it or in its comments.
_MEANT_TO_FAIL = re.compile(
    r"报错|抛出|错误|失败|异常|崩溃|不能运行"
    r"|\b(?:rais(?:e|es|ed|ing)|errors?|fails?|failed|exceptions?|traceback|throws?|crash(?:es)?"
    r"|does not work|doesn't work|won't work|wrong|invalid|illegal)\b",
    re.I,
)
# What says nothing about the text: it is about the machine, the reader's data, or somebody to answer a question.
_OF_THE_MACHINE = vocabulary("errors_of_the_machine")
_DEVICE = re.compile(r"\b(?:CUDA|cuda|NVIDIA|GPU|MPS|XPU|HIP|driver|compiler|gcc|g\+\+|network|certificate|download)\b")


@dataclass(frozen=True, slots=True)
class End:
    """How a block ended.

    Attributes:
        error: Name of the exception's class, `died` when the process ended, or "" when the block ran.
        message: The first line of its message.
        name: What a `NameError` or an `ImportError` is about.
        line: 1-based line of the block that raised; 0 when unknown.
    """

    error: str
    message: str = ""
    name: str = ""
    line: int = 0


def check_runs(
    text: Text, blocks: Sequence[Block], library: Library, *, seconds: float, progress: Progress = silent
) -> Iterator[Reference]:
    """Run the blocks of a text in order and judge each.

    Args:
        text: The text.
        blocks: Its blocks; those that are no Python are left out.
        library: The packages.
        seconds: Wall-clock limit of one block.
        progress: Told which block runs.
    """
    wanted = [block for block in blocks if block.source.strip() and (block.certain or _does_something(block.source))]
    ends = run_blocks([block.source for block in wanted], seconds=seconds, progress=progress)
    bound = [_bound(block.source) for block in wanted]
    failed: set[str] = set()
    for number, (block, end) in enumerate(zip(wanted, ends, strict=True)):
        later = {name for names in bound[number + 1 :] for name in names}
        verdict, evidence = _judged(text, block, end, failed, later, library)
        if end.error:
            failed |= bound[number]
        yield Reference("code", block.region.start, block.region.end, "code block", verdict, evidence)


def run_blocks(sources: Sequence[str], *, seconds: float, progress: Progress = silent) -> list[End]:
    """Run blocks of code in one namespace in a child process; return how each ended.

    Args:
        sources: The blocks.
        seconds: Wall-clock limit of one block.
        progress: Told which block runs.
    """
    from fxanchor.model.process import run_child

    ends: dict[int, End] = {}
    for _ in range(_MOST_DEATHS + 1):
        todo = [
            {"number": n, "code": code} for n, code in enumerate(sources, 1) if ends.get(n, End("")).error != "died"
        ]
        if not todo:
            break
        result = run_child(
            "fxanchor.checking.child:run",
            {"blocks": todo, "seconds": seconds},
            seconds=seconds * (len(todo) + 1),
            memory_bytes=_MEMORY_BYTES,
            progress=progress,
        )
        if result.value is not None:
            ends |= {int(end["number"]): _end(end) for end in result.value["ends"]}
            break
        number = result.phase.removeprefix(PHASE)
        if not number.isdigit():
            return [End("died", result.end)] * len(sources)
        # Which block ended the process is known; the others run again without it.
        ends[int(number)] = End("died", result.end)
    return [ends.get(number, End("died", "it was not run")) for number in range(1, len(sources) + 1)]


def _end(value: Mapping[str, Any]) -> End:
    return End(str(value["error"]), str(value["message"]), str(value["name"]), int(value["line"]))


def _judged(
    text: Text, block: Block, end: End, failed: set[str], later: set[str], library: Library
) -> tuple[Verdict, str]:
    if not end.error:
        return "right", "it runs"
    where = f" in line {text.position(block.region.start)[0] + end.line - 1}" if end.line else ""
    said = f"it raises {end.error}: {end.message}{where}"
    if end.error == "died":
        return "cannot tell", f"it ends its process ({end.message})"
    meant = _is_meant(text, block, end)
    if meant:
        return meant, f"{said}; the text speaks of a failure"
    if end.error in _OF_THE_MACHINE or _DEVICE.search(end.message):
        return "cannot tell", f"not on this machine: {said}"
    reads = _read(block.source)
    if end.error in ("ImportError", "ModuleNotFoundError"):
        if end.name and library.names.covers(end.name):
            return "wrong", said
        return "cannot tell", f"it needs what is not installed: {said}"
    if end.error in ("NameError", "UnboundLocalError") and not hasattr(builtins, end.name):
        if end.name not in later | failed:
            return "cannot tell", f"it needs {end.name}, which the text does not define"
        return "cannot tell", f"it needs {end.name}, which no block before it could set"
    if failed & reads:
        return "cannot tell", f"{said}; a block that it builds on did not run"
    return "wrong", said


def _is_meant(text: Text, block: Block, end: End) -> Verdict | None:
    """Return `right` when the text names the exception or marks the code as failing, None when it is silent."""
    before = text.plain[max(0, block.region.start - _NEAR) : block.region.start]
    after = text.plain[block.region.end : block.region.end + _NEAR]
    comments = "\n".join(re.findall(r"#.*", block.source))
    if end.error in f"{before}{comments}{after}" or _MEANT_TO_FAIL.search(comments):
        return "right"
    return "cannot tell" if _MEANT_TO_FAIL.search(f"{before}\n{after}") else None


def _does_something(source: str) -> bool:
    """Tell whether code is more than a value that was printed."""
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.Call)
    return any(isinstance(node, kinds) for node in ast.walk(parse_source(source)))


def _bound(source: str) -> set[str]:
    """Return the names that a block binds at its top."""
    names: set[str] = set()
    for node in ast.walk(parse_source(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=given):
                names.add(given or name.partition(".")[0])
    return names


def _read(source: str) -> set[str]:
    return {node.id for node in ast.walk(parse_source(source)) if isinstance(node, ast.Name)}
