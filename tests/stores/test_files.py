"""Files that are there as a whole or not at all, and never written through a link."""

import inspect
import sys

import pytest

from adjudge.errors import InputError
from adjudge.stores.files import (
    checksum,
    is_there,
    remove_unfinished,
    whole_file,
    write_texts,
    writing,
)
from adjudge.stores.folder import files_below


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_as_a_whole(tmp_path):
    write_texts(tmp_path / "a", ["one", "\n", "é"])
    assert "one\né".encode() == (tmp_path / "a").read_bytes()
    assert ["a"] == names(tmp_path)


def test_a_file_that_fails_leaves_the_old_one_and_nothing_else(tmp_path):
    write_texts(tmp_path / "a", ["old"])

    def failing():
        yield "new"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_texts(tmp_path / "a", failing())
    assert ("old", ["a"]) == ((tmp_path / "a").read_text(), names(tmp_path))


def test_a_link_is_replaced_and_its_target_left_alone(tmp_path):
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "a").symlink_to(tmp_path / "precious")
    write_texts(tmp_path / "a", ["ours"])
    assert "mine" == (tmp_path / "precious").read_text()
    assert not (tmp_path / "a").is_symlink()


def test_a_link_at_the_unfinished_name_is_not_followed(tmp_path, monkeypatch):
    (tmp_path / "precious").write_text("mine")
    monkeypatch.setattr("adjudge.stores.files.token_hex", lambda size: "0" * 2 * size)
    (tmp_path / f".adjudge-{'0' * 16}.tmp").symlink_to(tmp_path / "precious")
    with pytest.raises(FileExistsError):
        write_texts(tmp_path / "a", ["ours"])
    assert "mine" == (tmp_path / "precious").read_text()


def test_a_folder_that_cannot_be_synchronised_is_no_reason_to_fail(tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError

    monkeypatch.setattr("adjudge.stores.files.os.open", refused)  # as on Windows
    write_texts(tmp_path / "a", ["ours"])
    assert "ours" == (tmp_path / "a").read_text()


def test_a_checksum_is_that_of_the_bytes(tmp_path):
    with whole_file(tmp_path / "a") as stream:
        stream.write(b"abc")
    assert checksum(tmp_path / "a").startswith("ba7816bf8f01cfea")


def test_what_is_no_plain_file_is_refused(tmp_path):
    assert not is_there(tmp_path / "a")
    (tmp_path / "a").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"a must be a plain file, got a link at .*; remove it"):
        is_there(tmp_path / "a")
    with pytest.raises(InputError, match="must be a plain file, got something else at"):
        is_there(tmp_path)


def test_only_what_killed_runs_left_is_removed(tmp_path):
    kept = ["a.tmp", ".adjudge-mine.tmp", ".adjudge.lock", "parts"]
    for name in (*kept, f".adjudge-{'0f' * 8}.tmp"):
        (tmp_path / name).write_text("")
    remove_unfinished(tmp_path)
    assert sorted(kept) == names(tmp_path)


def test_a_disk_that_fails_is_told_in_one_line(tmp_path):
    said = r"out must be a"
    with pytest.raises(InputError, match=said), writing(tmp_path):
        raise OSError("full")


def test_files_are_found_however_deep_and_in_the_order_of_their_names(tmp_path):
    place = tmp_path
    for depth in range(300):
        place = place / "deep"
        place.mkdir()
        (place / "z").write_text(str(depth))
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 120)
    try:
        found = [file.read_text() for file, _ in files_below(tmp_path)]
    finally:
        sys.setrecursionlimit(before)
    assert found == [str(depth) for depth in range(299, -1, -1)]
