"""Judges at once, and judges that are killed: no more answers are told than looks are charged."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import adjudge as aj
from adjudge.sealing import doors
from processes import wait_until
from sealed_story import LOOKS, detector, ledger_lines, looks, sealed

CALL = """
import sys, adjudge as aj
for file in sys.argv[2:]:
    found = aj.judge_sealed(sys.argv[1], file)
    print(found.answer, found.candidate, found.look, flush=True)
"""


def judging(folder, contract, files):
    call = [sys.executable, "-c", CALL, str(folder / contract), *map(str, files)]
    return subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=os.environ)


def candidates(folder, count, seed):
    rng, files = np.random.default_rng(seed), []
    for number in range(count):
        files.append(folder / f"r{number}.npy")
        np.save(files[-1], detector(rng, 0.5))
    return files


@pytest.mark.skipif(sys.platform == "win32", reason="locks of another kind")
def test_threads_at_once_share_the_looks(folder):
    files = candidates(folder, 8, 7)
    with ThreadPoolExecutor(4) as pool:
        asked = pool.map(partial(aj.judge_sealed, folder / "a.seal.toml"), files)
        answers = [(found.answer, found.look) for found in asked]
    assert sorted(answers) == [("budget spent", 0)] * 6 + [("do not ship", n) for n in (3, 4)]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="locks of another kind")
def test_judges_at_once_share_the_looks(folder):
    files = candidates(folder, 6, 1)
    running = [judging(folder, "a.seal.toml", files[start::3]) for start in range(3)]
    answers = [line for one in running for line in one.communicate()[0].splitlines()]
    told = [line for line in answers if line.startswith("do not ship")]
    assert len(answers) == 6
    assert len(told) == LOOKS - 2 == len({line.split()[-1] for line in told})
    assert answers.count("budget spent  0") == 4
    assert aj.judge_sealed(folder / "a.seal.toml", folder / "c0.npy").replayed


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_judge_has_charged_what_it_told(folder):
    rng = np.random.default_rng(3)
    sealed(folder, "r", again=True, looks=200)
    files, seen = candidates(folder, 50, 2), set()
    for turn in range(10):
        spent = looks(folder, "r")
        process = judging(folder, "r.seal.toml", files[5 * turn : 5 * turn + 5])
        wait_until(lambda spent=spent: looks(folder, "r") > spent, process)
        time.sleep(0.1 * rng.random() * (turn % 3))
        process.send_signal(signal.SIGKILL)
        told = process.communicate()[0].splitlines()
        seen |= {line.split()[-2] for line in told}
        assert len(told) <= looks(folder, "r") - spent
        found = aj.judge_sealed(folder / "r.seal.toml", folder / "c0.npy")
        assert found.answer == "do not ship"
        assert found.replayed == (turn > 0)
    charged = {line["candidate"][:12] for line in ledger_lines(folder, "r") if "look" in line}
    assert seen <= charged
    assert len(seen) < len(charged) <= len(files)


def test_a_kill_between_the_line_and_its_witness_is_no_harm(folder):
    line = ledger_lines(folder)[-2]
    (folder / "witness" / f"{ledger_lines(folder)[0]['seal']}.head").write_text(
        f"{line['n'] + 1} {line['hash']}\n"
    )
    assert aj.judge_sealed(folder / "a.seal.toml", folder / "c2.npy").answer == "do not ship"


def test_a_kill_before_the_contract_is_written_leaves_the_labels_in_the_book(folder, monkeypatch):
    """The ledger is there first: a contract without one would be taken for one that lost it."""
    monkeypatch.setattr(doors, "write_texts", lambda *_: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        sealed(folder, "n", again=True)
    assert (folder / "n.seal.jsonl").exists()
    assert not (folder / "n.seal.toml").exists()
    book = next((folder / "witness" / "labels").iterdir()).read_text().split()
    assert json.loads((folder / "n.seal.jsonl").read_text())["seal"] == book[-1]
