r"""Judge one detector by the labels of several annotators, and the annotators by each other.

Each annotator is a channel of its own, beside the same scores: the value is the mean over
annotators, all of whom the alarms are shifted against at once. *Humans* are annotators judged as
detectors, each against each other one by the same metric: what a detector cannot be asked to pass.

How far they agree is told over points, beyond what their rates alone would give:

.. math:: \kappa = \frac{p_o - p_e}{1 - p_e}, \qquad \alpha = 1 - \frac{D_o}{D_e}

for two annotators (Cohen), and for any number of them with gaps (Krippendorff, nominal).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import word
from adjudge.count.contract import LastCount
from adjudge.data.case import Case, time_of
from adjudge.data.channels import (
    VOTES,
    ChannelCase,
    Channels,
    any_column,
    channel_names,
    truth_of,
    truth_table,
)
from adjudge.data.columns import check_indexes
from adjudge.data.intervals import bincount, repeat
from adjudge.errors import InputError
from adjudge.judging.breakdowns import event_list, place_of
from adjudge.judging.evaluation import adjusted_rows, beside_value, finding_of
from adjudge.judging.judgement import Judgement
from adjudge.judging.preparation import (
    Prepared,
    Tuned,
    default_metrics,
    detectors_of,
    read_threshold,
)
from adjudge.judging.result_columns import number
from adjudge.measure.thresholds import Rule
from adjudge.metrics.metric import macro, micro
from adjudge.noise.channel_shifts import ChannelShifts
from adjudge.noise.intervals.evidence import ends, evidence, units_of
from adjudge.noise.intervals.read_anew import READINGS, left_out, owners, stakes_of
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adjudge._typing import Column, Flags, Floats
    from adjudge.data.channels import ChannelReading
    from adjudge.data.events import Events
    from adjudge.judging.evaluation import Asked
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.intervals.evidence import Spread, Units

_SHOWN = 8


class Human(NamedTuple):
    """What annotators score who are judged as detectors."""

    metric: str
    value: float
    """The mean over all ordered pairs: one annotator as the detector, another as the truth."""
    low: float
    high: float
    chance: float
    """The same of annotators whose labels are shifted."""
    least: float
    """The lowest of all pairs."""
    pairs: int
    majority: float
    """The mean of each against the majority of the others; undefined with fewer than three."""


class Agreement(NamedTuple):
    """How far annotators agree, over points."""

    measure: str
    """"kappa" of two annotators, or "alpha" of all."""
    between: tuple[str, ...]
    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class AnnotatorResults:
    """How annotators agree, and what each of them would score.

    Attributes
    ----------
    names : tuple of str
        The annotators.
    votes : str
        How their labels were put together.
    rows : tuple of dict
        Of each detector and annotator: how many events they marked, and the value of each metric
        against their labels.
    humans : tuple of Human
        For each metric, what annotators score against each other.
    agreement : tuple of Agreement
        Cohen's kappa of each pair, and Krippendorff's alpha of all, with 95 % intervals.
    events : tuple of dict
        Stretches that anyone marked: start, stop, who marked it, and who did not.
    """

    names: tuple[str, ...]
    votes: str
    rows: tuple[dict[str, Any], ...]
    humans: tuple[Human, ...]
    agreement: tuple[Agreement, ...]
    events: tuple[dict[str, Any], ...]
    compared: tuple[dict[str, Any], ...] = ()
    """Of each detector and metric: its value, chance, and what humans score, side by side."""

    @property
    def disputed(self) -> tuple[dict[str, Any], ...]:
        """The events that not all who judged them marked."""
        return tuple(event for event in self.events if event["not_by"])

    @property
    def tables(self) -> list[Table]:
        """Values by annotator, and how far these agree."""
        found = []
        for detector in dict.fromkeys(row["detector"] for row in self.rows):
            own = [row for row in self.rows if row["detector"] == detector]
            head = [name for name in own[0] if name != "detector"]
            cells = [[_cell(row[name]) for name in head] for row in own]
            found.append(Table.of(head, cells, f"{detector} by annotator"))
        if self.compared:
            found.append(self._beside_humans())
        head = ["agreement", "value", "95 % interval"]
        agree = [[_who(one), number(one.value), _interval(one)] for one in self.agreement]
        found.append(Table.of(head, agree, "how far annotators agree, over points"))
        if self.disputed:
            rows = [
                [place_of(one), ", ".join(one["by"]), ", ".join(one["not_by"])]
                for one in self.disputed[:_SHOWN]
            ]
            more = len(self.disputed) - _SHOWN
            title = "disputed events" + (f", and {more} more" if more > 0 else "")
            found.append(Table.of_texts(["event", "marked by", "not by"], rows, title))
        return found

    def _beside_humans(self) -> Table:
        """The detector, chance and humans, metric by metric."""
        several = len({one["detector"] for one in self.compared}) > 1
        shown = {"value": "value", "chance": "chance", "humans": "humans", "least": "lowest pair"}
        if all(math.isnan(one["chance"]) for one in self.compared):
            del shown["chance"]  # nobody asked for it
        head = ["metric", *shown.values()]
        cells = [
            [f"{one['detector']}: " * several + one["metric"]]
            + [number(one[name]) for name in shown]
            for one in self.compared
        ]
        pairs = self.compared[0]["pairs"]
        title = f"beside humans: each annotator judged by each other, mean of {pairs} pairs"
        return Table.of(head, cells, title)

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the tables."""
        said: list[str] = []
        disputed, marked = len(self.disputed), len(self.events)
        if marked:
            plural = "s" * (marked != 1)
            said.append(f"{disputed} of {marked} event{plural} that anyone marked are disputed")
        return said

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "names": list(self.names),
            "votes": self.votes,
            "rows": [dict(row) for row in self.rows],
            "humans": [one._asdict() for one in self.humans],
            "agreement": [one._asdict() | {"between": list(one.between)} for one in self.agreement],
            "events": [dict(event) for event in self.events],
            "said": [*map(_sentence, self.compared), *self.notes],
        }


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


