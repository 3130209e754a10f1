"""Chance of several channels: all turn together; or under permuted names."""

from itertools import permutations

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.channels import ChannelCase, ChannelReading, channel_cases
from adjudge.errors import InputError
from adjudge.noise.ask import Ask
from adjudge.noise.null_models import RenamedNull
from adjudge.noise.renamed_channels import renamed_values
from adjudge.noise.shifting.shifted_case import CaseShifts

NAMES = ["a", "b", "c"]
RULE = aj.quantile(0.8)
SPECS = (
    "micro(f1)", "micro(f1_ba)", "macro(f1)", "macro(event_f1)", "macro(best(f1))",
    "best(macro(f1))", "best(micro(f1))", "macro(ap)", "micro(auc_roc)", "channel_f1",
    "channel_precision", "subsystem_recall", "cause_hit_rate", "best(channel_f1)", "micro(f1) rule",
)  # fmt: skip


def drawn(seed=0, n=40):
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random((n, 3)) < 0.15, 4, axis=0)[:n].astype(int)
    scores = rng.integers(0, 5, (n, 3))
    return labels, scores


def case_of(labels, scores, **options):
    (case,) = channel_cases(labels, scores, NAMES, {"x": ["a", "b"], "y": ["c"]}, **options)
    return case


def read(spec):
    name, _, rule = spec.partition(" ")
    metric = aj.metric(name)
    return metric.with_default_threshold(RULE if rule else 2)


def together(shifting, by):
    """The offsets of all channels."""
    return shifting.moved(by)


@pytest.mark.parametrize("spec", SPECS)
def test_a_shift_of_all_channels_is_the_same_as_moving_the_scores(spec):
    labels, scores = drawn()
    metric, case = read(spec), case_of(labels, scores)
    shifting = CaseShifts(case)
    way, _ = shifting.way(metric)
    by = np.array([[1], [7], [39]])
    values = way.values(together(shifting, by))
    for offset, value in zip(by[:, 0], values, strict=True):
        moved = case_of(labels, np.roll(scores, offset, axis=0))
        np.testing.assert_allclose(metric.reading(moved).value, value, equal_nan=True)


@pytest.mark.parametrize("spec", ["macro(f1)", "channel_f1", "micro(f1)"])
def test_nearby_all_channels_turn_alike_in_each_tenth(spec):
    labels, scores = drawn(3, 80)
    metric, case = read(spec), case_of(labels, scores)
    shifting = CaseShifts(case).nearby
    cuts = shifting.bounds[: np.flatnonzero(shifting.bounds == 80)[0] + 1]
    rng = np.random.default_rng(0)
    by = rng.integers(0, np.diff(cuts), (3, len(cuts) - 1))
    values = shifting.way(metric)[0].values(together(shifting, by))
    for offsets, value in zip(by, values, strict=True):
        moved = scores.copy()
        for start, stop, offset in zip(cuts[:-1], cuts[1:], offsets, strict=True):
            moved[start:stop] = np.roll(scores[start:stop], offset, axis=0)
        np.testing.assert_allclose(metric.reading(case_of(labels, moved)).value, value)


def test_all_shifts_of_a_short_series_are_made():
    labels, scores = drawn()
    null = CaseShifts(case_of(labels, scores)).values(read("macro(f1)"))
    assert (null.size, null.exact) == (40, True)


class TurnedApart(ChannelCase):
    """A wrong double: every channel turns by an offset of its own."""

    def together(self, edges=None, moving=None):  # noqa: ARG002 - the contract
        return np.arange(len(self.events.series_bounds if edges is None else edges) - 1)


@pytest.mark.long
def test_turned_apart_alike_channels_look_better_than_they_are():
    """What pooling channels as series would do: a blind detector on six copies of one channel."""
    rng = np.random.default_rng(4)
    small = {"together": 0, "apart": 0}
    names = [f"c{i}" for i in range(6)]
    for _ in range(60):
        labels, flags = (np.zeros(120, int) for _ in range(2))
        for column in (labels, flags):
            for start in rng.integers(0, 110, 4):
                column[start : start + 8] = 1
        table = np.tile(labels[:, None], 6), np.tile(flags[:, None], 6)
        (case,) = channel_cases(*table, names)
        metric = aj.metric("micro(f1)")
        value = metric.reading(case).value
        small["together"] += CaseShifts(case).tested(metric, value, Ask()).p <= 0.05
        apart = CaseShifts(TurnedApart.of(case.channels, case.parts, case.name))
        small["apart"] += apart.tested(metric, value, Ask()).p <= 0.05
    assert small["together"] <= 6
    assert small["apart"] >= 12


@pytest.mark.parametrize("spec", ["channel_f1", "subsystem_f1", "cause_ndcg", "best(channel_f1)"])
def test_renamed_channels_are_permuted_columns(spec):
    labels, scores = drawn(1)
    metric, case = read(spec), case_of(labels, scores)
    null = renamed_values(metric, case)
    expected = [
        metric.reading(case_of(labels, scores[:, list(order)])).value
        for order in list(permutations(range(3)))[1:]
    ]
    np.testing.assert_allclose(null.values, expected)
    assert null.exact


