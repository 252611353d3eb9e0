"""What the files of the packages say as text: their lines, their words, what stands where, what is near a name."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fxanchor.concepts.names import Names
from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.source.index import Index

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Set on an object from outside its class (`mod.graph = g`), or by a name held in a string.
_SET_FROM_OUTSIDE = re.compile(
    r"(?<![\w.])(?!self\b|cls\b)[A-Za-z_]\w*(?:\.\w+)*\.([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)"
    r"|setattr\([^,\n]+,\s*f?[\"'](\w+)"
)
# The least likeness of names that one may be a slip of the other.
_LIKE = 0.75
_EXTENDED = re.compile(r"setattr\(\s*([A-Z]\w*)\s*,\s*(?![\"'])")


class Library:
    """The packages, for questions that the index does not answer.

    Args:
        index: The index of the packages.
    """

    def __init__(self, index: "Index") -> None:
        self.index = index
        self.names = Names(index)
        self._inside: dict[str, tuple[Definition, ...]] = {}

    @cached_property
    def files(self) -> dict[str, Definition]:
        """The module of each file."""
        return self.index.files()

    @property
    def subject(self) -> str:
        """The packages in words."""
        return " and ".join(self.names.roots)

    def lines(self, file: str) -> list[str]:
        """Return the lines of a file."""
        module = self.files.get(file)
        return self.index.lines(module) if module else []

    def matching(self, path: str) -> list[str]:
        """Return the files that a path as written may mean: its end, such as `fx/proxy.py`, nearest to the root first.

        Args:
            path: The path, with forward slashes.
        """
        ends = "/" + path.lstrip("./")
        return sorted(
            (file for file in self.files if f"/{file}".endswith(ends)), key=lambda file: (file.count("/"), file)
        )

    def enclosing(self, file: str, line: int) -> Definition | None:
        """Return the innermost class or function around a line."""
        if file not in self._inside:
            self._inside[file] = self.index.defined_in(file)
        around = [
            found
            for found in self._inside[file]
            if found.kind in ("class", "function", "method") and found.line <= line <= found.end_line
        ]
        return around[-1] if around else None

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of every file, in comments and strings too."""
        return frozenset(word for file in self.files for line in self.lines(file) for word in _WORD.findall(line))

    @cached_property
    def set_from_outside(self) -> frozenset[str]:
        """Attributes that code of the packages sets on objects whose class need not know them."""
        found = (_SET_FROM_OUTSIDE.findall("".join(self.lines(file))) for file in self.files)
        return frozenset(name for pairs in found for pair in pairs for name in pair if name)

    @cached_property
    def extended(self) -> frozenset[str]:
        """Classes that code of the packages gives attributes by a name that it works out: `setattr(Proxy, name, f)`."""
        found = (_EXTENDED.findall("".join(self.lines(file))) for file in self.files)
        return frozenset(name for names in found for name in names)

    def dotted(self, name: str) -> Definition | None:
        """Return what a dotted name means by its public spelling, its own, or inheritance; None when it has no dot.

        Args:
            name: The name as written, such as `torch.fx.Graph.lint`.
        """
        return self.names.dotted(name.split(".")) if "." in name else None

    def nearest(self, word: str, files: Sequence[str] = ()) -> Definition | None:
        """Return the definition whose name is most like a word; None when none is.

        Args:
            word: The word.
            files: A definition in one of these comes before others.
        """
        from difflib import get_close_matches

        near = get_close_matches(word, self.index.simple_names(), n=5, cutoff=_LIKE)
        found = [one for name in near for one in self.names.definitions(name) if "<locals>" not in one.name]
        return next((one for one in found if one.file in files), found[0] if found else None)

    def nearest_in(self, module: Definition, word: str) -> Definition | None:
        """Return what a module hands out or holds whose name is most like a word; None when nothing is.

        Args:
            module: The module.
            word: The word.
        """
        from difflib import SequenceMatcher, get_close_matches

        hidden = word.startswith("_")
        members = [name for name in self.index.member_names(module.name) if hidden or not name.startswith("_")]
        near = (self.names.member(module, name) for name in get_close_matches(word, members, n=5, cutoff=_LIKE))
        own = next((one for one in near if one is not None), None)
        other = self.nearest(word, (module.file,))
        # A namesake in a class far away is not what a module was asked for.
        if other is not None and other.file != module.file and other.kind not in ("module", "class", "function"):
            other = None
        if own is None or other is None:
            return own or other
        likeness = {one: SequenceMatcher(None, one.simple_name, word).ratio() for one in (own, other)}
        return other if likeness[other] > likeness[own] else own

    def shown(self, definition: Definition) -> str:
        """Return a definition in words: its public name and where it is."""
        return f"{self.names.public(definition)} ({definition.file}:{definition.line})"
