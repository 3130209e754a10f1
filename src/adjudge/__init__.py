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

import sys
from importlib import import_module

from adjudge._version import __version__ as __version__

_PLACES = {  # imported when first asked for; tools/make.py stub tells type checkers
    "AdjudgeError": "errors",
    "Alerts": "data.incidents",
    "Answer": "sealing.answer",
    "Annotated": "judging.inputs.annotated",
    "Audit": "lab.audit.result",
    "Calibration": "lab.calibration.result",
    "Case": "data.case",
    "Chance": "noise.null_models",
    "Changes": "data.changes",
    "Channels": "judging.inputs.channels",
    "Comparison": "judging.comparing.comparison",
    "Comparisons": "judging.comparing.several",
    "Contract": "sealing.contract",
    "Curve": "measure.curves",
    "Decision": "judging.deciding.decision",
    "Events": "data.events",
    "FileError": "errors",
    "Folder": "ranking.sources",
    "Incidents": "data.incidents",
    "InputError": "errors",
    "Inspection": "lab.inspection.result",
    "Judgement": "judging.judgement",
    "Metric": "metrics.metric",
    "MissingExtra": "errors",
    "OnCall": "judging.inputs.on_call",
    "Points": "judging.inputs.points",
    "Ranking": "ranking.result",
    "Receipt": "judging.receipt",
    "Row": "metrics.metric",
    "Scenario": "lab.simulation.scenario",
    "Simulation": "lab.simulation.simulator",
    "Stream": "judging.over_time.streams",
    "Study": "lab.study.table",
    "UnknownName": "errors",
    "any_channel": "metrics.across_channels",
    "audit": "lab.audit.audits",
    "best": "metrics.oracle:best_of",
    "calibrate": "lab.calibration.run",
    "catalogue": "metrics.reader",
    "chance": "noise.null_models",
    "compare": "judging.doors.compare",
    "compare_all": "judging.doors.compare",
    "curve": "judging.doors.curve",
    "decide": "judging.doors.decide",
    "evaluate": "judging.doors.evaluate",
    "explain": "judging.doors.explain",
    "inspect": "lab.inspection.run",
    "judge_sealed": "sealing.doors",
    "macro": "metrics.across_channels",
    "metric": "metrics.reader",
    "merge_parts": "ranking.parts.finish",
    "micro": "metrics.across_channels",
    "over_time": "judging.doors.over_time",
    "peaks": "adjust.peaks",
    "rank": "ranking.run",
    "rank_chunks": "ranking.parts.chunks",
    "rank_finish": "ranking.parts.finish",
    "rank_part": "ranking.parts.part",
    "rank_task": "ranking.parts.part",
    "rank_values": "ranking.values",
    "read_ranking": "ranking.finished",
    "register": "metrics.reader",
    "report": "reporting.page.report_page",
    "seal": "sealing.doors",
    "simulate": "lab.simulation.simulator",
    "study": "lab.study.runner",
    "tuned": "judging.judge.tuning",
    "unwindow": "data.unwindow",
    "verify": "ranking.boards.verification",
}


def __getattr__(name: str) -> object:
    """Find what is asked for: a name above, a threshold rule, a metric, or a module."""
    if name in _PLACES:
        module, _, known_as = _PLACES[name].partition(":")
        found = getattr(import_module(f"adjudge.{module}"), known_as or name)
        globals()[name] = found  # found at once next time
        return found
    reader = sys.modules.get("adjudge.metrics.reader")
    if name in getattr(reader, "catalogue", ()):  # the shortest way, once it is known
        return reader.catalogue[name].metric  # type: ignore[union-attr]
    from adjudge.measure.thresholds.contract import RULES  # noqa: PLC0415 - importing stays quick

    if name == "__all__":
        return sorted([*_PLACES, *RULES.known, "__version__"])
    if name in RULES.known:
        return RULES[name]
    from adjudge.metrics.reader import catalogue  # noqa: PLC0415 - the same

    if name in catalogue:
        return catalogue[name].metric
    from importlib.util import find_spec  # noqa: PLC0415 - the same

    if find_spec(f"adjudge.{name}"):  # adjudge.errors.InputError without a further import
        return import_module(f"adjudge.{name}")
    from adjudge.errors import UnknownName  # noqa: PLC0415 - the same

    # Not written out here: whoever asks with hasattr has no use for what the name is near to.
    raise AttributeError(UnknownName("attribute of adjudge", name, __dir__()))


def __dir__() -> list[str]:
    """List the rules and the metrics too."""
    from adjudge.metrics.reader import catalogue  # noqa: PLC0415 - importing stays quick

    return sorted([*__getattr__("__all__"), *catalogue])
