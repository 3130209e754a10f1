"""The same case in every form of file gives the same values, and says how it was read."""

import bz2
import gzip
import json
import lzma

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.data.clock import Clock
from adjudge.errors import FileError, InputError, MissingExtra, UnknownName
from adjudge.io import text_files as compressed
from adjudge.io.labels_and_scores import read

LABELS = np.repeat([0, 1, 0, 1, 0], 6)
SCORES = np.random.default_rng(3).random(30) + 0.4 * LABELS
TIMES = pd.date_range("2026-01-01", periods=30, freq="5min")


def csv_text(sep=",", decimal=".", labels=LABELS, scores=SCORES):
    def written(score):
        return repr(float(score)).replace(".", decimal)

    rows = zip(TIMES, labels, scores, strict=True)
    lines = [f"{t}{sep}{label}{sep}{written(score)}" for t, label, score in rows]
    return "\n".join([sep.join(["timestamp", "is_anomaly", "anomaly_score"]), *lines]) + "\n"


def json_text(labels=LABELS, scores=SCORES):
    rows = zip(TIMES.astype(str), labels, scores, strict=True)
    return "".join(
        json.dumps({"timestamp": t, "label": int(label), "score": float(score)}) + "\n"
        for t, label, score in rows
    )


def frame(labels=LABELS, scores=SCORES):
    return pd.DataFrame({"time": TIMES, "Label": labels, "Score": scores})


def zstandard(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def arrow_stream(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


PACK = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard}


def forms(folder, labels=LABELS, scores=SCORES):
    """Write the case in every form; give each path with the options that read it."""
    text = csv_text(labels=labels, scores=scores).encode()
    (folder / "a.csv").write_bytes(text)
    (folder / "a.tsv").write_text(csv_text("\t", labels=labels, scores=scores))
    (folder / "comma.csv").write_text(csv_text(";", ",", labels=labels, scores=scores))
    (folder / "a.jsonl").write_text(json_text(labels, scores))
    for suffix, pack in PACK.items():
        (folder / f"a.csv.{suffix}").write_bytes(pack(text))
    (folder / "a.ndjson.gz").write_bytes(gzip.compress(json_text(labels, scores).encode()))
    table = pa.Table.from_pandas(frame(labels, scores))
    pyarrow.feather.write_feather(table, folder / "a.feather", compression="zstd")
    (folder / "a.arrow").write_bytes(arrow_stream(table))
    frame(labels, scores).to_parquet(folder / "a.parquet")
    np.savez(folder / "a.npz", labels=labels, scores=scores)
    return {path.name: path for path in folder.iterdir()}


OPTIONS = {"comma.csv": {"sep": ";", "decimal": ","}}


def test_every_form_gives_bit_identical_values(tmp_path):
    expected = aj.best(aj.f1_ba)(LABELS, SCORES)
    for name, path in forms(tmp_path).items():
        table = read(path, **OPTIONS.get(name, {}))
        (scores,) = table.scores.values()
        assert np.array_equal(scores, SCORES), name
        assert aj.best(aj.f1_ba)(table.labels, scores) == expected, name


@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(allow_nan=False, width=64)), min_size=30, max_size=30
    )
)
def test_any_scores_survive_every_form(tmp_path_factory, points):
    labels = np.array([int(label) for label, _ in points])
    scores = np.array([score for _, score in points])
    for name, path in forms(tmp_path_factory.mktemp("forms"), labels, scores).items():
        table = read(path, **OPTIONS.get(name, {}))
        assert np.array_equal(next(iter(table.scores.values())), scores), name
        assert np.array_equal(table.labels, labels), name


@pytest.mark.parametrize("suffix", PACK)
def test_a_packed_file_that_is_cut_off_is_refused_in_one_line(tmp_path, suffix):
    path = tmp_path / f"a.csv.{suffix}"
    path.write_bytes(PACK[suffix](csv_text().encode() * 50)[:-60])
    with pytest.raises(FileError, match=rf"a.csv.{suffix}: "):
        read(path)


def test_a_packed_file_far_larger_than_itself_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "SMALL", 1000)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"label,score\n" + b"0,0\n" * 100_000))
    with pytest.raises(FileError, match="a text must unpack to at most 200 times its packed size"):
        read(path)


def test_zst_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zstandard(csv_text().encode()))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"reading .zst needs pyarrow: pip install pyarrow"):
        read(path)


