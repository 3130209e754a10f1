"""CSV text: what is read, and what is refused with which words."""

import gzip
import io
import sys
import tracemalloc

import numpy as np
import pytest
from pyarrow import csv as arrow_csv

from adjudge.data.written_forms import EvenTexts
from adjudge.errors import FileError
from adjudge.io.formats import csv_text
from adjudge.io.labels_and_scores import read
from campaigns import csv_readers


@pytest.fixture
def csv(tmp_path):
    def write(data, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def test_labels_and_scores_come_back_exactly_and_in_column_order(csv):
    text = "score_b,label,score,note,score_a\n0.1,1,1e-300,x,-7\n 2 ,0,.5,,+3E2\n"
    table = read(csv(text))
    assert "data.csv" == table.name
    assert [1.0, 0.0] == table.labels.tolist()
    assert ["score_b", "score", "score_a"] == list(table.scores)
    assert [[0.1, 2.0], [1e-300, 0.5], [-7.0, 300.0]] == [s.tolist() for s in table.scores.values()]
    assert (None, None) == (table.series, table.where)


def test_every_float_survives_its_text(csv):
    scores = np.random.default_rng(1).random(2000).view(np.int64)
    scores = np.random.default_rng(2).permutation(scores).view(np.float64) * 1e200
    rows = "".join(f"0,{value!r}\n" for value in scores.tolist())
    assert scores.tolist() == read(csv("label,score\n" + rows)).scores["score"].tolist()


def test_nan_and_infinity_are_read_when_the_text_says_so(csv):
    cells = ["nan", "inf", "-Infinity", "NaN"]
    table = read(csv("label,score\n" + "".join(f"nan,{cell}\n" for cell in cells)))
    np.testing.assert_array_equal([np.nan, np.inf, -np.inf, np.nan], table.scores["score"])
    assert np.isnan(table.labels).all()


def test_labels_and_mask_may_say_true_and_false(csv):
    text = "label,score,keep\nTrue,1,true\nfalse,2,0\n TRUE,3,1\nFALSE,4,False\n"
    table = read(csv(text), where="keep")
    assert [1.0, 0.0, 1.0, 0.0] == table.labels.tolist()
    assert [True, False, True, False] == table.where.tolist()
    assert bool == table.where.dtype


def test_scores_may_not_say_true(csv):
    with pytest.raises(FileError, match="line 2, column 'score': not a number: 'True'"):
        read(csv("label,score\n1,True\n"))


def test_a_mask_of_other_numbers_is_refused(csv):
    with pytest.raises(
        FileError, match=r"column 'keep' must be 0 or 1, got 2.0 at row 1 \(2 in all"
    ):
        read(csv("label,score,keep\n1,1,1\n1,1,2\n1,1,nan\n"), where="keep")


def test_series_ids_stay_text_even_if_one_is_long(csv):
    long = "x" * 100_000
    table = read(csv(f"label,score,id\n1,1,007\n0,1,{long}\n"), series="id")
    assert ["007", long] == table.series.tolist()


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbflabel,score\n1,0.5\n0,1\n",
        b"label,score\r\n1,0.5\r\n0,1\r\n",
        b"label,score\r\n1,0.5\n0,1",
        b"label,score\n1,0.5\n0,1\n\n\r\n  \n",
        b'label, score\n1, 0.5\n"0","1"\n',
        b",label,score\n0,1,0.5\n1,0,1\n",
        b'label,note,score\n1,"two\nlines, ""quoted""",0.5\n0,,1\n',
        "label,größe,score\n1,ß,0.5\n0,中,1\n".encode(),
        b"label,x,x,score\n1,a,b,0.5\n0,a,b,1\n",
        b"label,note,score\n1,a\rb,0.5\n0,c,1\n".replace(b"a\rb", b'"a\rb"'),
    ],
    ids=[
        "mark",
        "crlf",
        "mixed ends",
        "blank end",
        "blanks and quotes",
        "nameless column",
        "line break in a cell",
        "not ascii",
        "twice the same unneeded name",
        "quoted carriage return",
    ],
)
def test_usual_variants_of_csv_are_read(csv, data):
    table = read(csv(data))
    assert [1.0, 0.0] == table.labels.tolist()
    assert [0.5, 1.0] == table.scores["score"].tolist()


@pytest.mark.parametrize(("name", "data"), [("a.tsv", "label\tscore\n1\t2\n"), ("A.TXT", None)])
def test_tabs_and_other_suffixes_are_read(csv, name, data):
    assert [2.0] == read(csv(data or "label,score\n1,2\n", name)).scores["score"].tolist()


