"""What rankings say."""

import csv
import math

import numpy as np
import polars as pl
import pytest

import adjudge as aj
from adjudge.errors import InputError, UnknownName
from adjudge.ranking.finished import read_ranking
from adjudge.ranking.run import rank
from ranking.benchmark import benchmark

METRICS = ["best(f1)", "best(f1_ba)", "auc_roc"]
QUICK = {"chance": False}


@pytest.fixture(scope="module")
def data():
    return benchmark()


@pytest.fixture(scope="module")
def ranking(data):
    return rank(data, METRICS, shifts=19)


def test_rows_are_those_of_evaluate(data, ranking):
    rows = {(row["series"], row["detector"], row["requested"]): row for row in ranking.results}
    assert len(rows) == 6 * 3 * 3
    for name in list(data)[:2]:
        labels, scores = data[name]
        for row in aj.evaluate(labels, scores, METRICS, shifts=19).rows:
            found = rows[name, row.detector, row.requested]
            for field in (
                "metric",
                "value",
                "at",
                "chosen_by",
                "width",
                "chance",
                "p_value",
                "low",
            ):
                expected = getattr(row, field)
                undefined = isinstance(expected, float) and math.isnan(expected)
                assert found[field] == (None if undefined else expected), field


def test_values_without_chance_are_the_same(data, ranking):
    quick = rank(data, METRICS, **QUICK)
    named = ("series", "detector", "requested", "metric", "value", "at", "chosen_by", "width")
    assert [[row[name] for name in named] for row in quick.results] == [
        [row[name] for name in named] for row in ranking.results
    ]


def test_the_leaderboard_has_means_ranks_and_counts(data, ranking):
    row = next(
        r for r in ranking.leaderboard if r["metric"] == "auc_roc" and r["detector"] == "good"
    )
    own = [aj.auc_roc(labels, scores["good"]) for labels, scores in data.values()]
    assert row["mean"] == pytest.approx(np.mean(own))
    assert row["median"] == pytest.approx(np.median(own))
    assert (
        row["conditional_low"] < row["mean"] < row["conditional_high"]
    )  # two data sets are too few
    assert math.isnan(row["low"])
    assert (row["series"], row["undefined"], row["failed"], row["missing"]) == (6, 0, 0, 0)
    assert row["tested"] == 6
    assert row["p_value"] <= row["p_adjusted"] <= 0.05
    assert [r["detector"] for r in ranking.leaderboard[:3]] == ["good", "fair", "blind"]
    assert ranking.leaderboard[0]["metric"] == "best(f1_ba)"


@pytest.mark.parametrize(
    "spec", ["f1(at=0.8)", "f1_ba(at=0.8)", "best(f1_ba)", "auc_roc", "vus_pr"]
)
def test_pooled_is_one_call_with_series(data, spec):
    found = rank(data, spec, **QUICK)
    labels = np.concatenate([labels for labels, _ in data.values()])
    ids = np.repeat(list(data), [len(labels) for labels, _ in data.values()])
    for row in found.leaderboard:
        column = np.concatenate([scores[row["detector"]] for _, scores in data.values()])
        assert row["pooled"] == aj.metric(spec)(labels, column, series=ids)


@pytest.mark.parametrize(
    "spec", ["f1(at=0.8)", "f1_ba(at=0.8)", "best(f1_ba)", "auc_roc", "vus_pr"]
)
@pytest.mark.parametrize("masked", [["x/s00"], ["x/s00", "y/s01"], "all"])
def test_pooled_is_judged_where_each_series_is(data, spec, masked):
    """Where one has a mask and others have none, all points of these are judged."""
    names = list(data) if masked == "all" else masked
    judged = {
        name: np.arange(len(labels)) % 3 > 0 if name in names else np.ones(len(labels), bool)
        for name, (labels, _) in data.items()
    }
    given = {name: (*one, judged[name]) if name in names else one for name, one in data.items()}
    labels = np.concatenate([labels for labels, _ in data.values()])
    ids = np.repeat(list(data), [len(labels) for labels, _ in data.values()])
    where = np.concatenate(list(judged.values()))
    plain = {row["detector"]: row for row in rank(data, spec, **QUICK).leaderboard}
    for row in rank(given, spec, **QUICK).leaderboard:
        column = np.concatenate([scores[row["detector"]] for _, scores in data.values()])
        assert row["pooled"] == aj.metric(spec)(labels, column, series=ids, where=where)
        assert row["pooled"] != plain[row["detector"]]["pooled"]


