"""What a variable that a text does not bind stands for, by how the packages themselves use the name."""

from collections import Counter

from fxanchor.checking.library import Library
from fxanchor.concepts.values import Instance, annotated
from fxanchor.source.definition import Definition

# Parameters of this name that must be annotated with the class, and the share of all annotated ones.
_FEWEST = 3
_SHARE = 0.75


class Receivers:
    """The class that a variable name is used for in the packages.

    Args:
        library: The packages.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[str, Definition | None] = {}

    def of(self, word: str) -> Definition | None:
        """Return the class that a variable of this name is an object of, or None when that is not certain.

        Certain is what at least three parameters of this name in the packages are annotated with, three quarters of
        those that are annotated with a class; or the one public class that the name is the snake case of.
        """
        if word not in self._known:
            self._known[word] = (self._annotated(word) or self._spelled(word)) if len(word) > 1 else None
        return self._known[word]

    def _annotated(self, word: str) -> Definition | None:
        names = self._library.names
        counts: Counter[Definition | str] = Counter()
        for parameter in self._library.index.named(word, ("parameter",)):
            if parameter.annotation and "tests" not in parameter.file.split("/"):
                value = annotated(names, parameter.annotation, parameter)
                known = isinstance(value, Instance)
                counts[value.definition if known else parameter.annotation] += 1  # type: ignore[union-attr]
        best, count = next(iter(counts.most_common(1)), ("", 0))
        if isinstance(best, str) or count < _FEWEST or count < _SHARE * counts.total():
            return None
        return best

    def _spelled(self, word: str) -> Definition | None:
        camel = "".join(part[:1].upper() + part[1:] for part in word.split("_"))
        found = [one for one in self._library.names.best(camel) if one.kind == "class"]
        public = [one for one in found if self._library.names.public(one) in self._library.names.public_names]
        return public[0] if len(public) == 1 else None
