"""Users' data on the command line: time, gaps, codings, joined files, incidents and alerts."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from tests import on_call_story as story

import adjudge as aj
from adjudge.cli import main
from reporting.unpacked import payload

LABELS = np.tile(np.repeat([0, 1, 0], [10, 5, 10]), 4)
FLAGS = (np.random.default_rng(1).random(100) < 0.2).astype(int)
TIMES = pd.date_range("2026-01-01", periods=100, freq="7min")


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


def rows(*args):
    result = run(*args, "--json", "--no-chance")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def frame():
    return pd.DataFrame({"timestamp": TIMES, "label": LABELS, "score": FLAGS})


def test_times_are_shown(frame, tmp_path):
    frame.to_csv(tmp_path / "a.csv", index=False)
    found = rows("evaluate", tmp_path / "a.csv", "--metric", "f1", "--time", "timestamp")
    assert found["events"][0]["from"] == "2026-01-01 01:10"
    said = run("evaluate", tmp_path / "a.csv", "--metric", "f1", "--time", "timestamp").stdout
    assert "score: 2026-01-01 01:10 to 01:38:" in said
    assert "2026-01-01 01:10" in run("explain", tmp_path / "a.csv", "--time", "timestamp").stdout


def test_times_that_do_not_increase_are_refused_or_sorted(frame, tmp_path):
    mixed = frame.sample(frac=1, random_state=0)
    mixed.to_csv(tmp_path / "a.csv", index=False)
    asked = ("evaluate", tmp_path / "a.csv", "--metric", "f1_ba", "--time", "timestamp")
    assert "time must be strictly increasing" in run(*asked).stderr
    (row,) = rows(*asked, "--sort")["rows"]
    assert row["value"] == aj.f1_ba(LABELS, FLAGS)
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert "time column timestamp unused" in run("evaluate", tmp_path / "a.csv").stderr


def test_numbers_are_times_with_a_unit(frame, tmp_path):
    frame["timestamp"] = np.arange(100) * 60
    frame.to_csv(tmp_path / "a.csv", index=False)
    asked = ("evaluate", tmp_path / "a.csv", "--metric", "f1", "--time", "timestamp")
    assert rows(*asked, "--time-unit", "s")["events"][0]["from"] == "1970-01-01 00:10"
    assert "unit=" in run(*asked).stderr


GERMAN = "%d.%m.%Y %H:%M"


def test_times_in_other_forms_are_read_by_their_form(frame, tmp_path):
    frame["timestamp"] = TIMES.strftime(GERMAN)
    frame.to_csv(tmp_path / "a.csv", index=False)
    asked = ("evaluate", tmp_path / "a.csv", "--metric", "f1", "--time", "timestamp")
    assert "--time-format" in run(*asked).stderr
    found = rows(*asked, "--time-format", GERMAN)
    assert found["events"][0]["from"] == "2026-01-01 01:10"
    for verb in ("explain", "compare", "report"):
        told = run(verb, tmp_path / "none.csv", "--time", "timestamp", "--time-format", GERMAN)
        assert "none.csv: cannot be read" in told.stderr


def test_times_of_another_form_and_forms_without_times_are_told(frame, tmp_path):
    frame.to_csv(tmp_path / "a.csv", index=False)
    asked = ("evaluate", tmp_path / "a.csv", "--metric", "f1")
    for form in (GERMAN, "%q", "%", "(", "\x00", "%H" * 99):
        told = run(*asked, "--time", "timestamp", "--time-format", form)
        assert (told.exit_code, told.stderr.count("\n")) == (2, 2), told.stderr
        assert "timestamp must be of the form" in told.stderr
        assert "got '2026-01-01 00:00:00' at index 0" in told.stderr
    told = run(*asked, "--time-format", GERMAN)
    assert "--time-format has no effect without --time or --truth" in told.stderr


def test_incidents_in_other_forms_are_those_in_iso(tmp_path):
    times = pd.to_datetime(["2026-01-03 10:00", "2026-01-03 11:30"])
    moments = pd.to_datetime(["2026-01-03 10:41", "2026-01-07 12:00"])
    for name, form in (("iso", "%Y-%m-%d %H:%M"), ("german", GERMAN)):
        said = times.strftime(form)
        place = tmp_path / name
        place.mkdir()
        pd.DataFrame({"start": said[:1], "end": said[1:]}).to_csv(place / "t.csv", index=False)
        alerts = pd.DataFrame({"time": moments.strftime(form)})
        alerts.to_csv(place / "a.csv", index=False)
    span = ("--span", "2026-01-01", "2026-02-01")

    def found(name, *more):
        return rows("evaluate", "--truth", tmp_path / name / "t.csv", "--alerts",
                    tmp_path / name / "a.csv", *more)  # fmt: skip

    expected = found("iso", *span)
    assert expected == found("german", *span, "--time-format", GERMAN)
    german = ("--span", "01.01.2026 00:00", "01.02.2026 00:00")
    assert expected == found("german", *german, "--time-format", GERMAN)
    asked = ("evaluate", "--truth", tmp_path / "iso" / "t.csv", "--alerts")
    told = run(*asked, tmp_path / "iso" / "a.csv", *span, "--time-format", GERMAN)
    assert "t.csv: start must be of the form" in told.stderr


def test_missing_scores_are_left_out_and_counted(frame, tmp_path):
    frame["score"] = frame["score"].astype(float)
    frame.loc[:4, "score"] = np.nan
    frame.to_csv(tmp_path / "a.csv", index=False)
    (row,) = rows("evaluate", tmp_path / "a.csv", "--metric", "f1", "--missing", "skip")["rows"]
    assert row["skipped"] == 5
    assert row["value"] == aj.f1(LABELS, FLAGS, where=np.arange(100) > 4)
    said = run("evaluate", tmp_path / "a.csv", "--metric", "f1", "--missing", "skip").stdout
    assert "score: 5 points without a score left out" in said
    assert "--missing skip" in run("evaluate", tmp_path / "a.csv").stderr


def test_labels_that_are_words(frame, tmp_path):
    frame["label"] = np.where(LABELS, "anomaly", "normal")
    frame.to_csv(tmp_path / "a.csv", index=False)
    (row,) = rows("evaluate", tmp_path / "a.csv", "--metric", "f1", "--positive", "anomaly")["rows"]
    assert row["value"] == aj.f1(LABELS, FLAGS)


def test_a_folder_and_joined_files(frame, tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    frame.to_csv(folder / "a.csv", index=False)
    frame.to_parquet(folder / "b.parquet")
    assert [row["file"] for row in rows("evaluate", folder, "--metric", "f1")["rows"]] == [
        "a.csv",
        "b.parquet",
    ]
    frame[["timestamp", "label"]].to_csv(tmp_path / "labels.csv", index=False)
    frame[["timestamp", "score"]][::-1].to_csv(tmp_path / "mine.csv.gz", index=False)
    joined = ("--with", tmp_path / "mine.csv.gz", "--on", "timestamp")
    (row,) = rows("evaluate", tmp_path / "labels.csv", *joined, "--metric", "f1")["rows"]
    assert (row["detector"], row["value"]) == ("mine", aj.f1(LABELS, FLAGS))
    (tmp_path / "empty").mkdir()
    assert "in this folder" in run("evaluate", tmp_path / "empty").stderr


def test_each_series_beside_the_pooled_value(frame, tmp_path):
    frame["id"] = np.repeat(["a", "b"], 50)
    frame.to_csv(tmp_path / "a.csv", index=False)
    asked = ("evaluate", tmp_path / "a.csv", "--series", "id", "--per-series", "--metric", "f1")
    details = rows(*asked)["details"]
    values = [aj.f1(LABELS[half], FLAGS[half]) for half in (slice(0, 50), slice(50, 100))]
    assert [row["value"] for row in details] == [*values, np.mean(values)]
    said = run(*asked, "--no-chance").stdout
    assert "score by series" in said
    assert "mean over series" in said


def test_semicolons_and_decimal_commas(frame, tmp_path):
    frame.assign(score=frame["score"] + 0.5).to_csv(
        tmp_path / "a.csv", index=False, sep=";", decimal=","
    )
    asked = ("evaluate", tmp_path / "a.csv", "--metric", "f1", "--at", "1")
    (row,) = rows(*asked, "--sep", ";", "--decimal", ",")["rows"]
    assert row["value"] == aj.f1(LABELS, FLAGS)
    assert "say --sep ';'" in run(*asked).stderr


def test_a_benchmark_is_read_as_what_it_is(tmp_path):
    (tmp_path / "test_label").mkdir()
    (tmp_path / "test_label" / "m-1.txt").write_text("".join(f"{y}\n" for y in LABELS))
    (tmp_path / "scores" / "mine").mkdir(parents=True)
    np.save(tmp_path / "scores" / "mine" / "m-1.npy", FLAGS)
    asked = ("evaluate", tmp_path, "--with", tmp_path / "scores", "--metric", "f1")
    assert rows(*asked)["rows"][0]["value"] == aj.f1(LABELS, FLAGS)
    assert "read as SMD: labels of" in run(*asked).stderr


def incidents(tmp_path):
    (tmp_path / "incidents.csv").write_text(
        "start,end\n2026-01-03 10:00,2026-01-03 11:30\n2026-01-10 02:00,2026-01-10 02:45\n"
    )
    (tmp_path / "pager.csv").write_text(
        "timestamp\n2026-01-03 10:41\n2026-01-03 10:41\n2026-01-07 12:00\n"
    )
    span = ("--span", "2026-01-01", "2026-02-01")
    return (
        "evaluate", "--truth", tmp_path / "incidents.csv",
        "--alerts", tmp_path / "pager.csv", *span,
    )  # fmt: skip


def test_incidents_and_alerts(tmp_path):
    found = rows(*incidents(tmp_path))
    values = {row["metric"].partition("(")[0]: row["value"] for row in found["rows"]}
    assert (values["event_recall"], values["event_precision"]) == (0.5, 2 / 3)
    assert values["false_alarms"] == pytest.approx(7 / 31)
    assert [event["delay_time"] for event in found["events"]] == ["41 min", None]
    assert found["on_call"]["alerts_right"] == 2
    result = run(*incidents(tmp_path))
    assert result.stdout.startswith("1 of 2 incidents found; 1 false alarm in 31.0 watched days")
    assert "pager: 2, 2026-01-10 02:00 to 02:45: missed" in result.stdout
    assert "3 alerts in pager.csv (timestamp), 1 with the service and times of another" in (
        result.stderr
    )


def test_the_story_from_files(tmp_path):
    files = story.write(tmp_path)
    asked = ("evaluate", "--truth", files["incidents"], "--alerts", files["alerts"], "--outages",
             files["outages"], "--span", *story.SPAN)  # fmt: skip
    for every in ((), ("--every", "1h")):
        found = rows(*asked, *every)
        assert found["on_call"] == pytest.approx(story.COUNTS)
        assert found["sentences"][0].startswith("6 of 7 incidents found")
    assert rows(*asked, "--early", "5min")["on_call"] == pytest.approx(story.EARLY)
    local = ("--tz", "Europe/Berlin", "--span", "2026-10-19", "2026-11-02")
    shown = run(*asked[:-3], *local).stdout
    assert "missed: I6 (shop, 2026-10-27 14:00+01:00)" in shown
    assert "alerts: I3 shop, 2026-10-21 10:30+02:00 to 11:30+02:00: unwatched" in shown
    assert "alerts: I7 mail, 2026-10-28 05:00+01:00 to 07:00+01:00: found by alert P9" in shown
    assert rows(*asked, "--no-series")["on_call"]["found"] == 8


def test_columns_of_strangers(tmp_path):
    (tmp_path / "t.csv").write_text(
        "Nr;Dienst;Beginn;Ende\n1;api;14.03.2026 10:00;14.03.2026 11:00\n2;api;15.03.2026 10:00;\n"
    )
    (tmp_path / "a.jsonl").write_text(
        '{"at": 1773482700, "what": "api", "p": 0.5}\n{"at": 1773486000, "what": "api", "p": 1}\n'
    )
    (tmp_path / "none.csv").write_text("timestamp,service\n")
    columns = ("--truth-columns", "start=Beginn,end=Ende,id=Nr,service=Dienst", "--tz", "UTC",
               "--span", "2026-03-14", "2026-03-16")  # fmt: skip
    asked = ("evaluate", "--truth", tmp_path / "t.csv", *columns, "--alerts")
    names = ("--alerts-columns", "start=at,service=what,score=p", "--time-unit", "s")
    found = rows(*asked, tmp_path / "a.jsonl", *names)
    assert (found["on_call"]["found"], found["on_call"]["alerts_false"]) == (1, 1)
    assert [event["id"] for event in found["events"]] == ["1", "2"]
    silent = rows(*asked, tmp_path / "none.csv")
    assert silent["on_call"]["missed"] == 2
    for wrong, words in (
        ("start=at,finish=x", "unknown role of a column 'finish'"),
        ("start=when", "unknown column 'when'"),
        ("start", "--alerts-columns must be ROLE=COLUMN"),
    ):
        assert words in run(*asked, tmp_path / "a.jsonl", "--alerts-columns", wrong).stderr
    (tmp_path / "b.csv").write_text("start,score\n2026-03-14 10:00,high\n")
    assert "score must be a number, got 'high' in row 1" in run(*asked, tmp_path / "b.csv").stderr


def test_incidents_on_a_coarser_grid(tmp_path):
    found = rows(*incidents(tmp_path), "--every", "1h", "--metric", "f1_ba(width=3, margin=1)")
    span = ("2026-01-01", "2026-02-01")
    truth = aj.Events.from_times(
        [("2026-01-03 10:00", "2026-01-03 11:30"), ("2026-01-10 02:00", "2026-01-10 02:45")],
        span=span, every="1h",
    )  # fmt: skip
    alerts = aj.Events.from_times(["2026-01-03 10:41", "2026-01-07 12:00"], span=span, every="1h")
    assert found["rows"][0]["value"] == aj.f1_ba(truth, alerts, width=3, margin=1)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ((), "name a FILE, or give --truth FILE --alerts FILE --span"),
        (("--every", "1min"), "name a FILE, or give --truth FILE"),
        (("--truth", "a.csv"), "--truth takes --alerts FILE"),
        (("--truth", "a.csv", "--alerts", "b.csv"), "--span FROM TO, the"),
        (("x.csv", "--truth", "a.csv", "--span", "1", "2"), "--truth takes a FILE of scores, or"),
    ],
)
def test_half_of_incidents_is_refused(asked, words):
    assert words in run("evaluate", *asked).stderr


def test_tables_that_are_no_incidents_are_refused(tmp_path):
    asked = incidents(tmp_path)
    (tmp_path / "pager.csv").write_text("when\n2026-01-03\n")
    refused = run(*asked).stderr
    assert "must have the columns start and end (or stop), or one of" in refused
    assert "; name them, as in --alerts-columns start=when\n" in refused
    (tmp_path / "pager.csv").write_text("who\nme\n")
    assert "; name them, as in --alerts-columns start=COL\n" in run(*asked).stderr
    (tmp_path / "pager.csv").write_text("time\n2027-01-03\n")
    assert rows(*asked)["on_call"]["alerts_unwatched"] == 1
    (tmp_path / "pager.csv").write_text("time\n2026-01-03 00:00:00.000000001\n")
    assert rows(*asked)["on_call"]["alerts_false"] == 1
    (tmp_path / "pager.csv").write_text("time\nsoon\n")
    assert "pager.csv: start must be times such as" in run(*asked).stderr
    (tmp_path / "pager.csv").write_text("time\n2026-01-03\n")
    span = run(*asked[:-2], "soon", "2026-02-01").stderr
    assert "span: start must be times such as 2026-01-31 23:59:00, got 'soon'" in span
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "pager.csv").write_text("time\n2026-01-04\n")
    (tmp_path / "pager.csv").write_text("time\n2026-01-03\n")
    twice = run(*asked, "--alerts", tmp_path / "more" / "pager.csv")
    assert "two files of alerts have" in twice.stderr


def test_every_verb_takes_incidents(tmp_path):
    _, *asked = incidents(tmp_path)
    told = run("explain", *asked, "--metric", "detection_delay").stdout
    assert told.startswith("detection_delay = 41 min\n1 of 2 incidents found")
    assert "2026-01-03 10:00 to 11:30  found after 41 min by 1, 2 alerts" in told
    gridded = ("explain", *asked, "--every", "1min", "--metric")
    assert run(*gridded, "detection_delay").stdout == told
    assert "event 2026-01-03 10:00 to 11:29  found after 41 min" in run(*gridded, "f1").stdout
    assert "\nfrom     3440, 2026-01-03 09:20\n" in run(*gridded, "f1").stdout
    kept = json.loads(run("explain", *asked, "--metric", "event_f1", "--json").stdout)
    assert [row["outcome"] for row in kept["alarms"]] == ["right", "right", "false"]
    assert "right" in run("explain", *asked, "--metric", "event_f1", "--csv").stdout
    assert "| incident" in run("explain", *asked, "--metric", "event_f1", "--md").stdout
    (tmp_path / "rota.csv").write_text("timestamp\n2026-01-03 10:11\n2026-01-10 02:12\n")
    both = run("compare", *asked, "--alerts", tmp_path / "rota.csv", "--metric", "detection_delay")
    assert both.stdout.startswith("detection_delay: pager 41 min, rota 11 min 30 s\nrota is ahead")
    one = ("explain", *asked, "--alerts", tmp_path / "rota.csv", "--metric", "event_recall")
    assert "such as --score pager" in run(*one).stderr
    assert run(*one, "--score", "rota").stdout.startswith("event_recall = 1")
    assert "unknown alerts 'rotor'" in run(*one, "--score", "rotor").stderr
    page = tmp_path / "page.html"
    made = run("report", *asked, "--out", page, "--no-chance", "--metric", "event_recall")
    assert made.exit_code == 0, made.output
    shown = payload(page.read_text())
    assert shown["timed"]  # on an axis of time, not of points
    assert "best(event_recall)" not in json.dumps(shown)  # alerts are flags: there is no threshold
    for verb in ("explain", "compare", "report"):
        assert "name a FILE, or give --truth FILE --alerts FILE --span" in run(verb).stderr
        file = run(verb, tmp_path / "pager.csv", "--span", "2026-01-01", "2026-02-01")
        assert "is for incidents and alerts (--truth) or changes with times" in file.stderr


@pytest.mark.parametrize("verb", ["evaluate", "explain", "report"])
def test_durations_need_a_time_column(verb, frame, tmp_path):
    frame.to_csv(tmp_path / "a.csv", index=False)
    spec = 'tolerant_f1(tolerance="14min")'
    asked = (verb, tmp_path / "a.csv", "--metric", spec, "--at", "0.5")
    out = ("--out", tmp_path / "a.html") if verb == "report" else ("--json",)
    assert "got '14min'" in run(*asked, *out).stderr
    done = run(*asked, *out, "--time", "timestamp")
    assert done.exit_code == 0, done.output
    if verb != "report":
        found = json.loads(done.stdout)
        row = found["rows"][0] if verb == "evaluate" else found
        assert (row["metric"], row["value"]) == (spec, aj.tolerant_f1(LABELS, FLAGS, tolerance=2))


def test_compare_and_report_sort_by_time_and_leave_out_what_is_missing(frame, tmp_path):
    frame["other"] = np.roll(FLAGS, 2).astype(float)
    frame.loc[3, "other"] = np.nan
    frame.sample(frac=1, random_state=0).to_csv(tmp_path / "a.csv", index=False)
    asked = ("compare", tmp_path / "a.csv", "--score", "score", "--score", "other")
    how = ("--time", "timestamp", "--sort", "--missing", "skip", "--json")
    assert "time must be strictly increasing" in run(*asked, *how[:2], *how[3:]).stderr
    assert "--missing skip" in run(*asked, *how[:3], "--json").stderr
    found = json.loads(run(*asked, *how).stdout)
    where = np.arange(100) != 3
    known = aj.compare(LABELS, FLAGS, np.roll(FLAGS, 2), where=where)
    assert (found["a"], found["b"], found["p_value"]) == (known.a, known.b, known.p_value)
    plain = aj.compare(
        LABELS, FLAGS, frame["other"].to_numpy(), time=TIMES, missing="skip", sort=True
    )
    assert (plain.a, plain.b) == (known.a, known.b)
    page = tmp_path / "a.html"
    done = run("report", *asked[1:4], "--out", page, "--no-chance", *how[:3])
    assert done.exit_code == 0, done.output


def test_numbers_without_a_unit_are_an_axis_alone(frame, tmp_path):
    frame.assign(timestamp=np.arange(100) * 0.5).to_csv(tmp_path / "a.csv", index=False)
    page = tmp_path / "a.html"
    asked = ("report", tmp_path / "a.csv", "--time", "timestamp", "--out", page, "--no-chance")
    assert "--time-unit s" in run(*asked).stderr
    assert run(*asked, "--time-unit", "s").exit_code == 0
    aj.report(LABELS, FLAGS, path=page, time=np.arange(100) * 0.5, chance=False)


def test_a_ranking_is_of_points(frame, tmp_path):
    frame.to_csv(tmp_path / "a.csv", index=False)
    spec = 'tolerant_f1(tolerance="14min")'
    asked = ("rank", tmp_path / "a.csv", "--out", tmp_path / "out", "--metric", spec)
    assert "tolerance must be a number of points in a ranking, got '14min'" in run(*asked).stderr
