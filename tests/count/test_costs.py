"""Costs: prices as people write them, nights, severities, weeks, and who looks at no data."""

import numpy as np
import pytest
from hypothesis import given

import adjudge as aj
from adjudge.adjust.adjustments import raw
from adjudge.count.costs import Costs, CountRate, is_night
from adjudge.data.clock import Clock
from adjudge.data.durations import NANOSECONDS
from adjudge.data.events import Events
from adjudge.errors import InputError
from count import naive_costs as slow
from small import cases
from values import close

HOUR = np.datetime64("2026-03-27T17", "h")  # two days before clocks change in Berlin


@given(case=cases())
def test_the_curve_prices_pages_by_the_hour_at_which_they_begin(case):
    labels, scores, series, where = case
    time = HOUR + 5 * np.arange(len(labels))
    hours = time.astype(int).tolist()
    priced = aj.costs(miss=50, false=20, night=30, delay="2/1h", per="1h")
    curve = aj.curve(labels, scores, priced, series=series, where=where, time=time)
    if len(set(series or [0])) == len(labels):  # points without a next one have no length
        assert np.isnan(curve.values).all()
        return
    judged = np.ones(len(labels), bool) if where is None else np.array(where, bool)
    for level, value in zip(curve.thresholds.tolist(), curve.values.tolist(), strict=True):
        flags = [bool(s > level) and bool(j) for s, j in zip(scores, judged, strict=True)]
        prices = {"miss": 50, "false": 20, "night": 30, "delay": 10}
        sums = slow.money(labels, flags, series, where, **prices, times=hours)
        assert close(slow.total(sums) / (5 * judged.sum()), value)


def test_nights_are_those_of_the_people():
    time = HOUR + np.arange(96)
    clock = Clock.read(time)
    for zone in ("UTC", "Europe/Berlin", "America/St_Johns"):
        expected = [slow.dark(hour, zone) for hour in time.astype(int).tolist()]
        assert is_night(clock.instants, clock, "22:00-07:00", zone).tolist() == expected
    assert is_night(clock.instants, clock, "09:00-10:00", None).sum() == 4


def week(labels, flags, **prices):
    time = np.datetime64("2026-01-05T00:00", "m") + np.arange(len(labels))
    return aj.costs(labels, flags, time=time, **prices)


def test_a_late_page_is_never_dearer_than_none():
    labels = np.zeros(7 * 1440, int)
    labels[100:400] = 1
    flags = np.zeros_like(labels)
    assert week(labels, flags, miss=500, delay="2/min") == 600  # told at the end: 600
    flags[399] = 1
    assert week(labels, flags, miss=500, delay="2/min") == 598
    flags[90:] = 1
    assert week(labels, flags, miss=500, delay="2/min") == 0


def test_several_series_are_watched_by_one_team():
    labels = np.zeros(2 * 1440, int)
    flags = np.zeros_like(labels)
    flags[[10, 2000]] = 1
    time = np.tile(np.datetime64("2026-01-05T00:00", "m") + np.arange(1440), 2)
    series = np.repeat(["a", "b"], 1440)
    per_day = aj.costs(labels, flags, series=series, time=time, false=20, per="1d")
    assert per_day == 40
    half = np.arange(2880) % 1440 < 720
    assert aj.costs(labels, flags, series=series, time=time, where=half, false=20, per="1d") == 80


def test_receipts_are_in_money():
    priced = aj.costs(miss=500, false=20, delay=3)
    receipt = aj.explain([0, 1, 1, 1, 0, 0, 1], [0, 0, 1, 0, 0, 1, 0], priced)
    assert (receipt.truth.weight - receipt.truth.credit).tolist() == [3, 500]
    assert receipt.alarms.cost.tolist() == [0, 20]
    assert receipt.value == 523


def test_what_pages_without_data_costs():
    labels = np.zeros(7 * 24, int)
    labels[30:33] = labels[80:82] = 1
    time = HOUR + np.arange(labels.size)
    events = aj.Case(labels, labels, time=time).events
    costs = Costs(miss=500, false=2)
    paid = costs.without_data(events)
    assert paid["never"] == 1000
    assert paid["at every point"] == 2 * (labels.size - 5)
    regular = {}
    for hours in (1, 2, 3, 4, 6, 8, 12, 24):  # pages of their own, however close
        pages = [
            t for t in range(labels.size) if t == 0 or (int((HOUR + t).astype(int)) % hours == 0)
        ]
        missed = sum(not any(a <= t < b for t in pages) for a, b in ((30, 33), (80, 82)))
        regular[f"every {hours} h"] = 500 * missed + 2 * sum(labels[t] == 0 for t in pages)
    best = min(regular, key=regular.get)
    assert paid[best] == regular[best]
    assert len(costs.without_data(Events.from_labels(labels))) == 2
    judged = aj.evaluate(labels, labels, costs_metric := aj.costs(miss=500, false=2), time=time)
    assert judged.rows[0].without_data == paid
    assert (
        "detector is not significantly cheaper than no detector: 0, where paging never 1,000"
        in " ".join(str(judged).split())
    )
    silent = aj.evaluate(labels, 0 * labels, costs_metric, time=time, chance=False)
    assert "is not significantly cheaper than no detector" in " ".join(str(silent).split())


def test_with_the_best_threshold_a_detector_only_could_be_cheaper():
    labels = np.zeros(100, int)
    labels[30:33] = labels[80:82] = 1
    metric = aj.best(aj.costs(miss=500, false=2))
    said = " ".join(str(aj.evaluate(labels, 0.1 + 0.7 * labels, metric, chance=False)).split())
    assert (
        "could be cheaper, with the best threshold, than no detector: 0, where paging never 1,000"
        in said
    )
    assert "is cheaper" not in said


