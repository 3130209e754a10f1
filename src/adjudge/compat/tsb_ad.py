"""The nine numbers of TSB-AD."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.compat.pasted_loops import adjusted_f1
from adjudge.data.case import Case
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.metrics.reader import metric

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags, Floats

_GRID = 100


def get_metrics(
    score: Column,
    labels: Column,
    slidingWindow: int = 100,  # noqa: N803 - their signature
    pred: Column = None,
    version: str = "opt",  # noqa: ARG001 - their two ways give the same numbers
    thre: int = 250,
) -> dict[str, float]:
    """The nine numbers of TSB-AD's ``get_metrics``, defects included.

    Mind the order of the arguments: scores first. Without ``pred`` the five F-scores are those
    of an oracle: PA-F1, Event-based-F1, R-based-F1 and Affiliation-F at the best of 100 thresholds
    evenly spaced between the lowest and the highest score, so that a monotone map of the scores
    changes them; Standard-F1 at the best of all, with 1e-5 added to a denominator.

    ================  ========================================================================
    key               the metric to ask for, and the defect
    ================  ========================================================================
    AUC-PR            ``ap``, or ``ap_ba``
    AUC-ROC           ``auc_roc``
    VUS-PR, VUS-ROC   ``vus_pr(window=w)``, ``vus_roc(window=w)``
    Standard-F1       ``best(f1)``; there never quite 1
    PA-F1             ``best(f1_pa)``, better ``best(f1_ba)``; there without the first point
    Event-based-F1    ``best(composite_f1)``; there without the last point of the data
    R-based-F1        ``best(range_f1(r_alpha=0.2, cardinality="reciprocal"))``; there 0 where all
                      is labelled, or all is flagged
    Affiliation-F     ``best(affiliation_f1)``
    ================  ========================================================================

    Parameters
    ----------
    score, labels : array
        Scores and 0/1 labels.
    slidingWindow : int
        Window of the two volumes.
    pred : array of 0/1, optional
        Predictions, for the five F-scores.
    version : str
        "opt" or "opt_mem" there; they give the same numbers.
    thre : int
        How many thresholds the volumes take.

    Returns
    -------
    dict
        Nine floats, by TSB-AD's keys.

    Examples
    --------
    >>> get_metrics(np.array([1, 2, 9, 8, 1]), np.array([0, 0, 1, 1, 0]))["PA-F1"]
    1.0
    """
    events = Events.from_labels(labels)
    scores = np.asarray(score, np.float64)
    if not len(events):
        raise InputError("labels must hold at least one event, got none")
    volumes = f"(window={slidingWindow}, thresholds={thre})"
    specs = {"AUC-PR": "ap", "AUC-ROC": "auc_roc"}
    specs |= {f"VUS-{name}": f"vus_{name.lower()}{volumes}" for name in ("PR", "ROC")}
    values = {key: metric(spec)(events, scores) for key, spec in specs.items()}
    if pred is not None:
        flags = np.asarray(pred) == 1
        return values | {key: rate(flags, events) for key, rate in _RATES.items()}
    values["Standard-F1"] = _best_with_epsilon(events, scores)
    levels = np.linspace(scores.min(), scores.max(), _GRID)
    for key in ("PA-F1", "Event-based-F1", "R-based-F1", "Affiliation-F"):
        rate = _RATES[key]
        values[key] = max(rate(scores > level, events) for level in levels.tolist())
    return values


def _composite(flags: Flags, events: Events) -> float:
    """Precision of points, recall of events; one at the end of the data loses its last point."""
    last = events.n - 1
    hits = [flags[event.start : min(event.stop, last)].any() for event in events]
    recall = float(np.mean(hits))
    precision = metric("precision")(events, flags, zero_division=0)
    return float(2 * recall * precision / (recall + precision + 1e-15))


def _ranges(flags: Flags, events: Events) -> float:
    if flags.all() or events.labels.all():
        return 0.0
    spec = 'range_f1(r_alpha=0.2, cardinality="reciprocal")'
    return metric(spec)(events, flags, zero_division=0)


def _affiliation(flags: Flags, events: Events) -> float:
    return metric("affiliation_f1")(events, flags) if flags.any() else math.nan


def _best_with_epsilon(events: Events, scores: Floats) -> float:
    curve = metric("f1").curve(Case(events, scores))
    precision, recall = np.nan_to_num(curve.precision, nan=1.0), curve.recall
    return float(np.max(2 * precision * recall / (precision + recall + 1e-5)))


_RATES: dict[str, Any] = {
    "Standard-F1": lambda flags, events: metric("f1")(events, flags, zero_division=0),
    "PA-F1": lambda flags, events: adjusted_f1(events.labels, flags),
    "Event-based-F1": _composite,
    "R-based-F1": _ranges,
    "Affiliation-F": _affiliation,
}
