"""The breakpoints last shown for a model, so that a row can be named by its number."""

import json
from collections.abc import Sequence
from pathlib import Path

from fxanchor import cache
from fxanchor.breakpoints.proof import Wanted
from fxanchor.breakpoints.wire import from_plain, to_plain
from fxanchor.model.spec import ModelSpec

_KIND = "tables"


def remember_table(spec: ModelSpec, rows: Sequence[Wanted]) -> None:
    """Keep the rows of the table that was just shown for a model.

    A cache that cannot be written is no reason to fail: rows cannot be named by number then.
    """
    try:
        with cache.replacing(cache.path(_KIND, _name(spec))) as temporary:
            temporary.write_text(json.dumps(to_plain(list(rows))), encoding="utf-8")
    except OSError:
        return


def last_table(spec: ModelSpec) -> tuple[Wanted, ...]:
    """Return the rows last shown for a model, or none."""
    try:
        text = cache.path(_KIND, _name(spec)).read_text(encoding="utf-8")
        return from_plain(tuple[Wanted, ...], json.loads(text))
    except (OSError, ValueError, TypeError):
        return ()


def _name(spec: ModelSpec) -> str:
    # The same file in another directory is another model; what stands behind the colon may differ between commands.
    where = str(Path(spec.file).resolve()) if spec.file else spec.module
    return f"{cache.key([where])}.json"
