"""Incidents and alerts through evaluate, explain and compare: answers, rows, words, refusals."""

import io
import json

import numpy as np
import pandas as pd
import pytest
from tests import on_call_story as story

import adjudge as aj
from adjudge.errors import InputError, UnknownName
from adjudge.judging.on_call.case import Answers
from adjudge.judging.result_columns import schema
from adjudge.noise.intervals.rates import Side
from adjudge.noise.intervals.units import units_of
from reporting.unpacked import payload
from sampling import one_in


def read(text):
    return pd.read_csv(io.StringIO(text))


INCIDENTS, ALERTS = aj.Incidents(read(story.INCIDENTS)), aj.Alerts(read(story.ALERTS))
HOW = {"span": story.SPAN, "outages": read(story.OUTAGES)}
POINTS = aj.Incidents([10, 50, 80], [20, 60, 90])
PAGES = aj.Alerts([14, 60, 70])


def test_the_answer_is_a_mapping_with_the_names_that_were_promised():
    found = aj.evaluate(INCIDENTS, ALERTS, chance=False, **HOW).on_call
    assert dict(found) == pytest.approx(story.COUNTS)
    assert list(found) == list(story.COUNTS)
    assert (found.found, found["found"], len(found)) == (6, 6, 10)
    assert "found" in found
    with pytest.raises(KeyError, match="unknown number 'fuond'"):
        found["fuond"]
    assert isinstance(found, Answers)


def test_an_alert_that_was_open_before_an_incident_says_so():
    """A delay of nothing is no quick alert: it may have been open for weeks."""
    alerts = aj.Alerts([0, 50, 80, 95], [15, None, 85, 97], id=["early", "open", "quick", "late"])
    found = aj.evaluate(POINTS, alerts, chance=False, span=(0, 100))
    assert [(event["first_alert"], event["delay"]) for event in found.events] == [
        ("early", 0), ("open", 0), ("open", 0),
    ]  # fmt: skip
    assert [event["already_open"] for event in found.events] == [True, False, True]
    receipt = aj.explain(POINTS, alerts, "event_recall", span=(0, 100))
    assert "found after 0 points by early, already open" in str(receipt)
    assert "1 of 4 alerts still open" in str(receipt)
    assert "incidents still open" not in str(receipt)
    start = ["2026-01-02", "2026-01-03"]
    alerts = aj.Alerts(start, [None, "2026-01-04"])
    timed = aj.explain(aj.Incidents(["2026-01-05"], ["2026-01-06"]), alerts, "event_recall",
                       span=("2026-01-01", "2026-02-01"))  # fmt: skip
    assert [row["to"] for row in timed.alarms] == ["2026-02-01, still open", "2026-01-04"]


def test_early_alerts_count_on_request():
    found = aj.evaluate(INCIDENTS, ALERTS, "event_recall", early="5min", chance=False, **HOW)
    assert dict(found.on_call) == pytest.approx(story.EARLY)
    assert found["event_recall"] == 1


def test_metrics_of_events_do_not_change_by_one_bit_with_the_step_or_the_order_of_rows():
    specs = ["event_recall", "event_precision", "event_f1", "f1_ba", "detection_delay"]
    plain = aj.evaluate(INCIDENTS, ALERTS, specs, **HOW)
    mixed = aj.Alerts(read(story.ALERTS).sample(frac=1, random_state=3))
    truth = aj.Incidents(read(story.INCIDENTS).sample(frac=1, random_state=4))
    for other in (
        aj.evaluate(INCIDENTS, ALERTS, specs, every="1h", **HOW),
        aj.evaluate(INCIDENTS, ALERTS, specs, every="7min", **HOW),
        aj.evaluate(truth, mixed, specs, **HOW),
    ):
        assert [row.value for row in other.rows] == [row.value for row in plain.rows]
        *exact, drawn = zip(other.rows, plain.rows, strict=True)
        for one, same in exact:
            assert one.chance == pytest.approx(same.chance, rel=1e-12)
        assert drawn[0].chance == pytest.approx(drawn[1].chance, rel=0.2)  # a mean over turns
        assert other.on_call == plain.on_call


