"""Null models: detectors that know nothing of the labels, and what they score.

``null=`` takes one by its name, or any object that keeps the contract `Null`: what such detectors
score, and what their level is. A null model is declared once, by `null_model` above its class;
command line, messages, verdicts and the page ``docs/chance.md`` know it from there.

`chance` is the level by itself: what a null model would have scored on the same labels.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from adjudge.checks import DRAWS, suggest_keywords, whole
from adjudge.count.ledger import flagged_runs
from adjudge.count.points import PointCount
from adjudge.data.case import Case, time_of, truth
from adjudge.data.changes import Changes
from adjudge.data.columns import check_indexes
from adjudge.data.durations import duration, spelt
from adjudge.data.time_settings import Length, in_points, is_duration
from adjudge.data.windows import moving_max
from adjudge.errors import InputError, shown
from adjudge.measure.rates import FBeta
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.assumptions import clause, with_clause
from adjudge.noise.blind_detectors import (
    Shifted,
    White,
    delta_moments,
    exact_moments,
    expected_value,
)
from adjudge.noise.p_values import NullTest, NullValues
from adjudge.noise.shifting.offsets import generator
from adjudge.noise.shifting.rotation import Rotation
from adjudge.noise.shifting.shifted_case import CaseShifts
from adjudge.registry import Registry
from adjudge.tables.result_fields import EqualFields

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Column, Floats, Positions
    from adjudge.data.events import Events
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask
    from adjudge.noise.blind_detectors import MeanAndSpread
    from adjudge.noise.shifting.turning import Turning

_EXACT_WORK = 1_000_000  # points times island width up to which moments are computed exactly
_DRAWS = 400
_NO_SCORES = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Chance(EqualFields):
    """What a null model scores.

    Attributes
    ----------
    expected : float
        The measure of the expected masses (a ratio of expectations); NaN where not known. Of
        null models other than shifts and noise of a rate: the level that they give.
    mean, sd : float
        The expectation of the value itself, and its standard deviation.
    method, null : str
        How mean and sd were found (exact, delta method, or simulated), and the null model.
    draws, standard_error : int, float
        How many were drawn, when simulated, and the standard error of the mean.

    Examples
    --------
    >>> import adjudge as aj
    >>> found = aj.chance([0, 0, 1, 1, 0, 0], "f1", rate=0.5)
    >>> round(found.level, 3), found.null
    (0.4, 'white noise, rate 0.5')
    """

    expected: float
    """The metric of the expected counts (a ratio of means), or the level that a null model gives;
    NaN where neither is known."""
    mean: float
    """The mean of the value itself."""
    sd: float
    """Its standard deviation."""
    method: str
    """How mean and sd were found: exact, delta method, or simulated."""
    null: str
    """The null model, by name."""
    draws: int = 0
    """How many were drawn, when simulated."""
    standard_error: float = 0.0
    """Of the mean, when simulated."""

    @property
    def level(self) -> float:
        """The number to hold a score against: expected where known, else the mean."""
        return self.mean if np.isnan(self.expected) else self.expected


@suggest_keywords("chance")
def chance(
    labels: Column,
    metric: str | Metric = "f1_ba",
    *,
    like: Column = None,
    rate: float | None = None,
    null: str | Null | None = None,
    period: Any = None,
    at: Any = None,
    series: Column = None,
    where: Column = None,
    draws: int | None = None,
    seed: int = 0,
) -> Chance:
    """The chance level of a metric: what an uninformed detector scores on the same labels.

    Parameters
    ----------
    labels : column or Events
        The truth.
    metric : spec or Metric
        What is scored.
    like : column
        A detector's flags (or scores, with ``at=`` or for a metric over all thresholds): the null
        is *the same alarms, shifted*, or what `null` says.
    rate : float
        Instead of ``like``: *white noise*, a flag at each point independently with this
        probability (uniform scores, for a metric over all thresholds).
    null : name or null model
        With whom ``like`` is compared, as in `adjudge.evaluate`. Default: "shifted".
    period : int, optional
        The period of ``null="seasonal"``, in points.
    at : number or rule
        Threshold of the scores in ``like``.
    series, where : column, optional
        See `adjudge.Case`.
    draws, seed : int
        For what is simulated. Default: all shifts where that is little work, else 199 or more;
        400 draws of white noise.

    Returns
    -------
    Chance
        The expected value, its mean and its spread; ``.level`` is what to hold a score against.

    Raises
    ------
    InputError
        If neither or both of ``like`` and ``rate`` are given, `null` is another than "white" beside
        ``rate``, or columns do not fit together.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.repeat([0, 1, 0, 1, 0], 100)
    >>> print(f'{chance(labels, "f1_pa", rate=0.05).expected:.3f}')  # of noise!
    0.961
    >>> print(f'{chance(labels, "f1_ba", rate=0.05).expected:.3f}')  # an always-on alarm: 0.571
    0.576
    """
    asked = read_metric(metric).with_default_threshold(at)
    draws = draws if draws is None else whole(draws, "draws", 1, DRAWS)
    if (like is None) == (rate is None):
        raise InputError(
            "chance needs exactly one of like=flags (the same alarms, shifted) and rate=p "
            f"(white noise), got {'neither' if like is None else 'both'}"
        )
    if rate is None:
        model = read_null("shifted" if null is None else null, period)
        case = Case(labels, like, series=series, where=where)
        asked, case = asked.apply_policy(case)
        return _chance_like(model, asked.on(case.events), CaseShifts(case), draws, seed)
    if null is not None and not isinstance(read_null(null), WhiteNull):
        raise InputError(
            f"null must be 'white' with rate=, got {shown(null)}; use like=flags for others"
        )
    check_indexes(labels=labels, series=series, where=where)
    time = time_of(None, _NO_SCORES, labels, series)
    events = truth(labels, _NO_SCORES, series=series, where=where, time=time)
    white, asked = White(rate), asked.on(events)
    known = _known_moments(asked, events, white)
    return known or chance_of_noise(
        asked, events, white, noise_values(asked, events, white, draws or _DRAWS, seed)
    )


def _chance_like(
    model: Null, metric: Metric, shifting: CaseShifts, draws: int | None, seed: int
) -> Chance:
    """The chance level of a detector by any null model."""
    null = model.values(metric, shifting, draws, seed)
    if isinstance(model, ShiftedNull):
        return _of_values(shifting.expected(metric), null, metric, shifting.case, Shifted.name)
    level = model.level(metric, shifting, null)
    return _of_values(level, null, metric, shifting.case, model.name)


def _of_values(expected: float, null: NullValues, metric: Metric, case: Case, name: str) -> Chance:
    """The chance level of values; where these are all, the detector's own is among them."""
    if not null.exact:
        return _simulated(expected, null.values, name, metric)
    values = np.append(null.values, metric.reading(case).value)
    defined = values[np.isfinite(values)]
    sd = float(defined.std()) if defined.size else np.nan
    return Chance(expected, metric.row.mean(values), sd, "exact", name)


