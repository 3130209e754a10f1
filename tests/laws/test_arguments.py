"""What is given to a verb changes the result, or is refused by name: each verb, kind, argument.

The arguments are those of the signatures. For each there is a value, and where it needs one a case,
in which it makes a difference; the same value is given to every kind of data.
"""

import inspect
import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import AdjudgeError
from adjudge.judging.inputs import contract
from adjudge.lab.calibration import run
from adjudge.ranking import sources
from adjudge.reporting.page import report_page
from sampling import one_in

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
GAPS = TIMES + np.where(np.arange(N) < 30, 0, 30) * HOUR  # within an event
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
CHANGES, ALARMS = aj.Changes([20, 58, 90], N), aj.Changes([22, 40, 61, 91, 110], N)
TABLE = np.column_stack([LABELS, np.roll(LABELS, 3)])
SEVERAL = np.column_stack([SCORES, np.roll(SCORES, 5)])

KINDS: dict[str, dict[str, Any]] = {
    "points": {"data": (LABELS, SCORES), "other": np.roll(SCORES, 3), "given": {}},
    "positions": {"data": (CHANGES, ALARMS), "other": aj.Changes([21, 70], N), "given": {}},
    "alerts": {"data": (INCIDENTS, ALERTS), "other": OTHERS, "given": {"span": SPAN}},
    "grid": {
        "data": (INCIDENTS, ALERTS), "other": OTHERS, "given": {"span": SPAN, "every": "30min"},
    },
    "channels": {
        "data": (TABLE, SEVERAL), "other": np.roll(SEVERAL, 3, axis=0),
        "given": {"channels": ["x", "y"]},
    },
    "annotators": {
        "data": (TABLE, SCORES), "other": np.roll(SCORES, 3),
        "given": {"annotators": ["ann", "bob"]},
    },
}  # fmt: skip
"""Data of each kind, a second detector, and what must be said with them.

Incidents on a grid are judged by a metric of points."""
LIKE = {"grid": "alerts", "compare_all": "compare"}
"""The kind, or the verb, whose values below are taken where there are no own ones."""

