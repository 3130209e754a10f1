"""Clock: when each point was, in nanoseconds since 1970, and how to say so.

Timestamps come as NumPy, pandas, polars or Arrow columns, as `datetime` objects or as ISO text. A
time zone is kept for printing; comparing is done on the instants, whatever their offsets. A column
of times some of which have an offset and some have none is refused.

Durations: ``"10min"`` as a number of nanoseconds, and back in words.

Times that are numbers: so many seconds, or another unit, since 1970.

Times written in another form than ISO, such as 31.12.2026 23:59, read by that form.
"""

from __future__ import annotations

import math
import re
import warnings
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudge._typing import Array, Column, Positions

NANOSECONDS: Final = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "min": 60 * 10**9,
    "h": 3600 * 10**9,
    "d": 86400 * 10**9,
    "w": 7 * 86400 * 10**9,
}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min|h|d|w)\s*")
_FARTHEST = 2**62


def duration(value: object, name: str, words: tuple[str, ...] = ()) -> int:
    """Read a duration as nanoseconds.

    Text is a number and a unit, or several of them; `datetime.timedelta` and NumPy's are taken too.
    ``words`` are those that the caller also understands; they are named where it is refused.

    >>> duration("10min", "tolerance"), duration("1h30min", "tolerance")
    (600000000000, 5400000000000)
    >>> duration("10 minutes", "tolerance")
    Traceback (most recent call last):
    adjudge.errors.InputError: tolerance must be a duration such as '10min', '1h30min' or '0.5s' \
(units ns, us, ms, s, min, h, d, w), got '10 minutes'
    """
    if isinstance(value, str):
        parts = _PART.findall(value)
        if parts and _PART.sub("", value) == "":
            total = sum(float(number) * NANOSECONDS[unit] for number, unit in parts)
            if total <= _FARTHEST:  # before it is rounded: what is beyond every float cannot be
                return sum(round(float(number) * NANOSECONDS[unit]) for number, unit in parts)
    elif isinstance(value, timedelta) and value >= timedelta(0):
        return value // timedelta(microseconds=1) * 1000
    elif isinstance(value, np.timedelta64) and value >= np.timedelta64(0, "ns"):  # NaT is not
        return int(value.astype("m8[ns]").astype(np.int64))
    raise InputError(
        f"{name} must be a duration such as '10min', '1h30min' or '0.5s' "
        f"(units {', '.join(NANOSECONDS)}){''.join(f' or {word!r}' for word in words)}, "
        f"got {shown(value)}{_unit_hint(value, words)}"
    )


def _unit_hint(value: object, words: tuple[str, ...]) -> str:
    """What to write where a number in quotes has no unit, or m, which may be two of them."""
    given = re.fullmatch(r"\s*(\d+)\s*(m?)\s*", value) if isinstance(value, str) else None
    if given is None:
        return ""
    number, minutes = given.groups()
    if minutes:
        month = f" or '{number}mo'" * ("1mo" in words)
        return f"; did you mean '{number}min'{month}?"
    points = f", or {number} without quotes for points" if words else ""
    return f"; say its unit, as in '{number}min'{points}"


def signed_duration(value: object, name: str) -> int:
    """Read a duration that may lie behind as nanoseconds: a minus stands before the whole of it.

    >>> signed_duration("-1h30min", "min_lead"), signed_duration("10s", "min_lead")
    (-5400000000000, 10000000000)
    """
    if isinstance(value, str):
        size = duration(value.removeprefix("-"), name)
        return -size if value.startswith("-") else size
    if isinstance(value, timedelta) and value < timedelta(0):
        return -duration(-value, name)
    return duration(value, name)


def spelt(nanoseconds: int) -> str:
    """Write a duration so that it reads back as the same: the form that specs have.

    >>> spelt(5_400_000_000_000), spelt(600_000_000_000), spelt(0)
    ('1h30min', '10min', '0s')
    """
    if nanoseconds < 0:
        return f"-{spelt(-nanoseconds)}"
    parts = []
    for unit, size in reversed(NANOSECONDS.items()):
        number, nanoseconds = divmod(nanoseconds, size)
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts) or "0s"


