"""Look at a built site in a browser: what axe-core finds, what does not fit, and whether the search finds.

Usage: python docs/check_pages.py build/site [--all] [--sheets FOLDER]. A page of each kind; `--all` looks at every page, and
`--sheets` also draws the beginning of each into contact sheets for people to look at, one set per width and colour scheme.
Every page is opened once and then seen at three widths, light and dark; axe looks at two of these six, with `--all` at each. It needs chromium, playwright and axe-core (`npm ci`
in web/), for sheets Pillow; without them it says so and ends well.
"""

import argparse
import asyncio
import io
import shutil
import sys
from pathlib import Path

AXE = Path(__file__).parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
KINDS = (
    "index.html",
    "browser.html",
    "chance_checked.html",
    "speed.html",
    "metrics/balanced.html",
    "metrics/f1_ba.html",
    "tutorials/paper.html",
    "api/adjudge.study.html",
    "search.html",
)
SIZES = {360: 740, 768: 1000, 1280: 900}
"""Heights of windows by their width: a telephone, a tablet, a screen."""
WAYS = [(width, scheme) for scheme in ("light", "dark") for width in SIZES]
WITH_AXE = {(360, "dark"), (1280, "light")}
"""Where axe looks at a page of each kind, which takes longest: both layouts, both schemes."""
AT_ONCE = 2
FITS = """() => {
  const wide = document.documentElement.clientWidth, found = [];
  const over = document.documentElement.scrollWidth - wide;
  if (over > 0) found.push(`${over} px wider than its window`);
  const say = (what, one) => found.push(`${what}: ${one.outerHTML.slice(0, 120)}`);
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const inScroller = (one) => { for (; one; one = one.parentElement) if (scrolls(one)) return true; };
  for (const one of document.querySelectorAll("article pre, article table, article img, article svg, article iframe")) {
    const box = one.getBoundingClientRect();
    if (box.width && box.right > wide + 1 && !inScroller(one)) say("sticks out", one);
    if (one.matches("pre") && one.scrollWidth > one.clientWidth + 1 && !scrolls(one) && !inScroller(one)) say("is cut", one);
    if (one.matches("pre") && wide >= 1260 && one.scrollWidth > one.clientWidth + 1) say("is wider than its column", one);
    if (one.matches("img") && one.complete && !one.naturalWidth) say("is empty", one);
  }
  return found;
}"""


def missing(*, sheets):
    """Say what is not here to look with."""
    if not AXE.exists():
        return "axe-core: npm ci in web/"
    if not shutil.which("chromium"):
        return "chromium"
    try:
        import playwright  # noqa: F401, PLC0415 - an extra of the tests
    except ImportError:
        return "playwright"
    try:
        import PIL  # noqa: F401, PLC0415 - comes with matplotlib
    except ImportError:
        return "Pillow" if sheets else ""
    return ""


def pages_of(root, *, everything):
    """Give the pages to look at."""
    return sorted(root.rglob("*.html")) if everything else [root / name for name in KINDS]


async def axe_problems(page):
    """Give a line for each rule of axe that the page breaks as it stands."""
    found = await page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{one['id']}, {len(one['nodes'])} times: {one['nodes'][0]['html'][:160]}"
        for one in found["violations"]
    ]


async def looked_at(page, path, with_axe, sheets):
    """Open a page, and give a line for each thing that is wrong with it at some width and scheme."""
    await page.goto(path.resolve().as_uri())
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = {}
    for width, scheme in WAYS:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": SIZES[width]})
        own = await axe_problems(page) if (width, scheme) in with_axe else []
        for problem in [*await page.evaluate(FITS), *own]:
            found.setdefault(problem, []).append(f"{width} {scheme}")
        if sheets is not None:
            sheets.setdefault((width, scheme), {})[path] = await picture(page, width)
    return [f"{problem} ({', '.join(ways)})" for problem, ways in found.items()]


