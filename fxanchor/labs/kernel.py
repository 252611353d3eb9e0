"""Run one experiment and judge it; imports nothing of fxanchor, so that a printed script can carry it along."""

import contextlib
import io
import random
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import torch

# What an experiment yields: what was looked at, what was seen, and whether that agrees with the statement
# (None when it only informs).
Look = tuple[str, object, bool | None]

LONGEST = 4000  # characters kept of one observation


class Outcome(NamedTuple):
    """What a run of an experiment came to.

    Attributes:
        observations: What was looked at, what was seen as text, and whether it agrees with the statement.
        raised: The exception that ended the experiment early, in one line with its place; "" when none did.
        verdict: `holds`, `does not hold`, `changed since` or `not applicable`.
    """

    observations: list[tuple[str, str, bool | None]]
    raised: str
    verdict: str


def observe(experiment: Callable[..., Iterable[Look]], arguments: Iterable[Any]) -> tuple[list[Any], str]:
    """Run an experiment to its end, or to the exception that ends it.

    What the experiment prints or warns of is not shown: its observations are what it has to say. The random
    numbers are the same in every run.

    Args:
        experiment: The function of a lab file.
        arguments: What it is called with: nothing, or a model and its inputs.

    Returns:
        The observations, and the exception as `Name: message (file:line)` or "".
    """
    observations: list[Any] = []
    random.seed(0)
    torch.manual_seed(0)
    silence = io.StringIO()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
            warnings.simplefilter("ignore")
            for what, seen, agrees in experiment(*arguments):
                text = seen if isinstance(seen, str) else repr(seen)
                observations.append((what, text[:LONGEST], agrees))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        file = place.filename.replace("\\", "/").rpartition("/")[2]
        return observations, f"{type(error).__name__}: {_message_of(error)} ({file}:{place.lineno})"
    return observations, ""


def _message_of(error: Exception) -> str:
    """Return the first line of a message; the reader's model may raise what cannot be printed."""
    try:
        return str(error).strip().partition("\n")[0][:300]
    except Exception:
        return ""


def judge(observations: Iterable[Any], raised: str, recorded: str, foreign: bool = False) -> str:
    """Tell what the observations say about the statement.

    Args:
        observations: From `observe`.
        raised: From `observe`.
        recorded: The verdict on the versions of torch that the lab was written on.
        foreign: Whether the model is the reader's. The recorded verdict is that of the sample model, so another
            outcome is then a finding about the model and not a change of torch.

    Returns:
        `changed since` when the outcome is not the recorded one; `not applicable` when nothing could be checked.
    """
    checks = [agrees for _, _, agrees in observations if agrees is not None]
    if raised:
        return "not applicable" if foreign else "changed since"
    if not checks:
        return "not applicable"
    outcome = "holds" if all(checks) else "does not hold"
    if recorded == "changed since":
        return outcome if outcome == "holds" else recorded
    return outcome if foreign or outcome == recorded else "changed since"


def run_experiment(
    experiment: Callable[..., Iterable[Look]], arguments: Iterable[Any], recorded: str, foreign: bool = False
) -> Outcome:
    """Run an experiment and judge it; see `observe` and `judge`."""
    observations, raised = observe(experiment, arguments)
    return Outcome(observations, raised, judge(observations, raised, recorded, foreign))


def report_lines(statement: str, outcome: Outcome) -> Iterator[str]:
    """Give the text of an outcome: the statement, one line or block for each observation, the verdict."""
    yield statement
    marks = {True: "agrees", False: "disagrees", None: ""}
    for what, seen, agrees in outcome.observations:
        shown = f"\n{seen}".replace("\n", "\n      ") if "\n" in seen else f" {seen}"
        yield f"  {marks[agrees]:<9}  {what}:{shown}"
    if outcome.raised:
        yield f"  ended by {outcome.raised}"
    yield f"Verdict: {outcome.verdict}"
