"""Tuning: a threshold that is best on one part of the data and judged on the rest.

It looks at the labels of the part, so only the rest may be judged; how far it stays behind the best
threshold of the rest (the oracle's) is given beside each value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from adjudge.checks import suggest_keywords
from adjudge.errors import InputError, UnknownName, shown
from adjudge.measure.thresholds.part import Part
from adjudge.measure.thresholds.policy import Policy
from adjudge.metrics.metric import Metric, reordered
from adjudge.metrics.oracle import best_of
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import Call, parse, threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Column, Positions
    from adjudge.data.case import Case
    from adjudge.measure.thresholds.contract import Rule


@dataclass(frozen=True)
class Tuned:
    """A threshold for `adjudge.evaluate` to find on a part of the data; see `tuned`."""

    metric: Metric
    on: Part

    def threshold(self, whole: Case, anew: Policy | None = None) -> float:
        """Find the threshold at which the metric is best on the part.

        Parameters
        ----------
        whole : Case
            The detector, on the part and elsewhere.
        anew : Policy, optional
            What is done with the alerts of each threshold.
        """
        events = whole.events
        case = whole.with_truth(events.within(where=self.on.mask(events.n)))
        if not len(case.events):
            raise InputError(f"on must hold at least one event to tune on, got none in {self.on}")
        found = best_of(self.metric.with_default_threshold(anew)).reading(case)
        if found.at is None:  # pragma: no cover - an oracle always chooses
            raise InputError(f"{self} found no threshold")
        return found.at

    def __str__(self) -> str:
        """Print as it is written."""
        return f'tuned({self.metric}, on="{self.on}")'

    __repr__ = __str__


@suggest_keywords("tuned")
def tuned(metric: str | Metric = "f1_ba", *, on: Column) -> Tuned:
    """Tune the threshold on one part of the data, and judge the rest with it.

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
    """Read ``tuned(f1_ba, on="0:500")`` as it is written; give all else back as it is.

    Inside of a policy too.
    """
    if not isinstance(at, str) or not at.strip().startswith(("tuned(", "policy(tuned(")):
        return at
    call = parse(at)
    match call:
        case Call(values=(Call(name="tuned") as inner,)):
            return Policy(read_tuned(str(inner)), **call.settings)
        case Call(values=(Call() as inner,)) if call.settings.keys() == {"on"}:
            return tuned(str(inner), on=call.settings["on"])
    raise InputError(f'at must be written tuned(metric, on="start:stop"), got {shown(at)}')


def found_on_part(case: Case, at: Any) -> tuple[Any, Part | None]:
    """Find a threshold that is to be tuned, in a policy too; give it with the part, or as it is."""
    case.refuse_threshold(at)
    if isinstance(at, Tuned):
        return at.threshold(case), at.on
    if isinstance(at, Policy) and isinstance(at.at, Tuned):
        free = replace(at, at=None)
        level = at.at.threshold(free.fired(case), free.at_every_threshold)
        return replace(at, at=level), at.at.on
    return at, None


def with_part_reordered(at: Any, order: Positions) -> Any:
    """Let the part that a threshold is learnt on go with its points."""
    if isinstance(at, Tuned):
        return replace(at, on=at.on.reordered(order))
    if isinstance(at, Policy):
        return replace(at, at=with_part_reordered(at.at, order))
    return reordered(at, order)


def thresholds_by_name(
    at: Any, names: Sequence[str], runs: Mapping[str, tuple[str, int]]
) -> dict[str, float | Rule | Tuned | None]:
    """Read the threshold of each detector: one for all, or a mapping with one for each."""
    if not isinstance(at, Mapping):
        return dict.fromkeys(names, read_threshold(at))
    given = {str(name): read_threshold(value) for name, value in at.items()}
    bases = {name: runs.get(name, (name, 0))[0] for name in names}
    for name in given:
        if name not in bases.values():
            raise UnknownName("detector", name, bases.values(), "at= names it")
    for name in bases.values():
        if name not in given:
            raise InputError(f"at must name every detector, got none for {name!r}")
    return {name: given[base] for name, base in bases.items()}


def read_threshold(at: Any) -> float | Rule | Tuned | None:
    """Read what chooses a threshold: a number, a rule, `tuned`, or the text of one of them."""
    at = read_tuned(at)
    return at if at is None or isinstance(at, Tuned) else threshold(at)
