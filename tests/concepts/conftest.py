"""Small papers for the tests of linking."""

from collections.abc import Callable

import pytest
from helpers.paper_text import paper_of

from fxanchor.concepts.concept import PaperMap
from fxanchor.concepts.link import link_paper
from fxanchor.source.index import Index, open_index


@pytest.fixture(scope="session")
def fx() -> Index:
    return open_index(["torch.fx"])


@pytest.fixture
def paper(fx: Index) -> Callable[[str], PaperMap]:
    return lambda text: link_paper(paper_of(text, title="On torch.fx"), fx)
