"""Shards: whatever happens to a line, the others stand, and it is never half-read."""

import json
import os

import pytest

from adjudge.errors import InputError
from adjudge.stores.shards import Shards, decode, encode


@pytest.fixture
def kept(tmp_path):
    shards = Shards(tmp_path / "shards")
    shards.append("a", [{"key": "1", "value": 0.1}, {"key": "2", "value": None}])
    shards.append("b", [{"key": "3", "value": 0.3}])
    shards.append("a", [{"key": "4", "value": 0.4}])
    shards.sync()
    shards.close()
    return tmp_path / "shards"


def keys(folder, *series):
    shards = Shards(folder)
    return [[row["key"] for row in shards.rows(name)] for name in series]


def test_rows_come_back_in_their_order(kept):
    assert [["1", "2", "4"], ["3"], []] == keys(kept, "a", "b", "c")
    assert {"a", "b"} == set(Shards(kept).series())


def test_a_line_is_json_with_its_checksum(kept):
    first = (kept / "000001.jsonl").read_text().splitlines()[0]
    said = json.loads(first)
    assert {"series": "a", "key": "1", "value": 0.1} == said["row"]
    assert 32 == len(said["sha256"])


def test_nothing_that_is_no_number_of_json_is_written():
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode({"value": float("nan")})


def test_a_flipped_bit_is_noticed_wherever_it_is():
    line = encode({"series": "a", "key": "1", "value": 0.25})
    for place in range(len(line)):
        for bit in range(8):
            wrong = line[:place] + bytes([line[place] ^ 1 << bit]) + line[place + 1 :]
            assert decode(wrong) is None


def test_a_line_cut_short_anywhere_is_noticed():
    line = encode({"series": "a", "key": "1", "value": 0.25})
    assert all(decode(line[:size]) is None for size in range(len(line)))
    assert decode(line) == {"series": "a", "key": "1", "value": 0.25}
    assert decode(encode([1])) is None


def test_a_damaged_line_costs_itself_alone(kept):
    path = kept / "000001.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b"null", b"0.99")
    path.write_bytes(b"".join(lines) + b'{"sha256":"torn')
    assert [["1", "4"], ["3"]] == keys(kept, "a", "b")
    assert 2 == Shards(kept).damaged


def test_a_row_without_a_series_is_damage(kept):
    (kept / "000002.jsonl").write_bytes(encode({"key": "9"}))
    assert 1 == Shards(kept).damaged


def test_a_new_run_never_appends_to_an_old_shard(kept):
    before = (kept / "000001.jsonl").read_bytes()
    (kept / "000001.jsonl").write_bytes(before[:-7])
    shards = Shards(kept)
    shards.append("a", [{"key": "4", "value": 0.4}])
    shards.append("a", [])
    shards.close()
    assert ["000001.jsonl", "000002.jsonl"] == sorted(path.name for path in kept.iterdir())
    assert [["1", "2", "4"]] == keys(kept, "a")


def test_what_others_keep_among_the_shards_is_left_alone(kept):
    (kept / "notes.txt").write_text("mine")
    (kept / "x000001.jsonl").write_text("mine")
    assert [["1", "2", "4"]] == keys(kept, "a")


def test_a_shard_that_is_a_link_is_refused(kept, tmp_path):
    (kept / "000002.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="must be a plain file, got a link"):
        Shards(kept)


def test_rows_that_change_under_the_run_are_not_believed(kept):
    shards = Shards(kept)
    path = kept / "000001.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"value":0.1', b'"value":0.9'))
    assert ["2", "4"] == [row["key"] for row in shards.rows("a")]


def test_a_disk_that_takes_a_part_at_a_time_gets_all(tmp_path, monkeypatch):
    true = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: true(handle, bytes(data)[:7]))
    shards = Shards(tmp_path / "shards")
    shards.append("a", [{"key": "1"}])
    shards.close()
    shards.close()
    shards.sync()
    assert [["1"]] == keys(tmp_path / "shards", "a")


def test_rows_that_are_written_at_once_are_the_lines_of_each(tmp_path):
    texts = ['},{"series":', '"},{"series":"b"', "}\n{", "\\", '\\"', "é", ""]
    rows = [{"key": text, text: [text, None, 0.1], "more": {"series": text}} for text in texts]
    for size in (1, 2, len(rows)):
        shards = Shards(tmp_path / f"shards{size}")
        shards.append('a"},{"series":', rows[:size])
        shards.close()
        (path,) = (tmp_path / f"shards{size}").iterdir()
        whole = [{"series": 'a"},{"series":', **row} for row in rows[:size]]
        assert path.read_bytes() == b"".join(map(encode, whole))
        assert shards.rows('a"},{"series":') == whole
