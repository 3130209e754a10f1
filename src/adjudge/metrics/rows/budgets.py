"""Rows that look at the top of the scores: as many false alarms as one can bear, and no more."""

from __future__ import annotations

from adjudge.count.delays import FalseRuns
from adjudge.measure.budgets import Froc, RecallAt
from adjudge.measure.curves import PartialRoc
from adjudge.metrics.row import Row

_BANDOS = (
    "A. I. Bandos et al. (2009). Area under the Free-Response ROC Curve (FROC) and a Related "
    "Summary Index. Biometrics 65(1)"
)
_WALK = """The threshold is walked down from the top, and the walk ends before the first one that
breaks the budget. "The best recall at any threshold within the budget" would be another metric,
which flagging everything wins: false runs grow together as the threshold falls, and one run over
all time touches every event; so the threshold that flags everything is left out as well. (The walk
is this library's rule; the idea is that of FROC.)
A false alarm is a flagged run that touches no event. Series share the threshold, and their false
alarms and normal points are summed."""
_UNDEFINED = "no event, or no normal point"

ROWS = (
    Row(
        "recall_at",
        "recall within a budget of false alarms",
        "share of the events found, as the threshold falls, before there are more than `rate` "
        "false alarms per `per` normal points",
        RecallAt,
        count=FalseRuns,
        needs="scores",
        group="ranking",
        reference=_BANDOS + " (the idea).",
        undefined=_UNDEFINED,
        forgives="low coverage and length: an event is found by one point, and a false alarm "
        "counts once however long it lasts; and everything below the budget's threshold",
        notes=_WALK,
        claims=frozenset({"perfect", "reversal"}),
        always_shown=("rate", "per"),
    ),
    Row(
        "froc",
        "free-response ROC score",
        "mean of recall_at over the budgets `rates` of false alarms per `per` normal points",
        Froc,
        count=FalseRuns,
        needs="scores",
        group="ranking",
        reference=_BANDOS + "; A. A. A. Setio et al. (2017). LUNA16. arXiv:1612.08012 (the rates).",
        undefined=_UNDEFINED,
        forgives="low coverage and length: an event is found by one point, and a false alarm "
        "counts once however long it lasts; and everything below the largest budget's threshold",
        notes=_WALK + "\nLUNA16 counts false alarms per scan; here `per` says per how many points.",
        claims=frozenset({"perfect", "reversal"}),
        always_shown=("rates", "per"),
    ),
    Row(
        "partial_auc_roc",
        "ROC area at low false positive rates",
        "area under the ROC curve up to the false positive rate `max_fpr`, scaled so that 0.5 is "
        "no relation and 1 is perfect",
        PartialRoc,
        needs="scores",
        group="areas",
        reference="D. K. McClish (1989). Analyzing a Portion of the ROC Curve. Medical Decision "
        "Making 9(3).",
        undefined=_UNDEFINED,
        forgives="the order of all points below the threshold at which `max_fpr` is reached; an "
        "event half covered is half missed",
        notes="""max_fpr=1 is auc_roc. Crosswalk:
  scikit-learn roc_auc_score(max_fpr=f)    partial_auc_roc(max_fpr=f)""",
        claims=frozenset({"perfect", "monotone", "reversal"}),
        always_shown=("max_fpr",),
    ),
)
