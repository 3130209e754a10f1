"""Whether verdicts hold on series that live through the same time, and what one offset costs.

    python bench/shared_clock.py [--runs 300] [--series 8 20] [--shares 0 0.3 0.7 1]
                                 [--only PATTERN ...] [--skill 0.2] [--seed 1] [--keep FILE]

Blind detectors on several series: a share g of what happens to labels is common to all series, and
so is a share g of what makes alarms, at times that have nothing to do with each other. Each run is
judged with ``clock="own"``, ``"shared"`` and ``"auto"``. A line has, for each of the three, how
often

- *p <= .05*: the p-value by shifts is so small;
- *better*: the verdict is that the detector is better than chance (at most .07 is asked for);
- *below*: the verdict is that it is below chance (at most .07 too).

With ``--skill`` each event is found besides with that probability, and *better* is power. With
``--keep`` runs are kept in a file: a script that was stopped goes on, and more runs can be added.

``shocks`` is the family on which the rule was chosen, ``joined_late`` the one on which that for
series that begin or end at different times was. All others were written down before any of them was
run. Nothing was changed after a look at them.
"""

from __future__ import annotations

import argparse
import warnings
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
from kept_runs import KeptRuns
from scipy.signal import lfilter

import adjudge as aj
from adjudge.judging.judge.verdict import is_below_chance, is_better_than_chance, main_row

if TYPE_CHECKING:
    from collections.abc import Callable

N = 1500
RULES = ("own", "shared", "auto")


class Panel(NamedTuple):
    """What is judged: labels and alarms, a row per series, or what else `evaluate` takes."""

    labels: np.ndarray
    alarms: np.ndarray
    start: np.ndarray | None = None
    """When each series begins, where times are known."""
    length: np.ndarray | None = None
    """How long each series is, where they are not alike."""
    metric: str = "f1_ba"


def put(rows, series, start, width):
    rows[series, max(0, start) : max(0, start + width)] = 1


def shocks(rng, count, g):
    """Shocks of 15 points and storms of 1 to 5 hit each series with probability .7."""
    labels, alarms = np.zeros((2, count, N), int)
    for rows, many, width in ((labels, 6, lambda: 15), (alarms, 10, lambda: rng.integers(1, 6))):
        for at in rng.choice(N - 20, many, replace=False):
            common = rng.random() < g
            for series in np.flatnonzero(rng.random(count) < 0.7):
                put(
                    rows,
                    series,
                    (at if common else rng.integers(N - 20)) + rng.integers(5),
                    width(),
                )
    return Panel(labels, alarms)


