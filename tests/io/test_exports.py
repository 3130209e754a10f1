"""Exports of other programs give the things of the story; what they cannot hold is told."""

import json
import re
import sys

import pandas as pd
import pytest
from tests import on_call_story as story
from tests.io import on_call_exports as written

import adjudge as aj
from adjudge.data.incidents import TimedRows
from adjudge.errors import FileError, InputError, MissingExtra, UnknownName
from adjudge.io.exports import EXPORTS, Exported, export, read_export
from adjudge.io.incidents import GivenTables, TimeWords, read_incidents
from adjudge.io.records import read_records


def things(rows, last=None):
    ends = [last if still else end for end, still in zip(rows.end, rows.open, strict=True)]
    return sorted(zip(rows.place, rows.start.tolist(), map(str, ends), strict=True))


def expected(rows, *, closed=False):
    def end(row):
        last = row["end"] or (written.LAST if closed else None)
        return str(None if last is None else written.ms(last) * 10**6)

    return sorted((row["service"], written.ms(row["start"]) * 10**6, end(row)) for row in rows)


def table(path, columns=None, **more):
    """Read a file of alerts beside the incidents of the story."""
    truth = path.parent / "truth.csv"
    truth.write_text(story.INCIDENTS)
    given = GivenTables(str(truth), [str(path)], story.SPAN, alerts_columns=columns, **more)
    return read_incidents(given, TimeWords())


def save(folder, name, content):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


FORMS = {
    "prometheus.json": written.prometheus,
    "webhook.jsonl": lambda: written.webhook() + "\n\n",
    "grafana.json": written.grafana,
    "pagerduty.json": written.pagerduty,
    "pagerduty.csv": written.pagerduty_csv,
    "opsgenie.json": written.opsgenie,
    "opsgenie.csv": written.opsgenie_csv,
    "datadog.json": written.datadog,
}


@pytest.mark.parametrize("name", FORMS)
def test_alerts_are_those_of_the_story(name, tmp_path):
    found = table(save(tmp_path, name, FORMS[name]()))
    (alerts,) = found.scores.values()
    assert things(alerts) == expected(written.ALERTS)
    assert f"in {name} ({name.partition('.')[0].replace('webhook', 'alertmanager webhook')}: " in (
        found.summary
    )


def test_counts_do_not_depend_on_the_form(tmp_path):
    counts = []
    for name, make in FORMS.items():
        found = table(save(tmp_path, name, make()))
        (alerts,) = found.scores.values()
        judged = aj.evaluate(found.labels, alerts, chance=False, **found.watching)
        counts.append(dict(judged.on_call))
    assert counts == [counts[0]] * len(FORMS)
    assert counts[0]["alerts"] == 11


def test_short_steps_see_every_alert(tmp_path):
    found = table(save(tmp_path, "quick.json", written.prometheus(step=15)))
    assert things(found.scores["quick"]) == expected(written.ALERTS)
    assert "warning" not in found.summary


def test_parts_of_a_query_are_joined(tmp_path):
    whole = written.prometheus()
    for part in (0, 1):
        half = json.loads(json.dumps(whole))
        for one in half["data"]["result"]:
            one["values"] = one["values"][part::2]
        half["data"]["result"] = [one for one in half["data"]["result"] if one["values"]]
        save(tmp_path, f"part{part}.json", half)
    found = table(tmp_path / "part*.json")
    assert things(found.scores["part"]) == expected(written.ALERTS)
    assert "in 2 files part*.json (prometheus: " in found.summary
    assert "warning: sampled every 60 s" in found.summary
    with pytest.raises(FileError, match="no file fits this pattern"):
        read_records(str(tmp_path / "none*.json"))
    save(tmp_path, "c1.csv", "start,x\n2026-10-20T08:00Z,1\n")
    save(tmp_path, "c2.csv", "start\n2026-10-21T08:00Z\n")
    both = read_records(str(tmp_path / "c*.csv"))
    assert (both.columns["x"], both.content) == (["1", None], None)


