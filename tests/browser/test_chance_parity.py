"""Every number that moves with the slider is Python's, at any threshold."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.shifting.shifted_case import CaseShifts

READ = """async (thresholds) => {
  const typed = document.getElementById("typed");
  const value = (selector) => Number(document.querySelector(`${selector} data`)?.value ?? NaN);
  const cell = (name, kind) => value(`#values tr[data-metric=${name}] td.${kind}`);
  const found = [];
  for (const at of thresholds) {
    typed.value = at;
    typed.dispatchEvent(new Event("change"));
    const said = document.getElementById("verdict").textContent;
    const none = said.match(/at none of the ([\\d,]+)/);
    const some = said.match(/at ([\\d,]+) of ([\\d,]+) other/);
    const share = said.match(/at (\\d+) in 100/);
    const count = (text) => Number(text.replaceAll(",", ""));
    found.push({
      f1: cell("f1", "f"), f1_pa: cell("f1_pa", "f"), f1_kpa: cell("f1_kpa", "f"),
      f1_ba: cell("f1_ba", "f"), chance: cell("f1_ba", "chance"),
      chance_pa: cell("f1_pa", "chance"),
      weekly: value("#tile-false"), delay: value("#tile-delay"), found: value("#tile-found"),
      again: none ? 0 : some ? count(some[1]) : null,
      share: share ? Number(share[1]) : null,
    });
  }
  return found;
}"""


def scene(seed, points):
    """A drawn series: events of several widths, alarms in bursts, ties in a third of the cases."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(points, int)
    for start in rng.integers(0, points - 1, int(rng.integers(1, 14))):
        labels[start : start + int(rng.geometric(0.06))] = 1
    noise = rng.normal(size=points)
    scores = np.convolve(noise, np.ones(3) / 3, "same") + labels * rng.normal(1, 1, points)
    scores = np.round(scores, 1) if seed % 3 == 0 else scores
    scores = scores.astype(np.float32) if seed % 3 == 1 else scores
    time = np.datetime64("2026-02-27T21:00") + np.arange(points) * np.timedelta64(7, "m")
    where = rng.random(points) < 0.9 if seed % 5 == 4 else None
    return labels, scores, time, where, rng


def expected(labels, scores, time, where, at):
    """The same eight values and more, by the library."""
    case = aj.Case(labels, scores, where=where)
    names = ("f1", "f1_pa", "f1_kpa", "f1_ba")
    found = {name: aj.metric(name).on(case.events).placed(at).reading(case).value for name in names}
    specs = ['false_alarms(per="1w")', 'detection_delay(average="median")']
    rows = aj.evaluate(labels, scores, specs, at, time=time, where=where, chance=False).rows
    found["weekly"], found["delay"] = rows[0].value, rows[1].seconds
    flags = np.asarray(scores > np.asarray(at, scores.dtype)) & (True if where is None else where)
    ends = zip(case.events.starts, case.events.stops, strict=True)
    found["found"] = sum(flags[start:stop].any() for start, stop in ends)
    if flags.any() and len(case.events):
        for name, key in (("f1_ba", "chance"), ("f1_pa", "chance_pa")):
            found[key] = aj.chance(labels, name, like=scores, at=at, where=where).expected
        metric = aj.metric("f1_ba").on(case.events).placed(at)
        home, others = CaseShifts(case).places(metric, found["f1_ba"], len(labels))
        found["again"] = int(np.count_nonzero(others >= home - 1e-12)) if len(others) else 0
        found["places"] = len(others)
    return found


def check(found, wanted):
    for name in ("f1", "f1_pa", "f1_kpa", "f1_ba", "found"):
        assert found[name] == wanted[name] or math.isnan(wanted[name]), name
    for name in ("weekly", "delay", "chance", "chance_pa"):
        if name in wanted and not math.isnan(wanted[name]):
            assert math.isclose(found[name], wanted[name], rel_tol=1e-9, abs_tol=1e-12), name
    if "again" in wanted and found["again"] is not None:
        assert found["again"] == wanted["again"]
    if "again" in wanted and found["share"] is not None:
        assert abs(found["share"] - 100 * wanted["again"] / wanted["places"]) <= 0.5


