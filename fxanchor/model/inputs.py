"""Read the text of example inputs, such as `x=1x16x32, mask=bool[1,16]`, into data."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fxanchor.errors import UsageError
from fxanchor.model.plain import one_line
from fxanchor.model.syntax import parse_source

# fmt: off
_DTYPES = (
    "float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64",
    "uint8", "uint16", "uint32", "uint64", "bool", "complex64", "complex128",
)
# fmt: on
_ALIASES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64"}
_SHAPE = re.compile(r"\d+(?:x\d+)+")
_TYPED = re.compile(r"([a-z]+\d*)\[([\d,\sx]*)\](?:\s*<\s*(\d+))?")
_NAMED = re.compile(r"([^\W\d]\w*)\s*=(?!=)\s*(.*)", re.DOTALL)
_NAME = re.compile(r"[^\W\d][\w.]*")
_CONSTANTS = {"None", "True", "False"}
# Sizes are 64-bit integers, and many of torch's functions take no more than 64 of them.
_MOST_SIZES, _MOST_DIGITS = 64, 18
_OPEN, _CLOSE = "([{", ")]}"
_FORMS = "write 1x3x224x224, int64[2,16]<50257, a number, None, or name=... of these, with commas between"


@dataclass(frozen=True, slots=True)
class TensorText:
    """A tensor that was asked for.

    Attributes:
        shape: Its sizes.
        dtype: Name of its data type, such as `float32`.
        below: Integers are drawn from 0 to below this; None when not said.
    """

    shape: tuple[int, ...]
    dtype: str = "float32"
    below: int | None = None


@dataclass(frozen=True, slots=True)
class ConstantText:
    """A plain Python value: a number, a string, True, None."""

    value: object


@dataclass(frozen=True, slots=True)
class GroupText:
    """A tuple or list of inputs."""

    items: tuple["InputText", ...]
    is_list: bool


InputText = TensorText | ConstantText | GroupText


@dataclass(frozen=True, slots=True)
class InputsText:
    """What `--input` says.

    Attributes:
        positional: In order.
        named: By name of the parameter.
        function: Name of a function in the model's file that returns the inputs; "" when they are written out.
    """

    positional: tuple[InputText, ...] = ()
    named: tuple[tuple[str, InputText], ...] = ()
    function: str = ""


def parse_inputs(text: str) -> InputsText:
    """Read the text of example inputs.

    Args:
        text: Inputs with commas between: `1x3x224x224` (float32), `int64[2,16]<50257` (integers below a bound),
            `float16[8]`, Python constants, `(…, …)` for a tuple of inputs, each with `name=` in front for a keyword.
            A single name stands for a function of the model's file.

    Raises:
        UsageError: When it is none of these.
    """
    text = text.strip()
    if _NAME.fullmatch(text) and text not in _CONSTANTS:
        return InputsText(function=text)
    positional: list[InputText] = []
    named: dict[str, InputText] = {}
    for part in _parts(text):
        match = _NAMED.fullmatch(part)
        if match is None and named:
            raise UsageError(f"In --input, {one_line(part)!r} has no name but follows a named input; name it too.")
        if match is None:
            positional.append(_input(part))
        elif match[1] in named:
            raise UsageError(f"In --input, {match[1]} is given twice; give it once.")
        else:
            named[match[1]] = _input(match[2].strip())
    if not positional and not named:
        raise UsageError(f"--input is empty; {_FORMS}.")
    return InputsText(tuple(positional), tuple(named.items()))


def _input(part: str) -> InputText:
    if _SHAPE.fullmatch(part):
        return TensorText(_sizes(part.split("x"), part))
    if match := _TYPED.fullmatch(part):
        dtype = _ALIASES.get(match[1], match[1])
        if dtype not in _DTYPES:
            raise UsageError(f"In --input, {match[1]!r} is no data type; choose from {', '.join(_DTYPES)}.")
        sizes = re.findall(r"\d+", match[2])
        if not re.fullmatch(r"\s*(\d+\s*([,x]\s*\d+\s*)*)?,?\s*", match[2]):
            raise _wrong(part)
        below = _sizes([match[3]], part)[0] if match[3] else None
        return TensorText(_sizes(sizes, part), dtype, below)
    if part[:1] in {"(", "["} and part[-1:] == _CLOSE[_OPEN.index(part[0])]:
        return GroupText(tuple(_input(each) for each in _parts(part[1:-1])), part[0] == "[")
    try:
        return ConstantText(ast.literal_eval(parse_source(part, mode="eval")))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise _wrong(part) from None


def _sizes(texts: Sequence[str], part: str) -> tuple[int, ...]:
    if len(texts) > _MOST_SIZES or any(len(text) > _MOST_DIGITS for text in texts):
        raise UsageError(f"In --input, {one_line(part, 60)!r} is larger than any tensor; give smaller sizes.")
    return tuple(int(text) for text in texts)


def _wrong(part: str) -> UsageError:
    return UsageError(f"In --input, {one_line(part, 60)!r} is not understood; {_FORMS}.")


def _parts(text: str) -> Iterator[str]:
    """Yield the parts between commas that stand in no brackets."""
    depth, start, quote = 0, 0, ""
    for index, character in enumerate(text):
        if quote or character in "'\"":
            quote = "" if character == quote else quote or character
            continue
        depth += (character in _OPEN) - (character in _CLOSE)
        if depth < 0 or depth > 20:
            raise _wrong(text)
        if character == "," and not depth:
            yield _part(text[start:index], text)
            start = index + 1
    if depth or quote:
        raise _wrong(text)
    if text[start:].strip():
        yield text[start:].strip()


def _part(part: str, text: str) -> str:
    if not part.strip():
        raise _wrong(text)
    return part.strip()
