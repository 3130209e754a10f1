"""Generated cases, run by `promtool test rules` and by `adjudge.policy`: equal to the step."""

import json
import shutil
import subprocess

import numpy as np
import pytest

import adjudge as aj
from adjust import naive_policies as naive

pytestmark = pytest.mark.on_call

CASES, EVALUATIONS, STEP = 60, 40, 60
LOOK_BACK = 300
START = np.datetime64("2026-01-01", "s")


def generated(number):
    """Samples of one series, some missing, and a rule for them."""
    rng = np.random.default_rng(number)
    samples = rng.choice([0.1, 0.5, 0.7, 0.8, 0.9, 0.95], EVALUATIONS - 6).tolist()
    samples = [None if rng.random() < 0.1 else sample for sample in samples]
    lengths = ["0s", "30s", "60s", "90s", "120s", "180s"]
    policy = {"after": str(rng.choice(lengths)), "keep": str(rng.choice(lengths))}
    kind = number % 3
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
