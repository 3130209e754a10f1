"""Comparison: two detectors on the same labels, or each two of several, and what luck explains.

Both detectors face the same units of evidence (data sets, series, or events with their normal time)
with the same difficulty: an event that is easy for one is mostly easy for the other. What a unit
adds to the difference keeps that pairing.

The result of a comparison of two detectors, in numbers, words and tables.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from adjudge.checks import is_whole
from adjudge.data.clock import NANOSECONDS, in_words
from adjudge.data.time_settings import even_step
from adjudge.errors import InputError, exact, visible
from adjudge.judging.breakdowns import gap_words
from adjudge.judging.preparation import (
    found_on_part,
    read_threshold,
    without,
)
from adjudge.measure.thresholds import Rule, extreme_text, flag_count
from adjudge.metrics.metric import with_rule_reordered
from adjudge.noise.ask import Ask
from adjudge.noise.comparing.paired_units import (
    Needed,
    Own,
    area_difference,
    events_needed,
    rate_difference,
    read_difference,
    summed_difference,
)
from adjudge.noise.intervals.evidence import for_these, group_numbers, units_of
from adjudge.noise.intervals.of_areas import optimism
from adjudge.noise.intervals.of_rates import Side
from adjudge.noise.intervals.read_anew import affordable, flattery, is_summed
from adjudge.noise.null_models import words_of
from adjudge.noise.p_values import TIE
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from adjudge.data.case import Case
    from adjudge.data.channels import ChannelCase
    from adjudge.data.events import Events
    from adjudge.judging.inputs.on_call import OnCall
    from adjudge.judging.inputs.points import Points
    from adjudge.metrics.metric import Metric
    from adjudge.noise.comparing.paired_units import Difference
    from adjudge.noise.intervals.evidence import Units
    from adjudge.noise.null_models import Null

LEVEL = 0.95
"""Of the interval; the p-value that separates two detectors is what is missing to 1."""


@dataclass(frozen=True, eq=False)
class Comparison(EqualFields, TabledResult):
    """What `compare` found; ``print`` says it in words.

    Attributes
    ----------
    metric : str
        The metric, with every setting resolved.
    a, b, difference : float
        The values of both detectors, and ``a - b``.
    low, high, p_value : float
        The 95 % interval of the difference, and how often equally good detectors differ as much.
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
    """How often equally good detectors differ as much as this, on as many units of evidence."""
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
    exact: bool = True
    """Whether no draw plays a part in interval and p-value: of all but ``best(...)``, of which it
    is drawn how much it flatters."""
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
    evidence: str = ""
    """What interval and p-value rest on, or why there are none."""
    evidence_unit: str = ""
    """The unit of evidence: "dataset", "series" or "event"."""
    evidence_units: int = 0
    """How many units there are."""
    low_here: float = math.nan
    """Where the units are too few: the interval for these alone, by the events in them, low end."""
    high_here: float = math.nan
    """Its high end."""
    optimism: tuple[float, float] = (math.nan, math.nan)
    """By how much ``best(...)`` flatters a and b: interval and p-value are less the difference."""
    needed_is_guess: bool = False
    """Whether the number of events is a guess, from few or unequal units."""

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

    def columns(self) -> dict[str, list[Any]]:
        """A row per detector, as columns by name, with what holds for both beside."""
        both = ("difference", "low", "high", "p_value", "events", "events_needed", "evidence")
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


