"""A study sheet of fxanchor's own: every citation in it has an anchor, so each is compared with what is installed."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from fxanchor.breakpoints.catalogue import load_breakpoints, resolve
from fxanchor.checking.library import Library
from fxanchor.checking.paperfacts import PaperFacts
from fxanchor.checking.reference import Reference, Text, Verdict
from fxanchor.errors import UsageError
from fxanchor.source.definition import Definition, Stop
from fxanchor.source.stops import entry_stop

_CARD = re.compile(r"^### \d+ · .*$", re.M)
_PART = re.compile(r"^## |^### \d+ · ", re.M)
_IDENTITY = re.compile(r"^<!-- notes (?P<identity>[^\s<>]+) -->", re.M)
# `torch/fx/proxy.py:340-374`, with its link and the code block below it.
_RANGE = re.compile(
    r"(?P<cited>`(?P<file>[\w./-]+\.pyi?):(?P<first>\d+)-(?P<last>\d+)`)(?P<link>\]\([^)\s]*\))?\n\n```python\n(?P<code>.*?)\n```$",
    re.M | re.S,
)
_SPAN = re.compile(r"`(?P<file>[\w./-]+\.pyi?):(?P<first>\d+)-(?P<last>\d+)`")
# `b torch/fx/proxy.py:360`, and without marks in a diagram.
_STOP = re.compile(r"(?:`(?:b )?|<br/>)(?P<file>[\w./-]+\.pyi?):(?P<line>\d+)(?=[`\s])`?")
# One order of exception and place in English, the other in Chinese.
_RAISE = re.compile(
    r"^- (?:`(?P<exception>[\w.]+)`[^`\n]*`(?P<file>[\w./-]+\.pyi?):(?P<line>\d+)`"
    r"|`(?P<file2>[\w./-]+\.pyi?):(?P<line2>\d+)`[^`\n]*`(?P<exception2>[\w.]+)`)",
    re.M,
)
# Comments above a definition belong to what is quoted of it.
_ABOVE = 8
# `model.py:36` `x + 1` in a card, model.py:36:22 x + 1 in the table.
_TRIGGER = re.compile(r"(?P<file>[\w./-]+\.py):(?P<line>\d+)(?:` `(?P<words>[^`\n]+)`|:\d+ (?P<plain>[^`|\n]+))")
_TRIGGER_WORDS = 60
# `1. entry: `, `- trace begins: `, `| entry | `
_HEAD = re.compile(r"^(?:\d+\. |- |\| )(?P<name>[^|:`\n]+?)(?:: | \|)")
_TAIL = re.compile(r"^- `b [^`]+` (?P<name>[^:`\n]+): ")
_LINK = re.compile(
    r"\[`(?P<words>[^`]+)`\]\((?P<url>https://[^)\s]+?/blob/(?P<commit>[0-9a-f]{40})/[^)\s#]+)#L(?P<first>\d+)-L(?P<last>\d+)\)"
)
_QUOTE = re.compile(r"^> (?P<words>[^\n—].*)\n>\n> — (?P<where>.*)$", re.M)
_ESCAPED = re.compile(r"\\([\\`*_\[\]<>|#~$!.)+=-])")


def is_sheet(text: Text) -> bool:
    """Tell whether a text is a study sheet that fxanchor wrote."""
    front, found, _ = text.content.partition("\n---\n")
    return bool(found) and front.startswith("---\n") and "\ngenerator: fxanchor" in front


def check_sheet(text: Text, library: Library, paper: PaperFacts | None) -> Iterator[Reference]:
    """Compare the citations, excerpts, breakpoints and quotations of a sheet with what is installed.

    Args:
        text: The sheet.
        library: The packages that it was made for.
        paper: Its paper, or None.
    """
    yield from _Sheet(text, library).judge()
    if paper is not None:
        yield from _quotes(text, paper)


class _Sheet:
    def __init__(self, text: Text, library: Library) -> None:
        self._text = text
        self._library = library
        self._stops = _Stops(library)

    def judge(self) -> Iterator[Reference]:
        content = self._text.content
        heads = [match.start() for match in _CARD.finditer(content)]
        for start in heads:
            following = _PART.search(content, content.index("\n", start))
            yield from self._card(start, following.start() if following else len(content))
        yield from self._links()
        yield from self._triggers()
        quoted = [match.span("cited") for match in _RANGE.finditer(content)]
        for match in _SPAN.finditer(content):
            if match.span() not in quoted:
                yield from self._span(match)
        inside = [match.span() for match in (*_RANGE.finditer(content), *_RAISE.finditer(content))]
        for match in _STOP.finditer(content):
            if not any(start <= match.start() < end for start, end in inside):
                yield from self._stop(match)

    def _card(self, start: int, end: int) -> Iterator[Reference]:
        content = self._text.content
        named = _IDENTITY.search(content, start, end)
        definition = self._library.index.get(named["identity"]) if named else None
        for match in _RANGE.finditer(content, start, end):
            if definition is not None:
                yield self._range(match, definition)
            elif named:
                yield self._gone(match.start("cited"), match.end("cited"), named["identity"])
        for match in _RAISE.finditer(content, start, end):
            if definition is not None:
                yield self._raise(match, definition)

    def _range(self, match: "re.Match[str]", definition: Definition) -> Reference:
        """Judge a cited range and the code quoted from it."""
        target = f"{match['file']}:{match['first']}-{match['last']} {definition.name}"
        now = f"{definition.file}:{definition.line}-{definition.end_line}"
        start, end = match.start("cited"), match.end("cited")
        changed = self._changed(match["code"], definition)
        if changed:
            evidence = f"the code of {definition.name} has changed: {changed} is not there any more; it is at {now}"
            return Reference("line", start, end, target, "wrong", evidence, now)
        cited = (match["file"], int(match["first"]), int(match["last"]))
        if cited != (definition.file, definition.line, definition.end_line):
            return Reference("line", start, end, target, "moved", f"{definition.name} is at {now}", now)
        return Reference("line", start, end, target, "right", f"{definition.name} is at {now}, as quoted")

    def _span(self, match: "re.Match[str]") -> Iterator[Reference]:
        """Judge a range without code below it: it must be that of a definition."""
        file, first, last = match["file"], int(match["first"]), int(match["last"])
        inside = self._library.index.defined_in(file) if file in self._library.files else ()
        if not inside:
            return
        best = min(inside, key=lambda one: abs(one.line - first) + abs(one.end_line - last))
        now = f"{file}:{best.line}-{best.end_line}"
        verdict: Verdict = "right" if (best.line, best.end_line) == (first, last) else "moved"
        evidence = f"{best.name} is at {now}"
        yield Reference(
            "line", *match.span(), f"{file}:{first}-{last}", verdict, evidence, "" if verdict == "right" else now
        )

    def _changed(self, quoted: str, definition: Definition) -> str:
        """Return the first quoted line that the definition has no more, or ""."""
        index = self._library.index
        first = max(0, index.first_line(definition) - 1 - _ABOVE)
        lines = index.lines(definition)[first : definition.end_line]
        there = ["".join(line.split()) for line in lines]
        whole = "".join(there)
        at = 0
        for line in quoted.split("\n"):
            said = line.strip()
            known, left_out, _ = said.partition("...") if said.endswith("...") else (said, "", "")
            wanted = "".join(known.split())
            if not wanted:
                continue
            # A signature of several lines is written anew on one.
            head = re.match(r"(?:async)?def\w+\(", wanted) if left_out else None
            beginning = head.group() if head else wanted
            for number in range(at, len(there)):
                if there[number] == wanted or (left_out and there[number].startswith(beginning)):
                    at = number + 1
                    break
            else:
                # Of a long assignment only the target is shown, written anew.
                if not left_out or wanted not in whole:
                    return f"`{said}`"
        return ""

    def _raise(self, match: "re.Match[str]", definition: Definition) -> Reference:
        found = [(item.file, item.line, item.exception) for item in self._library.index.raises(definition)]
        start, end = match.start() + 2, match.end()
        file, line = match["file"] or match["file2"], int(match["line"] or match["line2"])
        exception = match["exception"] or match["exception2"]
        target = f"{file}:{line} raise {exception}"
        if (file, line, exception) in found:
            return Reference("line", start, end, target, "right", f"{definition.name} raises it there")
        lines = [there for _, there, raised in found if raised == exception]
        if lines:
            nearest = min(lines, key=lambda there: abs(there - line))
            now = f"{definition.file}:{nearest}"
            return Reference("line", start, end, target, "moved", f"{definition.name} raises it at {now}", now)
        evidence = f"{definition.name} does not raise {exception} any more"
        return Reference("line", start, end, target, "wrong", evidence)

    def _stop(self, match: "re.Match[str]") -> Iterator[Reference]:
        file, line = match["file"], int(match["line"])
        if file not in self._library.files:
            return
        target = f"{file}:{line}"
        expected = self._expected(file, match.start())
        known = expected if expected is not None else self._stops.of(file)
        if line in known:
            yield Reference(
                "line", match.start(), match.end(), target, "right", f"a debugger stops there: {known[line]}"
            )
            return
        nearest = min(known, key=lambda one: abs(one - line), default=0)
        now = f"{file}:{nearest}" if nearest else ""
        inside = self._library.enclosing(file, line)
        where = f" in {inside.name}" if inside else ""
        evidence = f"line {line}{where} is not where {known[nearest] if nearest else 'anything'} stops"
        yield Reference("line", match.start(), match.end(), target, "moved" if now else "wrong", evidence, now)

    def _expected(self, file: str, at: int) -> dict[int, str] | None:
        """Return the stops that the line around an index can be about, by its concept, its name, or its card."""
        content = self._text.content
        line = content[content.rfind("\n", 0, at) + 1 : content.find("\n", at)]
        head = _HEAD.match(line) or _TAIL.match(line)
        stop = self._stops.chain().get(_ESCAPED.sub(r"\1", head["name"])) if head else None
        if stop is not None:
            return {stop.line: stop.symbol} if stop.file == file else None
        for words in re.findall(r"`([\w.<>]+)`", line[: max(0, line.find(content[at : at + 8]))]):
            if definition := self._named(words):
                return self._stops.inside(definition, file)
        start = max((match.start() for match in _CARD.finditer(content, 0, at)), default=None)
        named = _IDENTITY.search(content, at) if start is not None else None
        if named and not _PART.search(content, at, named.start()) and not line.startswith(("- ", "|", " ")):
            definition = self._library.index.get(named["identity"])
            return self._stops.inside(definition, file) if definition else None
        return None

    def _links(self) -> Iterator[Reference]:
        """Judge the permalinks into the installed commit: they must show what their words name."""
        index = self._library.index
        commits = {package.git_version for package in index.packages}
        for match in _LINK.finditer(self._text.content):
            if match["commit"] not in commits:
                continue
            definition = self._named(match["words"])
            cited = re.fullmatch(r".+:(\d+)-(\d+)", match["words"])
            expected = (definition.line, definition.end_line) if definition else None
            expected = expected or ((int(cited[1]), int(cited[2])) if cited else None)
            if expected is None:
                continue
            target = f"{match['words']} at #L{match['first']}-L{match['last']}"
            same = expected == (int(match["first"]), int(match["last"]))
            verdict: Verdict = "right" if same else "moved"
            now = "" if same else f"#L{expected[0]}-L{expected[1]}"
            evidence = f"{match['words']} is lines {expected[0]} to {expected[1]} of that commit"
            yield Reference("line", match.start("url"), match.end() - 1, target, verdict, evidence, now)

    def _triggers(self) -> Iterator[Reference]:
        """Judge the lines of model files that lie where the sheet says: they must hold the expression beside them."""
        for match in _TRIGGER.finditer(self._text.content):
            path = Path(match["file"])
            if match["file"] in self._library.files or path.is_absolute() or not path.is_file():
                continue
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            words = match["words"] or _ESCAPED.sub(r"\1", match["plain"]).strip()
            wanted = "".join(words.split())[:_TRIGGER_WORDS]
            holding = [number for number in range(1, len(lines) + 1) if _begins_on(wanted, lines, number)]
            number = int(match["line"])
            target = f"{match['file']}:{number}"
            if number in holding:
                yield Reference("line", match.start(), match.end(), target, "right", "the expression begins there")
                continue
            nearest = min(holding, key=lambda one: abs(one - number), default=0)
            now = f"{match['file']}:{nearest}" if nearest else ""
            verdict: Verdict = "moved" if now else "wrong"
            evidence = f"line {number} does not hold {words}"
            yield Reference("line", match.start(), match.end(), target, verdict, evidence, now)

    def _named(self, words: str) -> Definition | None:
        index = self._library.index
        exact = (index.get(name) for name in (words, *(f"{root}.{words}" for root in self._library.names.roots)))
        return next((one for one in exact if one), None) or index.resolve(words)

    def _gone(self, start: int, end: int, identity: str) -> Reference:
        near = self._library.nearest(identity.rpartition(".")[2])
        evidence = f"{identity} is not in the installed {self._library.subject}"
        suggestion = self._library.shown(near) if near else ""
        return Reference("line", start, end, identity, "wrong", evidence, suggestion)


def _begins_on(wanted: str, lines: list[str], number: int) -> bool:
    """Tell whether an expression, without blanks, begins on a line; it may go on over the next ones."""
    own = "".join(lines[number - 1].split())
    at = ("".join("".join(lines[number - 1 : number + 5]).split())).find(wanted)
    return 0 <= at < len(own)


class _Stops:
    """The lines at which sheets stop: the first statement of each function, and the catalogue's."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[str, dict[int, str]] = {}
        self._catalogue: dict[str, Stop] | None = None

    def of(self, file: str) -> dict[int, str]:
        """Return the lines of a file with what is there."""
        if file not in self._known:
            inside = self._library.index.defined_in(file)
            stops = [self.entry(one) for one in inside if one.kind in ("function", "method", "attribute", "class")]
            stops += self.chain().values()
            self._known[file] = {stop.line: stop.symbol for stop in stops if stop.line and stop.file == file}
        return self._known[file]

    def entry(self, definition: Definition) -> Stop:
        """Return where a definition is entered."""
        return entry_stop(self._library.index, definition.name)

    def inside(self, definition: Definition, file: str) -> dict[int, str] | None:
        """Return where a definition stops: a function where it is entered, a class in any of its methods."""
        if definition.file != file:
            return None
        if definition.kind != "class":
            stop = self.entry(definition)
            return {stop.line: stop.symbol} if stop.line and stop.file == file else None
        known = self.of(file)
        return {line: known[line] for line in known if definition.line <= line <= definition.end_line}

    def chain(self) -> dict[str, Stop]:
        """Return the stops of the catalogue by concept, those that the installed version has."""
        if self._catalogue is None:
            self._catalogue = {}
            for entry in load_breakpoints():
                # Others are of another version, or of another package.
                with contextlib.suppress(UsageError):
                    self._catalogue[entry.concept] = resolve(entry, self._library.index)
        return self._catalogue


def _quotes(text: Text, paper: PaperFacts) -> Iterator[Reference]:
    for match in _QUOTE.finditer(text.content):
        words = _ESCAPED.sub(r"\1", match["words"]).replace("&amp;", "&")
        places = paper.find(words)
        start, end = match.start("words"), match.end("words")
        if places:
            yield Reference("quote", start, end, "the paper", "right", str(places[0]))
        else:
            near, place, _ = paper.nearest(words)
            suggestion = f"nearest, in {place}: “{near}”" if near else ""
            yield Reference("quote", start, end, "the paper", "wrong", "these words are not in the paper", suggestion)
