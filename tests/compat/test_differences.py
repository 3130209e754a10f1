"""Which conventions give the number that somebody printed."""

from functools import cache

import numpy as np
import pytest

import adjudge as aj
from adjudge import compat
from adjudge.compat import differences
from adjudge.compat.differences import conventions, explain_difference
from values import filled

LABELS = filled(300, (0, 20), (90, 130), (220, 230))
NOISE = np.random.default_rng(3)
SCORES = NOISE.normal(size=300) + 1.2 * LABELS
FLAGS = (SCORES > 1.5).astype(int)
SERIES = np.repeat([0, 1, 2], 100)


def tried(scores, at=None):
    """All conventions, with their values."""
    case = aj.Case(LABELS, scores)
    return dict(conventions(case, at, lambda *_: None))


@cache
def of_scores():
    return tried(SCORES)


@cache
def of_flags():
    return tried(FLAGS)


def names(scores, value, digits=4, **options):
    found = explain_difference(LABELS, scores, f"{value:.{digits}f}", **options)
    return [match.words for match in found.matches]


def at_steps(spec, *, equal):
    grid = np.linspace(SCORES.min(), SCORES.max(), 100)
    chosen = (SCORES >= level if equal else SCORES > level for level in grid)
    return max(aj.metric(spec)(LABELS, flags) for flags in chosen)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("best(f1_pa)", aj.best(aj.f1_pa)(LABELS, SCORES)),
        ("ap of the scores", aj.ap(LABELS, SCORES)),
        ("f1 at the 95 % percentile", aj.f1(LABELS, SCORES, at=float(np.percentile(SCORES, 95)))),
        (
            "f1 at the mean and 3 standard deviations",
            aj.f1(LABELS, SCORES, at=float(SCORES.mean() + 3 * SCORES.std())),
        ),
        (
            "f1_pa at the best of 100 even steps, score >= threshold",
            at_steps("f1_pa", equal=True),
        ),
        ("f1_ba at the best of 100 even steps, score > threshold", at_steps("f1_ba", equal=False)),
        ("auc_roc of the scores, inverted scores", aj.auc_roc(LABELS, -SCORES)),
        (
            "ap of the scores, without the first 15 %",
            aj.ap(LABELS[45:], SCORES[45:]),
        ),
        ("TSB-AD's PA-F1 (slidingWindow=100)", compat.get_metrics(SCORES, LABELS)["PA-F1"]),
        ("MOMENT's adjbestf1", compat.adjbestf1(LABELS, SCORES)),
    ],
)
def test_conventions_of_scores_have_their_values(words, value):
    assert of_scores()[words] == pytest.approx(value)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("f1_pa of the flags", aj.f1_pa(LABELS, FLAGS)),
        ('f1_ba(width=25, islands="all") of the flags',
         aj.f1_ba(LABELS, FLAGS, width=25, islands="all")),
        ("f1_pa, the first point never filled",
         aj.f1(LABELS, compat.adjust_predicts(FLAGS, LABELS, 0))),
        ("precision of the flags, normal points as the positive class",
         aj.precision(1 - LABELS, 1 - FLAGS)),
    ],
)  # fmt: skip
def test_conventions_of_flags_have_their_values(words, value):
    assert of_flags()[words] == pytest.approx(value)


def test_what_matches_is_named():
    assert names(FLAGS, aj.f1_pa(LABELS, FLAGS))[0] == "f1_pa of the flags"
    assert len(of_scores()) > 500
    assert len(of_flags()) > 200


def test_a_known_threshold_is_tried_both_ways():
    level = float(np.sort(SCORES)[-40])
    above, from_there = (aj.f1(LABELS, flags) for flags in (SCORES > level, SCORES >= level))
    assert above != from_there
    found = tried(SCORES, level)
    assert found[f"f1 at score > {level}"] == pytest.approx(above)
    assert found[f"f1 at score >= {level}"] == pytest.approx(from_there)
    value = aj.affiliation_f1(LABELS, SCORES, at=level)
    assert found[f"affiliation_f1 at score > {level}"] == pytest.approx(value)


def test_means_over_series_are_told_from_pooled_ones():
    value = np.mean([aj.ap(LABELS[SERIES == s], SCORES[SERIES == s]) for s in (0, 1, 2)])
    found = names(SCORES, value, series=SERIES)
    assert "ap of the scores, mean over series" in found
    assert "ap of the scores" not in found


def test_points_that_are_not_judged_stay_out():
    where = np.arange(300) >= 100
    value = aj.f1(LABELS, FLAGS, where=where)
    assert "f1 of the flags" in names(FLAGS, value, where=where)


def test_digits_decide_and_per_cent_is_understood():
    found = explain_difference(LABELS, FLAGS, f"{100 * aj.f1(LABELS, FLAGS):.3f}")
    assert "f1 of the flags" in [match.words for match in found.matches]
    few, many = (explain_difference(LABELS, FLAGS, f"{aj.f1(LABELS, FLAGS):.{d}f}") for d in (1, 5))
    assert few.tried == many.tried
    assert len(few.matches) > len(many.matches) >= 1
    assert few.by_accident == pytest.approx(few.tried / 10)
    hint = "if they were printed"
    assert [str(one).endswith(hint) for one in (few, many)] == [True, False]
    short = f"{aj.f1(LABELS, FLAGS):.4f}".removeprefix("0")
    assert explain_difference(LABELS, FLAGS, short).matches


