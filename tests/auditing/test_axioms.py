"""The axioms: their experiments, their bounds, and what they find in metrics that are known."""
# ruff: noqa: ARG002, ARG005 - all metrics have the same two parameters

import contextlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import adjudge as aj
from adjudge.auditing import drawn_cases as trial
from adjudge.auditing.axiom import Counterexample, Verdict, compared
from adjudge.auditing.axioms import AXIOMS
from adjudge.auditing.confidence import mean_interval, share_interval, split, student
from adjudge.auditing.literature_axioms import _maps, _unlike
from adjudge.auditing.noise_axioms import decided, raced
from adjudge.auditing.order_axioms import _coupled, _coupled_scores, _dominates, _population_pair
from adjudge.auditing.questions import EFFORTS, Effort, Fault, Hearing, Pair, TimeUp
from adjudge.auditing.run import audit
from adjudge.auditing.shrinking import shrunk, smallest
from adjudge.auditing.subject import Trusting
from auditing import naive_axioms as naive

NAMES = [
    *("C-1", "C-1s", "C-1q", "C-1r", "C-1a", "C-1a-mixed", "C-2", "C-2-population", "C-3"),
    *(f"L{number}" for number in range(1, 13)),
]

KNOWN = {
    "f1": {"pass": "C-1 C-1s C-1r C-2 C-2-population L1 L3 L7 L8 L12", "fail": "C-1a C-3 L2 L6"},
    "f1_pa": {
        "pass": "C-2 C-2-population L1 L7 L8 L12",
        "fail": "C-1 C-1s C-1q C-1r C-1a C-3 L2 L3 L6",
    },
    "f1_kpa(k=0.2)": {"pass": "C-1 C-2 L1 L7 L8 L12", "fail": "C-1s C-1a C-3 L2 L3 L6"},
    "f1_ba": {
        "pass": "C-1 C-1s C-1r C-1a C-2 C-2-population C-3 L1 L4 L5 L6 L7 L8 L11",
        "fail": "C-1a-mixed L2 L3 L12",
    },
    "f1_ba(margin=1)": {"pass": "C-1 C-2 C-3 L1 L5 L6 L7 L12", "fail": "L2 L3"},
    'f1_ba(islands="spill")': {
        "pass": "C-1 C-1a C-3 L1 L5 L6 L7 L8",
        "fail": "C-2 C-2-population L2 L3 L12",
    },
    'f1_ba(islands="all")': {"pass": "C-1 C-1a L1 L6 L7", "fail": "C-2 C-3 L2 L3 L8"},
    "event_f1": {"pass": "C-1s C-3 L2 L6 L7 L12", "fail": "C-1 C-2 C-2-population L1 L3"},
    "composite": {"pass": "C-1 C-1s C-2 L1 L2 L3 L7", "fail": "C-1a-mixed C-3 L6"},
}
"""What is known of metrics, from theory and from the published tables."""


def always(value):
    return lambda labels, flags: value


def metric_of(name):
    return naive_composite if name == "composite" else name


def naive_composite(labels, flags):
    """The quick form of `naive.composite`; a test holds them together."""
    labels, flags = labels > 0, flags > 0
    hits = (labels & flags).sum()
    if not hits:
        return 0.0 if labels.any() or flags.any() else math.nan
    starts, stops = trial.bounds(labels)
    found = np.add.reduceat(np.append(flags, 0), np.stack([starts, stops], 1).ravel())[::2] > 0
    recall, precision = found.mean(), hits / flags.sum()
    return float(2 * recall * precision / (recall + precision))


def contradictions(name, seed, effort):
    """Give the axioms on which an audit and what is known disagree."""
    wanted = {a: verdict for verdict, axioms in KNOWN[name].items() for a in axioms.split()}
    found = audit(metric_of(name), list(wanted), seed=seed, effort=effort)
    return {a: v for a, v in found.verdicts.items() if v != wanted[a]}


