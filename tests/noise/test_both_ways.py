"""Evidence both ways: episodes of shared clocks, what cells add up to, and what is said of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

import adjudge as aj
from adjudge.count.ledger import QUIET
from adjudge.data.clock import Clock
from adjudge.metrics.on_alerts import raised
from adjudge.noise.comparing.paired_units import Own, rate_difference
from adjudge.noise.intervals.episodes import EventClusters
from adjudge.noise.intervals.evidence import spread_both_ways
from adjudge.noise.intervals.interval import interval
from adjudge.noise.intervals.neighbours import variance_inflation
from adjudge.noise.intervals.rates import HALF, Side, rate_spread, stakes
from adjudge.noise.intervals.units import units_of
from noise.naive_evidence import measured, unit_rows
from noise.naive_evidence import spread as naive_spread

METRICS = ["event_recall", "f1", "f1_ba(width=3)"]


def panel(rng, *, clocks=None, where=False, timed=False, n=40):
    """A few series of a few lengths, whose times overlap, with flags."""
    count = len(clocks)
    lengths = rng.integers(n // 2, n, count)
    first = rng.integers(0, n // 2, count) if timed else np.zeros(count, int)
    ids = np.repeat(np.arange(count), lengths)
    labels = np.concatenate(
        [rng.random(k) < np.repeat(rng.random(k) < 0.15, 3)[:k] for k in lengths]
    )
    labels[ids == rng.integers(count)] = False
    labels[0] = True
    flags = np.where(rng.random(labels.size) < 0.7, labels, rng.random(labels.size) < 0.1)
    judged = None
    if where:
        judged = rng.random(labels.size) < 0.8
        judged[0] = True
    events = aj.Events.from_labels(labels, series=ids, where=judged)
    if timed:
        moments = np.concatenate([a + np.arange(k) for a, k in zip(first, lengths, strict=True)])
        events = events.timed(Clock(moments * 10**9))
    events = aj.Events(**{**fields(events), "clocks": np.asarray(clocks)})
    return aj.Case(events, flags.astype(float))


def fields(events):
    names = [
        "starts",
        "stops",
        "n",
        "severity",
        "bounds",
        "judged",
        "names",
        "clock",
        "changes",
        "gaps",
        "fixed_series",
    ]
    return {name: getattr(events, name) for name in names}


def episodes_by_walking(events):
    """The episode of each point, as clock and number: events that overlap are put together."""
    bounds = events.whole_series
    line = np.repeat(np.arange(events.series_count), np.diff(bounds))
    moment = np.arange(events.n) - bounds[line]
    if events.clock is not None:
        moment = events.clock.instants
    found = [None] * events.n
    for clock in set(events.clocks.tolist()):
        own = [k for k in range(events.n) if events.clocks[line[k]] == clock]
        spans = [
            [moment[start], moment[stop - 1]]
            for start, stop in zip(events.starts, events.stops, strict=True)
            if events.clocks[line[start]] == clock
        ]
        merged = True
        while merged:
            merged = False
            for one in spans:
                for other in spans:
                    if one is not other and one[0] <= other[1] and other[0] <= one[1]:
                        one[:] = min(one[0], other[0]), max(one[1], other[1])
                        spans = [span for span in spans if span is not other]
                        merged = True
                        break
                if merged:
                    break
        ends = sorted(last for _, last in spans)
        for k in own:
            before = sum(last < moment[k] for last in ends)
            found[k] = clock, min(before, max(len(ends) - 1, 0))
    return found


def numbered(names):
    order = {name: k for k, name in enumerate(sorted(set(names)))}
    return np.array([order[name] for name in names])


@pytest.mark.parametrize("where", [False, True])
@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("clocks", [[0, 0, 0], [0, 1, 0, 1], [0, 0, 1]])
def test_episodes_and_cells_are_those_of_a_walk_from_point_to_point(clocks, timed, where):
    rng = np.random.default_rng(len(clocks) + timed)
    for _ in range(2):
        case = panel(rng, clocks=clocks, timed=timed, where=where)
        units = units_of(case.truth)
        episodes, cells = units.both_ways
        walked = episodes_by_walking(case.truth)
        groups = numbered(walked)
        line = np.repeat(np.arange(len(clocks)), np.diff(case.truth.whole_series))
        own = numbered(list(zip(line.tolist(), walked, strict=True)))
        for units_, slow in ((episodes, groups), (cells, own)):
            every = np.diff(np.append(units_.edges, case.truth.n))
            pairs = set(zip(np.repeat(units_.of_piece, every).tolist(), slow, strict=True))
            mine, naive = zip(*pairs, strict=True)
            assert len(pairs) == len(set(mine)) == len(set(naive))
            assert units_.kind == "cell" or units_.count == len(pairs)
        for name in METRICS:
            metric = aj.metric(name)
            side = Side.of(metric, case)
            for units_, slow in ((episodes, groups), (cells, own)):
                rows = side.by(units_)
                same(rows, unit_rows(metric, case, "dataset", slow))


def same(rows, others):
    """The same rows, whatever their order, but for empty ones."""
    rows, others = (np.nan_to_num(np.round(one, 9), nan=-1.0) for one in (rows, others))
    rows, others = (
        np.array(sorted(tuple(row) for row in one if (row > 0).any())) for one in (rows, others)
    )
    np.testing.assert_allclose(rows, others, atol=1e-8)


def test_cells_add_up_to_series_and_to_episodes():
    case = panel(np.random.default_rng(5), clocks=[0, 0, 0, 1])
    side = Side.of(aj.f1, case)
    units = units_of(case.truth)
    episodes, cells = units.both_ways
    rows = side.by(cells)
    of_line = cells.blocks.of_block
    by_series = np.array([rows[np.unique(own)].sum(axis=0) for own in of_line])
    np.testing.assert_allclose(by_series, side.by(units))
    by_episode = np.zeros((episodes.count, 5))
    for cell, episode in set(zip(of_line.ravel(), episodes.blocks.of_block.ravel(), strict=True)):
        by_episode[episode] += rows[cell]
    np.testing.assert_allclose(by_episode, side.by(episodes))


def naive_variance(metric, case, units):
    """The variance by some units, and its degrees of freedom."""
    side = Side.of(metric, case)
    pseudo_rows, rows = side.pseudo_rows(), side.by(units)
    beside = list(zip((HALF, HALF, 1 / 3), pseudo_rows, strict=True))
    whole = rows.sum(axis=0) + sum(amount * row for amount, row in beside)

    def value(sums):
        if sums.ndim > 1:
            return np.apply_along_axis(value, -1, sums)
        return np.asarray(measured(metric, sums))

    at_stake = stakes(value, whole[None], np.concatenate([rows, pseudo_rows.found[None]])[:, None])
    _, se, df = naive_spread(value, rows, beside, at_stake)
    return se**2, df


@pytest.mark.parametrize("name", ["event_recall", "f1"])
def test_the_spread_both_ways_is_the_formula(name):
    metric = aj.metric(name)
    for seed in range(8):
        case = panel(np.random.default_rng(seed), clocks=[0, 0, 0, 0])
        side, units = Side.of(metric, case), units_of(case.truth)
        pseudo_rows = side.pseudo_rows()

        def of(units, side=side, pseudo_rows=pseudo_rows):
            return rate_spread(side.measure, side.by(units), pseudo_rows, units)

        found = spread_both_ways(units, of)
        one, other, both = (of(some) for some in (units, *units.both_ways))
        by_cells = units.both_ways[1]
        (vs, ds), (vc, _) = (naive_variance(metric, case, some) for some in (units, by_cells))
        assert one.se**2 == pytest.approx(vs, rel=1e-4)
        assert both.se**2 == pytest.approx(vc, rel=1e-4)
        assert one.df == pytest.approx(max(ds, 1), rel=1e-4)
        assert one.pseudo_rows == other.pseudo_rows == pytest.approx(both.pseudo_rows)
        variance = max(vs, other.se**2, vs + other.se**2 - vc)
        assert found.se == pytest.approx(math.sqrt(variance), rel=1e-4)
        assert found.df == min(one.df, other.df)
        assert found.value == pytest.approx(other.value)


def test_neighbouring_episodes_swell_their_own_variance_alone():
    """Three storms of four episodes each: found in all series, or in none."""
    found = np.repeat([1, 0, 1], 4)
    labels = np.tile([0, 0, 1, 0], 12)
    flags = labels * np.repeat(found, 4)
    events = aj.Events.from_labels(np.tile(labels, 4), series=np.repeat(range(4), 48))
    case = aj.Case(aj.Events(**{**fields(events), "clocks": np.zeros(4, int)}), np.tile(flags, 4))
    side, units = Side.of(aj.event_recall, case), units_of(case.truth)
    pseudo_rows = side.pseudo_rows()
    one, other, both = (
        rate_spread(side.measure, side.by(some), pseudo_rows, some)
        for some in (units, *units.both_ways)
    )
    even = np.where(found, 1.0, -2.0)
    assert other.alike == pytest.approx(
        variance_inflation(even, np.full(12, 1 / 13), np.zeros(12)), rel=0.2
    )
    assert other.alike > 1.5
    assert both.alike == one.alike == 1.0
    assert one.across(other, both).se >= other.se > one.se


def test_own_clocks_change_nothing():
    case = panel(np.random.default_rng(3), clocks=[0, 1, 2])
    plain = aj.Case(aj.Events(**fields(case.truth)), case.scores)
    assert units_of(case.truth).both_ways is None
    assert interval(aj.f1, case) == interval(aj.f1, plain)


def test_data_sets_on_clocks_of_their_own_change_nothing():
    case = panel(np.random.default_rng(3), clocks=[0, 0, 1, 1])
    line = np.repeat(np.arange(4), np.diff(case.truth.whole_series))
    assert units_of(case.truth, groups=line // 2).both_ways is None
    assert units_of(case.truth, groups=line % 2).both_ways is not None
    days = np.arange(case.truth.n) // 20
    assert units_of(case.truth, groups=days).both_ways is None


def shocks(rng, series=8, episodes=6, *, shared=True, length=10, gap=30):
    """Shocks that all series see: each is found on all of them or on none."""
    n = episodes * (length + gap) + gap
    labels, flags = np.zeros((2, series, n), int)
    for k in range(episodes):
        at = gap + k * (length + gap)
        labels[:, at : at + length] = 1
        found = rng.random() < 0.6 if shared else rng.random(series) < 0.6
        flags[:, at + 2 : at + 5] = np.reshape(found, (-1, 1)) * np.ones((series, 1), int)
    events = aj.Events.from_labels(labels.ravel(), series=np.repeat(np.arange(series), n))
    known = aj.Events(**{**fields(events), "clocks": np.zeros(series, int)})
    return aj.Case(known, flags.ravel().astype(float)), aj.Case(events, flags.ravel().astype(float))


@pytest.mark.parametrize("name", ["event_recall", "f1", "auc_roc", "vus_roc"])
def test_an_interval_over_common_shocks_is_wider_and_says_why(name):
    """By series alone nothing is open: they all saw the same."""
    together, apart = shocks(np.random.default_rng(1))
    both, own = (interval(aj.metric(name), case) for case in (together, apart))
    assert both.high - both.low > own.high - own.low
    assert both.words == "8 series on one clock saw 6 episodes, and both count"
    assert (both.unit, both.units) == ("episode", 6)
    assert (own.unit, own.units) == ("series", 8)


def test_differences_and_p_values_count_both_ways_too():
    rng = np.random.default_rng(7)
    (one, plain), (other, same_) = shocks(rng, episodes=12), shocks(rng, episodes=12)
    difference = {}
    for name, cases in (("both", (one, other)), ("series", (plain, same_))):
        sides = tuple(Side.of(aj.event_recall, case) for case in cases)
        own = Own(sides[0].value - sides[1].value, 1.0)
        difference[name] = rate_difference(sides, sides[0].units("auto"), own)
    both, series = difference["both"], difference["series"]
    assert both.tested.p_value > series.tested.p_value
    assert (both.evidence.low <= 0 <= both.evidence.high) == (both.tested.p_value > 0.05)
    assert both.evidence.words == "8 series on one clock saw 12 episodes, and both count"


def services(rng, *, shared=True, count=5, length=80):
    """Incidents and alerts of a few services, some of whose time nobody watched."""
    rows, told, out = [], [], []
    for k in range(count):
        names = [f"s{k}"] * 3
        at = np.sort(rng.choice(np.arange(2, length - 8, 9), 3, replace=False))
        rows += zip(names, at, at + rng.integers(1, 7, 3), strict=True)
        begin = rng.integers(0, length - 4, 3)
        told += zip(names, begin, begin + 3, strict=True)
        told += [(names[0], start, start + 2) for start in at[rng.random(3) < 0.6]]
        gap = int(rng.integers(5, length - 15))
        out.append((names[0], gap, gap + int(rng.integers(1, 6))))

    def columns(rows):
        service, start, end = zip(*rows, strict=True)
        return {
            "start": list(map(int, start)),
            "end": list(map(int, end)),
            "service": list(service),
        }

    data = aj.OnCall(
        aj.Incidents(**columns(rows)), aj.Alerts(**columns(told)), span=(0, length),
        outages=columns(out),
    )  # fmt: skip
    return replace(data.cases[0], shared=shared)


@pytest.mark.parametrize("name", ["event_recall", "event_f1", "f1_ba(width=4)"])
def test_alerts_of_services_on_one_clock_rest_on_its_episodes(name):
    """Beside a walk through each piece of watched time, instant by instant."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        case = services(rng)
        metric = replace(raised(aj.metric(name), case).resolved, at=None)
        side = Side.of(metric, case)
        units = side.units("auto")
        ledger, time = side.ledger, case.time
        assert units.kind == "episode"

        def moment(line, place, time=time):
            return int(time.moments(np.array([line]), np.array([place]))[0])

        own = np.flatnonzero(ledger.event >= 0)
        spans = [
            (moment(ledger.line[k], ledger.start[k]), moment(ledger.line[k], ledger.stop[k] - 1))
            for k in own
        ]
        ends, busy = [], sorted({m for begin, last in spans for m in range(begin, last + 1)})
        joined = {m for begin, last in spans for m in range(begin, last)}  # the next one is of it
        ends = [m for m in busy if m not in joined]
        rows = np.zeros((len(ends), 5))
        for k in range(len(ledger.line)):
            places = [ledger.start[k]]
            if ledger.event[k] == QUIET:
                places = range(ledger.start[k], ledger.stop[k])
            for place in places:
                here = sum(end < moment(ledger.line[k], place) for end in ends)
                rows[min(here, len(ends) - 1)] += ledger.masses[k] / len(places)
        np.testing.assert_allclose(side.by(units), rows)
        apart = Side.of(metric, replace(case, shared=False)).units("auto")
        assert (apart.kind, apart.both_ways) == ("event", None)


