"""evaluate with several channels: rows, tables, thresholds, two chances, and what is refused."""

import json
import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from adjudge.errors import InputError
from adjudge.judging.words.citation import citation
from sampling import one_in

NAMES = ["temp", "flow", "amps"]
GROUPS = {"heat": ["temp", "flow"], "power": ["amps"]}


def story(n=900):
    """Nine events on one or two of three sensors; eight are seen where they are."""
    rng = np.random.default_rng(1)
    labels, scores = np.zeros((n, 3), int), rng.normal(size=(n, 3))
    for place, start in enumerate([40, 95, 230, 260, 371, 480, 660, 700, 830]):
        for channel in {place % 3, (place + place % 2) % 3}:
            labels[start : start + 12, channel] = 1
            if place != 4:
                scores[start + 2 : start + 10, channel] += 5
    return labels, scores


LABELS, SCORES = story()


@pytest.fixture(scope="module")
def judged():
    return aj.evaluate(LABELS, SCORES, at=3.5, channels=NAMES, subsystem=GROUPS)


def test_the_usual_metrics_of_all_channels_as_one_and_of_channels(judged):
    joined = aj.evaluate(LABELS.max(axis=1), SCORES.max(axis=1), at=3.5)
    for row in joined.rows:
        assert judged[f"any_channel({row.requested})"] == row.value
    assert [row.requested for row in judged.rows][-4:] == [
        "channel_f1", "channel_precision", "channel_recall", "subsystem_f1",
    ]  # fmt: skip
    assert judged.verdicts["detector"].startswith("detector is better than chance: any_channel(f1")


def test_all_as_one_has_the_chance_line_of_the_joined_case(judged):
    joined = aj.evaluate(LABELS.max(axis=1), SCORES.max(axis=1), at=3.5)
    for one, other in zip(judged.rows, joined.rows, strict=False):
        assert (one.chance, one.p_value, one.low) == (other.chance, other.p_value, other.low)


def test_channels_one_by_one(judged):
    rows = {row["channel"]: row for row in judged.channels.rows}
    assert list(rows) == NAMES
    for place, name in enumerate(NAMES):
        alone = aj.evaluate(
            LABELS[:, place], SCORES[:, place], "event_recall", at=3.5, chance=False
        )
        assert rows[name]["found"] == sum(event["found"] for event in alone.events)
        assert rows[name]["events"] == len(alone.events)


def test_two_questions_have_two_answers():
    """A detector that finds every event and points at random channels knows when, not which."""
    rng = np.random.default_rng(0)
    n, names = 1200, [f"c{i}" for i in range(6)]
    labels, right, wrong = np.zeros((3, n, 6), int)
    for start in np.cumsum(rng.integers(20, 110, 16)):
        labels[start : start + 9, rng.choice(6, 2, replace=False)] = 1
        wrong[start : start + 9, rng.choice(6, 2, replace=False)] = 1
    right[:] = labels
    found = aj.evaluate(
        labels, {"knows": right, "guesses": wrong}, "channel_f1(beta=0.5)", channels=names
    )
    when = {row.detector: row.p_value for row in found.rows}
    which = {one.detector: one for one in found.channels.which}
    assert max(when.values()) < 0.05
    assert which["knows"].p_value < 0.005
    assert which["guesses"].p_value > 0.05
    assert which["guesses"].value == pytest.approx(which["guesses"].chance, abs=0.15)
    assert found["knows", "channel_f1(beta=0.5)"] == 1


def test_metrics_without_a_wrapper_take_all_channels_as_one():
    found = aj.evaluate(LABELS, SCORES, "f1", at=3.5, channels=NAMES, chance=False)
    assert found.rows[0].metric == "any_channel(f1)"
    assert found["f1"] == found["any_channel(f1)"]


