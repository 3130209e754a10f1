"""What must not matter to incidents and alerts: zone, step, order, services apart, padding.

Each law is a change of a month after which all numbers are the same; it is shown to fail on a
reader or a count that is wrong in just that way.
"""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from tests.count.naive_on_call import count
from tests.count.test_on_call import month

import adjudge as aj
from adjudge.data.incidents import TimedRows

BERLIN, NEPAL = ZoneInfo("Europe/Berlin"), timezone(timedelta(hours=5, minutes=45))
BEGIN = datetime(2026, 10, 24, 22, tzinfo=UTC)  # the clock goes back within the span
STEP = timedelta(minutes=10)
METRICS = ["event_recall", "event_precision", "f1_ba", 'false_alarms(per="1w")', "detection_delay"]


def written(rows, write):
    """The rows of a month as columns of text."""
    starts, ends, services = zip(*rows, strict=True) if rows else ((), (), ())
    return {
        "start": [write(BEGIN + one * STEP) for one in starts],
        "end": [None if one is None else write(BEGIN + one * STEP) for one in ends],
        "service": list(services),
    }


def judged(told, write, more=None, *, every=None, span=(0, 100)):
    incidents, alerts, outages = (written(rows, write) for rows in told)
    more = more or {}
    dark = TimedRows(**outages, **more) if outages["start"] else None
    return aj.evaluate(
        aj.Incidents(**incidents, **more), aj.Alerts(**alerts, **more), METRICS,
        span=[write(BEGIN + end * STEP) for end in span], outages=dark, every=every, chance=False,
    )  # fmt: skip


def numbers(found):
    values = [row.value for row in found.rows if row.requested in METRICS]
    return [*dict(found.on_call).values(), *values]


def in_utc(moment):
    return moment.isoformat()


ZONES = {
    "Berlin, with offsets": (lambda m: m.astimezone(BERLIN).isoformat(), {}),
    "Nepal": (lambda m: m.astimezone(NEPAL).isoformat(), {}),
    "an offset for each": (
        lambda m: m.astimezone(timezone(timedelta(hours=m.minute % 3))).isoformat(), {},
    ),
    "UTC, named": (lambda m: m.replace(tzinfo=None).isoformat(), {"tz": "UTC"}),
    "Tokyo, local": (
        lambda m: m.astimezone(ZoneInfo("Asia/Tokyo")).replace(tzinfo=None).isoformat(),
        {"tz": "Asia/Tokyo"},
    ),
}  # fmt: skip
SOME = [seed for seed in range(200, 215) if month(seed)[0] and month(seed)[1]]


@pytest.mark.parametrize("zone", ZONES)
def test_the_zone_in_which_times_are_written_changes_nothing(zone):
    write, how = ZONES[zone]
    for seed in SOME[:4]:
        told = month(seed)
        np.testing.assert_equal(
            numbers(judged(told, write, how)), numbers(judged(told, in_utc)), zone
        )


def test_a_reader_that_drops_the_offsets_breaks_the_law():
    def clock_alone(moment):
        return moment.astimezone(BERLIN).replace(tzinfo=None).isoformat()  # 02:10 comes twice

    broken = 0
    for seed in SOME:
        told = month(seed)
        try:
            other = numbers(judged(told, clock_alone))
        except aj.InputError:  # an end before its start
            broken += 1
            continue
        broken += not np.array_equal(other, numbers(judged(told, in_utc)), equal_nan=True)
    assert broken > len(SOME) // 2


@pytest.mark.parametrize("every", ["15s", "1min", "1h"])
def test_the_step_of_a_grid_changes_nothing(every):
    told = month(SOME[0])
    assert numbers(judged(told, in_utc, every=every)) == numbers(judged(told, in_utc))


def test_on_a_grid_the_step_would_matter():
    told = month(SOME[0])
    by_points = [judged_points(told, every) for every in ("10min", "1h")]
    assert by_points[0] != by_points[1]


