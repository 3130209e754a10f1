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

from importlib import import_module

from adjudge._version import __version__

TYPE_CHECKING = False  # importing typing takes a while, in which Ctrl-C would be a traceback
if TYPE_CHECKING:
    from typing import Any

    from adjudge import _catalogue
    from adjudge._catalogue import *  # noqa: F403 - every metric, as docs/make_stub.py writes it
    from adjudge.data.case import Case
    from adjudge.data.events import Events
    from adjudge.data.unwindow import unwindow
    from adjudge.errors import AdjudgeError, FileError, InputError, MissingExtra, UnknownName
    from adjudge.judging.comparison import Comparison, compare
    from adjudge.judging.evaluation import curve, evaluate
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.preparation import tuned
    from adjudge.judging.receipt import Receipt, explain
    from adjudge.lab.audit.audits import audit
    from adjudge.lab.audit.result import Audit
    from adjudge.lab.simulation.scenario import Scenario
    from adjudge.lab.simulation.simulator import Simulation, simulate
    from adjudge.lab.study.runner import study
    from adjudge.lab.study.table import Study
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
    from adjudge.ranking.finished import read_ranking
    from adjudge.ranking.result import Ranking
    from adjudge.ranking.run import rank
    from adjudge.ranking.values import rank_values
    from adjudge.reporting.page.report_page import report

_PLACES = {  # imported when first asked for: nobody waits for what is not used
    "AdjudgeError": "errors",
    "Audit": "lab.audit.result",
    "Case": "data.case",
    "Chance": "noise.null_models",
    "Comparison": "judging.comparison",
    "Curve": "measure.curves",
    "Events": "data.events",
    "FileError": "errors",
    "InputError": "errors",
    "Judgement": "judging.judgement",
    "Metric": "metrics.metric",
    "MissingExtra": "errors",
    "Ranking": "ranking.result",
    "Receipt": "judging.receipt",
    "Row": "metrics.metric",
    "Scenario": "lab.simulation.scenario",
    "Simulation": "lab.simulation.simulator",
    "Study": "lab.study.table",
    "UnknownName": "errors",
    "audit": "lab.audit.audits",
    "best": "metrics.metric:best_of",
    "catalogue": "metrics.reader",
    "chance": "noise.null_models",
    "compare": "judging.comparison",
    "curve": "judging.evaluation",
    "evaluate": "judging.evaluation",
    "explain": "judging.receipt",
    "mad": "measure.thresholds:Mad",
    "metric": "metrics.reader",
    "pot": "measure.thresholds:Pot",
    "quantile": "measure.thresholds:Quantile",
    "rank": "ranking.run",
    "rank_values": "ranking.values",
    "read_ranking": "ranking.finished",
    "register": "metrics.reader",
    "report": "reporting.page.report_page",
    "sigma": "measure.thresholds:Sigma",
    "simulate": "lab.simulation.simulator",
    "study": "lab.study.runner",
    "top": "measure.thresholds:Top",
    "tuned": "judging.preparation",
    "unwindow": "data.unwindow",
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
    "rank_values",
    "read_ranking",
    "register",
    "report",
    "sigma",
    "simulate",
    "study",
    "top",
    "tuned",
    "unwindow",
]


if TYPE_CHECKING:
    __all__ += _catalogue.__all__  # else pyright takes the metrics for private names
else:  # hidden from checkers, so that they call an unknown name an error

    def __getattr__(name: str) -> Any:
        """Find what is asked for: a name above, a metric of the catalogue, or a module."""
        if name in _PLACES:
            module, _, known_as = _PLACES[name].partition(":")
            found = getattr(import_module(f"adjudge.{module}"), known_as or name)
            globals()[name] = found  # found at once next time
            return found
        from adjudge.metrics.reader import catalogue  # noqa: PLC0415 - importing stays quick

        if name in catalogue:
            return catalogue[name].metric
        from importlib.util import find_spec  # noqa: PLC0415 - the same

        if find_spec(f"adjudge.{name}"):  # adjudge.errors.InputError without a further import
            return import_module(f"adjudge.{name}")
        from adjudge.errors import UnknownName  # noqa: PLC0415 - the same

        # Not written out here: whoever asks with hasattr has no use for what the name is near to.
        raise AttributeError(UnknownName("attribute of adjudge", name, __dir__()))


def __dir__() -> list[str]:
    """List the metrics too."""
    from adjudge.metrics.reader import catalogue  # noqa: PLC0415 - importing stays quick

    return sorted([*__all__, *catalogue])
