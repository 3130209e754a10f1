"""Scenario: what to simulate, checked once, printable, and kept as TOML.

A scenario tells the two steps of the paper's simulator: the labels (how many events, how wide, how
far apart) and the scores (which events are detected and what else is, which scores such
points carry, and the threshold that marks them). It draws nothing itself; see
`adjudge.lab.simulation.simulator`.

Conventions
-----------
- A range is a number or a pair ``(low, high)``, and both ends belong to it. It is kept as a pair.
- Whole ranges are drawn uniformly over ``low, low + 1, ..., high``.
- A target (precision, recall, coverage, separation) stands instead of the fields it replaces.

Targets: what a simulated result is to reach, and whether it can.

A target for precision, recall or coverage is met by placing detections that outlast the moving
average and stay apart under it. How wide and how far apart they must be follows from the
noise of the scores; targets that leave no room for that are refused before anything is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Self, TypeAlias

import numpy as np

from adjudge.checks import share, suggest_keywords, whole, word
from adjudge.errors import FileError, InputError, UnknownName, shown
from adjudge.settings import Settings, setting

Whole: TypeAlias = int | tuple[int, int]
"""A whole number, or the lowest and the highest."""

Number: TypeAlias = float | tuple[float, float]
"""A number, or the lowest and the highest."""

FAMILIES = ("uniform", "normal", "beta")
KINDS = ("latent", "random", "lagging", "early", "flickering", "one-hit", "all-alarm")

MOST_POINTS = 10**9
_QUANTILE = '; None (in TOML "quantile"): a quantile'
TARGETS = ("precision", "recall", "coverage", "separation")


def span(value: Any) -> tuple[Any, Any]:
    """The two ends of a range; a plain number is both.

    >>> span(3), span((2, 4))
    ((3, 3), (2, 4))
    """
    return value if isinstance(value, tuple) else (value, value)


def _range(value: Any, name: str, check: Any, *rule: Any) -> Any:
    """Check both ends and their order; a number alone is both ends."""
    if not isinstance(value, (tuple, list)):
        return (check(value, name, *rule),) * 2
    if len(value) != 2:
        raise InputError(f"{name} must be a number or a pair (low, high), got {shown(value)}")
    low, high = (check(end, name, *rule) for end in value)
    if low > high:
        raise InputError(
            f"{name} must be a range from low to high, got {shown(value)}; swap the two"
        )
    return low, high


def _number(value: Any, name: str, hint: str = "") -> float:
    plain = value.item() if isinstance(value, np.generic) else value
    number = isinstance(plain, (int, float)) and not isinstance(plain, bool)
    if number and abs(plain) < 1e100:  # NaN is not
        return float(plain)
    raise InputError(f"{name} must be a finite number below 1e100, got {shown(plain)}{hint}")


def _correlation(value: object, name: str) -> float:
    number = _number(value, name)
    if 0 <= number < 1:
        return number
    raise InputError(f"{name} must be at least 0 and below 1, got {shown(number)}")


def _count(value: object, name: str, least: int) -> int:
    count = whole(value, name, least)
    if count <= MOST_POINTS:
        return count
    raise InputError(f"{name} must be at most {MOST_POINTS:,}, got {count:,}")


def _odd(value: object, name: str) -> int:
    points = _count(value, name, 1)
    if points % 2:
        return points
    raise InputError(
        f"{name} must be odd, so that the average is centred, got {points}; "
        f"take {points - 1} or {points + 1}"
    )


def _target(value: object, name: str, *, zero: bool = True) -> float:
    return float(share(value, name, zero=zero))


REPLACED = {
    "precision": ("false_alarms",),
    "recall": ("hits",),
    "coverage": ("hit_widths", "least_coverage"),
    "separation": ("regular", "detected"),
}

_SPREAD = {"uniform": 1 / math.sqrt(12), "normal": 1 / 4, "beta": 1 / math.sqrt(20)}
_CLEAR = 4.0  # standard deviations below the threshold: too few points are marked to matter
_LASTING = 3.0  # standard deviations above the threshold: such a detection leaves a mark
_QUIET = 4.5  # standard deviations below it: among 20,000 points hardly one is marked


def noise(scenario: Scenario) -> float:
    """The standard deviation of the moving average of scores whose range has span one.

    >>> round(noise(Scenario(smoothing=1)), 4), round(noise(Scenario(smoothing=15)), 4)
    (0.2887, 0.0745)
    """
    points = scenario.smoothing
    lags = np.arange(1, points)
    alike = 2 * float(np.sum((points - lags) * scenario.correlation**lags))
    return _SPREAD[scenario.family] * math.sqrt(points + alike) / points


def lasting_width(scenario: Scenario) -> int:
    """The points that a detection needs to outlast the moving average.

    Over a detection of ``k`` points the average rises to ``k / smoothing`` of the way from regular
    to detected scores. That must lie three standard deviations above the threshold; the
    whole window always suffices. Where separation is a target the ranges are not known
    yet, and the whole window is taken.

    >>> lasting_width(Scenario()), lasting_width(Scenario(smoothing=1))
    (11, 1)
    """
    if scenario.separation is not None:
        return scenario.smoothing
    low, high = span(scenario.regular)
    floor, top = span(scenario.detected)
    rise = (floor + top - low - high) / 2
    above = _mark(scenario) + _LASTING * noise(scenario) * max(high - low, top - floor)
    needed: int = math.ceil(scenario.smoothing * (above - (low + high) / 2) / rise)
    return min(needed, scenario.smoothing)


def most_overlap(scenario: Scenario) -> float:
    """The largest ``d`` for which regular points are hardly ever marked.

    Regular scores come from ``(0, 0.25 + d)``, detected ones from ``(0.75 - d, 1)``; the two
    overlap from ``d = 0.25`` on, and are the same but for 0.25 at ``d = 0.5``.

    >>> round(most_overlap(Scenario(separation=0.5)), 3)
    0.5
    >>> round(most_overlap(Scenario(separation=0.5, recall=0.5)), 3)
    0.349
    """
    if not scenario.places_marks:
        return 0.5
    swing = _QUIET * noise(scenario)
    if scenario.family != "normal":  # no average leaves the range
        swing = min(swing, 0.5)
    mark = _mark(scenario)
    return min(max(min(mark, 1 - mark) / (0.5 + swing) - 0.25, 0.0), 0.5)


def room(scenario: Scenario, stretches: Any) -> Any:
    """Count the false detections that fit into stretches of normal points.

    Each keeps ``smoothing`` points away from the stretch's ends and from the next.

    >>> room(Scenario(), np.array([40, 41, 67]))
    array([0, 1, 2])
    """
    widest = max(span(scenario.false_widths)[1], lasting_width(scenario))
    apart = scenario.smoothing
    return np.maximum((stretches - apart) // (widest + apart), 0)


def _mark(scenario: Scenario) -> float:
    return 0.5 if scenario.threshold is None else scenario.threshold


def check_targets(scenario: Scenario) -> None:
    """Refuse targets that contradict another field, or each other."""
    targets = scenario.targets
    if not targets:
        return
    _check_replaced(scenario)
    named = " and ".join(targets)
    if scenario.detector != "latent":
        raise InputError(
            f"detector must be 'latent' where {named} is a target, got {shown(scenario.detector)}"
        )
    if span(scenario.events)[0] < 1:
        raise InputError(f"events must be at least 1 where {named} is a target, got 0")
    if scenario.places_marks:
        _check_threshold(scenario)
        _check_nothing_found(scenario)
        _check_widths(scenario)
        _check_room(scenario)


def _check_replaced(scenario: Scenario) -> None:
    defaults = {field.name: field.default for field in fields(scenario)}
    for target in scenario.targets:
        for name in REPLACED[target]:
            value = getattr(scenario, name)
            if value != defaults[name]:
                raise InputError(
                    f"{name} must be left out where {target} is a target, got {shown(value)}; "
                    "drop one of the two"
                )


def _check_threshold(scenario: Scenario) -> None:
    if scenario.threshold is None:
        raise InputError(
            "threshold must be a number where precision, recall or coverage is a target, got None: "
            "a quantile marks as many points as are anomalous"
        )
    regular, detected = (sum(span(field)) / 2 for field in (scenario.regular, scenario.detected))
    if not regular < scenario.threshold < detected:
        raise InputError(
            "threshold must lie between the middles of regular and detected where precision, "
            f"recall or coverage is a target, got {shown(scenario.threshold)} for {regular!r} and "
            f"{detected!r}"
        )
    if scenario.separation is None:
        _check_noise(scenario, scenario.threshold)


def _check_noise(scenario: Scenario, threshold: float) -> None:
    """Refuse regular scores that the noise lifts over the threshold, detected ones it drowns."""
    _, highest = _swing(scenario, scenario.regular, _CLEAR)
    lowest, _ = _swing(scenario, scenario.detected, _LASTING)
    seen = ""
    if lowest < threshold:
        seen = f"detected points fall to {lowest:.3g}"
    if highest > threshold:
        seen = f"regular points reach {highest:.3g}"
    if seen:
        raise InputError(
            "threshold must keep clear of the noise of regular and detected scores where "
            f"precision, recall or coverage is a target, got {shown(threshold)}: {seen}; "
            "raise smoothing or narrow the ranges"
        )


def _swing(scenario: Scenario, scores: Number, deviations: float) -> tuple[float, float]:
    """How far the moving average of such scores swings to either side."""
    low, high = span(scores)
    middle, swing = (low + high) / 2, deviations * noise(scenario) * (high - low)
    if scenario.family == "normal":
        return middle - swing, middle + swing
    return max(middle - swing, low), min(middle + swing, high)  # no average leaves the range


def _check_nothing_found(scenario: Scenario) -> None:
    """Refuse no found event (recall 0, or no true run: precision 0) beside what needs one."""
    needs = {
        "precision": (scenario.precision or 0) > 0,
        "recall": (scenario.recall or 0) > 0,
        "coverage": scenario.coverage is not None,
        "hits": scenario.hits is not None and span(scenario.hits)[1] > 0,
    }
    named = " and ".join(name for name, needed in needs.items() if needed)
    for name in ("recall", "precision"):
        if getattr(scenario, name) == 0 and named:
            raise InputError(
                f"{name} must be above 0 where {named} asks for events found, got 0; "
                "drop one of the two"
            )


def _check_widths(scenario: Scenario) -> None:
    """Refuse detections that the moving average would wipe out or melt into one."""
    least, (narrowest, widest) = lasting_width(scenario), span(scenario.widths)
    fix = f"lower smoothing, {scenario.smoothing}, or the noise of the scores"
    if narrowest < least:
        raise InputError(
            f"widths must be at least {least} points where precision, recall or coverage is a "
            f"target, got {narrowest}: shorter detections are smoothed away; {fix}"
        )
    middle = (narrowest + widest) / 2
    if scenario.coverage is not None and scenario.coverage * middle < least:
        raise InputError(
            f"coverage must leave at least {least} points of an event of mean width, got "
            f"{scenario.coverage!r} of {middle:g}: fewer are smoothed away; {fix}, or raise widths"
        )
    if span(scenario.gaps)[0] < scenario.smoothing:
        raise InputError(
            f"gaps must be at least the smoothing, {scenario.smoothing}, where precision, recall "
            f"or coverage is a target, got {span(scenario.gaps)[0]}: marks would melt into one"
        )


def _check_room(scenario: Scenario) -> None:
    """Refuse a precision that the roomiest series has too few normal points for."""
    if not scenario.precision:
        return
    fewest, most = span(scenario.events)
    events = np.arange(fewest, most + 1)
    found = np.maximum(1, np.rint((scenario.recall or 0) * events))
    if scenario.hits is not None:
        found = np.maximum(1, span(scenario.hits)[0])
    false = (events + 1) * room(scenario, span(scenario.gaps)[1])
    lowest = float(np.min(found / (found + false)))
    if scenario.precision < lowest:
        raise InputError(
            f"precision must be at least {lowest:.2g}, got {shown(scenario.precision)}: no more "
            f"false detections fit into gaps of {span(scenario.gaps)[1]} points; raise gaps"
        )


@suggest_keywords("Scenario")
@dataclass(frozen=True, repr=False)
class Scenario(Settings):
    """What to simulate.

    Parameters
    ----------
    events : whole range
        Number of events.
    widths : whole range
        Points of an event.
    gaps : whole range
        Normal points before the first event, between two, and after the last.
    severity : range, optional
        A number per event (`Events.severity`). With it the scores of a detected event rise:
        the mildest draws from the lower half of `detected`, the most severe from the upper half.
    hits : whole range, optional
        How many events are detected. None: any number from 0 to one less than there are events.
    hit_widths : whole range
        Points of a true detection, which starts anywhere in its event and may outlast it.
    guard : whole
        Points of a detection that must lie inside its event or gap for it to count. Every one has
        its first point there, so 1 drops none.
    least_coverage, tries : share, whole
        True detections are drawn up to `tries` times, until the least covered share among the
        detected events reaches `least_coverage`; if none does, the best draw is kept.
    false_alarms, false_widths : whole range
        How many false detections, and their points; they start at any normal point.
    regular, detected : range
        Scores of points outside and inside the detections, before the moving average.
    family : {"uniform", "normal", "beta"}
        How scores spread over ``(low, high)``: uniform; normal around the middle, a quarter of the
        span as standard deviation (so about 5 % lie outside); beta(2, 2) scaled to it.
    correlation : float
        Lag-1 correlation, in [0, 1), of the Gaussian noise behind the draws. Each score keeps
        its family; only neighbours become alike.
    smoothing : int
        Points of the centred moving average, an odd number; beyond the ends lie zeros. 1: none.
    threshold : float, optional
        A point is marked when ``score > threshold``. None: the quantile of the scores at one minus
        the share of anomalous points (not with "all-alarm", which would not be one).
    detector : {"latent", "random", "lagging", "early", "flickering", "one-hit", "all-alarm"}
        "latent" is the paper's; the others imitate a habit, see `adjudge.lab.simulation.simulator`.
    lag : int
        Points by which the true detections of "lagging" and "early" are moved.
    precision, recall, coverage, separation : share, optional
        Targets for the marked result, at event level. Each stands instead of other fields:
        `false_alarms`; `hits`; `hit_widths` and `least_coverage`; `regular` and `detected`.

    Examples
    --------
    >>> Scenario(events=5, gaps=(100, 200))
    Scenario(events=5, gaps=(100, 200))
    >>> Scenario(events=5).events
    (5, 5)
    >>> Scenario(widths=(20, 10))
    Traceback (most recent call last):
    adjudge.errors.InputError: widths must be a range from low to high, got (20, 10); swap the two
    """

    events: Whole = setting((10, 23), _range, _count, 0)
    widths: Whole = setting((50, 99), _range, _count, 1)
    gaps: Whole = setting((200, 999), _range, _count, 1)
    severity: Number | None = setting(None, _range, _number)
    hits: Whole | None = setting(None, _range, _count, 0)
    hit_widths: Whole = setting((10, 24), _range, _count, 1)
    guard: int = setting(1, _count, 1)
    least_coverage: float = setting(0.3, share, zero=True)
    tries: int = setting(5, _count, 1)
    false_alarms: Whole = setting((0, 19), _range, _count, 0)
    false_widths: Whole = setting((2, 4), _range, _count, 1)
    regular: Number = setting((0.0, 0.5), _range, _number)
    detected: Number = setting((0.5, 1.0), _range, _number)
    family: str = setting("uniform", word, FAMILIES)
    correlation: float = setting(0.0, _correlation)
    smoothing: int = setting(15, _odd)
    threshold: float | None = setting(0.5, _number, _QUANTILE, none=True)
    detector: str = setting("latent", word, KINDS)
    lag: int = setting(20, _count, 0)
    precision: float | None = setting(None, _target)
    recall: float | None = setting(None, _target)
    coverage: float | None = setting(None, _target, zero=False)
    separation: float | None = setting(None, _target)

    def __post_init__(self) -> None:
        """Check every field, then how they fit together."""
        super().__post_init__()
        _check_labels(self)
        _check_all_alarm(self)
        check_targets(self)

    @property
    def targets(self) -> dict[str, float]:
        """The targets that are asked for.

        >>> Scenario(recall=0.5, coverage=0.8).targets
        {'recall': 0.5, 'coverage': 0.8}
        """
        return {name: getattr(self, name) for name in TARGETS if getattr(self, name) is not None}

    @property
    def places_marks(self) -> bool:
        """Whether a target says which runs are to be marked (separation alone does not)."""
        return any(name != "separation" for name in self.targets)

    @classmethod
    def from_toml(cls, text: str) -> Self:
        r"""Read a scenario from TOML: the fields by name, ranges as a number or ``[low, high]``.

        ``threshold = "quantile"`` stands for None, which TOML does not have.

        >>> Scenario.from_toml("events = 5\ngaps = [100, 200]")
        Scenario(events=5, gaps=(100, 200))
        """
        import tomllib  # noqa: PLC0415 - only where a file is read

        if not isinstance(text, str):
            raise InputError(f"scenario must be the text of a TOML file, got {shown(text)}")
        try:
            given = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise FileError(f"scenario must be TOML, got a syntax error: {error}") from None
        except RecursionError:
            raise FileError("scenario must be TOML, got brackets within brackets") from None
        known = [field.name for field in fields(cls)]
        for name in given:
            if name not in known:
                near = get_close_matches(name, known)
                hint = "" if near else f"it has {', '.join(known)}"
                raise UnknownName("field of a scenario", name, known, hint)
        if given.get("threshold") == "quantile":
            given["threshold"] = None
        return cls(**given)

    def to_toml(self) -> str:
        """Write every field that has a value, one per line; `from_toml` reads it back.

        >>> print(Scenario(events=5, threshold=None).to_toml().splitlines()[0])
        events = 5
        >>> Scenario.from_toml(Scenario(threshold=None).to_toml())
        Scenario(threshold=None)
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["threshold"] = "quantile" if self.threshold is None else self.threshold
        lines = (f"{key} = {_as_toml(value)}" for key, value in values.items() if value is not None)
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        """Show what differs from the defaults, as Python that makes the same scenario."""
        given = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                given.append(f"{field.name}={_plain(value)!r}")
        return f"Scenario({', '.join(given)})"


