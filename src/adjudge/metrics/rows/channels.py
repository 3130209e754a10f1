"""Rows that ask on which channels: those that alarm during an event, and those that stand first."""

from __future__ import annotations

from functools import partial
from typing import Any

from adjudge.measure.whole.causes import (
    CauseAverageAtK,
    CauseHitRate,
    CauseInTop,
    CauseNdcg,
    CauseRecallAtK,
)
from adjudge.measure.whole.channels import (
    ChannelFBeta,
    ChannelPrecision,
    ChannelRecall,
    SubsystemFBeta,
    SubsystemPrecision,
    SubsystemRecall,
)
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NO_EVENT

_ESA = (
    "K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection in Satellite "
    "Telemetry. arXiv:2406.17826."
)
_NEVER_ALONE = (
    "every false alarm outside of events: they cost nothing, so read it beside "
    "any_channel(event_precision); an alarm over everything has recall 1"
)
_INPUT = """Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    {stem}_f1(beta=0.5), {stem}_precision, {stem}_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there"""

_of_channels = partial(
    Row, count=None, group="channels", channels=True, undefined=NO_EVENT, listed=False
)


def _three(
    stem: str, who: str, precision: type, recall: type, f_score: type
) -> tuple[Row, Row, Row]:
    common: dict[str, Any] = {
        "reference": _ESA,
        "forgives": _NEVER_ALONE,
        "notes": _INPUT.format(stem=stem),
        "claims": LAWS,
    }
    return (
        _of_channels(
            f"{stem}_f1",
            f"F-score of {who} of events",
            f"mean over events of the F-score of {who} that alarm during it",
            f_score,
            **common,
        ),
        _of_channels(
            f"{stem}_precision",
            f"precision of {who} of events",
            f"mean over events of the share of {who} that alarm during it which it is on",
            precision,
            **common,
        ),
        _of_channels(
            f"{stem}_recall",
            f"recall of {who} of events",
            f"mean over events of the share of its {who} that alarm during it",
            recall,
            **common,
        ),
    )


_ORDER = """The causes of an event are the channels that it is on; channels stand in the order of
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Channels with equal scores share what they would earn. It judges the order of channels alone:
whether events are found, and when, is not asked. The chance of null="renamed" is known exactly.
"""
_of_causes = partial(
    _of_channels,
    needs="scores",
    forgives="missed events and every false alarm: only the order of channels within events counts",
    claims=LAWS - {"nothing"},
)

_CAUSES = (
    _of_causes(
        "cause_hit_rate",
        "causes among the first channels",
        "share of the causes among the first k channels, k being `p` percent of their number",
        CauseHitRate,
        reference="Y. Su et al. (2019). Robust Anomaly Detection for Multivariate Time Series "
        "through Stochastic Recurrent Neural Network. KDD (HitRate@P%).",
        notes=_ORDER
        + """Crosswalk:
  mlnext hit_rate_at_p, p                  cause_hit_rate(p=p), of rows; ties: first channel first
  mvts-ano-eval hitrate_100, hitrate_150   cause_hit_rate(p=100), cause_hit_rate(p=150)
  TranAD hit_att                           cause_hit_rate(p=p, rounding="even", per="points"); ties:
                                           last channel first""",
        always_shown=("p",),
    ),
    _of_causes(
        "cause_ndcg",
        "discounted gain of the causes",
        "normalised discounted cumulative gain of the causes among the first k channels, k being "
        "`p` percent of their number",
        CauseNdcg,
        reference="S. Tuli et al. (2022). TranAD: Deep Transformer Networks for Anomaly Detection "
        "in Multivariate Time Series Data. VLDB (NDCG@P%).",
        notes=_ORDER
        + """Crosswalk:
  TranAD ndcg    cause_ndcg(p=p, rounding="even", per="points")""",
        always_shown=("p",),
    ),
    _of_causes(
        "cause_in_top",
        "any cause among the first channels",
        "share of the events with any cause among the first `k` channels",
        CauseInTop,
        reference="A. Garg et al. (2021). An Evaluation of Anomaly Detection and Diagnosis in "
        "Multivariate Time Series. IEEE TNNLS. arXiv:2109.11428 (RC-top-k).",
        notes=_ORDER
        + """Crosswalk:
  mvts-ano-eval rc_top3    cause_in_top(k=3)""",
        always_shown=("k",),
    ),
    _of_causes(
        "cause_recall_at_k",
        "recall of causes",
        "share of the causes among the first `k` channels",
        CauseRecallAtK,
        reference="L. Pham et al. (2024). RCAEval: A Benchmark for Root Cause Analysis of "
        "Microservice Systems. arXiv:2412.17015 (AC@k).",
        notes=_ORDER
        + """Crosswalk:
  RCAEval AC@k    cause_recall_at_k(k=k), where each event has one cause""",
        always_shown=("k",),
    ),
    _of_causes(
        "cause_average_at_k",
        "mean recall of causes",
        "mean of cause_recall_at_k over 1, 2, ... `k`",
        CauseAverageAtK,
        reference="L. Pham et al. (2024). RCAEval: A Benchmark for Root Cause Analysis of "
        "Microservice Systems. arXiv:2412.17015 (Avg@k).",
        notes=_ORDER
        + """Crosswalk:
  RCAEval Avg@k    cause_average_at_k(k=k), where each event has one cause""",
        always_shown=("k",),
    ),
)

ROWS = (
    *_three("channel", "channels", ChannelPrecision, ChannelRecall, ChannelFBeta),
    *_three("subsystem", "subsystems", SubsystemPrecision, SubsystemRecall, SubsystemFBeta),
    *_CAUSES,
)
