"""The shape of results as JSON: what a program that reads them may rely on.

The number of the schema rises when a field changes its meaning or goes; a field that is new does
not raise it, so readers must let pass what they do not know.

Result rows: single results, and how their values are written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from math import nan
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from adjudge.count.ledger import AlarmRows, TruthRows
from adjudge.data.durations import NANOSECONDS, in_words
from adjudge.errors import UnknownName, exact
from adjudge.measure.curves import Froc, RecallAt
from adjudge.measure.thresholds.text import extreme_text, flag_count
from adjudge.metrics.metric import ChosenBy
from adjudge.noise.chance_columns import ChanceLine
from adjudge.tables.result_fields import ResultColumn, Shown, about, column, columns_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.data.case import Case
    from adjudge.metrics.metric import Metric, Reading

SCHEMA = 1
"""The number of the shape that results have as JSON (`adjudge.judging.result_columns`)."""


def _flagged(metric: Metric, case: Case, reading: Reading) -> int | None:
    return flag_count(case, reading.at) if metric.row.needs == "flags" else None


def _without_data(metric: Metric, case: Case, _: Reading) -> dict[str, float]:
    """What detectors cost that look at no data."""
    counting = metric.on(case.events).parts.counting
    return {} if counting is None else counting.without_data(case.events)


def _budgets(metric: Metric, case: Case, _: Reading) -> dict[str, float]:
    """The threshold at the end of each budget of false alarms."""
    placed = metric.on(case.events)
    if not isinstance(placed.parts.measure, (RecallAt, Froc)):
        return {}
    return placed.parts.measure.levels(placed.curve(case))


def _over_every_threshold(metric: Metric, case: Case, _: Reading) -> float:
    """The value without the grid of thresholds that some metrics are published with."""
    if not metric.row.every_threshold:
        return nan
    return metric.with_settings(thresholds=None).reading(case).value


@dataclass(frozen=True, eq=False)
class Finding(ChanceLine):
    """One metric of one detector: the value, and beside it the fields of the chance line.

    A column that follows from the metric, the case and the reading says by ``of=`` what fills it.
    """

    detector: str = field(metadata=about("The detector.", csv=1, ranking=1))
    metric: str = field(
        metadata=about("The metric, with every setting resolved.", csv=2, ranking=3)
    )
    value: float = field(metadata=about("The value.", csv=4, ranking=4, runs="mean", files="mean"))
    at: float | None = field(
        metadata=about(
            "The threshold; None for flags, and for areas over all thresholds.",
            csv=5, ranking=5, runs="unknown", files="unknown", shown=Shown("flagged above", 9, 5),
        )
    )  # fmt: skip
    chosen_by: ChosenBy = field(
        metadata=about(
            "Who chose the threshold: given, rule, oracle (it looked at the labels), or none.",
            csv=6, ranking=6, shown=Shown("chosen by", 13, 9, verbose=True),
        )
    )  # fmt: skip
    rule: str = column("", "The rule that chose the threshold, and the part it learnt on.", csv=23)
    oracle_gap: float = column(
        nan, "How far a tuned threshold stays behind the best one of the judged part.",
        csv=24, runs="mean", files="unknown", shown=Shown("below the best by", 8, 4),
    )  # fmt: skip
    skipped: int = column(0, "How many points were left out because they have no score.")
    gaps: str = column("", "Which gaps in the time of the points were not watched, in words.")
    requested: str = field(
        default="",
        repr=False,
        metadata=about("The metric as it was asked for.", csv=3, ranking=2),
    )
    other_readings: dict[str, float] = field(
        default_factory=dict,
        metadata=about(
            "Values under the other readings of balanced adjustment, where they differ by over "
            "0.005."
        ),
    )
    without_data: dict[str, float] = field(
        default_factory=dict,
        metadata=about(
            "Of costs, what detectors cost that look at no data: paging never, at every point, "
            "every so many hours.",
            of=_without_data,
        ),
    )
    budgets: dict[str, float] = field(
        default_factory=dict,
        metadata=about(
            "Of recall_at and froc, the threshold at the end of each budget of false alarms.",
            of=_budgets,
        ),
    )
    every_threshold: float = column(
        nan, "The value over every threshold, of a metric that takes a grid of them.",
        runs="mean", files="unknown", of=_over_every_threshold,
    )  # fmt: skip
    width: int | None = column(
        None, "The island width, where there are islands.", csv=18, ranking=7
    )
    overshoot: float = column(
        nan,
        "How far above the all-alarm score white noise can get with that width (1: not at all).",
        csv=19,
    )
    white_noise: float = column(
        nan, "What white noise of the same rate scores; on request.",
        csv=20, runs="mean", files="unknown", shown=Shown("white noise", 6, 4),
    )  # fmt: skip
    label_shift_low: float = column(
        nan,
        "The lowest value when the events' borders move, together or each on its own; on request.",
        csv=21, files="unknown", shown=Shown("label slack", 7, 4),
    )  # fmt: skip
    label_shift_high: float = column(
        nan, "The highest value when the events' borders move.", csv=22, files="unknown"
    )
    leave_one_out_low: float = column(
        nan, "The lowest value when any one event is left out; on request."
    )
    leave_one_out_high: float = column(nan, "The highest value when any one event is left out.")
    resolved_metric: Metric | None = field(default=None, repr=False, compare=False)
    """The metric itself, resolved; it is no column of a table."""
    at_text: str = field(default="", repr=False, compare=False)
    """The threshold in so few digits that it still flags the same points; no column either."""
    most_influential_event: int | None = column(
        None, "Where the event starts without which the value falls most; on request."
    )
    runs: int = column(
        0, "How many runs of the detector the value is the mean of; 0 where there was one."
    )
    spread: float = column(
        nan,
        "The standard deviation of the value over the runs (dividing by their number less one).",
        files="unknown", shown=Shown("spread over runs", 5, 3),
    )  # fmt: skip
    unit: str = column(
        "", 'What the value and those beside it count: "points" for delays and distances.'
    )
    seconds: float = column(
        nan, "The value in seconds, if it has that unit and the time is known.",
        runs="mean", files="mean",
    )  # fmt: skip
    seconds_per_point: float = column(
        nan, "How many seconds a point is, if it has that unit and the steps of time are even."
    )
    flagged: int | None = column(
        None,
        "How many judged points are flagged; None for areas over all thresholds, and for means.",
        runs="unknown", files="unknown", of=_flagged,
    )  # fmt: skip
    score_low: float = column(
        nan, "The lowest score of the judged points.", of=lambda _, case, __: case.score_range[0]
    )
    score_high: float = column(
        nan, "The highest score of the judged points.", of=lambda _, case, __: case.score_range[1]
    )

    @property
    def extreme(self) -> str:
        """Says that the threshold flags nothing or everything, unless the labels chose it."""
        if self.flagged is None or self.chosen_by == "oracle":
            return ""
        return extreme_text(self.at, self.flagged, self.score_low, self.score_high)


def _in_order() -> dict[str, ResultColumn]:
    """The chance line stands behind the width, though its fields are declared first."""
    every, line = columns_of(Finding), columns_of(ChanceLine)
    own = [name for name in every if name not in line]
    last = own.index("width") + 1
    return {name: every[name] for name in dict.fromkeys((*own[:last], *every))}


COLUMNS = _in_order()
"""The columns of a row in the order in which tables show them."""
CSV = sorted((name for name, one in COLUMNS.items() if one.csv), key=lambda name: COLUMNS[name].csv)
"""The names of those that the CSV of the command line has."""
RANKED = {
    name: one
    for name, one in sorted(COLUMNS.items(), key=lambda item: item[1].ranking)
    if one.ranking
}
"""Those that the results of a ranking have."""


def filled(metric: Metric, case: Case, reading: Reading) -> dict[str, Any]:
    """What the columns have that say what fills them."""
    return {name: one.of(metric, case, reading) for name, one in COLUMNS.items() if one.of}


_UNKNOWN: dict[str, Any] = {"str": "", "int": 0}


def averaged(rows: Sequence[Finding], over: Literal["runs", "files"]) -> dict[str, Any]:
    """What a row that is the mean of several has in other columns than the first of them."""
    found: dict[str, Any] = {}
    for name, one in COLUMNS.items():
        how = one.runs if over == "runs" else one.files
        if how == "mean":
            found[name] = float(np.mean([vars(r)[name] for r in rows])) if rows else nan
        elif how == "unknown":
            found[name] = _UNKNOWN.get(one.kind, None if one.kind.endswith("None") else nan)
    return found


def number(value: float, digits: int = 4) -> str:
    """Print a value; what is undefined says so."""
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def value_text(row: Finding, digits: int = 4) -> str:
    """Print the value of a row, in time where that is known: 41 min."""
    if math.isnan(row.seconds):
        return number(row.value, digits)
    duration = in_words(row.seconds * NANOSECONDS["s"])
    uneven = math.isnan(row.seconds_per_point)  # what stands beside it is then in points alone
    return f"{duration} ({row.value:.{digits}f} points)" if uneven else duration


def at_text(row: Finding) -> str:
    """Print the threshold of a row, so that who types it gets the same value; "" without one."""
    return "" if row.at is None else row.at_text or exact(row.at)


def beside_text(row: Finding, value: float, digits: int = 4) -> str:
    """Print what stands beside the value of a row, in the same unit; "" if it is not there."""
    if math.isnan(value):
        return ""
    if math.isnan(row.seconds):
        return f"{value:.{digits}f}"
    if math.isnan(row.seconds_per_point):  # uneven steps: so many points are no length of time
        return f"{value:.{digits}f} points"
    return in_words(value * row.seconds_per_point * NANOSECONDS["s"])


_NUMBER = {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]}
_KINDS: dict[str, Any] = {
    "float": _NUMBER,
    "float | None": _NUMBER,
    "int": {"type": "integer"},
    "int | None": {"type": ["integer", "null"]},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "dict[str, float]": {"type": "object", "additionalProperties": _NUMBER},
    "ChosenBy": {"enum": list(get_args(ChosenBy))},
    "Flags": {"type": "boolean"},
    "Positions": {"type": "integer"},
    "Array": _NUMBER,
}
_EVENT = {
    "detector": {"type": "string"},
    "start": {"type": "integer"},
    "stop": {"type": "integer"},
    "found": {"type": ["boolean", "null"]},
    "coverage": _NUMBER,
    "delay": _NUMBER,
}
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_COUNT = {"type": "integer"}
_TIMES = {"from": _TEXT, "to": _TEXT}
_EVENT_TIMES = {
    "kind": _TEXT,
    **_TIMES,
    "already_open": {"type": "boolean"},
    "delay_time": {"type": ["string", "null"]},
    "delay_seconds": _NUMBER,
}


def schema(
    kind: str, others: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] | None = None
) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of results of one kind.

    Parameters
    ----------
    kind : str
        "judgement" (``Judgement.to_json()``), "evaluate" (``adjudge evaluate --json``: the same
        with the file of each row), "explain", "compare", "compare_all" (``adjudge compare --json``
        of three detectors or more) or "rank" (``adjudge explain --json`` and so on).
    others : mapping, optional
        More kinds: the fields that they always have, and those that they may have.

    Returns
    -------
    dict
        The schema, ready for ``json.dumps``.

    Examples
    --------
    >>> schema("judgement")["$id"]
    'urn:adjudge:schema:judgement:1'
    """
    known = {name: (own, _optional(name)) for name, own in KINDS.items()} | dict(others or {})
    if kind not in known:
        raise UnknownName("kind of result", kind, known, f"there are {', '.join(known)}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:adjudge:schema:{kind}:{SCHEMA}",
        "title": f"adjudge {kind}",
        "description": "Undefined is null; an infinite threshold is text.",
        **_object(*known[kind]),
    }


