"""Stops that no other family knows: errors of the user's own code, and the rest."""

import ast

from fxanchor.model.blockers.diagnosis import Context, Diagnosis, Goal
from fxanchor.model.blockers.raiser import is_raise
from fxanchor.model.places import Owner


def diagnose(context: Context) -> Diagnosis:
    """Conclude from a stop that has no kind of its own."""
    stop = context.stop
    node = stop.node
    goal = Goal(node, "tensor") if isinstance(node, ast.expr) else None
    drafts = (*context.wrap_drafts(), *context.leaf_drafts())
    last = stop.last
    own = last is not None and context.locator.places.owner_of(last.site.code) is not Owner.MACHINERY
    if last is not None and own and is_raise(last.site):
        explanation = (
            "The code raises this itself: what it checked is not as it expects during symbolic tracing, "
            "where every input is a Proxy."
        )
        return Diagnosis("own-error", explanation, None, drafts, goal)
    if isinstance(stop.error, SystemExit):
        return Diagnosis("own-error", "The code asks Python to exit here, which no capture outlives.", None, (), goal)
    if isinstance(stop.error, RecursionError):
        return Diagnosis("recursion", "The calls nest deeper than Python allows.", None, drafts, goal)
    who = stop.raised_at.symbol
    return Diagnosis("other", f"{who} does not take what it is given during symbolic tracing.", None, drafts, goal)
