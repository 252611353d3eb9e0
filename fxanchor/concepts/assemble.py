"""Gather what was found into concepts, most central first."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from fxanchor.concepts.concept import Concept, ConceptKind, Mention, Status
from fxanchor.concepts.found import Found
from fxanchor.concepts.scope import Scope
from fxanchor.source.definition import Definition

_ORDER: dict[Status, int] = {"linked": 0, "moved": 1, "missing": 2, "refused": 3, "outside": 4}
_KINDS: tuple[ConceptKind, ...] = ("requested", "phrase", "identifier", "listing")


def assemble(found: Iterable[Found], scope: Scope) -> list[Concept]:
    """Return the concepts that the findings belong to.

    Args:
        found: Everything found, in any order; what was refused without a reason is left out.
        scope: What the paper has set up.
    """
    groups: dict[tuple[str, str, str], list[Found]] = defaultdict(list)
    for item in sorted(found, key=lambda item: (item.order, item.start, item.end)):
        definition = item.verdict.definition
        if item.linked and definition is not None:
            phrase = item.name if item.kind == "phrase" else ""
            groups["linked", definition.name, item.verdict.label or phrase].append(item)
        elif item.verdict.reason:
            groups[item.verdict.status, item.name, ""].append(item)
    concepts = [concept for items in groups.values() if (concept := _concept(items, scope)) is not None]
    return sorted(concepts, key=centrality)


def mention(item: Found) -> Mention | None:
    """Return a finding as a mention; None when none of its characters stands on a page."""
    places = tuple(item.passage.places(item.start, item.end))
    if not places:
        return None
    return Mention(
        section=item.passage.section,
        surface=item.surface,
        where=item.where,
        context=item.context,
        places=places,
        status=item.verdict.status,
        reason=item.verdict.reason,
    )


def display_name(definition: Definition, scope: Scope) -> str:
    """Return how a definition is called in a table: `Graph`, `Graph.create_node`, `torch.fx.passes.shape_prop`."""
    if definition.kind == "module":
        return scope.names.public(definition)
    owner = scope.names.index.get(definition.parent)
    if owner is not None and owner.kind == "class":
        return f"{owner.simple_name}.{definition.simple_name}"
    return definition.simple_name


def centrality(concept: Concept) -> tuple[int, float, int, int, str, str]:
    """Return a sort key: status first, then how often, in how many sections, and whether in a heading."""
    sections = {mention.section for mention in concept.mentions}
    headings = sum(mention.where == "heading" for mention in concept.mentions)
    weight = len(concept.mentions) + 2 * len(sections) + 3 * headings
    first = concept.mentions[0] if concept.mentions else None
    place = (first.page, first.line) if first else (10**6, 0)
    return (_ORDER[concept.status], -weight, *place, concept.name, concept.symbol)


def _concept(items: Sequence[Found], scope: Scope) -> Concept | None:
    """Return the concept of findings that share a definition, or a refused word."""
    mentions = tuple(made for item in items if (made := mention(item)) is not None)
    if not mentions:
        return None
    best = max(items, key=lambda item: (item.verdict.status == "linked", len(item.verdict.evidence), -item.order))
    definition = best.verdict.definition
    name = best.verdict.label or best.name
    if definition is not None and best.kind != "phrase" and not best.verdict.label:
        owners = Counter(item.verdict.owner for item in items if item.verdict.owner)
        name = f"{owners.most_common(1)[0][0]}.{definition.simple_name}" if owners else display_name(definition, scope)
    return Concept(
        name=name,
        kind=next(kind for kind in _KINDS if any(item.kind == kind for item in items)),
        status=best.verdict.status,
        confidence=confidence(items, scope),
        reason=best.verdict.reason,
        symbol=definition.name if definition else "",
        public_name=scope.names.public(definition) if definition else "",
        definition=definition,
        alternatives=best.verdict.alternatives,
        mentions=mentions,
    )


def confidence(items: Sequence[Found], scope: Scope) -> float:
    """Return the share of the kinds of evidence that could speak for a link and do so at one of its places.

    The kinds are the code font (where the paper has one), the spelling, being public, being the only definition that
    is called so, and the context.
    """
    kinds = {"spelling", "public", "only", "context"} | ({"font"} if scope.paper.has_code_font else set())
    held = set().union(*(item.verdict.evidence for item in items if item.linked), set())
    return round(len(held & kinds) / len(kinds), 2)
