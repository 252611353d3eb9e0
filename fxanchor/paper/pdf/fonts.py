"""A PDF font made ready for reading: bytes of a text operator to text and widths. The one module on pypdf's fonts."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject
    from pypdf.generic._font import Font as PdfFont

# What stands for a glyph whose character the file does not tell.
UNKNOWN: Final = "\ufffd"

_MAX_REMEMBERED = 20_000
_MONOSPACED_NAME = re.compile(
    r"mono|courier|typewriter|consol|menlo|monaco|fixed|hack|inconsol|terminal|typewr|sourcecode|firacode|cascadia"
    r"|^cmtt|^cmitt|^cmsltt|^cmvtt|^sftt|^ectt|^lmtt|^lmtlc|^txtt|^t1xtt|^t1zi4|^rtxtt|^zi4|^ptmtt|^nimbusmon"
    r"|beramono|anonymous|dejavusansm|luximono|letgo|lettergothic|lucidatyp|lucidasanstyp|newtxtt",
    re.IGNORECASE,
)
_MATH_NAME = re.compile(
    r"^cmmi|^cmsy|^cmex|^cmbsy|^cmmib|^msam|^msbm|math|^symbol|^mt(?:mi|sy|ex)|^(?:r?tx|px|new.x)(?:mi|sy|ex)|^eu[fsr]m",
    re.IGNORECASE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")
# The bullets of the Symbol and Wingdings fonts, which word processors put into the private area.
_PRIVATE = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf06c": "●", "\uf06e": "■", "\uf0fc": "✓", "\uf0e0": "→"}
# The Mathematical Pi fonts, which name their glyphs C0 to C255 or by the Latin letter at the same place.
_PI_NAME = re.compile(r"/C(\d{1,3})")
_PI = {"/C0": "−", "/C1": "·", "/C2": "×", "/C3": "∗", "/C6": "±", "/C15": "•", "/C138": "]", "/C211": "©",
       "½": "[", "ð": "(", "Þ": ")", "þ": "+", "¼": "="}  # fmt: skip
_GAPS = " \u00a0\u3000\t"


class Part(NamedTuple):
    """A stretch without blanks of what one text operator shows; widths are in thousandths of the font size."""

    text: str
    start: float
    width: float
    glyphs_before: int
    glyphs: int
    spaces_before: int

    def singles(self) -> "Iterator[Part]":
        """Give the glyphs one by one, as if equally wide."""
        if len(self.text) != self.glyphs:
            yield self
            return
        width = self.width / self.glyphs
        for at, char in enumerate(self.text):
            yield Part(char, self.start + at * width, width, self.glyphs_before + at, 1, self.spaces_before)


class Shown(NamedTuple):
    """All that one string shows."""

    parts: tuple[Part, ...]
    width: float
    glyphs: int
    spaces: int


@dataclass(slots=True)
class Font:
    """A font as far as reading needs it.

    Attributes:
        name: Its name without the subset prefix.
        mono: Whether all its letters are equally wide.
        math: Whether it is a font for formulas.
        wide: Whether a character code has two bytes.
        glyphs: Text and width of each code met so far or known from the start.
        encoding: Python codec for codes of more than one byte that are characters themselves, or "".
        texts: Character of a two-byte code, where the file tells it.
        widths: Width of a two-byte code.
        default: Width of a code that has none.
        remembered: What strings seen before show.
    """

    name: str
    mono: bool = False
    math: bool = False
    wide: bool = False
    glyphs: dict[int, tuple[str, float]] = field(default_factory=dict)
    encoding: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    widths: Mapping[str, float] = field(default_factory=dict)
    default: float = 500.0
    remembered: dict[bytes, Shown] = field(default_factory=dict)

    def show(self, data: bytes) -> Shown:
        """Return what a string of a text operator shows in this font."""
        found = self.remembered.get(data)
        if found is None:
            found = self._show(data)
            if len(self.remembered) < _MAX_REMEMBERED:
                self.remembered[data] = found
        return found

    def _show(self, data: bytes) -> Shown:
        parts: list[Part] = []
        text: list[str] = []
        at = begin = 0.0
        glyphs = spaces = first = spaces_first = 0
        for code, (char, width) in self._codes(data):
            if char in _GAPS:
                if text:
                    parts.append(Part(_whole(text), begin, at - begin, first, glyphs - first, spaces_first))
                    text = []
            else:
                if not text:
                    begin, first, spaces_first = at, glyphs, spaces
                text.append(char)
            at += width
            glyphs += 1
            # The word spacing of a text operator widens the one-byte code 32 only (ISO 32000-1, 9.3.3).
            spaces += code == 32 and not self.wide
        if text:
            parts.append(Part(_whole(text), begin, at - begin, first, glyphs - first, spaces_first))
        return Shown(tuple(parts), at, glyphs, spaces)

    def _codes(self, data: bytes) -> list[tuple[int, tuple[str, float]]]:
        if not self.wide:
            missing = (UNKNOWN, self.default)
            return [(code, self.glyphs.get(code, missing)) for code in data]
        if self.encoding and self.encoding != "utf-16-be":
            decoded = data.decode(self.encoding, "replace")
            return [(ord(char), (char, self.widths.get(char, self.default))) for char in decoded]
        found = []
        for index in range(0, len(data) - 1, 2):
            code = data[index] << 8 | data[index + 1]
            glyph = self.glyphs.get(code)
            if glyph is None:
                char = chr(code)
                text = self.texts.get(char, char if self.encoding else UNKNOWN)
                glyph = (_readable(text), float(self.widths.get(char, self.default)))
                self.glyphs[code] = glyph
            found.append((code, glyph))
        return found


def load_font(resource: "DictionaryObject") -> Font:
    """Read a font dictionary of a PDF.

    Args:
        resource: The dictionary as pypdf gives it.

    Returns:
        The font; a font that cannot be understood shows every character as unknown.
    """
    from pypdf.generic._font import Font as PdfFont

    try:
        source = PdfFont.from_font_resource(resource)
        name = plain_name(str(source.name))
        if isinstance(source.encoding, str):
            named = str(resource.get("/Encoding", ""))
            return _wide_font(name, source, "" if named.startswith("/Identity") else source.encoding)
        return _simple_font(name, source, resource)
    except MemoryError:
        raise
    except Exception:
        # pypdf lets many kinds of exception out of damaged fonts; the text around them is still worth reading.
        return Font("")


def lost_font() -> Font:
    """Return what stands for a font that a damaged file has lost: letters as ASCII, which most fonts keep to."""
    from pypdf.generic import DictionaryObject, NameObject

    entries = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Times-Roman"}
    usual = load_font(DictionaryObject({NameObject(key): NameObject(value) for key, value in entries.items()}))
    return Font("", glyphs={code: (chr(code), usual.glyphs[code][1]) for code in range(32, 127)})


def _simple_font(name: str, source: "PdfFont", resource: "DictionaryObject") -> Font:
    widths: dict[str, float] = source.character_widths
    default = float(widths.get("default", 500))
    # The widths of a Type 3 font are in its own units.
    scale = _type3_scale(resource) if source.sub_type == "Type3" else 1.0
    font = Font(name, math=_MATH_NAME.search(name) is not None, default=default * scale)
    encoding = source.encoding if isinstance(source.encoding, dict) else {}
    pi = "/FontDescriptor" in resource and any(_PI_NAME.fullmatch(str(glyph)) for glyph in encoding.values())
    for code in range(256):
        glyph = encoding.get(code, chr(code))
        if pi and glyph in _PI:
            font.glyphs[code] = (_PI[glyph], float(widths.get(chr(code), default)) * scale)
            continue
        text = source.character_map.get(glyph, glyph)
        width = float(widths.get(chr(code), default)) * scale
        font.glyphs[code] = (_readable(str(text)), width)
    told = [font.glyphs[code] for code in range(256) if widths.get(chr(code), 0) > 0]
    font.mono = _is_mono(name, dict(told))
    return font


def _wide_font(name: str, source: "PdfFont", encoding: str) -> Font:
    widths: dict[str, float] = {code: float(width) for code, width in source.character_widths.items()}
    font = Font(
        name,
        math=_MATH_NAME.search(name) is not None,
        wide=True,
        encoding=encoding,
        texts=source.character_map,
        widths=widths,
        default=widths.get("default", 1000.0),
    )
    told = {text: widths[code] for code, text in source.character_map.items() if code in widths}
    font.mono = _is_mono(name, told)
    return font


def _type3_scale(resource: "DictionaryObject") -> float:
    try:
        return float(resource["/FontMatrix"][0]) * 1000  # type: ignore[index]
    except (KeyError, TypeError, ValueError, IndexError):
        return 1.0


def _is_mono(name: str, widths: Mapping[str, float]) -> bool:
    """Tell a code font by its name, or by its letters being equally wide while it has no ideographs."""
    if any("\u3040" <= text[:1] <= "\u9fff" for text in widths if text):
        # The Latin letters of East Asian text fonts are often all half an em wide.
        return False
    if _MONOSPACED_NAME.search(name):
        return True
    letters = [widths[letter] for letter in "iljtmwMW" if widths.get(letter, 0) > 0]
    return len(letters) >= 5 and len(set(letters)) == 1


def plain_name(name: str) -> str:
    """Return a font name without the prefix of its subset (`ABCDEF+`)."""
    return re.sub(r"^[A-Z]{6}\+", "", name.lstrip("/"))


def _readable(text: str) -> str:
    """Return the character of a glyph, or the mark for an unknown one where only a glyph name or nothing is told."""
    if text.startswith("/") and len(text) > 1:
        return _of_glyph_name(text[1:])
    if len(text) == 1 and ((text < " " and text != "\t") or "\x7f" <= text < "\xa0"):
        return UNKNOWN
    return _PRIVATE.get(text, text)


def _whole(chars: list[str]) -> str:
    """Join characters, and the halves of those outside the basic plane, which some files tell one by one."""
    text = "".join(chars)
    if _SURROGATE.search(text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _of_glyph_name(name: str) -> str:
    """Read names such as `f_i`, `a.sc` and `uni00660069` as the Adobe Glyph List specification tells."""
    from pypdf._codecs.adobe_glyphs import adobe_glyphs

    found = ""
    for part in name.split(".", maxsplit=1)[0].split("_"):
        if text := adobe_glyphs.get("/" + part):
            found += text
        elif re.fullmatch(r"uni([0-9A-F]{4})+", part):
            found += "".join(chr(int(part[at : at + 4], 16)) for at in range(3, len(part), 4))
        elif part == "visiblespace":
            found += " "
        else:
            return UNKNOWN
    return found or UNKNOWN