def judged_points(told, every):
    """Runs of steps that alerts touch, as a count that joins them has it."""
    alerts = written(told[1], in_utc)
    ends = [end or start for start, end in zip(alerts["start"], alerts["end"], strict=True)]
    span = (in_utc(BEGIN - 10 * STEP), in_utc(BEGIN + 300 * STEP))
    moments = list(zip(alerts["start"], ends, strict=True))
    return len(aj.Events.from_times(moments, span=span, every=every, merge=True))


def test_the_order_of_rows_changes_nothing():
    for seed in SOME[:4]:
        told = month(seed)
        turned = [rows[::-1] for rows in told]
        np.testing.assert_equal(numbers(judged(turned, in_utc)), numbers(judged(told, in_utc)))


def test_services_judged_apart_add_up():
    for seed in SOME[:6]:
        told = month(seed)
        whole = judged(told, in_utc).by("service").rows
        for row in whole[:-1]:
            own = [[r for r in rows if r[2] in (row["part"], "*")] for rows in told]
            if not own[0] or not own[1]:
                continue
            alone = dict(judged(own, in_utc).on_call)
            for name in ("judged", "found", "unwatched", "alerts_right", "alerts_false"):
                assert row[name] == alone[name], (seed, name)


def closed(rows):
    """The same with an end for what is open, which would last longer in a longer span."""
    return [(start, start + 5 if end is None else end, place) for start, end, place in rows]


def test_unwatched_time_around_the_span_changes_nothing():
    for seed in SOME[:6]:
        incidents, alerts, outages = map(closed, month(seed))
        plain = numbers(judged((incidents, alerts, outages), in_utc))
        dark = [*outages, (-60, 0, "*"), (100, 250, "*")]
        told = incidents, alerts, dark
        np.testing.assert_equal(numbers(judged(told, in_utc, span=(-60, 250))), plain)


def test_padding_that_counts_as_watched_breaks_the_law():
    incidents, alerts, outages = map(closed, month(SOME[0]))
    plain = dict(judged((incidents, alerts, outages), in_utc).on_call)
    wide = dict(judged((incidents, alerts, outages), in_utc, span=(-60, 250)).on_call)
    assert wide != plain


def slow_numbers(told, early):
    """The numbers of a month, counted one instant at a time."""
    incidents, alerts, outages = told
    found, fate = count(incidents, alerts, (0, 100), outages, early)
    dark = {i for a, b, place in outages if place == "*" for i in range(a, b)}
    by = [{i for a, b, place in outages if place == one for i in range(a, b)} for one in "ab"]
    watched = set(range(100)) - dark - (by[0] & by[1])
    weeks = len(watched) * STEP / timedelta(weeks=1)
    delays = [late for _, late in found if late is not None]
    outcomes = [outcome for outcome, _ in found]
    false = fate.count("false")
    return {
        "judged": len(found) - outcomes.count("unwatched"),
        "found": outcomes.count("found"),
        "missed": outcomes.count("missed"),
        "unwatched": outcomes.count("unwatched"),
        "alerts": len(fate),
        "alerts_right": fate.count("right"),
        "alerts_false": false,
        "alerts_unwatched": fate.count("not counted"),
        "false_per_week": false / weeks if weeks else np.nan,
        "delay_median_seconds": np.median(delays) * STEP.total_seconds() if delays else np.nan,
    }


def compared(seeds, early):
    """Compare the front door with the slow count on months with things of both services."""
    many = 0
    for seed in seeds:
        told = month(seed)
        if {row[2] for rows in told[:2] for row in rows} != {"a", "b"} or not all(told[:2]):
            continue  # a service nobody has named is not known
        incidents, alerts, outages = (written(rows, in_utc) for rows in told)
        quick = aj.evaluate(
            aj.Incidents(**incidents), aj.Alerts(**alerts), "event_recall",
            span=[in_utc(BEGIN), in_utc(BEGIN + 100 * STEP)], chance=False,
            outages=TimedRows(**outages) if outages["start"] else None, early=early * STEP,
        ).on_call  # fmt: skip
        assert dict(quick) == pytest.approx(slow_numbers(told, early), nan_ok=True), seed
        many += 1
    return many


