"""The published table, row by row: the draws, the numbers, and a run that was stopped."""

import csv
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from adjudge.errors import FileError, InputError
from adjudge.lab.study import runner
from adjudge.lab.study.measurements import measure
from adjudge.lab.study.released import (
    COLUMNS,
    Checkpoint,
    _draw_false,
    _is_apart,
    _mark,
    _tries,
    compare_with_file,
    replay,
    skip,
)
from adjudge.lab.study.runner import study
from adjudge.lab.verbs.studying import study as command
from lab.study import naive_released
from processes import wait_until

GOLDEN = Path(__file__).parents[2] / "golden"
ROWS = GOLDEN / "released_rows.csv"


def read(path):
    with path.open() as stream:
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(stream)]


@pytest.fixture(scope="module")
def table():
    return study(200, design="released")


@pytest.mark.parametrize("guard", [1, 2])
def test_the_draws_are_those_of_the_slow_twin(guard):
    checkpoint = Checkpoint.first()
    for labels, scores in naive_released.experiments(8, guard):
        experiment, checkpoint = replay(checkpoint, guard)
        assert labels == experiment.events.labels.astype(int).tolist()
        np.testing.assert_array_equal(scores, experiment.scores)


def test_the_draws_of_many_false_detections_are_those_of_the_slow_twin():
    """The published table has its first false detection after 750 experiments."""
    rng = np.random.default_rng(1)
    for _ in range(12):
        gaps = rng.integers(200, 1000, 5)
        labels = [0] * gaps[0]
        for gap in gaps[1:].tolist():
            labels += [1] * 50 + [0] * gap
        state = rng.bit_generator.state
        slow = naive_released.false_detections(rng, labels, gaps.tolist(), 3, 2)
        detected = [False] * len(labels)
        naive_released.mark(detected, slow)
        rng.bit_generator.state = state
        assert detected == _fast_false_detections(rng, gaps, len(labels))


def _fast_false_detections(rng, gaps, n):
    widths = np.full(gaps.size - 1, 50)
    drawn = _tries(lambda: _draw_false(rng, gaps, widths, 3), 2, _is_apart)
    detected = np.zeros(n, bool)
    _mark(detected, drawn, 2)
    return detected.tolist()


def test_the_first_rows_are_those_of_the_published_table(table):
    for name, ours in COLUMNS.items():
        published = [row[name] for row in read(ROWS)]
        within = 1e-6 if name == "signal_separation" else 1e-9
        found = np.nan_to_num(table.column(ours).astype(float))
        np.testing.assert_allclose(found, published, rtol=0, atol=within, err_msg=name)


def test_with_one_point_as_in_the_published_program_it_is_another_table(table):
    """Row 5 is the first that differs."""
    other = study(8, design="released", guard=1).column("f1_pa")
    assert np.flatnonzero(other != table.column("f1_pa")[:8])[0] == 5


def test_a_checkpoint_reached_by_skipping_is_that_reached_by_drawing():
    drawn = Checkpoint.first()
    for _ in range(5):
        drawn = replay(drawn)[1]
    assert drawn == skip(Checkpoint.first(), 5)
    assert drawn == Checkpoint.from_json(drawn.to_json())


def test_settings_move_along_with_the_number():
    later = Checkpoint.first()._replace(number=750)
    assert replay(later)[1].false_alarms == 1
    assert replay(later._replace(number=751))[1].false_alarms == 0


def parts(out):
    """All that is kept of an unfinished study."""
    return b"".join(path.read_bytes() for path in sorted((out / "parts").glob("*.jsonl")))


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_study_that_is_stopped_goes_on_from_its_checkpoints(tmp_path, monkeypatch, table, jobs):
    monkeypatch.setattr(runner, "CHUNK", 4)
    moments = sorted(random.Random(3).sample(range(1, 20), 3))  # noqa: S311
    for moment in moments:

        def stop(done, _, moment=moment):
            if done >= moment:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            study(24, design="released", out=tmp_path, jobs=jobs, progress=stop)
    assert b'"text":"[' in parts(tmp_path)  # a checkpoint
    found = study(24, design="released", out=tmp_path, jobs=jobs)
    assert list(found.lines()) == list(table.lines())[:24]
    assert not (tmp_path / "parts").exists()


