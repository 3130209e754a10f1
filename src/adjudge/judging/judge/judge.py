"""A row of results: a value, and what stands beside it: chance, and what else was asked for."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.judging.result_columns import Finding
from adjudge.metrics.spec import parse
from adjudge.noise.chance_line import LineAsked, adjusted, chance_lines
from adjudge.noise.intervals.label_sensitivity import label_sensitivity, leave_one_out
from adjudge.noise.null_models import chance as chance_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.chance_columns import ChanceLine
    from adjudge.noise.shifting.turning import Turning


class Told(NamedTuple):
    """A value, and what is known of it before it is compared with chance."""

    metric: Metric
    """With its settings resolved and its threshold: what is judged at other times too."""
    turning: Turning
    value: float
    fields: dict[str, Any]
    """All else that a row says."""

    def called(self, asked: Metric, data: Any) -> Told:
        """The same under the name of what was asked for, as the data call it."""
        name = data.called(asked) or self.fields["metric"]
        return self._replace(fields=self.fields | {"requested": str(asked), "metric": name})

    def filled(self, value: float) -> Told:
        """The same with a value in the place of one that is undefined."""
        return self._replace(value=value) if math.isnan(self.value) else self


def judge_all(tolds: Iterable[Told], ask: Ask) -> Iterator[Finding]:
    """The rows of one detector: all values are known before chance is asked."""
    each = [told.filled(ask.zero_division) for told in tolds]
    labels = [told.turning.of_labels(told.metric, chance=ask.chance) for told in each]
    asked = [
        LineAsked(*told[:3], told.fields["at"], own.always_on)
        for told, own in zip(each, labels, strict=True)
    ]
    lines = chance_lines(asked, ask) if ask.chance else None
    for told, own in zip(each, labels, strict=True):
        yield judge(told, ask, own.overshoot, next(lines) if lines else None)


def judge(told: Told, ask: Ask, overshoot: float, line: ChanceLine | None) -> Finding:
    """A row of results, the same for every kind of data: the only place where one is made."""
    metric, turning, value, fields = told
    beside: dict[str, Any] = {"value": value, "overshoot": overshoot}
    if line is not None:
        beside |= vars(line)
    if ask.white_noise and metric.at_one_threshold:
        beside["white_noise"] = _white_noise(metric, turning, ask.seed)
    if ask.label_slack != 0:
        spread = label_sensitivity(metric, turning.case, ask.label_slack, ask.seed)
        beside["label_shift_low"], beside["label_shift_high"] = spread
        without = leave_one_out(metric, turning.case)
        beside["leave_one_out_low"], beside["leave_one_out_high"] = without[:2]
        beside["most_influential_event"] = without.most_influential_event
    return Finding(**fields, **beside)


@lru_cache(maxsize=1024)
def _without_best(spec: str) -> str:
    """What is judged, whoever chooses the threshold."""
    call = parse(spec)
    return str(call.values[0] if call.name == "best" else call)


def adjusted_rows(rows: list[Finding]) -> list[Finding]:
    """Adjust the p-values of each metric for the number of detectors.

    Flags and scores are one family: of flags a metric is judged as it is, of scores at the best
    threshold.
    """
    places: dict[tuple[str, int], list[int]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for place, row in enumerate(rows):
        spec = _without_best(row.requested)
        seen[row.detector, spec] += 1
        places.setdefault((spec, seen[row.detector, spec]), []).append(place)
    found = list(rows)
    for same in places.values():
        for place, row in zip(same, adjusted([rows[place] for place in same]), strict=True):
            found[place] = row
    return found


def _white_noise(metric: Metric, shifting: Turning, seed: int) -> float:
    """What white noise of the detector's rate scores."""
    events = shifting.case.events
    flags, *_ = metric.flags(shifting.case)
    judged = events.n if events.judged is None else events.judged.sum()
    rate = float(np.count_nonzero(flags) / judged)
    return chance_of(events, metric.with_settings(at=None), rate=rate, seed=seed).level


class Judged(NamedTuple):
    """What was said of one detector."""

    ready: Any
    """As its input has placed it."""
    metrics: list[Metric]
    """As they were asked for."""
    rows: list[Finding]


ThresholdKind = Literal["known", "oracle", "none"]
"""A threshold is given (or the scores are flags), an oracle is to choose it, or there is none."""


class Request(NamedTuple):
    """What is to be known of every detector."""

    requested: list[Metric]
    """Empty: the usual ones."""
    every: bool
    oracle: bool
    """Whether the best threshold is taken where there is none and nobody named a metric."""
    ask: Ask
    at: Any
    """What chooses thresholds, as it was given."""
    per_series: bool
    progress: Callable[[float, int], None]

    def kind(self, ready: Any) -> ThresholdKind:
        """How the threshold of a detector is to be had."""
        return "known" if ready.known else "oracle" if self.oracle else "none"


def findings_of_one(metrics: list[Metric], ready: Any, ask: Ask) -> list[Finding]:
    """Judge one detector as `evaluate` does, alone; those of a series share their options."""
    return list(judge_all(ready.told(metrics, ask), ask))