def test_values_are_shares_of_things():
    found = aj.evaluate(INCIDENTS, ALERTS, chance=False, **HOW)
    assert found["event_recall"] == 6 / 7
    assert found["event_precision"] == 5 / 11
    assert found["detection_delay"] == 960  # as by name, below
    assert found["f1_ba"] == pytest.approx(0.5, abs=0.3)
    assert found['false_alarms(per="1w")'] == pytest.approx(found.on_call.false_per_week)
    more = ["reset_time", "alarms_per_event", 'false_alarm_rate(per="1d")', "detection_delay"]
    other = aj.evaluate(INCIDENTS, ALERTS, more, chance=False, **HOW)
    quiet = other.alert_cases[0].count.quiet / 86400e9
    assert other['false_alarm_rate(per="1d")'] == pytest.approx(6 / quiet)
    assert other["alarms_per_event"] == 7 / 6
    assert other["reset_time"] == pytest.approx(-60 * np.mean([10, 40, 30, 10, 30]))
    assert other["detection_delay"] == 960
    assert other.rows[0].seconds == other["reset_time"]
    assert np.isnan(other.rows[1].seconds)


def test_the_limit_of_ever_finer_grids():
    span = ("2026-10-19T00:00:00+02:00", "2026-11-02T00:00:00+01:00")
    how = {"span": span, "series": False}
    exact = aj.evaluate(INCIDENTS, ALERTS, "f1_ba", chance=False, **how)
    width = exact.rows[0].metric
    assert width.startswith('f1_ba(width="')
    coarse, fine = (
        aj.evaluate(INCIDENTS, ALERTS, 'f1_ba(margin=0, islands="spill")', every=step,
                    chance=False, **how).rows[0].value
        for step in ("10min", "1min")
    )  # fmt: skip
    assert abs(fine - exact["f1_ba"]) < abs(coarse - exact["f1_ba"]) + 0.02


OF_CHANCE = ["event_recall", "event_precision", "event_f1", "f1_ba", 'false_alarms(per="1w")',
             'false_alarms(per="1d")']  # fmt: skip


@pytest.mark.parametrize("spec", OF_CHANCE)
@pytest.mark.parametrize("null", ["shifted", "nearby"])
def test_a_corrected_value_is_0_by_chance_and_1_at_the_best(spec, null):
    """Where lower is better 0 is the best, and the ends of the interval trade places."""
    row = aj.evaluate(INCIDENTS, ALERTS, spec, null=null, **HOW).rows[0]
    best = 0 if spec.startswith("false") else 1
    corrected = [(end - row.chance) / (best - row.chance) for end in (row.value, row.low, row.high)]
    assert row.corrected == pytest.approx(corrected[0], rel=1e-12)
    assert [row.corrected_low, row.corrected_high] == pytest.approx(
        sorted(corrected[1:]), rel=1e-12
    )
    assert row.corrected_low < row.corrected < row.corrected_high
    assert (row.corrected > 0) == (
        (row.value < row.chance) if best == 0 else row.value > row.chance
    )
    assert row.p_nearby > 0


def test_how_many_events_it_would_take_is_said_with_both_ends():
    specs = ["event_precision", 'false_alarms(per="1w")', 'false_alarms(per="1d")']
    rows = aj.evaluate(INCIDENTS, ALERTS, specs, **HOW).rows
    needed = [(row.events_needed_low, row.events_needed, row.events_needed_high) for row in rows]
    assert needed == [(1, 2, 5), (1, 2, 8), (1, 2, 8)]


def test_a_delay_is_said_in_the_length_of_time_that_it_has():
    found = aj.evaluate(INCIDENTS, ALERTS, "detection_delay", chance=False, **HOW)
    row = found.rows[0]
    assert row.value == row.seconds == 960
    assert row.seconds_per_point == 1
    assert "16 min" in str(found)


