"""What printing did to the words, undone: ligatures, styled letters, loose accents, line-end hyphens, broken names."""

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Final

_LIGATURES: Final = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "ft",
    "\ufb06": "st",
    "\u0132": "IJ",
    "\u0133": "ij",
}
_SIMPLE: Final = {
    "\u00a0": " ",
    "\u2002": " ",
    "\u2003": " ",
    "\u2009": " ",
    "\u202f": " ",
    "\u200b": "",
    "\u2060": "",
    "\ufeff": "",
}
_ACCENTS: Final = {
    "\u00b4": "\u0301",
    "\u0060": "\u0300",
    "\u00a8": "\u0308",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u00af": "\u0304",
    "\u02d9": "\u0307",
}
_LOOSE_ACCENT = re.compile("([" + "".join(_ACCENTS) + r"])\s?([A-Za-z\u0131\u0237])")
_LOOSE_CEDILLA = re.compile(r"([CcSsTt])\s?\u00b8|\u00b8\s?([CcSsTt])")
# A class of `re` takes milliseconds to compile for ranges as wide as these.
_IDEOGRAPHS = (
    ("\u2e80", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\uff00", "\uffef"),
)
_STYLED = re.compile(
    "[\U0001d400-\U0001d7ff\u2102-\u214f\uf900-\ufaff\u2f00-\u2fdf\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]"
)

_FIRST_PARTS: Final = frozenset({"well", "self", "quasi", "pseudo"})
# What stands in the middle of a compound such as `state-of-the-art`.
_LINKS: Final = frozenset({"and", "by", "for", "in", "of", "on", "the", "to"})
_SECOND_PARTS: Final = frozenset({"based", "aware", "specific", "agnostic", "driven", "oriented", "known", "friendly"})

_SCHEME = re.compile(r"\b(?:https?|ftp):$", re.IGNORECASE)

HYPHENS: Final = "-\u00ad\u2010\u2011"


def readable(text: str) -> str:
    """Return the letters of a run of prose without ligatures and styled variants.

    Mathematical alphanumeric letters, compatibility ideographs and full-width letters become the usual ones
    (Unicode Standard Annex 15, compatibility decomposition), other characters stay.
    """
    if text.isascii() and text.isprintable():
        return text
    text = "".join(_LIGATURES.get(char) or _SIMPLE.get(char, char) for char in text)
    return _STYLED.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)


def compose_accents(text: str) -> str:
    """Put accents that are printed as characters of their own onto their letters (`na¨ıve` is `naïve`)."""
    text = _LOOSE_ACCENT.sub(_compose, text)
    return _LOOSE_CEDILLA.sub(lambda match: _with(match.group(1) or match.group(2), "\u0327"), text)


def _compose(match: re.Match[str]) -> str:
    if match.group(1) == "`" and not match.string[: match.start()][-1:].isalpha():
        # Before a word it is a quote.
        return match.group()
    letter = {"\u0131": "i", "\u0237": "j"}.get(match.group(2), match.group(2))
    return _with(letter, _ACCENTS[match.group(1)])


def _with(letter: str, mark: str) -> str:
    return unicodedata.normalize("NFC", letter + mark)


