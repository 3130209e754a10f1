"""The line to cite a value by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.errors import visible
from adjudge.judging.words.short_names import POLICY
from adjudge.metrics.reader import metric as read_metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.result_columns import Finding
    from adjudge.metrics.metric import Metric


def citations(rows: Sequence[Finding], version: str) -> list[str]:
    """The lines to cite the values of several detectors by; one where it holds for all."""
    lines = [citation(row, version) for row in rows]
    if len(set(lines)) > 1:
        names = [f"to cite {visible(row.detector)}:" for row in rows]
        lines = [f"{a}{b.removeprefix('to cite:')}" for a, b in zip(names, lines, strict=True)]
    return list(dict.fromkeys(lines))


def citation(row: Finding, version: str) -> str:
    """The line to cite a value by: the spec, which reads back as the metric, and the threshold.

    >>> from adjudge.judging.result_columns import Finding
    >>> citation(Finding("mine", "f1_ba(width=101)", 0.6, None, "given"), "0.1")
    'to cite: f1_ba(width=101), corrected reading, adjudge 0.1'
    >>> citation(Finding("mine", "f1_ba(width=101)", 0.6, 0.75, "given"), "0.1")
    'to cite: f1_ba(width=101), corrected reading, threshold 0.75, adjudge 0.1'
    """
    metric = row.resolved_metric or read_metric(row.metric)
    threshold = "" if metric.at is not None else _threshold(row, metric)
    reading = metric.parts.adjust.named_reading
    named = f", {reading} reading" if reading else ""
    return f"to cite: {row.metric}{named}{threshold}, adjudge {version}"


def _threshold(row: Finding, metric: Metric) -> str:
    """How the threshold was chosen: by a rule, whose words are enough to find it again, or so."""
    if metric.oracle:
        by = f", alarms by {row.rule}" if row.rule.startswith(POLICY) else ""
        return f"{by}, threshold best in hindsight"
    if row.rule:
        return f", threshold by {row.rule}"
    return "" if row.at is None else f", threshold {float(row.at)}"
