"""A sealed folder, with two looks of each contract spent; copied for each attack."""

import shutil

import pytest

from sealed_story import ask, ask_with_key, made


@pytest.fixture(scope="session")
def story(tmp_path_factory):
    folder = tmp_path_factory.mktemp("story") / "home"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADJUDGE_WITNESS", str(folder / "witness"))
        made(folder)
        (folder / "before").mkdir()
        shutil.copy(folder / "a.seal.jsonl", folder / "before")
        for candidate in ("c0", "c1"):
            ask(folder, candidate)
            ask_with_key(folder, candidate)
    return folder


@pytest.fixture
def folder(story, tmp_path, monkeypatch):
    copy = tmp_path / "home"
    shutil.copytree(story, copy)
    monkeypatch.setenv("ADJUDGE_WITNESS", str(copy / "witness"))
    return copy
