"""What a paper says, for questions about it: where words stand, what is in a section, what a figure is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from fxanchor.checking.wording import stem, words
from fxanchor.paper.document import Paper, Passage, Section

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")
_OMITTED = re.compile(r"\.\.\.|…|\[[^\]]*\]")
_NEARLY = 0.86
_LIKE = 0.4


@dataclass(frozen=True, slots=True)
class Place:
    """Where words stand in the paper."""

    section: str
    page: int
    label: str

    def __str__(self) -> str:
        where = f"{self.label}, " if self.label else f"section {self.section}, " if self.section else ""
        return f"{where}page {self.page}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or table of the paper.

    Attributes:
        label: `Figure 3`.
        caption: Its caption, those of its parts too.
        body: What is written in it.
        form: `listing` when it is code, `chart` when its lettering is mostly numbers, `table`, `drawing` for other
            lettering, "" when nothing in it could be read.
        cited: The paragraphs that speak of it.
    """

    label: str
    caption: str
    body: str
    form: str
    cited: str


class PaperFacts:
    """A paper, for questions about it.

    Args:
        paper: The paper.
    """

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self._read = [passage for passage in paper.passages if passage.role not in ("reference", "contents")]
        self._words = [" ".join(("", *words(passage.text), "")) for passage in self._read]

    @cached_property
    def sections(self) -> dict[str, Section]:
        """The numbered sections."""
        return {section.number: section for section in self.paper.sections if section.number}

    @cached_property
    def is_chinese(self) -> bool:
        """Whether the paper is written in Chinese."""
        text = "".join(passage.text for passage in self._read)
        return len(re.findall(r"[一-鿿]", text)) * 5 > len(text)

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """Figures, tables, algorithms and listings by label."""
        labels = dict.fromkeys(passage.label for passage in self.paper.passages if passage.label)
        return {label: self._figure(label) for label in labels}

    def section_text(self, number: str) -> str:
        """Return the text of a section with its subsections and what stands in them."""
        return "\n".join(
            passage.text
            for passage in self._read
            if passage.section == number or passage.section.startswith(f"{number}.")
        )

    def find(self, quoted: str) -> list[Place]:
        """Return where quoted words stand; `...` and `[...]` in them stand for any words.

        Args:
            quoted: The quotation.
        """
        parts = [part for part in (" ".join(words(piece)) for piece in _OMITTED.split(quoted)) if part]
        found = []
        for passage, text in zip(self._read, self._words, strict=True):
            at = 0
            for part in parts:
                at = text.find(f" {part} ", at)
                if at < 0:
                    break
            if parts and at >= 0:
                found.append(_place(passage))
        return found

    def count(self, word: str) -> int:
        """Return how often a word stands in the paper, its reference list left out; capitals count.

        Args:
            word: The word, such as `GraphModule`.
        """
        pattern = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])")
        return sum(len(pattern.findall(passage.text)) for passage in self._read)

    def nearest(self, quoted: str) -> tuple[str, Place | None, bool]:
        """Return the sentence most like a quotation, where it stands, and whether it is the same but for a word."""
        asked = words(quoted)
        best: tuple[float, str, Passage | None] = (0.0, "", None)
        stems = {stem(word) for word in asked if len(word) > 3}
        for passage in self._read:
            for sentence in _SENTENCE.split(passage.text):
                said = words(sentence)
                if len(stems & {stem(word) for word in said}) * 3 < len(stems):
                    continue
                blocks = SequenceMatcher(None, asked, said, autojunk=False).get_matching_blocks()
                share = sum(block.size for block in blocks) / max(1, len(asked))
                if share > best[0]:
                    best = (share, sentence.strip(), passage)
        share, sentence, found = best
        near = share >= _NEARLY and len(asked) >= 5
        sentence = " ".join(sentence.split()) if share >= _LIKE else ""
        return sentence[:240], _place(found) if found else None, near

    def opening(self) -> Iterator[str]:
        """Give what stands on the first page around the text: notes at its foot, the title."""
        for passage in self.paper.passages:
            if passage.pieces and passage.pieces[0].page == 1 and passage.role in ("footnote", "title"):
                yield passage.text

    def _figure(self, label: str) -> Figure:
        own = [passage for passage in self.paper.passages if passage.label == label]
        caption = " ".join(passage.text for passage in own if passage.role == "caption")
        inside = [passage for passage in own if passage.role != "caption"]
        body = "\n".join(passage.text for passage in inside)
        kind, _, number = label.partition(" ")
        mention = re.compile(rf"\b{kind[:3]}[a-z]*\.?\s*{re.escape(number)}(?![\d.]\d)", re.I)
        cited = "\n".join(passage.text for passage in self._read if not passage.label and mention.search(passage.text))
        return Figure(label, caption, body, _form(inside, body), cited)


def _form(inside: Sequence[Passage], body: str) -> str:
    roles = {passage.role for passage in inside}
    if roles == {"listing"}:
        return "listing"
    if roles == {"table"}:
        return "table"
    tokens = body.split()
    if roles and tokens:
        numbers = sum(bool(re.fullmatch(r"[-+]?[\d.,]+%?", token)) for token in tokens)
        return "chart" if numbers * 3 >= len(tokens) and numbers >= 4 else "drawing"
    return ""


def _place(passage: Passage) -> Place:
    page = passage.pieces[0].page if passage.pieces else 0
    return Place(passage.section, page, passage.label)
