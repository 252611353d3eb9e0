from pathlib import Path

import pytest
from helpers.cases import CASES, arrow_cases, markers
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.source.extract import extract
from fxanchor.source.index import Index, open_index
from fxanchor.source.rows import DefinitionRow

SOURCE = CASES / "source"
PACKAGE = SOURCE / "package"


@pytest.mark.parametrize(("file", "line", "text"), list(markers(PACKAGE, "def")))
def test_definition(sample: Index, file: str, line: int, text: str) -> None:
    name, kind = text.split()
    found = sample.get(name)
    assert found
    assert (found.file, found.line, found.kind, found.name) == (file, line, kind, name)


@pytest.mark.parametrize(("name", "expected"), arrow_cases(SOURCE / "resolve.txt"))
def test_resolve(sample: Index, name: str, expected: str) -> None:
    found = sample.resolve(name)
    assert (found.name if found else "none") == expected


@pytest.mark.parametrize(("name", "expected"), arrow_cases(SOURCE / "public.txt"))
def test_public_name(sample: Index, name: str, expected: str) -> None:
    assert sample.public_name(name) == expected


def test_public_names_are_all_and_what_a_module_defines_openly(sample: Index) -> None:
    names = ["Base", "Derived", "Point", "VERSION", "curve", "decorated", "late", "make_box", "simple"]
    assert sample.public_names() == (*(f"sample.{name}" for name in names), "single.ONE", "single.three")


def test_public_names_of_a_package_without_all() -> None:
    index = open_index(["sample.deep", "sample"], source=PACKAGE)
    own = open_index(["sample.deep"], source=PACKAGE)
    wanted = {"Point", "Record", "Checked", "Pair", "Triple", "Colour", "records"}
    assert {name.removeprefix("sample.deep.") for name in own.public_names()} == wanted
    assert {name for name in index.public_names() if name.startswith("sample.deep.")} == set(own.public_names())


def test_public_names_where_only_code_tells_them() -> None:
    names = open_index(["sample.filled", "sample"], source=PACKAGE).public_names()
    told = [name.removeprefix("sample.filled.") for name in names if name.startswith("sample.filled")]
    assert told == ["bend", "mix", "shown"]
    # A private name that `*` brings along is not made public by what cannot be read.
    assert open_index(["sample.filled"], source=PACKAGE).public_names() == ("sample.filled.mix", "sample.filled.shown")


def test_details_of_a_definition(sample: Index) -> None:
    base = sample.get("sample._core.Base")
    assert base
    assert base.doc == "The base. It has a long first paragraph over two lines."
    assert base.bases == ("abc.ABC",)
    assert base.parent == "sample._core"
    filled = sample.get("sample._core.Filled")
    assert filled
    assert filled.doc == "Told {} code."
    area, size = sample.get("sample._core.Base.area"), sample.get("sample._core.Base.__init__.size")
    assert area
    assert area.annotation == "float"
    assert size
    assert (size.annotation, size.parent) == ("int", "sample._core.Base.__init__")
    inner = sample.get("sample.functions.outer.<locals>.inner")
    assert inner
    assert (inner.parent, inner.simple_name, inner.kind) == ("sample.functions.outer", "inner", "function")
    limit, red = sample.get("sample._core.Bare.limit"), sample.get("sample.functions.plain.e")
    assert limit
    assert red
    assert (limit.value, red.value, red.kind) == ("3", "5", "parameter")


def test_module_definition(sample: Index) -> None:
    module = sample.get("sample.functions")
    assert module
    assert (module.kind, module.file, module.line, module.parent) == ("module", "sample/functions.py", 1, "sample")
    assert module.doc == "Functions of every shape, for the line on which a call stops."


def test_receivers_are_no_parameters(sample: Index) -> None:
    assert sample.get("sample._core.Base.__init__.self") is None
    assert sample.get("sample._core.Base.registered.cls") is None
    assert sample.get("sample._core.Base.build.size")
    found = sample.get("sample.functions.plain.more")
    assert found
    assert found.kind == "parameter"


def test_named_lists_public_definitions_first(sample: Index) -> None:
    names = [definition.name for definition in sample.named("size")]
    assert names[-1].startswith("sample._core.")
    assert names == sorted(names, key=lambda name: (any(part[0] == "_" for part in name.split(".")), name))
    assert [found.name for found in sample.named("curve", ["module"])] == ["sample.curve"]
    assert [found.name for found in sample.named("curve", ["function"])] == ["sample.curve.curve"]
    assert sample.named("nothing") == ()


def test_names_are_found_by_their_beginning(sample: Index) -> None:
    every = sample.simple_names()
    for start in ("B", "Bas", "Base", "ou", "_"):
        assert list(sample.names_from(start)) == [name for name in every if name.startswith(start) and name != start]
    assert sample.names_from("Ba")


def test_members_of_a_class_hold_what_it_inherits(sample: Index) -> None:
    members = sample.members("sample._core.Derived")
    assert members["_fill"].name == "sample._core.Derived._fill"
    assert members["mixed"].name == "sample._core.Mixin.mixed"
    assert members["area"].name == "sample._core.Base.area"
    assert list(members) == sorted(members)


