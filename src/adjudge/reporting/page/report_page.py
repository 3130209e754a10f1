"""The report: one or several detectors on the same labels, as a page with a movable threshold.

The page of a very long series has no scores: it draws the lowest and the highest of each column, so
that no alarm and no event disappears.

The time of each point, for the axis of a page: instants, or numbers as they are.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from adjudge._version import __version__
from adjudge.checks import suggest_keywords
from adjudge.data.clock import Clock
from adjudge.data.columns import column
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.data.time_settings import even_step, point_seconds
from adjudge.errors import InputError
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.doors.over_time import over_time as in_windows
from adjudge.judging.inputs.contract import GroupedColumns
from adjudge.judging.inputs.door import read, takes_input
from adjudge.judging.judge.verdict import main_row
from adjudge.judging.on_call.case import first_alert
from adjudge.judging.result_tables import Style, detector_table
from adjudge.judging.words.citation import citations
from adjudge.judging.words.remarks import remarks
from adjudge.metrics.reader import metric
from adjudge.reporting.page.assembly import (
    packed_counts,
    packed_flags,
    packed_numbers,
    packed_places,
    page,
    plain_name,
    write_page,
)
from adjudge.reporting.page.detector_payload import (
    PageFrame,
    balanced,
    cited,
    column_starts,
    detector,
    verdict_of,
)
from adjudge.tables.look import SCORES, percent

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from adjudge._typing import Column
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.judging.over_time.windows import OverTime
    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric
    from adjudge.noise.null_models import Null

_POINTS = 200_000  # of one series
_VALUES = 500_000  # points times detectors of a page


def needs_overview(events: Events, detectors: int) -> bool:
    """Tell whether a page with every score would be too large to send."""
    longest = int(np.diff(events.series_bounds).max())
    return longest > _POINTS or events.n * detectors > _VALUES


def is_numeric(time: Column) -> bool:
    """Tell times that are plain numbers, of no known unit."""
    return time is not None and not isinstance(time, Clock) and np.asarray(time).dtype.kind in "iuf"


def packed_time(time: Column, points: int) -> dict[str, Any] | None:
    """Pack one time per point: dates as seconds since 1970, numbers as numbers.

    >>> packed_time(["2026-01-31 23:59", "2026-02-01 00:00"], 2)["date"]
    True
    >>> packed_time([0.0, 0.5], 2)["date"]
    False
    """
    if time is None:
        return None
    clock = time if isinstance(time, Clock) else None if is_numeric(time) else Clock.read(time)
    values = np.asarray(time) if clock is None else clock.instants / 1e9
    zone = None if clock is None else clock.zone
    if clock is not None and zone is not None and zone[0] in "+-":  # not every browser knows these
        values, zone = values + _ahead(clock), _offset_words(zone)
    if values.shape != (points,):
        raise InputError(
            f"time must be one time per point, got shape {values.shape} for {points} points"
        )
    steps = np.diff(values)
    regular = steps.size > 0 and bool(np.all(steps == steps[0]))
    return {
        "date": clock is not None,
        "zone": zone,
        "first": float(values[0]),
        "step": float(steps[0]) if regular else None,
        "values": None if regular else packed_numbers(np.asarray(values, np.float64)),
    }


def _offset_words(zone: str) -> str:
    """A zone of a fixed offset, as a reader knows it.

    >>> _offset_words("+00:00"), _offset_words("+05:30")
    ('UTC', 'UTC+05:30')
    """
    return "UTC" if zone.strip("+-0:") == "" else f"UTC{zone}"


def _ahead(clock: Clock) -> float:
    """The seconds that a zone such as +01:00 is ahead of UTC."""
    offset = clock.tzinfo.utcoffset(None)
    return 0.0 if offset is None else offset.total_seconds()


_CHOSEN = {
    "given": "given",
    "rule": "found by a rule, without the labels",
    "tuned": "tuned on another part",
    "oracle": "the best one in hindsight: an upper bound, not a result",
}


class PageOptions(GroupedColumns, total=False):
    """What `report` hands on: columns to the input, all else to `adjudge.evaluate`."""

    zero_division: float
    oracle: bool
    chance: bool | None
    null: str | Null
    period: Any
    shifts: int | None
    white_noise: bool
    label_slack: int
    unit: str
    seed: int
    progress: Callable[[float, int], None] | None


@suggest_keywords("report", passes_on=PageOptions)
@takes_input()
def report(
    labels: Column,
    scores: Column = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = None,
    *,
    path: str | os.PathLike[str] = "report.html",
    title: str = "adjudge report",
    signal: Any = None,
    over_time: Any = None,
    **options: Unpack[PageOptions],
) -> Path:
    """Write an offline HTML report on detectors.

    The page opens in any browser, without a network: a verdict, how many events were found, false
    alarms a week, the typical delay and the balanced score next to chance; then scores, events and
    alarms over time, a threshold slider, the receipt of the score, and every value.

    Parameters
    ----------
    labels, scores, metrics, at
        As in `adjudge.evaluate`; scores may hold several detectors, incidents are judged against
        alerts, and an input replaces labels and scores.
    path : path
        Where to write.
    title : str
        The page's heading, such as the name of the data.
    signal : column or mapping of columns, optional
        What the sensors measured, one value per point: drawn above the scores.
    over_time : duration, or number of points, optional
        Also draw the values of each window of this length, as `adjudge.over_time` judges them:
        "1w". Without time: a number of points.
    **options
        Further options of `adjudge.evaluate`: series, where, chance, ... ``time`` may be plain
        numbers, used only for the axis.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    InputError
        If columns do not fit together, or detectors were judged on different points.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> report([0, 0, 1, 1, 0, 0], [0, 0, 1, 0, 0, 1], path=folder / "report.html").name
    'report.html'
    """
    given: dict[str, Any] = dict(options)
    columns = {name: given.pop(name) for name in GroupedColumns.__annotations__ if name in given}
    axis = columns.pop("time") if is_numeric(columns.get("time")) else None  # of no known unit
    data = read(labels, scores, columns)
    judged, windows = evaluate(data, metrics, at, **given), None
    if over_time is not None:
        takes = signature(in_windows).parameters
        beside = {name: value for name, value in given.items() if name in takes}
        beside["chance"] = given.get("chance") is not False
        windows = in_windows(data, metrics, at, window=over_time, **beside)
    return write_report(judged, path, title=title, time=axis, signal=signal, windows=windows)


def write_report(
    judgement: Judgement,
    path: str | os.PathLike[str],
    *,
    title: str = "adjudge report",
    time: Column = None,
    signal: Any = None,
    compared: str = "",
    windows: OverTime | None = None,
    read_as: str = "",
) -> Path:
    """Write the page of a judgement that still holds its cases.

    ``read_as``: the file that was read and the options that read it, as a shell has them.
    ``compared``: what changed from the first detector to the second, in a sentence.
    ``windows``: the same detectors window by window.
    """
    if judgement.alert_cases:
        if signal is not None:
            raise InputError(
                "signal must be left out with incidents and alerts, which it is not of"
            )
        return write_page(path, _page_of_things(judgement, title, windows))
    if not judgement.cases:
        raise InputError(
            "a page needs labels and scores, and this judgement holds values alone; "
            "write it from the judgement that evaluate gave"
        )
    case = judgement.cases[0]
    if case.events.changes is not None:
        raise InputError(
            "a report judges points, and changes have no length; give them a window: "
            "changes.windows(before=..., after=...), or print what evaluate and explain say"
        )
    _check_same_points(judgement.cases)
    signals, many = _signals(signal, case.events.n), len(judgement.cases)
    short = needs_overview(case.events, many)
    frame = PageFrame(
        column_starts(case.events, many), many, _step(case.events), short, {}, read_as
    )
    rows = [judgement.of(one.name) for one in judgement.cases]
    detectors = [detector(*one, frame) for one in zip(judgement.cases, rows, strict=True)]
    payload = {
        **_truth(case),
        "columns": packed_counts(np.diff(frame.starts, append=case.events.n)),
        "detectors": detectors,
    }
    payload |= {"signals": signals, "watched": _watched(case.events)}
    payload["time"] = packed_time(case.events.clock if time is None else time, case.events.n)
    payload |= {"title": plain_name(title), "version": __version__, "things": None}
    payload |= {"compared": bool(compared), "windows": _windows(judgement, windows)}
    words = {**_words(judgement, title), "short": short, "compared": compared}
    words["windows"] = None if windows is None else windows.layout()
    words["facts"] = _facts(case, len(judgement.cases)) + _facts_beside(judgement)
    words["series"] = case.events.series_count
    words["settings"] = [(f"threshold of {d['name']}", _threshold_text(d)) for d in detectors]
    words["exact"] = all(d["exact"] for d in detectors)
    words["score_title"] = _score_title(detectors[0]["metrics"][0]["title"])
    words["tiles"] = detectors[0]["tiles"]
    return write_page(path, page("report", payload, **words))


def _signals(signal: Any, points: int) -> list[dict[str, Any]]:
    """Pack what sensors measured: one column, or several by name."""
    if signal is None:
        return []
    columns = signal if isinstance(signal, Mapping) else {"signal": signal}
    found = []
    for name, values in columns.items():
        array = np.asarray(column(values, f"signal {name!r}"), np.float64)
        if array.shape != (points,):
            raise InputError(
                f"signal must have one value per point, got shape {array.shape} in {name!r} for "
                f"{points} points"
            )
        drawn = array.astype(np.float32).astype(np.float64)  # as finely as it can be drawn
        found.append({"name": plain_name(name), "values": packed_numbers(drawn)})
    return found


def _threshold_text(detector: dict[str, Any]) -> str:
    if detector["flags"]:
        return "none: 0/1 flags"
    return f"{detector['at_text']}, {_CHOSEN[detector['chosen_by']]}"


def _check_same_points(cases: tuple[Case, ...]) -> None:
    """Refuse detectors that were judged on different points: a page has one truth."""
    first, *others = (case.events for case in cases)
    for case, events in zip(cases[1:], others, strict=True):
        if not np.array_equal(first.normal, events.normal):
            raise InputError(
                f"a page needs detectors that were judged on the same points, got others for "
                f"{case.name!r}; write one page per detector"
            )


def _truth(case: Case) -> dict[str, Any]:
    events = case.events
    names = [""] if events.names is None else [plain_name(name) for name in events.names.tolist()]
    return {
        "n": events.n,
        "starts": packed_places(events.starts),
        "stops": packed_places(events.stops),
        "bounds": packed_places(events.series_bounds),
        "judged": None if events.judged is None else packed_flags(events.judged),
        "series": names,
        "series_bounds": packed_places(events.whole_series),
        "step": _step(events),
    }


def _step(events: Events) -> float:
    """The seconds for which a point stands, on average: what rates are per."""
    if events.clock is None:
        return math.nan
    step = even_step(events)
    if step is not None or not events.normal.any():
        return (step or 0) / NANOSECONDS["s"]
    return float(point_seconds(events)[events.normal].mean())


def _watched(events: Events) -> float:
    """The seconds that were judged; without times the points."""
    points = events.n if events.judged is None else int(np.count_nonzero(events.judged))
    step = _step(events)
    return points if math.isnan(step) else points * step


def _words(judgement: Judgement, title: str) -> dict[str, Any]:
    """What the page says in text, which a browser without scripts shows as well."""
    parts = [(plain_name(name), judgement.of(name)) for name in judgement.detectors]
    main = [row for row in (main_row(rows) for _, rows in parts) if row is not None]
    return {
        "title": title,
        "verdicts": [*judgement.on_call_sentences, *(judgement.verdicts.values() if main else [])],
        "notes": remarks(judgement.rows, verbose=True),
        "tables": [(name, *_against_chance(rows)) for name, rows in parts],
        "citations": citations([cited(rows) for _, rows in parts], __version__),
        "tested": any(row.shifts for row in judgement.rows),
        "null": judgement.rows[0].null,
        "several": len(parts) > 1,
        "things": bool(judgement.alert_cases),
        **_beside(judgement),
        "noun": "incident" if judgement.alert_cases else "event",
        "versions": {
            "adjudge": __version__,
            "Python": platform.python_version(),
            "NumPy": np.__version__,
        },
    }


def _beside(judgement: Judgement) -> dict[str, Any]:
    """The tables of single channels or annotators, where there are several."""
    parts = [one for one in (judgement.channels, judgement.annotators) if one is not None]
    return {
        "beside": [table for one in parts for table in one.tables],
        "beside_notes": [note for one in parts for note in one.notes],
        "beside_intro": _as_one(judgement),
        "beside_title": "By channel" if judgement.channels is not None else "By annotator",
    }


_VOTED = {"majority": "what most annotators marked", "all": "what all annotators marked"}


def _as_one(judgement: Judgement) -> str:
    """Say what the page above these tables takes for the truth."""
    if judgement.channels is not None:
        return (
            "Above, all channels are one: anomalous where any of them is, with the highest score "
            "of all."
        )
    if judgement.annotators is not None:
        marked = _VOTED.get(judgement.annotators.votes, "what any annotator marked")
        return f"Above, {marked} is an event. Below are the values by the labels of each."
    return ""


def _facts_beside(judgement: Judgement) -> str:
    if judgement.channels is not None:
        return f", {_many(len(judgement.channels.names), 'channel')} as one"
    if judgement.annotators is not None:
        marked = {"majority": "most", "all": "all"}.get(judgement.annotators.votes, "any")
        return f", marked by {marked} of {_many(len(judgement.annotators.names), 'annotator')}"
    return ""


def _tiles_of_alerts(case: OnCallCase, rows: Sequence[Finding]) -> dict[str, str]:
    """The numbers of the first detector, for a browser without scripts."""
    known, row = dict(case.answer), balanced(rows)
    weekly, late = known["false_per_week"], known["delay_median_seconds"]
    return {
        "found": f"{known['found']} of {known['judged']}",
        "false": f"{known['alerts_false']:,}" if weekly is None else f"{weekly:.2g} a week",
        "delay": "" if late is None else in_words(late * NANOSECONDS["s"]),
        "score": "" if row is None or math.isnan(row.value) else f"{row.value:.2f}",
    }


def _windows(judgement: Judgement, found: OverTime | None) -> dict[str, Any] | None:
    """Values window by window, for a chart of each metric."""
    if found is None or not found.rows:
        return None
    side = "end" if found.grows else "start"
    when: dict[str, int] = {}
    metrics = {row.requested: _axis_of(row) for row in found.whole.rows}
    for row in found.rows:
        metrics[row.metric]["rows"].append(
            {
                "detector": judgement.detectors.index(row.detector),
                "place": when.setdefault(getattr(row, side), len(when)),
                **{name: getattr(row, name) for name in _OF_WINDOW},
            }
        )
    return {"when": list(when), "grows": found.grows, "metrics": list(metrics.values())}


def _axis_of(row: Finding) -> dict[str, Any]:
    """A metric, and the ends of its values where they are known."""
    ends = (row.resolved_metric or metric(row.metric)).row.range
    least, most = (end if math.isfinite(end) else None for end in ends)
    return {"name": row.requested, "least": least, "most": most, "rows": []}


_OF_WINDOW = ("complete", "events", "value", "chance", "low", "high")


def _page_of_things(judgement: Judgement, title: str, windows: OverTime | None) -> str:
    """The page of incidents and alerts, each at its own time."""
    cases = judgement.alert_cases
    first, weeks = cases[0], cases[0].watched.team.length
    payload = {
        "title": plain_name(title),
        "version": __version__,
        "windows": _windows(judgement, windows),
        "things": {
            "timed": not first.incidents.is_in_points,
            "zone": _things_zone(first),
            "span": [_second(first, end) for end in first.watched.span],
            "services": [plain_name(name) for name in first.watched.parts],
            "watched": weeks / first.second,
            "outages": _outages(first),
            "detectors": [_alerts(case, judgement.of(case.name), len(cases)) for case in cases],
        },
    }
    words = {**_words(judgement, title), "short": False, "compared": "", "series": 1}
    words["windows"] = None if windows is None else windows.layout()
    judged = first.answer.judged
    parts = [_many(judged, "incident"), _many(len(first.watched.parts), "service")]
    parts.append(_many(len(cases), "detector"))
    words |= {"facts": ", ".join(parts), "settings": [], "exact": True}
    words |= {"score_title": _score_title(SCORES["f1_ba"])}
    words |= {"tiles": _tiles_of_alerts(first, judgement.of(first.name))}
    return page("report", payload, **words)


def _second(case: OnCallCase, instant: int) -> float:
    """An instant as seconds since 1970, on the clock of a fixed offset; or a point."""
    return instant / case.second + (_fixed_offset(case) if not case.incidents.is_in_points else 0)


def _fixed_offset(case: OnCallCase) -> float:
    clock = case.incidents.clock
    fixed = clock is not None and clock.zone is not None and clock.zone[0] in "+-"
    return _ahead(clock) if fixed and clock is not None else 0.0


def _things_zone(case: OnCallCase) -> str | None:
    clock = case.incidents.clock
    zone = None if clock is None else clock.zone
    return zone if zone is None or zone[0] not in "+-" else _offset_words(zone)


def _outages(case: OnCallCase) -> list[list[Any]]:
    """The stretches of the span in which a service was not watched."""
    found = []
    for service, part in case.watched.parts.items():
        edges = [case.watched.span[0], *np.stack(part, axis=1).ravel().tolist()]
        edges.append(case.watched.span[1])
        found += [
            [plain_name(service), _second(case, low), _second(case, high)]
            for low, high in zip(edges[::2], edges[1::2], strict=True)
            if high > low
        ]
    return found


def _alerts(case: OnCallCase, rows: tuple[Finding, ...], detectors: int) -> dict[str, Any]:
    """One detector's alerts beside the incidents, and what they come to."""
    return {
        "name": plain_name(case.name),
        "at": "" if case.at is None else f"{case.at:g}",
        "numbers": dict(case.answer),
        "incidents": _incident_rows(case),
        "alerts": _alert_rows(case),
        "verdict": {**verdict_of(balanced(rows), rows, detectors), **_band_in_time(case, rows)},
    }


