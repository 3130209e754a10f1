"""Generated files are as the source declares: tools/make.py makes them, and finds what is stale."""

import re
import runpy
import sys
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

ROOT = Path(__file__).parents[1]
MAKE = runpy.run_path(str(ROOT / "tools" / "make.py"))
ELSEWHERE = {"revisions": "tests/golden/test_revisions.py"}
"""What takes long to make is compared where its parts are tested."""


@pytest.mark.parametrize("name", sorted(set(MAKE["TEXTS"]) - set(ELSEWHERE)))
def test_generated_files_are_current(name):
    assert MAKE["stale"](name) == [], f"python tools/make.py {name}"


@pytest.mark.parametrize("name", sorted(MAKE["PICTURES"]))
def test_pictures_of_pages_are_of_todays_pages(name, monkeypatch):
    """Of the same scripts, styles, templates and data; what they say is compared in a browser."""
    assert MAKE["stale"](name) == [], f"python tools/make.py {name}"
    module = sys.modules[MAKE["PICTURES"][name][0]]
    monkeypatch.setattr(module, "made_of", lambda: "another page")
    assert MAKE["stale"](name) == ["docs/report.png"]


def test_every_script_that_makes_a_file_has_an_entry():
    scripts = {path.stem for path in ROOT.glob("tools/make_*.py")}
    texts = MAKE["TEXTS"] | MAKE["PICTURES"] | MAKE["AT_BUILD"]
    named = {module for module, _ in texts.values()}
    named |= {Path(script).stem for script, _ in MAKE["SCRIPTS"].values()}
    assert scripts == {name for name in named if (ROOT / "tools" / f"{name}.py").exists()}
    assert all((ROOT / path).exists() for path in ELSEWHERE.values())


def test_a_stale_file_is_found_and_made_anew(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text("old 1.00")
    monkeypatch.setitem(MAKE["main"].__globals__, "ROOT", tmp_path)
    monkeypatch.setitem(MAKE["main"].__globals__, "TEXTS", {"one": ("", "")})
    monkeypatch.setitem(MAKE["main"].__globals__, "PICTURES", {})
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


README = "![a pump](docs/a.png) and [limits](docs/limits.md#here), [paper](https://example.org/x)"


def test_on_a_package_index_no_picture_and_no_link_is_relative():
    alone = runpy.run_path(str(ROOT / "tools" / "package_readme.py"))["standing_alone"]
    assert alone(README, None, "1.0") == (
        "*Picture: a pump* and limits (`docs/limits.md`), [paper](https://example.org/x)"
    )
    assert alone(README, "https://example.org/adjudge/", "1.0") == (
        "![a pump](https://example.org/adjudge/raw/v1.0/docs/a.png) and "
        "[limits](https://example.org/adjudge/blob/v1.0/docs/limits.md#here), "
        "[paper](https://example.org/x)"
    )


def test_the_long_description_of_the_package_has_only_absolute_links():
    built = ProjectMetadata(str(ROOT), PluginManager()).core
    text = built.readme
    assert built.readme_content_type == "text/markdown"
    assert "*Picture: Two detectors judged twice." in text
    assert [link for link in re.findall(r"\]\(([^)]+)\)", text) if ":" not in link] == []
    assert text.count("```") == (ROOT / "README.md").read_text("utf-8").count("```")
