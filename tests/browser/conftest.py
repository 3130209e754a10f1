"""A real browser, offline: chromium, or none, and then these tests say so and are skipped."""

import shutil
from pathlib import Path

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no chromium here: apt-get install chromium, then pytest -m browser")
    sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with sync_api.sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=found, args=list(_ARGUMENTS))
        yield one
        one.close()


class Opened:
    """A page in a context without a network, and everything that went wrong in it."""

    def __init__(self, context):
        self.context = context
        self.page = context.new_page()
        self.problems = []
        self.requests = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda said: self.problems.append(said.text))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def _dialog(self, dialog):
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, path, after=""):
        self.page.goto(Path(path).as_uri() + after)
        self.page.wait_for_selector("html[data-ready=yes]", state="attached")
        return self.page


class Opener:
    """Opens files; at the end nothing may have been asked for, and nothing may have failed."""

    def __init__(self, browser):
        self.browser = browser
        self.pages = []

    def __call__(self, path, *, after="", **options):
        size = options.pop("viewport", {"width": 1280, "height": 900})
        one = Opened(self.browser.new_context(offline=True, viewport=size, **options))
        self.pages.append(one)
        return one.go(path, after)

    @property
    def problems(self):
        return [problem for one in self.pages for problem in one.problems]

    @property
    def requests(self):
        asked = [url for one in self.pages for url in one.requests]
        return [url for url in asked if not url.startswith("file:")]

    def close(self):
        for one in self.pages:
            one.context.close()


@pytest.fixture
def opened(browser):
    """Open files, and hold afterwards that they asked for nothing and failed nowhere."""
    opener = Opener(browser)
    yield opener
    opener.close()
    assert opener.problems == []
    assert opener.requests == []


@pytest.fixture
def opened_broken(browser):
    """Open files that are meant to have problems."""
    opener = Opener(browser)
    yield opener
    opener.close()
