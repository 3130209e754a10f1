"""The simulator: labels and a detector's scores, drawn as a `Scenario` says.

Two steps, as in the paper. First the labels. Then the scores, in three sub-steps: which points
are detected, unseen (`adjudge.lab.simulation.detector_habits`); a score for every point, higher
where detected, under a moving average; and the marking of what lies above the threshold. Metrics
see the marks, not the detections: the moving average wipes out short ones and may let noise flicker
around the threshold.

Nothing here loops over points or events, and what is drawn depends on the generator alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.checks import is_whole, suggest_keywords
from adjudge.data.case import Case
from adjudge.data.columns import locked
from adjudge.data.events import Events
from adjudge.errors import InputError, shown
from adjudge.lab.simulation.detector_habits import UNSMOOTHED, detect, draw
from adjudge.lab.simulation.scenario import Scenario, most_overlap, span

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats

_GRID = 13
_HALVINGS = 12


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Simulation(Case):
    """A case that knows how it was made.

    Attributes
    ----------
    scenario : Scenario
        What was asked for.
    threshold : float
        What the scores are marked with.
    latent : array of bool
        The detections behind the scores.

    Examples
    --------
    >>> case = simulate(Scenario(events=10, recall=0.7, precision=0.5), rng=0)
    >>> case.achieved["recall"], case.achieved["precision"], case.achieved["false_runs"]
    (0.7, 0.5, 7)
    """

    scenario: Scenario
    threshold: float
    latent: Flags

    def __init__(
        self, scenario: Scenario, events: Events, scores: Floats, threshold: float, latent: Flags
    ) -> None:
        super().__init__(events, scores, name=scenario.detector)
        object.__setattr__(self, "scenario", scenario)
        object.__setattr__(self, "threshold", threshold)
        object.__setattr__(self, "latent", locked(latent))

    @cached_property
    def marks(self) -> Flags:
        """The points whose score lies above the threshold."""
        return locked(self.flagged(self.threshold))

    @cached_property
    def achieved(self) -> dict[str, float]:
        """What the marks and scores are like at event level, whatever was asked for.

        precision, recall, coverage, separation; and the counts events, runs, events_found,
        true_runs, false_runs. Undefined values are NaN.
        """
        from adjudge.lab.simulation.event_profile import attributes  # noqa: PLC0415 - simulating needs none of it
        from adjudge.measure.whole.separation import separation  # noqa: PLC0415 - the same

        rates: dict[str, float] = attributes(self.marks, self.events)._asdict()
        counts = {name: value for name, value in rates.items() if isinstance(value, int)}
        shares = {name: rates[name] for name in ("precision", "recall", "coverage")}
        return {**shares, "separation": separation(self.scores, self.events), **counts}


@suggest_keywords("simulate")
def simulate(scenario: Scenario | None = None, rng: Any = None) -> Simulation:
    """Simulate labels and a detector's scores.

    Parameters
    ----------
    scenario : Scenario, optional
        What to draw. Default: the paper's.
    rng : Generator, int or None
        Where randomness comes from: a NumPy generator, or a seed for one. The same seed gives
        the same case; None gives another one every time.

    Returns
    -------
    Simulation
        A `Case` with the scores and `Events`, and with ``scenario``, ``threshold``, ``marks``,
        ``latent`` and ``achieved``.

    Raises
    ------
    InputError
        If the scenario cannot be drawn, such as events that do not fit between gaps.

    Examples
    --------
    >>> case = simulate(Scenario(events=3, widths=20, gaps=(100, 120), hits=2), rng=1)
    >>> case
    Case(513 points, 3 events, scores from 0.11455 to 0.762139)
    >>> bool(((case.scores > case.threshold) == case.marks).all())
    True
    """
    scenario = Scenario() if scenario is None else scenario
    if not isinstance(scenario, Scenario):
        raise InputError(f"scenario must be a Scenario, got {shown(scenario)}; write Scenario(...)")
    rng = _generator(rng)
    events = draw_events(scenario, rng)
    latent, places, owners = detect(scenario, events, rng)
    shares = lifted(draw_shares(scenario, events.n, rng), places, _level(scenario, events)[owners])
    if scenario.separation is None:
        scores = scored(scenario, latent, shares)
    else:
        scores = _separated(scenario, latent, shares, events, scenario.separation)
    threshold = scenario.threshold
    if threshold is None:
        threshold = float(np.quantile(scores, 1 - events.labels.mean()))
    return Simulation(scenario, events, scores, threshold, latent)


def _generator(rng: Any) -> np.random.Generator:
    seed = is_whole(rng) and rng >= 0
    if rng is None or seed or isinstance(rng, (np.random.Generator, np.random.SeedSequence)):
        return np.random.default_rng(rng)
    raise InputError(f"rng must be a NumPy Generator or a seed, at least 0, got {shown(rng)}")


def draw_events(scenario: Scenario, rng: np.random.Generator) -> Events:
    """Draw the labels: the number of events, then gaps and widths in turn.

    >>> draw_events(Scenario(events=2, widths=3, gaps=5), np.random.default_rng(0))
    Events([5, 8) [13, 16) of 21 points)
    """
    count = int(draw(rng, scenario.events, 1)[0])
    widths = draw(rng, scenario.widths, count)
    gaps = draw(rng, scenario.gaps, count + 1)
    starts = np.cumsum(gaps[:-1] + widths) - widths
    severity = None
    if scenario.severity is not None:
        severity = rng.uniform(*span(scenario.severity), count)
    return Events(starts, starts + widths, int(gaps.sum() + widths.sum()), severity)


def draw_shares(scenario: Scenario, n: int, rng: np.random.Generator) -> Floats:
    r"""Draw for each point where in its score range it lies: 0 is the low end, 1 the high end.

    Correlated draws go through a Gaussian: :math:`g_t = c g_{t-1} + \sqrt{1 - c^2} e_t` is standard
    normal at every point, so :math:`\Phi(g_t)` is uniform, and the family keeps its shape.

    >>> draw_shares(Scenario(), 3, np.random.default_rng(0)).round(2)
    array([0.64, 0.27, 0.04])
    """
    if scenario.family == "uniform" and not scenario.correlation:
        return rng.random(n)
    normal = _autoregressive(rng.standard_normal(n), scenario.correlation)
    if scenario.family == "normal":
        return 0.5 + 0.25 * normal
    from scipy.special import ndtr  # noqa: PLC0415 - only who asks for it pays for it

    uniform: Floats = ndtr(normal)
    # beta(2, 2) has the distribution function 3x^2 - 2x^3, whose inverse is this
    return uniform if scenario.family == "uniform" else 0.5 - np.sin(np.arcsin(1 - 2 * uniform) / 3)


def _autoregressive(noise: Floats, correlation: float) -> Floats:
    """Sum up ``correlation**k`` times the noise k steps ago, doubling the reach in each pass."""
    series = noise.copy()
    series[1:] *= np.sqrt(1 - correlation**2)
    reach, weight = 1, correlation
    while reach < series.size and weight > 0:
        series[reach:] = series[reach:] + weight * series[:-reach]
        reach, weight = 2 * reach, weight**2
    return series


def _level(scenario: Scenario, events: Events) -> Floats:
    """Place each event's severity in its range: 0 mildest, 1 most severe; NaN where all are one."""
    low, high = span(scenario.severity)
    if events.severity is None or low == high:
        return np.full(len(events), np.nan)
    return np.asarray((events.severity - low) / (high - low), np.float64)