def _incident_rows(case: OnCallCase) -> list[dict[str, Any]]:
    found, told = case.count.incidents, case.events
    return [
        {
            "id": plain_name(event["id"]) if case.incidents.has_ids else "",
            "service": plain_name(found.service[number]),
            "start": _second(case, int(found.start[number])),
            "end": _second(case, int(found.end[number])),
            "open": bool(found.open[number]),
            "outcome": event["outcome"],
            "delay": event["delay"],
            "first": plain_name(first_alert(event)) if event["found"] else "",
        }
        for number, event in enumerate(told)
    ]


def _alert_rows(case: OnCallCase) -> list[dict[str, Any]]:
    found, alerts = case.count.alerts, case.alerts
    ends = np.minimum(alerts.until(case.watched.span[1]), case.watched.span[1])
    outcome = np.where(found.right, "right", np.where(found.counted, "false", "not counted"))
    named = [*(event["id"] for event in case.events), ""]
    return [
        {
            "id": plain_name(alerts.id[number]),
            "service": plain_name(alerts.place[number]),
            "start": _second(case, int(alerts.start[number])),
            "end": _second(case, max(int(ends[number]), int(alerts.start[number]))),
            "outcome": str(outcome[number]),
            "incident": plain_name(named[found.incident[number]]),
        }
        for number in range(len(alerts))
    ]


