"""Pairs of areas: what two detectors have above all thresholds in the same pieces of time.

Scores of two detectors have no scale in common. Their ranks have: the share of points that score as
high. On that scale a piece of one detector can stand in the place of the other's, and a swap of
pieces means the same as it does at one threshold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adjudge.count.points import Points
from adjudge.data.case import Case
from adjudge.noise.comparing.paired_events import Paired, Swaps, every_choice
from adjudge.noise.intervals.of_areas import AREAS, middle_cuts, redrawn
from adjudge.noise.intervals.stretch_counts import CasePieces, chosen_levels, weighed
from adjudge.noise.shifting.shifted_scores import count_reaching, ranked

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.metrics.metric import Metric

_LEVELS = 100
_ALL_SWAPS = 7  # pieces up to which every swap is read anew
_SWAPS, _DRAWS = 199, 100


class AreaPair(Paired):
    """Two detectors whose areas are sums over pieces: counts above common thresholds.

    Parameters
    ----------
    metric : Metric
        An area over points.
    cases : pair of Case
        The same labels, with the scores of each.
    """

    def __init__(self, metric: Metric, cases: tuple[Case, Case]) -> None:
        measure, adjust, _ = metric.parts
        self._area = AREAS[measure]
        pieces = CasePieces(cases[0])
        sides = [pieces.adjusted(adjust, on_one_scale(case)) for case in cases]
        inside, normal = (np.concatenate(kind) for kind in zip(*sides, strict=True))
        levels = chosen_levels(inside, normal, _LEVELS)
        tables = [pieces.above(*side, levels) for side in sides]
        self.events, self._stretches = (
            np.stack(kind, axis=1) for kind in zip(*tables, strict=True)
        )
        found, false = ((0, 0), (0, 0), (0, len(levels))), ((0, 0), (0, 0), (len(levels), 0))
        self.units = np.concatenate([np.pad(self.events, found), np.pad(self._stretches, false)])
        a, b = self._areas(self.units.sum(axis=0)).tolist()
        self.own = a - b

    def differences(self, sums: Floats) -> Floats:
        """The first area less the second."""
        values = self._areas(sums)
        return np.asarray(values[..., 0] - values[..., 1])

    def _areas(self, sums: Floats) -> Floats:
        found, false = (half.reshape(-1, half.shape[-1]) for half in np.split(sums, 2, axis=-1))
        return self._area(found, false).reshape(sums.shape[:-1])

    def drawn(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw the difference again, with the weights of `adjudge.noise.intervals.of_areas`.

        The imagined event is split over found by both, by either, and by none.
        """
        count, found, false = len(self.events), self.events.sum(axis=0), self._stretches.sum(axis=0)
        truth, normal = found[0, -1], false[0, -1]
        kinds = found / count, truth / count * false / normal  # as events are, as normal time is
        quarters = [np.stack([x[0], y[1]]) for x in kinds for y in kinds]
        rows = np.concatenate([self.events, quarters])
        shapes = np.append(np.ones(count), np.full(4, 0.25))
        sums = []
        for weights, kind, total in (
            (rng.standard_gamma(shapes, (draws, count + 4)), rows, truth),
            (rng.standard_exponential((draws, len(self._stretches))), self._stretches, normal),
        ):
            drawn = weighed(weights, kind.reshape(len(kind), -1)).reshape(draws, 2, -1)
            sums.append(drawn * (total / drawn[..., -1:]))
        return self.differences(np.concatenate(sums, axis=-1))


class ReadPair:
    """Two detectors whose values must be read anew in every draw and every swap.

    Pieces are events with half of the normal time on either side. A metric that takes no notice
    of it is read on ranks; any other on the scores as they are.
    """

    def __init__(self, metric: Metric, cases: tuple[Case, Case]) -> None:
        self._metric, self._events = metric, cases[0].events
        self._given = [case.given for case in cases]
        self.own = self._difference(self._given)
        ranks = [on_one_scale(case) for case in cases]
        same = abs(self._difference(ranks) - self.own) < 1e-9
        self._scores = ranks if same else self._given

    def swapped(self, draws: int, rng: np.random.Generator) -> Swaps:
        """Swap the scores of whole pieces: every way there is, or some at random."""
        lengths = np.diff(middle_cuts(self._events))
        exact = len(lengths) <= _ALL_SWAPS
        if exact:
            chosen = every_choice(len(lengths))
        else:
            chosen = rng.integers(2, size=(min(draws, _SWAPS), len(lengths)))
        a, b = self._scores
        sides = (np.repeat(choice > 0, lengths) for choice in chosen)
        luck = [self._difference([np.where(s, b, a), np.where(s, a, b)]) for s in sides]
        return Swaps(np.array(luck), exact)

    def drawn(self, draws: int, rng: np.random.Generator) -> Floats:
        """Draw pieces with replacement, the same for both."""
        found = []
        for events, points in redrawn(self._events, min(draws, _DRAWS), rng):
            found.append(self._difference([given[points] for given in self._given], events))
        return np.array(found)

    def _difference(self, scores: list[Floats], events: object = None) -> float:
        truth = self._events if events is None else events
        a, b = (self._metric.reading(Case(truth, side)).value for side in scores)
        return a - b


def area_pair(metric: Metric, cases: tuple[Case, Case]) -> AreaPair | ReadPair:
    """Choose the pair: of sums over pieces where the area is one, else read anew."""
    measure, _, count = metric.parts
    sums = type(count) is Points and measure in AREAS
    return AreaPair(metric, cases) if sums else ReadPair(metric, cases)


def on_one_scale(case: Case) -> Floats:
    """Each score as the share of points that score as high, negative: higher is rarer.

    >>> on_one_scale(Case([0, 1, 0, 0], [3.0, 9.0, 3.0, 1.0]))
    array([-0.75, -0.25, -0.75, -1.  ])
    """
    judged = slice(None) if case.events.judged is None else case.events.judged
    scores = case.scores[judged]
    ranks, distinct = ranked(scores)
    shares = np.full(case.events.n, -np.inf)
    shares[judged] = -count_reaching(ranks, distinct)[ranks] / scores.size
    return shares
