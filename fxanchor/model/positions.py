"""From an instruction of a code object, or a piece of a syntax tree, to the lines and columns of its source."""

import ast
import dis
import io
import tokenize
from dataclasses import dataclass, replace
from itertools import islice
from types import CodeType

from fxanchor.model.places import Places
from fxanchor.model.plain import one_line
from fxanchor.model.report import Trigger
from fxanchor.model.sources import Sources

_MAX_EXPRESSION = 240


@dataclass(frozen=True, slots=True)
class Site:
    """An instruction: where a frame stood when something happened."""

    code: CodeType
    lasti: int


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of source: 1-based lines, 0-based columns in characters, the end behind the last character."""

    line: int
    end_line: int
    col: int
    end_col: int


def opcode_at(site: Site) -> str:
    """The name of an instruction."""
    return dis.opname[site.code.co_code[site.lasti]]


class Locator:
    """Turns instructions and syntax nodes into triggers."""

    def __init__(self, places: Places, sources: Sources) -> None:
        self.places = places
        self.sources = sources
        self._known: dict[tuple[int, int], tuple[CodeType, Trigger]] = {}

    def span(self, site: Site) -> Span | None:
        """The source of an instruction, or None when it has none."""
        raw = next(islice(site.code.co_positions(), site.lasti // 2, None), None)
        line, end_line, col, end_col = raw or (None, None, None, None)
        if line is None:
            return None
        if end_line is None or col is None or end_col is None:
            # Compiled without columns (python -X no_debug_ranges): the whole line is all that is known.
            return self._whole_line(site.code.co_filename, line)
        return self.characters(site.code.co_filename, line, end_line, col, end_col)

    def syntax(self, site: Site) -> list[ast.AST]:
        """The syntax nodes that take up exactly the source of an instruction, the outermost first."""
        raw = next(islice(site.code.co_positions(), site.lasti // 2, None), None)
        return [] if raw is None else self.sources.at(site.code.co_filename, raw)

    def trigger(self, site: Site) -> Trigger | None:
        """The expression an instruction was compiled from."""
        key = (id(site.code), site.lasti)
        known = self._known.get(key)
        if known is not None:
            return known[1]
        span = self.span(site)
        if span is None:
            return None
        found = self.at(site.code.co_filename, self._with_dot(site.code.co_filename, span))
        found = replace(found, expression=self._chain(site) or found.expression)
        # The code object is kept with its answer, so that its id cannot come to mean another one.
        self._known[key] = (site.code, found)
        return found

    def _with_dot(self, filename: str, span: Span) -> Span:
        """The span with the dot in front of it: in a chain of several lines, CPython places a call behind its dot."""
        lines = self.sources.lines(filename)
        before = lines[span.line - 1][: span.col] if 0 < span.line <= len(lines) else ""
        return replace(span, col=span.col - 1) if before.endswith(".") else span

    def _chain(self, site: Site) -> str:
        """The whole of a call that is placed at its last line alone, with what it is called on; "" for others."""
        filename = site.code.co_filename
        raw = next(islice(site.code.co_positions(), site.lasti // 2, None), None)
        if raw is None or raw[3] is None or self.sources.at(filename, raw):
            return ""
        calls = self.sources.method_calls(filename).get((raw[0], raw[1], raw[3]), [])
        return self.node(filename, calls[0]).expression if len(calls) == 1 else ""

    def at(self, filename: str, span: Span) -> Trigger:
        """The trigger of a piece of source."""
        text = self.sources.text(filename, (span.line, span.col), (span.end_line, span.end_col))
        return Trigger(
            self.places.shown(filename),
            span.line,
            span.end_line,
            span.col,
            span.end_col,
            one_line(_joined(text) if span.line != span.end_line else text, _MAX_EXPRESSION),
        )

    def line(self, filename: str, line: int) -> Trigger:
        """The trigger of a whole line, without its indentation."""
        return self.at(filename, self._whole_line(filename, line))

    def node(self, filename: str, node: ast.expr | ast.stmt | ast.arg) -> Trigger:
        """The trigger of a syntax node."""
        return self.at(filename, self.node_span(filename, node))

    def node_span(self, filename: str, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """The piece of source of a syntax node."""
        end_line = node.end_lineno or node.lineno
        end_col = node.col_offset if node.end_col_offset is None else node.end_col_offset
        return self.characters(filename, node.lineno, end_line, node.col_offset, end_col)

    def characters(self, filename: str, line: int, end_line: int, col: int, end_col: int) -> Span:
        """A span from columns in UTF-8 bytes, which is how CPython counts them."""
        return Span(line, end_line, self._column(filename, line, col), self._column(filename, end_line, end_col))

    def _column(self, filename: str, line: int, col: int) -> int:
        lines = self.sources.lines(filename)
        if not 0 < line <= len(lines):
            return col
        text = lines[line - 1]
        return col if text.isascii() else len(text.encode("utf-8", "surrogatepass")[:col].decode("utf-8", "ignore"))

    def _whole_line(self, filename: str, line: int) -> Span:
        lines = self.sources.lines(filename)
        text = lines[line - 1].rstrip() if 0 < line <= len(lines) else ""
        return Span(line, line, len(text) - len(text.lstrip()), len(text))


def _joined(text: str) -> str:
    """An expression of several lines without what keeps it from being one: comments, and backslashes at the ends."""
    if "#" not in text and "\\\n" not in text:
        return text
    lines = f"({text}\n)".splitlines(keepends=True)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO("".join(lines)).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    for token in tokens:
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip() + "\n"
    return "".join(lines).replace("\\\n", "\n")[1:-1].rstrip()
