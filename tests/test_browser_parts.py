"""What the page *In the browser* loads is used only with the hash that is written down."""

import runpy
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

MAKE = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "make_browser.py"))


@pytest.fixture
def parts(monkeypatch):
    right = {"one": MAKE["hash_of"](b"1"), "two": MAKE["hash_of"](b"2")}
    monkeypatch.setitem(MAKE["fill"].__globals__, "pinned", lambda: right)


def test_the_hash_is_what_a_browser_checks():
    # printf abc | openssl dgst -sha256 -binary | base64
    assert MAKE["hash_of"](b"abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="


@pytest.mark.usefixtures("parts")
def test_each_part_is_taken_from_the_first_source_that_has_it_right(tmp_path):
    wrong, right, site = tmp_path / "wrong", tmp_path / "right", tmp_path / "site"
    for folder, two in ((wrong, b"other"), (right, b"2")):
        folder.mkdir()
        (folder / "two").write_bytes(two)
    (wrong / "one").write_bytes(b"1")
    assert MAKE["fill"]([str(wrong)], site) == ["two"]
    assert not (site / "parts" / "two").exists()
    assert MAKE["fill"]([str(wrong), right.as_uri()], site) == []
    assert (site / "parts" / "two").read_bytes() == b"2"


def test_the_pinned_release_has_what_the_page_starts_with():
    names = MAKE["pinned"]()
    assert set(MAKE["CORE"]) < set(names)
    assert all(any(name.startswith(one) for name in names) for one in MAKE["COMPILED"])


def test_the_archive_has_the_library_and_nothing_compiled():
    pytest.importorskip("hatchling")
    names = zipfile.ZipFile(BytesIO(MAKE["archive"]())).namelist()
    assert {"adjudge/__init__.py", "narwhals/__init__.py", "jinja2/tests.py"} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".pyd", ".pyc"))]
    assert not [name for name in names if name.startswith("/") or ".." in name]