def test_standard_input_is_read_as_csv(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"label,score\n1,2\n")))
    table = read("-")
    assert ("standard input", [2.0]) == (table.name, table.scores["score"].tolist())


def test_empty_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(FileError, match=r"^standard input: the file is empty$"):
        read("-")


def test_a_long_file_is_read_in_pieces_with_its_line_numbers(csv):
    body = b'1,0.25,"two\nlines"\n' * 60_000
    assert 15_000.0 == read(csv(b"label,score,note\n" + body)).scores["score"].sum()
    with pytest.raises(FileError, match="line 120002, column 'score': not a number: 'bad'"):
        read(csv(b"label,score,note\n" + body + b"1,bad,x\n"))


BAD_CELLS = {
    "0x10": "not a number: '0x10'",
    "1_000": "not a number: '1_000'",
    "1_0e999": "not a number: '1_0e999'",
    '"1,000"': "not a number: '1,000'; for a decimal comma use --decimal ,",
    "1e999": "too large for a 64-bit float: '1e999'",
    "-1e999": "too large for a 64-bit float: '-1e999'",
    "": "empty cell: ''; --missing skip drops such rows",
    "  ": "empty cell: '  '; --missing skip drops such rows",
    "NA": "not a number: 'NA'",
    "0,5": None,
    "1e": "not a number: '1e'",
    "z" * 5000: "not a number: 'zzzzzzzzzzzz...zzzzzzzzzzzzz'",
    "\x1b[31m": r"not a number: '\x1b[31m'",
}


@pytest.mark.parametrize("cell", [cell for cell, words in BAD_CELLS.items() if words])
def test_a_cell_that_is_no_number_is_named(csv, cell):
    with pytest.raises(FileError) as caught:
        read(csv(f"label,x,score\n0,,1\n0,,inf\n1,,{cell}\n0,,worse\n"))
    assert str(caught.value).endswith(f"data.csv: line 4, column 'score': {BAD_CELLS[cell]}")


def test_an_empty_series_id_is_refused(csv):
    with pytest.raises(FileError, match="line 3, column 'id': empty cell: ' '"):
        read(csv("label,score,id\n1,1,a\n1,1, \n"), series="id")