def test_chance_stands_beside_the_values():
    found = aj.evaluate(INCIDENTS, ALERTS, **HOW)
    row = {row.requested: row for row in found.rows}
    assert 0 < row["event_recall"].chance < 0.1
    assert row["event_recall"].p_value <= 0.01
    assert row["event_recall"].low < 6 / 7 < row["event_recall"].high
    assert row["event_recall"].exact  # all services turn by one offset
    assert found.verdicts["alerts"].startswith("alerts is better than chance: f1_ba(width=")
    one = aj.evaluate(POINTS, PAGES, "event_f1", span=(0, 100)).rows[0]
    assert (one.exact, one.unit) == (True, "")
    few = aj.evaluate(INCIDENTS, ALERTS, "event_f1", shifts=50, **HOW).rows[0]
    assert few.shifts == 50


def test_points_instead_of_times():
    found = aj.evaluate(POINTS, PAGES, span=(0, 100), chance=False)
    assert (found.on_call.found, found.on_call.alerts_false) == (1, 2)
    assert np.isnan(found.on_call.false_per_week)
    assert found.on_call.delay_median_seconds == 4
    text = found.to_text(None)
    assert text.startswith(
        "1 of 3 incidents found; 2 false alarms in 100 watched points; found after 4 points"
    )
    assert found["f1_ba"] == pytest.approx(2 * 10 / (2 * 10 + 15 + 20))
    assert found.rows[3].metric == 'f1_ba(width=10, islands="normal")'
    assert aj.evaluate(POINTS, PAGES, 'f1_ba(width="median")', span=(0, 100)).rows[0].width is None
    early = aj.evaluate(POINTS, PAGES, span=(0, 100), early=10, chance=False)
    assert early.on_call.found == 2
    with_grid = aj.evaluate(POINTS, PAGES, ["event_recall", "f1"], span=(0, 100), every=1)
    assert with_grid["f1"] == aj.f1(POINTS_LABELS, POINTS_FLAGS)


POINTS_LABELS = np.zeros(100, int)
for _start in (10, 50, 80):
    POINTS_LABELS[_start : _start + 10] = 1
POINTS_FLAGS = np.zeros(100, int)
POINTS_FLAGS[[14, 60, 70]] = 1


def test_several_detectors_have_an_answer_each():
    few = ALERTS.chosen(slice(0, 6))
    found = aj.evaluate(INCIDENTS, {"old": ALERTS, "new": few}, ["event_f1"], **HOW)
    assert list(found.on_call) == ["old", "new"]
    assert found.on_call["new"].alerts == 6
    assert [text.partition(":")[0] for text in found.on_call_sentences] == ["old", "new"]
    kept = json.loads(found.to_json())
    assert kept["on_call"]["old"]["found"] == 6
    assert len(kept["sentences"]) == 2
    assert aj.evaluate([0, 1], [0, 1], chance=False).on_call is None


def test_the_answer_comes_first_in_every_shape():
    found = aj.evaluate(INCIDENTS, ALERTS, ["event_f1"], chance=False, **HOW)
    sentence = found.on_call_sentences[0]
    assert sentence == (
        "6 of 7 incidents found; 6 false alarms in 13.8 watched days (3.0 a week); found after 5 "
        "min (median), 40 min at worst; missed: I6 (shop, 2026-10-27 13:00+00:00); 1 unwatched; 3 "
        "alerts outside watched time not counted; 1 of 8 incidents still open; 1 of 14 "
        "alerts still open"
    )
    assert found.to_text(None).startswith(sentence)
    assert found.to_markdown().startswith("6 of 7 incidents found")
    assert found.to_latex().startswith("6 of 7 incidents found")
    assert "<div><p>6 of 7 incidents found" in found._repr_html_()
    kept = json.loads(found.to_json())
    assert (kept["on_call"]["judged"], kept["sentences"]) == (7, [sentence])


