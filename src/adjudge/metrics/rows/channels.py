"""Rows about channels: which alarm during an event, and which rank first."""

from __future__ import annotations

from functools import partial

from adjudge.measure.whole.causes import (
    CauseAverageAtK,
    CauseHitRate,
    CauseInTop,
    CauseNdcg,
    CauseRecallAtK,
)
from adjudge.measure.whole.channels import (
    AlarmingPrecision,
    ChannelFBeta,
    ChannelPrecision,
    ChannelRecall,
    ChannelTiming,
    IncidentFBeta,
    IncidentPrecision,
    IncidentRecall,
    IncidentZoneFBeta,
    IncidentZonePrecision,
    IncidentZoneRecall,
    SubsystemFBeta,
    SubsystemPrecision,
    SubsystemRecall,
)
from adjudge.metrics.metric import Row
from adjudge.metrics.rows.three_rates import LAWS, NO_EVENT, three_rates

_ESA = (
    "K. Kotowski et al. (2024). European Space Agency Benchmark for Anomaly Detection in Satellite "
    "Telemetry. arXiv:2406.17826."
)
_NEVER_ALONE = (
    "every false alarm outside of events: they cost nothing, so read it with "
    "any_channel(event_precision); an alarm over everything has recall 1"
)
_INPUT = """Give labels and scores with a column per channel, and channels=[...]; or incidents with
ids, which may overlap and have pieces. A channel alarms during an event where any of its points is
flagged while the event is on any channel. An alarm on a channel that the event is not on is excused
where another event is on that channel at the time. A silent event has precision and F 0. A channel
without a score during an event is left out of it, and an event without any on its channels too.
Two chances: null="shifted" asks whether it knows when (all channels turn together), "renamed"
whether it knows which channel (the same alarms under permuted names). Of one channel it is
event_recall.
Crosswalk:
  ESA-ADB ChannelAwareFScore(beta=0.5)    {stem}_f1(beta=0.5), {stem}_precision, {stem}_recall; an
                                          event all of whose channels lack scores counts 0 there
  telemeval score_channel_aware           the same; such an event is left out there too"""

_of_channels = partial(
    Row,
    count=None,
    group="channels",
    channels=True,
    undefined=NO_EVENT,
    listed=False,
    reference=_ESA,
)


def _of_events(stem: str, who: str, *measures: type) -> tuple[Row, ...]:
    """The rows of who alarms during events: channels, or groups of them."""
    share = "mean over events of the share of"
    return three_rates(
        stem,
        f"of {who} of events",
        {
            "f1": f"mean over events of the F-score of {who} that alarm during it",
            "precision": f"{share} {who} that alarm during it which it is on",
            "recall": f"{share} its {who} that alarm during it",
        },
        LAWS,
        _NEVER_ALONE,
        undefined=NO_EVENT,
        measures=measures,
        count=None,
        group="channels",
        channels=True,
        listed=False,
        reference=_ESA,
        notes=_INPUT.format(stem=stem),
    )


_BY_ID = """Give the truth as incidents with ids, aj.Incidents(start, end, id=..., channel=...,
kind=...), and channels=[...]. Events may overlap and have several pieces, which would be one in a
column of labels. All channels are one: flagged where any is. kind= asks for events of one kind, and
shields the others: an alarm in them is neither right nor false. Without ids it is {same}.
Crosswalk:
  {crosswalk}"""

_AFFILIATION = """
  ESA-ADB ESAScores AFF_{theirs}    incident_affiliation_{ours}; pieces of an event that touch
  are two there, and recall asks the wrong alarm where one of a zone is nearest to no moment"""


def _of_zones(
    part: str, word: str, means: str, measure: type, theirs: tuple[str, str], too: str
) -> Row:
    crosswalk = _AFFILIATION.format(theirs=theirs[0], ours=theirs[1]).strip()
    return _of_channels(
        f"incident_affiliation_{part}",
        f"affiliation {word} of events by id",
        means,
        measure,
        forgives=f"distance: alarms anywhere near an event earn, random ones about a half{too}",
        notes=_BY_ID.format(
            same=f"\naffiliation_{part}, but that a zone without alarms has precision 1/2",
            crosswalk=crosswalk,
        ).replace(" \n", "\n"),
        claims=frozenset({"perfect", "reversal", *(["nothing"] if part != "precision" else [])}),
    )


