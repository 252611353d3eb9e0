"""Find out what each listing continues: which earlier listings, and which imports, it cannot run without."""

import sys
from collections.abc import Sequence

from fxanchor.labs.listings.listing import Listing, Plan
from fxanchor.labs.listings.names import Names, names_of

# What readers of such papers take for understood.
_CUSTOMARY = {
    "np": "import numpy as np",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "fx": "from torch import fx",
}


def plan_listings(listings: Sequence[Listing]) -> tuple[Plan, ...]:
    """Return what must run before each listing.

    A name that a listing needs comes from the latest earlier listing that binds it, together with those in between
    that work on it: so a listing that says "from previous figure" gets what that figure left. Of a listing that only
    imports the name, only the import is taken.

    Args:
        listings: In reading order.
    """
    names = [names_of(listing.code) if listing.steps else Names() for listing in listings]
    plans: list[Plan] = []
    for index, listing in enumerate(listings):
        search = _Search(listings, names)
        search.complete(index)
        search.before.discard(index)
        # What a listing imports that runs anyway need not be imported again.
        lacking = {text: note for text, (source, note) in search.imports.items() if source not in search.before}
        plans.append(
            Plan(
                listing=listing,
                imports=tuple(lacking),
                before=tuple(listings[number].name for number in sorted(search.before)),
                notes=tuple(lacking.values()),
                unknown=tuple(sorted(search.unknown)),
            )
        )
    return tuple(plans)


class _Search:
    """The search for what one listing needs, and what that needs in turn."""

    def __init__(self, listings: Sequence[Listing], names: Sequence[Names]) -> None:
        self._listings = listings
        self._names = names
        self.before: set[int] = set()
        self.imports: dict[str, tuple[int | None, str]] = {}
        self.unknown: set[str] = set()

    def complete(self, index: int) -> None:
        """Add what the listing of this index needs."""
        if index in self.before:
            return
        self.before.add(index)
        for name in sorted(self._names[index].needs):
            self._find(name, index)

    def _find(self, name: str, index: int) -> None:
        binder = next((at for at in range(index - 1, -1, -1) if name in self._names[at].binds), None)
        listing = self._listings[index].name
        if binder is None:
            if name in sys.stdlib_module_names:
                self._import(f"import {name}", None, f"{listing} does not import {name}")
            elif name in _CUSTOMARY:
                self._import(_CUSTOMARY[name], None, f"{listing} does not say what {name} is")
            else:
                self.unknown.add(name)
        elif statement := self._names[binder].imports.get(name):
            self._import(statement, binder, f"{listing} takes {name} from {self._listings[binder].name}")
        else:
            self.complete(binder)
            for between in range(binder + 1, index):
                if name in self._names[between].touches:
                    self.complete(between)

    def _import(self, statement: str, source: int | None, why: str) -> None:
        self.imports.setdefault(statement, (source, f"{why}: {statement}."))
