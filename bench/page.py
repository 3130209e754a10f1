"""The report in a real browser: its size, load to first plot, and script time of a dragged slider.

    python bench/page.py

Budgets: 250 kB for 20,000 points, 2.5 MB for 100,000 points of three detectors, and 16 ms of script
in the median frame of a drag at 22,000 points. Script time is the processor's, of the page's own
thread, so that it does not matter what else the machine does.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import adjudge as aj

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync")
STEP = """(step) => new Promise((done) => {
  const slider = document.getElementById("threshold");
  slider.value = String(step);
  slider.dispatchEvent(new Event("input"));
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def drawn(points, detectors, kind="float64"):
    rng = np.random.default_rng(0)
    labels = np.zeros(points, int)
    for start in range(100, points - 300, max(points // 40, 400)):
        labels[start : start + int(rng.integers(5, 200))] = 1
    scores = {f"d{d}": (rng.normal(size=points) + labels).astype(kind) for d in range(detectors)}
    return labels, scores


def written(points, detectors):
    labels, scores = drawn(points, detectors)
    time = np.datetime64("2026-01-01T00:00") + np.arange(points) * np.timedelta64(5, "m")
    judged = aj.evaluate(labels, scores, ["f1_ba"], at=2.5, time=time, chance=False)
    return judged.to_html(Path(tempfile.mkdtemp()) / "page.html")


def opened(browser, path):
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    return page


def dragged(browser, path, frames=60):
    """When the first plot is there, and the script time of each frame of a drag in milliseconds."""
    page = opened(browser, path)
    ready = page.evaluate("performance.getEntriesByName('first-plot')[0].startTime")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def script():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "ScriptDuration")

    spent = []
    for frame in range(frames):
        before = script()
        page.evaluate(STEP, 250 + 7 * frame)
        spent.append(1000 * (script() - before))
    page.context.close()
    return ready, np.array(spent)


def main():
    failed = []

    def line(what, value, most, unit):
        failed.extend([what] * bool(value > most))
        print(f"{what}: {value:.0f} {unit} (at most {most:.0f}){' TOO MUCH' * bool(value > most)}")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(FLAGS)
        )
        for points, detectors, most in ((20_000, 1, 250), (100_000, 3, 2500)):
            size = written(points, detectors).stat().st_size / 1000
            line(f"{points:,} points, {detectors} detectors", size, most, "kB")
        ready, spent = dragged(browser, written(22_000, 1))
        print(f"22,000 points: first plot after {ready:.0f} ms")
        line("script of a dragged frame, median", float(np.median(spent)), 16, "ms")
        print(f"nine of ten within {np.quantile(spent, 0.9):.0f} ms, longest {spent.max():.0f} ms")
        browser.close()
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
