"""torchmetrics and Lightning: a metric that puts the points of all ranks in order before judging.

Tested on the CPU with several processes. Tensors on a GPU are copied to the CPU, which is untested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError, MissingExtra
from adjudge.metrics.reader import metric as read_metric

try:
    import torch
    from torchmetrics import Metric as TorchMetric
    from torchmetrics.utilities import dim_zero_cat
except ImportError as error:
    raise MissingExtra("adjudge.integrations.torchmetrics", "torchmetrics") from error

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric

_STATES = ("preds", "target", "index")
_OF_TORCHMETRICS = frozenset({
    "compute_on_cpu", "dist_sync_on_step", "process_group", "dist_sync_fn",
    "distributed_available_fn", "sync_on_compute", "compute_with_cache",
})  # fmt: skip


class Adjudge(TorchMetric):
    """Any metric of the catalogue, over points that come in batches, from any rank, in any order.

    The index of each point is part of the state. So points that a distributed sampler deals out to
    several ranks are put back in order, and those that it repeats to fill the last batch count
    once. Without the index, events would be torn apart and the value wrong.

    Parameters
    ----------
    metric : spec or Metric
        The metric. A metric of flags gets predictions of 0 and 1.
    **settings
        Settings of the metric, and options of `torchmetrics.Metric` such as ``sync_on_compute``.

    Examples
    --------
    >>> metric = Adjudge("best(f1_ba)")  # doctest: +SKIP
    >>> for batch in loader:  # doctest: +SKIP
    ...     metric.update(model(batch.x), batch.y, batch.index)
    >>> metric.compute()  # doctest: +SKIP
    """

    is_differentiable = False
    full_state_update = False

    def __init__(self, metric: str | Metric = "best(f1_ba)", **settings: Any) -> None:
        theirs = {key: settings.pop(key) for key in _OF_TORCHMETRICS & set(settings)}
        super().__init__(**theirs)
        asked = read_metric(metric)
        self.asked = asked.with_settings(**settings) if settings else asked
        for state in _STATES:
            self.add_state(state, default=[], dist_reduce_fx="cat")

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better, as the metric's row says."""
        return self.asked.row.better == "higher"

    def update(self, preds: Any, target: Any, index: Any) -> None:
        """Take in some points: their scores (or flags), their labels, and their places in time."""
        for state, values in zip(_STATES, (preds, target, index), strict=True):
            getattr(self, state).append(values.detach().reshape(-1))

    def compute(self) -> Any:
        """Judge all points that were taken in, in the order of their index."""
        preds, target, index = (
            dim_zero_cat(getattr(self, state)).cpu().numpy() for state in _STATES
        )
        _, first, place = np.unique(index, return_index=True, return_inverse=True)
        if not np.array_equal(target, target[first][place]):
            raise InputError(
                "index must name each point, got one index for points with different targets; of "
                "several series it must not begin again"
            )
        value = self.asked(target[first], preds[first])
        return torch.tensor(value, dtype=torch.float64)

    def __repr__(self) -> str:
        """Name the metric."""
        return f"Adjudge({str(self.asked)!r})"
