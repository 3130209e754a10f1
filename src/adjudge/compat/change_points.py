"""What packages of change points and drifts print, by their names and in their own readings.

Positions in, numbers out, defects included; written from behaviour. Each function says what it
does to a score and which metric to ask for instead: no package here pairs as many changes and
alarms as it could, and none says what chance would score. Lists must be ascending; `ruptures` lists
end with the number of points.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from adjudge.data.changes import Changes
from adjudge.errors import InputError
from adjudge.metrics.reader import metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NAN = float("nan")


def precision_recall(
    true_bkps: Sequence[int], my_bkps: Sequence[int], margin: int = 10
) -> tuple[float, float]:
    """Precision and recall of ``ruptures.metrics``: strictly nearer than the margin.

    A change uses up every reported one near it, so that of two changes near two reports one may be
    lost. Ask for ``change_precision(margin=margin - 1)`` and ``change_recall(margin=margin - 1)``.

    Parameters
    ----------
    true_bkps, my_bkps : list of int
        True and reported changes, both closed by the number of points.
    margin : int
        How near a report must be.

    Returns
    -------
    tuple of float
        Precision and recall; both 0 without a report.

    Examples
    --------
    >>> precision_recall([10, 14, 30], [9, 12, 30], margin=5)  # change_recall(margin=4): 1
    (0.5, 0.5)
    """
    truth, left = _opened(true_bkps, "true_bkps"), list(_opened(my_bkps, "my_bkps"))
    reports = len(left)
    if not reports:
        return 0.0, 0.0
    found = 0
    for change in truth:
        near = {at for at in left if abs(at - change) < margin}
        found += bool(near)
        left = [at for at in left if at not in near]
    return found / reports, found / len(truth)


def randindex(bkps1: Sequence[int], bkps2: Sequence[int]) -> float:
    """Rand index of ``ruptures.metrics``; ask for ``regime_rand``, beside its chance level.

    Parameters
    ----------
    bkps1, bkps2 : list of int
        Changes, both closed by the number of points.

    Examples
    --------
    >>> randindex([5, 10], [6, 10])
    0.8
    """
    n = bkps1[-1]
    first, second = (Changes(_opened(side, "bkps"), n) for side in (bkps1, bkps2))
    return metric("regime_rand")(first, second)


def f_measure(
    annotations: Mapping[object, Iterable[int]], predictions: Iterable[int], margin: int = 5
) -> tuple[float, float, float]:
    """F-measure, precision and recall of TCPDBench, with the point 0 given away.

    The nearest report is taken first, change by change in the order in which a set of Python holds
    them. With one change a silent detector scores 2/3. Ask for ``change_f1``, or for the same
    without its order ``change_f1(trivial=true)``.

    Parameters
    ----------
    annotations : dict of lists
        The changes that each annotator named.
    predictions : list of int
        Reported changes.
    margin : int
        How far off a report may be.

    Returns
    -------
    tuple of float
        F, precision and recall.

    Examples
    --------
    >>> f_measure({"ann": [50]}, [])[0]
    0.6666666666666666
    """
    lists = {name: {*own, 0} for name, own in annotations.items()}
    reports = {*predictions, 0}
    every = {change for own in lists.values() for change in own}
    precision = _nearest(every, reports, margin) / len(reports)
    recall = fmean(_nearest(own, reports, margin) / len(own) for own in lists.values())
    return 2 * precision * recall / (precision + recall), precision, recall


def covering(
    annotations: Mapping[str, Iterable[int]], predictions: Iterable[int], n_obs: int
) -> float:
    """Covering of TCPDBench; ask for ``regime_recall``, which it is, beside its chance level.

    Parameters
    ----------
    annotations : dict of lists
        The changes that each annotator named.
    predictions : list of int
        Reported changes.
    n_obs : int
        Number of points.

    Examples
    --------
    >>> covering({"ann": [5]}, [6], 10)
    0.8166666666666668
    """
    lists = {name: Changes(list(own), n_obs, merge=True) for name, own in annotations.items()}
    return metric("regime_recall")(lists, Changes(list(predictions), n_obs, merge=True))


def windowed_f1(y_true: Sequence[int], y_pred: Sequence[int], margin: int = 0) -> float:
    """F1 of sktime's ``WindowedF1Score``: reports in (change - margin, change + margin].

    One report may serve several changes, so that F can exceed 1, and with margin 0 an exact hit
    never counts. Ask for ``change_f1(margin=margin)``.

    Parameters
    ----------
    y_true, y_pred : list of int
        Changes and reports.
    margin : int
        Half the width of a window.

    Examples
    --------
    >>> windowed_f1([5, 6], [6], margin=2)
    1.3333333333333333
    """
    if not y_true and not y_pred:
        return 1.0
    if not y_true or not y_pred:
        return 0.0
    found = sum(any(-margin < at - change <= margin for at in y_pred) for change in y_true)
    return 2 * found / (len(y_true) + len(y_pred))


def event_tpr(
    y_true: Sequence[int], y_pred: Sequence[int], min_offset: int, max_offset: int
) -> float:
    """Share of sktime's ``EventTPR``: the events with a report in [event + min, event + max].

    It is ``warning_recall(max_lead=-min_offset, min_lead=-max_offset)``.

    Parameters
    ----------
    y_true, y_pred : list of int
        Events and reports.
    min_offset, max_offset : int
        The window, relative to an event.

    Examples
    --------
    >>> event_tpr([50], [45], -10, -2)
    1.0
    """
    return _by_windows("warning_recall", y_true, y_pred, min_offset, max_offset)


def mean_detection_offset(
    y_true: Sequence[int], y_pred: Sequence[int], min_offset: int, max_offset: int
) -> float:
    """Mean of sktime's ``MeanDetectionOffset``: first report in the window less the event.

    It is ``-lead_time(max_lead=-min_offset, min_lead=-max_offset)``.

    Parameters
    ----------
    y_true, y_pred : list of int
        Events and reports.
    min_offset, max_offset : int
        The window, relative to an event.

    Examples
    --------
    >>> mean_detection_offset([50], [45], -10, -2)
    -5.0
    """
    return -_by_windows("lead_time", y_true, y_pred, min_offset, max_offset)


def false_alarm_rate(
    y_true: Sequence[int], y_pred: Sequence[int], min_offset: int, max_offset: int, n: int
) -> float:
    """Rate of sktime's ``FalseAlarmRate``: reports in no window, per step of all n - 1 steps.

    Time inside the windows counts too, so rates of rare and of dense events cannot be compared. Ask
    for ``false_warning_rate(max_lead=-min_offset, min_lead=-max_offset)``.

    Parameters
    ----------
    y_true, y_pred : list of int
        Events and reports.
    min_offset, max_offset : int
        The window, relative to an event.
    n : int
        Number of points.

    Examples
    --------
    >>> false_alarm_rate([50], [45, 80], -10, -2, n=101)
    0.01
    """
    false = sum(not any(min_offset <= at - one <= max_offset for one in y_true) for at in y_pred)
    return false / (n - 1) if n > 1 else NAN


def drift_performance(
    true_drifts: Sequence[int | tuple[int, int]],
    alarms: Sequence[int],
    n: int,
    max_delay: int,
    max_early_detection: int = 0,
    rate_period: int = 1000,
) -> dict[str, float]:
    """The numbers of CapyMOA's ``EvaluateDriftDetector``.

    Every alarm in a window is a true positive, so that ``recall``, tp / (tp + missed), counts
    alarms and not drifts; an alarm belongs to the earliest window alone, and one at 0 is not seen.
    Ask for ``warning_recall(max_lead=max_early_detection, min_lead=-max_delay)``, ``change_delay``
    and ``false_warning_rate``, beside what chance scores.

    Parameters
    ----------
    true_drifts : list of int or pairs
        Drifts, or their first and last points.
    alarms : list of int
        Reports, ascending.
    n : int
        Number of points.
    max_delay, max_early_detection : int
        How long after and before a drift an alarm counts.
    rate_period : int
        The number of points that rates are for.

    Returns
    -------
    dict
        By CapyMOA's keys.

    Examples
    --------
    >>> found = drift_performance([50, 100, 150], [51, 52, 53, 54, 109], 200, 10)
    >>> round(found["recall"], 3), round(found["episode_recall"], 3)
    (0.833, 0.667)
    """
    if not true_drifts:
        raise InputError("true_drifts must hold at least one drift, got none")
    seen = [at for at in alarms if at > 0]
    found = _episodes(true_drifts, seen, max_delay, max_early_detection, cut=True)
    precision = found.right / len(seen) if seen else 0.0
    recall = found.right / (found.right + found.missed)
    delay = fmean(found.delays) if found.delays else NAN
    return {
        "fp": len(seen) - found.right,
        "tp": found.right,
        "fn": found.missed,
        "precision": precision,
        "recall": recall,
        "episode_recall": 1 - found.missed / len(true_drifts),
        "f1": 2 * precision * recall / (precision + recall) if found.right else 0.0,
        "mdt": delay,
        "ndt": delay / max_delay,
        "far": (len(seen) - found.right) / n * rate_period,
        "ar": len(seen) / n * rate_period,
        "n_episodes": len(true_drifts),
        "n_alarms": len(seen),
    }


def drift_report(
    alarms: Sequence[int],
    true_drifts: Sequence[int | tuple[int, int]],
    n_samples: int,
    delta_max: int,
    delta_pre: int = 0,
    unit: int = 1000,
) -> dict[str, float]:
    """The numbers of the evaluation that was proposed for river.

    Its F1 takes the share of drifts as recall, and not its own ``recall``, which counts alarms. The
    time between false alarms is the mean gap from one to the next: NaN below two. Ask for the same
    as of `drift_performance`.

    Parameters
    ----------
    alarms : list of int
        Reports, ascending.
    true_drifts : list of int or pairs
        Drifts, or their first and last points.
    n_samples : int
        Number of points.
    delta_max, delta_pre : int
        How long after and before a drift an alarm counts.
    unit : int
        The number of points that the rate is for.

    Returns
    -------
    dict
        By river's keys.

    Examples
    --------
    >>> drift_report([51, 52, 53, 54, 109], [50, 100, 150], 200, 10)["f1"]
    0.8
    """
    drifts, count = len(true_drifts), len(alarms)
    found = _episodes(true_drifts, alarms, delta_max, delta_pre, cut=False)
    precision = found.right / count if count else NAN
    missed = found.missed / drifts if drifts else NAN
    delay = fmean(found.delays) if found.delays else NAN
    gaps = [later - sooner for sooner, later in pairwise(found.false)]
    between = fmean(gaps) if gaps else NAN
    both = precision + 1 - missed
    return {
        "n_samples": n_samples,
        "n_drifts": drifts,
        "n_alarms": count,
        "precision": precision,
        "recall": found.right / (found.right + found.missed) if drifts else NAN,
        "episode_recall": 1 - missed,
        "f1": 2 * precision * (1 - missed) / both if both else 0.0,
        "missed_detection_rate": missed,
        "detection_delay": delay,
        "normalized_detection_time": delay / delta_max,
        "false_alarm_rate": len(found.false) / n_samples * unit,
        "mean_time_between_false_alarms": between,
        "mean_time_ratio": _ratio(between, delay) * (1 - missed),
    }


class _Found(NamedTuple):
    """What alarms make of drifts, each alarm in the earliest window alone."""

    right: int
    missed: int
    delays: list[int]
    false: list[int]


def _episodes(
    drifts: Sequence[int | tuple[int, int]],
    alarms: Sequence[int],
    after: int,
    before: int,
    *,
    cut: bool,
) -> _Found:
    right, missed, delays, left = 0, 0, [], list(alarms)
    earliest = 0
    for drift in drifts:
        start, end = (drift, drift) if isinstance(drift, int) else drift
        begin = max(start - before, earliest) if cut else start - before
        own = [at for at in left if begin <= at <= end + after]
        left = [at for at in left if not begin <= at <= end + after]
        right, missed = right + len(own), missed + (not own)
        delays += [own[0] - start] if own else []
        earliest = end + after + 1
    return _Found(right, missed, delays, left)


def _ratio(part: float, whole: float) -> float:
    if whole == 0 and part > 0:
        return float("inf")
    return part / whole if whole else NAN


def _nearest(changes: set[int], reports: set[int], margin: int) -> int:
    """Changes that find a report, each taking the nearest that is left."""
    left, found = set(reports), 0
    for change in changes:
        near = [(abs(change - at), at) for at in left if abs(change - at) <= margin]
        if near:
            left.remove(min(near)[1])
            found += 1
    return found


def _by_windows(
    name: str, truth: Sequence[int], alarms: Sequence[int], earliest: int, latest: int
) -> float:
    n = max([*truth, *alarms, 0]) + 1 + max(latest, 0)
    asked = metric(name)(max_lead=-earliest, min_lead=-latest)
    return asked(Changes(list(truth), n, merge=True), Changes(list(alarms), n))


def _opened(bkps: Sequence[int], name: str) -> list[int]:
    """The changes without the number of points at the end."""
    if not bkps:
        raise InputError(f"{name} must end with the number of points, got an empty list")
    return list(bkps[:-1])
