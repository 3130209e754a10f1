"""Affiliation: hand-worked zones, and what chance earns in them."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from adjudge import Events, InputError, explain
from adjudge.count.affiliation import CorrectedZones, Zones
from adjudge.count.tally import Tally
from adjudge.measure.rates import SignedFBeta
from adjudge.metrics.reader import metric
from small import cases
from values import filled

NAN = math.nan
TRIO = ("affiliation_precision", "affiliation_recall", "affiliation_f1")
CORRECTED = ("affiliation_precision_corrected", "affiliation_f1_corrected")


def value(spec, labels, flags, **options):
    return metric(spec)(labels, flags, **options)


def values(labels, flags, specs=TRIO, **options):
    return [value(spec, labels, flags, **options) for spec in specs]


def same(expected, actual):
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


# --- by hand -----------------------------------------------------------------------------------


def test_an_alarm_just_behind_the_event_is_held_against_one_anywhere_in_the_zone():
    # zone [0, 8), event [2, 4): at distance d behind it (2 - d) + (4 - d) of 8 lie further off
    precision = sum((6 - 2 * d) / 8 for d in np.arange(0.0005, 1, 0.001)) / 1000
    # a moment z of the event lies 4 - z from the alarm, and 2 (4 - z) of 8 lie nearer
    recall = 1 - 2 * 1 / 8
    assert pytest.approx(5 / 8) == precision
    p, r = 5 / 8, recall
    same([p, r, 2 * p * r / (p + r)], values(filled(8, (2, 4)), filled(8, (4, 5))))


def test_alarms_within_the_event_are_right_and_coverage_makes_the_recall():
    labels = filled(12, (4, 8))
    same([1, 1, 1], values(labels, labels))
    # d = z - 5 for z in [5, 8); never more than z, and never more than 12 - z: 2 d of 12 lie nearer
    recall = (1 + 3 - (2 / 12) * 3**2 / 2) / 4
    same([1, recall], values(labels, filled(12, (4, 5)), TRIO[:2]))


def test_an_alarm_in_the_middle_of_an_odd_gap_belongs_half_to_either_event():
    labels, flags = filled(7, (1, 2), (5, 6)), filled(7, (3, 4))
    alarms = explain(labels, flags, "affiliation_f1").alarms
    assert [0, 1] == alarms.event.tolist()
    assert [3, 3] == alarms.start.tolist()
    assert [4, 4] == alarms.stop.tolist()
    assert [0, 3] == alarms.island_start.tolist()
    assert [4, 7] == alarms.island_stop.tolist()
    # each half lies 1 to 1.5 behind its event, in a zone of 3.5 with room 1 before and 1.5 behind
    mean = 0.5**2 / 2 / 0.5  # of 1.5 - d over d from 1 to 1.5; of 1 - d nothing is left
    same([mean / 3.5] * 2, alarms.credit)


def test_an_event_that_fills_its_zone_leaves_nothing_to_get_wrong():
    labels = np.ones(5, int)
    # before the alarm 1 - z + min(1 - z, z) of 5 lie nearer, behind it z - 2 + min(z - 2, 5 - z)
    recall = 1 - (1 / 2 + 1 / 4 + 9 / 2 + 9 / 4) / 5 / 5
    same([1, recall, 2 * recall / (1 + recall)], values(labels, filled(5, (1, 2))))
    assert all(math.isnan(v) for v in values(labels, labels, CORRECTED))


def test_zones_end_with_their_series():
    labels, flags = filled(8, (2, 4)), filled(8, (4, 5))
    two = np.append(labels, labels), np.append(flags, np.zeros(8, int))
    p, r, _ = values(labels, flags)
    same([p, r / 2], values(*two, TRIO[:2], series=[0] * 8 + [1] * 8))
    assert p != value("affiliation_precision", *two)


def test_alarms_in_a_series_without_events_cost_a_zone():
    labels, flags = filled(12, (2, 4)), filled(12, (2, 4), (8, 9), (10, 12))
    series = [0] * 6 + [1] * 6
    same([1 / 2, 1, 2 / 3], values(labels, flags, series=series))
    right = 1 - (1 + (2 / 6) ** 2) / 2  # the first zone's weight; the other's is 1
    p = right / (right + 1)
    same([p, 2 * p / (p + 1)], values(labels, flags, CORRECTED, series=series))
    same([0, 0], values(labels, flags, CORRECTED, series=series, chance="half"))
    alarms = explain(labels, flags, "affiliation_f1", series=series).alarms
    assert [(2, 4, 0), (8, 12, -1)] == list(
        zip(alarms.start.tolist(), alarms.stop.tolist(), alarms.event.tolist(), strict=True)
    )
    assert (6, 12) == (alarms.island_start[1], alarms.island_stop[1])


def test_points_that_are_not_judged_are_no_alarms_and_positions_stay():
    labels, flags = filled(8, (2, 4)), filled(8, (4, 5), (7, 8))
    where = 1 - filled(8, (7, 8))
    same(values(labels, filled(8, (4, 5))), values(labels, flags, where=where))


# --- what is undefined -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "flags", "expected"),
    [
        pytest.param(filled(6, (1, 3)), filled(6), [NAN, 0, 0, NAN, 0], id="no alarms"),
        pytest.param(filled(6), filled(6, (1, 3)), [0, NAN, 0, 0, 0], id="no events"),
        pytest.param(filled(6), filled(6), [NAN] * 5, id="neither"),
        pytest.param(filled(1, (0, 1)), filled(1, (0, 1)), [1, 1, 1, NAN, NAN], id="one point"),
        pytest.param(filled(6, (0, 1)), filled(6, (0, 1)), [1] * 5, id="at the start"),
        pytest.param(filled(6, (5, 6)), filled(6, (5, 6)), [1] * 5, id="at the end"),
    ],
)
def test_every_degenerate_case_has_one_answer(labels, flags, expected):
    same(expected, values(labels, flags, (*TRIO, *CORRECTED)))


# --- what chance earns -------------------------------------------------------------------------


@pytest.mark.parametrize("event", [(0, 1), (0, 3), (2, 4), (3, 9), (9, 10), (4, 5)])
def test_an_alarm_everywhere_earns_half_of_one_and_the_squared_share_of_the_event(event):
    labels = filled(10, event)
    share = (event[1] - event[0]) / 10
    same((1 + share**2) / 2, value("affiliation_precision", labels, np.ones(10, int)))


def test_single_alarms_at_all_places_are_worth_nothing_on_average():
    labels = filled(30, (4, 9), (20, 22))
    single = np.eye(30, dtype=int)
    raw, corrected = (
        [value(name, labels, flags) for flags in single]
        for name in ("affiliation_precision", "affiliation_precision_corrected")
    )
    assert np.mean(raw) > 0.5
    first = [value("affiliation_precision", labels[:14], flags) for flags in np.eye(14, dtype=int)]
    same((1 + (5 / 14) ** 2) / 2, np.mean(first))
    # point 14 lies half in either zone, so that each zone has one draw more than it has points
    assert abs(np.mean(corrected)) < 0.02 < abs(np.mean(raw) - 0.5)


def test_alarms_that_a_coin_throws_are_worth_nothing_on_average():
    labels = filled(8, (1, 3))
    thrown = [np.array(flags) for flags in product([0, 1], repeat=8)][1:]
    same(0, np.mean([value(CORRECTED[0], labels, flags) for flags in thrown]))
    assert np.mean([value(TRIO[0], labels, flags) for flags in thrown]) > 0.5


def test_chance_is_over_the_points_that_are_judged():
    labels, where = filled(8, (2, 4)), 1 - filled(8, (6, 8))
    always = value("affiliation_precision", labels, np.ones(8, int), where=where)
    assert pytest.approx((1 + (2 / 8) ** 2) / 2) != always
    same([0, 0], values(labels, np.ones(8, int), CORRECTED, where=where))
    single = [flags for flags, judged in zip(np.eye(8, dtype=int), where, strict=True) if judged]
    same(0, np.mean([value(CORRECTED[0], labels, flags, where=where) for flags in single]))


def test_alarms_that_avoid_the_events_score_below_zero():
    labels, flags = filled(30, (14, 16)), filled(30, (0, 2), (28, 30))
    p, f = values(labels, flags, CORRECTED)
    r = value("affiliation_recall", labels, flags)
    assert p < 0
    same(-2 * -p * r / (-p + r), f)


def test_half_takes_one_half_off_everywhere():
    labels, flags = filled(12, (2, 6)), filled(12, (5, 8))
    p = value("affiliation_precision", labels, flags)
    same(2 * p - 1, value('affiliation_precision_corrected(chance="half")', labels, flags))


def test_the_signed_score_does_not_vanish_with_its_denominator():
    def unsigned(tally):
        p, r = tally.right / tally.flagged, tally.found / tally.truth
        return 2 * p * r / (p + r) if p + r else math.inf

    tally = Tally(found=1, truth=2, right=-1, flagged=2)
    assert math.inf == unsigned(tally)
    assert -0.5 == SignedFBeta()(tally)


def test_recall_weighs_more_with_beta():
    labels, flags = filled(12, (2, 6)), filled(12, (5, 8))
    p, r = value(CORRECTED[0], labels, flags), value("affiliation_recall", labels, flags)
    same(5 * p * r / (4 * p + r), value("affiliation_f1_corrected(beta=2)", labels, flags))


@pytest.mark.parametrize("chance", ["half-way", None, 0.5])
def test_other_chances_are_refused(chance):
    with pytest.raises(InputError, match=r"chance must be one of 'zones', 'half', got "):
        CorrectedZones(chance)


@given(case=cases(flags=True))
def test_credits_lie_between_nothing_and_the_weight(case):
    labels, flags, series, where = case
    events = Events.from_labels(labels, series=series, where=where)
    flags = np.array(flags, bool) & (True if where is None else np.array(where))
    ledger = Zones().entries(flags, events, lambda flags, _: flags)
    for rows in (ledger.truth, ledger.alarms):
        assert np.all((rows.credit >= 0) & (rows.credit <= rows.weight))
