"""Look at a built site in a browser: axe-core finds nothing, no page is wider than its window, and the search finds.

Usage: python docs/check_pages.py build/site [--all]. A page of each kind, in dark on a telephone and in light on a screen; `--all`
looks at every page, which takes minutes. It needs chromium, playwright, and axe-core (`npm ci` in web/); without them it says so and ends well.
"""

import shutil
import sys
from pathlib import Path

AXE = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
KINDS = (
    "index.html",
    "chance_checked.html",
    "speed.html",
    "metrics/balanced.html",
    "tutorials/paper.html",
    "api/adjudge.study.html",
    "search.html",
)
WAYS = {"dark": (360, 740), "light": (1280, 900)}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def missing():
    """Say what is not here to look with."""
    if not AXE.exists():
        return "axe-core: npm ci in web/"
    if not shutil.which("chromium"):
        return "chromium"
    try:
        import playwright  # noqa: F401, PLC0415 - an extra of the tests
    except ImportError:
        return "playwright"
    return ""


def pages_of(root, *, everything):
    """Give the pages to look at; those that examples made have tests of their own."""
    if not everything:
        return [root / name for name in KINDS]
    own = {root / "made", root / "_static", root / "_sources"}
    return [
        path
        for path in sorted(root.rglob("*.html"))
        if not own & set(path.parents) and path.name != "playground.html"
    ]


def problems_of(page, path):
    """Open a page, and give a line for each thing that is wrong with it."""
    page.goto(path.resolve().as_uri())
    wider = page.evaluate(WIDER)
    if wider > 0:
        yield f"{wider} px wider than its window"
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for found in page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]:
        first = found["nodes"][0]
        yield f"{found['id']}, {len(found['nodes'])} times: {first['html'][:160]}"


def searched(page, root):
    """Search for what a page is called by, and give a line if it is not found first, with a snippet."""
    page.goto(f"{(root / 'search.html').resolve().as_uri()}?q=point+adjustment")
    first = page.locator("ul.search li").first
    try:
        first.locator("p.context").wait_for(timeout=20_000)
    except Exception:  # noqa: BLE001 - the library's own timeout, which is imported late
        yield "search.html: nothing is found for 'point adjustment', or without a snippet"
        return
    if "Point adjustment" not in first.inner_text():
        yield f"search.html: {first.inner_text()[:80]!r} comes first for 'point adjustment'"


def problems(root, *, everything):
    """Give one line per problem of any page."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra of the tests

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme, (width, height) in WAYS.items():
            size = {"width": width, "height": height}
            page = browser.new_context(viewport=size, color_scheme=scheme, offline=True).new_page()
            for path in pages_of(root, everything=everything):
                for problem in problems_of(page, path):
                    yield f"{path.relative_to(root)} ({scheme}, {width} px): {problem}"
        yield from searched(page, root)
        browser.close()


if __name__ == "__main__":
    LEFT_OUT = missing()
    if LEFT_OUT:
        sys.exit(print(f"SKIPPED: the look at the site's pages, no {LEFT_OUT}"))  # noqa: T201
    FOUND = list(problems(Path(sys.argv[1]), everything="--all" in sys.argv))
    print("\n".join(FOUND) or "axe finds nothing, every page fits its window, and the search finds")  # noqa: T201
    sys.exit(bool(FOUND))
