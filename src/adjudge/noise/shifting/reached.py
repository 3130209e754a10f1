r"""Which shifts reach a value: bounds first, then the few shifts that are left in full.

Flag the ``c`` highest scores. How many anomalous points are flagged then, and how many are found,
is known for all shifts of a circle at once: they are sums of slices, or one correlation. Both only
grow with ``c``. So for every threshold that flags more than ``lo`` and at most ``hi`` points

.. math:: F_\beta \le \frac{(1 + \beta^2) \, \text{found}(hi)}
    {\text{found}(hi) + \text{false} + \beta^2 P}, \qquad
    \text{false} \ge lo + 1 - \text{own}(hi)

with ``P`` anomalous points, of which ``own`` are flagged themselves. A shift whose bounds stay
below the value cannot reach it; one that reaches it at a threshold does. The stretch of thresholds
that leaves most shifts open is split, for these alone, until few are open; these are judged in
full. What is found is what judging every shift would find.

Islands (balanced adjustment) cost at least the places whose window sees a flag, without the places
in or near events. Average precision is bounded by the precision at both ends of each stretch; so is
the area by trapezoids, half of which is the precision just above the rank of each anomalous point.
"""

# Idea: what is found and flagged only grows with the number of points flagged, so two levels
# bound all thresholds between them. Most shifts are ruled out by bounds, and few are judged in
# full.
# Invariant: the shifts that reach a value are those of which `Case.turned` does, ties (TIE)
# with them.
# Trap: a bound is rounded and the value is not. Shifts within `_ROUNDING` of the border are
# neither sure nor out; and shift k of the scores is turn size - k of the labels, with the first
# one at home.

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from adjudge.data.intervals import runs
from adjudge.measure.curves import ap, auc_pr
from adjudge.measure.rates import FBeta
from adjudge.noise.p_values import TIE
from adjudge.noise.shifting.rotation import LONGEST, CirclePlaces

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Flags, Floats, Positions
    from adjudge.adjust.contract import Marking
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifting.rotation import Rotation

_ROUNDING = 1e-14  # shifts this close to the border are judged in full
_SLICES = 24  # events up to which slices are quicker than a correlation
_OF_ONE_WIDTH = 24  # the same for events of one width
_LOOKED_UP = 3  # looks per point from which on all shifts at once are quicker
_FEW = 24  # open shifts that are judged in full at once
_BEST = {True: (_FEW, 60), False: (64, 12)}  # the same for all shifts and for some; so many splits
_STEP = 1.5  # from level to level: the metrics of a detector share these
_IMPORTED = 4096  # points from which on the quicker Fourier transforms are worth their import
_AP_LEVELS, _AP_FEW = (10, 40), 400  # average precision in full costs little


class ScoredCircles(Protocol):
    """Scores and labels on circles (`adjudge.noise.shifting.shifted_scores.ScoredCase`)."""

    circles: Rotation
    ranks: Any
    """The scores as ranks: ``judged``, as they are ``laid`` out, and how many are ``reaching``
    each; the same of the highest in their ``windows``."""
    counted: dict[tuple[int, str], Array]
    """What was counted at some ranks for all shifts: metrics share it."""


class RankCounting(Protocol):
    """What counts at one rank: for all turns, or for some."""

    def __call__(self, rank: int, turns: Positions | None, /) -> Positions:
        """One count per turn."""
        ...


class _Latest(dict[tuple[int, str], "Array"]):
    """What was counted last: all would take too much memory."""

    def __setitem__(self, key: tuple[int, str], counts: Array) -> None:
        self.clear()
        super().__setitem__(key, counts)