def test_members_of_a_module_hold_what_it_imports(sample: Index) -> None:
    members = sample.members("sample")
    assert members["Base"].name == "sample._core.Base"
    assert members["bend"].name == "sample.curve.bend"
    assert members["functions"].kind == "module"
    assert sample.members("sample.loops.loop_b")["in_a"].name == "sample.loops.loop_a.in_a"
    assert sample.members("sample.functions.plain") == {}
    assert sample.members("sample.nothing") == {}


def test_order_and_subclasses(sample: Index) -> None:
    order = [definition.name for definition in sample.order("sample._core.Derived")]
    assert order == ["sample._core.Derived", "sample._core.Mixin", "sample._core.Base"]
    assert [found.name for found in sample.subclasses("sample.native.Handle")] == ["sample.wrapping.File"]
    assert [found.name for found in sample.subclasses("abc.ABC")] == ["sample._core.Base"]


def test_names_are_understood_where_they_are_written(sample: Index) -> None:
    assert sample.resolve_in("sample._core.hidden_helper", "Point") == sample.get("sample.deep.records.Point")
    assert sample.resolve_in("sample", "deep.records.Record") == sample.get("sample.deep.records.Record")
    assert sample.resolve_in("sample._core.Base", "build") == sample.get("sample._core.Base.build")
    assert sample.resolve_in("sample._core", "abc.ABC") is None
    assert sample.spelled("sample", "path_module.join") == "os.path.join"
    assert sample.spelled("sample._core", "abc.ABC") == "abc.ABC"
    assert sample.spelled("sample._core", "Base") == "sample._core.Base"


def test_source_is_as_written(sample: Index) -> None:
    bare = sample.get("sample._core.Bare")
    assert bare
    assert sample.source(bare).startswith("class Bare:")
    assert sample.source(bare).count("\n") == 2


RAISES = list(markers(PACKAGE, "raises"))


@pytest.mark.parametrize(("file", "line", "text"), RAISES)
def test_raises(sample: Index, file: str, line: int, text: str) -> None:
    name, exception, message = (part.strip() for part in text.split("|"))
    definition = sample.get(name)
    assert definition
    found = [each for each in sample.raises(definition) if each.line == line]
    assert [(each.exception, each.message, each.file) for each in found] == [(exception, message, file)]


def test_only_the_raises_of_the_definition(sample: Index) -> None:
    definition = sample.get("sample._core.Base.get")
    assert definition
    assert len(sample.raises(definition)) == len(RAISES)
    area = sample.get("sample._core.Base.area")
    assert area
    assert sample.raises(area) == ()


def test_there_is_no_permalink_without_a_known_commit(sample: Index) -> None:
    definition = sample.get("sample._core.Base")
    assert definition
    assert sample.permalink(definition) == ""


def test_reading_imports_nothing(sample: Index) -> None:
    assert sample.get("sample.forbidden.after")


@given(st.data())
def test_no_text_breaks_the_reader(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(PACKAGE.rglob("*.py"))))
    text = path.read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 60)))
    other = data.draw(st.one_of(st.binary(max_size=8), st.sampled_from([b"", b"(", b'"""', b"\n", b"\t", b": "])))
    rows = extract(text[:start] + other + text[end:], "m", "m.py", False)
    lines = text.count(b"\n") + other.count(b"\n") + other.count(b"\r") + 1
    for scope in rows.scopes if rows else ():
        for values in scope.definitions:
            row = DefinitionRow(*values)  # type: ignore[arg-type]
            assert 1 <= row.line - row.decorators <= row.line <= row.end_line <= lines


def test_a_file_that_cannot_be_parsed_is_left_out(sample: Index, tmp_path: Path) -> None:
    assert sample.get("sample.broken") is None
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").write_bytes(b"ONE = 1\n")
    (tmp_path / "odd" / "nul.py").write_bytes(b"a = 1\0\n")
    (tmp_path / "odd" / "deep.py").write_bytes(b"a = " + b"(" * 5000 + b")" * 5000)
    (tmp_path / "odd" / "coding.py").write_bytes(b"# coding: no-such-code\nTWO = 2\n")
    index = open_index(["odd"], source=tmp_path)
    assert index.resolve("odd.ONE")
    assert list(index.members("odd")) == ["ONE"]


def test_files_are_listed_with_their_modules(sample: Index) -> None:
    files = sample.files()
    assert list(files) == sorted(files)
    assert {module.kind for module in files.values()} == {"module"}
    assert {file: sample.path(module).is_file() for file, module in files.items()} == dict.fromkeys(files, True)


@pytest.mark.parametrize(("file", "line", "text"), list(markers(PACKAGE, "def")))
def test_a_file_lists_what_it_defines_in_its_order(sample: Index, file: str, line: int, text: str) -> None:
    inside = sample.defined_in(file)
    assert [one.line for one in inside] == sorted(one.line for one in inside)
    name, kind = text.split()
    if kind not in ("parameter", "module"):
        assert (line, name) in [(one.line, one.name) for one in inside]
    assert "parameter" not in {one.kind for one in inside}
