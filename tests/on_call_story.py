"""Two weeks of two services in autumn, made up: incidents, alerts, outages, and what they come to.

The clock goes back on 25 October. What each row is there for stands beside it; the counts below
were made by hand.
"""

from pathlib import Path

SPAN = ("2026-10-19T00:00:00+02:00", "2026-11-02T00:00:00+01:00")
HOURS = 337 - 6  # in which a service was watched: two weeks, the hour that comes twice, less 6
INCIDENTS = """id,service,severity,start,end
I1,shop,high,2026-10-18T23:30:00+02:00,2026-10-19T00:30:00+02:00
I2,mail,low,2026-10-20T08:00:00+02:00,2026-10-20T09:00:00+02:00
I3,shop,high,2026-10-21T10:30:00+02:00,2026-10-21T11:30:00+02:00
I4,shop,low,2026-10-21T11:30:00+02:00,2026-10-21T13:00:00+02:00
I5,mail,high,2026-10-25T02:30:00+02:00,2026-10-25T02:30:00+01:00
I6,shop,low,2026-10-27T14:00:00+01:00,2026-10-27T14:20:00+01:00
I7,mail,high,2026-10-28T05:00:00+01:00,2026-10-28T07:00:00+01:00
I8,shop,high,2026-11-01T22:00:00+01:00,
"""
ALERTS = """id,service,kind,score,start,end
P1,shop,load,0.9,2026-10-18T23:40:00+02:00,2026-10-19T00:20:00+02:00
P2,mail,queue,0.8,2026-10-20T08:03:00+02:00,2026-10-20T08:10:00+02:00
P3,mail,load,0.7,2026-10-20T08:10:00+02:00,2026-10-20T08:20:00+02:00
P4,shop,load,0.9,2026-10-21T10:40:00+02:00,2026-10-21T10:50:00+02:00
P5,shop,load,0.8,2026-10-21T12:20:00+02:00,2026-10-21T12:30:00+02:00
P6,mail,queue,0.6,2026-10-25T02:10:00+01:00,2026-10-25T02:20:00+01:00
P7,mail,queue,0.5,2026-10-27T14:05:00+01:00,2026-10-27T14:05:00+01:00
P8,shop,load,0.7,2026-10-27T13:58:00+01:00,2026-10-27T13:59:00+01:00
P9,mail,queue,0.9,2026-10-28T05:30:00+01:00,2026-10-28T06:30:00+01:00
P10,shop,load,0.8,2026-11-01T22:05:00+01:00,
P11,shop,load,0.4,2026-10-22T03:00:00+02:00,2026-10-22T03:00:00+02:00
P12,shop,load,0.4,2026-10-22T03:00:00+02:00,2026-10-22T03:00:00+02:00
P13,mail,load,0.6,2026-10-20T09:00:00+02:00,2026-10-20T09:05:00+02:00
P14,shop,load,0.5,2026-10-30T10:00:00+01:00,2026-10-30T10:01:00+01:00
"""
OUTAGES = """service,start,end
shop,2026-10-21T10:00:00+02:00,2026-10-21T12:00:00+02:00
*,2026-10-28T00:00:00+01:00,2026-10-28T06:00:00+01:00
"""
FOUND = {
    "I1": ("found", "P1", None),  # began before the span, as its alert did
    "I2": ("found", "P2", 180.0),  # two alerts that touch
    "I3": ("unwatched", None, None),  # wholly in an outage of its service
    "I4": ("found", "P5", None),  # began in the outage
    "I5": ("found", "P6", 2400.0),  # from the first 02:30 to the second
    "I6": ("missed", None, None),  # paged too early, and for another service
    "I7": ("found", "P9", None),  # an alert that began in the outage lasts into what is watched
    "I8": ("found", "P10", 300.0),  # open, as its alert is
}
RIGHT = {
    "P1": "not counted", "P2": "right", "P3": "right", "P4": "not counted", "P5": "right",
    "P6": "right", "P7": "false", "P8": "false", "P9": "not counted", "P10": "right",
    "P11": "false", "P12": "false", "P13": "false", "P14": "false",
}  # fmt: skip
COUNTS = {
    "judged": 7, "found": 6, "missed": 1, "unwatched": 1, "alerts": 14, "alerts_right": 5,
    "alerts_false": 6, "alerts_unwatched": 3, "false_per_week": 6 / (HOURS / 168),
    "delay_median_seconds": 300.0,
}  # fmt: skip
EARLY = COUNTS | {
    "found": 7, "missed": 0, "alerts_right": 6, "alerts_false": 5,
    "false_per_week": 5 / (HOURS / 168), "delay_median_seconds": 240.0,
}  # fmt: skip
"""With alerts up to five minutes before an incident: P8 finds I6, two minutes ahead."""


def write(folder):
    """Write the three tables; their paths."""
    tables = {"incidents": INCIDENTS, "alerts": ALERTS, "outages": OUTAGES}
    for name, text in tables.items():
        (Path(folder) / f"{name}.csv").write_text(text, encoding="utf-8")
    return {name: Path(folder) / f"{name}.csv" for name in tables}
