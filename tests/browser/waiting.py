"""Waiting for what a page is to show: whatever else the machine does, that is when it is read."""

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="pip install playwright").expect
expect.set_options(timeout=30_000)  # it asks again until then
FRAMES = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def eventually(page, holds):
    """Ask until something holds that `expect` has no word for."""
    for _ in range(1500):
        if holds():
            return
        page.wait_for_timeout(20)
    assert holds()


def until_drawn(page):
    """Let the page lay out and draw what it has."""
    page.evaluate(FRAMES)
