"""Intervals of values at a threshold: what each unit adds, their width, how often they hold."""

import math

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.ledger import FALSE
from adjudge.count.tally import Tally
from adjudge.noise.intervals.interval import interval as evidence_of
from adjudge.noise.intervals.means import mean_of
from adjudge.noise.intervals.rates import Side, imagined_rows, measured
from adjudge.noise.intervals.units import units_of
from messages import refused
from noise.naive_evidence import ends as naive_ends
from noise.naive_evidence import measured as naive_measured
from noise.naive_evidence import spread as naive_spread
from noise.naive_evidence import unit_rows

SLOT = 40


TRUE_DELAY = np.minimum(np.random.default_rng(0).exponential(8, 10**6).astype(int), 39).mean()


def interval(metric, case, level=0.95, unit="auto"):
    return evidence_of(metric, case, unit, level=level)[:2]


def simulated(events, rng, found=0.7, false=0.3):
    """Give each event 10 points in a slot of 40; alarms hit it or not, false runs are Poisson."""
    labels, flags = np.zeros((2, events * SLOT), int)
    starts = np.arange(events) * SLOT + 20
    labels[(starts[:, np.newaxis] + np.arange(10)).ravel()] = 1
    flags[starts[rng.random(events) < found] + 3] = 1
    slots = rng.permutation(events)[: rng.poisson(false * events)]
    flags[slots * SLOT + 8] = 1
    return aj.Case(labels, flags)


METRICS = ["f1", "f1_ba", "precision_pa", "recall_pa", "event_f1", "event_coverage", "mcc"]


@pytest.mark.parametrize("spec", [*METRICS, "balanced_accuracy", 'f1_ba(width=9, islands="all")'])
def test_the_interval_holds_the_value(spec):
    case = simulated(30, np.random.default_rng(0))
    low, high = interval(aj.metric(spec), case)
    value = aj.metric(spec).reading(case).value
    assert low <= value <= high
    if spec != "event_coverage":  # of which every found event here has the same
        assert low < value < high