def in_words(nanoseconds: float) -> str:
    """Write a duration for a reader: two units at most, rounded.

    >>> in_words(41 * 60e9), in_words(5_400_000_000_000), in_words(93_784e9), in_words(1.5e9)
    ('41 min', '1 h 30 min', '1 d 2 h', '1.5 s')
    """
    if np.isnan(nanoseconds):
        return "undefined"
    sign, left = ("-" if nanoseconds < 0 else ""), abs(nanoseconds)
    units = list(reversed(NANOSECONDS.items()))
    for (large, size), (small, part) in pairwise(units):
        if large in {"d", "h", "min"} and round(left / part) * part >= size:
            whole, rest = divmod(round(left / part), size // part)
            return f"{sign}{whole} {large}" + (f" {rest} {small}" if rest else "")
        if large in {"s", "ms", "us"} and left >= size:
            return f"{sign}{left / size:.4g} {large}"
    return f"{sign}{left:.4g} {'ns' if left else 's'}"


UNITS: Final = ("s", "ms", "us", "ns", "min", "h", "d")


def needs_unit(name: str, got: object) -> str:
    """What to say where numbers come without a unit."""
    hint = "say unit='s' (or 'ms', 'us', ...; --time-unit s) for numbers since 1970"
    return f"{name} must be timestamps, got the number {got}; {hint}"


def instants_of(array: Array, name: str, unit: str | None) -> Positions:
    """Turn numbers since 1970 into nanoseconds, exactly where they are whole."""
    if unit is None:
        raise InputError(needs_unit(name, array[0] if array.size else 0))
    if unit not in UNITS:
        raise InputError(f"unit must be one of {', '.join(UNITS)}, got {shown(unit)}")
    scale = NANOSECONDS[unit]
    huge = array.dtype.kind == "O"  # Python's own numbers, one of them beyond 64 bits
    wrong = np.abs(array) >= _FARTHEST if huge else ~(np.abs(array.astype(float)) < 2**62 / scale)
    if wrong.any():
        place = int(wrong.argmax())
        got = shown(array[place])
        raise InputError(f"{name} must be from 1824 to 2116, got {got} at index {place}")
    if array.dtype.kind == "f":
        whole = np.floor(array)  # the fraction apart, so that large numbers lose nothing to it
        fraction = np.rint((array - whole) * scale).astype(np.int64)
        return _as_written(whole.astype(np.int64) * scale + fraction, array, scale)
    return array.astype(np.int64) * scale


def _as_written(instants: Positions, array: Array, scale: int) -> Positions:
    """Round to the digits that floats so large can hold: 1700000000.1 s is no 143 ns later."""
    apart = float(np.spacing(np.abs(array).max(initial=0.0))) * scale
    digits = 10 ** math.ceil(math.log10(apart)) if apart > 1 else 1
    return np.asarray((instants + digits // 2) // digits * digits)


_LIBRARIES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf"})
_ZONE = re.compile(r":.*?\s*(Z|z|[+-]\d\d:?\d\d|[+-]\d\d|\s?UTC)$")
_WHOLE = re.compile(r"[+-]?\d{1,18}|[+-]?[1-8]\d{18}")
_ISO = re.compile(
    r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_EARLIEST, _LATEST = np.datetime64("1678-01-01", "s"), np.datetime64("2262-01-01", "s")
_FORMS = (("d", "%Y-%m-%d"), ("min", "%Y-%m-%d %H:%M"), ("s", "%Y-%m-%d %H:%M:%S"))


class EvenTexts:
    """A column of ASCII texts of one length, kept as bytes: a file's times, mostly.

    It is what a column of Python's own strings is, at a tenth of the memory.

    >>> column = EvenTexts(np.array([b"2026-01-01", b"2026-01-02"]))
    >>> column[0], column.increases, np.asarray(column)
    ('2026-01-01', True, array(['2026-01-01', '2026-01-02'], dtype=object))
    """

    def __init__(self, packed: Array) -> None:
        self.packed = packed

    def __len__(self) -> int:
        """Count the texts."""
        return len(self.packed)

    def __getitem__(self, place: int) -> str:
        """One of the texts."""
        return str(self.packed[place].decode())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """All of them as Python's own strings."""
        return self.packed.astype(str).astype(object)

    def take(self, rows: Positions) -> EvenTexts:
        """Some of the texts, in this order."""
        return EvenTexts(self.packed[rows])

    @property
    def increases(self) -> bool:
        """Whether each text comes after the one before it."""
        return bool(np.all(self.packed[1:] > self.packed[:-1]))

    @property
    def letters(self) -> Array:
        """The bytes, a row per text."""
        return self.packed.view(np.uint8).reshape(len(self), -1)

    @property
    def is_uniform(self) -> bool:
        """Whether all texts have digits, and the same other signs, where the first one has them."""
        letters = self.letters
        digits = (letters[0] >= ord("0")) & (letters[0] <= ord("9"))
        least = np.where(digits, ord("0"), letters[0])
        most = np.where(digits, ord("9"), letters[0])
        return bool(np.all(letters.min(axis=0) >= least) and np.all(letters.max(axis=0) <= most))


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
        moment = moment.astimezone(_zone_of(self.zone))
        text = moment.strftime(self._form)
        if fraction:
            text = f"{moment:%Y-%m-%d %H:%M:%S}.{fraction:09d}".rstrip("0")
        return text + (_offset(moment) if self.zone is not None else "")

    @property
    def tzinfo(self) -> tzinfo:
        """The zone in which times are said; UTC where none was given."""
        return _zone_of(self.zone)

    @property
    def _form(self) -> str:
        shifted = self.instants if self.zone is None else self.instants[:0]
        for unit, form in _FORMS[self.zone is not None :]:
            instants = shifted if unit == "d" else self.instants
            if not np.any(instants % NANOSECONDS[unit]):
                return form
        return _FORMS[-1][1]


def same_zone(clocks: Sequence[tuple[str, Clock]]) -> None:
    """Refuse to compare times with a zone and times without."""
    first = clocks[0]
    for other in clocks[1:]:
        if (other[1].zone is None) != (first[1].zone is None):
            zones = [f"{name} has {clock.zone or 'none'}" for name, clock in (first, other)]
            raise InputError(
                f"times must all have a zone, or none, got: {', '.join(zones)}; write the offsets, "
                "or in pandas tz_localize('Europe/Berlin')"
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
        zones.setdefault(None if zone is None else _zone_name(zone, moment), place)
        try:
            aware = moment if zone is None else moment.astimezone(UTC).replace(tzinfo=None)
        except OverflowError:  # the year 1 with an offset, say
            raise InputError(_out_of_range(name, moment, place)) from None
        plain.append(aware if isinstance(aware, np.datetime64) else np.datetime64(aware, "us"))
    _refuse_mixed(zones, name, moments)
    array = np.array(plain, "M8") if plain else np.empty(0, "M8[ns]")
    return Clock(_checked(array, name), "UTC" if len(zones) > 1 else next(iter(zones), None))


def _from_texts(texts: list[str], name: str, unit: str | None) -> Clock:
    """Read ISO text, all at once where it is uniform."""
    texts = [text.strip() for text in texts]
    suffix = _suffix(texts[0])
    if unit is not None and suffix == "" and all(map(_is_number, (texts[0], texts[-1]))):
        wrong = next((place for place, text in enumerate(texts) if not _is_number(text)), None)
        if wrong is not None:
            raise InputError(f"{name} must be numbers, got {shown(texts[wrong])} at index {wrong}")
        kind = np.int64 if all(map(_WHOLE.fullmatch, texts)) else np.float64
        return Clock(instants_of(np.array(texts).astype(kind), name, unit))
    if _is_number(texts[0]):
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
            offset = _offset_of(suffix)
            return Clock(_checked(array, name) - offset, _zone_text(suffix))
    return _from_moments([_moment(text, name, place) for place, text in enumerate(texts)], name)


def _from_even_texts(texts: EvenTexts) -> Clock | None:
    """Read uniform ISO text without a string of Python's for each; None: it takes a closer look."""
    if _ISO.fullmatch(texts[0]) is None or not texts.is_uniform:
        return None
    suffix, letters = _suffix(texts[0]), texts.letters
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
    return Clock(instants - _offset_of(suffix), _zone_text(suffix))


def _moment(text: str, name: str, place: int) -> datetime | np.datetime64:
    for read in (datetime.fromisoformat, np.datetime64):
        with suppress(ValueError, Warning), warnings.catch_warnings():
            warnings.simplefilter("error")  # NumPy only warns of a zone, and drops it
            return read(text)
    raise InputError(
        f"{name} must be times such as 2026-01-31 23:59:00, got {text[:40]!r} at index {place}; "
        "--time-format, or pandas.to_datetime(..., format=...), reads other forms"
    )


def _refuse_mixed(zones: dict[str | None, int], name: str, moments: list[Any]) -> None:
    """Refuse times of which some have an offset and some have none; other offsets are instants."""
    if None in zones and len(zones) > 1:
        plain, aware = zones.pop(None), min(zones.values())
        raise InputError(
            f"{name} must all have an offset from UTC, or none, got {moments[plain]} without one "
            f"at index {plain} and {moments[aware]} with one at index {aware}; write the offset "
            f"in all, as in {moments[aware]}"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _suffix(text: str) -> str:
    found = _ZONE.search(text)
    return "" if found is None else found[1]


def _zone_text(suffix: str) -> str | None:
    if not suffix:
        return None
    return "UTC" if suffix.strip().upper() in {"Z", "UTC"} else suffix


def _offset_of(suffix: str) -> int:
    """The nanoseconds that a zone such as +01:00 is ahead of UTC."""
    digits = re.sub(r"\D", "", suffix).ljust(4, "0")
    ahead = int(digits[:2]) * NANOSECONDS["h"] + int(digits[2:4]) * NANOSECONDS["min"]
    return -ahead if suffix.startswith("-") else ahead


def _zone_of(zone: str | None) -> tzinfo:
    if zone is None or zone == "UTC":
        return UTC
    if zone[0] in "+-":
        return timezone(timedelta(microseconds=_offset_of(zone) // 1000))
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - slow to import

    return ZoneInfo(zone)


def _zone_name(zone: tzinfo, moment: datetime) -> str:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - slow to import

    with suppress(ValueError, KeyError, OSError):  # a zone of pytz has its name as text too
        return ZoneInfo(str(zone)).key
    return f"{moment:%z}"


def _offset(moment: datetime) -> str:
    text = f"{moment:%z}"
    return f"{text[:3]}:{text[3:5]}"


def times_of_form(texts: Iterable[object], form: str, name: str = "time") -> list[datetime]:
    """Times whose form is known.

    Parameters
    ----------
    texts : iterable
        The times, one per point.
    form : str
        How they are written, in the codes of `datetime.datetime.strptime`.
    name : str
        What messages call the column.

    Returns
    -------
    list of datetime
        With a zone where the form has one (``%z``).

    Raises
    ------
    InputError
        At the first time of another form.

    Examples
    --------
    >>> times_of_form(["31.12.2026 23:59"], "%d.%m.%Y %H:%M")
    [datetime.datetime(2026, 12, 31, 23, 59)]
    """
    found = []
    for place, text in enumerate(texts):
        try:
            found.append(datetime.strptime(str(text).strip(), form))  # noqa: DTZ007 - as written
        except (ValueError, re.error):  # another form; or codes that mean nothing
            raise InputError(
                f"{name} must be of the form {form!r}, got {str(text)[:40]!r} at index {place}; "
                "%Y year, %m month, %d day, %H:%M:%S time"
            ) from None
    return found