def test_the_schema_knows_the_answer():
    known = schema("judgement")["properties"]["on_call"]["anyOf"][0]
    assert known["required"] == list(story.COUNTS)
    assert "on_call" not in schema("judgement")["required"]
    assert "on_call" not in schema("explain")["properties"]


def test_missed_incidents_are_named_as_far_as_there_is_room():
    many = aj.Incidents([10 * k for k in range(8)], [10 * k + 5 for k in range(8)])
    text = aj.evaluate(many, aj.Alerts([]), span=(0, 100), chance=False).on_call_sentences[0]
    assert text == (
        "0 of 8 incidents found; 0 false alarms in 100 watched points; missed: point 0, point 10, "
        "point 20, point 30, point 40, 3 more"
    )


def test_silence_and_nothing_to_find():
    silent = aj.evaluate(INCIDENTS, aj.Alerts([], service=[]), **HOW)
    assert np.isnan(silent["event_precision"])
    assert silent["f1_ba"] == 0
    assert silent.verdicts["alerts"].startswith("alerts never raises an alarm")
    quiet = aj.evaluate(aj.Incidents([], [], service=[]), ALERTS, **HOW)
    assert quiet.on_call.alerts_false == 11
    assert np.isnan(quiet["event_recall"])
    perfect = aj.evaluate(POINTS, aj.Alerts([10, 50, 80]), ["event_f1", "f1_ba"], span=(0, 100))
    assert [row.value for row in perfect.rows] == [1, 1]
    assert perfect.rows[0].high == 1
    blind = aj.evaluate(POINTS, aj.Alerts([0]), ["event_f1", "f1_ba"], span=(0, 100))
    assert [row.value for row in blind.rows] == [0, 0]


def test_the_units_of_evidence_are_incidents_or_services():
    found = aj.evaluate(INCIDENTS, ALERTS, ["event_recall"], **HOW)
    assert (found.rows[0].evidence_unit, found.rows[0].evidence_units) == ("episode", 7)
    apart = aj.evaluate(INCIDENTS, ALERTS, ["event_recall"], clock="own", **HOW)
    assert (apart.rows[0].evidence_unit, apart.rows[0].evidence_units) == ("event", 7)
    services = aj.evaluate(INCIDENTS, ALERTS, ["event_recall"], unit="series", **HOW)
    assert services.rows[0].evidence_unit == "series"
    side = Side.of(aj.event_recall, found.alert_cases[0])
    assert side.value == 6 / 7
    sums = side.by(units_of(side.ledger.truth)).sum(axis=0)
    assert sums[:4].tolist() == [6, 7, 5, 11]


def test_metrics_of_lengths_that_need_points():
    for spec in (
        'f1_ba(width="iid")',
        "event_f1_ba",
        "f1_pa",
        "best(f1_pa)",
    ):
        with pytest.raises(InputError, match="every must be given for"):
            aj.evaluate(INCIDENTS, ALERTS, spec, **HOW)
    fixed = aj.evaluate(INCIDENTS, ALERTS, 'f1_ba(width="1h")', chance=False, **HOW)
    assert fixed.rows[0].metric == 'f1_ba(width="1h", islands="normal")'


