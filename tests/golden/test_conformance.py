"""The whole catalogue beside public implementations: golden/atlas.json and differences.json.

What they hold is told in golden/README.md, and docs/conformance.md is the same for readers.
"""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.events import Events

GOLDEN = Path(__file__).parent


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


CASES, SCORES, ATLAS = golden("cases"), golden("scores"), golden("atlas")
PEERS, DIFFERENCES = ATLAS["peers"], golden("differences")

every_peer = pytest.mark.parametrize(
    "peer", PEERS, ids=[f"{peer['spec']} is {min(peer['keys'])}" for peer in PEERS]
)
every_difference = pytest.mark.parametrize(
    "group", DIFFERENCES, ids=[f"{group['spec']} and {group['key']}" for group in DIFFERENCES]
)


@cache
def given(name, kind):
    """A case with flags or with scores; every metric then shares it."""
    row = CASES[name]
    events = Events.from_intervals(row["events"], row["n"])
    flags = Events.from_intervals(row["flags"], row["n"])
    return aj.Case(events, flags if kind == "flags" else np.array(SCORES[name]) / 1e6)


@cache
def value(spec, name, kind):
    return aj.metric(spec).reading(given(name, kind)).value


def close(expected, actual, tolerance):
    if expected is None:  # undefined
        return math.isnan(actual)
    return abs(actual - expected) <= tolerance * max(1, abs(expected))


def unlike(peer, spec):
    """The cases on which a spec gives other values than the peer."""
    return {
        name: (expected, value(spec, name, peer["input"]))
        for name, expected in peer["values"].items()
        if not close(expected, value(spec, name, peer["input"]), peer["tolerance"])
    }


@every_peer
def test_the_values_of_public_implementations_are_ours(peer):
    assert {} == unlike(peer, peer["spec"])


@every_peer
def test_where_a_value_is_undefined_our_policy_decides(peer):
    for reason, row in peer["policy"].items():
        for name in row["cases"]:
            actual = value(peer["spec"], name, peer["input"])
            assert close(row["ours"], actual, 0), (name, reason, actual)


@every_difference
def test_where_we_differ_our_value_is_the_one_that_is_told(group):
    for name, row in group["cases"].items():
        actual = value(group["spec"], name, group["input"])
        assert close(row["ours"], actual, 1e-9), (name, row["ours"], actual)
        if isinstance(row["theirs"], float):  # else it is NaN, or the exception that it raised
            assert not close(row["theirs"], actual, group["tolerance"]), name


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("tsad_eval:Segmentwise_metrics[].score", "event_f1"),
        ("tsadmetrics:dtpaf[k=3,beta=1.0]", "delay_f1(k=4)"),
        ("prts:ts_fscore[]", 'range_f1(cardinality="reciprocal")'),
        ("vus:get_metrics[metric=vus,slidingWindow=10].VUS_PR", "vus_pr(window=9)"),
        ("aeon:range_pr_vus_score[max_buffer_size=10]", "vus_pr(window=10)"),
        ("affiliation:pr_from_events.precision", 'affiliation_precision_corrected(chance="half")'),
        ("pate:PATE_F1[e=5,d=5]", "pate_f1(early=5, delay=4)"),
        ("tsad_eval:LatencySparsityAware[tw=2].score", "latency_f1(window=1)"),
    ],
)
def test_a_neighbour_of_the_metric_is_told_apart(key, other):
    (peer,) = (peer for peer in PEERS if key in peer["keys"])
    assert unlike(peer, other)


def test_every_key_is_accounted_for_once():
    compared = [key for peer in PEERS for key in peer["keys"]]
    assert len(compared) == len(set(compared))
    assert set(compared).isdisjoint(golden("peers"))
    assert {group["key"] for group in DIFFERENCES} <= set(compared)
    assert {key.partition(":")[0] for key in compared} <= ATLAS["packages"].keys()


def test_no_value_is_missing():
    counts = [count for peer in PEERS for count in peer["keys"].values()]
    assert {
        "keys": 366,
        "specs": 211,
        "values": 12_594,
        "equal": 21044,
        "policy": 1063,
        "different": 411,
        "left out": 191,
    } == {
        "keys": len(counts),
        "specs": len({peer["spec"] for peer in PEERS}),
        "values": sum(len(peer["values"]) for peer in PEERS),
        "equal": sum(count["equal"] for count in counts),
        "policy": sum(count["policy"] for count in counts),
        "different": sum(len(group["cases"]) for group in DIFFERENCES),
        "left out": sum(sum(group.values()) for group in ATLAS["left_out"].values()),
    }
