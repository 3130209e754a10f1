"""The null "the same alarms, shifted nearby": each tenth of a series turns by itself.

Where events lie late in a series and alarms become more frequent towards its end, alarms that know
nothing score better at home than elsewhere. Turned within their tenth they stay in their part of
the series, and still lose their tie to the single events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric
    from adjudge.noise.p_values import NullValues
    from adjudge.noise.shifts import CaseShifts


class NearbyNull:
    """The detector's own alarms, each tenth of a series turned in a circle of its own.

    >>> NearbyNull().name
    'the same alarms, shifted nearby'
    """

    name = "the same alarms, shifted nearby"

    def values(
        self, metric: Metric, shifting: CaseShifts, shifts: int | None, seed: int
    ) -> NullValues:
        """What the alarms score at nearby places."""
        return shifting.nearby.values(metric, shifts, seed)

    def level(self, metric: Metric, shifting: CaseShifts, null: NullValues) -> float:  # noqa: ARG002
        """The mean over nearby places."""
        defined = null.values[~np.isnan(null.values)]
        return float(defined.mean()) if defined.size else np.nan
