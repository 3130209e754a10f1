"""Metric: a measure of a count of adjusted scores, and a threshold; frozen and printable.

A `Row` of the catalogue names the three parts of a metric and says all there is to say about it. A
`Metric` is a row with settings and a threshold, or with `adjudge.best` around it: the threshold at
which it is best, for who may look at the labels. A `Reading` is a value of it.
"""

from __future__ import annotations

import math
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, overload

import numpy as np

from adjudge.adjust.adjustments import raw
from adjudge.checks import number, suggest_keywords
from adjudge.count.alert_case import AlertCase
from adjudge.count.cache import CountCache
from adjudge.count.contract import WithPolicy
from adjudge.count.ledger import Ledger
from adjudge.count.points import PointCount
from adjudge.count.tally import GRID, Tally, grid
from adjudge.data.case import Case
from adjudge.data.channels import ChannelReading, channel_cases
from adjudge.data.columns import refuse_two_values
from adjudge.data.time_settings import in_points
from adjudge.errors import InputError, UnknownName
from adjudge.measure.curves import Best, Curve, RecallAt, area, best, best_value
from adjudge.measure.lines import MeanOfLines, mean_of_lines
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import Policy
from adjudge.metrics.own_page import OwnHelp, OwnSignature
from adjudge.metrics.spec import Call, call_text, threshold
from adjudge.tables.notebook import NotebookCell
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adjudge._typing import Array, Column, Flags, Floats, Positions
    from adjudge.adjust.contract import Adjustment
    from adjudge.count.contract import Counting
    from adjudge.count.ledger import Entries
    from adjudge.count.time_count import TimeCount
    from adjudge.data.channels import ChannelCase
    from adjudge.data.events import Events
    from adjudge.data.time_settings import Length

ChosenBy = Literal["given", "rule", "oracle", "none"]


class Reading(NamedTuple):
    """A value, the threshold it was taken at, and who chose that."""

    value: float
    at: float | None
    chosen_by: ChosenBy


class Parts(NamedTuple):
    """The three verbs of a metric, with their settings.

    Without a counting the measure is the whole metric, ``(scores or flags, events) -> float``.
    """

    measure: Callable[..., Any]
    adjust: Adjustment
    counting: Counting | None

    @property
    def settings(self) -> dict[str, Any]:
        """All settings of the parts, defaults included, as plain values."""
        parts = (part for part in (self.adjust, self.counting, self.measure) if is_dataclass(part))
        return {name: value for part in parts for name, value in vars(part).items()}


