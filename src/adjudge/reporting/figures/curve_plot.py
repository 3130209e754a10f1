"""A metric at every threshold as a picture, with the band that chance would fill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.checks import word
from adjudge.errors import InputError
from adjudge.measure.thresholds.text import threshold_text
from adjudge.reporting.chance_bands import chance_bands, shifts_for
from adjudge.reporting.figures.drawing import (
    BLUE,
    GREEN,
    ORANGE,
    axes_for,
    extremes,
    legend_above,
    tidy,
)

if TYPE_CHECKING:
    from adjudge._typing import Floats
    from adjudge.data.case import Case
    from adjudge.measure.curves import Curve

AGAINST = ("auto", "threshold", "flagged")
_SKEWED = 0.2  # where nearly all scores lie within so little of the range, an even axis wastes it
_SLOW = 20_000  # points up to which a metric that is counted anew at each threshold has a band


class _Along(NamedTuple):
    """What stands along the axis: thresholds, or the share of points above them."""

    ascending: Floats
    by_share: bool

    def __call__(self, thresholds: Floats) -> Floats:
        """Where thresholds stand; -inf, which flags everything, at the lowest score."""
        if not self.by_share:
            places: Floats = np.maximum(thresholds, self.ascending[0])
            return places
        above = self.ascending.size - np.searchsorted(self.ascending, thresholds, side="right")
        return np.where(above > 0, above / self.ascending.size, np.nan)

    def label(self, axes: Any) -> None:
        """Set scale, ticks and name of the axis."""
        if not self.by_share:
            axes.set_xlabel("threshold")
            return
        n = self.ascending.size
        shares = [10.0**power for power in range(-int(np.log10(n)), 1)]
        axes.set_xscale("log")
        axes.set_xlim(0.8 / n, 1.25)
        levels = np.quantile(self.ascending, [1 - share for share in shares])
        ticks = zip(shares, levels.tolist(), strict=True)
        axes.set_xticks(shares, [f"{100 * share:g} %\n> {_short(level)}" for share, level in ticks])
        axes.minorticks_off()
        axes.set_xlabel("share of points flagged, and the threshold for it")


def plot_curve(
    curve: Curve, *, ax: Any = None, against: str = "auto", chance: bool = True, seed: int = 0,
    width: str | float | None = None,
) -> Any:  # fmt: skip
    """Draw a curve; see `adjudge.Curve.plot`."""
    word(against, "against", AGAINST)
    if against == "flagged" and curve.case is None:
        raise InputError("against must be 'threshold' for a curve without its scores")
    with axes_for(ax, (7.5, 4.2), width) as axes:
        tidy(axes)
        along = _along(curve, against)
        if chance:
            _draw_band(axes, curve, along, seed)
        _draw_lines(axes, curve, along)
        along.label(axes)
        axes.set_ylabel("value")
        title = "F1" if curve.metric is None else str(curve.metric)
        legend_above(axes, title=f"{title} at every threshold")
    return axes


def _along(curve: Curve, against: str) -> _Along:
    if curve.case is None:
        return _Along(np.sort(curve.thresholds), by_share=False)
    scores = np.sort(curve.case.judged_scores)
    return _Along(scores, against == "flagged" or (against == "auto" and _is_skewed(scores)))


def _is_skewed(ascending: Floats) -> bool:
    finite = ascending[np.isfinite(ascending)]
    if not finite.size:
        return False
    low, high = np.quantile(finite, [0.05, 0.95])
    return bool(high - low < _SKEWED * (finite[-1] - finite[0]))


def _short(level: float) -> str:
    return f"{level:,.0f}" if 1e4 <= abs(level) < 1e7 else f"{level:.4g}"


def _draw_lines(axes: Any, curve: Curve, along: _Along) -> None:
    looks: dict[str, tuple[Floats, dict[str, Any]]] = {
        "value": (curve.values, {"color": BLUE, "linewidth": 2.2, "zorder": 4}),
    }
    if not curve.lower:
        looks["precision"] = (curve.precision, {"color": ORANGE, "linestyle": (0, (4, 1.5))})
        looks["recall"] = (curve.recall, {"color": GREEN, "linestyle": (0, (1, 1))})
        axes.set_ylim(-0.03 + min(0, np.nanmin(curve.values, initial=0)), 1.03)
    places = along(curve.thresholds)
    for name, (values, look) in looks.items():
        shown = extremes(np.where(np.isnan(values), -1, values))
        # a value holds from its threshold up to the next higher one
        axes.step(places[shown], values[shown], where="pre", label=name, **look)
    threshold, value = curve.best()
    if not np.isnan(value):
        text = f"best: {value:.4g} above {threshold_text(threshold, curve.case)}, in hindsight"
        axes.plot(along(np.array([threshold])), [value], "o", color=BLUE, markeredgecolor="white",
                  markersize=8, zorder=5, label=text)  # fmt: skip
    everything = curve.values[-1]
    if not np.isnan(everything):
        axes.axhline(everything, color="0.3", linewidth=0.9, linestyle=(0, (6, 2, 1, 2)),
                     label=f"everything flagged: {everything:.4g}")  # fmt: skip


def _draw_band(axes: Any, curve: Curve, along: _Along, seed: int) -> None:
    if curve.case is None or curve.metric is None or not _has_band(curve.metric, curve.case):
        return
    bands = chance_bands(curve.case, {"it": curve.metric}, seed)
    if not bands:
        return
    band = bands["it"]
    places = along(band.thresholds)
    text = f"by chance (90 % of {shifts_for(curve.case.events.n)} shifts)"
    axes.fill_between(places, band.low, band.high, color="0.82", linewidth=0, label=text, zorder=1)
    axes.plot(places, band.mean, color="0.55", linewidth=1, zorder=2)


def _has_band(metric: Any, case: Case) -> bool:
    return len(case.events) > 0 and (metric.sweeps or case.events.n <= _SLOW)