SERIES = np.repeat(["a", "b"], N // 2)
CHANCE = {"chance": True}
MADE: dict[str, tuple[Any, dict[str, Any]]] = {
    "metrics": (["event_recall"], {}), "metric": ("event_recall", {}), "at": (0.9, {}),
    "series": (SERIES, CHANCE), "where": (np.arange(N) % 40 < 25, CHANCE), "time": (GAPS, CHANCE),
    "positive": (0, {}), "missing": ("skip", {"scores": HOLES}),
    "sort": (True, {"time": TIMES[MIXED]}), "per_series": (True, {"series": SERIES}),
    "zero_division": (0.5, {"labels": np.zeros(N, int), "metrics": ["event_recall"]}),
    "oracle": (False, {"at": None, "metrics": None}),
    "chance": (True, {}), "null": ("nearby", CHANCE),
    "period": (24, CHANCE | {"null": "seasonal"}), "shifts": (7, CHANCE),
    "white_noise": (True, {}), "label_slack": (2, {}),
    "unit": ("event", CHANCE | {"series": SERIES}),
    "group": (np.repeat([1, 2, 3], 40), CHANCE),
    "clock": ("shared", CHANCE | {"series": SERIES}),
    "kind": (np.where(LABELS, np.char.add("k", (EVENT % 2).astype(str)), ""), {}),
    "seed": (3, CHANCE | {"shifts": 7}),
    "span": (("2026-01-05", "2026-01-20"), {}), "watched": (DARK, {}), "outages": (DARK, {}),
    "early": ("1h", {}), "every": ("1h", {"metrics": ["f1"], "metric": "f1"}),
    "services": (["a", "b", "c"], {}), "channels": (["x", "y"], {}),
    "subsystem": ({"both": ["x", "y"]}, {}), "annotators": (["ann", "bob"], {}),
    "votes": ("any", {}), "draws": (50, {"metric": "best(f1)", "at": None}),
    "names": (("mine", "theirs"), {}), "candidates": ([0.9], {}),
    "costs": (aj.costs(miss=50, false=2), {"metric": None}), "budget": ("1/1d", {}),
    "blocks": ("2d", {}), "forward": (True, {}), "now": (0.5, {}),
    "severity": (["low", "high", "low", "low", "low"], {
        "metric": None, "costs": aj.costs(miss="low=10,high=500", false=1)}),
    "window": ("2d", {}), "step": ("1d", {"window": "2d"}), "growing": (True, {}),
    "versions": (22, {}), "title": ("Mine", {}), "signal": (SCORES, {}),
    "over_time": ("2d", {"time": TIMES}), "progress": (None, {}),
}  # fmt: skip
"""Each argument: a value that makes a difference where it has a meaning, and what that takes."""
SCORED = {"scores": SCORES}
BEST = {"metric": "best(f1)", "at": None}
OF_KIND: dict[tuple[str, ...], tuple[Any, dict[str, Any]]] = {
    ("compare", "seed"): (3, BEST), ("compare", "draws"): (50, BEST),
    ("over_time", "points", "unit"): ("dataset", CHANCE),
    ("alerts", "services"): (False, {}), ("alerts", "metrics"): (["event_recall"], {}),
    ("alerts", "series"): (False, {}), ("alerts", "candidates"): ([0.85], {}),
    ("alerts", "zero_division"): (0.5, {"metrics": ["event_precision"], "at": 2.0}),
    ("alerts", "clock"): ("own", CHANCE), ("compare", "clock"): (
        "shared", {"null": "shifted", "series": SERIES}),
    ("compare", "alerts", "clock"): ("own", {"null": "shifted"}),
    ("alerts", "unit"): ("series", CHANCE), ("alerts", "seed"): (3, CHANCE | {"shifts": 7}),
    ("alerts", "now"): (0.7, {"candidates": [0.85]}),
    ("alerts", "every"): ("1h", {"metrics": ["f1"], "metric": "f1"}),
    ("over_time", "alerts", "unit"): ("dataset", CHANCE),
    ("compare", "alerts", "seed"): (3, {"null": "nearby"}),
    ("compare", "alerts", "draws"): (50, {}),
    ("positions", "metrics"): (["change_recall"], {}), ("positions", "at"): (0.9, {}),
    ("positions", "metric"): ("change_delay", {}),
    ("positions", "time"): (TIMES, {"metric": "change_delay"}),
    ("positions", "unit"): ("event", CHANCE | {"series": SERIES}),
    ("positions", "clock"): ("shared", CHANCE | {"series": SERIES}),
    ("positions", "oracle"): (False, SCORED | {"metrics": None}),
    ("positions", "zero_division"): (
        0.5, {"labels": aj.Changes([], N), "metrics": ["change_recall"]}),
    ("positions", "seed"): (3, SCORED | CHANCE | {"metrics": ["best(change_f1)"], "shifts": 7}),
    ("compare", "positions", "seed"): (3, {"null": "nearby", "metric": "change_f1"}),
    ("compare", "channels", "seed"): (3, {"null": "nearby"}),
    ("compare", "positions", "draws"): (50, SCORED | {"metric": "best(change_f1)"}),
    ("decide", "positions", "severity"): (["low", "high", "low"], {"metric": "change_recall"}),
    ("alerts", "severity"): (["low", "high", "low", "low"], {}), ("alerts", "period"): (24, {}),
    ("grid", "seed"): (3, CHANCE | {"shifts": 7, "clock": "own"}),
    ("grid", "unit"): ("series", CHANCE), ("compare", "grid", "period"): (24, {}),
    ("compare", "grid", "seed"): (3, {"null": "nearby"}),
    ("compare", "grid", "unit"): ("series", {}), ("explain", "grid", "early"): ("1h", {}),
    ("channels", "missing"): ("skip", {"scores": np.column_stack([HOLES, SCORES])}),
    ("channels", "subsystem"): (
        {"both": ["x", "y"]}, {"metrics": ["subsystem_f1"], "metric": "subsystem_f1"}),
    ("channels", "seed"): (3, CHANCE | {"metrics": ["ap"], "shifts": 7}),
    ("annotators", "zero_division"): (
        0.5, {"labels": np.zeros((N, 2), int), "metrics": ["event_recall"]}),
    ("compare", "annotators", "seed"): (3, BEST | {"votes": "any"}),
    ("compare", "annotators", "draws"): (50, BEST | {"votes": "any"}),
    ("compare", "annotators", "period"): (24, {"null": "seasonal", "votes": "any"}),
}  # fmt: skip
"""The same where a kind of data needs another value, or more."""
METRIC = {"positions": "change_f1", "alerts": "event_f1", "grid": "f1"}
NOT_ABOUT_THE_RESULT = {"jobs", "path"}
"""How many processes work, and where a page is written."""
TAKEN = {
    "decide": {"points", "positions", "alerts"}, "over_time": {"points", "alerts", "grid"},
    "calibrate": {"points", "positions", "alerts", "grid"}, "curve": {"points"},
    "report": {"points", "alerts", "grid", "channels", "annotators"},
}  # fmt: skip
"""The kinds that a verb takes, where that is not all."""


def arguments(verb):
    """The names of all arguments of a verb, of what it hands on too."""
    found = []
    for name, one in inspect.signature(verb).parameters.items():
        if one.kind is one.VAR_KEYWORD:
            handed = one.annotation.removeprefix("Unpack[").removesuffix("]")
            owners = (contract, sources, report_page)
            columns = next(vars(one)[handed] for one in owners if handed in vars(one))
            found += columns.__annotations__
        else:
            found.append(name)
    return dict.fromkeys(name for name in found if name not in DATA)


def called(verb, **usual):
    """A call of a verb by names alone, unless others are given."""

    def call(kind, given):
        labels, scores = KINDS[kind]["data"]
        return verb(**{"labels": labels, "scores": scores} | usual | given)

    return call


def compared(kind, given):
    given = dict(given)
    given["a"] = given.pop("scores", KINDS[kind]["data"][1])
    given["b"] = KINDS[kind]["other"] if "best(change_f1)" not in str(given) else np.roll(SCORES, 3)
    return aj.compare(**{"labels": KINDS[kind]["data"][0]} | given)


def all_compared(kind, given):
    """Of two detectors, so that thresholds of all pairs are asked for."""
    given = dict(given)
    own = given.pop("scores", KINDS[kind]["data"][1])
    other = KINDS[kind]["other"] if "best(change_f1)" not in str(given) else np.roll(SCORES, 3)
    data = {"labels": KINDS[kind]["data"][0], "scores": {"mine": own, "theirs": other}}
    return aj.compare_all(**data | given)


def reported(kind, given):
    return called(aj.report, path=KINDS["out"], chance=False)(kind, given).read_text()


def calibrated(kind, given):
    """What is asked of each version and draw; the answers are not about arguments."""
    asked = []

    def answers(question, task):
        own = question.data.cases, question.cases, question.at, question.how, question.drawn
        asked.append([str(question.metric), question.period, facts(own)])
        return [0.0] * len(question.cases)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run.CalibrationQuestion, "answer", answers)
        patch.setattr(run, "_summed_up", lambda *_: str([len(asked), asked[:1]]))
        drawn = {} if kind == "alerts" else {"draws": 20}
        return called(aj.calibrate, versions=20, **drawn)(kind, given)


