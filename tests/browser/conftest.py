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
    here = Path(__file__).parent
    for item in items:
        if here in Path(item.path).parents:
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
        self.page.wait_for_function("document.documentElement.dataset.ready === 'yes'")
        return self.page


@pytest.fixture
def opened(browser):
    """Give a function that opens a file; at the end nothing may have been asked for or failed."""
    contexts = []

    def open_file(path, *, after="", **options):
        size = options.pop("viewport", {"width": 1280, "height": 900})
        one = Opened(browser.new_context(offline=True, viewport=size, **options))
        contexts.append(one)
        return one.go(path, after)

    yield open_file
    for one in contexts:
        one.context.close()
        assert one.problems == []
        assert [url for url in one.requests if not url.startswith("file:")] == []
