"""evaluate with several annotators: values, humans, agreement, disputed events."""

import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.data.channels import ChannelReading, truth_table
from adjudge.errors import InputError, UnknownName
from adjudge.judging.channels.agreement import agreement, cohen_kappa, krippendorff_alpha
from adjudge.noise.intervals.jackknife import read_spread
from adjudge.noise.intervals.student import ends
from adjudge.noise.intervals.units import units_of

NAMES = ["ann", "bob", "eve"]


def drawn(seed=0, n=300):
    rng = np.random.default_rng(seed)
    truth = np.zeros(n, int)
    for start in range(15, n - 20, 40):
        truth[start : start + 10] = 1
    votes = np.stack([np.roll(truth, s) for s in (0, 2, -3)], axis=1)
    votes[15:30, 1] = 0
    flags = (np.roll(truth, 1) * (rng.random(n) < 0.8)).astype(int)
    return votes, flags


VOTES, FLAGS = drawn()


@pytest.fixture(scope="module")
def judged():
    return aj.evaluate(VOTES, FLAGS, ["f1", "event_f1"], annotators=NAMES)


def test_the_value_is_the_mean_over_annotators(judged):
    for spec in ("f1", "event_f1"):
        each = [aj.metric(spec)(column, FLAGS) for column in VOTES.T]
        assert judged[spec] == pytest.approx(np.mean(each))
        assert [row[spec] for row in judged.annotators.rows] == each
    assert judged.verdicts["detector"].startswith("detector is better than chance")


def test_labels_and_scores_of_other_times_are_refused():
    days, later = (pd.date_range(f"2026-01-{d:02}", periods=300, freq="min") for d in (1, 2))
    votes, flags = pd.DataFrame(VOTES, columns=NAMES, index=days), pd.Series(FLAGS, index=later)
    calls = (aj.evaluate, aj.explain)
    for call in calls:
        with pytest.raises(InputError, match="labels and scores must have the same index"):
            call(votes, flags, "f1", annotators=NAMES)
    with pytest.raises(InputError, match="labels and new must have the same index"):
        aj.evaluate(votes, {"old": FLAGS, "new": flags}, "f1", annotators=NAMES)
    timed = aj.evaluate(votes, pd.Series(FLAGS, index=days), "f1", annotators=NAMES, chance=False)
    assert timed.annotators.events[0]["from"] == "2026-01-01 00:12"
    with pytest.raises(InputError, match="annotator 'bob': labels and scores must be equally long"):
        aj.evaluate({**dict(zip(NAMES, VOTES.T, strict=True)), "bob": VOTES[1:, 1]}, FLAGS, "f1",
                    annotators=NAMES)  # fmt: skip


@pytest.mark.parametrize("of", [cohen_kappa, krippendorff_alpha])
def test_intervals_of_agreement_are_those_of_reading_it_without_each_event(of):
    votes = VOTES.astype(float)
    votes[40:44, 0] = np.nan
    columns = slice(0, 2 if of is cohen_kappa else 3)
    names = tuple(NAMES[columns])
    voters = truth_table(votes[:, columns], names, len(votes), ChannelReading())
    value, units = of(voters), units_of(voters.joined)
    spread = read_spread(lambda e: of(voters.within(e.judged)), value, units, (-1.0, 1.0))
    told = next(a for a in agreement(voters) if (a.measure == "kappa") == (of is cohen_kappa))
    assert (told.value, told.between) == (value, names)
    assert (told.low, told.high) == pytest.approx(tuple(ends(spread, value, (-1.0, 1.0), 0.95)))


def test_pooled_votes_are_soft_labels():
    found = aj.evaluate(VOTES, FLAGS, "f1", annotators=NAMES, votes="pooled")
    share = VOTES.mean(axis=1)
    expected = 2 * (share * FLAGS).sum() / (share.sum() + FLAGS.sum())
    assert found["f1"] == pytest.approx(expected)
    best = aj.evaluate(VOTES, FLAGS + 0.0, "best(f1)", annotators=NAMES, votes="pooled")
    assert best["best(f1)"] >= found["f1"] - 1e-12


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        ("majority", VOTES.sum(axis=1) > 1.5),
        ("any", VOTES.any(axis=1)),
        ("all", VOTES.all(axis=1)),
    ],
)
def test_one_label_by_vote_is_a_plain_call(votes, label):
    found = aj.evaluate(VOTES, FLAGS, ["f1", "event_f1"], annotators=NAMES, votes=votes)
    plain = aj.evaluate(label, FLAGS, ["f1", "event_f1"])
    for mine, other in zip(found.rows, plain.rows, strict=True):
        assert (mine.value, mine.chance, mine.p_value) == (other.value, other.chance, other.p_value)


