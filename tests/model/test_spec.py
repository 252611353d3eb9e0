"""The MODEL argument is taken apart the same way wherever the file is, or refused in one sentence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.errors import FxanchorError, InputError, UsageError
from fxanchor.model.sourcefile import parse, read_source
from fxanchor.model.spec import ModelSpec, parse_model


@pytest.mark.parametrize(
    ("text", "file", "module", "expression"),
    [
        ("net.py", "net.py", "", ""),
        ("net.py:Net", "net.py", "", "Net"),
        ("a/b/net.py:build(width=8)", "a/b/net.py", "", "build(width=8)"),
        ("net.py:build({'a': 1})", "net.py", "", "build({'a': 1})"),
        ("net.py:models['b.py:c']", "net.py", "", "models['b.py:c']"),
        (r"C:\models\net.py:Net", r"C:\models\net.py", "", "Net"),
        ("some:where/net.py:Net", "some:where/net.py", "", "Net"),
        ("book.ipynb:Net", "book.ipynb", "", "Net"),
        ("package.module:Net", "", "package.module", "Net"),
        ("package.module:Net(1)", "", "package.module", "Net(1)"),
        ("package.module", "", "package.module", ""),
        ("happy.python:Net", "", "happy.python", "Net"),
    ],
)
def test_parts(text: str, file: str, module: str, expression: str) -> None:
    spec = parse_model(text)
    assert (spec.file, spec.module, spec.expression) == (file, module, expression)


def test_a_file_that_is_there_decides_where_its_name_ends(tmp_path: Path) -> None:
    odd = tmp_path / "a.py:b.py"
    odd.touch()
    assert parse_model(f"{odd}:Net").file == str(odd)


@pytest.mark.parametrize("text", ["", ":Net", "a b", "package.:Net", "net.py:class", "module:", "net.py:\0"])
def test_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_model(text)


def test_what_is_no_python_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        parse_model(str(tmp_path))
    (tmp_path / "paper.pdf").touch()
    with pytest.raises(InputError, match="is not a Python file"):
        parse_model(str(tmp_path / "paper.pdf"))


@pytest.mark.parametrize(("option", "value"), [("args", "1 +"), ("args", "a) or (b"), ("config", "a b")])
def test_options_must_be_python(option: str, value: str) -> None:
    with pytest.raises(UsageError, match=rf"--{option} "):
        parse_model("net.py", **{option: value})  # type: ignore[arg-type]


def test_survives_json() -> None:
    spec = parse_model("net.py:Net", args="depth=2", config="Small", inputs="1x3", import_seconds=4)
    assert ModelSpec.from_json(spec.to_json()) == spec


@given(st.text(max_size=40))
def test_any_text_is_a_model_or_refused(text: str) -> None:
    try:
        parse_model(text)
    except FxanchorError as error:
        assert str(error).isprintable()


@pytest.mark.parametrize("text", ["(" * 100_000, "-" * 200_000 + "1", "x\0y", "a = '" + "\\N{" * 1000, "if 1:\n" * 200])
def test_source_that_a_parser_chokes_on(text: str) -> None:
    with pytest.raises(InputError, match=r"net\.py"):
        parse(text, "net.py")


def test_a_file_that_is_no_file(tmp_path: Path) -> None:
    for name in ("/dev/null", "\0", "x" * 5000):
        with pytest.raises(InputError):
            read_source(Path(name), name)


def test_declared_encoding(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_bytes("# -*- coding: latin-1 -*-\r\nname = 'é'\r\n".encode("latin-1"))
    assert read_source(path, "net.py").text == "# -*- coding: latin-1 -*-\nname = 'é'\n"
