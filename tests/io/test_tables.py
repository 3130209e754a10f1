"""Files of any format: which columns are taken, and that nothing else can go wrong."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.errors import FileError, UnknownName
from adjudge.io.labels_and_scores import LabelledScores, read


@pytest.fixture
def csv(tmp_path):
    def write(text):
        path = tmp_path / "data.csv"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("label", ["label", "Label", "labels", "is_anomaly"])
def test_a_usual_name_is_taken_as_the_label(csv, label):
    assert [1.0] == read(csv(f"x,{label},score\n5,1,7\n")).labels.tolist()


def test_named_columns_are_taken_in_the_order_given(csv):
    path = csv("label,y,score,b,a\n9,1,9,2,3\n")
    table = read(str(path), label="y", scores=iter(["a", "b"]))
    assert ([1.0], ["a", "b"]) == (table.labels.tolist(), list(table.scores))
    assert ["b"] == list(read(path, scores="b").scores)


def test_a_column_with_another_role_is_no_score(csv):
    text = "score_truth,score_id,score_keep,score_x\n1,a,1,5\n"
    table = read(csv(text), label="score_truth", series="score_id", where="score_keep")
    assert ["score_x"] == list(table.scores)


def test_nothing_is_guessed_for_the_label(csv):
    with pytest.raises(FileError) as caught:
        read(csv("anomaly,score\n1,2\n"))
    assert str(caught.value).endswith(
        "data.csv: the label column must be one of 'label', 'Label', 'labels', 'is_anomaly', "
        "got the columns 'anomaly', 'score'; name it with --label"
    )


def test_nothing_is_guessed_for_the_scores(csv):
    with pytest.raises(FileError) as caught:
        read(csv("label,SCORE,x\n1,2,3\n"))
    assert str(caught.value).endswith(
        "data.csv: a score column must be called 'score', 'Score', 'scores', 'anomaly_score' or "
        "start with 'score_', got the columns 'label', 'SCORE', 'x'; name it with --score, as "
        "in --score SCORE --score x"
    )


@pytest.mark.parametrize("names", ["time", ",".join(f"detector_{k}" for k in range(9))])
def test_options_to_copy_are_few(csv, names):
    with pytest.raises(FileError, match=r"name it with --score$"):
        read(csv(f"label,{names}\n1,{','.join('2' * len(names.split(',')))}\n"))


def test_two_usual_labels_are_ambiguous(csv):
    path = csv("is_anomaly,label,score\n1,0,2\n")
    words = "there must be one label column, got 'label', 'is_anomaly'; name it with --label"
    with pytest.raises(FileError, match=words):
        read(path)
    assert [1.0] == read(path, label="is_anomaly").labels.tolist()


def test_only_the_first_twenty_columns_are_listed(csv):
    names = [f"c{i}" for i in range(1, 1031)]
    with pytest.raises(FileError, match=r"'c19', 'c20', \.\.\. and 1,010 more; name it with"):
        read(csv(",".join(names) + "\n"))


def test_long_names_are_shortened_in_lists(csv):
    with pytest.raises(FileError, match=r"got the columns 'xxx.*\.\.\..*xxx'; ") as caught:
        read(csv("x" * 50_000 + "\n"))
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "names", [{"label": "lable"}, {"scores": ["lable"]}, {"series": "lable"}, {"where": "lable"}]
)
def test_a_name_that_is_not_there_is_named_with_the_columns(csv, names):
    words = "unknown column 'lable', did you mean 'label'.; .*data.csv has the columns 'label', "
    with pytest.raises(UnknownName, match=words):
        read(csv("label,score\n1,2\n"), **names)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"scores": ["score", "label"]}, "'label' must have one role, got score and label"),
        ({"scores": ["score", "label", "score"]}, "'label' must have one role, got score and"),
        ({"scores": ["score", "score"]}, "'score' must have one role, got score and score"),
        ({"where": "label"}, "'label' must have one role, got label and where"),
        ({"label": "score", "scores": ["score"]}, "'score' must have one role, got score and"),
        ({"series": "x", "where": "x"}, "'x' must have one role, got series and where; name ano"),
        ({"tune_on": "x", "about": "x"}, "'x' must have one role, got tune-on and by"),
    ],
)
def test_a_column_has_one_role(csv, names, words):
    with pytest.raises(FileError, match=words):
        read(csv("label,score,x\n1,2,3\n"), **names)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "a.xml",
            r"the suffix must be one of \.csv, .*, \.npz \(text also packed: \.gz,.*'.xml'",
        ),
        ("a", r"the suffix must be one of \.csv, .* got ''"),
        ("a.gz", r"the suffix before \.gz must be one of \.csv, .*, \.json, got ''"),
        ("a.parquet.gz", r"the suffix before \.gz must be one of \.csv, .* got '\.parquet'"),
        ("a.pkl", "a pickle can run code, so it is never read; save the arrays with np.savez"),
        ("a.xlsx", "a spreadsheet is not read; save the sheet as CSV, or .* pandas.read_excel"),
    ],
)
def test_another_suffix_is_refused_with_the_way_out(tmp_path, name, words):
    (tmp_path / name).write_text("label,score\n1,2\n")
    with pytest.raises(FileError, match=words):
        read(tmp_path / name)


@pytest.mark.parametrize("suffix", ["csv", "npy", "npz", "parquet"])
def test_a_file_that_is_missing_or_empty_or_a_folder_is_refused(tmp_path, suffix):
    with pytest.raises(FileError, match=f"no.{suffix}: cannot be read: no such file or directory$"):
        read(tmp_path / f"no.{suffix}")
    (tmp_path / f"empty.{suffix}").touch()
    with pytest.raises(FileError, match=f"empty.{suffix}: the file is empty$"):
        read(tmp_path / f"empty.{suffix}")
    (tmp_path / f"folder.{suffix}").mkdir()
    with pytest.raises(FileError, match=f"folder.{suffix}: must be a file, got a directory$"):
        read(tmp_path / f"folder.{suffix}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(FileError, match=r"pipe.csv: must be a regular file; CSV can be piped to"):
        read(tmp_path / "pipe.csv")


def test_a_file_without_permission_is_refused(csv, monkeypatch):
    def closed(*_):
        raise PermissionError(13, "Permission denied")

    path = csv("label,score\n1,2\n")
    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(FileError, match=r"data.csv: cannot be read: permission denied$"):
        read(path)


def test_a_failing_disk_is_refused_in_one_line(csv, monkeypatch):
    class Failing(io.BytesIO):
        def readline(self, _):
            raise OSError("the disk\nis gone")

    path = csv("label,score\n1,2\n")
    monkeypatch.setattr(Path, "open", lambda *_: Failing())
    with pytest.raises(FileError, match=r"data.csv: cannot be read: the disk is gone$"):
        read(path)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a\0.csv", r"^a\\x00.csv: not a path: "),
        ("no\nsuch.csv", r"^no\\nsuch.csv: cannot be read: no such file"),
        ("", "^'': must be a file, got a directory$"),
    ],
)
def test_an_odd_path_is_refused_in_one_line(source, words):
    with pytest.raises(FileError, match=words):
        read(source)


def test_a_file_of_an_odd_name_is_read(tmp_path):
    (tmp_path / "ö b.csv").write_text("label,score\n1,2\n")
    assert "ö b.csv" == read(tmp_path / "ö b.csv").name


def test_reading_csv_does_not_import_pyarrow(csv):
    code = "import sys; from adjudge.io.labels_and_scores import read; read(sys.argv[1]); "
    code += "sys.exit('pyarrow' in sys.modules)"
    path = csv("label,score\n1,2\n")
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert 0 == done.returncode


IDS = ["a", "b"] * 5
LABELS = [0, 1, 0, 0, 1] * 2
SCORES = [i / 7 for i in range(10)]


def good_csv():
    rows = zip(LABELS, SCORES, IDS, strict=True)
    return ("label,score,id,keep\n" + "".join(f'{y},{s},"{i}",true\n' for y, s, i in rows)).encode()


def good_npy():
    kind = [("label", "i1"), ("score", ">f8"), ("id", "U2"), ("keep", "?")]
    stream = io.BytesIO()
    np.save(stream, np.array(list(zip(LABELS, SCORES, IDS, LABELS, strict=True)), dtype=kind))
    return stream.getvalue()


def good_npz():
    stream = io.BytesIO()
    scores = np.stack([SCORES, SCORES], axis=1)
    keep = np.array(LABELS, bool)
    np.savez_compressed(stream, labels=LABELS, scores=scores, id=np.array(IDS), keep=keep)
    return stream.getvalue()


def good_parquet():
    columns = {"label": LABELS, "score": SCORES, "id": IDS, "keep": [True] * 10}
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, compression="none")
    return stream.getvalue()


GOOD = {"csv": good_csv(), "npy": good_npy(), "npz": good_npz(), "parquet": good_parquet()}
CHANGES = st.lists(
    st.tuples(
        st.floats(0, 1, exclude_max=True), st.integers(0, 3), st.binary(min_size=1, max_size=3)
    ),
    min_size=1,
    max_size=8,
)


def damaged(data, changes):
    """Overwrite, insert, delete or cut off bytes; a place is a fraction of the length."""
    data = bytearray(data)
    for place, change, new in changes:
        at = int(place * len(data))
        if change == 0:
            data[at : at + len(new)] = new
        elif change == 1:
            data[at:at] = new
        elif change == 2:
            del data[at : at + len(new)]
        else:
            del data[max(at, len(data) - 64) :]
    return bytes(data)


@pytest.mark.parametrize("suffix", GOOD)
@pytest.mark.parametrize("asked", [{}, {"series": "id", "where": "keep"}], ids=["few", "all"])
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(changes=CHANGES)
def test_damaged_bytes_give_a_table_or_one_line(tmp_path, suffix, asked, changes):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(damaged(GOOD[suffix], changes))
    try:
        table = read(path, **asked)
    except (FileError, UnknownName) as refusal:
        assert 1 == len(str(refusal).splitlines())  # noqa: PT017 - either outcome is right
    else:
        assert isinstance(table, LabelledScores)
        assert {table.labels.shape} == {scores.shape for scores in table.scores.values()}


@pytest.mark.parametrize("suffix", GOOD)
def test_the_undamaged_bytes_give_a_table(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(GOOD[suffix])
    table = read(path, series="id", where="keep")
    assert (LABELS, IDS) == (table.labels.tolist(), table.series.tolist())
    assert SCORES == next(iter(table.scores.values())).tolist()


def test_a_closed_standard_input_is_one_line(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(FileError, match="standard input is closed; name a file"):
        read("-")
