"""NumPy files: what is read, and hostile ones refused before they cost anything."""

import io
import pickle
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from adjudge.errors import FileError, UnknownName
from adjudge.io.labels_and_scores import read

LABELS = np.array([0, 1, 1, 0])
SCORES = np.array([0.1, 0.9, 0.8, 0.2])
BOTH = np.stack([SCORES, -SCORES], axis=1)


def npy(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


def header(text, body=b"", version=1):
    text = text.encode()
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + body


def declared(shape, kind="<f8"):
    return f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}"


def npz(*, packed=False, **arrays):
    stream = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(stream, **arrays)
    return stream.getvalue()


def archive(members, method=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, data in members:
            file.writestr(name, data)
    return stream.getvalue()


def patched(data, offset, value):
    """Overwrite a field of every entry in an archive's directory."""
    data, at = bytearray(data), 0
    while (at := data.find(b"PK\1\2", at)) >= 0:
        data[at + offset : at + offset + len(value)] = value
        at += 4
    return bytes(data)


def long_directory(data, length):
    """Put a record for very large archives before the last one, with a directory that long."""
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 2, 2, length, 0)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, len(data) - 22, 1)
    return data[:-22] + record + locator + data[-22:]


@pytest.fixture
def save(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def listed(table):
    return table.labels.tolist(), {name: s.tolist() for name, s in table.scores.items()}


FIELDS = [("score_b", ">f4"), ("label", "?"), ("score", "<f8"), ("id", ">U3"), ("keep", "i1")]
RECORDS = np.array([(0.5, True, 0.25, "a", 1), (1.5, False, 1.25, "é", 0)], dtype=FIELDS)


def test_the_fields_of_a_structured_array_are_columns(save):
    table = read(save("a.npy", npy(RECORDS)), series="id", where="keep")
    assert ([True, False], {"score_b": [0.5, 1.5], "score": [0.25, 1.25]}) == listed(table)
    assert (["a", "é"], [True, False]) == (table.series.tolist(), table.where.tolist())
    assert all(s.dtype.isnative and s.flags.c_contiguous for s in table.scores.values())


def test_field_names_beyond_latin_1_are_read(save):
    array = np.array([(1, 2.0)], dtype=[("label", "i4"), ("score_中", "f8")])
    with pytest.warns(UserWarning, match="3.0"):
        data = npy(array)
    assert ([1], {"score_中": [2.0]}) == listed(read(save("a.npy", data)))


def test_many_fields_are_read(save):
    fields = [("label", "i4"), *((f"score_{i}", "f8") for i in range(1000))]
    assert 1000 == len(read(save("a.npy", npy(np.ones(3, dtype=fields)))).scores)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["<f8", ">f8", "<f4", ">i2"])
def test_a_plain_array_has_the_label_first(save, order, kind):
    one = np.array([[0, 5], [1, 7]], dtype=kind, order=order)
    two = np.array([[0, 5, 6], [1, 7, 8]], dtype=kind, order=order)
    assert ([0, 1], {"score": [5, 7]}) == listed(read(save("one.npy", npy(one))))
    expected = ([0, 1], {"score_0": [5, 7], "score_1": [6, 8]})
    assert expected == listed(read(save("two.npy", npy(two))))


def test_the_columns_of_a_plain_array_can_be_chosen(save):
    path = save("a.npy", npy(np.array([[0, 5, 6], [1, 7, 8]])))
    assert ([0, 1], {"score_1": [6, 8]}) == listed(read(path, scores="score_1"))
    with pytest.raises(UnknownName, match="has the columns 'label', 'score_0', 'score_1'"):
        read(path, series="id")


@pytest.mark.parametrize("packed", [False, True])
def test_an_archive_holds_labels_and_scores(save, packed):
    one = read(save("one.npz", npz(labels=LABELS, scores=SCORES, packed=packed)))
    assert (LABELS.tolist(), {"score": SCORES.tolist()}) == listed(one)
    two = read(save("two.npz", npz(labels=LABELS, scores=BOTH, packed=packed)))
    expected = {"score_0": BOTH[:, 0].tolist(), "score_1": BOTH[:, 1].tolist()}
    assert (LABELS.tolist(), expected) == listed(two)


