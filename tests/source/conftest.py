from collections.abc import Iterator
from pathlib import Path

import pytest

from fxanchor.source.index import Index, open_index

PACKAGE = Path(__file__).parents[1] / "cases" / "source" / "package"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FXANCHOR_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield open_index(["sample", "single"], source=PACKAGE)
