"""Inputs: each verb says of an input what it says of the short form, and nothing is said twice."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError

RNG = np.random.default_rng(1)
LABELS = np.tile(np.repeat([0, 1, 0], [30, 5, 25]), 4)
SCORES = RNG.random(LABELS.size) + 0.5 * LABELS
WORSE = RNG.random(LABELS.size) + 0.2 * LABELS
TIMES = np.datetime64("2026-01-05T00", "s") + np.arange(LABELS.size) * np.timedelta64(3600, "s")
INCIDENTS = aj.Incidents([10, 40, 70], [15, 50, 75], service=["a", "b", "a"])
MINE = aj.Alerts([12, 45, 60], [14, 46, 61], service=["a", "a", "b"], score=[0.9, 0.8, 0.3])
THEIRS = aj.Alerts([11, 90], [13, 91], service=["a", "b"], score=[0.9, 0.8])
TABLE = np.column_stack([LABELS, np.roll(LABELS, 3)])
SEVERAL, OTHERS = (np.column_stack([one, np.roll(one, 5)]) for one in (SCORES, WORSE))
SPAN = (0, 100)

INPUTS = {
    "points": (aj.Points, (LABELS, SCORES, WORSE), {"where": LABELS.cumsum() > 2}),
    "alerts": (aj.OnCall, (INCIDENTS, MINE, THEIRS), {"span": SPAN, "early": 2}),
    "channels": (aj.Channels, (TABLE, SEVERAL, OTHERS), {"channels": ["x", "y"]}),
    "annotators": (
        aj.Annotated, (TABLE, SCORES, WORSE), {"annotators": ["ann", "bob"], "votes": "any"},
    ),
}  # fmt: skip
AT = {"points": 0.8, "alerts": 0.5, "channels": 0.8, "annotators": 0.8}


def made(kind, scores, **more):
    """The input, and what its short form is called with."""
    make, (labels, *_), columns = INPUTS[kind]
    columns = columns | more
    renamed = {"channels": "names"}
    return make(labels, scores, **{renamed.get(k, k): v for k, v in columns.items()}), columns


@pytest.mark.parametrize("kind", INPUTS)
def test_an_input_is_judged_as_its_short_form(kind):
    labels, mine, theirs = INPUTS[kind][1]
    data, columns = made(kind, {"mine": mine, "theirs": theirs})
    at, both = AT[kind], {"mine": mine, "theirs": theirs}
    pairs = [
        (aj.evaluate(data, ["event_f1"], at),
         aj.evaluate(labels, both, ["event_f1"], at, **columns)),
        (aj.compare(data, "event_f1", at=at),
         aj.compare(labels, mine, theirs, "event_f1", at=at, names=("mine", "theirs"), **columns)),
        (aj.compare_all(data, "event_f1", at=at),
         aj.compare_all(labels, both, "event_f1", at=at, **columns)),
        (aj.explain(made(kind, mine)[0], "event_f1", at=at),
         aj.explain(labels, mine, "event_f1", at=at, **columns)),
    ]  # fmt: skip
    for one, other in pairs:
        assert (str(one), repr(one.to_dict())) == (str(other), repr(other.to_dict()))
    assert data.detectors == ["mine", "theirs"]
    assert data.only("theirs").detectors == ["theirs"]


def test_an_input_goes_through_every_other_door(tmp_path):
    data = aj.Points(LABELS, SCORES, time=TIMES)
    day = aj.OnCall(INCIDENTS, MINE, span=SPAN)
    how = {"window": "2d", "chance": False}
    assert str(aj.over_time(data, "f1", 0.8, **how)) == str(
        aj.over_time(LABELS, SCORES, "f1", 0.8, time=TIMES, **how)
    )
    assert len(aj.over_time(day, "event_recall", window=50, chance=False).rows) == 2
    decided = aj.decide(data, [0.8], "event_f1", blocks="1d")
    same = aj.decide(LABELS, SCORES, [0.8], "event_f1", blocks="1d", time=TIMES)
    assert str(decided) == str(same)
    few = {"versions": 20, "draws": 20, "shifts": 19}
    assert aj.calibrate(data, "f1", 0.8, **few)["detector"].held.of <= 20
    page = aj.report(data, "f1", 0.8, path=tmp_path / "page.html", over_time="2d", chance=False)
    assert page.read_text().startswith("<!doctype html>")


def test_incidents_on_a_grid_are_points_for_every_verb():
    day = aj.OnCall(INCIDENTS, {"mine": MINE, "theirs": THEIRS}, span=SPAN, every=1)
    points = day.only_points(None)
    assert points.detectors == ["mine", "theirs"]
    assert aj.compare(day, "f1").to_dict() == aj.compare(points, "f1").to_dict()
    assert aj.explain(day.only("mine"), "f1").value == aj.explain(points.only("mine"), "f1").value
    few = {"versions": 20, "draws": 20, "shifts": 19}
    assert aj.calibrate(day, "f1", **few)["mine"].better.of == 20


@pytest.mark.parametrize("every", [None, 1])
def test_progress_over_all_metrics_of_alerts_ends_with_all_done(every):
    seen = []
    aj.evaluate(
        INCIDENTS, MINE, "all", span=SPAN, every=every, progress=lambda *told: seen.append(told)
    )
    assert seen == [(k, len(seen)) for k in range(1, len(seen) + 1)]


def test_a_metric_that_one_detector_has_on_the_grid_alone_is_of_the_grid_in_windows_too():
    bare = aj.Alerts([11, 90], [13, 91], service=["a", "b"])
    day = aj.OnCall(INCIDENTS, {"scored": MINE, "bare": bare}, span=SPAN, every=1)
    window = SPAN[1] - SPAN[0]
    found = aj.over_time(day, "best(event_f1)", window=window, chance=False)
    points = aj.over_time(day.only_points(None), "best(event_f1)", window=window, chance=False)
    told = [(row.detector, row.value, row.at, row.points) for row in found.rows]
    assert told == [(row.detector, row.value, row.at, row.points) for row in points.rows]
    assert [row.value for row in found.rows] == [row.value for row in found.whole.rows]


def test_metrics_of_points_on_a_grid_are_held_against_the_chance_that_was_asked_for():
    how = {"span": SPAN, "every": 1}
    rows = [
        aj.evaluate(INCIDENTS, MINE, ["f1", "event_f1"], **how, **more).rows[0]
        for more in ({"shifts": 7}, {"null": "nearby"}, {"null": "nearby", "shifts": 7, "seed": 3})
    ]
    assert (rows[0].shifts, rows[2].shifts) == (7, 7)
    assert rows[0].null != rows[1].null == rows[2].null


@pytest.mark.parametrize("kind", INPUTS)
def test_progress_counts_each_metric_of_each_detector(kind):
    _, (labels, mine, theirs), columns = INPUTS[kind]
    seen = []
    aj.evaluate(labels, {"a": mine, "b": theirs}, ["event_f1", "event_recall"], at=AT[kind],
                chance=False, progress=lambda *told: seen.append(told), **columns)  # fmt: skip
    assert seen[-1] == (4, 4)


DAY = aj.OnCall(INCIDENTS, MINE, span=SPAN)
TWO = {"mine": MINE, "theirs": THEIRS}
REFUSED = {
    "a column beside an input": (
        lambda: aj.evaluate(DAY, "event_f1", span=SPAN),
        r"must be given in aj.OnCall\(incidents, alerts, ...\), not",
    ),
    "scores beside an input": (
        lambda: aj.evaluate(labels=DAY, scores=MINE), "scores must be given in aj.OnCall",
    ),
    "no scores": (lambda: aj.evaluate(LABELS), "scores must be given"),
    "a detector alone": (lambda: aj.compare(aj.Points(LABELS, SCORES)), "got 1 detectors"),
    "names of an input": (
        lambda: aj.compare(aj.OnCall(INCIDENTS, TWO, span=SPAN), names=("x", "y")),
        "names must come with a and b",
    ),
    "one name twice": (
        lambda: aj.compare(LABELS, SCORES, WORSE, names=("x", "x")), "names must",
    ),
    "two detectors to explain": (
        lambda: aj.explain(aj.OnCall(INCIDENTS, TWO, span=SPAN), "event_f1"), "explain one at a ti",
    ),
    "channels and annotators": (
        lambda: aj.evaluate(TABLE, SEVERAL, channels=["x", "y"], annotators=True), "not both",
    ),
    "channels of alerts": (
        lambda: aj.evaluate(INCIDENTS, MINE, span=SPAN, channels=["x"]),
        "channels must be left out with incidents and alerts, .* goes with aj.Channels",
    ),
    "points to judge among alerts": (
        lambda: aj.explain(INCIDENTS, MINE, "event_f1", span=SPAN, where=[True]),
        "where must be left out with incidents and alerts, .* here use watched= or outages=",
    ),
    "incidents as points": (lambda: aj.Points(INCIDENTS, SCORES), "give them to aj.OnCall"),
    "alerts as points": (lambda: aj.Points(MINE, INCIDENTS), "are labels and scores swapped"),
    "points as incidents": (lambda: aj.OnCall(LABELS, MINE), "incidents must be Incidents"),
    "sort as text": (lambda: aj.Points(LABELS, SCORES, sort="yes"), "sort must be"),
    "a vote there is not": (
        lambda: aj.Annotated(TABLE, SCORES, ["ann", "bob"], votes="most"), "votes must be one of",
    ),
    "a kind that a verb does not take": (
        lambda: aj.decide(TABLE, SEVERAL, metric="f1", channels=["x", "y"]),
        "decide takes aj.Points or aj.OnCall, got several channels",
    ),
    "a kind that has no windows": (
        lambda: aj.over_time(TABLE, SEVERAL, "f1", channels=["x", "y"], window="1d"),
        "over_time takes aj.Points or aj.OnCall, got several channels",
    ),
    "a policy on several channels": (
        lambda: aj.evaluate(TABLE, SEVERAL, "f1(at=policy(0.5, after=2))", channels=["x", "y"]),
        r"policy\(0.5, after=2\) must have scores or flags, got several channels",
    ),
    "a clock without chance": (
        lambda: aj.evaluate(LABELS, SCORES, "auc_roc", chance=False, clock="shared"),
        "clock must be 'auto' without the chance line",
    ),
    "no grid": (lambda: aj.calibrate(DAY, draws=20), "events are drawn again on a grid alone"),
    "a grid to decide on": (
        lambda: aj.decide(INCIDENTS, MINE, metric="event_f1", span=SPAN, every=1), "every must be",
    ),
    "draws of alerts": (
        lambda: aj.compare(aj.OnCall(INCIDENTS, TWO, span=SPAN), "event_f1", draws=9), "draws must",
    ),
    "severity without a price": (
        lambda: aj.decide(LABELS, SCORES, metric="f1", time=TIMES, severity=["x"] * 4),
        "severity needs costs=",
    ),
    "a service by number": (
        lambda: aj.OnCall(INCIDENTS, MINE, span=SPAN, services=3), "services must be True",
    ),
    "a coding of events": (
        lambda: aj.evaluate(aj.Events.from_labels(LABELS), SCORES, "ap", positive=1),
        "positive must be left out",
    ),
    "missing positions": (
        lambda: aj.evaluate(aj.Changes([3], 9), aj.Changes([4], 9), missing="skip"),
        "missing must be left out",
    ),
    "positions in the order of time": (
        lambda: aj.evaluate(aj.Changes([3], 9), np.arange(9), sort=True, time=range(9)),
        "sort=True needs",
    ),
    "a column beside a folder": (
        lambda: aj.rank(aj.Folder({"a": (LABELS, {"mine": SCORES})}), missing="skip"),
        r"missing must be given in aj.Folder\(data, ",
    ),
    "tuned by a metric, on nothing": (
        lambda: aj.rank({"a": (LABELS, {"mine": SCORES})}, tune_by="f1"), "must come with tune_on=",
    ),
    "a sensor beside alerts": (lambda: aj.report(DAY, signal=SCORES), "signal must be left out"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_an_input_cannot_use_is_refused_by_name(name):
    call, message = REFUSED[name]
    with pytest.raises(InputError, match=message):
        call()


def test_services_may_be_said_by_their_column():
    assert aj.OnCall(INCIDENTS, MINE, span=SPAN, services="service").cases[0].count.tally == (
        DAY.cases[0].count.tally
    )


def test_channels_with_a_gap_in_time_are_judged_one_by_one():
    gaps = TIMES + np.where(np.arange(LABELS.size) < 33, 0, 48) * np.timedelta64(3600, "s")
    found = aj.evaluate(TABLE, SEVERAL, ["micro(event_recall)"], at=0.8, channels=["x", "y"],
                        time=gaps, chance=False)  # fmt: skip
    each = [aj.evaluate(TABLE[:, k], SEVERAL[:, k], "event_recall", at=0.8, time=gaps, chance=False)
            for k in range(2)]  # fmt: skip
    counts = [len(one.cases[0].events) for one in each]
    assert counts == [5, 4]  # the gap lies in an event of the first
    shares = [one["event_recall"] for one in each]
    assert found["micro(event_recall)"] == pytest.approx(np.average(shares, weights=counts))


def test_a_folder_is_ranked_as_its_short_form():
    data = {name: (LABELS, {"mine": SCORES, "theirs": WORSE}) for name in "abc"}
    folder = aj.Folder(data, missing="skip", min_coverage=0.5)
    one = aj.rank(folder, "f1", at=0.8, chance=False)
    other = aj.rank(data, "f1", at=0.8, chance=False, missing="skip", min_coverage=0.5)
    assert one.leaderboard == other.leaderboard


STORM = aj.Incidents([100, 400], [150, 460])


def test_what_alerts_or_changes_have_no_use_for_is_refused_by_name():
    with pytest.raises(InputError, match=r"^oracle must be left out"):
        aj.evaluate(STORM, aj.Alerts([120]), oracle=False, span=(0, 1000))
    changes = aj.Changes([40, 80], 100)
    with pytest.raises(InputError, match=r"^draws must be left out"):
        aj.compare(changes, aj.Changes([41, 83], 100), aj.Changes([42], 100), "change_f1", draws=9)


def test_detectors_that_are_both_silent_are_compared_without_an_interval():
    found = aj.compare(STORM, aj.Alerts([]), aj.Alerts([]), "event_f1", span=(0, 1000))
    assert (found.a, found.b, found.difference) == (0, 0, 0)
    assert np.isnan([found.low, found.high]).all()


def test_a_folder_owns_no_inner_join_without_files_to_join(tmp_path):
    (tmp_path / "one.csv").write_text("label,score\n0,1\n1,2\n")
    with pytest.raises(InputError, match="inner must come with score_folder="):
        aj.rank(aj.Folder(tmp_path, inner=True))


def test_a_new_kind_of_data_has_the_verbs_of_the_kind_it_is_made_from():
    class Recorded(aj.Points):
        noun = "recorded points"

    mine, plain = (kind(LABELS, SCORES, time=TIMES) for kind in (Recorded, aj.Points))
    assert str(aj.explain(mine, "f1", at=0.8)) == str(aj.explain(plain, "f1", at=0.8))
    mine, plain = (aj.decide(data, metric="f1", blocks="1d") for data in (mine, plain))
    assert str(mine) == str(plain)
