r"""Island widths: how much normal time a false alarm is charged with.

Point adjustment asks of an event "is there an alarm in this window of s points?"; balanced
adjustment asks the same of normal time, with windows of w points. Whether a detector that knows
nothing gains by that depends on w and on the labels alone.

.. math:: x_e = s_e / \textstyle\sum s, \qquad Q = \text{share of anomalous points}

The score of an alarm everywhere, the *plateau* :math:`2Q / (1 + Q)`, is what no such detector
should exceed.
"""

from __future__ import annotations

from math import ceil, log1p
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.events import Events

MOST_LAYERS = 16
_SLACK = 1e-9  # widths this close to safe are safe: beyond that lies rounding


def default_width(events: Events) -> int:
    r"""The width at which a detector that knows nothing gains nothing, symmetric in time.

    .. math:: w = \min\left\{ w \text{ odd} : w \ge \frac{\sum_e s_e^2}{\sum_e s_e} \right\}

    over the event widths :math:`s_e`. The ratio is the mean width of the event that an anomalous
    point lies in. With equal widths it is that width, as in the paper's lemma; with a mix it is
    the smallest width that keeps the recall of *any* stationary, label-blind detector at or below
    its false-positive rate (border effects aside), whatever the clustering of its alarms. An
    island of an odd width reaches as far to the left as to the right, so that a series read
    backwards scores the same. Without events the width is 1. It depends on the labels only.

    >>> from adjudge.data.events import Events
    >>> default_width(Events.from_intervals([(0, 10), (50, 80)], n=100))  # (100 + 900) / 40
    25
    >>> default_width(Events.from_intervals([(0, 10), (50, 60)], n=100))  # 10, and one more
    11
    """
    widths = events.widths.tolist()  # whole numbers of any size: their squares stay exact
    if not widths:
        return 1
    least: int = -(-sum(width * width for width in widths) // sum(widths))
    return least + 1 - least % 2


def safe_width(events: Events) -> int:
    r"""The smallest width at which white noise never scores above an alarm everywhere.

    .. math:: w = \lceil w^* \rceil, \qquad
        w^* = \sup_{0 < \nu < 1} \frac{\ln(\sum_e x_e \nu^{s_e} / (1 - Q))}{\ln \nu},
        \qquad \min_e s_e \le w^* \le \frac{\sum_e s_e^2}{\sum_e s_e}

    where :math:`\nu` is the share of points that noise leaves unflagged. With equal widths it is
    that width. It is at most `default_width`, which holds for clustered alarms too; the more
    anomalous points there are, the smaller it gets. Without events, or without normal points, it
    is 1.

    >>> from adjudge.data.events import Events
    >>> safe_width(Events.from_intervals([(0, 10), (50, 80)], n=100))
    16
    >>> safe_width(Events.from_intervals([(0, 10), (50, 80)], n=4000))
    24
    """
    mix = _mix(events)
    return max(1, ceil(_least_safe(mix) * (1 - _SLACK))) if mix else 1


def matched_widths(events: Events) -> list[tuple[int, int]]:
    """The widths of the events, each with the anomalous points that see it.

    More than 16 distinct widths are grouped: the range from the narrowest to the widest is cut into
    16 equal ratios, and each group is represented by the mean width that its anomalous points see,
    rounded. The points are never lost: they sum to all anomalous points. Without events the
    width is 1.

    >>> from adjudge.data.events import Events
    >>> matched_widths(Events.from_intervals([(0, 10), (30, 40), (50, 80)], n=100))
    [(20, 10), (30, 30)]
    """
    pairs = _counted(events)
    if len(pairs) <= MOST_LAYERS:
        return [(width * count, width) for width, count in pairs] or [(1, 1)]
    logs = np.log([width for width, _ in pairs])
    group = ((logs - logs[0]) / (logs[-1] - logs[0]) * MOST_LAYERS).astype(int)
    groups: dict[int, list[tuple[int, int]]] = {}
    for number, pair in zip(np.minimum(group, MOST_LAYERS - 1).tolist(), pairs, strict=True):
        groups.setdefault(number, []).append(pair)
    return [_merged(members) for members in groups.values()]


def island_width(width: Any, events: Events) -> int:
    """Settle a width: the default, the one that is safe from white noise, or the number itself.

    >>> from adjudge.data.events import Events
    >>> [island_width(w, Events.from_labels([0, 1, 1, 0])) for w in (None, "iid", 7)]
    [3, 2, 7]
    """
    if width == "matched":
        raise InputError(
            "width must be a single one here, got 'matched'; it mixes several, "
            'in a metric such as f1_ba(width="matched")'
        )
    if width == "iid":
        return safe_width(events)
    return default_width(events) if width is None else int(width)


class _Mix(NamedTuple):
    """Distinct widths, the share of anomalous points that see each, and the share of those."""

    widths: Floats
    shares: Floats
    rate: float


def _mix(events: Events) -> _Mix | None:
    pairs = _counted(events)
    mass = sum(width * count for width, count in pairs)
    judged = events.n if events.judged is None else int(np.count_nonzero(events.judged))
    if not mass or mass == judged:
        return None
    shares = np.array([width * count / mass for width, count in pairs])
    return _Mix(np.array([float(width) for width, _ in pairs]), shares, mass / judged)


def _least_safe(mix: _Mix) -> float:
    """Find w*: the slope from (0, a) to where it just touches a concave curve.

    With rarity y = -ln(nu), the narrowest width s and gain c(y) = -ln(sum of x exp(-(s_e - s) y)),
    w* - s is the largest (c(y) - a) / y, where a = -ln(1 - Q). The tangent of c falls from
    far above to below that point just once, so halving finds it.
    """
    extra, loss = mix.widths - mix.widths[0], -log1p(-mix.rate)
    if -np.log(mix.shares[0]) <= loss:  # the curve never gets above (0, a)
        return float(mix.widths[0])

    def gain(rarity: float) -> float:
        return -log1p(mix.shares @ np.expm1(-extra * rarity))

    low, high = np.log(1e-40), np.log(1e3)
    for _ in range(80):
        middle = (low + high) / 2
        rarity = float(np.exp(middle))
        weights = mix.shares * np.exp(-extra * rarity)
        below = gain(rarity) - rarity * float(extra @ weights / weights.sum()) < loss
        low, high = (middle, high) if below else (low, middle)
    rarity = float(np.exp(high))
    return float(mix.widths[0]) + max(0.0, (gain(rarity) - loss) / rarity)


def _counted(events: Events) -> list[tuple[int, int]]:
    widths, counts = np.unique(events.widths, return_counts=True)  # few, and so exact integers
    return list(zip(widths.tolist(), counts.tolist(), strict=True))


def _merged(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    mass = sum(width * count for width, count in pairs)
    squares = sum(width**2 * count for width, count in pairs)
    return mass, (2 * squares + mass) // (2 * mass)
