"""A PDF file -> a paper: the one kept from an earlier reading, or read now and kept."""

import hashlib
from pathlib import Path

from fxanchor.paper.document import Paper
from fxanchor.paper.file import read_bytes
from fxanchor.paper.store import load_paper, save_paper
from fxanchor.progress import Progress, silent


def read_paper(path: Path, *, password: str | None = None, progress: Progress = silent) -> Paper:
    """Read a paper.

    Args:
        path: The PDF file.
        password: The password that opens it, or None.
        progress: Told of every page.

    Returns:
        The paper; what could not be read of it is told in its `warnings`.

    Raises:
        InputError: When the file is no PDF, is locked, holds no text or cannot be read at all.
    """
    data = read_bytes(path)
    digest = hashlib.sha256(data).hexdigest()
    # A locked paper is kept under its password, so that a kept copy does not open it for anybody else.
    key = digest if password is None else hashlib.sha256(f"{digest}\0{password}".encode()).hexdigest()
    if (known := load_paper(key)) is not None:
        return known
    # Only a paper that was not read before needs what takes a PDF apart; it takes a while to import.
    from fxanchor.paper.parse import parse_paper

    paper = parse_paper(path, data, digest, password, progress)
    save_paper(key, paper)
    return paper
