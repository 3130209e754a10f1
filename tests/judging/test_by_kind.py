"""Which events of points were found, by kind, series and length."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import InputError
from adjudge.judging.on_call.parts import _median
from adjudge.noise.intervals.means import mean_of

LABELS = [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1]
FLAGS = [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
KINDS = [None, "spike", "spike", "", "drift", None, "", "spike", "", "spike", None, None]
TIMES = np.datetime64("2026-01-01T00:00") + np.arange(12) * np.timedelta64(5, "m")


def parts(breakdown):
    return [tuple(row[k] for k in ("part", "judged", "found", "missed")) for row in breakdown.rows]


def test_events_by_their_kind():
    judged = aj.evaluate(LABELS, FLAGS, "f1", kind=KINDS, chance=False)
    found = judged.by("kind")
    assert parts(found) == [("", 1, 0, 1), ("drift", 1, 0, 1), ("spike", 2, 2, 0)]
    assert [row["delay_median_seconds"] for row in found.rows][2] == 0.5
    assert "spike       2      2       0  1.00 (0.16-1.00)" in str(found)
    assert "be missed" in " ".join(str(found).split())
    assert [event["kind"] for event in judged.events] == ["spike", "drift", "spike", ""]
    assert set(judged.to_dict()["events"][0]) >= {"kind"}
    pair = aj.evaluate(LABELS, {"a": FLAGS, "b": LABELS}, "f1", kind=KINDS, chance=False)
    assert [row["found"] for row in pair.by("kind").rows] == [0, 0, 2, 1, 1, 2]


def test_every_value_of_a_part_has_its_interval():
    rng = np.random.default_rng(4)
    labels, flags, kinds = np.zeros(1000, int), np.zeros(1000, int), np.full(1000, "", object)
    late = {"spike": [], "drift": []}
    for place in range(24):
        start, kind = place * 40 + 5, ("spike", "drift")[place % 2]
        labels[start : start + 10], kinds[start : start + 10] = 1, kind
        if place % 5 or kind == "spike":
            late[kind].append(int(rng.integers(0, 8)))
            flags[start + late[kind][-1] : start + 9] = 1
    judged = aj.evaluate(labels, flags, "f1", kind=kinds, chance=False)
    for one in judged.by("kind").tested:
        own = sorted(late[one.part])
        assert (one.judged, one.found, one.recall) == (12, len(own), len(own) / 12)
        tails = stats.beta.ppf(0.025, one.found, 13 - one.found), 1 - 0.025 ** (1 / 12)
        high = stats.beta.ppf(0.975, one.found + 1, 12 - one.found) if one.found < 12 else 1
        assert (one.low, one.high) == (pytest.approx(tails[0]), pytest.approx(high))
        covered = mean_of([(9 - delay) / 10 for delay in own])
        assert (one.coverage, one.coverage_low, one.coverage_high) == pytest.approx(covered[:3])
        around = next(
            k for k in range(12) if stats.binom.cdf(k, len(own), 0.5) > 0.025
        )  # fewer heads than that are rare
        assert one.delay == np.median(own)
        assert (one.delay_low, one.delay_high) == (own[around - 1], own[-around])
    drift, spike = judged.by("kind").tested
    expected = [stats.hypergeom.sf(12 - p.found - 1, 24, 24 - drift.found - spike.found, 12)
                for p in (drift, spike)]  # fmt: skip
    assert [drift.p_missed, spike.p_missed] == pytest.approx(expected)
    frame = judged.by("kind").to_frame()
    assert frame["coverage_low"].tolist() == [drift.coverage_low, spike.coverage_low]
    assert "delay_high" in frame


@pytest.mark.long
def test_a_part_is_rarely_called_worse_where_misses_fall_on_all_alike():
    rng, labels = np.random.default_rng(0), np.tile([0, 1, 0], 60)
    kinds = np.where(labels, np.repeat(list("abcdef") * 10, 3), "")
    smallest = []
    for _ in range(400):
        flags = labels * np.repeat(rng.random(60) < 0.6, 3)
        parts = aj.evaluate(labels, flags, "f1", kind=kinds, chance=False).by("kind").tested
        smallest.append([min(one.p_adjusted for one in parts), min(one.p_missed for one in parts)])
    adjusted, alone = np.mean(np.array(smallest) <= 0.05, axis=0)
    assert adjusted <= 0.07
    assert alone > 0.07  # were the number of parts not counted


@pytest.mark.parametrize("count", [1, 5, 6, 20])
def test_the_median_of_all_lies_between_the_ends(count):
    draws = np.random.default_rng(count).random((4000, count))
    ends = np.array([_median(row)[1:] for row in draws])
    held = (ends[:, 0] <= 0.5) & (0.5 <= ends[:, 1])
    assert np.isnan(ends).all() if count < 6 else held.mean() > 0.94
    assert np.isnan(_median([])).all()


def test_parts_that_are_all_found_are_not_tested():
    found = aj.evaluate(LABELS, LABELS, "f1", kind=KINDS, chance=False).by("kind")
    assert found.notes == ("in brackets: 95 % intervals",)
    assert "p" not in [column.title for column in found.tables[0].columns]


def test_the_kind_goes_with_its_points_when_they_are_sorted():
    order = np.random.default_rng(0).permutation(12)
    columns = [np.array(one, object)[order].tolist() for one in (LABELS, FLAGS, KINDS)]
    judged = aj.evaluate(
        *columns[:2], "f1", kind=columns[2], time=TIMES[order], sort=True, chance=False
    )
    same = aj.evaluate(LABELS, FLAGS, "f1", kind=KINDS, time=TIMES, chance=False)
    assert judged.by("kind").rows == same.by("kind").rows
    assert same.by("kind").rows[2]["delay_median_seconds"] == 150


def test_events_by_series_and_length():
    series = ["a"] * 6 + ["b"] * 6
    judged = aj.evaluate(LABELS, FLAGS, "f1", series=series, chance=False)
    assert parts(judged.by("series")) == [("a", 2, 1, 1), ("b", 2, 1, 1)]
    assert parts(judged.by("length", bins=[2, 3])) == [
        ("below 2 points", 2, 0, 2), ("2 points to 3 points", 1, 1, 0),
        ("3 points and longer", 1, 1, 0),
    ]  # fmt: skip
    assert [row["judged"] for row in judged.by("length").rows] == [4, 0, 0, 0]
    timed = aj.evaluate(LABELS, FLAGS, "f1", time=TIMES, chance=False)
    assert parts(timed.by("length"))[:2] == [("below 10 min", 2, 0, 2), ("10 min to 1 h", 2, 2, 0)]


@pytest.mark.parametrize(
    ("column", "how", "words"),
    [
        ("kind", {}, "by='kind' needs kind=, one for each point"),
        ("series", {}, "by='series' needs series="),
        ("severity", {}, "unknown column 'severity'"),
        ("kind", {"kind": ["a"] * 3}, "kind must be one per row, got 3 for 12 rows"),
        ("kind", {"kind": list("abcdefghijkl")}, r"got 'b' and 'c' in the event \[1, 3\)"),
    ],
)
def test_what_is_not_known_of_events(column, how, words):
    with pytest.raises(aj.AdjudgeError, match=words):
        aj.evaluate(LABELS, FLAGS, "f1", chance=False, **how).by(column)


def test_scores_need_a_threshold_and_incidents_have_a_kind_of_their_own():
    with pytest.raises(InputError, match="by needs alarms, got scores without a threshold"):
        aj.evaluate(LABELS, np.arange(12), "ap", kind=KINDS, chance=False).by("kind")
    with pytest.raises(InputError, match="kind must be left out with incidents"):
        aj.evaluate(aj.Incidents([1], [2]), aj.Alerts([1]), span=(0, 9), kind=["a"])


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_the_command_line_parts_by_any_column(tmp_path, suffix):
    path = tmp_path / f"scores.{suffix}"
    columns = zip(LABELS, FLAGS, KINDS, strict=True)
    rows = [{"label": a, "score": b, "fault": c} for a, b, c in columns]
    if suffix == "csv":
        lines = [f"{r['label']},{r['score']},{r['fault'] or ''}" for r in rows]
        path.write_text("\n".join(["label,score,fault", *lines]) + "\n")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ["evaluate", str(path), "--by", "fault", "--no-chance", "--metric", "f1"]
    ran = CliRunner().invoke(main, asked)
    assert ran.exit_code == 0, ran.output
    assert "fault  judged  found  missed       share found" in ran.output
    assert "be missed" in ran.output
    told = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)
    assert [(row["part"], row["found"]) for row in told["by"]] == [
        ("", 0), ("drift", 0), ("spike", 2),
    ]  # fmt: skip
    assert told["by"][2]["recall"] == 1
    assert told["by"][0]["coverage"] is None
    by = CliRunner().invoke(main, [*asked[:2], "--by", "length", *asked[4:]])
    assert "below 10 points" in by.output
