"""darts itself: a scorer whose window swallows points, and its own area."""

import pytest

import adjudge as aj
from integrations import recipes
from integrations.made_data import data

pytest.importorskip("darts")

import numpy as np
import pandas as pd
from darts import TimeSeries
from darts.ad import KMeansScorer
from darts.ad.utils import eval_metric_from_scores

VALUES, LABELS = data()
TIMES = pd.date_range("2026-01-01", periods=len(VALUES), freq="5min")
SERIES = TimeSeries.from_times_and_values(TIMES, VALUES.astype(np.float32))
TRUTH = TimeSeries.from_times_and_values(TIMES, LABELS.astype(np.float32))


@pytest.fixture(scope="module")
def scores():
    scorer = KMeansScorer(window=10, k=4, random_state=0)
    scorer.fit(SERIES[:500])
    return scorer.score(SERIES)


def test_the_points_that_come_back_are_judged(scores):
    assert len(scores) == 2991
    judged = recipes.judge_scores_of_darts(TRUTH, scores)
    plain = scores.values().ravel()
    assert judged["auc_roc"] == aj.auc_roc(LABELS[9:], plain)
    assert judged["best(f1_ba)"] == aj.best(aj.f1_ba)(LABELS[9:], plain)
    assert judged.events[0]["from"] == "2026-01-01 10:50"
    theirs = eval_metric_from_scores(TRUTH, scores, metric="AUC_ROC")
    assert judged["auc_roc"] == pytest.approx(theirs)