def test_a_share_from_elsewhere_is_one_of_each_series_however_long(data):
    """A threshold on shares flags as many points of a hundred on short series as on long ones."""
    cut = {name: 100 + 20 * place for place, name in enumerate(sorted(data))}
    given = {
        name: (labels[: cut[name]], {"d": scores["fair"][: cut[name]]})
        for name, (labels, scores) in data.items()
    }
    shares = {
        name: (labels, np.searchsorted(np.sort(own["d"]), own["d"], side="right") / len(labels))
        for name, (labels, own) in given.items()
    }
    halves, values = [sorted(data)[half::2] for half in (0, 1)], []
    for learned, tried in (halves, halves[::-1]):
        labels, column = (np.concatenate([shares[name][i] for name in learned]) for i in (0, 1))
        at = aj.curve(labels, column, "f1").best().threshold
        values += [aj.f1(*shares[name], at=at) for name in tried if shares[name][0].any()]
    row = rank(given, "best(f1)", **QUICK).leaderboard[0]
    assert row["transferred_share"] == pytest.approx(np.mean(values))


def test_a_threshold_from_elsewhere_is_learnt_and_used_where_points_are_judged(data):
    """Each half is one call with its own masks, of which some series have none."""
    judged = {name: np.arange(len(data[name][0])) % 3 > 0 for name in sorted(data)[::3]}
    given = {name: (*one, judged[name]) if name in judged else one for name, one in data.items()}

    def of(names, detector):
        return {
            "labels": np.concatenate([data[name][0] for name in names]),
            "scores": np.concatenate([data[name][1][detector] for name in names]),
            "series": np.repeat(names, [len(data[name][0]) for name in names]),
            "where": np.concatenate(
                [judged.get(name, np.ones(len(data[name][0]), bool)) for name in names]
            ),
        }

    halves = [sorted(data)[half::2] for half in (0, 1)]
    for row in rank(given, "best(f1)", **QUICK).leaderboard:
        values = []
        for learned, tried in (halves, halves[::-1]):
            at = aj.evaluate(**of(learned, row["detector"]), metrics="best(f1)", chance=False)
            values += [aj.f1(**of([one], row["detector"]), at=at.rows[0].at) for one in tried]
        assert row["transferred"] == pytest.approx(np.mean(values))


def test_a_threshold_from_elsewhere_is_measured_in_two_halves(data):
    row = rank(data, "best(f1)", **QUICK).leaderboard[0]
    halves = [[data[name] for name in sorted(data)[half::2]] for half in (0, 1)]
    values = []
    for learned, judged in (halves, halves[::-1]):
        labels = np.concatenate([labels for labels, _ in learned])
        column = np.concatenate([scores[row["detector"]] for _, scores in learned])
        at = aj.curve(labels, column, "f1").best().threshold
        values += [aj.f1(labels, scores[row["detector"]], at=at) for labels, scores in judged]
    assert row["transferred"] == pytest.approx(np.mean(values))
    assert row["gap"] == pytest.approx(row["mean"] - row["transferred_share"])
    assert row["gap"] > 0


