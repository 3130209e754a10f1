"""Tables of positions: changes and alarms without a length, on the command line too."""

import json

import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.errors import FileError
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
    assert table.summary == "3 changes and 4 alarms on 1,000 points, 1 of them where another stands"


def test_alarms_that_stand_once_need_no_remark(folder):
    table = read_positions("changes.csv", ["changes.csv"], 1000)
    assert table.summary == "3 changes and 3 alarms on 1,000 points"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("position\n100\n1000\n", "the end is no change: drop it"),
        ("position\n300\n100\n", "positions must be ascending, got 100 at index 1"),
        ("position\n1.5\n", "positions must be whole numbers, got 1.5 at index 0"),
        ("position\nsoon\n", "positions must be whole numbers, got 'soon' at index 0"),
        ("place\n100\n", "must have a column position, index, iloc or changepoint"),
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
    with pytest.raises(FileError, match="two files of alerts have one name"):
        read_positions("changes.csv", ["alarms.csv", "other/alarms.csv"], 1000)


def test_positions_on_the_command_line(folder):
    code, out, err = run(
        "evaluate", "--truth", "changes.csv", "--alerts", "alarms.csv", "--length", 1000, "--json"
    )
    assert code == 0
    assert "3 changes and 4 alarms on 1,000 points" in err
    rows = {row["asked"]: row for row in json.loads(out)["rows"]}
    assert list(rows) == [
        "change_f1", "change_precision", "change_recall", "change_delay",
        "time_between_false_alarms",
    ]  # fmt: skip
    assert rows["change_recall"]["value"] == pytest.approx(1 / 3)
    assert rows["change_recall"]["all_alarms"] is None
    assert rows["change_recall"]["blind"] == 1


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
    assert "at must be given where labels are changes and scores are no alarms" in err
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
