"""Sealed data: labels, the detector that runs today, and what is judged of a candidate.

A candidate is its **alarms** at the sealed threshold, found without a look at the labels: flags,
alerts that are raised, or for areas the order of its scores. They are hashed, and they alone are
judged: so equal hashes have equal answers, and other scores with the same alarms are no new
candidate.
"""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from adjudge.data.columns import column
from adjudge.data.incidents import Alerts, Incidents, TimedRows
from adjudge.errors import AdjudgeError, InputError, exact, shown, visible
from adjudge.io.column_choice import Cells
from adjudge.io.detector_folders import read_scores, read_series
from adjudge.io.incidents import GivenTables, TimeWords, read_incidents
from adjudge.judging.inputs.on_call import OnCall
from adjudge.judging.inputs.points import Points
from adjudge.noise.intervals.areas import is_sum
from adjudge.sealing.answer import tampered
from adjudge.sealing.contract import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudge._typing import Array, Flags
    from adjudge.judging.inputs.contract import Input
    from adjudge.metrics.metric import Metric

LARGEST = 50_000_000
"""Bytes of a file that is read."""
PLAIN = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".npy")
"""Forms in which a candidate is read."""
TODAY, NEW = "base", "candidate"
"""What the detector that runs today, and the one that is judged, are called."""


class SealOptions(TypedDict, total=False):
    """How the files are read: columns of points, or what is known of incidents and alerts."""

    label: str
    score: str
    series: str
    where: str
    time: str
    positive: str
    sep: str
    decimal: str
    span: tuple[str, str] | list[str]
    watched: str
    outages: str
    early: str
    tz: str
    time_unit: str
    channels: Any
    annotators: Any


OF_ALERTS = ("span", "watched", "outages", "early", "tz", "time_unit", "sep")
NOT_SEALED = {
    "channels": "a candidate is one column of alarms. Take one score and one label per row over "
    "all channels, or write a contract for each channel and divide alpha among them",
    "annotators": "a contract has one truth. Combine the labels of annotators into one column, "
    "such as their majority, and say label= (--label COL)",
}
"""Options that are refused, and what to do."""
FILES = ("watched", "outages")
"""Options that name a file, beside the contract."""


class Sealable(NamedTuple):
    """What is judged of a candidate."""

    column: Any
    """Flags, ranks or `Alerts`."""
    said: bytes
    """The same, to be hashed."""
    counts: dict[str, int]
    """What anybody may know of them."""


def checked_file(path: Any, name: str) -> Path:
    """A plain file of a size that is read; a link might lead elsewhere.

    Parameters
    ----------
    path, name : path, str
        The file, and what it is called in a message.
    """
    os.close(_opened(path, name))
    return Path(path)


def _opened(path: Any, name: str) -> int:
    """Open a file that is itself there, and not too large; a candidate has no other name."""
    how = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, how | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        lost = ", which does not exist" if isinstance(error, FileNotFoundError) else ""
        raise InputError(f"{name} must be a plain file, got {shown(str(path))}{lost}") from None
    status = os.fstat(handle)
    plain_one = stat.S_ISREG(status.st_mode) and (name != NEW or status.st_nlink == 1)
    if plain_one and status.st_size <= LARGEST:
        return handle
    os.close(handle)
    got = f"{status.st_size:,}" if plain_one else "a folder, a device or a link"
    raise InputError(f"{name} must be a plain file of at most {LARGEST:,} bytes, got {got}")


@contextmanager
def copied(path: Any) -> Iterator[Path]:
    """A copy of a candidate's file that nobody can put another file in the place of.

    Of packed forms nobody knows how large they become.

    Parameters
    ----------
    path : path
        The file.
    """
    given = Path(path)
    if given.suffix.lower() not in PLAIN:
        raise InputError(f"{NEW} must be a file of {', '.join(PLAIN)}, got {shown(given.name)}")
    with TemporaryDirectory() as folder:
        copy = Path(folder, given.name)
        with os.fdopen(_opened(given, NEW), "rb") as file:
            copy.write_bytes(file.read(LARGEST))
        try:
            yield copy
        except AdjudgeError as error:
            said = str(error)  # the asker knows the file by its own name
            raise InputError(said.replace(f"{folder}{os.sep}", "")) from None


