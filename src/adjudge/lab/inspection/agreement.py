"""What detectors agree on: events that none or all of them see, and stretches that lack a label.

Detectors that say much the same are one voter. They all fire at the same spike of noise, so
shifting each by itself is no model of chance: settings that find anything cry wolf on 10 to 45 % of
clean benchmarks. What is found here is a list to look at, never a verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.lab.inspection.discords import as_unusual, blocks_of
from adjudge.lab.inspection.result import CheckResult, Level, Remark, Suspect, counted, found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Flags, Floats
    from adjudge.lab.inspection.series import InspectedSeries

    Benchmark = Sequence[InspectedSeries]

SAME = 0.5
"""The mean rank correlation on normal points from which two detectors are one voter."""
NEAR = 5
"""Detectors agree if they rise within so many points."""
SLACK = 0.5
SEEN = 0.1
"""An event is seen by a detector that peaks there as on a tenth of stretches of its length."""
MIDDLE = (0.4, 0.6)
FEWEST = 2
_ALONE = "This needs two detectors that do not score alike."


def standard_ranks(column: Floats) -> Floats:
    """Ranks with mean 0 and spread 1: the mean of the product of two is Spearman's correlation.

    Of a constant column they are 0.

    >>> standard_ranks(np.array([3.0, 1.0]))
    array([ 1., -1.])
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - slow to import

    ranks = rankdata(np.nan_to_num(column, nan=-np.inf))
    spread = ranks.std()
    return np.asarray((ranks - ranks.mean()) / (spread if spread > 0 else 1.0), np.float64)


