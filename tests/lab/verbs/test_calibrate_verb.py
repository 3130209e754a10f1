"""The verb calibrate: a sentence, a table, JSON; and wrong use."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from adjudge.cli import main

FEW = ("--versions", "20", "--draws", "20")


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(0)
    labels = np.zeros(600, int)
    for start in (40, 130, 207, 333, 460, 551):
        labels[start : start + 8] = 1
    scores = (rng.normal(size=600) + 2 * labels).round(4)
    times = pd.date_range("2026-01-01", periods=600, freq="1h")
    path = tmp_path / "scores.csv"
    table = {"label": labels, "score": scores, "other": rng.random(600).round(4), "when": times}
    pd.DataFrame(table).to_csv(path, index=False)
    return path


def run(*args):
    return CliRunner().invoke(main, ["calibrate", *map(str, args)])


def test_it_says_in_one_sentence_how_often_verdict_and_interval_are_right(file):
    done = run(file, "--best", *FEW)
    assert done.exit_code == 0, done.output
    assert "verdicts by best(f1_ba(width=9" in done.stdout
    assert "on data like yours" in done.stdout
    assert "moved elsewhere in time, all together" in done.stdout
    assert "same hour" not in done.stdout


def test_json_and_csv_have_the_numbers(file):
    asked = (file, "--at", "1.5", "--score", "score", "--score", "other", *FEW)
    whole = json.loads(run(*asked, "--json").stdout)
    assert [row["detector"] for row in whole["rows"]] == ["score", "other"]
    rows = list(csv.DictReader(run(*asked, "--csv").stdout.splitlines()))
    assert [row["versions"] for row in rows] == ["20", "20"]
    assert [float(row["error"]) for row in rows] == [row["error"] for row in whole["rows"]]
    assert "| detector | blind versions |" in run(*asked, "--md").stdout
    assert r"\toprule" in run(*asked, "--latex").stdout


@pytest.mark.parametrize("period", [("--time", "when"), ("--period", "24")])
def test_a_day_is_known_by_the_time_or_by_the_period(file, period):
    found = json.loads(run(file, "--at", "1.5", "--json", *period, *FEW).stdout)
    assert "whole periods" in found["rows"][0]["kinds"]


def test_incidents_and_alerts_are_calibrated_too(tmp_path):
    for name, hours in (("incidents", (3, 40, 77, 110)), ("alerts", (4, 41, 90, 111))):
        days = [f"2026-01-{1 + hour // 24:02} {hour % 24:02}:00" for hour in hours]
        ends = [day.replace(":00", ":50") for day in days]
        pd.DataFrame({"start": days, "end": ends}).to_csv(tmp_path / f"{name}.csv", index=False)
    truth = ("--truth", tmp_path / "incidents.csv", "--alerts", tmp_path / "alerts.csv")
    truth = (*truth, "--span", "2026-01-01", "2026-01-08")
    done = run(*truth, *FEW, "--every", "10min")
    assert done.exit_code == 0, done.output
    assert "on data like yours" in done.stdout
    in_time = run(*truth, "--versions", "20", "--metric", "event_f1")
    assert in_time.exit_code == 0, in_time.output
    assert "no interval was tested" in " ".join(in_time.stdout.split())
    refused = run(*truth, *FEW)
    assert refused.exit_code == 2
    assert "events are drawn again on a grid alone; say every=" in refused.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "at=<threshold> (--at X)"),
        (("--best", "--versions", "5"), "versions must be a whole number, at least 20, got 5"),
        (("--best", "--period", "soon"), "period must be"),
        (("--best", "--metric", "ap"), "--best has no effect on ap"),
        (("--at", "1", "--judged", "test"), "No such option"),
    ],
)
def test_wrong_use_ends_with_exit_code_two(file, args, words):
    done = run(file, *args)
    assert done.exit_code == 2
    assert words in " ".join(done.stderr.split())
