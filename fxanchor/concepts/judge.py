"""Run the rules over the candidates: first what is certain, then the rest in the light of it."""

from collections.abc import Iterable, Sequence

from fxanchor.concepts.context_finders import abbreviation, named_receiver, receiver, said_owner
from fxanchor.concepts.evidence import Candidate, Rule, Verdict, refused
from fxanchor.concepts.fates import FATES
from fxanchor.concepts.finders import FINDERS, HEADING_FINDERS, public_name, qualified
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.vetoes import FONT_VETOES, VETOES

_CERTAIN = (receiver, qualified, named_receiver, abbreviation, said_owner, public_name)


def judge(candidates: Sequence[Candidate], scope: Scope, rules: frozenset[str]) -> list[Verdict]:
    """Return what became of every candidate.

    Args:
        candidates: The candidates in reading order.
        scope: What the paper has set up; extended by what the candidates are found to name.
        rules: Names of the rules that are on.
    """
    vetoes = [*_on(VETOES, rules), *_on(HEADING_FINDERS, rules), *_on(FONT_VETOES, rules)]
    certain = [*vetoes, *_on(_CERTAIN, rules), *_on(FATES, rules)]
    scope.learn_text(candidates)
    for candidate in candidates:
        scope.code.turn_to(candidate.order)
        verdict = _first(certain, candidate, scope)
        if verdict.status == "linked" and verdict.definition is not None:
            scope.learn(verdict.definition, spelled=len(candidate.parts) > 1)
        elif verdict.status == "outside" and len(candidate.parts) > 1 and candidate.code:
            scope.foreign[candidate.word] = scope.elsewhere.get(candidate.word, candidate.name)
    everything = [*vetoes, *_on(FINDERS, rules), *_on(FATES, rules)]
    verdicts = []
    for candidate in candidates:
        scope.code.turn_to(candidate.order)
        verdict = _first(everything, candidate, scope)
        verdicts.append(verdict)
        found = verdict.definition
        if verdict.status == "linked" and found is not None and found.kind == "class" and found not in scope.classes:
            # What only one class is called was not certain before, and is what the text speaks of from here on.
            scope.learn(found, spelled=False)
    return verdicts


def _on(rules: Iterable[Rule], names: frozenset[str]) -> list[Rule]:
    """Return the rules whose names are on."""
    return [rule for rule in rules if rule.__name__ in names]


def _first(rules: Iterable[Rule], candidate: Candidate, scope: Scope) -> Verdict:
    """Return the verdict of the first rule that has one."""
    for rule in rules:
        if (verdict := rule(candidate, scope)) is not None:
            return verdict
    return refused("")
