"""The verified recipes of a model together: a tracer to run, and the source changes as a unified diff."""

import ast
import difflib

from torch import nn

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.collect import Found
from fxanchor.model.blockers.patching import Edit
from fxanchor.model.positions import Locator
from fxanchor.model.report import Blocker
from fxanchor.model.syntax import parse_source


def fix_text(found: Found, target: str, root: nn.Module) -> str:
    """A Python file with a custom tracer that captures the model, as far as there are recipes; "" when there are none.

    Args:
        found: What a search for blockers found.
        target: Name or expression of the model.
        root: The model.
    """
    attempt = found.fix
    if attempt is None:
        return ""
    said = _conditions(found, attempt)
    lines = (
        [f'"""{_title(found, target)}', "", *_safe(said), '"""', ""] if said else [f'"""{_title(found, target)}"""', ""]
    )
    lines += ["import sys", ""] if _globals_needed(attempt) else []
    lines += ["import torch", "import torch.fx", "", ""]
    if attempt.substitute is not None and attempt.substitute.before:
        lines += [*attempt.substitute.before.rstrip().split("\n"), "", ""]
    lines += [*_tracer(attempt), "", "", "def capture(model):", '    """Return the GraphModule of the model."""']
    lines += _preparation(attempt, root)
    lines.append("    tracer = ModelTracer()")
    traced = "model" if attempt.substitute is None else attempt.substitute.code
    concrete = f", concrete_args={dict(attempt.concrete)!r}" if attempt.concrete else ""
    lines.append(f"    graph = tracer.trace({traced}{concrete})")
    lines.append("    return torch.fx.GraphModule(tracer.root, graph)")
    return "\n".join(lines) + "\n"


def _title(found: Found, target: str) -> str:
    if found.fixed is not None:
        return f"Captures {target} with torch.fx; written by fxanchor, tried on the model."
    return f"Takes torch.fx past some blockers of {target}, not past all; written by fxanchor."


def _conditions(found: Found, attempt: Attempt) -> list[str]:
    """What this file cannot do by itself, one sentence each."""
    said = [_still(blocker) for blocker in found.still]
    if any(edit.text for edit in attempt.edits):
        said.append("It needs the changes of the source that `fxanchor trace --diff` prints.")
    if any(not registration.code for registration in attempt.registrations):
        names = ", ".join(f"self.{one.name}" for one in attempt.registrations if not one.code)
        said.append(f"It needs modules that __init__ makes: {names}.")
    return said


def _still(blocker: Blocker) -> str:
    return f"No verified recipe: {blocker.file}:{blocker.line} {blocker.expression} ({blocker.kind})."


def _safe(sentences: list[str]) -> list[str]:
    """Sentences that may hold source text, as lines of a docstring."""
    return [sentence.replace("\\", "\\\\").replace('"""', "'''") for sentence in sentences]


def _globals_needed(attempt: Attempt) -> bool:
    return bool(_wrap_names(attempt)) or any("scope" in one.code for one in attempt.registrations)


def _wrap_names(attempt: Attempt) -> dict[tuple[str, str], None]:
    """Module and name of the functions to wrap; those that an edit of the source brings are wrapped by the diff."""
    brought = {name for edit in attempt.edits for name in edit.scope}
    names = ((str(wrap.scope.get("__name__", "")), wrap.name) for wrap in attempt.wraps if wrap.name not in brought)
    return dict.fromkeys(names)


def _preparation(attempt: Attempt, root: nn.Module) -> list[str]:
    """The statements that make the model ready to be traced."""
    lines: list[str] = []
    for module, name in _wrap_names(attempt):
        lines.append("    # torch.fx.wrap works on the globals of the module that calls it.")
        lines.append(f"    exec('import torch.fx; torch.fx.wrap(\"{name}\")', vars(sys.modules[{module!r}]))")
    paths = {id(module): path for path, module in root.named_modules()}
    for one in attempt.registrations:
        if not one.code:
            continue
        lines.append(f"    owner = model.get_submodule({paths.get(id(one.owner), '')!r})")
        if "scope" in one.code:
            lines.append("    scope = vars(sys.modules[type(owner).__module__])")
        lines.append(f"    owner.{one.name} = {one.code}")
    return lines


def _tracer(attempt: Attempt) -> list[str]:
    names = sorted({cls.__name__ for cls in attempt.leaf_classes})
    lines = ["class ModelTracer(torch.fx.Tracer):", '    """Captures what torch.fx.Tracer alone does not."""', ""]
    if attempt.proxy_buffers:
        lines += ["    proxy_buffer_attributes = True", ""]
    if names:
        lines += [f"    leaf_classes = {names!r}", ""]
        lines += ["    def is_leaf_module(self, m, module_qualified_name):"]
        lines += ["        leaf = type(m).__name__ in self.leaf_classes"]
        lines += ["        return leaf or super().is_leaf_module(m, module_qualified_name)", ""]
    return lines[:-1]


def source_diff(found: Found, locator: Locator) -> str:
    """The source changes of the verified recipes as a unified diff, "" when there are none.

    Blockers that they leave are named in lines above the diff, which `patch` and `git apply` skip.

    Args:
        found: What a search for blockers found.
        locator: Reads sources.
    """
    attempt = found.fix
    if attempt is None:
        return ""
    parts: list[str] = []
    for filename in dict.fromkeys(edit.filename for edit in attempt.edits if edit.text):
        before = locator.sources.lines(filename)
        after = changed_lines(before, [e for e in attempt.edits if e.filename == filename and e.text])
        shown = locator.places.shown(filename)
        parts += difflib.unified_diff(before, after, f"a/{shown}", f"b/{shown}")
    text = "".join(parts)
    return "".join(f"# {_still(blocker)}\n" for blocker in found.still) + text if text else ""


def changed_lines(before: list[str], edits: list[Edit]) -> list[str]:
    """The lines of a file with edits made in it, the last one first so that positions stay right."""
    lines = list(before)
    for edit in sorted(edits, key=lambda e: (e.range[0], e.range[2]), reverse=True):
        first, last, start, end = edit.range
        head = lines[first - 1].encode()[:start].decode()
        tail = lines[last - 1].encode()[end:].decode()
        indent = " " * (len(head) - len(head.lstrip())) if edit.statement else ""
        text = edit.text.replace("\n", "\n" + indent)
        lines[first - 1 : last] = (head + text + tail).splitlines(keepends=True)
    added = dict.fromkeys(text for edit in edits for text in _top_lines(edit))
    imports = "import torch\n" if any("torch" in edit.scope for edit in edits) else ""
    return _behind_imports(lines, imports, "".join(f"\n\n{text}" for text in added))


def _top_lines(edit: Edit) -> list[str]:
    """What an edit adds at the top of its file: the functions it calls, recorded as they are."""
    wraps = "".join(f'torch.fx.wrap("{name}")\n' for name in edit.scope if name != "torch")
    return [f"{edit.before.strip()}\n\n\n{wraps}"] if edit.before else []


def _behind_imports(lines: list[str], imports: str, block: str) -> list[str]:
    """Put an import and functions behind the imports that a file begins with."""
    last = 0
    for statement in parse_source("".join(lines)).body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not docstring and not isinstance(statement, ast.Import | ast.ImportFrom):
            break
        last = statement.end_lineno or last
    added = (imports + block).splitlines(keepends=True)
    return [*lines[:last], *added, *lines[last:]]
