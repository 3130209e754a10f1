"""Channels as they are given: arrays, frames, incidents; and what is refused, with names."""

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.data.channels import ChannelReading, channel_cases, subsystems
from adjudge.errors import InputError, UnknownName

NAMES = ["temp", "flow", "amps"]
LABELS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]])
SCORES = np.arange(18.0).reshape(6, 3)


def the_case(labels=LABELS, scores=SCORES, names=NAMES, subsystem=None, **how):
    (case,) = channel_cases(labels, scores, names, subsystem, ChannelReading(**how))
    return case


def same(one, other):
    assert one.channels.names == other.channels.names
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.events.labels, other.events.labels)


def test_arrays_go_by_place_and_frames_by_name():
    frame = pd.DataFrame(SCORES, columns=NAMES)[NAMES[::-1]]
    same(the_case(), the_case(scores=frame))
    same(the_case(), the_case(labels=pd.DataFrame(LABELS, columns=NAMES)[NAMES[1:] + NAMES[:1]]))
    same(the_case(), the_case(scores=dict(zip(NAMES, SCORES.T, strict=True))))
    same(the_case(), the_case(scores=pd.DataFrame(SCORES, columns=NAMES), names=True))
    same(the_case(), the_case(labels=LABELS.tolist(), scores=SCORES.tolist()))


def test_several_detectors_are_a_dict_of_tables():
    found = channel_cases(LABELS, {"mine": SCORES, "theirs": -SCORES}, NAMES)
    assert [case.name for case in found] == ["mine", "theirs"]
    frames = {"mine": pd.DataFrame(SCORES, columns=NAMES)}
    same(the_case(), channel_cases(LABELS, frames, True)[0])


def test_incidents_in_points_and_in_time_are_the_same():
    start, end = [1, 2, 4], [3, 3, 5]
    how = {"id": ["x", "x", "y"], "channel": ["temp", "flow", "amps"], "kind": ["k", "k", "l"]}
    points = the_case(labels=aj.Incidents(start, end, **how))
    day = pd.date_range("2026-01-01", periods=6, freq="h")
    timed = the_case(labels=aj.Incidents(day[start], day[end], **how), time=day)
    same(points, timed)
    same(points, the_case())
    for case in (points, timed):
        truth = case.channels.truth
        assert (truth.ids, truth.kinds, truth.event.tolist()) == (("x", "y"), ("k", "l"), [0, 0, 1])


def test_one_label_for_all_channels_names_none():
    case = the_case(labels=LABELS.max(axis=1))
    assert case.channels.truth is None
    assert aj.any_channel(aj.auc_roc).reading(case).value == aj.auc_roc(
        LABELS.max(axis=1), SCORES.max(axis=1)
    )
    same_events = the_case(labels=aj.Events.from_labels(LABELS.max(axis=1)))
    np.testing.assert_array_equal(case.events.labels, same_events.events.labels)
    nowhere = the_case(labels=aj.Incidents([1], [3]))
    assert not nowhere.channels.named


def test_an_incident_without_a_channel_column_is_on_all_of_them():
    case = the_case(labels=aj.Incidents([1], [3]))
    assert case.events.labels.sum() == 3 * 2


def test_points_that_are_not_judged_are_cut_out_of_incidents():
    rows = aj.Incidents([1, 4], [4, 5], channel=["temp", "amps"])
    temp, flow, amps = the_case(labels=rows, where=[1, 1, 0, 1, 1, 1]).channels.events
    assert temp.labels.tolist() == [False, True, False, True, False, False]
    assert not flow.labels.any()
    assert amps.labels.tolist() == [False] * 4 + [True, False]


def test_one_channel_may_be_a_plain_column():
    for scores in (SCORES[:, 0], SCORES[:, 0].tolist()):
        same(the_case(LABELS[:, :1], SCORES[:, :1], ["temp"]),
             the_case(LABELS[:, 0], scores, ["temp"]))  # fmt: skip


def test_series_stay_outermost():
    series = ["p", "p", "p", "q", "q", "q"]
    case = the_case(series=series)
    assert case.events.series_bounds.tolist() == [0, 3, 6, 9, 12, 15, 18]
    assert case.events.names.tolist()[:2] == ["temp, p", "temp, q"]


