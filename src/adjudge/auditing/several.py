"""Many: audit several metrics, side by side."""

from __future__ import annotations

import multiprocessing
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudge.auditing.run import audit
from adjudge.auditing.sandbox import can_fork
from adjudge.metrics.metric import Metric
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge.auditing.result import Audit


def audited(metrics: Sequence[Any], *, jobs: int = 1, **options: Any) -> Iterator[Audit]:
    """Audit metrics one after the other, in their order; those of the catalogue side by side.

    Parameters
    ----------
    metrics : sequence of str, Metric or callable
        See `adjudge.audit`.
    jobs : int
        Processes. Functions of the user are audited in this one, after the others.
    **options
        See `adjudge.audit`.

    Examples
    --------
    >>> [found.verdicts["L6"] for found in audited(["f1", "f1_ba"], axioms=["L6"])]
    ['fail', 'pass']
    """
    specs = [str(read_metric(m)) if isinstance(m, (str, Metric)) else None for m in metrics]
    known = [spec for spec in specs if spec is not None]
    if jobs <= 1 or len(known) < 2 or not can_fork():
        yield from (audit(metric, **options) for metric in metrics)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside idle threads
        pool = multiprocessing.get_context("fork").Pool(jobs)
    with pool:
        found = pool.imap(partial(audit, **options), known)
        for metric, spec in zip(metrics, specs, strict=True):
            yield audit(metric, **options) if spec is None else next(found)
