"""The null "white noise": a flag at each point independently, as often as the detector flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.checks import DRAWS, whole
from adjudge.noise.chance_level import chance_of_noise, noise_values
from adjudge.noise.nulls import White
from adjudge.noise.p_values import NullValues

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.noise.shifts import CaseShifts

_DRAWS = 199


class WhiteNull:
    """White noise of the detector's own rate; uniform scores, for areas and ``best(...)``.

    It is the null model of the paper's theorems. Real alarms come in runs, and as many
    separate points hit more events: beside it real detectors look worse than they are.

    >>> WhiteNull().name
    'white noise of the same rate'
    """

    name = "white noise of the same rate"

    def values(
        self, metric: Metric, shifting: CaseShifts, shifts: int | None, seed: int
    ) -> NullValues:
        """What noise scores."""
        draws = _DRAWS if shifts is None else whole(shifts, "shifts", 1, DRAWS)
        white = White(_rate(metric, shifting))
        drawn = noise_values(metric, shifting.case.events, white, draws, seed)
        return NullValues(drawn, exact=False)

    def level(self, metric: Metric, shifting: CaseShifts, null: NullValues) -> float:
        """The chance level: from expected counts where they are known, else the mean."""
        events, white = shifting.case.events, White(_rate(metric, shifting))
        return chance_of_noise(metric, events, white, null.values).level


def _rate(metric: Metric, shifting: CaseShifts) -> float:
    """The share of the judged points that are flagged."""
    if not metric.at_one_threshold:
        return 0.0  # noise is uniform scores then, whatever the rate
    flags, *_ = metric.flags(shifting.case)
    judged = shifting.case.events.judged
    return float(flags.mean() if judged is None else flags[judged].mean())