@dataclass(frozen=True, eq=False)
class Comparisons(EqualFields, TabledResult):
    """What `compare_all` found: each two detectors, with p-values adjusted for their number.

    Attributes
    ----------
    pairs : tuple of Comparison
        Each two detectors, in the order in which these were given.
    p_adjusted : tuple of float
        Their p-values after Holm: at most 0.05 tells two detectors apart, however many pairs
        there are.

    Examples
    --------
    >>> import adjudge as aj
    >>> scores = {"x": [0, 1, 1, 0, 0, 1], "y": [0, 1, 0, 0, 1, 0], "z": [0, 0, 0, 0, 1, 1]}
    >>> found = aj.compare_all([0, 1, 1, 0, 0, 1], scores, "f1")
    >>> [f"{pair.names} {pair.difference:.1f}" for pair in found.pairs]
    ["('x', 'y') 0.6", "('x', 'z') 0.6", "('y', 'z') 0.0"]
    """

    pairs: tuple[Comparison, ...]
    """Each two detectors, in the order in which these were given."""
    p_adjusted: tuple[float, ...]
    """The p-value of each pair after Holm."""

    @property
    def metric(self) -> str:
        """The metric, with every setting resolved."""
        return self.pairs[0].metric

    @property
    def separated(self) -> tuple[bool, ...]:
        """Which pairs differ by more than luck explains, after the adjustment."""
        return tuple(p <= 1 - LEVEL + TIE for p in self.p_adjusted)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, the sentences among them."""
        both = zip(self.pairs, self.p_adjusted, strict=True)
        pairs = [{**pair.to_dict(), "p_adjusted": p} for pair, p in both]
        return {"metric": self.metric, "pairs": pairs, "said": self._sentences()}

    def columns(self) -> dict[str, list[Any]]:
        """A row per pair, as columns by name."""
        own = ("a", "b", "difference", "low", "high", "p_value")
        return {
            "one": [pair.names[0] for pair in self.pairs],
            "other": [pair.names[1] for pair in self.pairs],
            "metric": [pair.metric for pair in self.pairs],
            **{name: [vars(pair)[name] for pair in self.pairs] for name in own},
            "p_adjusted": list(self.p_adjusted),
            **{name: [vars(pair)[name] for pair in self.pairs] for name in ("events", "evidence")},
        }

    def layout(self) -> Layout:
        """Lay the pairs out as a table, the one that is ahead first, with what they amount to."""
        head = ("ahead", "behind", "values", "by", "95 % interval", "p", "p adjusted")
        both = zip(self.pairs, self.p_adjusted, strict=True)
        cells = zip(*(_pair_cells(pair, p) for pair, p in both), strict=True)
        columns = tuple(
            TableColumn(title, own, is_text=title in {"ahead", "behind"}, rank=(title == "values"))
            for title, own in zip(head, cells, strict=True)
        )
        return Layout((Table(columns, self.metric),), self._notes(), tuple(self._sentences()))

    def _notes(self) -> tuple[str, ...]:
        """What explains the table: each note of a pair once."""
        told = [f"p adjusted: for {len(self.pairs)} pairs, after Holm; intervals are not adjusted"]
        if any(_flattery_line(pair) for pair in self.pairs):
            told.append("thresholds were chosen on these same events: interval and p are about the "
                        "lead without what that flatters")  # fmt: skip
        told += [_chance_line(pair) for pair in self.pairs if pair.null]
        told += [visible(note) for pair in self.pairs for note in pair.notes]
        return tuple(dict.fromkeys(told))

    def _sentences(self) -> list[str]:
        """Who is ahead of whom by more than luck explains, and of how many pairs nobody knows."""
        ahead: dict[str, list[str]] = {}
        for pair, clear in zip(self.pairs, self.separated, strict=True):
            if clear:
                first, second = map(visible, _by_rank(pair))
                ahead.setdefault(first, []).append(second)
        said = [f"{name} is ahead of {_listed(others)}, which luck hardly explains"
                for name, others in ahead.items()]  # fmt: skip
        untold = [pair for pair in self.pairs if math.isnan(pair.p_value)]
        rest = len(self.pairs) - sum(self.separated) - len(untold)
        if rest:
            pairs = "pair" if ahead and rest == 1 else f"{rest} pair{'s' * (rest != 1)}"
            said.append(f"luck may explain the difference of {'the other ' * bool(ahead)}{pairs}")
        if untold:
            why = _difference_lines(untold[0])[-1]
            said.append(f"{len(untold)} of {len(self.pairs)} pairs have no p-value: {why}")
        return said


def _by_rank(pair: Comparison) -> tuple[str, str]:
    """The two names, the one that is ahead first."""
    a, b = pair.names
    return (b, a) if pair.ahead == "b" else (a, b)


def _pair_cells(pair: Comparison, adjusted: float) -> tuple[str, ...]:
    values = (pair.b, pair.a) if pair.ahead == "b" else (pair.a, pair.b)
    p, after = ("" if math.isnan(one) else f"{one:.2g}" for one in (pair.p_value, adjusted))
    return (
        *map(visible, _by_rank(pair)),
        ", ".join(_shown(pair, value) for value in values),
        _shown(pair, abs(pair.difference)),
        _interval_words(pair, pair.low, pair.high),
        p,
        after,
    )


def _listed(names: list[str]) -> str:
    return " and of ".join(names) if len(names) < 3 else f"{len(names)} others ({', '.join(names)})"


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
    by, ahead = _shown(found, abs(found.difference)), a if found.ahead == "a" else b
    interval = _interval_words(found, found.low, found.high)
    lines.append(f"{ahead} is ahead by {by}{interval and f', 95 % interval {interval}'}")
    return [*lines, *_flattery_line(found), _verdict(found)]


def _interval_words(found: Comparison, low: float, high: float) -> str:
    """An interval of the difference, as seen from the one that is ahead; "" if there is none."""
    if math.isnan(low):
        return ""
    ends = (low, high) if found.difference > 0 else (-high, -low)
    return " to ".join(_shown(found, end) for end in ends)


def _flattery_line(found: Comparison) -> list[str]:
    """Say how much of the lead the choice of the thresholds explains."""
    flattered = _flattery(found.optimism)
    if abs(flattered) <= TIE:
        return []
    names = zip(map(visible, found.names), found.optimism, strict=True)
    by = " and ".join(
        f"{name} by {_shown(found, 0.0 if math.isnan(x) else x)}" for name, x in names
    )
    left = found.difference - flattered
    sign = 1 if found.difference > 0 else -1
    return [
        f"thresholds were chosen on these same events, which flatters {by}; without that the lead "
        f"is {_shown(found, sign * left)}, and interval and p are about this lead"
    ]


def _flattery(optimism: tuple[float, float]) -> float:
    a, b = (0.0 if math.isnan(x) else x for x in optimism)
    return a - b


def _shown(found: Comparison, value: float) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isnan(found.seconds_per_point):
        return f"{value:z.4f}"  # z: no minus before a zero
    return in_words(value * found.seconds_per_point * NANOSECONDS["s"])


def _verdict(found: Comparison) -> str:
    if math.isnan(found.p_value):
        here = _interval_words(found, found.low_here, found.high_here)
        beside = f"; {for_these(found.evidence_units)} {here}" if here else ""
        return f"{found.evidence or 'nothing can be said of it'}{beside}"
    count = f"{found.events:,} event{'s' * (found.events != 1)}"
    rests = f" over {count}" if found.evidence in {"", count} else f" ({found.evidence})"
    chance = f"p = {found.p_value:.2g}{rests}"
    words = f"luck {'hardly explains' if found.separated else 'may explain'} that: {chance}"
    if found.events_needed is None or found.separated:
        return words
    each = found.events / (found.evidence_units or found.events)
    unit = found.evidence_unit or "event"
    needed = Needed(found.events_needed, found.needed_range, found.needed_is_guess, each, unit)
    return f"{words}; it would take about {needed}"


def compared_points(data: Points, metric: Metric, at: tuple[Any, Any], pair: Pair) -> Comparison:
    """Compare two detectors on the points that are judged of both."""
    _refuse_whole(metric)
    levels = tuple(data.reordered(read_threshold(one)) for one in at)
    a, b = data.common()
    if a.events.changes is not None and pair.draws is not None:
        data.refuse("draws", pair.draws, "; no best threshold of changes is chosen anew")
    cases, (first, second), notes = _on_the_rest((a, b), (levels[0], levels[1]))
    if data.group is not None:
        pair = pair._replace(groups=group_numbers(data.group, cases[0].events, data.order))
    found = _compared(with_rule_reordered(metric, data.order), cases, (first, second), pair)
    return replace(found, notes=(*notes, *found.notes))


def _refuse_whole(metric: Metric) -> None:
    if metric.row.needs != "scores" and not metric.resamples:
        raise InputError(
            f"{metric} is no sum over events and alarms, so compare cannot redraw them; compare by "
            "f1_ba or event_f1, or on many series by rank"
        )


DRAWN = 1000
"""How often best thresholds are chosen anew, unless it is said."""


class Pair(NamedTuple):
    """How two detectors are compared."""

    unit: str
    draws: int | None
    rng: np.random.Generator
    names: tuple[str, str]
    model: Null | None
    seed: int | np.random.Generator
    groups: Any = None

    @property
    def drawn(self) -> int:
        """The seed of the null model."""
        return self.seed if is_whole(self.seed) else int(self.rng.integers(2**32))


def _compared(
    read: Metric, cases: tuple[Case, Case], at: tuple[Any, Any], asked: Pair
) -> Comparison:
    """Compare two detectors on the same points."""
    first, _ = cases
    timed, whole_curve = read.on(first.events), read.row.needs == "scores"
    units = units_of(first.events, asked.unit, asked.groups)
    placed = timed.placed(at[0]), timed.placed(at[1])
    sides = [metric.settled(case) for metric, case in zip(placed, cases, strict=True)]
    metrics, cases = (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1])
    if whole_curve:
        found = _areas(metrics[0], cases, units)
    else:
        flattered = _flatters(metrics, cases, asked.draws or DRAWN, asked.rng)
        found = _at_thresholds(metrics, cases, units, flattered)
    spec, step = read.resolved_spec(first.events), _step(read, first.events)
    notes = () if whole_curve else _notes(cases, found.at, asked.names)
    notes += tuple(filter(None, [gap_words(first.events)]))
    found = replace(found, metric=spec, seconds_per_point=step, names=asked.names, notes=notes)
    if asked.model is None:
        return found
    pairs = zip(metrics, map(CaseShifts, cases), strict=True)
    chance = _levels(Ask(asked.model, None, asked.drawn), pairs)
    return replace(found, null=asked.model.name, chance=chance)


def _levels(ask: Ask, sides: Iterable[tuple[Metric, Any]]) -> tuple[float, float]:
    """What a null model scores in the place of each detector."""
    a, b = (
        ask.null.level(metric, turning, ask.null.values(metric, turning, ask.shifts, ask.seed))
        for metric, turning in sides
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


def _flatters(
    metrics: tuple[Metric, Metric], cases: tuple[Case, Case], draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """By how much the choice of its threshold flatters each; NaN where there was none."""
    seed = int(rng.integers(2**32)) if metrics[0].oracle else 0  # the same events for both
    a, b = (
        math.nan if case.is_flags else optimism(metric, case, seed, draws=draws)
        for metric, case in zip(metrics, cases, strict=True)
    )
    return a, b


def _at_thresholds(
    metrics: tuple[Metric, Metric],
    cases: tuple[Case, Case],
    units: Units,
    flattered: tuple[float, float],
) -> Comparison:
    """Compare the sums over rows, each detector at its own threshold."""
    sides = Side.of(metrics[0], cases[0]), Side.of(metrics[1], cases[1])
    a, b = (side.value for side in sides)
    at = sides[0].at, sides[1].at
    found = replace(_found(metrics[0], cases[0].events, (a, b)), at=at, optimism=flattered)
    silent = not any(side.some for side in sides)
    if math.isnan(a - b) or silent or not len(cases[0].events):
        return found
    own = Own(a - b, _widest(metrics[0]), _flattery(flattered))
    drawn = any(not math.isnan(one) for one in flattered)
    return replace(_with(found, rate_difference(sides, units, own)), exact=not drawn)


def compared_alerts(data: OnCall, metric: Metric, at: tuple[Any, Any], pair: Pair) -> Comparison:
    """Compare two lists of alerts, incident by incident and quiet stretch by quiet stretch."""
    from adjudge.judging.on_call.values import (  # noqa: PLC0415 - for incidents alone
        check_null,
        needs_points,
        refuse_without_scores,
        turning_of,
        unit_of,
    )
    from adjudge.metrics.on_alerts import raised  # noqa: PLC0415
    from adjudge.noise.intervals.evidence import units_of_rows  # noqa: PLC0415

    levels = dict(zip(data.detectors, at, strict=True))
    data.refuse_all(draws=pair.draws)
    if data.every is not None and needs_points(metric, data.cases):
        return compared_points(data.only_points(levels)[0], metric, (None, None), pair)
    _refuse_whole(metric)
    line = None if pair.model is None else Ask(pair.model, None, pair.drawn)
    cases = data.raised(levels)
    refuse_without_scores([metric], cases)
    sides = [raised(metric, case) for case in cases]
    plain = sides[0].metric
    if plain is None or sides[1].metric is None:
        raise InputError(
            f"{metric} judges points, and incidents and alerts have none: compare by event_f1, "
            "f1_ba or another metric of things"
        )
    (a, b), first = (side.value for side in sides), cases[0]
    judged = first.turns.event_count
    found = Comparison(
        metric=sides[0].spec, a=a, b=b, difference=a - b,
        low=math.nan, high=math.nan, p_value=math.nan, events=judged,
        events_needed=None, better=metric.row.better, names=pair.names, exact=True,
        seconds_per_point=1.0 if unit_of(plain, first) == "seconds" else math.nan,
        notes=tuple(f"{case.name}: {case.sentence}" for case in cases),
    )  # fmt: skip
    sums = metric.at_one_threshold and not math.isnan(a - b)  # else nobody can redraw incidents
    if sums and judged:
        one, other = (side.case.turns.side(side.metric) for side in sides)
        if one.some or other.some:
            units = units_of_rows(one.ledger, pair.unit)
            found = _with(found, rate_difference((one, other), units, Own(a - b, _widest(metric))))
    if line is not None:
        check_null(line.null)
        found = replace(found, null=line.null.name, chance=_levels(line, map(turning_of, sides)))
    return found


def compared_channels(
    over: Metric,
    cases: tuple[ChannelCase, ChannelCase],
    at: tuple[Any, Any],
    asked: Pair,
    named: str = "{}",
) -> Comparison:
    """Compare on several channels, or by several annotators: as one column where that is asked.

    Parameters
    ----------
    over, cases, at, asked : Metric, pair of ChannelCase, pair of thresholds, Pair
        What is compared.
    named : str
        How the metric of one channel is written, where all are taken as one.
    """
    if not over.row.channels:
        _refuse_whole(over)
    first, second = _on_common_points(*cases)
    joined = over.across == "any_channel" or len(first.channels.names) == 1
    if joined and not over.row.channels and not any(isinstance(one, Rule) for one in at):
        found = _compared(over.of_one, (first.joined, second.joined), at, asked)
        return replace(found, metric=named.format(found.metric))
    if asked.model is not None:
        raise InputError(
            f"{over} must be compared without a null model; any_channel(...) takes one"
        )
    found = _anew(over, (first, second), at, asked)
    own = over if named != "{}" else over.of_one
    return replace(found, metric=own.resolved_spec(first.events), names=asked.names)


def _anew(
    metric: Metric, cases: tuple[ChannelCase, ChannelCase], levels: tuple[Any, Any], asked: Pair
) -> Comparison:
    """Compare by what becomes of the difference without each event, on all channels at once."""
    sides = [(metric.placed(at), case) for at, case in zip(levels, cases, strict=True)]
    (a, at_a, _), (b, at_b, _) = (one.reading(case) for one, case in sides)
    events = cases[0].channels.joined
    found = replace(_found(metric, events, (a, b)), at=(at_a, at_b))
    if math.isnan(a - b) or not len(events):
        return found

    def read(events: Events) -> float:
        assert events.judged is not None  # noqa: S101 - some points are left out
        own = [one.reading(case.within(events.judged)).value for one, case in sides]
        return own[0] - own[1]

    units, own = units_of(events, asked.unit), Own(a - b, _widest(metric))
    if not affordable(units):
        if metric.oracle or not is_summed(metric):
            return replace(found, evidence="so long a series is not read anew without each event")
        return _with(found, summed_difference(sides, units, own))
    if metric.oracle:
        flattered = [math.nan if c.is_flags else flattery(one, c, units) for one, c in sides]
        found = replace(found, optimism=(flattered[0], flattered[1]))
        own = own._replace(flattery=_flattery(found.optimism))
    return _with(found, read_difference(read, units, own))


def _on_common_points(first: ChannelCase, second: ChannelCase) -> tuple[ChannelCase, ChannelCase]:
    """Both on the points at which any channel of each is judged."""
    judged = [one for case in (first, second) if (one := case.joined.events.judged) is not None]
    if not judged:
        return first, second
    both = judged[0] & judged[-1]
    return first.within(both), second.within(both)


def _areas(metric: Metric, cases: tuple[Case, Case], units: Units) -> Comparison:
    """Compare values over all thresholds, on a common scale."""
    a, b = (metric.reading(case).value for case in cases)
    found = _found(metric, cases[0].events, (a, b))
    if math.isnan(a - b) or not cases[0].events.normal.any():  # no false alarm could be raised
        return found
    own = Own(a - b, _widest(metric))
    return _with(found, area_difference(metric, cases, units, own))


def _widest(metric: Metric) -> float:
    low, high = metric.row.range
    return high - low


def _with(found: Comparison, seen: Difference) -> Comparison:
    """Add what the units of evidence say."""
    rests, needed = seen.evidence, events_needed(seen.spread, found.events)
    return replace(
        found,
        low=rests.low,
        high=rests.high,
        p_value=seen.p_value,
        evidence=rests.words,
        evidence_unit=rests.unit,
        evidence_units=rests.units,
        low_here=rests.low_here,
        high_here=rests.high_here,
        events_needed=needed.events,
        needed_range=needed.span,
        needed_is_guess=needed.guess,
    )


def _found(metric: Metric, events: Events, values: tuple[float, float]) -> Comparison:
    a, b = values
    return Comparison(
        metric=metric.resolved_spec(events),
        a=a,
        b=b,
        difference=a - b,
        low=math.nan,
        high=math.nan,
        p_value=math.nan,
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


def _on_the_rest(
    cases: tuple[Case, Case], at: tuple[Any, Any]
) -> tuple[tuple[Case, Case], tuple[Any, Any], tuple[str, ...]]:
    """Find thresholds that are to be tuned on parts; the rest is compared, and a note says so."""
    found = [found_on_part(case, one) for case, one in zip(cases, at, strict=True)]
    parts = list(dict.fromkeys(part for _, part in found if part is not None))
    if not parts:
        return cases, at, ()
    words = " and ".join(map(str, parts))
    note = f"thresholds were tuned on {words}, and only the rest is compared"
    first, second = (without(case, *parts) for case in cases)
    return (first, second), (found[0][0], found[1][0]), (note,)
