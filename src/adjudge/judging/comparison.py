"""Comparison: two detectors on the same labels, and whether luck can tell them apart.

Time is cut into pieces, each event one and each normal stretch between events one, so that both
detectors face the same piece with the same difficulty: an event that is easy for one is
mostly easy for the other. Drawing and swapping whole pieces keeps that pairing.

The result of a comparison of two detectors, in numbers, words and tables.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import DRAWS, front_door, is_whole, whole
from adjudge.data.case import Case, GivenColumns, sorted_by_time, time_of, time_order
from adjudge.data.clock import NANOSECONDS, in_words
from adjudge.data.columns import check_indexes
from adjudge.data.incidents import Incidents
from adjudge.data.time_settings import even_step
from adjudge.errors import InputError, exact, shown, visible
from adjudge.measure.thresholds import extreme_text, flag_count
from adjudge.metrics.metric import reordered, with_rule_reordered
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.chance_line import LineOptions
from adjudge.noise.comparing.paired_areas import area_pair
from adjudge.noise.comparing.paired_events import (
    Needed,
    PairedSums,
    Side,
    Swaps,
    detector_side,
    events_needed,
)
from adjudge.noise.intervals.of_areas import further_out
from adjudge.noise.intervals.over_events import UNDEFINED, Interval, percentiles
from adjudge.noise.null_models import read_null, words_of
from adjudge.noise.p_values import TIE
from adjudge.noise.shifting.offsets import generator
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.tables.formats import frame_of, html_of
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from adjudge._typing import Column, Floats
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null

LEVEL = 0.95
"""Of the interval; the p-value that separates two detectors is what is missing to 1."""


@dataclass(frozen=True, eq=False)
class Comparison(EqualFields):
    """What `compare` found; ``print`` says it in words.

    Attributes
    ----------
    metric : str
        The metric, with every setting resolved.
    a, b, difference : float
        The values of both detectors, and ``a - b``.
    low, high, p_value : float
        The 95 % interval of the difference, and how often luck alone makes one as large.
    events, events_needed : int
        How many events there are, and how many it takes to see such a difference (None: no number).

    Examples
    --------
    >>> import adjudge as aj
    >>> found = aj.compare([0, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1], [0, 1, 0, 0, 1, 0], "f1")
    >>> found.a, found.b, found.ahead, found.separated
    (1.0, 0.4, 'a', False)
    """

    metric: str
    """The metric, with every setting resolved."""
    a: float
    """The value of the first detector."""
    b: float
    """The value of the second."""
    difference: float
    """``a - b``."""
    low: float
    """Lower end of the 95 % interval of the difference."""
    high: float
    """Upper end; the interval excludes 0 exactly when the p-value is at most 0.05."""
    p_value: float
    """How often luck, swapping a and b piece by piece, makes a difference as large as this."""
    events: int
    """How many events there are."""
    events_needed: int | None
    """How many such events it takes to see such a difference at the 5 % level four times out of
    five; None: no number would do, because there is no difference or no event."""
    at: tuple[float | None, float | None] = (None, None)
    """The thresholds of a and b; None where the scores were flags."""
    better: Literal["higher", "lower"] = "higher"
    """Whether the higher or the lower value is the better one."""
    needed_range: tuple[int, int | None] | None = None
    """From how few to how many events it may take, since the difference itself is uncertain;
    None at the end: the true difference may be nothing, and then no number would do."""
    exact: bool = False
    """Whether all swaps were made, so that chance plays no part in the p-value."""
    names: tuple[str, str] = ("a", "b")
    """What the two detectors are called."""
    seconds_per_point: float = math.nan
    """How many seconds a point is, where the values are delays or distances in points."""

    notes: tuple[str, ...] = ()
    """Which of the two flags nothing or everything, and where its scores lie."""
    null: str = ""
    """The null model, by name, if one was asked for."""
    chance: tuple[float, float] = (math.nan, math.nan)
    """What it scores in the place of a and of b; the p-value does not depend on it."""

    @property
    def ahead(self) -> Literal["a", "b"] | None:
        """Which of the two is better; None when neither is."""
        if math.isnan(self.difference) or abs(self.difference) <= TIE:
            return None
        return "a" if (self.difference > 0) == (self.better == "higher") else "b"

    @property
    def separated(self) -> bool:
        """Whether luck makes such a difference in at most one case of twenty."""
        return self.p_value <= 1 - LEVEL + TIE

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, the sentences among them."""
        return {**asdict(self), "ahead": self.ahead, "said": _lines(self)[1:]}

    def to_frame(self, backend: str = "pandas") -> Any:
        """A row per detector as a data frame, with what holds for both beside."""
        return frame_of(self.columns(), backend)

    def columns(self) -> dict[str, list[Any]]:
        """A row per detector, as columns by name."""
        both = ("difference", "low", "high", "p_value", "events", "events_needed")
        return {
            "detector": list(self.names),
            "metric": [self.metric] * 2,
            "value": [self.a, self.b],
            "at": [math.nan if at is None else at for at in self.at],
            **{name: [math.nan if (x := vars(self)[name]) is None else x] * 2 for name in both},
            **({"chance": list(self.chance)} if self.null else {}),
        }

    def layout(self) -> Layout:
        """Lay both detectors out as a table, with what it amounts to below."""
        at = tuple("" if level is None else exact(level) for level in self.at)
        columns = (
            TableColumn("detector", self.names, is_text=True),
            TableColumn("value", tuple(_shown(self, value) for value in (self.a, self.b))),
            *([TableColumn("chance", _shown_chance(self))] if self.null else []),
            *([TableColumn("flagged above", at)] if any(at) else []),
        )
        return Layout((Table(columns, self.metric),), (), tuple(_lines(self)[1:]))

    def __str__(self) -> str:
        """Say it in plain words."""
        return "\n".join(_lines(self))

    def _repr_html_(self) -> str:
        """Show the same in a notebook."""
        return html_of(self.layout())