@pytest.mark.parametrize("name", ["a.feather", "a.arrow"])
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_damaged_arrow_files_give_a_table_or_one_line(tmp_path_factory, name, place, byte):
    folder = tmp_path_factory.mktemp("arrow")
    data = bytearray(forms(folder)[name].read_bytes())
    data[int(place * len(data))] = byte
    (folder / name).write_bytes(data)
    try:
        table = read(folder / name)
    except (FileError, UnknownName) as refusal:
        assert len(str(refusal).splitlines()) == 1  # noqa: PT017 - either outcome is right
    else:
        assert table.labels.shape == next(iter(table.scores.values())).shape


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[1, 2]", r"line 2: must be an object, got \[1, 2\]"),
        ("{", "line 2: not JSON: "),
        ('{"label": 1}', "line 2, key 'score': must be in every object"),
        ('{"label": 1, "score": null}', "line 2, key 'score': null; --missing skip "),
        ('{"label": "yes", "score": 1}', "line 2, key 'label': not a number: 'yes'; --positive"),
        ('{"label": 1, "score": "x"}', "line 2, key 'score': not a number: 'x'$"),
        ('{"label": 1, "score": 1' + "0" * 400 + "}", "key 'score': too large for a 64-bit float"),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path, line, words):
    path = write(tmp_path, "a.jsonl", f'{{"label": 0, "score": 2}}\n{line}\n')
    with pytest.raises(FileError, match=words):
        read(path)


def test_json_lines_of_many_chunks_with_gaps_ids_and_times(tmp_path):
    lines = [
        json.dumps({"label": i % 2, "score": None if i == 7 else i, "id": "a", "t": i})
        for i in range(20_000)
    ]
    path = write(tmp_path, "a.jsonl", "\n\n".join(lines))
    table = read(path, series="id", time="t", missing="skip")
    assert np.flatnonzero(np.isnan(table.scores["score"])).tolist() == [7]
    assert table.scores["score"][-1] == 19_999
    assert set(table.series) == {"a"}
    assert table.time[-1] == 19_999
    with pytest.raises(FileError, match=r"key 'id': must be text or a number, got \[\]"):
        read(write(tmp_path, "b.jsonl", '{"label": 1, "score": 1, "id": []}'), series="id")
    with pytest.raises(FileError, match="the file is empty"):
        read(write(tmp_path, "c.jsonl", "\n"))


def test_empty_cells_are_missing_scores_only_on_request(tmp_path):
    path = write(tmp_path, "a.csv", "label,score\n0,\n1,2\n")
    with pytest.raises(FileError, match="line 2, column 'score': empty cell: ''; --missing skip"):
        read(path)
    assert np.array_equal(read(path, missing="skip").scores["score"], [np.nan, 2], equal_nan=True)
    nothing = pa.table({"label": [0, 1], "score": pa.array([None, 2], pa.int64())})
    pyarrow.feather.write_feather(nothing, tmp_path / "a.feather")
    scores = read(tmp_path / "a.feather", missing="skip").scores["score"]
    assert np.array_equal(scores, [np.nan, 2], equal_nan=True)
    with pytest.raises(InputError, match="missing must be 'refuse' or 'skip', got 'drop'"):
        read(path, missing="drop")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (
            "a;b\n1;2\n",
            {},
            "the separator ',' must occur, got one column 'a;b'; .* say --sep ';'",
        ),
        ("a\tb\n1\t2\n", {}, r"say --sep '\\t'"),
        (
            "label,score\n1,2\n",
            {"sep": ";"},
            "the separator ';' must .* say --sep ','",
        ),
        ("label,score\n1,2\n", {"decimal": ","}, "',' cannot be both"),
        ('label,score\n1,"2,5"\n', {}, "not a number: '2,5'"),
        ("label;score\n1;2.5\n", {"sep": ";", "decimal": ","}, "not a number: '2.5'"),
        ("label,score\nbad,2\n", {}, "not a number: 'bad'; --positive says which label is an ano"),
    ],
)
def test_a_wrong_separator_or_mark_is_named(tmp_path, text, options, words):
    with pytest.raises(FileError, match=words):
        read(write(tmp_path, "a.csv", text), **options)


@pytest.mark.parametrize("options", [{"sep": "::"}, {"sep": "\n"}, {"decimal": "'"}])
def test_marks_are_single_characters(tmp_path, options):
    with pytest.raises(InputError, match=r"(sep|decimal) must be"):
        read(write(tmp_path, "a.csv", "label,score\n1,2\n"), **options)


