"""Link phrases that no catalogue knows, where names and docstrings of the package leave no doubt."""

import re
from collections import defaultdict
from collections.abc import Sequence

from fxanchor.concepts.candidates import WHERE, Sentences
from fxanchor.concepts.evidence import Verdict
from fxanchor.concepts.found import Found
from fxanchor.concepts.phrases import Phrases
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.words import KIND_OF_NAME, humps, stem, stems
from fxanchor.source.definition import Definition

# A name of two words is too often plain English; it needs a noun beside it that says it is a name.
_CERTAIN_WORDS = 3
_MAX_PUBLIC = 600
_SHARED_LETTERS = 6
# A surface form, what it names, why, and whether it needs no noun beside it.
Form = tuple[str, Definition, str, bool]
_DECLARED = re.compile(r"\(([A-Z][A-Za-z]{1,6}?)s?\)")
_MAX_LONG_FORM = 80
_LEADING = re.compile(r"^(?:the|an?|compute|computes|calculate|calculates|return|returns|perform|performs)\s+", re.I)


def similar_phrases(scope: Scope, found: Sequence[Found], rules: frozenset[str]) -> list[Found]:
    """Return phrases that spell out a linked name, declare an acronym that is one, or repeat a whole docstring title.

    Args:
        scope: What the paper has set up.
        found: What has been found so far.
        rules: Names of the rules that are on.
    """
    if not scope.central:
        return []
    forms: list[Form] = []
    if "spaced_name" in rules:
        forms.extend(_spaced_names(found))
    if "acronym" in rules:
        forms.extend(_acronyms(scope))
    if "docstring" in rules:
        forms.extend(_docstring_titles(scope))
    if "heading_topic" in rules:
        forms.extend(_heading_topics(scope, found))
    phrases = Phrases((form, number) for number, (form, *_) in enumerate(forms))
    taken: dict[int, list[Found]] = defaultdict(list)
    for item in found:
        if item.linked:
            taken[item.order].append(item)
    result = []
    for order, passage in enumerate(scope.paper.passages):
        if not forms or passage.role not in WHERE:
            continue
        around = Sentences(passage.text)
        for start, end, number in phrases.find(passage.text):
            _, definition, reason, certain = forms[number]
            text = passage.text[start:end]
            if not certain and not KIND_OF_NAME.match(passage.text, end):
                continue
            if "_" in text or any(item.overlaps(start, end) for item in taken[order]):
                continue
            evidence = {"context", "only", *(["public"] if scope.names.is_public(definition) else [])}
            result.append(
                Found(
                    passage=passage,
                    order=order,
                    start=start,
                    end=end,
                    surface=" ".join(text.split()),
                    where=WHERE[passage.role],
                    context=around.at(start),
                    kind="phrase",
                    verdict=Verdict("linked", definition, reason, frozenset(evidence)),
                    name=" ".join(text.split()).lower(),
                )
            )
    return result


def _spaced_names(found: Sequence[Found]) -> list[Form]:
    """`process group object` for `ProcessGroup`: a linked name in separate words."""
    forms = {}
    for item in found:
        definition = item.verdict.definition
        if item.linked and definition is not None and definition.kind in ("class", "function", "method"):
            words = humps(definition.simple_name)
            if len(words) > 1 and all(len(word) > 1 for word in words):
                reason = f"spells {definition.simple_name} in separate words, which the paper names elsewhere"
                forms[definition.name] = (" ".join(words), definition, reason, len(words) >= _CERTAIN_WORDS)
    return list(forms.values())


def _acronyms(scope: Scope) -> list[Form]:
    """`chirp Z-transform (CZT)`, where the package has a public `czt` whose docstring speaks of the same."""
    forms = {}
    for passage in scope.paper.passages:
        if passage.role not in WHERE:
            continue
        for match in _DECLARED.finditer(passage.text):
            short = match.group(1)
            long = _long_form(passage.text[max(0, match.start() - _MAX_LONG_FORM) : match.start()], short)
            if long is None or short in forms:
                continue
            known = (found for word in (short.lower(), short) for found in scope.names.best(word))
            definition = next((found for found in known if found.kind in ("function", "class")), None)
            if definition is None or not _speaks_of(definition, long):
                continue
            reason = f"the paper shortens it to {short}, and {scope.names.public(definition)} is documented as that"
            forms[short] = (long, definition, reason, True)
    return [*forms.values(), *((short, d, reason, True) for short, (_, d, reason, _) in forms.items())]


def _long_form(words: str, short: str) -> str | None:
    """Return the last words whose initials are the acronym, or None."""
    parts = [part for part in re.split(r"[\s-]+", words) if part]
    letters = short.lower()
    if len(parts) < len(letters):
        return None
    tail = parts[-len(letters) :]
    return (
        " ".join(tail) if all(part[0].lower() == letter for part, letter in zip(tail, letters, strict=True)) else None
    )


def _speaks_of(definition: Definition, long: str) -> bool:
    """Tell whether a docstring holds most words of a phrase."""
    told = {word for word, _, _ in stems(definition.doc)}
    wanted = [stem(word) for word in re.split(r"[\s-]+", long)]
    return sum(word in told for word in wanted) * 3 >= len(wanted) * 2


def _heading_topics(scope: Scope, found: Sequence[Found]) -> list[Form]:
    """`Circular convolution` over a listing that calls `convolve` and nothing else of the package."""
    called: dict[str, dict[str, Definition]] = defaultdict(dict)
    for item in found:
        definition = item.verdict.definition
        if item.linked and item.where == "listing" and definition and definition.kind in ("function", "class"):
            called[item.passage.section][definition.name] = definition
    forms = []
    for passage in scope.paper.passages:
        known = list(called[passage.section].values()) if passage.role == "heading" else []
        words = [text.lower() for text in re.findall(r"[A-Za-z]{3,}", passage.text)] if known else []
        if 2 <= len(words) <= 5 and all(_shares_word(definition, words) for definition in known):
            shortest = min(known, key=lambda definition: (len(definition.simple_name), definition.name))
            reason = f"the heading of the section whose listing calls {scope.names.public(shortest)}"
            title = re.sub(r"^[\dA-Z]+(?:\.\d+)*\.?\s+(?=[A-Z])", "", passage.text.strip())
            forms.append((title, shortest, reason, True))
    return forms


def _shares_word(definition: Definition, words: Sequence[str]) -> bool:
    """Tell whether a word of a name begins as one of `words` does: `interp` and `interpolation`."""
    heads = {part[:_SHARED_LETTERS] for part in humps(definition.simple_name) if len(part) >= _SHARED_LETTERS}
    return any(word[:_SHARED_LETTERS] in heads for word in words)


def _docstring_titles(scope: Scope) -> list[Form]:
    """A public docstring that is nothing but a name of two to four words names what the paper calls so."""
    publics = scope.names.public_names
    if len(publics) > _MAX_PUBLIC:
        return []
    titles: dict[tuple[str, ...], list[tuple[str, Definition]]] = defaultdict(list)
    for name in sorted(publics):
        definition = scope.names.resolve(name)
        if definition is None or definition.kind not in ("function", "class"):
            continue
        title = _LEADING.sub("", definition.doc.split(". ")[0].strip().rstrip("."))
        words = tuple(word for word, _, _ in stems(title))
        if 2 <= len(words) <= 4 and len(title) < 60:
            titles[words].append((title, definition))
    forms = []
    for known in titles.values():
        if len({definition.name for _, definition in known}) == 1:
            title, definition = known[0]
            reason = f"the whole title of {scope.names.public(definition)} in its documentation"
            forms.append((title, definition, reason, True))
    return forms
