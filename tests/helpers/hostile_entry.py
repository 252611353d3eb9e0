"""Entries for the child process that execute a file without importing torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fxanchor.errors import UsageError
from fxanchor.model.sandbox import Child


def run(request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    path = Path(request["path"])
    child.phase(f"importing {path.name}")
    source = path.read_text(encoding="utf-8")
    exec(compile(source, str(path), "exec"), {"__name__": "model", "__file__": str(path)})
    child.phase("building Net")
    return {"value": request.get("value")}


def refuse(_request: Mapping[str, Any], _child: Child) -> dict[str, Any]:
    raise UsageError("There are two; choose one.")


def unserialisable(_request: Mapping[str, Any], _child: Child) -> dict[str, Any]:
    return {"value": float("nan")}


def own_limit(_request: Mapping[str, Any], child: Child) -> dict[str, Any]:
    child.phase("thinking", 0.2)
    while True:
        pass
