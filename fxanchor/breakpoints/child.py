"""The child's entry of `trace`: load the model, capture it, and prove the breakpoints on it."""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fxanchor.breakpoints.facts import CaptureFacts
from fxanchor.breakpoints.proof import Proof, Wanted
from fxanchor.breakpoints.proving import ModelRun, prove
from fxanchor.breakpoints.wire import from_plain, to_plain
from fxanchor.model.capture import capture
from fxanchor.model.load import load_model
from fxanchor.model.options import CaptureOptions
from fxanchor.model.report import Capture
from fxanchor.model.sandbox import Child
from fxanchor.model.spec import ModelSpec


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    """Do what `trace_model` asks.

    Args:
        request: `model`, `options`, `wanted`, `facts`, `site_root`.
        child: Told the phases.

    Returns:
        `capture` and `proofs` as plain JSON values.
    """
    loaded = load_model(ModelSpec.from_json(request["model"]), child)
    options = CaptureOptions(**request["options"])
    wanted = from_plain(tuple[Wanted, ...], request["wanted"])
    package = Package(from_plain(CaptureFacts, request["facts"]), Path(request["site_root"]))

    def find() -> Capture:
        child.phase("capturing the model")
        return capture(loaded, options)

    name = package.facts.entry.partition(".")[0]
    if not is_installed_under(name, package.site_root):
        reason = f"the source shown is not that of the {name} that runs the model"
        proofs = tuple(Proof(one, "not watched", 0, 0, (), None, reason) for one in wanted)
        return {"capture": to_plain(find()), "proofs": to_plain(proofs)}
    child.phase("proving the breakpoints")
    proven = prove(ModelRun(loaded.module, package.facts, options.concrete_args), wanted, package, find)
    found = replace(proven.capture, notes=(*proven.capture.notes, *proven.notes))
    return {"capture": to_plain(found), "proofs": to_plain(proven.proofs)}


@dataclass(frozen=True, slots=True)
class Package:
    """What the parent knows of the captured package.

    Attributes:
        facts: What the catalogue says of it.
        site_root: Directory that the files of breakpoints are relative to.
    """

    facts: CaptureFacts
    site_root: Path


def is_installed_under(package: str, site_root: Path) -> bool:
    """Tell whether importing a package takes it from this directory."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return False
    return Path(spec.origin).resolve().is_relative_to(site_root.resolve())
