"""The text of example inputs becomes data, or one sentence."""

import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxanchor.errors import UsageError
from fxanchor.model.inputs import TensorText, parse_inputs

CASES = tomllib.loads(
    (Path(__file__).parents[1] / "cases" / "load" / "inputs" / "texts.toml").read_text(encoding="utf-8")
)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        # TOML has no null: what is not said is left out.
        return {key: plain(each) for key, each in value.items() if each is not None}
    return [plain(each) for each in value] if isinstance(value, tuple | list) else value


@pytest.mark.parametrize("case", CASES["good"], ids=lambda case: case["text"])
def test_understood(case: dict[str, Any]) -> None:
    parsed = plain(asdict(parse_inputs(case["text"])))
    assert parsed["positional"] == case.get("positional", [])
    assert dict(parsed["named"]) == case.get("named", {})
    assert parsed["function"] == case.get("function", "")


@pytest.mark.parametrize("case", CASES["bad"], ids=lambda case: case["text"])
def test_refused(case: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        parse_inputs(case["text"])
    assert case["says"] in str(caught.value)
    assert str(caught.value).endswith(".")


def test_none_is_a_value() -> None:
    assert asdict(parse_inputs("None"))["positional"] == ({"value": None},)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=6))
def test_every_shape_comes_back(shape: list[int]) -> None:
    assert parse_inputs("x".join(map(str, shape))).positional == (TensorText(tuple(shape)),)


@given(st.text(alphabet="x1,=<()[]{}int64bol '\"\\\n", max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        parse_inputs(text)
    except UsageError as error:
        assert str(error).isprintable()
