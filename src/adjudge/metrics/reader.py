"""The table behind `adjudge.catalogue`: one row per metric, and the reader of specs.

A row names its three verbs and says all that the documentation, ``adjudge list`` and the tests need
to know. The claims of a row are laws that it obeys at its default settings, and axioms that an
audit finds it to keep (``docs/axioms.md``); the tests hold both in both directions: what is
claimed holds, and what is not claimed fails somewhere.

Laws
----
perfect
    Scores that equal the labels score 1.
nothing
    No flags at all score 0, or are undefined.
monotone
    One normal point scored higher, or one anomalous point lower, never raises the value.
reversal
    Reading time backwards changes nothing.
quiet
    More quiet, normal time after the end changes nothing.
doubling
    The same series twice, with quiet time between, scores the same as once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from adjudge._text import shown
from adjudge.errors import InputError, UnknownName
from adjudge.metrics.metric import Metric
from adjudge.metrics.oracle import best_of
from adjudge.metrics.registration import checked_row, published_rows
from adjudge.metrics.row import Row
from adjudge.metrics.spec import Call, parse


class _Catalogue(Mapping[str, Row]):
    """Name to row. The rows are read when the first one is asked for: importing stays quick."""

    @cached_property
    def _rows(self) -> dict[str, Row]:
        from adjudge.metrics.rows.table import ROWS  # noqa: PLC0415 - forty modules stand behind it

        own = {row.name: row for row in ROWS}
        return own | {row.name: row for row in published_rows(own)}

    def add(self, row: Row) -> None:
        """Take in one more row."""
        self._rows[row.name] = row

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


_CATALOGUE = _Catalogue()
catalogue: Mapping[str, Row] = _CATALOGUE


def register(row: Row) -> Metric:
    """Add a metric of your own to the catalogue: to `list`, `evaluate`, `audit` and all the rest.

    It is checked like the metrics of the library: a new name, words that say what it is and what it
    forgives, and a value in its range (or NaN) for every degenerate case. A package that wants its
    metrics to be there whenever it is installed names them as entry points of the group
    ``adjudge.metrics``.

    Parameters
    ----------
    row : Row
        The metric. With ``count=None`` its ``measure`` is ``(flags, events) -> float``, or
        ``(scores, events) -> float`` if it says ``needs="scores"``; as a dataclass its fields are
        settings.

    Returns
    -------
    Metric
        What the name now means.

    Raises
    ------
    InputError
        If the name is taken, words are missing, or a small case is judged out of range.

    Examples
    --------
    >>> import adjudge as aj
    >>> row = aj.Row(
    ...     "quiet_share", "share of quiet points", "share of the points that are not flagged",
    ...     lambda flags, events: 1 - flags.mean(), count=None, reference="An example.",
    ...     undefined="never", forgives="missed events",
    ... )
    >>> row.metric([0, 0, 1, 1], [0, 0, 0, 1])  # before it is registered
    0.75
    >>> aj.register(row)  # doctest: +SKIP
    quiet_share
    """
    checked = checked_row(row, catalogue)
    _CATALOGUE.add(checked)
    return checked.metric


def metric(spec: str | Metric) -> Metric:
    """The metric that a spec describes; ``str`` of the metric gives the spec back.

    Parameters
    ----------
    spec : str or Metric
        A name of the catalogue, with settings and ``best(...)`` around it if need be. It is
        parsed, never evaluated. A metric comes back as it is.

    Returns
    -------
    Metric
        To be called with labels and scores.

    Raises
    ------
    UnknownName
        If there is no such metric or setting; the nearest names are offered.
    InputError
        If the text is no spec, or a setting has a value that it cannot have.

    Examples
    --------
    >>> metric("best(f1_ba(width=5))")
    best(f1_ba(width=5))
    >>> metric("f1_bq")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    adjudge.errors.UnknownName: unknown metric 'f1_bq', did you mean 'f1_ba' or 'f1_pa'?...
    """
    if isinstance(spec, Metric):
        return spec
    if not isinstance(spec, str):
        raise InputError(f"metric must be a spec such as 'f1_ba(width=5)', got {shown(spec)}")
    try:
        call = parse(spec)
    except InputError as error:
        raise InputError(f"{error}{_meant(spec)}") from None
    return _built(call)


def _meant(spec: str) -> str:
    """Guess what somebody meant by what is no spec: several metrics, or a name with dashes."""
    plain = [part.strip().lower().replace("-", "_") for part in spec.split(",")]
    if not all(name in catalogue for name in plain):
        return ""
    if len(plain) == 1:
        return f"; did you mean {plain[0]!r}?"
    return f"; give each metric by itself (--metric {' --metric '.join(plain)})"


def _built(call: Call) -> Metric:
    if call.name == "best":
        match call:
            case Call(values=(Call() as inner,)) if call.settings.keys() <= {"thresholds"}:
                return best_of(_built(inner), **call.settings)
        raise InputError(f"best(...) takes one metric, got {call}")
    if call.name not in catalogue:
        listed = sum(row.listed for row in catalogue.values())
        hint = f"`adjudge list` shows {listed}, `adjudge list --all` all {len(catalogue)}"
        raise UnknownName("metric", call.name, catalogue, hint)
    if call.values:
        raise InputError(f"settings must be named, as in {call.name}(name=value), got {call}")
    return catalogue[call.name].metric.with_settings(**call.settings)
