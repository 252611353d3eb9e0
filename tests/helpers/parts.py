"""What `terminal.show_parts` would print, as plain text for comparison: tables row by row."""

from collections.abc import Iterable

from fxanchor.sheet.table import Table


def text_of(parts: Iterable[str | Table]) -> str:
    """Return parts as text, cells joined by bars."""
    blocks = []
    for part in parts:
        if isinstance(part, str):
            blocks.append(part)
            continue
        rows = [" | ".join(cell.text for cell in row).rstrip() for row in part.rows]
        blocks.append("\n".join([*rows, *part.below]))
    return "\n\n".join(blocks) + "\n"