def cascades(rng, count, g):
    """What begins on one series reaches its neighbours on a ring, up to 60 points later."""
    labels, alarms = np.zeros((2, count, N), int)
    for rows, many, widest in ((labels, 4, 25), (alarms, 7, 6)):
        order, pace = rng.permutation(count), rng.uniform(0, 60 / count)
        for at in rng.choice(N - 100, many, replace=False):
            common, first = rng.random() < g, rng.integers(count)
            for step in range(int(rng.integers(count // 2, count + 1))):
                own = at + int(step * pace) if common else rng.integers(N - 100)
                put(rows, order[(first + step) % count], own, int(rng.integers(1, widest + 1)))
    return Panel(labels, alarms)


def seasons(rng, count, g):
    """Short events and alarms come the more often the busier the season; seasons are common."""

    def busy():
        noise = rng.normal(size=(count + 1, N + 400))
        wander = lfilter([np.sqrt(1 - 0.99**2)], [1, -0.99], noise, axis=1)[:, 400:]
        return np.exp(1.5 * (np.sqrt(g) * wander[0] + np.sqrt(1 - g) * wander[1:]))

    rows = []
    for each, widest in ((4, 20), (9, 3)):
        rate = busy()
        mask = np.zeros((count, N), int)
        for series, at in np.argwhere(rng.random((count, N)) < each * rate / rate.sum(1)[:, None]):
            put(mask, series, at, int(min(3 + rng.pareto(1.5) * 3, widest)))
        rows.append(mask)
    return Panel(*rows)


def unlike(rng, count, g):
    """Few series have most of the events, others most of the alarms; lengths are lognormal."""
    labels, alarms = np.zeros((2, count, N), int)
    for rows, many, size in ((labels, 9, 12.0), (alarms, 16, 3.0)):
        hit = rng.beta(0.5, 0.8, count)
        for at in rng.integers(0, N - 60, many):
            common = rng.random() < g
            for series in np.flatnonzero(rng.random(count) < hit):
                own = at if common else int(rng.integers(N - 60))
                put(rows, series, own, int(np.clip(rng.lognormal(np.log(size), 0.7), 1, 60)))
    return Panel(labels, alarms)


def joined_late(rng, count, g):
    """Machines that began at other times, 900 to 1,500 points long; times are known."""
    whole = shocks(rng, count, g)
    start, length = rng.integers(0, 400, count), rng.integers(900, 1101, count)
    return whole._replace(start=start, length=length)


def rolled_out(rng, count, g):
    """Machines that began in three waves, with cascades; all run to the end."""
    start = rng.choice([0, 250, 500], count)
    return cascades(rng, count, g)._replace(start=start, length=N - start)


def retired(rng, count, g):
    """Machines that began together and were switched off one after the other, with seasons."""
    length = np.minimum(600 + rng.exponential(300, count).astype(int), N)
    return seasons(rng, count, g)._replace(start=np.zeros(count, int), length=length)


def relay(rng, count, g):
    """Each lives for 700 points, and the next begins before it ends; the last met few."""
    start = np.arange(count) * 800 // (count - 1)
    return unlike(rng, count, g)._replace(start=start, length=np.full(count, 700))


def ragged(rng, count, g):
    """The first and last few points of each are missing; one wide event in each."""
    start, spare = rng.integers(0, 20, (2, count))
    return one_event(rng, count, g)._replace(start=start, length=N - start - spare)


def outages(rng, count, g):
    """All series stand still at the same time now and then, and nobody watches: gaps in time."""
    panel = shocks(rng, count, g)
    for at in rng.integers(100, N - 200, 2):
        panel.labels[:, at : at + 80] = panel.alarms[:, at : at + 80] = -1
    return panel._replace(start=np.zeros(count, int))


def scores(rng, count, g):
    """Scores of noise that common bursts raise, judged at every threshold."""
    panel = shocks(rng, count, g)
    raised = panel.alarms * rng.exponential(2, (count, N))
    return panel._replace(alarms=rng.normal(size=(count, N)) + raised, metric="ap")


def two_plants(rng, count, g):
    """Half of the series live through one time, half through another."""
    half = count // 2
    one, other = shocks(rng, half, g), shocks(rng, count - half, g)
    return Panel(*(np.concatenate(pair) for pair in zip(one[:2], other[:2], strict=True)))


def one_event(rng, count, g):
    """One wide event in each series, which may be the same one, beside short alarms."""
    labels, alarms = np.zeros((2, count, N), int)
    at = rng.integers(N - 60)
    for series in range(count):
        put(labels, series, at if rng.random() < g else rng.integers(N - 60), 60)
    for storm in rng.integers(0, N - 20, 8):
        common = rng.random() < g
        for series in np.flatnonzero(rng.random(count) < 0.8):
            put(alarms, series, storm if common else rng.integers(N - 20), 4)
    return Panel(labels, alarms)


FAMILIES: dict[str, Callable] = {
    one.__name__: one
    for one in (
        shocks, cascades, seasons, unlike, joined_late, rolled_out, retired, relay, ragged, outages,
        scores, two_plants, one_event
    )
}  # fmt: skip


def services(rng, count, g):
    """Incidents and alerts of services of one span, in minutes; some are watched by day only."""
    spans, tables = 20_000, []
    for many, longest in ((5, 200), (9, 40)):
        rows = []
        for at in rng.integers(0, spans - longest, many):
            common = rng.random() < g
            for service in np.flatnonzero(rng.random(count) < 0.7):
                start = int(at + rng.integers(20) if common else rng.integers(spans - longest))
                rows.append((start, start + int(rng.integers(5, longest)), f"s{service}"))
        tables.append(rows)
    return tables


def skilled(rng, panel, skill):
    """Each event is found besides with this probability."""
    alarms = panel.alarms.copy()
    for series, row in enumerate(panel.labels):
        edges = np.diff(np.concatenate([[0], row == 1, [0]]))
        for start in np.flatnonzero(edges == 1):
            if rng.random() < skill:
                alarms[series, start : start + 3] = 1 if panel.metric != "ap" else 5
    return panel._replace(alarms=alarms)


def judged(panel, rule):
    """The row of the verdict."""
    count = len(panel.labels)
    kept = panel.labels >= 0
    if panel.length is not None:
        ends = (panel.start + panel.length)[:, None]
        kept &= (np.arange(N) >= panel.start[:, None]) & (np.arange(N) < ends)
    times = None
    if panel.start is not None:
        times = np.datetime64("2026-01-05", "s") + np.tile(np.arange(N), (count, 1))[kept] * (
            np.timedelta64(1, "m")
        )
    series = np.repeat(np.arange(count), N).reshape(count, N)[kept]
    found = aj.evaluate(
        panel.labels[kept], panel.alarms[kept], panel.metric, series=series, time=times, clock=rule
    )
    return found.rows


def judged_services(tables, rule):
    kinds = (aj.Incidents, aj.Alerts)
    made = [
        kind([row[0] for row in rows], [row[1] for row in rows], service=[row[2] for row in rows])
        for kind, rows in zip(kinds, tables, strict=True)
    ]
    return aj.evaluate(*made, "f1_ba", span=(0, 20_000), clock=rule).rows


def rates(rows):
    """Whether p is small, and what the verdict says."""
    row = main_row(rows)
    if row is None:
        return [False] * 3
    return [row.p_value <= 0.05, is_better_than_chance(rows), is_below_chance(row, 1)]


def one_run(name, rng, count, g, skill):
    if name == "services":
        tables = services(rng, count, g)
        return None if not all(tables) else [rates(judged_services(tables, one)) for one in RULES]
    panel = FAMILIES[name](rng, count, g)
    panel = skilled(rng, panel, skill) if skill else panel
    if not ((panel.labels == 1).any() and (panel.alarms > 0).any()):
        return None
    return [rates(judged(panel, one)) for one in RULES]


def main() -> None:
    told = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    told.add_argument("--runs", type=int, default=300)
    told.add_argument("--series", type=int, nargs="+", default=[8, 20])
    told.add_argument("--shares", type=float, nargs="+", default=[0, 0.3, 0.7, 1])
    told.add_argument("--only", nargs="+", default=["*"])
    told.add_argument("--skill", type=float, default=0.0)
    told.add_argument("--seed", type=int, default=1)
    told.add_argument("--keep", help="a file in which runs are kept")
    given = told.parse_args()
    warnings.simplefilter("ignore")
    kept = KeptRuns(given.keep)
    head = "p <= .05 / better / below"
    print(f"| family | series | g | runs | own: {head} | shared: {head} | auto: {head} |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for name in [*FAMILIES, "services"]:
        if not any(fnmatch(name, pattern) for pattern in given.only):
            continue
        for count in given.series:
            for g in given.shares:

                def one(run: int, name: str = name, count: int = count, g: float = g) -> object:
                    rng = np.random.default_rng([given.seed, crc32(name.encode()), count, run])
                    return one_run(name, rng, count, g, given.skill)

                cell = f"{name} {count} {g:g} {given.skill:g} {given.seed}"
                found = [run for run in kept.of(cell, given.runs, one) if run is not None]
                share = np.mean(found, axis=0)
                cells = " | ".join(" / ".join(f"{x:.3f}" for x in row) for row in share)
                print(f"| {name} | {count} | {g:g} | {len(found)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
