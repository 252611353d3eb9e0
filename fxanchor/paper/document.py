"""The data classes that a paper is handed on in: passages of running text whose every letter has a place."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Self, overload

# `figure` is the lettering of a figure, `formula` a formula on lines of its own, `contents` a table of contents.
Role = Literal[
    "prose", "heading", "caption", "listing", "table", "figure", "formula", "footnote", "reference", "contents", "title"
]


class Box(NamedTuple):
    """A rectangle on a page in PDF points, origin bottom left."""

    x0: float
    y0: float
    x1: float
    y1: float


class Piece(NamedTuple):
    """A run of a passage's text that stands on one line of one page in one font.

    Attributes:
        start: Index in `Passage.text` of the first character.
        end: Index behind the last character.
        page: 1-based page.
        line: 1-based line on the page, in reading order.
        box: Where it stands.
        font: Name of the font, without its subset prefix.
        size: Font size in points.
        code: Whether the font is the paper's code font.
    """

    start: int
    end: int
    page: int
    line: int
    box: Box
    font: str
    size: float
    code: bool


# Font, size in points and whether it is code.
Look = tuple[str, float, bool]


class Pieces(Sequence[Piece]):
    """Pieces kept as columns of numbers, each made when it is asked for: a book has a million of them.

    Attributes:
        looks: The looks that occur.
        numbers: Of each piece the start, the end, the page, the line and the index of its look.
        boxes: Of each piece the four sides of its box.
    """

    __slots__ = ("boxes", "looks", "numbers")

    def __init__(self, looks: Iterable[Look], numbers: Iterable[int], boxes: Iterable[float]) -> None:
        self.looks = tuple(looks)
        self.numbers = array("i", numbers)
        self.boxes = array("d", boxes)
        if 4 * len(self.numbers) != 5 * len(self.boxes):
            raise ValueError("the columns are not of one length")

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Self:
        """Pack pieces."""
        looks: dict[Look, int] = {}
        numbers: list[int] = []
        boxes: list[float] = []
        for start, end, page, line, box, font, size, code in pieces:
            numbers += (start, end, page, line, looks.setdefault((font, size, code), len(looks)))
            boxes += box
        return cls(looks, numbers, boxes)

    def __len__(self) -> int:
        return len(self.boxes) // 4

    def __iter__(self) -> Iterator[Piece]:
        numbers, boxes = iter(self.numbers), iter(self.boxes)
        for (start, end, page, line, look), box in zip(
            zip(*[numbers] * 5, strict=True), zip(*[boxes] * 4, strict=True), strict=True
        ):
            yield Piece(start, end, page, line, Box._make(box), *self.looks[look])

    @overload
    def __getitem__(self, index: int) -> Piece: ...
    @overload
    def __getitem__(self, index: slice) -> "Pieces": ...
    def __getitem__(self, index: int | slice) -> "Piece | Pieces":
        if isinstance(index, slice):
            return Pieces.of(self[at] for at in range(*index.indices(len(self))))
        at = range(len(self))[index]
        start, end, page, line, look = self.numbers[5 * at : 5 * at + 5]
        return Piece(start, end, page, line, Box._make(self.boxes[4 * at : 4 * at + 4]), *self.looks[look])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pieces) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((len(self), *self.numbers[:4]))

    def between(self, start: int, end: int) -> Iterator[Piece]:
        """Give the pieces that share a character with `start..end` of the text."""
        first = bisect_right(range(len(self)), start, key=lambda at: self.numbers[5 * at + 1])
        for at in range(first, len(self)):
            if self.numbers[5 * at] >= end:
                return
            yield self[at]


class Place(NamedTuple):
    """Where some characters of a passage stand: page, line and the box (of the first line, when there are more)."""

    page: int
    line: int
    box: Box


class Placed:
    """Something that a paper says at places, one for each line: where it begins."""

    __slots__ = ()
    places: tuple[Place, ...]

    @property
    def page(self) -> int:
        """1-based page on which it begins."""
        return self.places[0].page

    @property
    def line(self) -> int:
        """1-based line on which it begins."""
        return self.places[0].line

    @property
    def box(self) -> Box:
        """What stands on its first line, in PDF points, origin bottom left."""
        return self.places[0].box


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, heading, caption, listing or other block, as text a person would read aloud.

    In everything but listings, ligatures and line-end hyphens are repaired and lines are joined by one blank; the rows
    of a table and the lines of a table of contents keep their breaks. In a listing the lines keep their breaks and
    indentation, line numbers are left out, and no character is changed but what printing makes of the keyboard's
    quotes and dashes.

    Attributes:
        role: What the block is.
        section: Number of the section it stands in (`5.2`, `A.1`), the title where there is no number, or "".
        text: The text.
        pieces: Where each part of the text stands, in order, without overlap; blanks added by joining have none.
        label: `Figure 3`, `Table 1`, `Algorithm 2` for captions and for the listings and tables they belong to.
    """

    role: Role
    section: str
    text: str
    pieces: Pieces
    label: str = ""

    def pieces_of(self, start: int, end: int) -> Iterator[Piece]:
        """Give the pieces that share a character with `text[start:end]`."""
        return self.pieces.between(start, end)

    def places(self, start: int, end: int) -> Iterator[Place]:
        """Give where `text[start:end]` stands, line by line, the boxes cut in proportion to the characters."""
        last: Place | None = None
        for piece in self.pieces_of(start, end):
            width = (piece.box.x1 - piece.box.x0) / (piece.end - piece.start)
            x0 = piece.box.x0 + width * (max(start, piece.start) - piece.start)
            x1 = piece.box.x0 + width * (min(end, piece.end) - piece.start)
            place = Place(piece.page, piece.line, Box(x0, piece.box.y0, x1, piece.box.y1))
            if last is not None and last[:2] == place[:2]:
                one, two = last.box, place.box
                box = Box(min(one.x0, two.x0), min(one.y0, two.y0), max(one.x1, two.x1), max(one.y1, two.y1))
                last = Place(last.page, last.line, box)
                continue
            if last is not None:
                yield last
            last = place
        if last is not None:
            yield last

    def place(self, start: int, end: int) -> Place:
        """Return where `text[start:end]` begins: page, line, and the box of what stands on that line.

        Raises:
            ValueError: When no character of the range stands on a page.
        """
        for place in self.places(start, end):
            return place
        raise ValueError(f"nothing of {start}..{end} stands on a page")

    def is_code(self, start: int, end: int) -> bool:
        """Tell whether every placed character of `text[start:end]` is in the code font."""
        found = [piece.code for piece in self.pieces_of(start, end)]
        return bool(found) and all(found)


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered or named section.

    Attributes:
        number: `5.2`, `A.1`, `IV`; empty when the paper does not number it.
        title: Its title.
        level: 1 for a section, 2 for a subsection and so on.
        page: 1-based page of the heading.
        line: 1-based line of the heading on that page.
    """

    number: str
    title: str
    level: int
    page: int
    line: int

    @property
    def name(self) -> str:
        """The number, or the title where there is none: what `Passage.section` holds."""
        return self.number or self.title


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as read from its PDF.

    Attributes:
        sha256: Digest of the PDF file.
        title: The title, or "" when none could be told.
        pages: Number of pages of the PDF.
        passages: All blocks in reading order.
        sections: The sections in reading order.
        has_code_font: Whether the paper sets code in a font of its own.
        warnings: What could not be read, one plain sentence each.
    """

    sha256: str
    title: str
    pages: int
    passages: tuple[Passage, ...]
    sections: tuple[Section, ...]
    has_code_font: bool
    warnings: tuple[str, ...] = field(default=())
