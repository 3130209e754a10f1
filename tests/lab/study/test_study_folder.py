"""The folder of a study: nothing of others is touched, and nothing damaged is believed."""

import json
import os

import pytest

from adjudge.errors import InputError
from adjudge.lab.study.runner import study
from adjudge.stores import folder as manifest

EXPERIMENTS = 4


@pytest.fixture
def whole(tmp_path):
    study(EXPERIMENTS, out=tmp_path)
    return tmp_path


def files(path):
    return {found.name: found.read_bytes() for found in sorted(path.iterdir())}


@pytest.mark.parametrize("name", ["experiments.csv", "experiments.parquet", "study.json"])
def test_a_folder_with_a_file_of_others_is_refused_and_left_as_it_was(tmp_path, name):
    (tmp_path / name).write_text("mine\n")
    with pytest.raises(InputError, match=f"{name}.* (of unknown origin|another)"):
        study(EXPERIMENTS, out=tmp_path)
    assert {name: b"mine\n"} == files(tmp_path)


def test_a_parts_folder_of_others_is_refused_and_left_as_it_was(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "precious").write_text("mine")
    with pytest.raises(InputError, match="got one with 'parts' of unknown origin at"):
        study(EXPERIMENTS, out=tmp_path)
    assert [tmp_path / "parts"] == list(tmp_path.iterdir())
    assert {"precious": b"mine"} == files(tmp_path / "parts")


def test_what_others_keep_beside_the_parts_stays(whole):
    (whole / "parts").mkdir()
    for name in ("precious", "000000.part.bak", "000000.part", "000001.jsonl"):
        (whole / "parts" / name).write_text("mine")
    study(EXPERIMENTS + 1, out=whole)
    assert {"precious": b"mine", "000000.part.bak": b"mine"} == files(whole / "parts")


@pytest.mark.parametrize("name", ["study.json", "experiments.csv", "experiments.parquet", "parts"])
def test_links_are_refused_and_not_followed(whole, name):
    precious = whole.with_name(f"{whole.name}-precious")
    precious.write_text("mine")
    (whole / name).unlink(missing_ok=True)
    (whole / name).symlink_to(precious)
    with pytest.raises(InputError, match="a link"):
        study(EXPERIMENTS + 1, out=whole)
    assert "mine" == precious.read_text()


@pytest.mark.parametrize("name", ["study.json.tmp", "experiments.tmp", "experiments.csv.tmp"])
def test_links_at_names_that_once_were_temporary_play_no_part(tmp_path, name):
    (tmp_path / "precious").write_text("mine")
    (tmp_path / name).symlink_to(tmp_path / "precious")
    study(EXPERIMENTS, out=tmp_path)
    assert "mine" == (tmp_path / "precious").read_text()


def test_a_damaged_parquet_file_is_written_again(whole):
    before = files(whole)
    path = whole / "experiments.parquet"
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    study(EXPERIMENTS, out=whole)
    assert before == files(whole)


def test_a_damaged_parquet_file_does_not_stay_where_nobody_can_write_one(whole, monkeypatch):
    (whole / "experiments.parquet").write_bytes(b"")
    monkeypatch.setattr(manifest, "find_spec", {}.get)
    study(EXPERIMENTS, out=whole)
    assert not (whole / "experiments.parquet").exists()
    assert ["experiments.csv"] == list(json.loads((whole / "study.json").read_text())["files"])


def test_a_damaged_note_is_refused_with_the_way_out(whole):
    text = (whole / "study.json").read_text()
    (whole / "study.json").write_text(text.replace('"experiments": 4', '"experiments": 3'))
    said = "study.json must be as a study wrote it, .* choose another folder"
    with pytest.raises(InputError, match=said):
        study(3, out=whole)


KEYS = (
    "adjudge", "versions", "seed", "design", "metrics", "guard", "chunk", "experiments", "files",
    "sha256",
)  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_damaged_key_of_the_note_is_refused_in_one_line(whole, key):
    note = json.loads((whole / "study.json").read_text())
    assert set(KEYS) == set(note)
    rest = {name: value for name, value in note.items() if name != key}
    for damaged in (rest, *({**rest, key: wrong} for wrong in (None, ["f1"], {"": 1}, "9", -1))):
        (whole / "study.json").write_text(json.dumps(damaged))
        before = files(whole)
        with pytest.raises(InputError, match=r"study\.json must be as a study wrote it") as refused:
            study(EXPERIMENTS, out=whole)
        assert 1 == len(str(refused.value).splitlines())
        assert before == files(whole)


@pytest.mark.parametrize("package", ["adjudge", "numpy", "scipy"])
def test_other_versions_are_refused_with_the_way_out(whole, monkeypatch, package):
    now = {**manifest.versions(), package: "99"}
    monkeypatch.setattr(manifest, "versions", lambda: now)
    before = files(whole)
    with pytest.raises(InputError, match=f"got {package} 99 after .*; choose another folder, or"):
        study(EXPERIMENTS + 1, out=whole)
    assert before == files(whole)


def test_two_studies_in_one_folder_are_refused(whole):
    told = []

    def starting_another(done, total):
        with pytest.raises(InputError, match="in use by another run") as refused:
            study(EXPERIMENTS + 2, out=whole)
        told.append(str(refused.value))

    study(EXPERIMENTS + 1, out=whole, progress=starting_another)
    assert told
    assert all(len(line.splitlines()) == 1 for line in told)
    study(EXPERIMENTS + 2, out=whole)  # the claim has ended with the run


def test_a_refused_study_gives_the_folder_up(whole):
    with pytest.raises(InputError, match="seed 0 instead of 1"):
        study(EXPERIMENTS, seed=1, out=whole)
    study(EXPERIMENTS, out=whole)


def test_leftovers_of_killed_runs_go(whole):
    (whole / "parts").mkdir()
    for place in (whole, whole / "parts"):
        (place / f".adjudge-{'0' * 16}.tmp").write_text("half")
    study(EXPERIMENTS, out=whole)
    names = [".adjudge.lock", "experiments.csv", "experiments.parquet", "study.json"]
    assert names == list(files(whole))


def test_a_full_disk_is_told_in_one_line_and_forgotten_afterwards(tmp_path, monkeypatch):
    true = os.fsync
    calls = []

    def full(handle):
        calls.append(handle)
        if len(calls) > 2:
            raise OSError(28, "No space left on device")
        true(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"out must be .*No space"):
        study(EXPERIMENTS, out=tmp_path / "full")
    monkeypatch.undo()
    for name in ("full", "whole"):
        study(EXPERIMENTS, out=tmp_path / name)
    lock = {".adjudge.lock": b""}
    assert files(tmp_path / "whole") | lock == files(tmp_path / "full") | lock
