"""The last count of a case, which the metrics of one call share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adjudge._typing import Array
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.contract import Counting
    from adjudge.count.tally import Counts, Mass
    from adjudge.data.case import Case


class CountCache:
    """The last count of a case, which metrics that are asked one after another may share.

    Those that count points, and adjust no normal ones, share at least the order of these.

    It belongs to one call, never to two threads: whatever is shared more widely does not change.
    """

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._key: tuple[Any, ...] = ()
        self._case: Case | None = None
        self._counts: Counts | None = None
        self._normal: Mass | None = None
        self._scores: dict[bool, Array] = {}

    def of(self, case: Case, adjust: Adjustment, count: Counting, thresholds: int | None) -> Counts:
        """The counts of a case: the last ones, if they are the same."""
        key = adjust, count, None if count.sweeps else thresholds
        if self._counts is None or self._case is not case or self._key != key:
            self._counts = None  # let go of the old one first
            if self._case is not case:
                self._normal, self._scores = None, {}
            normal, self._normal = self._normal, None
            scores = self._scores_of(case, own=count.by_order)
            shared = count.masses_sharing_normals(normal, scores, case.events, adjust)
            if shared is None:
                self._counts = count.counts(scores, case.events, adjust, thresholds)
            else:
                self._counts, self._normal = shared, shared.false
            self._case, self._key = case, key
        return self._counts

    def _scores_of(self, case: Case, *, own: bool) -> Array:
        """The scores of the case, looked at once for all metrics."""
        if own not in self._scores:
            self._scores[own] = case.own_scores if own else case.scores
        return self._scores[own]