def facts(one):
    """All that an object holds, in words that do not depend on where it is."""
    if isinstance(one, np.ndarray):
        return str(one.tolist())
    if isinstance(one, list | tuple):
        return [facts(part) for part in one]
    held = one if isinstance(one, dict) else getattr(one, "__dict__", None)
    if held is None:
        return repr(one)
    return type(one).__name__, {name: facts(part) for name, part in held.items()}


VERBS = {
    "evaluate": (aj.evaluate, called(aj.evaluate, chance=False), {}),
    "explain": (aj.explain, called(aj.explain), {}),
    "compare": (aj.compare, compared, {}),
    "compare_all": (aj.compare_all, all_compared, {}),
    "decide": (
        aj.decide, called(aj.decide, blocks="1d"), {"time": TIMES, "metric": "event_f1"},
    ),
    "over_time": (aj.over_time, called(aj.over_time, window="1d", chance=False), {"time": TIMES}),
    "calibrate": (aj.calibrate, calibrated, {}),
    "report": (aj.report, reported, {}),
}  # fmt: skip
"""Each verb, its call, and what it needs of points."""
DATA = {"labels", "scores", "a", "b"}


def told(result):
    """All that a result says."""
    if isinstance(result, str):
        return result
    said = result.to_dict() if hasattr(result, "to_dict") else None
    events = getattr(result, "events", None)
    parts = str(result.by("kind")) if "kind" in str(events) else ""
    on_call = str(getattr(result, "on_call", None))
    return json.dumps([said, str(result), parts, on_call], default=repr, sort_keys=True)


