"""Files that a text names with what it says is in them: `proxy.py的create_proxy方法`, "`Tracer` in `graph.py`"."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.checking.library import Library
from fxanchor.checking.reference import Reference, Text

_FILE = r"(?P<file>(?:[A-Za-z0-9_.-]*/)*[A-Za-z0-9_-]+\.py)(?![A-Za-z0-9_:#])"
_NAME = r"(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)(?:\(\))?"
_IN_FILE = (
    re.compile(
        rf"(?<![A-Za-z0-9_./-]){_FILE}[`'\"]*\s*(?:文件)?(?:中|里)?的\s*[`'\"]*{_NAME}[`'\"]*\s*(?:函数|方法|类|属性|入口|实现)"
    ),
    re.compile(
        rf"(?<![A-Za-z0-9_.]){_NAME}[`'\"]*\s+(?:(?:class|function|method)\s+)?"
        rf"(?:\(|is (?:defined |implemented )?in|in|from)\s*"
        rf"(?:the\s+)?(?:file\s+)?[`'\"]*{_FILE}"
    ),
)


def check_files(text: Text, library: Library, taken: Sequence[Reference]) -> Iterator[Reference]:
    """Judge what a text says is defined in a file of the packages, without a line.

    Args:
        text: The text.
        library: The packages.
        taken: References found already; those of lines are not judged again.
    """
    for number, pattern in enumerate(_IN_FILE):
        for match in pattern.finditer(text.plain):
            name = match["name"]
            coded = (
                number == 0 or "_" in name or "." in name or "`" in match.group() or bool(re.search("[a-z][A-Z]", name))
            )
            files = library.matching(match["file"])
            clash = any(one.start < match.end() and match.start() < one.end for one in taken if one.kind == "line")
            if not files or not coded or clash:
                continue
            found = [one for one in library.names.definitions(name.rpartition(".")[2]) if one.name.endswith(f".{name}")]
            if not found and (meant := library.dotted(name)) is not None:
                found = [meant]
            there = [one for one in found if one.file in files]
            target = f"{match['file']} {name}"
            if there:
                place = f"{there[0].name} is at {there[0].file}:{there[0].line}"
                yield Reference("name", match.start(), match.end(), target, "right", place)
                continue
            first = library.names.first(found)
            lines = "".join(line for file in files for line in library.lines(file))
            last = re.escape(name.rpartition(".")[2])
            if re.search(rf"\bimport\b.*\b{last}\b|^\s+{last},$|(?<!def )\b{last}\(|\.{last}\b", lines, re.M):
                continue  # used or imported there
            if first is not None:
                evidence = f"{files[0]} does not have {name}; {library.shown(first)} is elsewhere"
                yield Reference(
                    "name", match.start(), match.end(), target, "moved", evidence, f"{first.file}:{first.line}"
                )
            elif number == 0:
                near = library.nearest(name.rpartition(".")[2], files)
                evidence = f"{files[0]} has nothing called {name}, nor has any file of {library.subject}"
                suggestion = library.shown(near) if near else ""
                yield Reference("name", match.start(), match.end(), target, "wrong", evidence, suggestion)
