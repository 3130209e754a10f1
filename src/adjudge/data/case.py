"""Case: one detector's scores beside the truth, checked once.

This is the one place where a pair (labels, scores) is checked; whatever comes after trusts
it, however many metrics follow.

Conventions
-----------
- Higher scores are more anomalous; a point is flagged when ``score > threshold``, strictly.
- Scores that are all 0 or 1 are flags: the detector's own decision.
- A threshold is rounded to the scores' own precision before it is compared with them.
- Points that are not judged carry ``-inf``, which no threshold lies below: they are never flagged.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.columns import column, floats, is_binary, refuse_nan
from adjudge.data.events import Events
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Array, Column, Flags, Floats


class Case:
    """Labels and scores that fit together.

    Parameters
    ----------
    labels : column or Events
        The truth: 0/1 or bools per point, or `Events`.
    scores : column or Events
        What the detector says: any numbers, or 0/1 flags, or alarms as `Events`.
    series : column, optional
        One id per point, equal ids adjacent: events, islands and runs stay within a series.
    where : column of bool, optional
        Which points are judged.
    name : str
        What to call the detector.

    Examples
    --------
    >>> case = Case([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> case
    Case(4 points, 1 event, scores from 0.1 to 0.8)
    >>> case.flagged(0.35)
    array([False,  True, False,  True])
    """

    def __init__(
        self,
        labels: Column,
        scores: Column,
        *,
        series: Column = None,
        where: Column = None,
        name: str = "detector",
    ) -> None:
        given = scores.labels if isinstance(scores, Events) else column(scores, "scores")
        self.events = _events(labels, given, series, where)
        if given.size != self.events.n:
            raise InputError(
                "labels and scores must be equally long, got "
                f"{self.events.n} and {given.size} points"
            )
        self.name = name
        if self.events.judged is not None and given.dtype.kind == "f":
            given = np.where(self.events.judged, given, given.dtype.type(-np.inf))
        refuse_nan(given, "scores", "numbers")
        self.given = given
        self.last_masses: tuple[Any, Any] = (None, None)

    @cached_property
    def is_flags(self) -> bool:
        """Whether the scores are a decision already: nothing but 0 and 1 on judged points."""
        judged = self.events.judged
        return is_binary(self.given if judged is None else self.given[judged])

    @cached_property
    def scores(self) -> Floats:
        """The scores as float64, ``-inf`` where not judged."""
        judged = self.events.judged
        if judged is None:
            return floats(self.given, "scores")
        return np.where(judged, floats(np.where(judged, self.given, 0), "scores"), -np.inf)

    def flagged(self, threshold: float) -> Flags:
        """Flag the judged points whose score lies above the threshold."""
        if self.given.dtype.kind == "f":
            with np.errstate(over="ignore"):
                rounded = self.given.dtype.type(threshold)
            if np.isfinite(rounded) or not np.isfinite(threshold):
                return self.given > rounded
        return np.asarray(self.scores > threshold)

    @property
    def flags(self) -> Flags:
        """The detector's own decision; only for scores that are flags."""
        flags = self.given if self.given.dtype.kind == "b" else self.given > 0
        return flags if self.events.judged is None else flags & self.events.judged

    def __repr__(self) -> str:
        """Say what it holds, not how."""
        count = len(self.events)
        judged = self.given if self.events.judged is None else self.given[self.events.judged]
        low, high = judged.min(), judged.max()
        said = "flags" if self.is_flags else f"scores from {low:g} to {high:g}"
        return f"Case({self.events.n} points, {count} event{'s' * (count != 1)}, {said})"


def _events(labels: Column, scores: Array, series: Column, where: Column) -> Events:
    if isinstance(labels, Events):
        return labels.within(series=series, where=where)
    try:
        return Events.from_labels(labels, series=series, where=where)
    except InputError as error:
        if not str(error).startswith("labels must be 0 or 1") or not is_binary(scores):
            raise
        if np.unique(column(labels, "labels")).size <= 2:  # such as {1, 2}: another coding
            raise
        raise InputError(f"{error}; are labels and scores swapped?") from None