def test_prices_print_and_parse():
    spec = 'costs(miss="P1=2000, P3=100", false=20, delay="2/min", zone="Europe/Berlin")'
    metric = aj.costs(
        miss={"P1": 2000, "P3": 100.0}, false=20.0, delay="2/1min", zone="Europe/Berlin"
    )
    assert str(metric) == spec
    assert aj.metric(spec) == metric
    assert str(CountRate.read("3 / 2d", "budget", "1/1d")) == "3/2d"
    for text in ("1/d", "1/1d", "1/day", "1 per day", "1 a day", "1 / 1 day", "1 per 24 hours"):
        assert CountRate.read(text, "budget", "1/1d") == (1.0, NANOSECONDS["d"])
    assert CountRate.read("2/week", "budget", "") == CountRate.read("2 per 7 days", "budget", "")
    assert CountRate.read("2 per minute", "delay", "") == CountRate.read("2/min", "delay", "")
    assert aj.costs(delay="2 per minute") == aj.costs(delay="2/min")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"miss": -5}, "miss must be a price of at least 0, got -5"),
        ({"false": True}, "false must be a price"),
        ({"false": "cheap"}, "false must be a price"),
        ({"miss": {"P1": -1}}, r"miss\['P1'\] must be a price of at least 0"),
        ({"miss": {}}, "a price for each severity"),
        ({"miss": "=3"}, "a price for each severity"),
        ({"delay": "2/"}, "delay must be a number per time such as '2/min'"),
        ({"delay": "2/0s"}, "delay must be a number per time"),
        ({"hours": "9 to 5"}, "hours must be hours such as '22:00-07:00'"),
        ({"zone": "Mars"}, "zone must be a time zone"),
        ({"per": "0s"}, "must be longer than"),
    ],
)
def test_prices_that_are_none_are_refused(settings, words):
    with pytest.raises(InputError, match=words):
        aj.costs(**settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"delay": "2/min"}, "delay must be a price per point such as 2"),
        ({"night": 3}, "night must be 0 without times"),
        ({"per": "1w"}, "per must be left out without times"),
        ({"miss": {"P1": 3}}, "events have no severity"),
    ],
)
def test_what_needs_times_or_severities_says_so(settings, words):
    with pytest.raises(InputError, match=words):
        aj.costs([0, 1, 0], [1, 0, 0], **settings)


INCIDENTS = aj.Incidents(
    ["2026-01-01 10:00", "2026-01-09 03:00", "2026-01-15 12:00", "2026-01-20 12:00"],
    ["2026-01-01 11:00", "2026-01-09 04:00", "2026-01-15 12:30", "2026-01-20 12:30"],
    severity=["P1", "P3", "P1", "P1"],
)
PAGED = ["01 10:10", "05 23:00", "15 12:20", "18 13:00", "20 12:05"]
ENDED = ["01 10:50", "05 23:10", "15 13:00", "18 13:01", "20 12:15"]
ALERTS = aj.Alerts([f"2026-01-{t}" for t in PAGED], [f"2026-01-{t}" for t in ENDED])
SPAN = ("2026-01-01", "2026-01-29")


def test_incidents_and_alerts_cost_by_severity_night_and_delay():
    priced = aj.costs(miss={"P1": 2000, "P3": 100}, false=20, night=30, delay="2/min")
    paid = 120 + 20 + 50 + 40 + 20 + 10  # the miss is told at its end: 60 minutes
    judged = aj.evaluate(INCIDENTS, ALERTS, priced, span=SPAN)
    assert judged[str(priced)] == paid / 4
    assert judged.rows[0].low <= paid / 4 <= judged.rows[0].high
    plain = aj.evaluate(INCIDENTS, ALERTS, aj.costs(miss=500, false=20, per="2w"), span=SPAN)
    assert plain.rows[0].value == (500 + 40) / 2
    assert plain.rows[0].p_value < 0.05
    points = aj.evaluate(
        aj.Incidents([5], [9]), aj.Alerts([6, 20]), aj.costs(delay=2), span=(0, 90)
    )
    assert points.rows[0].value == 1 + 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"miss": {"P1": 2}}, "miss must have a price for every severity, got none for 'P3'"),
        ({"delay": 3}, "delay must be a price per time such as '2/min', got 3"),
    ],
)
def test_unknown_severities_and_prices_per_point_of_incidents(settings, words):
    with pytest.raises(InputError, match=words):
        aj.evaluate(INCIDENTS, ALERTS, aj.costs(**settings), span=SPAN)
    with pytest.raises(InputError, match="incidents are in points"):
        aj.evaluate(aj.Incidents([5], [9]), aj.Alerts([6]), aj.costs(night=2), span=(0, 90))


def test_hindsight_is_refused_where_delays_cost():
    aj.costs(at=aj.policy(0.5, merge=3))
    with pytest.raises(InputError, match="costs counts delays, so merge must be left out"):
        aj.costs(delay=1, at=aj.policy(0.5, merge=3))
    assert Costs().entries(np.array([True]), Events.from_labels([0]), raw).tally.flagged == 1


def test_budgets_say_their_thresholds():
    labels, scores = [0, 1, 0, 0, 0, 1, 0], [0, 9, 0, 7, 0, 5, 0]
    judged = aj.evaluate(
        labels, scores, ["recall_at(rate=0)", "froc(rates=(0, 1), per=5)"], chance=False
    )
    assert judged.rows[0].at == 7
    assert judged.rows[0].budgets == {"0": 7.0}
    assert judged.rows[1].budgets == {"0": 7.0, "1": 0.0}
    assert "froc: above 7 within 0, above 0 within 1" in str(judged)
    nothing = aj.evaluate([0, 0], [1, 2], "recall_at", chance=False)
    assert nothing.rows[0].at is None