def test_the_arrays_of_an_archive_can_be_named(save):
    ids = np.array([1, 1, 2, 2])
    data = npz(y=LABELS, a=SCORES, b=BOTH, ids=ids, text=ids.astype("S"), keep=LABELS == 1)
    table = read(save("a.npz", data), label="y", scores=["b", "a"], series="ids", where="keep")
    assert ["b_0", "b_1", "a"] == list(table.scores)
    assert ([1, 1, 2, 2], [False, True, True, False]) == (
        table.series.tolist(),
        table.where.tolist(),
    )
    named = read(save("a.npz", data), label="y", scores=["a"], series="text")
    assert ["1", "1", "2", "2"] == named.series.tolist()


def test_honest_packed_labels_are_no_bomb(save):
    scores = np.random.default_rng(0).random(300_000)
    labels = (np.arange(300_000) // 1000 == 7).astype(int)
    table = read(save("a.npz", npz(labels=labels, scores=scores, packed=True)))
    assert 1000 == table.labels.sum()


@pytest.mark.parametrize("packed", [False, True])
def test_a_long_array_is_read_in_parts(save, packed):
    scores = np.random.default_rng(0).random((50_000, 2))
    labels = np.arange(50_000) % 100 == 7
    table = read(save("a.npz", npz(labels=labels, scores=scores, packed=packed)))
    assert np.array_equal(labels, table.labels)
    assert np.array_equal(scores, np.stack(list(table.scores.values()), axis=1))


def test_an_old_header_is_read_without_a_warning(save):
    text = "{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L), }"
    path = save("a.npy", header(text, np.array([1.0, 2.0]).tobytes()))
    assert ([1.0], {"score": [2.0]}) == listed(read(path))


OBJECTS = npy(np.array([{}, 1], dtype=object), allow_pickle=True)
RAW = npy(BOTH)
BAD_NPY = {
    "a pickle": (pickle.dumps(BOTH), "pickles are never loaded"),
    "objects": (OBJECTS, "the array holds Python objects; pickles are never loaded"),
    "objects in a field": (
        npy(np.array([(1, {})], dtype=[("label", "i4"), ("score", "O")]), allow_pickle=True),
        "the array holds Python objects; pickles are never loaded",
    ),
    "a huge shape": (header(declared((10**9, 2))), "shape (1000000000, 2) of 8 bytes each, got 0"),
    "a shape of many lengths": (header(declared((2**62,) * 300)), "the size its header declares"),
    "a length too large": (header(declared("(0x1" + "0" * 9000 + ",)")), "from 0 to 2**63 - 1"),
    "a negative length": (header(declared((-1, 2))), "must be from 0 to 2**63 - 1"),
    "a huge item": (header(declared((1,), "<U500000000")), "of 2000000000 bytes each, got 0"),
    "empty items": (header(declared((10**12,), "<U0")), "the items of an array must not be empty"),
    "no rows but many columns": (header(declared((0, 10**15))), "1 to 10,000 detectors"),
    "no rows": (npy(np.empty((0, 2))), "there must be at least one row, got none"),
    "too few bytes": (RAW[:-1], "the size its header declares, shape (4, 2) of 8 bytes each"),
    "too many bytes": (RAW + b"x", "the size its header declares, shape (4, 2) of 8 bytes each"),
    "half a header": (RAW[:40], "not an npy array"),
    "a wrong magic": (b"\x93NUMPX" + RAW[6:], "not an npy array"),
    "a version of the future": (header(declared((0, 2)), version=9), "broken npy array"),
    "a header beyond reason": (header(declared((1, 2)) + " " * 70_000, version=2), "not an npy"),
    "a header of code": (header("__import__('os').getcwd()"), "not an npy array"),
    "a header of brackets": (header("(" * 5000), "not an npy array"),
    "a header of another thing": (header("[1, 2]"), "not an npy array"),
    "an unknown type": (header(declared((1, 2), "<q9")), "not an npy array"),
    "one dimension": (npy(SCORES), "must be structured, or plain and 2-d"),
    "one column": (npy(SCORES[:, None]), "got shape (4, 1) of float64"),
    "no dimension": (npy(np.array(1.0)), "got shape () of float64"),
    "three dimensions": (npy(np.ones((2, 2, 2))), "got shape (2, 2, 2)"),
    "a table of records": (npy(RECORDS[:, None]), "must be structured, or plain and 2-d"),
    "too many columns": (npy(np.ones((1, 10_002))), "1 to 10,000 detectors, got 10,001"),
    "text": (npy(np.array([["0", "1"]])), "column 'label' must be numbers or booleans, got type"),
    "complex": (npy(np.ones((2, 2), complex)), "must be numbers or booleans, got type complex128"),
    "a field of rows": (
        npy(np.ones(2, dtype=[("label", "i4"), ("score", "f8", (3,))])),
        "column 'score' must be 1-d, got shape (2, 3)",
    ),
    "a field of fields": (
        npy(np.ones(2, dtype=[("label", "i4"), ("score", [("x", "f8")])])),
        "column 'score' must be numbers or booleans",
    ),
    "booleans of other bytes": (
        header(declared((1, 2), "|b1"), b"\1\2"),
        "column 'score' must hold booleans stored as 0 or 1",
    ),
}


@pytest.mark.parametrize("case", BAD_NPY)
def test_a_bad_npy_is_refused_in_one_line(save, case):
    data, words = BAD_NPY[case]
    path = save("a.npy", data)
    with pytest.raises(FileError) as caught:
        read(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert 1 == len(str(caught.value).splitlines())
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (np.array([1.0]), "column 'id' must be text or whole numbers, got type float64"),
        (np.array([b"\xff"]), "column 'id' must be UTF-8 text"),
        (np.array([0x110000], "<u4").view("<U1"), "must be valid Unicode text"),
        (np.array([0xD800], "<u4").view("<U1"), "must be valid Unicode text"),
    ],
    ids=["float", "bytes", "beyond Unicode", "surrogate"],
)
def test_series_ids_of_other_kinds_are_refused(save, ids, words):
    path = save("a.npz", npz(labels=LABELS[:1], scores=SCORES[:1], id=ids))
    with pytest.raises(FileError, match=words):
        read(path, series="id")


