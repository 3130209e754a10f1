"""Clock: when each point was, in nanoseconds since 1970, and how to say so.

Timestamps come as NumPy, pandas, polars or Arrow columns, as `datetime` objects or as ISO text. A
time zone is kept for printing; comparing is done on the instants, whatever their offsets. A column
of times some of which have an offset and some have none is refused.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.durations import NANOSECONDS
from adjudge.data.epoch_numbers import instants_of, needs_unit
from adjudge.data.written_forms import (
    FORMS,
    ISO,
    WHOLE,
    EvenTexts,
    is_number,
    offset_of,
    offset_text,
    read_moment,
    refuse_mixed,
    zone_name,
    zone_of,
    zone_suffix,
    zone_text,
)
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge._typing import Array, Column, Positions


_LIBRARIES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf"})
_EARLIEST, _LATEST = np.datetime64("1678-01-01", "s"), np.datetime64("2262-01-01", "s")


@dataclass(frozen=True, eq=False)
class Clock:
    """Instants, one per point or one per mark.

    Examples
    --------
    >>> clock = Clock.read(["2026-01-31 23:59:00", "2026-02-01 00:00:00"])
    >>> clock.text(0)
    '2026-01-31 23:59'
    """

    instants: Positions
    """Nanoseconds since 1970, in UTC where there is a zone."""
    zone: str | None = None
    """The zone as it was given: 'UTC', '+01:00', 'Europe/Berlin'; None: no zone."""

    @classmethod
    def read(cls, values: Column, name: str = "time", unit: str | None = None) -> Clock:
        """Read a column of times.

        Parameters
        ----------
        values : column
            Times of any library, `datetime` objects, ISO text, or numbers since 1970.
        name : str
            What messages call the column.
        unit : str, optional
            The unit of numbers: "s", "ms", "us", "ns", "min", "h" or "d".
        """
        if isinstance(values, EvenTexts) and (clock := _from_even_texts(values)) is not None:
            return clock
        if type(values).__module__.partition(".")[0] in _LIBRARIES:
            values, zone = _from_frame_library(values)
            if zone is not None:
                return cls(_checked(values, name), zone)
        array = values if isinstance(values, np.ndarray) else _listed(values, name)
        if array.ndim != 1:
            raise InputError(f"{name} must be one time per point, got shape {array.shape}")
        if array.dtype.kind == "M":
            return cls(_checked(array, name))
        if array.dtype.kind in "iuf":
            return cls(instants_of(array, name, unit))
        return _from_objects(array.tolist(), name, unit)

    def part(self, first: int, stop: int) -> Clock:
        """The clock of some points alone."""
        return Clock(self.instants[first:stop], self.zone)

    def text(self, place: int) -> str:
        """Say when a point was, no finer than the clock ticks."""
        return self.instant_text(int(self.instants[place]))

    def instant_text(self, instant: int) -> str:
        """Say when an instant was, no finer than the clock ticks."""
        seconds, fraction = divmod(int(instant), NANOSECONDS["s"])
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        moment = moment.astimezone(zone_of(self.zone))
        text = moment.strftime(self._form)
        if fraction:
            text = f"{moment:%Y-%m-%d %H:%M:%S}.{fraction:09d}".rstrip("0")
        return text + (offset_text(moment) if self.zone is not None else "")

    @property
    def tzinfo(self) -> tzinfo:
        """The zone in which times are said; UTC where none was given."""
        return zone_of(self.zone)

    @property
    def _form(self) -> str:
        shifted = self.instants if self.zone is None else self.instants[:0]
        for unit, form in FORMS[self.zone is not None :]:
            instants = shifted if unit == "d" else self.instants
            if not np.any(instants % NANOSECONDS[unit]):
                return form
        return FORMS[-1][1]


def same_zone(clocks: Sequence[tuple[str, Clock]]) -> None:
    """Refuse to compare times with a zone and times without."""
    first = clocks[0]
    for other in clocks[1:]:
        if (other[1].zone is None) != (first[1].zone is None):
            zones = [f"{name} has {clock.zone or 'none'}" for name, clock in (first, other)]
            raise InputError(
                f"times must all have a time zone, or none, got: {', '.join(zones)}; write the "
                "offsets, or in pandas tz_localize('Europe/Berlin')"
            )


def _from_frame_library(values: Column) -> tuple[Any, str | None]:
    """The values as NumPy's times in UTC and their zone, or as they are without one."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - only who holds a frame pays for it

    if type(values).__name__.endswith("Index"):
        values = values.to_series()
    elif type(values).__module__.startswith("pyarrow") and not hasattr(values, "chunks"):
        import pyarrow as pa  # noqa: PLC0415 - its owner has it

        values = pa.chunked_array([values])
    series = nw.from_native(values, series_only=True)
    kind = series.dtype
    if not isinstance(kind, nw.Datetime) or kind.time_zone is None:
        return series.to_numpy(), None
    plain = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return plain.to_numpy(), kind.time_zone