def test_the_gap_is_of_the_choice_and_not_of_the_units_of_scores(data):
    """Scores of each series in other units: a threshold cannot be brought along, a share can."""
    scaled = {
        name: (labels, {d: column * 10.0**place for d, column in scores.items()})
        for place, (name, (labels, scores)) in enumerate(data.items())
    }
    plain, other = (rank(some, "best(f1)", **QUICK).leaderboard for some in (data, scaled))
    for one, two in zip(plain, other, strict=True):
        assert one["gap"] == pytest.approx(two["gap"])
        assert one["transferred_share"] == pytest.approx(two["transferred_share"])
    assert other[0]["transferred"] < plain[0]["transferred"] - 0.1


def test_the_share_is_found_as_a_threshold_is(data):
    ranked = {
        name: (labels, {d: np.argsort(np.argsort(s)) / 300 for d, s in scores.items()})
        for name, (labels, scores) in data.items()
    }
    one, two = (rank(some, "best(f1)", **QUICK).leaderboard[0] for some in (data, ranked))
    assert one["transferred_share"] == pytest.approx(two["transferred"])


def test_series_without_events_are_undefined_and_in_no_mean_or_test(data):
    silent = {f"q/{name[-3:]}": (np.zeros(len(labels)), s) for name, (labels, s) in data.items()}
    with_them, without = (rank(d, "best(f1)", **QUICK) for d in ({**data, **silent}, data))
    for more, less in zip(with_them.leaderboard, without.leaderboard, strict=True):
        assert (more["series"], more["undefined"], less["undefined"]) == (6, 6, 0)
        for name in ("mean", "median", "mean_rank"):
            assert more[name] == less[name]
    assert with_them.critical_difference == without.critical_difference


def test_the_gap_is_one_on_the_same_series(data):
    """The threshold from elsewhere alarms on a series without events, where there is no best."""
    quiet = {f"z/{name[-3:]}": (np.zeros(len(labels)), s) for name, (labels, s) in data.items()}
    for row in rank({**data, **quiet}, "best(f1)", **QUICK).leaderboard:
        own = {
            name: (labels, s[row["detector"]]) for name, (labels, s) in {**data, **quiet}.items()
        }
        names, values = sorted(own), []
        for half in (0, 1):
            labels, column = (
                np.concatenate([own[name][side] for name in names[half::2]]) for side in (0, 1)
            )
            at = aj.curve(labels, column, "f1").best().threshold
            values += [aj.f1(*own[name], at=at) for name in names[1 - half :: 2] if name in data]
        assert row["transferred"] == pytest.approx(np.mean(values))
        assert row["gap"] == pytest.approx(row["mean"] - row["transferred_share"])


def test_groups_are_what_stands_before_the_slash(data, ranking):
    rows = {(r["group"], r["metric"], r["detector"]): r for r in ranking.groups}
    alone = rank({k: v for k, v in data.items() if k.startswith("x/")}, METRICS, **QUICK)
    for row in alone.leaderboard:
        assert rows["x", row["metric"], row["detector"]]["mean"] == row["mean"]
    means = [rows[group, "auc_roc", "good"]["mean"] for group in ("x", "y")]
    macro = next(
        r for r in ranking.leaderboard if (r["metric"], r["detector"]) == ("auc_roc", "good")
    )
    assert macro["macro"] == pytest.approx(np.mean(means))
    assert alone.groups == []


def test_seeds_of_a_detector_are_one_detector(data):
    seeds = {
        name: (
            labels,
            {"good#1": scores["good"], "good#2": scores["fair"], "blind": scores["blind"]},
        )
        for name, (labels, scores) in data.items()
    }
    found = rank(seeds, "auc_roc", **QUICK)
    assert found.detectors == ["blind", "good"]
    row = found.leaderboard[0]
    means = [
        np.mean([aj.auc_roc(labels, scores[name]) for labels, scores in data.values()])
        for name in ("good", "fair")
    ]
    assert row["mean"] == pytest.approx(np.mean(means))
    assert (row["seeds"], row["seed_sd"]) == (2, pytest.approx(np.std(means, ddof=1)))


