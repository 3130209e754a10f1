"""Call the library with whatever may be passed: values or errors of ours, and nothing else.

    python tests/campaigns/api_calls.py --seed 0 --count 200000

Every call draws a function, arguments good and bad, and settings. What comes back must be a value
or an `AdjudgeError` of one line; warnings are errors, arrays that were passed must be as they were,
NumPy's global random numbers too, and no call may take more than five seconds of the processor.
"""

import argparse
import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import adjudge as aj
from adjudge.errors import LONGEST
from adjudge.measure.thresholds.contract import RULES
from campaigns import zoo
from campaigns.limits import TooLong, time_limit

LIMIT = 5.0
ROWS = list(aj.catalogue.values())
SPECS = (
    "f1", "f1_ba(width=5)", "best(f1_ba(width=5))", 'f1_ba(islands="all")', "f1(at=quantile(0.9))",
    "best(etapr_f1, thresholds=9)", "range_f1(at=top(3))", "fpr_budget_recall(rates=(1, 2))",
)  # fmt: skip
OPTIONS = (
    "at", "metrics", "positive", "missing", "sort", "per_series", "label_slack", "zero_division",
    "time", "oracle", "seed", "shifts", "null", "progress",
)  # fmt: skip


def settings(rng, row):
    """Settings of a row: none, one or two, mostly absurd."""
    names = list(row.parameters)
    if not names or rng.random() < 0.5:
        return {}
    chosen = rng.choice(names, size=rng.integers(1, 3))
    return {str(name): zoo.number(rng) for name in chosen}


