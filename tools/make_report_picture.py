"""The picture of the report in the README: of the page as it is, in a real browser.

`python tools/make.py report-picture` writes `docs/report.png`, with what the page says beside the
picture in it; `tests/browser/test_picture.py` holds that it still says so.
"""

import csv
import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image, PngImagePlugin
from playwright.sync_api import sync_playwright

import adjudge as aj

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "report.png"
PARTS = ("#answer", "#tiles", "#advice")
SIZE = {"width": 1280, "height": 800}


def write_page(path):
    """The report of the example: a pump, judged at 0.7."""
    rows = list(csv.DictReader((ROOT / "examples" / "pump.csv").read_text().splitlines()))
    labels, scores = ([float(row[name]) for row in rows] for name in ("label", "score"))
    time = [row["timestamp"] for row in rows]
    return aj.report(labels, scores, at=0.7, time=time, path=path, title="pump.csv")


def said(page):
    """What the first screen says."""
    return "\n".join(page.locator(part).inner_text() for part in PARTS)


def picture(page):
    """The first screen as PNG, with its text."""
    note = PngImagePlugin.PngInfo()
    note.add_itxt("said", said(page))
    out = io.BytesIO()
    Image.open(io.BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE).save(
        out, "PNG", pnginfo=note, optimize=True
    )
    return out.getvalue()


def main():
    """Write the picture."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.goto(write_page(Path(folder) / "report.html").as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        PICTURE.write_bytes(picture(page))
        browser.close()


if __name__ == "__main__":
    main()
