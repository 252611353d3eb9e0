"""The installed torch, and figures of a folder beside the repository where it is there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fxanchor.errors import UsageError
from fxanchor.source.index import Index, open_index
from fxanchor.source.stops import entry_stop

SHARED = Path(__file__).parents[2].parent / "shared"
GOLD = sorted((SHARED / "gold").glob("*.json"))
CHAIN = SHARED / "facts" / "call_chain.md"
FUNCTION_ROW = re.compile(r"^\| (\S+) \| (\S+\.py) \| (\d+|-) \| (\d+) \| (\d+) \|", re.MULTILINE)


@pytest.fixture(scope="module")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def shared_cache(cache_folder: Path, own_cache: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Index torch once for all papers."""
    monkeypatch.setenv("FXANCHOR_CACHE", str(cache_folder))


@pytest.fixture(scope="module")
def fx(cache_folder: Path) -> Iterator[Index]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FXANCHOR_CACHE", str(cache_folder))
        yield open_index(["torch.fx"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("torch.fx.GraphModule", "torch.fx.graph_module.GraphModule"),
        ("torch.fx.Tracer.create_proxy", "torch.fx.proxy.TracerBase.create_proxy"),
        ("fx.symbolic_trace", "torch.fx._symbolic_trace.symbolic_trace"),
        ("Interpreter.run", "torch.fx.interpreter.Interpreter.run"),
        ("ShapeProp.run", "torch.fx.interpreter.Interpreter.run"),
    ],
)
def test_resolve(fx: Index, name: str, expected: str) -> None:
    found = fx.resolve(name)
    assert found
    assert found.name == expected


def test_public_names_and_links(fx: Index) -> None:
    assert "torch.fx.symbolic_trace" in fx.public_names()
    assert fx.public_name("torch.fx.graph_module.GraphModule.recompile") == "torch.fx.GraphModule.recompile"
    found = fx.get("torch.fx.graph.Graph")
    assert found
    package = fx.packages[0]
    if package.git_version:
        lines = f"#L{found.line}-L{found.end_line}"
        assert fx.permalink(found) == f"{package.repository}/blob/{package.git_version}/torch/fx/graph.py{lines}"


def test_operators_of_proxy_share_a_function(fx: Index) -> None:
    add, less = entry_stop(fx, "torch.fx.Proxy.__add__"), entry_stop(fx, "torch.fx.Proxy.__lt__")
    assert add.symbol == less.symbol == "torch.fx.proxy._scope.<locals>.impl"
    assert entry_stop(fx, "torch.fx.Proxy.__radd__").symbol == "torch.fx.proxy._define_reflectable.<locals>.impl"


def test_what_is_compiled_names_the_last_python_line(fx: Index) -> None:
    for name in ("torch._C._NodeBase", "torch._C._NodeBase._prepend", "torch.fx.Node.op"):
        stop = entry_stop(fx, name)
        assert stop.line == 0
        assert re.search(r"compiled.* The last Python line before it is torch/fx/node\.py:\d+\.$", stop.note)


@pytest.mark.skipif(not CHAIN.is_file(), reason="the folder of measured facts is not beside the repository")
def test_first_body_lines(fx: Index) -> None:
    text = CHAIN.read_text(encoding="utf-8")
    rows = FUNCTION_ROW.findall(text[text.index("## 8.") :])
    assert len(rows) > 90
    wrong = []
    for name, file, decorator, line, body in rows:
        full = f"torch.fx.{file.removesuffix('.py').replace('/', '.')}.{name}"
        definition = fx.get(full)
        if definition and definition.line != int(line) and (setter := fx.get(f"{full}.setter")):
            definition = setter
        stop = entry_stop(fx, definition.name) if definition else None
        first = int(line if decorator == "-" else decorator)
        if not stop or (stop.file, stop.line, stop.first_line) != (f"torch/fx/{file}", int(body), first):
            wrong.append((full, body, stop))
    assert wrong == []


@pytest.mark.skipif(not GOLD, reason="the folder of linked papers is not beside the repository")
@pytest.mark.parametrize("path", GOLD, ids=lambda path: path.stem)
def test_definitions_of_linked_papers(path: Path, shared_cache: None) -> None:
    gold = json.loads(path.read_text(encoding="utf-8"))
    wanted = {name: place for concept in gold["concepts"] for name, place in concept.get("defs", {}).items()}
    tops = {name.partition(".")[0] for name in (gold["package"], *wanted)}
    try:
        index = open_index(sorted(tops))
    except UsageError:
        pytest.skip(f"{gold['package']} is not installed")
    wrong = []
    for name, place in wanted.items():
        found = index.get(name)
        if found is None or (
            f"{found.file}:{found.line}" != place and not _is_overload(found.line, place, index, name)
        ):
            wrong.append((name, place, found))
    assert wrong == []


def _is_overload(line: int, place: str, index: Index | None, name: str) -> bool:
    """Return whether a place is an overload of the function, of which the index gives the implementation."""
    file, _, other = place.rpartition(":")
    found = index.get(name) if index else None
    if index is None or found is None or found.file != file or int(other) >= line:
        return False
    above = index.lines(found)[int(other) - 2]
    return "overload" in above and f"def {found.simple_name}(" in index.lines(found)[int(other) - 1]
