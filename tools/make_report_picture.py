"""The picture of the report in the README: of the page as it is, in a real browser.

`python tools/make.py` writes `docs/report.png` where there is a browser and the page has changed
since. The picture holds a digest of what it is made of, and the words of its page: plain tests
compare the one, and `tests/browser/test_picture.py` the other.
"""

import contextlib
import hashlib
import io
import shutil
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner
from PIL import Image, PngImagePlugin

from adjudge.cli import main

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "report.png"
PARTS = ("#answer", "#tiles", "#advice")
SIZE = {"width": 1280, "height": 800}


def write_page(path):
    """The report that the README's command writes: a pump, judged at 0.7."""
    read = ["examples/pump.csv", "--at", "0.7", "--time", "timestamp"]
    with contextlib.chdir(ROOT):
        CliRunner().invoke(main, ["report", *read, "--out", str(path)], catch_exceptions=False)
    return path


def made_of():
    """The digest of what decides how the page looks: scripts and styles, templates, data."""
    page = ROOT / "src" / "adjudge" / "reporting" / "page"
    parts = [page / "built" / "report.js", page / "built" / "report.css"]
    parts += [page / "templates" / name for name in ("frame.html", "report.html")]
    parts += [ROOT / "examples" / "pump.csv"]
    text = "".join(part.read_text("utf-8") for part in parts)  # whatever ends its lines
    return hashlib.sha256(text.encode()).hexdigest()


def stale():
    """Whether the picture is of another page than today's."""
    with Image.open(PICTURE) as picture:
        return picture.info.get("made_of") != made_of()


def said(page):
    """What the first screen says."""
    return "\n".join(page.locator(part).inner_text() for part in PARTS)


def picture(page):
    """The first screen as PNG, with its text."""
    note = PngImagePlugin.PngInfo()
    note.add_itxt("said", said(page))
    note.add_text("made_of", made_of())
    out = io.BytesIO()
    Image.open(io.BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE).save(
        out, "PNG", pnginfo=note, optimize=True
    )
    return out.getvalue()


def draw():
    """Write the picture."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        sys.exit(f"no browser here, and {PICTURE.name} is a picture of a page in one: {names}")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - stale() needs none

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.goto(write_page(Path(folder) / "report.html").as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        PICTURE.write_bytes(picture(page))
        browser.close()


if __name__ == "__main__":
    draw()
