"""Which spec of this library means what a public implementation computes: the table of make_atlas.

In a key pattern ``{name}`` stands for any setting, and what it stands for is filled into the
spec, where ``{k+1}`` is one more. Of two rows that match a key the first is meant.
"""

import re
from typing import NamedTuple

EXACT, EPSILON, ROUNDED = 1e-9, 1e-5, 1e-6
F_PARTS = (("p", "precision"), ("r", "recall"), ("score", "f1"))
RATIOS = {"precision": "tp/(tp+fp)", "recall": "tp/(tp+fn)"}  # made of the counts of a package
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
    for name, ratio in RATIOS.items():
        yield f"tsad_eval:Pointwise_metrics[].{ratio}", name
        yield f"tsad_eval:PointAdjust[].{ratio}", f"{name}_pa"
        yield f"tsad_eval:PointAdjustKPercent[k={{k}}].{ratio}", f"{name}_kpa(k={{k}})"
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
    for name, ratio in RATIOS.items():
        yield f"tsad_eval:Segmentwise_metrics[].{ratio}", f"segment_{name}"
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
    yield "tsadmetrics:dtpaf[k={k},beta=1.0]", "delay_f1(k={k})"
    later = "tsad_eval:DelayThresholdedPointAdjust[k={k}]"  # offsets 0 to k: one point more
    yield f"{later}.score", "delay_f1(k={k+1})"
    for name, ratio in RATIOS.items():
        yield f"{later}.{ratio}", f"delay_{name}(k={{k+1}})"
    for name, ratio in RATIOS.items():
        key = f"tsad_eval:LatencySparsityAware[tw={{tw}}].{ratio}"
        yield key, f"latency_{name}(window={{tw}})"
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
    """F over batches of points; the peers add 1e-5 to denominators."""
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

OF_ALL, OF_100 = "vus:get_metrics[metric=all,*]", "tsb_ad:get_metrics[*]"
LEFT_OUT = {
    "The threshold is the best of 100 evenly spaced ones; best(...) tries every score.": (
        "tadmetric:search[*",
        *(f"tsb_ad:{name}[oracle]" for name in ("Affiliation-F", "Event-based-F1", "PA-F1")),
        *(f"{OF_100}.{name}" for name in ("Affiliation-F", "Event-based-F1", "PA-F1")),
        "tsb_ad:R-based-F1[oracle]", f"{OF_100}.R-based-F1",
    ),
    "Flags come from the package's own rule, mean plus three standard deviations.": (
        f"{OF_ALL}.F", f"{OF_ALL}.Precision", f"{OF_ALL}.Recall", f"{OF_ALL}.RF",
        f"{OF_ALL}.Rprecision", f"{OF_ALL}.Rrecall", f"{OF_ALL}.Precision_at_k",
    ),
    "Counts, not a metric: the rates made of them are compared.": (
        "*.tp", "*.fp", "*.fn", "*.tn", "*.total_events", "*.detected_events",
        "faster_etapr:*/TP", "faster_etapr:*/FP", "faster_etapr:*/FN", "faster_etapr:*/segments",
        "faster_etapr:*anomalies", "faster_etapr:*_predictions",
    ),
    "A part of eTaPR, which is compared as a whole.": (
        "faster_etapr:*_detection", "faster_etapr:*_portion",
    ),
    "One value per event; their means are compared.": ("affiliation:*.individual_*",),
    "One value per event; not a metric.": ("affiliation:*_distances",),
    "The threshold and the number of them; the value is compared.": ("sklearn:best_f1.*",),
    "Not computed in this mode.": (
        "tadmetric:evaluate[mode=composite].latency", "tadmetric:evaluate[mode=point-wise].latency",
    ),
    "Not a metric of this library.": ("sklearn:cohen_kappa_score[]", "sklearn:jaccard_score[]"),
    "Squared distances, which this library does not have.": ("tsadmetrics:td[distance=1]",),
    "Hits below the share are erased; there is no such setting here.": (
        "ref:CoverageAdjustedFScore[*erase_tp=True]",
    ),
    "Buffers of size 0 are left out of the grid; there is no such setting here.": (
        "pate:PATE[*include_zero=False]",
    ),
    "Every threshold at which an event point is, or is about to be, flagged; here it is a number "
    "of percentiles of these, or every score.": ("pate:PATE[*Big_Data=False]",),
    "Straight slopes: a third formula, which is not here.": (
        "timeeval:*compatibility_mode=False]",
    ),
    "The window is the median length of the events; here it is a number.": (
        "aeon:*[buffer_size=None]", "timeeval:*[buffer_size=None,compatibility_mode=True]",
    ),
    "Raises on every case.": (
        "ref:AsymmetricallyAdjustedFScore[adjust_width=0]", "tsb_ad:RangeAUC[*",
    ),
    "Raises on most cases.": ("ref:separation_metric[bhattacharyya]",),
}  # fmt: skip

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
LEFT_OUT_EXPRESSIONS = [
    (expression(pattern), (reason, pattern))
    for reason, patterns in LEFT_OUT.items()
    for pattern in patterns
]


def left_out(key):
    """(reason, pattern) of a key that is left out; None: it is not."""
    return next((why for matches, why in LEFT_OUT_EXPRESSIONS if matches.fullmatch(key)), None)


def found(key):
    """The row of a key with its spec filled in; None: there is none, or the key is left out."""
    for matches, row in [] if left_out(key) else EXPRESSIONS:
        match = matches.fullmatch(key)
        if match:
            given = match.groupdict()
            next_k = {"k+1": int(k) + 1} if (k := given.get("k", "")).isdigit() else {}
            return row._replace(spec=tidy(row.spec.format(**given, **next_k)))
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
