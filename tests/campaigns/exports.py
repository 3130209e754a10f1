"""Read mutated exports: the same things, what the file now says, or a refusal in one line.

    python tests/campaigns/exports.py --seed 0 --count 20000

Each file is one that another program writes (incidents and alerts of the story of the tests) in
which one value is replaced by something else or taken out, or a few bytes are changed. A message
names the file and, where a value was changed, its record. Where the file is read, its things are
those of the good file, but for what the changed field says of one thing, where its new value may
stand there; or a warning tells what is left out.
"""

import argparse
import copy
import csv
import io
import json
import math
import random
import re
import sys
import tempfile
import warnings
from collections import Counter
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import on_call_story as story
from tests.io import on_call_exports as written

import adjudge as aj
from adjudge.errors import LONGEST
from adjudge.io.incidents import GivenTables, TimeWords, read_incidents
from campaigns.files import damaged
from campaigns.limits import TooLong, time_limit

GONE = object()
JUNK = (
    *(GONE, GONE, GONE, None, "", "soon", 5, 0, -1, 0.5, 1e300, 10**30, True, [], {}, [5]),
    *({"a": 1}, [[5]], "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+02:00", math.nan, math.inf),
    *("9999-12-31T23:59:59-23:00", "2026-13-45T00:00:00Z", "\x1b[31m", "x" * 10**5, "nan", "10e9"),
    *("2026-10-20", "20.10.2026 08:00", 10**400, -(10**19), "firing", "resolved", "Alerting (x)"),
)
TEXTS = {"service", "kind", "severity", "id", "annotator"}
SAYS = {  # what a field says of a thing: the attributes, and what it must be
    **dict.fromkeys(("resolved_at", "resolved_on", "endsAt", "EndTime", "end"), ({"end"}, "time")),
    **dict.fromkeys(("created_at", "created_on", "StartTime", "start"), ({"start"}, "time")),
    **dict.fromkeys(("createdAt", "CreatedAt", "startsAt", "activeAt"), ({"start", "end"}, "time")),
    **dict.fromkeys(("timestamp", "time", "bucket_span", "values"), ({"start", "end"}, "number")),
    **dict.fromkeys(("closeTime", "Report.CloseTime", "duration", "interval"),
                    ({"start", "end"}, "number")),
    **dict.fromkeys(("service", "summary", "service_name", "Tags", "tags", "Channel", "Subsystem",
                     "partition_field_value", "labels", "metric", "data", "text"), (TEXTS, "name")),
    **dict.fromkeys(("alertname", "severity", "urgency", "priority", "Priority", "alias", "Alias",
                     "name", "monitor_id", "alertName", "timeserieslabels", "completed_by", "id",
                     "Id", "ID", "Category", "monitor_groups", "alertId", "fingerprint"),
                    (TEXTS, "name")),
    **dict.fromkeys(("record_score", "initial_record_score"), ({"score"}, "number")),
}  # fmt: skip
IDENTITY = {"values", "bucket_span", "partition_field_value", "completed_by", "fingerprint",
            "metric", "alertname", "service", "severity", "labels"}  # fmt: skip
"""What says which records are of one thing: runs and neighbours are cut and joined."""
STATES = {
    "newState": ("Alerting (x)",), "prevState": ("Alerting (x)",), "status": ("firing", "resolved"),
    "state": ("firing",), "alertstate": ("firing",), "is_interim": (True,),
    "was_cancelled": (True,),
}  # fmt: skip
"""What a field may be beside what it is."""
LISTS = {"alerts", "data", "records", "incidents", "result", "rules", "groups", "values", "tags",
         "annotations", "timeserieslabels"}  # fmt: skip
"""Lists that may have nothing in them."""


def good_files(folder):
    """Content by the name of the file; ESA's stand beside each other."""
    written.esa(folder)
    return {
        "prometheus.json": written.prometheus(step=600),
        "alerts.json": written.alerts_now(),
        "rules.json": written.rules_now(),
        "webhook.jsonl": [json.loads(line) for line in written.webhook().splitlines()],
        "active.json": written.active(),
        "grafana.json": written.grafana(),
        "pagerduty.json": written.pagerduty(),
        "opsgenie.json": written.opsgenie(),
        "datadog.json": written.datadog(),
        "elastic.json": written.elastic(),
        "studio.json": written.label_studio(),
        "pagerduty.csv": rows_of(written.pagerduty_csv()),
        "opsgenie.csv": rows_of(written.opsgenie_csv()),
        "labels.csv": rows_of((folder / "labels.csv").read_text()),
        "anomaly_types.csv": rows_of((folder / "anomaly_types.csv").read_text()),
        "channels.csv": rows_of((folder / "channels.csv").read_text()),
    }


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def text_of(name, content):
    """The file as it is written."""
    if name.endswith(".csv"):
        out = io.StringIO()
        names = dict.fromkeys(key for row in content for key in row)
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(content)
        return out.getvalue()
    if name.endswith(".jsonl"):
        return "\n".join(map(json.dumps, content))
    return json.dumps(content)


def places(content, path=()):
    """The paths of all values in a value."""
    inner = content.items() if isinstance(content, dict) else ()
    for key, value in enumerate(content) if isinstance(content, list) else inner:
        yield (*path, key)
        yield from places(value, (*path, key))


def mutated(rng, name, content):
    """A copy with one value replaced or taken out, where it is, and what is there now."""
    content = copy.deepcopy(content)
    path = rng.choice(list(places(content)))
    if name.endswith(".csv") and len(path) == 1:
        path = (*path, rng.choice(list(content[0])))
    holder = content
    for key in path[:-1]:
        holder = holder[key]
    new = rng.choice(JUNK)
    if name.endswith(".csv"):
        new = "" if new is GONE or new is None else str(new)
    elif new is GONE and isinstance(holder, list):
        new = None
    if new is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    return content, path, new


