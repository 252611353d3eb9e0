"""Model files of the test cases, loaded and captured in this process."""

import importlib.util
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from torch import nn

from fxanchor.model.capture import capture
from fxanchor.model.examples import ExampleInputs, make_inputs
from fxanchor.model.inputs import parse_inputs
from fxanchor.model.options import CaptureOptions
from fxanchor.model.report import Capture

MODELS = Path(__file__).parents[1] / "cases" / "models"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a capture needs of a loaded model."""

    module: nn.Module
    path: Path
    inputs: ExampleInputs | None = None
    target: str = "model"
    built_by: str = "Net()"
    notes: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file by its name."""
        return self.path.name


def import_file(path: Path) -> ModuleType:
    """Import a file as a module of its own name."""
    name = f"case_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load_file(path: Path, inputs: str = "") -> Loaded:
    """Build the model of a file: its `model`, or its last class without arguments."""
    module = import_file(path)
    model = getattr(module, "model", None)
    if model is None:
        classes = [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, nn.Module) and value.__module__ == module.__name__
        ]
        model = classes[-1]()
    given = make_inputs(parse_inputs(inputs), vars(module)) if inputs else None
    return Loaded(model, path, given)


def case(name: str) -> Path:
    """The file of a case."""
    return MODELS / f"{name}.py"


def capture_case(name: str, inputs: str = "", **options: Any) -> Capture:
    """Capture the model of a case."""
    return capture(load_file(case(name), inputs), CaptureOptions(**options))


def expected(name: str) -> dict[str, Any]:
    """What a case expects."""
    return tomllib.loads((MODELS / f"{name}.toml").read_text(encoding="utf-8"))