def test_when_a_series_had_samples(tmp_path):
    times = [*range(0, 600, 60), *range(1200, 1800, 60)]
    result = [{"metric": {"service": "shop"}, "values": [[t, "0.5"] for t in times]},
              {"metric": {}, "values": [[t, "0.5"] for t in times[:10]]}]  # fmt: skip
    path = save(tmp_path, "s.json", {"data": {"resultType": "matrix", "result": result}})
    name, found = read_export(read_records(str(path)))
    assert (name, len(found.rows), found.warnings) == ("prometheus", 3, ())
    rows = TimedRows(**found.columns(), unit="ns")
    assert (rows.end - rows.start).tolist() == [600 * 10**9] * 3
    none = save(tmp_path, "n.json", {"data": {"resultType": "matrix", "result": []}})
    assert read_export(read_records(str(none)))[1].rows == []


def test_samples_of_a_score_are_no_alerts(tmp_path):
    path = save(tmp_path, "s.json", samples({"service": "shop"}, range(0, 600, 60)))
    with pytest.raises(FileError, match="neither incidents nor alerts; give the file as --watched"):
        table(path)


def samples(metric, times, *others):
    result = [{"metric": metric, "values": [[time, "1"] for time in times]}, *others]
    return {"status": "success", "data": {"resultType": "matrix", "result": result}}


def fires(name, **more):
    return {"__name__": "ALERTS", "alertstate": "firing", "alertname": name, **more}


def test_groups_of_rules_have_their_own_steps_and_moments(tmp_path):
    slow = {"metric": fires("slow"), "values": [[t, "1"] for t in range(7, 600, 60)]}
    rare = {"metric": fires("rare"), "values": [[t, "1"] for t in (0, 400)]}
    answer = samples(fires("quick"), range(0, 601, 15), slow, rare)
    rows = read_export(read_records(str(save(tmp_path, "a.json", answer))))[1].rows
    seconds = [(row["kind"], row["start"] / 1e9, row["end"] and row["end"] / 1e9) for row in rows]
    assert seconds == [("quick", 0, None), ("slow", 7, None), ("rare", 0, 15), ("rare", 400, 415)]
    once = samples(fires("once"), [5])
    assert read_export(read_records(str(save(tmp_path, "b.json", once))))[1].rows[0]["end"] is None


def test_an_alert_ends_with_the_file_in_a_longer_span(tmp_path):
    """Whether it was over then, or nobody asked for more, the answer to a query does not say."""
    begun = round(written.LAST.timestamp()) - 3600
    answer = samples(fires("x", service="shop"), range(begun, begun + 60, 15))
    found = table(save(tmp_path, "early.json", answer))
    assert things(found.scores["early"]) == [("shop", begun * 10**9, str((begun + 60) * 10**9))]
    assert "the last sample lies before the end of the span: no alert is open" in found.summary
    ended = samples(fires("x"), [begun], {"metric": {**fires("x"), "alertstate": "pending"},
                                          "values": [[begun + 60, "1"]]})  # fmt: skip
    assert "no alert is open" not in table(save(tmp_path, "ended.json", ended)).summary


def now(name, state="firing", start="2026-10-20T08:00:00.123456789Z"):
    labels = {"alertname": name, "service": "shop", "severity": "page"}
    return {"labels": labels, "annotations": {}, "state": state, "activeAt": start, "value": "1"}


def test_alerts_that_fire_now(tmp_path):
    answer = {"status": "success", "data": {"alerts": [now("a"), now("b", "pending")]}}
    found = table(save(tmp_path, "alerts.json", answer))
    (alerts,) = found.scores.values()
    assert (alerts.kind.tolist(), alerts.open.tolist()) == (["a"], [True])
    assert "(prometheus alerts: activeAt, all open)" in found.summary
    assert "earlier than its alert by `for`" in found.summary
    calm = table(save(tmp_path, "calm.json", {"status": "success", "data": {"alerts": []}}))
    assert len(calm.scores["calm"]) == 0


