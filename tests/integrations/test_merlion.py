"""Merlion itself: a model's scores as a TimeSeries, and its own F1 beside ours."""

import pytest

import adjudge as aj
from integrations import recipes
from integrations.made_data import data

pytest.importorskip("merlion")

import pandas as pd
from merlion.evaluate.anomaly import TSADMetric
from merlion.models.anomaly.isolation_forest import IsolationForest, IsolationForestConfig
from merlion.utils import TimeSeries

VALUES, LABELS = data()
TIMES = pd.date_range("2026-01-01", periods=len(VALUES), freq="5min")
SERIES = TimeSeries.from_pd(pd.DataFrame({"x": VALUES}, index=TIMES))
TRUTH = pd.Series(LABELS, index=TIMES)


@pytest.fixture(scope="module")
def model():
    model = IsolationForest(IsolationForestConfig(max_n_samples=128, n_estimators=20))
    model.train(SERIES)
    return model


def test_the_points_that_come_back_are_judged(model):
    judged = recipes.judge_model_of_merlion(model, SERIES, TRUTH)
    scores = model.get_anomaly_score(SERIES).to_pd().iloc[:, 0]
    kept = TRUTH.loc[scores.index].to_numpy()
    assert 0 < len(TRUTH) - len(scores) < 50
    assert judged["auc_roc"] == aj.auc_roc(kept, scores.to_numpy())
    assert judged.events[0]["from"] == "2026-01-01 10:50"


def test_its_pointwise_f1_is_f1_and_its_default_is_revised_f1(model):
    scores = model.get_anomaly_score(SERIES).to_pd().iloc[:, 0]
    flags = (scores > scores.quantile(0.95)).astype(int)
    kept = TRUTH.loc[scores.index]
    predicted, truth = (TimeSeries.from_pd(one.to_frame("anom")) for one in (flags, kept))
    given = {"ground_truth": truth, "predict": predicted}
    assert TSADMetric.PointwiseF1.value(**given) == pytest.approx(aj.f1(kept, flags))
    assert TSADMetric.PointAdjustedF1.value(**given) == pytest.approx(aj.f1_pa(kept, flags))
    assert TSADMetric.F1.value(**given) == pytest.approx(aj.revised_f1(kept, flags))
