"""Which spec of this library means what a public implementation computes: the table of make_atlas.

In a key pattern ``{name}`` stands for any setting, and what it stands for is filled into the
spec. Two rows may match one key only if the first is the one that is meant.
"""

import re
from typing import NamedTuple

EXACT, EPSILON, ROUNDED = 1e-9, 1e-5, 1e-6
F_PARTS = (("p", "precision"), ("r", "recall"), ("score", "f1"))
CURVES = ("roc", "pr")
AS_AEON, RECIPROCAL = 'variant="aeon"', 'cardinality="reciprocal"'

PACKAGES = {
    "ref": "the authors' code of the balanced adjustment, summukhe/balanced_f1score, git 6bcd3dc",
    "sklearn": "scikit-learn 1.5.2",
    "prts": "prts 1.0.0.3",
    "affiliation": "ahstat/affiliation-metrics-py, git 8d84498",
    "vus": "vus 0.0.6",
    "tsb_ad": "TSB-AD 1.5, git 8763009",
    "faster_etapr": "faster-eTaPR 0.1.2",
    "tsadmetrics": "tsadmetrics 1.0.16",
    "tadmetric": "tadmetric 0.2.2",
    "timeeval": "TimeEval 1.5.0",
    "tsad_eval": "sondsorb/TSAD_eval, git e34a709",
    "pate": "PATE 0.1.1",
    "aeon": "aeon 1.6.0",
}


class Row(NamedTuple):
    """One line of the crosswalk."""

    family: str
    pattern: str
    spec: str
    input: str = "flags"
    tolerance: float = EXACT


def points():
    """Rates and areas of points, plain or adjusted."""
    for mode, suffix in (("point-wise", ""), ("point-adjusted", "_pa")):
        for name in ("f1", "precision", "recall"):
            yield f"tadmetric:evaluate[mode={mode}].{name}", name + suffix
    for part, suffix in (("point", ""), ("point_adjust", "_pa")):
        for name in ("f1", "precision", "recall"):
            key = "faster_etapr:evaluate_from_preds[theta_p={p},theta_r={r}]"
            yield f"{key}.{part}/{name}", name + suffix
    yield "tsb_ad:Standard-F1[pred]", "f1"
    yield "tsb_ad:PA-F1[pred]", "f1_pa"
    yield "tsadmetrics:pakf[k=0.0,beta=1.0]", "f1_pa"
    yield "tsadmetrics:paklf[k={k},l={l},beta=1.0]", "f1_kpa(k={k}, tolerance={l})"
    yield "sklearn:accuracy_score[]", "accuracy"
    yield "tsadmetrics:dicec[]", "dice"


def areas():
    """Areas under the curves of points, and the oracle."""
    yield "vus:get_metrics[metric=auc].AUC_ROC", "auc_roc"
    yield "vus:get_metrics[metric=auc].AUC_PR", "auc_pr"
    yield "vus:get_metrics[metric=all,slidingWindow={w}].AUC_ROC", "auc_roc"
    yield "vus:get_metrics[metric=all,slidingWindow={w}].AUC_PR", "ap"
    for key in ("tsb_ad:AUC", "tsb_ad:get_metrics[slidingWindow={w}]"):
        yield f"{key}.AUC-ROC", "auc_roc"
        yield f"{key}.AUC-PR", "ap"
    yield "timeeval:RocAUC[]", "auc_roc"
    yield "timeeval:PrAUC[]", "auc_pr"
    yield "timeeval:AveragePrecision[]", "ap"
    yield "aeon:roc_auc_score[]", "auc_roc"
    yield "aeon:pr_auc_score[]", "auc_pr"
    yield "tsadmetrics:pa_auc_roc[]", "auc_roc_pa"
    yield "tsadmetrics:pa_auc_pr[]", "auc_pr_pa"


def segments():
    """Events as units, and event recall beside point precision."""
    yield "tsad_eval:Segmentwise_metrics[].score", "segment_f1"
    yield "tsadmetrics:swf[beta=1.0]", "segment_f1"
    for part, name in F_PARTS:
        yield f"tsad_eval:Composite_f[].{part}", f"composite_{name}"
    for name in ("f1", "precision", "recall"):
        yield f"tadmetric:evaluate[mode=composite].{name}", f"composite_{name}"
    yield "tsadmetrics:cf[beta={beta}]", "composite_f1(beta={beta})"
    yield "tsb_ad:Event-based-F1[pred]", "composite_f1"
    yield "tsadmetrics:adc[]", "adc"