class SealedData(ABC):
    """Labels and the detector of today, read of files."""

    kind: str
    read: dict[str, Any]
    today: Any
    """The scores or alerts of today."""

    @property
    @abstractmethod
    def labels(self) -> bytes:
        """The truth as it is, to be hashed: not its file, but what that says."""

    @property
    @abstractmethod
    def base(self) -> bytes:
        """The scores or alerts of today, to be hashed."""

    @property
    @abstractmethod
    def perfect(self) -> Any:
        """A detector that alarms just during events."""

    @abstractmethod
    def border(self, share: float) -> tuple[int, int, int]:
        """Where a part with this share of the events ends, its events, and all events."""

    @abstractmethod
    def candidate(self, given: Any) -> Any:
        """Read a candidate: a file, or what is in memory; nothing here looks at labels."""

    @abstractmethod
    def alarms(self, given: Any, metric: Metric, at: Any, border: int) -> Sealable:
        """The alarms of a detector in the sealed part; nothing here looks at labels."""

    @abstractmethod
    def part(self, detectors: dict[str, Any], border: int, *, sealed: bool) -> Input:
        """The labels of one side of the border, beside detectors."""

    def benchmark(self, border: int) -> dict[str, Any]:  # noqa: ARG002 - there is none
        """The open part as `adjudge.inspect` takes a benchmark, which is of points."""
        raise InputError(f"inspect takes points, got {self.kind}")


class SealedPoints(SealedData):
    """Labels and scores, one per point, of one series or several."""

    kind = "points"

    def __init__(self, labels: Path, base: Path, read: dict[str, Any]) -> None:
        self.read = read
        names = {name: read[name] for name in ("series", "where", "time") if name in read}
        score = (read["score"],) if "score" in read else ()
        style = {name: read[name] for name in ("sep", "decimal") if name in read}
        self._score = score
        table = read_series(
            labels, {TODAY: base}, scores=score, label=read.get("label"),
            positive=read.get("positive"), **style, **names,
        )  # fmt: skip
        for why in table.broken.values():
            raise InputError(why)
        self._columns = {name: getattr(table, name) for name in names}
        self._style = Cells(**style, rows=len(table.labels))
        self._labels, self.today = table.labels, _numbers(table.scores[TODAY])
        self._case = self._points(self._labels, {TODAY: self.today}, None).cases[0]

    @property
    def labels(self) -> bytes:
        """Where events, series and judged points are, and when points were."""
        events = self._case.events
        times = None if events.clock is None else events.clock.instants
        arrays = (events.starts, events.stops, events.series_bounds, events.judged, times)
        return plain([None if one is None else one.tolist() for one in arrays])

    @property
    def base(self) -> bytes:
        """Its scores."""
        return np.asarray(self.today, "<f8").tobytes()

    @property
    def perfect(self) -> Array:
        """The labels themselves."""
        return self._case.events.labels.astype(np.int64)

    def border(self, share: float) -> tuple[int, int, int]:
        """Between two events; where there are several series, between two of them if that goes."""
        events = self._case.events
        count = len(events)
        first = round(share * count)
        if not first or first >= count:
            return 0, 0, count
        last, until = int(events.stops[first - 1]), int(events.starts[-1])
        bounds = events.series_bounds
        bounds = bounds[(bounds >= last) & (bounds <= until)]
        middle = (last + int(events.starts[first])) // 2
        at = int(bounds[0]) if bounds.size else middle
        return at, int((events.starts < at).sum()), count

    def candidate(self, given: Any) -> Array:
        """One finite number per point."""
        if isinstance(given, (str, os.PathLike)):
            with copied(given) as file:
                given = read_scores(file, self._score, self._style)
        found = _numbers(given)
        if found.size != self.today.size:
            raise InputError(
                f"{NEW} must have {self.today.size:,} points as the labels have, got {found.size:,}"
            )
        return found

    def alarms(self, given: Array, metric: Metric, at: Any, border: int) -> Sealable:
        """Flags at the threshold, or ranks where a metric looks at all thresholds."""
        blind = self._points(np.zeros(given.size, np.int64), given, self._sealed(border)).cases[0]
        judged = blind.events.judged
        here = np.ones(given.size, bool) if judged is None else judged
        found = np.zeros(given.size, np.int64)
        if metric.row.needs == "scores":
            found[here] = np.unique(given[here], return_inverse=True)[1]
            return Sealable(found, b"ranks" + found.astype("<i8").tobytes(), {})
        if at is None and not np.isin(given, (0, 1)).all():
            raise InputError(
                "scores must be 0/1 flags where the contract has no threshold, got "
                f"{exact(given[~np.isin(given, (0, 1))][0])}: seal with at=<threshold> (--at X)"
            )
        flags, *_ = metric.with_default_threshold(at).flags(blind)
        found[here] = flags[here]
        runs = int(np.count_nonzero(np.diff(found, prepend=0) == 1))
        return Sealable(
            found, b"flags" + np.packbits(found.astype(bool)).tobytes(),
            {"flagged_points": int(found.sum()), "alarms": runs},
        )  # fmt: skip

    def part(self, detectors: dict[str, Any], border: int, *, sealed: bool) -> Points:
        """The points from the border on, or those before it."""
        here = self._sealed(border)
        return self._points(self._labels, detectors, here if sealed else ~here)

    def benchmark(self, border: int) -> dict[str, Any]:
        """The points before the border as one series."""
        labels = self.perfect[:border]
        return {"open": (labels, {TODAY: self.today[:border]})}

    def _sealed(self, border: int) -> Flags:
        return np.arange(self.today.size, dtype=np.int64) >= border

    def _points(self, labels: Any, detectors: Any, where: Flags | None) -> Points:
        columns = dict(self._columns)
        if where is not None:
            columns["where"] = where & (np.asarray(columns.get("where", True)) == 1)
        return Points(labels, detectors, **columns)