def _lines(found: Comparison) -> list[str]:
    chance = [_chance_line(found)] if found.null else []
    return [*_difference_lines(found), *chance, *map(visible, found.notes)]


def _chance_line(found: Comparison) -> str:
    """Say how far chance alone puts the two apart, beside the difference that they have."""
    (a, b), (by_a, by_b) = map(visible, found.names), _shown_chance(found)
    words = f"by chance ({words_of(found.null)}): {a} {by_a}, {b} {by_b}"
    apart = found.chance[0] - found.chance[1]
    if math.isnan(apart) or abs(apart) <= TIE:
        return words
    ahead = a if (apart > 0) == (found.better == "higher") else b
    return f"{words}, which puts {ahead} ahead by {_shown(found, abs(apart))}"


def _shown_chance(found: Comparison) -> tuple[str, ...]:
    return tuple(_shown(found, level) for level in found.chance)


def _difference_lines(found: Comparison) -> list[str]:
    a, b = map(visible, found.names)
    lines = [f"{found.metric}: {a} {_shown(found, found.a)}, {b} {_shown(found, found.b)}"]
    if math.isnan(found.difference):
        return [*lines, "neither is ahead: the difference is undefined"]
    if found.ahead is None:
        return [*lines, "neither is ahead"]
    ends = (found.low, found.high) if found.difference > 0 else (-found.high, -found.low)
    by, low, high = (_shown(found, value) for value in (abs(found.difference), *ends))
    ahead = a if found.ahead == "a" else b
    lines.append(f"{ahead} is ahead by {by}, 95 % interval {low} to {high}")
    return [*lines, _verdict(found)]


def _shown(found: Comparison, value: float) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isnan(found.seconds_per_point):
        return f"{value:z.4f}"  # z: no minus before a zero
    return in_words(value * found.seconds_per_point * NANOSECONDS["s"])


def _verdict(found: Comparison) -> str:
    count = f"{found.events} event{'s' * (found.events != 1)}"
    chance = f"p = {found.p_value:.2g} over {count}"
    words = f"luck {'hardly explains' if found.separated else 'may explain'} that: {chance}"
    if found.events_needed is None or found.separated:
        return words
    return f"{words}; it would take about {Needed(found.events_needed, found.needed_range)}"