class NullSums(ABC):
    """Shifts of scores against labels: the first is none at all, the others are counted from 1.

    Parameters
    ----------
    scored : Scored
        Ranks and events.
    marking : Marking
        How many hits mark an event whole.
    """

    size: int
    """How many shifts there are, none at all among them."""

    def __init__(self, scored: ScoredCircles, marking: Marking) -> None:
        events = scored.circles.events
        self.reaching: Array = scored.ranks.reaching
        self.points = int(scored.ranks.judged.size)
        self._tied = self.reaching.size - 1 < self.points
        self.truth = int(events.widths.sum())
        self._marking, self._widths = marking, events.widths
        self._needed = np.broadcast_to(marking.needed, events.widths.shape)
        self._plain = marking.keeps and bool(np.all(marking.needed > events.widths))
        self._circles, self._scores = scored.circles, scored.ranks
        self._made = scored.counted if self.points <= LONGEST else _Latest()
        self._island = f"near {marking.island}"
        self._last: tuple[int, Positions | None, Positions] | None = None
        self._labels = events.labels if events.judged is None else events.labels[events.judged]

    def rank_of(self, count: int) -> int | None:
        """The lowest rank that at most so many points reach; None: even the highest has more."""
        rank = self.lowest(count)
        return rank if rank < self.reaching.size - 1 else None

    def lowest(self, count: int) -> int:
        """The same, or the number of ranks."""
        if not self._tied:
            return min(max(self.points - count, 0), self.reaching.size - 1)
        reaching = self.reaching.item
        return bisect_left(range(self.reaching.size - 1), -count, key=lambda rank: -reaching(rank))

    def ranks_of(self, counts: Positions) -> list[int]:
        """Those of several counts, from the highest down."""
        found = {self.rank_of(count) for count in counts.tolist()}
        return sorted((rank for rank in found if rank is not None), reverse=True)

    def own(self, rank: int, turns: Positions | None = None) -> Positions:
        """How many anomalous points reach a rank."""
        hits: Positions = self._last_hits(rank, turns).sum(axis=0)
        return hits

    def found(self, rank: int, turns: Positions | None = None) -> Positions:
        """How many anomalous points are found by the flags that reach a rank."""
        if self._plain:
            return self.own(rank, turns)
        columns = self._widths[:, np.newaxis], self._needed[:, np.newaxis]
        earned: Positions = self._earned(self._last_hits(rank, turns), *columns).sum(axis=0)
        return earned

    def _last_hits(self, rank: int, turns: Positions | None) -> Positions:
        """The flags of each event, looked up once for those that reach a rank and those found."""
        if self._last is None or self._last[0] != rank or self._last[1] is not turns:
            self._last = rank, turns, self._hits(rank, turns)
        return self._last[2]

    @abstractmethod
    def near(self, rank: int, turns: Positions | None = None) -> Positions:
        """How many windows of points in or near events reach a rank."""

    @property
    def windows(self) -> Array:
        """The highest rank in the window of each point, as if there were no events."""
        return np.asarray(self._scores.windows(self._marking.island).judged)

    @property
    def windows_reaching(self) -> Array:
        """How many windows reach each rank."""
        return np.asarray(self._scores.windows(self._marking.island).reaching)

    def drop(self) -> None:
        """Let go of what was counted last, where only that is kept."""
        self._last = None
        if self.points > LONGEST:
            self._made.clear()

    def _near(self) -> Flags:
        """The points in an event, or whose window meets one."""
        labels = self._labels.view(np.int8)
        return np.asarray(self._circles.highest_around(labels, self._marking.island) > 0)

    @property
    def _near_runs(self) -> tuple[Positions, Positions]:
        lengths = self._circles.lengths[self._circles.lengths > 0]
        return self._circles.once(
            self._island, lambda: runs(self._near(), np.cumsum(lengths) - lengths)
        )

    def sums(self, rank: int, *, windows: bool = False) -> Array:
        """How many of the points before each one reach a rank, as the circles are laid out."""
        key = rank, f"sums {self._island}" if windows else "sums"
        if key not in self._made:
            self._made[key] = np.zeros(0, np.int32)  # what was counted last may go first
            islands = self._scores.windows(self._marking.island) if windows else self._scores
            laid = islands.laid
            sums = self._made[key] = np.zeros(laid.size + 1, np.int32)
            np.greater_equal(laid, rank, out=sums[1:])
            np.cumsum(sums, out=sums)
        return self._made[key]

    def _earned(self, hits: Array, width: Any, needed: Any) -> Array:
        return np.where(hits >= needed, width, hits if self._marking.keeps else 0)

    @abstractmethod
    def _hits(self, rank: int, turns: Positions | None) -> Positions:
        """The flags of each event: a row per event, a column per shift."""


