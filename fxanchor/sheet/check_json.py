"""The JSON of `fxanchor check`."""

from collections.abc import Sequence
from typing import Any

from fxanchor.checking.reference import Checked, Reference, Text

SCHEMA = "fxanchor.check/1"


def check_document(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the references of all files; lines 1-based, columns 0-based in characters.

    Args:
        checked: The files with their references.
    """
    return {
        "schema": SCHEMA,
        "references": [
            {"file": one.text.path, **reference_object(one.text, reference)}
            for one in checked
            for reference in one.references
        ],
    }


def reference_object(text: Text, reference: Reference) -> dict[str, Any]:
    """Return a reference as plain values.

    Args:
        text: The text that it stands in.
        reference: The reference.
    """
    line, column = text.position(reference.start)
    end_line, end_column = text.position(max(reference.start, reference.end - 1))
    return {
        "kind": reference.kind,
        "line": line,
        "col": column,
        "end_line": end_line,
        "end_col": end_column + 1,
        "text": text.content[reference.start : reference.end],
        "target": reference.target,
        "verdict": reference.verdict,
        "evidence": reference.evidence,
        "suggestion": reference.suggestion,
    }
