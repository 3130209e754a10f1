"""The verb inspect: a table, JSON, a page and a gate; and wrong use."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from adjudge.cli import main


@pytest.fixture
def folder(tmp_path):
    """Six series whose labels are windows of a fixed size."""
    place = tmp_path / "series"
    place.mkdir()
    for k in range(6):
        rng = np.random.default_rng(k)
        labels = np.zeros(300, int)
        start = int(rng.integers(40, 250))
        labels[start : start + 30] = 1
        values = rng.normal(size=300).round(3)
        values[start + 15] = 9
        pd.DataFrame({"value": values, "label": labels}).to_csv(place / f"s{k}.csv", index=False)
    return place


def run(*args):
    return CliRunner().invoke(main, ["inspect", *map(str, args)])


def test_a_folder_is_judged_and_the_last_line_says_what_was_not(folder):
    done = run(folder, "--shifts", 19)
    assert done.exit_code == 0, done.output
    assert "checks of the benchmark" in done.stdout
    verdict = done.stdout[done.stdout.index("Flaws: ") :]
    assert "windows" in verdict.partition(".")[0]
    last = done.stdout[done.stdout.index("Not checked:") :]
    assert "seen by detectors" in last
    assert " ".join(last.split()).endswith("whether the labels are right, beyond these signs.")


def test_the_gate(folder):
    assert run(folder, "--check", "windows", "--fail-on", "flaw").exit_code == 3
    assert run(folder, "--check", "close events", "--fail-on", "look").exit_code == 0
    assert run(folder, "--check", "density", "--fail-on", "flaw").exit_code == 0
    assert run(folder, "--check", "density", "--fail-on", "look").exit_code == 3


def test_json_csv_and_a_page(folder, tmp_path):
    found = json.loads(run(folder, "--json", "--shifts", 19).stdout)
    assert len(found["series"]) == 6
    rows = list(csv.DictReader(run(folder, "--csv", "--check", "events").stdout.splitlines()))
    assert rows[0]["series"] == "s0"
    assert "| check | level |" in run(folder, "--md", "--check", "events").stdout
    page = tmp_path / "page.html"
    done = run(folder, "--check", "events", "--html", page)
    assert str(page) in done.stderr
    assert page.read_text().startswith("<!doctype html>")
    page.write_text("mine")
    assert run(folder, "--check", "events", "--html", page).exit_code == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--check", "windws"), "windws"),
        (("--signal", "sensor"), "sensor"),
        (("--train-length", "much"), "--train-length must be a number of points or a share"),
        (("--train-length", "1.5"), "train_length must be a number of points or a share"),
        (("--check", "agreement"), "no scores of detectors"),
    ],
)
def test_wrong_use_is_named(folder, args, said):
    done = run(folder, *args)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_training_points_are_not_judged(folder):
    found = json.loads(run(folder, "--train-length", "0.1", "--check", "events", "--json").stdout)
    assert {line["judged"] for line in found["series"]} == {270}


def test_several_files_and_a_folder_without_any(folder, tmp_path):
    found = run(folder / "s0.csv", folder / "s1.csv", "--check", "events", "--json")
    assert len(json.loads(found.stdout)["series"]) == 2
    (tmp_path / "empty").mkdir()
    assert "at least one series" in run(tmp_path / "empty").stderr
    assert "nothing of that name" in run(tmp_path / "none").stderr
