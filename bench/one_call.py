"""One call at one threshold, validation included: these sources beside another source tree.

Run as ``python bench/one_call.py OTHER_SRC [ROUNDS]``, for instance beside an older commit::

    git archive OLD src | tar x -C /tmp/old && python bench/one_call.py /tmp/old/src

Each round starts one process per tree, in turn, so that both see the same machine. Times are of
the processor, and each is the best of seven; the ratio of a line is the median over the rounds of
(other / these): above 1 these sources are faster.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).parents[1] / "src"

CALLS = """
import json, time, timeit
import numpy as np
import adjudge as aj

found = {}
for n in (10_000, 100_000):
    rng = np.random.default_rng(0)
    labels = np.zeros(n, int)
    for start in range(n // 40, n - n // 40, n // 20):
        labels[start : start + n // 200] = 1
    scores = rng.random(n) + 0.3 * labels
    flags = (scores > 0.9).astype(int)
    for name, call in {
        "f1(labels, flags)": lambda: aj.f1(labels, flags),
        "f1_pa(labels, flags)": lambda: aj.f1_pa(labels, flags),
        "f1_kpa(labels, scores, at=0.9)": lambda: aj.f1_kpa(labels, scores, at=0.9),
        "f1_ba(labels, flags)": lambda: aj.f1_ba(labels, flags),
        "f1_ba(labels, scores, at=0.9)": lambda: aj.f1_ba(labels, scores, at=0.9),
        "event_f1(labels, flags)": lambda: aj.event_f1(labels, flags),
    }.items():
        call()
        often = 40 if n < 50_000 else 8
        found[f"{name}, {n} points"] = (
            min(timeit.repeat(call, timer=time.process_time, number=often, repeat=7)) / often
        )
print(json.dumps(found))
"""
IMPORTS = {"import adjudge": "import adjudge", "import numpy": "import numpy"}


def run(code, source):
    """Run a program with one of the source trees, and give what it prints."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(  # noqa: S603 - our own program
        command, env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=True
    )
    return done.stdout


def import_time(module, source):
    """Time an import in a fresh process: that of the processor, like all times here."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    return min(float(run(code, source)) for _ in range(9))


def main():
    other, rounds = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    times = {HERE: [], other: []}
    for _ in range(rounds):
        for source, kept in times.items():
            kept.append(json.loads(run(CALLS, source)))
    for name in times[HERE][0]:
        pairs = zip(times[other], times[HERE], strict=True)
        ratio = median(old[name] / new[name] for old, new in pairs)
        now = min(new[name] for new in times[HERE])
        print(f"{name:<46}{1e6 * now:9.0f} us   {ratio:5.2f} times as fast")
    slow = import_time("adjudge", HERE) / import_time("numpy", HERE)
    print(f"import adjudge takes {slow:.2f} times as long as import numpy")


if __name__ == "__main__":
    main()