def chance_of_noise(metric: Metric, events: Events, null: White, values: Floats) -> Chance:
    """The chance level under white noise, from values that were drawn."""
    expected = expected_value(metric, events, null) if metric.at_one_threshold else np.nan
    return _simulated(expected, values, null.name, metric)


def noise_values(metric: Metric, events: Events, null: White, draws: int, seed: int) -> Floats:
    """What white noise scores, draw by draw."""
    rng = generator(seed)
    return np.array([_drawn(metric, events, null, rng) for _ in range(draws)])


def _known_moments(metric: Metric, events: Events, null: White) -> Chance | None:
    """Level, mean and spread where no draw is needed."""
    moments = _moments(metric, events, null.rate) if metric.at_one_threshold else None
    if moments is None:
        return None
    (mean, sd), method = moments
    return Chance(expected_value(metric, events, null), mean, sd, method, null.name)


def _moments(metric: Metric, events: Events, rate: float) -> tuple[MeanAndSpread, str] | None:
    """Exact or approximate moments of F where one hit marks an event, islands on normal points."""
    measure, adjust, count = metric.parts
    marking = adjust.marking_on(events)
    if not isinstance(measure, FBeta) or not isinstance(count, PointCount) or not len(events):
        return None
    if marking is None or not marking.is_by_one_hit(events):
        return None
    width = marking.island
    if events.n * width <= _EXACT_WORK:
        return exact_moments(events, rate, width, measure.beta), "exact"
    return delta_moments(events, rate, width, measure.beta), "delta method"


