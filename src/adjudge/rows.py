"""The table behind `adjudge.catalogue`: one row per metric, and the reader of specs.

A row names its three verbs and says all that the documentation, ``adjudge list`` and the tests need
to know. The claims of a row are laws that it obeys at its default settings; the tests hold them in
both directions: what is claimed holds, and what is not claimed fails somewhere.

Claims
------
perfect
    Scores that equal the labels score 1.
nothing
    No flags at all score 0, or are undefined.
monotone
    One normal point scored higher, or one anomalous point lower, never raises the value.
reversal
    Reading time backwards changes nothing.
quiet
    More quiet, normal time after the end changes nothing.
doubling
    The same series twice, with quiet time between, scores the same as once.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from adjudge.adjust import Balanced, Covered, Dilated, point_adjusted, raw
from adjudge.counting import Coverage, EventWeighted, Runs
from adjudge.curves import ap, auc_pr, auc_roc
from adjudge.errors import InputError, UnknownName
from adjudge.metric import Metric, Row, best_of
from adjudge.rates import FBeta, balanced_accuracy, informedness, mcc, precision, recall
from adjudge.spec import Call, parse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class _Family(NamedTuple):
    suffix: str
    group: str
    adjust: Any
    after: str
    forgives: str
    reference: str
    loses: frozenset[str] = frozenset()
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


_ALL = frozenset({"perfect", "nothing", "monotone", "reversal", "quiet", "doubling"})
_OVER_THRESHOLDS = frozenset({"nothing", "quiet", "doubling"})  # the lowest one flags all there is

_FAMILIES = (
    _Family(
        "",
        "points",
        raw,
        "",
        "nothing: an event half covered is half missed, and a false alarm costs one point",
        "C. J. van Rijsbergen (1979). Information Retrieval.",
    ),
    _Family(
        "_pa",
        "point-adjusted",
        point_adjusted,
        "after point adjustment (one hit inside an event counts as the whole event)",
        "coverage, wholly; so much that random alarms score close to 1 on long events",
        "H. Xu et al. (2018). Unsupervised Anomaly Detection via Variational Auto-Encoder for "
        "Seasonal KPIs in Web Applications. WWW. arXiv:1802.03903.",
    ),
    _Family(
        "_kpa",
        "coverage-adjusted",
        Covered,
        "after K%-adjustment (an event of which a share k or more is hit counts as a whole)",
        "coverage beyond the share k; a false alarm still costs one point",
        "S. Kim et al. (2022). Towards a Rigorous Evaluation of Time-Series Anomaly Detection. "
        "AAAI. arXiv:2109.05257.",
        always_shown=("k",),
    ),
    _Family(
        "_ba",
        "balanced",
        Balanced,
        "after balanced adjustment (a hit counts as its whole event, a false alarm as an island "
        "of `width` points)",
        "coverage, wholly (one point per event is enough); not overhang: an alarm one point too "
        "wide raises an island, which margin=1 forgives",
        "D. Bhattacharya et al. (2024). Towards Unbiased Evaluation of Time-series Anomaly "
        "Detector. arXiv:2409.13053.",
        loses=frozenset({"reversal"}),
        always_shown=("width", "islands"),
        notes="""Three readings of the paper go by the name of balanced adjustment:
  islands="normal"  islands mark normal points only (default: the paper's theorems hold for it)
  islands="spill"   islands may cover event points, as the paper prints it
  islands="all"     true flags raise islands too, as in the authors' code
Crosswalk:
  authors' code, adjust_width=h     width=2h+1, islands="all"
  the paper's experiments           width=25, islands="all"
  tsadmetrics bpaf, w               width=2*ceil(w/2)+1, islands="spill"
Default width: ceil(sum of squared event widths / sum of event widths), from the labels only.
  width="iid"       smallest width at which white noise scores no more than an alarm everywhere
  width="matched"   false alarms cost the mean over all event widths, by anomalous points
  border="shift"    windows slide at events and ends instead of losing points there""",
    ),
)

_NO_ALARM = "no alarm"
_NO_EVENT = "no event"
_NEITHER = "no event and no alarm"

_MEASURES = (
    _Measure("f1", FBeta, "F-score", "harmonic mean of precision and recall", _NEITHER),
    _Measure(
        "precision", precision, "precision", "share of the flagged points that are anomalous",
        _NO_ALARM,
    ),
    _Measure(
        "recall", recall, "recall", "share of the anomalous points that are flagged", _NO_EVENT
    ),
    _Measure(
        "auc_roc", auc_roc, "ROC area",
        "chance that an anomalous point outranks a normal one, ties counting half",
        "no event, or no normal point", "scores", _OVER_THRESHOLDS,
    ),
    _Measure(
        "auc_pr", auc_pr, "PR area",
        "area under precision against recall over all thresholds, by trapezoids", _NO_EVENT,
        "scores", _OVER_THRESHOLDS | {"monotone"},
    ),
    _Measure(
        "ap", ap, "average precision",
        "area under precision against recall over all thresholds, by steps", _NO_EVENT,
        "scores", _OVER_THRESHOLDS | {"monotone"},
    ),
)  # fmt: skip


def _family_row(family: _Family, kind: _Measure) -> Row:
    loses = kind.loses | (family.loses if kind.name != "recall" else set())  # recall sees no island
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
        forgives=family.forgives,
        notes=family.notes,
        claims=_ALL - loses,
        always_shown=family.always_shown,
    )


_EVENTS = (
    Row(
        "event_f1",
        "F-score of events and runs",
        "harmonic mean of event precision and event recall",
        FBeta,
        count=Runs,
        group="events",
        reference="M. Hundman et al. (2018). Detecting Spacecraft Anomalies Using LSTMs and "
        "Nonparametric Dynamic Thresholding. KDD. arXiv:1802.04431 (the idea; runs counted here "
        "as in the balanced adjustment paper's experiments).",
        undefined=_NEITHER,
        forgives="length: one alarm over everything finds every event in a single, right run",
        claims=_ALL - {"monotone"},
    ),
    Row(
        "event_precision",
        "precision of runs",
        "share of the flagged runs that touch an event",
        precision,
        count=Runs,
        group="events",
        reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.",
        undefined=_NO_ALARM,
        forgives="length: a run that touches an event is right, however far it goes",
        claims=_ALL - {"monotone"},
    ),
    Row(
        "event_recall",
        "recall of events",
        "share of the events that are touched",
        recall,
        count=Runs,
        group="events",
        reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.",
        undefined=_NO_EVENT,
        forgives="every false alarm, and all coverage beyond one point",
        claims=_ALL,
    ),
    Row(
        "event_coverage",
        "coverage of found events",
        "mean share of points flagged, over the events that are touched",
        recall,
        count=Coverage,
        group="events",
        reference="D. Bhattacharya et al. (2024). arXiv:2409.13053, experiments.",
        undefined="no event is touched",
        forgives="missed events and every false alarm: read it beside event recall",
        claims=_ALL - {"monotone"},
    ),
    Row(
        "event_f1_ba",
        "F-score of events, balanced",
        "2d / (N + d + C/w) for d hit events of N, and C normal points marked by islands of w = "
        "`width` points: a missed event and an isolated false alarm cost the same",
        FBeta,
        adjust=Balanced,
        count=EventWeighted,
        group="events",
        reference="After D. Bhattacharya et al. (2024). arXiv:2409.13053: balanced adjustment with "
        "every event weighing the same.",
        undefined=_NEITHER,
        forgives="coverage and length, wholly: one point of an event is enough, and no event "
        "weighs more than another",
        claims=_ALL - {"reversal"},
        always_shown=("width", "islands"),
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
        reference="Code beside D. Bhattacharya et al. (2024). arXiv:2409.13053 (symmetric score; "
        "adjust_width=h is width=2h+1).",
        undefined=_NEITHER,
        forgives="near misses within the width; a perfect detector scores below 1",
        claims=_ALL - {"perfect", "monotone"},
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
        forgives="nothing, but its value depends on how much normal time there is",
        claims=_ALL - {"quiet", "doubling"},
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
        claims=_ALL - {"nothing", "quiet", "doubling"},
    ),
)

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
        forgives="coverage, wholly (one point per event is enough); false alarms, when there is "
        "much normal time",
        claims=frozenset({"perfect", "nothing", "monotone"}),
        always_shown=("width", "islands"),
        defaults={"width": "matched", "border": "shift"},
    ),
)

_FAMILY_ROWS = tuple(_family_row(family, kind) for family in _FAMILIES for kind in _MEASURES)

catalogue: Mapping[str, Row] = MappingProxyType(
    {row.name: row for row in (*_FAMILY_ROWS, *_BALANCED, *_EVENTS, *_OTHERS)}
)


def metric(spec: str | Metric) -> Metric:
    """Read a spec; ``str`` of the result gives it back.

    >>> metric("best(f1_ba(width=5))")
    best(f1_ba(width=5))
    >>> metric("f1_bq")
    Traceback (most recent call last):
    adjudge.errors.UnknownName: unknown metric 'f1_bq', did you mean 'f1_ba' or 'f1_pa'?; \
`adjudge list` shows all 33
    """
    if isinstance(spec, Metric):
        return spec
    if not isinstance(spec, str):
        raise InputError(f"metric must be a spec such as 'f1_ba(width=5)', got {spec!r}")
    return _built(parse(spec))


def _built(call: Call) -> Metric:
    if call.name == "best":
        match call:
            case Call(values=(Call() as inner,), settings={}) if not call.settings:
                return best_of(_built(inner))
        raise InputError(f"best(...) takes one metric, got {call}")
    if call.name not in catalogue:
        hint = f"`adjudge list` shows all {len(catalogue)}"
        raise UnknownName("metric", call.name, catalogue, hint)
    if call.values:
        raise InputError(f"settings must be named, as in {call.name}(name=value), got {call}")
    return catalogue[call.name].metric.with_settings(**call.settings)
