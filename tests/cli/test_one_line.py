"""Whatever goes wrong around the command line, it says so in one line and with the right code."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ADJUDGE = [sys.executable, "-m", "adjudge"]
FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="a device of Linux")


def ended(process):
    """The exit code, and what was said on stderr: no traceback, and one line at most."""
    _, said = process.communicate(timeout=60)
    assert b"Traceback" not in said
    return process.returncode, said.decode().splitlines()


def start(*args, **options):
    return subprocess.Popen([*ADJUDGE, *map(str, args)], stderr=subprocess.PIPE, **options)


def test_a_full_device_behind_stdout_is_told():
    with FULL.open("w") as full:
        code, said = ended(start("list", stdout=full))
    assert (2, 1) == (code, len(said))
    assert "No space left on device" in said[0]


@pytest.mark.parametrize("verb", [("list",), ("simulate", "--cases", "400", "--out")])
def test_a_reader_that_leaves_is_no_error(verb, tmp_path):
    place = [tmp_path / "cases"] if verb[-1] == "--out" else []
    reader, writer = os.pipe()
    os.close(reader)
    code, said = ended(start(*verb, *place, stdout=writer))
    os.close(writer)
    assert (0, []) == (code, said)


def test_a_closed_stdin_is_told():
    code, said = ended(start("evaluate", "-", preexec_fn=lambda: os.close(0)))
    assert (2, 1) == (code, len(said))
    assert "standard input is closed" in said[0]


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)])
@pytest.mark.parametrize("shape", [(), ("--csv",)])
def test_what_is_closed_hears_nothing(closed, shape, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("label,score\n0,0\n1,1\n")
    program = [*ADJUDGE, "evaluate", str(path), "--metric", "f1", "--no-chance", *shape]
    done = subprocess.run(
        program, capture_output=True, check=False, preexec_fn=lambda: [os.close(i) for i in closed]
    )
    assert (0, b"") == (done.returncode, done.stdout if 1 in closed else b"")
    assert b"Traceback" not in done.stderr


def test_a_backend_that_does_not_exist_is_told(tmp_path):
    environment = os.environ | {"MPLBACKEND": "nope"}
    code, said = ended(start("figure", "strip", "--out", tmp_path, env=environment))
    assert (2, 1) == (code, len(said))
    assert "nope" in said[0]


CONSOLE = "import sys; sys.argv = ['adjudge', 'list']; from adjudge.__main__ import main; main()"
MODULE = "import runpy; runpy.run_module('adjudge', run_name='__main__')"


@pytest.mark.parametrize("entry", [CONSOLE, MODULE])
@pytest.mark.parametrize("module", ["adjudge.cli", "numpy", "click.core", "adjudge.cli.group"])
def test_an_interrupt_while_importing_ends_in_one_line(entry, module):
    program = f"""
import sys, signal, os
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
{entry}
"""
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE)
    assert (130, ["adjudge: interrupted"]) == ended(process)


def test_the_console_script_is_the_entry_that_takes_interrupts_over():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert {"adjudge": "adjudge.__main__:main"} == project["scripts"]


def test_an_interrupt_while_a_class_is_made_ends_in_one_line():
    program = """
import os, signal, sys
import click
from adjudge.cli import main

class Interrupted:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGTERM)

@click.command()
def verb():
    class Made:  # as by an import that a verb makes; Python 3.11 says RuntimeError
        field = Interrupted()

main.add_command(verb)
main(["verb"])
"""
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE)
    code, said = ended(process)
    assert (130, "adjudge: interrupted") == (code, said[-1])  # click puts an empty line before it


@pytest.mark.parametrize("module", ["adjudge", "adjudge.cli", "adjudge._interrupts"])
@pytest.mark.parametrize("called", [["adjudge"], ["mine.py", "-m", "adjudge"]])
def test_whoever_merely_imports_keeps_its_interrupts(tmp_path, called, module):
    script = tmp_path / called[0]
    script.write_text(
        "import signal; signal.signal(2, signal.default_int_handler); "
        f"import {module}; adjudge.f1; adjudge.evaluate; "
        "print(signal.getsignal(2) is signal.default_int_handler)"
    )
    program = [sys.executable, script, *called[1:]]
    done = subprocess.run(program, capture_output=True, check=True)
    assert b"True" == done.stdout.strip()