def test_which_channel_is_asked_of_those_alone_that_know_it(judged):
    found = aj.evaluate(LABELS, SCORES, "f1", at=3.5, channels=NAMES, chance=False)
    titles = [[table.title for table in each.channels.tables] for each in (found, judged)]
    own, trouble = "detector by channel", "events that were missed, or found on other channels"
    assert titles == [[own, trouble], [own, "which channel?", trouble]]
    with pytest.raises(InputError, match="is about channel names"):
        aj.evaluate(LABELS, SCORES, "f1", at=3.5, channels=NAMES, null="renamed")


def test_a_rule_or_a_dict_has_a_threshold_for_each_channel():
    given = {"metrics": ["any_channel(f1)", "micro(f1)", "macro(f1)", "channel_f1"],
             "channels": NAMES, "chance": False}  # fmt: skip
    unlike = SCORES * [1, 10, 100]
    rule = aj.quantile(0.95)
    levels = {n: rule(aj.Case(LABELS[:, i], unlike[:, i])) for i, n in enumerate(NAMES)}
    by_rule = aj.evaluate(LABELS, unlike, at=rule, **given)
    by_dict = aj.evaluate(LABELS, unlike, at=levels, **given)
    flags = np.stack([unlike[:, i] > levels[n] for i, n in enumerate(NAMES)], axis=1)
    plain = aj.evaluate(LABELS, flags, **given)
    for spec in given["metrics"]:
        assert by_rule[spec] == by_dict[spec] == plain[spec]
    assert {row.chosen_by for row in by_rule.rows} == {"rule"}
    assert by_rule.rows[0].rule == "quantile(0.95), on each channel"


def test_without_a_threshold_the_best_is_taken_and_causes_are_asked_for():
    found = aj.evaluate(LABELS, SCORES, channels=NAMES, chance=False)
    asked = [row.requested for row in found.rows]
    assert "any_channel(best(f1_ba))" in asked
    assert asked[-1] == "cause_hit_rate"
    assert "found" not in found.channels.rows[0]


def test_one_label_for_all_asks_for_no_channel():
    found = aj.evaluate(LABELS.max(axis=1), SCORES, channels=NAMES, at=3.5, chance=False)
    assert all(row.metric.startswith("any_channel(") for row in found.rows)


@pytest.mark.parametrize("at", one_in(3, [3.5, None, "quantile(0.95)", "dict"]))
def test_one_channel_gives_the_rows_of_the_plain_call(at):
    """To the last bit: value, threshold, chance, interval and all that is written."""
    given = at if at != "dict" else 3.5
    best = "best({})" if at is None else "{}"
    asked = ["f1", "f1_ba", "event_f1", "recall_pa"]
    plain = aj.evaluate(LABELS[:, 0], SCORES[:, 0], [*map(best.format, asked), "ap"], at=given)
    rows = [_but_names(row) for row in plain.to_dict()["rows"]]
    wrapped = ["any_channel({})", "micro({})", "macro({})"]
    wrapped += ["best(micro({}))", "best(macro({}))"] if at is None else []
    given = {"temp": 3.5} if at == "dict" else at
    for over in wrapped:
        specs = [over.format(one if over[:4] == "best" else best.format(one)) for one in asked]
        specs += [] if over[:4] == "best" else [over.format("ap")]
        if over == "micro({})" and at is None:
            continue  # around one threshold for all: best(micro(...))
        own = aj.evaluate(LABELS[:, :1], SCORES[:, :1], specs, at=given, channels=["temp"])
        for spec, mine, other in zip(specs, own.to_dict()["rows"], rows, strict=False):
            assert mine["requested"] == spec
            assert _but_names(mine) == other, spec


def _but_names(row):
    """A row without the names of its metric, and what depends on the other rows beside it."""
    return str({k: v for k, v in row.items() if k not in {"metric", "requested", "p_adjusted"}})


def test_results_are_printed_and_written(judged):
    text = str(judged)
    for part in ("any_channel f1_ba", "detector by channel", "which channel?",
                 "3 channels have only 6 orders"):  # fmt: skip
        assert part in text
    written = json.loads(judged.to_json())
    assert written["channels"]["names"] == NAMES
    assert len(written["channels"]["which"]) == 4
    assert len(judged.to_frame()) == len(judged.rows)
    assert "by channel" in judged.to_markdown()
    assert "channels" not in json.loads(aj.evaluate([0, 1], [0, 1], chance=False).to_json())


