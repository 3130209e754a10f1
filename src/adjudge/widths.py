"""Island widths: how much normal time a false alarm is charged with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adjudge.events import Events


def default_width(events: Events) -> int:
    r"""Give the width at which a detector that knows nothing gains nothing.

    .. math:: w = \left\lceil \frac{\sum_e s_e^2}{\sum_e s_e} \right\rceil

    over the event widths :math:`s_e`: the mean width of the event that an anomalous point lies
    in. With equal widths it is that width, as in the paper's lemma; with a mix it is the
    smallest whole width that keeps the recall of *any* stationary, label-blind detector at or
    below its false-positive rate (border effects aside), whatever the clustering of its alarms.
    Without events it is 1. It depends on the labels only.

    >>> from adjudge.events import Events
    >>> default_width(Events.from_intervals([(0, 10), (50, 80)], n=100))  # (100 + 900) / 40
    25
    """
    widths, counts = np.unique(events.widths, return_counts=True)  # few, and so exact integers
    pairs = list(zip(widths.tolist(), counts.tolist(), strict=True))
    mass = sum(width * count for width, count in pairs)
    return -(-sum(width**2 * count for width, count in pairs) // mass) if mass else 1
