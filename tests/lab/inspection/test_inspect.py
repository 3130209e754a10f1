"""Inspect: a benchmark in, levels, suspects and a table out; and what is refused."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.lab.inspection import run
from adjudge.lab.inspection.agreement import (
    check_agreement,
    check_centres,
    check_seen,
    consensus,
    tail_score,
    unusual_share,
    voters,
)
from adjudge.lab.inspection.result import LEVELS, Inspection, Remark, Suspect
from adjudge.lab.inspection.series import InspectedSeries, SeriesColumns, read_series
from adjudge.stores.engines import Engine, Lost
from lab.inspection import naive_inspection as naive

QUICK = ["events", "windows"]


def at(n, *events):
    labels = np.zeros(n, int)
    for start, stop in events:
        labels[start:stop] = 1
    return labels


def table(seed=0, n=300):
    rng = np.random.default_rng(seed)
    start = int(rng.integers(60, 200))
    labels = at(n, (start, start + 20 + seed))
    values = rng.normal(size=n) + 3 * labels
    times = pd.date_range("2026-01-01", periods=n, freq="1h")
    scores = {f"score_{k}": values + rng.normal(size=n) for k in "ab"}
    return pd.DataFrame({"timestamp": times, "value": values, "label": labels, **scores})


@pytest.fixture(scope="module")
def memory():
    return {f"s{k}": (table(k).label, table(k).drop(columns="label")) for k in range(6)}


@pytest.fixture(scope="module")
def whole(memory):
    return aj.inspect(memory, shifts=19)


# -- the result -----------------------------------------------------------------------------------


def test_everything_is_checked_where_everything_is_known(whole):
    assert [row.check for row in whole if row.series is None] == list(run.CHECKS)
    assert {row.level for row in whole} <= set(LEVELS)
    assert len(whole.series) == 6
    assert whole["events"].value == 6
    assert len(whole) == len(whole.rows)
    assert "missing labels in 6 series (no pattern repeats there)" in whole.left_out
    line = whole.series[0]
    assert line["one_liner_chance"] < line["one_liner_value"] <= 1
    assert {"holes", "longest_constant", "patterns_repeat", "density"} <= set(line)


def test_labels_alone_are_enough_for_the_checks_of_labels():
    found = aj.inspect({f"s{k}": at(100, (30 + k, 40 + 2 * k)) for k in range(7)})
    assert found.left_out.startswith("Not checked: times (no times")
    assert "one-liners" in found.not_checked
    assert "moved labels (neither readings nor scores" in found.left_out
    assert found.left_out.endswith("whether the labels are right, beyond these signs.")
    assert "holes" not in found.series[0]
    with pytest.raises(UnknownName, match="one-liners"):
        found["one-liners"]


def test_it_never_says_that_a_benchmark_is_good(whole):
    free = Inspection((Remark("events", "fine", "Yes."),), (), (), {})
    assert free.verdict == "No flaw was found."
    for text in (str(whole), str(free), free.left_out):
        assert "good" not in text
        assert "Not checked: " in text or text is free.left_out


def test_a_verdict_names_each_check_once_at_its_worst():
    rows = (
        Remark("density", "look", "a"), Remark("density", "flaw", "b", "s1"),
        Remark("windows", "cannot say", "c"), Remark("ends", "look", "d"),
    )  # fmt: skip
    found = Inspection(rows, (), (), {})
    assert found.verdict == "Flaws: density. To look at: ends. Cannot say: windows."
    assert found.of("flaw") == ["density"]
    assert found["density"].says == "a"
    with pytest.raises(InputError, match="level must be"):
        found.of("bad")


def test_json_frames_and_html(whole, tmp_path):
    read = json.loads(whole.to_json())
    assert set(read) == {"rows", "suspects", "series", "verdict", "not_checked", "left_out"}
    assert read["rows"][0]["p_value"] is None
    frame = whole.to_frame()
    assert list(frame.columns)[:3] == ["check", "level", "says"]
    assert len(whole.to_frame("series")) == 6
    assert whole.to_frame("suspects", "polars").columns[0] == "series"
    with pytest.raises(InputError, match="what must be"):
        whole.to_frame("rest")
    assert "<table" in whole._repr_html_()
    page = whole.to_html(tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_the_page_draws_suspects_and_escapes_names(tmp_path):
    name = "<b>&'\u202e"
    values = np.arange(200.0)
    data = (
        InspectedSeries(name, at(200, (150, 160)) == 1, {"value": values}, {}, None, 60),
        InspectedSeries("plain", at(90, (50, 60)) == 1, {}, {}),
    )
    suspects = tuple(
        Suspect(one.name, 40, 50, None if one is data[0] else "2026-01-01", "missing", "so <i>")
        for one in data
    )
    rows = (Remark("density", "flaw", "x & y"), Remark("density", "flaw", "z", name))
    found = Inspection(rows, suspects * 40, ({"series": name, "share": 0.5, "unseen": True},), {},
                       data)  # fmt: skip
    page = found.to_html(tmp_path / "page.html").read_text()
    assert "<b>" not in page
    assert "<i>" not in page
    assert "20 more are in the JSON" in page
    assert page.count("<svg") == 60
    assert "Single series" in page
    assert "2026-01-01" in page
    many = str(found)
    assert "to look at, 12 of 80" in many


def test_p_values_are_adjusted_over_the_checks_that_test():
    rows = run._adjusted([  # noqa: SLF001
        Remark("a", "flaw", "", p_value=0.01), Remark("b", "fine", ""),
        Remark("c", "fine", "", p_value=0.03),
    ])  # fmt: skip
    assert rows[0].p_adjusted == pytest.approx(0.02)
    assert math.isnan(rows[1].p_adjusted)
    assert rows[2].p_adjusted == pytest.approx(0.03)


# -- what is asked --------------------------------------------------------------------------------


def test_checks_are_chosen_by_name(memory):
    found = aj.inspect(memory, checks=["windows", "events"])
    assert [row.check for row in found] == QUICK
    assert found.not_checked["one-liners"] == "not asked for"
    assert found.to_json() == aj.inspect(memory, checks=QUICK).to_json()
    with pytest.raises(UnknownName, match="windws"):
        aj.inspect(memory, checks=["windws"])
    with pytest.raises(InputError, match="check 'one-liners' cannot be made: no readings"):
        aj.inspect({"a": at(9, (2, 3))}, checks=["one-liners"])
    assert [row.check for row in aj.inspect(memory, checks="windows")] == ["windows"]


def test_a_line_without_long_work(memory):
    line = aj.inspect(memory, checks=["one-liners"], shifts=19).series[0]
    assert line["one_liner"]
    only = aj.inspect({"a": (at(60), np.arange(60))}, checks=["one-liners"])
    assert only["one-liners"].level == "cannot say"
    assert "one-liners in 1 series (no events" in only.left_out
    assert "one_liner" not in only.series[0]
    assert "patterns_repeat" not in only.series[0]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"shifts": 5}, "shifts must be"),
        ({"seed": -1}, "seed must be"),
        ({"train_length": -3}, "train_length must be a number of points or a share"),
        ({"train_length": 1.5}, "train_length must be"),
        ({"train_length": "a"}, "train_length must be"),
        ({"signal": [3]}, "signal must be names"),
        ({"scores": "no_such"}, "no_such"),
        ({"progress": 3}, "progress must be"),
    ],
)
def test_wrong_settings_are_named(memory, how, message):
    with pytest.raises((InputError, UnknownName), match=message):
        aj.inspect(memory, **how)
    with pytest.raises(TypeError, match="Did you mean 'signal'"):
        aj.inspect(memory, signl="value")


def test_progress_and_several_processes_give_the_same(memory, whole):
    said = []
    found = aj.inspect(memory, shifts=19, progress=lambda done, total: said.append((done, total)))
    assert said[-1] == (12, 12)
    assert found.to_json() == whole.to_json()
    assert aj.inspect(memory, shifts=19, jobs=2).to_json() == whole.to_json()


def test_a_worker_that_dies_is_an_error(memory, monkeypatch):
    def dying(_, __, pieces):
        yield from ((piece, Lost(3)) for piece in pieces)

    monkeypatch.setattr(Engine, "do", dying)
    with pytest.raises(InputError, match="workers must"):
        aj.inspect(memory)


def test_all_of_a_short_series_may_be_for_training():
    assert aj.inspect({"a": at(50, (30, 40))}, train_length=0.5).series[0]["judged"] == 25
    found = aj.inspect({"a": at(50, (30, 40))}, train_length=60)
    assert found.series[0]["judged"] == 0
    assert found["events"].level == "flaw"
    assert found["events"].says == "No point is judged: all are for training (--train-length)."
    some = aj.inspect({"a": at(50, (30, 40)), "b": at(90)}, train_length=60)
    assert some["events"].says == "No series has an event: nothing can be found."


@pytest.mark.parametrize("known", ["readings", "scores"])
def test_labels_that_are_moved_beside_a_series_without_events(known):
    rng, data = np.random.default_rng(0), {}
    for k in range(12):
        values = rng.normal(size=900)
        values[400:430] *= 6
        readings = {"value": values} if known == "readings" else {}
        scores = {f"d{n}": np.abs(values) + rng.normal(size=900) for n in range(3)}
        columns = readings or scores
        data[f"s{k}"] = (at(900, (412, 442)), columns)
        data[f"calm{k}"] = (at(900), {name: rng.normal(size=900) for name in columns})
    found = aj.inspect(data, checks=["moved labels"])["moved labels"]
    assert found.level == "flaw"
    assert "too late" in found.says


def test_what_was_left_out_and_why(monkeypatch):
    rng = np.random.default_rng(0)
    labels = at(400, (100, 120))
    data = {
        "read": (labels, rng.normal(size=400)),
        "none": labels,
        "calm": (at(400), rng.normal(size=400)),
        "long": (at(900, (100, 120)), rng.normal(size=900)),
    }
    monkeypatch.setattr("adjudge.lab.inspection.discords.MOST_POINTS", 500)
    found = aj.inspect(data, checks=["one-liners", "missing labels"], shifts=19)
    for words in (
        "one-liners in 2 series (no readings in 1, no events between normal points in 1)",
        "missing labels in 4 series (no pattern repeats there in 2, no readings in 1, more than "
        "500 points in 1)",
    ):
        assert words in found.left_out
    assert found["missing labels"].says == (
        "Patterns repeat in 0 of 3 series; 1 longer one is left out (more than 500 points)."
    )


# -- what is read ---------------------------------------------------------------------------------


def one(data, **how):
    (found,) = read_series(data, SeriesColumns(**how))
    return found


def test_series_in_memory(memory):
    own = read_series(memory, SeriesColumns())[0]
    assert list(own.values) == ["value"]
    assert list(own.scores) == ["score_a", "score_b"]
    assert own.time(0) == "2026-01-01 00:00"
    assert list(one({"a": (at(9), {"x": range(9), "mine": range(9)})}, signal=("x",)).scores) == [
        "mine"
    ]
    some = one({"a": (at(9), {"x": range(9), "y": range(9)})}, signal=("x",), scores=("y",))
    assert list(some.scores) == ["y"]
    assert one({"a": (at(9), np.arange(9))}).signal.tolist() == list(range(9))
    assert one({"a": at(9)}).signal is None
    assert one({"a": (at(9), np.arange(9))}).time(3) is None


def test_a_frame_is_one_series_or_several():
    frame = table()
    own = one(frame)
    assert (own.name, list(own.values), list(own.scores)) == (
        "data", ["value"], ["score_a", "score_b"],
    )  # fmt: skip
    long = pd.concat([table(k).assign(series=f"s{k}") for k in (2, 1)])
    assert [found.name for found in read_series(long, SeriesColumns())] == ["s2", "s1"]
    named = long.rename(columns={"series": "id"})
    assert [found.name for found in read_series(named, SeriesColumns(series="id"))] == ["s2", "s1"]
    assert one(dict(table())).name == "data"
    with pytest.raises(UnknownName, match="sensor"):
        one(frame, signal=("sensor",))
    with pytest.raises(UnknownName, match="when"):
        one(frame, time="when")


def test_files_folders_and_long_tables(tmp_path):
    for k in range(2):
        table(k).to_csv(tmp_path / f"s{k}.csv", index=False)
    (tmp_path / "notes.md").write_text("not a table")
    names = [found.name for found in read_series(tmp_path, SeriesColumns())]
    assert names == ["s0", "s1"]
    own = one(tmp_path / "s0.csv", time="timestamp", signal=("val*",), scores=("score_b",))
    assert (list(own.values), list(own.scores)) == (["value"], ["score_b"])
    both = read_series([tmp_path / "s0.csv", str(tmp_path / "s1.csv")], SeriesColumns())
    assert [found.name for found in both] == names
    long = pd.concat([table(k).assign(id=k) for k in range(3)])
    long.to_parquet(tmp_path / "long.parquet")
    assert len(read_series(tmp_path / "long.parquet", SeriesColumns(series="id"))) == 3
    table(0).to_csv(tmp_path / "s0.txt", index=False, sep=";")
    semicolons = one(tmp_path / "s0.txt", sep=";")
    assert (semicolons.n, list(semicolons.values)) == (own.n, ["value"])
    judged = table(0).assign(judged=lambda t: (np.arange(len(t)) >= 7).astype(int))
    judged.to_csv(tmp_path / "judged.csv", index=False)
    assert one(tmp_path / "judged.csv", where="judged").first == 7
    assert one(judged.assign(judged=0), where="judged").first == len(judged)
    with pytest.raises(InputError, match=r"judged of data must be 0 at the beginning .* point 9;"):
        one(judged.assign(judged=[*[0] * 7, 1, 1, 0, *[1] * (len(judged) - 10)]), where="judged")
    held = {"a": (judged["label"], judged[["value", "judged"]])}
    assert (one(held, where="judged").first, one(held, where="judged").scores) == (7, {})
    with pytest.raises(UnknownName, match="unknown column 'none'"):
        one(held, where="none")
    with pytest.raises(InputError, match="where must be left out with train_length"):
        aj.inspect(held, where="judged", train_length=3)
    with pytest.raises(InputError, match="score_folder has no effect"):
        one(tmp_path / "s0.csv", score_folder=str(tmp_path))
    with pytest.raises(FileError, match="nothing of that name"):
        one(tmp_path / "none.csv")
    with pytest.raises(InputError, match="name per series, got 's0' twice"):
        read_series([tmp_path / "s0.csv", tmp_path / "s0.csv"], SeriesColumns())


def test_a_column_that_no_file_has_is_refused_with_those_that_it_has(tmp_path):
    table().to_csv(tmp_path / "s0.csv", index=False)
    there = "unknown column 'none'; .* has the columns 'timestamp', 'value', 'label'"
    for reading in (SeriesColumns(signal=("none",)), SeriesColumns(scores=("none",))):
        with pytest.raises(UnknownName, match=there):
            read_series(tmp_path / "s0.csv", reading)
    (own,) = read_series(tmp_path / "s0.csv", SeriesColumns(signal=("val*",)))
    assert list(own.values) == ["value"]
    with pytest.raises(FileError, match="'label' must have one role"):
        read_series(tmp_path / "s0.csv", SeriesColumns(signal=("label",)))


def test_times_that_go_back_are_reported_and_not_refused(tmp_path):
    table().iloc[::-1].to_csv(tmp_path / "back.csv", index=False)
    found = aj.inspect(tmp_path / "back.csv", checks=["times"])
    assert "299 steps back in 1 series" in found["times"].says


def test_a_time_that_is_a_counter_or_no_time_is_no_clock():
    own = one({"a": (at(9), {"value": range(9), "time": ["x"] * 9})})
    assert own.clock is None
    with pytest.raises(InputError, match="timestamp of a must be as long as the labels"):
        one({"a": (at(9), {"timestamp": pd.date_range("2026", periods=4)})})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "data must be a path, a data frame"),
        ([3], "data must be a path"),
        ({}, "at least one series"),
        ({"a": [0, 2, 1]}, r"labels of a must be 0 or 1, got 2 at point 1"),
        ({"a": (at(9), {"value": range(4)})}, "value of a must be as long as the labels"),
    ],
)
def test_what_cannot_be_read_is_named(data, message):
    with pytest.raises(InputError, match=message):
        read_series(data, SeriesColumns())


def test_training_parts_are_points_or_shares_or_known_by_the_layout(tmp_path):
    assert one({"a": at(200)}, train_length=30).first == 30
    assert one({"a": at(200)}, train_length=0.15).first == 30
    name = "001_UCR_Anomaly_sine_80_151_160.txt"
    (tmp_path / name).write_text("\n".join(map(str, np.sin(np.arange(300) / 5))))
    own = one(tmp_path)
    assert own.first == 80
    assert own.judged == 220
    assert [side.tolist() for side in own.events] == [[150], [160]]
    assert list(own.values) == ["value"]
    assert one(tmp_path, train_length=0).first == 0


def test_a_folder_of_tsb_ad_with_its_sensors(tmp_path):
    name = "001_SMD_id_1_Facility_tr_40_1st_60"
    frame = pd.DataFrame({"col_0": np.arange(100.0), "col_1": 1.0, "Label": at(100, (60, 70))})
    frame.loc[5, "col_1"] = np.nan
    frame.to_csv(tmp_path / f"{name}.csv", index=False)
    own = one(tmp_path)
    assert (own.name, own.first, own.n) == (f"SMD/{name}", 40, 100)
    assert list(own.values) == ["col_0", "col_1"]
    assert list(one(tmp_path, signal=("col_1",)).values) == ["col_1"]
    scores = tmp_path / "scores" / "mine"
    scores.mkdir(parents=True)
    np.save(scores / f"{name}.npy", np.arange(99))  # of the rows without a gap
    own = one(tmp_path, score_folder=str(tmp_path / "scores"))
    with pytest.raises(InputError, match="a benchmark that knows what is judged, got 'judged'"):
        one(tmp_path, score_folder=str(tmp_path / "scores"), where="judged")
    assert own.n == 99
    assert list(own.scores) == ["mine"]
    assert len(own.values["col_0"]) == 99  # noqa: PD011


def test_nab_is_read_with_its_readings_and_without_results(tmp_path):
    times = pd.date_range("2014-01-01", periods=200, freq="5min").astype(str)
    (tmp_path / "labels").mkdir()
    windows = {"real/one.csv": [[times[100], times[109]]]}
    (tmp_path / "labels" / "combined_windows.json").write_text(json.dumps(windows))
    (tmp_path / "data" / "real").mkdir(parents=True)
    rows = pd.DataFrame({"timestamp": times, "value": np.arange(200) % 7})
    rows.to_csv(tmp_path / "data" / "real" / "one.csv", index=False)
    own = one(tmp_path)
    assert (own.name, own.first, own.time(100)) == ("real/one", 30, "2014-01-01 08:20")
    assert own.events[0].tolist() == [100]
    assert not own.scores
    folder = tmp_path / "results" / "mine" / "real"
    folder.mkdir(parents=True)
    rows.assign(anomaly_score=0.5).to_csv(folder / "mine_one.csv", index=False)
    assert list(one(tmp_path).scores) == ["mine"]
    (tmp_path / "data" / "real" / "one.csv").unlink()
    assert not one(tmp_path).values  # noqa: PD011
    with pytest.raises(UnknownName, match="yours"):
        one(tmp_path, scores=("yours",))


# -- what detectors agree on ----------------------------------------------------------------------


def scored(labels, name="a", first=0, **scores):
    columns = {key: np.asarray(own, float) for key, own in scores.items()}
    return InspectedSeries(name, np.asarray(labels) == 1, {}, columns, None, first)


@pytest.mark.parametrize("seed", range(4))
def test_tail_scores_are_those_of_the_definition(seed):
    scores = np.random.default_rng(seed).integers(0, 5, 30).astype(float)
    np.testing.assert_allclose(tail_score(scores), naive.tail_score(scores), atol=1e-12)
    assert tail_score(scores, 10)[:10].tolist() == [0] * 10
    assert tail_score(scores, 30).tolist() == [0] * 30


def test_detectors_that_say_the_same_are_one_voter():
    rng = np.random.default_rng(0)
    some = []
    for k in range(3):
        a, b = rng.normal(size=(2, 200))
        some.append(
            scored(at(200, (50, 60)), f"s{k}", one=a, like=a + 0.3 * b, other=b, still=a * 0)
        )
    assert voters(some) == [["one", "like"], ["other"]]
    some[1] = scored(np.ones(200), "s1", **some[1].scores)
    assert voters(some) == [["one", "like"], ["other"]]
    some[2] = scored(np.ones(200), "s2", **some[2].scores)
    assert len(voters(some)) == 3  # on average they are not alike, where nothing is normal


def test_agreement_is_the_mean_over_voters_of_the_highest_nearby():
    one_, other = np.zeros(60), np.zeros(60)
    one_[20], other[24] = 1, 1
    own = scored(at(60), one=one_, other=other)
    level = consensus(own, [["one"], ["other"]])
    assert level[22] == pytest.approx(math.log(60))
    assert level[17] == pytest.approx(math.log(60) / 2)


def test_events_that_nobody_and_that_everybody_sees():
    rng = np.random.default_rng(0)
    scores = rng.random((2, 400))
    scores[:, 105] = 9
    own = scored(at(400, (100, 110), (300, 310)), one=scores[0] - 5 * at(400, (300, 310)),
                 other=scores[1] - 5 * at(400, (300, 310)))  # fmt: skip
    shares = unusual_share(own, ["one", "other"])
    assert (shares[0] < 0.01).all()
    assert (shares[1] == 1).all()
    found = check_seen([own], [["one"], ["other"]])
    assert found.findings[0].says == (
        "Of 2 events 1 is seen by no detector, 1 by all 2. A detector sees an event if at most a "
        "tenth of the unlabelled stretches of that length score as high."
    )
    assert [(one.start, one.kind, one.evidence) for one in found.suspects] == [
        (300, "unseen", "no detector stands out here: even one scores as high on 100 % of the "
         "unlabelled stretches of this length")
    ]  # fmt: skip
    alone = check_seen([own], [["other"]])
    assert alone.findings[0].says.startswith("other sees 1 of 2 events. A detector sees")
    assert alone.suspects[0].evidence.startswith("other does not stand out here: it scores as high")
    helped = scored(own.labels, other=own.scores["other"], third=own.labels.astype(float))
    assert (
        check_seen([helped], [["other"], ["third"]])
        .findings[0]
        .says.startswith("Of 2 events each is seen by at least one detector, 1 by all 2.")
    )
    assert check_seen([scored(at(40), one=np.ones(40))], [["one"]]).findings[0].level == (
        "cannot say"
    )
    seen = scored(at(400, (100, 110)), one=scores[0])
    assert check_seen([seen], [["one"]]).findings[0].level == "fine"


def test_where_detectors_agree_without_a_label_is_listed_and_no_flaw():
    level = np.random.default_rng(0).random(600)
    level[[104, 304, 404]] = 5, 7, 6.5
    own = scored(at(600, (100, 110), (300, 310)), mine=level)
    found = check_agreement([own], {"a": level}, [["mine"], ["other"]])
    assert found.findings[0].level == "look"
    assert [(one.start, one.stop, one.level) for one in found.suspects] == [(399, 409, "look")]
    level[404] = 0
    assert check_agreement([own], {"a": level}, [["mine"], ["other"]]).findings[0].level == "fine"


def test_one_detector_agrees_with_nobody():
    own = scored(at(600, (100, 110)), mine=np.arange(600))
    level = {"a": np.arange(600.0)}
    assert check_agreement([own], level, [["mine"]]).findings[0].level == "cannot say"
    assert check_centres([own], level, [["mine"]]).findings[0].level == "cannot say"


def test_labels_around_something_shorter():
    level = np.zeros(300)
    level[[55, 155, 255]] = 1
    centred = scored(at(300, (50, 61), (150, 161), (250, 261)))
    assert check_centres([centred], {"a": level}, [["x"], ["y"]]).findings[0].level == "look"
    late = scored(at(300, (55, 66), (155, 166), (255, 266)))
    assert check_centres([late], {"a": level}, [["x"], ["y"]]).findings[0].level == "fine"
    assert (
        check_centres([scored(at(300, (5, 7)))], {"a": level}, [["x"], ["y"]]).findings[0].level
        == "cannot say"
    )


@pytest.mark.parametrize(
    ("data", "given"),
    [
        ({"a": ([0, 1], {"x": [0, 1]})}, {"label": "y"}),
        ({"label": [0, 1], "x": [0, 1]}, {"sep": ";"}),
    ],
    ids=["series", "table"],
)
def test_how_files_are_read_is_refused_with_data_in_memory(data, given):
    (name,) = given
    with pytest.raises(InputError, match=f"{name} must be left out with .* in memory"):
        aj.inspect(data, **given)
