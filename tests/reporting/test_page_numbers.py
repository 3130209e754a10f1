"""Every number on a page is the library's: of any metric, with any setting, at every level."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.adjust.balanced import Balanced
from adjudge.reporting.page import detector_payload, levels
from reporting.unpacked import payload, scores_of, unpacked, values

VALUES = (1, 2, 3, 0.25, 0.5, 5, 7, True, False, "1min", "spill", "all", "printed", "authors",
          "front", "back", "middle", "median", "max", "one", "reciprocal", "flat")  # fmt: skip


def drawn(rng, n=160, kind=None):
    labels = np.zeros(n, int)
    for start in rng.integers(0, n - 12, 5):
        labels[start : start + rng.integers(1, 12)] = 1
    noise = rng.normal(size=n) + 2 * labels * (rng.random(n) < 0.5)
    kind = rng.integers(4) if kind is None else kind
    scores = [noise, np.round(noise, 1), noise.astype(np.float32), np.round(2 * noise)][kind]
    return labels, scores


def changed(rng, metric, events):
    """The metric with some of its settings changed to what it takes."""
    for name in rng.permutation(list(metric.row.parameters))[:2]:
        for value in rng.permutation(np.array(VALUES, object)):
            try:
                other = metric.with_settings(**{str(name): value})
                other.on(events)
            except aj.InputError:
                continue
            metric = other
            break
    return metric


def with_one_threshold():
    names = [name for name in aj.catalogue if aj.catalogue[name].needs == "flags"]
    return [n for n in names if not (aj.catalogue[n].positions or aj.catalogue[n].channels)]


def check(seed, tmp_path):
    rng = np.random.default_rng(seed)
    names = with_one_threshold()
    labels, scores = drawn(rng)
    at = float(rng.choice(scores)) if seed % 3 else float(np.round(rng.normal(), 2))
    time = np.datetime64("2026-01-01") + np.arange(len(labels)) * np.timedelta64(1, "m")
    events = aj.Case(labels, scores, time=time).events
    metric = changed(rng, aj.catalogue[names[seed % len(names)]].metric, events)
    how = {"time": time, "chance": False}
    judged = aj.evaluate(labels, scores, [metric], at, **how)
    (row,) = judged.rows
    one = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"][0]
    main, given = one["metrics"][0], one["given"]
    assert main["spec"] == row.metric
    same(values(main)[given], row.value)
    same(one["at"], row.at)
    found = values(main)
    for place in {0, main["best"], len(found) - 1, *rng.integers(0, len(found), 3).tolist()}:
        level = float(unpacked(one["levels"])[place])
        wanted = aj.evaluate(labels, scores, [metric], level, **how).rows[0].value
        assert near(found[place], wanted), (row.metric, level)
    best = aj.evaluate(labels, scores, [aj.best(metric, None)], **how).rows[0]
    assert near(found[main["best"]], best.value), row.metric


def near(found, wanted):
    both = math.isnan(found) and math.isnan(wanted)
    return both or math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-4)


def same(found, wanted):
    assert found == wanted or (math.isnan(found) and math.isnan(wanted))


@pytest.mark.parametrize("seed", [*range(0, 300, 25), 113])
def test_a_metric_with_any_settings_is_shown_as_evaluate_has_it(tmp_path, seed):
    check(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(300))
def test_three_hundred_metrics_are_shown_as_evaluate_has_them(tmp_path, seed):
    check(seed, tmp_path)


@pytest.mark.parametrize("spec", ["f1_ba(beta=3)", "range_f1", "event_f1"])
def test_the_page_is_about_the_metric_that_was_asked_for(tmp_path, spec):
    labels, scores = drawn(np.random.default_rng(1))
    judged = aj.evaluate(labels, scores, [spec], 0.5, shifts=19)
    html = judged.to_html(tmp_path / "a.html").read_text()
    (one,) = payload(html)["detectors"]
    main = one["metrics"][0]
    assert main["title"] == spec
    assert values(main)[one["given"]] == judged.rows[0].value == one["verdict"]["value"]
    assert f">{judged.rows[0].value:.2f}<" in html  # the tile, without scripts


def test_a_new_adjustment_needs_no_script(tmp_path):
    """Its values, lanes and receipts come from Python: one that nobody has seen yet."""
    row = aj.catalogue["f1_ba"]

    class Wider(Balanced):
        def __call__(self, scores, events):
            return np.maximum(super().__call__(scores, events), scores)

    other = aj.Row("f1_new", "new", "new", row.measure, Wider, row.count)
    labels, scores = drawn(np.random.default_rng(2))
    judged = aj.evaluate(labels, scores, [other.metric(width=5)], 0.5, chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    main = one["metrics"][0]
    assert values(main)[one["given"]] == judged.rows[0].value
    assert main["lanes"] is not None
    assert main["receipts"][str(one["given"])]["alarms"]["start"]


COUNTED = {"found": "event_recall", "per_week": 'false_alarms(per="1w")',
           "delay": 'detection_delay(average="median")'}  # fmt: skip


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize("short", [True, False])
def test_what_is_counted_at_each_level_is_what_metrics_count(tmp_path, monkeypatch, timed, short):
    """Also of an overview: delays and false alarms are Python's."""
    monkeypatch.setattr(levels, "_EXACT", 40 if short else 5_000)
    monkeypatch.setattr(levels, "_FEWEST", 30)
    monkeypatch.setattr(aj.reporting.page.report_page, "_POINTS", 100 if short else 200_000)
    rng = np.random.default_rng(3)
    labels, scores = drawn(rng, 400)
    time = np.datetime64("2026-01-01") + np.arange(400) * np.timedelta64(1, "m")
    how = {"time": time if timed else None, "chance": False}
    judged = aj.evaluate(labels, scores, ["f1_ba"], 0.5, **how)
    given = payload(judged.to_html(tmp_path / "a.html").read_text())
    (one,) = given["detectors"]
    assert (one["overview"] is None) is not short
    at = unpacked(one["levels"])
    assert one["exact"] is (len(at) == len(np.unique(scores)) + 1)
    specs = list(COUNTED.values()) if timed else ["event_recall", COUNTED["delay"]]
    for place in (*rng.integers(0, len(at), 6).tolist(), one["given"]):
        rows = aj.evaluate(labels, scores, specs, float(at[place]), **how).rows
        assert unpacked(one["found"])[place] == round(rows[0].value * len(judged.events))
        delay = rows[-1].seconds if timed else rows[-1].value
        same(unpacked(one["delay"])[place], delay)
        if timed:
            assert unpacked(one["per_week"])[place] == pytest.approx(rows[1].value)
        else:
            assert np.isnan(unpacked(one["per_week"])[place])
        flags = scores > at[place]
        assert unpacked(one["flagged"])[place] == np.count_nonzero(flags)
        runs = np.flatnonzero(np.diff(np.append(0, flags)) > 0)
        assert unpacked(one["right"])[place] + unpacked(one["wrong"])[place] == len(runs)


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("most", [50, 5_000])
def test_scores_to_draw_lie_above_the_same_levels(monkeypatch, kind, most):
    monkeypatch.setattr(levels, "_EXACT", most)
    rng = np.random.default_rng(kind)
    labels, scores = drawn(rng, 2_000, kind)
    scores[rng.integers(0, 2_000, 20)] = np.inf
    scores[rng.integers(0, 2_000, 20)] = -np.inf
    case = aj.Case(labels, scores)
    found = levels.levels_of(case, 1)
    one = {"scores": detector_payload._scores(case, found),  # noqa: SLF001 - what is drawn
           "levels": levels.packed_numbers(found.at)}  # fmt: skip
    drawn_again = scores_of(one)
    for level in found.at:
        np.testing.assert_array_equal(drawn_again > level, case.scores > level)
    texts = levels.texts(case, found)
    for level, text in zip(found.at, texts, strict=True):
        np.testing.assert_array_equal(case.flagged(float(text)), case.flagged(level))


