"""Line citations (`proxy.py:189-215`, "line 421 of graph.py", `proxy.py第189行`): is that what stands there?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fxanchor.checking.library import Library
from fxanchor.checking.reference import Reference, Text, Verdict
from fxanchor.source.definition import Definition

_FILE = r"(?<![A-Za-z0-9_./-])(?P<file>(?:[A-Za-z0-9_.-]*/)*[A-Za-z0-9_-]+\.pyi?)"
_TO = r"(?:\s*(?:[-–—~～至到]|to|through|and)\s*(?:第|L|lines?\s)?\s*(?P<last>\d{1,7})(?!\d))?"
_CITATIONS = (
    re.compile(rf"{_FILE}(?::|#L|, ?L)(?P<first>\d{{1,7}})(?!\d){_TO}"),
    re.compile(rf"{_FILE}[`'\"》」]*\s*(?:文件)?\s*(?:中|里|的)*\s*第\s*(?P<first>\d{{1,7}})(?!\d)\s*行?{_TO}\s*行"),
    re.compile(rf"{_FILE}[`'\"]*,?\s*\(?(?:at |on |in )?lines?\s+(?P<first>\d{{1,7}})(?!\d){_TO}", re.IGNORECASE),
    re.compile(
        rf"\blines?\s+(?P<first>\d{{1,7}})(?!\d){_TO}\s+(?:of|in)\s+(?:the\s+file\s+)?[`'\"]*{_FILE}", re.IGNORECASE
    ),
)
_NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
# What a citation says is there: `第189行的create_proxy方法`, `proxy.py:189 (run)`, `run at proxy.py:189`.
_AFTER = re.compile(
    rf"^[`'\"）)]*\s*(?:附近|左右|处)?\s*(?:的|(?P<comma>[,，])|:|：|in|is|defines|holds|\(|（|—|-)\s*"
    rf"(?:the\s+)?(?:def |class |method |function )?"
    rf"[`'\"]*(?P<name>{_NAME})"
)
_BETWEEN = (
    r"(?:\(\))?[`'\"*]*(?:\s+(?:method|function|class|attribute|property|module)\b)?\s*"
    r"(?:(?P<opened>\(|（)(?:\s*(?:see|at|in)\b)?"
    r"|(?P<said>(?:,?\s*(?:which|that)\s)?\s*(?:is|lives?|sits?|stands|resides|begins|starts|can\s+be|,(?=\s*[dil]))"
    r"\s*(?:(?:defined|implemented|declared|located|found|written)\s+)?\b(?:at|in|on|between)\b|定义在|位于)"
    r"|(?:at|in|on)\b|在|见)\s*(?:the\s+file\s+)?[`'\"(（\[]*\s*"
)
_BEFORE = re.compile(rf"(?P<name>{_NAME}){_BETWEEN}$")
# A name that has a citation of its own behind it: "`a` (x.py:1), `b` (x.py:9)".
_CITED = re.compile(rf"{_BETWEEN}(?:lines?\s|{_FILE})", re.IGNORECASE)
_REACH = 300
_CLOSED = re.compile(r"[`'\"]*\s*[)）]")
_KIND_OF_CODE = re.compile(r"\s*(?:方法|函数|类|属性|\b(?:method|function|class|attribute)\b)")


@dataclass(frozen=True, slots=True)
class Citation:
    """A file and lines that a text names, and what it says is there.

    Attributes:
        start: Index of its first character, that of the name when it comes before.
        end: Index behind its last.
        file: The file as written.
        first: First line.
        last: Last line.
        name: What is said to be there, or "".
        sure: Whether that can only be a name of code, not a word such as `raised` or `where`.
    """

    start: int
    end: int
    file: str
    first: int
    last: int
    name: str
    sure: bool


def check_lines(text: Text, library: Library) -> Iterator[Reference]:
    """Judge every line citation of a file of the indexed packages.

    Args:
        text: The text.
        library: The packages. A citation of a file that none of them has is left alone.

    Yields:
        One reference for each citation, in the order of the text.
    """
    for citation in find_citations(text):
        if files := library.matching(citation.file):
            yield _judged(citation, files, library)


def find_citations(text: Text) -> tuple[Citation, ...]:
    """Return the line citations of a text, in its order."""
    found: dict[int, Citation] = {}
    for pattern in _CITATIONS:
        for match in pattern.finditer(text.plain):
            first = int(match["first"])
            last = int(match["last"] or first)
            start, end, name, sure = _with_name(text.plain, match.start(), match.end())
            if first and not any(old.start < match.end() and match.start() < old.end for old in found.values()):
                found[match.start()] = Citation(start, end, match["file"], first, max(first, last), name, sure)
    return tuple(found[start] for start in sorted(found))


def _with_name(content: str, start: int, end: int) -> tuple[int, int, str, bool]:
    """Return the citation's range grown over the name it is said to be of, that name, and whether it is certain."""
    line_end = content.find("\n", end, end + _REACH)
    stop = line_end if line_end >= 0 else end + _REACH
    line_start = content.rfind("\n", max(0, start - _REACH), start) + 1 or max(0, start - _REACH)
    before = _BEFORE.search(content[line_start:start])
    after = _AFTER.match(content[end:stop])
    if after and _CITED.match(content, end + after.end(), stop):
        after = None
    found = []
    if after:
        sure = _is_name(after["name"], content, end + after.start("name"), end + after.end("name"))
        found.append((start, end + after.end(), after["name"], sure))
    if before:
        at = line_start + before.start()
        one = (at, end, before["name"], _is_name(before["name"], content, at, at + len(before["name"])))
        closed = before["opened"] and _CLOSED.match(content, end)
        # What follows a statement that is complete, or a comma outside its brackets, is the next one.
        complete = closed or before["said"] or (after and after["comma"] and not before["opened"])
        found.insert(0 if complete else len(found), one)
    return next((one for one in found if one[3]), found[0] if found else (start, end, "", False))


