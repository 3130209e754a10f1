r"""Stored rows: a new version of a detector beside a judgement of the old one, without its scores.

What `adjudge.compare` asks of a detector at its threshold is the rows of its ledger: five sums for
each event, each false alarm and each quiet stretch, and three imagined rows. They are kept with a
judgement (``units`` in its JSON), so that the p-value is that of `adjudge.compare` to the last bit.

A gate that passes says how large a loss it sees in four cases of five: the L that solves

.. math:: L / \sqrt{V} = t + 0.84 \, (1 - c L / 2 V), \qquad V = se^2 + c L

with the standard error of the difference and c, what one lost event costs: a loss makes two
versions differ in more events than they do now.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.count.ledger import QUIET, Ledger
from adjudge.errors import FileError, InputError, shown, visible
from adjudge.judging.comparing.comparison import Comparison, shown_value
from adjudge.noise.comparing.rivals import Rival
from adjudge.noise.intervals.rates import FALSE_RUN, HALF, Imagined, Side, measured
from adjudge.noise.intervals.student import quantile
from adjudge.noise.intervals.units import in_words

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from adjudge.judging.comparing.facing import Facing
    from adjudge.noise.comparing.paired_units import Difference

LEVEL = 0.05
"""Of the gate, one-sided: so often versions that are equally good are called worse."""
_POWER = 0.8416  # standard errors for 80 %
_COLUMNS = ("line", "start", "stop", "event")
_STEPS = 60


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
        self._imagined = Imagined(*_floats(said["imagined"]))
        self._some, self._value = bool(said["any_alarm"]), _floats(said["value"])

    @property
    def some(self) -> bool:
        """Whether there was any alarm."""
        return self._some

    @property
    def value(self) -> float:
        """The value that it had."""
        return float(self._value)

    def imagined(self) -> Imagined:
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
        "imagined": [row.tolist() for row in side.imagined()],
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
        The loss that this gate sees in four cases of five.
    events_lost : int
        So many lost events are such a loss.
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
        lost = f" ({in_words(self.events_lost, 'event')} lost)" * (self.events_lost > 0)
        size = f"{shown_value(found, self.sees)} in four cases of five{lost}"
        return f"{told}\nthis gate sees a loss of {size}; a smaller one may pass"


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
        raise InputError(
            "against must be a judgement as evaluate --json writes it, got one with other rows"
        ) from None
    if not _same_truth(new.side.ledger, side.ledger):
        raise InputError(
            "against must be a judgement on the same labels, got one on others: compare needs the "
            "same events"
        )
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
    cost = event_cost(old)
    loss = loss_seen(seen.spread.se, seen.spread.df, cost)
    lost = math.ceil(loss / cost - 1e-9) if cost > 0 else 0
    return Against(found, p, loss, lost)


def event_cost(side: Side) -> float:
    """What one more missed event costs.

    Parameters
    ----------
    side : Side
        What a detector earned and paid.
    """
    made = side.imagined()
    beside = HALF * (made.found + made.missed) + FALSE_RUN * made.false
    whole = np.asarray(side.ledger.sum() + beside)
    more = whole + made.missed - made.found
    return abs(float(measured(side.measure, whole) - measured(side.measure, more)))


def loss_seen(se: float, df: float, cost: float) -> float:
    """The loss that is seen in four cases of five.

    Parameters
    ----------
    se, df, cost : float
        Standard error of the difference, its degrees of freedom, what one lost event costs.

    Examples
    --------
    >>> print(f"{loss_seen(0.1, 40, 0.0):.3f} {loss_seen(0.1, 40, 0.02):.3f}")
    0.253 0.299
    """
    t, low, high = quantile(df, 1 - 2 * LEVEL), 0.0, 100 * (se + cost) + 1e-12
    for _ in range(_STEPS):
        loss = (low + high) / 2
        variance = se**2 + cost * loss
        needed = t + _POWER * (1 - cost * loss / (2 * variance)) if variance > 0 else 0.0
        low, high = (low, loss) if loss >= needed * math.sqrt(variance) else (loss, high)
    return high


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
            f"{name}: must be what evaluate --json writes, with the rows of each metric"
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
            f"against must have rows of {metric}, got those of {known}; areas and best(...) have "
            "none: compare them with the old scores"
        )
    if len({one.get("detector") for one in same}) == 1:
        return same[0]
    for one in same:
        if one.get("detector") == detector:
            return one
    raise InputError(f"against must have the detector {shown(detector)}, got several others")
