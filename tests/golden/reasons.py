"""Why a value of a public program is not ours, and what ours is: the reasons of make_atlas.

This library is never asked: our value is that of another public program, or of the slow twins
beside this folder. make_atlas.py puts both folders on the path.
"""

import ast
from functools import cache, partial
from typing import NamedTuple

from crosswalk import expression
from make_golden import answer, event_maximum_steps, pr_areas, roc_area

import naive
from count import naive_ranges
from count.naive_segments import delayed
from measure import naive_buffers, naive_ranking

PRECISION, RECALL = (f"affiliation:pr_from_events.{side}" for side in ("precision", "recall"))
LATENCY = "tadmetric:evaluate[mode=point-adjusted].latency"
SORTED_ANYHOW = (
    "It seems that the curve is sorted by {} without keeping the order of equals, so the area "
    "depends on the sorting routine."
)


def filled(case, side):
    inside = [0] * case["n"]
    for start, stop in case[side]:
        inside[start:stop] = [1] * (stop - start)
    return inside


# --- our value, without this library ------------------------------------------------------------


def read(spec):
    """The name and the settings of a spec."""
    body = ast.parse(spec, mode="eval").body
    if isinstance(body, ast.Name):
        return body.id, {}
    return body.func.id, {item.arg: ast.literal_eval(item.value) for item in body.keywords}


def of_peer(key):
    """What another program gives."""
    return lambda _, case: answer(case, key)


def undefined(spec, case):
    return None


def of_ranges(spec, case):
    name, given = read(spec)
    labels, flags = filled(case, "labels"), filled(case, "pred")
    sides = {
        side: (
            given.get(f"{letter}_alpha", given.get("alpha", 0)),
            given.get("cardinality", "one"),
            given.get(f"{letter}_bias", given.get("bias", "flat")),
        )
        for side, letter in (("of_events", "r"), ("of_runs", "p"))
    }
    if name == "auc_pr_range":
        most = given["thresholds"]
        return naive_ranges.range_area(labels, case["scores"], **sides, most=most)
    rate = naive_ranges.RATES[name.removeprefix("range_")]
    beta = {"beta": given["beta"]} if "beta" in given else {}
    return rate(naive_ranges.ranges(labels, flags, **sides), **beta)


def of_tapr(spec, case):
    name, given = read(spec)
    tally = naive_ranges.portions(
        filled(case, "labels"),
        filled(case, "pred"),
        alpha=given["alpha"],
        theta=given["theta"],
        reach=given["delta"],
    )
    return naive_ranges.RATES[name.removeprefix("tapr_")](tally)


def of_older_areas(spec, case):
    """The areas of buffers in the form of aeon and TimeEval."""
    name, given = read(spec)
    area = naive_buffers.pr_area if name.endswith("pr") else naive_buffers.roc_area
    whole = naive_buffers.at_window if name.startswith("range") else naive_buffers.volume
    older = {"late": True} if name.startswith("range") else naive_buffers.OLDER
    return whole(area, given["window"], **older)(filled(case, "labels"), case["scores"], None, None)


def of_areas(spec, case):
    """The areas of points, as scikit-learn has them."""
    name, _ = read(spec)
    keys = {
        "auc_roc": "roc_auc_score", "auc_pr": "pr_auc_trapezoid", "ap": "average_precision_score"
    }  # fmt: skip
    return answer(case, f"sklearn:{keys[name]}")


def of_soft_flags(spec, case):
    """The mean over windows of one rate of soft labels."""
    name, given = read(spec)
    side = {"vus_precision": 0, "vus_recall": 1, "vus_f1": 2}[name]
    return soft_rates(*(tuple(filled(case, s)) for s in ("labels", "pred")), given["window"])[side]


@cache
def soft_rates(labels, flags, window):
    """Mean precision, recall and F over windows, all at once: the twins take each alone."""
    sums = [0.0, 0.0, 0.0]
    for w in range(window + 1):
        rates = naive_buffers.rates(labels, flags, None, None, w)
        for i, value in enumerate((*rates, naive_buffers.f_score(*rates, 1))):
            sums[i] += value / (window + 1)
    return sums


def of_top(spec, case):
    twin = naive_ranking.WHOLES[read(spec)[0]]
    return twin(filled(case, "labels"), case["scores"], None, None)


def of_near_points(spec, case):
    tolerance = read(spec)[1]["tolerance"]
    tally = naive_ranking.near_points(
        filled(case, "labels"), filled(case, "pred"), tolerance=tolerance
    )
    return naive.recall(tally)


def of_points(spec, case):
    """Rates of points after an adjustment: that of delays, of coverage, or the plain one."""
    name, given = read(spec)
    adjust = naive.point_adjusted
    if "k" in given:
        adjust = partial(delayed if name.startswith("delay") else naive.covered, k=given["k"])
    rates = {"precision": naive.precision, "recall": naive.recall, "f1": naive.fbeta}
    (rate,) = (rates[part] for part in name.split("_") if part in rates)
    labels = filled(case, "labels")
    return rate(naive.points(labels, adjust(labels, filled(case, "pred"))))


def below_chance(spec, case):
    """The signed score of affiliation where precision is below one half."""
    p, r = answer(case, PRECISION), answer(case, RECALL)
    size = 1 - 2 * p
    return -2 * size * r / (size + r)


def of_event_maxima(area):
    return lambda _, case: area(event_maximum_steps(case))


