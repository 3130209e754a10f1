"""Judge time-series anomaly detectors fairly.

>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 0, 0, 0, 0, 0]
>>> aj.f1(labels, flags), aj.f1_pa(labels, flags), aj.f1_ba(labels, flags, width=3)
(0.3333333333333333, 0.8888888888888888, 0.7272727272727273)

Every metric of the catalogue is a name here (``aj.f1_ba``): with arrays it gives a float, with
settings alone a new metric. ``aj.evaluate`` judges detectors by several metrics, ``aj.explain``
gives the receipt of a score, ``aj.curve`` every threshold, ``aj.chance`` what luck would have
scored, and ``aj.compare`` whether one of two detectors is really ahead.
"""

from __future__ import annotations

from adjudge.case import Case
from adjudge.errors import AdjudgeError, FileError, InputError, MissingExtra, UnknownName
from adjudge.events import Events
from adjudge.judgement import Judgement, curve, evaluate
from adjudge.metric import Metric
from adjudge.metric import best_of as best
from adjudge.noise.comparison import Comparison, compare
from adjudge.noise.level import Chance, chance
from adjudge.receipt import Receipt, explain
from adjudge.rows import catalogue, metric
from adjudge.scenario import Scenario
from adjudge.simulator import Simulation, simulate
from adjudge.thresholds import Quantile as quantile  # noqa: N813 - reads as a function
from adjudge.thresholds import Top as top  # noqa: N813 - reads as a function

__version__ = "0.1.0"

__all__ = [
    "AdjudgeError",
    "Case",
    "Chance",
    "Comparison",
    "Events",
    "FileError",
    "InputError",
    "Judgement",
    "Metric",
    "MissingExtra",
    "Receipt",
    "Scenario",
    "Simulation",
    "UnknownName",
    "best",
    "catalogue",
    "chance",
    "compare",
    "curve",
    "evaluate",
    "explain",
    "metric",
    "quantile",
    "simulate",
    "top",
]


def __getattr__(name: str) -> Metric:
    """Give the metrics of the catalogue as names of the package."""
    if name in catalogue:
        return catalogue[name].metric
    raise AttributeError(f"module 'adjudge' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the metrics too."""
    return sorted([*__all__, *catalogue, "__version__"])