def test_points_without_a_score_are_left_out_of_their_channel():
    scores = SCORES.copy()
    scores[2, 0] = np.nan
    with pytest.raises(InputError, match="channel 'temp': scores must be numbers, got nan"):
        the_case(scores=scores)
    case = the_case(scores=scores, missing="skip")
    assert case.parts[0].events.judged.tolist() == [True, True, False, True, True, True]
    assert case.parts[1].events.judged is None
    assert case.joined.events.judged.all()
    assert case.joined.scores[2] == 8
    integers = the_case(scores=np.where(np.isnan(scores), -1, scores).astype(int),
                        where=[1, 1, 0, 1, 1, 1])  # fmt: skip
    assert integers.joined.scores[2] == -np.inf


@pytest.mark.parametrize("seed", range(8))
def test_all_channels_as_one_are_judged_where_any_has_a_score(seed):
    rng = np.random.default_rng(seed)
    labels = np.repeat(rng.random((30, 3)) < 0.2, 2, axis=0).astype(int)
    scores = rng.integers(0, 4, labels.shape).astype(float)
    scores[rng.random(labels.shape) < 0.4] = np.nan
    seen = ~np.isnan(scores).all(axis=1)
    highest = np.where(np.isnan(scores), -1, scores).max(axis=1)
    asked = ["any_channel(f1)", "any_channel(event_f1)", "any_channel(specificity)"]
    found = aj.evaluate(labels, scores, asked, channels=NAMES, at=2, missing="skip", chance=False)
    whole = aj.evaluate(labels.max(axis=1), highest, ["f1", "event_f1", "specificity"], at=2,
                        where=seen, chance=False)  # fmt: skip
    assert [row.value for row in found.rows] == [row.value for row in whole.rows]
    pieces = [(c, e) for c in range(3) for e in aj.Events.from_labels(labels[:, c])]
    truth = aj.Incidents([e.start for _, e in pieces], [e.stop for _, e in pieces],
                         channel=[NAMES[c] for c, _ in pieces])  # fmt: skip
    asked = ["any_channel(f1)", "incident_affiliation_f1", "incident_f1"]
    by_id = aj.evaluate(truth, scores, asked, channels=NAMES, at=2, missing="skip", chance=False)
    assert by_id.rows[0].value == found.rows[0].value
    assert all(0 <= row.value <= 1 for row in by_id.rows)


def test_an_alarm_in_an_event_is_right_though_its_channel_has_no_score_there():
    truth, scores = aj.Incidents([1], [3], channel=["temp"]), np.zeros((6, 3))
    scores[1:3] = [np.nan, 9, 0]
    asked = ["incident_precision", "incident_recall"]
    found = aj.evaluate(truth, scores, asked, channels=NAMES, at=1, missing="skip", chance=False)
    assert [row.value for row in found.rows] == [1, 1]


def test_points_without_a_label_are_not_judged_on_their_channel():
    labels = LABELS.astype(float)
    labels[0, 1] = np.nan
    case = the_case(labels=labels, where=[1, 1, 1, 1, 1, 0])
    assert case.channels.events[1].judged.tolist() == [False, True, True, True, True, False]
    assert case.channels.events[0].judged.tolist() == [True] * 5 + [False]


def test_the_loudest_channel():
    assert the_case().loudest == ("amps", 1.0)
    assert the_case(scores=np.zeros((6, 3))).loudest == ("temp", 0.0)


def test_flags_are_joined_as_flags():
    case = the_case(scores=LABELS)
    assert case.is_flags
    assert case.joined.is_flags
    np.testing.assert_array_equal(case.joined.flags, LABELS.any(axis=1))
    half = the_case(scores=LABELS, where=[1, 1, 0, 1, 1, 1])
    assert not half.joined.flags[2]


