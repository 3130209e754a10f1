"""adjudge in the browser: the page judges, refuses what is not whole, and agrees with CPython.

ADJUDGE_PYODIDE names a folder or an address with the release of Pyodide that the page loads (its
npm package has no wheels of NumPy and SciPy); without it two tests are skipped;
what the page refuses needs none.
"""

import functools
import http.server
import json
import math
import os
import runpy
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("docutils")  # the page is made by a part of the documentation's build

from golden.make_revisions import CASES, given

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
sys.path.append(str(ROOT / "tools"))
MAKE = runpy.run_path(str(ROOT / "tools" / "make_browser.py"))
EXTENSION = runpy.run_path(str(ROOT / "docs" / "_ext" / "in_browser.py"))
PUMP = ROOT / "examples" / "pump.csv"


@pytest.fixture(scope="session")
def archive():
    pytest.importorskip("hatchling")
    return MAKE["archive"]()


@pytest.fixture(scope="session")
def release():
    folder = os.environ.get("ADJUDGE_PYODIDE")
    if not folder:
        pytest.skip("no release of Pyodide: set ADJUDGE_PYODIDE")
    return folder


class Site:
    """The page without the site around it, on this machine's own address."""

    def __init__(self, folder, archive):
        self.folder = folder
        (folder / "parts").mkdir()
        shutil.copytree(ROOT / "docs" / "_static", folder / "_static")
        (folder / "parts" / "adjudge.zip").write_bytes(archive)
        shutil.copy(PUMP, folder / "parts")
        parts = MAKE["pinned"]() | {"adjudge.zip": MAKE["hash_of"](archive)}
        (folder / "browser.html").write_text(
            f'<!doctype html><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{EXTENSION["POLICY"]}">'
            f"{(ROOT / 'docs' / '_ext' / 'in_browser.html').read_text('utf-8')}"
            f'<script type="application/json" id="judge-parts">{json.dumps(parts)}</script>'
            f'<script src="_static/in_browser.js"></script>',
            "utf-8",
        )
        handler = functools.partial(NormalTime, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/browser.html"


class NormalTime(http.server.SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *_):
        pass


@pytest.fixture
def site(tmp_path, archive):
    one = Site(tmp_path, archive)
    yield one
    one.server.shutdown()
    one.server.server_close()


@pytest.fixture
def page(browser, site):
    context = browser.new_context()
    page = context.new_page()
    page.requests = []
    context.on("request", lambda request: page.requests.append(request.url))
    page.goto(site.address)
    yield page
    context.close()


def judge(page, path):
    page.set_input_files("#judge-file", path)
    page.wait_for_selector("#judge-run:enabled", timeout=180_000)
    return page.inner_text("#judge-state")


def test_without_its_parts_the_page_says_so(page):
    said = judge(page, PUMP)
    assert said.startswith("You are offline, or this site has no copy of pyodide.js")
    assert not page.is_visible("#judge-table")


def test_offline_the_page_says_so(page):
    page.context.set_offline(True)
    assert judge(page, PUMP).startswith("You are offline, or the site is down")


def test_a_part_with_another_hash_is_not_run(page, site):
    (site.folder / "parts" / "pyodide.js").write_text(
        "postMessage({printed: 'taken over'})", "utf-8"
    )
    said = judge(page, PUMP)
    assert said.startswith("pyodide.js is not the file that this page was made for (another hash)")


def test_a_file_is_judged_here_and_nothing_is_sent(page, site, release):
    assert MAKE["fill"]([release], site.folder) == []
    assert "pump.csv has not left it" in judge(page, PUMP)
    command = [sys.executable, "-m", "adjudge", "evaluate", "pump.csv", "--at", "0.7"]
    own = subprocess.run(command, cwd=PUMP.parent, capture_output=True, text=True, check=True)
    shown = page.inner_text("#judge-table")
    assert " ".join(own.stdout.split()) in " ".join(shown.split())
    assert page.frame_locator("#judge-report").locator("h1").inner_text() == "pump.csv"
    loaded = len(page.requests)
    page.fill("#judge-options", "--at 0.7 --metric no_such_metric")
    page.click("#judge-run")
    page.locator("#judge-table", has_text="no_such_metric").wait_for(timeout=60_000)
    sent = [url for url in page.requests[loaded:] if not url.startswith("blob:")]
    assert sent == []


def test_values_under_pyodide_are_those_of_cpython(tmp_path, archive, release):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    folder = tmp_path / "site"
    assert MAKE["fill"]([release], folder) == []
    (tmp_path / "adjudge.zip").write_bytes(archive)
    rows = [line.split(",") for line in PUMP.read_text("utf-8").splitlines()[1:]]
    pump = [[int(row[1]) for row in rows], [float(row[2]) for row in rows]]
    cases = [[column.tolist() for column in case] for case in given(CASES)]
    inputs = tmp_path / "inputs.json"
    inputs.write_text(json.dumps({"cases": cases, "pump": pump}), "utf-8")
    program = [node, HERE / "pyodide.mjs", folder / "parts", tmp_path / "adjudge.zip"]
    program += [HERE / "judged.py", inputs]
    answer = subprocess.run(program, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    there = json.loads(answer.stdout.splitlines()[-1])
    here = runpy.run_path(str(HERE / "judged.py"))["judged"](cases, pump)
    assert there.keys() == here.keys()
    apart = {
        name: (value, there[name])
        for name, value in here.items()
        if not (
            math.isclose(value, there[name], rel_tol=1e-12, abs_tol=1e-12)
            or (math.isnan(value) and math.isnan(there[name]))
        )
    }
    assert apart == {}
