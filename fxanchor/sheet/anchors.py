"""The row that joins everything: what the paper calls it, where it is defined, where it stops, what set it off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.concepts.concept import Concept, Mention
from fxanchor.sheet.mapping import Mapped
from fxanchor.source.definition import Definition

if TYPE_CHECKING:
    from fxanchor.source.index import Index


@dataclass(frozen=True, slots=True)
class Anchor:
    """One concept on one model.

    Attributes:
        proof: The breakpoint and what a run did with it.
        definition: The definition the breakpoint lies in, or None for code that is not in the index.
        concept: The paper's concept for it, or None without a paper or where the paper does not speak of it.
    """

    proof: Proof
    definition: Definition | None
    concept: Concept | None

    @property
    def name(self) -> str:
        """What the table calls it."""
        return self.proof.wanted.concept

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """Where the paper speaks of it."""
        if self.concept is None:
            return ()
        return tuple(mention for mention in self.concept.mentions if mention.status in ("linked", "moved"))


def join(proofs: Sequence[Proof], index: "Index", mapped: Mapped | None) -> tuple[Anchor, ...]:
    """Tie each proven breakpoint to its definition and to the paper's concept for it.

    Args:
        proofs: What the run proved, in the order of the call chain.
        index: Definitions of the package.
        mapped: The paper, when one was given.

    Returns:
        One anchor for each proof, in the same order.
    """
    by_symbol = _by_symbol(mapped.found.concepts) if mapped else {}
    anchors = []
    for proof in proofs:
        symbol = proof.wanted.stop.symbol
        concept = next((by_symbol[name] for name in _enclosing(symbol, index) if name in by_symbol), None)
        anchors.append(Anchor(proof, index.get(symbol), concept))
    return tuple(anchors)


def stops_to_prove(mapped: Mapped | None) -> tuple[Wanted, ...]:
    """Return the breakpoints of the paper's linked concepts, for a trace to prove besides the catalogue's."""
    if mapped is None:
        return ()
    found: dict[str, Wanted] = {}
    # A definition is called by its name rather than by a phrase that means it.
    for concept in sorted(mapped.found.concepts, key=lambda concept: concept.kind == "phrase"):
        stop = mapped.stops.get(concept.symbol)
        if stop is not None and concept.status in ("linked", "moved"):
            unreached = "the capture of this model does not call it"
            found.setdefault(concept.symbol, Wanted(concept.name, stop, unreached=unreached))
    return tuple(found.values())


def _by_symbol(concepts: Sequence[Concept]) -> dict[str, Concept]:
    """Return the concept to show for a symbol: its own name before a phrase that means it, before an alternative."""
    linked = [concept for concept in concepts if concept.status in ("linked", "moved") and concept.symbol]
    ranked = sorted(linked, key=lambda concept: concept.kind == "phrase")
    found: dict[str, Concept] = {}
    for concept in ranked:
        found.setdefault(concept.symbol, concept)
    for concept in ranked:
        for alternative in concept.alternatives:
            found.setdefault(alternative, concept)
    return found


def inside_module(symbol: str, index: "Index") -> str:
    """Return a qualified name without its module: `Tracer.trace` for `torch.fx._symbolic_trace.Tracer.trace`."""
    parts = symbol.split(".")
    for end in range(len(parts) - 1, 0, -1):
        definition = index.get(".".join(parts[:end]))
        if definition is not None and definition.kind == "module":
            return ".".join(parts[end:])
    return symbol


def _enclosing(symbol: str, index: "Index") -> Iterator[str]:
    """Give the symbol, then the functions and the class it is part of: the paper may speak of those.

    The module is left out: a paper that names the package does not speak of each of its functions.
    """
    inside = inside_module(symbol, index)
    module = symbol.removesuffix(inside)
    parts = inside.split(".")
    for end in range(len(parts), 0, -1):
        if parts[end - 1] != "<locals>":
            yield module + ".".join(parts[:end])