def test_where_nothing_matches_the_nearest_is_named():
    found = explain_difference(LABELS, FLAGS, "0.123456789")
    assert found.matches == ()
    assert str(found).startswith("nearest: ")
    assert f"{found.tried} conventions tried, 0 give 0.123456789; by accident" in str(found)


@pytest.mark.parametrize("theirs", ["", "most", "1e3", 0.83])
def test_what_is_no_printed_number_is_refused(theirs):
    with pytest.raises(aj.InputError, match="theirs must be a"):
        explain_difference(LABELS, FLAGS, theirs)


def test_no_events_and_infinite_scores_are_no_trouble():
    assert explain_difference(np.zeros(300, int), FLAGS, "0.5").tried > 0
    scores = np.append(np.inf, SCORES[1:20])
    assert explain_difference(LABELS[:20], scores, "0.5").tried > 0
    assert explain_difference([1], [0.5], "1.0").tried > 0


def test_what_is_undefined_in_every_series_has_no_mean():
    found = dict(differences._mean_over_series(  # noqa: SLF001 - the same, and quick
        aj.Case(np.zeros(40, int), np.zeros(40, int), series=np.repeat([0, 1], 20)), None
    ))  # fmt: skip
    assert not [words for words in found if words.startswith(("f1", "precision", "recall"))]


HALF_MINUTES = np.datetime64("2026-01-01") + 30 * np.arange(300).astype("m8[s]")
DAYS = 300 * 30 / 86_400
FALSE_POINTS = "false alarms a day, NEDC epochs: flagged points outside events (f1)"


def a_day(scores, times, at=None):
    case = aj.Case(LABELS, scores, time=times)
    return dict(differences._a_day(case, at))  # noqa: SLF001 - the same, and quick


def test_false_alarms_a_day_are_counted_as_programs_for_eeg_do():
    found = a_day(FLAGS, HALF_MINUTES)
    assert found == a_day(SCORES, HALF_MINUTES, 1.5)
    assert found[FALSE_POINTS] == pytest.approx(np.sum(FLAGS > LABELS) / DAYS)
    runs = aj.metric("segment_f1").entries(aj.Case(LABELS, FLAGS))[0].tally
    words = "false alarms a day, NEDC OVERLAP: alarms that touch no event (segment_f1)"
    assert found[words] == pytest.approx((runs.flagged - runs.right) / DAYS)
    spec = 'event_recall_tolerant(before="30s", after="60s", merge="90s", split="5min")'
    recall = aj.metric(spec).reading(aj.Case(LABELS, FLAGS, time=HALF_MINUTES)).value
    assert found[f"{spec}, as SzCORE"] == recall


def test_times_with_uneven_steps_have_no_false_alarms_a_day():
    assert a_day(FLAGS, np.delete(np.append(HALF_MINUTES, HALF_MINUTES[-1] + 30), 7)) == {}


def test_a_number_of_false_alarms_a_day_is_no_per_cent():
    value = f"{np.sum(FLAGS > LABELS) / DAYS:.3f}"
    assert FALSE_POINTS in names(FLAGS, float(value), 3, time=HALF_MINUTES)
    assert FALSE_POINTS not in names(FLAGS, float(value) / 100, 3, time=HALF_MINUTES)


def test_it_is_told_how_far_it_is():
    told = []
    explain_difference(LABELS[:60], FLAGS[:60], "0.5", progress=lambda *now: told.append(now))
    assert [done for done, *_ in told] == list(range(len(told)))
    assert {total for _, total, _ in told} == {len(told) - 1}
    assert told[0][2] == "f1"


def recording():
    """Two days of EEG in steps of 6 s: ten seizures, and 17 bursts of short false alarms."""
    n = 2 * 86_400 // 6
    labels, flags = np.zeros((2, n), int)
    for seizure in range(10):
        start = 900 + 2_700 * seizure
        labels[start : start + 12] = 1
        flags[start + 2 : start + 12] = 1
    for burst in range(17):
        alarms = 17 if burst < 2 else 16  # a spike every 18 s: one burst to who joins within 90 s
        start = 350 + 1_650 * burst
        flags[start : start + 3 * alarms : 3] = 1
    return labels, flags, np.datetime64("2026-01-01") + 6 * np.arange(n).astype("m8[s]")


def test_the_same_detector_has_137_or_8_and_a_half_false_alarms_a_day_by_the_scorer():
    labels, flags, times = recording()
    found = dict(differences._a_day(aj.Case(labels, flags, time=times), None))  # noqa: SLF001
    rate = {words.removeprefix("false alarms a day, ").split(":")[0]: value
            for words, value in found.items()}  # fmt: skip
    assert rate["NEDC OVERLAP"] == rate["NEDC TAES"] == rate["NEDC epochs"] == 137
    assert rate["SzCORE"] == 8.5
    recalls = [aj.metric(spec)(labels, flags, time=times)
               for spec in ("segment_recall", "event_recall_tolerant")]  # fmt: skip
    assert recalls == [1, 1]


@pytest.mark.long
@pytest.mark.parametrize(("theirs", "scorer"), [("137.0", "NEDC OVERLAP"), ("8.50", "SzCORE")])
def test_a_printed_number_of_false_alarms_a_day_names_the_scorer(theirs, scorer):
    labels, flags, times = recording()
    found = explain_difference(labels, flags, theirs, time=times)
    assert any(scorer in match for match in map(str, found.matches))
