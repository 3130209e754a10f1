"""Checks that need nothing but labels: how many events, how long, where, and by what rule.

Judged points alone count, unless it is said otherwise: a probation in which nothing can be labelled
makes events look late.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.durations import NANOSECONDS
from adjudge.errors import first_few
from adjudge.lab.inspection.result import (
    CLEAR,
    CheckResult,
    Level,
    Remark,
    Suspect,
    counted,
    found,
)
from adjudge.noise.assumptions import clause, with_clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Flags, Positions
    from adjudge.lab.inspection.series import InspectedSeries

    Benchmark = Sequence[InspectedSeries]

LONGEST, LABELLED, DENSE = 1 / 3, 0.5, 0.1
"""An event this long, or so many labelled points, are a flaw; the last is only to be known."""
EACH_SIDE = 0.02
"""Events are said to come late, or early, from this p-value on."""
ALIKE, COMMON, FEWEST = 0.1, 0.5, 5
"""Labels have a fixed size if the labelled share varies less, or so many events are equally long;
below so many series nothing is said."""
SHORT, NEARLY_ALL = 5, 0.9
"""Events of fewer points have few lengths to choose from, so more of them must be equally long."""
STEPS = (100, 50, 10, 5)
_COUNTED = 2**16
"""Choices of signs that are counted out; beyond that they are drawn."""
_DRAWN = 9999
_EQUAL = 1e-9
_SINGLE = 1
_NAMED = 3
_SAYS_LITTLE = "Event durations and point-wise metrics then mean little."


class LabelFacts(NamedTuple):
    """What the labels of a series are."""

    points: int
    judged: int
    events: int
    share: float
    """Of the judged points, those that are labelled."""
    all_alarm: float
    """F1 of an alarm that is always on: 2 q / (1 + q)."""
    longest: float
    """The longest event, as a share of the judged points."""
    median_length: float
    single: int
    """Events of one point."""
    close: int
    """Gaps between events that are a tenth of the median event or less, or two points."""
    at_start: bool
    at_end: bool
    in_training: int
    """Labelled points in the training part, which is not judged."""

    @property
    def density(self) -> str:
        """In a word: no events, too dense, dense, or fine."""
        if not self.events:
            return "no events"
        if self.longest >= LONGEST or self.share >= LABELLED:
            return "too dense"
        return "dense" if self.share >= DENSE else "fine"


def label_facts(series: InspectedSeries) -> LabelFacts:
    """Sum the labels of a series up."""
    starts, stops = series.events
    lengths, n = series.lengths, max(series.judged, 1)
    share = float(lengths.sum() / n)
    return LabelFacts(
        points=series.n,
        judged=series.judged,
        events=len(starts),
        share=share,
        all_alarm=2 * share / (1 + share),
        longest=float(lengths.max(initial=0) / n),
        median_length=float(np.median(lengths)) if len(lengths) else math.nan,
        single=int(np.count_nonzero(lengths == _SINGLE)),
        close=len(_close_pairs(series)),
        at_start=bool(len(starts) and starts[0] == series.first),
        at_end=bool(len(stops) and stops[-1] == series.n),
        in_training=int(np.count_nonzero(series.labels[: series.first])),
    )


def check_events(benchmark: Benchmark) -> CheckResult:
    """How many events there are, and which series have none."""
    facts = [label_facts(one) for one in benchmark]
    total, without = sum(one.events for one in facts), sum(not one.events for one in facts)
    single = sum(one.single for one in facts)
    if not total:
        says = (
            "No series has an event: nothing can be found."
            if any(one.judged for one in benchmark)
            else "No point is judged: all are for training (--train-length)."
        )
        return found(Remark("events", "flaw", says, value=0.0))
    says = (
        f"{counted(total, 'event', 'events')} in {len(facts) - without:,} of {len(facts):,} series"
    )
    says += f"; {single:,} of a single point" if single else ""
    none = counted(without, "series has", "series have")
    says += f"; {none} none, where only false alarms can be judged" * bool(without)
    return found(Remark("events", "look" if without else "fine", f"{says}.", value=float(total)))


def check_density(benchmark: Benchmark) -> CheckResult:
    """Whether so much is labelled that everything is an anomaly (Wu and Keogh 2023)."""
    facts = {one.name: label_facts(one) for one in benchmark}
    rows = [
        Remark(
            "density", "flaw",
            f"{_percent(own.share)} of the judged points are labelled, {_percent(own.longest)} in "
            f"one event: an alarm that is always on has an F1 of {own.all_alarm:.2f}.",
            name, own.share, limit=LABELLED,
        )
        for name, own in facts.items() if own.density == "too dense"
    ]  # fmt: skip
    dense = sum(one.density == "dense" for one in facts.values())
    shares = [one.share for one in facts.values() if one.events]
    if not shares:
        return found(Remark("density", "cannot say", "There are no events."))
    middle = float(np.median(shares))
    says = f"The median series has {_percent(middle)} of its judged points labelled"
    too_many = "has" if len(rows) == 1 else "have"
    says += f"; {len(rows):,} of {len(shares):,} series {too_many} too many" if rows else ""
    says += f"; in {dense:,} {'others' if rows else 'series'} it is a tenth or more" * bool(dense)
    level: Level = "flaw" if rows else "look" if dense else "fine"
    return found(Remark("density", level, f"{says}.", value=middle, limit=DENSE), *rows)


def check_training(benchmark: Benchmark) -> CheckResult:
    """Whether the training part has labelled points: a detector that learns there learns them."""
    known = [label_facts(one) for one in benchmark if one.first]
    if not known:
        return found(Remark("training", "cannot say", "No training part is known."))
    labelled = sum(one.in_training > 0 for one in known)
    if not labelled:
        says = (
            f"None of {counted(len(known), 'training part', 'training parts')} has labelled points."
        )
        return found(Remark("training", "fine", says, value=0.0))
    says = (
        f"{labelled:,} of {len(known):,} training parts have labelled points: a detector that "
        "learns there learns anomalies too."
    )
    return found(Remark("training", "look", says, value=labelled))


def check_same_labels(benchmark: Benchmark) -> CheckResult:
    """Whether two series have the same labels, point for point."""
    names: dict[bytes, list[str]] = {}
    for one in benchmark:
        if one.labels.any():
            names.setdefault(one.labels.tobytes(), []).append(one.name)
    groups = [own for own in names.values() if len(own) > 1]
    if not groups:
        says = "No two series have the same labels."
        return found(Remark("same labels", "fine", says, value=0.0))
    says = (
        f"{sum(map(len, groups)):,} series share their labels with another, such as "
        f"{first_few(groups[0], _NAMED)}: are they copies, or sensors of one machine?"
    )
    return found(Remark("same labels", "look", says, value=len(groups)))


def check_ends(benchmark: Benchmark) -> CheckResult:
    """Whether events touch an end of their series, where nobody knows how long they are."""
    facts = {one.name: label_facts(one) for one in benchmark}
    touching = [name for name, own in facts.items() if own.at_start or own.at_end]
    if not touching:
        return found(Remark("ends", "fine", "No event touches an end of its series.", value=0.0))
    says = f"{counted(len(touching), 'series has', 'series have')} an event that touches an end"
    return found(
        Remark("ends", "look", f"{says}: {first_few(touching, _NAMED)}.", value=len(touching))
    )


def check_close_events(benchmark: Benchmark) -> CheckResult:
    """Whether events follow so closely that one of them may have been cut in two."""
    suspects = [
        Suspect(
            one.name, start, stop, one.time(start), "cut in two",
            f"two events {counted(gap, 'point', 'points')} apart",
        )
        for one in benchmark for start, stop, gap in _close_pairs(one)
    ]  # fmt: skip
    if not suspects:
        says = "No two events are so close that they may be one."
        return found(Remark("close events", "fine", says, value=0.0))
    pairs = counted(len(suspects), "pair of events is", "pairs of events are")
    says = f"{pairs} at most a tenth of an event, or two points, apart: one event, cut in two?"
    return found(Remark("close events", "look", says, value=len(suspects)), suspects=suspects)


def _close_pairs(series: InspectedSeries) -> list[tuple[int, int, int]]:
    """From the start of the first to the stop of the second event, and the gap between them."""
    starts, stops = series.events
    if len(starts) < 2:
        return []
    limit = max(2.0, 0.1 * float(np.median(series.lengths)))
    gaps = starts[1:] - stops[:-1]
    return [
        (int(starts[k]), int(stops[k + 1]), int(gaps[k])) for k in np.flatnonzero(gaps <= limit)
    ]


@dataclass(frozen=True)
class Position:
    """Whether events lie late or early, and how often chance places them so."""

    series: int
    before: float
    """The share of the normal points that lie before an event: mean over events, then series."""
    p_late: float
    p_early: float
    orders: int
    """In how many ways series can be turned round: no p-value is below one of these."""
    draws: int | None
    """How often series were turned round at random; None: every way was counted."""


def position(benchmark: Benchmark, seed: int = 0) -> Position | None:
    """Ask whether events come as early as late, by turning series round.

    An event's place is log((before + 1/2) / (after + 1/2)), with the normal points of its series
    before and after it: 0 in the middle, high where it comes late, most of all at the very end. A
    series counts with the sum of its places over the root of their number. If the direction of time
    does not matter, each series is as likely as the same turned round, and every choice of signs is
    equally likely. That holds too where events come in groups, or keep apart from each other.
    """
    own = [one for one in map(_places, benchmark) if one is not None]
    if not own:
        return None
    places = [place for _, place in own]
    seen, moving = math.fsum(places), [abs(place) for place in places if place]
    orders = 2 ** len(moving)
    if orders <= _COUNTED:
        sums, draws, extra = np.zeros(1), None, 0
        for place in moving:
            sums = np.concatenate((sums + place, sums - place))
    else:
        rng, draws, extra = np.random.default_rng(seed), _DRAWN, 1
        sums = np.zeros(draws)
        for place in moving:
            sums += np.where(rng.integers(2, size=draws), place, -place)
    reached = [np.count_nonzero(sums >= seen - _EQUAL), np.count_nonzero(sums <= seen + _EQUAL)]
    late, early = ((extra + count) / (extra + len(sums)) for count in reached)
    before = float(np.mean([share for share, _ in own]))
    return Position(len(own), before, float(late), float(early), orders, draws)


def _places(series: InspectedSeries) -> tuple[float, float] | None:
    """The share of normal points before an event, and the place; None without either."""
    starts, stops = series.events
    gaps = np.append(starts, series.n) - np.append(series.first, stops)
    if not len(starts) or not gaps.sum():
        return None
    before = np.cumsum(gaps)[:-1]
    after = gaps.sum() - before
    places = np.log((before + 0.5) / (after + 0.5))
    return float(before.mean() / gaps.sum()), float(places.sum() / math.sqrt(len(places)))


def check_position(benchmark: Benchmark, seed: int = 0) -> CheckResult:
    """Whether events come late, as they do where things run until they break, or early."""
    own = position(benchmark, seed)
    if own is None or own.orders < 1 / EACH_SIDE:
        says = "Fewer than six series have events between normal points: too few to tell."
        return found(Remark("position", "cannot say", says))
    side = "late" if own.p_late <= own.p_early else "early"
    p = min(own.p_late, own.p_early)
    beside = (
        f"on average {_percent(own.before)} of the normal points of a series lie before an event; "
        f"if events fell anywhere, 50 % would (p = {p:.2g})"
    )
    level: Level = "fine" if p > EACH_SIDE else "flaw"
    if level == "fine":
        says = f"Events come neither late nor early: {beside}."
    else:
        says = (
            f"Events come {side}: {beside}. A detector that only knows the position of a point "
            "in its series beats chance."
        )
    return found(
        Remark(
            "position", level, says, None, own.before, 0.5, min(1.0, 2 * p),
            limit=2 * EACH_SIDE, shifts=own.draws, exact=own.draws is None,
        )
    )  # fmt: skip


class Sizes(NamedTuple):
    """How alike the sizes of labels are."""

    series: int
    mean_share: float
    spread: float
    """The coefficient of variation of the labelled share over series."""
    least: float
    """What it is at least where nobody fixed it: lengths that vary by a tenth of their mean make
    a share vary by a tenth over the root of the number of events."""
    commonest: int
    commonest_share: float
    """How many of all events have the commonest length."""

    @property
    def is_fixed(self) -> bool:
        """Whether a rule has made them; single points have no size that one could fix."""
        if self.commonest == _SINGLE and self.commonest_share >= COMMON:
            return False
        enough = COMMON if self.commonest >= SHORT else NEARLY_ALL
        return self.is_even or (self.commonest_share >= enough and self.commonest > _SINGLE)

    @property
    def is_even(self) -> bool:
        """Whether the labelled share is about the same in every series."""
        return self.spread < self.least


def sizes(benchmark: Benchmark) -> Sizes | None:
    """Compare the sizes of all labels, in training too; None with events in too few series."""
    labelled = [one for one in _distinct(benchmark) if one.labels.any()]
    if len(labelled) < FEWEST:
        return None
    shares = np.array([one.labels.mean() for one in labelled])
    lengths = np.concatenate([np.subtract(*one.intervals[::-1]) for one in labelled])
    values, counts = np.unique(lengths, return_counts=True)
    top = int(counts.argmax())
    return Sizes(
        len(labelled), float(shares.mean()), float(shares.std(ddof=1) / shares.mean()),
        ALIKE / math.sqrt(len(lengths) / len(labelled)),
        int(values[top]), float(counts[top] / len(lengths)),
    )  # fmt: skip


def _distinct(benchmark: Benchmark) -> list[InspectedSeries]:
    """Of series with the same labels the first: channels of one machine are labelled once."""
    kept: dict[bytes, InspectedSeries] = {}
    for one in benchmark:
        kept.setdefault(one.labels.tobytes(), one)
    return list(kept.values())


def check_windows(benchmark: Benchmark) -> CheckResult:
    """Whether labels are windows of a fixed size, which say nothing of how long things lasted."""
    own = sizes(benchmark)
    if own is None:
        says = f"Fewer than {FEWEST} series have events; those with the same labels count once."
        return found(Remark("windows", "cannot say", says))
    if own.is_fixed and own.is_even:
        says = (
            f"Every series has about {_percent(own.mean_share)} of its points labelled: labels are "
            f"windows of a fixed size. {_SAYS_LITTLE}"
        )
    elif own.is_fixed:
        says = (
            f"{_percent(own.commonest_share)} of all events have {own.commonest:,} points: labels "
            f"are windows of a fixed size. {_SAYS_LITTLE}"
        )
    else:
        says = (
            f"Labels differ in size: the labelled share varies between series by "
            f"{_percent(own.spread)} of its mean, and {_percent(own.commonest_share)} of all "
            "events have the commonest length."
        )
    level: Level = "flaw" if own.is_fixed else "fine"
    return found(Remark("windows", level, says, value=own.spread, limit=own.least))


class Rounded(NamedTuple):
    """How many borders lie on round places of one kind."""

    place: str
    seen: int
    borders: int
    share: float
    """Of all places, those that are round."""
    p_value: float


def round_borders(benchmark: Benchmark) -> list[Rounded]:
    """Count the starts, and the stops, that lie on round places, each against the binomial law.

    Starts and stops are counted apart: where lengths are round, one says what the other is. Series
    with the same labels count once.
    """
    from scipy.stats import binom  # noqa: PLC0415 - slow to import

    benchmark, tries = _distinct(benchmark), []
    for side, name in enumerate(("starts", "stops")):
        for step in STEPS:
            on = [_inner_borders(one, side) % step == 0 for one in benchmark]
            tries.append((f"{name} lie at multiples of {step}", np.concatenate(on), 1 / step))
        for unit, length in (("midnight", 86_400), ("full hours", 3600)):
            tries.append((f"{name} lie at {unit}", *_by_the_clock(benchmark, side, length)))
    return [
        Rounded(
            name, int(on.sum()), len(on), share, float(binom.sf(int(on.sum()) - 1, len(on), share))
        )
        for name, on, share in tries
        if len(on)
    ]


def _inner_borders(series: InspectedSeries, side: int) -> Positions:
    """Starts, or stops, that are not the ends of the series themselves."""
    own = series.intervals[side]
    return own[(own > 0) & (own < series.n)]


def _by_the_clock(benchmark: Benchmark, side: int, seconds: int) -> tuple[Flags, float]:
    """Which borders lie at a round time, and which share of all points does."""
    on, expected = [np.zeros(0, bool)], 0.0
    for one in benchmark:
        if one.clock is not None:
            is_round = one.clock.instants % (seconds * NANOSECONDS["s"]) == 0
            on.append(is_round[_inner_borders(one, side) - side])  # of a stop, its last point
            expected += float(is_round.mean()) * len(on[-1])
    found = np.concatenate(on)
    return found, min(1.0, expected / max(len(found), 1))


def check_round_borders(benchmark: Benchmark) -> CheckResult:
    """Whether labels begin or end at round places more often than chance does."""
    tries = round_borders(benchmark)
    if not tries:
        return found(
            Remark("round borders", "cannot say", "No event begins or ends inside its series.")
        )
    worst = min(tries, key=lambda one: one.p_value)
    p = min(1.0, worst.p_value * len(tries))
    beside = (
        f"{worst.seen:,} of {worst.borders:,} {worst.place}, by chance "
        f"{worst.borders * worst.share:.3g} "
        f"({with_clause(f'p = {p:.2g}', clause('event'))}, adjusted for {len(tries)} tests)"
    )
    says = f"Borders are rounded: {beside}." if p <= CLEAR else f"No sign of rounding: {beside}."
    return found(
        Remark(
            "round borders", "flaw" if p <= CLEAR else "fine", says, None,
            worst.seen / worst.borders, worst.share, p, limit=CLEAR, exact=True,
        )
    )  # fmt: skip


def _percent(share: float) -> str:
    """A share in per cent, with two digits or more.

    >>> _percent(0.0989), _percent(0.5), _percent(0.004)
    ('9.9 %', '50 %', '0.4 %')
    """
    return f"{100 * share:.2g} %" if share < 0.0995 else f"{100 * share:.0f} %"
