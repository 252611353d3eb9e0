"""Print one concept for a person: where it is, its highlighted source, where to break, what the paper says."""

from collections.abc import Iterator

from fxanchor.sheet.escape import plain, plain_lines, shortened
from fxanchor.sheet.map_table import where
from fxanchor.sheet.show import Shown

_MOST_LINES = 80
_MOST_MENTIONS = 12
_MOST_RAISES = 8


def show_text(shown: Shown, *, colour: bool) -> str:
    """Return the text to print.

    Args:
        shown: What was found.
        colour: Whether to highlight the source with terminal colours.
    """
    return "\n".join([*_head(shown), "", _source(shown, colour=colour), "", *_foot(shown)])


def _head(shown: Shown) -> Iterator[str]:
    definition = shown.definition
    public = shown.index.public_name(definition.name)
    also = f" ({definition.name})" if public and public != definition.name else ""
    yield f"{public or definition.name}{also}  {definition.kind}"
    yield f"{definition.file}:{definition.line}-{definition.end_line}"
    if link := shown.index.permalink(definition):
        yield link
    if shown.stop.line:
        yield f"break at {shown.stop.file}:{shown.stop.line}"
    if shown.stop.note:
        yield plain(shown.stop.note)


def _source(shown: Shown, *, colour: bool) -> str:
    # Python counts no form feed as the end of a line, as `splitlines` does.
    lines = shown.source.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    text = plain_lines("\n".join(lines[:_MOST_LINES]))
    first = shown.definition.end_line - len(lines) + 1
    if colour:
        text = _highlighted(text)
    numbered = [
        f"{'>' if first + at == shown.stop.line else ' '}{first + at:5} {line}"
        for at, line in enumerate(text.rstrip("\n").split("\n"))
    ]
    if len(lines) > _MOST_LINES:
        numbered.append(f"       ... {len(lines) - _MOST_LINES} more lines")
    return "\n".join(numbered)


def _foot(shown: Shown) -> Iterator[str]:
    if shown.gives_up:
        yield "Gives up:"
        for item in shown.gives_up[:_MOST_RAISES]:
            message = f"  {shortened(item.message, 100)}" if item.message else ""
            yield f"  {item.file}:{item.line} {item.exception}{message}"
    if shown.alternatives:
        yield "Of the same name: " + ", ".join(other.name for other in shown.alternatives[:6])
    if shown.paper_reason:
        yield f"In the paper: {plain(shown.paper_reason)}"
    for mention in shown.mentions[:_MOST_MENTIONS]:
        yield f"  {where(mention)} {mention.status}  “{shortened(mention.context, 160)}”"
    if len(shown.mentions) > _MOST_MENTIONS:
        yield f"  and {len(shown.mentions) - _MOST_MENTIONS} more"


def _highlighted(text: str) -> str:
    from pygments import highlight
    from pygments.formatters import TerminalFormatter
    from pygments.lexers import PythonLexer

    shown: str = highlight(text, PythonLexer(stripnl=False), TerminalFormatter())
    return shown
