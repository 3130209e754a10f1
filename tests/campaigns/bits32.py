"""Every metric and every verb where an index has 32 bits, as in a browser: the answers of 64 bits.

    python tests/campaigns/bits32.py values.json                     # on either machine
    python tests/campaigns/bits32.py --compare values.json others.json

Each metric is called plainly, in `evaluate` with the chance line, with its best threshold and in
`explain`, on 400 points, and plainly and with its best threshold on 150,000: there the products of
two counts need more than 32 bits. Each verb is asked of points with times and of incidents, whose
times need more too. `.ci/bits32` runs it on both and compares. It ends with 1 where an answer
differs by more than rounding, or where an error that is not ours is raised.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np

import adjudge as aj

FEW, MANY = 400, 150_000


def case(n):
    rng, labels = np.random.default_rng(0), np.zeros(n, int)
    for start in range(20, n - 20, 37):
        labels[start : start + 3 + start % 9] = 1
    return labels, rng.normal(size=n) + 1.2 * labels


def calls(row, n):
    """What is asked of a metric, by name."""
    labels, scores = case(n)
    if row.channels:
        labels, scores = (np.stack([np.roll(one, 3 * k) for k in range(4)], 1)
                          for one in (labels, scores))  # fmt: skip
    flags, metric = (scores > 1).astype(int), row.metric
    given = scores if row.needs == "scores" else flags
    asked = {"value": lambda: float(metric(labels, given))}
    if row.needs != "scores" and not row.channels:
        asked["best"] = lambda: float(aj.best(metric)(labels, scores))
    if n == FEW:
        asked["evaluate"] = lambda: row_of(aj.evaluate(labels, given, [metric], shifts=49).rows[0])
        asked["explain"] = lambda: str(aj.explain(labels, given, metric))
    return {f"{row.name} {what} of {n:,}": call for what, call in asked.items()}


def verbs():
    """What is asked of points and of incidents and alerts, whose times are nanoseconds."""
    labels, scores = case(6000)
    other, series = np.roll(scores, 1), np.arange(6000) // 500
    times = np.datetime64("2026-01-01") + np.arange(6000) * np.timedelta64(10, "m")
    both, asked = {"a": scores, "b": other}, {"time": times, "shifts": 49}
    rng, hours = np.random.default_rng(1), np.arange(0, 5000, 90)
    ends = hours * 3600 + rng.integers(60, 7200, hours.size)
    begins = np.append(hours[::2] * 3600 + 300, rng.integers(0, 5000, 30) * 3600)
    incidents = aj.Incidents(written(hours * 3600), written(ends))
    alerts = aj.Alerts(written(begins), written(begins + 600), score=rng.random(begins.size))
    fewer = aj.Alerts(written(begins[::3]), written(begins[::3] + 600))
    span = {"span": ("2026-01-01", "2026-08-01")}
    data = {f"s{k}": (np.roll(labels, 7 * k), {"a": scores, "b": other}) for k in range(4)}
    return {
        "compare": lambda: aj.compare(labels, scores, other, "best(f1_ba)"),
        "compare areas": lambda: aj.compare(labels, scores, other, "ap"),
        "series": lambda: aj.evaluate(labels, both, at=1.0, series=series, shifts=49),
        "times": lambda: aj.evaluate(labels, scores, ["f1_ba(width='2h')", "costs"], at=1, **asked),
        "policy": lambda: aj.evaluate(labels, scores, at=aj.policy(1, cooldown="1h"), **asked),
        "seasonal": lambda: aj.evaluate(labels, scores, "f1_ba", at=1, null="seasonal",
                                        period="1d", **asked),
        "over time": lambda: aj.over_time(labels, scores, "f1_ba", at=1, window="1w", **asked),
        "decide": lambda: aj.decide(labels, both, candidates=[0.8, 1.5], costs=aj.costs(miss=99),
                                    time=times, blocks="1d"),
        "rank": lambda: aj.rank(data, ["ap", "best(f1_ba)"], shifts=19),
        "inspect": lambda: aj.inspect(data, signal="a", shifts=19),
        "calibrate": lambda: aj.calibrate(labels, scores, "f1_ba", at=1.0, versions=20, draws=20),
        "alerts": lambda: aj.evaluate(incidents, alerts, shifts=49, **span),
        "scored alerts": lambda: aj.evaluate(incidents, alerts, at=0.3, shifts=49, **span),
        "areas of alerts": lambda: aj.evaluate(incidents, alerts, ["alert_ap", "interval_ap"],
                                               shifts=49, **span),
        "alerts on a grid": lambda: aj.evaluate(incidents, alerts, "f1", every="1h", shifts=49,
                                                **span),
        "explain alerts": lambda: aj.explain(incidents, alerts, **span),
        "compare alerts": lambda: aj.compare(incidents, alerts, fewer, **span),
        "decide alerts": lambda: aj.decide(incidents, {"a": alerts}, candidates=[0.3, 0.6],
                                           costs=aj.costs(), **span),
        "alerts over time": lambda: aj.over_time(incidents, alerts, window="4w", shifts=19, **span),
    }  # fmt: skip


def written(seconds):
    return [str(np.datetime64("2026-01-01", "s") + int(one)) for one in seconds]


def row_of(row):
    return [row.value, row.chance, row.p_value, row.low, row.high]


def answer(call):
    try:
        return call()
    except aj.AdjudgeError as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 - what is looked for
        return f"RAW {type(error).__name__}: {error}"


def answers():
    rows = aj.catalogue.values()
    asked = {
        name: call for n in (FEW, MANY) for row in rows for name, call in calls(row, n).items()
    }
    asked |= {name: lambda call=call: str(call()) for name, call in verbs().items()}
    return {name: answer(call) for name, call in asked.items()}


def same(one, other):
    if isinstance(one, list):
        return all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        both = math.isnan(one) and math.isnan(other)
        return both or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return one == other


def compared(one, other):
    """The lines of what is wrong: raw errors on either side, and answers that differ."""
    return [
        f"{name}: {one[name]} and {other[name]}"
        for name in one
        if "RAW" in f"{one[name]}{other[name]}" or not same(one[name], other[name])
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--compare", action="store_true", help="two files of answers")
    given = parser.parse_args()
    if not given.compare:
        given.files[0].write_text(json.dumps(answers()), encoding="utf-8")
        return 0
    pair = [json.loads(name.read_text(encoding="utf-8")) for name in given.files]
    wrong = compared(*pair)
    print(*wrong, sep="\n")
    print(f"{len(pair[0]):,} answers: {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
