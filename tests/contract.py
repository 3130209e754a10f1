"""What the tests of the input contract share."""

import math

import numpy as np

import adjudge as aj

LABELS = [0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0]
FLAGS = [1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]
SCORES = [6, 0, 1, 7, 2, 2, 0, 5, 1, 3, 4, 0, 1, 6]
INF, NAN = math.inf, math.nan
WHERE = "; leave them out with where=labels.notna() (--where COL)"
LEAVE_OUT = "; leave them out with where=scores.notna() or missing='skip' (--missing skip)"
WAYS_ON = "; say channels=[...] for several channels, annotators=[...] for several annotators"
SWAPPED = "; are labels and scores swapped?"


ROWS = {  # one of each way of adjusting and counting: what they share is how input is read
    (str(row.adjust), str(row.count), row.needs): row
    for row in aj.catalogue.values()
    if row.listed and (row.count is not None or row.needs == "flags")
}.values()


def with_flags(labels, flags):
    """One metric of each kind, to the last bit."""
    return {row.name: row.metric(labels, flags).hex() for row in ROWS}


def with_scores(labels, scores):
    """Areas, oracles and a threshold, to the last bit."""
    rows = [row for row in ROWS if row.needs == "scores" or row.metric.sweeps]
    metrics = [m.metric if m.needs == "scores" else aj.best(m.metric) for m in rows]
    values = {str(metric): metric(labels, scores).hex() for metric in metrics}
    return values | {"at": aj.f1_ba(labels, scores, at=2.5).hex()}


def masses(labels, flags, metric, **options):
    return np.array(aj.explain(labels, flags, metric, **options).tally)


def same(expected, found):
    np.testing.assert_array_equal(expected, found)


class OnlyArray:
    def __init__(self, values):
        self.values = np.array(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)
