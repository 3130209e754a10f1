"""The report in a real browser: its size, load to first plot, and a dragged slider.

    python bench/page.py

Budgets: 260 kB for 20,000 points, 2 MB for 100,000 points of three detectors; of a dragged frame 16
ms in the median at 22,000 points, and 50 ms in nine of ten at 200,000 points with 5,000 events and
at 100,000 points of five detectors. The time of a frame is the processor's, of the page's own
thread (script, style, layout and paint), so that it does not matter what else the machine does.
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


def drawn(points, detectors, events=40, kind="float64"):
    rng = np.random.default_rng(0)
    labels, gap = np.zeros(points, int), points // events
    for start in range(gap // 4, points - gap // 2, gap):
        labels[start : start + int(rng.integers(1, min(200, gap // 2)))] = 1
    scores = {f"d{d}": (rng.normal(size=points) + labels).astype(kind) for d in range(detectors)}
    return labels, scores


def written(points, detectors, events=40):
    labels, scores = drawn(points, detectors, events)
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
    """When the first plot is there, and the time of each frame of a drag in milliseconds."""
    page = opened(browser, path)
    ready = page.evaluate("performance.getEntriesByName('first-plot')[0].startTime")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    spent = []
    for frame in range(frames):
        before = busy()
        page.evaluate(STEP, 250 + 7 * frame)
        spent.append(1000 * (busy() - before))
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
        for points, detectors, most in ((20_000, 1, 260), (100_000, 3, 2000)):
            size = written(points, detectors).stat().st_size / 1000
            line(f"{points:,} points, {detectors} detectors", size, most, "kB")
        for points, detectors, events in ((22_000, 1, 40), (200_000, 1, 5000), (100_000, 5, 250)):
            ready, spent = dragged(browser, written(points, detectors, events))
            what = f"{points:,} points, {detectors} detectors, {events:,} events"
            print(f"{what}: first plot after {ready:.0f} ms")
            if points == 22_000:
                line("a dragged frame, median", float(np.median(spent)), 16, "ms")
            line("a dragged frame, nine of ten", float(np.quantile(spent, 0.9)), 50, "ms")
        browser.close()
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
