"""Chance verdicts: one for each detector over all its series.

Of each series the row of a detector keeps what it scores at home and at 199 other places, by each
null model that a verdict needs. Over all series these give one p-value (`adjudge.noise.pooled_p`),
which can be small where no series by itself can say anything, as with one event in each.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.noise.intervals.units import on_clocks
from adjudge.noise.keyed_sums import KeyedSums
from adjudge.noise.p_values import CLEAR, PlacesOfSeries, holm
from adjudge.noise.pooled_p import OneSeries, Pooled, pooled_of
from adjudge.ranking.collected import SEED, Collected, is_baseline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adjudge._typing import Floats
    from adjudge.ranking.comparable import Comparable

    Cell = tuple[str, str]

PLACES = "places"
"""What a row keeps them under; no table has them."""


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


class Verdicts:
    """What every detector is against chance, by each metric, as series come in any order.

    Seeds of one detector are averaged on each series. Series of one clock are moved together: what
    is drawn follows from the name of the clock.

    Parameters
    ----------
    found : Collected
        The cells; what each series says by itself is noted there in the end.
    clocks : mapping
        Series -> the name of the clock that it may share. Who is not named has its own.
    """

    def __init__(self, found: Collected, clocks: Mapping[str, str]) -> None:
        self._found, self._clocks = found, clocks
        self.sums: dict[Cell, list[KeyedSums]] = {}
        """Of each null model, by detector and metric."""
        self.said: dict[Cell, Floats] = {}
        """The p-value and the evidence of each series by itself; NaN where it is not tested."""

    def add(self, place: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take the rows of the series at a place."""
        for cell, seeds in _by_detector(rows).items():
            self.test(place, cell, seeds)

    def test(self, place: int, cell: Cell, seeds: list[PlacesOfSeries]) -> None:
        """Take what the seeds of a detector score at the places of a series."""
        better, span = self._found.better[cell[1]], self._found.spans[cell[1]]
        one = OneSeries.of(_mean(seeds), better, span)
        if one is None:
            return
        self.cache_key(cell)[:, place] = one.p, one.evidence
        series = self._found.series[place]
        for sums, steps in zip(self.of(cell, len(one.steps)), one.steps, strict=True):
            sums.add(self._clocks.get(series, series), steps, shared=series in self._clocks)

    def of(self, cell: Cell, models: int) -> list[KeyedSums]:
        """The sums of a detector by a metric, of so many null models."""
        return self.sums.setdefault(cell, [KeyedSums() for _ in range(models)])

    def cache_key(self, cell: Cell) -> Floats:
        """What the series say of a detector by a metric, each by itself."""
        if cell not in self.said:
            self.said[cell] = np.full((2, len(self._found.series)), np.nan)
        return self.said[cell]

    def judged(self) -> dict[Cell, Pooled]:
        """Hold every detector against chance, once all series are there."""
        found, names = self._found, self._found.series
        known, runs = {}, found.runs()
        for (detector, metric), said in self.said.items():
            own = np.flatnonzero(~np.isnan(said[0]))
            clocks = [self._clocks.get(names[place], names[place]) for place in own.tolist()]
            one = pooled_of(self.sums[detector, metric], said[0, own], said[1, own], clocks)
            known[detector, metric] = one
            for key in ((run, metric) for run in runs[detector] if (run, metric) in found.cells):
                found.cells[key].p_adjusted[own] = one.alone
        return known


def _by_detector(
    rows: Iterable[Mapping[str, Any]],
) -> dict[Cell, list[PlacesOfSeries]]:
    """The places of all seeds of each detector, by each metric."""
    found: dict[Cell, list[PlacesOfSeries]] = {}
    for row in rows:
        if row.get(PLACES):
            run = SEED.fullmatch(row["detector"])
            key = run[1] if run else row["detector"], row["requested"]
            found.setdefault(key, []).append(unpacked(row[PLACES]))
    return found


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
    'better than chance over 60 series (p = 0.0001), on at least 52 of them, significant alone on
    41'
    >>> line |= {"p_value": 0.005, "p_adjusted": 0.06, "least_p": 0.005, "clocks": 1}
    >>> in_words(line, 12)
    'not distinguishable over 60 series: on one clock p is at least 0.005, and 12 detectors need
    0.0042'
    """
    if not line["tested"]:
        return ""
    series, clocks = f"{line['tested']:,} series", line["clocks"]
    shared = clocks < line["tested"]
    if line["least_p"] > CLEAR:
        return f"not testable: {series} with too few shifts (p is at least {line['least_p']:.3g})"
    if shared and line["p_value"] <= CLEAR < min(line["p_adjusted"], line["least_p"] * detectors):
        least, need = f"{line['least_p']:.2g}", f"{CLEAR / detectors:.2g}"
        return (
            f"not distinguishable over {series}: {on_clocks(clocks)} p is at least {least}, "
            f"and {detectors} detectors need {need}"
        )
    found = "better" if line["p_adjusted"] <= CLEAR else "not significantly better"
    sure = f"on at least {low} of them, " if (low := line["better_on_low"]) else ""
    alone = f"{sure}significant alone on {line['better_on']}"
    over = f"{series} {on_clocks(clocks)}" if shared else series
    return f"{found} than chance over {over} (p = {line['p_adjusted']:.3g}), {alone}"