def ranges():
    """Ranges, TaPR and eTaPR."""
    both = "alpha={alpha},cardinality={cardinality},bias={bias}"
    ours = 'alpha={alpha}, cardinality="{cardinality}", bias="{bias}"'
    sides = (
        'range_f1(p_alpha={p_alpha}, r_alpha={r_alpha}, cardinality="{cardinality}", '
        'p_bias="{p_bias}", r_bias="{r_bias}", beta={beta})'
    )
    long = (
        "beta={beta},p_alpha={p_alpha},r_alpha={r_alpha},cardinality={cardinality},"
        "p_bias={p_bias},r_bias={r_bias}"
    )
    halved = f"range_f1(r_alpha=0.5, {RECIPROCAL})"
    yield "prts:ts_fscore[]", "range_f1"
    yield f"prts:ts_fscore[{long}]", sides
    yield "aeon:range_f_score[]", halved
    yield "aeon:range_f_score[beta=1,p_alpha=0,r_alpha=0,cardinality=one]", "range_f1"
    yield f"aeon:range_f_score[{long}]", sides
    yield "timeeval:RangeFScore[]", halved
    yield "tsb_ad:R-based-F1[pred]", f"range_f1(r_alpha=0.2, {RECIPROCAL})"
    yield (
        (
            "tsadmetrics:rbf[beta={beta},p_alpha={p_alpha},r_alpha={r_alpha},p_bias={p_bias},"
            "r_bias={r_bias},cardinality_mode={cardinality}]"
        ),
        sides,
    )
    for name in ("precision", "recall"):  # the caller's own cardinality, left as it is, is 1
        yield f"prts:ts_{name}[alpha=0,cardinality=udf_gamma,bias=flat]", f"range_{name}"
        yield f"timeeval:Range{name.title()}[]", f"range_{name}({RECIPROCAL})"
        yield f"timeeval:Range{name.title()}[{both}]", f"range_{name}({ours})"
        for prefix in ("prts:ts", "aeon:range"):
            yield f"{prefix}_{name}[{both}]", f"range_{name}({ours})"
    short, at_both = "alpha={alpha},bias={bias}", 'alpha={alpha}, bias="{bias}"'
    yield f"tsad_eval:Range_PR[{short}].p", f"range_precision({at_both})"
    yield f"tsad_eval:Range_PR[{short}].r", f"range_recall({at_both})"
    yield (
        f"tsad_eval:Range_PR[{short}].score",
        ('range_f1(p_alpha={alpha}, r_alpha={alpha}, p_bias="{bias}", r_bias="{bias}")'),
    )


def time_aware():
    """TaPR and eTaPR."""
    for part, name in F_PARTS:
        key = "tsad_eval:TaF[theta={theta},alpha={alpha},delta={delta}]"
        yield f"{key}.{part}", f"tapr_{name}(alpha={{alpha}}, theta={{theta}}, delta={{delta}})"
    yield (
        "tsadmetrics:taf[beta=1.0,alpha={alpha},delta={delta},theta={theta},past_range=False]",
        "tapr_f1(alpha={alpha}, theta={theta}, delta={delta})",
    )
    thetas, ours = "theta_p={p},theta_r={r}", "theta_p={p}, theta_r={r}"
    for part, name in F_PARTS:
        yield f"tsad_eval:eTaF[{thetas}].{part}", f"etapr_{name}({ours})"
        key = f"faster_etapr:evaluate_from_preds[{thetas}].eta/{name}"
        yield key, f"etapr_{name}({ours})"
    yield f"tsadmetrics:etaf[{thetas}]", f"etapr_f1({ours})"


def range_areas():
    """The area under the curve of range precision and recall."""
    spec = f"auc_pr_range(r_alpha=0.5, {RECIPROCAL}, thresholds=50)"
    yield "timeeval:RangePrecisionRangeRecallAUC[]", spec
    yield "aeon:rp_rr_auc_score[]", spec