def test_the_answer_by_service_and_by_column():
    found = aj.evaluate(INCIDENTS, ALERTS, ["event_f1"], chance=False, **HOW)
    rows = {row["part"]: row for row in found.by("service").rows}
    assert list(rows) == ["shop", "mail", "over all"]
    assert [rows["shop"][name] for name in ("judged", "found", "missed", "unwatched")] == [
        4,
        3,
        1,
        1,
    ]
    assert [rows["mail"][name] for name in ("judged", "found", "alerts_false")] == [3, 3, 2]
    for one in found.by("service").tested:
        assert one.delay == rows[one.part]["delay_median_seconds"]
    assert rows["shop"]["false_per_week"] == 4 / (329 / 168)
    assert rows["over all"] == {"detector": "alerts", "part": "over all", **found.on_call}
    for name in ("judged", "found", "missed", "unwatched", "alerts", "alerts_right"):
        assert rows["shop"][name] + rows["mail"][name] == rows["over all"][name]
    assert "shop           4      3       1" in found.to_text(None)
    assert json.loads(found.to_json())["by"][0]["part"] == "shop"
    high, low = found.by("severity").rows
    assert (high["part"], high["judged"], high["found"], high["alerts_false"]) == (
        "high",
        4,
        4,
        None,
    )
    assert (low["judged"], low["found"], low["alerts_right"]) == (3, 2, 3)
    lengths = found.by("length")
    assert [row["part"] for row in lengths.rows] == [
        "below 10 min", "10 min to 1 h", "1 h to 6 h", "6 h and longer",
    ]  # fmt: skip
    assert [row["judged"] for row in lengths.rows] == [0, 1, 6, 0]
    halves = found.by("length", bins=["90min"])
    assert [row["judged"] for row in halves.rows] == [4, 3]
    assert len(halves.to_frame()) == 2
    assert "<th" in halves._repr_html_()
    quiet = aj.Alerts(["2026-10-20T08:03Z"], service=["post"])
    third = aj.evaluate(INCIDENTS, quiet, chance=False, **HOW).by("service").rows
    assert [row["part"] for row in third] == ["shop", "mail", "post", "over all"]
    both = aj.evaluate(INCIDENTS, {"a": ALERTS, "b": quiet}, chance=False, **HOW).by("service")
    assert "b by service" in str(both)


def test_a_constant_offset_is_noticed():
    days = pd.date_range("2026-03-02 10:00", periods=4, freq="D")
    incidents = aj.Incidents(days, days + pd.Timedelta(minutes=20))
    span = ("2026-03-01", "2026-03-10")

    def offset(**moved):
        alerts = aj.Alerts(days + pd.Timedelta(minutes=5) + pd.Timedelta(**moved))
        return aj.evaluate(incidents, alerts, ["event_f1"], chance=False, span=span)

    late = offset(hours=1)
    earlier = "with all alerts 1 h earlier, 4 of 4 incidents would be found"
    assert late.alert_cases[0].offset.startswith(earlier)
    assert "alerts: with all alerts 1 h earlier" in late.to_text(None)
    assert "2 h later" in offset(hours=-2).alert_cases[0].offset
    assert offset(hours=0).alert_cases[0].offset == ""
    assert aj.evaluate(POINTS, PAGES, span=(0, 100), chance=False).alert_cases[0].offset == ""


def test_services_without_any_alert_are_named_where_others_have_some():
    hours = pd.date_range("2026-03-02 10:00", periods=5, freq="D")
    services = ["api", "db", "web", "db", "api"]
    incidents = aj.Incidents(hours, hours + pd.Timedelta(hours=1), service=services)
    how = {"metrics": ["event_f1"], "chance": False, "span": ("2026-03-01", "2026-03-10")}

    def silent(service, **more):
        alerts = aj.Alerts([hours[0]] * len(service), service=service)
        judged = aj.evaluate(incidents, alerts, **how, **more)
        return judged.alert_cases[0].silent, judged.to_text(None)

    found, text = silent(["api"])
    assert found.startswith("no alert names db, web, so 3 incidents there are missed")
    assert f"alerts: {found}" in text
    assert silent(["api", "db"])[0].startswith("no alert names web, so 1 incident there is missed")
    assert silent(["api", "db", "web"])[0] == silent(["api"], series=False)[0] == ""
    assert aj.evaluate(incidents, aj.Alerts([]), **how).alert_cases[0].silent == ""


def test_numbers_since_1970_stand_beside_times_with_an_offset():
    incidents = aj.Incidents(["2026-01-01T01:00:00+01:00"], ["2026-01-01T02:00:00+01:00"])
    alerts = aj.Alerts([1767227400], unit="s")  # half past midnight in UTC
    day = ("2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00")
    found = aj.evaluate(incidents, alerts, "event_recall", span=day, chance=False)
    assert found.events[0]["delay_seconds"] == 1800
    with pytest.raises(InputError, match=r"got points; numbers since 1970 need their unit"):
        aj.evaluate(incidents, aj.Alerts([1767227400]), span=day)