def test_humans_are_the_mean_over_pairs(judged):
    for human in judged.annotators.humans:
        metric = aj.metric(human.metric)
        pairs = [metric(VOTES[:, i], VOTES[:, j]) for i in range(3) for j in range(3) if i != j]
        assert human.value == pytest.approx(np.mean(pairs))
        assert human.least == pytest.approx(min(pairs))
        assert human.chance < human.low < human.value < human.high
        rest = [VOTES[:, [j for j in range(3) if j != i]].sum(axis=1) > 1 for i in range(3)]
        others = [metric(rest[i], VOTES[:, i]) for i in range(3)]
        assert human.majority == pytest.approx(np.mean(others))


@pytest.mark.parametrize(
    ("spec", "perfect"),
    [("f1", 1), ("f1_ba", 1), ("event_f1", 1), ("auc_roc", 1), ("ap", 1), ("mcc", 1),
     ("detection_delay", 0), ("affiliation_f1", 1), ("range_f1", 1)],
)  # fmt: skip
def test_the_ceiling_of_identical_annotators_is_the_perfect_value(spec, perfect):
    same = np.tile(VOTES[:, :1], 3)
    found = aj.evaluate(same, FLAGS, spec, annotators=NAMES, chance=False)
    (human,) = found.annotators.humans
    assert human.value == perfect
    assert human.majority == perfect


def test_disputed_events_have_a_table_where_there_are_any(judged):
    agreed = aj.evaluate(np.tile(VOTES[:, :1], 3), FLAGS, "f1", annotators=NAMES, chance=False)
    titles = [[table.title for table in found.annotators.tables] for found in (judged, agreed)]
    both = [
        "detector by annotator",
        "humans: each annotator judged against each other, mean of 6 pairs",
        "how far annotators agree, over points",
    ]
    assert titles == [[*both, "disputed events"], both]


def alpha(table):
    """Krippendorff's alpha from all pairs of labels of one point, one by one."""
    units = [[v for v in row if v is not None] for row in table]
    units = [row for row in units if len(row) > 1]
    every = [v for row in units for v in row]
    observed = sum(
        Fraction(2 * sum(a != b for a, b in combinations(row, 2)), len(row) - 1) for row in units
    )
    expected = Fraction(2 * sum(a != b for a, b in combinations(every, 2)), len(every) - 1)
    return 1 - observed / expected if expected else math.nan


def voters(table, names=NAMES):
    given = np.array([[math.nan if v is None else v for v in row] for row in table], float)
    return truth_table(given, tuple(names), len(given), ChannelReading())


def test_agreement_equals_its_twins():
    rng = np.random.default_rng(3)
    for _ in range(20):
        table = [
            [None if rng.random() < 0.2 else int(rng.random() < 0.4) for _ in NAMES]
            for _ in range(12)
        ]
        table[0] = [1, 0, 1]
        assert float(alpha(table)) == pytest.approx(krippendorff_alpha(voters(table)))
        two = [[int(v or 0) for v in row[:2]] for row in table]
        expected = aj.kappa([a for a, _ in two], [b for _, b in two])
        assert cohen_kappa(voters(two, NAMES[:2])) == pytest.approx(expected)


def test_where_nobody_disagrees_about_anything_agreement_is_undefined():
    none = np.zeros((5, 2), int)
    assert math.isnan(krippendorff_alpha(voters(none, "ab")))
    assert math.isnan(cohen_kappa(voters(none, "ab")))
    found = aj.evaluate(none, [0, 1, 0, 0, 0], "f1", annotators=["a", "b"], chance=False)
    assert math.isnan(found.annotators.agreement[0].low)
    assert found.annotators.notes == []
    assert len(found.annotators.tables) == 2  # nothing to stand humans: each annotator


def test_agreement_has_intervals(judged):
    for one in judged.annotators.agreement:
        assert -1 < one.low < one.value < one.high <= 1
    assert [one.measure for one in judged.annotators.agreement] == ["kappa"] * 3 + ["alpha"]


def test_disputed_events_say_who_marked_them(judged):
    (event,) = judged.annotators.disputed
    assert (event["by"], event["not_by"]) == (["ann", "eve"], ["bob"])
    assert (event["start"], event["stop"]) == (12, 25)
    assert len(judged.annotators.events) == 7


def test_a_gap_is_not_judged_and_no_vote():
    votes = VOTES.astype(float)
    votes[:60, 2] = np.nan
    found = aj.evaluate(votes, FLAGS, "f1", annotators=NAMES, chance=False)
    assert found.annotators.rows[2]["f1"] == aj.f1(VOTES[60:, 2], FLAGS[60:])
    (event,) = found.annotators.disputed
    assert (event["by"], event["not_by"]) == (["ann"], ["bob"])
    majority = aj.evaluate(votes, FLAGS, "f1", annotators=NAMES, votes="majority", chance=False)
    label = np.where(np.arange(300) < 60, VOTES[:, :2].all(axis=1), VOTES.sum(axis=1) > 1.5)
    assert majority["f1"] == aj.f1(label, FLAGS)


