"""The file that makes a folder ours."""

import json

import pytest

from adjudge.errors import InputError
from adjudge.stores import folder as manifest
from adjudge.stores.folder import check_versions, read_manifest, versions, write_manifest


@pytest.fixture
def note(tmp_path):
    path = tmp_path / "study.json"
    write_manifest(path, "study", {"seed": 1, "files": {"a": "0"}})
    return path


def test_a_manifest_says_what_it_was_told(note):
    said = read_manifest(note, "study")
    assert ("study", 1, {"a": "0"}) == (said["adjudge"], said["seed"], said["files"])
    assert read_manifest(note.with_name("none"), "study") is None


def test_a_manifest_that_says_so_already_is_not_written_again(note):
    before = note.stat().st_mtime_ns
    write_manifest(note, "study", {"seed": 1, "files": {"a": "0"}})
    assert before == note.stat().st_mtime_ns


def test_a_manifest_of_another_kind_is_refused(note):
    with pytest.raises(InputError, match=r"study\.json must be as a ranking wrote it, got "):
        read_manifest(note, "ranking")


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"adjudge": "study"}', "\x00", "[" * 10**5])
def test_what_is_no_manifest_is_refused(note, text):
    note.write_text(text)
    with pytest.raises(InputError, match="must be as a study wrote it"):
        read_manifest(note, "study")


def test_a_flipped_bit_anywhere_is_noticed_or_changes_nothing(note):
    whole, said = note.read_bytes(), read_manifest(note, "study")
    for place in range(len(whole)):
        for bit in range(8):
            note.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
            try:
                assert said == read_manifest(note, "study")
            except InputError:
                continue


def test_other_versions_are_refused_with_the_way_out(monkeypatch):
    before = versions()
    assert {"adjudge", "numpy", "scipy"} == before.keys()
    check_versions(before, ("adjudge", "numpy"))
    monkeypatch.setattr(manifest, "versions", lambda: {**before, "numpy": "9.9"})
    check_versions(before, ("scipy",))
    with pytest.raises(InputError) as refused:
        check_versions(before, ("adjudge", "numpy"))
    assert (
        "out must be resumed with the versions it was started with, got numpy 9.9 after "
        f"{before['numpy']}; choose another folder, or restore these versions"
    ) == str(refused.value)


def test_a_manifest_is_json_that_people_can_read(note):
    assert json.loads(note.read_text())["seed"] == 1
    assert len(note.read_text().splitlines()) > 4
