"""Read a file to check: markdown, plain text, reStructuredText, HTML, a notebook or a PDF, told apart by its name."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

from fxanchor.checking.reference import Region, Text
from fxanchor.errors import InputError

# The language of a block that is told by its shape alone.
PLAIN = "plain"
_MOST_BYTES = 20_000_000
_FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})(?P<language>[^\n`]*)\n", re.MULTILINE)
# Three backticks are a fence; a span does not reach over a blank line.
_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)((?:(?!\n[ \t]*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
_LITERAL = re.compile(r"::\n\n((?:[ \t]+[^\n]*\n|\n)+)")
_DIRECTIVE = re.compile(
    r"^\.\. (?:code-block|code|sourcecode)::[ \t]*(\w*)\n(?:[ \t]+:[^\n]*\n)*\n((?:[ \t]+[^\n]*\n|\n)+)", re.M
)
_TAG = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|</?[a-zA-Z][^<>]*>", re.DOTALL | re.IGNORECASE)
_PRE = re.compile(r"<pre\b[^>]*>(.*?)</pre\s*>", re.DOTALL | re.IGNORECASE)
_CODE = re.compile(r"<(code|tt|kbd)\b[^>]*>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE)
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
# A line of plain text that can only be code: how a Python statement begins, or a comment before one.
_STATEMENT = re.compile(
    r"^(?:from\s+[\w.]+\s+import\s|import\s+[\w.]+|class\s+\w+\s*[(:]|(?:async\s+)?def\s+\w+\(|@\w"
    r"|for\s+\w[\w, ]*\s+in\s|while\s.+:|with\s.+:|if\s.+:"
    r"|return\b|print\(|[A-Za-z_][\w.\[\]'\"]*\s*(?:[-+*/|&]?=)\s*[^=\s]"
    r"|>>> |\$ |#\s.*\S\s+\w+[\w.]*\s*[(=])"
)
_MARK = re.compile(r"[一-鿿]")


def read_text(path: Path) -> Text:
    """Read a text and tell its prose from its code.

    Args:
        path: A file ending in `.md`, `.txt`, `.rst`, `.html`, `.ipynb` or `.pdf`; any other is read as plain text.

    Raises:
        InputError: When it cannot be read.
    """
    if path.is_dir():
        raise InputError(f"{path} is a directory. Name the files in it.")
    kind = path.suffix.lower()
    if kind == ".pdf":
        content, regions = _from_pdf(path)
    else:
        content = _content(path)
        if kind == ".ipynb":
            content, regions = _from_notebook(content, path)
        else:
            regions = list(_regions(content, kind))
    plain = without_tags(content) if kind in (".html", ".htm") else content
    return Text(str(path), content, plain, tuple(regions), _line_starts(content))


def _content(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path} has over {_MOST_BYTES // 1_000_000} MB. Check its parts one by one.")
        # Newlines as they are: positions must be those of the file.
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError(f"There is no file {path}. Check the spelling.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text. Convert it, or name another file.") from None
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}. Check the path.") from None


def _regions(content: str, kind: str) -> Iterator[Region]:
    if kind in (".md", ".markdown", ".mkd"):
        blocks = list(_fenced(content))
        yield from _with_spans(content, blocks, _SPAN, 2)
    elif kind == ".rst":
        blocks = [Region("block", m.start(2), m.end(2), m.group(1)) for m in _DIRECTIVE.finditer(content)]
        taken = [(block.start, block.end) for block in blocks]
        blocks += [
            Region("block", m.start(1), m.end(1))
            for m in _LITERAL.finditer(content)
            if not any(start < m.end() and m.start() < end for start, end in taken)
        ]
        yield from _with_spans(content, sorted(blocks, key=lambda block: block.start), _SPAN, 2)
    elif kind in (".html", ".htm"):
        blocks = [Region("block", m.start(1), m.end(1)) for m in _PRE.finditer(content)]
        yield from _with_spans(content, blocks, _CODE, 2)
    else:
        yield from _with_spans(content, list(_plain_blocks(content)), _SPAN, 2)


def _fenced(content: str) -> Iterator[Region]:
    at = 0
    if front := _FRONT.match(content):
        at = front.end()
    while found := _FENCE.search(content, at):
        fence = found.group("fence")
        close = re.compile(rf"^ {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$", re.MULTILINE)
        end = close.search(content, found.end())
        stop = end.start() if end else len(content)
        words = found.group("language").strip().split()
        yield Region("block", found.end(), stop, words[0].lower() if words else "")
        at = end.end() if end else len(content)


def _plain_blocks(content: str) -> Iterator[Region]:
    """Give runs of lines that can only be code; prose with a name in it stays prose."""
    at = 0
    start = None
    for line in content.splitlines(keepends=True):
        code = bool(_STATEMENT.match(line)) or (start is not None and line[:1] in " \t" and bool(line.strip()))
        if code and start is None:
            start = at
        elif not code and start is not None and line.strip():
            yield Region("block", start, at, PLAIN)
            start = None
        at += len(line)
    if start is not None:
        yield Region("block", start, at, PLAIN)


def _with_spans(content: str, blocks: list[Region], span: re.Pattern[str], group: int) -> Iterator[Region]:
    """Give the blocks, and between them prose with its code spans."""
    at = 0
    for block in [*blocks, Region("block", len(content), len(content))]:
        for found in span.finditer(content, at, block.start):
            if found.start() > at:
                yield Region("prose", at, found.start())
            yield Region("span", found.start(group), found.end(group))
            at = found.end()
        if block.start > at:
            yield Region("prose", at, block.start)
        if block.end > block.start:
            yield block
        at = block.end


def without_tags(content: str) -> str:
    """Return HTML with tags and entities blanked out, every other character in its place."""
    blanked = _TAG.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), content)
    return re.sub(r"&#?\w{1,10};", lambda found: html.unescape(found.group())[:1].ljust(len(found.group())), blanked)


def _from_notebook(content: str, path: Path) -> tuple[str, list[Region]]:
    """Return the cells one below the other; code cells without magics are blocks."""
    try:
        cells = json.loads(content)["cells"]
        parts = [(str(cell["cell_type"]), "".join(cell["source"])) for cell in cells]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path} is not a Jupyter notebook. Open and save it in Jupyter, or name another.") from None
    text = ""
    regions: list[Region] = []
    for kind, cell in parts:
        source = cell if cell.endswith("\n") else cell + "\n"
        if kind == "code":
            regions.append(Region("block", len(text), len(text) + len(source), "python"))
        else:
            regions.extend(
                Region(part.kind, part.start + len(text), part.end + len(text), part.language)
                for part in _regions(source, ".md")
            )
        text += source + "\n"
    return text, regions


def _from_pdf(path: Path) -> tuple[str, list[Region]]:
    from fxanchor.paper.read import read_paper

    text = ""
    regions: list[Region] = []
    for passage in read_paper(path).passages:
        if passage.role == "reference":
            continue
        body = passage.text + "\n"
        kind = "block" if passage.role == "listing" else "prose"
        at = len(text)
        if kind == "block":
            regions.append(Region("block", at, at + len(body)))
        else:
            spans = sorted({(piece.start, piece.end) for piece in passage.pieces if piece.code})
            done = 0
            for start, end in spans:
                if start > done:
                    regions.append(Region("prose", at + done, at + start))
                regions.append(Region("span", at + start, at + end))
                done = end
            regions.append(Region("prose", at + done, at + len(body)))
        text += body + "\n"
    return text, regions


def _line_starts(content: str) -> tuple[int, ...]:
    starts = [0]
    starts.extend(found.end() for found in re.finditer(r"\r\n|\n|\r", content))
    return tuple(starts)
