"""dtaianomaly itself: metrics of flags and of scores, alone, swept, and in a workflow."""

import numpy as np
import pytest

import adjudge as aj
from integrations.made_data import data

pytest.importorskip("dtaianomaly")

from dtaianomaly.anomaly_detection import IsolationForest
from dtaianomaly.data import DataSet, LazyDataLoader
from dtaianomaly.evaluation import BestThresholdMetric
from dtaianomaly.thresholding import ContaminationRateThreshold
from dtaianomaly.workflow import Workflow

from adjudge.integrations.dtaianomaly import AdjudgeBinary, AdjudgeProba

VALUES, LABELS = data()
SCORES = np.abs(VALUES) / np.abs(VALUES).max()


class OneSeries(LazyDataLoader):
    def _load(self):
        return DataSet(X_test=VALUES[:, None], y_test=LABELS)


def test_flags_and_scores():
    flags = (SCORES > 0.6).astype(int)
    assert AdjudgeBinary("f1_ba(width=5)").compute(LABELS, flags) == aj.f1_ba(
        LABELS, flags, width=5
    )
    assert AdjudgeProba("ap").compute(LABELS, SCORES) == aj.ap(LABELS, SCORES)


def test_our_sweep_is_at_least_as_good_as_theirs():
    some = slice(0, 600)
    theirs = BestThresholdMetric(AdjudgeBinary("f1_ba(width=41)")).compute(
        LABELS[some], SCORES[some]
    )
    ours = AdjudgeProba("best(f1_ba(width=41))").compute(LABELS[some], SCORES[some])
    assert ours >= theirs - 1e-12


def test_they_stand_in_a_workflow():
    table = Workflow(
        dataloaders=[OneSeries()],
        metrics=[AdjudgeBinary(), AdjudgeProba()],
        thresholds=[ContaminationRateThreshold(0.13)],
        detectors=[IsolationForest(window_size=10)],
        fit_unsupervised_on_test_data=True,
    ).run()
    values = table[[name for name in table.columns if "Adjudge" in str(name)]].to_numpy(float)
    assert values.shape == (1, 2)
    assert np.isfinite(values).all()
