"""Counterexamples are drawn as lines, small, and with the metric's own values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.confidence import OutOfTime
from adjudge.lab.audit.counterexample import Counterexample, shrink, smallest_size
from adjudge.lab.audit.result import Result, difference_in_words
from adjudge.lab.audit.subject_calls import Pair, Problem


def test_a_strip_shows_truth_flags_and_values():
    labels = np.array([0, 1, 1, 0], bool)
    shown = Counterexample(labels, {"flags": labels}, {"flags": 1.0}, "perfect")
    assert str(shown).splitlines() == ["truth  .##.", "flags  .||.  1.0000", "perfect"]
    assert shown.to_dict()["rows"] == {"flags": [0, 1, 1, 0]}


def test_a_strip_of_scores_has_one_scale_and_long_ones_are_folded():
    rows = {"better": np.array([1.0, 2.0]), "worse": np.array([0.0, 3.0])}
    assert str(Counterexample(np.array([True, False]), rows)).splitlines()[1:] == [
        "better  36",
        "worse   09",
    ]
    flat = {"scores": np.zeros(2)}
    assert str(Counterexample(np.array([True, False]), flat)).endswith("00")
    long = np.zeros(500, bool)
    assert "(6 points per character)" in str(Counterexample(long, {"flags": long}))
    assert Counterexample(long, rows).to_dict()["rows"]["better"] == [1.0, 2.0]


@pytest.mark.parametrize("axiom", ["C-1", "C-1a", "C-2", "C-2-population", "C-3", "L1", "L6", "L8"])
def test_counterexamples_show_the_metric_s_own_values(axiom):
    """Values of an error are not turned, scaled ones not scaled; the sentence says if they are."""
    cost = {"bounds": (0, 200), "better": "lower"}
    row = audit(_percent_right, [axiom], effort="quick", **cost)[axiom]
    assert row.outcome == "fail"
    assert row.sentence.endswith(" (turned so that higher is better, scaled so that 1 is the best)")
    shown = row.counterexample
    own = {name: _percent_right(shown.labels, given) for name, given in shown.rows.items()}
    if axiom == "C-1a":  # means over every place in time
        own = {
            name: np.mean([_percent_right(shown.labels, np.roll(r, by)) for by in range(r.size)])
            for name, r in shown.rows.items()
        }
    assert own == pytest.approx(dict(shown.values))


def _percent_right(labels, flags):
    """Give what a detector hits or spares, which as an error is the wrong way round."""
    return float(100 * np.mean(labels == flags)) * (0.2 if flags.all() else 1)


def test_an_error_of_the_catalogue_is_shown_as_it_is():
    row = audit("temporal_distance", ["C-2"])["C-2"]
    assert row.sentence.endswith(" (turned so that higher is better)")
    for name, flags in row.counterexample.rows.items():
        assert row.counterexample.values[name] == aj.temporal_distance(
            row.counterexample.labels, flags
        )
    assert min(row.counterexample.values.values()) >= 0
    assert not audit("temporal_distance", "L9", effort="quick")["L9"].sentence.endswith(")")


def test_a_result_is_printed_with_its_counterexample():
    labels = np.ones(1, bool)
    said = Result("L1", "fail", "too much", counterexample=Counterexample(labels, {}))
    assert str(said) == "L1 (nothing for knowing nothing) fail: too much\n    truth  #"
    assert str(Result("my own", "fail", "too much")) == "my own fail: too much"
    assert said.to_dict()["counterexample"]["strip"] == "truth  #"
    assert Result("L1", "pass", "fine").to_dict()["counterexample"] is None
    assert Problem("a", Pair(labels, labels)).sentence == "a"


def test_differences_are_said_in_words():
    assert [difference_in_words(x) for x in (0.0, -1e-17, 0.25, -0.25)] == [
        "0.000 more than",
        "0.000 more than",
        "0.250 more than",
        "0.250 less than",
    ]
    assert difference_in_words(-0.00004, 4) == "0.0000 less than"


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_shrinking_ends_with_the_smallest_that_shows_it(points):
    table = np.array(points).T
    shows = lambda t: bool((t[0] & t[1]).any())  # noqa: E731
    if shows(table):
        assert shrink(table, shows).tolist() == [[True], [True]]


def test_shrinking_stops_when_tries_or_time_run_out():
    table = np.ones((2, 8), bool)
    assert shrink(table, lambda _: True, tries=1).shape == (2, 4)

    def late(_):
        raise OutOfTime

    assert shrink(table, late) is table
    assert smallest_size((1, 2), late, otherwise=9) == 9
