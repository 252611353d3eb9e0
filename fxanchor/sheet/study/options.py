"""What can be asked of a study sheet; kept apart so that the command line can name it without loading anything."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Level(StrEnum):
    """How much a sheet teaches: an evening, a week, or everything."""

    intro = "intro"
    engineer = "engineer"
    deep = "deep"


class Language(StrEnum):
    """Language of the sheet's own words."""

    en = "en"
    zh = "zh"


class SheetFormat(StrEnum):
    """What a sheet is written as."""

    markdown = "markdown"
    html = "html"
    notebook = "notebook"
    anki = "anki"


@dataclass(frozen=True, slots=True)
class SheetRequest:
    """What to make a sheet of.

    Attributes:
        paper: A PDF path, `arxiv:ID` or a URL.
        models: Models to trace, as `trace` takes them.
        packages: Packages to link to; the default package when empty.
        source_tree: A directory, wheel or sdist in place of the installed package.
        password: Password of an encrypted PDF.
        level: How many concepts get a card.
        only: Names of concepts to make cards for; all when empty.
        language: Language of the sheet's own words.
        format: What to write it as.
        claims: Whether to list what the paper claims; a deep sheet always does.
        labs: Whether to run experiments.
        args: Arguments of the models' constructors, as `trace` takes them; so are `config` and `inputs`.
        config: The configuration that the constructors take first.
        inputs: Example inputs of the models.
        seconds: Wall-clock limit of the run of one model.
        network: Whether the models may open connections.
    """

    paper: str
    models: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    source_tree: Path | None = None
    password: str | None = None
    level: Level = Level.engineer
    only: tuple[str, ...] = field(default=())
    language: Language = Language.en
    format: SheetFormat = SheetFormat.markdown
    claims: bool = False
    labs: bool = True
    args: str = ""
    config: str = ""
    inputs: str = ""
    seconds: float = 300.0
    network: bool = False
