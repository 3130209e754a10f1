"""Judge time-series anomaly detectors fairly.

>>> import adjudge as aj
>>> labels = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
>>> flags = [0, 1, 0, 0, 1, 0, 0, 0, 0, 0]
>>> aj.f1(labels, flags), aj.f1_pa(labels, flags), aj.f1_ba(labels, flags, width=3)
(0.3333333333333333, 0.8888888888888888, 0.7272727272727273)

Every metric of the catalogue is a name here (``aj.f1_ba``): with arrays it gives a float, with
settings alone a new metric. ``aj.evaluate`` judges detectors by several metrics, ``aj.explain``
gives the receipt of a score, ``aj.curve`` every threshold, ``aj.chance`` what chance would have
scored, and ``aj.compare`` whether one of two detectors is really ahead. ``aj.simulate`` draws
detectors, ``aj.study`` repeats the paper's experiments, ``aj.audit`` holds a metric against axioms.
"""

from __future__ import annotations

from adjudge import _command  # noqa: F401 - before all else: it takes Ctrl-C over

# isort: split
from importlib import import_module
from typing import TYPE_CHECKING, Any

from adjudge._version import __version__
from adjudge.data.case import Case
from adjudge.data.events import Events
from adjudge.data.unwindow import unwindow
from adjudge.errors import AdjudgeError, FileError, InputError, MissingExtra, UnknownName
from adjudge.judging.comparison import Comparison, compare
from adjudge.judging.evaluation import curve, evaluate
from adjudge.judging.judgement import Judgement
from adjudge.judging.preparation import tuned
from adjudge.judging.receipt import Receipt, explain
from adjudge.measure.curves import Curve
from adjudge.measure.thresholds import Mad as mad  # noqa: N813 - reads as a function
from adjudge.measure.thresholds import Pot as pot  # noqa: N813 - reads as a function
from adjudge.measure.thresholds import Quantile as quantile  # noqa: N813 - reads as a function
from adjudge.measure.thresholds import Sigma as sigma  # noqa: N813 - reads as a function
from adjudge.measure.thresholds import Top as top  # noqa: N813 - reads as a function
from adjudge.metrics.metric import Metric, Row
from adjudge.metrics.metric import best_of as best
from adjudge.metrics.reader import catalogue, metric, register
from adjudge.noise.null_models import Chance, chance

if TYPE_CHECKING:
    from adjudge.lab.audit.audits import audit
    from adjudge.lab.audit.result import Audit
    from adjudge.lab.simulation.scenario import Scenario
    from adjudge.lab.simulation.simulator import Simulation, simulate
    from adjudge.lab.study.runner import study
    from adjudge.lab.study.table import Study
    from adjudge.ranking.result import Ranking
    from adjudge.ranking.run import rank
    from adjudge.reporting.page.report_page import report

_ON_DEMAND = {  # who only judges does not wait for these
    "Audit": "lab.audit.result",
    "Ranking": "ranking.result",
    "Scenario": "lab.simulation.scenario",
    "Simulation": "lab.simulation.simulator",
    "Study": "lab.study.table",
    "audit": "lab.audit.audits",
    "rank": "ranking.run",
    "report": "reporting.page.report_page",
    "simulate": "lab.simulation.simulator",
    "study": "lab.study.runner",
}

__all__ = [
    "AdjudgeError",
    "Audit",
    "Case",
    "Chance",
    "Comparison",
    "Curve",
    "Events",
    "FileError",
    "InputError",
    "Judgement",
    "Metric",
    "MissingExtra",
    "Ranking",
    "Receipt",
    "Row",
    "Scenario",
    "Simulation",
    "Study",
    "UnknownName",
    "__version__",
    "audit",
    "best",
    "catalogue",
    "chance",
    "compare",
    "curve",
    "evaluate",
    "explain",
    "mad",
    "metric",
    "pot",
    "quantile",
    "rank",
    "register",
    "report",
    "sigma",
    "simulate",
    "study",
    "top",
    "tuned",
    "unwindow",
]


def __getattr__(name: str) -> Any:
    """The metrics of the catalogue as names of the package, and the larger parts on demand."""
    if name in _ON_DEMAND:
        return getattr(import_module(f"adjudge.{_ON_DEMAND[name]}"), name)
    if name in catalogue:
        return catalogue[name].metric
    # Not written out here: whoever asks with hasattr has no use for what the name is near to.
    raise AttributeError(UnknownName("attribute of adjudge", name, __dir__()))


def __dir__() -> list[str]:
    """List the metrics too."""
    return sorted([*__all__, *catalogue])
