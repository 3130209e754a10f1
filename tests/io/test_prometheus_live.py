"""A real Prometheus and Alertmanager: a backfilled week, rules that fire, and what is read of them.

`.ci/oncall` installs the programs and runs this. They listen on 127.0.0.1 only, keep everything in
a temporary folder, and are ended with the tests, also where one fails.
"""

import json
import shutil
import subprocess
import time
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.io.incidents import GivenTables, TimeWords, read_incidents
from processes import free_port, server

pytestmark = pytest.mark.on_call

PROGRAMS = ("prometheus", "promtool", "prometheus-alertmanager")
DAY, MINUTE = 86400, 60
PATIENCE = 40
"""Seconds that the servers have to start and to fire; they need about ten."""
OUTAGE = (2 * DAY, 2 * DAY + 7200)
ALERTS = {
    "shop": [
        (DAY + 10 * 3600 + 240, 30),  # four minutes into I1
        (OUTAGE[0] + 600, 20),  # while nothing was measured
        (6 * DAY + 600, 5),  # ten minutes into I3
        (6 * DAY + 600 + 7 * MINUTE, 3),  # again, still in I3: two minutes without are an end
    ],
    "mail": [(4 * DAY, 15)],  # false
}
"""Seconds after the start of the week, and how many evaluations the alert lasted."""
INCIDENTS = [
    ("I1", "shop", DAY + 10 * 3600, DAY + 11 * 3600),
    ("I2", "mail", 3 * DAY, 3 * DAY + 2700),
    ("I3", "shop", 6 * DAY, 6 * DAY + 3600),
    ("I4", "shop", 7 * DAY - 180, None),  # lasts until now: the rules find it
]
RULES = """
groups:
- name: pages
  interval: 2s
  rules:
  - alert: ScoreHigh
    expr: last_over_time(anomaly_score[10m]) > 0.8
    for: 3s
    labels: {severity: page}
  - alert: Patient
    expr: last_over_time(anomaly_score[10m]) > 0.8
    for: 1h
- name: tickets
  interval: 3s
  rules:
  - record: shop:score
    expr: last_over_time(anomaly_score{service="shop"}[10m])
  - alert: AlwaysOn
    expr: vector(1)
    labels: {service: mail, severity: ticket}
"""


def week(first):
    """Scores and alerts of a week in OpenMetrics, one sample a minute; the last score is high."""

    def samples(name, labels, given):
        text = ",".join(f'{key}="{value}"' for key, value in labels.items())
        return [f"{name}{{{text}}} {value} {first + at}" for at, value in given]

    lines = ["# TYPE anomaly_score gauge"]
    for service in ALERTS:
        times = [at for at in range(0, 7 * DAY, MINUTE) if not OUTAGE[0] <= at < OUTAGE[1]]
        high = 7 * DAY - 180 if service == "shop" else 7 * DAY
        lines += samples("anomaly_score", {"service": service},
                         [(at, 0.95 if at >= high else 0.1) for at in times])  # fmt: skip
    lines.append("# TYPE ALERTS gauge")
    for service, alerts in ALERTS.items():
        labels = {"alertname": "ScoreHigh", "service": service, "severity": "page"}
        given = [(start + k * MINUTE, 1) for start, many in alerts for k in range(many)]
        lines += samples("ALERTS", {**labels, "alertstate": "firing"}, given)
        given = [(start - MINUTE, 1) for start, _ in alerts]
        lines += samples("ALERTS", {**labels, "alertstate": "pending"}, given)
    return "\n".join([*lines, "# EOF\n"])


