"""What is given to a verb changes the result, or is refused by name: each verb, kind, argument.

The arguments are those of the signatures. For each there is a value, and where it needs one a case,
in which it makes a difference; the same value is given to every kind of data.
"""

import inspect
import json
from typing import Any

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import AdjudgeError

STEP_12 = pytest.mark.xfail(reason="inputs own their arguments: step 12 of the design")
N, HOUR = 120, np.timedelta64(1, "h")
RNG = np.random.default_rng(7)
LABELS = np.zeros(N, int)
for _start in (8, 27, 57, 88, 104):  # the third lies over the middle
    LABELS[_start : _start + 6] = 1
SCORES = (RNG.random(N) + 0.6 * LABELS).round(3)
TIMES = np.datetime64("2026-01-05T00:00", "s") + np.arange(N) * HOUR
AT = 0.8
EVENT = np.cumsum(np.diff(LABELS, prepend=0) == 1)
HOLES = np.where(np.arange(N) % 9, SCORES, np.nan)
GAPS = TIMES + np.where(np.arange(N) < 40, 0, 30) * HOUR
MIXED = RNG.permutation(N)

SPAN = ("2026-01-05", "2026-01-12")
INCIDENTS = aj.Incidents(
    ["2026-01-05 05:00", "2026-01-07 08:00", "2026-01-09 01:00", "2026-01-10 12:00"],
    ["2026-01-05 07:00", "2026-01-07 11:00", "2026-01-09 02:00", None],
    service=["a", "b", "a", "b"], severity=["low", "high", "low", "low"],
)  # fmt: skip
ALERTS = aj.Alerts(
    ["2026-01-05 04:50", "2026-01-07 09:00", "2026-01-08 01:00", "2026-01-10 15:00"],
    ["2026-01-05 04:55", "2026-01-07 09:30", "2026-01-08 01:20", "2026-01-10 15:20"],
    service=["a", "a", "b", "b"], score=[0.9, 0.8, 0.7, 0.95],
)  # fmt: skip
OTHERS = aj.Alerts(
    ["2026-01-06 04:50", "2026-01-07 08:30"], ["2026-01-06 05:00", "2026-01-07 08:40"],
    service=["a", "b"], score=[0.9, 0.6],
)  # fmt: skip
DARK = [("2026-01-07 07:00", "2026-01-08 02:00")]
CHANGES, ALARMS = aj.Changes([20, 60, 90], N), aj.Changes([22, 40, 63, 91, 110], N)
TABLE = np.column_stack([LABELS, np.roll(LABELS, 3)])
SEVERAL = np.column_stack([SCORES, np.roll(SCORES, 5)])

KINDS: dict[str, dict[str, Any]] = {
    "points": {"data": (LABELS, SCORES), "other": np.roll(SCORES, 3), "given": {}},
    "positions": {"data": (CHANGES, ALARMS), "other": aj.Changes([21, 70], N), "given": {}},
    "alerts": {"data": (INCIDENTS, ALERTS), "other": OTHERS, "given": {"span": SPAN}},
    "channels": {
        "data": (TABLE, SEVERAL), "other": np.roll(SEVERAL, 3, axis=0),
        "given": {"channels": ["x", "y"]},
    },
    "annotators": {
        "data": (TABLE, SCORES), "other": np.roll(SCORES, 3),
        "given": {"annotators": ["ann", "bob"]},
    },
}  # fmt: skip
"""Data of each kind, a second detector, and what must be said with them."""

