"""The result of an inspection: what each check says, what to look at, and what was not checked."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import word
from adjudge.data.intervals import covered, runs
from adjudge.errors import UnknownName
from adjudge.tables.formats import frame_of
from adjudge.tables.glance import Glance, Lane, Lanes, Tile
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table, TableColumn

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from adjudge.lab.inspection.series import InspectedSeries

Level = Literal["flaw", "look", "fine", "cannot say"]
LEVELS: tuple[Level, ...] = ("flaw", "look", "fine", "cannot say")
CLEAR = 0.05
_SHOWN = 12
"""Suspects of which a terminal prints a line."""


@dataclass(frozen=True, eq=False)
class Remark(EqualFields):
    """What one check says.

    Attributes
    ----------
    check : str
        Which one.
    level : str
        "flaw": tested, or a plain fact beyond a stated limit. "look": something for a person to
        look at; no error rate is promised. "fine": no sign of it. "cannot say".
    says : str
        The same in one sentence, with the evidence.
    series : str or None
        Which series it is about; None: the whole benchmark.
    value, chance, limit : float
        What was measured, what chance would give, and the limit; NaN where there is none.
    p_value, p_adjusted : float
        How often chance would reach as much; the latter after Holm, over all checks that test.
    shifts : int or None
        How many shifts or draws this rests on; None: it rests on none.
    exact : bool or None
        Whether the p-value was counted out and not drawn.
    """

    check: str
    level: Level
    says: str
    series: str | None = None
    value: float = math.nan
    chance: float = math.nan
    p_value: float = math.nan
    p_adjusted: float = math.nan
    limit: float = math.nan
    shifts: int | None = None
    exact: bool | None = None


@dataclass(frozen=True, eq=False)
class Suspect(EqualFields):
    """A stretch of a series that somebody should look at.

    Attributes
    ----------
    series : str
        Which series.
    start, stop : int
        The first point, and the one after the last.
    time : str or None
        When it begins, where that is known.
    kind : str
        "missing" (unusual, and without a label), "unseen" (a label that no detector sees) or
        "cut in two" (two events close to each other).
    evidence : str
        Why it is listed.
    level : str
        "flaw" or "look".
    """

    series: str
    start: int
    stop: int
    time: str | None
    kind: str
    evidence: str
    level: Level = "look"


class CheckResult(NamedTuple):
    """What a check gives."""

    findings: list[Remark]
    suspects: list[Suspect]


def found(*findings: Remark, suspects: list[Suspect] | None = None) -> CheckResult:
    """Put findings and suspects together."""
    return CheckResult(list(findings), suspects or [])


@dataclass(frozen=True, eq=False, repr=False)
class Inspection(EqualFields, TabledResult):
    """Result of `adjudge.inspect`; ``print`` sums it up.

    Attributes
    ----------
    rows : tuple of Finding
        What each check says: one row for the benchmark, and one for each series beyond a limit.
    suspects : tuple of Suspect
        Stretches to look at.
    series : tuple of dict
        The table by series: a dict of plain values for each.
    not_checked : dict
        Check -> why it was not made.
    data : tuple
        The series themselves, for the page.

    Examples
    --------
    >>> import adjudge as aj, numpy as np
    >>> labels = np.repeat([0, 1, 0], [700, 40, 260])
    >>> data = {f"s{k}": np.roll(labels, 20 * k) for k in range(9)}
    >>> found = aj.inspect(data, checks=["windows"])
    >>> found["windows"].level
    'flaw'
    """

    rows: tuple[Remark, ...]
    suspects: tuple[Suspect, ...]
    series: tuple[Mapping[str, Any], ...]
    not_checked: Mapping[str, str]
    data: tuple[InspectedSeries, ...] = ()

    def __getitem__(self, check: str) -> Remark:
        """What a check says of the whole benchmark."""
        for row in self.rows:
            if row.check == check and row.series is None:
                return row
        raise UnknownName("check", check, [row.check for row in self.rows if row.series is None])

    def __iter__(self) -> Iterator[Remark]:
        """The rows in order."""
        return iter(self.rows)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def of(self, level: Level) -> list[str]:
        """The checks that end at a level, each once, in order.

        A check that speaks of a series and of the benchmark has the more serious of the two.
        """
        word(level, "level", LEVELS)
        worst: dict[str, Level] = {}
        for row in self.rows:
            known = worst.get(row.check, row.level)
            worst[row.check] = min(known, row.level, key=_SERIOUS.index)
        return [check for check, own in worst.items() if own == level]

    @property
    def verdict(self) -> str:
        """What it amounts to, in one sentence."""
        flaws, looks, unsure = self.of("flaw"), self.of("look"), self.of("cannot say")
        parts = [f"Flaws: {_joined(flaws)}." if flaws else "No flaw was found."]
        parts += [f"To look at: {_joined(looks)}."] * bool(looks)
        parts += [f"Cannot say: {_joined(unsure)}."] * bool(unsure)
        return " ".join(parts)

    @property
    def left_out(self) -> str:
        """What was not checked and why, in one sentence."""
        by_reason: dict[str, list[str]] = {}
        for check, why in self.not_checked.items():
            by_reason.setdefault(why, []).append(check)
        text = "; ".join(f"{_joined(checks)} ({why})" for why, checks in by_reason.items())
        always = "whether the labels are right, beyond these signs"
        return f"Not checked: {text + '; ' if text else ''}{always}."

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "rows": [asdict(row) for row in self.rows],
            "suspects": [asdict(one) for one in self.suspects],
            "series": [dict(one) for one in self.series],
            "verdict": self.verdict,
            "not_checked": dict(self.not_checked),
            "left_out": self.left_out,
        }

    def to_frame(  # type: ignore[override]  # the table goes first
        self, what: str = "rows", backend: str = "pandas"
    ) -> Any:
        """A table as a data frame.

        Parameters
        ----------
        what : str
            "rows", "suspects" or "series".
        backend : str
            "pandas", "polars" or "pyarrow".
        """
        return frame_of(self.columns(what), backend)

    def columns(self, what: str = "rows") -> dict[str, list[Any]]:
        """A table as columns by name: see `to_frame`."""
        word(what, "what", ("rows", "suspects", "series"))
        if what == "series":
            listed = [dict(one) for one in self.series]
            names = list(dict.fromkeys(name for one in listed for name in one))
        else:
            listed = self.to_dict()[what]
            names = [one.name for one in fields(Remark if what == "rows" else Suspect)]
        return {name: [one.get(name) for one in listed] for name in names}

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write an offline page that shows the suspects with their signal.

        Parameters
        ----------
        path : path
            Where to write it.
        """
        from adjudge.lab.inspection.page import write_inspection  # noqa: PLC0415 - who asks pays

        return write_inspection(self, path)

    def glance(self) -> Glance:
        """How many checks end at each level, and where the suspects are among the labels."""
        tiles = tuple(Tile(level, f"{len(self.of(level)):,}") for level in _SERIOUS)
        lanes = []
        suspected = list(dict.fromkeys(one.series for one in self.suspects))
        longest = max((one.n for one in self.data), default=0)
        by_name = {one.name: one for one in self.data}
        for name in suspected:
            starts, stops = runs(by_name[name].labels, np.zeros(1, np.int64))
            own = [one for one in self.suspects if one.series == name]
            ends = np.array([(one.start, one.stop) for one in own])
            inside = covered(ends[:, 0], ends[:, 1], by_name[name].n)
            at = runs(inside, np.zeros(1, np.int64))
            lanes.append(Lane(name, starts, stops, "event", f"{len(starts):,} labelled"))
            lanes.append(Lane("to look at", *at, "wrong", f"{len(own):,}"))
        title = "Labels, and what to look at, by series"
        drawn = Lanes(title, tuple(lanes), longest, ("0", f"{longest - 1:,} points"))
        return Glance(tiles, drawn if lanes else None)

    def layout(self) -> Layout:
        """Lay out what each check says, the suspects, and what was not checked."""
        tables = [_table_of_checks(self.rows)]
        if self.suspects:
            tables.append(_table_of_suspects(self.suspects[:_SHOWN], len(self.suspects)))
        return Layout(tuple(tables), (), (self.verdict, self.left_out))