def test_results_are_printed_and_written(judged):
    text = str(judged)
    for part in ("detector by annotator", "how far annotators agree", "disputed events",
                 "1 of 7 events that anyone marked are disputed", "humans: "):  # fmt: skip
        assert part in text
    written = json.loads(judged.to_json())["annotators"]
    assert written["names"] == NAMES
    assert len(written["humans"]) == 2
    assert len(written["agreement"]) == 4


def test_many_disputed_events_are_cut_short():
    votes = VOTES.copy()
    votes[:, 1] = 0
    votes[5::13, 1] = 1
    found = aj.evaluate(votes, FLAGS, "f1", annotators=NAMES, chance=False)
    assert "more" in str(found)


def test_incidents_and_frames_and_time():
    frame = pd.DataFrame(VOTES, columns=NAMES)
    by_frame = aj.evaluate(frame, FLAGS, "f1", annotators=True, chance=False)
    assert by_frame["f1"] == aj.evaluate(VOTES, FLAGS, "f1", annotators=NAMES, chance=False)["f1"]
    rows = [(a, s.start, s.stop) for i, a in enumerate(NAMES)
            for s in aj.Events.from_labels(VOTES[:, i])]  # fmt: skip
    incidents = aj.Incidents(
        [r[1] for r in rows], [r[2] for r in rows], annotator=[r[0] for r in rows]
    )
    things = aj.evaluate(incidents, FLAGS, "f1", annotators=NAMES, chance=False)
    assert things["f1"] == by_frame["f1"]
    when = pd.date_range("2026-01-01", periods=300, freq="min")
    timed = aj.evaluate(VOTES, FLAGS, "f1", annotators=NAMES, time=when, chance=False)
    assert timed.annotators.disputed[0]["from"] == "2026-01-01 00:12"


def test_several_detectors_and_scores_with_a_rule():
    scores = FLAGS + np.linspace(0, 0.5, 300)
    found = aj.evaluate(
        VOTES, {"one": scores, "two": -scores}, annotators=NAMES, at=aj.quantile(0.8), chance=False
    )
    assert len(found.annotators.rows) == 6
    majority = aj.evaluate(
        VOTES, scores, ["f1"], annotators=NAMES, at=aj.quantile(0.8), votes="majority", chance=False
    )
    assert majority.rows[0].rule == "quantile(0.8)"
    best = aj.evaluate(VOTES, scores, annotators=NAMES, chance=False)
    assert "best(f1_ba)" in [row.requested for row in best.rows]


def test_series_stay_apart():
    series = np.repeat(["p", "q"], 150)
    found = aj.evaluate(
        VOTES, FLAGS, "event_f1", annotators=NAMES, votes="majority", series=series, chance=False
    )
    label = VOTES.sum(axis=1) > 1.5
    assert found["event_f1"] == aj.event_f1(label, FLAGS, series=series)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"annotators": ["ann"]}, "at least two"),
        ({"annotators": NAMES, "votes": "most"}, "votes must be"),
        ({"annotators": NAMES, "at": aj.tuned("f1", on=slice(0, 9))}, "tune on one"),
        ({"annotators": NAMES[:2]}, "a column for each of the 2"),
    ],
)
def test_what_does_not_fit_is_refused(given, said):
    labels = VOTES if given["annotators"] != ["ann"] else VOTES[:, :1]
    with pytest.raises(InputError, match=said):
        aj.evaluate(labels, FLAGS + 0.5, "f1", **given)


def test_the_page_shows_annotators(judged, tmp_path):
    page = judged.to_html(tmp_path / "page.html").read_text("utf-8")
    for part in ("By annotator", "how far annotators agree", "disputed events"):
        assert part in page


@pytest.mark.parametrize("votes", ["each", "pooled", "majority", "any", "all"])
def test_points_without_a_score_are_counted_once(votes):
    given = {"annotators": NAMES, "votes": votes, "missing": "skip", "chance": False, "at": 0.5}
    scores = np.where(np.arange(300) < 12, np.nan, FLAGS)
    found = aj.evaluate(VOTES, scores, ["f1", "event_f1"], **given)
    assert [row.skipped for row in found.rows] == [12, 12]
    assert "12 points without a score left out" in str(found)
    rest = aj.evaluate(VOTES[12:], FLAGS[12:], ["f1", "event_f1"], **given)
    assert [row.value for row in found.rows] == [row.value for row in rest.rows]