def test_means_are_listed_channel_by_channel():
    found = aj.evaluate(LABELS, SCORES, ["macro(f1)", "macro(best(f1))"], at=3.5, channels=NAMES)
    values = [row["f1"] for row in found.channels.rows]
    assert found["macro(f1)"] == pytest.approx(np.mean(values))
    assert found["macro(best(f1))"] == pytest.approx(
        np.mean([row["best(f1)"] for row in found.channels.rows])
    )
    assert all(row.low < row.value < row.high for row in found.rows)


def test_points_without_a_score_are_counted_and_left_out_of_the_time_in_alarm():
    scores = SCORES.copy()
    scores[:90, 0] = scores[:30, 1] = scores[:20, 2] = np.nan
    asked = ["f1", "macro(f1)", "channel_f1"]
    given = {"at": 3.5, "channels": NAMES, "missing": "skip", "chance": False}
    found = aj.evaluate(LABELS, scores, asked, **given)
    assert [row.skipped for row in found.rows] == [20, 140, 140]  # of all as one, one by one
    assert "140 points without a score left out" in str(found)
    alone = aj.time_in_alarm(at=3.5)(LABELS[90:, 0], scores[90:, 0])
    assert found.channels.rows[0]["time in alarm"] == alone
    part = np.arange(900) % 300 < 200
    inside = aj.evaluate(LABELS, SCORES, asked, at=3.5, channels=NAMES, where=part, chance=False)
    assert [row.skipped for row in inside.rows] == [0, 0, 0]
    flags = aj.time_in_alarm(at=3.5)(LABELS[part, 1], SCORES[part, 1])
    assert inside.channels.rows[1]["time in alarm"] == flags


def test_coverage_is_of_the_points_that_have_a_score():
    labels, scores = np.zeros((2, 20, 2))
    labels[4:8] = 1
    scores[6:8, 0], scores[4:6, 0] = 1, np.nan
    given = {"at": 0.5, "channels": ["a", "b"], "missing": "skip", "chance": False}
    found = aj.evaluate(labels, scores, "channel_f1", **given)
    assert [row["coverage"] for row in found.channels.on_channels] == [1, 0]
    assert found.channels.events[0]["coverage"] == 0.5
    scores[:, 1] = np.where(labels[:, 1], np.nan, 0)
    labels[8, 0], scores[8, 1] = 1, 1  # within the event, and after all labels of b
    late = aj.evaluate(labels, scores, "channel_f1", **given).channels.on_channels[1]
    assert late["found"]
    assert math.isnan(late["coverage"])


def test_a_loud_channel_is_named():
    found = aj.evaluate(
        LABELS, SCORES + np.array([0, 0, 9]), "auc_roc", channels=NAMES, chance=False
    )
    assert any("amps alone has the highest score" in note for note in found.channels.notes)


def test_overlapping_incidents_stay_apart():
    truth = aj.Incidents(
        [10, 12, 40], [20, 24, 50], id=["x", "y", "z"], channel=["temp", "flow", "amps"]
    )
    flags = np.zeros((100, 3), int)
    flags[13, 0] = flags[45, 2] = 1
    found = aj.evaluate(truth, flags, ["channel_recall", "event_recall"], channels=NAMES)
    assert found["channel_recall"] == pytest.approx(2 / 3)
    assert found["event_recall"] == 1  # as one, two of them are one event


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sort": True}, "sort must be left out"),
        ({"metrics": "all"}, "metrics must be left out"),
        ({"per_series": True}, "per_series must be left out"),
        ({"span": (0, 1)}, "span must be left out"),
        ({"at": {"temp": 1}}, "a threshold for each channel, got none for"),
        ({"at": {**dict.fromkeys(NAMES, 1), "volt": 2}}, "got one for 'volt'"),
        ({"at": aj.tuned("f1", on=slice(0, 9))}, "a number, a rule or a dict"),
        ({"annotators": ["a", "b"]}, "not both"),
    ],
)
def test_what_does_not_go_with_channels_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        aj.evaluate(LABELS, SCORES, channels=NAMES, **given)