def test_renamed_alarms_are_excused_by_the_events_on_their_new_channel():
    truth = aj.Incidents([5, 8, 20], [15, 18, 25], id=["x", "y", "z"], channel=["a", "b", "c"])
    flags = np.zeros((40, 3), int)
    flags[9:12, 1], flags[6, 2], flags[21, 0] = 1, 1, 1
    metric, case = aj.channel_precision, case_of(truth, flags)
    expected = [
        metric.reading(case_of(truth, flags[:, list(order)])).value
        for order in list(permutations(range(3)))[1:]
    ]
    np.testing.assert_allclose(renamed_values(metric, case).values, expected)


def test_of_many_channels_some_orders_are_drawn():
    rng = np.random.default_rng(0)
    labels, flags = (rng.random((2, 60, 9)) < 0.2).astype(int)
    names = [f"c{i}" for i in range(9)]
    (case,) = channel_cases(labels, flags, names)
    null = renamed_values(aj.channel_f1, case)
    assert (null.size, null.exact) == (999, False)
    assert renamed_values(aj.channel_f1, case, shifts=20).size == 20


def test_one_channel_has_no_other_name():
    labels, flags = (np.random.default_rng(0).random((2, 60, 1)) < 0.2).astype(int)
    (case,) = channel_cases(labels, flags, ["a"])
    null = renamed_values(aj.channel_f1, case)
    assert (null.values.tolist(), null.exact) == ([], True)


@pytest.mark.parametrize(
    "spec",
    ["cause_hit_rate", "cause_hit_rate(p=150)", "cause_ndcg(p=200)", "cause_in_top(k=2)",
     "cause_recall_at_k(k=2)", "cause_average_at_k(k=3)", 'cause_hit_rate(per="points")'],
)  # fmt: skip
def test_the_chance_of_causes_is_the_mean_over_all_orders(spec):
    rng = np.random.default_rng(5)
    labels = np.repeat(rng.random((20, 5)) < 0.2, 3, axis=0).astype(int)
    scores = rng.random((60, 5))
    names = list("abcde")
    (case,) = channel_cases(labels, scores, names)
    metric = aj.metric(spec)
    null = renamed_values(metric, case)
    everywhere = np.append(null.values, metric.reading(case).value)
    level = RenamedNull().level(metric, CaseShifts(case), null)
    assert level == pytest.approx(everywhere.mean())


def test_renamed_asks_for_channels():
    labels, scores = drawn()
    with pytest.raises(InputError, match="is about channel names"):
        aj.evaluate(labels[:, 0], (scores > 2)[:, 0], "f1", null="renamed")
    with pytest.raises(InputError, match="is about channel names"):
        aj.evaluate(labels, scores, "micro(f1)", at=2, null="renamed", channels=NAMES)
    found = aj.evaluate(labels, scores, "channel_f1", at=2, null="renamed", channels=NAMES)
    assert found.rows[0].null == "the same alarms, channels renamed"


def test_points_that_are_not_judged_on_a_channel_do_not_count():
    labels, scores = drawn(2)
    scores = scores.astype(float)
    scores[5:15, 1] = np.nan
    case = case_of(labels, scores, how=ChannelReading(missing="skip"))
    metric, shifting = read("channel_f1"), CaseShifts(case)
    way, _ = shifting.way(metric)
    by = together(shifting, np.array([[0], [3]]))
    for offsets, value in zip(by, way.values(by), strict=True):
        assert metric.reading(case.turned(offsets)).value == pytest.approx(value)


def test_the_interval_leaves_out_events_on_all_channels_at_once():
    rng = np.random.default_rng(0)
    labels = np.zeros((600, 3), int)
    for start in range(30, 600, 60):
        labels[start : start + 10, rng.integers(0, 3)] = 1
    flags = labels * (rng.random((600, 3)) < 0.08)
    case = case_of(labels, flags)
    for spec in ("macro(f1)", "micro(f1)", "channel_recall"):
        value = aj.metric(spec).reading(case).value
        found = CaseShifts(case).evidence(aj.metric(spec), value, "auto", None, None)
        assert found.low < value < found.high
        assert found.units == 10


def test_by_whole_periods_all_channels_turn_together():
    labels, scores = drawn(n=40)
    labels[[0, 4, 8, 12, 16, 20, 24, 28, 32, 36]] = 0  # so that no event is cut
    case, metric = case_of(labels, scores), read("micro(f1)")
    null = CaseShifts(case).seasonal(4).values(metric, None, 0)
    moved = [case_of(labels, np.roll(scores, by, axis=0)) for by in range(4, 40, 4)]
    assert null.exact
    assert null.values.tolist() == [metric.reading(one).value for one in moved]