def things(folder, name):
    """The things of a file and the warnings of how it was read."""
    truth, alerts = folder / "truth.csv", folder / "none.csv"
    if name in {"studio.json", "labels.csv", "anomaly_types.csv", "channels.csv"}:
        truth = folder / ("labels.csv" if name.endswith(".csv") else name)
    else:
        alerts = folder / name
    found = read_incidents(GivenTables(str(truth), [str(alerts)], story.SPAN), TimeWords())
    rows = found.labels if truth.name != "truth.csv" else next(iter(found.scores.values()))
    columns = {"start": rows.start.tolist(), "end": rows.end.tolist()}
    for each in (*TEXTS, "score"):
        column = getattr(rows, each)
        columns[each] = [None] * len(rows) if column is None else column.tolist()
    gaps = found.watching.get("outages")
    columns["id"] = columns["id"] if rows.has_ids else [None] * len(rows)
    columns["gaps"] = [None if gaps is None else len(gaps)] * len(rows)
    told = set(re.findall(r"warning: [^;]*", found.summary))
    return [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ], told


def may_stand(new, kind):
    """Whether a value may stand in a field of a kind; an independent word on it."""
    if kind == "time":
        try:
            return 1678 <= datetime.fromisoformat(new).year < 2262
        except (TypeError, ValueError):
            return new in {5, 0, 0.5, "20.10.2026 08:00"}
    if kind == "number":
        new = int(new) if isinstance(new, str) and new.isdecimal() else new
        return type(new) in {int, float} and 0 <= new < 1e13
    return new in ({}, []) or type(new) in {str, int}


NEVER_GONE = {"start", "createdAt", "CreatedAt", "created_at", "created_on", "startsAt", "activeAt",
              "timestamp", "time", "values", "StartTime", "EndTime", "labels", "metric", "end",
              "bucket_span", "record_score", "duration", "interval"}  # fmt: skip


def judged(good, now, path, new):
    """What is wrong about things that were read from a mutated file; "" if nothing is."""
    (before, told), (after, tells) = good, now
    named = [key for key in path if isinstance(key, str)]
    field = named[-1] if named else ""
    left_out = new == [] and (field in LISTS or not named)
    if before == after or tells - told or left_out or new in STATES.get(field, ()):
        return ""
    attributes, kind = SAYS.get(field, (set(), ""))
    joins = field in IDENTITY or (field == "timestamp" and "records" in named)
    left = [one for one in before if one not in after]
    right = [one for one in after if one not in before]
    pairs = zip(left, right, strict=False)
    other = {key for one, two in pairs for key in one if one[key] != two[key]} - attributes
    gone = new is GONE or new is None or new == ""
    wrong = (
        (not attributes, "changed the things"),
        (not gone and not may_stand(new, kind), "took what it may not be"),
        (gone and field in NEVER_GONE, "may not be missing"),
        (len(left) != len(right) and not joins, "changed the number of things"),
        (other and not joins, f"changed {', '.join(sorted(other))}"),
    )
    return next((f"{field or 'a record'} {how}" for holds, how in wrong if holds), "")


PLACE = re.compile(r"\[\d+\]|\brow \d+|\bindex \d+|\brows \d+|\(at ")


def one_file(folder, name, content, good, rng):
    """What came of one mutated file: "read", "refused", or what is wrong."""
    in_bytes = rng.random() < 0.2
    if in_bytes:
        path, new = (), None
        data = damaged(rng, text_of(name, content).encode())
    else:
        changed, path, new = mutated(rng, name, content)
        data = text_of(name, changed).encode()
    kept = (folder / name).read_bytes()
    (folder / name).write_bytes(data)
    try:
        with time_limit(5):
            now = things(folder, name)
    except aj.AdjudgeError as error:
        return refused(name, str(error), path)
    except (Exception, TooLong) as error:  # noqa: BLE001 - that is what is looked for
        return f"raised {type(error).__name__}: {error}"[:90]
    finally:
        (folder / name).write_bytes(kept)
    wrong = "" if in_bytes else judged(good, now, path, new)
    return f"silently wrong: {wrong}" if wrong else "read"


def refused(name, text, path):
    """Whether a message is one short line that names the file and the record."""
    if "\n" in text or len(text) > LONGEST:
        return f"a message of several lines, or of more than {LONGEST:,} characters"
    if name not in text and "labels.csv" not in text:
        return f"a message without the file: {text[:120]}"
    if any(isinstance(key, int) for key in path) and not PLACE.search(text):
        return f"a message without the record: {text[-120:]}"
    return "refused"


def campaign(seed, count, folder):
    """Count what came of the files; name the first ones that went wrong."""
    (folder / "truth.csv").write_text(story.INCIDENTS)
    (folder / "none.csv").write_text("")
    contents = good_files(folder)
    for name, content in contents.items():
        (folder / name).write_text(text_of(name, content))
    good = {name: things(folder, name) for name in contents}
    outcomes, wrong = Counter(), {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(count):
            rng = random.Random(f"{seed} {number}")  # noqa: S311 - not for secrets
            name = rng.choice(sorted(contents))
            found = one_file(folder, name, contents[name], good[name], rng)
            outcomes[found.partition(":")[0]] += 1
            if " " in found:
                wrong.setdefault(f"{name}: {found}", number)
    return outcomes, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcomes, wrong = campaign(given.seed, given.count, Path(folder))
    for found, number in wrong.items():
        print(f"file {number}, {found}")
    print(f"{given.count:,} files, seed {given.seed}: {dict(outcomes)}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
