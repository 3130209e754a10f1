"""`adjudge simulate`: files that evaluate reads, the same again from the same seed."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from adjudge.errors import AdjudgeError, FileError, InputError
from adjudge.io.labels_and_scores import read
from adjudge.lab.simulation.scenario import Scenario
from adjudge.lab.simulation.simulator import simulate
from adjudge.lab.verbs.simulating import simulate as command

SMALL = Scenario(events=(2, 4), widths=(20, 30), gaps=(50, 80), hits=1)


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL.to_toml())
    return str(path)


def run(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def drawn(*arguments):
    result = run(*arguments)
    assert 0 == result.exit_code, result.exception
    return result


def refusal(*arguments, error=InputError):
    result = run(*arguments)
    assert isinstance(result.exception, error)
    assert isinstance(result.exception, AdjudgeError)
    return str(result.exception)


def held(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_there_is_a_file_per_case_with_what_the_library_draws(tmp_path, scenario):
    drawn("--out", tmp_path / "out", "--cases", 3, "--seed", 7, "--scenario", scenario)
    names = ["case_0001.csv", "case_0002.csv", "case_0003.csv"]
    assert ["achieved.json", *names, "scenario.toml"] == sorted(held(tmp_path / "out"))
    for number, name in enumerate(names, 1):
        case = simulate(SMALL, np.random.default_rng([7, number]))
        table = read(str(tmp_path / "out" / name))
        assert case.events.labels.tolist() == (np.asarray(table.labels) > 0).tolist()
        assert case.scores.tolist() == np.asarray(table.scores["score"]).tolist()


def test_a_rerun_with_the_written_scenario_gives_the_same(tmp_path, scenario):
    options = ("--cases", 2, "--seed", 3)
    first, second = tmp_path / "first", tmp_path / "second"
    drawn("--out", first, *options, "--scenario", scenario)
    drawn("--out", second, *options, "--scenario", first / "scenario.toml")
    assert held(first) == held(second)
    assert SMALL == Scenario.from_toml((first / "scenario.toml").read_text())
    head = "# adjudge simulate --cases 2 --seed 3 --scenario scenario.toml --out DIR\n"
    assert (first / "scenario.toml").read_text().startswith(head)


def test_a_case_depends_on_seed_and_number_alone(tmp_path, scenario):
    for cases in (1, 3):
        drawn("--out", tmp_path / str(cases), "--cases", cases, "--scenario", scenario)
    drawn("--out", tmp_path / "other", "--seed", 1, "--scenario", scenario)
    few, many, other = (held(tmp_path / name) for name in ("1", "3", "other"))
    assert few["case_0001.csv"] == many["case_0001.csv"] != other["case_0001.csv"]
    assert many["case_0001.csv"] != many["case_0002.csv"]


def test_a_line_per_case_says_what_was_reached(tmp_path, scenario):
    result = drawn("--out", tmp_path / "out", "--cases", 2, "--seed", 7, "--scenario", scenario)
    lines = result.stdout.splitlines()
    for number, line in enumerate(lines, 1):
        case = simulate(SMALL, np.random.default_rng([7, number]))
        expected = [f"case_{number:04}.csv", "events", str(len(case.events))]
        for name in ("precision", "recall", "coverage", "separation"):
            expected += [name, f"{case.achieved[name]:.3f}"]
        assert [*expected, "threshold", "0.5"] == line.split()
    assert "" == result.stderr


def test_what_was_reached_is_kept_beside_the_cases(tmp_path, scenario):
    drawn("--out", tmp_path / "out", "--cases", 2, "--seed", 7, "--scenario", scenario)
    kept = json.loads((tmp_path / "out" / "achieved.json").read_text())
    for number, row in enumerate(kept, 1):
        case = simulate(SMALL, np.random.default_rng([7, number]))
        assert not any(math.isnan(value) for value in case.achieved.values())
        expected = {"file": f"case_{number:04}.csv", "threshold": 0.5, **case.achieved}
        assert expected == row
    assert 2 == len(kept)


def test_the_threshold_is_told_exactly(tmp_path):
    (tmp_path / "quantile.toml").write_text('events = 5\nthreshold = "quantile"')
    result = drawn("--out", tmp_path / "out", "--scenario", tmp_path / "quantile.toml")
    told = float(result.stdout.split()[-1])
    case = simulate(Scenario(events=5, threshold=None), np.random.default_rng([0, 1]))
    assert case.threshold == told != float(f"{told:.4g}")
    kept = json.loads((tmp_path / "out" / "achieved.json").read_text())
    assert [told] == [row["threshold"] for row in kept]


def test_a_run_that_dies_leaves_no_word_of_what_was_reached(tmp_path, scenario, monkeypatch):
    out = tmp_path / "out"
    drawn("--out", out, "--scenario", scenario)

    def fails(case):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("adjudge.lab.verbs.simulating._as_csv", fails)
    refusal("--out", out, "--force", "--scenario", scenario)
    assert ["scenario.toml"] == list(held(out))


def test_undefined_is_null_in_json(tmp_path):
    (tmp_path / "none.toml").write_text("events = 0\nfalse_alarms = 0")
    drawn("--out", tmp_path / "out", "--scenario", tmp_path / "none.toml")
    (row,) = json.loads((tmp_path / "out" / "achieved.json").read_text())
    assert [None] * 4 == [row[n] for n in ("precision", "recall", "coverage", "separation")]
    assert 0 == row["events"]


def test_undefined_is_said_in_words(tmp_path):
    (tmp_path / "none.toml").write_text("events = 0\nfalse_alarms = 0")
    result = drawn("--out", tmp_path / "out", "--scenario", tmp_path / "none.toml")
    assert 4 == result.stdout.count("undefined")


def test_without_a_scenario_the_paper_s_is_drawn(tmp_path):
    drawn("--out", tmp_path / "out")
    assert Scenario() == Scenario.from_toml((tmp_path / "out" / "scenario.toml").read_text())


def test_a_folder_that_holds_something_is_refused_and_stays_as_it_is(tmp_path, scenario):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    message = refusal("--out", tmp_path / "out", "--scenario", scenario)
    assert re.fullmatch(
        r"--out must be a new or an empty folder, got '.*out' with 'notes.txt' \(1 in all\); "
        r"say --force to replace the cases in it",
        message,
    )
    assert {"notes.txt": b"mine"} == held(tmp_path / "out")


def test_force_replaces_earlier_cases_and_nothing_else(tmp_path, scenario):
    out = tmp_path / "out"
    drawn("--out", out, "--cases", 3, "--scenario", scenario)
    (out / "case_notes.csv").write_text("mine")
    drawn("--out", out, "--cases", 1, "--force", "--scenario", scenario)
    names = ["achieved.json", "case_0001.csv", "case_notes.csv", "scenario.toml"]
    assert names == sorted(held(out))


def test_an_empty_folder_is_taken(tmp_path, scenario):
    (tmp_path / "out").mkdir()
    drawn("--out", tmp_path / "out", "--scenario", scenario)


def test_nothing_half_written_is_left_behind(tmp_path, scenario, monkeypatch):
    def fails(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    message = refusal("--out", tmp_path / "out", "--scenario", scenario)
    assert "out must be a" in message
    assert "No space left on device" in message
    assert {} == held(tmp_path / "out")


def test_a_file_in_place_of_the_folder_is_refused(tmp_path, scenario):
    (tmp_path / "out").write_text("")
    assert "out must be a" in (refusal("--out", tmp_path / "out", "--scenario", scenario))


def test_a_scenario_that_cannot_be_read_is_refused(tmp_path):
    missing = refusal(
        "--out", tmp_path / "out", "--scenario", tmp_path / "no.toml", error=FileError
    )
    assert "--scenario must be a" in missing
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    latin = refusal("--out", tmp_path / "o", "--scenario", tmp_path / "latin.toml", error=FileError)
    assert "--scenario must be a" in latin
    assert ["latin.toml"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gaps = , 5", "scenario must be TOML, got a syntax error: "),
        ("smooth = 3", "unknown field of a scenario 'smooth', did you mean 'smoothing'?"),
        ("xyzzy = 3", "unknown field of a scenario 'xyzzy'; it has events, widths, gaps, "),
        ("events = 2.5", "events must be a whole number, at least 0, got 2.5"),
        (
            'threshold = "best"',
            "threshold must be a finite number below 1e100, got 'best'; "
            'None (in TOML "quantile"): a quantile',
        ),
    ],
)
def test_a_wrong_scenario_is_refused_with_the_name_of_its_file(tmp_path, text, said):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    message = refusal("--out", tmp_path / "out", "--scenario", path, error=FileError)
    assert message.startswith(f"{path}: {said}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("option", "value"), [("--cases", 0), ("--seed", -1)])
def test_numbers_that_cannot_be_are_refused(tmp_path, option, value):
    least = {"--cases": 1, "--seed": 0}[option]
    message = f"{option} must be a whole number, at least {least}, got {value}"
    assert message == refusal("--out", tmp_path / "out", option, value)


def test_the_folder_is_asked_for():
    result = run()
    assert 2 == result.exit_code
    assert "Missing option '--out'" in result.stderr
