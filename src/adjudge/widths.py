"""Island widths: how much normal time a false alarm is charged with."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    widths = [int(width) for width in events.widths]  # Python's integers: squares may be large
    mass = sum(widths)
    return -(-sum(width * width for width in widths) // mass) if mass else 1