def test_chance_at_a_level_is_that_of_the_library(tmp_path):
    labels, scores = drawn(np.random.default_rng(5), 300)
    judged = aj.evaluate(labels, scores, ["f1_ba"], 0.5)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    at = unpacked(one["levels"])
    for metric in one["metrics"]:
        chance = metric["chance"]
        for k in range(0, len(unpacked(chance["at"])), 17):
            place = int(unpacked(chance["at"])[k])
            if unpacked(one["flagged"])[place]:
                spec, level = metric["spec"], float(at[place])
                wanted = aj.chance(labels, spec, like=scores, at=level).expected
                assert unpacked(chance["level"])[k] == pytest.approx(wanted)
    chance, value = one["metrics"][0]["chance"], values(one["metrics"][0])
    for k in (10, 20, 30):
        place = int(unpacked(chance["at"])[k])
        row = aj.evaluate(labels, scores, ["f1_ba"], float(at[place])).rows[0]
        again, others = unpacked(chance["again"])[k], unpacked(chance["others"])[k]
        assert others == 299
        assert (again + 1) / 300 == pytest.approx(row.p_value)
        better = row.p_value <= 0.05
        assert (unpacked(chance["tone"])[k] > 0) == better
        assert value[place] == row.value


def test_a_receipt_on_a_page_is_the_one_of_explain(tmp_path):
    labels, scores = drawn(np.random.default_rng(6), 300)
    judged = aj.evaluate(labels, scores, ["f1_ba", "event_f1"], 0.5, chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    at = unpacked(one["levels"])
    assert len(one["metrics"][0]["receipts"]) >= 6
    for metric in one["metrics"]:
        for place, found in metric["receipts"].items():
            level = float(at[int(place)])
            wanted = aj.explain(labels, scores, metric["spec"], at=level)
            assert unpacked(found["events"]["earned"]).tolist() == wanted.truth.credit.tolist()
            rows = wanted.alarms
            listed = (rows.cost > 0) | (rows.event < 0)
            islands = {"from": rows.island_start, "to": rows.island_stop}
            for name, column in {"start": rows.start, "cost": rows.cost, **islands}.items():
                assert unpacked(found["alarms"][name]).tolist() == column[listed].tolist()
            peaks = [scores[a:b].max() for a, b in zip(rows.start, rows.stop, strict=True)]
            assert unpacked(found["alarms"]["peak"]).tolist() == np.array(peaks)[listed].tolist()
            counts = wanted.counts
            assert f"{counts['false_alarms']} of {counts['alarms']} alarm" in found["sums"]


def test_what_a_row_would_gain_is_what_the_value_gains_without_it(tmp_path):
    """A false alarm that is not there, judged anew; an island of one point shares none."""
    labels = np.array([0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    scores = np.array([0, 0, 0, 0, 2, 0, 0, 0, 3.0, 0, 0, 0])
    judged = aj.evaluate(labels, scores, ["f1_ba(width=3)"], 1.0, chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    (gain,) = one["metrics"][0]["receipts"][str(one["given"])]["alarms"]["gain"]
    without = np.where(np.arange(12) == 8, 0, scores)
    metric = aj.f1_ba(width=3)
    assert gain == pytest.approx(metric(labels, without, at=1) - metric(labels, scores, at=1))


def test_of_a_long_series_some_levels_are_chosen(tmp_path):
    rng = np.random.default_rng(0)
    labels, scores = np.arange(20_000) % 500 < 30, rng.normal(size=20_000)
    judged = aj.evaluate(labels, scores, ["f1_ba", "f1"], at=1.0, chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    at, best = unpacked(one["levels"]), aj.best(aj.f1).reading(judged.cases[0])
    assert not one["exact"]
    assert 500 < len(at) <= 1_000
    assert best.at in at
    assert values(one["metrics"][1])[one["metrics"][1]["best"]] == best.value
    assert values(one["metrics"][0])[one["given"]] == judged.rows[0].value


@pytest.mark.parametrize("spec", ["auc_roc", "macro(event_f1)"])
def test_what_has_no_curve_is_not_drawn_as_another_metric(tmp_path, spec):
    """Balanced F1 is, beside F1 and PA."""
    labels, scores = drawn(np.random.default_rng(4))
    both = np.stack([labels, np.roll(labels, 9)], 1), np.stack([scores, scores], 1)
    data = aj.Channels(*both, ["a", "b"]) if "macro" in spec else aj.Points(labels, scores)
    judged = aj.evaluate(data, [spec], 0.5, chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    assert [metric["title"] for metric in one["metrics"]] == ["BA", "F1", "PA"]
    assert not any(metric["asked"] for metric in one["metrics"])
    case = judged.cases[0].joined
    wanted = (
        aj.metric(one["metrics"][0]["spec"]).with_default_threshold(one["at"]).reading(case).value
    )
    assert values(one["metrics"][0])[one["given"]] == wanted


def test_a_policy_is_counted_at_every_threshold(tmp_path):
    labels, scores = drawn(np.random.default_rng(4))
    judged = aj.evaluate(labels, scores, ["f1_kpa"], "policy(0.5, keep=2)", chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    assert values(one["metrics"][0])[one["given"]] == judged.rows[0].value
    place = one["given"] + 9
    level = float(unpacked(one["levels"])[place])
    wanted = aj.evaluate(labels, scores, ["f1_kpa"], f"policy({level!r}, keep=2)", chance=False)
    assert values(one["metrics"][0])[place] == wanted.rows[0].value
