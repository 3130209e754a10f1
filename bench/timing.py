"""How the benchmark measures: interleaved times, peak memory, fresh interpreters.

A time on a shared machine says little; the ratio of two times taken in the same round says
more. So every job runs once per round, next to what it is compared with, and a claim is about
the median of the ratios over the rounds.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
import tracemalloc
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Job = Callable[[], object]


class Claim(NamedTuple):
    """Two jobs, and how many times longer the first may take than the second."""

    section: str
    what: str
    job: Job
    against: Job
    unit: str
    limit: float | None = None


class Row(NamedTuple):
    """One line of the results; a single number stands in both columns, best and median."""

    section: str
    what: str
    ms: float | None
    best: float
    median: float
    unit: str
    limit: float | None = None

    @property
    def verdict(self) -> str:
        """PASS or over, by the median; nothing where nothing is claimed."""
        if self.limit is None:
            return ""
        return "PASS" if self.median <= self.limit else "over"


def measured(claims: Iterable[Claim], repeats: int) -> list[Row]:
    """Time all jobs of all claims in turn, and compare them round by round."""
    claims = list(claims)
    jobs = dict.fromkeys(job for claim in claims for job in (claim.against, claim.job))
    times = interleaved(jobs, repeats)
    return [
        compared(claim.section, claim.what, times[claim.job], times[claim.against])._replace(
            unit=claim.unit, limit=claim.limit
        )
        for claim in claims
    ]


def interleaved(jobs: Iterable[Job], repeats: int) -> dict[Job, list[float]]:
    """Run every job once per round; the first round warms up and is not counted."""
    times: dict[Job, list[float]] = {job: [] for job in jobs}
    gc.collect()
    gc.disable()
    try:
        for _ in range(1 + repeats):
            for job, taken in times.items():
                begin = time.perf_counter()
                job()
                taken.append(time.perf_counter() - begin)
    finally:
        gc.enable()
    return {job: taken[1:] for job, taken in times.items()}


def compared(section: str, what: str, times: list[float], units: list[float]) -> Row:
    """Give the best and the median of the ratios, taken within each round."""
    ratios = [taken / unit for taken, unit in zip(times, units, strict=True)]
    return Row(section, what, 1e3 * min(times), min(ratios), statistics.median(ratios), "")


def peak_bytes(job: Job) -> int:
    """Give the most memory that a job held beyond what was there before it."""
    job()  # whatever is only made once is there now
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        job()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def fresh(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a new interpreter, and fail if it fails."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603


def modules_loaded(*arguments: str) -> set[str]:
    """Name the top-level modules that a new interpreter imports."""
    lines = fresh("-X", "importtime", *arguments).stderr.splitlines()
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
