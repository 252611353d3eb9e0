"""The text of a source file by the positions of its syntax tree."""

import ast
import io
import re
import tokenize

MAX_SEGMENT = 300
_CODING = re.compile(rb"coding[=:]\s*([-\w.]+)")


class SourceText:
    """The lines of a file; positions are those of `ast`: 1-based lines, 0-based columns in UTF-8 bytes."""

    def __init__(self, source: bytes) -> None:
        """Split a file into lines.

        Args:
            source: The bytes of the file, in the encoding that it declares.

        Raises:
            SyntaxError: When it declares an encoding that does not exist.
        """
        source = source.removeprefix(b"\xef\xbb\xbf")
        # Nearly every file is UTF-8; asking tokenize for the encoding of each would be slow.
        if _CODING.search(b"\n".join(source.split(b"\n", 2)[:2])):
            encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
            source = source.decode(encoding, "replace").encode()
        self.lines = source.splitlines()

    def of(self, node: ast.expr) -> str:
        """Return an expression as written, on one line."""
        return self._between(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)

    def short(self, node: ast.expr, limit: int) -> str:
        """Return an expression as written when it stands on one line and is at most `limit` bytes, else ""."""
        width = (node.end_col_offset or 0) - node.col_offset
        return self.of(node) if node.lineno == node.end_lineno and width <= limit else ""

    def _between(self, line: int, column: int, end_line: int, end_column: int) -> str:
        if line == end_line:
            return self.lines[line - 1][column:end_column].decode(errors="replace")[:MAX_SEGMENT]
        parts = [self.lines[line - 1][column:], *self.lines[line : end_line - 1], self.lines[end_line - 1][:end_column]]
        text = b" ".join(part.partition(b"#")[0].strip() for part in parts).decode(errors="replace")
        return text.replace("[ ", "[").replace("( ", "(").replace(" ]", "]").replace(" )", ")")[:MAX_SEGMENT]


def dotted_name(node: ast.expr) -> str:
    """Return `a.b.c` for a name or attribute chain, else ""."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
