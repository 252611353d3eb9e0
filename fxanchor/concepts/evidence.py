"""The data that linking rules pass on: a candidate in the text, what was found for it, and the verdict."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fxanchor.concepts.concept import Status, Where
from fxanchor.concepts.words import is_camel, is_shaped
from fxanchor.paper.document import Passage
from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.concepts.scope import Scope

_CALL = re.compile(r"([A-Za-z_][\w.]*)\((?:[^()]*,\s*)?$")
_SET = re.compile(r"\s?=(?!\s?=)")
_FARTHEST = 200


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place of the text that may name a definition.

    Attributes:
        passage: The passage it stands in.
        order: Number of the passage in the paper.
        start: Index in the passage's text.
        end: Index behind it.
        surface: The words as spelt, with the call parentheses.
        parts: The parts of the dotted name.
        code: Whether it stands in the paper's code font.
        where: In what kind of block it stands.
        sentence: The sentence or code line around it.
        asked: Whether the user asked for this word.
        is_cut: Whether the hyphen of a line end stands beside it, so that it may be a piece of a word.
    """

    passage: Passage
    order: int
    start: int
    end: int
    surface: str
    parts: tuple[str, ...]
    code: bool
    where: Where
    sentence: str
    asked: bool = False
    is_cut: bool = False

    @property
    def word(self) -> str:
        """The last part of the name."""
        return self.parts[-1]

    @property
    def name(self) -> str:
        """The dotted name without parentheses."""
        return ".".join(self.parts)

    @property
    def called(self) -> bool:
        """Whether empty parentheses follow."""
        return self.surface.endswith(")")

    @property
    def shaped(self) -> bool:
        """Whether the spelling alone shows a name of a program."""
        return is_shaped(self.surface)

    @property
    def camel(self) -> bool:
        """Whether the last part is spelt `CamelCase`."""
        return is_camel(self.word)

    @property
    def in_call(self) -> str:
        """The callable in whose parentheses it is set, as `mode` is in `compile(model, mode="...")`, or ""."""
        if not _SET.match(self.passage.text, self.end):
            return ""
        call = _CALL.search(self.passage.text[max(0, self.start - _FARTHEST) : self.start])
        return call.group(1) if call else ""

    @property
    def before(self) -> str:
        """The text in front of it, at most 60 characters."""
        return self.passage.text[max(0, self.start - 60) : self.start]

    @property
    def after(self) -> str:
        """The text behind it, at most 120 characters."""
        return self.passage.text[self.end : self.end + 120]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a candidate.

    Attributes:
        status: The status; a verdict of `refused` without a reason is not worth a line to the user.
        definition: The definition it names.
        reason: Why, in words.
        evidence: The kinds of evidence that speak for it: `font`, `spelling`, `public`, `only`, `context`.
        alternatives: Qualified names of other definitions it could mean.
        label: How the concept is called where the definition's own name does not say it, as for parameters.
        owner: Name of the class through which the text reaches a member, which may inherit it.
    """

    status: Status
    definition: Definition | None = None
    reason: str = ""
    evidence: frozenset[str] = field(default_factory=frozenset)
    alternatives: tuple[str, ...] = ()
    label: str = ""
    owner: str = ""


Rule = Callable[[Candidate, "Scope"], Verdict | None]


def refused(reason: str) -> Verdict:
    """Return a verdict that a candidate is no name of the package."""
    return Verdict("refused", reason=reason)


def outside(reason: str) -> Verdict:
    """Return a verdict that a candidate is another package's name."""
    return Verdict("outside", reason=reason)