@front_door("compare")
def compare(
    labels: Column,
    a: Column,
    b: Column,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    series: Column = None,
    where: Column = None,
    time: Column = None,
    missing: str = "refuse",
    sort: bool = False,
    draws: int = 1000,
    seed: int | np.random.Generator = 0,
    names: tuple[str, str] = ("a", "b"),
    null: str | Null | None = None,
    span: Any = None,
    watched: Any = None,
    outages: Any = None,
    early: Any = None,
) -> Comparison:
    r"""Compare two detectors on the same labels.

    Parameters
    ----------
    labels : column or Events
        The truth.
    a, b : column or Events
        What the two detectors say: scores or flags.
    metric : spec or Metric
        A metric at a threshold; ``best(...)``: each detector then has its own best threshold,
        and what follows is conditional on it; or an area, which looks at all thresholds.
    at : number, rule, or pair of them
        One threshold for both, or a tuple ``(at_a, at_b)``.
    series, where, time, missing
        See `adjudge.Case`. With ``missing="skip"`` only points that both have scored are judged.
    sort : bool
        Sort the points by time first.
    draws : int
        How many draws, for the interval and, where there are too many swaps to make them all, for
        the p-value.
    seed : int or Generator
        The same seed gives the same result.
    names : pair of str
        What the two detectors are called in the result's sentences.
    null : name or null model, optional
        Also say what this null model (see `adjudge.evaluate`) scores in the place of each: a
        metric may favour the one that alarms more often. The p-value stays that of the swaps.
    span, watched, outages, early
        Of `adjudge.Incidents` and `adjudge.Alerts`, as in `adjudge.evaluate`; ``series=False``
        takes all services as one.

    Returns
    -------
    Comparison
        Both values, their difference with a 95 % interval, the p-value, and how many events
        it would take. ``print`` says it in words.

    Raises
    ------
    InputError
        When the columns do not fit together, or the metric is a median or a maximum over rows,
        which cannot be drawn again.

    Notes
    -----
    The units are pieces of time: each event with all that was flagged on its account, and each
    normal stretch between events, with the false runs that start in it. The p-value is that of a
    paired swap: every unit's masses of a and b change sides with probability 1/2, and

    .. math:: p = \frac{\#\{k : |d_k| \ge |d|\}}{K}

    over all swaps of the units that differ, while these are at most twelve, else over draws and the
    pair as it is; swaps on which the difference is undefined are left out. The interval draws the
    units' weights, with an event imagined that is split over found by both, by one, by the other
    and by none (see `adjudge.noise.intervals.over_events`). Areas swap and draw the points that
    each piece has above common thresholds, on the scale of ranks, since scores have none in common;
    metrics such as ``vus_roc`` are read anew on 199 swaps and 100 draws. Where interval and
    swaps would disagree about 0 the more cautious one is believed: the interval then reaches 0, or
    the p-value is that of the interval.

    Examples
    --------
    >>> labels, a, b = np.zeros((3, 400), int)
    >>> labels[10::20] = a[10::20] = 1
    >>> b[10:190:20] = 1
    >>> result = compare(labels, a, b, "event_f1")
    >>> print(f"{result.a:.2f} {result.b:.2f} {result.p_value:.4f} {result.exact}")
    1.00 0.62 0.0010 True
    """
    read = read_metric(metric)
    whole_curve = read.row.needs == "scores"
    if not whole_curve and not read.resamples:
        raise InputError(f"{read} is no sum over events and alarms, so compare cannot redraw them")
    draws, rng = whole(draws, "draws", 1, DRAWS), generator(seed)
    model = None if null is None else read_null(null)
    if isinstance(labels, Incidents):
        watching = {"span": span, "watched": watched, "outages": outages, "early": early}
        drawn = seed if is_whole(seed) else int(rng.integers(2**32))
        line = None if model is None else LineOptions(model, None, drawn)
        watching |= {"series": series}
        return _things(labels, (a, b), read, watching, _Draws(draws, rng, names, line))
    at_a, at_b = _thresholds(at)
    check_indexes(labels=labels, a=a, b=b, series=series, where=where, time=time)
    time = time_of(time, a, labels, series)
    if sort:
        columns = sorted_by_time(GivenColumns(labels, [a, b], series, where, time))
        order = time_order(time, series)
        at_a, at_b = reordered(at_a, order), reordered(at_b, order)
        read = with_rule_reordered(read, order)
        labels, (a, b), series, where, time = columns
    how = {"series": series, "where": where, "time": time}
    cases = first, _ = _cases(labels, a, b, missing, how)
    timed = read.on(first.events)
    if whole_curve:
        found = _areas(timed, cases, draws, rng)
    else:
        found = _at_thresholds((timed.placed(at_a), timed.placed(at_b)), cases, draws, rng)
    spec, step = read.resolved_spec(first.events), _step(read, first.events)
    notes = () if whole_curve else _notes(cases, found.at, names)
    found = replace(found, metric=spec, seconds_per_point=step, names=names, notes=notes)
    if model is None:
        return found
    asked = timed.placed(at_a), timed.placed(at_b)
    drawn = seed if is_whole(seed) else int(rng.integers(2**32))
    return replace(found, null=model.name, chance=_chance(model, asked, cases, drawn))