def test_what_goes_with_channels_alone_is_refused_without():
    with pytest.raises(InputError, match=r"subsystem must be left out with points, .* aj.Channels"):
        aj.evaluate(LABELS[:, 0], SCORES[:, 0], subsystem=GROUPS)
    with pytest.raises(InputError, match=r"votes must be left out with points, .* aj.Annotated"):
        aj.evaluate(LABELS[:, 0], SCORES[:, 0], votes="majority")


def test_time_and_frames_are_taken():
    when = pd.date_range("2026-01-01", periods=len(LABELS), freq="min")
    labels, scores = (pd.DataFrame(t, columns=NAMES, index=when) for t in (LABELS, SCORES))
    found = aj.evaluate(
        labels, scores, ["micro(detection_delay)", "macro(detection_delay)"], at=3.5,
        channels=True, chance=False,
    )  # fmt: skip
    assert all(row.seconds == row.value * 60 for row in found.rows)
    uneven = when + pd.to_timedelta(np.arange(len(when)) ** 2, unit="s")
    mean = aj.evaluate(LABELS, SCORES, "macro(detection_delay)", at=3.5, channels=NAMES,
                       time=uneven, chance=False)  # fmt: skip
    assert math.isnan(mean.rows[0].seconds)


def kinds():
    """Twelve events of two kinds: all spikes are found, no drift is."""
    starts = np.arange(12) * 60 + 10
    kind = ["spike", "drift"] * 6
    truth = aj.Incidents(
        starts, starts + 8, id=[f"e{i}" for i in range(12)], kind=kind,
        channel=[NAMES[i % 3] for i in range(12)],
    )  # fmt: skip
    flags = np.zeros((800, 3), int)
    for place, start in enumerate(starts):
        if kind[place] == "spike":
            flags[start + 1, place % 3] = 1
    flags[starts[0] + 2, 1] = 1
    return aj.evaluate(truth, flags, "channel_f1", channels=NAMES, chance=False)


@pytest.mark.parametrize(
    ("spec", "cited"),
    [
        ("any_channel(f1_ba)", "any_channel(f1_ba(width=13, "),
        ("micro(f1_ba(width=5))", "micro(f1_ba(width=5, "),
        ("macro(f1_ba(width=5))", "macro(f1_ba(width=5, "),
    ],
)
def test_the_line_to_cite_says_how_channels_are_put_together(spec, cited):
    found = aj.evaluate(LABELS, SCORES, spec, at=3.5, channels=NAMES, chance=False)
    assert citation(found.rows[0], "0.1").startswith(f"to cite: {cited}")


def test_sums_over_channels_have_their_raw_counts():
    asked = ["micro(f1)", "any_channel(f1)", "macro(f1)", "best(micro(f1))", "micro(auc_roc)"]
    found = aj.evaluate(LABELS, SCORES, asked, at=3.5, channels=NAMES, chance=False)
    micro, one = found.counts[:2]
    flags = SCORES > 3.5
    assert micro["tp"] == int((flags & (LABELS == 1)).sum())
    assert (micro["fp"], micro["fn"]) == (int((flags & (LABELS == 0)).sum()),
                                          int((~flags & (LABELS == 1)).sum()))  # fmt: skip
    assert micro["tp"] + micro["fp"] + micro["fn"] + micro["tn"] == LABELS.size
    assert found["micro(f1)"] == 2 * micro["tp"] / (2 * micro["tp"] + micro["fp"] + micro["fn"])
    assert micro["events_found"] == sum(row["found"] for row in found.channels.rows)
    assert one["tp"] == int((flags.any(axis=1) & LABELS.any(axis=1)).sum())
    assert [row["metric"] for row in found.counts] == ["micro(f1)", "any_channel(f1)"]
    scores = aj.evaluate(LABELS, SCORES, "best(micro(f1))", channels=NAMES, chance=False)
    assert scores.counts == ()