def test_undefined_and_missing_values_are_counted_and_never_zeros(data):
    holes = dict(data)
    holes["x/quiet"] = (np.zeros(50, int), {"blind": np.random.default_rng(0).random(50)})
    found = rank(holes, "auc_roc", **QUICK)
    rows = {row["detector"]: row for row in found.leaderboard}
    assert (rows["blind"]["undefined"], rows["blind"]["series"]) == (1, 6)
    assert (rows["good"]["missing"], rows["good"]["series"]) == (1, 6)
    before = rank(data, "auc_roc", **QUICK)
    assert [row["mean"] for row in before.leaderboard] == [row["mean"] for row in found.leaderboard]
    assert found.critical_difference[0]["series"] == 6


def test_a_detector_that_never_has_a_value_comes_last_and_does_not_stop_the_others(data):
    silent = {
        name: (labels, {**{k: v > 0.9 for k, v in scores.items()}, "silent": np.zeros(300, int)})
        for name, (labels, scores) in data.items()
    }
    found = rank(silent, ["mcc", "f1"], **QUICK)
    ranks = {
        row["detector"]: row["mean_rank"] for row in found.leaderboard if row["metric"] == "mcc"
    }
    assert ranks["silent"] == 4
    assert sorted(ranks) == ["blind", "fair", "good", "silent"]
    assert sum(ranks.values()) == pytest.approx(10)
    assert found.agreement[0]["tau"] == 1
    wins = {row["detector"]: row for row in found.win_matrix if row["metric"] == "mcc"}
    assert [wins[name]["silent"] for name in ("blind", "fair", "good", "silent")] == [6, 6, 6, 0]


def test_a_metric_whose_low_values_are_good_ranks_the_other_way():
    labels = np.zeros(200, int)
    labels[100:120] = 1
    good, noisy = labels.copy(), labels.copy()
    noisy[::10] = 1
    found = rank({"a": (labels, {"good": good, "noisy": noisy})}, "false_alarm_rate", **QUICK)
    assert [row["detector"] for row in found.leaderboard] == ["good", "noisy"]
    assert found.leaderboard[1]["mean"] > 0


def test_metrics_that_disagree_are_found_out(data):
    labels = [0] * 5 + [1] * 10 + [0] * 85
    point, wide = np.zeros(100, int), np.zeros(100, int)
    point[7] = point[40] = 1
    wide[3:12] = 1
    found = rank({"a": (labels, {"point": point, "wide": wide})}, ["f1", "f1_pa"], **QUICK)
    assert found.flips == [
        {"one": "point", "other": "wide", "for_one": ["f1_pa"], "for_other": ["f1"]}
    ]
    assert found.agreement == [{"one": "f1", "other": "f1_pa", "tau": -1.0}]
    assert found.win_matrix[0] == {"metric": "f1", "detector": "point", "point": 0, "wide": 0} | {
        "wide": 0
    }
    assert found.win_matrix[1]["point"] == 1


def test_comparisons_cover_every_pair(ranking):
    pairs = [
        (row["one"], row["other"]) for row in ranking.comparisons if row["metric"] == "auc_roc"
    ]
    assert pairs == [("blind", "fair"), ("blind", "good"), ("fair", "good")]
    assert all(row["p_wilcoxon"] <= row["p_wilcoxon_adjusted"] <= 1 for row in ranking.comparisons)


def test_tables_become_frames_markdown_and_latex(ranking):
    frame = ranking.to_frame()
    assert len(frame) == 9
    assert len(ranking.to_frame("results")) == 54
    with pytest.raises(UnknownName, match="unknown table 'wins'"):
        ranking.to_frame("wins")
    assert (
        r"| detector | mean rank | best f1\_ba | by chance | for these data sets |"
        in ranking.to_markdown()
    )
    assert r"\toprule" in ranking.to_latex()


