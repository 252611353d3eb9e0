"""What the tests of the paper layer share."""

from pathlib import Path

import pytest
from hypothesis import settings

# The time of one example says nothing on a machine that others use too.
settings.register_profile("paper", deadline=None, max_examples=60)
settings.load_profile("paper")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FXANCHOR_CACHE", str(tmp_path / "cache"))


def shared_papers() -> Path | None:
    """Return the folder of real papers that may lie beside the repository or above it, or None."""
    for folder in Path(__file__).parents:
        if (found := folder.parent / "shared" / "papers").is_dir():
            return found
    return None


@pytest.fixture(scope="session")
def papers() -> Path:
    """The folder of real papers."""
    found = shared_papers()
    if found is None:
        pytest.skip("no folder of real papers here")
    return found