def _numbers(given: Any) -> Array:
    """One finite number per point; a whole one, and minus zero, are as the plain one."""
    found = column(given, NEW).astype(np.float64)
    if not np.isfinite(found).all():
        raise InputError(f"{NEW} must have a finite number at every point")
    return found + 0.0


class SealedAlerts(SealedData):
    """Incidents and alerts in watched time."""

    kind = "alerts"

    def __init__(self, labels: Path, base: Path, read: dict[str, Any]) -> None:
        self.read, self._file = read, labels
        self._truth, self.today, self._watching = self._tables(base)
        self._whole = self._on_call(self._truth, {TODAY: self.today}, None).cases[0]

    @property
    def labels(self) -> bytes:
        """When and where incidents were, and what was watched."""
        case = self._whole
        lines = {name: [one.tolist() for one in part] for name, part in case.watched.parts.items()}
        return plain([_rows(case.incidents), lines, case.watched.span, case.early])

    @property
    def base(self) -> bytes:
        """Its alerts and their scores."""
        score = self.today.score
        return plain([_rows(self.today), None if score is None else score.tolist()])

    @property
    def perfect(self) -> Alerts:
        """An alert for each incident."""
        rows = self._whole.incidents
        ends = [None if one else end for one, end in zip(rows.open, rows.end.tolist(), strict=True)]
        named = None if rows.service is None else rows.service.tolist()
        return Alerts(rows.start.tolist(), ends, service=named, **self._form)

    def border(self, share: float) -> tuple[int, int, int]:
        """A moment without an incident, in any service."""
        rows, (first, last) = self._whole.incidents, self._whole.watched.span
        order = np.argsort(rows.start, kind="stable")
        starts, ends = rows.start[order], np.maximum.accumulate(rows.until(last)[order])
        count, wanted = len(order), round(share * len(order))
        gaps = np.flatnonzero(ends[:-1] < starts[1:]) + 1
        gaps = gaps[gaps >= wanted] if wanted else gaps[:0]
        if not gaps.size:
            return first, 0, count
        after = int(gaps[0])
        return int(ends[after - 1] + starts[after]) // 2, after, count

    def candidate(self, given: Any) -> Alerts:
        """A table of alerts."""
        if isinstance(given, Alerts):
            return given
        if not isinstance(given, (str, os.PathLike)):
            raise InputError(f"{NEW} must be aj.Alerts or a file of alerts, got {shown(given)}")
        with copied(given) as file:
            return self._tables(file)[1]

    def alarms(self, given: Alerts, metric: Metric, at: Any, border: int) -> Sealable:
        """The alerts above the threshold that reach into the sealed time."""
        if metric.row.needs == "scores":
            raise InputError(
                f"metric must judge alerts at a threshold, got {visible(metric)}: say event_f1 and "
                "at="
            )
        nothing = self._truth.chosen(np.zeros(len(self._truth), bool))
        blind = self._on_call(nothing, {NEW: given}, None)
        (case,) = blind.raised(at)
        rows, last = case.alerts, case.watched.span[1]
        here = (rows.start < last) & (rows.stops(last) > border - case.early)
        order = np.lexsort([rows.place.astype(str), rows.end, rows.start])
        own = rows.chosen(order[here[order]])
        return Sealable(own, b"alerts" + plain(_rows(own)), {"alerts": len(own)})

    def part(self, detectors: dict[str, Any], border: int, *, sealed: bool) -> OnCall:
        """The time from the border on, or until it."""
        first, last = self._whole.watched.span
        span = (border, last) if sealed else (first, border)
        return self._on_call(self._truth, detectors, TimedRows(list(span), **self._form))

    @property
    def _form(self) -> dict[str, Any]:
        """How instants are told that were read before."""
        clock: Any = self._whole.incidents.clock
        return {"unit": "ns", "tz": clock.zone}

    def _on_call(self, truth: Incidents, detectors: dict[str, Alerts], span: Any) -> OnCall:
        told = self._watching if span is None else {**self._watching, "span": span}
        return OnCall(truth, detectors, early=self.read.get("early"), **told)

    def _tables(self, alerts: Path) -> tuple[Incidents, Alerts, dict[str, Any]]:
        read = {name: self.read.get(name) for name in ("watched", "outages", "sep")}
        given = GivenTables(str(self._file), [str(alerts)], tuple(self.read["span"]), **read)
        found = read_incidents(given, TimeWords(self.read.get("time_unit"), tz=self.read.get("tz")))
        tables: Any = found.labels, *found.scores.values()
        return *tables, dict(found.watching)


