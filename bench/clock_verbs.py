"""What rankings and calibrations say of blind detectors, on series that share a clock.

    python bench/clock_verbs.py rank [--runs 300] [--series 8 20] [--shares 0 0.3 0.7 1]
                                     [--only PATTERN ...] [--skill 0.2] [--keep FILE]
    python bench/clock_verbs.py calibrate [--runs 40] ...
    python bench/clock_verbs.py check

The families are those of ``shared_clock.py``, seen by rankings for the first time here. `rank`: how
often the pooled p-value of a detector is at most .05, and how often its line says that it is better
on at least one series, with each series on a clock of its own (``own``), on one (``shared``), or as
is seen of them (``auto``). `calibrate`: which share of the versions that are shifted together, and
of those that are shifted series by series, is called better, with ``clock="own"`` and ``"shared"``.
The metric is F1. ``check`` compares some panels with what ``aj.rank`` itself says.
"""

from __future__ import annotations

import argparse
import warnings
from fnmatch import fnmatch
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from kept_runs import KeptRuns
from shared_clock import FAMILIES, RULES, Panel, skilled

import adjudge as aj
from adjudge.noise.pooled_p import Pooled, places_of_series, pooled_p
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.ranking.clocks import Lived, clocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = ("shifted together", "shifted")
VERSIONS = 40


def series_of(panel: Panel) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
    """Labels, alarms and times of each series."""
    count, n = panel.labels.shape
    starts = np.zeros(count, int) if panel.start is None else panel.start
    lengths = np.full(count, n) if panel.length is None else panel.length
    for labels, alarms, start, length in zip(
        panel.labels, panel.alarms, starts, lengths, strict=True
    ):
        place = np.arange(n)
        kept = (labels >= 0) & (place >= start) & (place < start + length)
        times = np.datetime64("2026-01-05", "s") + place[kept] * np.timedelta64(1, "m")
        yield labels[kept], alarms[kept], None if panel.start is None else times


def pooled(panel: Panel) -> dict[str, Pooled]:
    """What a ranking says of the detector, by each rule; a series is judged once for all."""
    metric, places, lived = aj.metric("f1"), [], []
    for labels, alarms, times in series_of(panel):
        case = aj.Case(labels, alarms)
        value = metric.reading(case).value
        places.append(places_of_series(metric, CaseShifts(case), value))
        table: Any = SimpleNamespace(time=times, scores={"x": alarms})
        lived.append(Lived.of(case.events, table))
    found = {}
    for rule in RULES:
        clocks = [f"m{one}" for one in clocks_of(lived, ["a"] * len(places), rule)]
        found[rule] = pooled_p(places, clocks=clocks, span=metric.row.range)
    return found


def ranked(panel: Panel) -> list[list[bool]]:
    """Whether p is small, and whether the detector is said to be better on any series."""
    return [[one.p_value <= 0.05, bool(one.better_on_low)] for one in pooled(panel).values()]


def calibrated(panel: Panel) -> list[list[float]]:
    """The share of versions of each kind that is called better, by each of two rules."""
    labels, alarms = (np.concatenate(own) for own in list(zip(*series_of(panel), strict=True))[:2])
    series, shares = np.repeat(np.arange(len(panel.labels)), panel.labels.shape[1]), []
    for rule in ("own", "shared"):
        how = {"series": series, "clock": rule, "versions": VERSIONS, "draws": 20}
        (row,) = aj.calibrate(labels, alarms, "f1", **how).rows
        shares.append([row.kinds[kind].share for kind in KINDS])
    return shares


def check(given: argparse.Namespace) -> None:
    """Compare with what `aj.rank` says."""
    for name in ("shocks", "cascades"):
        for g in given.shares:
            panel = FAMILIES[name](np.random.default_rng(1), 8, g)
            data: dict[str, Any] = {
                f"m{k}": (labels, {"x": alarms})
                for k, (labels, alarms, _) in enumerate(series_of(panel))
            }
            for rule, known in pooled(panel).items():
                (line,) = aj.rank(data, "f1", at=0.5, clock=rule).leaderboard
                print(f"{name} {g:g} {rule}: {line['p_value']:.4f} {known.p_value:.4f}", flush=True)


VERBS = {
    "rank": (ranked, 300, RULES, "p <= .05 / better on any"),
    "calibrate": (calibrated, 40, ("own", "shared"), " / ".join(KINDS)),
}


def measure(given: argparse.Namespace) -> None:
    """Print the table of a verb."""
    made, runs, rules, head = VERBS[given.verb]
    runs, kept = given.runs or runs, KeptRuns(given.keep)
    print(f"| family | series | g | runs | {' | '.join(f'{rule}: {head}' for rule in rules)} |")
    print("|---" * (4 + len(rules)) + "|", flush=True)
    names = [name for name in FAMILIES if any(fnmatch(name, one) for one in given.only)]
    for name, count, g in product(names, given.series, given.shares):

        def one(run: int, name: str = name, count: int = count, g: float = g) -> Any:
            rng = np.random.default_rng([given.seed, crc32(f"rank {name}".encode()), count, run])
            panel = FAMILIES[name](rng, count, g)
            panel = skilled(rng, panel, given.skill) if given.skill else panel
            seen = (panel.labels == 1).any() and (panel.alarms > 0).any()
            return made(panel) if seen else None

        cell = f"{given.verb} {name} {count} {g:g} {given.skill:g} {given.seed}"
        found = [run for run in kept.of(cell, runs, one) if run is not None]
        rows = [" / ".join(f"{x:.3f}" for x in row) for row in np.nanmean(found, axis=0)]
        print(f"| {name} | {count} | {g:g} | {len(found)} | {' | '.join(rows)} |", flush=True)


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    told.add_argument("verb", choices=[*VERBS, "check"])
    told.add_argument("--runs", type=int)
    told.add_argument("--series", type=int, nargs="+", default=[8, 20])
    told.add_argument("--shares", type=float, nargs="+", default=[0, 0.3, 0.7, 1])
    told.add_argument("--only", nargs="+", default=["shocks"])
    told.add_argument("--skill", type=float, default=0.0)
    told.add_argument("--seed", type=int, default=1)
    told.add_argument("--keep", help="a file in which runs are kept")
    given = told.parse_args()
    warnings.simplefilter("ignore")
    (check if given.verb == "check" else measure)(given)


if __name__ == "__main__":
    main()
