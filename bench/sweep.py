"""Measure what one sweep over all thresholds costs, in units of one ``np.argsort``.

Run ``python bench/sweep.py``; ``--help`` lists the options, and the README beside this file
explains the table.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import sys
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import peers
from timing import Claim, Row, compared, fresh, interleaved, measured, modules_loaded, peak_bytes

import adjudge as aj

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Labels = NDArray[np.int64]
    Scores = NDArray[np.float64]
    Job = Callable[[], object]

FAMILIES = ("f1", "f1_pa", "f1_kpa", "f1_ba")
HEAVY = ("scipy", "pandas", "matplotlib", "pyarrow")  # what a start must not load
LARGE = 10  # the large case has this many times the points


def periodic_labels(points: int, width: int, share: float = 0.1) -> Labels:
    """Place events of one width at equal distances, each at the end of its period."""
    period = round(width / share)
    labels = np.zeros((points // period, period), np.int64)
    labels[:, period - width :] = 1
    return np.append(labels.ravel(), np.zeros(points % period, np.int64))


def random_scores(points: int) -> Scores:
    """Draw the scores of a detector that knows nothing; no two are equal, to speak of."""
    return np.random.default_rng(7).random(points)


def best(spec: str, *arrays: object, **columns: object) -> Job:
    """Search for the best threshold, through the front door: checks of the input included."""
    return partial(aj.best(aj.metric(spec)), *arrays, **columns)


def curve(spec: str, labels: Labels, scores: Scores) -> Job:
    """Count at every threshold, through the front door."""
    return partial(aj.curve, labels, scores, spec)


def one_sweep(points: int) -> Iterator[Claim]:
    """Claim that best and curve cost about as much as sorting."""
    section = f"1. {points:,} points, events of 100 points on 10 % of them"
    labels, scores = periodic_labels(points, 100), random_scores(points)
    argsort = partial(np.argsort, scores)
    for make, limit in ((best, 1.5), (curve, 4)):
        for name in FAMILIES:
            job = make(name, labels, scores)
            yield Claim(section, f"{make.__name__} {name}", job, argsort, "argsort", limit)


def any_width(points: int) -> Iterator[Claim]:
    """Claim that neither the width of events nor that of islands matters."""
    section = "2. wide against narrow, at an equal share of anomalous points"
    scores = random_scores(points)
    narrow, wide = periodic_labels(points, 100), periodic_labels(points, points // 100)
    for name in FAMILIES:
        what = f"best {name}, events of {points // 100:,} against 100"
        jobs = best(name, wide, scores), best(name, narrow, scores)
        yield Claim(section, what, *jobs, "x narrow", 2)
    jobs = (best(f"f1_ba(width={width})", narrow, scores) for width in (points // 10, 100))
    yield Claim(
        section, f"best f1_ba, islands of {points // 10:,} against 100", *jobs, "x narrow", 2
    )


def many_events(points: int) -> Iterator[Claim]:
    """Claim that very many events do little harm."""
    section = "3. every second point an event of its own"
    labels, scores = periodic_labels(points, 1, 0.5), random_scores(points)
    argsort = partial(np.argsort, scores)
    for spec, limit in (("f1_pa", 4), ("f1_ba", 4), ("f1_ba(width=100)", 4), ("f1_kpa", 8)):
        job = best(spec, labels, scores)
        yield Claim(section, f"best {spec}", job, argsort, "argsort", limit)


def memory(points: int) -> Iterator[Row]:
    """Claim that the working memory is a few arrays of the size of the scores.

    Where every second point is an event the intervals weigh as much as the scores; that is
    measured, and nothing is claimed.
    """
    section = "4. peak memory beyond the inputs"
    scores = random_scores(points)
    usual, many = periodic_labels(points, 100), periodic_labels(points, 1, 0.5)
    for make, labels, limit in ((best, usual, 32), (curve, usual, 100), (best, many, None)):
        for name in FAMILIES:
            held = peak_bytes(make(name, labels, scores)) / points
            what = f"{make.__name__} {name}{', many events' * (labels is many)}"
            yield Row(section, what, None, held, held, "B/point", limit)


def large(points: int) -> Iterator[Row]:
    """Claim that ten times the points fit into a small machine; one new process per job.

    On Linux a process inherits the high-water mark of the one that starts it, so this comes
    first, while nothing here is larger.
    """
    section = f"5. {LARGE * points:,} points, f1_ba, in a process of its own"
    for make in (best, curve):
        said = json.loads(
            fresh(__file__, "--points", str(LARGE * points), "--child", make.__name__).stdout
        )
        held, what = said["peak"] / 1e9, f"{make.__name__} f1_ba"
        yield Row(section, f"{what}, all of it", None, held, held, "GB RSS", 1.5)
        yield compared(section, what, said["job"], said["argsort"])._replace(unit="argsort")


def large_child(points: int, what: str) -> None:
    """Do one job once for its memory, then in turn with argsort for its time."""
    make = {"best": best, "curve": curve}[what]
    labels, scores = periodic_labels(points, 100), random_scores(points)
    job, argsort = make("f1_ba", labels, scores), partial(np.argsort, scores)
    job()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak *= 1 if sys.platform == "darwin" else 1024
    times = interleaved((argsort, job), 3)
    print(json.dumps({"peak": peak, "job": times[job], "argsort": times[argsort]}))


def short_series(points: int) -> Iterator[Claim]:
    """Claim that many short series cost what one long series of the same points costs."""
    count = points // 100
    section = f"6. {count:,} series of 100 points against one of {points:,}"
    labels = np.roll(periodic_labels(points, 10), -50)
    scores, series = random_scores(points), np.repeat(np.arange(count), 100)
    for spec in ("f1_ba(width=100)", "f1_pa"):
        jobs = best(spec, labels, scores, series=series), best(spec, labels, scores)
        yield Claim(section, f"best {spec}", *jobs, "x one", 2)


def other_costs(points: int) -> Iterator[Claim]:
    """Measure one threshold, and scores with many ties; nothing is claimed."""
    labels, scores = periodic_labels(points, 100), random_scores(points)
    flags, rounded = (scores > 0.9).astype(np.int64), scores.round(2)
    argsort, argsort_rounded = partial(np.argsort, scores), partial(np.argsort, rounded)
    section = f"7. {points:,} points: one threshold, and scores with two decimals"
    for name in FAMILIES:
        job = partial(aj.metric(name), labels, flags)
        yield Claim(section, f"{name} of flags", job, argsort, "argsort")
    for name in FAMILIES:
        job = best(name, labels, rounded)
        yield Claim(section, f"best {name}, ties", job, argsort_rounded, "argsort")


def imports(repeats: int) -> Iterator[Row]:
    """Claim that the package and its command line start about as fast as NumPy."""
    section = "8. import, in new interpreters"
    ours, numpy = (partial(fresh, "-c", f"import {name}") for name in ("adjudge", "numpy"))
    times = interleaved((numpy, ours), max(repeats, 7))
    row = compared(section, "import adjudge", times[ours], times[numpy])
    yield row._replace(best=min(times[ours]) / min(times[numpy]), unit="numpy", limit=2)
    for arguments in (("-c", "import adjudge"), ("-m", "adjudge", "--help")):
        heavy = sorted(modules_loaded(*arguments) & set(HEAVY))
        what = f"python {' '.join(arguments)}, heavy: {', '.join(heavy) or 'none'}"
        yield Row(section, what, None, len(heavy), len(heavy), "modules", 0)


def facts(points: int) -> dict[str, object]:
    """Say what the ratios depend on: how NumPy sorts on this machine."""
    scores = random_scores(points)
    sort, argsort = partial(np.sort, scores), partial(np.argsort, scores)
    times = interleaved((sort, argsort), 3)
    simd = np.show_config("dicts").get("SIMD Extensions", {})
    return {
        "adjudge": aj.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "SIMD in use": ", ".join(simd.get("baseline", []) + simd.get("found", [])),
        "np.argsort, ms": round(1e3 * min(times[argsort]), 1),
        "np.sort, ms": round(1e3 * min(times[sort]), 1),
    }


def results(points: int, repeats: int, *, quick: bool) -> list[Row]:
    """Measure everything, and order it by section."""
    rows = [] if quick else list(large(points))
    rows += imports(repeats)
    rows += memory(points)
    few = points // 10
    pairs = peers.installed(periodic_labels(few, 100), random_scores(few))
    claims = [
        claim
        for claims in (one_sweep, any_width, many_events, short_series)
        for claim in claims(points)
    ]
    rows += measured([*claims, *other_costs(few), *peers.claims(pairs)], repeats)
    rows += peers.agreement(pairs)
    return sorted(rows, key=lambda row: row.section)


def table(rows: list[Row]) -> Iterator[str]:
    """Print the rows under their sections."""
    width = max(len(row.what) for row in rows)
    for section, members in groupby(rows, key=lambda row: row.section):
        yield f"\n{section}"
        yield f"  {'':{width}}  {'ms':>8}  {'best':>7}  {'median':>7}  {'limit':>7}"
        for row in members:
            ms = "" if row.ms is None else f"{row.ms:.2f}"
            limit = "" if row.limit is None else f"{row.limit:g}"
            line = f"  {row.what:{width}}  {ms:>8}  {row.best:>7.3g}  {row.median:>7.3g}"
            yield f"{line}  {limit:>7}  {row.unit:<8}  {row.verdict}".rstrip()


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--points", type=int, default=1_000_000, metavar="N", help="of a case")
    parser.add_argument("--repeats", type=int, default=7, metavar="R", help="rounds that count")
    parser.add_argument("--quick", action="store_true", help=f"skip {LARGE} times the points")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a limit is exceeded")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there, too")
    parser.add_argument("--child", choices=("best", "curve"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.points < 100_000 or chosen.points % 1000 or chosen.repeats < 1:
        parser.error("--points must be thousands, at least 100000, and --repeats at least 1")
    return chosen


def main() -> int:
    """Measure, print, and say whether all limits hold."""
    chosen = options()
    if chosen.child:
        large_child(chosen.points, chosen.child)
        return 0
    known = facts(chosen.points)
    print(*(f"{key}: {value}" for key, value in known.items()), sep="\n", flush=True)
    rows = results(chosen.points, chosen.repeats, quick=chosen.quick)
    print(*table(rows), sep="\n")
    over = [row for row in rows if row.verdict == "over"]
    print(
        f"\n{len(over)} limits exceeded",
        *(f"  {row.section}: {row.what}" for row in over),
        sep="\n",
    )
    if chosen.json:
        shown = [{**row._asdict(), "verdict": row.verdict} for row in rows]
        chosen.json.write_text(json.dumps({"facts": known, "rows": shown}, indent=1))
    return int(chosen.strict and bool(over))


if __name__ == "__main__":
    sys.exit(main())
