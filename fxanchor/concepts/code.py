"""Read all listings of a paper in order: what they set up, and which definitions they name."""

import ast
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fxanchor.concepts.candidates import comment_candidates
from fxanchor.concepts.evidence import Candidate, Verdict, outside
from fxanchor.concepts.fates import elsewhere
from fxanchor.concepts.found import Found
from fxanchor.concepts.inference import Inference
from fxanchor.concepts.listing import Listing, parse_listing
from fxanchor.concepts.names import Names
from fxanchor.concepts.scope import Scope
from fxanchor.concepts.values import Code, Symbol, Use, Value
from fxanchor.paper.document import Paper, Passage

_FEWEST = 2
_DEFINED = re.compile(r"^([ \t]*)(?:class|def)[ \t]+([A-Za-z_]\w*)[ \t]*[(:]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReadListing:
    """A listing with where it stands."""

    passage: Passage
    order: int
    listing: Listing


def parse_listings(paper: Paper) -> list[ReadListing]:
    """Parse every listing of the paper."""
    return [
        ReadListing(passage, order, parse_listing(passage.text))
        for order, passage in enumerate(paper.passages)
        if passage.role == "listing"
    ]


def imports(listings: list[ReadListing]) -> frozenset[str]:
    """Return the modules that the listings import, with the modules around them."""
    found: set[str] = set()
    for read in listings:
        for node in ast.walk(read.listing.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
    parents = {".".join(name.split(".")[:length]) for name in found for length in range(1, name.count(".") + 1)}
    return frozenset(found | parents)


def implied_aliases(code: Code, names: Names) -> dict[str, Value]:
    """Return what listings call a package without an import: `np`, where all of its attributes are NumPy's.

    Args:
        code: What the listings set up, and what they leave unknown.
        names: The look-ups.
    """
    bound = code.own | code.local | code.foreign.keys()
    found: dict[str, Value] = {}
    for root in names.roots if code.unknown else ():
        package = names.resolve(root)
        for word, attributes in code.unknown.items():
            public = {name for name in attributes if f"{root}.{name}" in names.public_names}
            if package is None or word in bound or not len(public) == len(attributes) >= _FEWEST:
                continue
            # What objects have as a method says nothing of the package: `x.sum` and `x.add`.
            own = [name for name in public if not any(found.kind == "method" for found in names.definitions(name))]
            if len(own) * 2 >= len(public):
                found.setdefault(word, Symbol(package))
    return found


def infer_listings(
    listings: list[ReadListing], names: Names, code: Code, implied: bool
) -> list[tuple[ReadListing, Use]]:
    """Run type inference over the listings in reading order, each building on those before it.

    Args:
        listings: The parsed listings.
        names: The look-ups.
        code: Filled with what the listings set up.
        implied: Whether a name that nothing binds may be a public name of the package.
    """
    found = _infer(listings, names, code, implied)
    if implied and (aliases := implied_aliases(code, names)):
        code.start_again(aliases)
        found = _infer(listings, names, code, implied)
    return found


def _infer(listings: list[ReadListing], names: Names, code: Code, implied: bool) -> list[tuple[ReadListing, Use]]:
    """Run over all listings once."""
    found: list[tuple[ReadListing, Use]] = []
    for read in listings:
        if read.listing.is_python:
            inference = Inference(names, read.listing, code, implied)
            # A chain of thousands of calls in one expression is no code that a paper shows.
            with contextlib.suppress(RecursionError):
                inference.run()
            found.extend((read, use) for use in inference.uses)
            for name, value in inference.imported.items():
                meanings = code.imported.setdefault(name, [])
                if not meanings or meanings[-1][1] != value:
                    meanings.append((read.order, value))
        else:
            # What could not be parsed still says what it defines.
            for match in _DEFINED.finditer(read.passage.text):
                (code.local if match.group(1) else code.own).add(match.group(2))
    return found


def listing_found(uses: list[tuple[ReadListing, Use]], scope: Scope) -> Iterator[Found]:
    """Turn what the listings name into findings; a name imported from the package that it has no more has moved."""
    for read, use in uses:
        if use.definition is not None and use.surface in scope.names.roots and "." not in use.surface:
            # A project's own name is the subject, not a concept.
            continue
        yield Found(
            passage=read.passage,
            order=read.order,
            start=use.start,
            end=use.end,
            surface=use.surface,
            where="listing",
            context=line_around(read.passage.text, use.start),
            kind="listing",
            verdict=_verdict(use, scope),
            name=use.surface,
        )


def _verdict(use: Use, scope: Scope) -> Verdict:
    """Return what became of a use."""
    names = scope.names
    if use.definition is not None:
        evidence = {"font", "spelling", "context", "only"}
        if names.is_public(use.definition):
            evidence.add("public")
        return Verdict("linked", use.definition, f"in a listing: {use.reason}", frozenset(evidence))
    full = use.reason
    if not names.covers(full):
        return outside(f"{full} is outside {scope.aim}")
    known = elsewhere(full.rpartition(".")[2], scope)
    if len(known) == 1:
        return Verdict(
            "moved",
            known[0],
            f"{full} is now {names.public(known[0])}",
            frozenset({"font", "spelling", "context", "only"}),
        )
    return Verdict("missing", None, f"nothing is called {full} in the installed version")


def loose_candidates(listings: list[ReadListing], comments: bool) -> Iterator[Candidate]:
    """Give name-shaped words of comments, and of listings that are no Python, such as pseudo-code.

    Args:
        listings: The parsed listings.
        comments: Whether to look into comments.
    """
    for read in listings:
        listing = read.listing
        if not listing.is_python:
            ends = [start + len(line) for start, line in zip(listing.starts, listing.lines, strict=True)]
            yield from comment_candidates(read.passage, read.order, zip(listing.starts, ends, strict=True))
        elif comments:
            yield from comment_candidates(read.passage, read.order, listing.comments())


def line_around(text: str, index: int) -> str:
    """Return the line of a listing around an index."""
    first = text.rfind("\n", 0, index) + 1
    last = text.find("\n", index)
    return text[first : last if last >= 0 else len(text)].strip()