def _check_labels(scenario: Scenario) -> None:
    """Refuse labels that cannot be drawn."""
    (fewest, most), hits = span(scenario.events), scenario.hits
    if hits is not None and span(hits)[1] > fewest:
        raise InputError(
            f"hits must be at most the smallest number of events, {fewest}, "
            f"got {span(hits)[1]}; raise events or lower hits"
        )
    points = most * span(scenario.widths)[1] + (most + 1) * span(scenario.gaps)[1]
    if points > MOST_POINTS:
        raise InputError(
            f"events must fit in {MOST_POINTS:,} points, got up to {points:,}; "
            "lower events, widths or gaps"
        )
    points = span(scenario.false_alarms)[1] * span(scenario.false_widths)[1]
    points += scenario.tries * most * span(scenario.hit_widths)[1]
    if points > MOST_POINTS:
        raise InputError(
            f"detections must fit in {MOST_POINTS:,} points over all tries, got up to {points:,}; "
            "lower false_alarms, false_widths, hit_widths or tries"
        )


def _check_all_alarm(scenario: Scenario) -> None:
    """Refuse a quantile that would leave an alarm everywhere at the anomalous share of points."""
    if scenario.detector == "all-alarm" and scenario.threshold is None:
        raise InputError(
            "threshold must be a number where detector is 'all-alarm', got None: "
            "a quantile marks only as many points as are anomalous"
        )


def _plain(value: Any) -> Any:
    """A range of one value as that value."""
    return value[0] if isinstance(value, tuple) and value[0] == value[1] else value


def _as_toml(value: Any) -> str:
    value = _plain(value)
    return str(list(value)) if isinstance(value, tuple) else repr(value).replace("'", '"')
