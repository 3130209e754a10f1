"""Recipes: a few lines that carry a judgement to where people keep theirs. The docs print them."""


def track_with_mlflow(labels, scores):
    """MLflow: one metric per row, in names without brackets that stay the same from run to run."""
    import mlflow

    import adjudge as aj

    judged = aj.evaluate(labels, scores)
    mlflow.log_metrics(judged.to_flat_dict(names="safe"))
    mlflow.log_dict(judged.to_dict(), "judgement.json")  # with intervals, chance and p-values


def track_with_wandb(labels, scores, run):
    """Weights & Biases: the run's summary, and the whole table."""
    import wandb

    import adjudge as aj

    judged = aj.evaluate(labels, scores)
    run.summary.update(judged.to_flat_dict("test/", names="safe"))
    columns = ["metric", "value", "chance", "low", "high", "p_value"]
    rows = [[getattr(row, name) for name in columns] for row in judged.rows]
    run.log({"judgement": wandb.Table(columns=columns, data=rows)})


def track_with_dvc(labels, scores, path="metrics.json"):
    """DVC: a file of plain numbers; `dvc metrics show` leaves out all else."""
    import json
    import math
    from pathlib import Path

    import adjudge as aj

    values = aj.evaluate(labels, scores, chance=False).to_flat_dict(names="safe")
    plain = {name: value for name, value in values.items() if math.isfinite(value)}
    Path(path).write_text(json.dumps(plain, indent=2))


def tune_with_optuna(labels, score, trials=20):
    """Optuna: an undefined value is pruned; as NaN it would be a failure."""
    import math

    import optuna

    import adjudge as aj

    def objective(trial):
        scores = score(trial.suggest_float("window", 1, 50))
        value = aj.ap_ba(labels, scores)
        if math.isnan(value):
            raise optuna.TrialPruned("undefined: no event in the labels")
        return value

    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(0))
    study.optimize(objective, n_trials=trials)
    return study


def gate_in_pytest(labels, flags):
    """pytest: fail when the detector is under a limit, or not better than chance."""
    import adjudge as aj

    judged = aj.evaluate(labels, flags, "f1_ba")
    failures = judged.failures(under={"f1_ba": 0.6}, better_than_chance=True)
    assert not failures, failures


def write_github_summary(labels, scores):
    """GitHub Actions: the table and the verdict on the page of the run."""
    import os
    from pathlib import Path

    import adjudge as aj

    judged = aj.evaluate(labels, scores)
    with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a") as page:
        page.write(judged.to_markdown())


def judge_intervals_of_orion(data, expected, observed):
    """Orion: frames of start and end in seconds since 1970; the end belongs to the anomaly."""
    import adjudge as aj

    truth, alarms = (
        aj.Events.from_intervals(
            frame[["start", "end"]].itertuples(index=False),
            index=data["timestamp"],
            closed="both",
            unit="s",
            merge=True,
        )
        for frame in (expected, observed)
    )
    return aj.evaluate(truth, alarms)


def judge_scores_of_darts(labels, scores):
    """Darts: a scorer with a window gives back fewer points; judge those, with their times."""
    import adjudge as aj

    return aj.evaluate(labels.slice_intersect(scores), scores, time=scores.time_index)


def judge_model_of_merlion(model, test, labels):
    """Merlion: scores come back as a TimeSeries, fewer than there are labels."""
    import adjudge as aj

    scores = model.get_anomaly_score(test).to_pd().iloc[:, 0]
    return aj.evaluate(labels.loc[scores.index], scores)  # its DatetimeIndex is the time


def judge_detector_of_aeon(detector, values, labels):
    """aeon: one score per point, high where it is abnormal."""
    import adjudge as aj

    return aj.evaluate(labels, detector.fit_predict(values))


def judge_what_comes_back_shorter(labels, times, scores, scored_times):
    """Any other detector that gives back fewer points than it got: judge those alone."""
    import numpy as np

    import adjudge as aj

    place = np.searchsorted(times, scored_times)
    where = np.zeros(len(times), bool)
    where[place] = True
    whole = np.zeros(len(times))
    whole[place] = scores
    return aj.evaluate(labels, whole, where=where)


def judge_after_training(model, windows, labels, width):
    """PyTorch: scores of overlapping windows become scores of points, then they are judged."""
    import torch

    import adjudge as aj

    model.eval()
    with torch.no_grad():
        errors = (model(windows) - windows).square().mean(dim=-1).numpy()
    scores = aj.unwindow(errors, width, n=len(labels))
    return aj.evaluate(labels, scores)