def test_outages_without_a_service_are_no_service():
    incidents = aj.Incidents([10, 50], [20, 60], service=["a", "b"])
    alerts = aj.Alerts([12, 70], [14, 71], service=["a", "b"])
    how = {"span": (0, 100), "outages": [(80, 100)], "chance": False}
    judged = aj.evaluate(incidents, alerts, "false_alarm_rate(per=140)", **how)
    assert [row["part"] for row in judged.by("service").rows] == ["a", "b", "over all"]
    assert judged["false_alarm_rate(per=140)"] == 1  # in 70 quiet points of each


def test_what_cannot_be_parted():
    found = aj.evaluate(POINTS, PAGES, ["event_f1"], span=(0, 100), chance=False)
    assert [row["judged"] for row in found.by("length", bins=[10, 20]).rows] == [0, 3, 0]
    for build, words in (
        (lambda: found.by("length", bins=[20, 10]), "bins must be ascending lengths"),
        (lambda: found.by("kind"), "the incidents have no column 'kind'"),
        (lambda: found.by("kind", bins=[1]), "bins must be left out but for 'length'"),
        (lambda: found.by("colour"), "unknown column 'colour'"),
    ):
        with pytest.raises((InputError, UnknownName), match=words):
            build()


def test_all_metrics_and_a_grid():
    some = aj.evaluate(INCIDENTS, ALERTS, "all", **HOW)
    assert {"event_f1", "f1_ba", "detection_delay"} <= {row.requested for row in some.rows}
    assert "f1" not in {row.requested for row in some.rows}
    both = aj.evaluate(INCIDENTS, ALERTS, ["f1", "event_f1"], every="1h", chance=False, **HOW)
    assert [row.requested for row in both.rows] == ["f1", "event_f1"]
    assert len(both.cases) == 1
    assert both.cases[0].events.series_count == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"span": None}, "span must be given with incidents"),
        ({"metrics": "f1"}, "every must be given for f1, which judges points"),
        ({"metrics": "f1_ba(width=5)"}, "width must be a duration such as '30min'"),
        ({"metrics": "false_alarm_rate(per=60)"}, "every must be given for false_alarm_rate"),
        ({"at": "top(99)"}, "k must be at most the"),
        ({"white_noise": True}, "white_noise must be left out with incidents"),
        ({"per_series": True}, "per_series must be left out with incidents"),
        ({"series": "host"}, r"services must be True .* got 'host'"),
        ({"null": "white"}, "null must be 'shifted' or 'nearby' for incidents and alerts"),
        ({"every": "0s", "metrics": "f1"}, "every must give 1 to"),
        ({"early": 3}, "early must be a duration"),
        ({"scores": [0, 1]}, "scores must be Alerts where labels are Incidents"),
        ({"scores": {"a": ALERTS, "b": 3}}, "scores of 'b' must be Alerts"),
        ({"scores": aj.Alerts([1])}, "alerts must be times as the incidents are, got points"),
        (
            {"scores": aj.Alerts(["2026-10-20 10:00"])},
            "the incidents",
        ),
    ],
)
def test_what_does_not_fit_is_refused(change, words):
    asked = {"labels": INCIDENTS, "scores": ALERTS, "chance": None, **HOW, **change}
    with pytest.raises(InputError, match=words):
        aj.evaluate(**asked)


def test_more_that_does_not_fit():
    with pytest.raises(
        InputError, match=r"span must be left out with points, .* goes with aj.OnCall"
    ):
        aj.evaluate([0, 1], [0, 1], span=(0, 2))
    bare = aj.Alerts([14])
    named = aj.Incidents([10], [20], service=["a"])
    with pytest.raises(
        InputError, match="services must be False where a table has no column servi"
    ):
        aj.evaluate(named, bare, span=(0, 100), series=True)
    assert aj.evaluate(named, bare, span=(0, 100), chance=False).on_call.found == 1
    assert aj.evaluate(INCIDENTS, ALERTS, chance=False, series=True, **HOW).on_call.found == 6
    assert aj.evaluate(INCIDENTS, ALERTS, chance=False, series=False, **HOW).on_call.found == 8
    with pytest.raises(InputError, match="width must be a number of points"):
        aj.evaluate(POINTS, PAGES, 'f1_ba(width="5min")', span=(0, 100))