HEAD = b"label,score\n1,2\n"
BAD_FILES = {
    "a row too long": (HEAD + b"0,5,\n", "line 3: a row must have 2 cells like the header, got 3"),
    "a row too short": (HEAD + b"0\n", "line 3: a row must have 2 cells like the header, got 1"),
    "a blank line": (HEAD + b"\n\n1,2\n", "line 3: a blank line, with rows after it; delete it"),
    "an odd row after a blank": (
        HEAD + b"\n7\n",
        "line 3: a blank line, with rows after it; delete it",
    ),
    "a quote open to the end": (HEAD + b'1,"2\n1,2\n', "line 3: a quote opened here is never"),
    "a quote open very long": (HEAD + b'1,"2\n' + b"1,2\n" * 50_000, "line 3: a quote opened here"),
    "quotes open again and again": (
        HEAD + b'1,"' + b'\n","' * 300_000,
        "line 3: a quote opened here is never closed",
    ),
    "text after a quote": (HEAD + b'1,"2"3\n', "line 3: not valid CSV: ',' expected after '\"'"),
    "a carriage return": (HEAD + b"1,\r2\n", "line 3: a carriage return inside the line"),
    "carriage returns only": (HEAD.replace(b"\n", b"\r"), "line 1: a carriage return inside"),
    "a long cell": (HEAD + b"1," + b"2" * 200_000, "line 3: a cell is too long"),
    "a long line": (HEAD + b"1," + b"2," * 2**20, "line 3: a line must be at most 1,048,576 bytes"),
    "a NUL": (HEAD + b"1,\0", "line 3: a NUL byte; if this is a text, save it as UTF-8"),
    "a NUL in the header": (
        b"label,score,\0\n1,2,3",
        "line 1: a NUL byte; if this is a text, save it as UTF-8",
    ),
    "not UTF-8": (HEAD + b"1,2\xff\n", "line 3: byte 4 of the line is not UTF-8"),
    "Latin-1": ("label,größe\n".encode("latin-1"), "line 1: byte 9 of the line is not UTF-8"),
    "UTF-16": (HEAD.decode().encode("utf-16"), "looks like UTF-16 or UTF-32; save it as UTF-8"),
    "UTF-16 big end first": (
        b"\xfe\xff" + HEAD.decode().encode("utf-16-be"),
        "looks like UTF-16 or UTF-32; save it as UTF-8",
    ),
    "UTF-16 unmarked": (
        HEAD.decode().encode("utf-16-le"),
        "looks like UTF-16 or UTF-32; save it as UTF-8",
    ),
    "no header": (b"\n1,2\n", "line 1: the header is empty; it must name the columns"),
    "a header of commas": (b", ,\n1,2,3\n", "line 1: the header is empty"),
    "a mark only": (b"\xef\xbb\xbf", "line 1: the header is empty"),
    "a header only": (b"label,score\n", "there must be at least one row, got none"),
    "blank rows only": (b"label,score\n\n\n", "there must be at least one row, got none"),
    "a name twice": (b"label,score,score\n1,2,3\n", "column 'score' must be unique, got 2"),
    "a label twice": (b"label,score,label\n1,2,3\n", "column 'label' must be"),
    "too many columns": (b"," * 10_000 + b"label\n", "at most 10,000 columns, got 10,001"),
    "a huge name": (b"label,score_" + b"x" * 999 + b"\n1,2\n", "at most 200 characters, got 1,005"),
    "a zip archive": (
        b"PK\3\4\x14\0\0\0\6",
        "line 1: a NUL byte; if this is a text, save it as UTF-8",
    ),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_broken_text_is_refused_in_one_line(csv, case):
    data, words = BAD_FILES[case]
    path = csv(data)
    with pytest.raises(FileError) as caught:
        read(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert 1 == len(str(caught.value).splitlines())


@pytest.mark.parametrize("body", [b"x" * 2**26, b'"' + b"x,\n" * 2**24], ids=["line", "quote"])
def test_an_endless_record_takes_little_memory(csv, body):
    path = csv(b"label,score\n1," + body)
    tracemalloc.start()
    with pytest.raises(FileError):
        read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


def test_long_cells_do_not_pile_up(csv):
    assert arrow_csv.open_csv  # imported before
    path = csv(b"label,score,id\n" + (b"1,2," + b"x" * 100_000 + b"\n") * 300 + b"1,,x\n")
    tracemalloc.start()
    with pytest.raises(FileError, match="line 302, column 'score': empty cell"):
        read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6


HEAD = "timestamp,label,id,score\n"
ROWS = "".join(f"2026-01-0{i},{i % 2},m{i // 4},{i / 7!r}\n" for i in range(1, 8))
WITHOUT_DOUBT = {
    "plain": (HEAD + ROWS, {}),
    "with ids and times": (HEAD + ROWS, {"time": "timestamp", "series": "id"}),
    "ends of lines of another system": ((HEAD + ROWS).replace("\n", "\r\n"), {}),
    "or use UTC": (HEAD + ROWS.replace(",", "T00:00Z,", 1), {}),
    "a quoted header": ('"label","a ""score"""\n0,1\n1,2\n', {"scores": 'a "score"'}),
    "counted times": ("time,label,score\n8,0,1\n9,1,2\n10,0,3\n", {}),
    "times that are no decimal numbers": ("time,label,score\n0x9,0,1\n0x8,1,2\n0x10,0,3\n", {}),
    "times of all lengths": ("time,label,score\n8:00,0,1\n9:30,1,2\n10:00,0,3\n", {}),
    "empty times that nobody asked for": ("time,label,score\n,0,1\n,1,2\n,0,3\n", {}),
    "gaps": ("label,score\n0,1\n1,\n0,3\n", {"missing": "skip"}),
    "a decimal comma": ("label;score\n0;1,5\n1;2,5\n", {"sep": ";", "decimal": ","}),
}
IN_DOUBT = {
    "a quote": ('label,score\n0,"1"\n1,2\n', {}),
    "a NUL": (b"label,score\n0,1\0\n", {}),
    "a letter beyond ASCII": ("label,score,note\n0,1,\u00e9\n", {}),
    "a carriage return": ("label,score\n0,1\r1,2\n", {}),
    "a carriage return at the end": ("label,score\n0,1\n1,2\r", {}),
    "a long line": ("label,score,note\n0,1," + "x" * 200_000 + "\n", {}),
    "lines that are long together": ("label,score,note\n" + ("0,1," + "x" * 90_000 + "\n") * 9, {}),
    "one column": ("score\n1\n\n", {"also": True}),
    "keys": ("time,label,score\n1,0,1\n2,1,2\n", {"on": "time"}),
    "an infinity": ("label,score\n0,inf\n1,2\n", {}),
    "a whole number beyond floats": ("label,score\n0,9007199254740993\n1,2\n", {}),
    "an empty label": ("label,score\n,1\n1,2\n", {}),
    "an empty id": (HEAD + ROWS.replace("m1", " ", 1), {"series": "id"}),
    "a blank time": ("time,label,score\n  ,0,1\n11,1,2\n", {"time": "time"}),
    "a blank time among others": ("time,label,score\n ,0,1\n1:00,1,2\n", {"time": "time"}),
    "a word": ("label,score\n0,one\n", {}),
    "the decimal mark as separator": ("label,score\n0,1\n", {"decimal": ","}),
}


@pytest.mark.parametrize("what", WITHOUT_DOUBT)
def test_what_is_without_doubt_is_read_by_arrow_as_by_the_careful_reader(csv, what):
    text, options = WITHOUT_DOUBT[what]
    careful, both, by_arrow = csv_readers.by_both(csv(text), options)
    assert by_arrow
    assert careful == both


@pytest.mark.parametrize("what", IN_DOUBT)
@pytest.mark.parametrize("packed", [False, True])
def test_what_is_in_doubt_is_left_to_the_careful_reader(csv, what, packed):
    data, options = IN_DOUBT[what]
    data = data.encode() if isinstance(data, str) else data
    if options.pop("also", False):
        data, options = b"score\n" + data, {"label": "score", "scores": "score"}
    path = csv(gzip.compress(data) if packed else data, "data.csv.gz" if packed else "data.csv")
    careful, both, by_arrow = csv_readers.by_both(path, options)
    assert careful == both
    assert by_arrow == (what == "lines that are long together")


def watched(data, size):
    """The bytes that are passed on, read so many at a time."""
    source = csv_text._Watched(io.BytesIO(data))  # noqa: SLF001 - pyarrow reads it in a thread
    return b"".join(iter(lambda: source.read(size), b""))


SIZES = [2, 5, 2**18]
LINES = b"0,1," + b"x" * 90_000 + b"\r\n"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("data", [b"", b"label,score\r\n0,1\r\n\n1,2", LINES * 2])
def test_bytes_without_doubt_are_passed_on_in_any_pieces(data, size):
    assert watched(data, size) == data


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "data",
    [b'0,"1"\n', b"0,1\0\n", b"0,1,\xe9\n", b"0,1\r1,2\n", b"0,1\n1,2\r", b"0,1\r\r\n",
     b"x" * 2**17 + b"\n", b"0,1\n" + b"x" * 2**17],
    ids=["quote", "NUL", "not ASCII", "CR", "CR at the end", "two CR", "long line", "long end"],
)  # fmt: skip
def test_bytes_in_doubt_are_not_passed_on_in_any_pieces(data, size):
    with pytest.raises(csv_text._DoubtError):  # noqa: SLF001
        watched(data, size)


def test_a_long_text_is_read_by_arrow_and_a_short_one_without_it(csv, monkeypatch):
    def unwelcome(*_):
        raise AssertionError

    monkeypatch.setattr(csv_text, "_by_arrow", unwelcome)
    assert read(csv(HEAD + ROWS)).labels.size == 7
    monkeypatch.undo()
    monkeypatch.setattr(csv_text, "_read_carefully", unwelcome)
    table = read(csv("label,score\n" + "0,0.25\n1,0.75\n" * (csv_text.LONG // 14)))
    assert table.scores["score"].sum() == table.labels.size / 2


def test_without_arrow_the_careful_reader_reads(csv, monkeypatch):
    monkeypatch.setattr(csv_text, "LONG", 0)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert [0, 1] == read(csv("label,score\n0,1\n1,2\n")).labels.tolist()


EVEN = {
    "dates": ["2026-01-01", "2026-01-02"],
    "minutes": ["2026-01-01 00:00", "2026-01-01T00:05"],
    "a zone": ["2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"],
    "an offset": ["2026-01-01T00:00:00.5+01:00", "2026-01-01T00:05:00.5+01:00"],
    "two offsets": ["2026-01-01T00:00:00+01:00", "2026-01-01T00:05:00+02:00"],
    "long ago": ["1600-01-01", "1600-01-02"],
    "no such day": ["2026-02-28", "2026-02-30"],
    "no times": ["first day", "secondday"],
}


@pytest.mark.parametrize("what", EVEN)
def test_texts_of_one_length_are_the_times_that_they_are_as_strings(what):
    texts = EVEN[what]
    column = EvenTexts(np.array(texts, "S"))
    assert csv_readers.times_of(column) == csv_readers.times_of(np.array(texts, object))
    assert len(column) == 2
    assert list(column.take(np.array([1]))) == texts[1:]
