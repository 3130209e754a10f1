"""Turn alerts along watched time: what chance would score, without a grid.

The watched time of a service is joined to a circle, along which its alerts turn together. Between
two turns at which the end of an alert meets that of an incident nothing is found or lost, and
lengths change at an even rate. So the mean over all turns, and the share of turns that do as well,
are known exactly from two turns in each such part. Services of one clock turn by one offset, which
the ends of the arcs of all of them part; a line that was watched for less time turns by as much
less. Services with clocks of their own turn apart: their mean sums add, and the share is of drawn
turns. The value that is tested is that of alerts turned by nothing, so home
and elsewhere pass through one function (`adjudge.count.alert_case`).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from adjudge.count.ledger import NORMAL
from adjudge.data.intervals import repeat
from adjudge.measure.rates import mean_found
from adjudge.measure.whole.event_ap import AlertAp, IntervalAp
from adjudge.metrics.on_alerts import best_at_all_levels, knows_every_level, raised, value_of
from adjudge.noise.p_values import TIE, NullTest, NullValues
from adjudge.noise.shifting.offsets import CommonOffsets, generator
from adjudge.noise.shifting.turning import Shared, Turning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.count.alert_case import AlertCase
    from adjudge.count.contract import Counting
    from adjudge.count.time_count import TimeCount, TurnedCount
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask

PARTS = 60_000
"""Up to so many parts between the ends of arcs are looked at one by one; else turns are drawn."""
NEARBY_BLOCKS = 10
MANY = 1000
"""From so many incidents and alerts on fewer turns are drawn."""
AT_ONCE = 2_000_000
"""So many alerts and incidents are turned at once."""
_READINGS = 100  # without units of evidence, which are taken together where there are more


class AlertTurns(Turning):
    """The turns of one detector's alerts: what several metrics share is made once.

    Parameters
    ----------
    case : AlertCase
        Alerts, and the incidents that they are judged by.
    blocks : int
        Into how many parts each line is cut that turn by themselves.
    """

    def __init__(self, case: AlertCase, blocks: int = 1) -> None:
        self.case, self._blocks = case, blocks
        self._drawn: dict[tuple[int, int], list[TurnedCount]] = {}
        self._known: dict[Any, Floats] = {}
        self._sweeps: dict[Any, list[Sweep] | None] = {}

    @cached_property
    def nearby(self) -> AlertTurns:
        """The same alerts, each tenth of a line turned by itself."""
        return AlertTurns(self.case, NEARBY_BLOCKS)

    @property
    def shared(self) -> Shared:
        """What services have in common that share a clock."""
        if not self.case.event_count or self.common.is_apart:
            return Shared()
        events = ((line.truth.ends - line.truth.starts) / line.length for line in self.case.lines)
        narrow = min(float(lengths.min()) for lengths in events if lengths.size)
        return Shared("all services together", "", min(1.0, 2 * narrow))

    def always_on(self, metric: Metric) -> float:
        """What one alert for each service scores that lasts as long as anybody watched."""
        always = self.case.always
        return math.nan if always is None else value_of(self._plain(metric), always.outcome)

    def _plain(self, metric: Metric) -> Metric:
        found = raised(metric, self.case).metric if metric.oracle else metric
        assert found is not None  # noqa: S101 - it has a value
        return found

    # --- turns ------------------------------------------------------------------------------------

    def values(self, metric: Metric, shifts: int | None, seed: int) -> NullValues:
        """What drawn turns score, and the level of all of them where that is known."""
        if not len(self.case.lines) or not len(self.case.outcome.table_row):
            return NullValues(np.zeros(0), exact=False)
        if self._is_read(metric):
            return NullValues(self._read(metric, shifts, seed), exact=False)
        drawn = self._sums(metric, shifts or self.usual, seed)
        means, sweeps = drawn.mean(axis=0), None if shifts else self.swept(metric)
        if sweeps is not None:
            means = np.sum([sweep.mean for sweep in sweeps], axis=0)
            means[NORMAL] = drawn[0, NORMAL]  # of the team, which is not the sum over services
        is_rate = metric.parts.measure is not mean_found
        level = float(metric.value(means)) if is_rate else math.nan
        return NullValues(metric.value(drawn), exact=False, level=level)

    def tested(
        self,
        metric: Metric,
        value: float,
        ask: Ask,
        null: NullValues | None = None,
    ) -> NullTest:
        """Hold alerts that are turned by nothing against those that are turned.

        The own place is one of all that can be told apart, so no p-value is 0.
        """
        null = self.values(metric, ask.shifts, ask.seed) if null is None else null
        if not null.values.size or math.isnan(value):
            return NullTest(math.nan)
        home = self.value(metric, self._still)
        better = metric.row.better
        sweeps = None if ask.shifts or self._is_read(metric) else self.swept(metric)
        if sweeps is None or len(sweeps) > 1:
            found = NullTest.of(home, null, better)
            return found._replace(low=found.p, high=found.p)
        (only,), sign = sweeps, -1 if better == "lower" else 1
        p = max(only.share(metric.value, home, sign), 1 / self.case.places_apart)
        below = only.share(metric.value, home, -sign)
        return NullTest(p, below, len(only.lengths), exact=True, low=p, high=p)

    @property
    def usual(self) -> int:
        """How many turns are drawn where nobody says it."""
        things = sum(len(line.alerts.starts) + line.incidents for line in self.case.lines)
        return 999 if things <= MANY else 199

    @cached_property
    def _still(self) -> TurnedCount:
        """The alerts turned by nothing: read as those elsewhere are."""
        return self.case.turned_counts(0 * self.case.together()[np.newaxis])

    @cached_property
    def _edges(self) -> Sequence[Positions]:
        """Where the parts of each line begin that turn by themselves."""
        lengths = self.case.lengths.tolist()
        return [np.linspace(0, n, self._blocks + 1).astype(np.int64) for n in lengths]

    @cached_property
    def common(self) -> CommonOffsets:
        """Which lines, or blocks of them, turn by one offset."""
        lengths = repeat(self.case.lengths, self._blocks)
        spans = 0 * lengths, np.full(lengths.size, lengths.max())
        return CommonOffsets(self.case.together(self._edges), lengths, spans)

    def _offsets(self, turns: int, seed: int) -> Positions:
        rng = generator(seed)
        each = self.common.places[:: self._blocks].tolist()
        drawn = [rng.integers(0, n, (turns, self._blocks)) for n in each]
        return self.common.each(np.concatenate(drawn, axis=1))

    def counts(self, offsets: Positions) -> Iterator[TurnedCount]:
        """The turns, as many at once as there is room for."""
        things = sum(len(line.alerts.starts) + line.incidents for line in self.case.lines)
        longest = int(self.case.lengths.max())
        each = max(1, min(AT_ONCE // (things + 1), 2**61 // longest))
        for first in range(0, len(offsets), each):
            yield self.case.turned_counts(offsets[first : first + each], self._edges)

    def _sums(self, metric: Metric, turns: int, seed: int) -> Floats:
        """The sums on drawn turns, which metrics share."""
        key = metric.parts[1:], turns, seed
        if key not in self._known:
            drawn = turns, seed
            if drawn not in self._drawn:
                self._drawn[drawn] = list(self.counts(self._offsets(*drawn)))
            self._known[key] = np.concatenate([metric.sums(one) for one in self._drawn[drawn]])
        return self._known[key]

    def swept(self, metric: Metric) -> list[Sweep] | None:
        """All turns by each offset; None: only some can be looked at."""
        if self._blocks > 1 or metric.parts.measure is mean_found:
            return None
        key = metric.parts[1:]
        if key not in self._sweeps:
            several = len(self.case.lines) > 1
            cases = map(self.case.alone, range(len(self.case.lines))) if several else [self.case]
            sweeps = [_sweep(metric, AlertTurns(one)) for one in cases]
            known = [one for one in sweeps if one is not None]
            if len(known) < len(sweeps):
                self._sweeps[key] = None
            else:
                self._sweeps[key] = known if self.common.is_apart else [self._joined(metric, known)]
        return self._sweeps[key]

    def _joined(self, metric: Metric, sweeps: Sequence[Sweep]) -> Sweep:
        """All turns by the common offset: of a team, normal time is not the sum over services."""
        found = Sweep.joined(sweeps)
        found.sums[..., NORMAL] = metric.sums(self._still)[0, NORMAL]
        return found

    def _is_read(self, metric: Metric) -> bool:
        """Whether the value is no measure of sums."""
        return metric.oracle or isinstance(metric.parts.measure, (AlertAp, IntervalAp))

    def value(self, metric: Metric, count: TimeCount) -> float:
        """The value of a count; that of ``best(...)`` at the threshold that is best there."""
        if not metric.oracle:
            return value_of(metric, count)
        return best_at_all_levels(self._plain(metric), count)[1]

    def _read(self, metric: Metric, shifts: int | None, seed: int) -> Floats:
        """Values that are read anew on each turn, the threshold chosen again."""
        if metric.oracle and not knows_every_level(metric):
            return np.zeros(0)
        offsets = self._offsets(shifts or (199 if self.usual > 199 else 99), seed)
        counts = (self.case.turned_counts(by[np.newaxis], self._edges) for by in offsets)
        return np.array([self.value(metric, one) for one in counts])


class Sweep(NamedTuple):
    """All turns by one offset, in parts within which sums change at an even rate."""

    lengths: Floats
    """The share of all turns that each part has."""
    sums: Floats
    """The sums at a quarter and at three quarters of each part."""

    @classmethod
    def joined(cls, sweeps: Sequence[Sweep]) -> Sweep:
        """Several lines that turn by one offset, each by the same share of its length.

        >>> one = Sweep(np.array([0.5, 0.5]), np.array([[[1.0], [3.0]], [[0.0], [0.0]]]))
        >>> other = Sweep(np.array([0.25, 0.75]), np.array([[[4.0], [4.0]], [[8.0], [8.0]]]))
        >>> both = Sweep.joined([one, other])
        >>> both.lengths, both.sums[..., 0]
        (array([0.25, 0.25, 0.5 ]), array([[ 4.5,  5.5],
               [10.5, 11.5],
               [ 8. ,  8. ]]))
        """
        ends = [np.cumsum(one.lengths) for one in sweeps]
        inner = np.unique(np.concatenate([end[:-1] for end in ends]))
        cuts = np.concatenate([[0.0], inner[(inner > 0) & (inner < 1)], [1.0]])
        size = np.diff(cuts)
        places = cuts[:-1, np.newaxis] + size[:, np.newaxis] * [0.25, 0.75]
        return cls(size, np.sum([one.at(places) for one in sweeps], axis=0))

    def at(self, places: Floats) -> Floats:
        """The sums at places, from 0 to 1: within a part they change evenly."""
        ends = np.cumsum(self.lengths)
        part = np.minimum(np.searchsorted(ends, places, side="right"), ends.size - 1)
        inside = (places - ends[part]) / self.lengths[part] + 1
        quarter, slope = self.sums[part, 0], self.sums[part, 1] - self.sums[part, 0]
        return np.asarray(quarter + slope * (2 * inside - 0.5)[..., np.newaxis])

    @property
    def mean(self) -> Floats:
        """The mean sums over all turns."""
        return np.asarray(self.lengths @ self.sums.mean(axis=1))

    def share(self, measure: Callable[[Floats], Any], value: float, sign: int) -> float:
        """The share of turns whose value is as good; that of a part by where it crosses the value.

        Within a part what is found does not change, so the inverse of a rate changes evenly.
        """
        if np.isnan(value):
            return np.nan
        slope = (self.sums[:, 1] - self.sums[:, 0]) / 2  # from a quarter to half of the way
        first, last = measure(self.sums[:, 0] - slope), measure(self.sums[:, 1] + slope)
        defined = ~np.isnan(first)
        share = _crossing(first[defined], last[defined], value, sign)
        total = float(self.lengths[defined].sum())
        return float(self.lengths[defined] @ share / total)


def _sweep(metric: Metric, turns: AlertTurns) -> Sweep | None:
    """Look at two turns in each part between the ends of arcs; None: there are too many."""
    case, counting = turns.case, cast("Counting", metric.parts.counting)
    (line,), (own,) = case.lines, case.turning
    widths = counting.meets(case, metric.parts.adjust)
    alerts = np.concatenate([own.placed.starts, own.placed.stops])
    fixed = np.concatenate([line.starts, line.ends, line.joints])
    apart = np.unique([[-width, width] for width in widths])
    if not widths or alerts.size * fixed.size * apart.size > PARTS:
        return None
    arcs = (fixed[:, None, None] - alerts[:, None] + apart) % line.length
    cuts = np.unique(np.append(arcs.ravel(), [0, line.length]))
    begin, size = cuts[:-1], np.diff(cuts)
    places = np.stack([begin + size // 4, begin + size - size // 4], axis=1).reshape(-1, 1)
    sums = np.concatenate([metric.sums(one) for one in turns.counts(places)])
    return Sweep(size / line.length, sums.reshape(-1, 2, 5))


def _crossing(first: Floats, last: Floats, value: float, sign: int) -> Floats:
    """Which share of each part has values as good, where the inverse of the value is even."""
    good = [sign * (end - value) >= -TIE for end in (first, last)]
    share = (good[0].astype(float) + good[1]) / 2
    cross = np.flatnonzero(good[0] != good[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two, level = 1 / first[cross], 1 / last[cross], 1 / np.float64(value)
        at = (level - one) / (two - one)
    at = np.where(np.isfinite(at), np.clip(at, 0, 1), 0.5)
    share[cross] = np.where(good[0][cross], at, 1 - at)
    return share