def test_numbers_of_some_months_are_those_of_the_slow_count():
    assert compared(range(70_000, 70_060), 3) > 30


@pytest.mark.long
@pytest.mark.parametrize("early", [0, 4])
def test_numbers_of_a_thousand_months_are_those_of_the_slow_count(early):
    first = 50_000 + 10_000 * early
    assert compared(range(first, first + 800), early) >= 500


SPECS = ["event_recall", "event_f1", "f1_ba", "false_alarms", "detection_delay", "f1", "f1_pa"]


@pytest.mark.parametrize("every", [None, 3, 20])
@pytest.mark.parametrize("spec", SPECS)
def test_verbs_agree_on_a_value_with_a_grid_and_without(spec, every):
    """A grid is for metrics that judge points alone, whichever verb is asked."""
    rng = np.random.default_rng(SPECS.index(spec))
    truth = np.sort(rng.choice(90, 12, replace=False)) * 10 + 4
    said = np.append(truth[::2] + rng.integers(0, 9, 6), rng.choice(900, 5))
    incidents, alerts = aj.Incidents(truth, truth + 7), aj.Alerts(said, said + 5)
    if every is None and spec in {"f1", "f1_pa"}:
        with pytest.raises(aj.InputError, match="every"):
            aj.evaluate(incidents, alerts, spec, span=(0, 1000))
        return
    how = {"span": (0, 1000), "every": every}
    value = aj.evaluate(incidents, alerts, spec, chance=False, **how)[spec]
    assert value == pytest.approx(aj.explain(incidents, alerts, spec, **how).value)
    assert value == aj.compare(incidents, alerts, aj.Alerts(truth), spec, **how).a
    early = aj.evaluate(incidents, alerts, spec, early=4, chance=False, **how)[spec]
    if spec in {"f1", "f1_pa"}:
        for verb in (aj.explain, lambda a, b, c, **k: aj.compare(a, b, b, c, **k)):
            with pytest.raises(aj.InputError, match="early must be left out with incidents"):
                verb(incidents, alerts, spec, early=4, **how)
    else:
        assert early == pytest.approx(aj.explain(incidents, alerts, spec, early=4, **how).value)


@pytest.mark.parametrize("spec", ["event_f1", "f1_ba(width=30)", "false_alarms(per=10)"])
def test_tables_without_rows_are_in_the_time_of_the_others(spec):
    none, some = aj.Incidents([]), aj.Alerts([5], [9])
    for incidents, alerts in ((none, some), (none, aj.Alerts([])), (aj.Incidents([5], [9]), some)):
        found = aj.evaluate(incidents, alerts, spec, span=(0, 100), every=5)
        assert found.rows[0].requested == spec
        assert found.alert_cases[0].incidents.is_in_points
        assert found.rows[0].value == aj.evaluate(incidents, alerts, spec, span=(0, 100))[spec] or (
            np.isnan(found.rows[0].value)
        )
    with pytest.raises(aj.InputError, match="width must be a duration"):
        aj.evaluate(none, aj.Alerts([]), SPECS[2] + "(width=3)", span=("2026-01-01", "2026-01-02"))


def test_progress_goes_on_where_a_grid_is_judged_too():
    seen = []
    detectors = {"mine": aj.Alerts([12]), "theirs": aj.Alerts([40], [45])}
    aj.evaluate(
        aj.Incidents([10, 50], [20, 60]), detectors, ["event_f1", "f1", "recall"],
        span=(0, 90), every=1, progress=lambda *told: seen.append(told),
    )  # fmt: skip
    assert {total for _, total in seen} == {6}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (6, 6)