def test_the_axioms_have_their_names_and_say_all_there_is_to_say():
    assert list(AXIOMS) == NAMES
    for axiom in AXIOMS.values():
        for word in ("title", "sentence", "source", "experiment", "rule", "broken"):
            assert getattr(axiom, word), (axiom.name, word)
    with pytest.raises(AttributeError):
        AXIOMS["C-1"].name = "other"


@pytest.mark.parametrize("name", ["f1", "f1_pa", "f1_ba", 'f1_ba(islands="all")', "event_f1"])
def test_what_is_known_of_a_metric_is_found(name):
    assert contradictions(name, seed=1, effort="quick") == {}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_is_found_with_every_seed(name, seed):
    assert contradictions(name, seed=seed, effort="normal") == {}


def test_the_same_seed_gives_the_same_audit_and_another_one_another():
    first, again, other = (
        audit("f1_pa", ["C-1", "C-2"], seed=s, effort="quick") for s in (3, 3, 4)
    )
    assert first == again
    assert first["C-1"].statistic != other["C-1"].statistic


def test_an_audit_does_not_depend_on_which_other_axioms_are_run():
    alone = audit("f1_ba", ["C-1s"], effort="quick")["C-1s"]
    after = audit("f1_ba", ["C-2", "C-1", "C-1s"], effort="quick")["C-1s"]
    assert alone == after


# numbers that theory gives


@pytest.mark.parametrize(
    ("spec", "alarm", "miss"),
    [
        ("f1", 1 - 2000 / 2001, 1 - 1900 / 1950),
        ("f1_pa", 1 - 2000 / 2001, 1 - 1900 / 1950),
        ("f1_ba", 1 - 2000 / 2050, 1 - 1900 / 1950),
        ("event_f1", 1 - 40 / 41, 1 - 38 / 39),
    ],
)
def test_c3_measures_what_one_fault_costs(spec, alarm, miss):
    extras = audit(spec, ["C-3"])["C-3"].extras
    assert math.isclose(alarm, extras["one false alarm"])
    assert math.isclose(miss, extras["one missed event"])
    assert math.isclose(alarm / miss, extras["exchange rate"])


def test_c3_reports_the_missed_point_and_does_not_ask_for_it():
    found = audit("f1_ba", ["C-3"])["C-3"]
    assert (found.verdict, found.extras["one missed point"]) == ("pass", 0.0)


def test_c3_tells_the_missed_point_and_the_exchange_rate_where_there_is_one():
    assert audit("f1", "C-3")["C-3"].sentence == (
        "perfect flags score 1; one false alarm costs 0.0005, one missed event 0.0256 "
        "(0.01 each is asked); one missed point 0.0005; exchange rate 0.0195 missed events per "
        "false alarm"
    )
    assert audit(always(1.0), "C-3")["C-3"].sentence.endswith("; one missed point 0.0000")


def test_c1_says_what_its_rule_allows():
    found = audit("f1_pa", "C-1", effort="quick")["C-1"]
    assert found.sentence.startswith("noise scores up to 0.7")
    assert found.sentence.endswith(f"; {found.bound:g} is allowed")
    assert found.bound == 0.52


def test_sliding_alarms_jump_as_far_as_theory_says():
    jumps = {spec: audit(spec, ["L3"])["L3"].statistic for spec in ("f1", "f1_pa", "f1_ba")}
    assert math.isclose(2 / 70, jumps["f1"])
    assert math.isclose(100 / 119, jumps["f1_pa"])
    assert math.isclose(100 / 143, jumps["f1_ba"])


def test_kpa_is_told_to_fail_where_anomalies_are_dense():
    found = audit("f1_kpa(k=0.2)", ["C-1"], effort="quick")["C-1"]
    assert found.verdict == "pass"
    assert "it would fail with Q about 0.3" in found.sentence
    assert set(found.extras) == {"1 event", "40 events", "Q about 0.3"}


def test_a_chance_level_of_exactly_one_half_passes():
    assert audit("auc_roc", ["C-1", "C-1s"], effort="quick").verdicts == {
        "C-1": "pass",
        "C-1s": "pass",
    }


