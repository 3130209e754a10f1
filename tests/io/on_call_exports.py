"""Write the alerts and incidents of the story in the forms of other programs."""

import csv
import io
import json
from datetime import datetime, timedelta

from tests import on_call_story as story

LAST = datetime.fromisoformat(story.SPAN[1])
ONLY_LENGTHS = ("P7", "P11", "P12")
"""Moments, which no pair of a beginning and an end can tell."""


def rows(text):
    return [
        {**row, "start": datetime.fromisoformat(row["start"]),
         "end": datetime.fromisoformat(row["end"]) if row["end"] else None}
        for row in csv.DictReader(io.StringIO(text))
    ]  # fmt: skip


INCIDENTS = rows(story.INCIDENTS)
ALERTS = [row for row in rows(story.ALERTS) if row["id"] not in ONLY_LENGTHS]


def ms(moment):
    return round(moment.timestamp() * 1000)


def labels(row):
    return {"alertname": row["kind"], "service": row["service"], "severity": "page"}


def prometheus(step=60):
    result = [{"metric": {"__name__": "ALERTS", "alertstate": "pending", **labels(ALERTS[0])},
               "values": [[ms(ALERTS[0]["start"]) / 1000 - step, "1"]]}]  # fmt: skip
    for row in ALERTS:
        end = row["end"] or LAST
        times = range(ms(row["start"]) // 1000, ms(end) // 1000, step)
        result.append({"metric": {"__name__": "ALERTS", "alertstate": "firing", **labels(row)},
                       "values": [[time, "1"] for time in times]})  # fmt: skip
    return {"status": "success", "data": {"resultType": "matrix", "result": result}}


def webhook():
    bodies = []
    for row in ALERTS:
        alert = {
            "labels": labels(row),
            "startsAt": row["start"].isoformat(),
            "endsAt": "0001-01-01T00:00:00Z",
            "fingerprint": row["kind"] + row["service"],
        }
        bodies.append({"groupKey": "{}", "alerts": [{**alert, "status": "firing"}]})
        if row["end"]:
            ended = {**alert, "status": "resolved", "endsAt": row["end"].isoformat()}
            bodies.append({"groupKey": "{}", "alerts": [ended], "truncatedAlerts": 0})
    return "\n".join(map(json.dumps, bodies))


def grafana():
    found = []
    for number, row in enumerate(ALERTS):
        text = f"x {{alertname={row['kind']}, service={row['service']}}} - A=1"
        about = {"alertId": number, "alertName": row["kind"], "text": text}
        found.append(
            {**about, "time": ms(row["start"]), "prevState": "Pending", "newState": "Alerting"}
        )
        found.append({**about, "time": ms(row["start"]) - 60_000, "prevState": "Normal",
                      "newState": "Pending"})  # fmt: skip
        if row["end"]:
            found.append({**about, "time": ms(row["end"]), "prevState": "Alerting",
                          "newState": "Normal (MissingSeries)"})  # fmt: skip
    return found[::-1]


def pagerduty(more=False):
    return {"more": more, "incidents": [
        {"id": row["id"], "incident_number": 1, "created_at": row["start"].isoformat(),
         "status": "resolved" if row["end"] else "acknowledged",
         "resolved_at": row["end"] and row["end"].isoformat(),
         "service": {"summary": row["service"]}, "urgency": "high"} for row in ALERTS]}  # fmt: skip


def pagerduty_csv():
    head = "id,incident_number,service_name,created_on,resolved_on,urgency,status"
    lines = [f"{r['id']},1,{r['service']},{r['start'].isoformat()},"
             f"{r['end'].isoformat() if r['end'] else ''},high,"
             f"{'resolved' if r['end'] else 'triggered'}" for r in ALERTS]  # fmt: skip
    return "\n".join([head, *lines, ""])


def opsgenie(**more):
    return {"data": [
        {"id": row["id"], "tinyId": "1", "alias": row["kind"], "tags": [row["service"]],
         "createdAt": row["start"].isoformat(), "priority": "P1", "count": 1,
         "status": "closed" if row["end"] else "open",
         "report": {"closeTime": ms(row["end"]) - ms(row["start"])} if row["end"] else {}}
        for row in ALERTS], "paging": more}  # fmt: skip


def opsgenie_csv():
    head = "Id,TinyId,Alias,Tags,CreatedAt,Priority,Count,Report.CloseTime,Status"
    lines = [f"{r['id']},1,{r['kind']},{r['service']}|page,{r['start'].isoformat()},P1,2,"
             f"{ms(r['end']) - ms(r['start']) if r['end'] else ''},"
             f"{'closed' if r['end'] else 'open'}" for r in ALERTS]  # fmt: skip
    return "\n".join([head, *lines, ""])


def datadog(**page):
    events = []
    for number, row in enumerate(ALERTS):
        for time, kind in ((row["start"], "alert"), (row["end"], "alert recovery")):
            if time:
                monitor = {"name": row["kind"], "transition": {"trans_type": kind}}
                inner = {"monitor": monitor, "monitor_id": number, "service": row["service"],
                         "timestamp": ms(time), "monitor_groups": [f"host:{number}"]}  # fmt: skip
                events.append({"type": "event", "attributes": {"attributes": inner}})
    other = {"type": "event", "attributes": {"attributes": {"timestamp": 0}}}
    return {"data": [*events, other], "meta": {"page": page}}


def active():
    """Alerts that are active now, as Alertmanager gives them."""
    return [
        {"fingerprint": row["id"], "startsAt": row["start"].isoformat(), "labels": labels(row),
         "endsAt": LAST.isoformat(), "status": {"state": "active", "silencedBy": []}}
        for row in ALERTS
    ]  # fmt: skip


def firing(row):
    start = row["start"].isoformat()
    return {"labels": labels(row), "annotations": {}, "state": "firing", "activeAt": start}


def alerts_now():
    return {"status": "success", "data": {"alerts": [firing(row) for row in ALERTS]}}


def rules_now():
    rules = [{"name": row["kind"], "type": "alerting", "duration": 40, "alerts": [firing(row)]}
             for row in ALERTS]  # fmt: skip
    recorded = {"name": "r", "type": "recording", "query": "1"}
    groups = [{"name": "g", "interval": 15, "rules": [*rules, recorded]}]
    return {"status": "success", "data": {"groups": groups}}


def elastic():
    return {"records": [
        {"timestamp": ms(row["start"]), "bucket_span": 900, "partition_field_value": row["service"],
         "record_score": 80 + number, "initial_record_score": 85 + number, "is_interim": False}
        for number, row in enumerate(ALERTS)]}  # fmt: skip


def label_studio(*, as_text=False, cancelled=False):
    def shown(moment):
        return moment.isoformat() if as_text else ms(moment)

    tasks = []
    for service in ("shop", "mail"):
        regions = [
            {"id": row["id"], "type": "timeserieslabels",
             "value": {"start": shown(row["start"]), "end": shown(row["end"] or LAST),
                       "timeserieslabels": ["Incident"]}}
            for row in INCIDENTS if row["service"] == service
        ]  # fmt: skip
        own = {
            "completed_by": 1,
            "result": [*regions, {"type": "choices", "value": {"choices": ["ok"]}}],
        }
        other = {"completed_by": 2, "result": regions[:1], "was_cancelled": cancelled}
        tasks.append({"data": {"service": service}, "annotations": [own, other]})
    return tasks


def esa(folder):
    names = {"shop": "channel_1", "mail": "channel_2"}
    lines = ["ID,Channel,StartTime,EndTime"]
    for row in INCIDENTS:
        end = (row["end"] or LAST) - timedelta(milliseconds=1)
        lines.append(
            f"{row['id']},{names[row['service']]},{row['start'].isoformat()},{end.isoformat()}"
        )
    lines.append(f"gap,channel_1,{story.SPAN[0]},2026-10-19T00:00:59.999+02:00")
    (folder / "labels.csv").write_text("\n".join([*lines, ""]))
    kinds = [f"{row['id']},Anomaly" for row in INCIDENTS]
    types = "\n".join(["ID,Category", *kinds, "gap,Communication Gap", ""])
    (folder / "anomaly_types.csv").write_text(types)
    (folder / "channels.csv").write_text("Channel,Subsystem\nchannel_1,shop\nchannel_2,mail\n")
    return folder / "labels.csv"
