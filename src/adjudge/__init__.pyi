"""The front door as type checkers and editors see it; written by tools/make.py stub."""

from adjudge import _catalogue
from adjudge import theory as theory
from adjudge._catalogue import *
from adjudge.adjust.peaks import peaks as peaks
from adjudge.data.case import Case as Case
from adjudge.data.changes import Changes as Changes
from adjudge.data.events import Events as Events
from adjudge.data.incidents import Alerts as Alerts
from adjudge.data.incidents import Incidents as Incidents
from adjudge.data.unwindow import unwindow as unwindow
from adjudge.errors import AdjudgeError as AdjudgeError
from adjudge.errors import FileError as FileError
from adjudge.errors import InputError as InputError
from adjudge.errors import MissingExtra as MissingExtra
from adjudge.errors import UnknownName as UnknownName
from adjudge.judging.comparing.comparison import Comparison as Comparison
from adjudge.judging.comparing.several import Comparisons as Comparisons
from adjudge.judging.deciding.decision import Decision as Decision
from adjudge.judging.doors.compare import compare as compare
from adjudge.judging.doors.compare import compare_all as compare_all
from adjudge.judging.doors.curve import curve as curve
from adjudge.judging.doors.decide import decide as decide
from adjudge.judging.doors.evaluate import evaluate as evaluate
from adjudge.judging.doors.explain import explain as explain
from adjudge.judging.doors.over_time import over_time as over_time
from adjudge.judging.inputs.annotated import Annotated as Annotated
from adjudge.judging.inputs.channels import Channels as Channels
from adjudge.judging.inputs.on_call import OnCall as OnCall
from adjudge.judging.inputs.points import Points as Points
from adjudge.judging.judge.tuning import tuned as tuned
from adjudge.judging.judgement import Judgement as Judgement
from adjudge.judging.over_time.streams import Stream as Stream
from adjudge.judging.receipt import Receipt as Receipt
from adjudge.lab.audit.audits import audit as audit
from adjudge.lab.audit.result import Audit as Audit
from adjudge.lab.calibration.result import Calibration as Calibration
from adjudge.lab.calibration.run import calibrate as calibrate
from adjudge.lab.inspection.result import Inspection as Inspection
from adjudge.lab.inspection.run import inspect as inspect
from adjudge.lab.simulation.scenario import Scenario as Scenario
from adjudge.lab.simulation.simulator import Simulation as Simulation
from adjudge.lab.simulation.simulator import simulate as simulate
from adjudge.lab.study.runner import study as study
from adjudge.lab.study.table import Study as Study
from adjudge.measure.curves import Curve as Curve
from adjudge.measure.thresholds.policy import Policy as policy
from adjudge.measure.thresholds.rules import Mad as mad
from adjudge.measure.thresholds.rules import Pot as pot
from adjudge.measure.thresholds.rules import Quantile as quantile
from adjudge.measure.thresholds.rules import Sigma as sigma
from adjudge.measure.thresholds.rules import Top as top
from adjudge.metrics.across_channels import any_channel as any_channel
from adjudge.metrics.across_channels import macro as macro
from adjudge.metrics.across_channels import micro as micro
from adjudge.metrics.metric import Metric as Metric
from adjudge.metrics.metric import Row as Row
from adjudge.metrics.oracle import best_of as best
from adjudge.metrics.reader import catalogue as catalogue
from adjudge.metrics.reader import metric as metric
from adjudge.metrics.reader import register as register
from adjudge.noise.null_models import Chance as Chance
from adjudge.noise.null_models import chance as chance
from adjudge.ranking.boards.verification import verify as verify
from adjudge.ranking.finished import read_ranking as read_ranking
from adjudge.ranking.parts.chunks import rank_chunks as rank_chunks
from adjudge.ranking.parts.finish import merge_parts as merge_parts
from adjudge.ranking.parts.finish import rank_finish as rank_finish
from adjudge.ranking.parts.part import rank_part as rank_part
from adjudge.ranking.parts.part import rank_task as rank_task
from adjudge.ranking.result import Ranking as Ranking
from adjudge.ranking.run import rank as rank
from adjudge.ranking.sources import Folder as Folder
from adjudge.ranking.values import rank_values as rank_values
from adjudge.reporting.page.report_page import report as report
from adjudge.sealing.answer import Answer as Answer
from adjudge.sealing.contract import Contract as Contract
from adjudge.sealing.doors import judge_sealed as judge_sealed
from adjudge.sealing.doors import seal as seal

__version__: str
__all__ = [
    "AdjudgeError",
    "Alerts",
    "Annotated",
    "Answer",
    "Audit",
    "Calibration",
    "Case",
    "Chance",
    "Changes",
    "Channels",
    "Comparison",
    "Comparisons",
    "Contract",
    "Curve",
    "Decision",
    "Events",
    "FileError",
    "Folder",
    "Incidents",
    "InputError",
    "Inspection",
    "Judgement",
    "Metric",
    "MissingExtra",
    "OnCall",
    "Points",
    "Ranking",
    "Receipt",
    "Row",
    "Scenario",
    "Simulation",
    "Stream",
    "Study",
    "UnknownName",
    "__version__",
    "any_channel",
    "audit",
    "best",
    "calibrate",
    "catalogue",
    "chance",
    "compare",
    "compare_all",
    "curve",
    "decide",
    "evaluate",
    "explain",
    "inspect",
    "judge_sealed",
    "macro",
    "mad",
    "merge_parts",
    "metric",
    "micro",
    "over_time",
    "peaks",
    "policy",
    "pot",
    "quantile",
    "rank",
    "rank_chunks",
    "rank_finish",
    "rank_part",
    "rank_task",
    "rank_values",
    "read_ranking",
    "register",
    "report",
    "seal",
    "sigma",
    "simulate",
    "study",
    "top",
    "tuned",
    "unwindow",
    "verify",
]
__all__ += _catalogue.__all__