def test_within_leaves_events_out():
    case = the_case().within(np.array([1, 0, 0, 1, 1, 1]) > 0)
    assert case.channels.truth.ids == ("2",)
    assert len(case.joined.events) == 1
    shared = the_case(labels=LABELS.any(axis=1)).within(np.array([1, 0, 0, 1, 1, 1]) > 0)
    assert shared.channels.truth is None  # nobody said which channel
    assert len(shared.joined.events) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"names": ["temp", "flow", "temp"]}, "different names, got 'temp' twice"),
        ({"names": []}, "at least one channel"),
        ({"names": "temp"}, "a list of names"),
        ({"names": True}, "scores without names"),
        ({"names": ["temp", "flow"]}, r"each of the 2 channels, got shape \(6, 3\)"),
        ({"scores": dict.fromkeys(NAMES[:2], SCORES[:, 0])}, "got none for 'amps'"),
        ({"labels": LABELS[:, :2]}, "labels must have a column for each"),
        (
            {"labels": {"temp": LABELS[:, 0], "flow": LABELS[:5, 1], "amps": LABELS[:, 2]}},
            "channel 'flow': labels and scores must be equally long, got 5 and 6 points",
        ),
        (
            {"labels": aj.Incidents([1, 3], [2, 4], id=["e", "e"], kind=["leak", "stall"])},
            "one kind for each id, got 'leak' and 'stall' of id 'e' in rows 1 and 2",
        ),
        ({"labels": aj.Incidents([1], [9], channel=["temp"])}, "within the 6 points, got 1 to 9"),
        (
            {"labels": aj.Incidents([1], [2], channel=["temp"]), "series": list("aaabbb")},
            "series must be left out",
        ),
        (
            {"labels": aj.Incidents(["2026-01-01"], ["2026-01-02"], channel=["temp"])},
            "time must be given",
        ),
        (
            {
                "labels": aj.Incidents(["2026-01-01 00:10"], ["2026-01-01 00:20"]),
                "time": pd.date_range("2026-01-01", periods=6, freq="h"),
            },
            "at least one point, got none in row 1",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        the_case(**given)


def test_a_channel_without_any_score_is_refused_by_name():
    scores = SCORES.copy()
    scores[:, 1] = np.nan
    with pytest.raises(InputError, match="channel 'flow'"):
        the_case(scores=scores, missing="skip")
    scores[:, 1] = -np.inf
    with pytest.raises(InputError, match="channel 'flow' must have scores"):
        the_case(scores=scores)


def test_unknown_names_are_refused():
    wrong = aj.Incidents([1], [2], channel=["tmp"])
    with pytest.raises(UnknownName, match="unknown channel 'tmp', did you mean 'temp'"):
        the_case(labels=wrong)
    with pytest.raises(UnknownName, match="scores has it, channels= does not"):
        the_case(scores=dict.fromkeys([*NAMES, "volt"], SCORES[:, 0]))
    with pytest.raises(UnknownName, match="subsystem 'x' names it"):
        the_case(subsystem={"x": ["tmp"]})


def test_indexes_must_agree():
    one, other = (pd.Series(SCORES[:, 0], index=range(i, i + 6)) for i in (0, 1))
    with pytest.raises(InputError, match="index"):
        the_case(scores={"temp": one, "flow": other, "amps": one})
    here, there = (pd.DataFrame(SCORES, columns=NAMES, index=range(i, i + 6)) for i in (0, 1))
    labels = pd.DataFrame(LABELS, columns=NAMES)
    the_case(labels=labels, scores=here)
    with pytest.raises(InputError, match="labels and scores must have the same index"):
        the_case(labels=labels, scores=there)
    with pytest.raises(InputError, match="labels and scores must have the same index"):
        the_case(labels=labels["temp"], scores=there)
    with pytest.raises(InputError, match=r"labels and scores\['new'\] must have the same index"):
        aj.evaluate(labels, {"old": here, "new": there}, channels=NAMES, at=2, chance=False)


def test_detectors_may_have_the_names_of_channels():
    judged = aj.evaluate(
        LABELS, dict.fromkeys(NAMES, SCORES), "macro(f1)", channels=NAMES, at=2, chance=False
    )
    assert judged.detectors == NAMES


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["temp"], "must be a dict"),
        ({"x": ["temp", "flow"], "y": ["temp", "amps"]}, "once, got 'temp' in 'x' and 'y'"),
        ({"x": ["temp", "flow"]}, "every channel, got none for 'amps'"),
    ],
)
def test_groups_that_do_not_fit_are_refused(given, said):
    with pytest.raises(InputError, match=said):
        subsystems(given, tuple(NAMES))


def test_groups_go_either_way():
    by_group = subsystems({"x": ["temp", "flow"], "y": ["amps"]}, tuple(NAMES))
    assert by_group == subsystems({"temp": "x", "flow": "x", "amps": "y"}, tuple(NAMES))
    assert subsystems(None, tuple(NAMES)) == ()


def test_two_dimensions_without_channels_name_both_ways_on():
    with pytest.raises(InputError, match=r"channels=.*annotators="):
        aj.f1(LABELS, SCORES)