def _chance(
    model: Null, metrics: tuple[Metric, Metric], cases: tuple[Case, Case], seed: int
) -> tuple[float, float]:
    """What a null model scores in the place of each detector."""
    a, b = (
        model.level(metric, shifting, model.values(metric, shifting, None, seed))
        for metric, shifting in zip(metrics, map(CaseShifts, cases), strict=True)
    )
    return a, b


def _notes(
    cases: tuple[Case, Case], at: tuple[float | None, float | None], names: tuple[str, str]
) -> tuple[str, ...]:
    """Say which of the two flags nothing, or everything."""
    sides = zip(names, cases, at, strict=True)
    told = [(name, extreme_text(level, flag_count(case, level), *case.score_range))
            for name, case, level in sides]  # fmt: skip
    return tuple(f"{name}: {said}" for name, said in told if said)


def _at_thresholds(
    metrics: tuple[Metric, Metric],
    cases: tuple[Case, Case],
    draws: int,
    rng: np.random.Generator,
) -> Comparison:
    """Compare the sums over rows, each detector at its own threshold."""
    sides = detector_side(metrics[0], cases[0]), detector_side(metrics[1], cases[1])
    pair, count = PairedSums(metrics[0].parts.measure, sides), len(cases[0].events)
    a, b = pair.values.tolist()
    swaps = pair.swapped(draws, rng)
    drawn = pair.drawn(draws, rng) if count else np.zeros(0)
    needed = events_needed(a - b, swaps.values, drawn, count, rng, pair)
    ends, p = _agreed(a - b, _two_sided(a - b, swaps), drawn)
    at = sides[0].at, sides[1].at
    if not any(map(flag_count, cases, at)):
        ends = UNDEFINED
    found = _found(metrics[0], cases[0].events, (a, b), ends, p)
    return _with_needed(replace(found, at=at, exact=swaps.exact), needed)


def _things(
    incidents: Incidents,
    alerts: tuple[Column, Column],
    metric: Metric,
    watching: dict[str, Any],
    how: _Draws,
) -> Comparison:
    """Compare two lists of alerts, incident by incident and quiet stretch by quiet stretch."""
    from adjudge.judging.on_call import (  # noqa: PLC0415 - for incidents alone
        Watching,
        beside_things,
        cases_of,
        on_instants,
    )

    draws, rng, names, line = how
    cases = cases_of(incidents, list(zip(names, alerts, strict=True)), Watching(**watching))
    forms = [form for case in cases if (form := on_instants(metric, case)) is not None]
    if not forms:
        raise InputError(
            f"{metric} judges points, and incidents and alerts have none: compare by event_f1, "
            "f1_ba or another metric of things"
        )
    sides = [
        Side(form.pieces.rows, form.pieces.by_stretch, form.pieces.imagined(form.cost), None)
        for form in forms
    ]
    pair, count = PairedSums(forms[0].measure, (sides[0], sides[1])), len(sides[0].rows.events)
    a, b = (form.value for form in forms)
    swaps = pair.swapped(draws, rng)
    drawn = pair.drawn(draws, rng)
    needed = events_needed(a - b, swaps.values, drawn, count, rng, pair)
    ends, p = _agreed(a - b, _two_sided(a - b, swaps), drawn)
    found = Comparison(
        metric=forms[0].metric.spec(metric.row.always_shown), a=a, b=b, difference=a - b,
        low=ends.low, high=ends.high, p_value=p, events=count, events_needed=None,
        better=metric.row.better, exact=swaps.exact, names=names,
        seconds_per_point=1.0 if forms[0].unit == "seconds" else math.nan,
        notes=tuple(f"{case.name}: {case.sentence}" for case in cases),
    )  # fmt: skip
    if line is not None:
        levels = [beside_things(*one, line).chance for one in zip(forms, cases, strict=True)]
        found = replace(found, null=line.null.name, chance=(levels[0], levels[1]))
    return _with_needed(found, needed)


