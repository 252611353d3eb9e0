"""The child process of the labs: one import of torch, many experiments, a record after each."""

import copy
import importlib
from collections.abc import Mapping
from typing import Any

import torch
from torch import fx, nn

from fxanchor.labs.batch import Journal
from fxanchor.labs.kernel import Outcome, run_experiment
from fxanchor.labs.lab import Lab
from fxanchor.labs.sample import sample
from fxanchor.labs.shelf import find_labs
from fxanchor.model.load import load_model
from fxanchor.model.raised import summary
from fxanchor.model.sandbox import Child
from fxanchor.model.spec import ModelSpec

Subject = tuple[nn.Module, tuple[Any, ...]]


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Run the labs that the request names and hand in each outcome as soon as it is there.

    Args:
        request: `names` of labs; `model`, a `ModelSpec` as JSON or None; what a `Journal` needs.
        child: Told what is running.

    Raises:
        InputError: When the model cannot be loaded.
        UsageError: When the model is not what was asked for.
    """
    journal = Journal(request, child)
    version = str(torch.__version__).partition("+")[0]
    own: Subject | None = None
    obstacle = ""
    if request["model"] is not None:
        loaded = load_model(ModelSpec.from_json(request["model"]), child)
        own = loaded.module, loaded.inputs.args if loaded.inputs and not loaded.inputs.kwargs else ()
        child.phase("tracing the model")
        obstacle = _obstacle(own[0])
    for lab in find_labs(request["names"]):
        journal.begin(lab.name)
        outcome, reason = _run_lab(lab, own, obstacle)
        observations = outcome.observations
        value = {"verdict": outcome.verdict, "observations": observations, "reason": reason, "torch": version}
        journal.hand_in(lab.name, value)
    return {}


def _run_lab(lab: Lab, own: Subject | None, obstacle: str) -> tuple[Outcome, str]:
    for name in lab.needs:
        try:
            importlib.import_module(name)
        except Exception as error:
            # A package that does not fit the installed torch raises other errors than ImportError.
            return Outcome([], "", "not applicable"), f"needs {name}: {summary(error)}"
    foreign = lab.uses_model and own is not None
    if foreign and obstacle:
        return Outcome([], "", "not applicable"), obstacle
    try:
        module = importlib.import_module(f"fxanchor.labs.experiments.{lab.name.replace('-', '_')}")
    except Exception as error:
        # The names that a lab imports may be gone in a newer torch: that is a finding, not a fault.
        return Outcome([], "", "changed since"), f"it cannot be imported: {summary(error)}"
    subject: tuple[Any, ...] = ()
    if lab.uses_model:
        subject = _copy(own) if own is not None else sample()
    outcome = run_experiment(module.experiment, subject, lab.verdict, foreign)
    return outcome, reason_of(lab, outcome)


def reason_of(lab: Lab, outcome: Outcome) -> str:
    """Tell why the verdict is not the recorded one, what changed, or why nothing could be checked; "" otherwise.

    Args:
        lab: The lab.
        outcome: What came of it.
    """
    if outcome.raised:
        return f"it raised {outcome.raised}"
    if outcome.verdict == "not applicable":
        return "nothing in it could be checked here"
    if outcome.verdict == "changed since":
        return lab.changed or _change(lab, outcome)
    return ""


def _change(lab: Lab, outcome: Outcome) -> str:
    """Tell which observations turned the recorded verdict."""
    turned = [what for what, _, agrees in outcome.observations if agrees is (lab.verdict != "holds")]
    sides = "agree" if lab.verdict != "holds" else "disagree"
    return f"on torch {lab.seen_on[-1]} the verdict was {lab.verdict}; here these {sides}: {'; '.join(turned)}"


def _obstacle(module: nn.Module) -> str:
    """Tell why symbolic_trace cannot take the model, "" when it can."""
    try:
        fx.symbolic_trace(copy.deepcopy(module))
    except Exception as error:
        return f"symbolic_trace cannot capture this model ({summary(error)}); see fxanchor trace"
    return ""


def _copy(subject: Subject) -> Subject:
    """Copy the model, so that no lab meets what another one did to it."""
    module, inputs = subject
    return copy.deepcopy(module), copy.deepcopy(inputs)
