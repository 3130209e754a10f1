"""Scenario: ranges, refusals, printing, TOML."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import FileError, UnknownName
from adjudge.lab.simulation.scenario import (
    FAMILIES,
    KINDS,
    Scenario,
    lasting_width,
    most_overlap,
    noise,
    room,
)
from adjudge.lab.simulation.simulator import draw_shares
from messages import refused


def whole_ranges(least, most=60):
    number = st.integers(least, most)
    return number | st.tuples(number, number).map(sorted).map(tuple)


def number_ranges():
    number = st.floats(-1e6, 1e6)
    return number | st.tuples(number, number).map(sorted).map(tuple)


scenarios = st.builds(
    Scenario,
    events=whole_ranges(5),
    widths=whole_ranges(1),
    gaps=whole_ranges(1),
    severity=st.none() | number_ranges(),
    hits=st.none() | whole_ranges(0, 5),
    hit_widths=whole_ranges(1),
    least_coverage=st.floats(0, 1),
    tries=st.integers(1, 9),
    false_alarms=whole_ranges(0),
    false_widths=whole_ranges(1),
    regular=number_ranges(),
    detected=number_ranges(),
    family=st.sampled_from(FAMILIES),
    correlation=st.floats(0, 1, exclude_max=True),
    smoothing=st.integers(0, 20).map(lambda half: 2 * half + 1),
    threshold=st.none() | st.floats(-1e6, 1e6),
    detector=st.sampled_from([kind for kind in KINDS if kind != "all-alarm"]),
    lag=st.integers(0, 50),
)


@given(scenarios)
def test_what_is_printed_makes_the_same_scenario(scenario):
    assert scenario == eval(repr(scenario))  # noqa: S307 - our own text


@given(scenarios)
def test_toml_brings_the_same_scenario_back(scenario):
    assert scenario == Scenario.from_toml(scenario.to_toml())


@given(scenarios)
def test_a_scenario_survives_pickling(scenario):
    assert scenario == pickle.loads(pickle.dumps(scenario))  # noqa: S301 - our own bytes


def test_only_what_differs_from_the_defaults_is_printed():
    assert "Scenario()" == repr(Scenario())
    assert "Scenario(events=5, threshold=None)" == repr(Scenario(events=(5, 5), threshold=None))
    text = "Scenario(precision=0.5, recall=0.25, separation=0.4)"
    assert text == repr(Scenario(recall=0.25, separation=0.4, precision=0.5))


def test_targets_survive_toml():
    scenario = Scenario(precision=0.5, recall=0.25, coverage=0.6, separation=1)
    assert scenario == Scenario.from_toml(scenario.to_toml())
    assert {"precision": 0.5, "recall": 0.25, "coverage": 0.6, "separation": 1.0} == (
        scenario.targets
    )


def test_a_number_alone_is_a_range_of_itself_and_numpy_becomes_python():
    scenario = Scenario(events=np.int8(5), widths=[np.int64(3), 4], severity=np.float32(0.5))
    assert ((5, 5), (3, 4), (0.5, 0.5)) == (scenario.events, scenario.widths, scenario.severity)
    ends = [*scenario.events, *scenario.widths, *scenario.severity]
    assert [int, int, int, int, float, float] == [type(end) for end in ends]


def test_a_scenario_cannot_be_changed_and_can_be_a_key():
    scenario = Scenario(events=5)
    with pytest.raises(AttributeError):
        scenario.events = 6
    assert {scenario: 1}[Scenario(events=(5, 5))] == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"events": -1}, "events must be a whole number, at least 0, got -1"),
        ({"events": 2.5}, "events must be a whole number, at least 0, got 2.5"),
        ({"events": True}, "events must be a whole number, at least 0, got True"),
        ({"widths": (0, 5)}, "widths must be a whole number, at least 1, got 0"),
        ({"gaps": 0}, "gaps must be a whole number, at least 1, got 0"),
        ({"gaps": (9, 3)}, "gaps must be a range from low to high, got (9, 3); swap the two"),
        ({"widths": (1, 2, 3)}, "widths must be a number or a pair (low, high), got (1, 2, 3)"),
        ({"hits": -1}, "hits must be a whole number, at least 0, got -1"),
        (
            {"events": (5, 9), "hits": (2, 6)},
            "hits must be at most the smallest number of events, 5, got 6; "
            "raise events or lower hits",
        ),
        ({"hit_widths": 0}, "hit_widths must be a whole number, at least 1, got 0"),
        ({"hit_widths": 10**9 + 1}, "hit_widths must be at most 1,000,000,000, got 1,000,000,001"),
        ({"false_alarms": -2}, "false_alarms must be a whole number, at least 0, got -2"),
        ({"false_widths": "3"}, "false_widths must be a whole number, at least 1, got '3'"),
        ({"least_coverage": 1.1}, "least_coverage must be a share in [0, 1], got 1.1"),
        ({"tries": 0}, "tries must be a whole number, at least 1, got 0"),
        ({"lag": -1}, "lag must be a whole number, at least 0, got -1"),
        (
            {"regular": (math.nan, 1)},
            "regular must be a finite number below 1e100, got nan",
        ),
        (
            {"detected": (0, np.float64(np.inf))},
            "detected must be a finite number below 1e100, got inf",
        ),
        ({"severity": "high"}, "severity must be a finite number below 1e100, got 'high'"),
        (
            {"threshold": "best"},
            "threshold must be a finite number below 1e100, got 'best'; "
            'None (in TOML "quantile"): a quantile',
        ),
        ({"family": "cauchy"}, "family must be one of 'uniform', 'normal', 'beta', got 'cauchy'"),
        ({"correlation": 1}, "correlation must be at least 0 and below 1, got 1.0"),
        (
            {"smoothing": 4},
            "smoothing must be odd, so that the average is centred, got 4; take 3 or 5",
        ),
        (
            {"detector": "all-alarm", "threshold": None},
            "threshold must be a number where detector is 'all-alarm', got None: "
            "a quantile marks only as many points as are anomalous",
        ),
        ({"precision": 1.5}, "precision must be a share in [0, 1], got 1.5"),
        ({"coverage": 0}, "coverage must be a share in (0, 1], got 0"),
        (
            {"events": 10**6, "gaps": 10**4},
            "events must fit in 1,000,000,000 points, got up to 10,099,010,000; "
            "lower events, widths or gaps",
        ),
        (
            {"false_alarms": 10**9},
            "detections must fit in 1,000,000,000 points over all tries, got up to 4,000,002,760; "
            "lower false_alarms, false_widths, hit_widths or tries",
        ),
    ],
)
def test_a_field_that_cannot_be_is_refused_with_a_fix(fields, message):
    with refused(message):
        Scenario(**fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"precision": 0.5, "false_alarms": 3},
            "false_alarms must be left out where precision is a target, got (3, 3); "
            "drop one of the two",
        ),
        (
            {"recall": 0.5, "hits": 3},
            "hits must be left out where recall is a target, got (3, 3); drop one of the two",
        ),
        (
            {"coverage": 0.5, "least_coverage": 0.1},
            "least_coverage must be left out where coverage is a target, got 0.1; "
            "drop one of the two",
        ),
        (
            {"separation": 0.5, "detected": (0.6, 0.9)},
            "detected must be left out where separation is a target, got (0.6, 0.9); "
            "drop one of the two",
        ),
        (
            {"separation": 0.5, "detector": "random"},
            "detector must be 'latent' where separation is a target, got 'random'",
        ),
        (
            {"recall": 0.5, "coverage": 0.5, "events": (0, 3)},
            "events must be at least 1 where recall and coverage is a target, got 0",
        ),
        (
            {"recall": 0.5, "threshold": None},
            "threshold must be a number where precision, recall or coverage is a target, got None: "
            "a quantile marks as many points as are anomalous",
        ),
        (
            {"recall": 0.5, "threshold": 0.8},
            "threshold must lie between the middles of regular and detected where precision, "
            "recall or coverage is a target, got 0.8 for 0.25 and 0.75",
        ),
        (
            {"recall": 0, "coverage": 0.5},
            "recall must be above 0 where coverage asks for events found, got 0; "
            "drop one of the two",
        ),
        (
            {"precision": 0, "recall": 0.5},
            "precision must be above 0 where recall asks for events found, got 0; "
            "drop one of the two",
        ),
        (
            {"precision": 0, "hits": 3},
            "precision must be above 0 where hits asks for events found, got 0; "
            "drop one of the two",
        ),
        (
            {"recall": 0.5, "widths": (5, 90)},
            "widths must be at least 11 points where precision, recall or coverage is a target, "
            "got 5: shorter detections are smoothed away; lower smoothing, 15, or the noise of "
            "the scores",
        ),
        (
            {"coverage": 0.12},
            "coverage must leave at least 11 points of an event of mean width, got 0.12 of 74.5: "
            "fewer are smoothed away; lower smoothing, 15, or the noise of the scores, or raise "
            "widths",
        ),
        (
            {"recall": 0.5, "gaps": (14, 20)},
            "gaps must be at least the smoothing, 15, where precision, recall or coverage is a "
            "target, got 14: marks would melt into one",
        ),
        (
            {"precision": 0.01, "recall": 1, "events": 10, "gaps": 100},
            "precision must be at least 0.23, got 0.01: no more false detections fit into gaps of "
            "100 points; raise gaps",
        ),
        (
            {"precision": 0.01, "hits": 10, "events": 10, "gaps": 100},
            "precision must be at least 0.23, got 0.01: no more false detections fit into gaps of "
            "100 points; raise gaps",
        ),
    ],
)
def test_a_target_that_cannot_be_met_is_refused_with_the_reason(fields, message):
    with refused(message):
        Scenario(**fields)


@pytest.mark.parametrize(
    ("fields", "threshold", "seen"),
    [
        ({"smoothing": 1, "family": "normal"}, 0.5, "regular points reach 0.75"),
        ({"threshold": 0.3}, 0.3, "regular points reach 0.399"),
        ({"regular": (0, 0.9), "detected": (0.3, 1)}, 0.5, "regular points reach 0.718"),
        ({"threshold": 0.66}, 0.66, "detected points fall to 0.638"),
        ({"smoothing": 1, "threshold": 0.51}, 0.51, "detected points fall to 0.5"),
    ],
)
def test_a_threshold_within_the_noise_is_refused_beside_targets(fields, threshold, seen):
    with refused(
        "threshold must keep clear of the noise of regular and detected scores where precision, "
        f"recall or coverage is a target, got {threshold}: {seen}; "
        "raise smoothing or narrow the ranges"
    ):
        Scenario(precision=0.5, recall=0.5, coverage=0.5, **fields)
    assert fields.items() <= vars(Scenario(**fields)).items()


@pytest.mark.parametrize("family", ["uniform", "beta"])
def test_scores_that_never_leave_their_range_may_touch_the_threshold(family):
    ranges = {"regular": (0.1, 0.7), "detected": (0.7, 0.9), "threshold": 0.7}
    assert 0.5 == Scenario(recall=0.5, smoothing=1, family=family, **ranges).recall


def test_targets_of_nothing_found_may_stand_together():
    assert {"precision": 0.0, "recall": 0.0} == Scenario(precision=0, recall=0).targets


def test_noise_is_the_spread_of_the_moving_average():
    rng = np.random.default_rng(0)
    for scenario in (Scenario(), Scenario(family="normal", correlation=0.6, smoothing=9)):
        drawn = draw_shares(scenario, 200_000, rng)
        inner = np.convolve(drawn, np.ones(scenario.smoothing) / scenario.smoothing, "valid")
        assert inner.std() == pytest.approx(noise(scenario), rel=0.02)


def test_a_lasting_width_lies_between_one_point_and_the_whole_window():
    assert 11 == lasting_width(Scenario())
    assert 9 == lasting_width(Scenario(regular=(0, 0.25), detected=(0.75, 1)))
    assert 15 == lasting_width(Scenario(regular=(0, 0.7), detected=(0.3, 1)))
    assert 15 == lasting_width(Scenario(separation=0.4))
    assert 1 == lasting_width(Scenario(smoothing=1))


@pytest.mark.parametrize(("points", "fit"), [(4, 0), (14, 0), (15, 1), (24, 1), (25, 2), (35, 3)])
def test_room_leaves_the_smoothing_around_every_false_detection(points, fit):
    scenario = Scenario(smoothing=5, false_widths=(2, 4))
    assert 5 == lasting_width(scenario)
    assert fit == room(scenario, points)


def test_ranges_overlap_as_far_as_the_marks_allow():
    assert 0.5 == most_overlap(Scenario(separation=0.4))
    assert 0.25 == most_overlap(Scenario(separation=0.4, recall=0.5, smoothing=1))
    wild = Scenario(separation=0.4, recall=0.5, smoothing=1, family="normal")
    assert 0.5 / (0.5 + 4.5 / 4) - 0.25 == pytest.approx(most_overlap(wild))
    assert 0.0 == most_overlap(replace(wild, threshold=0.26))


def test_toml_that_is_none_is_refused():
    with pytest.raises(FileError, match=r"scenario must be TOML, got a syntax error: .*line 2"):
        Scenario.from_toml("events = 3\ngaps = , 5")


def test_an_unknown_field_is_told_the_nearest():
    message = "unknown field of a scenario 'smooth', did you mean 'smoothing'?"
    with refused(message, UnknownName):
        Scenario.from_toml("smooth = 3")


def test_an_unknown_field_like_no_other_is_told_them_all():
    names = ", ".join(vars(Scenario()))
    with refused(f"unknown field of a scenario 'xyzzy'; it has {names}", UnknownName):
        Scenario.from_toml("xyzzy = 3")


def test_all_alarm_scenarios_print_and_survive_toml():
    scenario = Scenario(detector="all-alarm", threshold=0.25)
    assert scenario == Scenario.from_toml(scenario.to_toml())
    assert "Scenario(threshold=0.25, detector='all-alarm')" == repr(scenario)


def test_a_wrong_value_in_toml_is_refused_like_any_other():
    with refused("events must be a whole number, at least 0, got 2.5"):
        Scenario.from_toml("events = 2.5")
