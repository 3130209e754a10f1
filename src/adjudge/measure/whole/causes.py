"""Causes: whether the channels that an event is on stand first in the order of their scores.

Channels with equal scores share what they would earn: the value is the mean over all orders of
them.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import comb, isnan
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from adjudge.checks import positive, whole, word
from adjudge.data.intervals import bincount, reduce_over, reduceat
from adjudge.measure.whole.channels import ChannelRecall
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Array, Flags, Floats
    from adjudge.count.channels import EventChannels
    from adjudge.data.case import Case
    from adjudge.data.events import Events

Per = Literal["events", "points"]
Rounding = Literal["floor", "even"]
_LOWEST = np.finfo(np.float64).min  # what a judged score of -inf is read as


@dataclass(frozen=True)
class Causes(Settings):
    """A share of the causes that stand first: what the measures of causes have in common.

    Parameters
    ----------
    per : "events" or "points"
        Whether a row is an event, with the mean score of its points, or a point of an event.
    """

    per: Per = setting("events", word, get_args(Per))

    def __call__(self, scores: Array, events: Events) -> float:  # noqa: ARG002 - of one channel
        """Judge one channel: there is no other that could stand first."""
        return 1.0 if len(events) else np.nan

    def of(self, case: Case, scores: Array) -> float:  # noqa: ARG002 - those of the case
        """Judge the channels of a case."""
        return self.value(*self.rows(case))

    def rows(self, case: Case) -> tuple[Floats, Flags]:
        """The scores of each row, and which of its channels are causes."""
        seen = ChannelRecall().seen(case.channels)
        table = case.scores.reshape(len(case.parts), -1)
        if self.per == "points":
            there = seen.channels.joined.labels
            labels = np.array([events.labels for events in seen.channels.events])
            return table[:, there].T, labels[:, there].T
        return _means(table, seen), seen.affected

    def value(self, scores: Floats, causes: Flags) -> float:
        """The mean over rows that have a cause; NaN without any."""
        kept = causes.any(axis=1)
        return _mean([self.of_row(*row) for row in _ordered(scores[kept], causes[kept])])

    def by_chance(self, causes: Flags) -> float:
        """The same of channels in any order, as likely as any other."""
        counts = causes.sum(axis=1)
        return _mean(
            [self.of_row(*_all_equal(int(g), causes.shape[1])) for g in counts[counts > 0]]
        )

    @abstractmethod
    def of_row(self, tied: Array, right: Array) -> float:
        """The value of a row: channels in groups of equal scores, the highest first.

        Parameters
        ----------
        tied, right : array of int
            How many channels each group has, and how many of these are causes.
        """


def _mean(values: list[float]) -> float:
    """The mean of the rows that have a value."""
    known = [value for value in values if not isnan(value)]
    return float(np.mean(known)) if known else np.nan


def _means(table: Floats, seen: EventChannels) -> Floats:
    """The mean score of each event on each channel, over the points that are judged there.

    A channel that is judged nowhere in the event stands last; infinite scores are first and last.
    """
    event, start, stop = seen.spans
    means = np.full(seen.shape, -np.inf)

    def summed(values: Array) -> Floats:
        sums = reduce_over(np.add, np.append(values, 0.0), start, stop)
        return bincount(event, weights=sums, minlength=seen.shape[0]).astype(np.float64)

    for channel, scores in enumerate(table):
        known = scores > -np.inf
        plain = known & (scores > _LOWEST) & (scores < np.inf)
        many = summed(known)
        total, there = summed(np.where(plain, scores, 0.0)), many > 0
        means[there, channel] = total[there] / many[there]
        if np.count_nonzero(plain) < np.count_nonzero(known):
            for bound in (_LOWEST, np.inf):
                means[summed(scores == bound) > 0, channel] = bound
    return means


def _ordered(scores: Floats, causes: Flags) -> Iterator[tuple[Array, Array]]:
    """Groups of equal scores from the highest down: how many channels, how many causes."""
    for row, right in zip(scores, causes, strict=True):
        _, group = np.unique(-row, return_inverse=True)
        yield bincount(group), bincount(group, weights=right).astype(np.int64)


def _all_equal(causes: int, channels: int) -> tuple[Array, Array]:
    return np.array([channels]), np.array([causes])


def _expected_hits(tied: Array, right: Array, k: int) -> float:
    """How many causes stand among the first k, over all orders of equals."""
    before = np.cumsum(tied) - tied
    taken = np.clip(k - before, 0, tied)
    return float((right * taken / tied).sum())


@dataclass(frozen=True)
class CauseHitRate(Causes):
    r"""Share of the causes among the first k channels, with k a percentage of their number.

    .. math:: \frac{|\text{causes} \cap \text{first } k|}{g}, \qquad k = \lfloor P g / 100 \rfloor

    for g causes. 1: every cause stands there. By chance min(k, c)/c of c channels.

    Parameters
    ----------
    p : float
        The percentage P: 100 asks for as many channels as there are causes.
    rounding : "floor" or "even"
        Whether k is cut, or rounded with halves to the even number as Python does.
    per : "events" or "points"
        Whether a row is an event, with the mean score of its points, or a point of an event.

    References
    ----------
    .. [1] Y. Su et al. (2019). Robust Anomaly Detection for Multivariate Time Series through
       Stochastic Recurrent Neural Network. KDD.

    Examples
    --------
    >>> CauseHitRate().value(np.array([[0.9, 0.1, 0.5]]), np.array([[True, False, False]]))
    1.0
    """

    p: float = setting(100, positive)
    rounding: Rounding = setting("floor", word, get_args(Rounding))

    def k(self, causes: int) -> int:
        """How many channels are looked at."""
        exact = self.p * causes / 100
        return int(exact) if self.rounding == "floor" else round(exact)

    def of_row(self, tied: Array, right: Array) -> float:
        """The share of the causes among the first k."""
        causes = int(right.sum())
        return _expected_hits(tied, right, self.k(causes)) / causes


@dataclass(frozen=True)
class CauseNdcg(CauseHitRate):
    r"""Discounted gain of the causes among the first k channels, as a share of the best order.

    .. math:: \frac{\sum_{i \le k} [i \text{ is a cause}] / \log_2(i + 1)}
        {\sum_{i \le \min(g, k)} 1 / \log_2(i + 1)}, \qquad k = P g / 100

    1: the causes stand first. 0: none is among the first k. Rows of which k is 0 are left out.

    Parameters
    ----------
    p : float
        The percentage P: 100 asks for as many channels as there are causes.
    rounding : "floor" or "even"
        Whether k is cut, or rounded with halves to the even number as Python does.
    per : "events" or "points"
        Whether a row is an event, with the mean score of its points, or a point of an event.

    Examples
    --------
    >>> CauseNdcg(p=200).value(np.array([[0.5, 0.1, 0.9]]), np.array([[True, False, False]]))
    0.6309297535714575
    """

    def of_row(self, tied: Array, right: Array) -> float:
        """The gain of one row."""
        causes, channels = int(right.sum()), int(tied.sum())
        k = self.k(causes)
        discount = 1 / np.log2(np.arange(2, channels + 2))
        discount[k:] = 0
        mean = reduceat(np.add, discount, np.cumsum(tied) - tied) / tied
        best = discount[: min(causes, k)].sum()
        return float((right * mean).sum() / best) if best > 0 else np.nan


@dataclass(frozen=True)
class CauseInTop(Causes):
    """Share of the rows with any cause among the first k channels.

    1: each has one there. By chance 1 - C(c - g, k)/C(c, k) for g causes of c channels.

    Parameters
    ----------
    k : int
        How many channels are looked at.
    per : "events" or "points"
        Whether a row is an event, with the mean score of its points, or a point of an event.

    References
    ----------
    .. [1] A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in Multivariate
       Time Series. IEEE TNNLS. arXiv:2109.11428.

    Examples
    --------
    >>> CauseInTop(k=1).value(np.array([[0.5, 0.1, 0.9]]), np.array([[True, False, True]]))
    1.0
    """

    k: int = setting(3, whole, 1)

    def of_row(self, tied: Array, right: Array) -> float:
        """How likely any cause is among the first k."""
        left = self.k
        for size, causes in zip(tied.tolist(), right.tolist(), strict=True):
            if left >= size and causes:
                return 1.0
            if left < size:
                return 1 - comb(size - causes, left) / comb(size, left)
            left -= size
        return 0.0  # pragma: no cover - there is a cause, and k ends somewhere


@dataclass(frozen=True)
class CauseRecallAtK(Causes):
    """Share of the causes among the first k channels; AC@k where each row has one cause.

    1: all of them. By chance min(k, c)/c of c channels.

    Parameters
    ----------
    k : int
        How many channels are looked at.
    per : "events" or "points"
        Whether a row is an event, with the mean score of its points, or a point of an event.

    References
    ----------
    .. [1] L. Pham et al. (2024). RCAEval: A Benchmark for Root Cause Analysis of Microservice
       Systems. arXiv:2412.17015.

    Examples
    --------
    >>> CauseRecallAtK(k=2).value(np.array([[0.5, 0.1, 0.9]]), np.array([[True, True, False]]))
    0.5
    """

    k: int = setting(5, whole, 1)

    def of_row(self, tied: Array, right: Array) -> float:
        """The share of the causes among the first k."""
        return _expected_hits(tied, right, self.k) / int(right.sum())


@dataclass(frozen=True)
class CauseAverageAtK(CauseRecallAtK):
    """Mean of cause_recall_at_k over 1, 2, ... k; Avg@k where each row has one cause.

    1: the cause always stands first. By chance the mean of min(j, c)/c of c channels.

    Parameters
    ----------
    k : int
        How many channels are looked at, at most.
    per : "events" or "points"
        Whether a row is an event, with the mean score of its points, or a point of an event.

    Examples
    --------
    >>> CauseAverageAtK(k=2).value(np.array([[0.5, 0.1, 0.9]]), np.array([[True, False, False]]))
    0.5
    """

    def of_row(self, tied: Array, right: Array) -> float:
        """The mean over the number of channels that are looked at."""
        shares = [_expected_hits(tied, right, j) for j in range(1, self.k + 1)]
        return float(np.mean(shares)) / int(right.sum())
