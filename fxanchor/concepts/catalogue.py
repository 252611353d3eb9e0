"""The curated layer between the words of papers and the symbols of a package, read from `catalogue.toml`."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

Reach = Literal["paper", "passage"]


@dataclass(frozen=True, slots=True)
class PhraseEntry:
    """A phrase concept.

    Attributes:
        name: How it is called.
        package: The package whose papers it is for.
        forms: Surface forms in the base form; regular inflections are understood.
        symbols: Qualified names, best first; the first that the installed version has is linked.
        mechanism: What happens, in words.
        reach: `paper`: counts everywhere in a paper about the package; `passage`: only in a passage that also names
            the package or something of it.
        needs: Prefixes of qualified names; the paper must link something under one of them. Empty for no such need.
        mechanism_zh: The mechanism in Chinese.
    """

    name: str
    package: str
    forms: tuple[str, ...]
    symbols: tuple[str, ...]
    mechanism: str
    reach: Reach = "passage"
    needs: tuple[str, ...] = ()
    mechanism_zh: str = ""

    def names(self) -> frozenset[str]:
        """Return the name and all forms, in small letters."""
        return frozenset(form.casefold() for form in (self.name, *self.forms))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All entries.

    Attributes:
        concepts: The phrase concepts.
    """

    concepts: tuple[PhraseEntry, ...]


@lru_cache(maxsize=1)
def load_catalogue() -> Catalogue:
    """Read the catalogue that ships with fxanchor."""
    text = resources.files("fxanchor.concepts").joinpath("catalogue.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return Catalogue(tuple(PhraseEntry(**_tuples(entry)) for entry in data["concept"]))


def _tuples(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the table with its arrays as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
