"""The catalogue of phrases against the installed torch, and against another one where it is named."""

import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from fxanchor.concepts.catalogue import PhraseEntry, load_catalogue
from fxanchor.concepts.phrases import Phrases
from fxanchor.source.index import Index, open_index

ENTRIES = load_catalogue().concepts
OTHER = os.environ.get("FXANCHOR_OTHER_TORCH", "")


@cache
def index_of(package: str) -> Index:
    return open_index([package])


def named(entry: PhraseEntry) -> str:
    return entry.name.replace(" ", "_")


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_every_symbol_resolves(entry: PhraseEntry) -> None:
    index = index_of(entry.package)
    assert [symbol for symbol in entry.symbols if index.get(symbol) is None] == []


@pytest.mark.skipif(not OTHER, reason="FXANCHOR_OTHER_TORCH names no wheel, sdist or directory of another torch")
def test_every_entry_has_a_symbol_in_another_version() -> None:
    index = open_index(["torch"], source=Path(OTHER))
    assert [entry.name for entry in ENTRIES if not any(index.get(symbol) for symbol in entry.symbols)] == []


def test_no_form_belongs_to_two_entries() -> None:
    forms = Counter(form for entry in ENTRIES for form in entry.names())
    assert [form for form, count in forms.items() if count > 1] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_every_form_is_found_in_a_sentence(entry: PhraseEntry) -> None:
    phrases = Phrases((form, number) for number, form in enumerate(entry.forms))
    for form in entry.forms:
        text = f"We speak of {form} here."
        assert any(text[start:end] == form for start, end, _ in phrases.find(text)), form


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_every_entry_says_what_happens(entry: PhraseEntry) -> None:
    assert entry.mechanism.endswith(".")
    assert entry.forms
    assert all(symbol.startswith(entry.package + ".") for symbol in entry.symbols)
    assert entry.reach in ("paper", "passage")
