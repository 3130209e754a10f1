"""Interrupt the command line at random moments: one line at most, the right code, a whole folder.

    python tests/campaigns/signals.py --seed 0 --count 300

A verb runs in a process of its own (a part of them started afresh, so that imports are hit too; the
rest forked from this one, which is quicker) and gets Ctrl-C, twice now and then, or SIGTERM at a
random moment. It must end within thirty seconds with 0 (it was done), 130 or by SIGTERM, without a
traceback; whatever it left in its folder must let the same verb run to its end, with the tables of
an undisturbed run.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import adjudge.lab.audit.audits
import adjudge.lab.study.runner
import adjudge.ranking
from adjudge.cli import main as command
from ranking.benchmark import benchmark, write

VERBS = {
    "study": (["study", "--experiments", "2", "--out", "OUT"], "experiments.csv", 0.8),
    "rank": (["rank", "DATA", "--out", "OUT", "--no-chance", "--metric", "ap"], "results.csv", 0.6),
    "evaluate": (["evaluate", "FILE", "--json"], None, 0.4),
    "simulate": (["simulate", "--cases", "20", "--force", "--out", "OUT"], "achieved.json", 0.3),
    "audit": (["audit", "f1", "--effort", "quick"], None, 1.0),
}
BEFORE = ("__init__.py", "__main__.py", "_interrupts.py", "_outputs.py", "_version.py")
"""What is read before Ctrl-C is taken over."""
ENDS = {0, 130, -signal.SIGTERM, 128 + signal.SIGTERM}


def started(arguments, said, *, afresh):
    """Start a verb; gives its process."""
    if afresh:
        with said.open("wb") as stream:
            program = [sys.executable, "-m", "adjudge", *arguments]
            return subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=stream).pid
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Python forks, and loses it
    process = os.fork()
    if process == 0:
        stream = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(stream, 2)
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
            command(arguments)
        except SystemExit as left:
            os._exit(int(left.code or 0))
        except KeyboardInterrupt:  # before the command began
            os._exit(130)
        except BaseException:  # noqa: BLE001 - as Python would show it
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, held)
    return process


def ended(process, patience=30.0):
    """The exit code, or None if it does not end."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


def ours(text):
    """Whether a traceback has come further than the lines that take Ctrl-C over."""
    package = Path(adjudge.__file__).parent
    files = set(re.findall(r'File "([^"]+)"', text))
    first = {str(package / name) for name in BEFORE}
    return any(Path(file).is_relative_to(package) for file in files - first)


def one_signal(rng, place, expected):
    """Interrupt one verb, run it again, and say what came of it."""
    verb = rng.choice(sorted(VERBS))
    pattern, table, lasts = VERBS[verb]
    out, said = place / "out", place / "said"
    shutil.rmtree(out, ignore_errors=True)
    names = {"OUT": str(out), "DATA": str(place / "data"), "FILE": str(place / "data/x/s00.csv")}
    arguments = [names.get(word, word) for word in pattern]
    process = started(arguments, said, afresh=rng.random() < 0.2)
    time.sleep(rng.random() * lasts)
    for _ in range(rng.choice([1, 1, 1, 2])):
        if os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            os.kill(process, rng.choice([signal.SIGINT, signal.SIGINT, signal.SIGTERM]))
        time.sleep(rng.random() * 0.02)
    code, text = ended(process), said.read_text()
    if code == -signal.SIGINT or ("KeyboardInterrupt" in text and not ours(text)):
        return "interrupted before Ctrl-C was taken over"  # while Python itself started
    if code not in ENDS or "Traceback" in text:
        return f"{verb} ended with {code}: {text[-300:]!r}"
    if table is not None:
        again = ended(started(arguments, said, afresh=False), patience=120)
        if again != 0 or (out / table).read_bytes() != expected[verb]:
            return f"{verb} did not go on well: {again}, {said.read_text()[-300:]!r}"
    return "done before" if code == 0 else "interrupted"


def undisturbed(place):
    """What each verb leaves when nothing disturbs it."""
    write(place / "data", benchmark(6, n=200))
    found = {}
    for verb, (pattern, table, _) in VERBS.items():
        if table is not None:
            names = {"OUT": str(place / "out"), "DATA": str(place / "data")}
            words = [names.get(word, word) for word in pattern]
            assert ended(started(words, place / "said", afresh=False), 120) == 0, verb
            found[verb] = (place / "out" / table).read_bytes()
            shutil.rmtree(place / "out")
    return found


def campaign(seed, count, place):
    """Count what came of the signals; name what went wrong."""
    expected, outcomes, wrong = undisturbed(place), Counter(), []
    for number in range(count):
        rng = random.Random(f"{seed} {number}")  # noqa: S311
        found = one_signal(rng, place, expected)
        outcomes[found.partition(":")[0]] += 1
        if ":" in found:
            wrong.append(f"signal {number}, {found}")
    return outcomes, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in the background
    with tempfile.TemporaryDirectory() as place:
        outcomes, wrong = campaign(given.seed, given.count, Path(place))
    print(*wrong[:20], sep="\n")
    print(f"{given.count} signals, seed {given.seed}: {dict(outcomes)}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