def test_an_interval_of_services_says_on_how_many_episodes_it_rests():
    case = services(np.random.default_rng(4))
    found = interval(raised(aj.metric("event_recall"), case).resolved, case)
    assert found.words.endswith("episodes on one clock, for these 5 series")
    assert found.unit == "episode"


def test_two_episodes_are_too_few_however_many_series():
    together, _ = shocks(np.random.default_rng(1), episodes=2)
    found = interval(aj.event_recall, together)
    assert found.words == "too few to say: 2 episodes on one clock"
    assert math.isnan(found.low)


def test_two_series_on_one_clock_have_the_interval_of_their_episodes_beside():
    together, apart = shocks(np.random.default_rng(1), series=2, episodes=8)
    both, own = (interval(aj.event_recall, case) for case in (together, apart))
    assert both.words == own.words == "too few to say: 2 series"
    assert both.conditional_high - both.conditional_low > own.conditional_high - own.conditional_low


@pytest.mark.parametrize(
    ("width", "clocks", "words"),
    [
        (
            16,
            1,
            "6 series on one clock saw 7 episodes, and both count, effectively 3: a few dominate",
        ),
        (2, 2, "6 series on 2 clocks saw 14 episodes, and both count"),
        (90, 1, "one episode carries 88 % of the weight: no interval"),
    ],
)
def test_words_count_clocks_and_say_when_few_episodes_weigh_most(width, clocks, words):
    series, n = 6, 400
    labels = np.zeros((series, n), int)
    for start in range(20, 260, 40):
        labels[:, start : start + 2] = 1
    labels[:, 280 : 280 + width] = 1
    events = aj.Events.from_labels(labels.ravel(), series=np.repeat(np.arange(series), n))
    flags = labels.ravel() * (np.random.default_rng(3).random(labels.size) < 0.5)
    known = {**fields(events), "clocks": np.arange(series) % clocks}
    assert interval(aj.f1, aj.Case(aj.Events(**known), flags.astype(float))).words == words