def test_a_mean_says_of_which_channels_it_is():
    labels = LABELS.copy()
    labels[:, 1:] = 0
    asked = ["macro(event_recall)", "macro(specificity)"]
    found = aj.evaluate(labels, SCORES, asked, at=3.5, channels=NAMES, chance=False)
    said = "macro(event_recall): mean of 1 of 3 channels, undefined on flow, amps"
    assert found.channels.notes == [said]
    assert said in " ".join(str(found).split())
    two = {"x": SCORES, "y": SCORES}
    both = aj.evaluate(labels, two, asked, at=3.5, channels=NAMES, chance=False)
    assert both.channels.notes == [f"x: {said}", f"y: {said}"]


def test_events_say_where_it_is_silent_and_where_it_alarms_besides():
    found = kinds()
    first, second = found.channels.events[:2]
    assert (first["found"], first["silent"], first["elsewhere"]) == (True, [], ["flow"])
    assert (second["found"], second["silent"], second["kind"]) == (False, ["flow"], "drift")


def test_kinds_that_are_missed_more_than_chance_explains():
    by = kinds().by("kind")
    drift, spike = by.tested
    assert (drift.part, drift.judged, drift.found, spike.found) == ("drift", 6, 0, 6)
    assert drift.p_missed == pytest.approx(1 / math.comb(12, 6))
    assert drift.p_adjusted == pytest.approx(2 / math.comb(12, 6))
    assert spike.p_missed == 1
    assert (drift.low, drift.high) == (0, pytest.approx(0.459, abs=1e-3))
    assert "drift is missed more often than the others: found 0 of 6" in " ".join(str(by).split())
    assert len(kinds().by("channel").notes) == 1  # what p is, and no channel is worse
    assert [row["judged"] for row in kinds().by("channel").rows] == [4, 4, 4]
    with pytest.raises(InputError, match="by='colour' needs events that have one"):
        kinds().by("colour")
    with pytest.raises(InputError, match="by='series' needs series="):
        kinds().by("series")


def overlapping(seed):
    """Events with ids, pieces and severities that overlap, and flags, of few points."""
    rng = np.random.default_rng(seed)
    rows = {}
    for _ in range(8):
        start = int(rng.integers(0, 30))
        event, channel = int(rng.integers(0, 4)), NAMES[rng.integers(0, 3)]
        rows[event, channel, start] = start + int(rng.integers(1, 9))
    ids = [event for event, _, _ in rows]
    truth = aj.Incidents(
        [start for _, _, start in rows], list(rows.values()), id=ids,
        channel=[channel for _, channel, _ in rows], severity=[f"s{i % 2}" for i in ids],
    )  # fmt: skip
    return truth, rows, (rng.random((40, 3)) < 0.2).astype(int)


@pytest.mark.parametrize("seed", range(6))
def test_events_on_a_channel_are_found_covered_and_late_by_that_channel(seed):
    truth, rows, flags = overlapping(seed)
    judged = aj.evaluate(truth, flags, "channel_f1", channels=NAMES, chance=False)
    points = {}
    for (event, channel, start), stop in rows.items():
        points.setdefault(event, {}).setdefault(channel, set()).update(range(start, stop))
    expected = {name: [] for name in NAMES}
    for own in points.values():
        whole = set().union(*own.values())
        for channel, here in own.items():
            column = flags[:, NAMES.index(channel)]
            hits = sorted(t for t in here if column[t])
            first = hits[0] if hits else None
            while first is not None and first > 0 and column[first - 1]:
                first -= 1
            late = None if first is None else first - min(whole)
            found = any(column[t] for t in whole)
            expected[channel].append((found, late, len(hits) / len(here)))
    for name, told in expected.items():
        own = [row for row in judged.channels.on_channels if row["channel"] == name]
        assert sorted(map(str, ((r["found"], r["delay"], r["coverage"]) for r in own))) == sorted(
            map(str, told)
        )
    by = {row["part"]: row for row in judged.by("channel").rows}
    assert {n: r["found"] for n, r in by.items()} == {
        n: sum(found for found, _, _ in told) for n, told in expected.items() if told
    }
    any_flag = flags.max(axis=1)
    for row in judged.channels.events:
        whole = set().union(*points[int(row["id"])].values())
        assert row["coverage"] == pytest.approx(np.mean([any_flag[t] for t in whole]))