async def picture(page, width):
    """Draw the beginning of a page, about two windows high."""
    high = await page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": width, "height": min(high, 1900)}
    return await page.screenshot(clip=clip, full_page=True, type="jpeg", quality=80)


SEARCHED = {
    "point adjustment": "Point adjustment",
    "f1": "f1",
    "f1_ba": "f1_ba",
    "nab": "nab",
    "vus_pr": "vus_pr",
}
"""What is searched for: the title of the page that must come first."""


async def searched(page, root):
    """Search for what pages are called by, and give a line for each that is not found first, with a snippet."""
    found = []
    for asked, title in SEARCHED.items():
        address = (root / "search.html").resolve().as_uri()
        await page.goto(f"{address}?q={asked.replace(' ', '+')}")
        first = page.locator("ul.search li").first
        try:
            await first.locator("p.context").wait_for(timeout=20_000)
        except Exception:  # noqa: BLE001 - the library's own timeout, which is imported late
            found.append(f"search.html: nothing is found for {asked!r}, or without a snippet")
            continue
        text = await first.inner_text()
        if text.splitlines()[0].partition(" (")[0] != title:
            found.append(f"search.html: {text[:80]!r} comes first for {asked!r}")
    return found


async def problems(root, paths, with_axe, sheets):
    """Give one line per problem of any page, some pages at once in one browser."""
    from playwright.async_api import async_playwright  # noqa: PLC0415 - an extra of the tests

    found, waiting = {}, list(reversed(paths))
    async with async_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        async def work():
            page = await (await browser.new_context(offline=True)).new_page()
            while waiting:
                path = waiting.pop()
                found[path] = await looked_at(page, path, with_axe, sheets)
            return page

        pages = await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        last = await searched(pages[0], root)
        await browser.close()
    named = [f"{path.relative_to(root)}: {line}" for path in paths for line in found[path]]
    return named + last


def write_sheets(sheets, folder, root):
    """Draw the pages of each way side by side, some to a sheet, with their names above."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - comes with matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    for (width, scheme), drawn in sheets.items():
        own = {360: 250, 768: 330, 1280: 480}[width]  # so wide is a page on the sheet
        high = {360: 1320, 768: 820, 1280: 715}[width]
        across = 2000 // own
        each = across * (1 if width == 360 else 2)
        paths = sorted(drawn)
        for number, start in enumerate(range(0, len(paths), each)):
            rows = -(-each // across)
            sheet = Image.new("RGB", (across * own, rows * high), "#888")
            draw = ImageDraw.Draw(sheet)
            for place, path in enumerate(paths[start : start + each]):
                x, y = place % across * own, place // across * high
                one = Image.open(io.BytesIO(drawn[path]))
                one = one.resize((own - 6, round(one.height * (own - 6) / one.width)))
                sheet.paste(one.crop((0, 0, own - 6, min(one.height, high - 18))), (x + 3, y + 15))
                draw.text((x + 4, y + 2), str(path.relative_to(root)), fill="white")
            sheet.save(folder / f"{width}-{scheme}-{number:02}.png")


def main():
    """Look, say what is wrong, and end with 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--all", action="store_true", help="every page, not one of each kind")
    parser.add_argument("--sheets", type=Path, metavar="FOLDER", help="write contact sheets there")
    given = parser.parse_args()
    left_out = missing(sheets=given.sheets is not None)
    if left_out:
        print(f"SKIPPED: the look at the site's pages, no {left_out}")  # noqa: T201
        return 0
    sheets = None if given.sheets is None else {}
    paths = pages_of(given.site, everything=given.all)
    with_axe = set(WAYS) if given.all else WITH_AXE
    found = asyncio.run(problems(given.site, paths, with_axe, sheets))
    if sheets is not None:
        write_sheets(sheets, given.sheets, given.site)
    fine = (
        f"{len(paths)} pages, {len(WAYS)} ways each: all fit their windows; axe finds nothing in "
        f"{len(with_axe)} of the ways; the search finds"
    )
    print("\n".join(found) or fine)  # noqa: T201
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
