"""Codings: labels and flags that are not 0 and 1, read by the one value that means an anomaly.

Flags are 0 and 1, and 1 is abnormal. Others write -1 and 1, and mean either by -1: scikit-learn's
detectors call an outlier -1, many classifiers call a normal point so. Which of them was meant
cannot be seen from the numbers, and the wrong guess turns a good detector into the worst one, so
it must be said.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._text import shown
from adjudge.data.columns import ids
from adjudge.errors import InputError

if TYPE_CHECKING:
    from adjudge._typing import Array, Column, Flags

_GLANCE = 64  # so many points tell most scores from a coding


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
    try:
        chosen = {value for value in values if bool(_comparable(value) == wanted)}
    except Exception:  # noqa: BLE001 - an array, or whatever somebody's object does
        raise InputError(f"positive must be one label, got {shown(positive)}") from None
    if not chosen and len(values) > 1:  # one value alone: a series without anomalies
        listed = ", ".join(map(repr, list(values)[:5])) + ", ..." * (len(values) > 5)
        raise InputError(f"positive must be one of the labels {listed}, got {shown(positive)}")
    return np.fromiter((value in chosen for value in given.tolist()), bool, given.size)


def refuse_signs(array: Array, name: str, rule: str) -> None:
    """Refuse -1 and 1 as a coding, with both readings.

    >>> refuse_signs(np.array([1, -1, 1]), "labels", "0 or 1")
    Traceback (most recent call last):
    adjudge.errors.InputError: labels must be 0 or 1, got -1 and 1; write labels == -1 if -1 \
marks the anomalies (as in scikit-learn), labels == 1 if 1 does
    """
    if array.dtype.kind in "bu" or array[0] not in (-1, 1):  # one point tells most of them
        return
    if two_values(array) != (-1, 1):
        return
    raise InputError(
        f"{name} must be {rule}, got -1 and 1; write {name} == -1 if -1 marks the anomalies "
        f"(as in scikit-learn), {name} == 1 if 1 does"
    )


def refuse_two_values(array: Array, metric: str) -> None:
    """Refuse scores of just two values where flags are needed, with what may be meant.

    >>> refuse_two_values(np.array([1, 2, 1]), "f1")
    Traceback (most recent call last):
    adjudge.errors.InputError: f1 needs 0/1 flags or at=<threshold>, got scores of two values, \
1 and 2; write scores == 2 if the higher one is the alarm, scores == 1 if the lower one is
    """
    pair = two_values(array)
    if pair is not None:
        raise InputError(
            f"{metric} needs 0/1 flags or at=<threshold>, got scores of two values, {pair[0]:g} "
            f"and {pair[1]:g}; write scores == {pair[1]:g} if the higher one is the alarm, "
            f"scores == {pair[0]:g} if the lower one is"
        )


def two_values(array: Array) -> tuple[float, float] | None:
    """The lower and the higher value of an array that holds just two; else None.

    >>> two_values(np.array([2, 1, 1]))
    (1, 2)
    """
    head = array[:_GLANCE]
    if not _holds_two(head) or not _holds_two(array):
        return None
    low, high = array.min().item(), array.max().item()
    return (low, high) if low < high else None


def _comparable(value: Any) -> object:
    """A number where the value is one or reads as one, else the value itself."""
    if isinstance(value, str):
        with suppress(ValueError):
            return float(value)
        return value.strip()
    return value.item() if isinstance(value, np.generic) else value


def _holds_two(array: Array) -> bool:
    return bool(np.all((array == array.min()) | (array == array.max())))