def _listed(values: Column, name: str) -> Array:
    with suppress(Exception):  # whatever somebody's object does
        if not isinstance(values, (str, bytes, dict, set)) and hasattr(values, "__len__"):
            if hasattr(values, "__array__"):
                return np.asarray(values)
            array = np.empty(len(values), object)
            array[:] = list(values)
            return array
    raise InputError(f"{name} must be one time per point, got {shown(values)}")


def _checked(array: Array, name: str) -> Positions:
    """NumPy's times as nanoseconds, or refuse what is missing or out of their range."""
    missing = np.isnat(array)
    if missing.any():
        raise InputError(f"{name} must have no missing times, got NaT at index {missing.argmax()}")
    seconds = array.astype("M8[s]")
    outside = (seconds < _EARLIEST) | (seconds >= _LATEST)
    if outside.any():
        place = int(outside.argmax())
        raise InputError(_out_of_range(name, array[place], place))
    return array.astype("M8[ns]").astype(np.int64)


def _out_of_range(name: str, moment: object, place: int) -> str:
    return f"{name} must be from 1678 to 2261, got {moment} at index {place}"


def is_counted(values: Column) -> bool:
    """Tell times that are numbers, and so need a unit.

    >>> is_counted([0, 60]), is_counted(["0", "60"]), is_counted(["2026-01-01", "2026-01-02"])
    (True, True, False)
    """
    try:
        Clock.read(values)
    except InputError:
        return True
    return False


def _from_objects(values: list[Any], name: str, unit: str | None) -> Clock:
    """Read text, `datetime` objects, or numbers kept as objects."""
    if values and all(isinstance(value, str) for value in values):
        return _from_texts(values, name, unit)
    if values and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        return Clock(instants_of(np.array(values), name, unit))
    moments = []
    for place, value in enumerate(values):
        if not isinstance(value, (date, np.datetime64)) or value != value:  # noqa: PLR0124 - NaT
            raise InputError(
                f"{name} must be one time per point, got {shown(value)} at index {place}"
            )
        moments.append(value)
    return _from_moments(moments, name)


def _from_moments(moments: list[Any], name: str) -> Clock:
    zones: dict[str | None, int] = {}
    plain: list[np.datetime64[Any]] = []
    for place, moment in enumerate(moments):
        zone = getattr(moment, "tzinfo", None)
        zones.setdefault(None if zone is None else zone_name(zone, moment), place)
        try:
            aware = moment if zone is None else moment.astimezone(UTC).replace(tzinfo=None)
        except OverflowError:  # the year 1 with an offset, say
            raise InputError(_out_of_range(name, moment, place)) from None
        plain.append(aware if isinstance(aware, np.datetime64) else np.datetime64(aware, "us"))
    refuse_mixed(zones, name, moments)
    array = np.array(plain, "M8") if plain else np.empty(0, "M8[ns]")
    return Clock(_checked(array, name), "UTC" if len(zones) > 1 else next(iter(zones), None))


def _from_texts(texts: list[str], name: str, unit: str | None) -> Clock:
    """Read ISO text, all at once where it is uniform."""
    texts = [text.strip() for text in texts]
    suffix = zone_suffix(texts[0])
    if unit is not None and suffix == "" and all(map(is_number, (texts[0], texts[-1]))):
        wrong = next((place for place, text in enumerate(texts) if not is_number(text)), None)
        if wrong is not None:
            raise InputError(f"{name} must be numbers, got {shown(texts[wrong])} at index {wrong}")
        kind = np.int64 if all(map(WHOLE.fullmatch, texts)) else np.float64
        return Clock(instants_of(np.array(texts).astype(kind), name, unit))
    if is_number(texts[0]):
        raise InputError(needs_unit(name, texts[0]))
    if all(text.endswith(suffix) for text in texts):
        cut = [text[: len(text) - len(suffix)].rstrip() for text in texts] if suffix else texts
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # NumPy only warns of a zone, and drops it
                array = np.array(cut, "M8[ns]")
                extremes = np.array([min(cut), max(cut)], "M8[s]")
        except (ValueError, Warning):
            pass
        else:
            _checked(extremes, name)  # nanoseconds wrap around silently
            offset = offset_of(suffix)
            return Clock(_checked(array, name) - offset, zone_text(suffix))
    return _from_moments([read_moment(text, name, place) for place, text in enumerate(texts)], name)


def _from_even_texts(texts: EvenTexts) -> Clock | None:
    """Read uniform ISO text without a string of Python's for each; None: it takes a closer look."""
    if ISO.fullmatch(texts[0]) is None or not texts.is_uniform:
        return None
    suffix, letters = zone_suffix(texts[0]), texts.letters
    years = letters[:, :4].astype(np.int64) @ [1000, 100, 10, 1] - 1111 * ord("0")
    zones = letters[:, letters.shape[1] - len(suffix) :]
    if years.min() < _EARLIEST.item().year or years.max() >= _LATEST.item().year:
        return None
    if np.any(zones != zones[0]):
        return None
    width = letters.shape[1] - len(suffix)
    cut = np.ascontiguousarray(letters[:, :width]).view(f"S{width}").reshape(-1)
    try:
        instants = cut.astype("M8[ns]").astype(np.int64)
    except ValueError:
        return None
    return Clock(instants - offset_of(suffix), zone_text(suffix))
