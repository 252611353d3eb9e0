"""Marked content: what the file says that a piece of its page is, or stands for."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fxanchor.paper.pdf.content import Operand
from fxanchor.paper.pdf.fonts import UNKNOWN
from fxanchor.paper.pdf.spans import Span

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject

_SOFT_HYPHEN: Final = "\u00ad"
_BLANKS: Final = " \t\r\n\u00a0\u200b\ufeff"
# The number of a line of code is left out of what is copied; a paragraph never is.
_LONGEST_OMITTED: Final = 12


@dataclass(slots=True)
class Mark:
    """What is said of the content between two marks (ISO 32000-1, 14.8.2.2 and 14.9.4).

    Attributes:
        actual: The text that it stands for, or None when it stands for itself.
        running: Whether it is a running head, a page number or a stamp.
    """

    actual: str | None = None
    running: bool = False
    _omitted: list[Span] = field(default_factory=list, init=False)
    _spoken: bool = field(default=False, init=False)

    def read(self, span: Span) -> Sequence[Span]:
        """Return what a person reads where a span is shown.

        Writers also put whole formulas in words here, so what is shown counts wherever it can be told.
        """
        if self.actual is None:
            return (span,)
        if not self.actual.strip(_BLANKS):
            self._omitted.append(span)
            if sum(len(omitted.text) for omitted in self._omitted) <= _LONGEST_OMITTED:
                return ()
            self.actual = None
            return self._omitted
        if self._spoken:
            return ()
        if self.actual == _SOFT_HYPHEN or UNKNOWN in span.text:
            self._spoken = True
            span.text = self.actual.strip(_BLANKS)
        else:
            self.actual = None
        return (span,)


def read_mark(operands: Sequence[Operand], resources: "DictionaryObject | None", outer: Mark | None) -> Mark | None:
    """Read the operands of an operator that begins marked content.

    Args:
        operands: A tag, and either the name of a property list or its keys and values in one row.
        resources: Where property lists are named.
        outer: The mark around this one.

    Returns:
        What is said of the content; the outer mark when that is nothing new.
    """
    running = operands[:1] == ["/Artifact"] and "/Pagination" in operands
    actual = _actual(operands, resources)
    if actual is None and not running:
        return outer
    return Mark(actual, running or (outer is not None and outer.running))


def _actual(operands: Sequence[Operand], resources: "DictionaryObject | None") -> str | None:
    from pypdf.generic import DictionaryObject, TextStringObject, create_string_object

    value: object = None
    if "/ActualText" in operands[:-1]:
        value = operands[operands.index("/ActualText") + 1]
    elif len(operands) == 2 and resources is not None:
        lists = resources.get("/Properties")
        lists = lists.get_object() if lists is not None else None
        named = lists.get(operands[1]) if isinstance(lists, DictionaryObject) else None
        named = named.get_object() if named is not None else None
        value = named.get("/ActualText") if isinstance(named, DictionaryObject) else None
    if isinstance(value, bytes):
        value = create_string_object(value)
    return str(value) if isinstance(value, TextStringObject) else None
