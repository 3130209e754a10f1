"""A metric on a page: its values at every level, the best one, chance, and what it counts where.

Python's own values, through the one path: a curve, or a reading at each level.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.count.points import PointCount
from adjudge.data.intervals import reduceat
from adjudge.measure.curves import best_value
from adjudge.measure.rates import FBeta
from adjudge.measure.thresholds.policy import Policy
from adjudge.metrics.reader import catalogue
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import Call, metric_name, parse
from adjudge.noise.null_models import ShiftedNull
from adjudge.noise.p_values import CLEAR, NullValues
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.reporting.page.assembly import packed_counts, packed_shares, packed_values
from adjudge.tables.look import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge._typing import Floats, Positions
    from adjudge.data.case import Case
    from adjudge.judging.result_columns import Finding
    from adjudge.measure.curves import Curve
    from adjudge.metrics.metric import Metric
    from adjudge.reporting.page.levels import PageLevels

_WORK, _PLACES = 10_000_000, 1_500  # of chance: points times levels, and levels of all detectors
_ALL, _SOME = 10_000, 199  # points of all detectors up to which all shifts are made, or so many
_TIE = 1e-12
HARDLY = 0.1
"""The share of the way from chance to perfect below which a value is hardly above chance."""


class ShownMetric(NamedTuple):
    """A metric that a page shows at every threshold."""

    metric: Metric
    """Without a threshold, its settings resolved."""
    row: Finding | None
    """What was said of it; None: it stands beside the main one, and nobody asked for it."""
    curve: Curve | None
    """None: it must be counted anew at each threshold."""

    @property
    def is_plain(self) -> bool:
        """Whether it is one of the four scores that have short names."""
        measure = self.metric.parts.measure
        return self.metric.name in SCORES and measure == FBeta()

    @property
    def title(self) -> str:
        """What it is called: "BA", or as it was asked for, without its threshold."""
        if self.is_plain:
            return SCORES[self.metric.name]
        return str(self.metric) if self.row is None else _without_threshold(self.row.requested)

    def spec(self, case: Case) -> str:
        """The metric without its threshold, as results print it."""
        asked = None if self.row is None else self.row.resolved_metric
        if self.row is not None and asked is not None and asked.at is None and not asked.oracle:
            return self.row.metric
        return self.metric.resolved_spec(case.events)


def shown_metrics(case: Case, rows: Sequence[Finding]) -> list[ShownMetric]:
    """The metrics that were asked for and have a value at each threshold; the main one first.

    Without any it is balanced F1. Beside an F1 after balanced adjustment stand the same F1 of
    points and after point adjustment, which say what the adjustment does.
    """
    found: dict[str, ShownMetric] = {}
    for row in sorted(rows, key=lambda row: metric_name(row.metric) != "f1_ba"):
        asked = row.resolved_metric or read_metric(row.metric)
        if _has_curve(asked):
            plain = _plain(asked)
            found.setdefault(str(plain), ShownMetric(plain, row, _curve(plain, case)))
    balanced = catalogue["f1_ba"].metric.resolved(case.events)
    if not found:
        found[str(balanced)] = ShownMetric(balanced, None, _curve(balanced, case))
    main = next(iter(found.values()))
    if main.metric.name == balanced.name:
        for beside in _less_adjusted(main.metric):
            found.setdefault(str(beside), ShownMetric(beside, None, _curve(beside, case)))
    return list(found.values())


def _less_adjusted(balanced: Metric) -> list[Metric]:
    settings = {key: value for key, value in balanced.settings if key == "beta"}
    return [catalogue[name].metric.with_settings(**settings) for name in ("f1", "f1_pa")]


def _has_curve(metric: Metric) -> bool:
    """Whether it has a value at each threshold, of the scores as they are and of all channels."""
    as_one = metric.across in {"", "any_channel"} and not metric.row.channels
    return metric.row.needs == "flags" and as_one and not isinstance(metric.at, Policy)


def _without_threshold(spec: str) -> str:
    """The metric of a spec, whoever chooses its threshold.

    >>> _without_threshold("best(f1_ba(beta=3))"), _without_threshold("f1(at=0.2)")
    ('f1_ba(beta=3)', 'f1')
    """
    call = parse(spec)
    while call.values and isinstance(call.values[0], Call):
        call = call.values[0]
    kept = {name: value for name, value in call.settings.items() if name != "at"}
    return str(Call(call.name, call.values, kept))


def _plain(metric: Metric) -> Metric:
    one = replace(metric.per_channel, oracle=False, thresholds=None)
    return one if one.at is None else one.with_settings(at=None)


def _curve(metric: Metric, case: Case) -> Curve | None:
    return metric.curve(case) if metric.sweeps else None


def family(shown: Sequence[ShownMetric]) -> list[int] | None:
    """The places of F1, PA and the main metric, if that is an F1 after balanced adjustment."""
    main, every = shown[0].metric, [str(one.metric) for one in shown]
    if main.name != "f1_ba":
        return None
    return [*(every.index(str(one)) for one in _less_adjusted(main)), 0]


def best_thresholds(shown: Iterable[ShownMetric]) -> list[float]:
    """The threshold at which each metric is best, where all of its thresholds are known."""
    return [one.curve.best().threshold for one in shown if one.curve is not None]


class MetricValues(NamedTuple):
    """What one metric is worth at each level of a detector."""

    value: Floats
    precision: Floats | None
    recall: Floats | None
    best: int


def values_of(shown: ShownMetric, case: Case, levels: PageLevels) -> MetricValues:
    """Look values up on the curve; without one, judge each level by itself."""
    metric, curve = shown.metric, shown.curve
    lower = metric.row.better == "lower"
    if curve is None:
        found, to_find = metric.at_levels(case, levels.at)
        value = np.array(found)
        top = best_value(levels.at, value, lower=lower, to_find=to_find)
        return MetricValues(value, None, None, levels.place(top.threshold))
    place = levels.of_curve(curve)
    best = levels.place(curve.best().threshold)
    if lower:
        return MetricValues(curve.values[place], None, None, best)
    return MetricValues(curve.values[place], curve.precision[place], curve.recall[place], best)


def titles(shown: Sequence[ShownMetric]) -> list[str]:
    """What each metric is called; those that would be called the same, by all their settings."""
    names = [one.title for one in shown]
    return [
        name if names.count(name) == 1 else str(one.metric)
        for name, one in zip(names, shown, strict=True)
    ]


def packed(
    shown: ShownMetric, case: Case, levels: PageLevels, given: int
) -> tuple[dict[str, Any], Floats]:
    """The payload of a metric, without chance and receipts; and its values."""
    metric, row = shown.metric, shown.row
    found = values_of(shown, case, levels)
    value = found.value.copy()
    if row is not None and row.at is not None and levels.of_threshold(case, row.at) == given:
        value[given] = row.value  # also what was said to stand for 0/0
    low, high = metric.row.range
    return {
        "name": metric.name if shown.is_plain else "other",
        "spec": shown.spec(case),
        "asked": row is not None,
        "lower": metric.row.better == "lower",
        "least": low if math.isfinite(low) else None,
        "most": high if math.isfinite(high) else None,
        "value": packed_values(value),
        "precision": None if found.precision is None else packed_values(found.precision),
        "recall": None if found.recall is None else packed_values(found.recall),
        "best": found.best,
        "exact": [[k, value[k]] for k in sorted({given, found.best})],
    }, value


class _ChanceAt(NamedTuple):
    """What chance scores at one level."""

    level: float
    low: float = math.nan
    high: float = math.nan
    again: int = 0
    """How many other places do as well."""
    others: int = 0
    """How many other places there are, or were tried."""

    def tone(self, value: float, top: float) -> int:
        """0: not above what chance scores; 1: hardly, less than a tenth of the way to perfect; 2.

        >>> [_ChanceAt(0.5, again=2, others=99).tone(value, 1) for value in (0.53, 0.9)]
        [1, 2]
        """
        above = self.others > 0 and self.again + 1 <= CLEAR * (self.others + 1)
        return (1 if value - self.level < HARDLY * (top - self.level) else 2) if above else 0


def chance_levels(
    case: Case, detectors: int, levels: PageLevels, needed: Iterable[int]
) -> list[int]:
    """The levels at which a page knows chance: evenly by their number, and those needed."""
    work = (case.events.n + 40 * len(case.events)) * detectors
    many = max(4, min(levels.at.size, _WORK // work, _PLACES // detectors))
    even = np.linspace(0, levels.at.size - 1, many).astype(np.int64).tolist()
    return sorted({*even, *needed})


def is_tested(row: Finding | None) -> bool:
    """Whether a metric was compared with chance by shifting alarms, as a page can do again."""
    return row is not None and row.null == ShiftedNull.name and not math.isnan(row.chance)


class PageChance:
    """Chance at the levels of one detector; shifts that were chosen are shared."""

    def __init__(self, case: Case, shared: dict[tuple[Any, ...], Any], detectors: int) -> None:
        self._case, self._shared = case, shared
        n = case.events.n
        self._shifts = n if n * detectors <= _ALL else _SOME

    def places(self, metric: Metric, value: float) -> tuple[float, NullValues, CaseShifts]:
        """The value at home, those at other places, and what turns."""
        turning = CaseShifts(self._case, shared=self._shared)
        home, values = turning.places(metric, value, self._shifts)
        return home, NullValues(values, values.size + 1 == self._case.events.n), turning

    def packed(
        self,
        shown: ShownMetric,
        levels: PageLevels,
        values: Floats,
        given: int,
        which: Sequence[int],
        *,
        band: bool,
    ) -> dict[str, Any]:
        """Chance of a metric at some of the levels; at the given one as its row says.

        ``band``: also what other places score, of which the page shows the middle nine tenths.
        """
        at, known = levels.at[list(which)].tolist(), values[list(which)].tolist()
        of = self._row if band else self._mean
        pairs = zip(at, known, strict=True)
        rows = [of(shown.metric.with_default_threshold(level), value) for level, value in pairs]
        row = shown.row
        if row is not None and row.chosen_by != "oracle" and not math.isnan(row.p_value):
            others = row.shifts - row.exact
            said = row.chance, round(row.p_value * (others + 1)) - 1, others
            rows[which.index(given)] = rows[which.index(given)]._replace(
                level=said[0], again=said[1], others=said[2]
            )
        columns = {
            name: np.array([getattr(one, name) for one in rows]) for name in _ChanceAt._fields
        }
        top = shown.metric.row.range[1]
        tones = np.array([one.tone(value, top) for one, value in zip(rows, known, strict=True)])
        shares = {name: packed_values(columns[name]) for name in ("level", "low", "high")}
        counts = {name: packed_counts(columns[name]) for name in ("again", "others")}
        return {
            "at": packed_counts(np.array(which)), **shares, **counts, "tone": packed_counts(tones),
        }  # fmt: skip

    def _mean(self, metric: Metric, value: float) -> _ChanceAt:
        level = CaseShifts(self._case, shared=self._shared).expected(metric)
        return self._row(metric, value) if math.isnan(level) else _ChanceAt(level)

    def _row(self, metric: Metric, value: float) -> _ChanceAt:
        home, null, turning = self.places(metric, value)
        level, low, high = turning.level(metric, null), math.nan, math.nan
        values = np.append(null.values, home)
        values = values[np.isfinite(values)]
        if values.size:  # islands are cut at the ends of a series, on a circle they are not
            cut = value - home
            low, high = np.quantile(values, [0.05, 0.95], method="inverted_cdf") + cut
        sign = -1 if metric.row.better == "lower" else 1
        again = int(np.count_nonzero(sign * null.values >= sign * home - _TIE))
        return _ChanceAt(level, low, high, again, null.values.size)


def lanes(
    shown: ShownMetric, case: Case, levels: PageLevels, starts: Positions
) -> dict[str, Any] | None:
    """From which level on down each column of points is credited, and charged.

    None: the metric does not count points, or mixes several ways to mark them.
    """
    metric = shown.metric
    layers = metric.parts.adjust.layers(case.events)
    if not isinstance(metric.parts.counting, PointCount) or len(layers) > 1:
        return None
    ((_, adjust),) = layers
    adjusted, events = adjust(case.scores, case.events), case.events
    return {
        "credited": column_codes(adjusted, events.labels, levels, starts),
        "charged": column_codes(adjusted, events.normal, levels, starts),
    }


def column_codes(values: Any, chosen: Any, levels: PageLevels, starts: Positions) -> dict[str, Any]:
    """From which level on down one of the chosen points of each column is flagged."""
    highest = reduceat(np.maximum, np.where(chosen, values, -np.inf), starts)
    codes = np.where(np.isneginf(highest), levels.at.size, levels.codes(highest))
    return packed_counts(codes)


def machine(
    chance: PageChance,
    shown: Sequence[ShownMetric],
    levels: PageLevels,
    values: Sequence[Floats],
    given: int,
) -> dict[str, Any]:
    """What the alarms score at every other place, by some metrics: at the threshold as given."""
    exact, found = False, []
    for one, own in zip(shown, values, strict=True):
        home, null, _ = chance.places(
            one.metric.with_default_threshold(float(levels.at[given])), float(own[given])
        )
        exact = null.exact
        found.append({"home": home, "values": packed_shares(null.values)})
    return {"exact": exact, "metrics": found}