def test_events_with_ids_go_by_severity_and_by_their_own_length():
    truth, rows, flags = overlapping(1)
    judged = aj.evaluate(truth, flags, "channel_f1", channels=NAMES, chance=False)
    ids = {event for event, _, _ in rows}
    assert [row["judged"] for row in judged.by("severity").rows] == [
        sum(event % 2 == half for event in ids) for half in (0, 1)
    ]
    lasts = [
        max(stop for (e, *_), stop in rows.items() if e == event)
        - min(start for e, _, start in rows if e == event)
        for event in ids
    ]
    by = judged.by("length", bins=[12])
    assert [row["judged"] for row in by.rows] == [
        sum(one < 12 for one in lasts), sum(one >= 12 for one in lasts),
    ]  # fmt: skip
    when = pd.date_range("2026-01-01", periods=40, freq="2s")
    once, alarm = aj.Incidents([when[5]], [when[9]], channel=["temp"]), np.zeros((40, 3), int)
    alarm[6] = 1
    timed = aj.evaluate(once, alarm, "channel_f1", channels=NAMES, time=when, chance=False)
    assert timed.channels.events[0]["delay_seconds"] == 2
    assert timed.by("channel").rows[0]["delay_median_seconds"] == 2


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (LABELS, "by='kind' needs events that have one; got labels"),
        (0 * LABELS, "needs events and alarms"),
    ],
)
def test_labels_have_no_kinds_to_part_events_by(labels, said):
    found = aj.evaluate(labels, SCORES, "f1", at=3.5, channels=NAMES, chance=False)
    with pytest.raises(InputError, match=said):
        found.by("kind")


def test_many_events_in_trouble_are_cut_short_and_none_is_no_table():
    labels = np.zeros((400, 2), int)
    for start in range(0, 400, 30):
        labels[start : start + 5, 0] = 1
    quiet, right = (
        aj.evaluate(labels, flags, "f1", channels=["a", "b"], chance=False).channels
        for flags in (0 * labels, labels)
    )
    assert quiet.tables[-1].title.endswith("other channels, and 6 more")
    assert [table.title for table in right.tables] == ["detector by channel"]
    two = {"x": 0 * labels, "y": labels}
    both = aj.evaluate(labels, two, "f1", channels=["a", "b"], chance=False).channels
    assert both.tables[-1].rows[0] == ["x: [0, 5)", "a", "missed"]


def test_rows_at_a_threshold_have_raw_counts_in_the_json(judged):
    rows = {row["requested"]: row for row in json.loads(judged.to_json())["rows"]}
    joined = LABELS.max(axis=1), SCORES.max(axis=1) > 3.5
    tp = int(np.sum(joined[0] & joined[1]))
    assert rows["any_channel(f1)"]["counts"]["tp"] == tp
    assert rows["any_channel(f1)"]["counts"]["events_found"] == 8
    assert "counts" not in rows["any_channel(auc_roc)"]