def _who(one: Agreement) -> str:
    return f"{one.measure} of {' and '.join(one.between)}" if len(one.between) == 2 else one.measure


def _interval(one: Agreement) -> str:
    return "" if math.isnan(one.low) else f"{one.low:.4f} to {one.high:.4f}"


def judged_annotators(
    labels: Column,
    scores: Column,
    given: tuple[Any, str],
    at: Any,
    how: ChannelReading,
    asked: Asked,
) -> Judgement:
    """Judge each detector by the labels of each annotator.

    Parameters
    ----------
    labels, scores : table, column
        A column of labels per annotator; scores as in `adjudge.evaluate`.
    given : pair
        The names of the annotators, and how their votes are put together.
    at : number or rule
        The threshold.
    how, asked : ChannelReading, Asked
        How columns are read, and what is asked for.
    """
    names, votes = check_annotators(channel_names(given[0], labels, "annotator"), given[1])
    check_metrics(asked.metrics or ())
    detectors = detectors_of(scores)
    columns = dict(detectors) if len(detectors) > 1 else {"scores": detectors[0][1]}
    voters = voters_of(labels, columns, names, how)
    level = read_threshold(at)
    if isinstance(level, Tuned):
        raise InputError("at must be a number or a rule with annotators=; tune on one label first")
    rows: list[Finding] = []
    table: list[dict[str, Any]] = []
    listed: list[dict[str, Any]] = []
    cases: list[Case] = []
    truth = voted(voters, votes)
    for name, column in detectors:
        case = beside_all(voters, column, name, how.missing)
        own = Case(truth, column, missing=how.missing, name=name)
        kind = asked.kind(known=own.is_flags or level is not None)
        metrics = asked.metrics or default_metrics(kind)
        rows += [_row(metric, case, own, level, votes, asked) for metric in metrics]
        table += _by_annotator(case, metrics, level)
        chosen = level(own) if isinstance(level, Rule) else level
        listed += event_list(own, chosen, metrics)
        cases.append(own)
    rows = adjusted_rows(rows) if asked.beside.chance else rows
    humans = _humans(voters, list({str(m): m for m in metrics}.values()), asked)
    results = AnnotatorResults(
        names, votes, tuple(table), humans, agreement(voters), tuple(event_votes(voters)),
        tuple(_compared(rows, humans)),
    )  # fmt: skip
    return Judgement(tuple(rows), tuple(listed), tuple(cases), (), (), None, results)


def voters_of(
    labels: Column, scores: Mapping[str, Column], names: tuple[str, ...], how: ChannelReading
) -> Channels:
    """The labels of each annotator, of the points that the scores are of.

    Parameters
    ----------
    labels, scores : table, columns by name
        A column of labels per annotator; what detectors say of the same points.
    names, how : tuple of str, ChannelReading
        The annotators, and how columns are read.
    """
    first = next(iter(scores.values()))
    check_indexes(labels=any_column(labels), **scores)
    how = how._replace(time=time_of(how.time, first, any_column(labels), how.series))
    return truth_table(labels, names, len(np.asarray(first)), how, "annotator")


