"""Who chose the thresholds of a table of results, in sentences below it.

Short names of metrics for tables, and their settings in words for the notes below.

Wording: what the rows of a detector amount to, in sentences that never say more than they know.

A detector is called "better than chance" only when its p-value is at most 0.05, among all shifts
and by every null model that is declared as joint too (among nearby places), adjusted for the number
of detectors that were judged in the same call. Where the places that were tried do not decide that,
no verdict is given.

Remarks below a table of results: what only some need to know, or what changes the picture.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from adjudge.adjust.balanced import ISLANDS_IN_WORDS, READINGS
from adjudge.errors import visible
from adjudge.judging.result_columns import Finding, at_text, beside_text, value_text
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import Call, metric_name, parse
from adjudge.noise.intervals.evidence import FOUND_TOGETHER, QUIET_ALIKE, for_these, in_words
from adjudge.noise.null_models import ShiftedNull, words_of
from adjudge.noise.p_values import CLEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge.metrics.metric import Metric

LOWER = "↓"
"""Stands behind the names of metrics of which less is better."""
_LONGEST = 24


def short_names(rows: Iterable[Finding]) -> dict[str, str]:
    """A name for tables of each metric, by the spec that was asked for.

    Metrics of which less is better are marked by an arrow.
    """
    lower = {row.asked: is_lower(row) for row in rows}
    return {
        spec: f"{name} {LOWER}" if lower[spec] else name for spec, name in told_apart(lower).items()
    }


def is_lower(row: Finding) -> bool:
    """Whether lower values of the metric are better."""
    return (row.judged_by or read_metric(row.metric)).row.better == "lower"


def told_apart(specs: Iterable[str]) -> dict[str, str]:
    """A name of each spec, as short as it can be told from the others.

    >>> list(told_apart(["f1_ba(width=5)", "best(f1)", "f1"]).values())
    ['f1_ba', 'best f1', 'f1']
    >>> list(told_apart(["f1_ba(width=5)", "f1_ba(width=9)"]).values())
    ['f1_ba(width=5)', 'f1_ba(width=9)']
    """
    short = {spec: _short(spec) for spec in specs}
    same = Counter(short.values())
    numbers: Counter[str] = Counter()
    names = {}
    for spec, name in short.items():
        numbers[name] += 1
        numbered = f"{name} [{numbers[name]}]"
        names[spec] = name if same[name] == 1 else _spec_or(spec, numbered)
    return names


def _short(spec: str) -> str:
    inner, around = _inner(parse(spec))
    return " ".join([*(one.name for one in around), inner.name])


def _spec_or(spec: str, numbered: str) -> str:
    """The spec itself where it is short, else the name with a number that a note explains."""
    inner, around = _inner(parse(spec))
    whole = " ".join([*(one.name for one in around), str(inner)])
    return whole if len(whole) <= _LONGEST else numbered


def _inner(call: Call) -> tuple[Call, list[Call]]:
    """The metric itself, and what stands around it: ``best(...)``, ``macro(...)``."""
    around = []
    while call.values and isinstance(call.values[0], Call):
        around.append(call)
        call = call.values[0]
    return call, around


def settings_in_words(specs: Iterable[str]) -> str:
    """Say the settings of a metric in words, numbers that differ as from where to where.

    >>> settings_in_words(['f1_ba(width=103, islands="normal")'])
    'width 103, islands on normal points'
    >>> settings_in_words(['f1_ba(reading="printed")', 'f1_ba(reading="authors")'])
    "as the paper prints it or as in the authors' code"
    >>> settings_in_words(["best(vus_f1(window=7), thresholds=200)", "vus_f1(window=9)"])
    'window 7 to 9, best of 200 thresholds'
    >>> settings_in_words(["vus_pr(window=9, thresholds=None)"])
    'window 9, every threshold'
    >>> settings_in_words(["false_alarms(per=1)"])
    'per 1 point'
    """
    found: dict[str, list[Any]] = {}
    for spec in specs:
        inner, around = _inner(parse(spec))
        outer = [item for one in around for item in one.settings.items()]
        tried = {f"best of {name}": value for name, value in outer}
        for name, value in {**inner.settings, **tried}.items():
            found.setdefault(name, []).append(str(value) if isinstance(value, Call) else value)
    return ", ".join(_setting(name, values) for name, values in found.items())


def _setting(name: str, values: list[Any]) -> str:
    distinct = list(dict.fromkeys(values))
    if name == "reading":
        return " or ".join(READINGS[value][1] for value in distinct if value in READINGS)
    if name == "islands":
        return " or ".join(ISLANDS_IN_WORDS.get(value, str(value)) for value in distinct)
    if len(distinct) > 1 and all(isinstance(value, (int, float)) for value in distinct):
        said = f"{min(distinct)} to {max(distinct)}"
    else:
        said = " or ".join(map(str, distinct))
    if name.endswith("thresholds"):
        said = "every threshold" if distinct == [None] else f"{said} thresholds"
        return name.removesuffix("thresholds") + said
    if name == "per" and isinstance(distinct[-1], int):  # else it is a duration
        said += " point" + "s" * (distinct != [1])
    if name != "at":
        return f"{name} {said}"
    return f"alarms by {said}" if said.startswith(POLICY) else f"flagged above {said}"


def settings_notes(rows: Iterable[Finding], names: dict[str, str]) -> list[str]:
    """Say the settings of each metric, once; those with the same settings share a note."""
    specs: dict[str, list[str]] = {}
    for row in rows:
        specs.setdefault(row.asked, []).append(row.metric)
    notes: dict[str, dict[str, None]] = {}
    for asked, resolved in specs.items():
        name, said = names[asked].removesuffix(f" {LOWER}"), settings_in_words(resolved)
        in_name = "(" in name and said == settings_in_words([asked])
        if said and not in_name:
            notes.setdefault(said, {})[name.removeprefix("best ")] = None
    return [f"{', '.join(same)}: {said}" for said, same in notes.items()]


MANY, VERY_MANY = 199, 10_000
"""Draws from which on their number need not be said, and from which on more would not help."""


FEW = 4
"""Up to so many detectors, or files, each has a sentence of its own below a table."""


def main_row(rows: Sequence[Finding]) -> Finding | None:
    """Choose the row that the verdict is about: balanced F1 if it is there, else the first."""
    tested = [row for row in rows if not math.isnan(row.p_value)]
    balanced = [row for row in tested if metric_name(row.metric) == "f1_ba"]
    return next(iter(balanced or tested), None)


def is_better_than_chance(rows: Sequence[Finding]) -> bool:
    """Whether the verdict on these rows of one detector is that it is better than chance.

    >>> row = Finding("mine", "f1_ba", 0.61, None, "given", "f1_ba", p_value=0.01, p_adjusted=0.01,
    ...               p_joint=0.2, event_count=12)
    >>> is_better_than_chance([row])
    False
    """
    row = main_row(rows)
    return row is not None and row.decided and max(row.p_adjusted, row.p_joint) <= CLEAR


def is_undecided(rows: Sequence[Finding]) -> bool:
    """Whether the places that were tried leave it open if a detector is better than chance.

    >>> row = Finding("mine", "f1_ba", 0.61, None, "given", "f1_ba", p_value=0.06, p_adjusted=0.06,
    ...               p_joint=0.06, shifts=199, decided=False)
    >>> is_undecided([row])
    True
    """
    row = main_row(rows)
    return row is not None and (_floor(row) > CLEAR or not row.decided)


def is_silent(rows: Sequence[Finding]) -> bool:
    """Whether the detector of these rows never raises an alarm where its verdict is about one.

    >>> is_silent([Finding("mine", "f1", 0.0, 70, "given", "f1", p_value=1.0, flagged=0)])
    True
    """
    row = main_row(rows) or rows[0]
    return row.flagged == 0


_BETTER, _NOT_BETTER = "better than chance", "not better than chance"
_OPEN, _SILENT = "cannot be told from chance, nor called no better", "never raises an alarm"


def verdict_counts(rows: Sequence[Finding]) -> list[str]:
    """Say of many detectors which are better than chance, which are not, and which are neither."""
    found: dict[str, list[str]] = {said: [] for said in (_BETTER, _NOT_BETTER, _OPEN, _SILENT)}
    detectors = dict.fromkeys(row.detector for row in rows)
    for detector in detectors:
        own = [row for row in rows if row.detector == detector]
        found[_count_as(own)].append(visible(detector))
    return [
        f"{said}: {len(names)} of {len(detectors)} detectors ({', '.join(names)})"
        for said, names in found.items()
        if names
    ]


def _count_as(rows: Sequence[Finding]) -> str:
    if is_better_than_chance(rows):
        return _BETTER
    if is_silent(rows):
        return _SILENT
    return _OPEN if is_undecided(rows) else _NOT_BETTER


def is_below_chance(row: Finding, detectors: int) -> bool:
    """Whether a detector is below chance, adjusted for how many were judged in the same call.

    >>> row = Finding("mine", "f1", 0.1, None, "given", p_below=0.01)
    >>> is_below_chance(row, 1), is_below_chance(row, 20)
    (True, False)
    """
    return row.p_below * detectors <= CLEAR


def verdict(rows: Sequence[Finding], detectors: int = 1) -> str:
    """Say in one sentence what the rows of one detector amount to.

    Parameters
    ----------
    rows : sequence of Finding
        The rows of one detector.
    detectors : int
        How many were judged in the same call.

    Returns
    -------
    str
        Better than chance; not distinguishable from it, with about how many events it would take;
        below it; too few shifts to tell; no events to find; no alarm at all, or nothing but alarm.

    Examples
    --------
    >>> row = Finding("mine", "f1_ba(width=9)", 0.61, None, "given", "f1_ba", chance=0.19,
    ...               low=0.4, high=0.8, p_value=0.005, p_adjusted=0.005, p_joint=0.01,
    ...               shifts=199, event_count=12)
    >>> verdict([row])
    'mine is better than chance: f1_ba(width=9) 0.61 (95 % interval 0.40 to 0.80); the same \
alarms at other times score 0.19 (p <= 0.005, 0.01 at times nearby).'
    """
    name = visible(rows[0].detector)
    row = main_row(rows)
    if any(row.null and not row.event_count for row in rows):
        return f"{name}: there are no events, so only false alarms can be judged."
    if is_silent(rows):
        return f"{name} never raises an alarm, so there is nothing to compare with chance."
    if row is None:
        return f"{name}: nothing that can be compared with chance."
    if row.chosen_by in {"given", "rule"} and row.score_low > (row.at or 0):
        return f"{name} flags every point, as an always-on alarm does: {_values(row)}."
    return f"{name} {_finding(row, detectors)}"


def _finding(row: Finding, detectors: int) -> str:
    said = _values(row)
    if is_better_than_chance([row]):
        return f"is better than chance: {said}.{_shared(row)}"
    if _floor(row) > CLEAR:
        least = math.ceil(1 / CLEAR) - 1
        return f"had too few shifts to tell ({row.shifts}, where {least} are the least): {said}."
    if not row.decided:
        return _undecided(row, said)
    if row.p_value <= CLEAR < row.p_joint:
        return _by_one_null_alone(row, said)
    if is_below_chance(row, detectors):
        return f"is below chance: {said}. Are the scores inverted?"
    return (
        f"is not distinguishable from chance: {said}{_needed(row)}.{_often_below(row, detectors)}"
    )


def _often_below(row: Finding, detectors: int) -> str:
    """Say of one of many detectors that it may be below chance, or the unlucky one among them."""
    if not is_below_chance(row, 1):
        return ""
    return (
        f" At {100 * (1 - row.p_below):.0f} % of other times it would do better: the scores may be "
        f"inverted, or it is the unlucky one of {detectors} detectors."
    )


def _shared(row: Finding) -> str:
    """Say what else than skill may be behind it: a rhythm, or a part of the series."""
    if not row.shared_times:
        return ""
    if "part of the series" in row.shared_times:
        return f" But {row.shared_times}: what they share within a tenth of it is no skill."
    return f' But {row.shared_times}: compare it with null="seasonal", which keeps that rhythm.'


def _undecided(row: Finding, said: str) -> str:
    """Say that the places that were tried do not decide it."""
    if row.exact or row.shifts >= VERY_MANY:
        return f"is on the line between better than chance and not: {said}."
    return f"cannot be told from chance, nor called no better, with {row.shifts} shifts: {said}."


def _by_one_null_alone(row: Finding, said: str) -> str:
    """Say by which null model a detector that is better by the one asked for is not."""
    if row.p_nearby <= CLEAR:
        return (
            f"is not distinguishable from chance: {said}. Detectors that know nothing do as well "
            f"by another null model that a verdict needs (p = {row.p_joint:.3g})."
        )
    if not row.room_nearby:
        return (
            f"does better than at other places: {said}. That this is no common drift of alarms and "
            "events cannot be shown: events this wide leave too few places nearby "
            f"(p = {row.p_nearby:.3g})."
        )
    return (
        f"is not distinguishable from chance: {said}. Its alarms come in the part of the "
        "series in which the events come: moved within their tenth of the series they do as "
        f"well (p = {row.p_nearby:.3g})."
    )


def _values(row: Finding) -> str:
    interval = interval_words(row)
    interval = f" ({interval})" if interval else ""
    again = ", each time with the best threshold," if row.chosen_by == "oracle" else ""
    opponent = words_of(row.null) or ShiftedNull.words
    if row.chosen_by == "none":  # it judges all thresholds: there are scores, but no alarms
        opponent = opponent.replace("alarms", "scores")
    return (
        f"{row.metric} {value_text(row, 2)}{interval}; {opponent}{again} score "
        f"{beside_text(row, row.chance, 2)} ({p_words(row)})"
    )


def interval_words(row: Finding) -> str:
    """Say the interval of a row and what it rests on, or why there is none.

    >>> row = Finding("mine", "f1", 0.6, None, "given", low=0.4, high=0.8,
    ...               evidence="the evidence is 5 series, not 50 events")
    >>> interval_words(row)
    '95 % interval 0.40 to 0.80; the evidence is 5 series, not 50 events'
    >>> row = Finding("mine", "f1", 0.6, None, "given", conditional_low=0.5, conditional_high=0.7,
    ...               evidence="too few to say: 2 series", evidence_units=2)
    >>> interval_words(row)
    'too few to say: 2 series; for these two 0.50 to 0.70'
    """
    every = row.low, row.high, row.conditional_low, row.conditional_high
    low, high, *inner = (beside_text(row, end, 2) for end in every)
    said = [f"95 % interval {low} to {high}"] if low else []
    said += [row.evidence] if row.evidence else []
    said += [f"{for_these(row.evidence_units)} {' to '.join(inner)}"] if inner[0] else []
    return "; ".join(said)


def p_words(row: Finding) -> str:
    """Print a p-value; one that could not be smaller says so.

    >>> p_words(Finding("", "f1", 1.0, None, "given", p_value=0.01, shifts=99))
    'p <= 0.01 over 99 draws'
    """
    sign = "<=" if is_smallest(row) else "="
    said = f"p {sign} {row.p_value:.3g}"
    if row.shifts < MANY and not row.exact:
        said = f"{said} over {row.shifts} draws"
    if row.p_adjusted > row.p_joint:
        return f"{said}, {row.p_adjusted:.3g} adjusted for the number of detectors"
    if row.p_joint > row.p_value:
        return f"{said}, {row.p_joint:.3g} at times nearby"
    return said


def is_smallest(row: Finding) -> bool:
    """Whether a p-value is the smallest that so many drawn shifts can show, the true one less.

    >>> is_smallest(Finding("", "f1", 1.0, None, "given", p_value=0.01, shifts=99))
    True
    """
    return not row.exact and row.p_value <= _floor(row) * (1 + 1e-9)


def _floor(row: Finding) -> float:
    """The smallest p-value that so many shifts can show."""
    return 1 / max(row.shifts + (not row.exact), 1)


def _needed(row: Finding) -> str:
    if row.events_needed is None or row.events_needed <= row.event_count:
        return ""
    most = "or more" if row.needed_high is None else f"to {row.needed_high}"
    return (
        f"; if it is as good as that, about {row.events_needed} events would show it "
        f"(there are {row.event_count}), perhaps {row.needed_low} {most}"
    )


def citations(rows: Sequence[Finding], version: str) -> list[str]:
    """The lines to cite the values of several detectors by; one where it holds for all."""
    lines = [citation(row, version) for row in rows]
    if len(set(lines)) > 1:
        names = [f"to cite {visible(row.detector)}:" for row in rows]
        lines = [f"{a}{b.removeprefix('to cite:')}" for a, b in zip(names, lines, strict=True)]
    return list(dict.fromkeys(lines))


def citation(row: Finding, version: str) -> str:
    """The line to cite a value by: the spec, which reads back as the metric, and the threshold.

    >>> citation(Finding("mine", "f1_ba(width=101)", 0.6, None, "given"), "0.1")
    'to cite: f1_ba(width=101), corrected reading, adjudge 0.1'
    >>> citation(Finding("mine", "f1_ba(width=101)", 0.6, 0.75, "given"), "0.1")
    'to cite: f1_ba(width=101), corrected reading, threshold 0.75, adjudge 0.1'
    """
    metric = row.judged_by or read_metric(row.metric)
    threshold = "" if metric.at is not None else _threshold(row, metric)
    reading = metric.parts.adjust.named_reading
    named = f", {reading} reading" if reading else ""
    return f"to cite: {row.metric}{named}{threshold}, adjudge {version}"


def _threshold(row: Finding, metric: Metric) -> str:
    """How the threshold was chosen: by a rule, whose words are enough to find it again, or so."""
    if metric.oracle:
        by = f", alarms by {row.rule}" if row.rule.startswith(POLICY) else ""
        return f"{by}, threshold best in hindsight"
    if row.rule:
        return f", threshold by {row.rule}"
    return "" if row.at is None else f", threshold {float(row.at)}"


_HARDLY, _MUCH = 5e-4, 0.05
_COARSE = 0.01  # a grid of thresholds that moves a value by more is named


def remarks(rows: Sequence[Finding], *, verbose: bool = False) -> list[str]:
    """Say what else there is to know: of evidence, grids of thresholds, and balanced adjustment.

    Intervals that rest on something else than as many events are told, and where they are known to
    hold the truth less often than they say. A grid of thresholds is told where it moves the value
    by more than 1 %. Other readings of balanced adjustment, and how much the island width lets
    random alarms score, are told where they change the picture: another reading is down at chance,
    or random alarms may score over 5 % more than an always-on alarm. On request all of these are
    told.
    """
    return [
        *_evidence_remarks(rows, verbose),
        *_grid_remarks(rows),
        *_reading_remarks(rows, verbose),
        *_width_remarks(rows, verbose),
        *_position_remarks(rows),
    ]


def _position_remarks(rows: Sequence[Finding]) -> list[str]:
    """Say what one alarm per window would score, and where a test of changes is weak."""
    names = short_names(rows)
    blind = [f"{names[row.asked]}: one alarm per window would score {row.blind:.4g}"
             for row in rows if not math.isnan(row.blind)]  # fmt: skip
    even = any(row.evenly_spaced for row in rows)
    return [
        *blind[:1],
        *[
            "changes lie at nearly equal distances: moved by one of these, alarms find them "
            "again, so the test of chance is weak here"
        ]
        * even,
    ]


def skipped_notes(rows: Sequence[Finding]) -> list[str]:
    """Say how many points have no score, and how much time has no points."""
    skipped: dict[str, int] = {}
    for row in rows:  # of channels, rows of all as one leave fewer out
        skipped[row.detector] = max(row.skipped, skipped.get(row.detector, 0))
    left = [
        f"{name}: {count:,} points without a score left out"
        for name, count in skipped.items()
        if count
    ]
    return [*left, *dict.fromkeys(row.gaps for row in rows if row.gaps)]


_HELD = {FOUND_TOGETHER: "85 to 91 %", QUIET_ALIKE: "83 to 88 %"}
"""How often intervals held the truth: events in groups of 1 to 5; storms, and scores that wander"""
_UNSEEN = 0.9  # the share of units of the common kind
_RARELY, _OFTEN = 0.05, 1 / 3  # less need not be told of events, and of series


def _evidence_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    """Say what all intervals rest on, if that is not the events, and where they are weak."""
    detectors = dict.fromkeys(row.detector for row in rows)
    main = (main_row([row for row in rows if row.detector == name]) for name in detectors)
    known = [row for row in main if row is not None and row.evidence]
    of_events = [row for row in known if row.evidence_unit == "event"]
    notes = [f"95 % intervals: {row.evidence}" for row in known if row.evidence_unit != "event"]
    notes += [
        f"where neighbouring events are {alike}, 95 % intervals contained the true value in {held} "
        "of simulated cases: say what belongs together by group= (--group COL)"
        for alike, held in _HELD.items()
        if any(alike in row.evidence for row in of_events)
    ]
    notes += [_unseen(row) for row in known if verbose or _has_rare_kinds(row)]
    return [note for note in dict.fromkeys(notes) if note]


def _has_rare_kinds(row: Finding) -> bool:
    """Whether a kind that was not seen would matter: long events, bad stretches, other series."""
    if row.evidence_unit != "event":
        return _UNSEEN**row.evidence_units > _OFTEN
    return "long ones" in row.evidence or row.chosen_by == "none"


def _unseen(row: Finding) -> str:
    """Say how often a kind that is one in ten is missing from so few units."""
    missed = _UNSEEN**row.evidence_units
    if missed < _RARELY or math.isnan(row.low):
        return ""
    units = in_words(row.evidence_units, row.evidence_unit)
    of_events = row.evidence_unit == "event"
    kinds = "events and normal time" if of_events else units.split(" ", 1)[1]
    return (
        f"intervals are about {kinds} like these: a kind that makes up a tenth of them is missing "
        f"in {100 * missed:.0f} % of samples of {units}"
    )


def _grid_remarks(rows: Sequence[Finding]) -> list[str]:
    """Give the value over every threshold where a grid of thresholds moves it by over 1 %."""
    said = []
    names = told_apart(dict.fromkeys(row.asked or row.metric for row in rows))
    for asked, name in names.items():
        own = [row for row in rows if (row.asked or row.metric) == asked]
        moved = [row for row in own if _shift(row) > _COARSE * abs(row.every_threshold)]
        if len(moved) > FEW:
            most = max(moved, key=_shift)
            said.append(
                f"{name}: a grid of thresholds moves {len(moved)} of {len(own)} values by over "
                f"{100 * _COARSE:.0f} %, most of all {most.value:.4f} ({most.detector}), which "
                f"is {most.every_threshold:.4f} over every threshold (thresholds=None)"
            )
        else:
            said += [
                f"{row.detector}: {name} is {row.value:.4f} over a grid of thresholds, and "
                f"{row.every_threshold:.4f} over every threshold (thresholds=None)"
                for row in moved
            ]
    return said


def _shift(row: Finding) -> float:
    return abs(row.value - row.every_threshold)


def _reading_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    said = []
    for row in rows:
        short = told_apart([row.asked or row.metric]).popitem()[1]
        for name, value in row.readings.items():
            sunk = not is_lower(row) and value <= row.chance < row.value
            if verbose or sunk:
                down = f", no more than by chance ({row.chance:.4f})" if sunk else ""
                said.append(
                    f"{row.detector}: {short} is {row.value:.4f}; {READINGS[name][1]} "
                    f"({name!r}) it would be {value:.4f}{down}"
                )
    return said


def _width_remarks(rows: Sequence[Finding], verbose: bool) -> list[str]:
    """Say what the island width lets random alarms score, at whatever threshold."""
    detectors = dict.fromkeys(row.detector for row in rows)
    main = (main_row([row for row in rows if row.detector == name]) for name in detectors)
    said: dict[str, None] = {}
    for row in main:
        if row is None or math.isnan(row.overshoot):
            continue
        more = row.overshoot - 1
        if verbose or more > _MUCH:
            most = "no more than" if more < _HARDLY else f"up to {100 * more:.1f} % more than"
            said[
                f"islands of {row.width} points: random alarms score, on average, {most} "
                "an always-on alarm"
            ] = None
    return list(said)


ORACLE = "best: threshold chosen by looking at the labels, an upper bound, not a result"


POLICY = "policy("


def budget_notes(rows: Sequence[Finding], names: dict[str, str]) -> list[str]:
    """Say above what is flagged at the end of each budget of false alarms."""
    return [
        f"{names[row.asked]}: "
        + ", ".join(f"above {level:.6g} within {rate}" for rate, level in row.budgets.items())
        for row in rows
        if row.budgets
    ]


def worth_note(row: Finding, name: str) -> str:
    """Say whether a detector is worth having, beside detectors that look at no data."""
    others = [f"{how} {_money(paid)}" for how, paid in row.without_data.items()]
    least = min(row.without_data.values())
    said = "is not worth having"
    if row.value < least:
        said = "is worth having" if row.high < least else "may be worth having"
    if row.chosen_by == "oracle":
        said = "could be worth having with the best threshold" if row.value < least else said
    who = name.removesuffix(f" {LOWER}")
    return f"{who}: {row.detector} {said}: {_money(row.value)}, where paging {', '.join(others)}"


def _money(paid: float) -> str:
    return f"{paid:,.0f}" if paid >= 100 else f"{paid:.4g}"


def common_threshold(rows: Sequence[Finding]) -> bool:
    """Whether one threshold, or none, was used throughout."""
    oracle = any(row.chosen_by == "oracle" for row in rows)
    return not oracle and len({row.at for row in rows if row.at is not None}) <= 1


def threshold_notes(rows: Sequence[Finding]) -> list[str]:
    """Say above what was flagged, and who chose that; of each detector, where they differ."""
    given = [
        r for r in rows if r.at is not None and r.chosen_by != "oracle" and "at=" not in r.asked
    ]
    levels: dict[tuple[str, str], list[Finding]] = {}
    apart = not common_threshold(given) and len({row.detector for row in given}) > 1
    for row in given:
        levels.setdefault((f"{row.detector}: " if apart else "", row.rule), []).append(row)
    notes = [f"{who}{_in_words(found, rule)}" for (who, rule), found in levels.items()]
    notes += dict.fromkeys(
        f"alarms by {row.rule}"
        for row in rows
        if row.rule.startswith(POLICY) and row not in given and "at=" not in row.asked
    )
    notes = list(dict.fromkeys(notes))
    return [*notes, *([ORACLE] if any(row.chosen_by == "oracle" for row in rows) else [])]


def extreme_notes(rows: Sequence[Finding]) -> list[str]:
    """Say of which detectors nothing is flagged, or everything, and where their scores lie."""
    return list(dict.fromkeys(f"{row.detector}: {row.extreme}" for row in rows if row.extreme))


def _in_words(rows: Sequence[Finding], rule: str) -> str:
    low, *_, high = sorted([*rows, *rows], key=lambda row: row.at or 0.0)
    if rule.startswith(POLICY) and low.chosen_by == "given":
        return f"alarms by {rule}"
    said = at_text(low) if low.at == high.at else f"{at_text(low)} to {at_text(high)}"
    return f"flagged above {said}" + (f", by {rule}" if rule else "")
