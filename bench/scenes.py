"""Scenes of which the truth is known: labels beside what simulated detectors say of them.

A scene is a function of a size (events, or series) and a generator; it gives a `Scene`. Two kinds
are here: detectors that find a known share of known events, on which intervals and comparisons
are tested, and blind ones, on which verdicts are tested. A slot is an event with the normal
stretch before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.signal import lfilter

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 11
"""Of islands, for metrics of balanced adjustment: a width that drawn lengths do not move."""


class Scene(NamedTuple):
    """Labels, what each detector says, and the series, where there are several."""

    labels: np.ndarray
    detectors: tuple[np.ndarray, ...]
    series: np.ndarray | None = None


def logistic(x):
    """Turn log-odds into a share."""
    return 1 / (1 + np.exp(-x))


# Lengths of events: each takes how many, and a generator.


def of(length):
    """All have the same length."""
    return lambda count, _rng: np.full(count, length)


equal = of(10)


def lognormal(count, rng):
    """From one point to 400, half of them below ten."""
    return np.round(np.exp(rng.normal(2.3, 1.2, count))).clip(1, 400).astype(int)


def mixed(count, rng):
    """Nine in ten have 5 points, one in ten has 150."""
    return np.where(rng.random(count) < 0.1, 150, 5)


def weibull(count, rng):
    """Many short ones, and a tail between that of an exponential and of a lognormal."""
    return np.ceil(12 * rng.weibull(0.7, count)).clip(1, 400).astype(int)


def gamma(count, rng):
    """Lengths about 15 that differ by as much."""
    return np.ceil(rng.gamma(1.2, 12.0, count)).clip(1, 400).astype(int)


def pareto(count, rng):
    """A tail of which the variance hardly exists."""
    return np.ceil(5 * (1 + rng.pareto(2.2, count))).clip(1, 400).astype(int)


def geometric(count, rng):
    """Lengths about 12 without a memory of how long they have lasted."""
    return rng.geometric(1 / 12, count)


def short_or_long(count, rng):
    """Half of them have 6 points, half of them 24."""
    return np.where(rng.random(count) < 0.5, 6, 24)


# Whether each event is found: each takes the lengths, and a generator.


def evenly(share):
    """Find each event with the same probability."""
    return lambda lengths, rng: rng.random(lengths.size) < share


def long_ones(lengths, rng):
    """Find long events more often than short ones."""
    return rng.random(lengths.size) < logistic(1.5 * (np.log(lengths) - 2.3) + 0.4)


def like_the_last(lengths, rng):
    """Fare with an event as with the one before it, three times out of four."""
    fresh = rng.random(lengths.size) < 0.7
    anew = rng.random(lengths.size) < 0.25
    anew[:1] = True
    return fresh[np.maximum.accumulate(np.where(anew, np.arange(lengths.size), 0))]


def in_groups(lengths, rng):
    """Find all of a group of one to five neighbours, or none."""
    group = np.repeat(np.arange(lengths.size), rng.integers(1, 6, lengths.size))[: lengths.size]
    return (rng.random(lengths.size) < 0.7)[group]


def in_pairs(lengths, rng):
    """Find both of two neighbours, or none."""
    return np.repeat(rng.random(lengths.size) < 0.65, 2)[: lengths.size]


def of_two_kinds(lengths, rng):
    """Find nearly all of the easy half of the events, and few of the others."""
    easy = rng.random(lengths.size) < 0.5
    return rng.random(lengths.size) < np.where(easy, 0.95, 0.2)


def short_ones(lengths, rng):
    """Find short events more often than long ones."""
    return rng.random(lengths.size) < np.where(lengths < 10, 0.9, 0.3)


def by_day(lengths, rng):
    """Find more by day than at night: four events each, in turn, from some hour on."""
    day = (np.arange(lengths.size) + rng.integers(8)) % 8 < 4
    return rng.random(lengths.size) < np.where(day, 0.9, 0.45)


def better_later(lengths, rng):
    """Find little in the first half, and much in the second."""
    late = np.arange(lengths.size) >= lengths.size / 2
    return rng.random(lengths.size) < np.where(late, 0.9, 0.45)


# How many false runs lie in each normal stretch: each takes how long they are, and a generator.


def steady(share):
    """One false run in a share of the stretches."""
    return lambda gaps, rng: (rng.random(gaps.size) < share).astype(int)


def bursts(gaps, rng):
    """Two to eight false runs in one stretch of eight, and none elsewhere."""
    return np.where(rng.random(gaps.size) < 0.12, rng.integers(2, 9, gaps.size), 0)


def storms(gaps, rng):
    """False runs over two or three neighbouring stretches, five in each; none elsewhere."""
    begin = rng.random(gaps.size) < 0.05
    lasts = rng.integers(2, 4, gaps.size)
    on = np.zeros(gaps.size, bool)
    for place in np.flatnonzero(begin):
        on[place : place + lasts[place]] = True
    return np.where(on, 5, 0)


def by_time(gaps, rng):
    """False runs in number as long as the stretch is."""
    return rng.poisson(gaps / 240)


# How long the normal stretches are.


def ordinary(count, rng):
    """From 40 to 120 points."""
    return rng.integers(40, 121, count)


def unequal(count, rng):
    """Some stretches are ten times as long as others."""
    return np.round(np.exp(rng.normal(4.3, 0.9, count))).clip(40, 2000).astype(int)


most, often, seldom = evenly(0.95), evenly(0.7), steady(0.25)


VERY_LONG = 2400


def one_in_fifteen_long(count, rng):
    """Stretches that are alike, but for one in fifteen that is thirty times as long."""
    return np.where(rng.random(count) < 1 / 15, VERY_LONG, ordinary(count, rng))


@dataclass(frozen=True)
class Found:
    """A detector that finds a known share of known events, and raises false alarms."""

    lengths: Callable[..., Any] = equal
    found: Callable[..., Any] = often
    false: Callable[..., Any] = seldom
    gaps: Callable[..., Any] = ordinary
    lag: int = 0
    """How many points after an event its alarm goes on, from the middle of the event."""
    ends: bool = False
    """Whether events touch both ends of the series."""
    spells: float = 0.0
    """The share of slots in which the detector alarms all the time: it finds, and it costs."""

    def __call__(self, events, rng, lengths=None):
        """Lay the slots out, one after the other."""
        lengths = self.lengths(events, rng) if lengths is None else lengths
        gaps = self.gaps(events, rng)
        tail = 0 if self.ends else 40
        starts = np.cumsum(gaps) + np.cumsum(lengths) - lengths
        points = starts[-1] + lengths[-1] + tail
        hit = self.found(lengths, rng)
        flags = alarms(points, starts[hit], lengths[hit], self.lag, rng)
        flags |= false_runs(points, starts - gaps, gaps, self.false(gaps, rng), rng)
        wild = np.flatnonzero(rng.random(events) < self.spells)
        flags |= filled(points, (starts - gaps)[wild] + 10, starts[wild] + lengths[wild])
        labels = filled(points, starts, starts + lengths)
        if self.ends:  # the first normal stretch goes, so that an event comes first
            labels, flags = labels[gaps[0] :], flags[gaps[0] :]
        return Scene(labels.astype(int), (flags.astype(int),))


def filled(points, starts, stops):
    """Mark runs that may overlap."""
    steps = np.zeros(points + 1, int)
    np.add.at(steps, np.minimum(starts, points), 1)
    np.add.at(steps, np.minimum(stops, points), -1)
    return np.cumsum(steps)[:-1] > 0


def alarms(points, starts, lengths, lag, rng):
    """Flag four tenths of each event, anywhere in it; or its second half and what follows."""
    if lag:
        return filled(points, starts + lengths // 2, starts + lengths + lag)
    size = np.maximum(1, (0.4 * lengths).astype(int))
    at = starts + (rng.random(starts.size) * (lengths - size + 1)).astype(int)
    return filled(points, at, at + size)


def false_runs(points, starts, gaps, counts, rng):
    """Flag runs of one to three points in normal stretches, clear of the event that follows."""
    slot = np.repeat(np.arange(starts.size), counts)
    at = starts[slot] + 8 + (rng.random(slot.size) * (gaps[slot] - 20)).astype(int)
    return filled(points, at, at + rng.integers(1, 4, slot.size))


@dataclass(frozen=True)
class InSeries:
    """Several series in which both detectors have luck of their own, beside that of each event."""

    spread: float = 1.5
    """Of the log-odds of finding an event, from series to series."""
    ahead: float = 0.0
    """By how much the first detector is better, in log-odds."""
    events: Callable[..., Any] = equal
    """How many events each series has."""
    suits: float = 1.0
    """The share of series that suit a detector; in the others it finds one event in ten."""
    floods: float = 0.0
    """The share of series that are full of false alarms."""

    def __call__(self, count, rng):
        """Lay the series out, one after the other; two detectors."""
        sizes = self.events(count, rng)
        series = np.repeat(np.arange(count), sizes)
        flags = []
        for ahead in (self.ahead, 0.0):
            found = logistic(rng.normal(0.6, self.spread, count) + ahead)[series]
            more = rng.normal(-(self.spread**2) / 8, self.spread / 2, count)
            false = (0.25 * np.exp(more)).clip(0, 1)[series]
            if self.suits < 1:
                found = np.where(rng.random(count) < self.suits, 0.95, 0.1)[series]
            block = np.zeros((series.size, 110), int)
            block[:, 63] = rng.random(series.size) < found
            block[:, 20] = rng.random(series.size) < false
            if self.floods:
                flooded = (rng.random(count) < self.floods)[series]
                block[np.ix_(flooded, np.arange(2, 50, 9))] = 1
            flags.append(block.ravel())
        labels = np.zeros((series.size, 110), int)
        labels[:, 60:70] = 1
        return Scene(labels.ravel(), tuple(flags), np.repeat(series, 110))


def one_to_forty(count, rng):
    """Series with one event, and with forty."""
    return np.round(np.exp(rng.uniform(0, np.log(40), count))).astype(int).clip(1, 40)


def one_each(count, rng):  # noqa: ARG001 - as all of these
    """Series of one event."""
    return np.ones(count, int)


def few_long(count, rng):
    """One series in five has forty events, the others have three."""
    return np.where(np.arange(count) % 5 == rng.integers(5), 40, 3)


@dataclass(frozen=True)
class Two:
    """Two detectors on the same events; each with its share found and of false runs."""

    first: Found
    second: Found
    shared: float = 0.0
    """The share of events on which both have the same luck."""

    def __call__(self, events, rng):
        """Lay the same slots out for both."""
        lengths, gaps = self.first.lengths(events, rng), self.first.gaps(events, rng)
        state = rng.integers(2**63)
        same = np.random.default_rng(state).random(events) < self.shared
        hits = [side.found(lengths, rng) for side in (self.first, self.second)]
        hits[1] = np.where(same, hits[0], hits[1])
        scenes = []
        for side, hit in zip((self.first, self.second), hits, strict=True):
            fixed = replace(side, found=lambda *_, hit=hit: hit, gaps=lambda *_: gaps)
            scenes.append(fixed(events, rng, lengths))
        return Scene(scenes[0].labels, tuple(scene.detectors[0] for scene in scenes))


def points_found(lengths, found):
    """The share of anomalous points that a detector finds, of very many events."""
    rng = np.random.default_rng(1)
    drawn = lengths(200_000, rng)
    return float(drawn[found(drawn, rng)].sum() / drawn.sum())


def finds_as_much(lengths, found):
    """Find a share of all events alike, so that as many points are found as by another rule."""
    return evenly(points_found(lengths, found))


def costs_as_much(false):
    """Raise single false runs, in so many stretches that islands mark as many points."""
    rng = np.random.default_rng(2)
    scene = Found(found=evenly(0.0), false=false)(20_000, rng)
    flagged = np.flatnonzero(scene.detectors[0])
    marked = filled(
        scene.labels.size, np.maximum(flagged - WIDTH // 2, 0), flagged + WIDTH // 2 + 1
    )
    return steady((marked & (scene.labels == 0)).sum() / 20_000 / (WIDTH + 1))


# Scores of detectors that see events more or less clearly.


def remembering(points, rng, memory=0.9):
    """Scores that remember those before them."""
    drawn = rng.normal(size=points + 200) * np.sqrt(1 - memory**2)
    return lfilter([1], [1, -memory], drawn)[200:]


@dataclass(frozen=True)
class Scored:
    """Scores that rise in events, by more or less; noise as it is said."""

    noise: str = "normal"
    lengths: Callable[..., Any] = equal
    gain: float = 1.5
    with_length: float = 0.0
    """By how much clearer an event is for each e-fold of its length."""
    second: float | None = None
    """The gain of a second detector, if there is one."""

    def __call__(self, events, rng):
        """Lay the slots out, one after the other."""
        lengths, gaps = self.lengths(events, rng), ordinary(events, rng)
        sizes = gaps + lengths
        starts = np.cumsum(sizes) - lengths
        points = int(sizes.sum())
        labels, slot = filled(points, starts, starts + lengths), np.repeat(np.arange(events), sizes)
        gains = [self.gain] + ([] if self.second is None else [self.second])
        scores = [self._scores(gain, labels, slot, lengths, rng) for gain in gains]
        return Scene(labels.astype(int), tuple(scores))

    def _scores(self, gain, labels, slot, lengths, rng):
        clear = gain + rng.normal(size=lengths.size)
        clear = clear + self.with_length * (np.log(lengths) - 2.3)
        scores = self._noise(labels, slot, lengths.size, rng) + clear[slot] * labels
        return np.round(1.5 * scores).clip(-2, 6) if self.noise == "whole numbers" else scores

    def _noise(self, labels, slot, events, rng):
        plain, points = rng.normal(size=labels.size), np.arange(labels.size)
        made = {
            "remembering": lambda: remembering(labels.size, rng),
            "heavy tails": lambda: rng.standard_t(3, labels.size),
            "gamma": lambda: rng.gamma(1.0, 1.0, labels.size),
            "by stretch": lambda: plain * np.exp(rng.normal(0, 0.5, events))[slot],
            "raised": lambda: plain + 2.5 * (rng.random(events) < 0.1)[slot] * ~labels,
            "wandering": lambda: remembering(labels.size, rng, 0.995),
            "spikes": lambda: (
                plain + rng.exponential(5.0, plain.size) * (rng.random(plain.size) < 0.01)
            ),
            "rhythm": lambda: plain + 1.5 * np.sin(2 * np.pi * (points / 57 + rng.random())),
            "regime": lambda: plain * np.where(slot < events / 2, 0.7, 1.6),
        }
        return made.get(self.noise, lambda: plain)()


@dataclass(frozen=True)
class FlagsOrScores:
    """Two detectors of the same worth; one gives flags, at the threshold of very many events."""

    scored: Scored
    threshold: float

    def __call__(self, events, rng):
        """Lay the same slots out for both."""
        labels, (first, second), _ = self.scored(events, rng)
        return Scene(labels, ((first > self.threshold).astype(float), second))


# Detectors that know nothing. Each takes how many points, and a generator.


def placed(points, lengths, rng, low=0.0, high=1.0):
    """Throw events between two shares of the series; they may touch."""
    labels = np.zeros(points, int)
    for length in lengths:
        start = int((low + (high - low) * rng.random()) * (points - length))
        labels[start : start + length] = 1
    return labels


def top(scores, share):
    """Flag a share of the points, those with the highest scores."""
    return (scores > np.quantile(scores, 1 - share)).astype(int)


def white(points, rng):
    """Flags of which each is drawn by itself."""
    return (rng.random(points) < 0.03).astype(int)


def clustered(points, rng):
    """Alarms of twelve points."""
    starts = rng.integers(points, size=(max(points // 400, 2), 1))
    flags = np.zeros(points, int)
    flags[(starts + np.arange(12)) % points] = 1
    return flags


def comb(points, rng):
    """An alarm at every 33rd point."""
    return ((np.arange(points) + rng.integers(33)) % 33 == 0).astype(int)


def sticky(points, rng):
    """Alarms that stay on for a while, and for longer and longer ones now and then."""
    lasts = np.ceil(np.exp(rng.normal(2.5, 1.0, 200))).astype(int)
    rests = np.ceil(rng.exponential(30 * lasts.mean(), 200)).astype(int)
    edges = np.cumsum(np.stack([rests, lasts], axis=1).ravel())
    on = filled(int(edges[-1]), edges[::2], edges[1::2])
    start = rng.integers(on.size - points) if on.size > points else 0
    return np.resize(on[start:], points).astype(int)


def sparse(points, rng):
    """Three alarms in all."""
    flags = np.zeros(points, int)
    flags[rng.choice(points, 3, replace=False)] = 1
    return flags


def slow(points, rng):
    """Flags of scores that remember a long time."""
    return top(remembering(points, rng, 0.97), 0.03)


def nervous(points, rng):
    """Flags of noise that is calm for a while, and wild for a while."""
    loud = np.exp(1.2 * remembering(points, rng, 0.99))
    return top(rng.normal(size=points) * loud, 0.03)


def with_trend(points, rng):
    """Flags of scores that rise from one end of the series to the other."""
    return top(3 * np.arange(points) / points + rng.normal(size=points), 0.03)


def rising(points, rng):
    """Alarms that become ever more frequent."""
    return (rng.random(points) < 0.09 * (np.arange(points) / points) ** 2).astype(int)


def silent_first(points, rng):
    """No alarm in the first 15 %."""
    return (rng.random(points) < np.where(np.arange(points) < 0.15 * points, 0, 0.035)).astype(int)


def late_only(points, rng):
    """Alarms in the last third alone."""
    return top(np.where(np.arange(points) > 0.67 * points, rng.normal(size=points), -9.0), 0.03)


def second_half(points, rng):
    """Five times as many alarms after the middle as before it."""
    rate = np.where(np.arange(points) < points / 2, 0.01, 0.05)
    return (rng.random(points) < rate).astype(int)


def busy_fifth(points, rng):
    """Alarms in one fifth of the series alone, which is always the same."""
    at = np.arange(points) / points
    return ((rng.random(points) < 0.13) & (at > 0.17) & (at < 0.37)).astype(int)


def busy_somewhere(points, rng):
    """Most alarms in one fifth of the series, anywhere."""
    at, begin = np.arange(points) / points, 0.8 * rng.random()
    return top(2.5 * ((at > begin) & (at < begin + 0.2)) + rng.normal(size=points), 0.03)


def ranks(points, rng):
    """Scores without memory."""
    return rng.normal(size=points)


def slow_scores(points, rng):
    """Scores that remember a long time."""
    return remembering(points, rng, 0.97)


def whole_numbers(points, rng):
    """Scores of five levels, most of them the lowest."""
    return rng.binomial(4, 0.12, points).astype(float)


def heavy_spells(points, rng):
    """Alarms and silences of which some last very long."""
    lasts, rests = (np.ceil(size * (1 + rng.pareto(1.3, 400))).astype(int) for size in (4, 60))
    edges = np.cumsum(np.stack([rests, lasts], axis=1).ravel())
    return filled(points, edges[::2], edges[1::2]).astype(int)


def deaf(points, rng):
    """Single alarms, of which none comes within 60 points of the last one."""
    flags = np.zeros(points, int)
    at = np.cumsum(60 + rng.exponential(40.0, points // 60)).astype(int) - 60
    flags[at[at < points]] = 1
    return flags


def in_pairs_too(points, rng):
    """Alarms that come by twos."""
    at = rng.integers(points - 60, size=6)
    at = np.concatenate([at, at + rng.integers(20, 50, 6)])
    return filled(points, at, at + 4).astype(int)


def wandering(points, rng):
    """Flags of scores whose level wanders off."""
    return top(0.05 * np.cumsum(rng.normal(size=points)) + rng.normal(size=points), 0.04)


def long_memory(points, rng):
    """Scores that are alike at all scales of time: noise by one over the frequency."""
    waves = np.fft.rfftfreq(2 * points)
    waves[0] = waves[1]
    drawn = rng.normal(size=(2, waves.size)) / np.sqrt(waves)
    return np.fft.irfft(drawn[0] + 1j * drawn[1])[:points]


def long_memory_whole(points, rng):
    """The same in whole numbers from 0 on, half of them 0."""
    scores = long_memory(points, rng)
    return np.round(1.2 * scores / scores.std()).clip(0)


def with_pauses(points, rng):
    """Scores that stand still now and then."""
    scores = rng.normal(size=points)
    for start in rng.integers(points - 100, size=4):
        scores[start : start + rng.integers(50, 250)] = scores[start]
    return scores


twelve = of(12)


@dataclass(frozen=True)
class Blind:
    """Events, and detectors that never looked at them."""

    detector: Callable[..., Any] = white
    events: int = 12
    lengths: Callable[..., Any] = twelve
    points: int = 3000
    low: float = 0.0
    """Events lie after this share of the series."""
    high: float = 1.0
    """Events lie before this share of the series."""
    series: int = 1
    """How many series the points are cut into."""
    groups: int = 0
    """How many groups the events lie in; 0: each lies by itself."""

    def __call__(self, detectors, rng):
        """Draw the events, and so many blind detectors."""
        lengths = self.lengths(self.events, rng)
        size, each = self.points // self.series, np.array_split(lengths, self.series)
        labels = np.concatenate([self._labels(size, part, rng) for part in each])
        drawn = [np.concatenate([self.detector(size, rng) for _ in each]) for _ in range(detectors)]
        ids = np.repeat(np.arange(self.series), size) if self.series > 1 else None
        return Scene(labels, tuple(drawn), ids)

    def _labels(self, points, lengths, rng):
        if not self.groups:
            return placed(points, lengths, rng, self.low, self.high)
        begin = 0.97 * rng.random(self.groups)
        parts = zip(np.array_split(lengths, self.groups), begin, strict=True)
        return np.maximum.reduce([placed(points, p, rng, b, b + 0.03) for p, b in parts])


@dataclass(frozen=True)
class Regular:
    """Events at nearly equal distances, and alarms at the same ones that begin anywhere else."""

    points: int = 2000
    jitter: int = 5

    def __call__(self, detectors, rng):
        """Draw the distance, the events, and so many blind detectors."""
        period = int(rng.integers(90, 150))
        labels = self._at(period, 12, rng)
        return Scene(labels, tuple(self._at(period, 4, rng) for _ in range(detectors)))

    def _at(self, period, length, rng):
        at = np.arange(rng.integers(self.jitter, period), self.points - 20, period)
        at += rng.integers(-self.jitter, self.jitter + 1, at.size)
        return filled(self.points, at, at + length).astype(int)


@dataclass(frozen=True)
class InOnePart:
    """Events in one part of the series, and there many more alarms than elsewhere."""

    share: float
    rate: float
    points: int = 3000

    def __call__(self, detectors, rng):
        """Draw the part, the events, and so many blind detectors."""
        begin, at = rng.uniform(0.05, 0.9 - self.share), np.arange(self.points) / self.points
        busy = (at > begin) & (at < begin + self.share)
        labels = placed(self.points, [10] * 8, rng, begin, begin + self.share)
        rates = np.where(busy, self.rate, 0.004)
        drawn = tuple((rng.random(self.points) < rates).astype(int) for _ in range(detectors))
        return Scene(labels, drawn)


def unequal_series(detectors, rng):
    """Six series, some of them 25 times as long as others, in which rates differ too."""
    sizes = np.exp(rng.uniform(np.log(60), np.log(1500), 6)).astype(int)
    labels = np.concatenate([placed(n, [8] * max(1, n // 150), rng) for n in sizes])
    rates = [np.repeat(rng.beta(1, 30, 6), sizes) for _ in range(detectors)]
    drawn = tuple((rng.random(labels.size) < rate).astype(int) for rate in rates)
    return Scene(labels, drawn, np.repeat(np.arange(6), sizes))


def busy_series(detectors, rng):
    """Eight series; where more events come more alarms come too."""
    busy = np.exp(rng.normal(size=8))
    labels = np.concatenate([placed(300, [8] * (1 + int(2 * one)), rng) for one in busy])
    rate = np.repeat(np.minimum(0.01 * busy, 0.4), 300)
    drawn = tuple((rng.random(labels.size) < rate).astype(int) for _ in range(detectors))
    return Scene(labels, drawn, np.repeat(np.arange(8), 300))


@dataclass(frozen=True)
class FewWithEvents:
    """Series of which few have events; two detectors with luck of their own in each series."""

    without: int = 10
    """How many series have no event."""

    def __call__(self, count, rng):
        """Lay so many series with ten events out, and then those without."""
        labels = np.zeros((count + self.without, 10, 60), int)
        labels[:count, :, 40:50] = 1
        flags = np.zeros((2, *labels.shape), int)
        for side in flags:
            found = logistic(rng.normal(0.6, 1.5, (count, 1)))
            side[:count, :, 43] = rng.random((count, 10)) < found
            side[:, :, 20] = rng.random(labels.shape[:2]) < 0.2
        series = np.repeat(np.arange(len(labels)), 600)
        return Scene(labels.ravel(), tuple(side.ravel() for side in flags), series)


def rising_scores(points, rng):
    """Scores that rise from one end of the series to the other, by two standard deviations."""
    return rng.normal(size=points) + 2 * np.arange(points) / points


def at_both_ends(points, rng, detector=white):
    """Two events that touch the ends, and a few between."""
    labels = placed(points, [12] * 6, rng, 0.1, 0.9)
    labels[:12] = labels[-12:] = 1
    return Scene(labels, (detector(points, rng),))


@dataclass(frozen=True)
class Daily:
    """Events and alarms, or scores, that have nothing in common but the hour."""

    day: int = 96
    days: int = 30
    events: int = 10
    by_the_hour: float = 1.0
    """The share of events that keep the hour."""
    scored: bool = False
    """Whether detectors give scores, which rise at that hour, and no flags."""

    def __call__(self, detectors, rng):
        """Draw the events, and so many blind detectors."""
        points = self.day * self.days
        labels, hour = np.zeros(points, int), np.arange(points) % self.day / self.day
        days = rng.choice(self.days, self.events, replace=False)
        at = np.where(
            rng.random(self.events) < self.by_the_hour,
            rng.uniform(0.31, 0.42, self.events),
            rng.uniform(0.0, 0.9, self.events),
        )
        for start in ((days + at) * self.day).astype(int):
            labels[start : start + max(self.day // 12, 2)] = 1
        busy = (hour >= 0.29) & (hour < 0.5)
        if self.scored:
            drawn = [rng.normal(size=points) + 1.0 * busy for _ in range(detectors)]
        else:
            rate = np.where(busy, 0.06, 0.005)
            drawn = [(rng.random(points) < rate).astype(int) for _ in range(detectors)]
        return Scene(labels, tuple(drawn))


def seeing(labels, rng, gain):
    """Flags that are more frequent in events."""
    return (rng.random(labels.size) < np.where(labels > 0, 0.012 + gain, 0.012)).astype(int)


def one_hit(labels, rng):
    """An alarm in the middle of the only event, and few elsewhere."""
    flags = (rng.random(labels.size) < 0.002).astype(int)
    flags[int(np.flatnonzero(labels).mean())] = 1
    return flags


def most_hit(labels, rng):
    """An alarm of five points in seven of ten events, and as many elsewhere."""
    starts = np.flatnonzero(np.diff(labels, prepend=0) == 1)
    at = np.concatenate(
        [starts[rng.random(starts.size) < 0.7] + 20, rng.integers(labels.size, size=5)]
    )
    return filled(labels.size, at, at + 5).astype(int)


def lifted(labels, rng, gain):
    """Scores that rise in events."""
    return rng.normal(size=labels.size) + gain * labels


def perfect(detectors, rng, points=5000):
    """Scores that are higher in every event than anywhere else, of several detectors."""
    labels = placed(points, [20] * 12, rng)
    drawn = tuple(labels + 0.4 * rng.random(points) for _ in range(detectors))
    return Scene(labels, drawn)


@cache
def very_many(scene, size):
    """The same scene with very many events, for the value that they would show."""
    return scene(size, np.random.default_rng(20_261))


@dataclass(frozen=True)
class Values:
    """Values of two equally good detectors on many series, which may belong to data sets."""

    shape: tuple[float, float] = (2.0, 2.0)
    """Of the beta distribution of a value."""
    zeros: float = 0.0
    """The share of values that are 0 instead."""
    together: int = 1
    """Series in a data set."""
    alike: float = 0.0
    """How much of a value the data set decides; for each detector anew."""

    @property
    def mean(self):
        """The mean value over very many series."""
        return (1 - self.zeros) * self.shape[0] / sum(self.shape)

    def __call__(self, count, rng):
        """Draw values, a column per detector, and the data set of each series."""
        sets = np.arange(count) // self.together
        own, common = (
            np.where(rng.random((size, 2)) < self.zeros, 0, rng.beta(*self.shape, (size, 2)))
            for size in (count, int(sets[-1]) + 1)
        )
        kept = rng.random((count, 2)) < self.alike
        return np.where(kept, common[sets], own), sets if self.together > 1 else None
