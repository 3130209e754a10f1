"""Rows that count points: pointwise, and after point, coverage and balanced adjustment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.adjust.adjustments import Covered, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced
from adjudge.measure.curves import ap, auc_pr, auc_roc
from adjudge.measure.rates import FBeta, balanced_accuracy, informedness, mcc, precision, recall
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import CONSTANT, LAWS, NEITHER, NO_ALARM, NO_EVENT

if TYPE_CHECKING:
    from collections.abc import Mapping


class _PointFamily(NamedTuple):
    suffix: str
    group: str
    adjust: Any
    after: str
    forgives: Mapping[str, str]
    """What precision forgives, what recall does, and what the others do ("f1")."""
    reference: str
    always_shown: tuple[str, ...] = ()
    notes: str = ""


class _Measure(NamedTuple):
    name: str
    measure: Any
    title: str
    definition: str
    undefined: str
    needs: Any = "flags"
    loses: frozenset[str] = frozenset()
    also: str = ""
    """What it forgives beyond what its family does; {instead} is a metric that does not."""


_OVER_THRESHOLDS = frozenset({"nothing", "quiet", "doubling"})  # the lowest one flags all there is

_FAMILIES = (
    _PointFamily(
        "",
        "points",
        raw,
        "",
        {
            "f1": "what is short: next to long events, a missed short one and a false alarm of a "
            "few points cost little; but not coverage: an event half covered is half missed",
            "precision": "missed events and missed points; a false alarm costs one point",
            "recall": "every false alarm; an event half covered is half missed",
        },
        "C. J. van Rijsbergen (1979). Information Retrieval.",
    ),
    _PointFamily(
        "_pa",
        "point-adjusted",
        point_adjusted,
        "after point adjustment (one hit inside an event counts as the whole event)",
        {
            "f1": "low coverage, so that random alarms score close to 1 on long events",
            "precision": "missed events; and low coverage: one hit on a long event "
            "outweighs many false alarms, which cost one point each, so random alarms score close "
            "to 1",
            "recall": "every false alarm; and low coverage: random alarms score close to 1 on "
            "long events",
        },
        "H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder for "
        "Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.",
    ),
    _PointFamily(
        "_kpa",
        "coverage-adjusted",
        Covered,
        "after K%-adjustment (an event of which a share k or more is hit counts as a whole)",
        {
            "f1": "missing coverage beyond the share k; a false alarm still costs one point",
            "precision": "missed events and missed points; and missing coverage beyond the share "
            "k, which counts as right; a false alarm costs one point",
            "recall": "every false alarm; and missing coverage beyond the share k",
        },
        "S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly Detection. "
        "AAAI. arXiv:2109.05257.",
        always_shown=("k",),
        notes="""strict=True      asks for more than the share k
tolerance=l      marks only the event's points within l of a hit once the share is reached (l=0: the
                 hits alone)
Crosswalk:
  tsadmetrics pakf, k                f1_kpa(k=k)
  tsadmetrics paklf, k, l            f1_kpa(k=k, tolerance=l)
  TSAD_eval PointAdjustKPercent, k   f1_kpa(k=k)""",
    ),
    _PointFamily(
        "_ba",
        "balanced",
        Balanced,
        "after balanced adjustment (a hit counts as its whole event, a false alarm as an island "
        "of `width` points)",
        {
            "f1": "low coverage (one point per event is enough); but not alarms that "
            "are too wide: one point beyond an event raises an island, which margin=1 forgives",
            "precision": "missed events; and low coverage (one point per event is "
            "enough); but not alarms that are too wide: one point beyond an event raises an "
            "island, which margin=1 forgives",
            "recall": "every false alarm; and low coverage (one point per event is enough)",
        },
        "D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly "
        "Detector. arXiv:2409.13053.",
        always_shown=("width", "islands"),
        notes="""Three readings of the paper go by the name of balanced adjustment:
  reading="corrected"  islands of width w on normal points only (default: the theorems hold for it)
  reading="printed"    w_N = width, as the formula has it: u - w//2 - 1 ... u + w//2, on any point
  reading="authors"    their code, h = width // 2: u - h ... u + h around every flag, true ones too
Points of an island: w; w_N + 2, or w_N + 1 where w_N is odd, so always an even number; 2h + 1, so
always an odd one. An odd w is h = (w - 1) / 2; an even w is w_N = w - 2, one point to the left.
islands="normal", "spill" or "all" sets alone what islands of exactly w points mark.
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, reading="authors"
  the paper's experiments           width=25, reading="authors"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: the smallest odd number at least sum(s^2) / sum(s) over the event widths s.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there""",
    ),
)