def _drawn(metric: Metric, events: Events, null: White, rng: np.random.Generator) -> float:
    if not metric.at_one_threshold:
        return metric.reading(Case(events, rng.random(events.n))).value
    alarms: Any = null.draw(events, rng)
    if metric.row.positions:
        alarms = _anywhere(events, null.rate, rng)
    return metric.with_settings(at=None).reading(Case(events, alarms)).value


def _anywhere(events: Events, rate: float, rng: np.random.Generator) -> Changes:
    """Alarms at so many different positions, each as likely as any other."""
    judged = np.arange(events.n) if events.judged is None else np.flatnonzero(events.judged)
    count = min(round(rate * judged.size), judged.size)
    return Changes(np.sort(rng.choice(judged, count, replace=False)), events.n)


def _simulated(expected: float, values: Floats, null: str, metric: Metric) -> Chance:
    defined = values[np.isfinite(values)]
    if not defined.size:
        return Chance(expected, np.nan, np.nan, "simulated", null, values.size, np.nan)
    sd = float(defined.std(ddof=1)) if defined.size > 1 else np.nan
    error = sd / defined.size**0.5
    mean = metric.row.mean(values)
    return Chance(expected, mean, sd, "simulated", null, values.size, error)


@runtime_checkable
class Null(Protocol):
    """A detector that is blind to the labels."""

    name: str
    """What results call it."""

    @abstractmethod
    def values(
        self, metric: Metric, shifting: Turning, shifts: int | None, seed: int
    ) -> NullValues:
        """What such detectors score on the same labels.

        Parameters
        ----------
        metric : Metric
            What is scored, with its threshold.
        shifting : Turning
            The case of the detector that is compared with them (``shifting.case``), and its shifts.
        shifts : int, optional
            How many to make; None: as many as are worth it.
        seed : int
            The same seed gives the same values.

        Returns
        -------
        NullValues
            The values, the detector's own left out, and whether these are all there are.
        """

    def level(
        self,
        metric: Metric,
        shifting: Turning,  # noqa: ARG002 - some look at it
        null: NullValues,
    ) -> float:
        """The number to compare a value with: the values' mean, where no better one is known."""
        return metric.row.mean(null.values) if math.isnan(null.level) else null.level


class NullModel(Null):
    """A null model that may have a name: see `null_model`, which sets what is declared here."""

    name: str = ""
    words: str = ""
    """What a verdict calls it: "the same alarms at other times score 0.2"."""
    assumes: str = ""
    """What makes its p-value true, in a clause (`adjudge.noise.assumptions`)."""
    joint: bool = False
    """Whether a detector must do better than this one too, whichever null was asked for, to be
    called better than chance."""
    takes_period: bool = False
    """Whether it is made with the ``period=`` of a call."""

    def tested(
        self,
        metric: Metric,
        shifting: Turning,
        value: float,
        ask: Ask,
        null: NullValues | None = None,
    ) -> NullTest:
        """Hold a value against such detectors: by their values, where no better test is known."""
        known = self.values(metric, shifting, ask.shifts, ask.seed) if null is None else null
        return NullTest.of(value, known, metric.row.better)


def _check(name: str, kind: Any) -> None:
    if not (isinstance(kind, type) and issubclass(kind, NullModel) and kind.name and kind.words):
        raise InputError(
            f"null model {name!r} must be a class below NullModel that null_model declares, got "
            f"{shown(kind)}"
        )


NULLS: Registry[type[NullModel]] = Registry(
    "null model",
    "adjudge.nulls",
    check=_check,
    text=lambda name, kind: f"{name} ({kind.words})",
)
"""The null models by the names that ``null=`` takes."""
Kind = TypeVar("Kind", bound=NullModel)


def null_model(
    name: str, sentence: str, *, words: str, joint: bool = False, takes_period: bool = False
) -> Callable[[type[Kind]], type[Kind]]:
    """Declare a null model: the class below gets its words, and ``null=`` takes its name.

    Parameters
    ----------
    name : str
        What ``null=`` takes.
    sentence, words, joint, takes_period
        Name, words, joint and takes_period of `NullModel`.
    """

    def declared(kind: type[Kind]) -> type[Kind]:
        kind.name, kind.words, kind.joint = sentence, words, joint
        kind.assumes = clause(name)
        kind.takes_period = takes_period
        NULLS.add(name, kind)
        return kind

    return declared


