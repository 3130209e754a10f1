"""Streams: values of points, or of incidents and alerts, that are judged as they come.

Nothing that is over is kept, so memory does not grow with time; and however the points come, one by
one or in chunks of any size, the values are those of all of them at once, to the last bit.
"""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from adjudge.checks import suggest_keywords
from adjudge.errors import InputError, UnknownName, shown
from adjudge.judging.judge.which_metrics import read_metrics
from adjudge.judging.over_time.alert_stream import AlertSettings, StreamOfAlerts
from adjudge.judging.over_time.point_stream import PointSettings, StreamOfPoints
from adjudge.metrics.reader import metric as read_metric
from adjudge.tables.result import TabledResult
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.metrics.metric import Metric

_Settings = TypeVar("_Settings", PointSettings, AlertSettings)


@suggest_keywords("Stream")
@dataclass(eq=False, repr=False)
class Stream(TabledResult):
    """Judge points, or incidents and alerts, in a stream, in constant memory.

    At any time the values are those of `adjudge.evaluate` on all that has come, to the last bit,
    in whatever chunks it came.

    Parameters
    ----------
    metrics : spec, Metric, or several of them
        Metrics at a threshold that can be counted as points come; the others are refused, with the
        reason. An island's width must be given: ``f1_ba(width=11)``. Default: F1, point-adjusted
        F1 and K%-adjusted F1, event precision and recall; of incidents and alerts event recall and
        precision, the mean delay, and false alarms a week.
    at : number or policy, optional
        The threshold; none where scores are 0/1 flags. A policy has a number inside, and of its
        settings those that look back so far and no farther: ``policy(0.8, after=5, keep=10)``.
    lateness : int or duration, optional
        How long labels may come after their points (`mark`): points wait so long before they are
        counted, and memory grows with it. Of incidents and alerts: how long after its start a
        thing may be told, counted from the update before; its end may be told for as long as it
        lasts. Default: nothing comes late.
    every, gap : duration, optional
        The step of the clock, which settings that are durations need; and from which step on there
        is a gap in the data: nothing reaches across it, as between two series.
    since : time, optional
        With incidents and alerts: when watching began.
    services : sequence of str, optional
        With incidents and alerts that have a service: all services there are.
    watched : table or pairs of times, optional
        With incidents and alerts: the time in which somebody watches. Outages are told in `update`.
    early : duration, optional
        With incidents and alerts: how long before an incident an alert may start and still find it.
    unit : str, optional
        The unit of times that are numbers since 1970: "s", "ms" ...
    missing : {"refuse", "skip"}, optional
        What to do with scores that are NaN; "skip" leaves their points out, as
        ``where=False`` does. Default: refuse them.

    Raises
    ------
    InputError
        If a metric cannot be judged so, or what comes does not fit together.

    Examples
    --------
    >>> stream = Stream(["f1", "f1_ba(width=3)"], at=0.5)
    >>> for label, score in [(0, 0.1), (1, 0.2), (1, 0.9), (0, 0.8), (0, 0.3)]:
    ...     stream.update(label, score)
    >>> stream["f1"]
    0.5
    >>> stream.update([0, 1], [0.1, 0.7])
    >>> stream.values
    {'f1': 0.6666666666666666, 'f1_ba(width=3)': 0.75}
    """

    metrics: Any = None
    at: Any = None
    lateness: Any = field(default=None, kw_only=True)
    every: Any = field(default=None, kw_only=True)
    gap: Any = field(default=None, kw_only=True)
    since: Any = field(default=None, kw_only=True)
    services: Any = field(default=None, kw_only=True)
    watched: Any = field(default=None, kw_only=True)
    early: Any = field(default=None, kw_only=True)
    unit: str | None = field(default=None, kw_only=True)
    missing: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Read the metrics; whoever gives since= gives incidents and alerts."""
        requested, every = read_metrics(self.metrics)
        if every:
            raise InputError("metrics must be named one by one in a stream, got 'all'")
        self._of: StreamOfPoints | StreamOfAlerts
        if self.since is None:
            self._of = StreamOfPoints(requested, self._given(PointSettings, "points"))
        else:
            self._of = StreamOfAlerts(requested, self._given(AlertSettings, "incidents and alerts"))

    def _given(self, kind: type[_Settings], noun: str) -> _Settings:
        """The settings that have a meaning for what comes; any other is refused."""
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "metrics"}
        for name, value in given.items():
            if name not in kind._fields and value is not None:
                raise InputError(f"{name} must be left out with {noun}, got {shown(value)}")
        return kind(**{name: given[name] for name in kind._fields})

    def __copy__(self) -> Stream:
        """A copy shares nothing: each goes on by itself."""
        return deepcopy(self)

    def update(
        self,
        label: Column,
        score: Column,
        time: Any = None,
        *,
        series: Any = None,
        where: Any = None,
        outages: Any = None,
    ) -> None:
        """Take what comes next. What is refused changes nothing: correct it and call again.

        Parameters
        ----------
        label : 0, 1, None, a column of them, or Incidents
            The truth of the point, or of several; None: it is not known yet, and normal unless it
            is marked in time.
        score : number, column, or Alerts
            What the detector says.
        time : time, or column of times, optional
            When each point was. With incidents and alerts: what time it is now.
        series : optional
            The series that the points belong to. Series may come in any order.
        where : bool or column of bool, optional
            Which points are judged.
        outages : table or pairs of times, optional
            With incidents and alerts: when nobody watched. One without an end is open; telling it
            again, with its end, closes it.
        """
        self._of.update(label, score, time, series, where, outages)

    def mark(self, start: Any, end: Any = None, label: Any = 1, *, series: Any = None) -> None:
        """Label the points of a stretch of time afterwards, or beforehand.

        Points that are counted already stay as they are.

        Parameters
        ----------
        start, end : time, or number of a point
            From when up to when, the end left out; None: it is still going on. Marking it again,
            with its end and the same label, closes it; labels of other marks and updates stay.
        label : 0 or 1
            What its points are; the last mark of a point counts.
        series : optional
            The series.
        """
        self._of.mark(start, end, label, series)

    def settle(self) -> None:
        """Count all that waits for labels: none will come any more."""
        self._of.settle()

    @property
    def values(self) -> dict[str, float]:
        """The value of each metric, by its spec; of all that is old enough to be counted."""
        return self._of.values()

    @property
    def counts(self) -> dict[str, Any]:
        """How much was counted, how much waits, and how much was told too late."""
        return self._of.counts()

    def __getitem__(self, spec: str | Metric) -> float:
        """The value of one metric."""
        values = self.values
        name = str(read_metric(spec))
        if name not in values:
            raise UnknownName("metric", name, list(values))
        return values[name]

    def to_dict(self) -> dict[str, Any]:
        """Values and counts as plain values; undefined is NaN."""
        return {"values": self.values, "counts": self.counts}

    def columns(self) -> dict[str, list[Any]]:
        """A row per metric, as columns by name."""
        return {"metric": list(self.values), "value": list(self.values.values())}

    def layout(self) -> Layout:
        """Lay the values out, with what they rest on below."""
        rows = [
            [name, "undefined" if math.isnan(value) else f"{value:.4f}"]
            for name, value in self.values.items()
        ]
        counts = (f"{number:,} {name.replace('_', ' ')}" for name, number in self.counts.items())
        return Layout((Table.of(["metric", "value"], rows),), (", ".join(counts),))
