"""Metric: a measure of a count of adjusted scores, and a threshold; frozen and printable."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from adjudge.checks import number
from adjudge.count.contract import LastCount
from adjudge.count.sweep import GRID, grid
from adjudge.data.case import Case
from adjudge.data.codings import refuse_two_values
from adjudge.data.time_settings import in_points
from adjudge.errors import InputError, UnknownName
from adjudge.measure.curves import Best, Curve, best, best_value
from adjudge.measure.thresholds import Rule
from adjudge.metrics.parts import ChosenBy, OwnHelp, OwnSignature, Parts, Reading, Recipe
from adjudge.metrics.spec import Call, call_text
from adjudge.metrics.threshold_reader import threshold

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags
    from adjudge.count.ledger import Ledger
    from adjudge.data.events import Events

_WHOLE = "is a mean over several settings or a sum of its own"


@dataclass(frozen=True)
class Metric:
    """A way to judge: called with arrays it gives a float, with settings alone a new metric.

    Attributes
    ----------
    name, settings, at : str, tuple, float or rule
        The row of the catalogue, settings that differ from its defaults, and the threshold.

    Examples
    --------
    >>> import adjudge as aj
    >>> aj.f1_ba([0, 0, 1, 1], [0, 1, 1, 0], width=1)
    0.8
    >>> aj.f1_ba(width=5)
    f1_ba(width=5)
    """

    __doc__ = OwnHelp(__doc__)  # each metric has a page of its own
    __signature__ = OwnSignature()

    name: str
    row: Recipe = field(compare=False)
    settings: tuple[tuple[str, Any], ...] = ()
    at: float | Rule | None = None
    oracle: bool = False
    thresholds: int | None = None
    """How many thresholds the oracle tries, where it cannot know them all; None: every one."""
    parts: Parts = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the settings at once, and keep those that differ from the defaults."""
        defaults = self.row.parameters
        given = dict(self.settings)
        for key in given:
            if key not in defaults:
                takes = ", ".join([*defaults, *["at"] * (self.row.needs == "flags")])
                hint = f"{self.name} takes {takes or 'no settings'}"
                raise UnknownName("setting", key, defaults, hint)
        parts = self.row.parts(given)  # which checks them and makes them plain
        kept = tuple((k, v) for k, v in parts.settings.items() if k in given and v != defaults[k])
        object.__setattr__(self, "settings", kept)
        object.__setattr__(self, "parts", parts)
        self._check_threshold()

    def _check_threshold(self) -> None:
        if self.at is not None:
            object.__setattr__(self, "at", threshold(self.at))
            if self.row.needs == "scores":
                raise InputError(f"{self.name} judges every threshold at once, got at={self.at}")
            if self.oracle:
                raise InputError(f"best(...) chooses the threshold itself, got at={self.at}")

    @overload
    def __call__(
        self,
        /,
        labels: Column,
        scores: Column,
        *,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        zero_division: float = np.nan,
        **settings: Any,
    ) -> float: ...

    @overload
    def __call__(self, /, **settings: Any) -> Metric: ...

    def __call__(
        self,
        /,
        labels: Column = None,
        scores: Column = None,
        *,
        series: Column = None,
        where: Column = None,
        time: Column = None,
        zero_division: float = np.nan,
        **settings: Any,
    ) -> float | Metric:
        """Judge scores, or change settings.

        Parameters
        ----------
        labels, scores, series, where, time : column
            See `adjudge.Case`; labels may be `adjudge.Events`.
        zero_division : float
            What to give where the value is undefined (0/0). Default: NaN.
        **settings
            Settings of the metric, among them ``at``: a threshold, or a rule for one.
        """
        metric = self.with_settings(**settings) if settings else self
        if labels is None and scores is None:
            return metric
        if labels is None or scores is None:
            missing = "labels" if labels is None else "scores"
            raise InputError(f"{missing} must be given: write {self.name}(labels, scores)")
        instead = number(zero_division, "zero_division")
        case = Case.for_one_call(labels, scores, series=series, where=where, time=time)
        value = metric.reading(case).value
        return instead if np.isnan(value) else value

    def with_settings(self, /, **settings: Any) -> Metric:
        """The same metric with other settings."""
        at = settings.pop("at", self.at)
        if not settings:
            return self._at(at)
        changed = {**dict(self.settings), **settings}
        return replace(self, settings=tuple(changed.items()), at=at)

    def _at(self, at: Any) -> Metric:  # nothing but the threshold is checked again
        metric = object.__new__(Metric)
        vars(metric).update(vars(self), at=at)
        metric._check_threshold()
        return metric

    def placed(self, at: Any) -> Metric:
        """Take this threshold, unless the metric needs none or has its own."""
        return self.with_settings(at=at) if self.needs_threshold and at is not None else self

    @property
    def at_one_threshold(self) -> bool:
        """Whether the value is one of flags: it is no area, and no oracle chooses the threshold."""
        return self.row.needs == "flags" and not self.oracle

    @property
    def needs_threshold(self) -> bool:
        """Whether someone must still say a threshold, unless the scores are flags already."""
        return self.at_one_threshold and self.at is None

    def reading(self, case: Case, counts: LastCount | None = None) -> Reading:
        """Judge a case: the value, the threshold, and who chose it.

        Parameters
        ----------
        case, counts : Case, LastCount
            Labels and scores; what the metrics of one call share, so as to count once.
        """
        counts = counts or LastCount()
        measure, adjust, count = self.on(case.events).parts
        if self.row.needs == "scores":
            if count is None:
                return Reading(float(measure(case.scores, case.events)), None, "none")
            return Reading(float(measure(self._curve(case, GRID, counts))), None, "none")
        if self.oracle:
            found = self._best(case, counts)
            return Reading(found.value, found.threshold, "oracle")
        flags, at, chosen_by = self.flags(case)
        if count is None:
            return Reading(float(measure(flags, case.events)), at, chosen_by)
        return Reading(float(measure(count.tally(flags, case.events, adjust))), at, chosen_by)

    def curve(self, case: Case, thresholds: int | None = GRID) -> Curve:
        """The counts, and what follows from them, at every threshold.

        Parameters
        ----------
        case, thresholds : Case, int or None
            What is judged; how many thresholds are tried where each must be counted anew.
        """
        return replace(self._curve(case, thresholds, LastCount()), metric=self, case=case)

    def _curve(self, case: Case, thresholds: int | None, counts: LastCount) -> Curve:
        measure, adjust, count = self.on(case.events).parts
        if count is None:
            if self.row.needs == "scores":
                raise InputError(f"{self} judges the scores as a whole, so it has no curve")
            plain = replace(self, at=None, oracle=False)
            raise InputError(
                f"{plain} {_WHOLE}, so it has no single precision and recall to draw; "
                f"best({plain}) finds its threshold"
            )
        levels, tally = counts.of(case, adjust, count, thresholds).sweep
        if self.row.needs == "scores":
            return Curve(levels, tally)
        return Curve(levels, tally, measure, self.row.better == "lower")

    def ledger(self, case: Case) -> tuple[Ledger, Flags, float | None]:
        """Account for the value at one threshold (the best one, for an oracle)."""
        _, adjust, count = self.on(case.events).parts
        if self.row.needs == "scores":
            hint = "a receipt is for flags at one threshold"
            raise InputError(f"{self} judges the scores as a whole; {hint}")
        if count is None:
            raise InputError(f"{self} {_WHOLE}, so no single receipt accounts for it")
        at: float | None = self._best(case, LastCount()).threshold if self.oracle else None
        flags, at, _ = self.flags(case) if at is None else (case.scores > at, at, "oracle")
        return count.ledger(flags, case.events, adjust), flags, at

    def _best(self, case: Case, counts: LastCount) -> Best:
        """Let the oracle choose: among all thresholds, or among those of the grid."""
        measure, adjust, count = self.on(case.events).parts
        lower = self.row.better == "lower"
        if count is not None:
            masses = counts.of(case, adjust, count, self.thresholds)
            return best(measure, masses, lower=lower)
        levels = grid(case.scores, self.thresholds)
        values = [float(measure(case.scores > level, case.events)) for level in levels.tolist()]
        return best_value(levels, np.array(values), lower=lower)

    @property
    def sweeps(self) -> bool:
        """Whether all thresholds are known from one sort; else the oracle tries a grid."""
        return self.parts.counting is not None and self.parts.counting.sweeps

    @property
    def has_receipt(self) -> bool:
        """Whether the value is a measure of masses that a ledger can account for."""
        return self.parts.counting is not None and self.row.needs == "flags"

    @property
    def resamples(self) -> bool:
        """Whether the rows of its ledger may be drawn again: not those of a median or a maximum."""
        return self.has_receipt and bool(self.parts.counting and self.parts.counting.resamples)

    def flags(self, case: Case) -> tuple[Flags, float | None, ChosenBy]:
        """Flag the points above the metric's threshold."""
        if isinstance(self.at, Rule):
            at = self.at(case)
            return case.flagged(at), at, "rule"
        if self.at is not None:
            return case.flagged(self.at), self.at, "given"
        if not case.is_flags:
            refuse_two_values(case.judged_scores, str(self))
            raise InputError(
                f"{self} has one value per threshold, and scores are not 0/1 flags; say "
                f"at=<threshold> (--at X), or best({self}) for the best one (--best), "
                "chosen by the labels"
            )
        return case.flags, None, "given"

    def on(self, events: Events) -> Metric:
        """The metric with its durations as points of the clock; itself if it has none."""
        changed = in_points(dict(self.settings), self.row.lengths, events)
        return self.with_settings(**changed) if changed else self

    def resolved(self, events: Events) -> Metric:
        """Write out the settings that depend on the labels."""
        settled = self.parts.adjust.resolved(events)
        return self if settled is self.parts.adjust else self.with_settings(**vars(settled))

    def resolved_spec(self, events: Events) -> str:
        """Print the metric as results do: resolved, with what a reader must know."""
        return self.resolved(events).spec(self.row.always_shown)

    def spec(self, always: tuple[str, ...] = ()) -> str:
        """Print the settings that differ from the defaults, and those that must always show."""
        given = dict(self.settings)
        every = {**self.row.parameters, **given}
        shown = {key: value for key, value in every.items() if key in given or key in always}
        if self.at is not None:
            shown["at"] = self.at
        text = call_text(self.name, settings=shown)
        if not self.oracle:
            return text
        chosen = {} if self.sweeps else {"thresholds": self.thresholds}
        return call_text("best", (Call(text),), chosen)

    def __str__(self) -> str:
        """Print the spec."""
        return self.spec()

    __repr__ = __str__

    @property
    def __name__(self) -> str:
        """The name a function would have."""
        return f"best_{self.name}" if self.oracle else self.name
