"""Names in the code and in the expressions of a text: what each one is in the installed packages, or that it is not."""

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fxanchor.checking.classes import Shapes
from fxanchor.checking.evaluate import Evaluation, Miss
from fxanchor.checking.library import Library
from fxanchor.checking.missing import judge_miss
from fxanchor.checking.pieces import ENDINGS, Piece, pieces
from fxanchor.checking.receivers import Receivers
from fxanchor.checking.reference import Reference, ReferenceKind, Text
from fxanchor.concepts.values import Code, Use, Value

_DEFINED = re.compile(r"\b(?:def|class)\s+([A-Za-z_]\w*)")
_ATTRIBUTE_SET = re.compile(r"\.([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)|setattr\([^,\n]+,\s*[\"'](\w+)", re.ASCII)
# `the node.Then it` only lacks a blank.
_NEW_SENTENCE = re.compile(r"[a-z]\w*\.[A-Z][a-z]+")


@dataclass
class Knowledge:
    """What the names of one text are judged with.

    Attributes:
        text: The text.
        library: The packages.
        shapes: What their classes answer to.
        receivers: What unbound variables stand for.
        code: What the text's own code has set up.
    """

    text: Text
    library: Library
    shapes: Shapes
    receivers: Receivers
    code: Code = field(default_factory=Code)

    @cached_property
    def own(self) -> frozenset[str]:
        """Functions and classes that the text defines itself."""
        return frozenset(_DEFINED.findall(self.text.plain))

    @cached_property
    def set_attributes(self) -> frozenset[str]:
        """Attributes that the text's code sets on objects."""
        return frozenset(name for pair in _ATTRIBUTE_SET.findall(self.text.plain) for name in pair if name)

    @cached_property
    def is_subject(self) -> bool:
        """Whether the text speaks of the packages at all, so that a bare name may be theirs."""
        roots = self.library.names.roots
        last = "|".join(re.escape(root.rpartition(".")[2]) for root in roots)
        whole = "|".join(re.escape(root) for root in roots)
        return bool(re.search(rf"(?<![\w.])(?:{whole})(?![A-Za-z0-9_])", self.text.plain)) or bool(
            re.search(rf"(?<![A-Za-z0-9_.])(?:{last})\.[A-Za-z_]", self.text.plain)
        )

    def evaluate(self, piece: Piece) -> Evaluation:
        """Walk a piece of code, with all that the code before it has bound."""
        evaluation = Evaluation(
            self.library, self.shapes, self.receivers, piece.listing, self.code, self.is_subject, self.own
        )
        # A chain of thousands of calls in one expression is no code that a text shows.
        with contextlib.suppress(RecursionError):
            evaluation.run()
        return evaluation


def check_symbols(knowledge: Knowledge) -> Iterator[Reference]:
    """Judge every name of the packages in code, in code spans, and in expressions in prose.

    Args:
        knowledge: The text and the packages; its `code` is filled on the way.

    Yields:
        References, the first ones those of blocks.
    """
    found = list(pieces(knowledge.text))
    knowledge.code.values.update(_bound_somewhere(found, knowledge))
    misses: list[tuple[Piece, Miss]] = []
    confirmed: Counter[str] = Counter()
    for piece in sorted(found, key=lambda piece: piece.start):
        evaluation = knowledge.evaluate(piece)
        missed = list(evaluation.misses.values())
        for use in evaluation.uses:
            if use.definition is not None and not any(one.start <= use.start and use.end == one.end for one in missed):
                confirmed.update({use.surface.partition(".")[0]} & evaluation.guessed)
                yield _right(piece, use, knowledge.library)
        misses += [(piece, miss) for miss in missed]
    doubted = Counter(miss.guess for _, miss in misses)
    for piece, miss in misses:
        # A variable that mostly has other attributes than those of the class is something else.
        sure = not miss.guess or confirmed[miss.guess] >= doubted[miss.guess] - 1
        if (reference := _missed(piece, miss, knowledge, sure)) is not None:
            yield reference


def _bound_somewhere(found: list[Piece], knowledge: Knowledge) -> dict[str, Value]:
    """Return what the code of the text first binds each name to: what prose above the code means by it."""
    before = Knowledge(knowledge.text, knowledge.library, knowledge.shapes, knowledge.receivers)
    values: dict[str, Value] = {}
    for piece in found:
        if piece.kind in ("block", "statement"):
            before.evaluate(piece)
            for name, value in before.code.values.items():
                if values.get(name) is None:
                    values[name] = value
    return values


def _right(piece: Piece, use: Use, library: Library) -> Reference:
    assert use.definition is not None
    public = library.names.public(use.definition)
    place = f"{use.definition.file}:{use.definition.line}"
    return Reference("name", piece.start + use.start, piece.start + use.end, public, "right", f"{public} is at {place}")


def _missed(piece: Piece, miss: Miss, knowledge: Knowledge, sure: bool) -> Reference | None:
    if miss.word in knowledge.set_attributes or (miss.kind == "attribute" and miss.word in knowledge.own):
        return None
    if ENDINGS.search(miss.surface) or (piece.kind == "prose" and _NEW_SENTENCE.fullmatch(miss.surface)):
        return None
    verdict = judge_miss(miss, knowledge.library, knowledge.shapes)
    if verdict is None:
        return None
    kind: ReferenceKind = "parameter" if miss.kind in ("parameter", "arguments") else "name"
    start, end = piece.start + miss.start, piece.start + miss.end
    # Anybody can hang an attribute on an object that the text got from elsewhere; a method it does not get that way.
    hung = miss.guess and miss.kind == "attribute" and not miss.called and not miss.word.startswith("_")
    if hung or not sure:
        evidence = f"if {miss.guess} is what its name says: {verdict.evidence}"
        return Reference(kind, start, end, verdict.target, "cannot tell", evidence, verdict.suggestion)
    return Reference(kind, start, end, verdict.target, verdict.verdict, verdict.evidence, verdict.suggestion)
