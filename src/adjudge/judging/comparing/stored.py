r"""Stored rows: a new version of a detector beside a judgement of the old one, without its scores.

What `adjudge.compare` asks of a detector at its threshold is the rows of its ledger: five sums for
each event, each false alarm and each quiet stretch, and three imagined rows. They are kept with a
judgement (``units`` in its JSON), so that the p-value is that of `adjudge.compare` to the last bit.

A gate that passes says how large a loss it sees in four cases of five: that of the fewest lost
events k with

.. math:: L_k / \sqrt{V} \ge t + 0.84 \, (1 - L_k^2 / 2 k V), \qquad
   V = se^2 (1 - k / 2 K) + L_k^2 / k

with the standard error of the difference and :math:`L_k`, what they cost together: a loss makes two
versions differ in more events than they do now, and the last ones of few cost the most. About half
of what versions differ by now is in the K events that are found, and goes with them. Where all are
lost, V is :math:`L_k^2 / k` alone: nothing else is left to differ.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.ledger import FOUND, QUIET, Ledger
from adjudge.errors import FileError, InputError, shown, visible
from adjudge.judging.comparing.comparison import Comparison, shown_value
from adjudge.noise.comparing.rivals import Rival
from adjudge.noise.intervals.rates import FALSE_RUN, HALF, PseudoRows, Side, measured
from adjudge.noise.intervals.student import quantile
from adjudge.noise.intervals.units import in_words

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Floats
    from adjudge.judging.comparing.facing import Facing
    from adjudge.noise.comparing.paired_units import Difference

LEVEL = 0.05
"""Of the gate, one-sided: so often versions that are equally good are called worse."""
_POWER = 0.8416  # standard errors for 80 %
_COLUMNS = ("line", "start", "stop", "event")
_STEPS, _NOTHING = 1000, 1e-30


class StoredSide(Side):
    """What the old version earned and paid, as it was stored.

    Parameters
    ----------
    new, said : Side, mapping
        The side of the new version, on the same labels; and what was stored of the old one.
    """

    def __init__(self, new: Side, said: Mapping[str, Any]) -> None:
        line, start, stop, event = (np.array(said[name], np.int64) for name in _COLUMNS)
        masses = _floats(said["masses"]).reshape(len(line), 5)
        ledger = Ledger(line, start, stop, event, masses, new.ledger.points)
        super().__init__(new.metric, ledger, new.alarms)
        self._imagined = PseudoRows(*_floats(said["imagined"]))
        self._some, self._value = bool(said["any_alarm"]), _floats(said["value"])

    @property
    def some(self) -> bool:
        """Whether there was any alarm."""
        return self._some

    @property
    def value(self) -> float:
        """The value that it had."""
        return float(self._value)

    def pseudo_rows(self) -> PseudoRows:
        """What was imagined beside its rows."""
        return self._imagined


def _floats(given: Any) -> Any:
    """Numbers as they were; what is not known is null in JSON."""
    return np.array(given, np.float64)


def rows_of(rival: Rival) -> dict[str, Any] | None:
    """What is stored of a detector at its threshold; None where its rows carry no evidence.

    Parameters
    ----------
    rival : Rival
        The detector.
    """
    side = rival.side
    if side is None or rival.metric.across or rival.metric.oracle:
        return None
    ledger = side.ledger
    return {
        "value": rival.value, "any_alarm": side.some,
        **{name: getattr(ledger, name).tolist() for name in _COLUMNS},
        "masses": [list(map(_short, row)) for row in ledger.masses.tolist()],
        "imagined": [row.tolist() for row in side.pseudo_rows()],
    }  # fmt: skip


def _short(number: float) -> float:
    """A whole number without a point, which is as exact."""
    return int(number) if number.is_integer() else number


@dataclass(frozen=True)
class Against:
    """A new version beside a stored judgement of the old one.

    Attributes
    ----------
    comparison : Comparison
        The new version as ``a``, the old one as ``b``.
    p_worse : float
        How often an equally good version is as far behind.
    sees : float
        The loss that this gate sees in four cases of five; NaN where that of all events is less.
    events_lost : int
        So many lost events are such a loss; 0 where events do not count.
    """

    comparison: Comparison
    p_worse: float
    sees: float = math.nan
    events_lost: int = 0

    @property
    def worse(self) -> bool:
        """Whether the new version is behind by more than luck explains, or nobody can say."""
        undefined = math.isnan(self.comparison.difference)
        return undefined or self.p_worse <= LEVEL

    def to_dict(self) -> dict[str, Any]:
        """The comparison, and what the gate sees."""
        beside = {"p_worse": self.p_worse, "sees": self.sees, "events_lost": self.events_lost}
        return {**self.comparison.to_dict(), **beside, "worse": self.worse}

    def __str__(self) -> str:
        """Say it in two sentences."""
        found = self.comparison
        now, before = shown_value(found, found.a), shown_value(found, found.b)
        told = f"{visible(found.names[0])}: {found.metric} {now} now, {before} before; "
        if math.isnan(found.difference):
            return told + "the difference is undefined"
        if math.isnan(self.p_worse):
            return told + f"no test: {found.evidence or 'no event'}"
        p = f"p = {self.p_worse:.2g} that it is no worse, {found.evidence}"
        told += f"worse ({p})" if self.worse else f"no loss beyond noise ({p})"
        if math.isnan(self.sees):
            return f"{told}\nthis gate sees no loss in four cases of five, not that of all events"
        lost = f" ({in_words(self.events_lost, 'event')} lost)" * (self.events_lost > 0)
        size = f"{shown_value(found, self.sees)} in four cases of five{lost}"
        return f"{told}\nthis gate detects a loss of {size}; a smaller one may pass"


def facing_stored(two: Facing, said: Mapping[str, Any]) -> Facing:
    """The new version facing the old one, by whose rows it is stored.

    Parameters
    ----------
    two, said : Facing, mapping
        The new version facing itself, and what was stored of the old one.
    """
    new = two.rivals[0]
    assert new.side is not None  # noqa: S101 - else nothing was stored
    try:
        side = StoredSide(new.side, said)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError("against must be written by evaluate --json, got other rows") from None
    if not _same_truth(new.side.ledger, side.ledger):
        raise InputError("against must be a judgement on the same labels, got different labels")
    old = Rival(new.metric, new.turning, side.value, None, side)
    return two._replace(rivals=(new, old), notes=())


def _same_truth(one: Ledger, other: Ledger) -> bool:
    """Whether events and quiet stretches are the same."""

    def places(ledger: Ledger, kind: Any) -> list[Any]:
        return [getattr(ledger, name)[kind].tolist() for name in _COLUMNS]

    events = (one.event >= 0, other.event >= 0)
    quiet = (one.event == QUIET, other.event == QUIET)
    return all(places(one, a) == places(other, b) for a, b in (events, quiet))


def against(found: Comparison, seen: Difference | None, old: Side) -> Against:
    """What a gate says of a comparison with a stored judgement.

    Parameters
    ----------
    found, seen, old : Comparison, Difference, Side
        The comparison, what it rests on, and the old version.
    """
    if math.isnan(found.p_value) or seen is None:
        return Against(found, math.nan)
    behind = found.ahead == "b"
    p = found.p_value / 2 if behind else 1 - found.p_value / 2
    return Against(found, p, *loss_seen(seen.spread.se, seen.spread.df, *losses(old)))


def losses(side: Side) -> tuple[Floats, Floats]:
    """What it costs to lose more and more of the events that are found, a quarter more each time.

    Parameters
    ----------
    side : Side
        What a detector earned and paid.

    Returns
    -------
    tuple of arrays
        How many events, and what they cost.
    """
    made, found = side.pseudo_rows(), int(np.count_nonzero(side.ledger.rows()[:, FOUND] > 0))
    whole = side.ledger.sum() + HALF * (made.found + made.missed) + FALSE_RUN * made.false
    events = np.linspace(0, found, min(4 * found, _STEPS) + 1)[1:, np.newaxis]
    less = measured(side.measure, whole + events * (made.missed - made.found))
    return events[:, 0], np.nan_to_num(np.abs(measured(side.measure, whole) - less))


def loss_seen(se: float, df: float, events: Floats, losses: Floats) -> tuple[float, int]:
    """The loss that is seen in four cases of five, and how many lost events that is.

    Parameters
    ----------
    se, df : float
        Standard error of the difference, and its degrees of freedom.
    events, losses : array
        Numbers of lost events, and what they cost: see `losses`.

    Examples
    --------
    >>> events = np.arange(1, 40)
    >>> print("{:.3f} {}".format(*loss_seen(0.1, 40, events, 0 * events)))
    0.253 0
    >>> print("{:.3f} {}".format(*loss_seen(0.1, 40, events, 0.02 * events)))
    0.280 14
    """
    t = quantile(df, 1 - 2 * LEVEL)
    if not losses.any():
        return (t + _POWER) * se, 0
    of_events = losses**2 / events
    variance = np.maximum(se**2 * (1 - events / (2 * events[-1])) + of_events, _NOTHING)
    needed = np.sqrt(variance) * (t + _POWER * (1 - of_events / (2 * variance)))
    enough = np.flatnonzero(losses >= needed)
    if enough.size:
        return float(losses[enough[0]]), math.ceil(events[enough[0]])
    most = math.sqrt(events[-1]) >= t + _POWER / 2  # all lost: nothing else is left to differ
    return float(losses[-1]) if most else math.nan, math.ceil(events[-1])


def read_stored(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The rows that a judgement keeps.

    Parameters
    ----------
    path : path
        What ``evaluate --json`` or ``Judgement.to_json()`` wrote.
    """
    name = visible(Path(path).name)
    try:
        said = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise FileError(f"{name}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        said = None
    stored = said.get("units") if isinstance(said, dict) else None
    if not isinstance(stored, list) or not all(isinstance(one, dict) for one in stored):
        raise FileError(
            f"{name}: must be the output of evaluate --json, with the rows of each metric"
        )
    return stored


def chosen(stored: Sequence[dict[str, Any]], detector: str, metric: str) -> dict[str, Any]:
    """What was stored of a detector by a metric; of the only one whatever it was called.

    Parameters
    ----------
    stored, detector, metric : list of dict, str, str
        What there is, and what is asked for.
    """
    same = [one for one in stored if one.get("metric") == metric]
    if not same:
        known = ", ".join(dict.fromkeys(visible(one.get("metric")) for one in stored)) or "none"
        raise InputError(
            f"against must have rows of {metric}, got those of {known}; areas and best(...) "
            "have none: compare with the old scores"
        )
    if len({one.get("detector") for one in same}) == 1:
        return same[0]
    for one in same:
        if one.get("detector") == detector:
            return one
    raise InputError(f"against must have the detector {shown(detector)}, got several others")