def outcome(call, kind, given):
    """What a call says, or why it refuses."""
    try:
        return told(call(kind, given))
    except (AdjudgeError, TypeError) as error:
        return error


def made_for(verb, kind, name):
    """The value of an argument, what it takes beside, and whether it is of this kind's own."""
    verbs, kinds = ([one, LIKE[one]] if one in LIKE else [one] for one in (verb, kind))
    keys = [(v, k, name) for v in verbs for k in kinds]
    keys += [(one, name) for one in (*kinds, *verbs)]
    own = [OF_KIND[key] for key in keys if key in OF_KIND]
    return *(own[0] if own else MADE[name]), bool(own)


def is_ignored(name, with_it, without):
    """Whether an argument changed nothing, and was not refused by its name."""
    if isinstance(with_it, Exception):
        named = re.search(rf"\b{name}\b", str(with_it))
        return not named or str(with_it) == str(without)
    return with_it == without


def ignored(verb, kind):
    """The arguments that change nothing, and are not refused by name."""
    function, call, needs = VERBS[verb]
    known = {*arguments(function), "scores", "labels"}
    base = {"at": AT} if kind in {"points", "channels", "annotators"} else {}
    base |= needs if kind in {"points", "positions"} else {}
    base |= {"metrics": [METRIC.get(kind, "f1_ba")], "metric": METRIC.get(kind, "event_f1")}
    found = []
    for name in arguments(function):
        if name in NOT_ABOUT_THE_RESULT:
            continue
        value, beside, own = made_for(verb, kind, name)
        if not own and kind in METRIC:
            beside = {k: v for k, v in beside.items() if k not in OF_POINTS}
        given = {k: v for k, v in (KINDS[kind]["given"] | base | beside).items() if k in known}
        seen = []
        if name == "progress":
            value = lambda *_, seen=seen: seen.append(1)  # noqa: E731
        without = outcome(call, kind, {k: v for k, v in given.items() if k != name})
        with_it = outcome(call, kind, given | {name: value})
        if not seen and is_ignored(name, with_it, without):
            found.append(f"{name}: {with_it}" if isinstance(with_it, Exception) else name)
    return found


OF_POINTS = {"scores", "labels", "group", "time", "metric", "series", "at", "metrics"}
"""What is not given beside an argument to positions and alerts, unless they say so themselves."""


@pytest.fixture(autouse=True)
def out(tmp_path, monkeypatch):
    monkeypatch.setitem(KINDS, "out", tmp_path / "report.html")


CALLS = [(verb, kind) for verb in VERBS for kind in KINDS]


@pytest.mark.parametrize(
    ("verb", "kind"),
    one_in(2, CALLS),
)
def test_no_argument_is_ignored(verb, kind):
    if kind in TAKEN.get(verb, KINDS):
        assert ignored(verb, kind) == []
    else:
        refused = outcome(VERBS[verb][1], kind, KINDS[kind]["given"])
        assert isinstance(refused, AdjudgeError)


# --- rankings, and streams -----------------------------------------------------------------------