def test_a_frame_needs_its_library(ranking, monkeypatch):
    def missing(*_, **__):
        raise ImportError

    monkeypatch.setattr("narwhals.stable.v2.from_dict", missing)
    with pytest.raises(aj.MissingExtra, match="a data frame needs polars"):
        ranking.to_frame(backend="polars")


def test_the_diagram_is_drawn(ranking):
    pytest.importorskip("matplotlib")
    axes = ranking.plot("auc_roc")
    assert ranking.plot("best(f1)", ax=axes) is axes  # as of every other plot
    words = [text.get_text() for text in axes.texts]
    assert any("good" in word for word in words)
    assert any("critical difference" in word for word in words)
    with pytest.raises(UnknownName, match="unknown metric 'mcc'"):
        ranking.plot("mcc")


def test_defaults_are_those_of_evaluate(data):
    one = dict(list(data.items())[:1])
    oracle = rank(one, **QUICK)
    assert oracle.metrics[:4] == ["best(f1)", "best(f1_pa)", "best(f1_kpa)", "best(f1_ba)"]
    assert rank(one, at=0.9, **QUICK).metrics[0] == "f1(at=0.9)"
    flags = {"a": ([0, 1, 1, 0], {"d": [0, 1, 0, 0]})}
    assert rank(flags, **QUICK).metrics[0] == "f1"


def test_nothing_to_compare_is_no_reason_to_fail():
    found = rank({"a": ([0, 0], {"d": [0.5, 0.1]})}, ["best(f1)", "auc_roc"], chance=True, shifts=5)
    assert math.isnan(found.leaderboard[1]["mean"])
    assert found.comparisons == []
    assert "undefined" in found.to_markdown()


def test_much_is_put_together_for_each_metric_with_the_same_values(data, monkeypatch):
    held = rank(data, ["best(f1)", "ap"], **QUICK).leaderboard
    monkeypatch.setattr("adjudge.ranking.together._LITTLE", 0)
    again = rank(data, ["best(f1)", "ap"], **QUICK).leaderboard
    for name in ("pooled", "transferred", "transferred_share"):
        assert [row[name] for row in again] == [row[name] for row in held]


def test_pooled_is_left_out_where_it_would_take_everything_at_once(data, monkeypatch):
    expected = rank(data, ["auc_roc", "best(f1)"], **QUICK).leaderboard
    monkeypatch.setattr("adjudge.ranking.together.MOST_SCORES", 100)
    assert rank(data, "auc_roc", **QUICK).leaderboard[0]["pooled"] is None
    again = rank(data, ["auc_roc", "best(f1)"], pooled=True, **QUICK).leaderboard
    assert list(map(repr, again)) == list(map(repr, expected))


TOGETHER = ("pooled", "transferred", "transferred_share", "gap")
"""What needs all series at once."""


@pytest.fixture
def quiet():
    """Series without events, on which every value is undefined."""
    return {name: ([0] * 4, {"one": [0.1, 0.2, 0.3, 0.4]}) for name in "ab"}


def test_what_was_not_computed_is_told_from_what_is_undefined(quiet, tmp_path):
    undefined = rank(quiet, ["best(recall)", "auc_roc"], out=tmp_path / "undefined", **QUICK)
    skipped = rank(quiet, "best(recall)", out=tmp_path / "not", pooled=False, **QUICK)
    best, area = undefined.leaderboard
    assert all(math.isnan(best[name]) for name in TOGETHER)
    assert math.isnan(area["pooled"])
    assert [area[name] for name in TOGETHER[1:]] == [None] * 3  # no threshold was chosen
    (line,) = skipped.leaderboard
    assert [line[name] for name in TOGETHER] == [None] * 4
    assert math.isnan(line["mean"])
    for found, expected in ((undefined, "nan"), (skipped, "")):
        with (found.path / "ranking.csv").open(newline="") as stream:
            row = next(csv.DictReader(stream))
        assert [row[name] for name in TOGETHER] == [expected] * 4
        assert row["mean"] == "nan"
        again = read_ranking(found.path).leaderboard
        assert [repr(row) for row in again] == [repr(row) for row in found.leaderboard]
        assert pl.read_csv(found.path / "ranking.csv")["pooled"].is_null()[0] == (not expected)