def _band_in_time(case: OnCallCase, rows: Sequence[Finding]) -> dict[str, float]:
    """Where nine places of ten lie along watched time."""
    row = balanced(rows)
    if row is None or row.resolved_metric is None or math.isnan(row.value):
        return {}
    values = case.turns.values(row.resolved_metric, None, 0).values
    defined = values[np.isfinite(values)]
    if not defined.size:
        return {}
    low, high = np.quantile(defined, [0.05, 0.95], method="inverted_cdf").tolist()
    return {"chance_low": low, "chance_high": high}


def _against_chance(rows: tuple[Finding, ...]) -> tuple[list[str], list[list[str]]]:
    """Lay the rows of one detector out with all their columns, each metric with its settings."""
    table = detector_table(rows, {row.requested: row.metric for row in rows}, Style(verbose=True))
    return table.head, table.rows


def _score_title(title: str) -> str:
    return f"balanced score ({title})" if title == SCORES["f1_ba"] else title


def _facts(case: Case, detectors: int) -> str:
    events = case.events
    judged = events.n if events.judged is None else int(np.count_nonzero(events.judged))
    anomalous = int(events.widths.sum())
    parts = [
        _many(events.n, "point"),
        f"{judged:,} of them judged" if judged < events.n else "",
        f"{events.series_count:,} series" if events.series_count > 1 else "",
        f"{_many(len(events), 'event')} ({percent(anomalous / judged, 2)} of points)",
        _many(detectors, "detector"),
    ]
    return ", ".join(part for part in parts if part)


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"
