"""Tuning: a threshold that is best on one part of the data and judged on the rest.

It looks at the labels of the part, so only the rest may be judged; how far it stays behind the best
threshold of the rest (the oracle's) is given beside each value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudge._text import shown
from adjudge.data.case import Case
from adjudge.data.part import Part
from adjudge.errors import InputError
from adjudge.metrics.oracle import best_of
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import Call, parse

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric


@dataclass(frozen=True)
class Tuned:
    """A threshold for `adjudge.evaluate` to find on a part of the data; see `tuned`."""

    metric: Metric
    on: Part

    def threshold(self, events: Events, scores: Column, name: str) -> float:
        """Find the threshold at which the metric is best on the part."""
        case = Case(events.within(where=self.on.mask(events.n)), scores, name=name)
        if not len(case.events):
            raise InputError(f"on must hold at least one event to tune on, got none in {self.on}")
        found = best_of(self.metric).reading(case)
        if found.at is None:  # pragma: no cover - an oracle always chooses
            raise InputError(f"{self} found no threshold")
        return found.at

    def __str__(self) -> str:
        """Print as it is written."""
        return f'tuned({self.metric}, on="{self.on}")'


def tuned(metric: str | Metric = "f1_ba", *, on: Column) -> Tuned:
    """Choose the threshold that is best by a metric on one part, to judge the rest with it.

    Parameters
    ----------
    metric : spec or Metric
        What is best on the part: a metric that has one value per threshold.
    on : mask, slice or text
        The part: one bool per point, ``slice(0, 500)``, or "0:500". It is not judged.

    Returns
    -------
    Tuned
        For ``at=`` of `adjudge.evaluate`.

    Raises
    ------
    InputError
        If the metric has no threshold to choose, or the part is none.

    Examples
    --------
    >>> import adjudge as aj
    >>> labels, scores = [0, 1, 1, 0, 0, 0, 1, 0], [1, 5, 2, 3, 1, 4, 6, 2]
    >>> judged = aj.evaluate(labels, scores, "f1", at=aj.tuned("f1", on=slice(0, 4)))
    >>> judged.rows[0].at, judged["f1"], judged.rows[0].oracle_gap
    (1.0, 0.5, 0.5)
    """
    one = read_metric(metric)
    best_of(one)  # which refuses what has no threshold
    if one.at is not None or one.oracle:
        raise InputError(f"tuned(...) chooses the threshold itself, got {one}")
    return Tuned(one, Part.read(on))


def read_tuned(at: Any) -> Any:
    """Read ``tuned(f1_ba, on="0:500")`` as it is written; give all else back as it is."""
    if not isinstance(at, str) or not at.strip().startswith("tuned("):
        return at
    call = parse(at)
    match call:
        case Call(values=(Call() as inner,)) if call.settings.keys() == {"on"}:
            return tuned(str(inner), on=call.settings["on"])
    raise InputError(f'at must be written tuned(metric, on="start:stop"), got {shown(at)}')
