"""Chance verdicts: one for each detector over all its series.

Of each series the row of a detector keeps what it scores at home and at 199 other places, by each
null model that a verdict needs. Over all series these give one p-value (`adjudge.noise.pooled_p`),
which can be small where no series by itself can say anything, as with one event in each.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.noise.p_values import CLEAR, PlacesOfSeries, holm
from adjudge.noise.pooled_p import Pooled, pooled_p
from adjudge.ranking.collected import Collected, is_baseline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adjudge._typing import Floats, Positions
    from adjudge.ranking.comparable import Comparable

    RowsOf = Callable[[str], Iterable[dict[str, Any]]]

PLACES = "places"
"""What a row keeps them under; no table has them."""
_AT_ONCE = 60_000
"""Rows whose places are held at a time, of some 2 kB each."""


def packed(places: PlacesOfSeries) -> list[str]:
    """Write the values at home and elsewhere, a text per null model, in half the digits."""
    rows = zip(places.home, places.elsewhere, strict=True)
    return [
        b64encode(np.append(home, elsewhere).astype("<f4").tobytes()).decode()
        for home, elsewhere in rows
    ]


def unpacked(texts: list[str]) -> PlacesOfSeries:
    """Read them back.

    >>> places = PlacesOfSeries(np.array([0.5, 1.0]), [np.array([0.25]), np.array([0.0, 0.75])])
    >>> again = unpacked(packed(places))
    >>> again.home, [values.tolist() for values in again.elsewhere]
    (array([0.5, 1. ]), [[0.25], [0.0, 0.75]])
    """
    every = [np.frombuffer(b64decode(text), "<f4").astype(np.float64) for text in texts]
    return PlacesOfSeries(np.array([one[0] for one in every]), [one[1:] for one in every])


def verdicts(found: Collected, rows_of: RowsOf, clocks: Positions) -> dict[tuple[str, str], Pooled]:
    """Hold every detector against chance, by each metric; seeds of one are averaged.

    Series of one clock are moved together: the k-th places of all are the same share of the way
    round, as they are drawn from the same numbers.

    What each series says by itself is noted in the cells of `found`.
    """
    runs = found.runs()
    names = {run: detector for detector, own in runs.items() for run in own}
    known: dict[tuple[str, str], Pooled] = {}
    size = max(1, _AT_ONCE // max(1, len(found.series) * len(found.metrics)))
    detectors = list(runs)
    for start in range(0, len(detectors), size):
        some = set(detectors[start : start + size])
        places = _gathered(found, rows_of, {r: d for r, d in names.items() if d in some})
        for (detector, metric), own in places.items():
            better: Any = found.better[metric]
            tested = pooled_p(list(own.values()), better, clocks=clocks[list(own)])
            known[detector, metric] = tested
            kept = [place for place, one in own.items() if not np.isnan(one.home).any()]
            for key in ((run, metric) for run in runs[detector] if (run, metric) in found.cells):
                found.cells[key].p_adjusted[kept] = tested.alone
    return known


def _gathered(
    found: Collected, rows_of: RowsOf, names: Mapping[str, str]
) -> dict[tuple[str, str], dict[int, PlacesOfSeries]]:
    """The places of some detectors, by the place of each series."""
    gathered: dict[tuple[str, str], dict[int, PlacesOfSeries]] = {}
    for place, series in enumerate(found.series):
        own: dict[tuple[str, str], list[PlacesOfSeries]] = {}
        for row in rows_of(series):
            if row["detector"] in names and row.get(PLACES):
                key = names[row["detector"]], row["requested"]
                own.setdefault(key, []).append(unpacked(row[PLACES]))
        for key, seeds in own.items():
            gathered.setdefault(key, {})[place] = _mean(seeds)
    return gathered


def _mean(seeds: list[PlacesOfSeries]) -> PlacesOfSeries:
    """The mean over seeds, which were all judged at the same places."""
    home = np.mean([one.home for one in seeds], axis=0)
    models = zip(*(one.elsewhere for one in seeds), strict=True)
    elsewhere: list[Floats] = [np.mean(own, axis=0) for own in models]
    return PlacesOfSeries(home, elsewhere)


def adjusted(field: Comparable, p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust for the number of detectors, after Holm: ranked ones, and others by themselves."""
    found: dict[str, float] = {}
    for family in _families(field):
        own = holm(np.array([p_values[name] for name in family]))
        found |= dict(zip(family, own.tolist(), strict=True))
    return found


def _families(field: Comparable) -> Iterator[list[str]]:
    ranked = set(field.ranked)
    yield field.ranked
    yield [name for name in field.names if name not in ranked and not is_baseline(name)]
    yield [name for name in field.names if is_baseline(name)]


def in_words(line: Mapping[str, Any], detectors: int = 1) -> str:
    """What chance makes of a detector, by its line of the leaderboard.

    Parameters
    ----------
    line, detectors : dict, int
        The line, and how many detectors are tested.

    Examples
    --------
    >>> line = {"tested": 60, "p_value": 0.0001, "p_adjusted": 0.0001, "least_p": 0.0001}
    >>> line |= {"better_on": 41, "better_on_low": 52, "clocks": 60}
    >>> in_words(line)
    'better than chance over 60 series (p = 0.0001), on at least 52 of them, on 41 by itself'
    >>> line |= {"p_value": 0.005, "p_adjusted": 0.06, "least_p": 0.005, "clocks": 1}
    >>> in_words(line, 12)
    'cannot be told over 60 series: on one clock p is at least 0.005, and 12 detectors need 0.0042'
    """
    if not line["tested"]:
        return ""
    series, clocks = f"{line['tested']:,} series", line["clocks"]
    shared = clocks < line["tested"]
    on = "one clock" if clocks == 1 else f"{clocks:,} clocks"
    if line["least_p"] > CLEAR:
        return f"not testable: {series} with too few places (p is at least {line['least_p']:.3g})"
    if shared and line["p_value"] <= CLEAR < min(line["p_adjusted"], line["least_p"] * detectors):
        least, need = f"{line['least_p']:.2g}", f"{CLEAR / detectors:.2g}"
        return (
            f"cannot be told over {series}: on {on} p is at least {least}, and {detectors} "
            f"detectors need {need}"
        )
    found = "better" if line["p_adjusted"] <= CLEAR else "not shown to be better"
    sure = f"on at least {low} of them, " if (low := line["better_on_low"]) else ""
    alone = f"{sure}on {line['better_on']} by itself"
    over = f"{series} on {on}" if shared else series
    return f"{found} than chance over {over} (p = {line['p_adjusted']:.3g}), {alone}"