def test_naive_spans_are_read_in_the_zone_of_the_incidents():
    local = aj.Incidents(["2026-10-20 08:00"], ["2026-10-20 09:00"], tz="Europe/Berlin")
    pages = aj.Alerts(["2026-10-20T06:30:00Z"])
    found = aj.evaluate(local, pages, span=("2026-10-19", "2026-11-02"), chance=False)
    assert found.on_call.delay_median_seconds == 1800
    assert found.alert_cases[0].watched.length == 337 * 3600 * 10**9


def test_a_page_shows_alerts_at_their_own_times(tmp_path):
    found = aj.evaluate(INCIDENTS, ALERTS, ["event_f1", "f1_ba"], **HOW)
    text = found.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "6 of 7 incidents found" in text
    things = payload(text)["things"]
    (alerting,) = things["detectors"]
    assert alerting["numbers"] == dict(found.on_call)
    assert {row["id"]: row["outcome"] for row in alerting["alerts"]} == story.RIGHT
    assert {row["id"]: row["outcome"] for row in alerting["incidents"]} == {
        name: outcome for name, (outcome, *_) in story.FOUND.items()
    }
    assert things["watched"] == story.HOURS * 3600 == things["span"][1] - things["span"][0] - 21600


def test_explain_says_how_alerts_and_incidents_match():
    receipt = aj.explain(INCIDENTS, ALERTS, "event_recall", **HOW)
    assert receipt.value == 6 / 7
    assert {row["id"]: row["outcome"] for row in receipt.alarms} == story.RIGHT
    assert {row["id"]: row["outcome"] for row in receipt.truth} == {
        name: outcome for name, (outcome, *_) in story.FOUND.items()
    }
    match = {row["id"]: row["incident"] for row in receipt.alarms}
    assert (match["P3"], match["P4"], match["P7"]) == ("I2", "I3", None)
    text = receipt.to_text(None)
    assert text.startswith("event_recall = 0.857143\n6 of 7 incidents found")
    assert "mail     2026-10-20 06:00+00:00 to 07:00+00:00" in text
    assert "found after 3 min by P2, 2 alerts" in text
    assert "4 more alerts (to_text(most=None))" in text
    assert "right: I2" in receipt.to_text(None, most=None)
    assert receipt.counts == {"events": 7, "found": 6, "alarms": 11, "false_alarms": 6}
    kept = receipt.to_dict()
    assert kept["sums"] == {"found": 6, "truth": 7, "right": 5, "flagged": 11}
    assert len(receipt.to_frame()) == 22
    assert str(receipt) == repr(receipt)
    assert "<p>event_recall" in receipt._repr_html_()
    late = aj.explain(INCIDENTS, ALERTS, "detection_delay", **HOW)
    assert str(late).startswith("detection_delay = 16 min\n")
    points = aj.explain(POINTS, PAGES, "event_f1", span=(0, 100)).to_text(None)
    assert "1         [10, 20)  found after 4 points by 1" in points
    none = aj.explain(POINTS, aj.Alerts([]), "detection_delay", span=(0, 100))
    assert str(none).startswith("detection_delay = nan")
    with pytest.raises(InputError, match="f1 judges points, and incidents and alerts have none"):
        aj.explain(INCIDENTS, ALERTS, "f1", **HOW)