class TurnedNull(NullModel):
    """The detector's own alarms, turned: which parts of a line turn is what differs."""

    def turning(self, shifting: Turning) -> Turning:
        """The alarms as they turn here."""
        return shifting

    def values(
        self, metric: Metric, shifting: Turning, shifts: int | None, seed: int
    ) -> NullValues:
        """What the alarms score at such places."""
        return self.turning(shifting).values(metric, shifts, seed)

    def tested(
        self,
        metric: Metric,
        shifting: Turning,
        value: float,
        ask: Ask,
        null: NullValues | None = None,
    ) -> NullTest:
        """How often the alarms score as much there: exactly, or until it is decided."""
        return self.turning(shifting).tested(metric, value, ask, null)


@null_model(
    "shifted", "the same alarms, shifted", words="the same alarms shifted in time", joint=True
)
class ShiftedNull(TurnedNull):
    """The detector's own alarms at any other place: every one is as likely as any other.

    >>> ShiftedNull().name
    'the same alarms, shifted'
    """

    def level(self, metric: Metric, shifting: Turning, null: NullValues) -> float:
        """The chance level: from expected counts where they are known, else the mean."""
        return shifting.level(metric, null)


@null_model(
    "nearby",
    "the same alarms, shifted nearby",
    words="the same alarms shifted nearby",
    joint=True,
)
class NearbyNull(TurnedNull):
    """The detector's own alarms, each tenth of a series turned in a circle of its own.

    Where events lie late in a series and alarms become more frequent towards its end, alarms that
    know nothing score better at home than elsewhere. Turned within their tenth they stay in their
    part of the series, and still lose their tie to the single events.
    """

    def turning(self, shifting: Turning) -> Turning:
        """The alarms as they turn nearby."""
        return shifting.nearby


_WHITE_DRAWS = 199


@null_model("white", "white noise of the same rate", words="as many random flags")
class WhiteNull(NullModel):
    """White noise of the detector's own rate; uniform scores, for areas and ``best(...)``.

    It is the null model of the paper's theorems. Real alarms come in runs, and as many
    separate points hit more events: beside it real detectors look worse than they are.
    """

    def values(
        self, metric: Metric, shifting: Turning, shifts: int | None, seed: int
    ) -> NullValues:
        """What noise scores."""
        draws = _WHITE_DRAWS if shifts is None else whole(shifts, "shifts", 1, DRAWS)
        white = White(_rate(metric, shifting))
        drawn = noise_values(metric, shifting.case.events, white, draws, seed)
        return NullValues(drawn, exact=False)

    def level(self, metric: Metric, shifting: Turning, null: NullValues) -> float:
        """The chance level: from expected counts where they are known, else the mean."""
        events, white = shifting.case.events, White(_rate(metric, shifting))
        return chance_of_noise(metric, events, white, null.values).level


@null_model(
    "seasonal",
    "the same alarms, shifted by whole periods",
    words="the same alarms shifted by whole periods",
    takes_period=True,
)
class SeasonalNull(TurnedNull):
    """The detector's own alarms, each series shifted by whole periods: days, weeks, cycles.

    Where events come by day and alarms too, alarms that know nothing else score better at home than
    at night. Shifted by whole days they keep their hour, and lose their tie to the single events.

    Parameters
    ----------
    period : int or duration
        The length of a period: points, or a duration such as "1d" where times are known.

    Examples
    --------
    >>> SeasonalNull("1d").period
    '1d'
    """

    def __init__(self, period: Any = None) -> None:
        if period is None:
            raise InputError(
                "null 'seasonal' needs period=: points, or a duration such as '1d' with time="
            )
        timed = is_duration(period)
        self.period: int | str = (
            spelt(duration(period, "period")) if timed else whole(period, "period", 2)
        )
        self.name = f"{type(self).name} ({self.period})"

    def turning(self, shifting: Turning) -> Turning:
        """The alarms as they turn by whole periods."""
        shifts = cast("CaseShifts", shifting)  # alerts have no points, and are refused before
        events = shifts.case.events
        if events.judged is not None:
            raise InputError(
                "null 'seasonal' needs every point judged: left-out points (where=, missing "
                "scores) would move alarms to other hours"
            )
        own = {"period": self.period}
        points = (own | in_points(own, {"period": Length("exact", uneven=False)}, events))["period"]
        return shifts.seasonal(points)


