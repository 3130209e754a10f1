"""Keys of rows: hashes of all that a row depends on, and of what it was judged on.

A row is keyed by a hash of all that its value depends on: labels, scores, the metric with every
setting resolved, the options, the revisions of metric and chance line, and the code of a metric
that is not ours. So a row that is there already is not made again, and one whose data or definition
has changed is.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.errors import AdjudgeError, visible
from adjudge.ranking.sources import NotSeen, Unit
from adjudge.ranking.task import takes_window

if TYPE_CHECKING:
    from adjudge.data.events import Events
    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.metrics.metric import Metric
    from adjudge.ranking.task import Task


class AskedMetric(NamedTuple):
    """A metric, and what is the same for all detectors of a series."""

    metric: Metric
    spec: str
    resolved: str
    width: int | None
    requested: Any
    """A hash that has begun by all that a row depends on beside the data."""

    def key(self, data: bytes) -> str:
        """The key of a row, by what it is judged on."""
        whole = self.requested.copy()
        whole.update(data)
        return str(whole.hexdigest()[:32])

    @classmethod
    def of(
        cls, metric: Metric, events: Events, task: Task, window: int | None = None
    ) -> AskedMetric:
        """Resolve a metric once per series, with the window of that series if it takes one."""
        own = metric
        if window is not None and takes_window(metric):
            own = metric.with_settings(window=window)
        apply_policy, spec = own.resolved(events), str(metric)
        resolved, width = (
            apply_policy.spec(own.row.always_shown),
            apply_policy.parts.adjust.island_width,
        )
        said = sha256(task.cache_key(spec, resolved, own.revision).encode())
        return cls(own, spec, resolved, width, said)


def failed_row(unit: Unit, error: object) -> dict[str, Any]:
    """Write down that a whole unit failed."""
    said = in_one_line(unit, error)
    key = sha256(json.dumps([unit.series, said]).encode()).hexdigest()[:32]
    return {"key": key, "detector": "", "requested": "", "metric": "", "error": said}


def failed_cell(unit: Unit, detector: str, spec: str, why: str) -> dict[str, Any]:
    """Write down that the scores of one detector cannot be read."""
    error = in_one_line(unit, why)
    key = sha256(json.dumps([unit.series, detector, spec, error]).encode()).hexdigest()[:32]
    return {"key": key, "detector": detector, "requested": spec, "metric": spec, "error": error}


def array_digest(*arrays: Any) -> str:
    """Hash arrays with their types; text by its letters."""
    digest = sha256()
    for given in arrays:
        array = np.asarray(given)
        plain = array if array.dtype.kind != "O" else array.astype(str)
        digest.update(f"{plain.dtype.str} {plain.shape} ".encode())
        digest.update(np.ascontiguousarray(plain).view(np.uint8).data if plain.ndim else b"")
    return digest.hexdigest()


def in_one_line(unit: Unit, error: object) -> str:
    """Put an error in one line, without where the file lies, unless that is what is wrong."""
    text = (
        str(error) if isinstance(error, (AdjudgeError, str)) else f"{type(error).__name__}: {error}"
    )
    return visible(text if isinstance(error, NotSeen) else unit.without_roots(text))


def truth_of(table: LabelledScores) -> str:
    """Hash the labels, the mask and the length of a series."""
    return array_digest(table.labels, table.where, table.series)


def print_of(truth: str, scores: str) -> int:
    """Give 64 bits by which to know labels and scores again."""
    return int(sha256(f"{truth} {scores}".encode()).hexdigest()[:16], 16)