def test_groups_are_not_pooled(data):
    assert {row["pooled"] for row in rank(data, "auc_roc", **QUICK).groups} == {None}


def test_seeds_of_which_some_were_computed_have_the_mean_of_these(data):
    labels, scores = data["x/s00"]
    found = {"good#1": scores["good"], "good#2": np.append(scores["good"][1:], np.nan)}
    (row,) = rank({"a": (labels, found)}, "auc_roc", **QUICK).leaderboard
    assert row["pooled"] == aj.auc_roc(labels, scores["good"])


def test_a_page_is_written(ranking, tmp_path):
    assert "good" in ranking.to_html(tmp_path / "page.html").read_text()


@pytest.mark.parametrize("failing", ["x/s00", "y/s01"], ids=["of one half", "of the other"])
def test_a_detector_that_fails_on_a_series_is_pooled_over_the_others(data, failing):
    holes, less = dict(data), dict(data)
    labels, scores = holes[failing]
    holes[failing] = (labels, {**scores, "good": np.append(scores["good"][1:], np.nan)})
    del less[failing]
    rows, others = (
        {row["detector"]: row for row in rank(some, "best(f1)", **QUICK).leaderboard}
        for some in (holes, less)
    )
    for name in ("pooled", "transferred"):
        assert rows["good"][name] == others["good"][name]
        assert rows["fair"][name] != others["fair"][name]


def test_series_that_only_fail_together_are_not_pooled():
    """No number stands for minus infinity where another series has the lowest one."""
    labels, lowest = [0, 0, 1, 0], float(np.finfo(float).min)
    scores = {
        "a": [-np.inf, 0, 1, 0],
        "b": [0, 0.5, 1, 0],
        "c": [lowest, 0, 1, 0],
        "d": [0, 1, 2, 1],
    }
    data = {name: (labels, {"x": column}) for name, column in scores.items()}
    (row,) = rank(data, "best(f1)", **QUICK).leaderboard
    assert (row["series"], row["pooled"], row["transferred"]) == (4, None, None)
    assert row["transferred_share"] == 1.0  # shares are no such numbers


def test_a_detector_without_a_score_is_missing_and_still_listed(data, tmp_path):
    labels, scores = data["x/s00"]
    given = {"a": (labels, {**scores, "none": np.full(300, np.nan)})}
    found = rank(given, "auc_roc", out=tmp_path, **QUICK)
    assert found.detectors == ["blind", "fair", "good", "none"]
    line = found.leaderboard[-1]
    assert (line["detector"], line["missing"], line["failed"], line["seeds"]) == ("none", 1, 0, 1)
    assert line["pooled"] is None
    assert read_ranking(tmp_path).detectors == found.detectors


def test_a_first_series_that_cannot_be_read_does_not_choose_the_metrics(data):
    broken = {"a": ([0, 2], {"blind": [0.0, 1.0]}), **data}
    found = rank(broken, **QUICK)
    assert found.metrics[0] == "best(f1)"
    assert list(found.failed) == ["a"]


def test_wrong_use_is_refused(data):
    with pytest.raises(InputError, match="metrics must name at least one metric"):
        rank(data, [])
    with pytest.raises(InputError, match="jobs must be a whole number"):
        rank(data, jobs=0)
    with pytest.raises(InputError, match="chance must be True or False"):
        rank(data, chance="no")