_SERIOUS: tuple[Level, ...] = ("flaw", "look", "cannot say", "fine")
"""The order in which the levels of one check are summed up."""


def counted(count: int, one: str, many: str) -> str:
    """A number and its word.

    >>> counted(1, "series has", "series have"), counted(1200, "point", "points")
    ('1 series has', '1,200 points')
    """
    return f"{count:,} {one if count == 1 else many}"


def _joined(names: list[str]) -> str:
    return ", ".join(names)


def _table_of_checks(rows: tuple[Remark, ...]) -> Table:
    """One line per check; what is said of single series stands in the table by series."""
    own = [row for row in rows if row.series is None]
    return Table(
        (
            TableColumn("check", tuple(row.check for row in own), is_text=True),
            TableColumn("level", tuple(row.level for row in own), is_text=True),
            TableColumn("what it says", tuple(row.says for row in own), is_text=True),
        ),
        "checks of the benchmark",
    )


def _table_of_suspects(suspects: tuple[Suspect, ...], total: int) -> Table:
    title = f"to look at, {len(suspects)} of {total}" if total > len(suspects) else "to look at"
    return Table(
        (
            TableColumn("series", tuple(one.series for one in suspects), is_text=True),
            TableColumn("start", tuple(str(one.start) for one in suspects)),
            TableColumn("stop", tuple(str(one.stop) for one in suspects)),
            TableColumn("time", tuple(one.time or "" for one in suspects), is_text=True, rank=1),
            TableColumn("kind", tuple(one.kind for one in suspects), is_text=True),
            TableColumn("why", tuple(one.evidence for one in suspects), is_text=True, rank=2),
        ),
        title,
    )