def _is_name(name: str, content: str, start: int, end: int) -> bool:
    """Tell whether a word beside a citation can only be a name of code, not a word such as `raised` or `where`."""
    if name.endswith((".py", ".pyi")):
        return False
    shaped = "_" in name or "." in name or bool(re.search(r"[a-z][A-Z]", name))
    marked = content[start - 1 : start] in ("`", "'", '"') and content[end : end + 1] in ("`", "'", '"', "(")
    said = _KIND_OF_CODE.match(content, end) or content.startswith("()", end)
    return shaped or marked or bool(said)


def _judged(citation: Citation, files: Sequence[str], library: Library) -> Reference:
    lines = f"{citation.first}-{citation.last}" if citation.last > citation.first else f"{citation.first}"
    target = f"{citation.file}:{lines} {citation.name}".rstrip()

    def verdict(what: Verdict, evidence: str, suggestion: str = "") -> Reference:
        return Reference("line", citation.start, citation.end, target, what, evidence, suggestion)

    there = _standing_there(citation, files, library)
    named = _named(citation.name, files, library) if citation.name else []
    if not citation.sure and not (named and citation.name[:1].isupper()):
        return verdict(*_without_name(citation, files, library))
    if not named:
        if (elsewhere := library.dotted(citation.name)) is not None:
            place = f"{elsewhere.name} is at {elsewhere.file}:{_span(elsewhere)}"
            if _is_used_there(citation, files, library):
                return verdict("cannot tell", f"{there}, which names it; {place}")
            evidence = f"{' and '.join(files)} does not define {citation.name}; {place}"
            return verdict("wrong", evidence, library.shown(elsewhere))
        near = library.nearest(citation.name.rpartition(".")[2], files)
        return verdict(
            "wrong",
            f"{' and '.join(files)} has nothing called {citation.name}; {there}",
            f"Perhaps {near.name} ({near.file}:{near.line})" if near else "",
        )
    for definition in named:
        # A decorator or a comment above belongs to a definition; more than a few lines above is another one.
        if definition.line - 4 <= citation.first and citation.last <= definition.end_line + 1:
            return verdict("right", f"{definition.name} is at {definition.file}:{_span(definition)}")
    best = named[0]
    return verdict("moved", f"{best.name} is at {best.file}:{_span(best)}; {there}", f"{best.file}:{_span(best)}")


def _without_name(citation: Citation, files: Sequence[str], library: Library) -> tuple[Verdict, str, str]:
    longest = max(len(library.lines(file)) for file in files)
    if citation.last > longest:
        return "wrong", f"{' and '.join(files)} has {longest} lines", ""
    return "cannot tell", f"the text does not say what should be there; {_standing_there(citation, files, library)}", ""


def _standing_there(citation: Citation, files: Sequence[str], library: Library) -> str:
    """Say what does stand at the cited line."""
    file = files[0]
    lines = library.lines(file)
    if citation.first > len(lines):
        return f"{file} ends at line {len(lines)}"
    text = lines[citation.first - 1].strip()
    inside = library.enclosing(file, citation.first)
    where = f" in {inside.name}" if inside is not None else ""
    return f"line {citation.first} is {f'`{text}`' if text else 'blank'}{where}"


def _is_used_there(citation: Citation, files: Sequence[str], library: Library) -> bool:
    """Tell whether the cited lines use the name that the text gives them, as a call or an import does."""
    last = re.escape(citation.name.rpartition(".")[2])
    cited = "".join(line for file in files for line in library.lines(file)[citation.first - 1 : citation.last])
    return bool(re.search(rf"\b{last}\b", cited))


def _named(name: str, files: Sequence[str], library: Library) -> list[Definition]:
    """Return the definitions of these files that a name means, the best first."""
    simple = name.rpartition(".")[2]
    inside = [found for found in library.names.definitions(simple) if found.file in files]
    dotted = [found for found in inside if found.name == name or found.name.endswith("." + name)]
    owner = name.rpartition(".")[0]
    if owner and not dotted:
        # A name by which others reach it: `torch.fx.Graph.lint`, or a method that the class inherits.
        if (meant := library.dotted(name)) is not None:
            return [meant] if meant.file in files else []
        # `node.kind`: a variable named like a class of the file stands for an object of it.
        dotted = [found for found in inside if found.parent.rpartition(".")[2].casefold() == owner.casefold()]
        return dotted
    return dotted or inside


def _span(definition: Definition) -> str:
    return f"{definition.line}-{definition.end_line}"