def check_annotators(names: tuple[str, ...], votes: str) -> tuple[tuple[str, ...], str]:
    """Refuse a single annotator, and votes that there are not."""
    if len(names) < 2:
        raise InputError(f"annotators must be at least two, got {len(names)}: {names[0]!r}")
    return names, word(votes, "votes", VOTES)


def check_metrics(metrics: Sequence[Metric]) -> None:
    """Refuse metrics of several channels: what annotators label is one."""
    for metric in metrics:
        if metric.row.channels or metric.across:
            raise InputError(f"annotators= takes metrics of one channel, got {metric}")


def beside_all(voters: Channels, column: Column, name: str, missing: str) -> ChannelCase:
    """The same scores beside the labels of each annotator."""
    parts = [Case(events, column, missing=missing, name=name) for events in voters.events]
    return ChannelCase.of(voters.scored(tuple(part.events for part in parts)), parts, name)


def annotated(
    labels: Column, scores: Column, metric: Metric, given: tuple[Any, str], how: ChannelReading
) -> tuple[Metric, ChannelCase]:
    """A metric by annotators, and the scores beside the labels of each, or beside one by vote.

    Parameters
    ----------
    labels, scores : table, column
        A column of labels per annotator; what one detector says.
    metric : Metric
        A metric of one channel.
    given : pair
        The names of the annotators, and how their votes are put together.
    how : ChannelReading
        How columns are read.
    """
    names, votes = check_annotators(channel_names(given[0], labels, "annotator"), given[1])
    check_metrics([metric])
    voters = voters_of(labels, {"scores": scores}, names, how)
    if votes not in {"each", "pooled"}:
        one = voted(voters, votes)
        voters = Channels((votes,), (one,), truth_of((one,)))
    over = micro(metric) if votes == "pooled" else macro(metric)
    return over, beside_all(voters, scores, "detector", how.missing)


def voted(voters: Channels, votes: str) -> Events:
    """One label for each point, by vote of those who judged it; by "each" and "pooled" of anyone.

    >>> import numpy as np
    >>> table = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]])
    >>> from adjudge.data.channels import ChannelReading, truth_table
    >>> voters = truth_table(table, ("ann", "bob", "eve"), 4, ChannelReading())
    >>> voted(voters, "majority").labels
    array([ True, False, False,  True])
    """
    joined = voters.joined
    if votes in {"each", "pooled", "any"}:
        return joined
    marked = np.sum([events.labels for events in voters.events], axis=0)
    asked = np.sum([_judged(events) for events in voters.events], axis=0)
    label = marked * 2 > asked if votes == "majority" else (marked == asked) & (asked > 0)
    series = None
    if joined.series_count > 1:
        series = repeat(np.arange(joined.series_count), np.diff(joined.series_bounds))
    found = Case(label, np.zeros(joined.n), series=series, where=joined.judged).events
    return replace(found, names=joined.names, clock=joined.clock)


def _judged(events: Events) -> Flags:
    return np.ones(events.n, bool) if events.judged is None else events.judged


def _row(
    metric: Metric,
    case: ChannelCase,
    own: Case,
    level: Any,
    votes: str,
    asked: Asked,
) -> Finding:
    """One metric of one detector: against each annotator, all of them, or one label by vote."""
    skipped, _ = case.channels.skipped
    if votes not in {"each", "pooled"}:
        chosen = level(own) if isinstance(level, Rule) else level
        ready = Prepared(own, chosen, str(level) * isinstance(level, Rule), False, skipped)
        found = finding_of(metric, ready, asked.zero_division, LastCount())
        placed = metric.placed(chosen).on(own.events)
        return replace(found, **beside_value(placed, CaseShifts(own), found, asked.beside))
    over = macro(metric) if votes == "each" else _pooled(metric)
    ready = Prepared(case, level, "", is_tuned=False, skipped=skipped)
    found = finding_of(over, ready, asked.zero_division, LastCount())
    placed = over.placed(level).on(case.events)
    shifting = ChannelShifts(case, shared=asked.beside.shared)
    beside = beside_value(placed, shifting, found, asked.beside)
    return replace(found, **beside, metric=str(metric), asked=str(metric))


def _pooled(metric: Metric) -> Metric:
    if not metric.oracle:
        return micro(metric)
    return replace(micro(replace(metric, oracle=False)), oracle=True)