SERIES_OF = {"one": 0, "two": 5, "three": 11}
RANKED: dict[str, tuple[Any, dict[str, Any]]] = {
    "metrics": (["event_recall"], {}), "at": (0.9, {}), "chance": (True, {}),
    "null": ("nearby", CHANCE), "period": (24, CHANCE | {"null": "seasonal"}),
    "shifts": (7, CHANCE), "seed": (3, CHANCE | {"shifts": 7}), "pooled": (False, {}),
    "clock": ("shared", CHANCE),
    "unit": ("series", {"group": "part"}), "tune_by": ("f1", {"tune_on": "fit", "at": None}),
    "resources": ({"detector": ["mine"], "runtime": [2.0]}, {}),
    "baselines": (True, {"at": "quantile(0.9)"}),
    "label": ("other", {}), "scores": (["mine"], {}), "series": ("id", {}), "where": ("used", {}),
    "judged": ("test", {}), "positive": (0, {}), "sep": (";", {}),
    "decimal": (",", {}), "on": (["key"], {}), "inner": (True, {}),
    "sort": (True, {}), "missing": ("skip", {}), "min_coverage": (0.5, {}),
    "group": ("part", {}), "train": (30, {"at": "quantile(0.9)"}),
    "tune_on": ("fit", {"at": None}), "window": (lambda _: 3, {"metrics": ["vus_pr"]}),
    "signal": ("mine", {"baselines": True, "at": "quantile(0.9)"}),
    "layout": ("t{series}.csv", {}), "labels": ("majority", {}), "progress": (None, {}),
    "listed": (None, {}),
}  # fmt: skip
"""As above; of files the columns that there are."""
NOT_ABOUT_A_RANKING = {"data", "out", "jobs", "scheduler", "retry"}


def table(shift, times):
    """A table of points, in which every column has something to say."""
    return {
        "label": np.roll(LABELS, shift), "mine": np.roll(SCORES, shift),
        "theirs": np.roll(HOLES if shift == 5 else SCORES, 3), "other": np.roll(LABELS, 7),
        "used": np.arange(N) % 40 < 25, "late": np.arange(N) >= 20,
        "fit": np.arange(N) < 60, "part": np.repeat("p", N),
        "time": times.astype(str), "id": SERIES,
    }  # fmt: skip


def tables(times=TIMES):
    return {name: table(shift, times) for name, shift in SERIES_OF.items()}


def in_memory():
    return {
        f"{'tz'[name == 'one']}/{name}": (one["label"], {k: one[k] for k in ("mine", "theirs")})
        for name, one in tables().items()
    }


def in_files(folder, times):
    """A file for each series, and a folder for another detector."""
    (folder / "series").mkdir(exist_ok=True)
    (folder / "more" / "third").mkdir(parents=True, exist_ok=True)
    for name, one in tables(times).items():
        pd.DataFrame(one).to_csv(folder / "series" / f"{name}.csv", index=False)
        score = pd.DataFrame({"score": one["mine"][::-1]})
        score.to_csv(folder / "more" / "third" / f"{name}.csv", index=False)
    return str(folder / "series")


def ranked(data, given):
    found = aj.rank(data, **{"metrics": ["f1_ba"], "at": AT, "chance": False} | given)
    rows = found.to_frame("results").drop(columns="key", errors="ignore")
    return rows.to_json() + found.to_frame().to_json() + str(found.board())


@pytest.mark.parametrize("kind", ["in memory", pytest.param("in files", marks=pytest.mark.long)])
def test_no_argument_of_a_ranking_is_ignored(kind, tmp_path):
    usual = {} if kind == "in memory" else {"scores": ["mine", "theirs"]}
    made = RANKED | {"score_folder": (str(tmp_path / "more"), {})}
    found = []
    for name in arguments(aj.rank):
        if name in NOT_ABOUT_A_RANKING:
            continue
        times = TIMES[MIXED] if name == "sort" else TIMES
        data = in_memory() if kind == "in memory" else in_files(tmp_path, times)
        value, beside = made[name]
        if kind == "in memory":  # which has no columns
            beside = {k: v for k, v in beside.items() if k not in {"group", "tune_on"}}
        seen = []
        if value is None:
            value = lambda *_, seen=seen: seen.append(1)  # noqa: E731
        given = {k: v for k, v in (usual | beside).items() if k != name}
        with_it = outcome(ranked, data, given | {name: value})
        without = outcome(ranked, data, given)
        if isinstance(with_it, Exception):
            found += [f"{name}: {with_it}"] * (name not in str(with_it))
        elif not seen and with_it == without:
            found.append(name)
    assert found == []