@pytest.mark.parametrize("kind", ["event", "series"])
@pytest.mark.parametrize("spec", ["f1", "f1_ba(width=5)", "event_f1", "recall_pa", "mcc"])
def test_the_rows_of_the_units_are_those_of_a_walk_and_sum_to_the_value(spec, kind):
    rng, metric = np.random.default_rng(3), aj.metric(spec)
    for _ in range(8):
        labels = rng.random(120) < np.repeat(rng.choice([0.05, 0.5], 12), 10)
        flags = rng.random(120) < np.where(labels, 0.4, 0.1)
        case = aj.Case(labels, flags, series=np.arange(120) // 40)
        rows = Side.of(metric, case).by(units_of(case.events, kind))
        slow = unit_rows(metric, case, kind)
        np.testing.assert_allclose(np.sort(rows, axis=0), np.sort(slow, axis=0), atol=1e-9)
        whole = rows.sum(axis=0)
        assert measured(metric.parts.measure, whole) == pytest.approx(
            metric.reading(case).value, nan_ok=True
        )


def test_the_interval_is_that_of_a_loop():
    """Six events in three series: found, truth, right, flagged and normal by hand, then a loop."""
    labels, flags = np.zeros((2, 6 * SLOT), int)
    labels.reshape(6, SLOT)[:, 20:30] = 1
    flags.reshape(6, SLOT)[[0, 1, 3, 4], 22] = 1
    flags.reshape(6, SLOT)[[2, 4], 5] = 1
    case = aj.Case(labels, flags, series=np.arange(6 * SLOT) // (2 * SLOT))
    rows = np.array([[2, 2, 2, 2, 60], [1, 2, 1, 2, 60], [1, 2, 1, 2, 60]], float)
    pseudo_rows = [
        (0.5, np.array([1, 1, 1, 1, 30.0])),
        (0.5, np.array([0, 1, 0, 0, 30.0])),
        (1 / 3, np.array([0, 0, 0, 1, 0.0])),
    ]
    stakes = [rows[0, 1], rows[1, 1], rows[2, 1], 1]  # of recall: the events of a unit
    metric = aj.event_recall

    def value(sums):
        return naive_measured(metric, np.append(sums[:4], np.nan))

    center, se, df = naive_spread(value, rows, pseudo_rows, stakes)
    assert center == pytest.approx(4.5 / 7)
    assert df == pytest.approx(49 / 13 - 1)
    assert interval(metric, case) == pytest.approx(naive_ends(center, se, df), abs=1e-6)


def test_an_oracle_is_judged_at_its_threshold():
    rng = np.random.default_rng(0)
    case = simulated(20, rng)
    scores = rng.random(case.events.n) + case.flags
    loose = aj.Case(case.events, scores)
    at = aj.best(aj.f1_ba).reading(loose).at
    assert interval(aj.f1_ba(at=at), loose) == interval(aj.best(aj.f1_ba), loose)


def test_more_events_make_it_narrower():
    widths = [
        np.ptp(interval(aj.event_f1, simulated(events, np.random.default_rng(1))))
        for events in (10, 40, 160, 640)
    ]
    assert sorted(widths, reverse=True) == widths
    assert 2.5 < widths[1] / widths[3] < 6  # the square root of 16, about


def test_a_higher_level_makes_it_wider():
    case = simulated(30, np.random.default_rng(0))
    (a, b), (c, d), (e, f) = (interval(aj.f1_ba, case, level) for level in (0.5, 0.9, 1))
    assert e < c < a < b < d < f


@pytest.mark.parametrize("events", [5, 30])
def test_it_holds_the_value_of_the_population_about_as_often_as_it_says(events):
    found, false, runs = 0.7, 0.3, 200
    population = 2 * found / (1 + found + false)
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(runs):
        low, high = interval(aj.event_f1, simulated(events, rng, found, false))
        held += low <= population <= high
    assert held / runs >= 0.91


def test_series_with_effects_of_their_own_are_the_units():
    """Where a detector suits some series and not others, fifty events tell as much as five."""
    rng, held, widths = np.random.default_rng(5), 0, np.zeros(2)
    for _ in range(60):
        cases = [simulated(10, rng, found, 0.1) for found in rng.choice([0.2, 0.95], 6)]
        labels = np.concatenate([case.events.labels for case in cases])
        flags = np.concatenate([case.flags for case in cases])
        case = aj.Case(labels, flags, series=np.arange(labels.size) // (10 * SLOT))
        by_series, by_events = (
            interval(aj.event_recall, case, unit=unit) for unit in ("auto", "event")
        )
        held += by_series[0] <= 0.575 <= by_series[1]
        widths += np.ptp(by_series), np.ptp(by_events)
    assert held >= 53
    assert widths[0] > 1.2 * widths[1]


def test_a_perfect_detector_on_few_events_leaves_something_open():
    widths = []
    for events in (3, 5, 20, 80):
        case = simulated(events, np.random.default_rng(0))
        low, high = interval(aj.f1_ba, aj.Case(case.events, case.events))
        assert high == 1
        widths.append(1 - low)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0.3
    assert widths[-1] < 0.08


def test_equal_units_without_false_alarms_have_as_many_degrees_of_freedom():
    for events in (3, 7, 20):
        labels = np.tile([0, 0, 1, 0], events)
        flags = labels * (np.arange(labels.size) % 8 < 4)
        case = aj.Case(labels, flags)
        found = evidence_of(aj.event_recall, case)
        assert found.df == pytest.approx(events)


def test_an_imagined_event_is_as_long_as_the_weight_has_it():
    labels = np.zeros(200, int)
    labels[10:14] = labels[40:44] = labels[80:140] = 1
    case = aj.Case(labels, labels)
    found, missed, _ = Side.of(aj.f1, case).pseudo_rows()
    typical = (16 + 16 + 3600) / 68
    assert found[:4] == pytest.approx([typical] * 4)
    assert missed[:4] == pytest.approx([0, typical, 0, 0])


def test_an_alarm_over_several_events_is_split_among_them():
    labels = np.zeros(500, int)
    labels[100:120] = labels[200:220] = labels[400:420] = 1
    case = aj.Case(labels, np.ones(500, int))
    for spec, value in (("f1", 0.214), ("event_precision", 1), ("event_recall", 1)):
        low, high = interval(aj.metric(spec), case)
        assert low < value <= high + 1e-3
    ledger = aj.event_precision.ledger(case)
    assert ledger.rows()[:, 2:4] == pytest.approx(np.full((3, 2), 1 / 3))
    assert len(ledger.rows(FALSE)) == 0


def test_false_alarms_fill_the_normal_time_and_never_exceed_it():
    measure = aj.f1.parts.measure
    full, over = (measured(measure, np.array([5.0, 10, 5, 5 + extra, 50])) for extra in (50, 90))
    assert full == over == pytest.approx(10 / 65)
    assert measured(measure, np.array([5.0, 10, 5, 95, np.nan])) == pytest.approx(10 / 105)


def test_what_is_imagined_is_what_the_metric_says_it_is_worth():
    labels = np.zeros(60, int)
    labels[10:14] = labels[30:36] = 1
    case = aj.Case(labels, labels)
    found, missed, false = Side.of(aj.f1_ba(width=5), case).pseudo_rows()
    typical = (4 * 4 + 6 * 6) / 10
    assert found.tolist() == pytest.approx([typical] * 4 + [25])
    assert missed.tolist() == pytest.approx([0, typical, 0, 0, 25])
    assert false.tolist() == [0, 0, 0, 9, 0]  # a run of five points and its islands
    silent = aj.Case(labels, np.zeros(60, int))
    found, missed, false = Side.of(aj.f1_ba(width=5), silent).pseudo_rows()
    assert found.tolist() == pytest.approx([typical] * 4 + [25])
    assert false.tolist() == [0, 0, 0, 5, 0]


def test_where_all_is_anomalous_no_false_run_can_be_imagined():
    case = aj.Case([1, 1, 1, 1], [1, 0, 1, 0], series=list("aabb"))
    assert len(imagined_rows(aj.f1, "false", case)) == 0
    assert Side.of(aj.f1, case).pseudo_rows().false.tolist() == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("spec", "labels", "flags"),
    [
        ("auc_roc", [0, 1, 0], [0, 1, 0]),
        ("hausdorff_distance", [0, 1, 0], [0, 1, 1]),
        ('detection_delay(average="median")', [0, 1, 1], [0, 1, 1]),
        ("f1_kpa_area", [0, 1, 0], [0, 1, 0]),
        ("f1", [0, 0, 0], [0, 1, 0]),
        ("precision", [0, 1, 0], [0, 0, 0]),
        ("mcc", [0, 1, 0], [1, 1, 1]),
        ("f1", [0, 1, 0, 1, 0], [0, 1, 0, 0, 0]),
    ],
    ids=[
        "an area",
        "a maximum",
        "a median",
        "a whole metric",
        "no event",
        "no alarm",
        "all alarms",
        "two events",
    ],
)
def test_where_nothing_can_be_said_both_ends_are_undefined(spec, labels, flags):
    low, high = interval(aj.metric(spec), aj.Case(labels, flags))
    assert math.isnan(low)
    assert math.isnan(high)


def test_settings_are_checked():
    with refused("level must be a share in (0, 1], got 95; 95 % is 0.95"):
        interval(aj.f1, aj.Case([0, 1], [0, 1]), level=95)


def test_an_interval_measures_the_tally_of_the_ledger():
    case = simulated(30, np.random.default_rng(0))
    ledger, *_ = aj.f1_ba.entries(case)
    assert isinstance(ledger.tally, Tally)
    sums = np.array(ledger.tally)
    assert aj.f1_ba.reading(case).value == measured(aj.f1_ba.parts.measure, sums)


def test_delays_have_an_interval_that_is_not_below_nothing():
    labels = np.tile([0] * 5 + [1] * 5, 8)
    flags = np.zeros_like(labels)
    flags.reshape(8, 10)[np.arange(8), 5 + np.arange(8) % 3] = 1
    low, high = interval(aj.detection_delay, aj.Case(labels, flags))
    assert 0 <= low < aj.detection_delay(labels, flags) < high < 3


def delayed(delays, found=None):
    """Give events of 40 points that are found so late, or missed."""
    labels, flags = np.zeros((2, len(delays), 100), int)
    labels[:, 50:90] = 1
    for place, delay in enumerate(delays):
        flags[place, 50 + delay : 90] = found is None or found[place]
    return aj.Case(labels.ravel(), flags.ravel())


def test_the_interval_of_a_delay_is_that_of_the_mean_over_found_events():
    delays, found = [0, 3, 9, 0, 21, 5, 2], [1, 1, 1, 0, 1, 1, 0]
    case = delayed(delays, found)
    own = np.array(delays)[np.array(found, bool)].astype(float)
    expected = mean_of(own, span=(0, math.inf))
    low, high = interval(aj.detection_delay, case)
    assert aj.detection_delay.reading(case).value == own.mean()
    assert (low, high) == pytest.approx((expected.low, expected.high), rel=1e-3)
    words = evidence_of(aj.detection_delay, case).words
    assert words == "5 of 7 events with a value"


def test_a_delay_needs_three_events_that_are_found_and_do_not_all_have_the_same():
    def told(delays, found=None):
        case = delayed(delays, found)
        said = evidence_of(aj.detection_delay, case)
        assert math.isnan(said.low)
        return said.words

    few = told([0, 3, 9, 4], [1, 0, 1, 0])
    assert few == "too few to say: 2 of 4 events with a value"
    assert told([4, 4, 4]) == "too few to say: 3 events with one value"


def test_a_coverage_that_is_the_same_for_all_leaves_something_open():
    low, high = interval(aj.event_coverage, delayed([20, 20, 20, 20, 20]))
    assert low < 0.5 < high


def test_intervals_of_delays_hold_the_truth_as_often_as_they_say():
    rng, held = np.random.default_rng(5), []
    for _ in range(200):
        delays = np.minimum(rng.exponential(8, 6).astype(int), 39)
        low, high = interval(aj.detection_delay, delayed(delays))
        held.append(low <= TRUE_DELAY <= high)
    assert np.mean(held) > 0.9  # .86 when half an event like the mean was imagined


def test_delays_of_nothing_are_no_silence():
    labels = np.tile([0, 0, 0, 1, 1], 12)
    found = evidence_of(aj.detection_delay, aj.Case(labels, labels))
    assert found.units == 12
    silent = evidence_of(aj.detection_delay, aj.Case(labels, 0 * labels))
    assert silent.units == 0


SUPPOSED = (
    "f1", "f1_pa", "f1_kpa", "f1_ba", "f1_ba(width=6)", 'f1_ba(width="matched")', "recall",
    'f1_ba(islands="spill")', "f1_ba(margin=2)", "delay_f1(k=2)", "event_f1_ba",
)  # fmt: skip


@pytest.mark.parametrize("spec", SUPPOSED)
def test_what_is_imagined_without_a_ledger_is_what_the_ledger_says(spec):
    rng = np.random.default_rng(5)
    for points in (9, 60):
        for skip in (False, True):
            labels = np.convolve(rng.random(points) < 0.1, np.ones(4), "same") > 0
            where = rng.random(points) < 0.8 if skip else None
            series = np.repeat(["a", "b"], [points // 3, points - points // 3])
            case = aj.Case(labels, rng.random(points) < 0.2, series=series, where=where)
            side = Side.of(aj.metric(spec).on(case.events), case)
            for kind in ("found", "missed", "false"):
                slow = imagined_rows(side.metric, kind, side.alarms)
                found = side.supposed(kind)
                own = slow[:, :4].mean(axis=0) if len(slow) else np.zeros(4)
                assert found[:, :4].mean(axis=0) == pytest.approx(own), kind