def affiliation():
    """Zones of events."""
    for name in ("precision", "recall"):
        yield f"affiliation:pr_from_events.{name}", f"affiliation_{name}"
    for part, name in F_PARTS:
        yield f"tsad_eval:Affiliation[].{part}", f"affiliation_{name}"
    yield "tsb_ad:Affiliation-F[pred]", "affiliation_f1"
    yield "tsadmetrics:aff_f[beta=1.0]", "affiliation_f1"
    yield "tsadmetrics:naff_f[alpha=0.0,beta=1.0]", "affiliation_f1"
    yield "tsadmetrics:naff_f[alpha=0.5,beta=1.0]", 'affiliation_f1_corrected(chance="half")'


def affiliation_of_scores():
    """Zones of events, with the flags that the package makes of scores."""
    for name in ("precision", "recall"):
        key = f"vus:get_metrics[metric=all,slidingWindow={{w}}].Affiliation_{name.title()}"
        yield key, f"affiliation_{name}(at=0.5)"


def timing():
    """When an event is found, and how far alarms are from it."""
    for k in (1, 2, 3, 5, 8):
        yield f"tsadmetrics:dtpaf[k={k},beta=1.0]", f"delay_f1(k={k})"
    for k in (0, 1, 2, 5):  # offsets 0 to k: one point more
        yield f"tsad_eval:DelayThresholdedPointAdjust[k={k}].score", f"delay_f1(k={k + 1})"
    yield "tsadmetrics:ttf[t={t},beta=1.0]", "tolerant_f1(tolerance={t})"
    for part, name in F_PARTS:
        yield f"tsad_eval:Time_Tolerant[d={{d}}].{part}", f"tolerant_{name}(tolerance={{d}})"
    yield "tsad_eval:Temporal_Distance[].score", "temporal_distance"
    yield "tsadmetrics:td[distance=0]", "temporal_distance"
    yield "tadmetric:evaluate[mode=point-adjusted].latency", "detection_delay"
    yield "tsadmetrics:mttd[]", "detection_delay"
    yield "tsadmetrics:eds[]", "early_detection"
    yield "tsad_eval:NAB_score[].score", "nab"
    yield "tsadmetrics:nab_score[]", "nab"
    for name in ("tdir", "dair", "wdd"):
        yield f"tsadmetrics:{name}[k={{k}}]", f"{name}(tolerance={{k}})"
    yield "tsadmetrics:add[]", "add"


def latency():
    """Batches of points; the peers add 1e-5 to denominators."""
    yield "tsadmetrics:lsaf[ni={ni},beta=1.0]", "latency_f1(window={ni})"
    yield "tsad_eval:LatencySparsityAware[tw={tw}].score", "latency_f1(window={tw})"


def buffers():
    """Soft labels around events, over windows and thresholds."""
    for low in CURVES:
        up, title = low.upper(), low.title()
        window = "slidingWindow={window}"
        for key in (
            f"vus:get_metrics[metric=vus,{window}].VUS_{up}",
            f"vus:get_metrics[metric=vus,{window},version=opt_mem].VUS_{up}",
            f"vus:get_metrics[metric=all,{window}].VUS_{up}",
            f"tsb_ad:generate_curve[{window}].VUS-{up}",
            f"tsb_ad:get_metrics[{window}].VUS-{up}",
            f"tsadmetrics:vus_{low}[window={{window}}]",
            f"tsad_eval:VUS_{up}[max_window={{window}}].score",
        ):
            yield key, f"vus_{low}(window={{window}})"
        yield (
            f"vus:get_metrics[metric=vus,{window},thre={{count}}].VUS_{up}",
            f"vus_{low}(window={{window}}, thresholds={{count}})",
        )
        for metric in ("range_auc", "all"):
            key = f"vus:get_metrics[metric={metric},{window}].R_AUC_{up}"
            yield key, f"range_auc_{low}(window={{window}})"
        older = f"(window={{window}}, {AS_AEON})"
        compatible = "compatibility_mode=True"
        yield f"aeon:range_{low}_vus_score[max_buffer_size={{window}}]", f"vus_{low}{older}"
        key = f"timeeval:Range{title}VUS[max_buffer_size={{window}},{compatible}]"
        yield key, f"vus_{low}{older}"
        yield f"aeon:range_{low}_auc_score[buffer_size={{window}}]", f"range_auc_{low}{older}"
        key = f"timeeval:Range{title}AUC[buffer_size={{window}},{compatible}]"
        yield key, f"range_auc_{low}{older}"


