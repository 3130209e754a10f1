"""Times and zones as text: columns of one form, offsets, and forms other than ISO."""

from __future__ import annotations

import re
import warnings
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.durations import NANOSECONDS
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge._typing import Array, Positions
_ZONE = re.compile(r":.*?\s*(Z|z|[+-]\d\d:?\d\d|[+-]\d\d|\s?UTC)$")
WHOLE = re.compile(r"[+-]?\d{1,18}|[+-]?[1-8]\d{18}")
ISO = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)
FORMS = (("d", "%Y-%m-%d"), ("min", "%Y-%m-%d %H:%M"), ("s", "%Y-%m-%d %H:%M:%S"))


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


def read_moment(text: str, name: str, place: int) -> datetime | np.datetime64:
    """The moment that a text is, as Python or as NumPy reads it."""
    for read in (datetime.fromisoformat, np.datetime64):
        with suppress(ValueError, Warning), warnings.catch_warnings():
            warnings.simplefilter("error")  # NumPy only warns of a zone, and drops it
            return read(text)
    raise InputError(
        f"{name} must be times such as 2026-01-31 23:59:00, got {text[:40]!r} at index {place}; "
        "--time-format, or pandas.to_datetime(..., format=...), reads other forms"
    )


def refuse_mixed(zones: dict[str | None, int], name: str, moments: list[Any]) -> None:
    """Refuse times of which some have an offset and some have none; other offsets are instants."""
    if None in zones and len(zones) > 1:
        plain, aware = zones.pop(None), min(zones.values())
        raise InputError(
            f"{name} must all have an offset from UTC, or none, got {moments[plain]} without one "
            f"at index {plain} and {moments[aware]} with one at index {aware}; write the offset "
            f"in all, as in {moments[aware]}"
        )


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def zone_suffix(text: str) -> str:
    """The zone at the end of a time; "": none."""
    found = _ZONE.search(text)
    return "" if found is None else found[1]


def zone_text(suffix: str) -> str | None:
    """The name of the zone that a suffix says."""
    if not suffix:
        return None
    return "UTC" if suffix.strip().upper() in {"Z", "UTC"} else suffix


def offset_of(suffix: str) -> int:
    """The nanoseconds that a zone such as +01:00 is ahead of UTC."""
    digits = re.sub(r"\D", "", suffix).ljust(4, "0")
    ahead = int(digits[:2]) * NANOSECONDS["h"] + int(digits[2:4]) * NANOSECONDS["min"]
    return -ahead if suffix.startswith("-") else ahead


def zone_of(zone: str | None) -> tzinfo:
    """The zone of a name; UTC where there is none."""
    if zone is None or zone == "UTC":
        return UTC
    if zone[0] in "+-":
        return timezone(timedelta(microseconds=offset_of(zone) // 1000))
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - slow to import

    return ZoneInfo(zone)


def zone_name(zone: tzinfo, moment: datetime) -> str:
    """The name of a zone, or its offset at a moment."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - slow to import

    with suppress(ValueError, KeyError, OSError):  # a zone of pytz has its name as text too
        return ZoneInfo(str(zone)).key
    return f"{moment:%z}"


def offset_text(moment: datetime) -> str:
    """The offset of a moment from UTC, as in ISO text."""
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
