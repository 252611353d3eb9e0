"""The lines of a definition that matter: the cases say which, and whatever is shown reads as Python."""

import ast
from pathlib import Path

import pytest
from helpers.cases import CASES

from fxanchor.sheet.study.excerpt import excerpt
from fxanchor.source.index import Index, open_index

FILES = sorted((CASES / "sheet" / "excerpt").glob("*.txt"))
SHOWN = 25


def indexed(source: str, folder: Path) -> Index:
    (folder / "sample.py").write_text(source, encoding="utf-8")
    return open_index(["sample"], source=folder)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_case(file: Path, tmp_path: Path) -> None:
    source, _, expected = file.read_text(encoding="utf-8").partition("====\n")
    index = indexed(source, tmp_path)
    definition = next(each for each in index.defined_in("sample.py") if each.parent == "sample")
    stops = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# STOP")]
    shown = excerpt(definition, index, stops)
    assert shown is not None
    assert shown.code == expected.rstrip("\n")
    assert (shown.line, shown.end_line) == (definition.line, definition.end_line)


@pytest.fixture(scope="module")
def package() -> Index:
    return open_index(["torch.fx"])


def test_an_excerpt_of_anything_reads_as_python_and_is_short(package: Index) -> None:
    seen = 0
    for file in package.files():
        for definition in package.defined_in(file):
            shown = excerpt(definition, package, [definition.line + 9, definition.end_line - 3])
            if shown is None:
                continue
            seen += 1
            # A long signature is cut behind its parenthesis.
            ast.parse(shown.code.replace("(...):", "():"))
            signature = shown.code.partition(":\n")[0].count("\n")
            assert len(shown.code.splitlines()) <= max(SHOWN, signature) + 2, definition.name
    assert seen > 1000


def test_every_line_of_it_is_a_line_of_the_definition(package: Index) -> None:
    """What ends in an ellipsis is the beginning of one."""
    for name in ("torch.fx.graph.Graph", "torch.fx.node.Node", "torch.fx.proxy.TracerBase.create_arg"):
        definition = package.get(name)
        assert definition is not None
        shown = excerpt(definition, package, [])
        assert shown is not None
        lines = {line.strip() for line in package.source(definition).splitlines()} | {"@property", "@classmethod"}
        for line in filter(None, (line.strip() for line in shown.code.splitlines())):
            begin = line.partition("...")[0].rstrip()
            assert line in lines or any(one.startswith(begin) for one in lines), line


def test_a_module_has_no_excerpt(package: Index) -> None:
    module = package.get("torch.fx.graph")
    assert module is not None
    assert excerpt(module, package, []) is None