@suggest_keywords("Row")
@dataclass(frozen=True, eq=False)
class Row:
    """A row of the catalogue: the parts of a metric and its metadata.

    A part (``measure``, ``adjust``, ``count``) is a function, or a dataclass whose fields become
    settings of the metric. A metric that is not made of these three has ``count=None``, and its
    ``measure`` takes scores (or flags) and events.

    Parameters
    ----------
    name, title, definition : str
        What it is called, in a word, in a line, and what it is.
    measure, adjust, count : callable or dataclass
        The parts.
    needs : "flags" or "scores"
        Whether it has one value per threshold, or judges them all.
    range : pair of float
        The lowest and the highest value.
    better : "higher" or "lower"
        Which values are better.
    group, reference, undefined, forgives, notes : str
        Where it is listed, who published it, when it is NaN, what it does not punish, and more.

    Examples
    --------
    >>> import adjudge as aj
    >>> row = aj.catalogue["f1_pa"]
    >>> row.title, row.needs, row.range
    ('F-score, point-adjusted', 'flags', (0, 1))
    """

    name: str
    title: str
    definition: str
    measure: Any
    adjust: Any = raw
    count: Any = PointCount
    needs: Literal["flags", "scores"] = "flags"
    range: tuple[float, float] = (0, 1)
    better: Literal["higher", "lower"] = "higher"
    group: str = ""
    reference: str = ""
    undefined: str = ""
    forgives: str = ""
    notes: str = ""
    claims: frozenset[str] = frozenset()
    always_shown: tuple[str, ...] = ()
    """Settings that a result prints even at their defaults: what a reader must know."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of this row where they are not those of its parts."""
    every_threshold: bool = False
    """Whether it takes a grid of thresholds, and all of them at little more cost with
    ``thresholds=None``: results then give that value too."""
    revision: int = 1
    """Raised whenever the value of the same scores changes: stored results are then made again."""
    listed: bool = True
    """Whether ``adjudge list`` shows it without being asked for all."""
    inverse_of_rate: bool = False
    """Whether its inverse is a rate, as of a time from one thing to the next: values, of which some
    may be infinite, are then averaged as rates (the harmonic mean)."""
    channels: bool = False
    """Whether it asks on which channels the alarms of an event are; its measure has ``of``."""
    positions: bool = False
    """Whether it judges positions: the starts of events and of flagged runs, or `Changes`. All
    other metrics judge points, which changes have none of."""

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Name and default of each setting."""
        settings = self.parts({}).settings
        return {item.name: settings[item.name] for item in self._fields}

    @cached_property
    def lengths(self) -> Mapping[str, Length]:
        """The settings that are lengths of time, and how they become points."""
        return {i.name: i.metadata["length"] for i in self._fields if "length" in i.metadata}

    @property
    def _fields(self) -> list[Field[Any]]:
        parts = (part for part in (self.adjust, self.count, self.measure) if isinstance(part, type))
        return [item for part in parts for item in fields(part)]

    def parts(self, settings: Mapping[str, Any]) -> Parts:
        """Put the three verbs together."""
        settings = {**self.defaults, **settings}
        made = (
            part(**{f.name: settings[f.name] for f in fields(part) if f.name in settings})
            if isinstance(part, type)
            else part
            for part in (self.measure, self.adjust, self.count)
        )
        return Parts(*made)

    def mean(self, values: Floats) -> float:
        """The mean of values of this metric, undefined ones left out; NaN: there are none.

        >>> import adjudge as aj
        >>> aj.catalogue["time_between_false_alarms"].mean(np.array([100.0, 50.0, np.inf]))
        100.0
        """
        defined = values[~np.isnan(values)] if self.inverse_of_rate else values[np.isfinite(values)]
        if not defined.size:
            return np.nan
        if not self.inverse_of_rate:
            return float(defined.mean())
        with np.errstate(divide="ignore"):
            return float(1 / np.mean(1 / defined))

    @cached_property
    def metric(self) -> Metric:
        """The metric with its default settings."""
        return Metric(self.name, self)


ACROSS = ("any_channel", "micro", "macro")
"""The ways to judge several channels by a metric of one."""
_ORACLE_REVISION = 1
"""Raised whenever ``best(...)`` changes of a metric whose own values stay."""
_WHOLE = "is a mean over several settings or a sum of its own"


@dataclass(frozen=True)
class Metric(NotebookCell):
    """A metric: called with arrays it returns a float, with only settings a new metric.

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
    row: Row = field(compare=False)
    settings: tuple[tuple[str, Any], ...] = ()
    at: float | Rule | None = None
    oracle: bool = False
    thresholds: int | None = None
    """How many thresholds the oracle tries, where it cannot know them all; None: every one."""
    across: str = ""
    """How several channels are judged: see `ACROSS`; of one channel it does not matter."""
    each: bool = False
    """Whether the oracle chooses a threshold for each channel: ``macro(best(...))``."""
    parts: Parts = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the settings at once, and keep those that differ from the defaults."""
        defaults = self.row.parameters
        given = dict(self.settings)
        for key in given:
            if key not in defaults:
                takes = [*defaults, *["at"] * (self.row.needs == "flags")]
                hint = f"{self.name} takes {', '.join(takes) or 'no settings'}"
                raise UnknownName("setting", key, takes, hint)
        parts = self.row.parts(given)  # which checks them and makes them plain
        kept = tuple((k, v) for k, v in parts.settings.items() if k in given and v != defaults[k])
        object.__setattr__(self, "settings", kept)
        object.__setattr__(self, "parts", parts)
        self._check_threshold()

    def _check_threshold(self) -> None:
        counting, anew = self.parts.counting, None
        if isinstance(counting, WithPolicy):
            counting = counting.counting
        if self.at is not None:
            object.__setattr__(self, "at", threshold(self.at))
            if isinstance(self.at, Policy):
                anew = self._allowed(self.at, counting).at_every_threshold
            elif self.row.needs == "scores":
                raise InputError(f"{self.name} judges every threshold at once, got at={self.at}")
            elif self.oracle:
                raise InputError(f"best(...) chooses the threshold itself, got at={self.at}")
        if anew is not None and counting is not None:
            counting = WithPolicy(counting, anew)
        object.__setattr__(self, "parts", self.parts._replace(counting=counting))

    def _allowed(self, policy: Policy, counting: Counting | None) -> Policy:
        """Refuse a policy that the metric can have no value with."""
        if not self.at_one_threshold and policy.at is not None:
            raise InputError(
                f"{'best(...)' if self.oracle else self.name} looks at all thresholds, got "
                f"at={policy}; remove the threshold {policy.at} from the policy"
            )
        if self.row.needs == "scores" and policy.pages_otherwise:
            raise InputError(
                f"{self.name} judges every threshold at once, which {policy} has no scores for: a "
                "lower threshold may page less; judge it at one, as in policy(0.8, ...)"
            )
        if policy.in_hindsight and counting is not None and counting.tells_delay:
            raise InputError(
                f"{self.name} counts delays, so {' and '.join(policy.in_hindsight)} must be "
                f"left out of its policy, got {policy}: they need hindsight; a pager can use "
                "after and keep"
            )
        return policy

    def apply_policy(self, case: Case, *, swept: bool = False) -> tuple[Metric, Case]:
        """The metric without its policy, beside a case of what the policy makes of the scores.

        Parameters
        ----------
        case, swept : Case, bool
            What is judged; whether at all thresholds, though the metric has a value at each.
        """
        policy = self.at
        if not isinstance(policy, Policy):
            return self, case
        self.fits(case)
        anew = policy.at_every_threshold
        if anew is not None and (swept or self.oracle):
            return self if policy == anew else self._at(anew), policy.fired(case)
        case, level = policy.apply_policy(case)
        return self._at(level), case

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
        channels: Any = None,
        subsystem: Any = None,
        zero_division: float = math.nan,
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
        channels: Any = None,
        subsystem: Any = None,
        zero_division: float = math.nan,
        **settings: Any,
    ) -> float | Metric:
        """Judge scores, or change settings.

        Parameters
        ----------
        labels, scores, series, where, time : column
            See `adjudge.Case`; labels may be `adjudge.Events`.
        channels, subsystem : names, dict
            The channels, of labels and scores with a column for each, and groups of them: see
            `adjudge.evaluate`. A metric of one channel is then that of ``any_channel(...)``.
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
        instead = zero_division
        if type(instead) is not float:
            instead = number(zero_division, "zero_division")
        if channels is not None:
            how = ChannelReading(series, where, time)
            value = (
                metric.on_channels().reading(_one(labels, scores, channels, subsystem, how)).value
            )
            return instead if math.isnan(value) else value
        case = Case.for_one_call(labels, scores, series=series, where=where, time=time)
        value = metric.reading(case).value
        return instead if math.isnan(value) else value

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

    def with_default_threshold(self, at: Any) -> Metric:
        """Take this threshold, unless the metric needs none or has its own.

        A policy without a threshold stands before all of them, so every metric takes it.
        """
        if at is None or self.at is not None:
            return self
        at = threshold(at)
        takes = self.needs_threshold or (isinstance(at, Policy) and at.at is None)
        return self.with_settings(at=at) if takes else self

    @property
    def at_one_threshold(self) -> bool:
        """Whether the value is one of flags: it is no area, and no oracle chooses the threshold."""
        return self.row.needs == "flags" and not self.oracle

    @property
    def needs_threshold(self) -> bool:
        """Whether someone must still say a threshold, unless the scores are flags already."""
        return self.at_one_threshold and self.at is None

    @property
    def revision(self) -> int:
        """Raised whenever the value of the same scores changes: stored results go by it."""
        return self.row.revision + (_ORACLE_REVISION if self.oracle else 0)

    def reading(self, case: Case, counts: CountCache | None = None) -> Reading:
        """Judge a case: the value, the threshold, and who chose it.

        Parameters
        ----------
        case, counts : Case, LastCount
            Labels and scores; what the metrics of one call share, so as to count once.
        """
        metric, seen = self.seen(case)
        found = metric._read(seen, counts)  # noqa: SLF001 - its own
        learnt = metric.at is not self.at and self.by_rule
        return found._replace(chosen_by="rule") if learnt else found

    @property
    def by_rule(self) -> bool:
        """Whether its own threshold is learnt, in a policy too."""
        inner = self.at.at if isinstance(self.at, Policy) else self.at
        return isinstance(inner, Rule)

    def seen(self, case: Case) -> tuple[Metric, Case]:
        """What is judged in the end, and by which metric.

        What its policy makes of the scores; of all channels as one the highest score, by the metric
        of one channel. A rule learns on each channel. Of one channel it does not matter how
        channels are put together.
        """
        metric, case = self.apply_policy(case)
        several = len(case.parts) > 1
        if not metric.across or (several and metric.across != "any_channel"):
            return metric, case
        if several and isinstance(metric.at, Rule):
            flagged = case.with_scores(metric.flags(case)[0])
            return metric.per_channel.with_settings(at=None), flagged.joined
        return metric.per_channel, case.joined

    def _read(self, case: Case, counts: CountCache | None) -> Reading:
        case = self._fitting(case)
        if self.across == "macro":
            return self._mean_over_lines(case)
        if self.row.needs == "scores":
            return self._of_scores(case, counts or CountCache())
        measure, adjust, count = self.on(case.events).parts
        if self.oracle:
            found = self._best(case, counts or CountCache())
            return Reading(found.value, found.threshold, "oracle")
        flags, at, chosen_by = self._flagged(case)
        if count is None:
            return Reading(self._of_whole(case)(flags), at, chosen_by)
        return Reading(float(measure(count.tally(flags, case.events, adjust))), at, chosen_by)

    def _of_scores(self, case: Case, counts: CountCache) -> Reading:
        """Judge all thresholds at once; a recall at a budget also says at which it stands."""
        measure, adjust, count = self.on(case.events).parts
        if count is None:
            return Reading(self._of_whole(case)(case.scores), None, "none")
        if isinstance(measure, RecallAt):
            curve = self._curve(case, GRID, counts)
            (level,) = measure.levels(curve).values()
            return Reading(float(measure(curve)), None if np.isnan(level) else level, "oracle")
        return Reading(area(measure, counts.of(case, adjust, count, GRID)), None, "none")

    def _mean_over_lines(self, case: Case) -> Reading:
        if self.oracle and not self.each:
            levels, values, to_find = self._macro_curve(case)
            lower = self.row.better == "lower"
            found = best_value(levels, values, lower=lower, to_find=to_find)
            return Reading(found.value, found.threshold, "oracle")
        readings = [self.per_channel.reading(part) for part in case.parts]
        same = {reading.at for reading in readings}
        at = same.pop() if len(same) == 1 else None
        value = float(mean_of_lines(np.array([one.value for one in readings])))
        return Reading(value, at, readings[0].chosen_by)

    def _of_whole(self, case: Case) -> Callable[[Array], float]:
        """What judges flags or scores as a whole: with their channels, where these are known."""
        measure: Any = self.on(case.events).parts.measure
        if self.asks_which_channel(case):
            return lambda given: float(measure.of(case, given))
        return lambda given: float(measure(given, case.events))

    def on_channels(self) -> Metric:
        """The metric for several channels: of one channel, it takes all of them as one."""
        if self.across or self.row.channels:
            return self
        return replace(self, across="any_channel", each=self.oracle)

    @property
    def per_channel(self) -> Metric:
        """The metric of one channel that this one is made of."""
        return replace(self, across="", each=False)

    def by_line(self, case: Case) -> list[tuple[Metric, Case]]:
        """The metric of one line beside each line that the value is a sum or a mean of.

        Of a sum what depends on the labels is that of all lines; a threshold that is best for all
        must still be given to each.
        """
        one = self.per_channel
        if self.oracle and not self.each:
            one = replace(one, oracle=False, thresholds=None)
        if self.across == "micro":
            one = one.resolved(case.events)
        return [(one, part) for part in case.parts]

    def placed_by_line(self, case: Case, best_at: float | None = None) -> list[tuple[Metric, Case]]:
        """The same, each with its threshold.

        Parameters
        ----------
        case, best_at : Case, float
            As of `entries`.
        """
        for_all = self.oracle and not self.each
        at = self.reading(case).at if for_all and best_at is None else best_at
        return [(one.with_default_threshold(at), line) for one, line in self.by_line(case)]

    def _macro_curve(self, case: Case) -> tuple[Floats, Floats, bool]:
        """The mean over channels at every threshold of any, or at those of a grid.

        And whether there is anything to find at any threshold.
        """
        plain = replace(self.per_channel, oracle=False)
        if not self.sweeps:
            levels = grid(case.scores, self.thresholds)
            parts = [plain.at_levels(part, levels) for part in case.parts]
            rows, truths = zip(*parts, strict=True)
            return levels, mean_of_lines(np.array(rows).T), any(truths)
        curves = [plain.curve(part) for part in case.parts]
        levels = np.unique(np.concatenate([curve.thresholds for curve in curves]))[::-1]
        table = [curve.values[np.searchsorted(-curve.thresholds, -levels)] for curve in curves]
        to_find = any(bool(np.any(curve.tally.truth)) for curve in curves)
        return levels, mean_of_lines(np.array(table).T), to_find

    def at_levels(self, case: Case, levels: Floats) -> tuple[list[float], bool]:
        """The value at each threshold, and whether there is anything to find at any of them.

        Parameters
        ----------
        case, levels : Case, array
            What is judged, and the thresholds: each is counted anew.
        """
        case = self._fitting(case)
        measure, adjust, count = self.on(case.events).parts
        flags = (case.scores > level for level in levels.tolist())
        if count is None:
            return [self._of_whole(case)(one) for one in flags], len(case.events) > 0
        tallies = [count.tally(one, case.events, adjust) for one in flags]
        to_find = any(bool(np.any(tally.truth)) for tally in tallies)
        return [float(measure(tally)) for tally in tallies], to_find

    def curve(self, case: Case, thresholds: int | None = GRID) -> Curve:
        """The counts, and what follows from them, at every threshold.

        Parameters
        ----------
        case, thresholds : Case, int or None
            What is judged; how many thresholds are tried where each must be counted anew.
        """
        metric, case = self.apply_policy(case, swept=True)
        found = metric._curve(metric._fitting(case), thresholds, CountCache())  # noqa: SLF001
        monotone = not isinstance(metric.parts.counting, WithPolicy)
        return replace(found, metric=self, case=case, monotone=monotone)

    def _curve(self, case: Case, thresholds: int | None, counts: CountCache) -> Curve:
        measure, adjust, count = self.on(case.events).parts
        if count is None:
            if self.row.needs == "scores":
                raise InputError(f"{self} judges the scores as a whole, so it has no curve")
            plain = replace(self, at=None, oracle=False)
            raise InputError(
                f"{plain} {_WHOLE}, so it has no single precision and recall to draw; "
                f"best({plain}) finds its threshold"
            )
        counted = counts.of(case, adjust, count, thresholds)
        if self.row.needs == "scores":
            return Curve(counted)
        return Curve(counted, measure, self.row.better == "lower")

    def entries(
        self, case: Case, best_at: float | None = None
    ) -> tuple[Entries, Flags, float | None]:
        """Rows for the value at one threshold, the flags there, and the threshold itself.

        Parameters
        ----------
        case : Case
            Labels and scores.
        best_at : float, optional
            The best threshold of an oracle, where it is known; otherwise it is looked for.
        """
        metric, alarms, at = self.decided(case, best_at)
        return *metric._entries(alarms), at  # noqa: SLF001 - its own

    def _entries(self, alarms: Case) -> tuple[Entries, Flags]:
        _, adjust, counting = self.parts
        flags = alarms.alarms
        return cast("Counting", counting).entries(flags, alarms.events, adjust), flags

    def decided(self, case: Any, best_at: float | None = None) -> tuple[Metric, Any, float | None]:
        """The metric at one threshold, the case of the alarms above it, and the threshold.

        Parameters
        ----------
        case, best_at : Case or AlertCase, float
            As of `entries`; alerts are raised already.
        """
        if isinstance(case, AlertCase):
            return self, case, case.at
        if isinstance(self.at, Policy):
            metric, case = self.apply_policy(case)
            if metric is not self:
                return metric.decided(case)
        case = self._fitting(case)
        if self.row.needs == "scores":
            hint = "explain needs flags at one threshold"
            raise InputError(f"{self} judges the scores as a whole; {hint}")
        if self.parts.counting is None:
            raise InputError(f"{self} {_WHOLE}, so no single receipt explains it")
        at = best_at
        if self.oracle and at is None:
            at = self._best(case, CountCache()).threshold
        flags, at, _ = self._flagged(case) if at is None else (case.flagged(at), at, "oracle")
        return self.on(case.events), case.with_alarms(flags), at

    def rows(self, alarms: Any) -> Ledger:
        """The rows of alarms as they are: of flags, or of alerts that are raised."""
        found: Ledger = alarms.rows_by(self)
        return found

    def rows_of_points(self, alarms: Case) -> Ledger:
        """The rows of flags, or of positions."""
        return Ledger.of_points(self._entries(alarms)[0], alarms.events)

    def ledger(self, case: Any, best_at: float | None = None) -> Ledger:
        """The rows whose sums the value is a measure of.

        Parameters
        ----------
        case, best_at : Case or AlertCase, float
            As of `entries`.
        """
        if self.across == "macro":
            each = self.placed_by_line(case, best_at)
            return Ledger.of_lines([one.ledger(line) for one, line in each], case.truth)
        metric, alarms, _ = self.decided(case, best_at)
        return metric.rows(alarms)

    @property
    def in_seconds(self) -> Metric:
        """The same metric of a delay or a distance, counted in seconds of the clock."""
        metric, counting = replace(self), cast("Counting", self.parts.counting).in_seconds()
        object.__setattr__(metric, "parts", self.parts._replace(counting=counting))
        return metric

    def sums(self, count: TimeCount) -> Floats:
        """The masses of incidents and alerts, (turns, 5): what the value is made of."""
        _, adjust, counting = self.parts
        return cast("Counting", counting).sums_on_time(count, adjust)

    def shares(self, count: TimeCount) -> tuple[Array, Array]:
        """The masses of each incident and of each alert, of the only turn."""
        _, adjust, counting = self.parts
        return cast("Counting", counting).shares(count, adjust)

    def ledger_of(self, count: TimeCount) -> Ledger:
        """The rows of incidents and alerts, of one turn."""
        _, adjust, counting = self.parts
        return cast("Counting", counting).on_time(count, adjust)

    def value(self, sums: Floats) -> Any:
        """What is made of sums, which are the last axis; of a mean the lines are before it."""
        return np.asarray(self.measure(Tally(*np.moveaxis(sums, -1, 0))), np.float64)

    @property
    def measure(self) -> Callable[..., Any]:
        """What is made of masses: of a mean over lines those of each, along the last axis."""
        plain = self.parts.measure
        return MeanOfLines(plain) if self.across == "macro" else plain

    def _best(self, case: Case, counts: CountCache) -> Best:
        """Let the oracle choose: among all thresholds, or among those of the grid."""
        measure, adjust, count = self.on(case.events).parts
        lower = self.row.better == "lower"
        if count is not None:
            masses = counts.of(case, adjust, count, self.thresholds)
            return best(measure, masses, lower=lower)
        levels = grid(case.scores, self.thresholds)
        judge = self._of_whole(case)
        values = [judge(case.scores > level) for level in levels.tolist()]
        return best_value(levels, np.array(values), lower=lower, to_find=len(case.events) > 0)

    @property
    def sweeps(self) -> bool:
        """Whether all thresholds are known from one sort; else the oracle tries a grid."""
        return self.parts.counting is not None and self.parts.counting.sweeps

    @property
    def has_receipt(self) -> bool:
        """Whether the value is a measure of masses that entries can explain."""
        return self.parts.counting is not None and self.row.needs == "flags"

    @property
    def resamples(self) -> bool:
        """Whether the rows of its ledger may be drawn again: not those of a median or a maximum."""
        return self.has_receipt and bool(self.parts.counting and self.parts.counting.resamples)

    def has_rows(self, case: Any) -> bool:
        """Whether the rows of its ledger carry evidence.

        Of alerts nobody knows how much the best threshold flatters.
        """
        return self.resamples and (case.tells_optimism or not self.oracle)

    def flags(self, case: Case) -> tuple[Flags, float | None, ChosenBy]:
        """Flag the points above the metric's threshold; positions need none."""
        if self.oracle:
            level = self.reading(case).at
            own = replace(self.at, at=level) if isinstance(self.at, Policy) else level
            flags, *_ = replace(self, oracle=False).with_settings(at=own).flags(case)
            return flags, level, "oracle"
        if isinstance(self.at, Policy):
            metric, case = self.apply_policy(case)
            flags, at, chosen_by = metric.flags(case)
            return flags, at, "rule" if isinstance(self.at.at, Rule) else chosen_by
        return self._flagged(self._fitting(case))

    def _flagged(self, case: Case) -> tuple[Flags, float | None, ChosenBy]:
        """The same of a case that fits, by a threshold or a rule."""
        if isinstance(self.at, Rule) and len(case.parts) > 1:
            return np.concatenate([self.flags(part)[0] for part in case.parts]), None, "rule"
        if self.at is not None:
            by_rule = isinstance(self.at, Rule)
            at = self.at(case) if isinstance(self.at, Rule) else self.at
            return case.flagged(at), at, "rule" if by_rule else "given"
        if not case.is_flags:
            refuse_two_values(case.judged_scores, str(self))
            raise InputError(
                f"{self} has one value per threshold, and scores are not 0/1 flags; give "
                f"at=<threshold> (--at X), or best({self}) for the best in hindsight (--best)"
            )
        return case.alarms if self.row.positions else case.flags, None, "given"

    def asks_which_channel(self, case: Case) -> bool:
        """Whether it looks at which channels alarm, of a case that names them."""
        return self.row.channels and case.channels is not None

    def fits(self, case: Case) -> None:
        """Refuse a case that can have no value by this metric, and say the way out."""
        if isinstance(self.at, Policy) and len(case.parts) > 1:
            raise InputError(f"{self.at} must have scores or flags, got several channels")
        case.refuse_threshold(self.at)
        if not self.across and not self.row.channels and len(case.parts) > 1:
            raise InputError(
                f"{self} judges one channel; write any_channel({self}), micro({self}) or "
                f"macro({self})"
            )
        if case.events.changes is not None and not self.row.positions:
            raise InputError(
                f"{self.name} judges points, and changes have no length; use a metric of "
                "positions such as change_f1, or give changes a window: "
                "changes.windows(before=..., after=...)"
            )
        if self.oracle and case.is_positions:
            raise InputError(f"{self} needs scores: positions have no threshold to choose")

    def _fitting(self, case: Case) -> Case:
        """The case as the metric takes it: of positions only those that its adjustment picks."""
        self.fits(case)
        return self.on(case.events).parts.adjust.picked(case) if self.row.positions else case

    def on(self, events: Events) -> Metric:
        """The metric with its durations as points of the clock; itself if it has none."""
        changed = self.settings and in_points(dict(self.settings), self.row.lengths, events)
        return self.with_settings(**changed) if changed else self

    def resolved(self, events: Events) -> Metric:
        """Write out the settings that depend on the labels; each channel has its own."""
        if self.across == "macro":
            return self
        mine, apply_policy = self.parts.adjust, self.parts.adjust.resolved(events)
        changed = {key: v for key, v in vars(apply_policy).items() if v != vars(mine)[key]}
        return self.with_settings(**changed) if changed else self

    def resolved_spec(self, events: Events) -> str:
        """Print the metric as results do: resolved, with what a reader must know."""
        return self.resolved(events).spec(self.row.always_shown)

    def spec(self, always: tuple[str, ...] = ()) -> str:
        """Print the settings that differ from the defaults, and those that must always show."""
        given = dict(self.settings)
        every = {**self.row.parameters, **given}
        made = getattr(self.parts.adjust, "__dict__", {})  # another setting may stand for a default
        shown = {
            key: value
            for key, value in every.items()
            if key in given or (key in always and made.get(key, value) == value)
        }
        if self.at is not None:
            shown["at"] = self.at
        text = call_text(self.name, settings=shown)
        chosen = {} if self.sweeps else {"thresholds": self.thresholds}
        if self.oracle and self.each:
            text = call_text("best", (Call(text),), chosen)
        if self.across:
            text = call_text(self.across, (Call(text),))
        if self.oracle and not self.each:
            text = call_text("best", (Call(text),), chosen)
        return text

    def layout(self) -> Layout:
        """Lay out what it is, and its settings."""
        row, given = self.row, dict(self.settings)
        rows = [(name, str(given.get(name, usual))) for name, usual in row.parameters.items()]
        tables = (Table.of_texts(["setting", "value"], rows),) if rows else ()
        ends = "From {:g} to {:g}".format(*row.range)
        notes = (f"{ends}; {row.better} is better.", *filter(None, [row.reference]))
        return Layout(tables, notes, (), (f"{self}: {row.title}", row.definition))

    def __str__(self) -> str:
        """Print the spec."""
        return self.spec()

    __repr__ = __str__

    @property
    def __name__(self) -> str:
        """The name a function would have."""
        across = f"{self.across}_" * bool(self.across)
        return f"best_{across}{self.name}" if self.oracle else f"{across}{self.name}"


def _one(
    labels: Column, scores: Column, channels: Any, subsystem: Any, how: ChannelReading
) -> ChannelCase:
    cases = channel_cases(labels, scores, channels, subsystem, how)
    if len(cases) > 1:
        raise InputError("scores must be from one detector; evaluate(...) judges several")
    return cases[0]


def reordered(at: Any, order: Positions) -> Any:
    """A threshold after all points were put in another order.

    >>> import numpy as np
    >>> from adjudge.measure.thresholds.rules import Top
    >>> reordered(Top(1, on=[1, 0, 0, 1]), np.array([0, 3, 1, 2]))
    top(1, on="0:2")
    """
    rule = None if at is None else threshold(at)
    if isinstance(rule, Policy):
        return replace(rule, at=reordered(rule.at, order))
    if isinstance(rule, Rule) and rule.on is not None:
        return replace(rule, on=rule.on.reordered(order))
    return at


def with_rule_reordered(metric: Metric, order: Positions | None) -> Metric:
    """The same of the threshold that a metric has of its own; None: the points stay in order."""
    if metric.at is None or order is None:
        return metric
    return metric.with_settings(at=reordered(metric.at, order))
