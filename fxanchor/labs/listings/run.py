"""Run the listings of a paper in a hardened child process and compare what they print."""

from collections.abc import Mapping, Sequence
from typing import Any

from fxanchor.labs.batch import Died, run_batch
from fxanchor.labs.listings.compare import compare_output, is_same, without_addresses
from fxanchor.labs.listings.extract import extract_listings
from fxanchor.labs.listings.listing import ListingResult, Plan, Status
from fxanchor.labs.listings.plan import plan_listings
from fxanchor.paper.document import Paper
from fxanchor.progress import Progress, silent


def try_listings(
    paper: Paper,
    *,
    run: bool = False,
    seconds: float = 60.0,
    memory_bytes: int | None = 4 * 2**30,
    progress: Progress = silent,
) -> tuple[ListingResult, ...]:
    """Return what the listings of a paper need, and what comes of running them.

    Args:
        paper: From `read_paper`.
        run: Whether to run them: it is code from a PDF, so only when the user says so.
        seconds: Wall-clock limit of one listing.
        memory_bytes: Memory limit of the child process, or None.
        progress: Told which listing runs.

    Raises:
        InputError: When the child process cannot start.
    """
    plans = plan_listings(extract_listings(paper))
    wanted = [plan for plan in plans if plan.listing.steps]
    if not run or not wanted:
        return tuple(ListingResult(plan, "not run" if plan.listing.steps else "skipped") for plan in plans)
    done = run_batch(
        "fxanchor.labs.listings.child:run",
        [plan.listing.name for plan in wanted],
        {"listings": {plan.listing.name: _request(plan) for plan in wanted}, "seconds": seconds},
        seconds=seconds * (len(wanted) + 1),
        memory_bytes=memory_bytes,
        progress=progress,
    )
    return tuple(
        _result(plan, done[plan.listing.name]) if plan.listing.steps else ListingResult(plan, "skipped")
        for plan in plans
    )


def _request(plan: Plan) -> dict[str, Any]:
    steps = [{"code": s.code, "line": s.line, "interactive": s.interactive} for s in plan.listing.steps]
    return {"imports": list(plan.imports), "before": list(plan.before), "steps": steps}


def _result(plan: Plan, value: Mapping[str, Any] | Died) -> ListingResult:
    if isinstance(value, Died):
        return ListingResult(plan, "raised", error=f"its process ended early: {value.end}")
    printed: Sequence[str] = value["printed"]
    comparisons, rest = [], ""
    for number, (step, text) in enumerate(zip(plan.listing.steps, printed, strict=False), 1):
        unfinished = value["error"] and number == len(printed)
        if step.expected is None or unfinished:
            rest += without_addresses(text)
        else:
            comparisons.append(compare_output(step.expected, text))
    status: Status = "ran"
    if value["error"]:
        status = "raised"
    elif comparisons:
        status = "same" if all(map(is_same, comparisons)) else "different"
    return ListingResult(plan, status, tuple(comparisons), rest, without_addresses(value["error"]))
