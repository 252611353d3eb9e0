"""Put the reader's page together: one HTML file that fetches nothing and runs nothing but its own script."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from fxanchor.progress import Progress, silent
from fxanchor.sheet.escape import plain
from fxanchor.sheet.reader.data import boxes_by_page, marked, page_texts, reader_document
from fxanchor.sheet.reader.pictures import Picture, draw_pages
from fxanchor.sheet.reader.words import page_words
from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.options import Language

# In this order they make one script.
_SCRIPTS: Final = ("dom.js", "code.js", "details.js", "paper.js", "reader.js")
_FIELD: Final = re.compile(r"\{\{(\w+)(?: ([\w ]+))?\}\}")
_GENERATOR: Final = '<meta name="generator" content="fxanchor">'


def reader_page(study: Study, language: Language, *, password: str | None = None, progress: Progress = silent) -> str:
    """Return the whole HTML file.

    Args:
        study: What it shows.
        language: Of the page's own words.
        password: Password of an encrypted PDF.
        progress: Told how far the work is.

    Raises:
        UsageError: When the packages that draw pages are not installed.
        InputError: When the paper cannot be drawn.
    """
    mentions = marked(study)
    pictures = draw_pages(study.mapped.file, boxes_by_page(mentions), password=password, progress=progress)
    document = reader_document(study, mentions, pictures, language)
    title = plain(study.mapped.paper.title) or study.mapped.file.name
    return assemble(title, pictures, document, language, page_texts(study.mapped.paper))


def assemble(
    title: str,
    pictures: Sequence[Picture],
    document: dict[str, Any],
    language: Language,
    texts: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> str:
    """Return the page for a title, pictures and data; nothing in them is taken for markup or run.

    Args:
        title: Of the paper.
        pictures: Its pages.
        document: As `reader_document` gives it.
        language: Of the page's own words.
        texts: The paragraphs of each page, for those who cannot see it and for copying.
    """
    style = _file("reader.css")
    script = "(() => {\n'use strict';\n" + "\n".join(_file(name) for name in _SCRIPTS) + "\n})();"
    words = page_words(language)
    fields = {
        "language": language.value,
        "generator": _GENERATOR,
        "policy": _policy(style, script),
        "title": html.escape(plain(title)),
        "source": html.escape(" · ".join([document["source"], *(model["name"] for model in document["models"])])),
        "style": style,
        "script": script,
        "data": _json(document),
        "pages": "\n".join(_figures(pictures, words, texts)),
    }

    def filled(found: re.Match[str]) -> str:
        name, key = found.groups()
        return html.escape(words[key]) if name == "say" else fields[name]

    # One pass: what is filled in is not looked at again.
    return _FIELD.sub(filled, _file("reader.html"))


def is_reader(text: str) -> bool:
    """Tell whether a text is a page that fxanchor wrote."""
    return text.lstrip().lower().startswith("<!doctype html>") and _GENERATOR in text[:4_000]


def _figures(pictures: Sequence[Picture], words: dict[str, str], texts: Mapping[int, Sequence[str]]) -> Iterator[str]:
    for picture in pictures:
        label = html.escape(words["page"].format(number=picture.number))
        text = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in texts.get(picture.number, ()))
        if picture.uri:
            size = f'width="{picture.width}" height="{picture.height}"'
            shown = f'<img src="{picture.uri}" alt="{label}" {size} decoding="async"><div class="marks"></div>'
            summary = html.escape(words["page text"].format(number=picture.number))
            below = f'<details class="page-text"><summary>{summary}</summary>{text}</details>' if text else label
        else:
            shown = (
                f'<div class="page-text undrawn"><p><strong>{html.escape(words["undrawn"])}</strong></p>{text}</div>'
            )
            below = label
        yield (
            f'<figure class="page" id="page-{picture.number}"><div class="sheet">{shown}</div>'
            f"<figcaption>{below}</figcaption></figure>"
        )


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows this style, this script and pictures within the file alone."""
    return (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _json(document: dict[str, Any]) -> str:
    """Return JSON that cannot end the script element it stands in, nor begin a comment."""
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _file(name: str) -> str:
    return files("fxanchor.sheet.reader").joinpath(name).read_text(encoding="utf-8").strip()