def tail_score(scores: Floats, first: int = 0) -> Floats:
    """Minus the log of the share of judged points that score at least as much.

    So all detectors have one scale, on which the highest point of n has log(n), and a constant one
    is 0 everywhere.

    >>> tail_score(np.array([1.0, 3, 3, 0, 9])).round(3) + 0.0
    array([0.223, 0.511, 0.511, 0.   , 1.609])
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - slow to import

    level = np.zeros(len(scores))
    judged = np.nan_to_num(scores[first:], nan=-np.inf)
    if judged.size:
        level[first:] = -np.log(rankdata(-judged, method="max") / judged.size)
    return level


def voters(benchmark: Benchmark) -> list[list[str]]:
    """Groups of detectors that say much the same; those that are constant everywhere are none.

    Only detectors that have scored every series are asked. Two detectors are in one group if their
    rank correlation on normal points is 0.5 on average over series, or a chain of such pairs leads
    from one to the other.
    """
    names = [name for name in benchmark[0].scores if all(name in one.scores for one in benchmark)]
    sums, alive = np.zeros((len(names), len(names))), np.zeros(len(names), bool)
    for one in benchmark:
        normal = ~one.labels
        normal[: one.first] = False
        if normal.any():
            ranks = [standard_ranks(one.scores[name][normal]) for name in names]
            ranked = np.array(ranks).reshape(len(names), -1)
            sums += ranked @ ranked.T / ranked.shape[1]
            alive |= ranked.any(axis=1)
    alike = sums / len(benchmark) >= SAME
    return [[names[k] for k in group] for group in _chains(alike, alive)]


def _chains(alike: Flags, alive: Flags) -> list[list[int]]:
    """What hangs together."""
    left, groups = set(np.flatnonzero(alive).tolist()), []
    while left:
        group, waiting = set(), [min(left)]
        while waiting:
            one = waiting.pop()
            if one in left:
                left.discard(one)
                group.add(one)
                waiting += np.flatnonzero(alike[one]).tolist()
        groups.append(sorted(group))
    return groups


def consensus(series: InspectedSeries, groups: Sequence[Sequence[str]], near: int = NEAR) -> Floats:
    """The mean over voters of their tail scores, each the highest within so many points."""
    from scipy.ndimage import maximum_filter1d  # noqa: PLC0415 - slow to import

    total = np.zeros(series.n)
    for group in groups:
        own = np.mean([tail_score(series.scores[name], series.first) for name in group], axis=0)
        total += maximum_filter1d(own, 2 * near + 1, mode="nearest")
    return total / max(len(groups), 1)


def unusual_share(series: InspectedSeries, detectors: Sequence[str]) -> Floats:
    """Of each event and detector: how many unlabelled stretches of its length peak as high."""
    from scipy.ndimage import maximum_filter1d, minimum_filter1d  # noqa: PLC0415 - slow to import

    starts, stops = series.events
    free = ~series.labels
    free[: series.first] = False
    shares = np.ones((len(starts), len(detectors)))
    for place, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        length = int(stop - start)
        whole = minimum_filter1d(free.view(np.int8), length, mode="constant") > 0
        for k, name in enumerate(detectors):
            scores = np.nan_to_num(series.scores[name], nan=-np.inf)
            peaks = maximum_filter1d(scores, length, mode="nearest")[whole]
            reached = np.count_nonzero(peaks >= scores[start:stop].max())
            shares[place, k] = (1 + reached) / (1 + len(peaks))
    return shares


def check_seen(benchmark: Benchmark, groups: Sequence[Sequence[str]]) -> CheckResult:
    """Which events no detector sees: nothing is there, or they are too hard for all of them."""
    detectors = [name for group in groups for name in group]
    suspects, everybody, total = [], 0, 0
    for one in benchmark if detectors else ():
        shares = unusual_share(one, detectors)
        total += len(shares)
        everybody += int(np.sum(np.all(shares <= SEEN, axis=1)))
        for start, stop, own in zip(*one.events, shares, strict=True):
            if np.all(own > SEEN):
                suspects.append(
                    Suspect(
                        one.name, int(start), int(stop), one.time(int(start)), "unseen",
                        _unseen(detectors, own),
                    )
                )  # fmt: skip
    if not total or not detectors:
        why = "There are no events." if detectors else "No detector has scores that differ."
        return found(Remark("seen by detectors", "cannot say", why))
    says = (
        f"{_seen_by(detectors, total, len(suspects), everybody)} A detector sees an event if at "
        "most a tenth of the unlabelled stretches of that length score as high."
    )
    level: Level = "look" if suspects else "fine"
    value = len(suspects) / total
    return found(
        Remark("seen by detectors", level, says, value=value, limit=SEEN), suspects=suspects
    )


def _seen_by(detectors: Sequence[str], total: int, nobody: int, everybody: int) -> str:
    """How many events are seen, in words."""
    events = counted(total, "event", "events")
    if len(detectors) == 1:
        return f"{detectors[0]} sees {everybody:,} of {events}."
    every = f"{everybody:,} by all {len(detectors):,}"
    if not nobody:
        return f"Of {events} each is seen by at least one detector, {every}."
    return f"Of {events} {nobody:,} {'is' if nobody == 1 else 'are'} seen by no detector, {every}."


def _unseen(detectors: Sequence[str], shares: Floats) -> str:
    """Why an event is unseen, by the detector that comes closest to seeing it."""
    name, share = detectors[int(shares.argmin())], f"{100 * shares.min():.0f} %"
    whole = f"on {share} of the unlabelled stretches of this length"
    if len(detectors) == 1:
        return f"{name} does not stand out here: it scores as high {whole}"
    return f"no detector stands out here: even {name} scores as high {whole}"


def check_agreement(
    benchmark: Benchmark, levels: dict[str, Floats], groups: Sequence[Sequence[str]]
) -> CheckResult:
    """On which stretches without a label detectors agree as much as on events."""
    if len(groups) < FEWEST:
        return found(Remark("agreement", "cannot say", _ALONE))
    listed = as_unusual(blocks_of(benchmark, levels, SLACK))
    suspects = [
        Suspect(
            one.series.name, one.start, one.stop, one.series.time(one.place), "missing",
            f"agreement of detectors {one.level:.2f}; on the median event {one.event:.2f}",
        )
        for one in listed
    ]  # fmt: skip
    stretches = counted(len(listed), "stretch", "stretches")
    says = (
        f"Detectors agree on {stretches} without a label as much as on the median event of the "
        f"series. Clean benchmarks have such stretches too. ({len(groups)} votes: detectors that "
        "score alike share one.)"
    )
    level: Level = "look" if listed else "fine"
    return found(Remark("agreement", level, says, value=float(len(listed))), suspects=suspects)


def check_centres(
    benchmark: Benchmark, levels: dict[str, Floats], groups: Sequence[Sequence[str]]
) -> CheckResult:
    """Whether what detectors see lies in the middle of the labels, as in windows around points."""
    if len(groups) < FEWEST:
        return found(Remark("centres", "cannot say", _ALONE))
    places = [
        (int(np.argmax(levels[one.name][start:stop])) + 0.5) / (stop - start)
        for one in benchmark
        for start, stop in zip(*one.events, strict=True)
        if stop - start >= NEAR
    ]
    if not places:
        return found(Remark("centres", "cannot say", f"No event has {NEAR} points or more."))
    inside = int(np.sum((np.array(places) >= MIDDLE[0]) & (np.array(places) <= MIDDLE[1])))
    share = inside / len(places)
    says = f"In {inside:,} of {len(places):,} events detectors agree most in the middle fifth"
    if share < 0.5:
        return found(Remark("centres", "fine", f"{says}.", value=share, chance=0.2, limit=0.5))
    says += ": labels look like windows around something shorter"
    return found(Remark("centres", "look", f"{says}.", value=share, chance=0.2, limit=0.5))