def test_raw_counts_of_points_events_and_alarms():
    labels, scores = [0, 1, 1, 0, 0, 1], [0.1, 0.9, 0.2, 0.1, 0.8, 0.3]
    found = aj.evaluate(labels, scores, ["f1", "auc_roc", "best(f1)"], at=0.5, chance=False)
    first, best = found.counts
    assert (first["tp"], first["fp"], first["fn"], first["tn"]) == (1, 1, 2, 2)
    assert (first["events_found"], first["events_missed"]) == (1, 1)
    assert (first["alarms_right"], first["alarms_false"]) == (1, 1)
    assert best["at"] < 0.5
    assert aj.evaluate(labels, scores, "auc_roc", chance=False).counts == ()
    several = aj.evaluate(LABELS, SCORES, ["any_channel(f1)", "macro(f1)"], at=3.5, channels=NAMES)
    assert [one["metric"] for one in several.counts] == ["any_channel(f1)"]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_no_event_no_alarm_and_alarms_everywhere_are_judged_too(n):
    tables = np.zeros((n, 2), int), np.ones((n, 2), int), np.eye(n, 2, dtype=int)
    names, groups = ["a", "b"], {"x": ["a"], "y": ["b"]}
    for labels, flags in product(tables, tables):
        found = aj.evaluate(labels, flags, channels=names, subsystem=groups)
        defined = not math.isnan(found["channel_f1"])
        assert defined == bool(labels.any())
        assert str(found)
        assert str(aj.evaluate(labels, flags[:, 0], "f1", annotators=names))


@pytest.mark.parametrize(
    ("at", "own"),
    [
        ("policy(3.5, after=3)", "policy(3.5, after=3)"),
        ("policy(quantile(0.9), after=2)", "policy(quantile(0.9), after=2)"),
        ({"temp": 3.5, "flow": "quantile(0.9)", "amps": 2}, None),
    ],
)
def test_a_policy_is_applied_on_each_channel(at, own):
    levels = at if isinstance(at, dict) else dict.fromkeys(NAMES, own)
    found = aj.evaluate(LABELS, SCORES, ["macro(f1)", "any_channel(f1)", "macro(ap)"], at=at,
                        channels=NAMES, chance=False)  # fmt: skip
    each = [aj.f1(LABELS[:, i], SCORES[:, i], at=levels[n]) for i, n in enumerate(NAMES)]
    assert found["macro(f1)"] == pytest.approx(np.mean(each))
    assert [row["f1"] for row in found.channels.rows] == each
    said = f"{own}, on each channel" if own else ""
    assert found.rows[0].rule == found.rows[1].rule == said
    late = aj.evaluate(LABELS, SCORES, "macro(f1)", at=3.5, channels=NAMES, chance=False)
    assert found["macro(f1)"] != late["macro(f1)"]


def test_a_rule_inside_of_all_channels_as_one_learns_on_each():
    spec = "any_channel(f1(at=quantile(0.95)))"
    (row,) = aj.evaluate(LABELS, SCORES, spec, channels=NAMES).rows
    assert row.value == aj.metric(spec)(LABELS, SCORES, channels=NAMES)
    assert (row.rule, row.chosen_by, row.requested) == ("quantile(0.95)", "rule", spec)
    outside = aj.evaluate(LABELS, SCORES, "any_channel(f1)", at="quantile(0.95)", channels=NAMES)
    assert (row.value, row.p_value) == (outside.rows[0].value, outside.rows[0].p_value)


def test_receipts_of_sums_add_up_to_the_value():
    receipt = aj.explain(LABELS, SCORES, "micro(f1_ba)", at=3.5, channels=NAMES)
    sums = np.sum([part.tally for _, part in receipt.parts], axis=0)
    assert receipt.value == pytest.approx(2 * sums[0] / (sums[1] + sums[3]))


def test_several_detectors_on_copies_of_a_channel_are_adjusted_as_on_one():
    """Also where there are so few places that none passes a test by itself."""
    rng = np.random.default_rng(0)
    for n in (32, 400):
        labels = np.repeat(rng.random(n // 4) < 0.2, 4).astype(int)
        drawn = {f"d{i}": (rng.random(n) < 0.3).astype(int) for i in range(4)}
        given = {"good": labels, **drawn}
        plain = aj.evaluate(labels, given, "f1")
        tables = {name: np.tile(flags[:, None], 3) for name, flags in given.items()}
        copies = aj.evaluate(np.tile(labels[:, None], 3), tables, "micro(f1)", channels=NAMES)
        for one, other in zip(plain.rows, copies.rows, strict=True):
            assert (other.p_value, other.p_adjusted) == (one.p_value, one.p_adjusted)
