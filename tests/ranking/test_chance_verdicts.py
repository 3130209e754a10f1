"""One chance verdict per detector: it can be reached, and it is not reached by luck."""

import csv
import json

import numpy as np
import pytest

import adjudge as aj
from adjudge.noise.p_values import holm
from adjudge.noise.pooled_p import places_of_series, pooled_p
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.ranking.chance_verdicts import in_words


def one_event(seed, n=800, width=8):
    """Labels as in the UCR archive: one event a series."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(n, int)
    start = int(rng.integers(10, n - 10 - width))
    labels[start : start + width] = 1
    return labels, start


def blind(seed, n=800, alarms=2):
    flags = np.zeros(n, int)
    flags[np.random.default_rng(seed).choice(n, alarms, replace=False)] = 1
    return flags


def found_by_one_point(labels, start):
    flags = np.zeros_like(labels)
    flags[start + 3] = 1
    return flags


def collection(series, detectors):
    data = {}
    for s in range(series):
        labels, start = one_event(s)
        columns = {"perfect": found_by_one_point(labels, start)}
        columns |= {f"blind{d:02}": blind([s, d]) for d in range(detectors - 1)}
        data[f"s{s:03}"] = labels, columns
    return data


@pytest.mark.parametrize(
    ("series", "detectors"),
    [
        (5, 1),
        (5, 8),
        *(pytest.param(*cell, marks=pytest.mark.long) for cell in [(5, 50), (60, 3), (350, 1)]),
    ],
)
def test_a_perfect_detector_beats_chance_however_many_series_and_detectors(series, detectors):
    ranking = aj.rank(collection(series, detectors), "f1_ba", pooled=False)
    line = ranking.leaderboard[0]
    assert (line["detector"], line["mean"]) == ("perfect", 1.0)
    assert line["p_adjusted"] <= 0.05
    assert line["verdict"].startswith(f"better than chance over {series} series")
    assert "perfect" in ranking.board().tables[0].title or detectors > 5
    others = [row for row in ranking.leaderboard if row["detector"] != "perfect"]
    assert sum(row["p_adjusted"] <= 0.05 for row in others) <= 1


def test_holm_over_series_would_never_have_said_so():
    """The rule that this one replaces."""
    ranking = aj.rank(collection(60, 1), "f1_ba", pooled=False)
    alone = [row["p_value"] for row in ranking.results]
    assert min(holm(np.array(alone))) > 0.05
    line = ranking.leaderboard[0]
    assert line["better_on_low"] >= 40 > line["better_on"]


@pytest.mark.parametrize(
    ("benchmarks", "most"), [(25, 0.20), pytest.param(400, 0.07, marks=pytest.mark.long)]
)
def test_blind_detectors_are_rarely_called_better(benchmarks, most):
    """Each is a benchmark of its own, before they are adjusted for their number."""
    data = {}
    for s in range(5):
        labels, _ = one_event(s)
        data[f"s{s}"] = labels, {f"d{d:03}": blind([9, s, d], alarms=12) for d in range(benchmarks)}
    lines = aj.rank(data, "f1_ba", pooled=False).leaderboard
    assert sum(line["p_value"] <= 0.05 for line in lines) / benchmarks <= most
    assert sum(line["p_adjusted"] <= 0.05 for line in lines) <= 2


@pytest.fixture(scope="module")
def data():
    found = {}
    for s in range(6):
        labels, _ = one_event(s)
        rng = np.random.default_rng(s)
        found[f"s{s}"] = (
            labels,
            {name: rng.random(800) + skill * labels for name, skill in (("a", 1), ("b", 0.3))},
        )
    return found


@pytest.mark.parametrize("spec", ["best(f1_ba)", "auc_roc", "detection_delay(at=0.9)"])
def test_the_p_value_is_that_of_the_places_of_each_series(data, spec):
    metric = aj.metric(spec)
    lines = {row["detector"]: row for row in aj.rank(data, spec).leaderboard}
    for name in ("a", "b"):
        places = []
        for labels, scores in data.values():
            case = aj.Case(labels, scores[name])
            places.append(
                places_of_series(
                    metric.on(case.events), CaseShifts(case), metric.reading(case).value
                )
            )
        expected = pooled_p(places, metric.row.better, clocks=data, span=metric.row.range)
        line = lines[name]
        assert line["p_value"] == pytest.approx(expected.p_value, abs=2e-4)  # rounded to 32 bits
        names = ("better_on", "better_on_low", "tested")
        assert tuple(line[name] for name in names) == (*expected[2:4], expected.series)
        assert line["least_p"] == pytest.approx(expected.least)


def test_a_folder_keeps_the_verdicts(data, tmp_path):
    first = aj.rank(data, ["auc_roc", "best(f1)"], out=tmp_path)
    again = aj.rank(data, ["auc_roc", "best(f1)"], out=tmp_path)  # nothing is judged
    read = aj.read_ranking(tmp_path)
    for other in (again, read):
        assert list(map(repr, other.leaderboard)) == list(map(repr, first.leaderboard))
        assert other.board() == first.board()


def test_a_partial_submission_changes_no_verdict(data):
    more = {name: (labels, dict(scores)) for name, (labels, scores) in data.items()}
    more["s0"][1]["few"] = more["s0"][1]["a"]
    fields = ("p_value", "p_adjusted", "better_on", "better_on_low", "verdict")
    before, after = (
        {row["detector"]: [row[f] for f in fields] for row in aj.rank(some, "auc_roc").leaderboard}
        for some in (data, more)
    )
    few = after.pop("few")
    assert after == before
    assert few[1] == few[0]  # a family of its own


def test_seeds_are_averaged_on_each_series(data):
    """As series they would count three times."""
    seeds = {
        name: (labels, {f"a#{i}": scores["a"] for i in range(3)})
        for name, (labels, scores) in data.items()
    }
    one = aj.rank({k: (v, {"a": s["a"]}) for k, (v, s) in data.items()}, "auc_roc").leaderboard[0]
    three = aj.rank(seeds, "auc_roc").leaderboard[0]
    assert (three["seeds"], three["tested"]) == (3, 6)
    assert [three[f] for f in ("p_value", "better_on", "verdict")] == [
        one[f] for f in ("p_value", "better_on", "verdict")
    ]


def test_on_how_many_series_it_is_better_is_in_every_form(tmp_path):
    """Where the evidence is spread thin: on none by itself, and on many all the same."""
    ranking = aj.rank(collection(12, 1), "f1_ba", out=tmp_path, pooled=False)
    line = ranking.leaderboard[0]
    assert (line["better_on"], line["tested"]) == (0, 12)
    assert 6 <= line["better_on_low"] < 12
    low = line["better_on_low"]
    assert line["verdict"].endswith(f", on at least {low} of them, significant alone on 0")
    assert f", on {low}+ of 12 (0 alone) |" in ranking.to_markdown()
    assert json.loads(ranking.to_json())["leaderboard"][0]["better_on_low"] == low
    (cells,) = csv.DictReader((tmp_path / "ranking.csv").read_text("utf-8").splitlines())
    assert (cells["better_on"], cells["better_on_low"]) == ("0", str(low))


def test_what_cannot_be_tested_is_said():
    """One short series."""
    labels = [0, 0, 0, 1, 1, 0, 0, 0]
    line = aj.rank({"s": (labels, {"d": [0, 0, 0, 1, 1, 0, 0, 0]})}, "f1").leaderboard[0]
    assert line["least_p"] > 0.05
    assert line["verdict"].startswith("not testable: 1 series with too few shifts (p")
    columns = aj.rank({"s": (labels, {"d": labels})}, "f1").board().tables[0].columns
    assert ("not testable",) in [column.cells for column in columns]


def test_without_the_chance_line_there_is_no_verdict(data):
    line = aj.rank(data, "auc_roc", chance=False).leaderboard[0]
    fields = ("p_value", "p_adjusted", "better_on", "better_on_low", "least_p")
    assert [line[field] for field in fields] == [None] * 5
    assert (line["tested"], line["verdict"]) == (0, "")


def test_the_title_says_who_is_better():
    assert aj.rank(collection(6, 3), "f1_ba", pooled=False).board().tables[0].title == (
        "3 detectors on 6 series: perfect is better than chance"
    )
    only = {name: (labels, {"x": blind([4, i])})
            for i, (name, (labels, _)) in enumerate(collection(6, 1).items())}  # fmt: skip
    assert aj.rank(only, "f1_ba").board().tables[0].title.endswith(": none is better than chance")
    assert aj.rank(collection(6, 7), "f1_ba", pooled=False).board().tables[0].title == (
        "7 detectors on 6 series: 1 of 7 are better than chance"
    )


def test_a_detector_that_is_not_better_is_called_so():
    line = {
        "tested": 9, "clocks": 9, "p_adjusted": 0.4, "least_p": 0.001, "better_on": 0,
        "better_on_low": 0,
    }  # fmt: skip
    assert (
        in_words(line)
        == "not significantly better than chance over 9 series (p = 0.4), significant alone on 0"
    )


def test_a_series_by_itself_is_adjusted_as_the_leaderboard_counts(data, tmp_path):
    """Of every detector as many series are clear in the results as the leaderboard says."""
    ranking = aj.rank(data, ["best(f1_ba)", "ap"], pooled=False, out=tmp_path)
    again = aj.read_ranking(tmp_path)
    for line in ranking.leaderboard:
        own = [
            row["p_adjusted"]
            for row in ranking.results
            if (row["detector"], row["requested"]) == (line["detector"], line["metric"])
        ]
        assert sum(p is not None and p <= 0.05 for p in own) == line["better_on"]
    stored = [(row["series"], row["p_adjusted"]) for row in again.results]
    assert stored == [(row["series"], row["p_adjusted"]) for row in ranking.results]
