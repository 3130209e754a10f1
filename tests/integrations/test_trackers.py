"""Recipes, run against the packages they are for; those that need none run anywhere."""

import json
import math

import numpy as np
import pytest

import adjudge as aj
from integrations import recipes
from integrations.made_data import data, smooth

VALUES, LABELS = data()
SCORES = smooth(VALUES)
FLAGS = (SCORES > 1.5).astype(int)


def test_mlflow(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    with mlflow.start_run() as run:
        recipes.track_with_mlflow(LABELS, FLAGS)
    logged = mlflow.get_run(run.info.run_id).data.metrics
    assert logged["f1"] == pytest.approx(aj.f1(LABELS, FLAGS))
    assert logged["f1_ba"] == pytest.approx(aj.f1_ba(LABELS, FLAGS))


def test_wandb_offline(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    with wandb.init(mode="offline", dir=tmp_path, project="adjudge") as run:
        recipes.track_with_wandb(LABELS, FLAGS, run)
        assert run.summary["test/f1"] == pytest.approx(aj.f1(LABELS, FLAGS))


def test_optuna_prunes_what_is_undefined():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def score(window):
        return np.convolve(np.abs(VALUES), np.ones(int(window)) / int(window), "same")

    study = recipes.tune_with_optuna(LABELS, score, trials=4)
    assert study.best_value > 0.3
    study = recipes.tune_with_optuna(np.zeros_like(LABELS), score, trials=2)
    assert {trial.state.name for trial in study.trials} == {"PRUNED"}


def test_dvc_gets_plain_numbers(tmp_path):
    recipes.track_with_dvc(LABELS, FLAGS, tmp_path / "metrics.json")
    found = json.loads((tmp_path / "metrics.json").read_text())
    assert found["f1"] == pytest.approx(aj.f1(LABELS, FLAGS))
    assert all(math.isfinite(value) for value in found.values())


def test_a_gate_in_pytest():
    recipes.gate_in_pytest(LABELS, LABELS)
    noise = (np.random.default_rng(0).random(len(LABELS)) < 0.02).astype(int)
    with pytest.raises(AssertionError, match="is not better than chance"):
        recipes.gate_in_pytest(LABELS, noise)


def test_the_summary_of_a_run(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    recipes.write_github_summary(LABELS, FLAGS)
    lines = (tmp_path / "summary.md").read_text().splitlines()
    assert lines[0] == "| metric | value | by chance | 95 % interval | p |"
    assert lines[2].startswith(f"| f1 | {aj.f1(LABELS, FLAGS):.4f} |")


def test_points_that_did_not_come_back_are_not_judged():
    times = np.arange(1000, 1000 + len(LABELS))
    judged = recipes.judge_what_comes_back_shorter(LABELS, times, SCORES[9:], times[9:])
    assert judged["ap"] == pytest.approx(aj.ap(LABELS[9:], SCORES[9:]))


def test_a_training_loop():
    torch = pytest.importorskip("torch")
    width = 16
    windows = torch.tensor(VALUES, dtype=torch.float32).unfold(0, width, 1)
    model = torch.nn.Identity()
    model.forward = lambda rows: rows * 0
    judged = recipes.judge_after_training(model, windows, LABELS, width)
    assert judged["auc_roc"] > 0.6
