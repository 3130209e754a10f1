"""Curves: precision and recall at every threshold, from the highest down to ``-inf``.

Budgets: how many events are found before the false alarms are more than one can bear.

The threshold is walked down from the top, and the walk ends before the first threshold at which the
budget is exceeded. The obvious other rule, the best recall at *any* threshold within the budget,
is won by flagging everything: false runs grow together as the threshold falls, and at the end one
run over all time touches every event and is no false alarm at all. For the same reason the lowest
threshold, above which everything lies, is left out: a constant score would reach it in one step.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import not_negative, numbers, share
from adjudge.count.tally import Counts, Mass, Masses, Tally
from adjudge.data.time_settings import time_length
from adjudge.errors import exact
from adjudge.measure.distances import is_distance
from adjudge.measure.rates import FBeta, at_most_one, precision, recall
from adjudge.settings import Settings, setting
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Floats
    from adjudge.data.case import Case

LUNA = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True)
class RecallAt(Settings):
    r"""Share of the events found with at most ``rate`` false alarms per ``per`` normal points.

    .. math:: \max_{t > t^*} \frac{\text{found}(t)}{N}, \qquad
        t^* = \max\Big\{t : \text{per} \cdot \frac{\text{false runs}(t)}{\text{normal points}}
        > \text{rate}\Big\}

    1: every event is found before the budget is spent. 0: too many false alarms outrank all events.
    NaN: no event, or no normal point.

    Parameters
    ----------
    rate : float
        How many false alarms one can bear.
    per : float or duration
        In how many normal points, or in how much normal time.

    References
    ----------
    .. [1] A. I. Bandos et al. (2009). Area under the Free-Response ROC Curve (FROC) and a Related
       Summary Index. Biometrics 65(1).

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, scores = [0, 1, 0, 0, 0, 1, 0], [0, 9, 0, 7, 0, 5, 0]
    >>> aj.recall_at(labels, scores, rate=0), aj.recall_at(labels, scores, rate=1, per=5)
    (0.5, 1.0)
    """

    rate: float = setting(1, not_negative)
    per: float = time_length(1000, 0, "rate", uneven=True)

    def __call__(self, curve: Curve) -> float:
        """Walk down the curve."""
        return float(_walked(curve, np.array([self.rate]), self.per).recalls[0])

    def levels(self, curve: Curve) -> dict[str, float]:
        """The threshold with which the budget is best spent: the highest one with that recall."""
        return _levels(curve, (self.rate,), self.per)


@dataclass(frozen=True)
class Froc(Settings):
    """Mean of `RecallAt` over several budgets: one number for the free-response ROC curve.

    1: every event outranks every false alarm. 0: nothing is found within the largest budget. NaN:
    no event, or no normal point.

    Parameters
    ----------
    rates : tuple of float
        The budgets. Default: those of LUNA16, from an eighth to eight.
    per : float or duration
        In how many normal points, or in how much normal time.

    References
    ----------
    .. [1] A. I. Bandos et al. (2009). Biometrics 65(1).
    .. [2] A. A. A. Setio et al. (2017). LUNA16. arXiv:1612.08012 (the seven rates).

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, scores = [0, 1, 0, 0, 0, 1, 0], [0, 9, 0, 7, 0, 5, 0]
    >>> aj.froc(labels, scores, rates=(0, 1), per=5)
    0.75
    """

    rates: tuple[float, ...] = setting(LUNA, numbers)
    per: float = time_length(1000, 0, "rate", uneven=True)

    def __call__(self, curve: Curve) -> float:
        """Walk down the curve once for all budgets."""
        return float(np.mean(_walked(curve, np.array(self.rates), self.per).recalls))

    def levels(self, curve: Curve) -> dict[str, float]:
        """The threshold of each budget, as of `RecallAt`."""
        return _levels(curve, self.rates, self.per)


class _Walked(NamedTuple):
    """How far one comes within budgets."""

    recalls: Floats
    thresholds: Floats


def _levels(curve: Curve, rates: tuple[float, ...], per: float) -> dict[str, float]:
    found = _walked(curve, np.array(rates), per).thresholds.tolist()
    return {f"{rate:g}": level for rate, level in zip(rates, found, strict=True)}


def _walked(curve: Curve, rates: Floats, per: float) -> _Walked:
    """The recall of events just before each budget is exceeded, from the top down."""
    found, truth, right, flagged, normal = curve.tally
    if not truth or not normal:
        return _Walked(*np.full((2, len(rates)), np.nan))
    most = np.maximum.accumulate(per * (flagged - right)[:-1] / normal)
    walked = np.searchsorted(
        most, rates, side="right"
    )  # at least the top, where nothing is flagged
    first = np.searchsorted(found, found[walked - 1], side="left")  # no recall falls on the way
    return _Walked(found[walked - 1] / truth, curve.thresholds[first])


_BLOCK = 1 << 16
_WORTH_A_LOOK = 1 << 14  # so many scores are sorted before it is known which of them matter
_SAMPLE = 1 << 12
_LADDER = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 0.95)
_SURE = 1.2  # a sample says no more than about
_SHOWN = 10  # thresholds of a curve that a notebook shows


class Best(NamedTuple):
    """A threshold and the value there."""

    threshold: float
    value: float


_COUNTING = Lock()  # threads may share a curve, which counts when it is first read


class _Counted(NamedTuple):
    """What was counted, alone."""

    thresholds: Floats
    tally: Tally

    @property
    def sweep(self) -> _Counted:
        return self


@dataclass(frozen=True, eq=False)
class Curve(TabledResult):
    """A metric at every threshold, computed on first access.

    Attributes
    ----------
    thresholds : array
        Falling; flagged is what lies above.
    tally : Tally
        The four masses at each threshold.

    Examples
    --------
    >>> import adjudge as aj
    >>> aj.curve([0, 1], [0.2, 0.7], "f1").recall
    array([0., 1., 1.])
    """

    counts: Counts | _Counted
    rate: Callable[[Tally], Any] = FBeta()  # noqa: RUF009 - frozen, one for all
    lower: bool = False
    """Whether less is better, as it is of delays and distances."""
    metric: Any = None
    case: Case | None = None
    """The metric that was asked for, and what it judged: a chance band is drawn from them."""
    monotone: bool = True
    """Whether a lower threshold flags no less; not with a cooldown or a grouping of alerts."""

    @property
    def thresholds(self) -> Floats:
        """The thresholds, from the highest down."""
        with _COUNTING:
            return self.counts.thresholds

    @property
    def tally(self) -> Tally:
        """The four masses at each threshold."""
        with _COUNTING:
            return self.counts.sweep[1]

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the counts, not what they are made from."""
        return {**vars(self), "counts": _Counted(self.thresholds, self.tally)}

    @property
    def precision(self) -> Floats:
        """Share of the flagging that was right; NaN where nothing is flagged, and of distances."""
        return self._share(precision)

    @property
    def recall(self) -> Floats:
        """Share of the truth that was found; NaN of distances, which are no shares."""
        return self._share(recall)

    @property
    def f(self) -> Floats:
        """The F-score that the curve was asked for (F1 unless beta was given)."""
        return self._share(self.rate if isinstance(self.rate, FBeta) else FBeta())

    @property
    def values(self) -> Floats:
        """The metric that the curve was asked for, at each threshold."""
        return _as_column(self.rate(self.tally), self)

    def _share(self, rate: Callable[[Tally], Any]) -> Floats:
        return _as_column(np.nan if is_distance(self.rate) else rate(self.tally), self)

    def best(self) -> Best:
        """The highest threshold at which the metric is best, and its value there."""
        to_find = bool(np.any(self.tally.truth))
        return best_value(self.thresholds, self.values, lower=self.lower, to_find=to_find)

    def plot(
        self, *, ax: Any = None, against: str = "auto", chance: bool = True, seed: int = 0,
        width: str | float | None = None,
    ) -> Any:  # fmt: skip
        """Draw the metric, precision and recall, before the band that chance would fill.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        width : str or float, optional
            Of the new figure on paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.
        against : "auto", "threshold" or "flagged"
            What stands along the axis: thresholds, or the share of points flagged (as a
            logarithm), which suits scores most of which are close together. "auto" looks.
        chance : bool
            Whether to draw the band: what the same scores get at other places in time.
        seed : int
            Of the shifts behind the band.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.curve_plot import plot_curve  # noqa: PLC0415 - draws

        return plot_curve(self, ax=ax, against=against, chance=chance, seed=seed, width=width)

    def columns(self) -> dict[str, Floats]:
        """A row per threshold as columns: precision, recall, F and the metric itself."""
        return {
            "threshold": self.thresholds, "precision": self.precision, "recall": self.recall,
            "f": self.f, "value": self.values,
        }  # fmt: skip

    def layout(self) -> Layout:
        """Lay ten thresholds out, spread over the curve, and the best one among them."""
        values = self.values
        spread = np.linspace(0, len(self) - 1, min(len(self), _SHOWN)).round().astype(np.int64)
        best = int(np.argmax(self.thresholds == self.best().threshold))
        shown = sorted({best, *spread.tolist()})
        columns = {"flagged above": self.thresholds, "precision": self.precision}
        columns |= {"recall": self.recall, "value": values}
        cells = [
            TableColumn(name, tuple(_cell(column[place], name) for place in shown),
                   bold=frozenset({shown.index(best)} if name == "value" else ()))
            for name, column in columns.items()
        ]  # fmt: skip
        return Layout((Table(tuple(cells)),), (repr(self),))

    def __len__(self) -> int:
        """Count the thresholds."""
        return len(self.thresholds)

    def __repr__(self) -> str:
        """Say what it holds."""
        threshold, value = self.best()
        falls = "" if self.monotone else ", not monotone: a lower threshold may page less"
        return f"Curve({len(self)} thresholds, best {value:.6g} above {exact(threshold)}{falls})"

    __str__ = __repr__


def _cell(value: float, name: str) -> str:
    if name == "flagged above":
        return exact(value)
    return "undefined" if np.isnan(value) else f"{value:.4f}"


def best(rate: Callable[[Tally], Any], masses: Counts, *, lower: bool = False) -> Best:
    """Find the highest threshold at which a rate is largest (smallest, if lower is better).

    F over points can only be largest just below the score of an anomalous point, because any
    other step down adds nothing but false positives: those few thresholds are tried, and the
    curve is never formed.
    """
    if isinstance(rate, FBeta) and isinstance(masses, Masses) and _only_hits_help(masses):
        lowest = int(np.searchsorted(masses.found.ascending, -np.inf, side="right"))
        if lowest < masses.found.ascending.size:
            return _best_just_below(masses, lowest, rate)
    return Curve(masses, rate, lower).best()


def best_value(
    thresholds: Floats, values: Floats, *, lower: bool = False, to_find: bool = True
) -> Best:
    """Find the best of some values; the highest threshold among equals, NaN if none is defined.

    Where there is nothing to find, nothing is better than silence, the first threshold: a metric
    that is undefined there, as F-scores are, has no best value.
    """
    defined = ~np.isnan(values)
    if not (defined if to_find else defined[:1]).any():
        return Best(thresholds[0].item(), np.nan)
    place = int(np.argmax(np.where(defined, -values if lower else values, -np.inf)))
    return Best(thresholds[place].item(), values[place].item())


def area(measure: Callable[[Curve], float], counts: Counts) -> float:
    """An area of a curve, without the curve where the order of the scores is all that it takes.

    Over points, recall only grows at the score of an anomalous point: what lies at or above these
    scores is looked up in the sorted normal ones, and nothing is formed for any other threshold.

    >>> from adjudge.count.tally import Mass, Masses
    >>> found, false = Mass(np.array([0.35, 0.8])), Mass(np.array([0.1, 0.4]))
    >>> area(auc_roc, Masses(found, 2, None, false, (found, false), 2))
    0.75
    """
    quick = _BY_ORDER.get(measure)
    if quick is None or not isinstance(counts, Masses) or not counts.counts_points:
        return float(measure(Curve(counts)))
    return quick(counts) if counts.truth else np.nan


def auc_roc(curve: Curve) -> float:
    """Area under the receiver operating characteristic: true against false positive rate.

    1: every anomalous point scores above every normal one. 0.5: no relation. It is the chance that
    an anomalous point outranks a normal one, ties counting half. NaN: one class is missing.
    """
    found, truth, _, flagged, normal = curve.tally
    if not truth or not normal:
        return np.nan
    hits = np.append(found, truth)  # beyond the last threshold lies (1, 1)
    alarms = np.append(flagged - found, normal)
    return trapezoid(hits / truth, alarms / normal)


@dataclass(frozen=True)
class PartialRoc(Settings):
    r"""Area under the ROC curve up to a false positive rate, as if that were the whole of it.

    .. math:: \frac{1}{2}\Big(1 + \frac{A - f^2/2}{f - f^2/2}\Big)

    for the area A up to the rate f. 1: all anomalous points outrank the others. 0.5: no relation.
    With f = 1 it is `auc_roc`. NaN: one class is missing.

    Parameters
    ----------
    max_fpr : float
        The false positive rate f up to which the curve counts.

    References
    ----------
    .. [1] D. K. McClish (1989). Analyzing a Portion of the ROC Curve. Medical Decision Making 9(3).

    Examples
    --------
    >>> import adjudge as aj
    >>> aj.partial_auc_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], max_fpr=0.5)
    0.6666666666666666
    """

    max_fpr: float = setting(0.1, share)

    def __call__(self, curve: Curve) -> float:
        """Cut the curve off, and scale what is left of its area."""
        found, truth, _, flagged, normal = curve.tally
        if not truth or not normal:
            return np.nan
        hits, alarms = np.append(found, truth) / truth, np.append(flagged - found, normal) / normal
        stop = int(np.searchsorted(alarms, self.max_fpr, side="right"))
        last = np.interp(self.max_fpr, alarms[stop - 1 : stop + 1], hits[stop - 1 : stop + 1])
        area = trapezoid(np.append(hits[:stop], last), np.append(alarms[:stop], self.max_fpr))
        least, most = self.max_fpr**2 / 2, self.max_fpr
        return float((1 + (area - least) / (most - least)) / 2)


def recall_over_time(curve: Curve) -> float:
    """Area under recall against the share of time in warning, over all thresholds.

    At each share of time stands the best recall that a threshold has with no more, and straight
    lines join them, from (0, 0) to (1, 1): who warns at random between two thresholds gets what
    lies between. 1: every event is found with hardly any time in warning. About 0.5: alarms that
    know nothing find as many events as they cover time. NaN: no event, or no watched time.
    """
    found, truth, _, flagged, normal = curve.tally
    if not np.any(truth) or not normal:
        return np.nan
    time = at_most_one(np.concatenate([[0.0, 1.0], flagged / normal]))
    recalls = at_most_one(np.concatenate([[0.0, 1.0], found / truth]))
    order = np.lexsort((-recalls, time))  # of equal time the best recall comes first
    return trapezoid(np.maximum.accumulate(recalls[order]), time[order])


def auc_pr(curve: Curve) -> float:
    """Area under precision against recall, by trapezoids from recall 0, precision 1.

    1: perfect ranking. NaN: no events. Scores of chance get the share Q of anomalous points, but
    the fewer distinct scores there are, the more the first trapezoid gives away: a constant score
    gets (1 + Q)/2. `ap` has no such trapezoid.
    """
    if not np.any(curve.tally.truth):
        return np.nan
    something = curve.tally.flagged > 0
    heights = np.concatenate([[1.0], curve.precision[something]])
    return trapezoid(heights, np.concatenate([[0.0], curve.recall[something]]))


def ap(curve: Curve) -> float:
    """Average precision: area under precision against recall, by steps.

    Each step of recall is weighed with the precision at its end, so nothing is interpolated. 1:
    perfect ranking. Chance level: the share of anomalous points. NaN: no events.
    """
    if not np.any(curve.tally.truth):
        return np.nan
    steps = np.diff(curve.recall, prepend=0.0)
    reached = steps > 0
    return _summed(steps[reached], curve.precision[reached])


def _roc_by_order(masses: Masses) -> float:
    """Count the pairs in which the anomalous point outranks the normal one, ties as a half."""
    normal, anomalous = masses.false.ascending, masses.found.ascending
    if not normal.size:
        return np.nan
    below, reached = (
        int(np.searchsorted(normal, anomalous, side=side).sum(dtype=np.int64))
        for side in ("left", "right")
    )
    return (below + reached) / (2 * normal.size * anomalous.size)


def _ap_by_order(masses: Masses) -> float:
    """Weigh each step of recall, which lies at the score of an anomalous point."""
    scores = masses.found.ascending
    first = np.flatnonzero(np.append(True, scores[1:] != scores[:-1]) & (scores > -np.inf))[::-1]
    flagged = masses.false.reaching(scores[first])
    found = np.subtract(scores.size, first, out=first)
    flagged += found
    return _summed(np.diff(found / masses.truth, prepend=0.0), found / flagged)


_BY_ORDER: dict[Any, Callable[[Masses], float]] = {auc_roc: _roc_by_order, ap: _ap_by_order}


def trapezoid(heights: Floats, along: Floats) -> float:
    """Sum an area within the unit square by trapezoids.

    >>> trapezoid(np.array([1.0, 0.5]), np.array([0.0, 1.0]))
    0.75
    """
    return _summed(np.diff(along), heights[1:] + heights[:-1], 2)


def _summed(widths: Floats, heights: Floats, per: float = 1) -> float:
    # Not by a dot product: from ten thousand terms on, its last digit depends on how many threads
    # the linear algebra library has, and so on who does the work.
    widths *= heights
    return float(at_most_one(widths.sum() / per))


def _only_hits_help(masses: Masses) -> bool:
    """Say whether a lower threshold can only gain by what it finds, counted one by one."""
    one_by_one = masses.right is None and masses.found.weights is None
    return one_by_one and masses.false.minus is None


def _best_just_below(masses: Masses, lowest: int, rate: FBeta) -> Best:
    scores, (false, lowest) = masses.found.ascending, _that_matter(masses, lowest, rate)
    score, value = scores[-1].item(), -1.0
    for stop in range(scores.size, lowest, -_BLOCK):  # blocks keep the working memory small
        start = max(stop - _BLOCK, lowest)
        found = scores.size - np.arange(start, stop)  # too few within a tie but for its first
        flagged = false.reaching(scores[start:stop]) + found
        values = rate(Tally(found, masses.truth, found, flagged, masses.normal))
        place = values.size - 1 - int(np.argmax(values[::-1]))
        if values[place] > value:
            score, value = scores[start + place].item(), values[place].item()
    return Best(masses.next_below(score), value)


def _that_matter(masses: Masses, lowest: int, rate: FBeta) -> tuple[Mass, int]:
    """The false alarms and the lowest anomalous score that may matter for the best F.

    Some value v is reached for certain: F at a score that a sample of the normal ones suggests. F
    is at most ``(1 + b^2) P / (b^2 T + P + false)`` for P scores to find of T, so a score with more
    false alarms than this allows for v is no candidate, nor is any score below it. What lies
    below all candidates need not be sorted.
    """
    false, scores, truth = masses.false, masses.found.ascending, masses.truth
    few = false.is_sorted or false.values.size < _WORTH_A_LOOK
    if few or not false.is_plain or isinstance(truth, Mass):
        return false, lowest
    places = lowest + np.unique(np.array(_LADDER) * (scores.size - 1 - lowest)).astype(np.int64)
    sample = np.sort(false.values[:: false.values.size // _SAMPLE])
    share = 1 - np.searchsorted(sample, scores[places]) / sample.size
    found, squared = scores.size - places, rate.beta**2
    likely = int(np.argmax(found / (squared * truth + found + share * false.values.size)))
    alarms = int(np.count_nonzero(false.values >= scores[places[likely]]))
    reached = (1 + squared) * found[likely] / (squared * truth + found[likely] + alarms)
    most = (1 + squared) * scores.size / reached - squared * truth - scores.size
    most = 1 + most * (1 + 1e-9)  # rounding decides nothing
    for place in places[share * false.values.size > _SURE * most][::-1][:1].tolist():
        if np.count_nonzero(false.values >= scores[place]) > most:
            lowest = place
    kept = false.values >= scores[lowest]
    worth = np.count_nonzero(kept) < false.values.size / 2  # the copy of what is kept
    return (Mass(false.values[kept]) if worth else false), lowest


def _as_column(values: Any, curve: Curve) -> Floats:
    return np.broadcast_to(np.asarray(values, np.float64), curve.thresholds.shape)