def test_rules_say_how_long_they_wait(tmp_path):
    def rule(name, hold, *alerts):
        return {"name": name, "type": "alerting", "duration": hold, "alerts": list(alerts)}

    recorded = {"name": "r", "type": "recording", "query": "1"}
    rules = [rule("a", 40, now("a"), now("b", "pending")), recorded, rule("c", 0, now("c"))]
    groups = [{"name": "g", "interval": 15, "rules": rules}, {"interval": 60, "rules": []}]
    path = save(tmp_path, "rules.json", {"status": "success", "data": {"groups": groups}})
    found = table(path)
    (alerts,) = found.scores.values()
    first = 1_792_483_200_123_456_000
    assert alerts.start.tolist() == [first + 45 * 10**9, first]  # the third evaluation after
    assert "(prometheus rules: activeAt, later by `for`, all open)" in found.summary
    assert "not a history" in found.summary
    rules[2]["alerts"][0]["activeAt"] = "soon"
    wrong = save(tmp_path, "wrong.json", {"status": "success", "data": {"groups": groups}})
    with pytest.raises(FileError, match=r"groups\[0\]: rules\[2\]: alerts\[0\]: activeAt must"):
        table(wrong)


def test_label_studio_and_esa_are_incidents(tmp_path):
    for number, content in enumerate((written.label_studio(), written.label_studio(as_text=True))):
        path = save(tmp_path, f"studio{number}.json", content)
        found = read_incidents(
            GivenTables(str(path), [str(save(tmp_path, "none.csv", ""))], story.SPAN), TimeWords()
        )
        assert things(found.labels) == expected(written.INCIDENTS, closed=True)
        assert (
            "warning: annotators 1, 2: taken are the 8 regions of 1; --truth-columns annotator=NAME"
        ) in found.summary
        given = GivenTables(
            str(path), [str(tmp_path / "none.csv")], story.SPAN, truth_columns={"annotator": "2"}
        )
        other = read_incidents(given, TimeWords())
        assert set(other.labels.annotator) == {"2"}
        assert "warning" not in other.summary
        with pytest.raises(FileError, match="annotator must be one of 1, 2, got '3'"):
            read_incidents(given._replace(truth_columns={"annotator": "3"}), TimeWords())
        assert "no alerts in none.csv" in found.summary
    alone = save(tmp_path, "alone.json", written.label_studio(cancelled=True))
    assert read_export(read_records(str(alone)))[1].warnings == ()
    outages = save(tmp_path, "outages.csv", story.OUTAGES)
    labels = written.esa(tmp_path)
    given = GivenTables(str(labels), [str(tmp_path / "none.csv")], story.SPAN)
    found = read_incidents(given, TimeWords())
    assert things(found.labels) == expected(written.INCIDENTS, closed=True)
    assert found.watching["outages"].place.tolist() == ["shop"]
    both = read_incidents(given._replace(outages=str(outages)), TimeWords())
    assert both.watching["outages"].place.tolist() == ["shop", "*", "shop"]
    (tmp_path / "anomaly_types.csv").write_text("ID,Class\nI1,x\n")
    (tmp_path / "channels.csv").unlink()
    plain = read_export(read_records(str(labels)))[1]
    assert {row["service"] for row in plain.rows} == {"channel_1", "channel_2"}
    assert len(plain.rows) == 9  # nothing says that the gap is none
    renamed = save(tmp_path, "truth_table.csv", labels.read_text())
    assert len(read_export(read_records(str(renamed)))[1].rows) == 9


def test_elastic_records_are_joined(tmp_path):
    def record(minute, score, initial, **more):
        scores = {"record_score": score, "initial_record_score": initial}
        place = {"timestamp": 60_000 * minute, "partition_field_value": "shop"}
        return {"bucket_span": 900, **scores, **place, **more}

    given = [record(15, 80, 95), record(0, 90, 91), record(60, 76, 77, is_interim=True),
             record(90, 70, 88), record(120, 99, 99)]  # fmt: skip
    _, found = read_export(read_records(str(save(tmp_path, "e.json", {"records": given}))))
    assert [(row["start"], row["end"], row["score"]) for row in found.rows] == [
        (0, 1_800_000, 95), (7_200_000, 8_100_000, 99),
    ]  # fmt: skip
    (warning,) = found.warnings
    assert "1 left out; --alerts-columns score=initial_record_score" in warning
    _, calm = read_export(read_records(str(save(tmp_path, "f.json", {"records": given[:2]}))))
    assert calm.warnings == ()
    records = read_records(str(tmp_path / "e.json"))
    _, new = read_export(records, {"score": "initial_record_score"})
    assert ([row["start"] for row in new.rows], new.warnings) == ([0, 5_400_000, 7_200_000], ())
    with pytest.raises(FileError, match="score must be record_score or initial_record_score, got"):
        read_export(records, {"score": "typical"})
    assert read_export(records, {"start": "timestamp"}) is None