def test_scored_alerts_of_services_are_left_out_episode_by_episode():
    case = services(np.random.default_rng(6))
    scored = aj.Alerts(
        case.alerts.start.tolist(), case.alerts.end.tolist(),
        service=case.alerts.service.tolist(), score=np.linspace(0, 1, len(case.alerts)).tolist(),
    )  # fmt: skip
    case = replace(case, alerts=scored)
    both, own = (
        interval(known.resolved, one, value=known.value)
        for one in (case, replace(case, shared=False))
        for known in [raised(aj.metric("interval_ap"), one)]
    )
    assert (both.unit, own.unit) == ("episode", "event")
    assert both.units < own.units


def test_windows_of_series_on_one_clock_rest_on_their_episodes_too():
    """Rows of a part of time, which have no points."""
    together, apart = shocks(np.random.default_rng(1), episodes=12)
    for case, episodes in ((together, 6), (apart, None)):
        side = Side.of(aj.event_recall, case)
        part = side.ledger.chosen(side.ledger.start < 240)
        units = Side(side.metric, part, side.alarms).units("series")
        assert (units.both_ways and units.both_ways[0].count) == episodes


@pytest.mark.parametrize("name", ["auc_roc", "vus_roc"])
def test_areas_on_one_clock_are_compared_both_ways(name):
    rng = np.random.default_rng(5)
    (one, _), (other, _) = shocks(rng, episodes=9), shocks(rng, episodes=9)
    scores = [case.scores + 0.1 * rng.random(case.truth.n) for case in (one, other)]
    both = aj.compare(one.truth, *scores, name)
    assert both.evidence == "8 series on one clock saw 9 episodes, and both count"
    assert (both.low <= 0 <= both.high) == (both.p_value > 0.05)


def test_without_events_there_are_no_clusters():
    none = np.zeros(0, np.int64)
    assert [len(column) for column in EventClusters.of(none, none, none)] == [0, 0, 0]
