"""The action of examples/action/: its script ends as the judge answers, and quotes its inputs."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from sealed_story import ledger_lines

ACTION = (Path(__file__).parents[2] / "examples" / "action" / "action.yml").read_text("utf-8")


def script():
    return textwrap.dedent(ACTION.partition("      run: |\n")[2])


def test_its_script_has_its_inputs_as_variables_alone():
    """What a pull request writes must not become a part of the script."""
    assert "${{" not in script()
    given = set(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", ACTION))
    assert given == {"contract", "candidate", "id", "head"}


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="bash")
def test_its_script_ends_as_the_judge_answers(folder):
    (folder / "bin").mkdir()
    program = folder / "bin" / "adjudge"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m adjudge "$@"\n')
    program.chmod(0o755)
    first = ledger_lines(folder)[0]
    env = os.environ | {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "CONTRACT": str(folder / "a.seal.toml"),
        "ID": first["seal"][:12], "GITHUB_OUTPUT": str(folder / "out"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }  # fmt: skip
    codes, bash = [], shutil.which("bash")
    for candidate, head in (("c2", ""), ("$(touch x)", ""), ("good", first["hash"][:12])):
        given = {"CANDIDATE": str(folder / f"{candidate}.npy"), "HEAD": head}
        done = subprocess.run([bash, "-c", script()], env=env | given, check=False, cwd=folder)
        codes.append(done.returncode)
    assert codes == [3, 2, 0]
    assert not (folder / "x").exists()
    answers = (folder / "out").read_text().splitlines()
    assert json.loads(answers[-1].removeprefix("answer="))["answer"] == "ship"
    assert "ship" in (folder / "summary").read_text()