# --- why a value differs ------------------------------------------------------------------------


def constant(case):
    return len(set(case["scores"])) == 1


def all_flagged(case):
    return case["pred"] == [[0, case["n"]]]


def one_point_event(case):
    return any(stop - start == 1 for start, stop in case["labels"])


def at(*names):
    return lambda case: case["id"] in names


def anywhere(case):
    return True


class Why(NamedTuple):
    """A difference on purpose: where, why, and what our value is."""

    pattern: str
    holds: object
    why: str
    ours: object


MADE_UP = "Constant scores are given 0 without looking; here they are scores like any other."
FLAGGED = "Constant flags are given 0 without looking; here they are flags like any other."
UNTRIED = "The highest score is never tried as a threshold, though it flags enough runs."
WHOLE_RUN = "Raises where everything is flagged."
PILED_UP = (
    "The soft labels of one window are the labels that the next one starts from, so they pile up; "
    "here each window starts from the labels."
)
TWICE = "The event after a gap of exactly delta points has its first point counted twice."
WINDOW = (
    "NaN: it divides by the width less one of a window of one point; here, as in tsadmetrics, such "
    "a window reaches as far as one of two points."
)
ANYWHERE = (
    "It takes the next flag anywhere after the start of an event, even behind its end, and missed "
    "events count as found at once."
)
SIGN = (
    "The harmonic mean divides by P' + R with the sign of P', which may vanish or turn; here it "
    "divides by |P'| + R."
)
NOTHING_TO_SEPARATE = "1 for constant scores; here there is nothing to separate, so it is NaN."
DIFFERENCES = [
    Why(f"{package}:{name}", constant, MADE_UP, ours)
    for package in ("aeon", "timeeval")
    for name, ours in (
        ("roc_auc_score[]", of_areas), ("pr_auc_score[]", of_areas), ("RocAUC[]", of_areas),
        ("PrAUC[]", of_areas), ("AveragePrecision[]", of_areas), ("f_score_at_k_points[]", of_top),
        ("range_*_auc_score[*", of_older_areas), ("range_*_vus_score[*", of_older_areas),
        ("Range*AUC[buffer*", of_older_areas), ("Range*VUS[*", of_older_areas),
        ("RangePrecisionRangeRecallAUC[]", of_ranges), ("rp_rr_auc_score[]", of_ranges),
    )
] + [
    Why(
        "aeon:range_f_score[beta=2*", anywhere,
        "The square of beta multiplies recall too in the denominator.", of_ranges,
    ),
    Why("aeon:range_*", all_flagged, FLAGGED, of_ranges),
    Why("timeeval:Range*", all_flagged, FLAGGED, of_ranges),
    Why(
        "timeeval:RangePrecisionRangeRecallAUC[]", at("h40"),
        "Recalls that are equal are sorted by how they were rounded.", of_ranges,
    ),
    Why("timeeval:*AtK[]", at("h10", "h11", "h13", "h30", "h31"), UNTRIED, of_top),
    Why(
        "tsb_ad:R-based-F1[pred]", all_flagged,
        "A run of flags that is the whole series is not seen.", of_ranges,
    ),
    Why(
        "tsb_ad:Event-based-F1[pred]", at("h13"),
        "The last point of an event that ends with the series is lost.",
        of_peer("tsad_eval:Composite_f[].score"),
    ),
    Why("tsb_ad:metric_VUS_pred[*", anywhere, PILED_UP, of_soft_flags),
    Why("tsad_eval:DelayThresholdedPointAdjust[*", all_flagged, WHOLE_RUN, of_points),
    Why("tsad_eval:PointAdjust*", all_flagged, WHOLE_RUN, of_points),
    Why("tsad_eval:TaF[*delta=10]*", at("h45"), TWICE, of_tapr),
    Why("tsadmetrics:taf[*delta=10,*", at("h45"), TWICE, of_tapr),
    Why("tsad_eval:NAB_score[].score", one_point_event, WINDOW, of_peer("tsadmetrics:nab_score[]")),
    Why("tsadmetrics:mttd[]", anywhere, ANYWHERE, of_peer(LATENCY)),
    Why(
        "tsadmetrics:naff_f[alpha=0.5,*", lambda case: answer(case, PRECISION) < 0.5, SIGN,
        below_chance,
    ),
    Why(
        "tsadmetrics:tdir[*", at("h10", "h11"),
        "The window of a point nearer to the start than k is cut to nothing.", of_near_points,
    ),
    Why(
        "tsadmetrics:pa_auc_roc[]", anywhere, SORTED_ANYHOW.format("false positive rate"),
        of_event_maxima(roc_area),
    ),
    Why(
        "tsadmetrics:pa_auc_pr[]", anywhere, SORTED_ANYHOW.format("recall"),
        of_event_maxima(lambda steps: pr_areas(steps)[0]),
    ),
    Why("ref:separation_metric[hellinger]", constant, NOTHING_TO_SEPARATE, undefined),
]  # fmt: skip
EXPRESSIONS = [(expression(rule.pattern), rule) for rule in DIFFERENCES]


def difference(key, row, case):
    """(why, our value) where a rule holds; None where none does."""
    for matches, rule in EXPRESSIONS:
        if matches.fullmatch(key) and rule.holds(case):
            ours = rule.ours(row.spec, case)
            return rule.why, ours if ours is None else float(ours)
    return None
