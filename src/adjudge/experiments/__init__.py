"""The paper's study: thousands of simulated detectors, each judged and described, as a table."""

from __future__ import annotations

from adjudge.experiments.runner import study
from adjudge.experiments.table import Study

__all__ = ["Study", "study"]
