"""What no file of the repository may contain, and how long a file may be."""

import ast
import re
from importlib.metadata import distribution
from pathlib import Path
from typing import get_args

import pytest
from helpers.project import PACKAGE, ROOT, module_name, sources, tracked, tree

from fxanchor.model.report import Mechanism, Rung

LONGEST = 400
# Spelt in pieces, so that this file does not contain what it looks for.
MACHINE = re.compile(rb"/(?:ro" rb"ot|wo" rb"rk)/|/opt/(?:wh" rb"eels|py" rb"pi)|\.py" rb"env/")
KNOWS_TORCH = ("fxanchor.labs", "fxanchor.model")


@pytest.mark.parametrize("folder", ["fxanchor", "tests"])
def test_no_file_is_too_long(folder: str) -> None:
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in sources(ROOT / folder)
        if "cases" not in file.parts
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_every_file_says_what_it_does_in_its_first_line() -> None:
    def first_line(file: ast.Module) -> str:
        return (ast.get_docstring(file) or "").partition("\n")[0]

    silent = [str(file.relative_to(ROOT)) for file in sources() if file.stat().st_size and not first_line(tree(file))]
    assert silent == []


def test_no_tracked_file_names_a_machine() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {match.group().decode()}"
        for file in tracked()
        for match in [MACHINE.search(file.read_bytes())]
        if match
    ]
    assert found == []


def _core_names() -> frozenset[str]:
    """Return the names of torch.fx that could stand nowhere by chance: compound ones, from the core's syntax trees."""
    folder = Path(str(distribution("torch").locate_file("torch/fx")))
    names: set[str] = set()
    for stem in ("_symbolic_trace", "proxy", "graph", "node", "graph_module", "interpreter", "subgraph_rewriter"):
        file = ast.parse((folder / f"{stem}.py").read_text(encoding="utf-8"))
        names |= {node.name for node in ast.walk(file) if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    return frozenset(name for name in names if re.fullmatch(r"[a-z]+(_[a-z]+)+|([A-Z][a-z]+){2,}", name)) | {"Proxy"}


def torch_names(code: ast.Module, names: frozenset[str]) -> list[tuple[int, str]]:
    """Return the string constants that spell a name of torch.fx, dotted or bare, with their lines.

    Prose is exempt, so help texts and docstrings may speak of an example; so are the words that a capture reports in.
    """
    words = {*get_args(Rung), *get_args(Mechanism), "placeholder", "get_attr", "call_function", "call_method"}
    words |= {"call_module", "output"}
    found = []
    for node in ast.walk(code):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in words:
            dotted = re.fullmatch(r"\w+(?:\.(?:\w+|<locals>))*", node.value)
            if dotted and (node.value.startswith("torch.fx.") or names & set(node.value.split("."))):
                found.append((node.lineno, node.value))
    return found


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 'torch.fx.graph.Graph'", ["torch.fx.graph.Graph"]),
        ("x = 'TracerBase.create_proxy'", ["TracerBase.create_proxy"]),
        ("if name == 'GraphModule': pass", ["GraphModule"]),
        ("option(help='Such as `create_proxy`.')", []),
        ("shape = {'call_module': '[['}[op]", []),
        ("x = 'run'", []),
    ],
)
def test_the_rule_about_names_itself(code: str, expected: list[str]) -> None:
    assert [name for _, name in torch_names(ast.parse(code), _core_names())] == expected


def test_only_the_catalogue_the_labs_and_the_model_know_names_of_torch() -> None:
    names = _core_names()
    found = [
        f"{file.relative_to(PACKAGE)}:{line} {name}"
        for file in sources()
        if not module_name(file).startswith(KNOWS_TORCH)
        for line, name in torch_names(tree(file), names)
    ]
    assert found == []