class Site:
    """The two servers, and the folder into which their answers are saved."""

    def __init__(self, folder, first):
        self.folder, self.first = folder, first
        self.prometheus, self.alertmanager = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
        self.opener = build_opener(ProxyHandler({}))  # whatever proxy the machine has

    def start(self, stack):
        self.write("week.txt", week(self.first))
        tool, of_text = shutil.which("promtool"), ("create-blocks-from", "openmetrics")
        subprocess.run(
            [tool, "tsdb", *of_text, "week.txt", "data"], cwd=self.folder, check=True,
            capture_output=True, timeout=PATIENCE,
        )  # fmt: skip
        self.write("rules.yml", RULES)
        target = self.alertmanager.removeprefix("http://")
        static = f"static_configs: [{{targets: ['{target}']}}]"
        self.write("prometheus.yml", "rule_files: [rules.yml]\nalerting: {alertmanagers: "
                   f"[{{{static}}}]}}\n")  # fmt: skip
        self.write("alertmanager.yml", "route: {receiver: none}\nreceivers: [{name: none}]\n")
        own = self.prometheus.removeprefix("http://")
        processes = [
            stack.enter_context(server(self.folder, *command))
            for command in (
                ("prometheus-alertmanager", "--config.file=alertmanager.yml", "--storage.path=am",
                 "--cluster.listen-address=", f"--web.listen-address={target}"),
                # Samples that were backfilled do not say that their series ended: without a shorter
                # lookback every alert of the week would last five minutes longer.
                ("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                 "--storage.tsdb.retention.time=30d", "--query.lookback-delta=59s",
                 "--rules.alert.resend-delay=1s", f"--web.listen-address={own}"),
            )
        ]  # fmt: skip
        self.wait_for_alerts(processes)
        self.save_answers()

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def ask(self, address, **query):
        with self.opener.open(f"{address}?{urlencode(query)}", timeout=10) as answer:
            return answer.read().decode()

    def wait_for_alerts(self, processes):
        """Until both alerts are seen everywhere; with the servers' own words if they are not."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and all(one.poll() is None for one in processes):
            self.now = int(time.time())
            with suppress(OSError):  # not yet there
                if self.alerts_are_there():
                    return
            time.sleep(0.2)
        logs = [path.read_text()[-2000:] for path in self.folder.glob("*.log")]
        pytest.fail("the rules did not fire:\n" + "\n".join(logs))

    def alerts_are_there(self):
        sent = json.loads(self.ask(f"{self.alertmanager}/api/v2/alerts"))
        query = {"query": 'ALERTS{alertstate="firing"}', "time": self.now}
        stored = json.loads(self.ask(f"{self.prometheus}/api/v1/query", **query))
        return len(sent) == len(stored["data"]["result"]) == 2

    def save_answers(self):
        api, past = f"{self.prometheus}/api/v1", self.first + 7 * DAY
        minutes = {"start": self.first, "end": past - MINUTE, "step": MINUTE}
        recent = {"start": past, "end": self.now, "step": 1}
        answers = {
            "raw": self.ask(f"{api}/query", query="ALERTS[8d]", time=self.now),
            "minutes": self.ask(f"{api}/query_range", query="ALERTS", **minutes),
            "recent": self.ask(f"{api}/query_range", query="ALERTS", **recent),
            "score": self.ask(f"{api}/query_range", query="anomaly_score", **minutes),
            "alerts": self.ask(f"{api}/alerts"),
            "rules": self.ask(f"{api}/rules"),
            "manager": self.ask(f"{self.alertmanager}/api/v2/alerts"),
        }
        for name, text in answers.items():
            self.write(f"{name}.json", text)
        rows = [
            ",".join([id_, service, self.written(start), "" if end is None else self.written(end)])
            for id_, service, start, end in INCIDENTS
        ]
        self.write("truth.csv", "\n".join(["id,service,start,end", *rows, ""]))
        self.span = self.written(0), self.written(self.now - self.first)

    def written(self, seconds):
        return datetime.fromtimestamp(self.first + seconds, UTC).isoformat()

    def path(self, name):
        return str(self.folder / name)

    def read(self, name):
        """The alerts of an answer, their times in ms (no end: open), and what is said of it."""
        given = GivenTables(self.path("truth.csv"), [self.path(f"{name}.json")], self.span)
        found = read_incidents(given, TimeWords())
        (rows,) = found.scores.values()
        columns = rows.service, rows.kind, rows.start // 10**6, rows.end // 10**6, rows.open
        listed = zip(*(list(one) for one in columns), strict=True)
        return sorted(
            (str(service), str(kind), int(start), None if still else int(end))
            for service, kind, start, end, still in listed
        ), found.summary

    def starts(self, name):
        """When the alerts of now began, by kind, in ms; all of them are open."""
        rows, _ = self.read(name)
        return {kind: start for _, kind, start, end in rows if end is None}

    def evaluate(self, *arguments):
        """What the command line counts of all samples of ALERTS."""
        given = ["evaluate", "--truth", self.path("truth.csv"), "--alerts", self.path("raw.json")]
        given += ["--json", "--no-chance", "--span", *self.span, *arguments]
        result = CliRunner().invoke(main, given)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    # The week ends a little before now, since Prometheus takes no samples older than a block's end.
    made = Site(tmp_path_factory.mktemp("site"), int(time.time()) - 5 - 7 * DAY)
    with ExitStack() as stack:
        made.start(stack)
        yield made


def of_the_week(site):
    return sorted(
        (service, "ScoreHigh", (site.first + start) * 1000,
         (site.first + start + many * MINUTE) * 1000)
        for service, alerts in ALERTS.items() for start, many in alerts
    )  # fmt: skip


def test_the_week_by_minutes(site):
    rows, words = site.read("minutes")
    assert rows == of_the_week(site)
    assert "warning: sampled every 60 s" in words
    assert "warning: the last sample lies before the end of the span: no alert is open" in words


def test_every_sample_of_the_week_and_of_now(site):
    rows, _ = site.read("raw")
    assert [row for row in rows if row[-1] is not None] == of_the_week(site)
    fired = site.starts("raw")
    assert len(rows) == len(of_the_week(site)) + 2
    assert fired["ScoreHigh"] == site.starts("manager")["ScoreHigh"]
    # After its start Prometheus writes no ALERTS before the third evaluation, each 3 s later.
    late = fired["AlwaysOn"] - site.starts("manager")["AlwaysOn"]
    assert late in range(0, PATIENCE * 1000, 3000)


def test_now_by_seconds(site):
    rows, words = site.read("recent")
    whole_seconds = {kind: -(-start // 1000) * 1000 for kind, start in site.starts("raw").items()}
    assert {kind: start for _, kind, start, _ in rows} == site.starts("recent") == whole_seconds
    assert "warning" not in words


def test_rules_alerts_and_alertmanager_agree(site):
    by_rules, pending, sent = map(site.starts, ("rules", "alerts", "manager"))
    assert sorted(sent) == ["AlwaysOn", "ScoreHigh"]  # and not the one that is pending
    assert by_rules == sent
    assert pending == {**sent, "ScoreHigh": sent["ScoreHigh"] - 4000}  # for: 3s, every 2s
    for name, export in (("rules", "prometheus rules"), ("alerts", "prometheus alerts"),
                         ("manager", "alertmanager")):  # fmt: skip
        _, words = site.read(name)
        assert f"2 alerts in {name}.json ({export}: " in words
        assert "not a history" in words


def test_the_answer(site):
    def counts(*arguments):
        told = site.evaluate(*arguments)["on_call"]
        names = ("judged", "found", "missed", "alerts_right", "alerts_false", "alerts_unwatched")
        return [told[name] for name in names]

    assert counts() == [4, 3, 1, 4, 3, 0]
    # Nothing counts that began in the outage of the score, or after its last sample.
    assert counts("--watched", site.path("score.json")) == [4, 2, 2, 3, 1, 3]


def test_the_score_is_judged_sample_by_sample(site):
    """Of the week: it is high in the last three minutes alone, in the incident that is open."""
    given = ["evaluate", site.path("score.json"), "--truth", site.path("truth.csv"), "--at", "0.8"]
    given += ["--metric", "event_recall", "--metric", "event_precision", "--json", "--no-chance"]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 0, result.output
    samples = 2 * (7 * DAY - OUTAGE[1] + OUTAGE[0]) // MINUTE
    assert f"prometheus: {samples:,} samples of anomaly_score, 2 series by service" in result.stderr
    assert "4 incidents in truth.csv label 168 of" in result.stderr  # 60 + 45 + 60 + 3 minutes
    found = {row["requested"]: row["value"] for row in json.loads(result.stdout)["rows"]}
    assert found == {"event_recall": 0.25, "event_precision": 1}


def test_no_server_outlives_a_failure(tmp_path):
    with pytest.raises(ZeroDivisionError), server(tmp_path, "sleep", "60") as process:
        raise ZeroDivisionError
    assert process.poll() is not None