_MEASURES = (
    _Measure("f1", FBeta, "F-score", "harmonic mean of precision and recall", NEITHER),
    _Measure(
        "precision", precision, "precision", "share of the flagged points that are anomalous",
        NO_ALARM,
    ),
    _Measure(
        "recall", recall, "recall", "share of the anomalous points that are flagged", NO_EVENT
    ),
    _Measure(
        "auc_roc", auc_roc, "ROC area",
        "chance that an anomalous point outranks a normal one (a tie counts half)",
        "no event, or no normal point", "scores", _OVER_THRESHOLDS,
    ),
    _Measure(
        "auc_pr", auc_pr, "PR area",
        "area under precision against recall over all thresholds, by trapezoids", NO_EVENT,
        "scores", _OVER_THRESHOLDS | {"monotone"}, CONSTANT,
    ),
    _Measure(
        "ap", ap, "average precision",
        "area under precision against recall over all thresholds, by steps", NO_EVENT,
        "scores", _OVER_THRESHOLDS | {"monotone"},
    ),
)  # fmt: skip


def _family_row(family: _PointFamily, kind: _Measure) -> Row:
    adjusted = f", {family.group}" if family.suffix else ""
    return Row(
        name=kind.name + family.suffix,
        title=f"{kind.title}{adjusted}",
        definition=f"{kind.definition} {family.after}".strip(),
        measure=kind.measure,
        adjust=family.adjust,
        needs=kind.needs,
        group="areas" if kind.needs == "scores" else family.group,
        reference=family.reference,
        undefined=kind.undefined,
        forgives=_forgives(family, kind),
        notes=family.notes,
        claims=LAWS - kind.loses,
        always_shown=family.always_shown,
    )


def _forgives(family: _PointFamily, kind: _Measure) -> str:
    forgiven = family.forgives.get(kind.name, family.forgives["f1"])
    if not kind.also:
        return forgiven
    return f"{kind.also}; else {forgiven}".format(instead=f"ap{family.suffix}")


_BALANCED = (
    Row(
        "informedness_ba",
        "informedness, balanced",
        "recall less the false-positive rate after balanced adjustment with islands as wide as the "
        "events: 0 on average for any stationary detector that does not see the labels",
        informedness,
        adjust=Balanced,
        group="balanced",
        range=(-1, 1),
        reference="W. J. Youden (1950). Index for rating diagnostic tests. Cancer 3(1); after "
        "D. Bhattacharya et al. (2024). arXiv:2409.13053.",
        undefined="no event, or no normal point",
        forgives="low coverage (one point per event is enough); false alarms, when there is "
        "much normal time",
        claims=frozenset({"perfect", "nothing", "monotone"}),
        always_shown=("width", "islands"),
        defaults={"width": "matched", "border": "shift"},
    ),
)

_OTHERS = (
    Row(
        "f1_dilated",
        "F-score of dilated flags",
        "pointwise F-score after every flag, true or false, is widened to `width` points",
        FBeta,
        adjust=Dilated,
        group="points",
        reference="Code of D. Bhattacharya et al. (2024). arXiv:2409.13053 (symmetric score; "
        "adjust_width=h is width=2h+1).",
        undefined=NEITHER,
        forgives="near misses within the width; a perfect detector scores below 1",
        claims=LAWS - {"perfect", "monotone"},
        always_shown=("width",),
    ),
    Row(
        "mcc",
        "Matthews' correlation",
        "correlation of labels and flags over points",
        mcc,
        group="points",
        range=(-1, 1),
        reference="B. W. Matthews (1975). Biochimica et Biophysica Acta 405(2).",
        undefined="no event, no normal point, no alarm, or nothing but alarms",
        forgives="what is short, as f1 does; and its value depends on how much normal time there "
        "is",
        claims=LAWS - {"quiet", "doubling"},
    ),
    Row(
        "balanced_accuracy",
        "balanced accuracy",
        "mean of recall and of the share of normal points left alone",
        balanced_accuracy,
        group="points",
        reference="K. H. Brodersen et al. (2010). The Balanced Accuracy and Its Posterior "
        "Distribution. ICPR.",
        undefined="no event, or no normal point",
        forgives="false alarms, when there is much normal time: a coin flip scores 0.5",
        claims=LAWS - {"nothing", "quiet", "doubling"},
    ),
)

ROWS = (
    *(_family_row(family, kind) for family in _FAMILIES for kind in _MEASURES),
    *_BALANCED,
    *_OTHERS,
)
