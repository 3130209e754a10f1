"""Threshold rules: how a threshold is chosen when no number is given.

A rule looks at the scores and never at the labels. Its threshold is always one of the scores (or
``-inf``), so a strictly increasing map of the scores changes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.checks import share, whole
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case


@dataclass(frozen=True)
class Quantile:
    """The smallest score that at least a share ``q`` of the judged points do not exceed.

    So at most a share ``1 - q`` is flagged: ``quantile(0.99)`` flags the highest one per cent.

    >>> from adjudge.data.case import Case
    >>> Quantile(0.75)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.4
    """

    q: float

    def __post_init__(self) -> None:
        """Check the share."""
        object.__setattr__(self, "q", share(self.q, "q", zero=True))

    def __call__(self, case: Case) -> float:
        """Give the threshold."""
        scores = _judged(case)
        rank = math.ceil(self.q * scores.size)  # which may have rounded either way
        rank += (rank / scores.size < self.q) - ((rank - 1) / scores.size >= self.q)
        place = max(rank, 1) - 1
        return float(np.partition(scores, place)[place])

    def __str__(self) -> str:
        """Print as it is written."""
        return f"quantile({self.q!r})"


@dataclass(frozen=True)
class Top:
    """The threshold that flags the ``k`` highest points, and all that tie with the last of them.

    >>> from adjudge.data.case import Case
    >>> Top(2)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.3
    """

    k: int

    def __post_init__(self) -> None:
        """Check the count."""
        object.__setattr__(self, "k", whole(self.k, "k", 1))

    def __call__(self, case: Case) -> float:
        """Give the threshold."""
        scores = _judged(case)
        if self.k > scores.size:
            raise InputError(f"k must be at most the {scores.size} judged points, got {self.k}")
        place = scores.size - self.k
        last = np.partition(scores, place)[place]
        return float(np.max(scores, where=scores < last, initial=-np.inf))

    def __str__(self) -> str:
        """Print as it is written."""
        return f"top({self.k})"


Rule = Quantile | Top
RULES: dict[str, type[Rule]] = {"quantile": Quantile, "top": Top}


def _judged(case: Case) -> Floats:
    judged = case.events.judged
    return case.scores if judged is None else case.scores[judged]
