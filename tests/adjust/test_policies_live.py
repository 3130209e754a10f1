"""Generated cases, run by `promtool test rules` and by `adjudge.policy`: equal to the step.

Of scores, and of the alerts that the same rule raises without a wait; groups by an Alertmanager.
"""

import json
import shutil
import subprocess
import threading
import time as clock
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.request import ProxyHandler, Request, build_opener

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.durations import duration
from adjust import naive_policies as naive
from processes import free_port, server

pytestmark = pytest.mark.on_call

CASES, EVALUATIONS, STEP = 60, 40, 60
LOOK_BACK = 300
START = np.datetime64("2026-01-01", "s")


def generated(number, kinds=3):
    """Samples of one series, some missing, and a rule for them."""
    rng = np.random.default_rng(number)
    samples = rng.choice([0.1, 0.5, 0.7, 0.8, 0.9, 0.95], EVALUATIONS - 6).tolist()
    samples = [None if rng.random() < 0.1 else sample for sample in samples]
    lengths = ["0s", "30s", "60s", "90s", "120s", "180s"]
    policy = {"after": str(rng.choice(lengths)), "keep": str(rng.choice(lengths))}
    kind = number % kinds
    if kind == 1:  # with the waiting, as a run of evaluations of a condition
        policy |= {"k": int(rng.integers(1, 4)), "of": int(rng.integers(3, 6))}
    if kind == 2:
        policy = {"clear": 0.6}
    return samples, policy


def expression(policy, name):
    if "clear" in policy:
        firing = f'ALERTS{{alertname="{name}",alertstate="firing"}}'
        held = f'score{{case="{name}"}} > 0.6 and on(case) {firing}'
        return f'score{{case="{name}"}} > 0.8 or ({held})'
    if "of" in policy:
        window = f"[{(policy['of'] - 1) * STEP}s:{STEP}s]"  # closed at both ends in 2.x
        return f'sum_over_time((score{{case="{name}"}} > bool 0.8){window}) >= {policy["k"]}'
    return f'score{{case="{name}"}} > 0.8'


def rules(cases):
    made = []
    for name, (_, policy) in cases.items():
        rule = {"alert": name, "expr": expression(policy, name)}
        rule |= {"for": policy["after"]} if policy.get("after", "0s") != "0s" else {}
        rule |= {"keep_firing_for": policy["keep"]} if policy.get("keep", "0s") != "0s" else {}
        made.append(rule)
    return {"groups": [{"name": "cases", "interval": f"{STEP}s", "rules": made}]}


def asked(cases, flags):
    """A test of the rules that expects these alerts at each evaluation."""
    series = [
        {
            "series": f'score{{case="{name}"}}',
            "values": " ".join("_" if sample is None else str(sample) for sample in samples),
        }
        for name, (samples, _) in cases.items()
    ]
    expected = [
        {
            "eval_time": f"{number * STEP}s",
            "alertname": name,
            "exp_alerts": [{"exp_labels": {"case": name}}] * bool(flag),
        }
        for name, column in flags.items()
        for number, flag in enumerate(column)
    ]
    test = {"interval": f"{STEP}s", "input_series": series, "alert_rule_test": expected}
    return {"rule_files": ["rules.json"], "evaluation_interval": f"{STEP}s", "tests": [test]}


