"""The word lists of the checker, and the Chinese terms with their English words."""

import tomllib
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def vocabulary(name: str) -> frozenset[str]:
    """Return a word list of `vocabulary.toml`.

    Args:
        name: Its name.
    """
    lists = tomllib.loads((_FOLDER / "vocabulary.toml").read_text(encoding="utf-8"))
    return frozenset(lists[name].split())


@cache
def glossary() -> dict[str, tuple[str, ...]]:
    """Return the Chinese terms of `glossary.toml`, each with the beginnings of the English words for it."""
    loaded = tomllib.loads((_FOLDER / "glossary.toml").read_text(encoding="utf-8"))
    return {term: tuple(forms) for term, forms in loaded.items()}
