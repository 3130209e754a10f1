"""The libraries of today beside ours, in one run: a table with the limit of each row.

    python bench/today.py [--rounds 5] [--only areas small] [--json bench/today.json]

Every job runs once a round, next to ours; a row is the median over the rounds of a ratio of
processor times. A library that is not installed is left out, and said. Nothing here is needed to
use the package: install what is to be compared in an environment of its own. Bytes are the peak
beyond the input (tracemalloc); times of the command line are of whole processes.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import adjudge as aj
from adjudge.io.labels_and_scores import read

Job = Callable[[], Any]
PEERS = (
    "scikit-learn", "pandas", "polars", "pyarrow", "TSB-AD", "aeon", "prts", "tsadmetrics",
    "FF-VUS",
)  # fmt: skip
EXAMPLE = Path(__file__).parents[1] / "examples" / "pump.csv"


class Pair(NamedTuple):
    """Two jobs; the ratio is that of the first to the second."""

    section: str
    what: str
    job: Job
    against: Job
    limit: float
    at_least: bool = True
    """Whether the limit is the least ratio (a peer's time in units of ours), or the largest."""
    times: int = 1
    """How often a job is called to be long enough to be timed."""


def data(points: int, width: int = 100) -> tuple[Any, Any, Any]:
    """Labels with events on a tenth of the points, scores that know something, and flags."""
    rng = np.random.default_rng(0)
    labels = np.zeros(points, int)
    for start in range(width, points - width, 10 * width):
        labels[start : start + width] = 1
    scores = rng.random(points) + 0.3 * labels
    return labels, scores, (scores > 0.9).astype(int)


def areas() -> Iterator[Pair]:
    """Areas and curves at a million points."""
    labels, scores, _ = data(1_000_000)
    narrow = scores.astype(np.float32)
    metrics = import_module("sklearn.metrics")
    name = "areas and curves, 1,000,000 points"

    def read_curve() -> Any:
        curve = aj.curve(labels, scores, "f1")
        return curve.precision, curve.recall, curve.thresholds

    ours = {"auc_roc": aj.auc_roc, "ap": aj.ap, "best(f1)": aj.best(aj.f1)}
    theirs = {
        "auc_roc": metrics.roc_auc_score,
        "ap": metrics.average_precision_score,
        "best(f1)": metrics.precision_recall_curve,
    }
    for metric, job in theirs.items():
        for kind, column in (("", scores), (", float32", narrow)):
            yield Pair(
                name, f"scikit-learn {job.__name__} / {metric}{kind}",
                lambda job=job, column=column: job(labels, column),
                lambda metric=metric, column=column: ours[metric](labels, column), 3,
            )  # fmt: skip
    yield Pair(
        name, "scikit-learn precision_recall_curve / curve, all read",
        lambda: metrics.precision_recall_curve(labels, scores), read_curve, 2,
    )  # fmt: skip


def families() -> Iterator[Pair]:
    """F1 families at one threshold, ranges and affiliation, at 100,000 points."""
    labels, scores, flags = data(100_000)
    one, many = "F1 families at one threshold, 100,000 points", "ranges, 100,000 points"
    jobs: list[tuple[str, str, str, Callable[[Any], Job], Job, float]] = [
        (one, "scikit-learn f1_score / f1", "sklearn.metrics",
         lambda m: lambda: m.f1_score(labels, flags), lambda: aj.f1(labels, flags), 10),
        (one, "TSB-AD PointF1PA / f1_pa", "TSB_AD.evaluation.basic_metrics",
         lambda m: lambda: m.basic_metricor().metric_PointF1PA(labels, scores, flags),
         lambda: aj.f1_pa(labels, flags), 10),
        (one, "tsadmetrics PointwiseFScore / f1", "tsadmetrics.metrics.spm",
         lambda m: lambda: m.PointwiseFScore().compute(labels, flags),
         lambda: aj.f1(labels, flags), 10),
        (one, "tsadmetrics PointadjustedFScore / f1_pa", "tsadmetrics.metrics.tem.tpdm",
         lambda m: lambda: m.PointadjustedFScore().compute(labels, flags),
         lambda: aj.f1_pa(labels, flags), 10),
        (many, "prts ts_fscore / range_f1", "prts",
         lambda m: lambda: m.ts_fscore(labels, flags), lambda: aj.range_f1(labels, flags), 100),
        (many, "aeon range_f_score / range_f1", "aeon.benchmarking.metrics.anomaly_detection",
         lambda m: lambda: m.range_f_score(labels, flags),
         lambda: aj.range_f1(labels, flags), 100),
        (many, "TSB-AD RF1 / range_f1", "TSB_AD.evaluation.basic_metrics",
         lambda m: lambda: m.basic_metricor().metric_RF1(labels, scores, flags),
         lambda: aj.range_f1(labels, flags), 100),
        (many, "TSB-AD Affiliation / affiliation_f1", "TSB_AD.evaluation.basic_metrics",
         lambda m: lambda: m.basic_metricor().metric_Affiliation(labels, scores, flags),
         lambda: aj.affiliation_f1(labels, flags), 100),
    ]  # fmt: skip
    for section, what, module, theirs, ours, limit in jobs:
        try:
            times = 50 if section == one else 1  # a tenth of a millisecond is not to be timed
            yield Pair(section, what, theirs(import_module(module)), ours, limit, times=times)
        except ImportError as error:
            print(f"left out: {what}: {error}", file=sys.stderr)


def small() -> Iterator[Pair]:
    """One call on a hundred points beside two lines of NumPy."""
    labels, _, flags = data(100, 10)

    def two_lines() -> float:
        found = np.count_nonzero(labels & flags)
        return 2 * found / (np.count_nonzero(labels) + np.count_nonzero(flags))

    for metric, limit in ((aj.f1, 12), (aj.f1_ba, 24)):
        yield Pair(
            "a call on 100 points", f"{metric} / two lines of NumPy",
            lambda metric=metric: metric(labels, flags), two_lines, limit, at_least=False,
            times=300,
        )  # fmt: skip


def files() -> Iterator[Pair]:
    """Reading and judging a file beside pyarrow's own reading and the same judging."""
    rows, folder = 500_000, Path(tempfile.mkdtemp())
    labels, scores, _ = data(rows)
    pandas, arrow = import_module("pandas"), import_module("pyarrow.csv")
    polars, parquet = import_module("polars"), import_module("pyarrow.parquet")
    times = np.datetime_as_string(np.arange(rows).astype("M8[s]"))
    frame = pandas.DataFrame({"timestamp": times, "label": labels, "score": scores})
    paths = {kind: folder / f"rows.{kind}" for kind in ("csv", "csv.gz", "parquet", "npz")}
    frame.to_csv(paths["csv"], index=False)
    frame.to_csv(paths["csv.gz"], index=False, compression={"method": "gzip", "compresslevel": 1})
    frame.to_parquet(paths["parquet"])
    np.savez(paths["npz"], label=labels, score=scores)

    def judged(path: Path) -> Any:
        table = read(path)
        return aj.evaluate(table.labels, table.scores, chance=False)

    def by_arrow() -> Any:
        table = arrow.read_csv(paths["csv"], arrow.ReadOptions(use_threads=False))
        columns = [table.column(name).to_numpy() for name in ("label", "score")]
        return aj.evaluate(*columns, chance=False)

    name = "files of 500,000 rows with a column of times"
    how = {"limit": 1.5, "at_least": False}
    yield Pair(name, "CSV, read and judged / pyarrow's read and the same judging",
               lambda: judged(paths["csv"]), by_arrow, **how)  # fmt: skip
    for what, peer, kind in (
        ("pandas.read_csv", lambda: pandas.read_csv(paths["csv"]), "csv"),
        ("polars.read_csv", lambda: polars.read_csv(paths["csv"]), "csv"),
        ("pandas.read_csv", lambda: pandas.read_csv(paths["csv.gz"]), "csv.gz"),
        ("polars.read_csv", lambda: polars.read_csv(paths["csv.gz"]), "csv.gz"),
        ("pandas.read_parquet", lambda: pandas.read_parquet(paths["parquet"]), "parquet"),
        ("pyarrow read_table", lambda: parquet.read_table(paths["parquet"]), "parquet"),
        ("np.load", lambda: [np.load(paths["npz"])[name] for name in ("label", "score")], "npz"),
    ):
        yield Pair(name, f"read {kind} / {what}", lambda kind=kind: read(paths[kind]), peer,
                   float("nan"), at_least=False)  # fmt: skip


def starts() -> Iterator[Pair]:
    """Whole processes beside ``import numpy``."""
    quick = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quick["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp()  # compiled once, as pip does

    def process(*command: str) -> Job:
        def run() -> None:
            command_line = [sys.executable, *command]
            subprocess.run(command_line, capture_output=True, check=False, env=quick)  # noqa: S603

        return run

    numpy = process("-c", "import numpy")
    how = {"at_least": False}
    yield Pair("processes", "adjudge --version / import numpy",
               process("-m", "adjudge", "--version"), numpy, 1.4, **how)  # fmt: skip
    yield Pair("processes", "adjudge evaluate examples/pump.csv / import numpy",
               process("-m", "adjudge", "evaluate", str(EXAMPLE)), numpy, 3, **how)  # fmt: skip


def memory() -> Iterator[dict[str, Any]]:
    """Bytes a point beyond the input, by family, at a million points."""
    labels, scores, _ = data(1_000_000)
    jobs: dict[str, tuple[Job, float]] = {
        "auc_roc": (lambda: aj.auc_roc(labels, scores), 24),
        "ap": (lambda: aj.ap(labels, scores), 24),
        **{f"best({name})": (lambda name=name: aj.best(getattr(aj, name))(labels, scores), 24)
           for name in ("f1", "f1_pa", "f1_kpa", "f1_ba")},
        **{f"curve {name}": (lambda name=name: aj.curve(labels, scores, name), 24)
           for name in ("f1", "f1_pa", "f1_kpa", "f1_ba")},
        "curve f1, all read": (lambda: aj.curve(labels, scores, "f1").precision, float("nan")),
        "evaluate without chance": (lambda: aj.evaluate(labels, scores, chance=False), 24),
        **{f"evaluate {name}, with chance": (lambda name=name: aj.evaluate(labels, scores, [name]),
                                             40)
           for name in ("best(f1)", "best(f1_pa)", "best(f1_kpa)", "best(f1_ba)", "auc_roc", "ap")},
        "evaluate with chance": (lambda: aj.evaluate(labels, scores), 40),
    }  # fmt: skip
    for what, (job, limit) in jobs.items():
        job()
        tracemalloc.start()
        _kept = job()
        peak = tracemalloc.get_traced_memory()[1] / labels.size
        tracemalloc.stop()
        yield row("bytes a point beyond the input, 1,000,000 points", what, peak, limit, False)


def row(section: str, what: str, found: float, limit: float, at_least: bool) -> dict[str, Any]:
    """One line of the table."""
    kept = np.isnan(limit) or (found >= limit if at_least else found <= limit)
    return {
        "section": section, "what": what, "found": round(found, 3),
        "limit": None if np.isnan(limit) else f"{'at least' if at_least else 'at most'} {limit:g}",
        "kept": bool(kept),
    }  # fmt: skip


def spent(job: Job, times: int) -> float:
    """Processor seconds of a job, those of its processes among them."""
    before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    for _ in range(times):
        job()
    after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(
        b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime
        for a, b in zip(before, after, strict=True)
    )


def compared(pairs: list[Pair], rounds: int) -> Iterator[dict[str, Any]]:
    """Run all pairs in turn, and give the median of each ratio."""
    ratios: dict[str, list[float]] = {pair.what: [] for pair in pairs}
    for number in range(rounds + 1):
        for pair in pairs:
            theirs, ours = (spent(job, pair.times) for job in (pair.job, pair.against))
            if number:  # the first round warms up
                ratios[pair.what].append(theirs / max(ours, 1e-9))
    for pair in pairs:
        found = statistics.median(ratios[pair.what])
        yield row(pair.section, pair.what, found, pair.limit, pair.at_least)


def versions() -> dict[str, str]:
    """What was compared."""
    found = {
        "adjudge": aj.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    for peer in PEERS:
        try:
            found[peer] = version(peer)
        except PackageNotFoundError:
            found[peer] = "not installed"
    return found


SECTIONS = {"areas": areas, "families": families, "small": small, "files": files, "starts": starts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=[*SECTIONS, "memory"])
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name, section in SECTIONS.items():
        if not asked.only or name in asked.only:
            rows += compared(list(section()), asked.rounds)
    if not asked.only or "memory" in asked.only:
        rows += memory()
    print(", ".join(f"{name} {number}" for name, number in versions().items()))
    for one in rows:
        verdict = "" if one["limit"] is None else "PASS" if one["kept"] else "over"
        print(f"{one['what']:<66}{one['found']:>9.2f}  {one['limit'] or '':<14}{verdict}")
    if asked.json:
        when = time.strftime("%Y-%m-%d", time.gmtime())
        found = {"when": when, "rounds": asked.rounds, "versions": versions(), "rows": rows}
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.stdout = io.TextIOWrapper(sys.stdout.buffer, line_buffering=True)
    main()
