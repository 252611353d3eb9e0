"""The verified recipes of a model together: a tracer to run, and the source changes as a unified diff."""

import difflib

from fxanchor.model.blockers.attempt import Attempt
from fxanchor.model.blockers.collect import Found
from fxanchor.model.blockers.patching import Edit
from fxanchor.model.positions import Locator


def fix_text(found: Found, target: str) -> str:
    """A Python file with a custom tracer that captures the model, "" when the recipes do not.

    Args:
        found: What a search for blockers found.
        target: Name or expression of the model.
    """
    attempt = found.fix
    if attempt is None or found.fixed is None:
        return ""
    lines = [f'"""Captures {target} with torch.fx; written by fxanchor, tried on the model."""', "", "import torch"]
    lines += ["import torch.fx", "", ""]
    lines += _tracer(attempt)
    lines += ["", "", "def capture(model):", '    """Return the GraphModule of the model."""']
    lines += [f"    # In {edit_place(edit)}: {edit.text}" for edit in attempt.edits if edit.text]
    lines += [f"    # At the top level of the model's file: torch.fx.wrap({wrap.name!r})" for wrap in attempt.wraps]
    for registration in attempt.registrations:
        lines.append(f"    # In {type(registration.owner).__name__}.__init__: register {registration.name}")
    if attempt.substitute is not None:
        lines.append("    # Trace what the recipe says instead of the model itself")
    lines += [
        "    tracer = ModelTracer()",
        f"    graph = tracer.trace(model, concrete_args={dict(attempt.concrete)!r})",
    ]
    lines += ["    return torch.fx.GraphModule(tracer.root, graph)"]
    return "\n".join(lines) + "\n"


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


def edit_place(edit: Edit) -> str:
    """Where an edit is, in words."""
    return f"line {edit.range[0]}"


def source_diff(found: Found, locator: Locator) -> str:
    """The source changes of the verified recipes as a unified diff, "" when there are none.

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
    return "".join(parts)


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
    top = [text for edit in edits for text in _top_lines(edit)]
    return [*_after_docstring(lines, list(dict.fromkeys(top)))]


def _top_lines(edit: Edit) -> list[str]:
    return [edit.before] if edit.before else []


def _after_docstring(lines: list[str], added: list[str]) -> list[str]:
    """Put helper functions behind the imports at the top of a file."""
    if not added:
        return lines
    last = 0
    for number, line in enumerate(lines):
        if line.startswith(("import ", "from ")):
            last = number + 1
    block = "".join(f"\n\n{text}" for text in added)
    return [*lines[:last], *block.splitlines(keepends=True), *lines[last:]]
