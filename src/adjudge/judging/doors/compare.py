"""Compare: two detectors on the same labels, or each two of several."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from adjudge.checks import is_whole, suggest_keywords
from adjudge.errors import InputError, shown
from adjudge.judging.comparing.comparison import Comparison
from adjudge.judging.comparing.facing import refuse_whole
from adjudge.judging.comparing.several import Comparisons
from adjudge.judging.inputs.contract import GroupedColumns
from adjudge.judging.inputs.door import read, takes_input
from adjudge.judging.judge.tuning import thresholds_by_name
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.ask import Ask
from adjudge.noise.assumptions import clause
from adjudge.noise.comparing.paired_units import events_needed
from adjudge.noise.comparing.rivals import compared
from adjudge.noise.intervals.units import in_words
from adjudge.noise.null_models import read_null
from adjudge.noise.p_values import TIE, holm
from adjudge.noise.shifting.offsets import generator

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.judging.comparing.facing import Facing
    from adjudge.metrics.metric import Metric
    from adjudge.noise.comparing.paired_units import Difference
    from adjudge.noise.null_models import Null


@suggest_keywords("compare", passes_on=GroupedColumns)
@takes_input(scores=2)
def compare(
    labels: Column,
    a: Column = None,
    b: Column = None,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    unit: str = "auto",
    draws: int | None = None,
    seed: int | np.random.Generator = 0,
    names: tuple[str, str] | None = None,
    null: str | Null | None = None,
    period: Any = None,
    **columns: Unpack[GroupedColumns],
) -> Comparison:
    r"""Compare two detectors on the same labels; `adjudge.compare_all` takes more.

    Parameters
    ----------
    labels : column, Events or Incidents; or an input
        The truth. An input (`adjudge.Points`, `adjudge.OnCall` ...) of two detectors replaces
        labels, a and b.
    a, b : column, Events or Alerts
        Scores or flags of the two detectors.
    metric : spec or Metric
        A metric at a threshold; ``best(...)``: each detector then has its own best threshold;
        or an area, which looks at all thresholds.
    at : number, rule, or pair of them
        One threshold for both, or a tuple ``(at_a, at_b)``. With `adjudge.tuned` thresholds are
        tuned on a part, and the rest is compared.
    unit : str
        The unit of evidence, see `adjudge.evaluate`.
    draws : int, optional
        How often the thresholds of ``best(...)`` are re-chosen to estimate their optimism;
        default: 1000. Nothing else is random.
    seed : int or Generator
        Of these draws, and of the null model.
    names : pair of str, optional
        Names of a and b in the result's sentences; an input has its own.
    null : name or null model, optional
        Also report the chance level of each under this null model (see `adjudge.evaluate`): a
        metric may favour the one that alarms more often. The p-value does not depend on it.
    period : int or duration, optional
        The period of ``null="seasonal"``; see `adjudge.evaluate`.
    **columns
        Arguments of the input, as in `adjudge.evaluate`. With ``missing="skip"`` only points
        that both have scored are judged. An event on several channels at once, or marked by
        several annotators, counts as one event of evidence.

    Returns
    -------
    Comparison
        Both values, their difference with a 95 % interval, the p-value, and how many events
        would settle it. ``print`` shows sentences.

    Raises
    ------
    InputError
        When the columns do not fit together, or the metric is a median or a maximum over rows,
        which cannot be resampled.

    Notes
    -----
    From eight units of evidence on, the test flips the signs of their contributions to the
    difference d in all ways, or in 4,096 of them (`adjudge.noise.comparing.flips`):

    .. math:: p = \frac{1}{W} \, \# \{w: |\textstyle\sum_u w_u z_u| \ge |d|\}

    and the interval holds each difference that the test accepts at 5 %, so it excludes 0 exactly
    when p is at most .05. A permutation test also exchanges the detectors within units, to test
    whether they are the same in all (``p_exchange``; areas by ranks, since the scales of scores
    differ); the larger p counts. Correlated neighbouring events are flipped together.

    Series that share a clock are clustered both ways, by series and by the episodes of that clock:
    the larger p-value counts, and the interval covers both.

    With three to seven units, and for metrics such as ``vus_roc`` that use the jackknife, interval
    and p-value are Student's, :math:`d \pm t_{df} \, se`, with one pseudo-event added to the real
    units, split over found by both, by one, by the other and by none. With fewer than three units,
    or where one has more than 60 % of what is at stake, there is neither.

    Choosing thresholds by ``best(...)`` on the same events favours finely graded scores over
    coarse ones, and flags not at all. Interval and p-value are those of the difference minus this
    ``optimism``.

    Examples
    --------
    >>> labels = [0, 0, 0, 1, 0] * 20
    >>> often = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> result = compare(labels, labels, often, "event_f1")
    >>> print(f"{result.a:.2f} {result.b:.2f} p = {result.p_value:.4f}; {result.evidence}")
    1.00 0.67 p = 0.0056; 20 events
    """
    given = None if a is None and b is None else _two(a, b, names)
    if given is None and names is not None:
        raise InputError(f"names must come with a and b, got {shown(names)} alone")
    data = read(labels, given, columns)
    if len(data.detectors) != 2:
        raise InputError(f"{_TWO}, got {len(data.detectors)} detectors")
    metric, rng = read_metric(metric), generator(seed)
    model = None if null is None and period is None else read_null(null or "shifted", period)
    own = int(seed) if is_whole(seed) else int(rng.integers(2**32))
    ask = Ask(model, seed=own, unit=unit, draws=draws)
    refuse_whole(metric)
    first, second = data.detectors
    found, _ = comparison_of(data.facing(metric, _thresholds(at), ask), (first, second), ask)
    return found


def comparison_of(
    two: Facing, names: tuple[str, str], ask: Ask
) -> tuple[Comparison, Difference | None]:
    """All that is known of two detectors, and what it rests on.

    Parameters
    ----------
    two, names, ask : Facing, pair of str, Ask
        The detectors, what they are called, and what is asked.
    """
    a, b = two.rivals
    events = a.turning.case.event_count
    seen, optimism, why = compared(a, b, ask, two.groups)
    found = Comparison(
        metric=two.spec, a=a.value, b=b.value, difference=a.value - b.value,
        low=math.nan, high=math.nan, p_value=math.nan, events=events, events_needed=None,
        at=(a.at, b.at), better=a.metric.row.better, names=names, evidence=why,
        seconds_per_point=two.seconds_per_point, notes=two.notes, optimism=optimism,
    )  # fmt: skip
    if ask.null is not None:
        found = replace(found, null=ask.null.name, chance=(a.chance(ask), b.chance(ask)))
    if seen is None:
        return found, None
    rests, needed = seen.evidence, events_needed(seen.spread, events)
    found = replace(
        found, low=rests.low, high=rests.high, p_value=seen.tested.p_value,
        p_exchange=seen.tested.p_exchange, notes=(*two.notes, *_storms(found, seen)),
        exact=a.side is None or all(map(math.isnan, optimism)),
        evidence=rests.words, evidence_unit=rests.unit, evidence_units=rests.units,
        assumes=_assumed(seen),
        conditional_low=rests.conditional_low, conditional_high=rests.conditional_high,
        events_needed=needed.events, events_needed_range=needed.span,
        events_needed_is_guess=needed.guess,
    )  # fmt: skip
    return found, seen


def _assumed(seen: Difference) -> str:
    """What makes the p-value true; lines of one clock may share luck, episodes may not."""
    if math.isnan(seen.tested.p_value):
        return ""
    return clause(seen.evidence.unit if seen.spread.by_episodes is None else "episode")


def _storms(found: Comparison, seen: Difference) -> list[str]:
    """Say that storms of false alarms may be missing, where few units have any."""
    if seen.false_units is None or abs(found.difference) <= TIE:
        return []
    units = in_words(seen.evidence.units, seen.evidence.unit)
    return [
        f"false alarms are in only {seen.false_units} of {units}: interval and p-value "
        "ignore rare bursts of false alarms"
    ]


_TWO = (
    "a and b must be one detector each; several by name go to compare_all(labels, "
    "{'mine': ..., 'theirs': ...})"
)


def _two(a: Column, b: Column, names: tuple[str, str] | None) -> dict[str, Column]:
    """Two detectors by name."""
    if a is None or b is None or isinstance(b, str):
        raise InputError(_TWO)
    one, other = ("a", "b") if names is None else names
    if one == other:
        raise InputError(f"names must differ, got {shown(one)} twice")
    return {one: a, other: b}


def _thresholds(at: Any) -> tuple[Any, Any]:
    if not isinstance(at, tuple):
        return at, at
    if len(at) != 2:
        raise InputError(f"at must be one threshold or a pair (at_a, at_b), got {shown(at)}")
    return at


@suggest_keywords("compare_all", passes_on=GroupedColumns)
@takes_input()
def compare_all(
    labels: Column,
    scores: Any = None,
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    unit: str = "auto",
    draws: int | None = None,
    seed: int | np.random.Generator = 0,
    null: str | Null | None = None,
    period: Any = None,
    **columns: Unpack[GroupedColumns],
) -> Comparisons:
    """Compare every pair of several detectors on the same labels.

    Parameters
    ----------
    labels : column or Events
        The truth.
    scores : mapping or data frame
        What the detectors say, by name, as in `adjudge.evaluate`.
    metric : spec or Metric
        As in `adjudge.compare`.
    at : number, rule or mapping
        One threshold for all, or a mapping with one for each name.
    unit, draws, seed, null, period
        As in `adjudge.compare`.
    **columns
        Arguments of the input, as in `adjudge.evaluate`.

    Returns
    -------
    Comparisons
        A `adjudge.Comparison` of each two, and p-values adjusted for the number of pairs.

    Raises
    ------
    InputError
        If there are fewer than two detectors, or `adjudge.compare` refuses two of them.

    Notes
    -----
    Each two are compared as by `adjudge.compare`, on the points that both have. Of k detectors
    there are k (k - 1) / 2 pairs, and the smallest of so many p-values is small by luck; Holm's
    method adjusts them so that, if no two detectors differ, any is called different in at most one
    case of twenty. Ask for few detectors: each one more makes every p-value larger.

    Examples
    --------
    >>> labels = [0, 0, 0, 1, 0] * 20
    >>> often, rarely = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0] * 10, [0, 0, 0, 1, 0] + [0] * 95
    >>> found = compare_all(labels, {"x": labels, "y": often, "z": rarely}, "event_f1")
    >>> [f"{pair.p_value:.4f} {p:.4f}" for pair, p in zip(found.pairs, found.p_adjusted)]
    ['0.0056 0.0078', '0.0002 0.0007', '0.0039 0.0078']
    """
    data = read(labels, scores, columns)
    if len(data.detectors) < 2:
        raise InputError(
            "scores must hold at least two detectors by name, as in {'mine': ..., 'theirs': "
            f"...}}, got {len(data.detectors)}"
        )
    levels = thresholds_by_name(at, data.detectors, getattr(data, "runs", {}))
    how: dict[str, Any] = {"unit": unit, "draws": draws, "seed": seed, "null": null}
    pairs = tuple(
        compare(
            data.only(*two), metric=metric, at=tuple(map(levels.get, two)), period=period, **how
        )
        for two in combinations(data.detectors, 2)
    )
    adjusted = holm(np.array([pair.p_value for pair in pairs])).tolist()
    return Comparisons(pairs, tuple(adjusted))