def test_rows_about_thresholds_do_not_apply_to_areas():
    assert audit("ap", ["C-1a", "C-1a-mixed"]).verdicts == {
        "C-1a": "not applicable",
        "C-1a-mixed": "not applicable",
    }


def test_an_early_hit_excuses_from_symmetry():
    def early(labels, flags):
        hits = np.flatnonzero((labels > 0) & (flags > 0))
        return float(1 / (1 + hits[0])) if hits.size else 0.0

    found = audit(early, ["L4", "L10"], effort="quick")
    assert found.verdicts == {"L4": "pass", "L10": "pass"}
    assert "time has a direction" in found["L10"].sentence


def test_a_constant_breaks_what_a_constant_must():
    found = audit(always(0.6), effort="quick")
    failed = {name for name, verdict in found.verdicts.items() if verdict == "fail"}
    assert failed == {"C-1", "C-1q", "C-3", "L1", "L2", "L6"}


def _nearest(labels, flags):
    apart = np.subtract.outer(np.flatnonzero(flags > labels), np.flatnonzero(labels))
    return np.abs(apart).min() if apart.size else len(labels)


DOUBLES = {
    "L2": lambda labels, flags: float((labels * flags).sum() / labels.sum()),
    "L4": lambda labels, flags: float((np.arange(len(flags)) * flags).mean() / len(flags)),
    "L5": lambda labels, flags: float(1 - 0.1 / _nearest(labels, flags)),
    "L6": lambda labels, flags: float(np.mean(labels == flags)),
    "L7": lambda labels, flags: float(np.mean(labels == flags)),
    "L8": lambda labels, flags: float(1 - (labels * flags).mean()),
    "L11": lambda labels, flags: float(np.mean(labels == flags)),
    "L12": lambda labels, flags: float(not (flags > labels).any()),
}


@pytest.mark.parametrize("axiom", DOUBLES)
def test_an_axiom_rejects_its_wrong_double(axiom):
    found = audit(DOUBLES[axiom], [axiom], effort="quick")[axiom]
    assert found.verdict == "fail"
    assert found.counterexample is not None


def test_what_must_not_matter_does_not_and_where_it_does_is_shown():
    assert audit("f1", ["L10"], effort="quick").verdicts == {"L10": "pass"}
    assert audit("auc_roc", ["L10"], effort="quick").verdicts == {"L10": "pass"}
    found = audit("f1_ba", ["L10"], effort="quick")["L10"]
    assert found.sentence == "the same case scores otherwise read backwards"
    (flags, backwards), values = found.counterexample.rows.values(), found.counterexample.values
    assert flags[::-1].tolist() == backwards.tolist()
    assert values["flags"] == aj.f1_ba(found.counterexample.labels, flags)
    assert values["flags"] != values["backwards"]


@pytest.mark.parametrize(
    ("metric", "word"),
    [
        (lambda labels, flags: float(labels.dtype == np.int8), "as int8"),
        (lambda labels, flags: float(flags.dtype == float), "as floats"),
        (lambda labels, scores: float(1 / (1 + np.ptp(scores))), "with scores doubled"),
    ],
)
def test_how_numbers_are_written_must_not_matter(metric, word):
    found = audit(metric, ["L10"], effort="quick")["L10"]
    assert (found.verdict, found.sentence) == ("fail", f"the same case scores otherwise {word}")


def test_an_alarm_everywhere_that_is_undefined_gains_nothing():
    assert audit("mcc", ["L1"])["L1"].sentence == (
        "an alarm everywhere is undefined, so it gains nothing"
    )


def test_a_value_below_the_chance_level_of_scores_is_told_of_a_constant():
    found = audit("auc_pr", ["L1"])["L1"]
    assert found.verdict == "fail"
    assert found.bound == 0.5


