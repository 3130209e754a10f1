"""Codings: labels that are not 0 and 1, read by the one value that means an anomaly."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.columns import ids
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags


def coded(labels: Column, positive: object) -> Flags:
    """Tell the anomalies: the labels that equal ``positive``.

    Text is compared as text, numbers as numbers, and text that is a number with a number as
    numbers: ``"1"``, ``1`` and ``1.0`` are one value.

    >>> coded(["normal", "anomaly", "normal"], "anomaly")
    array([False,  True, False])
    >>> coded([1, 1, -1], positive=-1)
    array([False, False,  True])
    >>> coded(["normal", "anomaly", "normal"], "Anomaly")
    Traceback (most recent call last):
    adjudge.errors.InputError: positive must be one of the labels 'normal', 'anomaly', got 'Anomaly'
    """
    given = ids(labels, "labels")
    if given.ndim != 1 or not given.size:
        raise InputError(f"labels must be one-dimensional, got shape {given.shape}")
    wanted = _comparable(positive)
    values = dict.fromkeys(given.tolist())
    chosen = {value for value in values if _comparable(value) == wanted}
    if not chosen and len(values) > 1:  # one value alone: a series without anomalies
        listed = ", ".join(map(repr, list(values)[:5])) + ", ..." * (len(values) > 5)
        raise InputError(f"positive must be one of the labels {listed}, got {positive!r}")
    return np.fromiter((value in chosen for value in given.tolist()), bool, given.size)


def _comparable(value: Any) -> object:
    """Give a number where the value is one or reads as one, else the value itself."""
    if isinstance(value, str):
        with suppress(ValueError):
            return float(value)
        return value.strip()
    return value.item() if isinstance(value, np.generic) else value
