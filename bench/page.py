"""The report in a real browser: its size, load to first plot, frames per second while sliding.

    python bench/page.py [points] [detectors] [float32|float64]

Frames are counted with everything in them: the script, style, layout and paint of one move of the
slider. The same page with an idle slider stands beside it, as the most that this machine gives.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import adjudge as aj

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync")
FRAMES = """(moving) => new Promise((done) => {
  const slider = document.getElementById("threshold");
  const times = [];
  let step = 0;
  const next = (now) => {
    times.push(now);
    if (times.length > 120) return done(times);
    if (moving) {
      slider.value = String(300 + ((step += 7) % 650));
      slider.dispatchEvent(new Event("input"));
    }
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def drawn(points, detectors, kind):
    rng = np.random.default_rng(0)
    labels = np.zeros(points, int)
    for start in range(100, points - 300, max(points // 40, 400)):
        labels[start : start + int(rng.integers(5, 200))] = 1
    scores = {f"d{d}": (rng.normal(size=points) + labels).astype(kind) for d in range(detectors)}
    return labels, scores


def main(points="100000", detectors="2", kind="float64"):
    labels, scores = drawn(int(points), int(detectors), kind)
    judged = aj.evaluate(labels, scores, ["best(f1_ba)"], chance=False)
    path = judged.to_html(Path(tempfile.mkdtemp()) / "page.html")
    print(f"{points} points, {detectors} detectors, {kind}: {path.stat().st_size / 1e6:.2f} MB")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(FLAGS)
        )
        context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        ready = page.evaluate("performance.getEntriesByName('first-plot')[0].startTime")
        print(f"navigation to first plot: {ready:.0f} ms")
        for moving in (False, True):
            times = page.evaluate(FRAMES, moving)
            gaps = np.diff(times)
            word, slow = "sliding" if moving else "idle", np.quantile(gaps, 0.9)
            print(f"{word}: {1000 / gaps.mean():.0f} frames/s, slowest tenth {slow:.0f} ms")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
