"""One browser and one page of the primer for all tests of the reader."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import CHROMIUM, DRIVER, Browser, browser
from helpers.project import ROOT
from helpers.reader_pages import Shown, hostile, primer


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not CHROMIUM or not DRIVER:
        pytest.skip("needs chromium and chromedriver")
    with browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="session")
def shown() -> Iterator[Shown]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        yield primer()


@pytest.fixture(scope="session")
def page(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("reader") / "primer.html"
    file.write_text(shown.page, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        file = folder / "hostile.html"
        file.write_text(hostile(folder, Path("model.py")), encoding="utf-8")
        yield file
