"""A headless Chromium for tests of pages, started once a module; None where there is none."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE = 5.0
_LOADING = 60


class Browser:
    """What a test does with a page, and what the page said on its console."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, page: Path, *, width: int = 1440, height: int = 900, scheme: str = "light") -> None:
        """Open a file afresh in a window of this size."""
        self.resize(width, height)
        self.media(scheme=scheme)
        self.driver.get("about:blank")
        self.driver.get(page.as_uri())
        self.console()

    def resize(self, width: int, height: int) -> None:
        """Give the page a viewport of this size; below 500 pixels it is a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, *, scheme: str = "light", kind: str = "") -> None:
        """Prefer a colour scheme, and show the page as a screen or as `print` does."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements of a selector that are shown."""
        return [one for one in self.driver.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]

    def one(self, selector: str) -> WebElement:
        """Return the first element of a selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """Return the text of an element as it stands in the document."""
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def count(self, selector: str) -> int:
        """Return how many elements a selector has, hidden ones left out."""
        script = "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).length"
        return int(self.run(script, selector))

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait until something holds.

        Raises:
            AssertionError: When it does not in time.
        """
        until = time.monotonic() + _PATIENCE
        while not condition():
            assert time.monotonic() < until, "what was waited for did not come"
            time.sleep(0.02)

    def console(self) -> list[str]:
        """Return what the page has said on its console since it was last asked."""
        said: list[dict[str, Any]] = self.driver.execute("getLog", {"type": "browser"})["value"]
        return [str(entry["message"]) for entry in said]


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser with a new profile, and end it."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (*_ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER))
    # A page that does not come fails its test instead of holding up all that follow.
    driver.set_page_load_timeout(_LOADING)
    driver.set_script_timeout(_LOADING)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
