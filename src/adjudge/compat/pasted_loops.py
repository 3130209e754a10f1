"""Loops that adjust by points: OmniAnomaly, TranAD, Anomaly-Transformer, MOMENT."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError
from adjudge.metrics.reader import metric

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags

_LABELLED = 0.1  # what the loop takes for an anomalous label


def adjustment(gt: Any, pred: Any) -> tuple[Any, Any]:
    """Adjust predictions by points, in place, as the loop of Anomaly-Transformer does.

    Every event with a hit is filled, but for the first point of the data: a defect of the loop,
    which walks back to index 1 only. The argument ``pred`` is changed, as there.

    Parameters
    ----------
    gt, pred : array of 0/1
        Labels, and predictions, which are overwritten.

    Returns
    -------
    gt, pred
        The two arguments.

    Examples
    --------
    >>> adjustment(np.array([1, 1, 0, 1, 1]), np.array([0, 1, 0, 0, 1]))[1]  # the first stays 0
    array([0, 1, 0, 1, 1])
    """
    filled, _, _ = filled_events(np.asarray(gt) == 1, np.asarray(pred) == 1)
    for place in np.flatnonzero(filled & (np.asarray(pred) != 1)).tolist():
        pred[place] = 1
    return gt, pred


def adjust_predicts(
    score: Column,
    label: Column,
    threshold: float | None = None,
    pred: Any = None,
    calc_latency: bool = False,
) -> Any:
    """Adjust the predictions ``score > threshold`` by points, as OmniAnomaly and TranAD do.

    Labels above 0.1 are anomalous. The first point of the data is never filled, as in `adjustment`.

    Parameters
    ----------
    score, label : array
        Scores and labels.
    threshold : float
        Points that score higher are predicted.
    pred : array, optional
        Predictions; then score and threshold do not matter. They are changed in place.
    calc_latency : bool
        Whether to give the latency too: filled points before the first hits, per event that was
        hit (plus 1e-4).

    Returns
    -------
    array of bool, or that and the latency

    Examples
    --------
    >>> adjust_predicts([0, 0, 0, 9, 0], [0, 1, 1, 1, 1], threshold=1)
    array([False,  True,  True,  True,  True])
    """
    scores, labels = np.asarray(score), np.asarray(label)
    if scores.shape[:1] != labels.shape[:1]:
        raise InputError(
            f"score and label must be equally long, got {len(scores)} and {len(labels)} points"
        )
    if pred is None and threshold is None:
        raise InputError("threshold must be given, or pred, got neither")
    predict = (scores > threshold) if pred is None else pred
    filled, latency, hit = filled_events(labels > _LABELLED, np.asarray(predict).astype(bool))
    predict[filled] = True
    return (predict, latency / (hit + 1e-4)) if calc_latency else predict


def calc_point2point(predict: Column, actual: Column) -> tuple[float, ...]:
    """F1, precision, recall, TP, TN, FP, FN, ROC area and accuracy of predictions, pointwise.

    The ROC area is that of the 0/1 predictions, not of any scores; 0 where it is undefined. The
    rates are NaN where they are 0/0.

    >>> calc_point2point([1, 1, 0, 0], [1, 0, 0, 0])[:3]
    (0.6666666666666666, 0.5, 1.0)
    """
    flags, labels = np.asarray(predict).astype(bool), np.asarray(actual) > 0
    counts = (flags & labels, ~flags & ~labels, flags & ~labels, ~flags & labels)
    tp, tn, fp, fn = (int(np.count_nonzero(part)) for part in counts)
    names = ("f1", "precision", "recall", "auc_roc", "accuracy")
    f1, precision, recall, area, accuracy = (metric(name)(labels, flags) for name in names)
    f1 = f1 if tp else math.nan  # theirs is 2PR / (P + R)
    return f1, precision, recall, tp, tn, fp, fn, 0.0 if math.isnan(area) else area, accuracy


def calc_seq(
    score: Column,
    label: Column,
    threshold: float,
    calc_latency: bool = False,
) -> list[float] | tuple[float, ...]:
    """Adjust by points at one threshold, and give what `calc_point2point` gives.

    With ``calc_latency`` it is a list, and the latency comes last. It is `f1_pa` at a threshold,
    with the defect at the first point.
    """
    if not calc_latency:
        return calc_point2point(adjust_predicts(score, label, threshold), label)
    predict, latency = adjust_predicts(score, label, threshold, calc_latency=True)
    return [*calc_point2point(predict, label), latency]


def bf_search(
    score: Column,
    label: Column,
    start: float,
    end: float | None = None,
    step_num: int | None = 1,
    display_freq: int = 1,
    verbose: bool = True,
) -> tuple[Any, float]:
    """Search the best point-adjusted F1 over a grid of thresholds, as OmniAnomaly and TranAD do.

    The threshold is chosen by the labels of the test data: an oracle, whose value is an upper bound
    of what the detector would do. ``best(f1_pa)`` is the exact one, over all thresholds, in the
    time of one sort; ``best(f1_ba)`` is not won by noise.

    Parameters
    ----------
    score, label : array
        Scores and labels.
    start, end : float
        The grid begins one step above ``start`` and ends at ``end``.
    step_num : int
        How many thresholds.
    display_freq, verbose
        What is printed, and how often; nothing is printed at the end, unlike there.

    Returns
    -------
    list
        What `calc_seq` gives with the latency, at the best threshold.
    float
        That threshold.

    Examples
    --------
    >>> found, threshold = bf_search([0, 3, 9, 1], [0, 1, 1, 0], 0, 10, 10, verbose=False)
    >>> found[0], threshold
    (1.0, 1.0)
    """
    if step_num is None or end is None:
        end, step_num = start, 1
    found: Any = (-1.0, -1.0, -1.0)
    best, threshold = 0.0, start
    for step in range(step_num):
        threshold += (end - start) / float(step_num)
        target = calc_seq(score, label, threshold, calc_latency=True)
        if target[0] > found[0]:
            best, found = threshold, target
        if verbose and step % display_freq == 0:
            print("cur thr: ", threshold, target, found, best)  # noqa: T201 - asked for
    return found, best


def pot_result(score: Column, label: Column, threshold: float) -> tuple[dict[str, float], Flags]:
    """The dictionary and the predictions that ``pot_eval`` returns, once it has a threshold.

    Finding the threshold (peaks over threshold, from the scores of the training data) is the
    detector's business; what it is scored with is `f1_pa`.

    >>> pot_result([0, 3, 9, 1], [0, 1, 1, 0], 5)[0]["f1"]
    1.0
    """
    predict = adjust_predicts(score, label, threshold)
    names = ("f1", "precision", "recall", "TP", "TN", "FP", "FN", "ROC/AUC", "accuracy")
    values = calc_point2point(predict, label)
    return {**dict(zip(names, values, strict=True)), "threshold": threshold}, np.array(predict)


def adjbestf1(y_true: Column, y_scores: Column, n_splits: int = 100) -> float:
    """The best point-adjusted F1 over a linear grid of thresholds, as MOMENT does.

    Points that score the threshold or more are predicted, for ``n_splits`` thresholds from the
    lowest to the highest score. Most of a grid is wasted where scores are skewed:
    ``best(f1_pa)`` tries every score.

    >>> adjbestf1(np.array([0, 1, 1, 0]), np.array([0, 1, 3, 2]))
    1.0
    """
    labels, scores = np.asarray(y_true) > 0, np.asarray(y_scores, np.float64)
    grid = np.linspace(scores.min(), scores.max(), n_splits)
    return float(max(adjusted_f1(labels, scores >= level) for level in grid.tolist()))


def filled_events(labels: Flags, flags: Flags) -> tuple[Flags, int, int]:
    """Fill the events that are hit, but for the first point; say how late, and how many."""
    filled, late, hit = flags.copy(), 0, 0
    edges = np.flatnonzero(np.diff(labels, prepend=False, append=False))
    for start, stop in edges.reshape(-1, 2).tolist():
        hits = np.flatnonzero(flags[start:stop])
        if hits.size:
            first, begin = start + int(hits[0]), max(start, 1)
            late, hit = late + max(first - begin, 0), hit + 1
            filled[begin:stop] = True
    return filled, late, hit


def adjusted_f1(labels: Flags, flags: Flags) -> float:
    """F1 of flags after the loop; 0 where it is undefined."""
    return metric("f1")(labels, filled_events(labels, flags)[0], zero_division=0)