def _by_annotator(case: ChannelCase, metrics: Sequence[Metric], level: Any) -> list[dict[str, Any]]:
    """The value of each metric against each annotator."""
    return [
        {"detector": case.name, "annotator": name, "events": len(part.events)}
        | {str(metric): metric.placed(level).reading(part).value for metric in metrics}
        for name, part in zip(case.channels.names, case.parts, strict=True)
    ]


def _humans(voters: Channels, metrics: Sequence[Metric], asked: Asked) -> tuple[Human, ...]:
    """What annotators score as detectors, by metrics that flags have a value of."""
    pairs = [
        (a, b)
        for a, b in permutations(range(len(voters.names)), 2)
        if _both_judged(voters.events[a], voters.events[b])
    ]
    if not pairs:
        return ()
    names = tuple(f"{voters.names[b]} by {voters.names[a]}" for a, b in pairs)
    case = _of_pairs(voters, pairs, names)
    against = _against_majority(voters)
    found = {}
    for metric in metrics:
        plain = replace(metric, oracle=False, at=None)
        over = macro(plain)
        finding = finding_of(over, Prepared(case, None, "", False, 0), math.nan, LastCount())
        beside = beside_value(over, ChannelShifts(case), finding, asked.beside)
        each = [plain.reading(part).value for part in case.parts]
        others = math.nan if against is None else over.reading(against).value
        worst = np.nanmax if metric.row.better == "lower" else np.nanmin
        least = float(worst(each)) if not np.isnan(each).all() else math.nan
        found[str(metric)] = Human(
            str(metric), finding.value, beside.get("low", math.nan), beside.get("high", math.nan),
            beside.get("chance", math.nan), least, len(pairs), others,
        )  # fmt: skip
    return tuple(found.values())


def _both_judged(one: Events, other: Events) -> bool:
    return bool((_judged(one) & _judged(other)).any())


def _of_pairs(
    voters: Channels, pairs: Sequence[tuple[int, int]], names: tuple[str, ...]
) -> ChannelCase:
    """Annotators as detectors: one flags, another is the truth, where both have judged."""
    parts = []
    for detector, truth in pairs:
        flagged, events = voters.events[detector], voters.events[truth]
        if flagged.judged is not None:
            events = events.within(where=flagged.judged)
        parts.append(Case(events, flagged.labels, name="humans"))
    return _as_channels(names, parts)


def _against_majority(voters: Channels) -> ChannelCase | None:
    """Each annotator against the majority of the others; None where there are too few."""
    if len(voters.names) < 3:
        return None
    parts, names = [], []
    for place, flagged in enumerate(voters.events):
        others = [e for other, e in enumerate(voters.events) if other != place]
        rest = Channels(tuple(map(str, range(len(others)))), tuple(others), None)
        events = voted(rest, "majority")
        if not _both_judged(flagged, events):
            continue
        if flagged.judged is not None:
            events = events.within(where=flagged.judged)
        parts.append(Case(events, flagged.labels, name="humans"))
        names.append(voters.names[place])
    return _as_channels(tuple(names), parts)


def _as_channels(names: tuple[str, ...], parts: Sequence[Case]) -> ChannelCase:
    truth = tuple(part.events for part in parts)
    return ChannelCase.of(Channels(names, truth, truth_of(truth)), parts, "humans")


def _compared(rows: Sequence[Finding], humans: Sequence[Human]) -> list[dict[str, Any]]:
    """What stands side by side: the detector, chance, and humans."""
    known = {one.metric: one for one in humans if not math.isnan(one.value)}
    return [
        {
            "detector": row.detector, "metric": row.asked, "value": row.value,
            "chance": row.chance, "humans": human.value, "least": human.least,
            "pairs": human.pairs,
        }
        for row in rows
        if (human := known.get(row.asked)) is not None
    ]  # fmt: skip


def _sentence(one: dict[str, Any]) -> str:
    chance = "" if math.isnan(one["chance"]) else f", chance {number(one['chance'])}"
    return (
        f"{one['metric']}: {one['detector']} {number(one['value'])}{chance}, humans "
        f"{number(one['humans'])} (mean of {one['pairs']} pairs)"
    )


# --- agreement ---------------------------------------------------------------------------------


def agreement(voters: Channels) -> tuple[Agreement, ...]:
    """Cohen's kappa of each pair, and Krippendorff's alpha of all, with intervals by events.

    Each event with its normal time is left out in turn, on all annotators at once.

    Parameters
    ----------
    voters : Channels
        The labels of each annotator.
    """
    found = [
        _agreed("kappa", (voters.names[a], voters.names[b]), _chosen(voters, (a, b)))
        for a, b in combinations(range(len(voters.names)), 2)
    ]
    return (*found, _agreed("alpha", voters.names, voters))


