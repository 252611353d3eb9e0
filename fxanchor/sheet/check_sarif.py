"""What `fxanchor check` found as SARIF 2.1.0, which code hosts show beside the text."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from fxanchor import __version__
from fxanchor.checking.reference import Checked, Reference, Text
from fxanchor.sheet.check_text import explained

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RULES = {
    "line": "A line citation leads to what the text says is there.",
    "name": "A name exists in the installed packages.",
    "parameter": "A parameter is taken by the function that the text says takes it.",
    "section": "A section of the paper exists and is what the text says.",
    "figure": "A figure of the paper exists and shows what the text says.",
    "quote": "Quoted words stand where the text says.",
    "venue": "The paper appeared where the text says.",
    "code": "A code block is Python and runs.",
}
_LEVELS = {"wrong": "error", "moved": "warning"}


def check_sarif(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return a SARIF log of what is wrong or moved.

    Args:
        checked: The files with their references.
    """
    results = [
        _result(one.text, reference) for one in checked for reference in one.references if reference.verdict in _LEVELS
    ]
    driver = {
        "name": "fxanchor",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": words}} for rule, words in _RULES.items()],
    }
    # Columns are counted in characters, as an editor shows them.
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(text: Text, reference: Reference) -> dict[str, Any]:
    line, column = text.position(reference.start)
    end_line, end_column = text.position(max(reference.start, reference.end - 1))
    region = {"startLine": line, "startColumn": column + 1, "endLine": end_line, "endColumn": end_column + 2}
    place = {"artifactLocation": {"uri": _uri(text.path)}, "region": region}
    return {
        "ruleId": reference.kind,
        "ruleIndex": list(_RULES).index(reference.kind),
        "level": _LEVELS[reference.verdict],
        "message": {"text": explained(reference)},
        "locations": [{"physicalLocation": place}],
    }


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(PurePath(path).as_posix())
