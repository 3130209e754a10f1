"""Times as people write them: forms that are not ISO, and local times without an offset.

A form is found only where it is the only one that fits: 14.03.2026 is the 14th in every country
that writes dots, 03/04/2026 may be the 3rd of April or the 4th of March, and a column that also
holds 03/14/2026 is not in doubt. A local time becomes an instant by its zone; an hour that the
clock shows twice, or never, is refused with its row.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from adjudge.checks import word
from adjudge.data.clock import Clock
from adjudge.data.durations import NANOSECONDS
from adjudge.data.written_forms import times_of_form
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from zoneinfo import ZoneInfo

Ambiguous = Literal["first", "second"]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATES = ("%d.%m.%Y", "%Y/%m/%d", "%Y.%m.%d", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y",
          "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y")  # fmt: skip
_HOURS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p")
_COMMA = re.compile(r",(?= *\d{1,2}:)")


def read_times(
    values: Any,
    name: str,
    *,
    unit: str | None = None,
    form: str | None = None,
    tz: str | None = None,
    ambiguous: Ambiguous | None = None,
) -> Clock:
    """Read a column of times in any form.

    Parameters
    ----------
    values : column
        The times, as of `Clock.read`, or text in the form of a country.
    name : str
        What messages call the column.
    unit, form : str, optional
        The unit of numbers since 1970; how text is written, in the codes of ``strptime``.
    tz, ambiguous : str, optional
        The zone of times without an offset; which one is meant of an hour that occurs twice.

    Returns
    -------
    Clock

    Examples
    --------
    >>> clock = read_times(["14.03.2026 09:30"], "start", tz="Europe/Berlin")
    >>> clock.text(0)
    '2026-03-14 09:30+01:00'
    """
    texts = [text.strip() for text in values] if _is_text(values) else None
    if form is not None:
        clock = Clock.read(times_of_form(list(values), form, name), name)
    else:
        found = None if texts is None else _found_form(texts, name)
        clock = Clock.read(values if found is None else found, name, unit)
    if tz is not None and unit is not None and form is None and are_numbers(values):
        return Clock(clock.instants, tz)  # numbers since 1970 are instants
    return clock if tz is None else in_zone(clock, tz, name, ambiguous)


def are_numbers(values: Any) -> bool:
    """Whether times are numbers since 1970, which have no zone.

    >>> are_numbers([1773482700]), are_numbers(["1773482700"]), are_numbers(["2026-03-14"])
    (True, True, False)
    """
    try:
        float(next(iter(values)))
    except (TypeError, ValueError, StopIteration):
        return False
    return True


def _is_text(values: Any) -> bool:
    return len(values) > 0 and all(isinstance(value, str) for value in values)


def _found_form(texts: Sequence[str], name: str) -> list[datetime] | None:
    """The times of text that is not ISO, in the only form that fits them all; None: ISO, or none.

    >>> _found_form(["03/04/2026", "03/14/2026"], "start")
    [datetime.datetime(2026, 3, 4, 0, 0), datetime.datetime(2026, 3, 14, 0, 0)]
    """
    with suppress(ValueError):
        datetime.fromisoformat(texts[0])
        return None
    plain = [_COMMA.sub("", text) for text in texts]
    fits = {}
    for date in _DATES:
        for hours in _HOURS:
            with suppress(InputError):
                fits[date] = times_of_form(plain, date + hours, name)
    if len(fits) > 1 and len({tuple(found) for found in fits.values()}) > 1:
        days = [f"{found[0].day} {found[0]:%B}" for found in fits.values()]
        raise InputError(
            f"{name} must be unambiguous dates, got {texts[0]!r}, which may be "
            f"{' or '.join(days)}; give time_format= (--time-format), beginning with "
            f"{' or '.join(fits)}"
        )
    return next(iter(fits.values()), None)


def in_zone(clock: Clock, tz: str, name: str, ambiguous: Ambiguous | None = None) -> Clock:
    """The instants of local times, which have no offset of their own.

    >>> local = Clock.read(["2026-10-25 02:10"])
    >>> in_zone(local, "Europe/Berlin", "start", "second").text(0)
    '2026-10-25 02:10+01:00'
    >>> in_zone(local, "Europe/Berlin", "start")
    Traceback (most recent call last):
    adjudge.errors.InputError: start must be a time that occurs once in Europe/Berlin, got \
2026-10-25 02:10 in row 1, which occurs twice; give ambiguous= (--ambiguous): first, \
second, or widest (starts first, ends second)
    """
    zone = read_zone(tz)
    if clock.zone is not None:  # instants already: the zone is for printing
        return Clock(clock.instants, tz)
    if ambiguous is not None:
        word(ambiguous, "ambiguous", ("first", "second"))
    found = [
        _instant(instant, zone, name, row, ambiguous)
        for row, instant in enumerate(clock.instants.tolist(), 1)
    ]
    return Clock(np.array(found, np.int64), tz)


def read_zone(tz: str) -> ZoneInfo:
    """A time zone by its name; what is none is refused."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 - slow to import

    try:
        return ZoneInfo(tz)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        raise InputError(
            f"tz must be the name of a time zone, such as 'Europe/Berlin' or 'UTC', got {shown(tz)}"
        ) from None


def _instant(local: int, zone: ZoneInfo, name: str, row: int, chosen: Ambiguous | None) -> int:
    """The instant at which a clock of the zone showed this time."""
    seconds = local // NANOSECONDS["s"]
    moment = (_EPOCH + timedelta(seconds=seconds)).replace(tzinfo=zone)
    first, second = (_ahead(moment.replace(fold=fold)) for fold in (0, 1))
    if first < second:
        gap = f"{moment:%Y-%m-%d %H:%M} in row {row}, which the clock skipped"
        raise InputError(
            f"{name} must be a time that exists in {zone.key}, got {gap} at the start of "
            "summer time; correct it, or write its offset from UTC"
        )
    if first > second and chosen is None:
        raise InputError(
            f"{name} must be a time that occurs once in {zone.key}, got "
            f"{moment:%Y-%m-%d %H:%M} in row {row}, which occurs twice; give ambiguous= "
            "(--ambiguous): first, second, or widest (starts first, ends second)"
        )
    return local - (second if chosen == "second" else first)


def _ahead(moment: datetime) -> int:
    offset = moment.utcoffset()
    return 0 if offset is None else offset // timedelta(microseconds=1) * 1000


def is_open(values: Sequence[Any]) -> list[bool]:
    """Which ends are not there: nothing, not a time, or the year 1, which Go writes for none.

    >>> is_open([None, "", "NaT", float("nan"), "0001-01-01T00:00:00Z", "2026-03-14"])
    [True, True, True, True, True, False]
    """
    return [_is_open(value) for value in values]


def _is_open(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _NO_TIME or value.strip().startswith("0001-01-01")
    return value is None or bool(value != value)  # noqa: PLR0124 - NaN, NaT


_NO_TIME = frozenset({"", "nat", "null", "none", "nan"})
