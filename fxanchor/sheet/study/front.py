"""The front matter of a sheet: what it was made of, so that it can be made again, and nothing of when or where."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.model.spec import parse_model
from fxanchor.sheet.escape import plain
from fxanchor.sheet.mapping import DEFAULT_PACKAGE, package_name
from fxanchor.sheet.study.content import Study
from fxanchor.sheet.study.options import Language, Level, SheetRequest

GENERATOR = "fxanchor"
_LINE = re.compile(r"^(\w+): (.*)$")
_REMOTE = re.compile(r"^(arxiv:|https?://)", re.IGNORECASE)


def front_matter(study: Study, request: SheetRequest) -> Iterator[str]:
    """Give the lines of the front matter.

    Args:
        study: What the sheet says.
        request: What it was made of; a password and leave to use the network are not kept.
    """
    paper = study.mapped.paper
    yield "---"
    yield f"generator: {GENERATOR}"
    yield f"title: {_yaml(title_of(study))}"
    yield f"paper: {_yaml(_relative(request.paper))}"
    yield f"paper_sha256: {paper.sha256}"
    yield f"pages: {paper.pages}"
    yield f"source: {_yaml(package_name(study.mapped.index))}"
    yield f"package: {_yaml(list(request.packages or (DEFAULT_PACKAGE,)))}"
    if request.source_tree is not None:
        yield f"source_tree: {_yaml(_relative(str(request.source_tree)))}"
    yield f"models: {_yaml([_relative_model(model) for model in request.models])}"
    for key in ("args", "config", "inputs"):
        if value := getattr(request, key):
            yield f"{key}: {_yaml(value)}"
    yield f"level: {request.level.value}"
    yield f"lang: {request.language.value}"
    yield f"only: {_yaml(list(request.only))}"
    yield f"claims: {_yaml(request.claims)}"
    yield f"labs: {_yaml(request.labs)}"
    yield "---"


def title_of(study: Study) -> str:
    """Return the title of the paper, or the name of its file."""
    return study.mapped.paper.title or study.mapped.file.name


def is_sheet(text: str) -> bool:
    """Tell whether a text is a sheet, or a page of one, that fxanchor wrote."""
    return text.startswith("---\n") and f"\ngenerator: {GENERATOR}\n" in text.partition("\n---\n")[0] + "\n"


def request_of(text: str) -> SheetRequest:
    """Return what a sheet was made of, for making it again.

    Making it again runs the models that the text names: be sure where it comes from.

    Args:
        text: The sheet, or the index page of a split one.

    Raises:
        InputError: When the text is no sheet, or does not say what it was made of.
    """
    fields: dict[str, str] = {}
    if is_sheet(text):
        head = text.removeprefix("---\n").partition("\n---\n")[0]
        fields = {found[1]: found[2] for found in map(_LINE.match, head.splitlines()) if found}
    try:
        return SheetRequest(
            paper=_text(fields, "paper"),
            models=_texts(fields, "models"),
            packages=_texts(fields, "package"),
            source_tree=Path(_text(fields, "source_tree")) if "source_tree" in fields else None,
            level=Level(fields["level"]),
            only=_texts(fields, "only"),
            language=Language(fields["lang"]),
            claims=fields.get("claims") == "true",
            labs=fields.get("labs") != "false",
            args=_text(fields, "args") if "args" in fields else "",
            config=_text(fields, "config") if "config" in fields else "",
            inputs=_text(fields, "inputs") if "inputs" in fields else "",
        )
    except (KeyError, ValueError, TypeError):
        raise InputError(
            "The file does not say what it was made of. Make the sheet anew with fxanchor sheet."
        ) from None


def _text(fields: dict[str, str], key: str) -> str:
    value = json.loads(fields[key])
    if not isinstance(value, str):
        raise TypeError(key)
    return value


def _texts(fields: dict[str, str], key: str) -> tuple[str, ...]:
    value = json.loads(fields[key])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(key)
    return tuple(value)


def _relative(place: str) -> str:
    """Return a path relative to the working directory, with forward slashes; addresses stay as they are."""
    if _REMOTE.match(place):
        return place
    path = Path(place)
    try:
        return Path(os.path.relpath(path)).as_posix() if path.is_absolute() else path.as_posix()
    except ValueError:
        # On another drive than the working directory.
        return path.name


def _relative_model(model: str) -> str:
    file = parse_model(model).file
    return _relative(file) + model[len(file) :] if file else model


def _yaml(value: str | bool | list[str]) -> str:
    """Return a value in the part of YAML that is JSON, on one line."""
    shown = plain(value) if isinstance(value, str) else value
    return json.dumps(shown, ensure_ascii=False)
