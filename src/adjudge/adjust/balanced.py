r"""Balanced adjustment: a hit is credited to its event, a false alarm to its neighbourhood.

Island widths: how much normal time a false alarm is charged with.

Point adjustment asks of an event "is there an alarm in this window of s points?"; balanced
adjustment asks the same of normal time, with windows of w points. Whether a detector that knows
nothing gains by that depends on w and on the labels alone.

.. math:: x_e = s_e / \textstyle\sum s, \qquad Q = \text{share of anomalous points}

The score of an alarm everywhere, the *plateau* :math:`2Q / (1 + Q)`, is what no such detector
should exceed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, log1p
from operator import mul
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from adjudge.adjust.adjustments import hit_points
from adjudge.adjust.contract import Adjustment, Islands, Marking
from adjudge.checks import whole, word
from adjudge.data.events import Events  # noqa: TC001 - for the examples
from adjudge.data.intervals import runs
from adjudge.data.time_settings import time_length
from adjudge.data.windows import lowest, moving_max, only_where, sliding_max, sliding_windows
from adjudge.errors import InputError
from adjudge.settings import setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge._typing import Array, Flags, Floats, Positions

MOST_LAYERS = 16
_AS_BITS = 512  # points up to which islands are bits of one number
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
    least: int = -(-sum(map(mul, widths, widths)) // sum(widths))
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
    group = ((logs - logs[0]) / (logs[-1] - logs[0]) * MOST_LAYERS).astype(np.int64)
    groups: dict[int, list[tuple[int, int]]] = {}
    for number, pair in zip(np.minimum(group, MOST_LAYERS - 1).tolist(), pairs, strict=True):
        groups.setdefault(number, []).append(pair)
    return [_merged(members) for members in groups.values()]


def island_width(width: Any, events: Events) -> int:
    """Settle a width: the default, the one that is safe from white noise, or the number itself.

    >>> from adjudge.data.events import Events
    >>> [island_width(w, Events.from_labels([0, 1, 1, 0])) for w in (None, "iid", "median", 7)]
    [3, 2, 3, 7]
    """
    if width is None:
        return default_width(events)
    if width == "matched":
        raise InputError(
            "width must be a number here, got 'matched', which mixes several widths; use it "
            'in a metric such as f1_ba(width="matched")'
        )
    if width == "iid":
        return safe_width(events)
    if width == "median":
        middle = ceil(np.median(events.widths)) if len(events) else 1
        return middle + 1 - middle % 2
    return int(width)


def is_length(width: object) -> bool:
    """Whether an island's width is said as a length of time.

    >>> is_length("30min"), is_length("iid"), is_length(5)
    (True, False, False)
    """
    return isinstance(width, str) and width not in {"iid", "matched", "median"}


class _Mix(NamedTuple):
    """Distinct widths, the share of anomalous points that see each, and the share of those."""

    widths: Floats
    shares: Floats
    rate: float


def _mix(events: Events) -> _Mix | None:
    pairs = _counted(events)
    mass = sum(width * count for width, count in pairs)
    judged = events.judged_count
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


def _word_or_none(value: object, name: str, choices: tuple[str, ...]) -> str | None:
    return None if value is None else word(value, name, choices)


Marks = Literal["normal", "spill", "all"]
Border = Literal["clip", "shift"]

Reading = Literal["corrected", "printed", "authors"]

ISLANDS_IN_WORDS = {
    "normal": "islands on normal points",
    "spill": "islands that spill into events",
    "all": "islands around every flag",
}
"""What islands mark, by the word for it."""
READINGS: dict[str, tuple[Marks, str]] = {
    "corrected": ("normal", "in the corrected reading"),
    "printed": ("spill", "as the paper prints it"),
    "authors": ("all", "as in the authors' code"),
}
"""What islands mark in each reading of the paper, and how people say it."""


@dataclass(frozen=True)
class Balanced(Adjustment):
    r"""Credit a hit to its whole event, and charge a false alarm to its neighbourhood (BA).

    .. math::
        s'_t = \max_{u \in N(t)} s_u, \qquad
        N(t) = \begin{cases}
            \text{the event of } t & t \text{ anomalous},\\
            \{u \text{ normal} : t - \lfloor w/2 \rfloor \le u \le t + \lfloor (w-1)/2 \rfloor\}
              & t \text{ normal.}
        \end{cases}

    A false positive ``u`` so marks an island of ``w`` points, ``u - (w-1)//2 ... u + w//2``,
    clipped to the series. This is the corrected reading; `reading` names the other two.

    Parameters
    ----------
    width : int, duration, "iid", "matched" or "median", optional
        Points of an island, or how long it is ("30min"). 1 is point adjustment; the larger, the
        more a false alarm costs. Default: the smallest odd number from sum(s^2) / sum(s) on, over
        the event widths s (`default_width`). ``"iid"``: the smallest at which white noise scores no
        more than an alarm everywhere (`safe_width`). ``"matched"``: false alarms cost the mean over
        the anomalous points of what they cost with islands as wide as that point's event, so that
        with
        ``border="shift"`` a detector that knows nothing has, on average, a recall equal to its
        false-positive rate. ``"median"``: the smallest odd number from the median of the event
        widths on, which one long event does not move.
    islands : "normal", "spill" or "all"
        What an island of exactly ``width`` points may mark, for those who mix readings.
        ``"normal"``: normal points only, so that recall is that of point adjustment. ``"spill"``:
        any point: an alarm beside a missed event earns part of it. ``"all"``: any point, and true
        flags raise islands too. Not with a `reading`, which says it.
    margin : int
        A false positive at most this far from an event counts as itself and raises no
        island. 0 is the paper; 1 forgives alarms that are one point too wide.
    border : "clip" or "shift"
        What becomes of a window that meets an event or an end. ``"clip"``: it loses points.
        ``"shift"``: it slides to stay within its run of normal, judged points, so that each normal
        point sees ``min(width, run)`` of them; only with ``islands="normal"``.
    reading : "corrected", "printed" or "authors", optional
        Which of the three metrics of this name. ``"corrected"``, the default: islands of exactly
        ``width`` points, on normal points. ``"printed"``: the paper's formula with w_N = ``width``,
        ``u - w//2 - 1 ... u + w//2``, on any point: w_N + 2 points, w_N + 1 where w_N is odd.
        ``"authors"``: their code with h = ``width // 2``, ``u - h ... u + h`` around every flag,
        true ones too: 2h + 1 points.

    References
    ----------
    .. [1] D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly
       Detector. arXiv:2409.13053.

    Examples
    --------
    >>> events = Events.from_labels([0, 0, 0, 1, 1, 0])
    >>> Balanced(width=3)(np.array([0.1, 0.9, 0.2, 0.3, 0.8, 0.4]), events)
    array([0.9, 0.9, 0.9, 0.8, 0.8, 0.4])
    """

    width: int | str | None = time_length(None, 1, "up", words=("iid", "matched", "median"))
    islands: Marks | None = setting(None, _word_or_none, get_args(Marks))
    margin: int = setting(0, whole, 0)
    border: Border = setting("clip", word, get_args(Border))
    reading: Reading | None = setting(None, _word_or_none, get_args(Reading))

    def __post_init__(self) -> None:
        """Check the settings, and that they fit together."""
        super().__post_init__()
        if self.reading and self.islands:
            raise InputError(
                f"islands must be left out with reading={self.reading!r}, got "
                f"{self.islands!r}; the reading fixes what islands mark"
            )
        if self.reading in {None, "corrected"}:  # which has no name of its own in a spec
            object.__setattr__(self, "islands", self.islands or "normal")
            object.__setattr__(self, "reading", None)
        if self._normal_only and self.marks != "normal":
            why = "border='shift'" if self.border == "shift" else "width='matched'"
            name, one = ("reading", "corrected") if self.reading else ("islands", "normal")
            raise InputError(f"{name} must be {one!r} with {why}, got {getattr(self, name)!r}")

    @property
    def marks(self) -> Marks:
        """What the islands mark, whether it was said or follows from the reading."""
        return self.islands or READINGS[self.reading or "corrected"][0]

    @property
    def named_reading(self) -> str:
        """The reading of the paper that this is; empty: a mixture of them."""
        odd = isinstance(self.width, int) and self.width % 2 == 1
        same = {"normal": "corrected", "all": "authors" * odd}
        return self.reading or same.get(self.marks, "")

    def _island(self, width: int) -> tuple[int, int]:
        """How far an island reaches to the left, and to the right."""
        left = {"printed": width // 2 + 1, "authors": width // 2}
        return left.get(self.reading or "", (width - 1) // 2), width // 2

    def __call__(self, scores: Array, events: Events) -> Array:
        """The scores with events at their maximum and normal points at that of their window."""
        adjusted = self._islands(scores, events)
        if self.margin:  # the near ones still count as themselves
            np.maximum(adjusted, scores, out=adjusted)
        highest = events.spread(events.max(scores))
        if self.marks != "normal":  # an island may reach into an event
            highest = np.maximum(highest, adjusted[events.labels])
        adjusted[events.labels] = highest
        return adjusted if events.judged is None else only_where(events.judged, adjusted)

    def marked(self, flags: Flags, events: Events) -> tuple[int, float] | None:
        """The widths of the events that are hit, and the normal points of all islands."""
        if self.marks != "normal" or self.margin:
            return None
        mixed = matched_widths(events) if self.width == "matched" else [(1, self._width(events))]
        count = _clipped_points if self.border == "clip" else _slid_points
        points = count(flags, events, [width for _, width in mixed])
        if len(points) == 1:
            return hit_points(flags, events), points[0]
        weights = [weight for weight, _ in mixed]
        return hit_points(flags, events), sum(map(mul, weights, points)) / sum(weights)

    @property
    def _normal_only(self) -> bool:
        """Whether the other settings leave a single reading of the islands."""
        return self.width == "matched" or self.border == "shift"

    def resolved(self, events: Events) -> Balanced:
        """The same with its width as a number; matched widths have no shorter name."""
        apply_policy = (
            self.width == "matched" or isinstance(self.width, int) or is_length(self.width)
        )
        return self if apply_policy else replace(self, width=island_width(self.width, events))

    def layers(self, events: Events) -> list[tuple[int, Balanced]]:
        """The adjustments of one width that this one mixes, with their weights.

        Only the share of a weight in their sum matters. One layer of weight 1, but for matched
        widths: there one for each distinct event width, weighing the anomalous points of such
        events, from the narrowest up. More than 16 distinct widths are grouped into at most 16,
        each the mean width (by anomalous points) of its group, rounded; no point is lost.

        >>> events = Events.from_labels([1, 0, 1, 0, 1, 1, 1, 0])
        >>> [(weight, layer.width) for weight, layer in Balanced("matched").layers(events)]
        [(2, 1), (3, 3)]
        """
        if self.width != "matched":
            return [(1, self)]
        return [(mass, replace(self, width=width)) for mass, width in matched_widths(events)]

    def explain_islands(self, flags: Flags, events: Events) -> Islands:
        """False flags raise them, and with ``islands="all"`` true ones; not within the margin."""
        raised_by, width = flags & self._may_raise(events), self._width(events)
        if self.border == "clip":
            return Islands(raised_by, *self._island(width))
        before, after = np.zeros((2, events.n), np.int64)
        begin, end = sliding_windows(width, _run_bounds(events))
        points = np.arange(begin.size)
        before[events.normal], after[events.normal] = end - 1 - points, points - begin
        return Islands(raised_by, before, after)

    def reach(self, events: Events) -> Positions:
        """All of the event, and the points whose islands reach further than that.

        >>> Balanced(width=3).reach(Events.from_labels([0, 0, 0, 1, 1, 0]))
        array([2, 3, 2, 2, 2, 1], dtype=int32)
        """
        islands = self.explain_islands(np.ones(events.n, bool), events)
        inside, window = events.labels, islands.sources(events)
        reach: Positions = window if self.marks == "normal" else window.copy()
        reach += events.normal & ~islands.raised_by
        reach[inside] = events.spread(events.widths)
        if self.marks == "normal":
            return reach
        outside = window[inside]
        if self.marks == "all":  # points of the own event are counted in the event already
            place = np.flatnonzero(inside)
            starts, stops = events.spread(events.starts), events.spread(events.stops)
            last = np.minimum(place + islands.before + 1, stops)
            outside -= last - np.maximum(place - islands.after, starts)
        reach[inside] += outside
        return reach

    @property
    def island_width(self) -> int | None:
        """The width, once it is a number."""
        return self.width if isinstance(self.width, int) else None

    def marking(self, events: Events) -> Marking | None:
        """One hit anywhere, and islands of one width on normal points, clipped at the ends."""
        if self.width == "matched" or self != Balanced(self.width):
            return None
        return Marking(
            np.ones_like(events.widths), events.widths, keeps=False, island=self._width(events)
        )

    @property
    def other_readings(self) -> Mapping[str, Mapping[str, Any]]:
        """The paper's other readings; none where the settings allow but one."""
        names = () if self._normal_only else READINGS
        own = self.named_reading
        return {name: {"islands": None, "reading": name} for name in names if name != own}

    def _width(self, events: Events) -> int:
        return island_width(self.width, events)

    def _islands(self, scores: Array, events: Events) -> Array:
        """The highest score in the window of each point, in an array of its own."""
        width, sources = self._width(events), self._may_raise(events)
        if self.border == "clip":
            left, right = self._island(width)
            return moving_max(scores, right, left, events.series_bounds, sources)
        sources = only_where(sources, scores)
        island = np.full_like(scores, lowest(scores))
        island[events.normal] = sliding_max(sources[events.normal], width, _run_bounds(events))
        return island

    def _may_raise(self, events: Events) -> Flags:
        if not self.margin:
            return np.ones(events.n, bool) if self.marks == "all" else events.normal
        near = moving_max(events.labels, self.margin, self.margin, events.series_bounds)
        far = events.normal & ~near
        return far | events.labels if self.marks == "all" else far