def _rows(table: TimedRows) -> list[Any]:
    """The rows of a table as plain values."""
    return [table.start.tolist(), table.end.tolist(), table.place.tolist()]


def data_of(labels: Path, base: Path, read: dict[str, Any]) -> SealedData:
    """Read the data that a contract is about: of incidents the span is known.

    Parameters
    ----------
    labels, base, read : Path, Path, dict
        The files, and how they are read.
    """
    kind = SealedAlerts if "span" in read else SealedPoints
    known = (
        OF_ALERTS if kind is SealedAlerts else set(SealOptions.__annotations__) - {*OF_ALERTS[:-1]}
    )
    for name, value in read.items():
        if name in NOT_SEALED:
            raise InputError(f"{name} must be left out, got {shown(value)}: {NOT_SEALED[name]}")
        if name not in known:
            raise InputError(f"{name} must be left out with {kind.kind}, got {shown(value)}")
    return kind(labels, base, read)


def sealed_data(folder: Path, tables: dict[str, dict[str, Any]]) -> SealedData:
    """Read the data of a contract again.

    Parameters
    ----------
    folder, tables : Path, dict
        Where its files are named from, and what it says.
    """
    files = {}
    for name in ("labels", "base"):
        try:
            files[name] = checked_file(folder / tables["data"][name], name)
        except InputError as error:
            raise tampered(str(error)) from None
    read = {
        name: str(folder / value) if name in FILES else value
        for name, value in tables["read"].items()
    }
    try:
        return data_of(files["labels"], files["base"], read)
    except AdjudgeError:  # which may quote a cell
        raise tampered("labels or base cannot be read as they were sealed") from None


def refuse_unsealable(metric: Metric) -> None:
    """Refuse metrics whose threshold is chosen by the labels, or that scores cannot be hashed for.

    Parameters
    ----------
    metric : Metric
        What a contract would judge by.
    """
    if metric.oracle:
        raise InputError(
            f"metric must have its threshold in the contract, got {visible(metric)}: best(...) "
            "chooses it by the sealed labels"
        )
    if metric.row.channels:
        raise InputError(
            f"metric must judge one column of alarms, got {visible(metric)}, which is about "
            f"several channels: {NOT_SEALED['channels']}"
        )
    if metric.at is not None:
        raise InputError(f"metric must have its threshold as at=, got {visible(metric)}")
    if metric.row.needs == "scores" and not is_sum(metric):
        raise InputError(
            f"metric must depend on flags or on the order of scores alone, got {visible(metric)}: "
            "ap, auc_roc and auc_pr do"
        )