def test_a_damaged_checkpoint_is_not_believed(tmp_path, monkeypatch, table):
    monkeypatch.setattr(runner, "CHUNK", 4)

    def stop(done, _):
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study(12, design="released", out=tmp_path, progress=stop)
    path = tmp_path / "parts" / "000001.jsonl"
    first, rows, second, *_ = path.read_bytes().splitlines(keepends=True)
    assert b'"text":"[4,' in second
    path.write_bytes(first + rows + second.replace(b"[4,", b"[5,"))
    found = study(12, design="released", out=tmp_path)
    assert list(found.lines()) == list(table.lines())[:12]


@pytest.mark.long
def test_a_killed_replay_ends_the_same(tmp_path, table):
    program = tmp_path / "program.py"
    program.write_text(
        "from adjudge.lab.study import runner\n"
        "if __name__ == '__main__':\n"
        "    runner.CHUNK = 5\n"
        f"    runner.study(200, design='released', out={str(tmp_path / 'out')!r})\n"
    )
    out = tmp_path / "out"
    for moment in (1, 9, 23):  # of 40 parts
        with subprocess.Popen([sys.executable, program]) as process:
            wait_until(lambda: parts(out).count(b"\n") >= 2 * moment, process)  # noqa: B023
            process.kill()
        assert process.returncode == -signal.SIGKILL
    subprocess.run([sys.executable, program], check=True)
    lines = (tmp_path / "out" / "experiments.csv").read_text().splitlines(keepends=True)[1:]
    assert lines == list(table.lines())


def test_a_column_that_differs_is_named(tmp_path, table):
    assert all(one.rows == 0 for one in compare_with_file(table, ROWS))
    rows = ROWS.read_text().splitlines(keepends=True)
    cells = rows[6].split(",")
    cells[8] = "0.5"
    (tmp_path / "other.csv").write_text("".join([*rows[:6], ",".join(cells), *rows[7:]]))
    (wrong,) = (one for one in compare_with_file(table, tmp_path / "other.csv") if one.rows)
    assert (wrong.column, wrong.rows, wrong.first) == ("pa", 1, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "against must be the published table, got no column 'anomaly_count' in "),
        (",".join(COLUMNS) + "\n" + ",".join("1" * 11) + "\n", "got 1 rows in "),
        (",".join(COLUMNS) + "\nx" + ",1" * 10 + "\n", "could not convert string to float: 'x'"),
        (",".join(COLUMNS) + "\n1\n", "against must be the published table as CSV, got "),
    ],
)
def test_a_file_that_is_not_the_table_is_refused(tmp_path, table, text, said):
    (tmp_path / "other.csv").write_text(text)
    with pytest.raises(FileError) as refused:
        compare_with_file(table, tmp_path / "other.csv")
    assert said in str(refused.value)


def run(*args):
    return CliRunner().invoke(command, [*map(str, args)])


def test_the_command_says_whether_the_tables_are_equal(tmp_path):
    small = ("--design", "released", "--experiments", 8, "--jobs", 1, "--against", ROWS)
    done = run(*small, "--out", tmp_path / "equal")
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("8 rows, 11 of 11 columns equal\n")
    done = run(*small, "--guard", 1, "--out", tmp_path / "other")
    assert done.exit_code == 1
    assert "pa differs in 1 row, first in row 5, by up to " in done.stdout
    done = run("--against", ROWS)
    assert done.exit_code == 2
    assert "--against is about --design released" in done.stderr


def test_the_guard_is_an_option_of_the_authors_design_too(tmp_path):
    plain, guarded = (study(40, guard=guard).column("runs") for guard in (1, 2))
    np.testing.assert_array_equal(plain, study(40).column("runs"))
    assert (guarded <= plain).mean() > 0.9
    assert guarded.sum() < plain.sum()
    with pytest.raises(InputError, match="guard must be None for the design 'controlled'"):
        study(2, design="controlled", guard=1)
    study(2, guard=2, out=tmp_path)
    with pytest.raises(InputError, match="got one with guard 2 instead of 1 at"):
        study(2, out=tmp_path)


def test_a_guard_that_no_detection_passes_leaves_nothing_detected():
    assert not study(3, design="released", guard=99).column("runs").any()


def test_a_chunk_that_was_stopped_is_made_again_from_its_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "CHUNK", 2)
    expected = study(6, design="released")

    def stop(index, *rest):
        if index == 3:
            raise KeyboardInterrupt
        return measure(index, *rest)

    monkeypatch.setattr(runner, "measure", stop)
    with pytest.raises(KeyboardInterrupt):
        study(6, design="released", out=tmp_path)
    monkeypatch.setattr(runner, "measure", measure)
    found = study(6, design="released", out=tmp_path)
    np.testing.assert_equal(expected.column("f1"), found.column("f1"))