@null_model(
    "periodic",
    "evenly spaced alarms",
    words="as many evenly spaced alarms",
)
class PeriodicNull(NullModel):
    """An alarm every N points: as many as the detector's own, as long as those on average.

    Where events lie close, such alarms find many of them. Of areas and ``best(...)`` there is no
    number of alarms: there are then as many as there are events, of one point each. The values are
    those of all places at which the first alarm may be, or of fifty of them.

    >>> PeriodicNull().name
    'evenly spaced alarms'
    """

    def values(
        self,
        metric: Metric,
        shifting: Turning,
        shifts: int | None,
        seed: int,  # noqa: ARG002 - nothing is drawn
    ) -> NullValues:
        """What alarms at equal distances score."""
        from adjudge.noise.position_shifts import phases  # noqa: PLC0415 - few need it

        case, circles = shifting.case, Rotation(shifting.case.events)
        alarms, count = _periodic(metric, case, circles)
        lengths = circles.lengths
        turns = phases(max(1, int(lengths.sum()) // max(count, 1)))[:shifts]
        by = turns[:, np.newaxis] % np.maximum(lengths, 1)
        scored = case.of_same_kind(case.events, alarms)
        on_flags = metric.with_settings(at=None) if metric.at is not None else metric
        way, _ = CaseShifts(scored).way(on_flags)
        return NullValues(way.values(by), exact=False)


@null_model(
    "renamed",
    "the same alarms, channels renamed",
    words="the same alarms with channel names shuffled",
)
class RenamedNull(NullModel):
    """The detector's own alarms at their own times, the names of the channels permuted.

    What a detector scores that knows when, and nothing of where: for metrics of channels and
    causes alone. All orders of up to seven channels are made, else 999 are drawn. Of causes the
    level is known exactly.

    >>> RenamedNull().name
    'the same alarms, channels renamed'
    """

    def values(
        self, metric: Metric, shifting: Turning, shifts: int | None, seed: int
    ) -> NullValues:
        """What the alarms score under other names."""
        from adjudge.noise.renamed_channels import asks_which, renamed_values  # noqa: PLC0415 - rare

        case = shifting.case
        if not (metric.asks_which_channel(case) and asks_which(metric)):
            raise InputError(
                f"null 'renamed' is about channel names, and {metric} ignores them; use "
                "channels= and metrics such as channel_f1 and cause_hit_rate"
            )
        return renamed_values(metric, case, shifts, seed)

    def level(self, metric: Metric, shifting: Turning, null: NullValues) -> float:
        """The mean over all orders: of causes exactly, else with the own one where all are made."""
        from adjudge.measure.whole.causes import Causes  # noqa: PLC0415 - few need it

        case, measure = shifting.case, metric.parts.measure
        if isinstance(measure, Causes):
            return measure.by_chance(measure.rows(case)[1])
        return _of_values(np.nan, null, metric, case, self.name).mean


_ALIGNED_DRAWS = 999


@null_model(
    "aligned",
    "the same alarms, events at equal age",
    words="the same alarms with events swapped between series of equal age",
)
class AlignedNull(NullModel):
    """The detector's own alarms, and each event in one of the series that reach its last age.

    For series that run until they fail: a score that only knows the age of a machine is better than
    shifted alarms, and no better than this. Up to 999 arrangements are all made, else 999 are
    drawn. Where few series live as long as those that fail late, there are few arrangements, and
    p is never below the inverse of their number.

    >>> AlignedNull().name
    'the same alarms, events at equal age'
    """

    def values(
        self, metric: Metric, shifting: Turning, shifts: int | None, seed: int
    ) -> NullValues:
        """What the alarms score with such events."""
        from adjudge.noise.aligned_events import AgedEvents  # noqa: PLC0415 - few need it

        case: Any = shifting.case
        _refuse_unaligned(metric, case.events)
        aged, most = AgedEvents(case.events), _ALIGNED_DRAWS if shifts is None else shifts
        exact = aged.most <= most
        found = aged.every() if exact else aged.drawn(most, seed)
        if exact:
            found = found[(found != aged.home).any(axis=1)]
        values = [metric.reading(case.with_truth(aged.arranged(one))).value for one in found]
        return NullValues(np.array(values, np.float64), exact=exact)


def _refuse_unaligned(metric: Metric, events: Events) -> None:
    """Refuse what has no age: a single series, positions, channels, points that are left out."""
    several = bool(metric.across) or metric.row.channels
    if metric.row.positions or several or events.series_count == 1:
        raise InputError(
            "null 'aligned' needs several series (series=) with one label per point; it moves "
            "events between series"
        )
    if events.judged is not None or events.gaps is not None:
        raise InputError(
            "null 'aligned' needs every point judged, without gaps in time: the age of an event is "
            "the number of points before it"
        )


def _periodic(metric: Metric, case: Case, circles: Rotation) -> tuple[Positions, int]:
    """Alarms at equal distances, as many and as long as a detector's own, and how many."""
    count, length = max(len(case.events), 1), 1
    if metric.at_one_threshold:
        flags, *_ = metric.flags(case)
        starts, stops = flagged_runs(flags, case.events)
        count = starts.size if flags.dtype == bool else int(flags.sum())
        lengths = (stops - starts) if flags.dtype == bool else np.ones(1)
        length = max(1, round(float(lengths.mean()))) if count else 1
    shares = np.round(count * circles.lengths / circles.lengths.sum()).astype(np.int64)
    from adjudge.noise.position_shifts import alarms_evenly_spaced  # noqa: PLC0415 - few need it

    alarms = alarms_evenly_spaced(circles, shares)
    if length > 1:
        alarms = moving_max(np.minimum(alarms, 1), length - 1, 0, case.events.series_bounds)
    return alarms, count


def _rate(metric: Metric, shifting: Turning) -> float:
    """The share of the judged points that are flagged."""
    if not metric.at_one_threshold:
        return 0.0  # noise is uniform scores then, whatever the rate
    flags, *_ = metric.flags(shifting.case)
    judged = shifting.case.events.judged
    return float(flags.mean() if judged is None else flags[judged].mean())


def read_null(null: Any, period: Any = None) -> Null:
    """Find the null model of a name, or take one as it is.

    >>> read_null("nearby").name
    'the same alarms, shifted nearby'
    >>> read_null("seasonal", 24).name
    'the same alarms, shifted by whole periods (24)'
    """
    if isinstance(null, str) and null in NULLS and NULLS[null].takes_period:
        kind: Any = NULLS[null]
        model: Null = kind(period)
        return model
    if period is not None:
        names = " or ".join(repr(name) for name, one in NULLS.items() if one.takes_period)
        raise InputError(f"period goes with null={names}, got period={shown(period)}")
    if isinstance(null, str) and null in NULLS:
        return NULLS[null]()
    if isinstance(null, Null) and not isinstance(null, type):
        return null
    names = ", ".join(map(repr, NULLS))
    raise InputError(f"null must be one of {names}, or a null model, got {shown(null)}")


def words_of(name: str) -> str:
    """What a verdict calls the null model that results call by a name.

    >>> words_of("white noise of the same rate"), words_of("a coin")
    ('as many random flags', 'a coin')
    """
    kind = _kind_of(name)
    return name if kind is None else kind.words


def assumed_by(name: str, *, apart: bool) -> str:
    """What makes a p-value true by the null model that results call by a name.

    Parameters
    ----------
    name, apart : str, bool
        The name; whether several series shift by offsets of their own.

    Examples
    --------
    >>> assumed_by("the same alarms, shifted by whole periods (24)", apart=False)
    'if alarms are stationary from period to period'
    >>> assumed_by("the same alarms, shifted", apart=True), assumed_by("a coin", apart=True)
    ('if alarms are stationary and series are independent', '')
    """
    kind = _kind_of(name)
    if kind is None:
        return ""
    turns = apart and issubclass(kind, TurnedNull)
    return with_clause(kind.assumes, clause("several clocks")) if turns else kind.assumes


def _kind_of(name: str) -> type[NullModel] | None:
    """The null model that results call by a name; None: it is not declared."""
    names = {name, name.partition(" (")[0]}  # which has its period behind it
    return next((kind for kind in NULLS.values() if kind.name in names), None)