def test_what_is_not_whole_is_told(tmp_path):
    def warnings(name, content):
        return read_export(read_records(str(save(tmp_path, name, content))))[1].warnings

    other = {"metric": {"__name__": "ALERTS_FOR_STATE"}, "values": [[0, "1"]]}
    assert warnings("a.json", samples(fires("x"), range(0, 60, 15), other)) == (
        "1 series left out that are not of ALERTS",
    )
    events = written.datadog()
    assert "1 events left out" in warnings("e.json", events)[0]
    assert warnings("f.json", {"data": events["data"][:-1]}) == ()
    written.esa(tmp_path)
    kinds = (tmp_path / "anomaly_types.csv").read_text()
    changed = kinds.replace("I1,Anomaly\n", "").replace("Communication Gap", "Drill")
    save(tmp_path, "anomaly_types.csv", changed)
    assert warnings("labels.csv", (tmp_path / "labels.csv").read_text()) == (
        "taken as time without data: events called Drill",
        "1 labels have an ID without a category: taken as anomalies",
    )

    assert "more: true" in warnings("p.json", written.pagerduty(more=True))[0]
    assert "next page" in warnings("o.json", written.opsgenie(next="x"))[0]
    assert "next page" in warnings("d.json", written.datadog(after="x"))[0]
    assert warnings("o.csv", written.opsgenie_csv())[0].startswith("11 occurrences were counted")
    hundred = [
        {"alertId": k, "newState": "Alerting", "prevState": "Normal", "time": k} for k in range(100)
    ]
    assert "exactly 100 annotations" in warnings("g.json", hundred)[0]
    again = [*hundred[:2], {**hundred[1], "time": 9}]  # said again while it lasts
    assert len(read_export(read_records(str(save(tmp_path, "h.json", again))))[1].rows) == 2
    active = [{"fingerprint": "a", "startsAt": "2026-10-20T08:00:00Z", "status": {}, "labels": {}}]
    assert "not a history" in warnings("v2.json", active)[0]
    cut = {"groupKey": "", "truncatedAlerts": 3, "alerts": []}
    assert "3 alerts were cut off" in warnings("w.json", cut)[0]


def without(content, *path):
    content = json.loads(json.dumps(content))
    holder = content
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    return content


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.json", without(written.pagerduty(), "incidents", 2, "resolved_at"),
         "p.json: incidents[2]: resolved_at must be there where status is 'resolved', got none"),
        ("p.csv", written.pagerduty_csv().replace("2026-10-20T08:10:00+02:00,high", ",high"),
         "p.csv: row 2: resolved_on must be there where status is 'resolved', got none"),
        ("o.json", without(written.opsgenie(), "data", 1, "report"),
         "o.json: data[1]: report.closeTime must be there where status is 'closed', got none"),
        ("o.csv", written.opsgenie_csv().replace("P1,2,600000,", "P1,2,,"),
         "o.csv: row 3: Report.CloseTime must be there where Status is 'closed', got none"),
        ("w.jsonl", written.webhook().replace("2026-10-20T08:10:00+02:00", "0001-01-01T00:00:00Z"),
         "w.jsonl: [3]: alerts[0]: endsAt must be there where status is 'resolved', got none"),
    ],
)  # fmt: skip
def test_what_is_over_and_has_no_end_is_refused(name, content, words, tmp_path):
    with pytest.raises(FileError, match=re.escape(words)):
        table(save(tmp_path, name, content))


def test_what_ends_before_it_begins_is_refused_with_the_file(tmp_path):
    given = written.pagerduty()
    given["incidents"][2]["resolved_at"] = "2001-01-01T00:00:00Z"
    with pytest.raises(FileError, match=r"p\.json: alerts must end after they start"):
        table(save(tmp_path, "p.json", given))