def test_negative_values_and_those_of_which_less_is_better_keep_their_sign():
    labels = [0, 0, 1, 1, 0, 0, 0, 0]
    scores = {"bad": [1, 1, 0, 0, 1, 1, 0, 1], "good": [0, 0, 1, 1, 0, 0, 1, 0]}
    data = dict.fromkeys("abc", (labels, scores))
    ranking = aj.rank(data, ["mcc", "false_alarm_rate"], chance=False)
    found = {(row["metric"], row["detector"]): row for row in ranking.leaderboard}
    for metric in ranking.metrics:
        for name, column in scores.items():
            value = float(aj.metric(metric)(labels, column))
            row = found[metric, name]
            for word in ("mean", "median", "macro"):
                assert row[word] == pytest.approx(value), (metric, name, word)
            assert row["evidence"] == "too few to say: 3 series with one value"
    assert found["mcc", "bad"]["mean"] < 0
    first = [row["detector"] for row in ranking.leaderboard if row["mean_rank"] == 1]
    assert first == ["good", "good"]


def test_the_frame_of_wins_has_every_detector():
    labels, quiet, found = [0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]
    data = {"a": (labels, {"found": found, "quiet": quiet})}
    frame = rank(data, ["precision", "f1"], chance=False).to_frame("win_matrix")
    assert list(frame.columns) == ["metric", "detector", "found", "quiet"]
    assert frame["quiet"].tolist() == [1, 0, 1, 0]


def test_many_detectors_are_drawn_as_a_map_of_pairs():
    rng = np.random.default_rng(0)
    names = [f"d{d:02}" for d in range(16)]
    rows = {"series": [f"s{s:02}" for s in range(30) for _ in names], "detector": names * 30}
    values = rng.random((30, 16)) / 4 + np.arange(16) / 20
    found = aj.rank_values({**rows, "value": values.ravel().tolist()})
    axes = found.plot()
    shown = axes.images[0].get_array()
    order = [row["detector"] for row in found.mean_ranks]
    assert [label.get_text() for label in axes.get_yticklabels()] == order
    pairs = {(r["one"], r["other"]): r for r in found.comparisons}
    for i, j in ((0, 15), (3, 4), (15, 0)):
        pair = pairs[tuple(sorted((order[i], order[j])))]
        if pair["p_adjusted"] <= 0.05:
            sign = 1 if pair["one"] == order[i] else -1
            assert shown[i, j] == pytest.approx(sign * pair["difference"])
        else:
            assert np.ma.is_masked(shown[i, j])
    clear = sum(row["p_adjusted"] <= 0.05 for row in found.comparisons)
    assert f"{clear} of 120 pairs differ" in axes.get_title(loc="left")


def test_the_axis_of_the_diagram_ends_where_the_ranks_do():
    values = {"series": list("aabbcc"), "detector": ["x", "y"] * 3, "value": [1, 2, 2, 1, 2, 1]}
    more = {"series": [*values["series"], *"abc"], "detector": [*values["detector"], *"zzz"]}
    axes = aj.rank_values({**more, "value": [*values["value"], 0, 0, 0]}).plot()
    numbers = [text.get_text() for text in axes.texts if text.get_text().isdecimal()]
    assert numbers == ["1", "2", "3"]


def test_a_single_detector_can_be_drawn_without_a_critical_difference():
    ranking = rank({"a": ([0, 1, 0], {"x": [0, 1, 0]})}, "f1", chance=False)
    texts = [text.get_text() for text in ranking.plot().texts]
    assert "critical difference undefined; mean rank by f1, lower is better" in texts


def test_a_critical_difference_that_is_longer_than_the_axis_says_so():
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(0)
    for series, longer in ((3, True), (400, False)):
        frame = {
            "series": [f"s{k}" for k in range(series) for _ in range(9)],
            "detector": [f"d{k}" for k in range(9)] * series,
            "value": (rng.random((series, 9)) + (not longer) * np.arange(9)).ravel(),
        }
        axes = aj.rank_values(frame).plot()
        (text,) = [t.get_text() for t in axes.texts if "critical" in t.get_text()]
        assert ("(longer than the axis);" in text) == longer