class CircleLooks(NamedTuple):
    """Where some stretches look under some shifts."""

    begin: Positions
    """A row per stretch, a column per shift."""
    lengths: Positions
    circle: Positions
    """On which circle each of them is."""


class Past(NamedTuple):
    """The looks that run past the last point of their circle, and on from the first."""

    place: Positions
    circle: Positions


class DrawnTurns(NullSums):
    """Shifts that were drawn, of any number of circles.

    Parameters
    ----------
    scored, marking
        See `NullSums`.
    by : array of int
        One row per shift; none at all is put before them.
    """

    def __init__(self, scored: ScoredCircles, marking: Marking, by: Positions) -> None:
        super().__init__(scored, marking)
        self.size = len(by) + 1
        self._by = np.vstack([np.zeros((1, by.shape[1]), by.dtype), by])
        self._laid = 1 if scored.ranks.laid.size == scored.circles.size else 2

    def drop(self) -> None:
        """Let go of where stretches look, too."""
        super().drop()
        for name in ("_seen", "_near_seen"):
            vars(self).pop(name, None)

    def near(self, rank: int, turns: Positions | None = None) -> Positions:
        """Look them up."""
        sums = self.sums(rank, windows=True)
        near: Positions = self._looked_up(sums, self._near_seen, turns).sum(axis=0)
        return near

    def _hits(self, rank: int, turns: Positions | None) -> Positions:
        return self._looked_up(self.sums(rank), self._seen, turns)

    def _looked_up(self, sums: Array, looks: CircleLooks, turns: Positions | None) -> Positions:
        begin = looks.begin if turns is None else looks.begin.take(turns, axis=1)
        end = begin + looks.lengths[:, np.newaxis]
        past = self._past(end, looks.circle) if self._laid == 1 else None
        seen = sums.take(end)  # several times as quick as an index
        seen -= sums.take(begin)
        if past is not None:
            ends = np.cumsum(self._circles.lengths)
            all_round = sums.take(ends) - sums.take(ends - self._circles.lengths)
            seen.reshape(-1)[past.place] += all_round[past.circle]
        return seen

    def _past(self, end: Positions, circle: Positions) -> Past:
        """Move the ends that lie past their circle back by a round, and name them."""
        last = np.cumsum(self._circles.lengths)[circle]
        place = np.flatnonzero(end > last[:, np.newaxis])
        home = circle[place // max(end.shape[1], 1)]
        end.reshape(-1)[place] -= self._circles.lengths[home]
        return Past(place, home)

    def _looks(self, places: CirclePlaces, lengths: Positions) -> CircleLooks:
        begin = self._circles.turned(places, self._by, self._laid)
        return CircleLooks(begin, lengths, places.circle)

    @cached_property
    def _seen(self) -> CircleLooks:
        """Where the events look."""
        return self._looks(self._circles.located(self._circles.events.starts), self._widths)

    @cached_property
    def _near_seen(self) -> CircleLooks:
        """Where the windows in or near events look."""
        starts, stops = self._near_runs
        ends = np.cumsum(self._circles.lengths)
        home = np.searchsorted(ends, starts, side="right")
        places = CirclePlaces(home, starts - (ends - self._circles.lengths)[home])
        return self._looks(places, stops - starts)


class AllTurns(NullSums):
    """All shifts of one circle, counted at once.

    Shift ``j`` turns the labels by ``j`` against the scores, and so the scores by ``-j``.
    """

    def __init__(self, scored: ScoredCircles, marking: Marking) -> None:
        super().__init__(scored, marking)
        circles, events = scored.circles, scored.circles.events
        self.ranks = scored.ranks.judged
        self.size = self.points
        self._places = circles.located(events.starts).place
        self._hit = f"found {marking.keeps} {marking.needed.tobytes()!r}"

    def own(self, rank: int, turns: Positions | None = None) -> Positions:
        """Look them up for a few shifts, or count all at once."""
        if self._is_little((rank, "own"), turns):
            return super().own(rank, turns)
        return self._all((rank, "own"), self._own, turns)

    def found(self, rank: int, turns: Positions | None = None) -> Positions:
        """Look them up for a few shifts, or count all at once."""
        if self._plain or self._is_little((rank, self._hit), turns):
            return super().found(rank, turns)
        return self._all((rank, self._hit), self._found, turns)

    def near(self, rank: int, turns: Positions | None = None) -> Positions:
        """How many windows of points in or near events reach a rank."""
        if turns is not None and self._is_little((rank, self._island), turns):
            starts, stops = (side[:, np.newaxis] for side in self._near_runs)
            sums = self.sums(rank, windows=True)
            looked_up: Positions = (sums.take(stops + turns) - sums.take(starts + turns)).sum(
                axis=0
            )
            return looked_up
        return self._all((rank, self._island), self._near_windows, turns)

    def _is_little(self, key: tuple[int, str], turns: Positions | None) -> bool:
        """Whether looking up is less work than counting all, if that is not done yet."""
        if turns is None or key in self._made:
            return False
        return bool(turns.size * self._places.size < _LOOKED_UP * self.points)

    def _all(
        self, key: tuple[int, str], count: Callable[[int], Array], turns: Positions | None
    ) -> Array:
        if key not in self._made:
            self._made[key] = count(key[0])
        return self._made[key] if turns is None else self._made[key][turns]

    def _hits(self, rank: int, turns: Positions | None) -> Positions:
        begin = self._places[:, np.newaxis] + (np.arange(self.size) if turns is None else turns)
        sums = self.sums(rank)
        seen = sums.take(begin + self._widths[:, np.newaxis])
        seen -= sums.take(begin)
        return seen

    def _own(self, rank: int) -> Array:
        if self._places.size > _SLICES:
            return self._correlated("labels", self._labels, self.ranks >= rank)
        sums, own = self.sums(rank), np.zeros(self.size, np.int32)
        for place, width in zip(self._places.tolist(), self._widths.tolist(), strict=True):
            own += sums[place + width : place + width + self.size]
            own -= sums[place : place + self.size]
        return own

    def _found(self, rank: int) -> Array:
        """A slice per event, or one correlation for many events of one width."""
        sums, found = self.sums(rank), np.zeros(self.size, np.int32)
        for width, needed, places in self._groups:
            hits = sums[width : width + self.size] - sums[: self.size]
            earned = self._earned(hits, np.int32(width), needed).astype(np.int32)
            if places.size > _OF_ONE_WIDTH:
                starts = np.zeros(self.size)
                starts[places] = 1
                found += self._correlated(f"starts {width}", starts, earned)
                continue
            twice = np.concatenate([earned, earned])
            for place in places.tolist():
                found += twice[place : place + self.size]
        return found

    @cached_property
    def _groups(self) -> list[tuple[int, int, Positions]]:
        """The places of the events of each width, which need equally many hits."""
        widths, first = np.unique(self._widths, return_index=True)
        return [
            (int(width), int(self._needed[one]), self._places[self._widths == width])
            for width, one in zip(widths, first, strict=True)
        ]

    def _correlated(self, name: str, turning: Array, values: Array) -> Positions:
        """Sum the values over what turns, for every turn; whole numbers come out exact."""
        fft, key = _fourier(self.size), (-1, f"waves {name}")
        if key not in self._made:
            self._made[key] = np.conj(fft.rfft(turning.astype(np.float64)))
        waves = fft.rfft(values.astype(np.float64))
        waves *= self._made[key]
        return np.asarray(np.rint(fft.irfft(waves, self.size)), np.int32)

    def _near_windows(self, rank: int) -> Positions:
        return self._correlated(self._island, self._turning_near, self.windows >= rank)

    @cached_property
    def _turning_near(self) -> Flags:
        return self._near()


def _fourier(points: int) -> Any:
    """SciPy's transforms, or for few points NumPy's: sooner done than the others are imported."""
    if points <= _IMPORTED:
        return np.fft
    from scipy import fft  # noqa: PLC0415 - only who needs it pays for it

    return fft


class _Stretch(NamedTuple):
    """The thresholds that flag more than ``above`` points and none below a rank."""

    above: int
    rank: int
    turns: Positions
    """Those that may reach the value there."""
    counts: list[Positions]


class BestSearch:
    """Which shifts have a threshold at which F reaches a value.

    Parameters
    ----------
    turns : Turns
        The shifts.
    measure : FBeta
        F.
    islands : bool
        Whether false alarms cost more than themselves.
    """

    def __init__(self, turns: NullSums, measure: FBeta, *, islands: bool) -> None:
        self._turns, self._islands = turns, islands
        self._square = float(measure.beta) ** 2
        self._counted: list[RankCounting] = [turns.own, turns.found]
        if islands:
            self._counted.append(turns.near)

    def __call__(self, value: float) -> tuple[Positions, Positions]:
        """List the shifts that surely reach a value, and those that may; never the first."""
        self._low, self._high = value - TIE - _ROUNDING, value - TIE + _ROUNDING
        self._sure = np.zeros(self._turns.size, bool)
        parts, kept = self._first(), []
        few, splits = _BEST[isinstance(self._turns, AllTurns)]
        for _ in range(splits):
            parts.sort(key=lambda part: part.turns.size)
            widest = self._left(parts.pop()) if parts else None
            if widest is None:
                break
            middle = self._middle(widest) if widest.turns.size else None
            if middle is None:
                kept.append(widest)
            elif widest.turns.size > few or self._open([*parts, *kept, widest]).size > few:
                parts += self._split(widest, middle)
            else:
                kept.append(widest)
                break
        self._sure[0] = False
        return np.flatnonzero(self._sure), self._open([*parts, *kept])

    def _first(self) -> list[_Stretch]:
        """A few levels up to the one above which even a perfect finding has too many flags."""
        turns, parts, above = self._turns, [], 0
        truth = turns.truth
        most = (1 + self._square) * truth / max(self._low, _ROUNDING) - self._square * truth
        most = min(int(most) + 1, turns.points)
        steps = np.arange(math.log(max(most + truth, 1) / (1 + truth), _STEP) + 1)
        for rank in turns.ranks_of(((1 + truth) * _STEP**steps).astype(np.int64) - truth):
            counts = [count(rank, None) for count in self._counted]
            self._note(rank, np.arange(turns.size), counts)
            may = np.flatnonzero(self._may(above, counts))
            parts.append(_Stretch(above, rank, may, [one[may] for one in counts]))
            above = int(turns.reaching[rank])
        return parts

    def _may(self, above: int, counts: list[Positions]) -> Flags:
        """Whether F may reach the value at thresholds that flag more than ``above`` points."""
        own, found, *near = counts
        false = np.maximum(above + 1 - own, 0)
        if near:
            turns = self._turns
            first = turns.lowest(above) - 1
            false = np.maximum(false, turns.windows_reaching[first] - near[0])
        return np.asarray(
            (1 + self._square) * found
            >= self._low * (found + false + self._square * self._turns.truth)
        )

    def _note(self, rank: int, turns: Positions, counts: list[Positions]) -> None:
        """Note who reaches the value at a rank; with islands that is not known."""
        if self._islands:
            return
        own, found = counts
        whole = found + self._turns.reaching[rank] - own + self._square * self._turns.truth
        self._sure[turns[(1 + self._square) * found >= self._high * whole]] = True

    def _left(self, part: _Stretch) -> _Stretch:
        """Leave out the shifts that surely reach the value, and the first."""
        kept = ~self._sure[part.turns] & (part.turns > 0)
        return _Stretch(*part[:2], part.turns[kept], [one[kept] for one in part.counts])

    def _open(self, parts: list[_Stretch]) -> Positions:
        left = np.zeros(self._turns.size, bool)
        for part in parts:
            left[part.turns] = True
        left[0] = False
        return np.flatnonzero(left & ~self._sure)

    def _middle(self, part: _Stretch) -> int | None:
        """A rank between the ends of a stretch; None where no other one is left."""
        turns, truth = self._turns, self._turns.truth
        below = int(turns.reaching[part.rank])
        rank = turns.rank_of(int(np.sqrt((part.above + truth) * (below + truth)) - truth))
        if rank is None or not part.above < turns.reaching[rank] < below:
            return None
        return rank

    def _split(self, part: _Stretch, rank: int) -> list[_Stretch]:
        counts = [count(rank, part.turns) for count in self._counted]
        self._note(rank, part.turns, counts)
        between = int(self._turns.reaching[rank])
        halves = []
        for above, lowest, own in ((part.above, rank, counts), (between, part.rank, part.counts)):
            may = self._may(above, own)
            halves.append(_Stretch(above, lowest, part.turns[may], [one[may] for one in own]))
        return halves


class PrecisionSearch:
    """Which shifts have an average precision, or an area by trapezoids, that reaches a value.

    Parameters
    ----------
    turns : Turns
        The shifts.
    surely : float
        How much of the anomalous points of a stretch counts at least as found: all of it at the
        rank of a point, and so half by trapezoids, since nothing may be found just above it.
    """

    def __init__(self, turns: NullSums, surely: float) -> None:
        self._turns, self._surely = turns, surely

    def __call__(self, value: float) -> tuple[Positions, Positions]:
        """List the shifts that surely reach a value, and those that may; never the first."""
        turns, sure = np.arange(1, self._turns.size), []
        for levels in _AP_LEVELS:
            low, high = self._bounds(turns, levels)
            reached = low >= value - TIE + _ROUNDING
            sure.append(turns[reached])
            turns = turns[~reached & (high >= value - TIE - _ROUNDING)]
            if turns.size <= _AP_FEW:
                break
        return np.concatenate(sure), turns

    def _bounds(self, turns: Positions, levels: int) -> tuple[Floats, Floats]:
        every, above = self._turns, 0
        own, (low, high) = np.zeros(turns.size, np.int64), np.zeros((2, turns.size))
        for rank in every.ranks_of(np.geomspace(1, every.points, levels).round().astype(np.int64)):
            now, count = every.own(rank, turns), int(every.reaching[rank])
            new = now - own
            high += new * (now / np.maximum(above + new, 1))
            low += new * ((own + self._surely * (new + 1) / 2) / count)
            own, above = now, count
        return low / every.truth, high / every.truth


def can_be_bounded(metric: Metric, events: Events) -> bool:
    """Say whether the shifts of a metric that can be swept can be bounded."""
    measure, adjust, _ = metric.parts
    marking = adjust.marking_on(events)
    if marking is None or not np.all(marking.first == events.widths):
        return False
    if metric.oracle:
        return isinstance(measure, FBeta) and (marking.island == 1 or not marking.keeps)
    by_precision = measure in (ap, auc_pr)
    return by_precision and marking.keeps and bool(np.all(marking.needed > events.widths))


def reached_by(
    metric: Metric,
    scored: ScoredCircles,
    value: float,
    values: Callable[[Positions], Floats],
    by: Positions | None = None,
) -> Positions:
    """Find the shifts at which a metric reaches a value.

    Parameters
    ----------
    metric : Metric
        What `can_be_bounded`.
    scored : Scored
        Scores and labels; one circle, unless shifts are given.
    value : float
        What must be reached.
    values : callable
        Judges some shifts in full; islands run round closed circles.
    by : array of int, optional
        Some shifts, one row each. Default: all of them, no shift at all left out.

    Returns
    -------
    array of int
        By how much the scores are shifted; of shifts that were given, their rows.
    """
    marking = metric.parts.adjust.marking_on(scored.circles.events)
    assert marking is not None  # noqa: S101 - whoever asks has asked `can_be_bounded`
    turns = AllTurns(scored, marking) if by is None else DrawnTurns(scored, marking, by)
    if metric.oracle:
        measure: Any = metric.parts.measure
        sure, left = BestSearch(turns, measure, islands=marking.island > 1)(value)
    else:
        surely = 1.0 if metric.parts.measure is ap else 0.5
        sure, left = PrecisionSearch(turns, surely)(value)
    if left.size:
        shifts = (turns.size - left)[:, np.newaxis] if by is None else by[left - 1]
        turns.drop()
        left = left[values(shifts) >= value - TIE]
    found = np.concatenate([sure, left])
    return turns.size - found if by is None else found - 1
