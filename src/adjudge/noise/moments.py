"""Mean and spread of balanced F under white noise: exactly, or by the delta method.

With islands on normal points only, true and false positives use disjoint points, so they are
independent. With D = b A + TP + FP (A anomalous points, b = beta squared) and
``1/D = integral of z^(D-1)``, both moments are integrals of generating functions, which a
recursion over the points gives exactly.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge._typing import Flags, Floats
    from adjudge.data.events import Events

_NODES = 160


class Moments(NamedTuple):
    """Mean and standard deviation."""

    mean: float
    sd: float


def exact_moments(events: Events, rate: float, width: int, beta: float = 1) -> Moments:
    r"""E[F] and sd(F) of balanced F under white noise.

    .. math::
        E[F] = \frac{1 + b}{bA} \int_0^1 E[TP z^{TP}]\, G(z)\, dv, \qquad z = v^{1/(bA)}

    with G the generating function of the false positives; E[F^2] likewise, with a factor -ln v.

    >>> from adjudge.data.events import Events
    >>> mean, sd = exact_moments(Events.from_intervals([(0, 1)], n=2), 0.5, width=1)
    >>> print(f"{mean:.6f} {sd:.6f}")  # F is 0, 0, 1 or 2/3
    0.416667 0.433013
    """
    mass, b = int(events.widths.sum()), beta**2
    x, weight = np.polynomial.legendre.leggauss(_NODES)
    x, weight = (x + 1) / 2, weight / 2
    v, weight = x**3, weight * 3 * x**2  # v = x^3 tames the logarithm at 0
    z = v ** (1 / (b * mass))
    first, second = _true_positives(events, rate, z)
    false = _false_positives(events, rate, width, z)
    scale = (1 + b) / (b * mass)
    mean = scale * float(weight @ (first * false))
    square = scale**2 * float(weight @ (-np.log(v) * second * false))
    return Moments(mean, float(np.sqrt(max(square - mean**2, 0.0))))


def delta_moments(events: Events, rate: float, width: int, beta: float = 1) -> Moments:
    """Mean and sd of balanced F under white noise to second order: for long series."""
    mass, b = int(events.widths.sum()), beta**2
    quiet = (1 - rate) ** events.widths.astype(float)
    found = float((events.widths * (1 - quiet)).sum())
    var_found = float((events.widths**2.0 * quiet * (1 - quiet)).sum())
    false, var_false = _false_moments(events, rate, width)
    whole = b * mass + found + false
    value, rest = (1 + b) * found / whole, b * mass + false
    mean = value + (1 + b) * (found * var_false - rest * var_found) / whole**3
    spread = rest**2 * var_found + found**2 * var_false
    return Moments(mean, (1 + b) * float(np.sqrt(spread)) / whole**2)


def _true_positives(events: Events, rate: float, z: Floats) -> tuple[Floats, Floats]:
    """E[TP z^TP] and E[TP^2 z^TP]: every event is hit by itself, or not at all."""
    product, first, second = np.ones_like(z), np.zeros_like(z), np.zeros_like(z)
    widths, counts = np.unique(events.widths, return_counts=True)
    for width, count in zip(widths.tolist(), counts.tolist(), strict=True):
        missed = (1 - rate) ** width
        hit = (1 - missed) * z**width
        each = missed + hit
        product = product * each**count
        share = width * np.divide(hit, each, out=np.ones_like(z), where=each > 0)
        first += count * share
        second += count * (width * share - share**2)
    return product * first, product * (first**2 + second)


def _false_positives(events: Events, rate: float, width: int, z: Floats) -> Floats:
    """E[z^FP] by a recursion on the number of points since the last false alarm."""
    product = np.ones_like(z)
    bounds = events.series_bounds
    for start, stop in pairwise(bounds):
        product = product * _one_series(events.normal[start:stop], rate, width, z)
    return product


def _one_series(normal: Flags, rate: float, width: int, z: Floats) -> Floats:
    """Walk one series; after point j it is decided whether point j - (width-1)//2 is marked.

    ``state[i]`` is the mass whose last false alarm lies i points back, ``state[width]`` that of all
    others. The rows turn in place: row ``(top + i) % width`` holds state i.
    """
    behind = (width - 1) // 2
    recent, none, top = np.zeros((width, z.size)), np.ones(z.size), 0
    alarm = np.append(np.where(normal, rate, 0.0), np.zeros(behind))
    for j, p in enumerate(alarm.tolist()):
        top = (top - 1) % width
        oldest = recent[top]
        none = none + oldest
        fresh = 0.0
        if p:
            fresh = p * (none + recent.sum(axis=0) - oldest)
            recent *= 1 - p
            none = none * (1 - p)
        recent[top] = fresh
        if j >= behind and normal[j - behind]:
            recent *= z
    return np.asarray(none + recent.sum(axis=0))


def _false_moments(events: Events, rate: float, width: int) -> tuple[float, float]:
    """Mean and variance of the number of marked normal points."""
    quiet = 1 - rate
    total = mean = variance = 0.0
    bounds = events.series_bounds
    for start, stop in pairwise(bounds):
        normal = events.normal[start:stop]
        sums = np.concatenate([[0], np.cumsum(normal)])
        place = np.flatnonzero(normal)
        first = np.maximum(place - width // 2, 0)
        last = np.minimum(place + (width - 1) // 2 + 1, normal.size)
        mean += float((1 - quiet ** (sums[last] - sums[first]).astype(float)).sum())
        total += place.size
    overlap = 2 * quiet * (1 - quiet ** (width - 1)) / rate if rate else 0.0
    variance = total * (quiet**width * (1 + overlap) - (2 * width - 1) * quiet ** (2 * width))
    return mean, max(variance, 0.0)
