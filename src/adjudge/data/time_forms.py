"""Times written in another form than ISO, such as 31.12.2026 23:59, read by that form."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


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