def buffered_flags():
    """Soft labels around events, at one threshold."""
    for name, ours in (("Precision", "precision"), ("Recall", "recall"), ("F", "f1")):
        key = f"tsb_ad:metric_VUS_pred[windowSize={{window}}].VUS-{name}"
        yield key, f"vus_{ours}(window={{window}})"


def pate(name, ours):
    """Buffers whose worth falls with the distance; ``name`` is that of the original."""
    settings = "early={e}, delay={d}"
    yield f"pate:{name}[e={{e}},d={{d}},splits={{s}}]", f"{ours}({settings}, splits={{s}})"
    yield f"pate:{name}[e={{e}},d={{d}}]", f"{ours}({settings})"
    yield f"tsadmetrics:{ours}[early={{e}},delay={{d}}]", f"{ours}({settings})"


def ranking():
    """The top of the scores, and how far they lie apart."""
    yield "tsadmetrics:pak[]", "precision_at_k"
    yield "tsad_eval:PatK_pw[].score", "precision_at_k"
    yield "aeon:f_score_at_k_points[]", "f1_at_k"
    yield "aeon:f_score_at_k_ranges[]", "event_f1_at_k"
    yield "timeeval:PrecisionAtK[]", "event_precision_at_k"
    yield "timeeval:FScoreAtK[]", "event_f1_at_k"


def rows(family, pairs, kind="flags", tolerance=EXACT):
    """Lines of one family."""
    return [Row(family, pattern, spec, kind, tolerance) for pattern, spec in pairs]


TABLE = [
    *rows("points", points()),
    *rows("points", areas(), "scores"),
    *rows("points", [("tsb_ad:Standard-F1[oracle]", "best(f1)"),
                     ("tsb_ad:get_metrics[slidingWindow={w}].Standard-F1", "best(f1)")],
          "scores", EPSILON),
    *rows("events", segments()),
    *rows("ranges", ranges()),
    *rows("ranges", range_areas(), "scores"),
    *rows("TaPR and eTaPR", time_aware()),
    *rows("affiliation", affiliation()),
    *rows("affiliation", affiliation_of_scores(), "scores"),
    *rows("timing", timing()),
    *rows("timing", latency(), tolerance=EPSILON),
    *rows("buffers", buffers(), "scores"),
    *rows("buffers", buffered_flags()),
    *rows("PATE", [("pate:PATE[e=5,d=5,exact]", "pate(early=5, delay=5, thresholds=None)")],
          "scores"),
    *rows("PATE", pate("PATE", "pate"), "scores"),
    *rows("PATE", pate("PATE_F1", "pate_f1")),
    *rows("ranking and separation", ranking(), "scores"),
    *rows("ranking and separation", [("ref:separation_metric[hellinger]", "separation")],
          "scores", ROUNDED),
]  # fmt: skip

GRID = "The threshold is the best of 100 evenly spaced ones; best(...) tries every score."
COUNTS = "Counts, not a metric: the rates made of them are compared."
NOT_OURS = "Not a metric of this library."
OWN_RULE = "Flags come from the package's own rule, mean plus three standard deviations."