GOOD = npz(labels=LABELS, scores=SCORES)
PACKED = npz(labels=LABELS, scores=SCORES, packed=True)
FLAT = npy(LABELS)
ZEROS = np.zeros(2**23)
BOMB = npz(labels=ZEROS, scores=ZEROS, packed=True)
PAIR = [("labels.npy", FLAT), ("scores.npy", npy(SCORES))]
HALF = header(declared((8,)), SCORES.tobytes())  # four of eight values
ENDED = archive([("labels.npy", HALF), ("scores.npy", HALF)], zipfile.ZIP_DEFLATED)
BAD_NPZ = {
    "a pickle": (pickle.dumps(LABELS), "not an npz archive (pickles are never loaded)"),
    "objects": (
        archive([("labels.npy", OBJECTS), ("scores.npy", OBJECTS)]),
        "array 'labels': the array holds Python objects; pickles are never loaded",
    ),
    "half an archive": (GOOD[: len(GOOD) // 2], "not an npz archive"),
    "a bomb": (BOMB, "at most 200 times their packed size, got 134,217,984 bytes from"),
    "a bomb in one array": (
        npz(labels=LABELS, scores=ZEROS, packed=True),
        "at most 200 times their packed size",
    ),
    "sizes that lie": (patched(GOOD, 20, b"\0\0\0\x40" * 2), "the members must fit in the file's"),
    "members that overlap": (
        patched(GOOD, 20, struct.pack("<I", len(GOOD) // 2 + 1)),
        "the members must fit in the file's",
    ),
    "unpacked sizes that lie": (patched(GOOD, 24, b"\0\0\0\x7f"), "times their packed size"),
    "more than 8 GiB": (
        patched(archive([*PAIR, ("x.npy", FLAT)]), 24, b"\xfe\xff\xff\xff"),
        "must unpack to at most 8,589,934,592 bytes, got 12,884,901,882",
    ),
    "too many members": (
        archive([(f"{i}.npy", b"") for i in range(1001)]),
        "at most 1,000 members, got 1,001",
    ),
    "very many members": (
        archive([(f"{i:0100}.npy", b"") for i in range(8000)]),
        "at most 1,000 members, got a directory of 1,200,000 bytes",
    ),
    "a directory beyond reason": (
        long_directory(GOOD, 2**40),
        "at most 1,000 members, got a directory of 1,099,511,627,776 bytes",
    ),
    "a path upwards": (archive([*PAIR, ("../x.npy", FLAT)]), "'../x.npy' must have a plain name"),
    "an absolute path": (archive([*PAIR, ("/x.npy", FLAT)]), "'/x.npy' must have a plain name"),
    "a backslash": (archive([*PAIR, ("a\\x.npy", FLAT)]), "must have a plain name"),
    "another kind of member": (archive([*PAIR, ("x.pkl", b"")]), "'x.pkl' must be a .npy array"),
    "an encrypted member": (patched(GOOD, 8, b"\1"), "'labels.npy' must not be encrypted"),
    "another packing": (archive(PAIR, zipfile.ZIP_LZMA), "must be stored or deflated"),
    "an unknown packing": (patched(GOOD, 10, b"\x63"), "must be stored or deflated"),
    "the wrong size of a member": (
        archive([("labels.npy", FLAT[:-8]), PAIR[1]]),
        "array 'labels': the array must have the size its header declares",
    ),
    "a member that ends early": (
        patched(ENDED, 24, struct.pack("<I", len(HALF) + 32)),
        "array 'labels': broken npy array: 32 bytes are missing",
    ),
    "a moved member": (patched(GOOD, 42, b"\5"), "array 'labels': broken member"),
    "a damaged member": (
        PACKED.replace(PACKED[70:100], PACKED[70:100][::-1]),
        "array 'labels': ",
    ),
    "a damaged value": (
        GOOD.replace(SCORES.tobytes(), bytes(32)),
        "array 'scores': not an npy array (pickles are never loaded): Bad CRC-32",
    ),
    "no labels": (
        npz(scores=SCORES),
        "label array must be one of 'label', 'Label', 'labels', 'is_anomaly', got the",
    ),
    "no scores": (
        npz(labels=LABELS),
        "score array must be called 'score', 'Score', 'scores', 'anomaly_score' or",
    ),
    "an empty archive": (archive([]), "label array must be one of 'label', "),
    "labels in a table": (
        npz(labels=BOTH, scores=SCORES),
        "'labels' must be 1-d, got shape (4, 2)",
    ),
    "scores in a block": (npz(labels=LABELS, scores=np.ones((4, 2, 3))), "got shape (4, 2, 3)"),
    "no detectors": (npz(labels=LABELS, scores=np.ones((4, 0))), "1 to 10,000 detectors, got 0"),
    "fewer scores": (
        npz(labels=LABELS, scores=SCORES[1:]),
        "array 'score' must be as long as the labels (4), got 3",
    ),
    "text": (npz(labels=LABELS, scores=LABELS.astype("U")), "must be numbers or booleans, got"),
    "nothing": (npz(labels=LABELS[:0], scores=SCORES[:0]), "there must be at least one row"),
}


@pytest.mark.parametrize("case", BAD_NPZ)
def test_a_bad_npz_is_refused_in_one_line(save, case):
    data, words = BAD_NPZ[case]
    path = save("a.npz", data)
    with pytest.raises(FileError) as caught:
        read(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert 1 == len(str(caught.value).splitlines())


def test_two_members_of_one_name_are_refused(save):
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = archive([*PAIR, PAIR[0]])
    with pytest.raises(FileError, match="the names of an archive's members must differ"):
        read(save("a.npz", data))


def test_two_arrays_for_one_detector_are_refused(save):
    path = save("a.npz", npz(labels=LABELS, scores=BOTH, score_1=SCORES))
    with pytest.raises(FileError, match="two arrays give a column 'score_1'; rename one"):
        read(path, scores=["scores", "score_1"])


def test_an_array_that_is_not_needed_is_not_read(save):
    members = [*PAIR, ("x.npy", OBJECTS), ("bomb.npy", npy(ZEROS))]
    table = read(save("a.npz", archive(members, zipfile.ZIP_DEFLATED)))
    assert LABELS.tolist() == table.labels.tolist()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.npy", header(declared((10**9, 2)))),
        ("a.npy", header(declared((1,), "<U500000000"))),
        ("a.npz", BOMB),
        ("a.npz", archive([("labels.npy", header(declared((2**40,)))), PAIR[1]])),
        ("a.npz", patched(GOOD, 20, b"\0\0\0\x40" * 2)),
    ],
    ids=["huge shape", "huge item", "bomb", "huge shape in an archive", "lying sizes"],
)
def test_a_hostile_file_costs_no_memory(save, name, data):
    path = save(name, data)
    tracemalloc.start()
    with pytest.raises(FileError):
        read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
