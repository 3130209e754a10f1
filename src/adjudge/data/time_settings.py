"""Settings that are lengths of time: a number of points, or a duration such as ``"10min"``.

A duration needs a clock. Where its steps are even, the duration becomes the number of points that
means the same, so that the value is that of plain arrays to the last bit. Where they are not, some
countings look at the timestamps themselves; the others refuse, for a window of so many points would
be of another length at every place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import MOST, amount, whole
from adjudge.data.durations import NANOSECONDS, duration, in_words, signed_duration, spelt
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge._typing import Floats
    from adjudge.data.events import Events

Rounding = Literal["down", "up", "exact", "rate"]


@dataclass(frozen=True)
class Length:
    """How a setting that is a length of time becomes points."""

    rounding: Rounding
    """"down" for a reach (at most so far), "up" for a stretch that begins somewhere (less than so
    far), "exact" where only whole steps mean something, "rate" where parts of steps do too, as in
    the time that a rate is for."""
    uneven: bool
    """Whether the counting can look at the timestamps themselves where steps are not even."""
    words: tuple[str, ...] = ()
    """What it may be instead, such as "median": no duration, though it is text."""


def is_duration(value: object) -> bool:
    """Tell a duration from a number of points: text or a time difference.

    >>> is_duration("10min"), is_duration(3)
    (True, False)
    """
    return isinstance(value, (str, timedelta, np.timedelta64))


def time_length(
    default: Any,
    least: int,
    rounding: Rounding,
    *limit: Any,
    uneven: bool = False,
    none: bool = False,
    words: tuple[str, ...] = (),
    signed: bool = False,
) -> Any:
    """A field of `adjudge.settings.Settings`: points, or a duration.

    Parameters
    ----------
    default : value
        What it is when it is not given.
    least : int
        The least number of points.
    rounding, uneven
        See `Length`.
    *limit
        The largest number of points, and why: as of `adjudge.checks.whole`.
    none : bool
        Whether None is allowed.
    words : tuple of str
        Words that are allowed.
    signed : bool
        Whether it may be negative, as a lead that is a delay; ``least`` is of no meaning then.

    Returns
    -------
    dataclasses.Field
    """

    def checked(value: object, name: str) -> Any:
        if (value is None and free) or (isinstance(value, str) and value in words):
            return value
        if is_duration(value):
            return spelt(signed_duration(value, name) if signed else duration(value, name, words))
        if rounding == "rate":
            return amount(value, name)
        return _points(value, name, words, -MOST if signed else least, *limit)

    free = none or default is None
    return field(
        default=default, metadata={"check": checked, "length": Length(rounding, uneven, words)}
    )


def _points(value: object, name: str, words: tuple[str, ...], least: int, *limit: Any) -> int:
    try:
        return whole(value, name, least, *limit)
    except InputError as error:
        others = " or ".join(["a duration such as '10min'", *map(repr, words)])
        raise InputError(f"{error}; {others} also works") from None


def even_step(events: Events) -> int | None:
    """The one step of the clock in nanoseconds, in all series; None where steps differ.

    >>> from adjudge.data.case import Case
    >>> case = Case([0, 1, 0], [0, 1, 0], time=["2026-01-01", "2026-01-02", "2026-01-03"])
    >>> even_step(case.events)
    86400000000000
    """
    steps = _steps(events)
    return int(steps[0]) if steps.size and steps[0] == steps.min() == steps.max() else None


def mean_step(events: Events) -> float:
    """The mean step of the clock in nanoseconds, over all series; 0 where there is no step."""
    steps = _steps(events)
    return float(steps.mean()) if steps.size else 0.0


def in_points(settings: Mapping[str, Any], lengths: Mapping[str, Length], events: Events) -> Any:
    """The settings that change when durations become points of this clock.

    Parameters
    ----------
    settings : mapping
        Name and value; those that are no duration are passed over.
    lengths : mapping
        What is known of each setting that is a length.
    events : Events
        The truth, with its clock.

    Returns
    -------
    dict
    """
    timed = {
        name: settings[name]
        for name, kind in lengths.items()
        if is_duration(settings.get(name)) and settings[name] not in kind.words
    }
    changed = {name: _converted(text, name, lengths[name], events) for name, text in timed.items()}
    return {name: value for name, value in changed.items() if value != timed[name]}


def _converted(text: str, name: str, kind: Length, events: Events) -> int | float | str:
    if events.clock is None:
        raise InputError(
            f"{name} must be a number of points without times, got {text!r}; give time= "
            "(--time COL)"
        )
    nanoseconds, step = signed_duration(text, name), even_step(events)
    if step is None:
        return _uneven(nanoseconds, text, name, kind, events)
    points, rest = divmod(nanoseconds, step)
    if kind.rounding == "rate":
        return nanoseconds / step if rest else points
    if rest and kind.rounding == "exact":
        raise InputError(
            f"{name} must be a whole number of steps, which are {in_words(step)} here, got {text!r}"
        )
    return points + (rest > 0 and kind.rounding == "up")


def _uneven(
    nanoseconds: int, text: str, name: str, kind: Length, events: Events
) -> int | float | str:
    steps = _steps(events)
    if not steps.size:
        raise InputError(f"{name} must be a number of points in series of one point, got {text!r}")
    if kind.uneven:
        return nanoseconds / _normal_step(events) if kind.rounding == "rate" else text
    raise InputError(
        f"{name} must be a number of points when times are not evenly spaced, got {text!r} "
        f"(steps from {in_words(int(steps.min()))} to {in_words(int(steps.max()))}); "
        "resample, or give points"
    )


def _steps(events: Events) -> Any:
    """The steps within each series."""
    if events.clock is None:
        return np.empty(0, np.int64)
    steps = np.diff(events.clock.instants)
    return np.delete(steps, events.series_bounds[1:-1] - 1)


def _normal_step(events: Events) -> float:
    """The mean time for which a normal point stands."""
    steps = _point_steps(events)
    return float(steps[events.normal].mean()) if events.normal.any() else 1.0


def point_seconds(events: Events) -> Floats:
    """The seconds for which each point stands: until the next one of its series."""
    return _point_steps(events) / NANOSECONDS["s"]


def _point_steps(events: Events) -> Floats:
    """The time for which each point stands: until the next one of its series.

    The last point of a series stands for as long as the one before it; the one point of a series
    that has no other, for as long as all points on average.
    """
    assert events.clock is not None  # noqa: S101 - whoever asks has looked
    steps = np.append(np.diff(events.clock.instants), 0).astype(np.float64)
    first, last = events.series_bounds[:-1], events.series_bounds[1:] - 1
    steps[last] = np.where(last > first, steps[last - 1], mean_step(events))
    return steps
