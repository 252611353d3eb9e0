"""Labs, listings and transforms as JSON documents, a public contract."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fxanchor.labs.lab import Lab, LabResult
from fxanchor.labs.listings.listing import ListingResult
from fxanchor.labs.transform.report import TransformReport
from fxanchor.source.definition import Stop


def labs_document(labs: Sequence[Lab], stops: Mapping[str, Stop]) -> dict[str, Any]:
    """Return labs as a `fxanchor.labs/1` document.

    Args:
        labs: The labs.
        stops: From `stops_of`; empty to leave lines out.
    """
    return {"schema": "fxanchor.labs/1", "labs": [_lab(lab, stops) for lab in labs]}


def results_document(results: Sequence[LabResult], stops: Mapping[str, Stop]) -> dict[str, Any]:
    """Return what came of running labs as a `fxanchor.lab-results/1` document.

    Args:
        results: From `run_labs`.
        stops: From `stops_of`; empty to leave lines out.
    """
    return {
        "schema": "fxanchor.lab-results/1",
        "torch": next((result.torch for result in results if result.torch), ""),
        "results": [
            {
                **_lab(result.lab, stops),
                "recorded": result.lab.verdict,
                "verdict": result.verdict,
                "reason": result.reason,
                "observations": [asdict(each) for each in result.observations],
            }
            for result in results
        ],
    }


def listings_document(results: Sequence[ListingResult], torch: str) -> dict[str, Any]:
    """Return the listings of a paper as a `fxanchor.listings/1` document.

    Args:
        results: From `try_listings`.
        torch: Version of torch that they ran on, "" when they did not.
    """
    return {
        "schema": "fxanchor.listings/1",
        "torch": torch,
        "listings": [
            {
                "name": result.plan.listing.name,
                "page": result.plan.listing.page,
                "section": result.plan.listing.section,
                "text": result.plan.listing.text,
                "status": result.status,
                "reason": result.error or result.plan.listing.skipped,
                "imports": list(result.plan.imports),
                "continues": list(result.plan.before),
                "notes": list(result.plan.notes),
                "unknown": list(result.plan.unknown),
                "printed": result.printed,
                "comparisons": [[asdict(line) for line in lines] for lines in result.comparisons],
            }
            for result in results
        ],
    }


def transform_document(report: TransformReport) -> dict[str, Any]:
    """Return the record of a transform as a `fxanchor.transform/1` document.

    A number that JSON has not (infinity, not a number) is null.

    Args:
        report: From `transform_model`.
    """
    values = asdict(report)
    model = {"file": report.file, "target": report.target, "built_by": report.built_by}
    rest = {key: _finite(value) for key, value in values.items() if key not in model}
    return {"schema": "fxanchor.transform/1", "model": model, **rest}


def _lab(lab: Lab, stops: Mapping[str, Stop]) -> dict[str, Any]:
    return {
        "name": lab.name,
        "title": lab.title,
        "statement": lab.statement,
        "said_by": lab.said_by,
        "verdict": lab.verdict,
        "seen_on": list(lab.seen_on),
        "changed": lab.changed,
        "meaning": lab.meaning,
        "needs": list(lab.needs),
        "slow": lab.slow,
        "uses_model": lab.uses_model,
        "breakpoints": [_breakpoint(name, stops.get(name)) for name in lab.break_at],
        "code": lab.code,
    }


def _breakpoint(name: str, stop: Stop | None) -> dict[str, Any]:
    return {"symbol": name, "file": stop.file if stop else "", "line": stop.line if stop else 0}


def _finite(value: object) -> object:
    match value:
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case float() if not math.isfinite(value):
            return None
    return value
