"""torchmetrics and Lightning: a metric that puts the points of all ranks in order before judging.

Tested on the CPU with several processes. Tensors on a GPU are copied to the CPU, which is untested.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from adjudge.data.columns import column
from adjudge.errors import InputError, MissingExtra
from adjudge.judging.safe_names import safe_names
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
    once. One series whose batches come in order to one process needs no index; elsewhere
    events would be torn apart without it, and the value wrong.

    Parameters
    ----------
    metric : spec or Metric
        The metric. A metric of flags gets predictions of 0 and 1.
    **settings
        Settings of the metric, and options of `torchmetrics.Metric` such as ``sync_on_compute``.

    Notes
    -----
    A `MetricCollection` made of a list names its metrics by their classes, so each metric is of a
    class of its own below this one, with the name that `Judgement.to_flat_dict(names="safe")` has:
    ``ap``, ``best_f1_ba``, ``f1_kpa_k_0_3``.

    Examples
    --------
    >>> metric = Adjudge("best(f1_ba)")  # doctest: +SKIP
    >>> for batch in loader:  # doctest: +SKIP
    ...     metric.update(model(batch.x), batch.y, batch.index)
    >>> metric.compute()  # doctest: +SKIP
    >>> MetricCollection([Adjudge("ap"), Adjudge("auc_roc")])  # doctest: +SKIP
    """

    is_differentiable = False
    full_state_update = False

    def __new__(cls, metric: str | Metric = "best(f1_ba)", **settings: Any) -> Self:
        """Make a metric of the class that has its name."""
        made: Self = _unfilled(cls, str(_with_settings(metric, settings)))
        return made

    def __init__(self, metric: str | Metric = "best(f1_ba)", **settings: Any) -> None:
        super().__init__(**{key: settings[key] for key in _OF_TORCHMETRICS & set(settings)})
        self.asked = _with_settings(metric, settings)
        for state in _STATES:
            self.add_state(state, default=[], dist_reduce_fx="cat")

    @property
    def higher_is_better(self) -> bool:
        """Whether more is better, as the metric's row says."""
        return self.asked.row.better == "higher"

    def update(self, preds: Any, target: Any, index: Any = None) -> None:
        """Take in some points: their scores (or flags), their labels, and their places in time.

        Without an index they come behind all that came before.
        """
        if index is None and _ranks() > 1:
            raise InputError(
                f"index must be given with {_ranks()} ranks: each has some of the points only"
            )
        for state, values in zip(_STATES, (preds, target, index), strict=True):
            if values is not None:
                getattr(self, state).append(values.detach().reshape(-1))

    def compute(self) -> Any:
        """Judge all points that were taken in, in the order of their index."""
        preds, target = _points(self.preds, "preds"), _points(self.target, "target")
        index = _points(self.index, "index") if len(self.index) else np.arange(len(preds))
        if len(index) != len(preds):
            raise InputError("index must be given with all batches or with none, got it with some")
        _, first, place = np.unique(index, return_index=True, return_inverse=True)
        if not np.array_equal(target, target[first][place]):
            raise InputError(
                "index must be unique, got one index for points with different targets; it "
                "must not restart for further series"
            )
        value = self.asked(target[first], preds[first])
        return torch.tensor(value, dtype=torch.float64)

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to make it again: its class is made on demand, so no pickle can name that."""
        (own,) = type(self).__bases__
        return _unfilled, (own, str(self.asked)), self.__getstate__()

    def __repr__(self) -> str:
        """Name the metric."""
        return f"Adjudge({str(self.asked)!r})"


def _with_settings(metric: str | Metric, settings: dict[str, Any]) -> Metric:
    """The metric with its settings; what torchmetrics itself is told is none of them."""
    own = {key: value for key, value in settings.items() if key not in _OF_TORCHMETRICS}
    found = read_metric(metric)
    return found.with_settings(**own) if own else found


def _points(batches: Any, name: str) -> Any:
    return column(dim_zero_cat(batches).cpu(), name)


def _ranks() -> int:
    """How many processes share the points."""
    there = torch.distributed.is_available() and torch.distributed.is_initialized()
    return int(torch.distributed.get_world_size()) if there else 1


def _unfilled(own: type[Any], spec: str) -> Any:
    """An instance without its fields, for ``__init__`` or a pickle to fill."""
    return object.__new__(_named(own, spec))  # type: ignore[arg-type]  # a class is hashable


@cache
def _named(own: type[Any], spec: str) -> type[Any]:
    """The class of a metric, one for each."""
    return type(safe_names([spec])[spec], (own,), {"__doc__": own.__doc__})