TIMED = {"time": TIMES}
MADE: dict[str, tuple[Any, dict[str, Any]]] = {
    # a value, and what else is given so that it makes a difference
    "metrics": (["f1"], {}), "metric": ("event_recall", {}), "at": (0.9, {}),
    "series": (np.repeat(["a", "b"], N // 2), {}), "where": (np.arange(N) % 40 < 25, {}),
    "time": (GAPS, {}), "positive": (0, {}), "missing": ("skip", {"scores": HOLES}),
    "sort": (True, {"time": TIMES[MIXED]}), "per_series": (True, {"series": np.repeat([1, 2], 60)}),
    "zero_division": (0.5, {"labels": np.zeros(N, int)}), "oracle": (False, {"at": None}),
    "chance": (True, {}), "null": ("nearby", {"chance": True}),
    "period": (24, {"chance": True, "null": "seasonal"}), "shifts": (7, {"chance": True}),
    "white_noise": (True, {}), "label_slack": (2, {}), "unit": ("event", {
        "chance": True, "group": np.repeat([1, 2, 3], 40)}),
    "group": (np.repeat([1, 2, 3], 40), {"chance": True}),
    "kind": (np.where(LABELS, np.char.add("k", (EVENT % 2).astype(str)), ""), {}),
    "seed": (3, {"chance": True, "shifts": 7}),
    "span": (("2026-01-05", "2026-01-20"), {}), "watched": (DARK, {}), "outages": (DARK, {}),
    "early": ("1h", {}), "every": ("1h", {"metrics": ["f1"]}),
    "services": (["a", "b", "c"], {}), "channels": (["x", "y"], {}),
    "subsystem": ({"both": ["x", "y"]}, {}), "annotators": (["ann", "bob"], {}),
    "votes": ("any", {}), "draws": (50, {"metric": "best(f1)", "at": None}),
    "names": (("mine", "theirs"), {}), "candidates": ([0.9], {}),
    "costs": (aj.costs(miss=50, false=2), {"metric": None}), "budget": ("1/1d", {}),
    "blocks": ("2d", {}), "forward": (True, {}), "now": (0.5, {}),
    "severity": (["low", "high", "low", "low", "low"], {
        "metric": None, "costs": aj.costs(miss="low=10,high=500", false=1)}),
    "window": ("2d", {}), "step": ("1d", {}), "growing": (True, {}),
    "versions": (22, {}), "jobs": (2, {}), "title": ("Mine", {}), "signal": (SCORES, {}),
    "over_time": ("2d", {}), "progress": (None, {}), "path": ("elsewhere.html", {}),
}  # fmt: skip
"""Each argument, with a value that makes a difference where it has a meaning."""
OF_KIND: dict[tuple[str, str], tuple[Any, dict[str, Any]]] = {
    ("alerts", "series"): (False, {}),
    ("alerts", "missing"): ("skip", {}), ("alerts", "sort"): (True, {}),
    ("alerts", "zero_division"): (0.5, {"metrics": ["event_precision"], "at": 2.0}),
    ("alerts", "candidates"): ([0.85], {}), ("alerts", "metrics"): (["event_f1"], {}),
    ("alerts", "oracle"): (False, {}),
    ("positions", "metrics"): (["change_f1"], {}), ("positions", "metric"): ("change_delay", {}),
    ("positions", "missing"): ("skip", {}), ("positions", "sort"): (True, {}),
    ("channels", "missing"): ("skip", {"scores": np.column_stack([HOLES, SCORES])}),
    ("channels", "sort"): (True, {}), ("channels", "subsystem"): (
        {"both": ["x", "y"]}, {"metrics": ["subsystem_f1"], "metric": "subsystem_f1"}),
    ("annotators", "sort"): (True, {}),
}  # fmt: skip
"""The same where a kind of data needs another value."""
METRIC = {"positions": "change_f1", "alerts": "event_f1"}
NOT_ABOUT_THE_RESULT = {"jobs", "path"}
"""How many processes work, and where a page is written."""


def arguments(verb):
    """The names of all arguments of a verb, of what it hands on too."""
    found = []
    for name, one in inspect.signature(verb).parameters.items():
        found += arguments(aj.evaluate) if one.kind is one.VAR_KEYWORD else [name]
    return dict.fromkeys(name for name in found if name not in DATA)


def evaluated(kind, given):
    labels, scores = KINDS[kind]["data"]
    given = {"labels": labels, "scores": scores, "chance": False} | given
    if kind != "channels" and "metrics" not in given:
        given["metrics"] = [METRIC.get(kind, "f1_ba")]
    return aj.evaluate(**given)


def explained(kind, given):
    labels, scores = KINDS[kind]["data"]
    return aj.explain(**{"labels": labels, "scores": scores} | given)


def compared(kind, given):
    labels, scores = KINDS[kind]["data"]
    given = dict(given)
    a = given.pop("scores", scores)
    return aj.compare(**{"labels": labels, "a": a, "b": KINDS[kind]["other"]} | given)


def decided(kind, given):
    labels, scores = KINDS[kind]["data"]
    return aj.decide(
        **{"labels": labels, "scores": scores, "metric": "event_f1", "blocks": "1d"} | given
    )


def over_time(kind, given):
    labels, scores = KINDS[kind]["data"]
    return aj.over_time(**{"labels": labels, "scores": scores, "window": "1d", "chance": False,
                           "metrics": [METRIC.get(kind, "f1_ba")]} | given)  # fmt: skip


def calibrated(kind, given):
    labels, scores = KINDS[kind]["data"]
    return aj.calibrate(**{"labels": labels, "scores": scores, "versions": 20, "draws": 20,
                           "shifts": 19} | given)  # fmt: skip


def reported(kind, given):
    labels, scores = KINDS[kind]["data"]
    given = {"labels": labels, "scores": scores, "path": KINDS["out"], "chance": False} | given
    return aj.report(**given).read_text()


VERBS = {
    "evaluate": (aj.evaluate, evaluated, {}),
    "explain": (aj.explain, explained, {}),
    "compare": (aj.compare, compared, {}),
    "decide": (aj.decide, decided, {"time": TIMES}),
    "over_time": (aj.over_time, over_time, {"time": TIMES}),
    "calibrate": (aj.calibrate, calibrated, {}),
    "report": (aj.report, reported, {}),
}
"""Each verb, its call, and what it needs of points."""
DATA = {"labels", "scores", "a", "b", "incidents", "alerts", "data"}


def told(result):
    """All that a result says."""
    if isinstance(result, str):
        return result
    said = result.to_dict() if hasattr(result, "to_dict") else None
    events = getattr(result, "events", None)
    parts = str(result.by("kind")) if "kind" in str(events) else ""
    return json.dumps([said, str(result), parts], default=repr, sort_keys=True)


def outcome(call, kind, given):
    """What a call says, or why it refuses."""
    try:
        return told(call(kind, given))
    except (AdjudgeError, TypeError) as error:
        return error


def ignored(verb, kind):
    """The arguments that change nothing, and are not refused by name."""
    function, call, needs = VERBS[verb]
    known = {*arguments(function), "scores", "labels"}
    usual = {"points": {"at": AT} | needs, "channels": {"at": AT}, "annotators": {"at": AT}}
    base = usual.get(kind, {}) | ({"metric": METRIC[kind]} if kind in METRIC else {})
    found = []
    for name in arguments(function):
        if name in NOT_ABOUT_THE_RESULT:
            continue
        value, beside = OF_KIND.get((kind, name)) or MADE[name]
        if kind in METRIC:
            beside = {k: v for k, v in beside.items() if k not in OF_POINTS}
        given = {k: v for k, v in (base | beside).items() if k in known}
        given |= KINDS[kind]["given"]
        called = []
        if name == "progress":
            value = lambda *_, called=called: called.append(1)  # noqa: E731
        without = outcome(call, kind, {k: v for k, v in given.items() if k != name})
        with_it = outcome(call, kind, given | {name: value})
        refused = isinstance(with_it, Exception)
        if called or (refused and (name in str(with_it) or isinstance(without, Exception))):
            continue
        if refused or with_it == without:
            found.append(name)
    return found


OF_POINTS = {"scores", "labels", "group", "time"}
REFUSES = {
    ("decide", "positions"), ("decide", "channels"), ("decide", "annotators"),
    ("over_time", "positions"), ("over_time", "channels"), ("over_time", "annotators"),
    ("calibrate", "alerts"), ("calibrate", "channels"), ("calibrate", "annotators"),
    ("report", "positions"),
}  # fmt: skip
"""Verbs that do not take the kind of data at all."""
PAIRS = [
    pytest.param(verb, kind, marks=() if (verb, kind) in REFUSES else STEP_12)
    for verb in VERBS
    for kind in KINDS
]


@pytest.fixture(autouse=True)
def out(tmp_path, monkeypatch):
    monkeypatch.setitem(KINDS, "out", tmp_path / "report.html")


@pytest.mark.parametrize(("verb", "kind"), PAIRS)
def test_no_argument_is_ignored(verb, kind):
    assert ignored(verb, kind) == []
