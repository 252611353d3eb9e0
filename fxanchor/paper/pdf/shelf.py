"""The fonts and forms of a document, each looked at once however many pages use them."""

import re
from typing import TYPE_CHECKING

from fxanchor.paper.pdf.fonts import Font, load_font, lost_font

if TYPE_CHECKING:
    from pypdf.generic import PdfObject, StreamObject

_TEXT_OPERATOR = re.compile(rb"T[jJ]|Do|['\"]")


class FontShelf:
    """The fonts of a document, each loaded once.

    Attributes:
        lost: Whether a font was named that is not in the file.
    """

    def __init__(self) -> None:
        self.lost = False
        self._known: dict[tuple[int, int], Font] = {}
        # The form is kept with the answer, so that its id is not given to another object.
        self._texts: dict[int, tuple[StreamObject, bool]] = {}

    def get(self, reference: "PdfObject") -> Font:
        """Return the font that a resource entry, direct or indirect, stands for."""
        from pypdf.generic import DictionaryObject, IndirectObject

        key = (reference.idnum, reference.generation) if isinstance(reference, IndirectObject) else None
        if key is not None and key in self._known:
            return self._known[key]
        resource = reference.get_object()
        if isinstance(resource, DictionaryObject):
            font = load_font(resource)
        else:
            font = lost_font()
            self.lost = True
        if key is not None:
            self._known[key] = font
        return font

    def has_text(self, form: "StreamObject") -> bool:
        """Tell whether a form can show text; a plot paints one form thousands of times as a marker."""
        known = self._texts.get(id(form))
        if known is None:
            known = self._texts[id(form)] = (form, _TEXT_OPERATOR.search(form.get_data()) is not None)
        return known[1]

    def forget_forms(self) -> None:
        """Let go of the forms; those that come again are looked at again."""
        self._texts.clear()