def _optional(kind: str) -> dict[str, Any]:
    """What results of a kind have only where it was asked for."""
    if kind in {"judgement", "evaluate"}:
        return {**_on_call(), "units": _list({"detector": _TEXT, "metric": _TEXT})}
    return {"power": _POWER} if kind == "rank" else {}


def _on_call() -> dict[str, Any]:
    """What results of incidents and alerts have beside: the numbers, in words, and by service."""
    from adjudge.judging.on_call.case import Answers  # noqa: PLC0415 - it stands on these rows

    numbers = {item.name: _KINDS[str(item.type)] for item in fields(Answers)}
    each = {"type": "object", "additionalProperties": _object(numbers)}
    return {
        "on_call": {"anyOf": [_object(numbers), each]},
        "sentences": {"type": "array", "items": _TEXT},
        "by": _list({"detector": _TEXT, "part": _TEXT}),
    }


def _object(properties: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    known = {**properties, **(optional or {})}
    return {"type": "object", "properties": known, "required": list(properties)}


def _list(properties: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "array", "items": _object(properties, optional)}


def _of(rows: type) -> dict[str, Any]:
    return {item.name: _KINDS[str(item.type)] for item in fields(rows)}


_ROW = {name: {**_KINDS[one.kind], "description": one.words} for name, one in COLUMNS.items()}
_COUNTS = {
    "counts": _object(
        {
            f"{side}_{outcome}": {"type": "integer"}
            for side, outcome in (
                ("events", "found"), ("events", "missed"), ("alarms", "right"), ("alarms", "false"),
            )
        }
        | {name: {"type": "integer"} for name in ("tp", "fp", "fn", "tn")}
    )
}  # fmt: skip
_FILE = {"file": _TEXT}
_VERSION = {"schema": {"const": SCHEMA}}
_POWER = _list(
    {"metric": _TEXT, "by": {"enum": ["series", "group"]}, "says": _TEXTS}
    | dict.fromkeys(("units", "series", "flat", "disagreeing"), _COUNT)
    | {"may_be_best": {"type": ["integer", "null"]}}
    | dict.fromkeys(("smallest", "smallest_plain", "difference", "first_place"), _NUMBER)
)
_PAIR: dict[str, Any] = {
    "metric": _TEXT,
    **dict.fromkeys(("a", "b", "difference", "low", "high", "p_value"), _NUMBER),
    "events": {"type": "integer"},
    "events_needed": {"type": ["integer", "null"]},
    "at": {"type": "array", "items": _NUMBER},
    "better": {"enum": ["higher", "lower"]},
    "exact": {"type": "boolean"},
    "evidence": _TEXT,
    "evidence_unit": _TEXT,
    "evidence_units": {"type": "integer"},
    **dict.fromkeys(("conditional_low", "conditional_high"), _NUMBER),
    "optimism": {"type": "array", "items": _NUMBER},
    "names": {"type": "array", "items": _TEXT},
    **dict.fromkeys(("null", "assumes"), _TEXT),
    "chance": {"type": "array", "items": _NUMBER},
    "ahead": {"enum": ["a", "b", None]},
    "sentences": {"type": "array", "items": _TEXT},
}
KINDS: dict[str, dict[str, Any]] = {
    "judgement": {**_VERSION, "rows": _list(_ROW, _COUNTS), "events": _list(_EVENT, _EVENT_TIMES)},
    "evaluate": {
        "adjudge": _TEXT,
        **_VERSION,
        "rows": _list(_FILE | _ROW, _COUNTS),
        "events": _list(_FILE | _EVENT, _EVENT_TIMES),
        "errors": _list(_FILE | {"error": _TEXT}),
    },
    "explain": {
        **_VERSION,
        "metric": _TEXT,
        "at": _NUMBER,
        "value": _NUMBER,
        "unit": _TEXT,
        "seconds": _NUMBER,
        "counts": _object(
            {name: {"type": "integer"} for name in ("events", "found", "alarms", "false_alarms")}
        ),
        "sums": _object(dict.fromkeys(("found", "truth", "right", "flagged"), _NUMBER)),
        "truth": _list(_of(TruthRows), _TIMES),
        "alarms": _list(_of(AlarmRows) | {"cost": _NUMBER}, _TIMES),
    },
    "compare": _VERSION | _PAIR,
    "compare_all": {
        **_VERSION,
        "metric": _TEXT,
        "pairs": _list(_PAIR | {"p_adjusted": _NUMBER}),
        "sentences": _TEXTS,
    },
    "rank": {
        **_VERSION,
        **dict.fromkeys(("detectors", "metrics", "series", "groups_of_series"), _TEXTS),
        "better": {"type": "object", "additionalProperties": {"enum": ["higher", "lower"]}},
        "main_metric": _TEXT,
        "min_coverage": _NUMBER,
        "unit": _TEXT,
        "leaderboard": _list(
            {"metric": _TEXT, "detector": _TEXT, "evidence": _TEXT}
            | dict.fromkeys(
                (
                    "mean",
                    "low",
                    "high",
                    "median",
                    "mean_rank",
                    "coverage",
                    "macro",
                    "pooled",
                    "chance",
                    "runtime",
                    "memory",
                ),
                _NUMBER,
            )
            | dict.fromkeys(("series", "compared_on", "undefined", "failed", "missing"), _COUNT)
        ),
        "comparisons": _list(
            {"metric": _TEXT, "one": _TEXT, "other": _TEXT, "ranked": {"type": "boolean"}}
            | dict.fromkeys(
                ("difference", "low", "high", "p_value", "p_adjusted", "p_wilcoxon"), _NUMBER
            )
            | dict.fromkeys(("series", "of", "units", "ahead", "behind"), _COUNT)
        ),
        "groups": _list({"group": _TEXT, "metric": _TEXT, "detector": _TEXT, "mean": _NUMBER}),
        "title": _TEXT,
        "lead": _TEXTS,
        "notes": _TEXTS,
        "verdicts": _TEXTS,
    },
}
"""Kinds of results, each with its fields."""
