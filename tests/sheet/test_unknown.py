"""What `show` says of a name that no definition has: the cases are lines of `tests/cases/sheet/unknown/names.txt`."""

from functools import cache

import pytest
from helpers.cases import CASES, arrow_cases

from fxanchor.errors import UsageError
from fxanchor.sheet.show import find_shown
from fxanchor.sheet.unknown import describe_unknown
from fxanchor.source.index import Index, open_index

PACKAGE = CASES / "sheet" / "unknown"


@cache
def loom() -> Index:
    return open_index(["loom"], source=PACKAGE)


@pytest.mark.parametrize(("name", "said"), arrow_cases(PACKAGE / "names.txt"))
def test_a_name_that_is_not_there(name: str, said: str) -> None:
    assert said in describe_unknown(name, loom())
    with pytest.raises(UsageError) as raised:
        find_shown(name, packages=["loom"], source_tree=PACKAGE)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("loom.Thread.knot()", "loom.cloth.Thread.knot"),
        ("Thread().knot(2, 'x')", "loom.cloth.Thread.knot"),
        ("weave(threads)", "loom.cloth.weave"),
        ("weave", "loom.cloth.weave"),
    ],
)
def test_a_name_may_be_written_as_a_call(written: str, found: str) -> None:
    assert find_shown(written, packages=["loom"], source_tree=PACKAGE).definition.name == found