LEFT_OUT = {
    # oracles on a grid, and flags of the package's own
    "tadmetric:search[*": GRID,
    "tsb_ad:Affiliation-F[oracle]": GRID,
    "tsb_ad:Event-based-F1[oracle]": GRID,
    "tsb_ad:PA-F1[oracle]": GRID,
    "tsb_ad:R-based-F1[oracle]": GRID,
    "tsb_ad:get_metrics[*].Affiliation-F": GRID,
    "tsb_ad:get_metrics[*].Event-based-F1": GRID,
    "tsb_ad:get_metrics[*].PA-F1": GRID,
    "tsb_ad:get_metrics[*].R-based-F1": GRID,
    "vus:get_metrics[metric=all,*].F": OWN_RULE,
    "vus:get_metrics[metric=all,*].Precision": OWN_RULE,
    "vus:get_metrics[metric=all,*].Recall": OWN_RULE,
    "vus:get_metrics[metric=all,*].RF": OWN_RULE,
    "vus:get_metrics[metric=all,*].Rprecision": OWN_RULE,
    "vus:get_metrics[metric=all,*].Rrecall": OWN_RULE,
    "vus:get_metrics[metric=all,*].Precision_at_k": OWN_RULE,
    # parts of metrics that are compared as a whole
    "*.tp": COUNTS,
    "*.fp": COUNTS,
    "*.fn": COUNTS,
    "*.tn": COUNTS,
    "*.total_events": COUNTS,
    "*.detected_events": COUNTS,
    "faster_etapr:*/TP": COUNTS,
    "faster_etapr:*/FP": COUNTS,
    "faster_etapr:*/FN": COUNTS,
    "faster_etapr:*anomalies": COUNTS,
    "faster_etapr:*_predictions": COUNTS,
    "faster_etapr:*/segments": COUNTS,
    "faster_etapr:*_detection": "A part of eTaPR, which is compared as a whole.",
    "faster_etapr:*_portion": "A part of eTaPR, which is compared as a whole.",
    "affiliation:pr_from_events.individual_*": "One value per event; their means are compared.",
    "affiliation:pr_from_events.*_distances": "One value per event; not a metric.",
    "sklearn:best_f1.*": "The threshold and the number of them; the value is compared.",
    "tadmetric:evaluate[mode=composite].latency": "Not computed in this mode.",
    "tadmetric:evaluate[mode=point-wise].latency": "Not computed in this mode.",
    # settings or metrics that this library does not have
    "sklearn:cohen_kappa_score*": NOT_OURS,
    "sklearn:jaccard_score*": NOT_OURS,
    "tsadmetrics:td[distance=1]": "Squared distances, which this library does not have.",
    "ref:CoverageAdjustedFScore*erase_tp*": "Hits below the share are erased; there is no such "
    "setting here.",
    "pate:PATE[e=20,d=20,include_zero=False]": "Buffers of size 0 are left out of the grid; there "
    "is no such setting here.",
    "pate:PATE[e=5,d=5,Big_Data=False]": "Every threshold at which an event point is, or is about "
    "to be, flagged; here it is a number of percentiles of these, or every score.",
    "timeeval:*compatibility_mode=False]": "Straight slopes: a third formula, which is not here.",
    "*[buffer_size=None*": "The window is the median length of the events; here it is a number.",
    # what raises on every case
    "ref:AsymmetricallyAdjustedFScore[adjust_width=0]": "Raises on every case.",
    "ref:separation_metric[bhattacharyya]": "Raises wherever the two kinds of scores overlap.",
    "tsb_ad:RangeAUC*": "Raises on every case.",
}


DEFAULTS = {"cardinality": '"one"', "bias": '"flat"', "beta": "1"}


def expression(pattern):
    """A pattern as a regular expression: {name} is one setting, * is anything."""
    parts = re.split(r"(\{\w+\}|\*)", pattern)
    return re.compile("".join(place(part) for part in parts))


def place(part):
    if part == "*":
        return ".*"
    return f"(?P<{part[1:-1]}>[^,\\]]+)" if part.startswith("{") else re.escape(part)


EXPRESSIONS = [(expression(row.pattern), row) for row in TABLE]
LEFT_OUT_EXPRESSIONS = [(expression(pattern), pattern) for pattern in LEFT_OUT]


def left_out(key):
    """The pattern under which a key is left out; None: it is not."""
    return next((p for matches, p in LEFT_OUT_EXPRESSIONS if matches.fullmatch(key)), None)


def found(key):
    """The row of a key with its spec filled in; None: there is none, or the key is left out."""
    for matches, row in [] if left_out(key) else EXPRESSIONS:
        match = matches.fullmatch(key)
        if match:
            return row._replace(spec=tidy(row.spec.format(**match.groupdict())))
    return None


def tidy(spec):
    """Leave out settings that are the defaults, and write whole numbers as such."""
    name, bracket, inside = spec.partition("(")
    if not bracket or name == "best":
        return spec
    defaults = DEFAULTS | ({"alpha": "0"} if name.startswith("range_") else {})
    kept = []
    for setting in inside[:-1].split(", "):
        key, _, value = setting.partition("=")
        value = value.removesuffix(".0")
        if value != defaults.get(key.removeprefix("p_").removeprefix("r_")):
            kept.append(f"{key}={value}")
    return f"{name}({', '.join(kept)})" if kept else name