def lifted(shares: Floats, places: Any, levels: Floats) -> Floats:
    """Move the draws of true detections by severity: half the draw, half the level.

    >>> lifted(np.array([0.2, 0.4, 0.6]), np.array([1, 2]), np.array([0.0, 1.0]))
    array([0.2, 0.2, 0.8])
    """
    raised = shares.copy()
    raised[places] = np.where(np.isnan(levels), shares[places], (shares[places] + levels) / 2)
    return raised


def scored(
    scenario: Scenario, latent: Flags, shares: Floats, overlap: float | None = None
) -> Floats:
    """Turn draws into scores: the point's own range, then the moving average.

    With `overlap` the ranges are (0, 0.25 + overlap) and (0.75 - overlap, 1), not the scenario's.

    >>> scored(Scenario(smoothing=3), np.array([0, 1, 1, 0]) > 0, np.full(4, 0.5)).round(3)
    array([0.333, 0.583, 0.583, 0.333])
    """
    ranges = span(scenario.regular), span(scenario.detected)
    if overlap is not None:
        ranges = (0.0, 0.25 + overlap), (0.75 - overlap, 1.0)
    (low, high), (floor, top) = ranges
    regular, detected = low + (high - low) * shares, floor + (top - floor) * shares
    if scenario.detector not in UNSMOOTHED:
        return _averaged(np.where(latent, detected, regular), scenario.smoothing)
    # the noise is smoothed and the alarms are not, or there would be none
    held = _averaged(np.ones(latent.size), scenario.smoothing)
    return (
        np.where(latent, *(_averaged(kind, scenario.smoothing) for kind in (detected, regular)))
        / held
    )


def _averaged(values: Floats, points: int) -> Floats:
    """The centred moving average, zeros beyond the ends.

    Windows of 1, 2, 4, ... points are summed from pairs of the one before, and the asked one from
    those: every sum has the same order everywhere, so equal windows have equal averages.

    >>> _averaged(np.array([3.0, 0.0, 0.0, 6.0]), 3)
    array([1., 1., 2., 2.])
    """
    sums = np.pad(values, points // 2)
    total, size, done = np.zeros_like(values), 1, 0
    while size <= points:
        if points & size:
            total += sums[done : done + values.size]
            done += size
        sums = sums[:-size] + sums[size:]
        size *= 2
    return total / points


def _separated(
    scenario: Scenario, latent: Flags, shares: Floats, events: Events, target: float
) -> Floats:
    """Overlap the two score ranges until the separation is the one asked for.

    The scores are linear in the overlap, so each trial on the very draws of this case is cheap. A
    grid finds where the separation passes the target, halving finds the place; where it never
    does, the nearest of the grid is taken. (More overlap gives less separation, but not always:
    the index is no distance.)
    """
    from adjudge.measure.whole.separation import separation  # noqa: PLC0415 - only for this target

    apart, shifted = (scored(scenario, latent, shares, overlap) for overlap in (0.0, 0.5))
    slope = 2 * (shifted - apart)

    def scores(overlap: float) -> Floats:
        return np.asarray(apart + overlap * slope, np.float64)

    def excess(overlap: float) -> float:
        return separation(scores(overlap), events) - target

    grid = np.linspace(0, most_overlap(scenario), _GRID)
    over = np.array([excess(overlap) for overlap in grid.tolist()])
    passes = np.flatnonzero(over[:-1] * over[1:] <= 0)
    if not passes.size:
        return scores(grid[np.argmin(np.where(np.isnan(over), np.inf, np.abs(over)))])
    first, last = grid[passes[0] : passes[0] + 2].tolist()
    above = over[passes[0]] >= 0
    for _ in range(_HALVINGS):
        middle = (first + last) / 2
        first, last = (middle, last) if (excess(middle) >= 0) == above else (first, middle)
    return scores(first)