INSPECTED: dict[str, tuple[Any, dict[str, Any]]] = {
    "signal": ("theirs", {}), "scores": (["mine"], {"signal": "theirs"}), "label": ("other", {}),
    "series": ("id", {}), "time": ("mine", {"signal": "theirs"}),
    "train_length": (30, {}), "sep": (";", {}),
    "where": ("late", {}), "checks": (["events"], {}), "shifts": (25, {}), "seed": (3, {}),
    "progress": (None, {}),
}  # fmt: skip


@pytest.mark.parametrize("kind", ["in memory", pytest.param("in files", marks=pytest.mark.long)])
def test_no_argument_of_an_inspection_is_ignored(kind, tmp_path):
    made, found = INSPECTED | {"score_folder": (str(tmp_path / "more"), {})}, []
    files = in_files(tmp_path, TIMES)
    columns = {"mine": "mine", "late": "late", "theirs": "used"}
    memory = {
        series: (one["label"], {name: one[own] * 1.0 for name, own in columns.items()})
        for series, one in tables().items()
    }

    def inspected(data, given):
        return told(aj.inspect(data, **{"signal": "mine"} | given))

    for name in arguments(aj.inspect):
        if name in {"data", "jobs"}:
            continue
        value, beside = made[name]
        seen = []
        if value is None:
            value = lambda *_, seen=seen: seen.append(1)  # noqa: E731
        data = memory if kind == "in memory" else files
        with_it = outcome(inspected, data, beside | {name: value})
        if not seen and is_ignored(name, with_it, outcome(inspected, data, beside)):
            found.append(f"{name}: {with_it}" if isinstance(with_it, Exception) else name)
    assert found == []


def streamed_points(_, given):
    times = GAPS.astype(int) if "unit" in given else GAPS
    stream = aj.Stream(**{"metrics": ["f1_pa"], "at": AT} | given)
    scores = (
        np.where(np.arange(len(SCORES)) == 20, np.nan, SCORES) if "missing" in given else SCORES
    )
    for half in (slice(0, 28), slice(28, None)):
        stream.update(LABELS[half], scores[half], times[half])
    return told(stream)


def streamed_alerts(_, given):
    usual = {"metrics": ["event_recall", "event_precision"], "since": SPAN[0]}
    stream = aj.Stream(**usual | {"services": ["a", "b"]} | given)
    stream.update(INCIDENTS, ALERTS, "2026-01-12")
    return told(stream)


STREAMED = {
    "points": (streamed_points, {
        "metrics": (["f1"], {}), "at": (1.2, {}), "lateness": ("5h", {}),
        "every": ("1h", {"at": 'policy(0.8, after="2h")', "gap": "2h"}),
        "gap": ("2h", {"metrics": ["event_recall"], "at": 1.3}),
        "services": (["a"], {}), "watched": (DARK, {}), "early": ("1h", {}),
        "unit": ("s", {"unit": "ms", "metrics": ["event_recall"], "at": 1.3, "gap": "2h"}),
        "missing": ("skip", {"missing": "refuse"}),
    }),
    "alerts": (streamed_alerts, {
        "metrics": (["event_recall"], {}), "at": (0.85, {}), "lateness": ("9d", {}),
        "every": ("1h", {}), "gap": ("1h", {}), "since": ("2026-01-08", {}),
        "services": (["a", "b", "c"], {"metrics": ['false_alarm_rate(per="1w")']}),
        "watched": (DARK, {}), "early": ("1h", {}),
        "unit": ("s", {"since": int(np.datetime64(SPAN[0], "s").astype(int))}),
        "missing": ("skip", {}),
    }),
}  # fmt: skip


@pytest.mark.parametrize("kind", STREAMED)
def test_no_argument_of_a_stream_is_ignored(kind):
    call, values = STREAMED[kind]
    assert {*values} >= {*arguments(aj.Stream)} - {"since"}  # which says that alerts come
    found = []
    for name, (value, beside) in values.items():
        with_it, without = (outcome(call, kind, beside | more) for more in ({name: value}, {}))
        if isinstance(with_it, Exception):
            found += [f"{name}: {with_it}"] * (name not in str(with_it))
        elif with_it == without:
            found.append(name)
    assert found == []
