"""scikit-learn and PyOD themselves: cross-validation, grid search, routing, both directions."""

import pickle
import warnings

import numpy as np
import pytest

import adjudge as aj
from integrations.made_data import data

sklearn = pytest.importorskip("sklearn")

from joblib.externals.loky import get_reusable_executor  # noqa: E402
from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.ensemble import IsolationForest  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import make_scorer  # noqa: E402
from sklearn.model_selection import (  # noqa: E402
    GridSearchCV,
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

from adjudge.integrations.sklearn import check_folds, consecutive, scorer  # noqa: E402

VALUES, LABELS = data()
X = VALUES[:, None]
FOREST = IsolationForest(n_estimators=20, random_state=0)
FOLDS = TimeSeriesSplit(3)


def by_hand(judge, labels=LABELS):
    values = []
    for train, test in FOLDS.split(X):
        values.append(judge(FOREST.fit(X[train]), X[test], labels[test]))
    return values


def test_flags_scores_and_oracles_in_cross_validation():
    asked = ("f1_ba", "best(f1_ba)", "ap", "f1(at=quantile(0.9))", "detection_delay")
    found = cross_validate(FOREST, X, LABELS, cv=FOLDS, scoring={m: scorer(m) for m in asked})
    flags = by_hand(lambda forest, x, y: aj.f1_ba(y, forest.predict(x) == -1))
    np.testing.assert_allclose(found["test_f1_ba"], flags)
    for spec in ("best(f1_ba)", "ap", "f1(at=quantile(0.9))"):
        metric = aj.metric(spec)
        scores = by_hand(lambda f, x, y, m=metric: m(y, -f.decision_function(x)))
        np.testing.assert_allclose(found[f"test_{spec}"], scores)
    assert (found["test_detection_delay"] <= 0).all()  # less is better: the negative value


def test_a_detector_that_is_any_good_ranks_above_chance():
    forest = FOREST.fit(X)
    assert scorer("auc_roc")(forest, X, LABELS) > 0.6  # the wrong way round it would be 0.4
    assert scorer("auc_roc", kind="score_samples")(forest, X, LABELS) > 0.6


@pytest.fixture
def processes():
    """Two of them: joblib keeps the workers that it started for the next caller."""
    yield 2
    get_reusable_executor().shutdown(wait=True, kill_workers=True)


def test_grid_search_with_two_processes_and_a_pipeline(processes):
    pipeline = make_pipeline(StandardScaler(), FOREST)
    grid = {"isolationforest__contamination": [0.05, 0.2]}
    search = GridSearchCV(pipeline, grid, scoring=scorer("f1_ba"), cv=FOLDS, n_jobs=processes)
    search.fit(X, LABELS)
    assert search.best_params_ in [{"isolationforest__contamination": c} for c in (0.05, 0.2)]
    assert scorer("auc_roc")(search, X, LABELS) > 0.6  # the best pipeline's forest is turned round
    assert scorer("f1_ba")(search, X, LABELS) == aj.f1_ba(LABELS, search.predict(X) == -1)


def test_labels_in_both_codings():
    coded = np.where(LABELS, -1, 1)
    forest = FOREST.fit(X)
    assert scorer("f1_ba")(forest, X, coded) == scorer("f1_ba")(forest, X, LABELS)
    quiet = np.ones(100, int)
    with pytest.raises(aj.InputError, match="y must reveal its coding"):
        scorer("f1_ba")(forest, X[:100], quiet)
    assert scorer("f1", coding="-1/1")(forest, X[:100], quiet) == 0
    with pytest.raises(aj.InputError, match="y must be 0 or 1, got 2"):
        scorer("f1_ba")(forest, X, LABELS * 2)


def test_a_classifier_is_taken_as_it_is():
    model = LogisticRegression().fit(np.abs(X), LABELS)
    proba = model.predict_proba(np.abs(X))[:, 1]
    assert scorer("auc_roc")(model, np.abs(X), LABELS) == pytest.approx(aj.auc_roc(LABELS, proba))
    asked = scorer("ap", kind="predict_proba")
    assert asked(model, np.abs(X), LABELS) == pytest.approx(aj.ap(LABELS, proba))
    assert scorer("f1")(model, np.abs(X), LABELS) == aj.f1(LABELS, model.predict(np.abs(X)))


def test_a_classifier_of_minus_one_and_one_is_turned_round():
    rows, coded = np.abs(X), np.where(LABELS, -1, 1)
    plain, turned = (LogisticRegression().fit(rows, y) for y in (LABELS, coded))
    for spec, kind in (("f1", "auto"), ("auc_roc", "auto"), ("auc_roc", "predict_proba")):
        asked = scorer(spec, kind=kind)
        assert asked(turned, rows, coded) == pytest.approx(asked(plain, rows, LABELS))
    piped = make_pipeline(StandardScaler(), LogisticRegression()).fit(rows, coded)
    assert scorer("f1")(piped, rows, coded) == aj.f1(LABELS, piped.predict(rows) == -1)


def test_what_cannot_score_is_refused():
    class Silent(BaseEstimator):
        def predict(self, rows):
            return np.zeros(len(rows), int)

    with pytest.raises(aj.InputError, match="ap needs scores, so the estimator must have one of"):
        scorer("ap")(Silent(), X, LABELS)


def test_pyod_scores_high_what_is_abnormal():
    forests = pytest.importorskip("pyod.models.iforest")
    forest = forests.IForest(n_estimators=20, random_state=0).fit(X)
    expected = aj.auc_roc(LABELS, forest.decision_function(X))
    assert expected > 0.6
    assert scorer("auc_roc")(forest, X, LABELS) == pytest.approx(expected)
    assert scorer("f1_ba")(forest, X, LABELS) == aj.f1_ba(LABELS, forest.predict(X))


def test_shuffled_folds_are_noticed():
    pd = pytest.importorskip("pandas", reason="rows with an index")
    frame, labels = pd.DataFrame({"x": VALUES}), pd.Series(LABELS)
    shuffled = KFold(3, shuffle=True, random_state=0)
    with pytest.warns(UserWarning, match="were the folds shuffled"):
        cross_validate(FOREST, frame, labels, cv=shuffled, scoring=scorer("f1_ba"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cross_validate(FOREST, frame, labels, cv=FOLDS, scoring=scorer("f1_ba"))
    with pytest.warns(UserWarning, match="11 of 11 events"):
        assert check_folds(shuffled.split(X), LABELS) == 11
    assert check_folds(FOLDS.split(X), LABELS) == 0


SHUFFLED = [
    KFold(3, shuffle=True, random_state=0),
    StratifiedKFold(3),
    ShuffleSplit(2, random_state=0),
]


@pytest.mark.parametrize("cv", SHUFFLED, ids=lambda cv: type(cv).__name__)
def test_folds_of_arrays_that_tear_time_apart_are_refused(cv):
    message = r"gaps in fold 0 of"
    with pytest.raises(aj.InputError, match=message):
        cross_validate(FOREST, X, LABELS, cv=consecutive(cv), scoring=scorer("f1_ba"))
    search = GridSearchCV(
        FOREST, {"contamination": [0.1]}, scoring=scorer("f1_ba"), cv=consecutive(cv)
    )
    with pytest.raises(aj.InputError, match=message):
        search.fit(X, LABELS)


@pytest.mark.parametrize(
    "cv", [FOLDS, KFold(3), 3, list(FOLDS.split(X))], ids=["time", "k", "number", "list"]
)
def test_folds_that_keep_time_together_are_those_of_the_splitter(cv):
    expected = cross_validate(FOREST, X, LABELS, cv=cv, scoring=scorer("f1_ba"))
    found = cross_validate(FOREST, X, LABELS, cv=consecutive(cv), scoring=scorer("f1_ba"))
    np.testing.assert_array_equal(found["test_score"], expected["test_score"])
    assert consecutive(cv).get_n_splits(X) == 3


def test_folds_of_a_classifier_are_not_cut_by_class_when_they_are_counted():
    rows = np.abs(X)
    expected = cross_validate(LogisticRegression(), rows, LABELS, cv=KFold(3), scoring=scorer("ap"))
    found = cross_validate(
        LogisticRegression(), rows, LABELS, cv=consecutive(3), scoring=scorer("ap")
    )
    np.testing.assert_array_equal(found["test_score"], expected["test_score"])


def test_folds_of_whole_series_follow_each_other_within_each():
    series = np.repeat(np.arange(6), 500)
    folds = [
        (train.tolist(), test.tolist()) for train, test in GroupKFold(2).split(X, groups=series)
    ]
    found = consecutive(GroupKFold(2)).split(X, LABELS, series)
    assert [(train.tolist(), test.tolist()) for train, test in found] == folds
    with pytest.raises(aj.InputError, match="gaps in fold 0"):
        list(consecutive([(np.arange(9), np.array([10, 11, 13]))]).split(X, LABELS, series))


def test_make_scorer_on_an_outlier_detector_leads_to_the_scorer():
    """scikit-learn makes NaN of any error of a scorer, unless it is told not to."""
    asked = {"scoring": make_scorer(aj.f1_ba), "cv": FOLDS}
    with pytest.raises(aj.InputError, match=r"adjudge\.integrations\.sklearn\.scorer, not make"):
        cross_validate(FOREST, X, LABELS, error_score="raise", **asked)
    with pytest.warns(UserWarning, match=r"(?s)Scoring failed.*sklearn\.scorer, not make_scorer"):
        found = cross_validate(FOREST, X, LABELS, **asked)
    assert np.isnan(found["test_score"]).all()


def test_series_and_where_come_by_metadata_routing():
    series, where = np.repeat([0, 1, 2], 1000), np.arange(3000) % 7 > 0
    asked = scorer("f1_ba").set_score_request(series=True, where="judged")
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_validate(
            FOREST, X, LABELS, cv=KFold(2), scoring=asked,
            params={"series": series, "judged": where},
        )  # fmt: skip
    halves = [(slice(1500, None), slice(0, 1500)), (slice(0, 1500), slice(1500, None))]
    expected = [
        aj.f1_ba(LABELS[test], FOREST.fit(X[train]).predict(X[test]) == -1,
                 series=series[test], where=where[test])
        for train, test in halves
    ]  # fmt: skip
    np.testing.assert_allclose(found["test_score"], expected)


def test_a_scorer_survives_pickling_and_names_its_metric():
    asked = scorer("f1_ba(width=5)")
    assert pickle.loads(pickle.dumps(asked)) == asked  # noqa: S301 - our own
    assert repr(asked) == "scorer('f1_ba(width=5)')"


def test_an_unknown_kind_is_refused():
    with pytest.raises(aj.InputError, match="kind must be one of 'auto'"):
        scorer("f1", kind="guess")
