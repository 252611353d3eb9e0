"""The child process of `transform`: load the model, capture it, run the passes, look at every stage."""

import copy
import math
import shlex
from collections.abc import Mapping
from dataclasses import asdict
from types import ModuleType
from typing import Any

from torch import fx

from fxanchor.errors import CaptureError, UsageError
from fxanchor.labs.transform.matching import annotated, match_nodes
from fxanchor.labs.transform.numbers import Inputs, run_module
from fxanchor.labs.transform.passes import evaluate, import_file, load_pass
from fxanchor.labs.transform.report import Match, Stage, TransformReport
from fxanchor.labs.transform.stage import Check, Triggers, run_stage
from fxanchor.model.load import LoadedModel, load_model
from fxanchor.model.places import Places
from fxanchor.model.positions import Locator
from fxanchor.model.raised import summary
from fxanchor.model.rows import rows_of
from fxanchor.model.sandbox import Child
from fxanchor.model.sources import Sources
from fxanchor.model.spec import ModelSpec, parse_model
from fxanchor.model.symbolic import forward_code, run_symbolic


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Run a pipeline of passes on a model.

    Args:
        request: `model`, a `ModelSpec` as JSON; `passes`, texts; `matches`, a pattern or ""; `tolerance`.
        child: Told the phases.

    Returns:
        A `TransformReport` as plain JSON values.

    Raises:
        InputError: When the model or a pass cannot be loaded.
        UsageError: When the model, a pass or the pattern is not what was asked for.
        CaptureError: When symbolic_trace cannot capture the model.
    """
    subject = load_model(ModelSpec.from_json(request["model"]), child)
    loaded: dict[str, ModuleType] = {str(subject.path): subject.namespace}
    passes = []
    for text in request["passes"]:
        child.phase(f"importing the pass {text}")
        passes.append(load_pass(text, loaded))
    child.phase("capturing the model")
    gm, triggers = _capture(subject)
    matches = _matches(request["matches"], gm, triggers, loaded) if request["matches"] else ()
    notes: list[str] = list(subject.notes)
    check = _check(subject, float(request["tolerance"]), notes) if passes else None
    stages: list[Stage] = []
    for step in passes:
        child.phase(f"running the pass {step.name}")
        stage, made, found = run_stage(step, gm, triggers, check)
        stages.append(stage)
        if made is None or stage.failure is not None:
            break
        gm, triggers = made, found
    report = TransformReport(
        file=subject.file,
        target=subject.target,
        built_by=subject.built_by,
        stages=tuple(stages),
        not_run=tuple(step.name for step in passes[len(stages) :]),
        matches=matches,
        code=annotated(gm, triggers),
        notes=tuple(notes),
    )
    return _plain(report)


def _capture(subject: LoadedModel) -> tuple[fx.GraphModule, Triggers]:
    code = forward_code(subject.module)
    places = Places([] if code is None else [code.co_filename])
    captured = run_symbolic(subject.module, places)
    if captured.graph_module is None:
        assert captured.error is not None
        raise CaptureError(
            f"symbolic_trace cannot capture {subject.target or subject.file} ({summary(captured.error)});"
            f" fxanchor trace {shlex.quote(subject.file)} shows where and the ways out."
        )
    rows = {row.name: row.trigger for row in rows_of(captured, subject.module, Locator(places, Sources()))}
    # Passes write to weights: what they are given must not be the model that results are compared with.
    gm = copy.deepcopy(captured.graph_module)
    return gm, {node: trigger for node in gm.graph.nodes if (trigger := rows.get(node.name))}


def _check(subject: LoadedModel, tolerance: float, notes: list[str]) -> Check | None:
    if subject.inputs is None:
        notes.append("Results are not compared, because there are no inputs; give them with --input.")
        return None
    inputs = Inputs(subject.inputs.args, dict(subject.inputs.kwargs))
    if subject.inputs.origin != "--input":
        notes.append(f"Results are compared on inputs {subject.inputs.origin}.")
    try:
        expected = run_module(subject.module, inputs)
    except (Exception, SystemExit) as error:
        raise UsageError(f"The model itself raises on these inputs ({summary(error)}); give others.") from error
    return Check(inputs, expected, tolerance)


def _matches(pattern: str, gm: fx.GraphModule, triggers: Triggers, loaded: dict[str, ModuleType]) -> tuple[Match, ...]:
    if ".py:" not in pattern:
        return match_nodes(gm, pattern, triggers)
    spec = parse_model(pattern)
    predicate = evaluate(spec.expression, import_file(spec.file, loaded), spec.file)
    if not callable(predicate):
        raise UsageError(f"{pattern} is not a predicate; give a function that takes a node and returns True or False.")
    return match_nodes(gm, predicate, triggers)


def _plain(report: TransformReport) -> dict[str, Any]:
    """Return a report as JSON has it: infinities and what is not a number as text."""

    def convert(value: object) -> object:
        match value:
            case dict():
                return {key: convert(item) for key, item in value.items()}
            case tuple() | list():
                return [convert(item) for item in value]
            case float() if not math.isfinite(value):
                return str(value)
        return value

    return {key: convert(value) for key, value in asdict(report).items()}