def _clipped_points(flags: Flags, events: Events, widths: list[int]) -> list[int]:
    """Count the normal points of islands that events and ends clip, for each width of an island."""
    labels, bounds = events.labels, events.series_bounds
    if flags.size <= _AS_BITS and len(bounds) == 2:
        return [_island_points(flags, labels, width) for width in widths]
    false = flags > labels
    islands = (moving_max(false, width // 2, (width - 1) // 2, bounds) for width in widths)
    return [int(np.count_nonzero(island > labels)) for island in islands]


def _slid_points(flags: Flags, events: Events, widths: list[int]) -> list[int]:
    """Count the normal points whose slid window holds a false flag, for each width of a window.

    As windows move along with their points, those that hold one of some flags side by side belong
    to points side by side: from the first whose window ends behind the first flag, to the last
    whose window begins at or before the last flag. Such stretches may overlap, in order.

    >>> from adjudge.data.events import Events
    >>> events = Events.from_labels([0, 0, 0, 0, 1, 0])
    >>> _slid_points(np.array([1, 0, 0, 0, 1, 0]) > 0, events, [1, 2, 3])
    [1, 2, 2]
    """
    firsts = events.series_bounds[:-1]
    begins, ends = runs(flags > events.labels, firsts)
    starts, stops = runs(events.normal, firsts)
    home = np.searchsorted(starts, begins, side="right") - 1
    start, stop = starts[home], stops[home]
    points = []
    for wide in widths:
        width = min(wide, flags.size)
        low = np.where(begins - width < start, start, begins - (width - 1) // 2)
        high = np.where(ends > stop - width, stop, ends + width // 2)
        low[1:] = np.maximum(low[1:], high[:-1])
        points.append(int((high - low).sum()))
    return points


def _island_points(flags: Flags, labels: Flags, width: int) -> int:
    """Count the normal points of all islands, a point being a bit of one number.

    >>> _island_points(np.array([1, 0, 0, 0, 1, 0]) > 0, np.array([0, 0, 0, 0, 1, 0]) > 0, 3)
    2
    """
    flagged, truth = (
        int.from_bytes(np.packbits(side, bitorder="little").tobytes(), "little")
        for side in (flags, labels)
    )
    island, covered = flagged & ~truth, 1
    width = min(width, 2 * flags.size + 1)  # which reaches all points from any
    while covered < width:  # two overlapping islands make a longer one
        step = min(width - covered, covered)
        island |= island << step
        covered += step
    inside = (1 << flags.size) - 1
    return (island >> (width - 1) // 2 & ~truth & inside).bit_count()


def _run_bounds(events: Events) -> Positions:
    """Part the normal points, taken together, where events, gaps or series interrupt them."""
    starts, stops = runs(events.normal, events.series_bounds[:-1])
    return np.concatenate([[0], np.cumsum(stops - starts)])
