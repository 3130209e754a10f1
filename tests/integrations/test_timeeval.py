"""TimeEval itself: our metrics beside its own in a run."""

import json

import numpy as np
import pytest

import adjudge as aj
from integrations.made_data import data

pytest.importorskip("timeeval")

import pandas as pd
from timeeval import Algorithm, DefaultMetrics, MultiDatasetManager, TimeEval
from timeeval.adapters import FunctionAdapter

from adjudge.integrations.timeeval import AdjudgeMetric

VALUES, LABELS = data()
SPECS = ("best(f1_ba)", "f1_ba(at=quantile(0.87))", "ap")


def distances(values, _):
    return np.abs(values.reshape(len(values), -1)[:, 0])


def test_our_metrics_stand_in_its_table(tmp_path):
    frame = pd.DataFrame({"timestamp": range(len(VALUES)), "value": VALUES, "is_anomaly": LABELS})
    frame.to_csv(tmp_path / "s.test.csv", index=False)
    index = {"s": {"test_path": "s.test.csv", "type": "synthetic"}}
    (tmp_path / "datasets.json").write_text(json.dumps(index))
    run = TimeEval(
        MultiDatasetManager([], custom_datasets_file=tmp_path / "datasets.json"),
        [("custom", "s")],
        [Algorithm(name="distance", main=FunctionAdapter(distances), data_as_file=False)],
        metrics=[DefaultMetrics.ROC_AUC, *map(AdjudgeMetric, SPECS)],
        results_path=tmp_path / "results",
        disable_progress_bar=True,
    )
    run.run()
    (row,) = run.get_results(aggregated=False).to_dict("records")
    scores = np.abs(VALUES)
    scaled = (scores - scores.min()) / (scores.max() - scores.min())
    assert row["status"].name == "OK" or str(row["status"]).endswith("OK")
    for spec in SPECS:
        assert row[f"adjudge:{spec}"] == pytest.approx(aj.metric(spec)(LABELS, scaled))
    assert row["ROC_AUC"] == pytest.approx(aj.auc_roc(LABELS, scores))


def test_flags_and_scores_are_told_apart():
    assert AdjudgeMetric("ap").supports_continuous_scorings()
    assert AdjudgeMetric("best(f1)").supports_continuous_scorings()
    assert not AdjudgeMetric("f1").supports_continuous_scorings()
    assert AdjudgeMetric("f1").score(LABELS.astype(float), LABELS) == 1
