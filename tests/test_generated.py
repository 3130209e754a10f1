"""Generated files are as the source declares: tools/make.py makes them, and finds what is stale."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKE = runpy.run_path(str(ROOT / "tools" / "make.py"))
ELSEWHERE = {"revisions": "tests/golden/test_revisions.py"}
"""What takes long to make is compared where its parts are tested."""


@pytest.mark.parametrize("name", sorted(set(MAKE["TEXTS"]) - set(ELSEWHERE)))
def test_generated_files_are_current(name):
    assert MAKE["stale"](name) == [], f"python tools/make.py {name}"


def test_every_script_that_makes_a_file_has_an_entry():
    scripts = {path.stem for path in ROOT.glob("tools/make_*.py")}
    named = {module for entry in ("TEXTS", "AT_BUILD") for module, _ in MAKE[entry].values()}
    named |= {Path(script).stem for script, _ in MAKE["SCRIPTS"].values()}
    assert scripts == {name for name in named if (ROOT / "tools" / f"{name}.py").exists()}
    assert all((ROOT / path).exists() for path in ELSEWHERE.values())


def test_a_stale_file_is_found_and_made_anew(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text("old 1.00")
    monkeypatch.setitem(MAKE["main"].__globals__, "ROOT", tmp_path)
    monkeypatch.setitem(MAKE["main"].__globals__, "TEXTS", {"one": ("", "")})
    monkeypatch.setitem(MAKE["main"].__globals__, "made", lambda _: {page: "new 1.00"})
    assert MAKE["main"](["--check"]) == 1
    assert capsys.readouterr().out == "page.md is stale: python tools/make.py one\n"
    assert MAKE["main"]([]) == 0
    assert page.read_text() == "new 1.00"
    assert MAKE["main"](["--check"]) == 0
    assert MAKE["main"](["two"]) == 2


def test_decimals_may_round_otherwise_and_words_and_whole_numbers_may_not():
    same = MAKE["same"]
    assert same("f1 0.5430 of 12", "f1 0.5431 of 12", 0.01)
    assert not same("f1 0.5430 of 12", "f1 0.5431 of 12", None)
    assert not same("f1 0.54", "f1 0.64", 0.01)
    assert not same("f1 0.54 of 12", "f1 0.54 of 13", 0.01)
    assert not same("f1 0.54", "f1 0.54 0.54", 0.01)
