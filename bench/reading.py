"""What reading costs: 2,000,000 rows of CSV, beside another checkout and beside packed text.

    git worktree add /tmp/before HEAD~1
    python bench/reading.py --against /tmp/before/src

Every reading runs in an interpreter of its own; the rounds are interleaved, a claim is about the
median of the ratios. Limits: 1.2 times the time and the memory of the other checkout, 1.5 times the
time of the plain text for gzip.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CODE = """
import resource, sys, time
from adjudge.io.labels_and_scores import read
begin = time.process_time()
table = read(sys.argv[1])
taken = time.process_time() - begin
assert len(table.labels) == int(sys.argv[2])
print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def reading(source: str, path: Path, rows: int) -> tuple[float, float]:
    """Read a file in a new interpreter: CPU seconds, and megabytes at most."""
    environment = {**os.environ, "PYTHONPATH": source}
    command = [sys.executable, "-c", CODE, str(path), str(rows)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    seconds, kilobytes = done.stdout.split()
    return float(seconds), float(kilobytes) / 1024


def written(folder: Path, rows: int) -> Path:
    """Write labels, two detectors and a column that nobody asks for."""
    rng = np.random.default_rng(0)
    labels, scores = rng.random(rows) < 0.05, rng.random((rows, 2)).tolist()
    path = folder / "rows.csv"
    with path.open("w") as stream:
        stream.write("value,label,score_a,score_b\n")
        pairs = zip(labels.tolist(), scores, strict=True)
        stream.writelines(f"{i},{int(y)},{a!r},{b!r}\n" for i, (y, (a, b)) in enumerate(pairs))
    return path


def compared(what: str, ones: list[float], others: list[float], limit: float | None) -> bool:
    """Print the median ratio beside its limit."""
    ratio = statistics.median(one / other for one, other in zip(ones, others, strict=True))
    passed = limit is None or ratio <= limit
    verdict = "" if limit is None else "PASS" if passed else "over"
    print(f"  {what:<36}{statistics.median(ones):>9.2f}{ratio:>9.3f}{limit or '':>7}  {verdict}")
    return passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", help="the src folder of another checkout")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    ours = str(Path(__file__).parents[1] / "src")
    with tempfile.TemporaryDirectory() as folder:
        plain = written(Path(folder), asked.rows)
        packed = plain.with_suffix(".csv.gz")
        packed.write_bytes(gzip.compress(plain.read_bytes(), 6))
        jobs = {"plain": (ours, plain), "gz": (ours, packed)}
        if asked.against:
            jobs["before"] = (asked.against, plain)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in jobs}
        for _ in range(asked.rounds):
            for name, (source, path) in jobs.items():
                found[name].append(reading(source, path, asked.rows))
    times = {name: [seconds for seconds, _ in runs] for name, runs in found.items()}
    sizes = {name: [megabytes for _, megabytes in runs] for name, runs in found.items()}
    print(f"{asked.rows:,} rows, {asked.rounds} rounds{'':<14}median    ratio  limit")
    passed = [compared("gz, s (of the plain text's)", times["gz"], times["plain"], 1.5)]
    passed.append(compared("gz, MB (of the plain text's)", sizes["gz"], sizes["plain"], 1.5))
    if asked.against:
        passed.append(compared("plain, s (of before)", times["plain"], times["before"], 1.2))
        passed.append(compared("plain, MB (of before)", sizes["plain"], sizes["before"], 1.2))
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
