"""Small PDF files written by hand from lines of text, so that a test shows what stands where."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

FONTS = {
    "r": "Times-Roman",
    "b": "Times-Bold",
    "i": "Times-Italic",
    "c": "Courier",
    "s": "Helvetica",
}
# Chinese fonts, of text and of headings: Unicode in two bytes, as the encoding says.
WIDE_FONTS = {"z": "SimSun", "h": "SimHei"}
# Codes outside ASCII that a case may use, by the glyph names of the Adobe Glyph List.
_GLYPHS = {
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb00": "ff",
    "\u2019": "quoteright",
    "\u2018": "quoteleft",
    "\u201c": "quotedblleft",
    "\u201d": "quotedblright",
    "\u2013": "endash",
    "\u2014": "emdash",
    "\u2022": "bullet",
    "\u00a8": "dieresis",
    "\u00b4": "acute",
    "\u00b8": "cedilla",
}
_CODES = {char: 128 + index for index, char in enumerate(_GLYPHS)}
_SWITCH = re.compile(r"<(/?)([rbicszh])(?::([\d.]+))?>")


@dataclass
class Page:
    """The content of a page: operators, and whether some of it is drawn by a form."""

    lines: list[str] = field(default_factory=list)
    form: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, size: float, marked: str, font: str = "r") -> None:
        """Show text; `<c>...</c>` switches to a font of `FONTS`, `<b:7>` also to a size."""
        self.lines.append(_shown(x, y, size, marked, font))

    def drawn(self, x: float, y: float, size: float, marked: str, font: str = "s") -> None:
        """Show text inside the form."""
        self.form.append(_shown(x, y, size, marked, font))

    def rule(self, x: float, y: float, width: float) -> None:
        """Draw a thin rule."""
        self.lines.append(f"q 1 0 0 1 {x} {y} cm []0 d 0 J 0.4 w 0 0 m {width} 0 l S Q")


def _shown(x: float, y: float, size: float, marked: str, font: str) -> str:
    operators = [f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm"]
    stack = [(font, size)]
    at = 0
    for match in (*_SWITCH.finditer(marked), None):
        shown = marked[at : match.start() if match else len(marked)]
        if shown:
            code = shown.encode("utf-16-be").hex() if stack[-1][0] in WIDE_FONTS else ""
            operators.append(f"<{code}> Tj" if code else f"({_escaped(shown)}) Tj")
        if match:
            at = match.end()
            if match[1]:
                stack.pop()
            else:
                stack.append((match[2], float(match[3] or size)))
            operators.append("/{} {} Tf".format(*stack[-1]))
    return " ".join((*operators, "ET"))


def _escaped(text: str) -> str:
    return "".join(
        f"\\{_CODES[char]:03o}" if char in _CODES else "\\" + char if char in "()\\" else char for char in text
    )


def write_pdf(path: Path, pages: Sequence[Page], *, extra: str = "", compress: bool = True) -> Path:
    """Write the pages to a PDF of letter size.

    Args:
        path: Where to write.
        pages: The pages.
        extra: Entries for the catalog.
        compress: Whether the content streams are deflated.
    """
    differences = f"[128 {' '.join('/' + name for name in _GLYPHS.values())}]"
    objects: list[bytes] = [b"", b""]
    fonts = ""
    for key, name in FONTS.items():
        objects.append(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding "
            f"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences {differences} >> >>".encode()
        )
        fonts += f"/{key} {len(objects)} 0 R "
    for key, name in WIDE_FONTS.items():
        objects.append(
            f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /UniGB-UCS2-H /DescendantFonts "
            f"[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{name} /DW 1000 /CIDSystemInfo "
            "<< /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>] >>".encode()
        )
        fonts += f"/{key} {len(objects)} 0 R "
    kids = []
    for page in pages:
        forms = ""
        content = list(page.lines)
        if page.form:
            head = f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << {fonts}>> >>"
            objects.append(_stream("\n".join(page.form), head, compress))
            forms = f"/XObject << /F {len(objects)} 0 R >>"
            content.append("/F Do")
        objects.append(_stream("\n".join(content), "", compress))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R "
            f"/Resources << /Font << {fonts}>> {forms} >> >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R {extra} >>".encode()
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    path.write_bytes(_assembled(objects))
    return path


def _stream(content: str, head: str, compress: bool) -> bytes:
    data = content.encode("latin-1")
    if compress:
        data = zlib.compress(data)
        head += " /Filter /FlateDecode"
    return f"<< {head} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _assembled(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.5\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def page_case(text: str) -> tuple[list[Page], list[str]]:
    """Read a case file: pages behind `== page` lines, and behind `== expect` the passages as `role | text`.

    A line of a page is `x y size text`, or `rule x y width`, or `form x y size text` for text drawn by a form, or `raw`
    and operators. In the expected text `\\n` stands for a line break.
    """
    pages: list[Page] = []
    expected: list[str] = []
    target: str = ""
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("== "):
            target = line[3:].strip()
            if target == "page":
                pages.append(Page())
            continue
        if target == "expect":
            expected.append(line)
            continue
        words = line.split(" ")
        if words[0] == "rule":
            pages[-1].rule(float(words[1]), float(words[2]), float(words[3]))
        elif words[0] == "raw":
            pages[-1].lines.append(" ".join(words[1:]))
        elif words[0] == "form":
            pages[-1].drawn(float(words[1]), float(words[2]), float(words[3]), " ".join(words[4:]))
        else:
            pages[-1].text(float(words[0]), float(words[1]), float(words[2]), " ".join(words[3:]))
    return pages, expected
