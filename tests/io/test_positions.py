"""Tables of positions: changes and alarms without a length, on the command line too."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import FileError, InputError
from adjudge.io.positions import read_positions, read_states


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "changes.csv").write_text("position\n100\n300\n700\n")
    (tmp_path / "alarms.csv").write_text("iloc,note\n104,a\n290,b\n290,c\n500,d\n")
    rows = [f"{int(i in (50, 51))},{int(i in (52, 53))},{'ab'[i > 49]},{i % 7}" for i in range(90)]
    (tmp_path / "stream.csv").write_text("\n".join(["drift,alarm,state,score", *rows]) + "\n")
    return tmp_path


def run(*arguments):
    found = CliRunner().invoke(main, [str(one) for one in arguments])
    return found.exit_code, found.stdout, found.stderr


def test_positions_are_read_by_any_of_their_names(folder):
    table = read_positions("changes.csv", ["alarms.csv"], 1000)
    assert table.labels.positions.tolist() == [100, 300, 700]
    assert table.scores["alarms"].positions.tolist() == [104, 290, 290, 500]
    assert (
        table.summary
        == "3 changes and 4 alarms on 1,000 points, 1 of them at the position of another"
    )


def test_alarms_that_stand_once_need_no_remark(folder):
    table = read_positions("changes.csv", ["changes.csv"], 1000)
    assert table.summary == "3 changes and 3 alarms on 1,000 points"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("position\n100\n1000\n", "the end is no change: drop it"),
        ("position\n300\n100\n", "positions must be ascending, got 100 at index 1"),
        ("position\n1.5\n", "positions must be whole numbers, got 1.5 at index 0"),
        ("position\nsoon\n", "got 'soon' at index 0; times take --span FROM TO in the place of"),
        (
            "place\n100\n",
            "must have a column position, index, iloc or changepoint, or the columns start",
        ),
    ],
)
def test_what_is_no_position_is_refused_with_its_file(folder, text, message):
    (folder / "bad.csv").write_text(text)
    with pytest.raises(FileError, match=message) as refused:
        read_positions("bad.csv", ["alarms.csv"], 1000)
    assert str(refused.value).startswith("bad.csv: ")


def test_two_detectors_have_two_names(folder):
    (folder / "other").mkdir()
    (folder / "other" / "alarms.csv").write_text("position\n1\n")
    with pytest.raises(FileError, match="two files of alerts have"):
        read_positions("changes.csv", ["alarms.csv", "other/alarms.csv"], 1000)


def test_positions_on_the_command_line(folder):
    code, out, err = run(
        "evaluate", "--truth", "changes.csv", "--alerts", "alarms.csv", "--length", 1000, "--json"
    )
    assert code == 0
    assert "3 changes and 4 alarms on 1,000 points" in err
    rows = {row["requested"]: row for row in json.loads(out)["rows"]}
    assert list(rows) == [
        "change_f1", "change_precision", "change_recall", "change_delay",
        "time_between_false_alarms",
    ]  # fmt: skip
    assert rows["change_recall"]["value"] == pytest.approx(1 / 3)
    assert rows["change_recall"]["always_on"] is None
    assert rows["change_recall"]["blind_level"] == 1


def test_positions_need_a_length_and_times_a_span(folder):
    for more in ((), ("--length", 1000, "--span", "2026-01-01", "2026-01-02")):
        code, _, err = run("evaluate", "--truth", "changes.csv", "--alerts", "alarms.csv", *more)
        assert code == 2
        assert "--span FROM TO" in err
        assert "--length N" in err


def test_an_unknown_detector_is_named(folder):
    code, _, err = run(
        "evaluate", "--truth", "changes.csv", "--alerts", "alarms.csv", "--length", 1000,
        "--score", "alarm",
    )  # fmt: skip
    assert code == 2
    assert "did you mean" in err.lower() or "alarms" in err


@pytest.mark.parametrize(
    ("label", "reading", "metric", "value"),
    [
        ("drift", "ones", "change_f1(margin=2)", 1),
        ("drift", "starts", "change_f1(margin=2)", 1),
        ("drift", "starts", "change_precision(margin=2)", 1),
        ("state", "states", "change_f1(margin=2)", 1),
    ],
)
def test_three_readings_of_a_column(folder, label, reading, metric, value):
    code, out, _ = run(
        "evaluate", "stream.csv", "--label", label, "--score", "alarm", "--changes", reading,
        "--metric", metric, "--no-chance", "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["rows"][0]["value"] == value


def test_states_need_their_column(folder):
    code, _, err = run("evaluate", "stream.csv", "--score", "alarm", "--changes", "states")
    assert code == 2
    assert "--changes states needs --label" in err
    assert read_states("stream.csv", "state").tolist()[48:51] == ["a", "a", "b"]


def test_scores_need_a_threshold_to_become_alarms(folder):
    given = ("evaluate", "stream.csv", "--label", "drift", "--score", "score", "--no-chance")
    given = (*given, "--changes", "starts")
    code, _, err = run(*given)
    assert code == 2
    assert "are changes and scores" in err
    code, out, _ = run(*given, "--metric", "best(change_f1(distance=9))", "--json")
    assert code == 0
    assert json.loads(out)["rows"][0]["chosen_by"] == "oracle"


def test_a_receipt_of_positions_and_no_page_of_points(folder):
    given = ("--truth", "changes.csv", "--alerts", "alarms.csv", "--length", 1000)
    code, out, _ = run("explain", *given, "--metric", "change_f1(margin=10)")
    assert code == 0
    assert "change at 300   alarm at 290, 10 early" in out
    code, _, err = run("report", *given, "--out", "page.html")
    assert code == 2
    assert "a report judges points, and changes have no length" in err


def answers(command, *given):
    """The values of a call of evaluate, by metric."""
    code, out, err = run(*command.split(), *given, "--no-chance", "--json")
    assert code == 0, err
    return {row["requested"]: row["value"] for row in json.loads(out)["rows"]}, err


TRUE, FOUND = [(118, 138), (400, 420)], [(120, 140), (130, 150), (700, 705)]
FORMS = {
    "found.csv": "start,end\n120,140\n130,150\n700,705\n",
    "found.json": json.dumps([{"start": a, "end": b} for a, b in FOUND[::-1]]),
    "pairs.json": json.dumps(FOUND),
    "found.jsonl": "\n".join(json.dumps({"start": a, "stop": b}) for a, b in FOUND),
}


@pytest.fixture
def intervals(folder):
    (folder / "truth.csv").write_text("start,end\n400,420\n118,138\n")
    for name, text in FORMS.items():
        (folder / name).write_text(text)
    return folder


METRICS = ("f1", "f1_ba", "event_recall", "affiliation_f1")


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("closed", [None, "left", "both"])
def test_intervals_by_position_are_those_of_python(intervals, name, closed):
    given = ("--alerts", name, "--length", 1000, *(("--closed", closed) if closed else ()))
    given += tuple(word for metric in METRICS for word in ("--metric", metric))
    found, said = answers("evaluate --truth truth.csv", *given)
    truth = aj.Events.from_intervals(TRUE, 1000, closed=closed)
    alarms = aj.Events.from_intervals(FOUND, 1000, closed=closed, merge=True)
    expected = aj.evaluate(truth, alarms.labels, METRICS, chance=False)
    assert found == {name: expected[name] for name in METRICS}
    assert ("--closed both includes them" in said) == (closed is None)
    assert "of which 1 overlaps another: joined" in said


def test_intervals_are_judged_by_every_verb(intervals):
    given = ("--truth", "truth.csv", "--alerts", "found.json", "--length", 1000)
    code, out, _ = run("explain", *given, "--metric", "event_f1")
    assert (code, "event_f1 = 0.5" in out) == (0, True)
    code, out, _ = run("compare", *given, "--alerts", "truth.csv", "--metric", "event_f1")
    assert (code, "truth is ahead by 0.5000" in out) == (0, True)
    code, *_ = run("report", *given, "--out", "page.html", "--no-chance")
    assert (code, (intervals / "page.html").exists()) == (0, True)


def test_positions_beside_intervals_are_points(intervals):
    (intervals / "points.json").write_text("[120, 121, 405]")
    (intervals / "none.json").write_text("[]")
    table = read_positions("truth.csv", ["points.json", "none.json"], 1000)
    assert np.flatnonzero(table.scores["points"]).tolist() == [120, 121, 405]
    assert not table.scores["none"].any()
    assert "3 positions in points.json, 0 positions in none.json" in table.summary
    table = read_positions("none.json", ["found.csv"], 1000)  # what the alarms are, the truth is
    assert (len(table.labels), int(table.scores["found"].sum())) == (0, 35)
    table = read_positions("changes.csv", ["none.json", "points.json"], 1000)
    assert [len(one) for one in table.scores.values()] == [0, 3]


def test_events_that_touch_stay_two_and_those_that_overlap_are_one(intervals):
    (intervals / "touch.csv").write_text("start,end\n10,20\n20,30\n40,60\n45,50\n55,70\n")
    table = read_positions("touch.csv", ["found.csv"], 1000)
    events = zip(table.labels.starts.tolist(), table.labels.stops.tolist(), strict=True)
    assert list(events) == [(10, 20), (20, 30), (40, 70)]
    assert "of which 2 overlap another: joined" in table.summary


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"start": 990, "end": 1001}]', r"events must be inside \[0, 1000\), got \[990, 1001\)"),
        ('[{"start": 10, "end": 5}]', "half-open with start < stop"),
        ('[{"start": 10, "end": null}]', "stops must be whole numbers, got None at index 0"),
        ('[{"start": "2026-01-01", "end": "2026-01-02"}]', "times take --span FROM TO"),
        ('{"anomalies": []}', "or the columns start and end, got none"),
        ('["a"]', "or the columns start and end, got none"),
    ],
)
def test_what_is_no_interval_is_refused_with_its_file(intervals, text, message):
    (intervals / "bad.json").write_text(text)
    with pytest.raises(FileError, match=message) as refused:
        read_positions("truth.csv", ["bad.json"], 1000)
    assert str(refused.value).startswith("bad.json: ")


def test_changes_take_no_intervals_and_positions_no_end(intervals):
    with pytest.raises(FileError, match=r"found.csv: alarms must be positions"):
        read_positions("changes.csv", ["found.csv"], 1000)
    with pytest.raises(InputError, match="closed must be left out with positions"):
        read_positions("changes.csv", ["alarms.csv"], 1000, closed="both")


TIMES = ["2026-01-03 10:00", "2026-01-12 08:00", "2026-01-20 12:00"]
WARNINGS = ["2026-01-16 03:00", "2026-01-03 08:30", "2026-01-12 07:10", "2026-02-20 12:00"]
SPAN = ("2026-01-01", "2026-02-01")


@pytest.fixture
def moments(folder):
    (folder / "deaths.csv").write_text("\n".join(["time", *TIMES]))
    (folder / "warnings.csv").write_text(
        "\n".join(["position,note", *(f"{t},x" for t in WARNINGS)])
    )
    return folder


@pytest.mark.parametrize("every", [None, "1h"])
def test_positions_with_times_are_those_of_python(moments, every):
    specs = ('change_f1(margin="3h")', 'warning_recall(max_lead="2h")', "time_between_false_alarms")
    given = ("--alerts", "warnings.csv", "--span", *SPAN, *(("--every", every) if every else ()))
    given += tuple(word for spec in specs for word in ("--metric", spec))
    found, said = answers("evaluate --truth deaths.csv", *given)
    how = {"span": SPAN, "every": every or "1min", "merge": True}
    inside = [time for time in WARNINGS if time < SPAN[1]]
    truth, alarms = aj.Changes.from_times(TIMES, **how), aj.Changes.from_times(inside, **how)
    expected = aj.evaluate(truth, alarms, specs, chance=False)
    assert found == {spec: expected[spec] for spec in specs}
    assert found[specs[0]] == pytest.approx(2 / 3)
    assert "3 changes and 3 alarms on " in said
    assert "1 outside the span left out" in said


def test_the_columns_of_moments_may_be_named(moments):
    (moments / "named.csv").write_text("changed\n03.01.2026 10:00\n")
    given = ("--alerts", "named.csv", "--span", *SPAN, "--truth-columns", "start=changed")
    given += ("--alerts-columns", "start=changed", "--time-format", "%d.%m.%Y %H:%M")
    assert answers("evaluate --truth named.csv", *given, "--metric", "change_recall")[0] == {
        "change_recall": 1
    }


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--outages", "dark.csv"), "--outages is for incidents and alerts (--truth), not for"),
        (("--every", "10d"), "changes must be in different steps, got two in one of 10 d"),
        (("--every", "1ns"), "every must give 1 to 20,000,000 steps in the span"),
        (("--metric", "f1"), "f1 judges points, and changes have no length"),
        (("--length", "9"), "--span is for incidents and alerts (--truth) or changes with times"),
    ],
)
def test_what_moments_do_not_have_is_refused(moments, more, message):
    code, out, err = run("evaluate", "--truth", "deaths.csv", "--alerts", "warnings.csv",
                         "--span", *SPAN, *more)  # fmt: skip
    assert message in out + err
    assert code == 2


def test_moments_of_services_and_of_a_verb_of_incidents(moments):
    (moments / "services.csv").write_text("time,service\n2026-01-03,a\n2026-01-04,b\n")
    given = ("--alerts", "warnings.csv", "--span", *SPAN)
    code, _, err = run("evaluate", "--truth", "services.csv", *given)
    assert (code, "must be of one service, got a, b" in err) == (2, True)
    code, _, err = run("decide", "--truth", "deaths.csv", *given, "--budget", "1/day")
    assert (code, "decide takes incidents, which have an end" in err) == (2, True)
    code, _, err = run(
        "evaluate", "--truth", "deaths.csv", "--alerts", "warnings.csv", "--span", 0, 9
    )
    assert (code, "positions take --length N in its place" in err) == (2, True)


def test_what_says_when_nobody_watched_has_starts_and_ends(moments):
    (moments / "dark.csv").write_text("note\nx\n")
    (moments / "long.csv").write_text("start,end\n2026-01-03,2026-01-04\n")
    given = ("--truth", "long.csv", "--alerts", "warnings.csv", "--span", *SPAN)
    code, _, err = run("evaluate", *given, "--outages", "dark.csv")
    assert (code, "dark.csv: must have the columns start and end (or stop), got note" in err) == (
        2, True,
    )  # fmt: skip
