"""The states that a paper on capturing speaks of, as a run shows them: a view on the proofs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fxanchor.breakpoints.proof import Proof, Seen


@dataclass(frozen=True, slots=True)
class State:
    """One thing to see when standing at a breakpoint.

    Attributes:
        state: What it is, in words, such as `the graph is there and empty`.
        proof: The breakpoint at which it is seen.
        seen: The expressions that show it, with their values.
    """

    state: str
    proof: Proof
    seen: tuple[Seen, ...]


def states(proofs: Sequence[Proof], described: Mapping[str, str]) -> tuple[State, ...]:
    """Return what is seen at each breakpoint that shows a state, in the order of the run.

    Args:
        proofs: What a run proved.
        described: The state that a concept shows, by the concept's name.

    Returns:
        Only states that the run really went through.
    """
    return tuple(
        State(described[proof.wanted.concept], proof, proof.watch)
        for proof in proofs
        if proof.kind == "hit" and described.get(proof.wanted.concept) and proof.watch
    )