def test_annotators_who_share_no_point_are_not_judged_by_each_other():
    """Who has split the work is judged as ever; there is nobody to agree with."""
    half = np.arange(300) < 150
    votes = np.where(np.stack([half, ~half], axis=1), VOTES[:, :2], np.nan)
    found = aj.evaluate(votes, FLAGS, "f1", annotators=NAMES[:2])
    each = [aj.f1(VOTES[half, 0], FLAGS[half]), aj.f1(VOTES[~half, 1], FLAGS[~half])]
    assert found["f1"] == pytest.approx(np.mean(each))
    assert found.annotators.humans == ()
    assert all(math.isnan(one.value) for one in found.annotators.agreement)
    assert "humans: each annotator" not in str(found)
    third = np.column_stack([votes, VOTES[:, 2]])
    (human,) = aj.evaluate(third, FLAGS, "f1", annotators=NAMES, chance=False).annotators.humans
    pairs = [
        aj.f1(third[own, a], third[own, b].astype(int))
        for own, c in ((half, 0), (~half, 1))
        for a, b in ((2, c), (c, 2))
    ]
    assert (human.value, human.pairs) == (pytest.approx(np.mean(pairs)), 4)
    assert not math.isnan(human.majority)


def test_an_annotator_alone_on_all_points_has_no_majority_of_others():
    votes = np.full((300, 3), np.nan)
    votes[:100, 0], votes[100:, 1], votes[100:, 2] = VOTES[:100, 0], VOTES[100:, 1], VOTES[100:, 2]
    (human,) = aj.evaluate(votes, FLAGS, "f1", annotators=NAMES, chance=False).annotators.humans
    pairs = [aj.f1(VOTES[100:, a], VOTES[100:, b]) for a, b in ((1, 2), (2, 1))]
    assert human.pairs == 2
    assert human.majority == human.value == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize(
    ("labels", "names", "metric", "said"),
    [
        (VOTES, ["ann", "bob", "ann"], "f1", "annotators must have different names, got 'ann'"),
        (VOTES, "ann", "f1", "annotators must be a list of names, got 'ann'"),
        (VOTES, [], "f1", "annotators must name at least one annotator, got none"),
        (VOTES, True, "f1", "annotators=True .*got labels without names"),
        (VOTES, ["ann", "bob"], "f1", "each of the 2 annotators, got shape \\(300, 3\\)"),
        (VOTES[:, 0], ["ann", "bob"], "f1", "each of the 2 annotators, got one for all"),
        (dict(zip("ab", VOTES.T, strict=False)), ["a", "b", "c"], "f1",
         "a column for each annotator, got none for 'c'; add it, or leave 'c' out of annotators"),
        (dict(zip("abc", VOTES.T, strict=True)), ["a", "b"], "f1",
         "unknown annotator 'c'; labels has it, annotators= does not"),
        (VOTES, NAMES, "channel_f1", "annotators= takes metrics of one channel, got channel_f1"),
        (VOTES, NAMES, "macro(f1)", "annotators= takes metrics of one channel, got macro\\(f1\\)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_annotators_is_said_of_annotators(labels, names, metric, said):
    for call in (aj.evaluate, aj.explain):
        with pytest.raises((InputError, UnknownName), match=said):
            call(labels, FLAGS, metric, annotators=names)


@pytest.mark.parametrize("votes", ["each", "pooled", "majority"])
def test_a_policy_makes_the_alarms_that_every_annotator_judges(votes):
    scores = FLAGS + np.random.default_rng(0).random(300) / 4
    at, given = "policy(0.9, after=2)", {"annotators": NAMES, "votes": votes, "chance": False}
    found = aj.evaluate(VOTES, scores, "f1", at=at, **given)
    flags = aj.explain(VOTES[:, 0], scores, "f1", at=at).flags.astype(int)
    plain = aj.evaluate(VOTES, flags, "f1", **given)
    assert found["f1"] == plain["f1"]
    assert found["f1"] != aj.evaluate(VOTES, scores, "f1", at=0.9, **given)["f1"]
    rows = zip(found.annotators.rows, plain.annotators.rows, strict=True)
    assert all(one["f1"] == other["f1"] for one, other in rows)
    assert found.rows[0].rule == at


def test_a_rule_learns_once_for_all_annotators():
    scores = np.arange(300) / 300
    votes = VOTES.astype(float)
    votes[200:, 1] = np.nan  # who judged only what scores low
    found = aj.evaluate(votes, scores, "f1", at="quantile(0.9)", annotators=NAMES)
    level = aj.quantile(0.9)(aj.Case(VOTES[:, 0], scores))
    assert (found.rows[0].at, found.rows[0].chosen_by) == (level, "rule")
    assert found.rows[0].shifts >= 299
