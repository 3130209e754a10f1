"""Laws of lines that share their time: channels, and annotators."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge as aj
from adjudge.data.channels import ChannelCase, ChannelReading, channel_cases
from adjudge.judging.inputs.channels import Channels
from adjudge.judging.inputs.points import Points
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import chance_line
from adjudge.noise.intervals.rates import Side
from adjudge.noise.intervals.units import units_of
from adjudge.noise.shifting.shifted_case import CaseShifts
from sampling import one_in

SPECS = [
    *(name for name, row in aj.catalogue.items() if row.metric.has_receipt and not row.positions),
    'f1_ba(width=5, islands="all")',
    "event_f1_ba(width=4)",
]


def is_rate(metric):
    """Whether twice as much of everything gives the same: not so costs, and pairs of points."""
    return metric.resamples and metric.row.range[1] == 1 and metric.name != "rand_index"


QUICK = ("f1", "f1_ba", "event_f1", "detection_delay", "mcc", "false_alarms")


@st.composite
def tables(draw, most=3):
    """Labels and flags of up to so many channels, in up to two series."""
    n, count = draw(st.integers(6, 24)), draw(st.integers(1, most))
    column = st.lists(st.booleans(), min_size=n, max_size=n)
    labels, flags = (
        np.array([draw(column) for _ in range(count)], int).T.reshape(n, count) for _ in range(2)
    )
    series = np.arange(n) >= draw(st.integers(1, n)) if draw(st.booleans()) else None
    return labels, flags, series


def case_of(labels, flags, series=None):
    names = [f"c{place}" for place in range(labels.shape[1])]
    (case,) = channel_cases(labels, flags, names, how=ChannelReading(series=series))
    return case


def same(found, expected):
    return np.allclose(found, expected, rtol=1e-9, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("spec", one_in(2, SPECS))
@pytest.mark.parametrize("over", ["micro", "macro"])
@settings(max_examples=4)
@given(table=tables())
def test_the_rows_of_lines_add_up_to_the_value(over, spec, table):
    metric, case = aj.metric(f"{over}({spec})"), case_of(*table)
    ledger, count = metric.ledger(case), len(case.parts)
    by_line = ledger.sum(ledger.line // case.truth.series_count, count)
    assert same(by_line.sum(axis=0), ledger.sum())
    sums = by_line if over == "macro" else by_line.sum(axis=0)
    assert same(metric.value(sums), metric.reading(case).value)
    side = Side.of(metric, case)
    assert same(side.value, metric.reading(case).value)
    if case.event_count:
        rows = side.by(units_of(case.truth))
        assert same(rows.sum(axis=0)[..., :4], sums[..., :4])


@pytest.mark.parametrize("spec", one_in(2, SPECS))
@settings(max_examples=4)
@given(table=tables())
def test_a_mean_is_that_of_the_channels_one_by_one(spec, table):
    labels, flags, series = table
    each = [aj.metric(spec)(*one, series=series) for one in zip(labels.T, flags.T, strict=True)]
    known = [value for value in each if not math.isnan(value)]
    expected = np.mean(known) if known else math.nan
    assert same(aj.metric(f"macro({spec})").reading(case_of(*table)).value, expected)


@pytest.mark.parametrize("spec", one_in(2, SPECS))
@settings(max_examples=4)
@given(table=tables(most=1), copies=st.integers(2, 4))
def test_copies_of_a_channel_score_what_it_scores(spec, table, copies):
    labels, flags, series = table
    case = case_of(np.tile(labels, copies), np.tile(flags, copies), series)
    one = aj.metric(spec)(labels[:, 0], flags[:, 0], series=series)
    if is_rate(aj.metric(spec)):
        assert same(aj.metric(f"micro({spec})").reading(case).value, one)
    assert same(aj.metric(f"macro({spec})").reading(case).value, one)


def story(copies=1, n=400):
    rng = np.random.default_rng(3)
    labels, flags = np.zeros((2, n, copies), int)
    for start in range(12, n - 20, 33):
        labels[start : start + int(rng.integers(4, 12))] = 1
        if rng.random() < 0.6:
            flags[start + 2 : start + 7] = 1
        if rng.random() < 0.5:
            flags[start + 18 : start + 21] = 1
    return labels, flags


def test_copies_of_a_channel_have_the_chance_and_the_evidence_of_one():
    """What turns together has as many places as one channel, and as many events."""
    one, (labels, flags) = case_of(*story()), story(4)
    case = case_of(labels, flags)
    for spec in QUICK[:4]:
        metric, value = aj.metric(spec), aj.metric(spec).reading(one.joined).value
        alone = chance_line(metric, CaseShifts(one.joined), value, Ask())
        for over in ("micro", "macro"):
            across = aj.metric(f"{over}({spec})")
            found = chance_line(across, CaseShifts(case), across.reading(case).value, Ask())
            assert found.p_value == alone.p_value
            assert found.evidence_units == alone.evidence_units
            assert found.low == pytest.approx(alone.low, abs=2e-3, nan_ok=True)
            assert found.high == pytest.approx(alone.high, abs=2e-3, nan_ok=True)
            if over == "micro" or spec != "f1_ba":  # its mean over shifts, not a closed form
                assert found.chance == pytest.approx(alone.chance, abs=2e-3, nan_ok=True)


class TurnedApart(ChannelCase):
    """A wrong double: every channel turns by an offset of its own."""

    def together(self, edges=None, moving=None):  # noqa: ARG002 - the contract
        return np.arange(len(self.events.series_bounds if edges is None else edges) - 1)


def test_channels_that_turn_apart_would_be_noticed():
    labels, flags = story(4)
    case = case_of(labels, flags)
    apart = TurnedApart.of(case.channels, case.parts, case.name)
    metric = aj.metric("micro(f1)")
    found, wrong = (CaseShifts(one).values(metric) for one in (case, apart))
    assert found.exact
    assert not wrong.exact
    assert wrong.values.std() < 0.8 * found.values.std()


def told(judgement):
    """All that is said of points, but how the metrics of several channels are called."""
    rows = [
        {name: value for name, value in row.items() if name not in {"metric", "requested"}}
        for row in judgement.to_dict()["rows"]
    ]
    counts = [{**row, "metric": ""} for row in judgement.counts]
    text = str([rows, judgement.events, counts, judgement.verdicts])
    for row in judgement.rows:
        name = row.metric.removeprefix("any_channel(").removesuffix(")" * ("any_" in row.metric))
        text = text.replace(row.metric, name)
    return text


@pytest.mark.parametrize("at", one_in(5, [0.5, None, 2.5, "quantile(0.8)", "policy(0.5, after=2)"]))
def test_one_channel_is_points(at):
    labels, flags = story()
    scores = flags + np.random.default_rng(0).random(flags.shape) * (at != 0.5)
    best = "best({})" if at is None else "{}"
    specs = [best.format(spec) for spec in QUICK] + ["ap", "auc_roc"]
    points = aj.evaluate(Points(labels[:, 0], scores[:, 0]), specs, at=at)
    for own in (at, {"temp": at}):
        found = aj.evaluate(Channels(labels, scores, ["temp"]), specs, at=own)
        assert told(found) == told(points)


@pytest.mark.parametrize("votes", one_in(2, ["any", "all", "majority", "each", "pooled"]))
def test_annotators_who_agree_are_one_label(votes):
    labels, flags = story()
    points = aj.evaluate(labels[:, 0], flags[:, 0], list(QUICK))
    same_votes = np.tile(labels, 3)
    found = aj.evaluate(
        same_votes, flags[:, 0], list(QUICK), annotators=["a", "b", "c"], votes=votes
    )
    assert found.events == points.events
    for row, own in zip(found.rows, points.rows, strict=True):
        if votes != "pooled" or is_rate(own.resolved_metric):
            assert same(row.value, own.value)
        assert (row.requested, row.evidence_units) == (own.requested, own.evidence_units)
        assert row.p_value == own.p_value
