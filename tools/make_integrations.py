"""Write docs/integrations.md: the adapters, and the recipes as the tests run them."""

import ast
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "integrations.md"
RECIPES = Path(__file__).parents[1] / "tests" / "integrations" / "recipes.py"
HEAD = """# Integrations: use it where you already work

Adapters are thin, and each is tested against the real package in an environment of its own:
`tests/integrations/run sklearn`, or another name that has a file in `tests/integrations/requirements`; scikit-learn and sktime are also part of `.ci/run`. Without its package an adapter says in one line what to install.

| you use | write | keep in mind |
|---|---|---|
| scikit-learn | `cross_validate(est, X, y, cv=TimeSeriesSplit(3), scoring=scorer("best(f1_ba)"))` with `from adjudge.integrations.sklearn import scorer` | its outlier detectors score low what is abnormal, which is turned round. Shuffled folds put every event into every fold: rows with an index (pandas) are warned of, NumPy arrays show nothing of it, so write `cv=consecutive(cv)`, which refuses such folds. `make_scorer(metric)` is not for outlier detectors: of predictions (-1 and 1) it fails, which scikit-learn turns into NaN and a warning for every candidate (`error_score="raise"` stops it); where nothing is predicted but 1, normal, it reads alarms everywhere; of a `decision_function` it is silently the wrong way round |
| PyOD | the same `scorer` | its detectors score high what is abnormal, and are taken as they are |
| torchmetrics, Lightning | `Adjudge("best(f1_ba)")` from `adjudge.integrations.torchmetrics`, `update(preds, target, index)` | one series in one process, whose batches come in order, needs no index; under distributed sampling the index makes it right: two ranks without it gave .891 where .903 is true; predictions may be bfloat16; `MetricCollection([Adjudge("ap"), Adjudge("auc_roc")])` calls them `ap` and `auc_roc`; tested on the CPU, GPU tensors are untested |
| sktime | `AdjudgeMetric("f1_ba")` from `adjudge.integrations.sktime`, called with `(y_true, y_pred, X)` | metrics of flags, and of positions (`change_f1`); segments are half-open; it passes sktime's own `check_estimator` |
| ruptures, river | `aj.Changes.from_breakpoints(result)`, `aj.Changes.from_detector(detector, values)` | no adapter is needed; [drift](tutorials/drift.md) has a recipe for CapyMOA |
| TimeEval | `AdjudgeMetric("best(f1_ba)")` from `adjudge.integrations.timeeval` among its `metrics=` | TimeEval scales scores to 0 ... 1 first |
| dtaianomaly | `AdjudgeBinary("f1_ba")`, `AdjudgeProba("best(f1_ba)")` from `adjudge.integrations.dtaianomaly` | their `BestThresholdMetric` counts anew at every threshold; `best(...)` takes one sort |
| a pasted loop | `from adjudge.compat import adjust_predicts` (or `adjustment`, `bf_search`, `get_metrics` ...) | the same numbers, defects included; each docstring says what to ask for instead |
| darts, Merlion, Orion, aeon | no adapter: the recipes below | darts and Merlion give back fewer points than they got (2,991 of 3,000 with a window of 10); Orion's intervals include their ends; Merlion's `F1` is our `revised_f1` |
| others that give arrays | `aj.evaluate(labels, scores)` | labels first |

Last run with scikit-learn 1.9.1, sktime 1.2.0, TimeEval 1.5.0, torchmetrics 1.9.0 on torch 2.13.0 (CPU), dtaianomaly 0.5.1, darts 0.48.1, aeon 1.6.0,
Merlion 2.0.4, Orion 0.7.1 (its evaluation; the TensorFlow and torch that its pipelines pin are left out).

## Trackers, gates and others

Each is run by the tests in `tests/integrations` as it stands here.
"""


def page():
    """Put the recipes below the table."""
    text = RECIPES.read_text()
    parts = [HEAD]
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            said = ast.get_docstring(node)
            code = ast.get_source_segment(text, node)
            parts.append(f"### {said.rstrip('.')}\n\n```python\n{code}\n```\n")
    return "\n".join([*parts, "```{toctree}\n:hidden:\n\nextend\n```\n"])


def made():
    """Give the text of the page by its path."""
    return {PAGE: page()}
