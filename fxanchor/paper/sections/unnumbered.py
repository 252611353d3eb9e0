"""Headings without a number: told by a look that the paper keeps for them, or by the bookmarks of the file."""

import re
from collections.abc import Collection, Iterator, Mapping

from fxanchor.paper.sections.candidates import key_of, text_of
from fxanchor.paper.sections.looks import Look, Setting, face, weight
from fxanchor.paper.sections.numbering import MAYBE, parse_number

# What is set bold in front of a text of its own and heads no section.
_LABEL = re.compile(
    r"(?:fig(?:ure)?|tab(?:le)?|listing|algorithm|theorem|lemma|definition|proposition|corollary|remark|example|proof"
    r"|图|表|算法|定理|引理|定义)\b\.?\s*(?:[A-Z]?[\d.]+|$)",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:fig(?:ure)?|tab(?:le)?|listing|algorithm|图|表|算法)\b\.?\s*[A-Z]?[\d.]+\s*(?:[:：|—–]|\.(?!\d)|$)",
    re.IGNORECASE,
)
_LONGEST = 120
_MOST_LINES = 3
# Words of Latin letters, or ideographs.
_WORDS = re.compile(r"[^\W\d_]{3,}|[\u4e00-\u9fff]{2}")


class Unnumbered:
    """Looks for headings without a number.

    Args:
        setting: The lines of the paper.
        levels: The looks of the headings found so far, with their level.
        taken: The lines that are something else already.
        first: The first line that can be a heading at all.
        numbers: Whether the paper numbers its sections.

    Attributes:
        left_over: How many lines could be headings for all one can see, but for their look.
    """

    def __init__(
        self, setting: Setting, levels: Mapping[Look, int], taken: Collection[int], first: int, numbers: bool
    ) -> None:
        self._setting = setting
        self._levels = levels
        self._taken = taken
        self._start = first
        self._numbers = numbers
        self.left_over = 0

    def find(self, marks: Mapping[int, Mapping[str, int]], top: int) -> dict[int, tuple[int, int]]:
        """Return the number of lines and the level of each heading by its first line.

        Args:
            marks: Depth of the bookmarks, by page and key of their title.
            top: The depth of sections among them.
        """
        good: dict[Look, list[tuple[int, int]]] = {}
        bad: dict[Look, int] = {}
        found: dict[int, tuple[int, int]] = {}
        levels = dict(self._levels)
        told: dict[Look, int] = {}
        for index, extent in self._groups():
            line = self._setting.lines[index]
            look = self._setting.look(index)
            marked = marks.get(line.page)
            if marked and (depth := marked.get(key_of(self._text(index, extent)))) is not None:
                level = max(depth - top, 0) + 1
                found[index] = (extent, level)
                levels.setdefault(look, level)
                told[look] = told.get(look, 0) + 1
            elif not self._is_title(index, extent):
                continue
            elif self._is_placed(index, extent):
                good.setdefault(look, []).append((index, extent))
            else:
                bad[look] = bad.get(look, 0) + 1
        kept: dict[Look, list[tuple[int, int]]] = {}
        # A look that stands once is told by those that it is akin to.
        for _ in range(2):
            known = {*levels, *kept}
            faces = {face(font) for _, font in known}
            for look, groups in good.items():
                if self._is_kept(look, groups, bad.get(look, 0), known=look in known, akin=face(look[1]) in faces):
                    kept[look] = groups
        # Where bookmarks name the headings of a look, they name all of them.
        kept = {look: groups for look, groups in kept.items() if told.get(look, 0) < 2 * len(groups)}
        self.left_over = sum(len(groups) for look, groups in good.items() if look not in kept)
        ranks = _ranked({*kept, *levels}, levels, self._setting)
        for look, groups in kept.items():
            found.update({index: (extent, ranks[look]) for index, extent in groups})
        return found

    def _groups(self) -> Iterator[tuple[int, int]]:
        """Give the runs of lines of one look that stand out."""
        setting = self._setting
        index = 0
        while index < len(setting.lines):
            if not setting.distinct[index] or index in self._taken:
                index += 1
                continue
            end = index
            while end < len(setting.lines) and setting.distinct[end] and end not in self._taken:
                extent = setting.extent(end)
                end += extent
                if extent <= _MOST_LINES:
                    break
            yield index, end - index
            index = end

    def _text(self, index: int, extent: int) -> str:
        return text_of(self._setting.lines[index : index + extent])

    def _is_title(self, index: int, extent: int) -> bool:
        """Tell whether lines that stand out read like a heading."""
        setting = self._setting
        line, last = setting.lines[index], index + extent - 1
        text = self._text(index, extent)
        if extent > _MOST_LINES or len(text) > _LONGEST or index < self._start:
            return False
        if text[-1:] in ".,;:。，；：-\u00ad\u2010" or not _WORDS.search(text) or _LABEL.match(text):
            return False
        word = text.split(maxsplit=1)[0]
        plain = line.size < 1.08 * setting.style.size and not line.spans[0].font.mono
        if (plain and word.islower() and word.isalpha()) or line.is_raised(line.spans[0]):
            return False
        # What is said of a name, not of a section, begins with the name or holds it in italics.
        most = (
            1.0
            if line.size > 1.08 * setting.style.size
            else 0.5
            if weight(setting.look(index), setting.style) > 1
            else 0.0
        )
        if (
            line.code > most
            or setting.runs_on(last)
            or (line.page == 1 and any(line.is_raised(span) for span in line.spans))
        ):
            return False
        if any(setting.is_row(at) for at in range(index, last + 1)):
            return False
        return not MAYBE.match(text) or all(read.loose for read in parse_number(text))

    def _is_placed(self, index: int, extent: int) -> bool:
        """Tell whether lines that stand out are placed like a heading."""
        setting, last = self._setting, index + extent - 1
        apart = setting.is_apart(index) or (index - 1) in self._taken
        placed = all(setting.is_placed(at) for at in range(index, last + 1))
        return apart and placed and self._heads_text(last)

    def _heads_text(self, last: int) -> bool:
        """Tell whether running text, or another heading, stands under a line."""
        setting = self._setting
        if last + 1 >= len(setting.lines):
            return False
        below = setting.lines[last + 1]
        if _CAPTION.match(below.text):
            return False
        size = setting.style.size
        near = setting.below(last) is None or setting.lines[last].y - below.y < max(
            4 * size, 2.5 * setting.lines[last].size
        )
        text = abs(below.size - size) < 0.12 * size or below.code > 0.5 or setting.distinct[last + 1]
        return near and text and not setting.is_row(last + 1, first=1)

    def _is_kept(self, look: Look, groups: list[tuple[int, int]], bad: int, *, known: bool, akin: bool) -> bool:
        heavy = weight(look, self._setting.style)
        often = len(groups) > 1 and 3 * bad <= len(groups)
        if self._numbers and heavy <= 2 and not often:
            # Where headings have numbers, bold words alone on a line are none yet.
            return False
        if known:
            return True
        if heavy >= 2 and akin and look[0] >= 0.98 * self._setting.style.size:
            return bad <= len(groups)
        return often and (heavy >= 2 or self._all_alone(groups))

    def _all_alone(self, groups: list[tuple[int, int]]) -> bool:
        return all(self._setting.is_apart_below(index + extent - 1) for index, extent in groups)


def _ranked(looks: Collection[Look], levels: Mapping[Look, int], setting: Setting) -> dict[Look, int]:
    """Return a level for each look: one more than that of the next larger or heavier one."""
    ranks: dict[Look, int] = {}
    level = 0
    for look in sorted(looks, key=lambda look: (-look[0], -weight(look, setting.style), look[1])):
        level = levels.get(look, level + 1)
        ranks[look] = level
    return ranks
