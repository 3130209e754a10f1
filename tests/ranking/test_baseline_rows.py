"""Rows of reference in a leaderboard: judged like detectors, compared with, never ranked."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.noise.p_values import holm
from adjudge.ranking.baselines import ONE_LINERS, one_liners, periodic_alarms
from adjudge.ranking.collected import BASELINE, is_baseline
from adjudge.ranking.sources import Unit, with_baselines

BLIND = {"baseline: noise", "baseline: periodic alarms"}


def series(seed, n=300):
    """A spike in noise, seen by a good detector and by no jump; values, labels and scores."""
    rng = np.random.default_rng(seed)
    labels = np.zeros(n, int)
    labels[100 + seed : 112 + seed] = 1
    values = rng.standard_normal(n)
    scores = {"good": labels + 0.2 * rng.random(n), "weak": rng.random(n)}
    return labels, values, scores


def data(count=8, **more):
    found = {}
    for seed in range(count):
        labels, values, scores = series(seed)
        found[f"s{seed}"] = labels, {**scores, "value": values, **more}
    return found


@pytest.fixture(scope="module")
def ranking():
    return aj.rank(data(), "best(f1_ba)", chance=False, baselines=True, signal="value")


def lines(ranking):
    return {line["detector"]: line for line in ranking.leaderboard}


def test_they_are_judged_like_detectors_and_have_no_rank(ranking):
    found = lines(ranking)
    assert {name for name in found if not is_baseline(name)} == {"good", "weak"}
    named = {name.removeprefix(BASELINE) for name in found if is_baseline(name)}
    assert named - {"noise", "periodic alarms"} <= set(ONE_LINERS)
    assert {"jump", "high value", "noise", "periodic alarms"} <= named
    for name in named:
        assert math.isnan(found[BASELINE + name]["mean_rank"])
        assert found[BASELINE + name]["beats_baselines"] is None
    labels, values, _ = series(3)
    expected = aj.best(aj.f1_ba)(labels, one_liners(values)["jump"].scores)
    assert ranking.values_of("baseline: jump", "best(f1_ba)")["s3"] == pytest.approx(expected)
    alarms = aj.best(aj.f1_ba)(labels, periodic_alarms(300))
    assert ranking.values_of("baseline: periodic alarms", "best(f1_ba)")["s3"] == alarms


def exact(row):
    """Write a row to the last digit; NaN is equal to NaN then."""
    return repr(sorted(row.items()))


def test_they_change_nothing_about_the_others(ranking):
    plain = {n: (labels, {k: s for k, s in scores.items() if k != "value"})
             for n, (labels, scores) in data().items()}  # fmt: skip
    alone = aj.rank(plain, "best(f1_ba)", chance=False)
    for name, line in lines(alone).items():
        with_them = lines(ranking)[name]
        assert exact({key: with_them[key] for key in line}) == exact(line)
    pairs = {(row["one"], row["other"]): row for row in ranking.comparisons}
    assert exact(pairs["good", "weak"]) == exact(alone.comparisons[0])
    assert ranking.critical_difference == alone.critical_difference
    assert ranking.power().smallest == alone.power().smallest


def test_to_beat_them_is_to_beat_each(ranking):
    found = lines(ranking)
    assert found["good"]["beats_baselines"] is True
    assert found["weak"]["beats_baselines"] is False
    p_values = []
    for name in ("good", "weak"):
        own = [row for row in ranking.comparisons if name in {row["one"], row["other"]}]
        against = [row for row in own if is_baseline(row["one"]) or is_baseline(row["other"])]
        sides = [row["difference"] * (1 if row["one"] == name else -1) for row in against]
        p_values.append(
            max(r["p_value"] if d > 0 else 1 for r, d in zip(against, sides, strict=True))
        )
    expected = holm(np.array(p_values)).tolist()
    assert [found[n]["p_baselines"] for n in ("good", "weak")] == pytest.approx(expected)


def test_a_row_of_reference_that_lacks_series_does_not_count():
    found = data()
    for name, (labels, scores) in found.items():
        if name != "s0":
            scores["baseline: rare"] = np.full(len(labels), np.nan)
        else:
            scores["baseline: rare"] = labels.astype(float)
    ranking = aj.rank(found, "best(f1_ba)", chance=False, baselines=True, signal="value")
    assert lines(ranking)["baseline: rare"]["mean"] == 1
    assert lines(ranking)["good"]["beats_baselines"] is True


def test_all_of_them_lack_series():
    values = {"series": [*"abcde"] * 2, "detector": ["mine"] * 5 + ["baseline: x"] * 5,
              "value": [0.1, 0.2, 0.3, 0.4, 0.5, 0.1, None, None, None, None]}  # fmt: skip
    rows = [place for place, value in enumerate(values["value"]) if value is not None]
    some = {name: [column[place] for place in rows] for name, column in values.items()}
    (mine, _) = aj.rank_values(some).leaderboard
    assert (mine["detector"], mine["beats_baselines"]) == ("mine", None)


def test_lower_may_be_better():
    rng = np.random.default_rng(0)
    values = {"series": [f"s{k}" for k in range(12)] * 2,
              "detector": ["mine"] * 12 + ["baseline: x"] * 12,
              "value": [*rng.random(12), *(2 + rng.random(12))]}  # fmt: skip
    for better, beats in (("lower", True), ("higher", False)):
        ranking = aj.rank_values(values, better=better)
        assert lines(ranking)["mine"]["beats_baselines"] is beats
        assert any("the best is x, mean 2." in said for said in ranking.board().notes)


def test_against_chance_they_are_a_family_of_their_own():
    small = {name: (labels[:200], {k: s[:200] for k, s in scores.items()})
             for name, (labels, scores) in data(3).items()}  # fmt: skip
    ranking = aj.rank(small, "f1_ba", at="top(12)", shifts=19, baselines=True, signal="value")
    found = lines(ranking)
    assert found["good"]["p_adjusted"] == pytest.approx(
        min(1, 2 * found["good"]["p_value"]), abs=1e-12
    )
    assert "baseline" not in ranking.board().tables[0].title
    assert ranking.board().tables[0].title.startswith("2 detectors on 3 series")


def test_without_values_there_are_two():
    plain = {n: (labels, {"good": s["good"]}) for n, (labels, s) in data(4).items()}
    ranking = aj.rank(plain, "best(f1_ba)", chance=False, baselines=True)
    assert {name for name in ranking.detectors if is_baseline(name)} == BLIND
    assert "beats noise" in ranking.board().tables[0].head
    again = aj.rank(plain, "best(f1_ba)", chance=False, baselines=True)
    other = aj.rank(plain, "best(f1_ba)", chance=False, baselines=True, seed=1)
    noise = [one.values_of("baseline: noise", "best(f1_ba)") for one in (ranking, again, other)]
    assert noise[0] == noise[1] != noise[2]
    assert len(set(noise[0].values())) > 1  # another one on every series


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"signal": "value"}, "signal has no effect without baselines"),
        ({"baselines": True, "signal": 3}, "signal must be the name of a column, got 3"),
        ({"baselines": True, "sort": True}, "sort has no effect on baselines"),
        ({"baselines": True, "at": 0.5}, "at must be a rule with baselines"),
        ({"baselines": True, "at": {"good": 1.0, None: 0.5}}, "at must be a rule with baselines"),
        ({"baselines": 1}, "baselines must be True or False"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(aj.InputError, match=message):
        aj.rank(data(2), "f1_ba", chance=False, **options)


def test_a_signal_that_is_not_there_fails_the_series_with_the_reason():
    ranking = aj.rank(data(2), "best(f1)", chance=False, baselines=True, signal="speed")
    assert set(ranking.failed) == {"s0", "s1"}
    assert "signal must be a column of the data, got 'speed'" in ranking.failed["s0"]


def write(folder, count=3):
    for seed in range(count):
        labels, values, scores = series(seed)
        head = "value,label,score_good,score_weak"
        rows = zip(values, labels, scores["good"], scores["weak"], strict=True)
        text = "\n".join(",".join(map(repr, map(float, row))) for row in rows)
        (folder / f"s{seed}.csv").write_text(f"{head}\n{text}\n")


def test_files_tables_and_folders_give_the_same(tmp_path):
    (tmp_path / "files").mkdir()
    write(tmp_path / "files")
    options = {"metrics": "best(f1_ba)", "chance": False, "baselines": True, "signal": "value"}
    files = aj.rank(tmp_path / "files", **options)
    frame = {"series": [], "label": [], "value": [], "score_good": [], "score_weak": []}
    for seed in range(3):
        labels, values, scores = series(seed)
        file = tmp_path / "apart" / "labels" / f"s{seed}.csv"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines_ = "\n".join(f"{v!r},{k}" for v, k in zip(values.tolist(), labels, strict=True))
        file.write_text(f"value,label\n{lines_}\n")
        for name in ("good", "weak"):
            (tmp_path / "apart" / f"score_{name}").mkdir(exist_ok=True)
            np.save(tmp_path / "apart" / f"score_{name}" / f"s{seed}.npy", scores[name])
            frame[f"score_{name}"] += scores[name].tolist()
        frame["series"] += [f"s{seed}"] * len(labels)
        frame["label"] += labels.tolist()
        frame["value"] += values.tolist()
    frame = pd.DataFrame(frame)
    for other in (aj.rank(tmp_path / "apart", **options), aj.rank(frame, **options),
                  aj.rank(frame, scores=["score_good", "score_weak"], **options)):  # fmt: skip
        assert other.detectors == files.detectors
        for name in files.detectors:
            one = files.values_of(name, "best(f1_ba)")
            assert other.values_of(name, "best(f1_ba)") == pytest.approx(one)


def test_labels_beside_every_detector_have_no_signal(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.csv").write_text("label,score\n0,1\n1,2\n0,1\n")
    with pytest.raises(aj.InputError, match="signal must"):
        aj.rank(tmp_path, "auc_roc", chance=False, baselines=True, signal="value")


def test_a_benchmark_holds_its_signal(tmp_path):
    for seed in range(3):
        labels, values, scores = series(seed)
        name = f"00{seed + 1}_NAB_id_{seed + 1}_Facility_tr_20_1st_100"
        rows = "\n".join(f"{v!r},{k}" for v, k in zip(values.tolist(), labels, strict=True))
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data" / f"{name}.csv").write_text(f"Data,Label\n{rows}\n")
        (tmp_path / "scores" / "good").mkdir(parents=True, exist_ok=True)
        np.save(tmp_path / "scores" / "good" / f"{name}.npy", scores["good"])
    ranking = aj.rank(tmp_path / "data", "best(f1_ba)", chance=False, baselines=True,
                      score_folder=tmp_path / "scores")  # fmt: skip
    assert "baseline: jump" in ranking.detectors
    assert not ranking.failed
    named = aj.rank(tmp_path / "data", "best(f1_ba)", chance=False, baselines=True, signal="Data",
                    score_folder=tmp_path / "scores")  # fmt: skip
    assert named.detectors == ranking.detectors


def test_a_signal_of_another_length_fails_the_series():
    labels, values, scores = series(0)
    table = LabelledScores(labels, {"good": scores["good"]}, None, None, "s")
    unit = Unit("s", lambda: table, signals=lambda: {"value": values[:-1]})
    (found,) = with_baselines([unit], None, 0)
    with pytest.raises(
        aj.InputError, match=r"signal must be as long as the labels \(300\), got 299"
    ):
        found.read()


def test_the_command_line_and_the_folder(tmp_path):
    (tmp_path / "files").mkdir()
    write(tmp_path / "files")
    found = CliRunner().invoke(main, [
        "rank", str(tmp_path / "files"), "--out", str(tmp_path / "out"), "--no-chance",
        "--metric", "best(f1_ba)", "--baselines", "--signal", "value", "--md",
        "--html", str(tmp_path / "page.html"),
    ])  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "beats a one-liner" in found.stdout
    assert "| baseline: jump | reference |" in found.stdout
    assert "rows of reference (" in found.stdout
    assert "2 detectors on 3 series" in (tmp_path / "page.html").read_text("utf-8")
    again = aj.read_ranking(tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "ranking.json").read_text())["leaderboard"]
    (good,) = [row for row in rows if row["detector"] == "score_good"]
    assert lines(again)["score_good"]["p_baselines"] == good["p_baselines"]
    assert good["beats_baselines"] is False  # three series do not tell
    assert {row["baseline"] for row in rows} == {True, False}
