import importlib
import itertools
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest
from helpers.cases import CASES, arrow_cases, markers

from fxanchor.errors import UsageError
from fxanchor.source.definition import Kind, Stop
from fxanchor.source.index import Index
from fxanchor.source.stops import entry_stop, interior_stop

SOURCE = CASES / "source"
PACKAGE = SOURCE / "package"
FUNCTIONS: tuple[Kind, ...] = ("function", "method")
STOPS = [(file, line, name) for file, line, text in markers(PACKAGE, "stop") for name in text.split()]


@pytest.mark.parametrize(("file", "line", "name"), STOPS)
def test_entry(sample: Index, file: str, line: int, name: str) -> None:
    stop = entry_stop(sample, name)
    assert (stop.file, stop.line) == (file, line)
    assert 0 < stop.first_line <= line


@pytest.mark.parametrize(("file", "line", "pattern"), list(markers(PACKAGE, "at")))
def test_interior(sample: Index, file: str, line: int, pattern: str) -> None:
    stop = interior_stop(sample, "sample.patterns.Machine.run", pattern)
    assert (stop.file, stop.line, stop.symbol) == (file, line, "sample.patterns.Machine.run")


@pytest.mark.parametrize(("case", "message"), arrow_cases(SOURCE / "patterns.txt"))
def test_interior_that_is_not_one_statement(sample: Index, case: str, message: str) -> None:
    name, _, pattern = case.partition("|")
    with pytest.raises(UsageError) as caught:
        interior_stop(sample, name.strip(), pattern.strip())
    assert message in str(caught.value)


@pytest.mark.parametrize(("name", "note"), arrow_cases(SOURCE / "notes.txt"))
def test_what_no_python_line_stops_for(sample: Index, name: str, note: str) -> None:
    stop = entry_stop(sample, name)
    assert stop.line == 0
    assert stop.note.startswith(note)


def test_a_constructor_that_is_inherited(sample: Index) -> None:
    assert entry_stop(sample, "sample.Derived") == entry_stop(sample, "sample._core.Base.__init__")


def test_methods_of_one_code_object_are_told(sample: Index) -> None:
    stop = entry_stop(sample, "sample.operators.Value.__eq__")
    assert stop.symbol == "sample.operators._install.<locals>.compare"
    assert stop.note.startswith("sample.operators.Value.__eq__ is set by sample/operators.py:")
    assert stop.note.endswith("It shares this function with 3 other names.")


def test_a_name_that_is_nowhere_gets_near_names(sample: Index) -> None:
    with pytest.raises(UsageError, match=r"sample\._core\.Base has no 'aera'\. Did you mean area"):
        entry_stop(sample, "sample.Base.aera")
    with pytest.raises(UsageError, match=r"sample and single has no 'Bose'\. Did you mean Base\?"):
        entry_stop(sample, "nowhere.Bose")
    with pytest.raises(UsageError, match="has no '__zz__'"):
        entry_stop(sample, "sample.operators.Value.__zz__")
    with pytest.raises(UsageError, match="has no '__init___copy'"):
        entry_stop(sample, "sample.operators.Value.__init___copy")


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PACKAGE))
        names = ["_core", "functions", "operators", "deep.records"]
        # The sources are there to be read, and define one thing twice in places.
        yield {name.rpartition(".")[2]: importlib.import_module(f"sample.{name}") for name in names}
    for name in [name for name in sys.modules if name.partition(".")[0] == "sample"]:
        del sys.modules[name]


@pytest.mark.parametrize(("call", "names"), arrow_cases(SOURCE / "calls.txt"))
def test_a_call_really_stops_there(sample: Index, modules: dict[str, ModuleType], call: str, names: str) -> None:
    wanted = {name: entry_stop(sample, name) for name in names.split()}
    seen = _lines_of_call(call, modules)
    assert {name: _is_hit(stop, seen) for name, stop in wanted.items()} == dict.fromkeys(wanted, True)


def _is_hit(stop: Stop, seen: set[tuple[str, int, int]]) -> bool:
    return any(file.endswith(stop.file) and (first, line) == (stop.first_line, stop.line) for file, first, line in seen)


def _lines_of_call(call: str, names: dict[str, Any]) -> set[tuple[str, int, int]]:
    """Return file, first line of the code and line of each `line` event while an expression is evaluated."""
    seen: set[tuple[str, int, int]] = set()

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_code.co_firstlineno, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        eval(call, dict(names))
    except StopIteration:
        pass
    finally:
        sys.settrace(before)
    return seen


def test_line_tables_do_not_depend_on_the_rest_of_the_file(sample: Index) -> None:
    whole: dict[tuple[str, int, str], list[int]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name != "broken.py":
            for code in _codes(compile(path.read_bytes(), str(path), "exec", dont_inherit=True)):
                lines = sorted({line for _, _, line in code.co_lines() if line})
                whole[(path.relative_to(PACKAGE).as_posix(), code.co_firstlineno, code.co_name)] = lines
    compared = 0
    for name in sorted({found.name for word in sample.simple_names() for found in sample.named(word, FUNCTIONS)}):
        definition = sample.get(name)
        assert definition
        stop = entry_stop(sample, name)
        simple = definition.parent.rpartition(".")[2] if definition.simple_name == "setter" else definition.simple_name
        if stop.line:
            assert stop.line in whole[(stop.file, stop.first_line, simple)], name
            compared += 1
    assert compared > 50


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def test_every_call_is_listed_once() -> None:
    calls = [call for call, _ in arrow_cases(SOURCE / "calls.txt")]
    assert [call for call, group in itertools.groupby(sorted(calls)) if len(list(group)) > 1] == []
