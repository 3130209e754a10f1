"""The result of a calibration, in numbers, words and tables."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.errors import UnknownName, visible
from adjudge.lab.calibration.blind_versions import KINDS
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import EqualFields
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CLEAR, LEVEL = 0.05, 0.95
"""The share of blind detectors that may be called better, and of intervals that should hold."""


@dataclass(frozen=True)
class Count:
    """How many of some tries came out so.

    >>> found = Count(8, 200)
    >>> found.share, f"{found.error:.4f}", str(found)
    (0.04, '0.0146', '4 % (1.5 %)')
    >>> str(Count(0, 0))
    'none'
    """

    times: int
    of: int

    @property
    def share(self) -> float:
        """The share; NaN of none."""
        return self.times / self.of if self.of else math.nan

    @property
    def error(self) -> float:
        """The standard error of the share, as if one more had come out so and one not."""
        share = (self.times + 1) / (self.of + 2)
        return math.sqrt(share * (1 - share) / self.of) if self.of else math.nan

    def __str__(self) -> str:
        """Say the share and its standard error."""
        return f"{_percent(self.share)} ({_percent(self.error)})" if self.of else "none"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.3g} %"


@dataclass(frozen=True, eq=False)
class CalibrationRow(EqualFields):
    """What the blind versions and the drawn events of one detector show.

    Attributes
    ----------
    detector, metric : str
        Which detector, and the metric that its verdict is about, with every setting resolved.
    better : Count
        How many of its blind versions are called better than chance.
    kinds : dict
        The same for each kind of version.
    held : Count
        How many intervals from drawn events hold the value on the data themselves.
    refused : int
        How many draws have no interval: too few events, or one that outweighs the others.
    alike : str
        What neighbouring events of the data have in common, which drawn ones do not have.
    """

    detector: str
    metric: str
    better: Count
    kinds: Mapping[str, Count]
    held: Count
    refused: int
    alike: str = ""

    @property
    def sentence(self) -> str:
        """What it amounts to."""
        if not self.better.of:
            return f"no blind version could be made of so few points, {self._interval}"
        share, error = _percent(self.better.share), _percent(self.better.error)
        return (
            f"on data like yours {share} of blind detectors are called better than chance "
            f"({_percent(CLEAR)} may be; standard error {error}), {self._interval}"
        )

    @property
    def _interval(self) -> str:
        if not self.held.of + self.refused:
            return "and no interval was tested"
        if not self.held.of:
            return "and no interval is given"
        text = f"and {self.held} of the intervals contain the true value ({_percent(LEVEL)} should)"
        drawn = self.held.of + self.refused
        return f"{text}; {self.refused} of {drawn} draws have no interval" if self.refused else text

    @property
    def warnings(self) -> list[str]:
        """What is further from where it should be than chance explains."""
        messages = []
        for name, count in self.kinds.items():
            if count.share - 2 * count.error > CLEAR:
                kind = KINDS[name]
                messages.append(
                    f"of {count.of} versions {kind.words}, {_percent(count.share)} are called "
                    f"better, where {_percent(CLEAR)} may be: {kind.suspect}"
                )
        if self.held.of and self.held.share + 2 * self.held.error < LEVEL:
            messages.append(
                f"intervals are too narrow: {_percent(LEVEL)} should contain the true value, and "
                f"{_percent(self.held.share)} do"
            )
        if self.held.of and self.alike:
            messages.append(
                f"in your data neighbouring events are {self.alike}, which drawn events are not: "
                f"of intervals on new data fewer than {_percent(self.held.share)} contain the true "
                "value; say what belongs together by group= (--group COL)"
            )
        return messages

    def to_dict(self) -> dict[str, Any]:
        """Plain values, which JSON can hold."""
        return {
            **self.columns(),
            "kinds": {name: asdict(count) for name, count in self.kinds.items()},
            "sentence": self.sentence,
            "warnings": self.warnings,
        }

    def columns(self) -> dict[str, Any]:
        """The numbers of the row by name."""
        return {
            "detector": self.detector,
            "metric": self.metric,
            "versions": self.better.of,
            "called_better": self.better.times,
            "error": self.better.share,
            "error_standard_error": self.better.error,
            "intervals": self.held.of,
            "held": self.held.times,
            "coverage": self.held.share,
            "coverage_standard_error": self.held.error,
            "refused": self.refused,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(EqualFields, TabledResult):
    """Result of `calibrate`; ``print`` sums it up.

    Attributes
    ----------
    rows : tuple of CalibrationRow
        One per detector.
    family : Count
        In how many versions of the call any of its detectors is called better.
    seed : int
        What the versions and the events were drawn from.

    Examples
    --------
    >>> row = CalibrationRow("mine", "f1_ba(width=11)", Count(8, 200), {}, Count(186, 200), 0)
    >>> print(row.sentence)
    on data like yours 4 % of blind detectors are called better than chance (5 % may be; standard \
error 1.5 %), and 93 % (1.9 %) of the intervals contain the true value (95 % should)
    """

    rows: tuple[CalibrationRow, ...]
    family: Count
    seed: int = 0

    @property
    def detectors(self) -> list[str]:
        """The detectors, in the order they were given."""
        return [row.detector for row in self.rows]

    def __getitem__(self, detector: str) -> CalibrationRow:
        """The row of a detector."""
        for row in self.rows:
            if row.detector == detector:
                return row
        raise UnknownName("detector", detector, self.detectors)

    def __iter__(self) -> Iterator[CalibrationRow]:
        """The rows in order."""
        return iter(self.rows)

    def __len__(self) -> int:
        """How many detectors there are."""
        return len(self.rows)

    @property
    def sentences(self) -> list[str]:
        """What it amounts to, a sentence for each detector, and one for all of them together."""
        if len(self.rows) == 1:
            return [row.sentence for row in self.rows]
        each = [f"{visible(row.detector)}: {row.sentence}" for row in self.rows]
        any_of = f"of {len(self.rows)} blind detectors in one call, one or more is called better in"
        return [*each, f"{any_of} {self.family}"]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, the sentences among them."""
        family = {"any_called_better": self.family.share, "standard_error": self.family.error}
        rows = [row.to_dict() for row in self.rows]
        return {"rows": rows, "family": family, "seed": self.seed, "sentences": self.sentences}

    def columns(self) -> dict[str, list[Any]]:
        """A row per detector, as columns by name."""
        rows = [row.columns() for row in self.rows]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def layout(self) -> Layout:
        """Lay out how many versions of each kind are called better, with the sentences below."""
        several = len(self.rows) > 1
        head = ("detector", "blind versions", "called better", "of", "share (s.e.)")
        rows = [
            (row.detector, KINDS[name].words, str(count.times), str(count.of), str(count))
            for row in self.rows
            for name, count in row.kinds.items()
        ]
        notes = tuple(
            f"{visible(row.detector)}: {message}" if several else message
            for row in self.rows
            for message in row.warnings
        )
        first = 0 if several else 1  # a name that is the same in all rows says nothing
        cells = [row[first:] for row in rows]
        table = Table.of(head[first:], cells, f"verdicts by {self.rows[0].metric}")
        return Layout((table,), notes, tuple(self.sentences))
