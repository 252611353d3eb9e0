"""A content stream cut into operators and operands: fast, and bounded in steps and in time."""

import re
import time
from collections.abc import Iterator
from typing import Final

# An operand: a number, a string as bytes, a name as str with its slash, or the parts of an array.
Operand = float | bytes | str | list[float | bytes]

MAX_STEPS: Final = 3_000_000
_CHECK_EVERY: Final = 4096

_SPACE = rb"[\x00\t\n\x0c\r ]"
_STRING = rb"\((?:[^()\\]++|\\[\s\S])*+\)"
_NUMBER = rb"[-+]{0,3}+(?:\d++\.?\d*+|\.\d++)(?:-\d*+)?+"
_NUMBERS = rb"(?:[-+.\d]{1,40}+" + _SPACE + rb"++)"
# A line of two points can be a rule that stands for an underscore. Other paths, colours and clipping say nothing
# about text; whole runs of them are passed over in one step, because the plots of a paper hold hundreds of thousands.
_STROKE = _NUMBERS + rb"{2}m" + _SPACE + rb"++" + _NUMBERS + rb"{2}l" + _SPACE + rb"++[Ss](?=[\s]|$)"
_SKIPPED = (
    rb"(?:(?!" + _STROKE + rb")" + _NUMBERS + rb"{0,6}+"
    rb"(?:l|c|m|v|y|h|rg|RG|g|G|k|K|w|J|j|M|i|ri|W\*?|n|d0|d1)(?=[\s/\[(<%]|$)" + _SPACE + rb"*+)++"
)
_TOKEN = re.compile(
    rb"(?P<stroke>" + _STROKE + rb")|(?P<skipped>" + _SKIPPED + rb")"
    rb"|(?P<numbers>" + _NUMBER + rb"(?:" + _SPACE + rb"++" + _NUMBER + rb"){0,63}+)"
    rb"|(?P<string>" + _STRING + rb")"
    rb"|(?P<array>\[(?:[^\]\[()<>%/]++|" + _STRING + rb"|<[0-9A-Fa-f\s]*+>)*+\])"
    rb"|(?P<name>/[^\x00\t\n\x0c\r ()<>\[\]{}/%]*+)"
    rb"|(?P<operator>[A-Za-z'\"][A-Za-z0-9*'\"]*+)"
    rb"|(?P<hex><[0-9A-Fa-f\s]*+>)"
    rb"|(?P<comment>%[^\r\n]*+)"
    rb"|(?P<nested>\()"
    rb"|(?P<other>[\[\]<>{})]|[^\x00\t\n\x0c\r ])"
)
_ELEMENT = re.compile(rb"(" + _STRING + rb")|<([0-9A-Fa-f\s]*+)>|([-+]{0,3}+(?:\d++\.?\d*+|\.\d++))")
_ESCAPE = re.compile(rb"\\([nrtbf]|[0-7]{1,3}|\r\n?|\n|[\s\S])")
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_IMAGE_END = re.compile(rb"[\s]EI(?=[\s]|$)")


class TooMuch(Exception):  # noqa: N818 - a bound that was met, not a fault
    """A page asks for more steps or more time than it is given."""


def operators(data: bytes, deadline: float) -> Iterator[tuple[bytes, list[Operand]]]:
    """Give each operator that matters to text with its operands.

    Args:
        data: The decoded content stream.
        deadline: Value of `time.monotonic()` at which to give up.

    Yields:
        The operator and its operands; a line of two points that is stroked comes as `stroke` with four numbers; other
        path and colour operators are left out. A malformed piece is passed over, as viewers do.

    Raises:
        TooMuch: When the stream has too many steps or the deadline has passed.
    """
    operands: list[Operand] = []
    position, steps = 0, 0
    size = len(data)
    match_at = _TOKEN.search
    while position < size and (match := match_at(data, position)):
        position = match.end()
        steps += 1
        if not steps % _CHECK_EVERY and (steps > MAX_STEPS or time.monotonic() > deadline):
            raise TooMuch
        kind = match.lastgroup
        if kind == "operator":
            operator = match.group()
            if operator == b"BI":
                # The pixels of an inline image are not tokens.
                ending = _IMAGE_END.search(data, position)
                position = ending.end() if ending else size
            else:
                yield operator, operands
            operands = []
        elif kind == "numbers":
            operands += _numbers(match.group())
        elif kind == "array":
            operands.append(_array(match.group()))
        elif kind == "stroke":
            yield b"stroke", [_number(number) for number in match.group().split() if number[-1:].isdigit()]
            operands = []
        elif kind == "skipped":
            operands = []
        elif kind == "string":
            operands.append(_string(match.group()))
        elif kind == "name":
            operands.append(match.group().decode("latin-1"))
        elif kind == "hex":
            operands.append(_hex(match.group()[1:-1]))
        elif kind == "nested":
            text, position = _nested(data, position)
            operands.append(text)
        if len(operands) > 64:
            del operands[:-8]


def _numbers(run: bytes) -> list[float]:
    try:
        return list(map(float, run.split()))
    except ValueError:
        return [_number(token) for token in run.replace(b"\x00", b" ").split()]


def _number(token: bytes) -> float:
    try:
        return float(token)
    except ValueError:
        # Some writers double the sign or put a sign inside; viewers read up to there.
        return float(re.sub(rb"^[-+]*(?=-)|(?<=\d)-.*$|^[-+]+(?=\+)", b"", token) or 0)


def _string(token: bytes) -> bytes:
    inner = token[1:-1]
    return _ESCAPE.sub(_unescape, inner) if b"\\" in inner else inner


def _unescape(match: re.Match[bytes]) -> bytes:
    what = match.group(1)
    if what in _LETTERS:
        return _LETTERS[what]
    if what[:1] in b"01234567":
        return bytes([int(what, 8) & 255])
    return b"" if what[:1] in b"\r\n" else what


def _hex(digits: bytes) -> bytes:
    digits = bytes(digits.translate(None, b"\x00\t\n\x0c\r "))
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _array(token: bytes) -> list[float | bytes]:
    return [
        _string(string) if string else _number(number) if number else _hex(digits)
        for string, digits, number in _ELEMENT.findall(token)
    ]


def _nested(data: bytes, position: int) -> tuple[bytes, int]:
    """Read a string with parentheses inside, from behind its first one."""
    depth, start = 1, position
    for match in re.compile(rb"\\[\s\S]|[()]").finditer(data, position):
        mark = match.group()
        depth += (mark == b"(") - (mark == b")")
        if not depth:
            return _string(b"(" + data[start : match.start()] + b")"), match.end()
    # It never ends, so nothing that follows is outside of it.
    return b"", len(data)