@pytest.mark.parametrize("allowed", [0, 30])
def test_out_of_time_on_the_way_still_gives_a_verdict(allowed):
    """The time ends after so many values: fuzz is undecided, a counterexample may be missing."""

    class Stops(Trusting):
        asked = 0

        def clock(self):
            return 0.0 if self.asked <= allowed else 1e9

        def answers(self, pairs):
            self.asked += len(pairs)
            return super().answers(pairs)

    for axiom in ("L9", "C-1", "C-1a", "C-2-population"):
        hearing = Hearing(Stops(always(0.6), "flags"), EFFORTS["quick"], 0)
        hearing.deadline = 1.0
        assert AXIOMS[axiom].run(hearing).verdict == "undecided"


def test_a_fault_that_was_met_before_the_time_was_up_still_counts():
    hearing = hearing_of(always(0.5))
    hearing.deadline = -1
    hearing.witness.faults["raises"] = Fault("it raised", Pair(np.ones(1, bool), np.ones(1, bool)))
    found = AXIOMS["L9"].run(hearing)
    assert (found.verdict, found.sentence) == ("fail", "it raised")
    hearing = hearing_of(always(2.0))
    hearing.witness.clock = iter(range(10**6)).__next__
    hearing.deadline = 9  # in the midst of the first inputs
    found = AXIOMS["L9"].run(hearing)
    assert (found.verdict, found.trials) == ("fail", 0)


def test_a_fault_that_shows_on_long_series_only_has_no_small_counterexample():
    long = audit(lambda labels, flags: float(len(labels) > 200), ["C-1"], effort="quick")["C-1"]
    assert (long.verdict, long.counterexample) == ("fail", None)
    uneven = audit(
        lambda labels, flags: float(len(labels) > 200 and flags.mean() > 0.5),
        ["C-1a"],
        effort="quick",
    )["C-1a"]
    assert (uneven.verdict, uneven.counterexample) == ("fail", None)


def test_noise_scores_that_win_are_shown_as_digits():
    shown = audit("auc_roc_pa", ["C-1"], effort="quick")["C-1"].counterexample
    assert set(str(shown).splitlines()[1].split()[1]) <= set("0123456789")


def test_a_race_ends_undecided_when_its_trials_run_out():
    effort = Effort("tiny", 20, 0, 0, 60.0, 60.0, 1.0)
    rng = np.random.default_rng(0)
    wild = Trusting(lambda labels, flags: float(rng.integers(0, 2)), "flags")
    hearing = Hearing(wild, effort, 0)
    found = raced(hearing, trial.SHORT, [(1,)], lambda noise: noise, 0.5)
    assert (found.outcome, found.trials) == ("undecided", 640)


def test_a_race_without_any_value_is_undecided():
    hearing = hearing_of(always(math.nan))
    hearing.open()
    found = raced(hearing, trial.SHORT, [(1,), (2,)], lambda noise: noise, 0.5)
    assert (found.outcome, found.trials) == ("undecided", 0)


def test_a_population_s_counterexample_is_left_out_when_the_time_is_up():
    hearing = hearing_of(always(0.5))
    hearing.deadline = -1
    assert _population_pair(hearing, np.zeros((1, 49)), 0) is None


def test_a_metric_that_forgets_is_not_the_same_when_asked_again():
    class Forgets:
        count = 0

        def __call__(self, labels, flags):
            self.count += 1
            return self.count / 1e6

    found = audit(Forgets(), ["L10"], effort="quick")
    assert "not deterministic" in found.faults
    assert found["L10"].sentence.startswith("the same case scores otherwise ")
    hearing = hearing_of(Forgets())
    hearing.open()
    pair = Pair(np.array([True, False]), np.array([True, False]))
    again = _unlike(hearing, "asked again", _maps("flags")["asked again"], pair)
    assert again.verdict == "fail"
    assert again.counterexample.labels.size == 2


# counterexamples


def test_a_counterexample_is_small_and_still_shows_it():
    found = audit("event_f1", ["C-2"], effort="quick")["C-2"].counterexample
    better, worse = found.rows.values()
    assert found.labels.size <= 6
    assert naive.dominates(found.labels, better, worse)
    assert aj.event_f1(found.labels, worse) > aj.event_f1(found.labels, better)


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


