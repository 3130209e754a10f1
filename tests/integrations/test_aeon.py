"""aeon itself: a detector's scores, and its own range metrics beside ours."""

import pytest

import adjudge as aj
from integrations import recipes
from integrations.made_data import data

pytest.importorskip("aeon")

from aeon.anomaly_detection.series.distance_based import KMeansAD
from aeon.benchmarking.metrics.anomaly_detection import pr_auc_score, roc_auc_score

VALUES, LABELS = data()


def test_its_scores_are_taken_as_they_are():
    detector = KMeansAD(n_clusters=4, window_size=10, random_state=0)
    judged = recipes.judge_detector_of_aeon(detector, VALUES, LABELS)
    scores = detector.fit_predict(VALUES)
    assert judged["auc_roc"] == aj.auc_roc(LABELS, scores)
    assert judged["auc_roc"] == pytest.approx(roc_auc_score(LABELS, scores))
    assert aj.auc_pr(LABELS, scores) == pytest.approx(pr_auc_score(LABELS, scores))
