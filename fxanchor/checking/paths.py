"""Files of the packages that a text names: `torch/fx/proxy.py`, `graph.py`."""

import re
from collections.abc import Iterator, Sequence

from fxanchor.checking.library import Library
from fxanchor.checking.reference import Reference, Text, covered_indices

_PATH = re.compile(r"(?<![A-Za-z0-9_./:@-])/?(?P<path>(?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_-]+\.py)(?![A-Za-z0-9_/])")


def check_paths(text: Text, library: Library, taken: Sequence[Reference]) -> Iterator[Reference]:
    """Tell the files of the packages, and those that a text puts into a folder of the packages and are not there.

    Args:
        text: The text.
        library: The packages.
        taken: References found already; a file in one of them has been judged.
    """
    folders = tuple(f"{root.replace('.', '/')}/" for root in library.names.roots)
    covered = covered_indices(taken)
    for match in _PATH.finditer(text.plain):
        if match.start() in covered:
            continue
        path = match["path"]
        start, end = match.span("path")
        files = library.matching(path)
        if files:
            evidence = files[0] if len(files) == 1 else f"{len(files)} files of {library.subject} end so"
            yield Reference("name", start, end, path, "right", evidence)
        elif path.startswith(folders):
            name = path.rpartition("/")[2]
            others = library.matching(name)
            evidence = f"{library.subject} has no file {path}"
            if len(others) == 1:
                yield Reference("name", start, end, path, "moved", evidence, others[0])
            else:
                yield Reference("name", start, end, path, "wrong", evidence, ", ".join(others[:3]))