def test_two_rules_are_compared_on_the_same_incidents():
    few = ALERTS.chosen(~np.isin(ALERTS.id, ["P7", "P8", "P11", "P12"]))
    for metric in ("event_f1", "f1_ba", "event_precision"):
        found = aj.compare(INCIDENTS, ALERTS, few, metric, names=("old", "new"), **HOW)
        assert found.ahead == "b"
        assert found.events == 7
    assert found.notes[0].startswith("old: 6 of 7 incidents found")
    level = aj.compare(INCIDENTS, ALERTS, few, "event_f1", null="shifted", **HOW)
    assert all(0 < chance < 0.1 for chance in level.chance)
    assert "by chance (the same alarms shifted in time)" in str(level)
    drawn = np.random.default_rng(3)
    assert aj.compare(INCIDENTS, ALERTS, few, "event_f1", seed=drawn, **HOW).ahead == "b"
    same = aj.compare(INCIDENTS, ALERTS, few, "detection_delay", **HOW)
    assert (same.a, same.difference, same.ahead) == (960, 0, None)
    assert str(same).startswith("detection_delay: a 16 min, b 16 min")
    with pytest.raises(InputError, match="f1 judges points, and incidents and alerts have none"):
        aj.compare(INCIDENTS, ALERTS, few, "f1", **HOW)


def drawn(seed, services=1):
    """Thirty incidents of four weeks in minutes, most found; false alarms of a Poisson process."""
    rng, weeks = np.random.default_rng(seed), 4 * 7 * 24 * 60
    start = np.sort(rng.choice(weeks // 150, 30, replace=False)) * 150 + rng.integers(0, 20, 30)
    end = start + rng.integers(5, 120, 30)
    found = start[rng.random(30) < 0.7] + 3
    alerts = np.concatenate([found, rng.integers(0, weeks, rng.poisson(40))])
    place = [rng.integers(services, size=len(one)).astype(str) for one in (start, alerts)]
    return start, end, alerts, weeks, place


RATES = ["false_alarms(per=10080)", "false_alarm_rate(per=10080)", "costs(miss=100, false=20)"]


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_rates_of_false_alarms_and_costs_have_the_intervals_of_points(seed):
    start, end, alerts, weeks, _ = drawn(seed)
    labels, flags = np.zeros((2, weeks), np.int8)
    for a, b in zip(start, end, strict=True):
        labels[a:b] = 1
    alerts = np.unique(alerts - alerts % 2)  # else two in a row are one run of points
    flags[alerts] = 1
    things = aj.evaluate(aj.Incidents(start, end), aj.Alerts(alerts), RATES, span=(0, weeks))
    for thing, point in zip(things.rows, aj.evaluate(labels, flags, RATES).rows, strict=True):
        ends = [(row.value, row.low, row.high) for row in (thing, point)]
        assert ends[0] == pytest.approx(ends[1], rel=0.02)
        assert ends[0][1] > 0.3 * ends[0][0]


@pytest.mark.long
@pytest.mark.parametrize("services", [1, 2])
def test_intervals_of_false_alarms_and_costs_hold_the_truth(services):
    found = []
    for seed in range(200):
        start, end, alerts, weeks, (one, two) = drawn(1000 + seed, services)
        truth, told = aj.Incidents(start, end, service=one), aj.Alerts(alerts, service=two)
        rows = aj.evaluate(truth, told, RATES, span=(0, weeks), shifts=9).rows
        found.append([(row.value, row.low, row.high) for row in rows])
    value, low, high = np.moveaxis(np.array(found), -1, 0)
    held = (low <= value.mean(axis=0)) & (value.mean(axis=0) <= high)
    assert (held.mean(axis=0) >= 0.92).all()
    assert ((high - low).mean(axis=0) < 7 * value.std(axis=0)).all()  # not far too wide


def test_an_undefined_delay_of_incidents_is_not_said_in_points():
    incidents = aj.Incidents(["2026-01-03 10:00"], ["2026-01-03 11:00"])
    silent = aj.evaluate(
        incidents, aj.Alerts([]), "detection_delay", span=("2026-01-01", "2026-02-01"), chance=False
    )
    assert "undefined" in str(silent)
    assert "in points" not in str(silent)
