"""Events at equal age on other series: every arrangement, chains of them, and run to failure."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.data.events import Events
from adjudge.errors import InputError
from adjudge.noise import aligned_events
from adjudge.noise.aligned_events import AgedEvents, run_to_failure
from adjudge.noise.null_models import AlignedNull
from adjudge.noise.shifting.shifted_case import CaseShifts

LENGTHS = (12, 9, 9, 6)
SERIES = np.repeat(list("wxyz"), LENGTHS)
FIRST = np.cumsum((0, *LENGTHS[:-1]))
AGES = [(0, 9, 11), (1, 7, 9), (2, 4, 8), (3, 3, 5)]  # series, first and last age
LABELS = np.zeros(len(SERIES), int)
for _home, _start, _stop in AGES:
    LABELS[FIRST[_home] + _start : FIRST[_home] + _stop] = 1
EVENTS = Events.from_labels(LABELS, series=SERIES)


def naive_arrangements():
    """Every choice of a series for each event that lives so long, no two at one time of it."""
    found = []
    for chosen in product(range(4), repeat=4):
        taken, fits = set(), True
        for (_, start, stop), series in zip(AGES, chosen, strict=True):
            points = {(series, age) for age in range(start, stop)}
            fits &= stop <= LENGTHS[series] and not points & taken
            taken |= points
        if fits:
            found.append(chosen)
    return found


def test_every_arrangement_is_found_once():
    aged = AgedEvents(EVENTS)
    assert sorted(map(tuple, aged.every().tolist())) == naive_arrangements()
    assert aged.most >= len(naive_arrangements())
    assert tuple(aged.home) in naive_arrangements()


def is_even(draws=4000):
    """Whether chains that end in every arrangement do so equally often."""
    drawn = Counter(map(tuple, AgedEvents(EVENTS).drawn(draws, 3).tolist()))
    every = naive_arrangements()
    expected = draws / len(every)
    off = sum((drawn[one] - expected) ** 2 / expected for one in every)
    return set(drawn) <= set(every) and off < len(every) + 5 * np.sqrt(2 * len(every))


def test_drawn_arrangements_are_equally_likely():
    assert is_even()


def test_the_law_rejects_chains_that_hardly_move(monkeypatch):
    monkeypatch.setattr(aligned_events, "_STEPS", 1)
    assert not is_even()


def test_events_of_equal_age_on_series_without_room_change_places():
    """Each of two series is full at this age: only an exchange moves anything."""
    labels = np.tile([0, 0, 1], 2)
    aged = AgedEvents(Events.from_labels(labels, series=list("aaabbb")))
    drawn = Counter(map(tuple, aged.drawn(400, 0).tolist()))
    assert set(drawn) == {(0, 1), (1, 0)}
    assert 150 < drawn[0, 1] < 250


@pytest.mark.parametrize("spec", ["f1", "best(event_f1)", "auc_roc"])
def test_values_are_those_of_labels_that_are_moved_by_hand(spec):
    rng, metric = np.random.default_rng(1), aj.metric(spec)
    scores = rng.random(len(SERIES)) + LABELS
    given = (scores > 0.8).astype(int) if spec == "f1" else scores
    case = aj.Case(EVENTS, given)
    null = AlignedNull().values(metric, CaseShifts(case), 999, 0)
    naive = []
    for chosen in naive_arrangements():
        moved = np.zeros(len(SERIES), int)
        starts, stops = [], []
        for (_, start, stop), series in zip(AGES, chosen, strict=True):
            moved[FIRST[series] + start : FIRST[series] + stop] = 1
            starts.append(FIRST[series] + start)
            stops.append(FIRST[series] + stop)
        order = np.argsort(starts)
        bounds = np.append(FIRST, len(SERIES))
        events = Events(np.array(starts)[order], np.array(stops)[order], len(SERIES), bounds=bounds)
        naive.append(metric(events, given))
        assert events.labels.tolist() == (moved > 0).tolist()
    assert null.exact
    home = metric(EVENTS, given)
    assert sorted([*null.values, home]) == pytest.approx(sorted(naive))
    row = aj.evaluate(LABELS, given, spec, series=SERIES, null="aligned").rows[0]
    assert row.p_value == np.mean(np.array(naive) >= home - 1e-12)


def test_severities_go_with_their_events():
    events = Events([2, 8], [3, 10], 12, severity=[1.0, 2.0], bounds=[0, 3, 12])
    aged = AgedEvents(events)
    moved = aged.arranged(np.array([1, 1]))
    assert (moved.starts.tolist(), moved.severity.tolist()) == ([5, 8], [1.0, 2.0])


def fleet(seed, skill, series=12):
    """Machines that wear and fail; a skilled score rises in the last points before it."""
    rng, parts = np.random.default_rng(seed), []
    for _ in range(series):
        n = int(rng.integers(150, 300))
        labels = np.zeros(n, int)
        labels[-15:] = rng.random() < 0.8
        scores = np.arange(n) / 200 + rng.normal(0, 0.25, n) + skill * labels
        parts.append((labels, scores))
    labels, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    return labels, scores, np.repeat(np.arange(series), [len(part) for part, _ in parts])


def test_a_score_that_only_knows_the_age_is_not_better_but_skill_is():
    by_age, skilled = ([
        aj.evaluate(labels, scores, "f1", 1.3, series=series, null="aligned", shifts=99).rows[0]
        for labels, scores, series in (fleet(seed, skill) for seed in range(12))
    ] for skill in (0, 0.3))  # fmt: skip
    assert sum(row.p_value <= 0.05 for row in by_age) <= 3
    assert sum(row.p_value <= 0.05 for row in skilled) >= 10


def test_events_that_end_their_series_are_named_with_the_null_model_for_them():
    labels, scores, series = fleet(0, 0)
    shifted = aj.evaluate(labels, scores, "auc_roc", series=series)
    assert shifted.rows[0].shared_rhythm.endswith("events end their series")
    assert 'null="aligned"' in str(shifted)
    blind = np.random.default_rng(0).random(labels.size)
    assert 'null="aligned"' in str(aj.evaluate(labels, blind, "auc_roc", series=series))
    aligned = aj.evaluate(labels, scores, "auc_roc", series=series, null="aligned", shifts=99)
    assert 'null="aligned"' not in str(aligned)
    assert "equal age" in str(aligned)


def test_nine_in_ten_events_of_several_series_must_end_theirs():
    ten = np.tile([0, 0, 1], 10)
    series = np.repeat(np.arange(10), 3)
    early = ten.copy()
    early[0] = 1
    assert run_to_failure(Events.from_labels(ten, series=series))
    assert run_to_failure(Events.from_labels(early, series=series)).startswith("10 of 11")
    early[3] = 1
    assert not run_to_failure(Events.from_labels(early, series=series))
    one = np.zeros(30, int)
    one[-1] = 1
    assert not run_to_failure(Events.from_labels(one, series=series))
    assert not run_to_failure(Events.from_labels(ten))


def test_few_arrangements_cannot_tell():
    labels, series = np.tile([0, 0, 0, 1], 3), np.repeat(list("abc"), 4)
    row = aj.evaluate(labels, labels, "f1", series=series, null="aligned").rows[0]
    assert row.exact
    assert row.p_value == 1  # each event has its like on every series


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({}, "needs several series"),
        ({"series": SERIES, "where": np.arange(len(SERIES)) > 0}, "needs every point judged"),
    ],
)
def test_what_has_no_age_is_refused(columns, said):
    with pytest.raises(InputError, match=said):
        aj.evaluate(LABELS, LABELS, "f1", null="aligned", **columns)


def test_several_channels_go_as_one_or_not_at_all():
    both = np.stack([LABELS, LABELS], axis=1)
    how = {"series": SERIES, "channels": ["x", "y"], "null": "aligned"}
    alone = aj.evaluate(LABELS, LABELS, "f1", series=SERIES, null="aligned").rows[0]
    found = aj.evaluate(both, both, "any_channel(f1)", **how).rows[0]
    assert found.p_value == alone.p_value
    with pytest.raises(InputError, match="one label per point"):
        aj.evaluate(both, both, "channel_f1", **how)


def test_positions_are_refused():
    changes = aj.Changes([3, 8], 20)
    with pytest.raises(InputError, match="one label per point"):
        aj.evaluate(changes, aj.Changes([4], 20), "change_f1", null="aligned")


def test_the_command_line_takes_it(tmp_path):
    labels, scores, series = fleet(1, 0.3, 6)
    rows = (f"{s},{a},{b}" for s, a, b in zip(series, labels, scores, strict=True))
    (tmp_path / "a.csv").write_text("\n".join(["machine,label,score", *rows, ""]))
    given = ["evaluate", f"{tmp_path}/a.csv", "--series", "machine", "--metric", "auc_roc"]
    found = CliRunner().invoke(main, [*given, "--null", "aligned", "--shifts", "99"])
    assert found.exit_code == 0, found.output
    assert "equal age" in " ".join(found.stdout.split())