def test_noise_that_scores_too_much_is_shown_as_one_pattern_at_every_place():
    shown = audit("f1_pa", ["C-1"], effort="quick")["C-1"].counterexample
    (flags,) = shown.rows.values()
    values = [aj.f1_pa(shown.labels, np.roll(flags, by)) for by in range(flags.size)]
    assert np.mean(values) > 0.52
    assert f"{np.mean(values):.4f} on average" in shown.note


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_shrinking_ends_with_the_smallest_that_shows_it(points):
    table = np.array(points).T
    shows = lambda t: bool((t[0] & t[1]).any())  # noqa: E731
    if shows(table):
        assert shrunk(table, shows).tolist() == [[True], [True]]


def test_shrinking_stops_when_tries_or_time_run_out():
    table = np.ones((2, 8), bool)
    assert shrunk(table, lambda _: True, tries=1).shape == (2, 4)

    def late(_):
        raise TimeUp

    assert shrunk(table, late) is table
    assert smallest((1, 2), late, otherwise=9) == 9


# bounds


@pytest.mark.parametrize("freedom", [39, 199, 1599])
@pytest.mark.parametrize("level", [1e-5, 1e-3, 0.025])
def test_the_quantile_is_student_s(level, freedom):
    exact = stats.t.isf(level, freedom)
    assert math.isclose(exact, student(level, np.array([freedom]))[0], rel_tol=5e-3)


def test_an_interval_is_that_of_the_textbook_and_skips_what_is_undefined():
    rng = np.random.default_rng(0)
    table = rng.random((60, 3))
    table[:9, 1] = np.nan
    table[:57, 2] = np.nan
    mean, low, high = mean_interval(table, comparisons=7)
    for column in (0, 1):
        centre, error = naive.mean_and_error(table[:, column])
        free = np.array([np.count_nonzero(~np.isnan(table[:, column])) - 1])
        assert math.isclose(centre, mean[column])
        assert math.isclose(centre - student(split(7), free)[0] * error, low[column])
        assert math.isclose(centre + student(split(), free)[0] * error, high[column])
    assert (low[2], high[2]) == (-math.inf, math.inf)
    assert np.isnan(mean_interval(np.full((9, 1), np.nan))).all()


def test_a_share_s_bounds_hold_the_true_one():
    """Chernoff's bound is wider than the exact one, of Clopper and Pearson."""
    mean, low, high = share_interval(np.array([0, 3, 200]), 200)
    level = split(3)
    assert (mean == [0, 0.015, 1]).all()
    assert low[1] <= stats.beta.ppf(level, 3, 198)
    assert high[1] >= stats.beta.ppf(1 - split(), 4, 197)
    assert (low[0], high[2]) == (0, 1)


def test_family_wise_mistakes_are_rare():
    """Seven rows of twelve means at the bound: hardly ever is one of them called a fail."""
    rng = np.random.default_rng(0)
    wrong = sum(
        bool((mean_interval(rng.standard_normal((40, 12))).low > 0).any()) for _ in range(400)
    )
    assert wrong <= 2


def test_an_interval_is_held_against_its_bound():
    assert [decided(*pair, 0.5) for pair in ((0.1, 0.5), (0.4, 0.6), (0.51, 0.7))] == [
        "pass",
        "undecided",
        "fail",
    ]


# trials


@given(st.integers(1, 5), st.integers(1, 6), st.integers(1, 9))
def test_events_are_laid_out_and_found_again(events, width, gap):
    labels = trial.evenly(events, width, gap)
    assert naive.evenly(events, width, gap) == labels.tolist()
    starts, stops = trial.bounds(labels)
    assert naive.bounds(labels.tolist()) == (starts.tolist(), stops.tolist())


