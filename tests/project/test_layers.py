"""Imports point down only, and what is heavy is imported by the function that needs it."""

from pathlib import Path

import pytest
from helpers.project import PACKAGE, imports, module_name, sources

# A layer may import the layers with a smaller number, and itself.
LAYERS = {
    "paper": 1,
    "source": 1,
    "concepts": 2,
    "model": 3,
    "breakpoints": 4,
    "checking": 5,
    "labs": 5,
    "sheet": 6,
    "cli": 7,
}
# Within `paper/` each folder may import those before it, and the data classes; `parse.py` puts them together.
STEPS_OF_READING = ("pdf", "page", "words", "sections", "parts", "text")
HEAVY = {"torch", "torchvision", "numpy", "pypdf", "pypdfium2", "pygments", "rich", "cryptography"}
MAY_IMPORT_TORCH = {"model", "labs"}


def layer(name: str) -> str:
    """Return the layer of a dotted name: its sub-package, or "" for what lies below them all."""
    parts = name.split(".")
    return parts[1] if parts[0] == "fxanchor" and len(parts) > 1 and parts[1] in LAYERS else ""


def top(name: str) -> str:
    return name.partition(".")[0]


def rank(name: str) -> int:
    return LAYERS.get(layer(name), 0)


def allowed(importer: str, imported: str) -> bool:
    if top(imported) != "fxanchor" or importer == "fxanchor.__main__":
        return True
    return layer(importer) == layer(imported) or rank(imported) < rank(importer)


@pytest.mark.parametrize(
    ("importer", "imported", "expected"),
    [
        ("fxanchor.cli.map", "fxanchor.sheet.mapping", True),
        ("fxanchor.sheet.mapping", "fxanchor.cli.map", False),
        ("fxanchor.paper.read", "fxanchor.source.locate", False),
        ("fxanchor.source.locate", "fxanchor.paper.read", False),
        ("fxanchor.concepts.link", "fxanchor.source.index", True),
        ("fxanchor.model.load", "fxanchor.breakpoints.prove", False),
        ("fxanchor.cache", "fxanchor.paper.read", False),
        ("fxanchor.paper.read", "fxanchor.cache", True),
    ],
)
def test_the_rule_itself(importer: str, imported: str, expected: bool) -> None:
    assert allowed(importer, imported) is expected


def test_every_sub_package_is_a_layer() -> None:
    assert {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()} == set(LAYERS)


def test_imports_point_down() -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} imports {imported}"
        for file in sources()
        for imported, line, _ in imports(file)
        if not allowed(module_name(file), imported)
    ]
    assert wrong == []


def test_the_steps_of_reading_follow_each_other() -> None:
    assert {folder.parent.name for folder in (PACKAGE / "paper").glob("*/__init__.py")} == set(STEPS_OF_READING)
    wrong = []
    for at, step in enumerate(STEPS_OF_READING):
        known = {"document", *STEPS_OF_READING[: at + 1]}
        for file in (PACKAGE / "paper" / step).glob("*.py"):
            wrong += [
                f"{step}/{file.name}:{line} imports {imported}"
                for imported, line, _ in imports(file)
                if imported.startswith("fxanchor.paper.") and imported.split(".")[2] not in known
            ]
    assert wrong == []


def test_heavy_imports_are_deferred() -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} imports {imported} at its top"
        for file in sources()
        for imported, line, at_import in imports(file)
        if at_import and top(imported) in HEAVY and not _may(file, imported)
    ]
    assert wrong == []


def _may(file: Path, imported: str) -> bool:
    """Tell whether a file may import this when it is itself imported: torch, in what only child processes load."""
    return top(imported) == "torch" and layer(module_name(file)) in MAY_IMPORT_TORCH


def test_typer_stays_in_the_command_line() -> None:
    wrong = [
        str(file.relative_to(PACKAGE))
        for file in sources()
        if layer(module_name(file)) != "cli" and any(top(name) == "typer" for name, _, _ in imports(file))
    ]
    assert wrong == []