def run(folder, cases, flags):
    """Let promtool say whether the rules fire so."""
    (folder / "rules.json").write_text(json.dumps(rules(cases)), "utf-8")
    (folder / "test.json").write_text(json.dumps(asked(cases, flags)), "utf-8")
    command = ["promtool", "test", "rules", "test.json"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def seen(samples):
    """What each evaluation sees: the newest sample of the last five minutes."""
    values = []
    for number in range(EVALUATIONS):
        back = range(max(0, number - LOOK_BACK // STEP), number + 1)
        known = [samples[place] for place in back if place < len(samples)]
        known = [sample for sample in known if sample is not None]
        values.append(known[-1] if known else np.nan)
    return values


def test_generated_cases_fire_as_in_prometheus(tmp_path):
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not here")
    cases = {f"case{number}": generated(number) for number in range(CASES)}
    time = START + np.arange(EVALUATIONS) * np.timedelta64(STEP, "s")
    flags = {
        name: aj.policy(0.8, **policy).flags(seen(samples), time)
        for name, (samples, policy) in cases.items()
    }
    found = run(tmp_path, cases, flags)
    assert found.returncode == 0, found.stdout + found.stderr
    assert sum(len(naive.runs(column)) for column in flags.values()) > CASES  # no silence
    for name, (_, policy) in cases.items():  # and what a decision gives out is a rule
        labels = np.arange(EVALUATIONS) == 5
        chosen = aj.decide(labels, 0.1 * labels, aj.policy(0.8, **policy), "event_f1", time=time)
        (tmp_path / f"{name}.yml").write_text(chosen.prometheus("score", name), "utf-8")
    check = ["promtool", "check", "rules", *(f"{name}.yml" for name in cases)]
    checked = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    flags["case7"][3] ^= True
    assert run(tmp_path, cases, flags).returncode != 0


def told_of_alerts(samples, policy):
    """When a policy fires on the alerts that the same rule raises without any wait.

    A rule acts on whole evaluations, which a table of alerts does not know.
    """
    held = naive.runs([sample > 0.8 for sample in seen(samples)])
    waits = {name: -(-duration(one, name) // (STEP * 10**9)) for name, one in policy.items()}
    alerts = aj.Alerts(*([run[side] for run in held] for side in (0, 1)))
    found = aj.policy(**waits).on_alerts(alerts, EVALUATIONS)
    flags = np.zeros(EVALUATIONS, bool)
    for start, end in zip(found.start.tolist(), found.end.tolist(), strict=True):
        flags[start:end] = True
    return flags


def test_alerts_fire_as_the_same_rule_with_a_wait(tmp_path):
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not here")
    cases = {f"case{number}": generated(1000 + number, kinds=1) for number in range(CASES)}
    bare = {f"bare{name}": (samples, {}) for name, (samples, _) in cases.items()}
    flags = {
        name: told_of_alerts(samples, policy) for name, (samples, policy) in (cases | bare).items()
    }
    found = run(tmp_path, cases | bare, flags)
    assert found.returncode == 0, found.stdout + found.stderr
    assert sum(len(naive.runs(flags[name])) for name in cases) > CASES
    flags["case7"][3] ^= True
    assert run(tmp_path, cases | bare, flags).returncode != 0


WAIT, INTERVAL = 1.0, 2.0
PATIENCE, SLACK = 15, 0.3
STORY = {
    "a1": ("a", 0.0, 4.6), "a2": ("a", 0.4, 6.5), "a3": ("a", 1.6, 6.5), "a4": ("a", 3.6, 4.5),
    "b1": ("b", 1.5, 3.8), "b2": ("b", 2.0, 2.2), "b3": ("b", 2.1, 6.5),
}  # fmt: skip
"""Alerts of two services: when each begins and ends, in seconds."""


class Hook:
    """What an Alertmanager tells: when it first said of each alert that it fires."""

    def __init__(self):
        self.told = {}
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                now = clock.time()
                content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                for alert in content["alerts"]:
                    if alert["status"] == "firing":
                        hook.told.setdefault(alert["labels"]["id"], now)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                """Be silent."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/"


def written(seconds):
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def post(address, *alerts):
    body = json.dumps(alerts).encode()
    request = Request(  # noqa: S310 - our own
        f"{address}/api/v2/alerts", body, {"Content-Type": "application/json"}
    )
    build_opener(ProxyHandler({})).open(request, timeout=5).close()


def lived(address):
    """Raise and end the alerts of the story; when each really did."""
    steps = sorted((at, name) for name, (_, *times) in STORY.items() for at in times)
    first, begun, ended = clock.time(), {}, {}
    for at, name in steps:
        clock.sleep(max(0.0, first + at - clock.time()))
        now = clock.time()
        (ended if name in begun else begun)[name] = now
        labels = {"alertname": "Slow", "service": STORY[name][0], "id": name}
        end = {"endsAt": written(now)} if name in ended else {}
        post(address, {"labels": labels, "startsAt": written(begun[name]), **end})
    return begun, ended


def test_groups_are_told_as_by_an_alertmanager(tmp_path):
    if shutil.which("prometheus-alertmanager") is None:
        pytest.skip("prometheus-alertmanager is not here")
    hook, port = Hook(), free_port()
    route = f"{{receiver: hook, group_by: [service], group_wait: {WAIT:g}s, "
    route += f"group_interval: {INTERVAL:g}s, repeat_interval: 4h}}"
    receiver = f"{{name: hook, webhook_configs: [{{url: '{hook.address}'}}]}}"
    (tmp_path / "am.yml").write_text(f"route: {route}\nreceivers: [{receiver}]\n")
    address = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        stack.enter_context(server(
            tmp_path, "prometheus-alertmanager", "--config.file=am.yml", "--storage.path=am",
            "--cluster.listen-address=", f"--web.listen-address={address[7:]}",
        ))  # fmt: skip
        deadline = clock.monotonic() + PATIENCE
        while clock.monotonic() < deadline:
            with suppress(OSError):
                post(address)
                break
            clock.sleep(0.1)
        begun, ended = lived(address)
        clock.sleep(INTERVAL)
    hook.server.shutdown()
    hook.server.server_close()
    rows = [(begun[name], ended[name]) for name in STORY]
    start, end = (np.array([int(one * 1e9) for one in side]) for side in zip(*rows, strict=True))
    services = [service for service, *_ in STORY.values()]
    alerts = aj.Alerts(start, end, id=list(STORY), service=services, unit="ns")
    found = aj.policy(wait=f"{WAIT:g}s", interval=f"{INTERVAL:g}s").on_alerts(alerts, 2**62 - 1)
    expected = dict(zip(found.id, (found.start / 1e9).tolist(), strict=True))
    assert hook.told.keys() == expected.keys()
    assert {"a4", "b2"} & expected.keys() == set()  # over before anybody was told
    late = {name: hook.told[name] - expected[name] for name in expected}
    assert all(-0.05 < seconds < SLACK for seconds in late.values()), late