def test_a_tab_may_be_written_as_two_characters(tmp_path):
    path = write(tmp_path, "a.csv", "label\tscore\n1\t2\n")
    assert read(path, sep="\\t").scores["score"].tolist() == [2]


def test_patterns_choose_score_columns_in_the_order_of_the_file(tmp_path):
    path = write(tmp_path, "a.csv", "label,det_b,det_a,x,det_id\n1,2,3,4,s\n")
    table = read(path, scores=["det_?", "x", "det_*"], series="det_id")
    assert list(table.scores) == ["det_b", "det_a", "x"]
    with pytest.raises(UnknownName, match=r"unknown column 'no_\*'"):
        read(path, scores="no_*")


def test_how_a_table_was_read_is_said(tmp_path):
    text = "label,det_a,det_b,timestamp,id,use\n1,2,3,2026-01-01,s,1\n"
    path = write(tmp_path, "a.csv", text)
    table = read(path, scores="det_*", series="id", where="use")
    assert table.summary == (
        "label column label, 2 detectors (det_a, det_b), series column id, where column use, "
        "time column timestamp unused, 1 row"
    )
    timed = read(path, scores="det_*", time="timestamp").summary
    assert timed.endswith("time column timestamp, 1 row")
    two = write(tmp_path, "b.csv", "label,score\n1,2\n0,1\n")
    assert read(two).summary == "label column label, 1 detector (score), 2 rows"


def test_labels_may_be_words(tmp_path):
    path = write(tmp_path, "a.csv", "label,score\nnormal,1\nanomaly,2\n")
    assert read(path, positive="anomaly").labels.tolist() == [False, True]
    with pytest.raises(InputError, match="positive must be one of the labels 'normal', 'anomaly'"):
        read(path, positive="Anomaly")
    frame = pa.table({"label": [1, 2], "score": [1, 2]})
    pyarrow.feather.write_feather(frame, tmp_path / "a.feather")
    assert read(tmp_path / "a.feather", positive="2").labels.tolist() == [False, True]


def test_masks_of_rows_to_learn_from_are_read(tmp_path):
    path = write(tmp_path, "a.csv", "label,score,fit,val\n1,2,1,0\n0,2,0,1\n")
    table = read(path, train="fit", tune_on="val")
    assert (table.train.tolist(), table.tune_on.tolist()) == ([True, False], [False, True])


