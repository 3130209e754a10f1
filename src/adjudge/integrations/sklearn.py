"""scikit-learn and PyOD: a metric as a scorer for cross-validation and grid search.

>>> from adjudge.integrations.sklearn import scorer  # doctest: +SKIP
>>> cross_validate(IsolationForest(), X, y, cv=TimeSeriesSplit(3), scoring=scorer("best(f1_ba)"))
... # doctest: +SKIP
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import word
from adjudge.data.intervals import bincount
from adjudge.errors import InputError, MissingExtra
from adjudge.metrics.reader import metric as read_metric

try:
    from sklearn.base import is_outlier_detector
    from sklearn.model_selection import check_cv
    from sklearn.utils.metadata_routing import MetadataRequest
except ImportError as error:
    raise MissingExtra("adjudge.integrations.sklearn", "scikit-learn") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adjudge._typing import Array, Column, Flags
    from adjudge.metrics.metric import Metric

Kind = Literal["auto", "predict", "decision_function", "score_samples", "predict_proba"]
KINDS = ("auto", "predict", "decision_function", "score_samples", "predict_proba")
CODINGS = ("auto", "0/1", "-1/1")
_SCORES = ("decision_function", "score_samples", "predict_proba")


def scorer(metric: str | Metric, *, kind: Kind = "auto", coding: str = "auto") -> Scorer:
    """Make a scorer ``(estimator, X, y) -> float`` for `cross_validate`, `GridSearchCV` and others.

    Parameters
    ----------
    metric : spec or Metric
        A metric that takes flags gets the estimator's predictions; one that takes scores, has a
        threshold (``at=``) or is an oracle (``best(...)``) gets its scores.
    kind : str
        Which method of the estimator to ask. "auto": ``predict`` for flags; for scores the first of
        ``decision_function``, ``score_samples`` and ``predict_proba`` that it has.
    coding : "auto", "0/1" or "-1/1"
        How labels are written: 1 for anomalous, or -1 for anomalous and 1 for normal. "auto" reads
        it off the labels, and refuses labels that are nothing but 1.

    Returns
    -------
    Scorer
        Higher is better: of a metric of which less is better it gives the negative value. Outlier
        detectors of scikit-learn score low what is abnormal, and predict -1: both are turned
        round, and so are classifiers that were taught -1 and 1. PyOD's detectors and classifiers of
        0 and 1 are taken as they are.

    Notes
    -----
    Folds must keep time together: with shuffled folds every event is in every fold. Rows with an
    index (pandas) are checked, and a warning says so. NumPy arrays have no index, so no scorer can
    see it of them: write ``cv=consecutive(cv)``, which refuses such folds whatever the rows are;
    `check_folds` counts the events that are cut.

    With metadata routing, ``scorer(...).set_score_request(series=True, where=True)`` lets
    ``params={"series": ...}`` reach the metric.
    """
    coding = word(coding, "coding", CODINGS)
    return Scorer(read_metric(metric), word(kind, "kind", KINDS), coding)


@dataclass(frozen=True)
class Scorer:
    """A metric that asks an estimator for what it needs."""

    metric: Metric
    kind: str = "auto"
    coding: str = "auto"
    requests: dict[str, Any] = field(default_factory=dict)
    """What metadata routing brings: series, where."""

    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803 - its name there
        y: Any,
        *,
        series: Column = None,
        where: Column = None,
    ) -> float:
        """Judge an estimator on data."""
        _warn_of_gaps(y if hasattr(y, "index") else X)
        output = self._flags(estimator, X) if self._wants_flags else self._scores(estimator, X)
        value = self.metric(_labels(y, self.coding), output, series=series, where=where)
        return -value if self.metric.row.better == "lower" else value

    @property
    def _wants_flags(self) -> bool:
        if self.kind != "auto":
            return self.kind == "predict"
        metric = self.metric
        return metric.row.needs == "flags" and not metric.oracle and metric.at is None

    def _flags(self, estimator: Any, rows: Any) -> Flags:
        output = np.asarray(estimator.predict(rows))
        return np.asarray(output == (-1 if _low_is_abnormal(estimator) else 1))

    def _scores(self, estimator: Any, rows: Any) -> Array:
        names = _SCORES if self.kind == "auto" else (self.kind,)
        name = next((name for name in names if hasattr(estimator, name)), None)
        if name is None:
            raise InputError(
                f"{self.metric} needs scores, so the estimator must have one of "
                f"{', '.join(names)}, got {type(estimator).__name__}"
            )
        output = np.asarray(getattr(estimator, name)(rows))
        if name == "predict_proba":
            return output[:, 0 if _low_is_abnormal(estimator) else -1]  # of the anomalous class
        return -output if _low_is_abnormal(estimator) else output

    def set_score_request(self, *, series: Any = None, where: Any = None) -> Scorer:
        """Ask metadata routing for ``series`` and ``where``: True, or the name they go by."""
        return replace(self, requests={"series": series, "where": where})

    def get_metadata_routing(self) -> MetadataRequest:
        """What scikit-learn asks to learn which metadata to bring."""
        request = MetadataRequest(owner=repr(self))
        for name, alias in self.requests.items():
            request.score.add_request(param=name, alias=alias)
        return request

    def __repr__(self) -> str:
        """Name the metric."""
        return f"scorer({str(self.metric)!r})"


def consecutive(cv: Any = 5) -> Consecutive:
    """Make a splitter refuse folds whose points do not follow each other in time.

    Parameters
    ----------
    cv : splitter, int, or iterable of (train, test)
        What ``cv=`` of scikit-learn takes. A number is that of the folds of `KFold`, not shuffled,
        for classifiers too, where scikit-learn itself takes folds that are cut by class.

    Returns
    -------
    Consecutive
        A splitter for ``cv=`` of `cross_validate`, `GridSearchCV` and others. It sees the places of
        the rows, so it works for NumPy arrays, which no scorer can check. Rows of several series
        are told apart by ``groups``: a fold may hold some series and leave others out.

    Examples
    --------
    >>> cross_validate(forest, X, y, cv=consecutive(KFold(3)), scoring=scorer("f1_ba"))
    ... # doctest: +SKIP
    """
    return Consecutive(check_cv(cv))


@dataclass(frozen=True)
class Consecutive:
    """A splitter that checks the folds of another one."""

    cv: Any

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:  # noqa: N803 - its name there
        """Give the folds of the splitter, if the points of each follow each other."""
        for number, (train, test) in enumerate(self.cv.split(X, y, groups)):
            places = np.asarray(test)
            apart = np.diff(places) != 1
            if groups is not None:
                series = np.asarray(groups)[places]
                apart &= series[1:] == series[:-1]
            if apart.any():
                raise InputError(
                    f"cv must give folds of consecutive points, got {np.count_nonzero(apart)} "
                    f"gaps in fold {number} of {type(self.cv).__name__}; use TimeSeriesSplit, "
                    "or KFold without shuffling"
                )
            yield train, test

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803 - its name there
        """Count the folds."""
        return int(self.cv.get_n_splits(X, y, groups))


def check_folds(splits: Iterable[Any], labels: Column, *, coding: str = "auto") -> int:
    """Count the events that several folds share, and warn if there are any.

    Parameters
    ----------
    splits : iterable of (train, test)
        What ``cv.split(X, y)`` gives.
    labels : column
        The labels of all points.
    coding : "auto", "0/1" or "-1/1"
        See `scorer`.

    Returns
    -------
    int
        How many events are cut into pieces; each piece would be judged as an event of its own.
    """
    truth = _labels(labels, coding)
    starts = np.flatnonzero(truth & ~np.append(False, truth[:-1]))
    folds = [
        set((np.searchsorted(starts, test[truth[test]], side="right") - 1).tolist())
        for _, test in splits
    ]
    counts = bincount([event for fold in folds for event in fold], minlength=1)
    shared = int(np.count_nonzero(counts > 1))
    if shared:
        warnings.warn(
            f"{shared} of {len(starts)} events are in several folds and count once in each; "
            "split by time (TimeSeriesSplit, or KFold without shuffling)",
            stacklevel=2,
        )
    return shared


def _labels(column: Any, coding: str) -> Flags:
    """Read 0/1, or -1 for anomalous and 1 for normal."""
    values = np.asarray(column)
    found = set(np.unique(values).tolist())
    if coding == "auto" and found == {1}:
        raise InputError(
            "y must reveal its coding, got only 1; set coding='-1/1' if 1 is normal, "
            "coding='0/1' if it is anomalous"
        )
    if coding == "-1/1" or (coding == "auto" and -1 in found):
        _refuse_others(found, {-1, 1})
        return np.asarray(values == -1)
    _refuse_others(found, {0, 1})
    return np.asarray(values == 1)


def _refuse_others(found: set[Any], allowed: set[int]) -> None:
    if not found <= allowed:
        listed = ", ".join(map(str, sorted(found - allowed)[:3]))
        raise InputError(f"y must be {' or '.join(map(str, sorted(allowed)))}, got {listed}")


def _low_is_abnormal(estimator: Any) -> bool:
    """Whether -1 is abnormal: for outlier detectors, and classifiers of -1 and 1; not for PyOD."""
    while True:  # what a search or a pipeline ends in
        inner = getattr(estimator, "best_estimator_", None)
        if inner is None and hasattr(estimator, "steps"):
            inner = estimator.steps[-1][1]
        if inner is None:
            break
        estimator = inner
    if type(estimator).__module__.startswith("pyod."):
        return False
    if set(np.asarray(getattr(estimator, "classes_", ())).ravel().tolist()) == {-1, 1}:
        return True
    return bool(is_outlier_detector(estimator))


def _warn_of_gaps(rows: Any) -> None:
    """Warn if rows with an index jump about: folds that were shuffled."""
    index = getattr(rows, "index", None)
    if index is None or callable(index) or len(index) < 3:
        return
    steps = np.diff(np.asarray(index))
    if not (steps == steps[0]).all():
        warnings.warn(
            "the judged rows are not consecutive: were the folds shuffled? Then every event "
            "is in every fold; use TimeSeriesSplit, or KFold without shuffling",
            stacklevel=3,
        )