def test_settings_draw_what_they_say():
    rng = np.random.default_rng(0)
    for setting, share in ((trial.MIXED, 0.09), (trial.REPEATS[2], 0.3), (trial.EQUAL, 0.2)):
        drawn = [setting.labels(rng) for _ in range(100)]
        assert {len(trial.bounds(labels)[0]) for labels in drawn} == {setting.events}
        assert abs(np.mean([labels.mean() for labels in drawn]) - share) < 0.02


@pytest.mark.parametrize("detector", trial.DETECTORS)
def test_blind_detectors_flag_a_few_per_cent_wherever_time_begins(detector):
    rng = np.random.default_rng(0)
    flags = np.array([trial.blind(detector, 1000, rng) > 0.95 for _ in range(1500)])
    assert 0.01 < flags.mean() < 0.08
    halves = flags[:, :500].mean(), flags[:, 500:].mean()
    assert abs(halves[0] - halves[1]) < 0.2 * flags.mean()


def test_small_cases_reach_the_corners():
    rng = np.random.default_rng(0)
    drawn = [trial.small(rng) for _ in range(2000)]
    corners = {
        "one point": any(len(x) == 1 for x, _ in drawn),
        "no event": any(not x.any() for x, _ in drawn),
        "all events": any(x.all() for x, _ in drawn),
        "no alarm": any(not y.any() for _, y in drawn),
        "all alarms": any(y.all() and len(y) > 3 for _, y in drawn),
        "perfect": any((x == y).all() and x.any() and not x.all() for x, y in drawn),
    }
    assert all(corners.values()), corners


def test_coupled_detectors_differ_in_one_point_and_the_first_is_better():
    rng = np.random.default_rng(0)
    for draw in (lambda: _coupled(rng, "flags"), lambda: _coupled_scores(rng)):
        for _ in range(300):
            labels, better, worse = draw()
            assert naive.dominates(labels > 0, better, worse)
            assert _dominates(np.array([labels, better, worse]))
            assert np.count_nonzero(better != worse) <= 1
    assert not _dominates(np.array([[1], [0], [1]]))


def test_a_quick_composite_is_the_slow_one():
    rng = np.random.default_rng(0)
    for _ in range(300):
        labels, flags = trial.small(rng)
        slow, quick = naive.composite(labels, flags), naive_composite(labels, flags)
        assert math.isclose(slow, quick) or (math.isnan(slow) and math.isnan(quick))


# the hearing


def hearing_of(metric, kind="flags", **words):
    return Hearing(Trusting(metric, kind, **words), EFFORTS["quick"], 0)


def test_values_are_turned_so_that_higher_is_better_and_one_is_best():
    pair = [(np.array([True, False]), np.array([True, False]))]
    for words, expected in (
        ({"better": "lower"}, 0.75),
        ({"better": "lower", "range": (0, math.inf)}, -0.25),
        ({"range": (-math.inf, 100)}, 0.25),
        ({"range": (0, 100)}, 0.0025),
        ({"range": (-1, 1)}, 0.25),
    ):
        assert expected == hearing_of(always(0.25), **words).values(pair)[0]
    for words, expected in (
        ({"range": (-1, 0)}, 0.75),
        ({"range": (-4.25, -0.25)}, 1.0),
        ({"range": (-1, 0), "better": "lower"}, 0.25),
    ):
        assert expected == hearing_of(always(-0.25), **words).values(pair)[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, ""),
        ({"range": (-1, 1)}, ""),
        ({"range": (0, math.inf)}, ""),
        ({"better": "lower"}, " (turned so that higher is better)"),
        ({"range": (0, math.inf), "better": "lower"}, " (turned so that higher is better)"),
        ({"range": (0, 100)}, " (scaled so that 1 is the best)"),
        (
            {"range": (-1, 0), "better": "lower"},
            " (turned so that higher is better, scaled so that 1 is the best)",
        ),
    ],
)
def test_a_remark_says_how_values_are_turned(words, said):
    assert hearing_of(always(0.25), **words).remark == said


