"""Single names in prose and code spans that are certainly those of the packages."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.checking.reference import Reference, covered_indices
from fxanchor.checking.symbols import Knowledge

_NAME = re.compile(r"(?<![A-Za-z0-9_./@-])[A-Za-z_][A-Za-z0-9_]{2,}(?![A-Za-z0-9_]|[./][A-Za-z])")
_CLASS_WORD = re.compile(r"[`'\"]*\s*(?:类|对象|实例|基类|\b(?:class|objects?|instances?)\b)")


def check_bare_names(knowledge: Knowledge, taken: Sequence[Reference]) -> Iterator[Reference]:
    """Tell the names of the packages that stand alone; one that is none of theirs is anybody's and is left alone.

    Args:
        knowledge: The text and the packages.
        taken: References found already.
    """
    if not knowledge.is_subject:
        return
    names, plain = knowledge.library.names, knowledge.text.plain
    covered = covered_indices(one for one in taken if one.kind in ("name", "line", "parameter"))
    for region in knowledge.text.of_kind("prose", "span"):
        for match in _NAME.finditer(plain, region.start, region.end):
            word = match.group()
            if word in knowledge.own or match.start() in covered:
                continue
            shaped = "_" in word.strip("_") or bool(re.search(r"[a-z][A-Z]", word)) or word.startswith("__")
            titled = word[0].isupper() and (_CLASS_WORD.match(plain, match.end()) or region.kind == "span")
            if not shaped and not titled:
                continue
            found = names.best(word) or tuple(one for one in names.definitions(word) if names.is_public(one))
            if not found or word in knowledge.code.foreign:
                continue
            public = names.public(found[0])
            evidence = f"{public} is at {found[0].file}:{found[0].line}"
            yield Reference("name", match.start(), match.end(), public, "right", evidence)