def options(rng, n):
    """Options that all calls with labels and scores take."""
    made = {}
    if rng.random() < 0.15:
        made["series"] = zoo.column(rng, np.repeat([0, 1], [n // 2, n - n // 2]))
    if rng.random() < 0.15:
        made["where"] = zoo.column(rng, rng.random(n) < 0.8)
    return made


def points(rng):
    return int(rng.choice([1, 2, 3, 8, 8, 8, 20, 40]))


def a_metric(rng):
    n, row = points(rng), ROWS[rng.integers(len(ROWS))]
    metric = row.metric(**settings(rng, row))
    if row.needs == "flags" and rng.random() < 0.2:
        metric = aj.best(metric, zoo.number(rng)) if rng.random() < 0.3 else aj.best(metric)
    more = options(rng, n)
    if rng.random() < 0.1:
        more["zero_division"] = zoo.number(rng)
    if rng.random() < 0.2:
        more["at"] = zoo.number(rng)
    share = 0.2 if row.needs == "scores" or "at" in more or metric.oracle else 0.95
    return metric, (zoo.labels(rng, n), zoo.scores(rng, n, flags=share)), more


def a_spec(rng):
    text = list(str(SPECS[rng.integers(len(SPECS))]))
    for _ in range(rng.integers(1, 4)):
        place = rng.integers(len(text) + 1)
        text[place : place + rng.integers(2)] = str(rng.choice(list('()=,"[]{}0159.eE-+_ \n\0fβ')))
    return aj.metric, ("".join(text),), {}


def an_evaluation(rng):
    n = points(rng)
    more = options(rng, n) | {"chance": False}
    for name in OPTIONS:
        if rng.random() < 0.05:
            more[name] = zoo.number(rng)
    more.setdefault("metrics", ["f1", "ap"][: rng.integers(3)] or None)
    scores = zoo.scores(rng, n)
    if rng.random() < 0.3:
        scores = {zoo.number(rng).__class__.__name__: scores, "b": zoo.scores(rng, n)}
    return aj.evaluate, (zoo.labels(rng, n), scores), more


def a_curve(rng):
    n, row = points(rng), ROWS[rng.integers(len(ROWS))]
    call = aj.curve if rng.random() < 0.5 else aj.explain
    metric = row.name if rng.random() < 0.8 else zoo.number(rng)
    return call, (zoo.labels(rng, n), zoo.scores(rng, n), metric), options(rng, n)


def some_events(rng):
    n = points(rng)
    makers = (
        (aj.Events, (zoo.column(rng, np.array([0, n // 2])), zoo.column(rng, np.array([1, n])), n)),
        (aj.Events, (zoo.number(rng), zoo.number(rng), zoo.number(rng))),
        (aj.Events.from_labels, (zoo.labels(rng, n),)),
        (aj.Events.from_intervals, ([(0, 1), (zoo.number(rng), zoo.number(rng))], n)),
        (aj.Events.from_intervals, (zoo.number(rng), zoo.number(rng))),
        (aj.Case, (zoo.labels(rng, n), zoo.scores(rng, n))),
    )
    return *makers[rng.integers(len(makers))], {}


def a_rule(rng):
    rules = list(RULES.values())
    more = {"on": zoo.number(rng)} if rng.random() < 0.3 else {}
    return rules[rng.integers(len(rules))], (zoo.number(rng),), more


def some_noise(rng):
    n = points(rng)
    flags = (rng.random(n) < 0.3).astype(int)
    calls = (
        (aj.chance, (zoo.labels(rng, n), "f1"), {"rate": zoo.number(rng)}),
        (aj.chance, (zoo.labels(rng, n), "f1"), {"like": zoo.scores(rng, n), "draws": 5}),
        (aj.compare, (zoo.labels(rng, n), flags, zoo.scores(rng, n), "f1"), {"draws": 9}),
        (aj.compare, (zoo.labels(rng, n), flags, flags, "f1"), {"seed": zoo.number(rng)}),
    )
    return calls[rng.integers(len(calls))]


def something_else(rng):
    fields = "events", "widths", "gaps", "coverage", "threshold", "hits", "separation", "detector"
    calls = (
        (aj.Scenario, (), {str(rng.choice(fields)): zoo.number(rng)}),
        (aj.unwindow, (zoo.column(rng, rng.random(6)),), {"window": zoo.number(rng)}),
        (aj.Scenario.from_toml, (f"{rng.choice(fields)} = {rng.choice(list('[]1.{x'))}",), {}),
        (aj.tuned, (zoo.number(rng),), {"on": zoo.number(rng)}),
        (aj.best, (zoo.number(rng),), {}),
        (aj.register, (zoo.number(rng),), {}),
        (aj.simulate, (zoo.number(rng), zoo.number(rng)), {}),
        (aj.audit, (zoo.number(rng),), {"axioms": zoo.number(rng)}),
    )
    return calls[rng.integers(len(calls))]


KINDS = (a_metric,) * 12 + (a_spec,) * 3 + (an_evaluation, a_curve) + (some_events,) * 2 + (
    a_rule, some_noise, something_else,
)  # fmt: skip


def one_call(seed, number):
    """What came of one call: "value", the name of an error of ours, or what is wrong."""
    rng = np.random.default_rng([seed, number])
    kind = KINDS[rng.integers(len(KINDS))]
    try:
        with time_limit(LIMIT):
            call, given, more = kind(rng)
            before = [one.tobytes() if isinstance(one, np.ndarray) else None for one in given]
            call(*given, **more)
        after = [one.tobytes() if isinstance(one, np.ndarray) else None for one in given]
        found = "value" if before == after else "changed its input"
    except aj.AdjudgeError as error:
        text = str(error)
        found = (
            type(error).__name__ if "\n" not in text and len(text) <= LONGEST else "a long message"
        )
    except (Exception, TooLong) as error:  # noqa: BLE001 - that is what is looked for
        place = traceback.extract_tb(error.__traceback__)[-1]
        found = f"raised {type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
    return kind.__name__, found


def campaign(seed, count, first=0):
    """Count what came of the calls; name the first ones that went wrong, by kind."""
    outcomes, wrong = Counter(), {}
    state = np.random.get_state()[1].copy()  # noqa: NPY002 - it must not be touched
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(first, first + count):
            kind, found = one_call(seed, number)
            outcomes[found] += 1
            if " " in found:
                wrong.setdefault((kind, found), number)
    if not np.array_equal(state, np.random.get_state()[1]):  # noqa: NPY002
        wrong["all", "the global random numbers changed"] = first
    return outcomes, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    outcomes, wrong = campaign(given.seed, given.count, given.first)
    for (kind, found), number in wrong.items():
        print(f"call {number} ({kind}): {found}")
    print(f"{given.count:,} calls, seed {given.seed}: {dict(outcomes)}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