def compared(page, given, count):
    labels, scores, time, where, rng = given
    judged = scores if where is None else scores[where]
    low, high = float(judged.min()), float(judged.max())
    half = rng.choice(np.asarray(judged, np.float64), count // 2)
    drawn = rng.uniform(low - 0.1, high + 0.1, count - count // 2)
    thresholds = [float(one) for one in np.concatenate([half, drawn])]
    for at, found in zip(thresholds, page.evaluate(READ, list(map(str, thresholds))), strict=True):
        wanted = expected(labels, scores, time, where, at)
        check(found, wanted)


@pytest.mark.parametrize("seed", range(101, 111))
def test_a_hundred_thresholds_of_ten_pages_are_pythons(opened, tmp_path, seed):
    given = scene(seed, 400 + 37 * (seed % 7))
    labels, scores, time, where, _ = given
    middle = float(np.median(scores))
    path = aj.report(labels, scores, at=middle, time=time, where=where, path=tmp_path / "a.html",
                     chance=False)  # fmt: skip
    compared(opened(path), given, 100)


def test_scores_that_are_packed_in_cells_flag_the_same_points(opened, tmp_path):
    """Beyond 5,000 points no score keeps all its digits, and every count stays."""
    given = scene(200, 5200)
    labels, scores, time, _, _ = given
    path = aj.report(labels, scores, at=0.5, time=time, path=tmp_path / "a.html", chance=False)
    assert '"step":' in path.read_text()
    compared(opened(path), given, 30)


def test_the_comparison_notices_a_wrong_number():
    wanted = {"f1": 0.5, "f1_pa": 1.0, "f1_kpa": 1.0, "f1_ba": 0.5, "found": 3, "weekly": 2.0,
              "delay": 60.0, "chance": 0.1, "chance_pa": 0.2, "again": 4, "places": 99}  # fmt: skip
    right = {**wanted, "share": None}
    check(right, wanted)
    for name in ("f1_ba", "found", "weekly", "delay", "chance", "again"):
        with pytest.raises(AssertionError):
            check({**right, name: right[name] + 0.01}, wanted)


@pytest.mark.parametrize(("metric", "at"), [("f1_ba", 1.2), ("best(f1_ba)", None)])
def test_hardly_any_noise_detector_stands_above_its_band(opened, tmp_path, metric, at):
    """At most .07 of three hundred; the number of one hundred is too small to tell .05 from .08."""
    above = 0
    for seed in (77, 78, 79):
        rng = np.random.default_rng(seed)
        labels = np.zeros(600, int)
        for begin in range(40, 560, 90):
            labels[begin : begin + int(rng.integers(4, 30))] = 1
        blind = {f"blind {d}": smooth(rng, 600, 1 + d % 6) for d in range(100)}
        page = opened(aj.report(labels, blind, metric, at, path=tmp_path / f"{seed}.html"))
        assert page.locator("#matrix .chance-bar").count() >= 95  # the silent ones have none
        above += page.locator("#matrix [data-above=true]").count()
    assert above <= 21


def smooth(rng, points, width):
    noise = np.convolve(rng.normal(size=points + width - 1), np.ones(width), "valid")
    return noise / noise.std()


@pytest.mark.parametrize("kind", ["gaps", "irregular", "series"])
def test_gaps_series_and_uneven_times_are_counted_as_python_counts_them(opened, tmp_path, kind):
    labels, scores, time, _, rng = scene(302, 600)
    series = np.repeat(["a", "b", "c"], 200) if kind == "series" else None
    if kind == "gaps":
        time = time + np.where(
            np.arange(600) >= 350, np.timedelta64(9, "D"), np.timedelta64(0, "D")
        )
    if kind == "irregular":
        time = time[0] + np.cumsum(rng.integers(1, 900, 600)) * np.timedelta64(1, "s")
    how = {"time": time, "series": series}
    path = aj.report(labels, scores, at=0.5, path=tmp_path / "a.html", chance=False, **how)
    page = opened(path)
    thresholds = rng.uniform(-0.5, 2, 12).tolist()
    rate = f'false_alarm{"_rate" if kind == "irregular" else "s"}(per="1w")'  # of normal time
    share = labels.size / (labels == 0).sum() if kind == "irregular" else 1
    specs = ["f1", "f1_pa", "f1_ba", rate, 'detection_delay(average="median")']
    for at, found in zip(thresholds, page.evaluate(READ, list(map(str, thresholds))), strict=True):
        f1, pa, ba, false, delay = aj.evaluate(labels, scores, specs, at, chance=False, **how).rows
        assert (found["f1"], found["f1_pa"], found["f1_ba"]) == (f1.value, pa.value, ba.value)
        assert math.isclose(found["weekly"] * share, false.value, rel_tol=1e-9)
        assert math.isclose(found["delay"], delay.seconds, rel_tol=1e-9)
        line = aj.evaluate(labels, scores, "f1_ba", at, shifts=19, **how).rows[0]
        assert math.isclose(found["chance"], line.chance, rel_tol=1e-9)
