"""A version beside the stored judgement of the one before: the p-value is that of `compare`."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.comparing.stored import LEVEL, loss_seen, losses
from adjudge.judging.result_columns import schema
from adjudge.noise.intervals.rates import Side
from adjudge.noise.intervals.student import quantile

RNG = np.random.default_rng(4)
EVENTS, GAP = 24, 40
N = EVENTS * GAP
STARTS = np.arange(EVENTS) * GAP + 20
LABELS = np.zeros(N, int)
for _start in STARTS:
    LABELS[_start : _start + 8] = 1
AT_THRESHOLD = [
    "f1_ba", "event_f1", "event_recall", "f1", "event_precision", "f1_pa", "range_f1",
    "affiliation_f1", "detection_delay", "false_alarms",
]  # fmt: skip


def version(recall, false=0.3):
    flags = np.zeros(N, int)
    for start in STARTS[RNG.random(EVENTS) < recall]:
        flags[start + RNG.integers(0, 3) : start + 6] = 1
    for unit in np.flatnonzero(RNG.random(EVENTS) < false):
        flags[unit * GAP + RNG.integers(1, 10) :][:3] = 1
    return flags


def stored(path, *given, **more):
    path.write_text(aj.evaluate(*given, chance=False, **more).to_json())
    return path


def facing(path, *given, **more):
    return aj.evaluate(*given, chance=False, **more).against(path)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "judged.json"


def same(one, other):
    return (math.isnan(one) and math.isnan(other)) or one == other


@pytest.mark.parametrize("metric", AT_THRESHOLD)
def test_p_is_that_of_compare_to_the_last_bit(path, metric):
    for recall in (0.3, 0.6, 1.0, 0.0):
        old, new = version(0.6), version(recall, 0.3 * (recall > 0))
        stored(path, LABELS, old, metric)
        (found,) = facing(path, LABELS, new, metric)
        plain = aj.compare(LABELS, new, old, metric)
        assert same(found.comparison.p_value, plain.p_value)
        assert same(found.comparison.low, plain.low)
        assert same(found.comparison.difference, plain.difference)


SERIES = np.repeat([f"s{k}" for k in range(6)], N // 6)


@pytest.mark.parametrize(
    "more",
    [
        {"series": SERIES}, {"series": SERIES, "unit": "event"}, {"where": np.arange(N) % 40 > 4},
        {"at": 0.5}, {"at": "quantile(0.9)"}, {"at": {"detector": 0.5}},
        {"at": "policy(0.5, after=1, cooldown=9)"},
        {"time": np.datetime64("2026-01-01") + np.arange(N) * np.timedelta64(1, "m")},
    ],
    ids="-".join,
)  # fmt: skip
def test_it_is_the_same_whatever_is_said_of_the_data(path, more):
    old, new = (version(recall) for recall in (0.8, 0.4))
    if "at" in more:
        old, new = (flags * 0.6 + RNG.random(N) * 0.4 for flags in (old, new))
    keep = {"chance": True, "shifts": 19} if "unit" in more else {"chance": False}
    path.write_text(aj.evaluate(LABELS, old, "event_f1", **keep, **more).to_json())
    (found,) = aj.evaluate(LABELS, new, "event_f1", **keep, **more).against(path)
    more = {**more, "at": 0.5} if isinstance(more.get("at"), dict) else more
    plain = aj.compare(LABELS, new, old, "event_f1", **more)
    assert same(found.comparison.p_value, plain.p_value)


def test_alerts_and_channels_have_rows_too(path):
    begin = np.datetime64("2026-01-01T00:00", "m")
    incidents = aj.Incidents(begin + STARTS, begin + STARTS + 8)
    old, new = (aj.Alerts(begin + STARTS[::k] + 2, begin + STARTS[::k] + 5) for k in (1, 2))
    span = (begin, begin + N)
    stored(path, incidents, old, ["event_f1", "f1_ba"], span=span)
    for found in facing(path, incidents, new, ["event_f1", "f1_ba"], span=span):
        metric = found.comparison.metric
        plain = aj.compare(incidents, new, old, metric, span=span)
        assert found.comparison.p_value == plain.p_value
        assert found.worse
    table = np.column_stack([LABELS, np.roll(LABELS, 5)])
    two, one = (np.column_stack([version(k), version(k)]) for k in (0.9, 0.3))
    stored(path, table, two, "event_f1", channels=["x", "y"])
    (found,) = facing(path, table, one, "event_f1", channels=["x", "y"])
    plain = aj.compare(table, one, two, "event_f1", channels=["x", "y"])
    assert found.comparison.p_value == plain.p_value
    votes = {"annotators": ["ann", "bob"], "votes": "any"}
    stored(path, table, version(0.9), "event_f1", **votes)
    assert facing(path, table, version(0.2), "event_f1", **votes)[0].worse


def test_several_detectors_are_known_by_name(path):
    old = {"x": version(0.9), "y": version(0.4)}
    stored(path, LABELS, old, ["event_f1", "ap"])
    found = facing(path, LABELS, {"y": version(0.9), "x": version(0.1)}, ["event_f1"])
    assert [one.comparison.names for one in found] == [("y", "y before"), ("x", "x before")]
    assert [one.worse for one in found] == [False, True]
    with pytest.raises(aj.InputError, match="against must have the detector 'z'"):
        facing(path, LABELS, {"z": version(0.9)}, ["event_f1"])


def test_what_is_stored_holds_no_score_and_fits_the_schema(path):
    scores = LABELS + RNG.random(N)
    stored(path, LABELS, scores, "event_f1", at=1.2)
    said = json.loads(path.read_text())
    assert "units" in schema("judgement")["properties"]
    (kept,) = said["units"]
    numbers = {x for row in kept["masses"] for x in row} | set(kept["start"])
    assert not numbers & set(scores.tolist())
    assert kept["metric"] == "event_f1"


def test_areas_runs_and_all_metrics_have_no_rows(path):
    scores = LABELS + RNG.random(N)
    for more in (
        {"scores": scores, "metrics": ["ap", "best(f1)"]},
        {"scores": {"x": [version(0.5), version(0.5)]}, "metrics": ["f1"]},
        {"scores": version(0.5), "metrics": "all"},
    ):
        found = aj.evaluate(LABELS, chance=False, **more)
        assert found.units == []
        assert "units" not in json.loads(found.to_json())
    stored(path, LABELS, version(0.5), "f1")
    with pytest.raises(aj.InputError, match=r"areas and best\(...\) have"):
        facing(path, LABELS, scores, "ap")


def test_means_over_lines_and_single_annotators_have_no_rows(path):
    table = np.column_stack([LABELS, np.roll(LABELS, 5)])
    found = aj.evaluate(table, table, "macro(event_f1)", channels=["x", "y"], chance=False)
    assert found.units == []
    stored(path, LABELS, version(0.5), "f1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "must be the output of evaluate --json"),
        ("[" * 100_000, "must be the output of evaluate --json"),
        ("[]", "must be the output of evaluate --json"),
        ('{"units": 3}', "must be the output of evaluate --json"),
        ('{"units": [3]}', "must be the output of evaluate --json"),
        ('{"units": []}', "got those of none; areas"),
        ('{"units": [{"metric": "f1"}]}', "got those of f1; areas"),
        ('{"units": [{"metric": "event_f1", "detector": "x"}]}', "other rows"),
    ],
)
def test_what_is_no_judgement_is_refused(path, text, said):
    path.write_text(text)
    with pytest.raises(aj.InputError, match=said):
        facing(path, LABELS, version(0.5), "event_f1")


def test_other_labels_are_refused(path):
    stored(path, LABELS, version(0.5), "event_f1")
    moved = np.roll(LABELS, 1)
    with pytest.raises(aj.InputError, match="on the same labels, got"):
        facing(path, moved, version(0.5), "event_f1")
    with pytest.raises(aj.FileError, match="cannot be read"):
        facing(path.with_name("none"), LABELS, version(0.5), "event_f1")
    with pytest.raises(aj.InputError, match="against needs the result of evaluate"):
        aj.Judgement((), ()).against(path)


def test_an_undefined_difference_and_too_few_events(path):
    never = np.zeros(N, int)
    stored(path, LABELS, version(0.9), "detection_delay")
    (found,) = facing(path, LABELS, never, "detection_delay")
    assert found.worse
    assert str(found).endswith("the difference is undefined")
    few = LABELS * (np.arange(N) < 2 * GAP)
    stored(path, few, few, "event_recall")
    (found,) = facing(path, few, few * (np.arange(N) < GAP), "event_recall")
    assert not found.worse
    assert "no test: too few to say: 2 events" in str(found)
    stored(path, never, version(0.5), "false_alarms")
    assert "no test: no event" in str(facing(path, never, version(0.5), "false_alarms")[0])


def test_what_it_says(path):
    stored(path, LABELS, LABELS, "event_f1")
    (same_one,) = facing(path, LABELS, LABELS, "event_f1")
    assert not same_one.worse
    assert "no loss beyond noise (p = " in str(same_one)
    (found,) = facing(path, LABELS, LABELS * (np.arange(N) % 80 < 40), "event_f1")
    assert "; worse (p = " in str(found)
    assert found.to_dict()["worse"]
    less = LABELS * (np.arange(N) >= found.events_lost * GAP)
    assert found.sees == pytest.approx(1 - aj.event_f1(LABELS, less), abs=0.06)
    stored(path, LABELS, version(0.5), "false_alarms")
    assert "lost" not in str(facing(path, LABELS, version(0.5), "false_alarms")[0])


def test_a_gate_that_sees_no_loss_says_so(path):
    """A version that finds three of 24 events has too little to lose."""
    poor = LABELS * (np.arange(N) < 3 * GAP)
    stored(path, LABELS, poor, "event_f1")
    (found,) = facing(path, LABELS, poor, "event_f1")
    assert math.isnan(found.sees)
    assert str(found).endswith("sees no loss in four cases of five, not that of all events")
    stored(path, LABELS, 1 - LABELS, "event_precision")
    (found,) = facing(path, LABELS, 1 - LABELS, "event_precision")
    assert found.events_lost == 0


def side_of(flags, metric="event_f1"):
    return Side.of(aj.metric(metric), aj.Case(LABELS, flags))


def test_lost_events_cost_what_as_many_more_misses_do():
    found = LABELS * (np.arange(N) % 120 < 80)
    events, lost = losses(side_of(found))
    assert (events[0], events[-1]) == (0.25, 16)
    for count in (1, 6, 15):
        kept = np.cumsum(np.diff(found, prepend=0) == 1) > count
        value = aj.event_f1(LABELS, found) - aj.event_f1(LABELS, found * kept)
        assert lost[4 * count - 1] == pytest.approx(value, rel=0.15)


EVENTS_LOST = np.arange(1, 161) / 4


@pytest.mark.parametrize(
    ("se", "df", "lost"),
    [(0.1, 40, 0.02 * EVENTS_LOST), (0.0, 20, 0.02 * EVENTS_LOST), (0.05, 9, EVENTS_LOST**2 / 99)],
)
def test_the_loss_that_is_seen_is_the_first_that_is_enough(se, df, lost):
    def is_enough(events, loss):
        variance = se**2 * (1 - events / 80) + loss**2 / events
        part = loss**2 / events / (2 * variance)
        return loss >= (quantile(df, 1 - 2 * LEVEL) + 0.8416 * (1 - part)) * math.sqrt(variance)

    rows = list(zip(EVENTS_LOST, lost, strict=True))
    first = next(row for row in rows if is_enough(*row))
    assert loss_seen(se, df, EVENTS_LOST, lost) == (first[1], math.ceil(first[0]))


@pytest.mark.parametrize(("found", "seen"), [(5, False), (6, True)])
def test_the_loss_of_all_events_is_seen_from_six_on(found, seen):
    """As much luck as this leaves no smaller loss; five of five are p = 1/32, and four 1/16."""
    events = np.arange(1, 4 * found + 1) / 4
    loss, lost = loss_seen(0.4, 9, events, 0.1 * events)
    assert lost == found
    assert loss == pytest.approx(0.1 * found) if seen else math.isnan(loss)


def test_where_events_cost_nothing_the_standard_error_says_it():
    assert loss_seen(0.05, 9, EVENTS_LOST, 0 * EVENTS_LOST) == (
        (quantile(9, 0.9) + 0.8416) * 0.05, 0,
    )  # fmt: skip


def run(*given):
    return CliRunner().invoke(main, [str(one) for one in given])


def test_the_gate_of_the_command_line(tmp_path):
    for name, flags in (("old", LABELS), ("new", LABELS * (np.arange(N) % 80 < 40))):
        rows = "".join(f"{a},{b}\n" for a, b in zip(LABELS, flags, strict=True))
        (tmp_path / f"{name}.csv").write_text(f"label,score\n{rows}")
    kept = tmp_path / "judged.json"
    call = ("--metric", "event_f1", "--no-chance")
    kept.write_text(run("evaluate", tmp_path / "old.csv", *call, "--json").stdout)
    more = ("--against", kept)
    plain = run("evaluate", tmp_path / "new.csv", *call, *more)
    assert plain.exit_code == 0
    assert "this gate" in " ".join(plain.stdout.split())
    gated = run("evaluate", tmp_path / "new.csv", *call, *more, "--fail-if-worse", "--json")
    assert gated.exit_code == 3
    assert "score is worse than before" in gated.stderr
    assert json.loads(gated.stdout)["against"][0]["worse"]
    assert run("evaluate", tmp_path / "old.csv", *call, *more, "--fail-if-worse").exit_code == 0
    two = run("evaluate", tmp_path / "old.csv", tmp_path / "new.csv", *call, *more)
    assert two.exit_code == 2
    assert "--against takes one file of scores, got 2" in two.stderr
