"""Other libraries that happen to be installed, beside ours; none is required.

Each peer is a function that gives pairs: what it is, the peer's job, our job, and how the two
values relate. Where both follow the same definition they must agree to 1e-9.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from timing import Claim, Row

import adjudge as aj

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.generic]

_SECTION = "9. peers: their time in units of ours"


class Pair(NamedTuple):
    """A peer's job and ours, and whether their values are equal by definition."""

    what: str
    theirs: Callable[[], float]
    ours: Callable[[], float]
    values: Literal["equal", "ours at least theirs"] = "equal"


def installed(labels: Array, scores: Array) -> list[Pair]:
    """List the pairs of all peers that can be imported."""
    flags = (scores > 0.9).astype(np.int64)
    pairs: list[Pair] = []
    for peer in (_sklearn, _tsadmetrics, _tsb_ad):
        with suppress(ImportError):
            pairs += peer(labels, scores, flags)
    return pairs


def claims(pairs: list[Pair]) -> list[Claim]:
    """Compare the times; nothing is promised."""
    return [Claim(_SECTION, pair.what, pair.theirs, pair.ours, "x ours") for pair in pairs]


def agreement(pairs: list[Pair]) -> Iterator[Row]:
    """Compare the values: how far they lie apart, or how far theirs lies above ours."""
    for what, theirs, ours, values in pairs:
        excess = float(theirs()) - float(ours())
        apart = abs(excess) if values == "equal" else max(excess, 0.0)
        yield Row(_SECTION, f"values of {what}", None, apart, apart, "apart", 1e-9)


def _sklearn(labels: Array, scores: Array, flags: Array) -> Iterator[Pair]:
    metrics = import_module("sklearn.metrics")

    def best_f1() -> float:
        precision, recall, _ = metrics.precision_recall_curve(labels, scores)
        both = precision + recall
        return float(np.max(2 * precision * recall / np.where(both > 0, both, 1)))

    yield Pair("sklearn best f1", best_f1, partial(aj.best(aj.f1), labels, scores))
    yield Pair(
        "sklearn f1_score", partial(metrics.f1_score, labels, flags), partial(aj.f1, labels, flags)
    )


def _tsadmetrics(labels: Array, scores: Array, flags: Array) -> Iterator[Pair]:  # noqa: ARG001
    """Compare at one threshold; a half-width h of islands there is a width of 2h + 1 here."""
    single = import_module("tsadmetrics.metrics.spm")
    found = import_module("tsadmetrics.metrics.tem.tpdm")
    covered = import_module("tsadmetrics.metrics.tem.ptdm")
    for what, theirs, ours in (
        ("pwf", single.PointwiseFScore(), aj.f1),
        ("paf", found.PointadjustedFScore(), aj.f1_pa),
        ("pakf", covered.PointadjustedAtKFScore(k=0.2), aj.f1_kpa(k=0.2)),
        (
            "bpaf",
            found.BalancedPointadjustedFScore(w=100),
            aj.f1_ba(width=101, islands="spill"),
        ),
    ):
        yield Pair(
            f"tsadmetrics {what}",
            partial(theirs.compute, labels, flags),
            partial(ours, labels, flags),
        )


def _tsb_ad(labels: Array, scores: Array, flags: Array) -> Iterator[Pair]:
    """Compare point adjustment at one threshold, and its best over their grid of 100."""
    theirs = import_module("TSB_AD.evaluation.basic_metrics").basic_metricor()
    yield Pair(
        "TSB-AD PointF1PA",
        partial(theirs.metric_PointF1PA, labels, scores, flags),
        partial(aj.f1_pa, labels, flags),
    )
    few = slice(len(labels) // 10)
    yield Pair(
        f"TSB-AD best PointF1PA, {len(labels) // 10:,} points",
        partial(theirs.metric_PointF1PA, labels[few], scores[few]),
        partial(aj.best(aj.f1_pa), labels[few], scores[few]),
        "ours at least theirs",
    )