def straight(text: str) -> str:
    """Return code with the quotes, dashes and ligatures that it was typed with.

    TeX prints the keyboard's ' as ’ and ` as ‘ in a code font, and -- as one dash.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\u2018" in text:
        paired = re.sub(r"\u2018([^\u2018\u2019]*)\u2019", r"'\1'", text)
        text = paired.replace("\u2018", "`")
    text = text.translate(_STRAIGHT)
    text = re.sub(r"(?<![^\s(\[\"'`])[\u2013\u2014](?=[A-Za-z])", "--", text)
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    return "".join(_LIGATURES.get(char, char) for char in text)


_STRAIGHT: Final = str.maketrans(
    {"\u2019": "'", "\u201a": ",", "\u201b": "'", "\u201c": '"', "\u201d": '"', "\u00b4": "'", "\u02c6": "^",
     "\u02dc": "~", "\u00a0": " ", "\u2217": "*", "\u223c": "~", "\u00ad": "-", "\u2423": " "}
)  # fmt: skip


def between_lines(
    left: str,
    right: str,
    *,
    left_code: bool,
    right_code: bool,
    known: Callable[[str], int] | Collection[str],
    hyphenated: bool = True,
    stops_in_code: bool = True,
) -> tuple[int, str]:
    """Decide how the last word of a line goes on in the next line.

    Args:
        left: The last word, as far as it stands on the line.
        right: The first word of the next line.
        left_code: Whether the end of `left` is in the code font.
        right_code: Whether the start of `right` is.
        known: How often the paper writes a word, or part of a dotted name, in one piece (case is kept).
        hyphenated: Whether the paper breaks words at line ends.
        stops_in_code: Whether a full stop in the code font can end a sentence.

    Returns:
        How many characters to take off the end of `left`, and what to put between.
    """
    count = known if callable(known) else lambda word: int(word in known)
    if not left or not right:
        return 0, ""
    if is_ideograph(left[-1]) and is_ideograph(right[0]):
        return 0, ""
    if _SCHEME.search(left) and right.startswith("//"):
        return 0, ""
    ended = left[-1] in ".," and (left[-2:-1] in (")", "]") or right[0].isupper())
    if "://" in left and not ended and (left[-1] in "/._-?=&%#~" or re.match(r"[\w.-]*[/=?&]", right)):
        return 0, ""
    if left_code and right_code:
        return _code_break(left, right, count, stops=stops_in_code)
    if left[-1] in HYPHENS and len(left) > 1 and not left_code:
        return _hyphen(left, right, right_code, count, hyphenated=hyphenated)
    if left[-1] == "—" and len(left) > 1:
        # Set close before the line end, a dash was set close behind it too.
        return 0, ""
    if left[-1] == "–" and left[-2:-1].isdigit() and right[0].isdigit():
        return 0, ""
    if left[-1] == "_" and right[0].isalnum() and len(left) > 1 and not left_code:
        return 0, ""
    # A full stop in the text font ends a sentence, even when a name in the code font follows.
    if left[-1] == "." and not left_code and not right_code and _dotted(left, right, count):
        return 0, ""
    return 0, " "


def _code_break(left: str, right: str, count: Callable[[str], int], *, stops: bool) -> tuple[int, str]:
    """Join code over a line end; a hyphen goes only when the paper writes the joined name elsewhere."""
    if left[-1] in HYPHENS and len(left) > 1 and (left[-2].isalnum() or left[-2] == "_"):
        tail = re.search(r"\w+$", left[:-1])
        head = re.match(r"\w+", right)
        if tail is None or head is None:
            return 0, " "
        return (1, "") if count(tail.group() + head.group()) else (0, "")
    return 0, "" if _goes_on(left, right, count, stops=stops) else " "


def _goes_on(left: str, right: str, count: Callable[[str], int], *, stops: bool) -> bool:
    """Tell whether two words in code font are one name, broken without a mark."""
    tail = re.search(r"[\w.]+$", left)
    head = re.match(r"[\w.]+", right)
    if tail is None or head is None:
        return False
    if left[-1] == "_" or right[0] == "_" or (right[0] == "." and right[1:2].isalpha()):
        return True
    if left[-1] == ".":
        # Where sentences end in the text font, a dot in the code font is inside a name.
        return _dotted(left, right, count if stops else lambda _: 1)
    before, after = tail.group().rstrip("."), head.group().rstrip(".")
    joined = before.split(".")[-1] + after.split(".")[0]
    return count(joined) > 0 and not (count(before.split(".")[-1]) and count(after.split(".")[0]))


def _dotted(left: str, right: str, count: Callable[[str], int]) -> bool:
    """Tell whether a dot at the end of a line is inside a name: only if the paper writes that name elsewhere."""
    before = re.search(r"([A-Za-z_]\w*)\.$", left)
    after = re.match(r"[A-Za-z_]\w*", right)
    return before is not None and after is not None and count(f"{before.group(1)}.{after.group()}") > 0


def _hyphen(
    left: str, right: str, right_code: bool, count: Callable[[str], int], *, hyphenated: bool
) -> tuple[int, str]:
    before = re.search(r"([^\W\d_]+)[" + HYPHENS + "]$", left)
    after = re.match(r"[^\W\d_]+", right)
    if before is None or after is None or right_code:
        return 0, "" if right[0].isalnum() else " "
    first, second = before.group(1), after.group()
    soft = left[-1] == "\u00ad"
    if soft or count(first + second):
        return 1, ""
    if count(f"{first}-{second}"):
        return 0, ""
    if len(first) > 1 and len(second) > 1 and first.isupper() and second.isupper():
        # A title in capitals; what stands alone elsewhere are two abbreviations.
        if count(first) or count(second):
            return 0, ""
        return _hyphen(left.lower(), right.lower(), right_code, count, hyphenated=hyphenated)
    if second[0].isupper():
        # Py-Torch was broken, Conv-BatchNorm is written so: only the rest of the paper could tell.
        return 0, ""
    if right[len(second) : len(second) + 1] in tuple(HYPHENS) and (second in _LINKS or count(second)):
        # The middle of a compound of several words.
        return 0, ""
    if "-" in left[:-1] and (count(second) or count(first) or first.lower() in _LINKS):
        return 0, ""
    # The paper makes other compounds with one of the parts.
    if count(second) and (count(f"{first.lower()}-") or count(f"-{second}")):
        return 0, ""
    if _is_compound(first.lower(), second):
        return 0, ""
    # Half of a word is seldom a word, unless it is as short as `for`.
    words = count(second) or (len(first) > 3 and count(first))
    return (0, "") if words and not hyphenated else (1, "")


def _is_compound(first: str, second: str) -> bool:
    """Tell two words that English writes with a hyphen; the short ends of `wellness` and `selfish` are no words."""
    return (first in _FIRST_PARTS and len(second) > 4) or (second in _SECOND_PARTS and len(first) > 3)


def is_ideograph(char: str) -> bool:
    """Tell whether a character is one of those that Chinese and Japanese are written in, their punctuation too."""
    return char > "\u2e7f" and any(first <= char <= last for first, last in _IDEOGRAPHS)