@pytest.mark.parametrize("axiom", ["C-1", "C-1a", "C-2", "C-2-population", "C-3", "L1", "L6", "L8"])
def test_counterexamples_show_the_metric_s_own_values(axiom):
    """Values of an error are not turned, scaled ones not scaled; the sentence says if they are."""
    cost = {"bounds": (0, 200), "better": "lower"}
    row = audit(_percent_right, [axiom], effort="quick", **cost)[axiom]
    assert row.verdict == "fail"
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


def test_differences_are_said_in_words():
    assert [compared(x) for x in (0.0, -1e-17, 0.25, -0.25)] == [
        "0.000 more than",
        "0.000 more than",
        "0.250 more than",
        "0.250 less than",
    ]
    assert compared(-0.00004, 4) == "0.0000 less than"


def test_an_unbounded_metric_is_excused_from_what_needs_a_scale():
    found = audit(
        lambda labels, flags: float(-(labels != flags).sum()),
        ["C-1", "C-2", "C-3", "L8"],
        effort="quick",
        bounds=(-math.inf, 0),
    )
    assert found.verdicts == {
        "C-1": "not applicable",
        "C-2": "pass",
        "C-3": "not applicable",
        "L8": "pass",
    }


def test_noise_is_drawn_once_and_only_where_it_is_asked_for():
    calls = []
    hearing = hearing_of(lambda _, flags: calls.append(1) or float(flags.mean()))
    hearing.open()
    first = hearing.noise(trial.SHORT, 20, [0, 3])
    assert len(calls) == 40
    again = hearing.noise(trial.SHORT, 20, [3, 0])
    assert len(calls) == 40
    np.testing.assert_array_equal(first, again)
    assert np.isnan(first[:, 1]).all()
    wider = hearing.noise(trial.SHORT, 20, [0, 1, 3])
    assert len(calls) == 60
    np.testing.assert_array_equal(first[:, 3], wider[:, 3])


def test_time_that_is_up_ends_the_draws_and_leaves_what_was_drawn():
    hearing = hearing_of(always(0.5))
    hearing.deadline = -1
    assert len(hearing.noise(trial.SHORT, 20, [1])) == 0
    assert raced(hearing, trial.SHORT, [(1,)], lambda x: x, 0.6).outcome == "undecided"
    with pytest.raises(TimeUp):
        hearing.value(np.ones(1, bool), np.ones(1, bool))


@pytest.mark.parametrize("axiom", [name for name in NAMES if name != "L9"])
def test_an_experiment_without_time_is_undecided(axiom):
    class Late(Trusting):
        def __init__(self, *args):
            super().__init__(*args)
            self.now = 0

        def clock(self):
            self.now += 10
            return self.now

    hearing = Hearing(Late(naive_composite, "flags"), EFFORTS["quick"], 0)
    hearing.open()
    with contextlib.suppress(TimeUp):  # the auditor says so
        assert AXIOMS[axiom].run(hearing).verdict == "undecided"


def test_what_a_metric_may_leave_undefined():
    hearing = hearing_of(None)
    both, hit = np.array([True, False]), np.array([True, False])
    assert hearing.must_be_defined(Pair(both, hit))
    assert not hearing.must_be_defined(Pair(both, ~hit))
    assert not hearing.must_be_defined(Pair(both, np.array([True, True])))
    assert hearing_of(None, "scores").must_be_defined(Pair(both, np.zeros(2)))
    assert not hearing_of(None, "scores").must_be_defined(Pair(~both & both, np.zeros(2)))


def test_a_verdict_is_printed_with_its_counterexample():
    labels = np.ones(1, bool)
    said = Verdict("L1", "fail", "too much", counterexample=Counterexample(labels, {}))
    assert str(said) == "L1 fail: too much\n    truth  #"
    assert said.to_dict()["counterexample"]["strip"] == "truth  #"
    assert Verdict("L1", "pass", "fine").to_dict()["counterexample"] is None
    assert Fault("a", Pair(labels, labels)).sentence == "a"
