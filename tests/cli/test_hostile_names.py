"""Names that a terminal, a browser or a typesetter would obey are shown, never obeyed."""

import csv
import io
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.cli.progress import progress
from adjudge.errors import visible

LABELS = [0] * 6 + [1] * 4 + [0] * 10
FLAGS = [0] * 7 + [1] * 3 + [0] * 10
PAYLOADS = {
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;mailto:x\x07here\x1b]8;;\x07",
    "bell": "ding\x07",
    "backspace": "good\x08\x08\x08\x08evil",
    "C1": "\x9b31mred\x85next",
    "line": "one\ntwo\rthree\x0bfour\u2028five",
    "backwards": "abc\u202edcba",
    "unseen": "a\u200bb\u00adc",
    "DEL": "a\x7fb",
}
every_payload = pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\u200b\u00ad]")


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def written(tmp_path):
    """Write a file with a detector of that name, in a file of that name."""

    def write(payload):
        path = tmp_path / f"{payload}.npz"
        np.savez(path, **{"labels": np.array(LABELS), payload: np.array(FLAGS)})
        return path

    return write


@every_payload
@pytest.mark.parametrize("shape", [None, "--md", "--latex"])
def test_people_see_names_written_out(written, payload, shape):
    path = written(payload)
    result = run("evaluate", path, "--score", payload, "--no-chance", *filter(None, [shape]))
    assert result.exit_code == 0, result.stderr
    assert not UNSEEN.search(result.output)
    plain = result.stdout.replace(r"\textbackslash{}", "\\").replace("\\\\", "\\")
    plain = re.sub(r"\\([\[\]_])", r"\1", plain)
    assert visible(payload) in plain


@every_payload
@pytest.mark.parametrize("shape", ["--csv", "--json"])
def test_programs_read_names_as_they_are(written, payload, shape):
    path = written(payload)
    result = run("evaluate", path, "--score", payload, shape, "--no-chance")
    if shape == "--json":
        rows = json.loads(result.stdout)["rows"]
    else:
        rows = list(csv.DictReader(io.StringIO(result.stdout_bytes.decode(), newline="")))
    assert {(path.name, payload)} == {(row["file"], row["detector"]) for row in rows}


def test_a_terminal_sees_csv_with_names_written_out(written):
    path, name = written(PAYLOADS["title"]), PAYLOADS["title"]
    reader, terminal = os.openpty()
    command = [sys.executable, "-m", "adjudge", "evaluate", str(path), "--score", name]
    done = subprocess.run([*command, "--csv", "--no-chance"], stdout=terminal, check=True)
    os.close(terminal)
    seen = os.read(reader, 100_000).decode()
    os.close(reader)
    assert done.returncode == 0
    assert not UNSEEN.search(seen.replace("\r\n", "\n"))
    assert r"\x1b]0;owned\x07" in seen


@every_payload
def test_messages_are_one_line(tmp_path, written, payload):
    path = written(payload)
    for wrong in (
        ["evaluate", f"{payload}.csv"],
        ["evaluate", path, "--score", payload + "x"],
        ["evaluate", path, "--score", payload, "--metric", payload],
        ["explain", tmp_path / payload],
        ["show", payload],
        ["study", "--experiments", "1", "--metric", payload, "--out", tmp_path / "study"],
    ):
        result = run(*wrong)
        assert result.exit_code == 2
        assert result.stderr.startswith("adjudge: ")
        *announced, _ = result.stderr.splitlines()  # how the file was read, and the message
        assert all("label column labels, 1 detector" in line for line in announced)
        assert not UNSEEN.search(result.stderr)


@every_payload
def test_wrong_use_keeps_the_terminal_as_it_is(payload):
    for wrong in ([payload], ["study", "--design", payload], ["evaluate", f"--{payload}"]):
        result = run(*wrong)
        assert result.exit_code == 2 or "Usage:" in result.stdout  # click 8.1 takes some for none
        assert not UNSEEN.search(result.output)


@every_payload
def test_the_library_shows_names_written_out_and_keeps_them_in_data(payload):
    judged = aj.evaluate(LABELS, {payload: FLAGS, "b": FLAGS}, ["f1", "f1_ba"], shifts=19)
    shown = [str(judged), judged._repr_html_(), *judged.verdicts.values()]
    assert not any(UNSEEN.search(text) for text in shown)
    assert payload in judged.detectors
    with pytest.raises(aj.UnknownName) as refused:
        judged[f"{payload}x", "f1"]
    assert not UNSEEN.search(str(refused.value))
    assert "\n" not in str(refused.value)


def test_a_line_of_progress_shows_names_and_obeys_nothing(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("\x1b]0;owned\x07") as line:
        line(0, 2)
        line(2, 2, "done\x07")
    seen = capsys.readouterr().err
    assert r"\x1b]0;owned\x07: 0 of 2" in seen
    assert r"done\x07: 2 of 2" in seen
    assert not {"\x1b", "\x07"} & set(seen)


def test_a_file_name_that_is_no_text_is_printed_as_its_bytes(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.csv"
    with open(path, "w") as stream:  # noqa: PTH123 - the name is the point
        stream.write("label,score\n0,0\n1,1\n")
    command = [sys.executable, "-m", "adjudge", "evaluate", path, "--no-chance"]
    assert b"\xff.csv" in subprocess.run([*command, "--csv"], capture_output=True).stdout  # noqa: PLW1510
    assert rb"\udcff.csv" in subprocess.run(command, capture_output=True).stdout  # noqa: PLW1510