def test_times_keep_their_zone(tmp_path):
    frame = pd.DataFrame({"label": [0, 1], "score": [1, 2]})
    frame["time"] = pd.date_range("2026-01-01", periods=2, tz="Asia/Tokyo")
    frame.to_parquet(tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet", time="time").time.type.tz == "Asia/Tokyo"
    pa.parquet.write_table(
        pa.table({"label": [0], "score": [1], "t": [[1]]}), tmp_path / "b.parquet"
    )
    with pytest.raises(FileError, match="column 't' must be times, text or numbers, got type list"):
        read(tmp_path / "b.parquet", time="t")


@pytest.mark.parametrize("times", [np.array(["2026-01-01", "2026-01-02"]), TIMES[:2].to_numpy()])
def test_an_archive_may_have_times(tmp_path, times):
    np.savez(tmp_path / "a.npz", labels=[0, 1], scores=[1, 2], time=times)
    table = read(tmp_path / "a.npz", time="time")
    assert Clock.read(table.time).instants.size == 2


HUGE = 2**53 + 1


def texts_with(number):
    """A whole number as a score, in every text that is read."""
    return {
        "a.csv": f"label,score\n0,1\n1,{number}\n",
        "a.tsv": f"label\tscore\n0\t1\n1\t {number} \n",
        "a.jsonl": f'{{"label": 0, "score": 1}}\n{{"label": 1, "score": {number}}}\n',
        "a.json": f'[{{"label": 0, "score": 1}}, {{"label": 1, "score": {number}}}]',
    }


@pytest.mark.parametrize("name", texts_with(1))
@pytest.mark.parametrize("number", [HUGE, -HUGE, 10**17 + 1, 2**200 + 1])
def test_whole_numbers_are_not_rounded(tmp_path, name, number):
    path = write(tmp_path, name, texts_with(number)[name])
    with pytest.raises(FileError, match=r"no float64 is exactly .*; write their ranks instead"):
        read(path)


@pytest.mark.parametrize("name", texts_with(1))
@pytest.mark.parametrize("number", ["9007199254740992", "9007199254740993.0", "1e300", "-1e17"])
def test_whole_numbers_that_a_float_is_and_fractions_are_read(tmp_path, name, number):
    path = write(tmp_path, name, texts_with(number)[name])
    assert read(path).scores["score"].tolist() == [1, float(number)]


def test_arrays_and_columns_have_the_same_names(tmp_path):
    path = tmp_path / "a.npz"
    for label in ("label", "Label", "labels", "is_anomaly"):
        np.savez(path, **{label: [0, 1], "score": [0.5, 0.7], "score_b": [[1, 2], [3, 4]]})
        table = read(path)
        assert table.labels.tolist() == [0, 1]
        assert list(table.scores) == ["score", "score_b_0", "score_b_1"]


@pytest.mark.parametrize("kind", [bool, np.int64, float])
def test_a_million_packed_flags_are_no_bomb(tmp_path, kind):
    flags = np.zeros(10**6, kind)
    flags[5000:5100] = 1
    np.savez_compressed(tmp_path / "a.npz", label=flags, score=flags)
    assert read(tmp_path / "a.npz").labels.sum() == 100


# --- a list of records ---------------------------------------------------------------------------

RECORDS = [
    {"label": 0, "score": 0.5, "id": "a"},
    {"label": 1, "score": 0.75, "id": "a"},
    {"id": "b", "score": None, "label": True},
]


@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_a_list_of_records_is_read(tmp_path, suffix):
    path, text = tmp_path / f"a{suffix}", json.dumps(RECORDS, indent=1).encode()
    path.write_bytes(gzip.compress(text) if suffix.endswith("gz") else b"\xef\xbb\xbf" + text)
    table = read(path, series="id", missing="skip")
    assert (table.labels.tolist(), table.series.tolist()) == ([0, 1, 1], ["a", "a", "b"])
    assert np.array_equal(table.scores["score"], [0.5, 0.75, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "a.json: not JSON: Expecting value"),
        ("\xff", "a.json: not JSON"),
        ("[" * 10**5, "a.json: not JSON: "),
        ("[]", "a.json: the file is empty"),
        ('{"label": [0, 1]}', r"must be a list of objects, got {'label'"),
        ("[1]", "record 0: must be an object, got 1"),
        ('[{"label": 0, "score": 1}, {"label": 1}]', "record 1, key 'score': must be in every obj"),
        (json.dumps(RECORDS), "record 2, key 'score': null; --missing skip"),
        ('[{"y": 0, "score": 1}]', "the label column must be one of"),
    ],
)
def test_a_list_of_other_things_is_refused_with_its_place(tmp_path, text, words):
    with pytest.raises(FileError, match=words):
        read(write(tmp_path, "a.json", text))


# --- rows without a label ------------------------------------------------------------------------


def gaps(folder):
    """Two rows without a label, one of them not to be judged."""
    rows = {"label": [0, 1, None, None], "score": [0.5, 1.5, 2.5, 3.5], "use": [1, 1, 0, 1]}
    table = pa.table({name: pa.array(values) for name, values in rows.items()})
    pyarrow.parquet.write_table(table, folder / "a.parquet")
    pyarrow.feather.write_feather(table, folder / "a.feather")
    records = [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)]
    (folder / "a.json").write_text(json.dumps(records))
    (folder / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (folder / "a.csv").write_text("label,score,use\n0,.5,1\n1,1.5,1\n,2.5,0\n ,3.5,1\n")
    return [folder / f"a.{suffix}" for suffix in ("parquet", "feather", "json", "jsonl", "csv")]


def test_rows_without_a_label_are_refused_with_the_way_out(tmp_path):
    for path in gaps(tmp_path):
        with pytest.raises(FileError, match=r"--where COL \(where=\)"):
            read(path)


def test_rows_that_are_not_judged_need_no_label(tmp_path):
    for path in gaps(tmp_path):
        table = read(path, where="use")
        with pytest.raises(InputError, match=r"got nan at index 3 \(1 of 4 points\)"):
            aj.auc_roc(table.labels, table.scores["score"], where=table.where)
        judged = [True, True, False, False]
        assert aj.auc_roc(table.labels, table.scores["score"], where=judged) == 1
