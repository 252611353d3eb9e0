"""The paper's own listings for a person: what each needs, what came of it, and every line that differs."""

from collections.abc import Iterator, Sequence

from fxanchor.labs.listings.listing import Line, ListingResult

_WORDS = {
    "same": "prints what the paper prints",
    "different": "prints something else than the paper",
    "ran": "ran; the paper prints nothing to compare with",
    "raised": "did not run",
    "skipped": "skipped",
    "not run": "not run",
}
_ASIDE = {
    "elided": "the paper leaves out a part",
    "address": "a memory address differs",
    "blanks": "the number of blanks differs",
}
_MOST_PRINTED = 20


def listing_text(results: Sequence[ListingResult], torch: str) -> Iterator[str]:
    """Give the parts of the text.

    Args:
        results: From `try_listings`.
        torch: Version of torch that they ran on, "" when they did not.
    """
    if not results:
        yield "The paper has no listing."
        return
    for result in results:
        yield "\n".join(_one(result))
    counts = ", ".join(
        f"{sum(result.status == status for result in results)} {_WORDS[status]}"
        for status in dict.fromkeys(result.status for result in results)
    )
    on = f" on torch {torch}" if torch else ""
    yield f"{len(results)} listings{on}: {counts}."
    if any(result.status == "not run" for result in results):
        yield "This is code from the paper; it is run when you say so: add --run."


def _one(result: ListingResult) -> Iterator[str]:
    listing, plan = result.plan.listing, result.plan
    section = f" · {listing.section}" if listing.section else ""
    yield f"{listing.name}{section} · p{listing.page}: {_WORDS[result.status]}"
    if listing.skipped:
        yield f"  {listing.skipped}"
        return
    if plan.before:
        yield f"  continues {', '.join(plan.before)}"
    yield from (f"  {note}" for note in plan.notes)
    if plan.unknown:
        yield f"  nothing in the paper says what these are: {', '.join(plan.unknown)}"
    if result.error:
        yield f"  it {result.error}"
    for lines in result.comparisons:
        yield from _comparison(lines)
    printed = result.printed.splitlines()
    yield from (f"  > {line}" for line in printed[:_MOST_PRINTED])
    if len(printed) > _MOST_PRINTED:
        yield f"  > and {len(printed) - _MOST_PRINTED} more lines"


def _comparison(lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        if line.kind == "same":
            yield f"    {line.paper}"
        elif line.kind == "different":
            yield from (f"  - {text}   (paper)" for text in (line.paper,) if text is not None)
            yield from (f"  + {text}   (here)" for text in (line.here,) if text is not None)
        else:
            yield f"    {line.here}   ({_ASIDE[line.kind]})"
