"""Cases of `left -> right` lines, and markers in the comments of fixture sources."""

import re
from collections.abc import Iterator
from pathlib import Path

CASES = Path(__file__).parents[1] / "cases"


def arrow_cases(path: Path) -> list[tuple[str, str]]:
    """Return the `left -> right` lines of a file; empty lines and `#` lines are left out."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
    return [(left.strip(), right.strip()) for left, _, right in (line.partition("->") for line in lines)]


def markers(folder: Path, kind: str) -> Iterator[tuple[str, int, str]]:
    """Yield file, line and text of each comment `# kind: text` under a folder."""
    for path in sorted(folder.rglob("*.py*")):
        if path.suffix not in (".py", ".pyi"):
            continue
        text = path.read_bytes()
        encoding = "latin-1" if b"latin-1" in text[:40] else "utf-8"
        for number, line in enumerate(text.decode(encoding).splitlines(), 1):
            if match := re.search(rf"# {kind}: (.*)$", line):
                yield path.relative_to(folder).as_posix(), number, match[1].strip()
