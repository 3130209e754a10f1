"""Metrics that are under audit in several tests, and runs of them."""

import math

import numpy as np

from adjudge.lab.audit import drawn_cases as trial
from adjudge.lab.audit.confidence import EFFORTS, Confidence
from adjudge.lab.audit.run import Run
from adjudge.lab.audit.subject_calls import FunctionSubject

NAMES = [
    *("C-1", "C-1q", "C-1r", "C-1a", "C-1a-mixed", "L1"),
    *("C-2", "C-2-population", "C-3", "L3", "L8", "L9", "L10"),
    *("L2", "L4", "L4-strict", "L5", "L5-strict", "L6", "L7", "L8-strict", "L11", "L12", "L13"),
]


def always(value):
    return lambda labels, flags: value  # noqa: ARG005 - as all metrics


def naive_composite(labels, flags):
    """The quick form of `naive.composite`; a test holds them together."""
    labels, flags = labels > 0, flags > 0
    hits = (labels & flags).sum()
    if not hits:
        return 0.0 if labels.any() or flags.any() else math.nan
    starts, stops = trial.event_bounds(labels)
    found = np.add.reduceat(np.append(flags, 0), np.stack([starts, stops], 1).ravel())[::2] > 0
    recall, precision = found.mean(), hits / flags.sum()
    return float(2 * recall * precision / (recall + precision))


def run_of(metric, kind="flags", **words):
    return Run(FunctionSubject(metric, kind, **words), EFFORTS["quick"], 0, Confidence(7))
