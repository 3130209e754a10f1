"""Alarm policies on alerts that are there already: each with a start and an end, and no scores.

An alert is on from its start up to its end. With a wait A (``after``) it fires at start + A, if it
is still on then; with B (``keep``) it goes on until end + B, and what begins up to then belongs to
it. Where A and B are whole numbers of evaluations that is, to the instant, what a rule of
Prometheus with ``for`` and ``keep_firing_for`` would have done; else the rule is later by less than
one evaluation, which no table of alerts knows.

Alerts of one service and one rule (``kind``) follow each other: ``keep``, ``merge`` and
``cooldown`` look at these alone. Groups are services.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from adjudge.data.durations import duration
from adjudge.data.incidents import OPEN
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from adjudge._typing import Flags, Floats, Positions
    from adjudge.data.incidents import Alerts


class AlertTimes(NamedTuple):
    """When alerts begin and end: those of one service and rule next to each other, in order.

    Attributes
    ----------
    row : Positions
        The row of each in its table; of joined ones that of the first.
    end : Positions
        Where each ends; of an open one the end of the time that is judged.
    still : Flags
        Which are open.
    score : Floats
        The score of each, of joined ones the highest; NaN: there are none.
    series, group : Positions
        The number of its service and rule, and of its service.
    is_in_points : bool
        Whether starts and ends are points.
    """

    row: Positions
    begin: Positions
    end: Positions
    still: Flags
    score: Floats
    series: Positions
    group: Positions
    is_in_points: bool

    @classmethod
    def of(cls, alerts: Alerts, last: int) -> AlertTimes:
        """The alerts of a table, up to the last instant that is judged."""
        places = alerts.place.tolist()
        kinds = [""] * len(alerts) if alerts.kind is None else alerts.kind.tolist()
        series, group = _numbers(zip(places, kinds, strict=True)), _numbers(places)
        order = np.lexsort((alerts.start, series))
        score = np.full(len(alerts), np.nan) if alerts.score is None else alerts.score
        every = cls(
            np.arange(len(alerts)), alerts.start, alerts.until(last), alerts.open, score, series,
            group, alerts.is_in_points,
        )  # fmt: skip
        return every.chosen(order)

    def table(self, alerts: Alerts) -> Alerts:
        """The same as rows of the table that they were read of."""
        order = np.argsort(self.row)
        found = self.chosen(order)
        end = np.where(found.still, OPEN, found.end)
        return alerts.moved(found.row, found.begin, end, found.score)

    def extent(self, length: int | str, name: str) -> tuple[int, Positions, Positions]:
        """A length as a number, with when each begins and ends in the same unit."""
        return self._length(length, name), self.begin, self.end

    def _length(self, length: int | str, name: str) -> int:
        if isinstance(length, str) == self.is_in_points:
            rule = "a number of points" if self.is_in_points else "a duration such as '10min'"
            kind = "whole numbers" if self.is_in_points else "times"
            raise InputError(f"{name} must be {rule} when alerts have {kind}, got {length!r}")
        return duration(length, name) if isinstance(length, str) else length

    def chosen(self, kept: Flags | Positions) -> AlertTimes:
        """Some of them, as a mask or in another order."""
        columns = {name: getattr(self, name)[kept] for name in self._fields[:-1]}
        return self._replace(**columns)

    def fired(self, after: int | str, keep: int | str) -> AlertTimes:
        """The alerts of a rule that waits, and goes on.

        Parameters
        ----------
        after, keep : int or duration
            As of `adjudge.adjust.policies.Firing`.
        """
        wait = self._length(after, "after") if after not in {0, "0s"} else 0
        hold = self._length(keep, "keep") if keep not in {0, "0s"} else None
        found = self._as_one(hold, wait)
        return found._replace(begin=found.begin + wait, end=found.end + (hold or 0))

    def joined(self, gap: int | str) -> AlertTimes:
        """Those of one service and rule with at most so much between them as one."""
        return self._as_one(self._length(gap, "merge"), 0)

    def begun(self, when: Positions, wait: int | str) -> AlertTimes:  # noqa: ARG002 - one unit
        """Those that go on at these moments, from then on."""
        return self._replace(begin=when).chosen(when < self.end)

    def _as_one(self, gap: int | None, wait: int) -> AlertTimes:
        """Join alerts with at most so much between them; drop others that are no longer than that.

        Parameters
        ----------
        gap : int or None
            What may lie between; None: nothing is joined.
        wait : int
            How long the first must last.
        """
        first = np.full(self.row.size, -1)
        reach: dict[int, tuple[int, int]] = {}
        times = zip(self.series.tolist(), self.begin.tolist(), self.end.tolist(), strict=True)
        for place, (series, begin, end) in enumerate(times):
            before, until = reach.get(series, (-1, 0))
            if before >= 0 and gap is not None and begin - until <= gap:
                first[place] = before
                reach[series] = before, max(until, end)
            elif not wait or end - begin > wait:
                first[place] = place
                reach[series] = place, end
        kept = first >= 0
        alone, home = np.unique(first[kept], return_inverse=True)
        found = self.chosen(alone)
        for name, most in (("end", np.maximum), ("still", np.logical_or), ("score", np.fmax)):
            column = getattr(found, name)  # a copy
            most.at(column, home, getattr(self, name)[kept])
        return found


def _numbers(names: Iterable[Hashable]) -> Positions:
    """The number of each name, in the order in which they come.

    >>> _numbers(["shop", "api", "shop"])
    array([0, 1, 0])
    """
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], np.int64)
