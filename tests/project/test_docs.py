"""The pages say what the program does: commands, options, links and the reference."""

import re
import shlex
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers.project import ROOT
from helpers.reference import Command, commands, reference
from helpers.transcripts import FENCE, made_with, refreshed

PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("papers/*.md")])
COMMANDS = {command.name: command for command in commands()}
GROUPS = {name.partition(" ")[0] for name in COMMANDS if " " in name}


TOLD = [page for page in PAGES if FENCE.search(page.read_text(encoding="utf-8"))]


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def spelled(text: str) -> list[tuple[str, list[str]]]:
    """Return the fxanchor command lines of a page, in fences and in code spans, with the options of each."""
    lines = re.findall(r"^(?:\$ )?fxanchor (.*)$", "\n".join(re.findall(r"^```.*?^```", text, re.M | re.S)), re.M)
    lines += re.findall(r"`fxanchor ([^`]*)`", text)
    found = []
    for line in lines:
        words = shlex.split(line.partition(" #")[0].partition(" | ")[0].replace("'", ""), posix=False)
        if words and words[0][0] != "-":
            options = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
            name = " ".join(words[:2])
            found.append((name if name in COMMANDS else words[0], options))
    return found


def known_options(command: Command) -> set[str]:
    return {name for one in command.parameters if one.is_option for name in one.names} | {"--help"}


def test_command_lines_are_found() -> None:
    text = "Use `fxanchor nothing --at x`.\n```\n$ fxanchor map a.pdf -k b --json  # why\n```\n"
    assert spelled(text) == [("map", ["-k", "--json"]), ("nothing", ["--at"])]


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_commands_that_pages_name_exist(page: Path) -> None:
    wrong = []
    for name, options in spelled(page.read_text(encoding="utf-8")):
        if name in GROUPS and not options:
            continue
        if name not in COMMANDS:
            wrong.append(f"fxanchor {name}")
        else:
            wrong += [f"fxanchor {name} {option}" for option in options if option not in known_options(COMMANDS[name])]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    targets = re.findall(r"\]\((?!https?://|#)([^)#]+)", text)
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_reference_is_in_step() -> None:
    """Run `make docs` when this fails."""
    assert (ROOT / "docs" / "reference.md").read_text(encoding="utf-8") == reference()


def test_the_readme_names_every_command_and_every_target() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [name for name in COMMANDS if f"fxanchor {name}" not in readme]
    assert missing == []
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert [target for target in targets if f"make {target}" not in readme] == []


def test_every_command_and_option_says_what_it_does() -> None:
    silent = [command.name for command in COMMANDS.values() if not command.doc]
    silent += [
        f"{command.name} {one.names[0]}" for command in COMMANDS.values() for one in command.parameters if not one.help
    ]
    assert silent == []


@pytest.mark.parametrize("page", TOLD, ids=page_name)
def test_transcripts_are_what_the_commands_print(page: Path) -> None:
    """Run `make docs` when this fails, and read what has changed."""
    text = page.read_text(encoding="utf-8")
    if made_with(text) != version("torch"):
        pytest.skip(f"the transcripts were made with torch {made_with(text)}")
    assert _steady(refreshed(text)) == _steady(text)


def _steady(page: str) -> str:
    """Return a page without what may differ from machine to machine and from row to row of a table cut short.

    The last places of measured numbers differ between processors, and the width of a column is that of its longest row,
    shown or not.
    """
    return re.sub(r"(?<=\S)[ ─]{2,}|─+", "  ", re.sub(r"\d+\.\d{3,}|\d+(?:\.\d+)?e-\d+", "N", page))


def test_paths_that_the_architecture_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    paths = re.findall(r"`([\w./]+(?:/|\.py|\.toml))`", text)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists() and not (ROOT / "fxanchor" / path).exists()] == []


def test_the_architecture_names_every_layer() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    layers = {file.parent.name for file in (ROOT / "fxanchor").glob("*/__init__.py")}
    assert {name for name in layers if f"| `{name}/` |" not in text} == set()