_ZONES = (
    _of_zones(
        "f1",
        "F-score",
        "harmonic mean of incident_affiliation_precision and incident_affiliation_recall",
        IncidentZoneFBeta,
        ("F_0.50", "f1(beta=0.5)"),
        "",
    ),
    _of_zones(
        "precision",
        "precision",
        "mean over events of the affiliation precision of the zones that they lie in",
        IncidentZonePrecision,
        ("precision", "precision"),
        "; missed events",
    ),
    _of_zones(
        "recall",
        "recall",
        "mean over events of the affiliation recall of the zones that they lie in",
        IncidentZoneRecall,
        ("recall", "recall"),
        "; every false alarm",
    ),
)

_INCIDENTS = (
    _of_channels(
        "incident_f1",
        "F-score of events by id, less false time",
        "harmonic mean of incident_precision and incident_recall",
        IncidentFBeta,
        undefined="no event and no false alarm",
        forgives="low coverage; alarms that are too wide, where there is much normal time; which "
        "channel alarms",
        notes=_BY_ID.format(
            same="eventwise_f1", crosswalk="ESA-ADB ESAScores EW_F_0.50    incident_f1(beta=0.5)"
        ),
        claims=LAWS - {"monotone", "quiet", "doubling"},
    ),
    _of_channels(
        "incident_precision",
        "precision of events by id, less false time",
        "found events, as a share of these and of alarms that touch no event of any kind, times "
        "the share of normal points left alone",
        IncidentPrecision,
        undefined="no found event and no false alarm",
        forgives="missed events, low coverage, and which channel alarms",
        notes=_BY_ID.format(
            same="eventwise_precision",
            crosswalk="ESA-ADB ESAScores EW_precision    incident_precision",
        ),
        claims=LAWS - {"monotone", "quiet", "doubling"},
    ),
    _of_channels(
        "incident_recall",
        "recall of events by id",
        "share of the events during which any channel alarms",
        IncidentRecall,
        undefined=NO_EVENT,
        forgives="every false alarm, low coverage, and which channel alarms",
        notes=_BY_ID.format(
            same="event_recall", crosswalk="ESA-ADB ESAScores EW_recall    incident_recall"
        ),
        claims=LAWS,
    ),
    *_ZONES,
    _of_channels(
        "alarming_precision",
        "alarms that repeat no other",
        "found events, as a share of these and of alarms in a piece of an event after its first",
        AlarmingPrecision,
        undefined="no event is found",
        forgives="missed events and every alarm outside of events: read it with incident_f1",
        notes=_BY_ID.format(
            same="1 / alarms_per_event",
            crosswalk="ESA-ADB ESAScores alarming_precision    alarming_precision; without a found "
            "event 0 there;\n                                          pieces that touch are two "
            "there, and one here",
        ),
        claims=frozenset({"perfect", "nothing", "reversal", "quiet", "doubling"}),
    ),
    _of_channels(
        "channel_adtqc",
        "timing quality on the channels of events",
        "mean over found events of a curve in the start of the first alarm on a channel of its "
        "own: 1 at the event's start, falling to 0 one length before and at its end",
        ChannelTiming,
        undefined="no event is found",
        forgives="missed events, coverage and every false alarm: read it with channel_f1",
        notes="""Alarms on other channels do not count, nor those that do not overlap the event's
own points on that channel. Of one channel it is adtqc.
Crosswalk:
  ESA-ADB ADTQC "Total"    channel_adtqc; its counts of early and late alarms are the signs of
                           `delay` in the events of the judgement's channels""",
        claims=frozenset({"perfect", "nothing", "quiet", "doubling"}),
    ),
)

_ORDER = """The causes of an event are the channels that it is on; channels are ranked by
their mean score over the event (per="points": of each point by itself, so long events weigh more).
Tied channels share their credit. It judges only the order of channels, not whether or when
events are found. The chance level of null="renamed" is known exactly.
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
    *_of_events("channel", "channels", ChannelFBeta, ChannelPrecision, ChannelRecall),
    *_of_events("subsystem", "subsystems", SubsystemFBeta, SubsystemPrecision, SubsystemRecall),
    *_INCIDENTS,
    *_CAUSES,
)
