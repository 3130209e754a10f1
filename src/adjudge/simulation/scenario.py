"""Scenario: what to simulate, checked once, printable, and kept as TOML.

A scenario tells the two steps of the paper's simulator: the labels (how many events, how wide, how
far apart) and the scores (which events are detected and what else is, which scores such
points carry, and the threshold that marks them). It draws nothing itself; see
`adjudge.simulation.simulator`.

Conventions
-----------
- A range is a number or a pair ``(low, high)``, and both ends belong to it. It is kept as a pair.
- Whole ranges are drawn uniformly over ``low, low + 1, ..., high``.
- A target (precision, recall, coverage, separation) stands instead of the fields it replaces.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Self

from adjudge._text import shown as said
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.simulation.scenario_fields import MOST_POINTS, ScenarioFields, span
from adjudge.simulation.targets import check_targets


@dataclass(frozen=True, kw_only=True, repr=False)
class Scenario(ScenarioFields):
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
        "latent" is the paper's; the others imitate a habit, see `adjudge.simulation.simulator`.
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

    def __post_init__(self) -> None:
        """Check every field, then how they fit together."""
        super().__post_init__()
        _check_labels(self)
        _check_all_alarm(self)
        check_targets(self)

    @classmethod
    def from_toml(cls, text: str) -> Self:
        r"""Read a scenario from TOML: the fields by name, ranges as a number or ``[low, high]``.

        ``threshold = "quantile"`` stands for None, which TOML does not have.

        >>> Scenario.from_toml("events = 5\ngaps = [100, 200]")
        Scenario(events=5, gaps=(100, 200))
        """
        import tomllib  # noqa: PLC0415 - only where a file is read

        if not isinstance(text, str):
            raise InputError(f"scenario must be the text of a TOML file, got {said(text)}")
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
        shown = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                shown.append(f"{field.name}={_plain(value)!r}")
        return f"Scenario({', '.join(shown)})"


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
