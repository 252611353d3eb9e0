"""A sheet knows whether it was changed outside its notes, so that nothing is lost when it is made again."""

import hashlib
import re
from pathlib import Path

from fxanchor.errors import InputError
from fxanchor.sheet.study.notes import without_notes

_SEAL = re.compile(r"^text_sha256: (\w+)\n", re.MULTILINE)
_END = "\n---\n"


def sealed(text: str) -> str:
    """Return a page with the digest of all that is not the reader's in its front matter."""
    head, end, body = text.partition(_END)
    return f"{head}\ntext_sha256: {_digest(body)}{end}{body}"


def refuse_changed(text: str, file: Path) -> None:
    """Refuse to write over a page whose text the reader has changed where no note goes.

    Args:
        text: The page as it is.
        file: Where it is, for the message.

    Raises:
        InputError: When it was changed. A page from before there were digests passes.
    """
    head, _, body = text.partition(_END)
    seal = _SEAL.search(head + "\n")
    if seal is not None and seal[1] != _digest(body):
        raise InputError(
            f"{file} was changed outside its places for notes, and that would be lost: move it to between "
            "<!-- notes ... --> and <!-- /notes -->, or write another file."
        )


def _digest(body: str) -> str:
    # Editors add and take away blanks at the ends of lines and between them.
    lines = [line.strip() for line in without_notes(body).splitlines() if line.strip()]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