def _chosen(voters: Channels, which: tuple[int, ...]) -> Channels:
    names = tuple(voters.names[i] for i in which)
    return replace(voters, names=names, events=tuple(voters.events[i] for i in which), truth=None)


def _agreed(measure: str, between: tuple[str, ...], voters: Channels) -> Agreement:
    of, sums_of = _MEASURES[measure]
    sums = sums_of(voters)
    value = float(of(sums.sum(axis=1)))
    if math.isnan(value) or not len(voters.joined):
        return Agreement(measure, between, value, math.nan, math.nan)
    span = (-1.0, 1.0)

    def spread_of(units: Units) -> Spread:
        count = min(units.count, READINGS)
        owner = owners(units, count)
        judged = owner >= 0
        each = [bincount(owner[judged], one[judged], minlength=count) for one in sums]
        left = of(np.sum(each, axis=1)[:, np.newaxis] - each)
        return left_out(value, left, stakes_of(owner, units, count), span, units.homes(count))

    units = units_of(voters.joined, "auto")
    found = evidence(units, spread_of, lambda spread: ends(spread, value, span, 0.95))
    return Agreement(measure, between, value, found.low, found.high)


def cohen_kappa(voters: Channels) -> float:
    """Agreement of two annotators beyond what their rates give, over points that both judged.

    NaN: both gave one and the same label to every point.
    """
    return float(_kappa(_kappa_sums(voters).sum(axis=1)))


def _kappa_sums(voters: Channels) -> Floats:
    """For each point: judged by both, the same label by both, marked by the one, by the other."""
    first, second = voters.events
    both = _judged(first) & _judged(second)
    a, b = first.labels & both, second.labels & both
    return np.array([both, both & (a == b), a, b], np.float64)


def _kappa(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        agreed, p, q = np.asarray(sums[1:] / sums[0])
        by_rates = p * q + (1 - p) * (1 - q)
        return np.where(by_rates < 1, (agreed - by_rates) / (1 - by_rates), np.nan)


def krippendorff_alpha(voters: Channels) -> float:
    """Agreement of any number of annotators beyond chance; points that one judged do not count.

    NaN: there is only one label among all points that two or more judged.

    References
    ----------
    .. [1] K. Krippendorff (2011). Computing Krippendorff's Alpha-Reliability. University of
       Pennsylvania.
    """
    return float(_alpha(_alpha_sums(voters).sum(axis=1)))


def _alpha_sums(voters: Channels) -> Floats:
    """For each point that two or more judged: how many did, who marked it, how far they differ."""
    asked: Floats = np.sum([_judged(e) for e in voters.events], axis=0, dtype=np.float64)
    marked: Floats = np.sum([e.labels for e in voters.events], axis=0, dtype=np.float64)
    kept = asked >= 2
    asked, marked = np.where(kept, asked, 0), np.where(kept, marked, 0)
    return np.array([asked, marked, 2 * marked * (asked - marked) / np.maximum(asked - 1, 1)])


def _alpha(sums: Floats) -> Floats:
    total, ones, disagreed = sums
    zeros = total - ones
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = 2 * ones * zeros / (total * (total - 1))
        return np.where(ones * zeros > 0, 1 - disagreed / total / expected, np.nan)


_MEASURES: dict[str, tuple[Callable[[Floats], Floats], Callable[[Channels], Floats]]] = {
    "kappa": (_kappa, _kappa_sums),
    "alpha": (_alpha, _alpha_sums),
}
"""The value of sums over points, and what is summed: a row per sum, a column per point."""


def event_votes(voters: Channels) -> list[dict[str, Any]]:
    """The stretches that anyone marked, with who marked any point of them and who did not."""
    joined = voters.joined
    marked = [joined.max(events.labels) for events in voters.events]
    judged = [joined.max(_judged(events)) for events in voters.events]
    found = []
    for place, (start, stop) in enumerate(zip(joined.starts, joined.stops, strict=True)):
        by = [n for n, one in zip(voters.names, marked, strict=True) if one[place]]
        asked = [n for n, one in zip(voters.names, judged, strict=True) if one[place]]
        not_by = [name for name in asked if name not in by]
        row = {"start": int(start), "stop": int(stop), "by": by, "not_by": not_by}
        if joined.clock is not None:
            row |= {"from": joined.clock.text(start), "to": joined.clock.text(stop - 1)}
        found.append(row)
    return found
