"""Prometheus: samples of ALERTS, when other series had samples, and the alerts that fire now."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import FileError
from adjudge.io.exports.contract import (
    LABELS,
    SECONDS,
    STEP,
    TIME,
    Exported,
    Kind,
    Maybe,
    Needs,
    checked,
    export,
    inside,
    instant,
    label_roles,
    later,
    one_of,
)

if TYPE_CHECKING:
    from adjudge.io.exports.contract import Fields
    from adjudge.io.records import Records


_LONG = 30_000_000_000
"""Rules are seldom evaluated less often: a longer step misses alerts."""
_STALE = 300_000_000_000
"""Prometheus forgets a sample after five minutes, so no group of rules is evaluated less often."""
_ENOUGH = 3
"""So many equal distances of samples are no accident."""


def _is_metric(value: Any) -> bool:
    labels = LABELS.fits(value)
    return labels and (value.get("__name__") != "ALERTS" or value.get("alertstate") in _STATES)


def _are_samples(value: Any) -> bool:
    pairs = isinstance(value, list) and all(isinstance(v, list) and len(v) == 2 for v in value)
    return pairs and all(_TIME.fits(time) for time, _ in value)


_STATES = ("firing", "pending")
_TIME = instant("s")
_METRIC = Kind("labels, of ALERTS with an alertstate firing or pending", _is_metric)
_SAMPLES = Kind("pairs of a time in s since 1970 and a value", _are_samples)
_SERIES: Fields = {"metric": _METRIC, "values": _SAMPLES}


@export("prometheus", "`data.resultType` is `matrix`")
def prometheus(records: Records) -> Exported | None:
    """Read the answer to a query: an alert is a run of samples, one step long behind the last."""
    result = matrix_of(records)
    if result is None:
        return None
    series = _series(result)
    steps = np.concatenate([np.diff(times) for _, times in series] or [np.zeros(0, np.int64)])
    step = int(np.median(steps)) if steps.size else 0
    names = [labels.get("__name__") for labels, _ in series]
    if "ALERTS" not in names:
        return _samples(series, step)
    last = max(int(times[-1]) for _, times in series)
    rows = [
        row
        for labels, times in series
        if labels.get("__name__") == "ALERTS" and labels["alertstate"] == "firing"
        for row in _runs(labels, times, _own_step(times, step), last)
    ]
    warnings = []
    if step >= _LONG:
        warnings.append(
            f"sampled every {step // 10**9} s: alerts between two samples are not seen, and short "
            "gaps close; the query ALERTS[31d] has every evaluation"
        )
    others = len(names) - names.count("ALERTS")
    if others:
        warnings.append(f"{others} series left out that are not of ALERTS")
    fields = "samples of ALERTS that fire"
    return Exported(rows, fields, "ns", tuple(warnings), until=last + max(step, 1))


def matrix_of(records: Records) -> list[dict[str, Any]] | None:
    """The series of an answer to a range query, checked; None where the file is no such answer.

    Parameters
    ----------
    records : Records
        The file.
    """
    if inside(records.content, "status") == "error" and inside(records.content, "errorType"):
        raise FileError(f"{records.file}: Prometheus responded: {records.content.get('error')}")
    data = inside(records.content, "data")
    if inside(data, "resultType") != "matrix":
        return None
    found: list[dict[str, Any]] = checked(
        inside(data, "result"), [_SERIES], records.file, "data.result"
    )
    return found


def _series(result: list[dict[str, Any]]) -> list[tuple[dict[str, str], Any]]:
    """The times of the samples of each series, in nanoseconds; parts of a series are joined."""
    times: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for one in result:
        known = times.setdefault(tuple(sorted(one["metric"].items())), [])
        known += [round(float(time) * 1000) * 1_000_000 for time, _ in one["values"]]
    return [(dict(labels), np.unique(found)) for labels, found in times.items() if found]


def _own_step(times: Any, usual: int) -> int:
    """How often a series was evaluated: groups of rules differ. Few samples do not tell it.

    >>> _own_step(np.array([0, 60, 120, 180, 900]) * 10**9, 15 * 10**9) // 10**9
    60
    >>> _own_step(np.array([0, 3600, 7200, 10800]) * 10**9, 15 * 10**9) // 10**9  # alerts, hourly
    15
    """
    steps, counts = np.unique(np.diff(times), return_counts=True)
    told = bool(steps.size) and counts.max() >= _ENOUGH and steps[counts.argmax()] <= _STALE
    return int(steps[counts.argmax()]) if told else usual


def _runs(labels: dict[str, str], times: Any, step: int, last: int) -> list[dict[str, Any]]:
    """One row per run of samples; a run is open if it lasts to the last of all samples.

    Less than a step is no end: groups of rules are evaluated one after the other.
    """
    breaks = np.flatnonzero(np.diff(times) > 1.5 * step)
    first, end = np.append(0, breaks + 1), np.append(breaks, len(times) - 1)
    about = label_roles(labels)
    ends = [None if last - time < max(step, 1) else time + step for time in times[end].tolist()]
    return [
        {**about, "start": start, "end": end}
        for start, end in zip(times[first].tolist(), ends, strict=True)
    ]


def _samples(series: list[tuple[dict[str, str], Any]], step: int) -> Exported:
    """When a series had samples, for --watched: gaps of more than two steps are time without."""
    rows = []
    for labels, times in series:
        breaks = np.flatnonzero(np.diff(times) > 2 * step)
        first, end = np.append(0, breaks + 1), np.append(breaks, len(times) - 1)
        about = {"service": labels["service"]} if "service" in labels else {}
        rows += [
            {**about, "start": int(times[a]), "end": int(times[b]) + step}
            for a, b in zip(first.tolist(), end.tolist(), strict=True)
        ]
    return Exported(rows, "stretches with samples", "ns", stretches=bool(rows))


_ALERT: Fields = {
    "labels": LABELS,
    "activeAt": TIME,
    "state": one_of("firing", "pending", "inactive"),
}
_RULE: Fields = Needs(
    Needs(
        {"type": one_of("alerting", "recording"), "duration": Maybe(SECONDS),
         "alerts": Maybe([_ALERT])},
        "type", ("alerting",), ("alerts",),
    ),
    "type", ("alerting",), ("duration",),
)  # fmt: skip
_GROUP: Fields = {"interval": STEP, "rules": [_RULE]}
_NOW = "only alerts firing at the time of the query: not a history"


@export("prometheus alerts", "`data.alerts` with `activeAt`")
def alerts_now(records: Records) -> Exported | None:
    """Read /api/v1/alerts, which says when a rule began to hold; the alert came `for` later."""
    given = inside(records.content, "data.alerts")
    if not isinstance(given, list):
        return None
    alerts = checked(given, [_ALERT], records.file, "data.alerts")
    early = "activeAt is when a rule began to hold, earlier than its alert by `for`: /api/v1/rules"
    rows = _firing(alerts, 0)
    return Exported(rows, "activeAt, all open", warnings=(f"{early} has both", _NOW))


@export("prometheus rules", "`data.groups` with `rules`")
def rules_now(records: Records) -> Exported | None:
    """Read /api/v1/rules: an alert began at the first evaluation that was `for` after activeAt."""
    groups = inside(records.content, "data.groups")
    if not isinstance(groups, list):
        return None
    rows = [
        row
        for group in checked(groups, [_GROUP], records.file, "data.groups")
        for rule in group["rules"]
        if rule["type"] == "alerting"
        for row in _firing(rule["alerts"], _wait(rule["duration"], group["interval"]))
    ]
    return Exported(rows, "activeAt, later by `for`, all open", warnings=(_NOW,))


def _wait(hold: float, interval: float) -> float:
    """Seconds from the evaluation at which a rule began to hold to the one at which it alerts.

    >>> _wait(0, 15), _wait(20, 15), _wait(30, 15)
    (0, 30, 30)
    """
    return ceil(hold / interval) * interval


def _firing(alerts: list[dict[str, Any]], wait: float) -> list[dict[str, Any]]:
    return [
        {**label_roles(one["labels"]), "start": later(one["activeAt"], wait)}
        for one in alerts
        if one["state"] == "firing"  # not those that are pending
    ]