class _Draws(NamedTuple):
    """How two lists of alerts are held against luck."""

    draws: int
    rng: np.random.Generator
    names: tuple[str, str]
    line: LineOptions | None


def _areas(
    metric: Metric, cases: tuple[Case, Case], draws: int, rng: np.random.Generator
) -> Comparison:
    """Compare values over all thresholds: pieces are swapped and drawn again on a common scale."""
    events = cases[0].events
    a, b = (metric.reading(case).value for case in cases)
    if math.isnan(a - b):
        return _found(metric, events, (a, b), UNDEFINED, math.nan)
    pair = area_pair(metric, cases)
    swaps = pair.swapped(draws, rng)
    drawn, count = np.zeros(0), len(events)
    if count > 1:  # weights from Gamma(1) show (N - 1) / (N + 1) of the variance
        further = further_out(LEVEL, count, (count - 1) / (count + 1))
        drawn = a - b + further * (pair.drawn(draws, rng) - pair.own)
    needed = events_needed(a - b, swaps.values, drawn, len(events), rng)
    ends, p = _agreed(a - b, _two_sided(pair.own, swaps), drawn)
    found = _found(metric, events, (a, b), ends, p)
    return _with_needed(replace(found, exact=swaps.exact), needed)


def _found(
    metric: Metric, events: Events, values: tuple[float, float], ends: Interval, p: float
) -> Comparison:
    a, b = values
    return Comparison(
        metric=metric.resolved_spec(events),
        a=a,
        b=b,
        difference=a - b,
        low=ends.low,
        high=ends.high,
        p_value=p,
        events=len(events),
        events_needed=None,
        better=metric.row.better,
    )


def _step(metric: Metric, events: Events) -> float:
    """How many seconds a point is, for delays and distances on an even clock."""
    counting, step = metric.parts.counting, even_step(events)
    if counting is None or counting.in_seconds() is None or step is None:
        return math.nan
    return step / NANOSECONDS["s"]


def _with_needed(found: Comparison, needed: Needed) -> Comparison:
    return replace(found, events_needed=needed.events, needed_range=needed.span)


def _thresholds(at: Any) -> tuple[Any, Any]:
    if not isinstance(at, tuple):
        return at, at
    if len(at) != 2:
        raise InputError(f"at must be one threshold or a pair (at_a, at_b), got {shown(at)}")
    return at


def _cases(
    labels: Column, a: Column, b: Column, missing: str, how: dict[str, Column]
) -> tuple[Case, Case]:
    """Check both detectors on the points that are judged of both."""
    first = _case(labels, a, "a", missing=missing, **how)
    second = _case(first.events, b, "b", missing=missing)
    same = second.events is first.events
    return first if same else _case(second.events, a, "a"), second


def _case(labels: Column, scores: Column, name: str, **columns: Column) -> Case:
    """Check the scores of one detector, and call them by its name if they are refused."""
    try:
        return Case(labels, scores, name=name, **columns)
    except InputError as error:
        raise InputError(str(error).replace("scores", name, 1)) from None


def _two_sided(difference: float, swaps: Swaps) -> float:
    if math.isnan(difference):
        return math.nan
    luck = swaps.values[~np.isnan(swaps.values)]
    own = 0 if swaps.exact else 1  # all swaps hold the pair as it is
    reached = own + int(np.count_nonzero(np.abs(luck) >= abs(difference) - TIE))
    return reached / (own + luck.size)


def _agreed(difference: float, p: float, drawn: Floats) -> tuple[Interval, float]:
    """Let interval and p-value say the same about 0: what the more cautious of them says."""
    drawn = drawn[~np.isnan(drawn)]
    if math.isnan(difference) or not drawn.size:
        return UNDEFINED, p
    low, high = percentiles(drawn, LEVEL)
    low, high = min(low, difference), max(high, difference)
    beyond = min(np.mean(drawn <= 0), np.mean(drawn >= 0))
    p = max(p, min(2 * float(beyond), 1.0))
    if p > 1 - LEVEL + TIE:
        return Interval(min(low, 0.0), max(high, 0.0)), p
    nearest = np.nextafter(0, difference)
    return Interval(max(low, nearest), high) if difference > 0 else Interval(
        low, min(high, nearest)
    ), p