def test_what_is_resolved_ended_when_its_status_changed(tmp_path):
    given = written.pagerduty()
    for one in given["incidents"]:
        one["last_status_change_at"] = one.pop("resolved_at") or story.SPAN[0]
    (alerts,) = table(save(tmp_path, "p.json", given)).scores.values()
    assert things(alerts) == expected(written.ALERTS)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("e.json", {"status": "error", "errorType": "bad_data", "error": "too many"},
         "too many"),
        ("g.json", written.grafana()[:1] and [
            {"alertId": 1, "newState": "Normal", "prevState": "Alerting", "time": 5}],
         r"an alert ends \(at 5\) whose beginning is not among the annotations"),
        ("g.json", [{"alertId": 1, "newState": "Alerting (x)", "prevState": "Alerting", "time": 5}],
         r"an alert goes on \(at 5\) whose beginning is not among the annotations"),
        ("s.csv", "number,opened_at,resolved_at,closed_at\n1,a,b,c\n", "name the columns"),
        ("t.json", {"rows": []}, "must have the columns start and end"),
        ("x.xml", "", "the suffix must be one of .csv"),
        ("b.json", "{", "not JSON"),
        ("b.jsonl", "{", "line 1: not JSON"),
        ("q.csv", 'start\n"2026', "not valid CSV"),
        ("w.csv", "start,end\n2026-10-20\n", "row 1 must have 2 cells like the header, got 1"),
        ("d.csv", "start,start\n1,2\n", "column 'start' must be"),
        ("p.json", written.pagerduty() | {"incidents": [
            {"id": 1, "incident_number": 1, "created_at": "soon"}]},
         r"p.json: incidents\[0\]: created_at must be a time such as .*, got 'soon'"),
        ("o.json", {"data": [{"id": "a", "tinyId": "1", "createdAt": "2026-10-20", "tags": "x"}]},
         r"o.json: data\[0\]: tags must be a list, got 'x'"),
        ("q.json", {"incidents": [{"incident_number": 1, "created_at": "2026-10-20"}, "x"]},
         r"q.json: incidents\[0\]: id must be text or a whole number, got None"),
        ("q.json", {"incidents": ["x", {"incident_number": 1, "created_at": "2026-10-20"}]},
         r"q.json: incidents\[0\] must be an object, got 'x'"),
        ("b.parquet", "no parquet", "broken file"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(name, content, words, tmp_path):
    with pytest.raises(FileError, match=words):
        table(save(tmp_path, name, content))


def test_tables_of_other_kinds(tmp_path):
    frame = pd.DataFrame({"start": pd.to_datetime(["2026-10-20T08:03Z"]), "service": ["mail"]})
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_feather(tmp_path / "a.feather")
    save(tmp_path, "a.json", [{"start": "2026-10-20T08:03Z", "service": "mail"}])
    for name in ("a.parquet", "a.feather", "a.json"):
        (alerts,) = table(tmp_path / name).scores.values()
        assert alerts.place.tolist() == ["mail"]
    for name, content in (("n.json", ""), ("n.jsonl", ""), ("m.json", {"incidents": []})):
        (alerts,) = table(save(tmp_path, name, content)).scores.values()
        assert len(alerts) == 0
    with pytest.raises(FileError, match="cannot be read: no such file"):
        read_records(str(tmp_path / "gone.csv"))
    with pytest.raises(UnknownName, match="unknown role of a column 'begin'"):
        table(tmp_path / "a.json", {"begin": "start"})


def test_parquet_needs_its_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match="reading Parquet and Arrow needs pyarrow"):
        read_records(str(save(tmp_path, "a.parquet", "x")))


def test_too_much_json_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("adjudge.io.records.MAX_BYTES", 10)
    with pytest.raises(FileError, match="a JSON text must be at most 10 bytes"):
        read_records(str(save(tmp_path, "a.json", [1] * 20)))


def test_others_may_add_theirs(tmp_path, monkeypatch):
    monkeypatch.setattr(EXPORTS, "_things", dict(EXPORTS))

    @export("mine", "a key `mine`")
    def mine(records):
        return None if "mine" not in str(records.content) else Exported([], "nothing")

    assert EXPORTS["mine"] is mine
    assert read_export(read_records(str(save(tmp_path, "a.json", {"x": 1})))) is None
    assert read_export(read_records(str(save(tmp_path, "b.json", {"mine": 1}))))[0] == "mine"
    with pytest.raises(InputError, match="export other must be declared by @export"):
        EXPORTS.add("other", 3)
