"""Entries for the child process that load models and describe them."""

from collections.abc import Mapping
from typing import Any

import torch

from fxanchor.errors import FxanchorError
from fxanchor.model.load import LoadedModel, load_model
from fxanchor.model.sandbox import Child
from fxanchor.model.spec import ModelSpec, parse_model


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Load one model."""
    return describe(load_model(ModelSpec.from_json(request["model"]), child))


def many(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Load models one after another."""
    return {name: outcome(text, options, child) for name, (text, options) in request["models"].items()}


def outcome(text: str, options: Mapping[str, Any], child: Child) -> dict[str, Any]:
    try:
        return describe(load_model(parse_model(text, **options), child))
    except FxanchorError as error:
        return {"error": type(error).__name__, "says": str(error)}


def describe(loaded: LoadedModel) -> dict[str, Any]:
    inputs = loaded.inputs
    parameters = list(torch.nn.Module.parameters(loaded.module))
    return {
        "type": type(loaded.module).__name__,
        "file": loaded.file,
        "target": loaded.target,
        "built_by": loaded.built_by,
        "origin": inputs.origin if inputs else "",
        "shapes": [list(getattr(value, "shape", ())) for value in inputs.args] if inputs else [],
        "keyword_shapes": {name: list(getattr(value, "shape", ())) for name, value in inputs.kwargs.items()}
        if inputs
        else {},
        "notes": list(loaded.notes),
        "parameters": sum(parameter.numel() for parameter in parameters),
        "meta": any(parameter.is_meta for parameter in parameters),
        "cuda": torch.cuda.is_available(),
        "own_file": loaded.is_user_file(str(loaded.path)),
        "torch_file": loaded.is_user_file(torch.__file__),
    }
