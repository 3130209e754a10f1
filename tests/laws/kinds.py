"""The kinds of cases, and the metrics that each has: every law of cases is tried on all of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import adjudge as aj
from adjudge.count.alert_case import AlertCase
from adjudge.data.channels import channel_cases
from adjudge.data.watched import WatchedTime
from adjudge.metrics.on_alerts import resolved, value_of
from adjudge.noise.shifting.circle_pieces import AlertTurns
from adjudge.noise.shifting.shifted_case import CaseShifts

ROWS = [name for name, row in aj.catalogue.items() if row.metric.has_receipt and not row.channels]
OF_POINTS = [
    *(name for name in ROWS if not aj.catalogue[name].positions),
    'f1_ba(width=5, islands="all")', 'f1_ba(width="iid")', "event_f1_ba(width=4)",
]  # fmt: skip
OF_POSITIONS = [name for name in ROWS if aj.catalogue[name].positions]
SPAN = 600


@dataclass(frozen=True)
class Kind:
    """A kind of case: how one is drawn, and what is asked of it."""

    name: str
    specs: list[str]
    draw: Any
    """A generator of random numbers -> a case."""
    turning: Any
    """A case -> its alarms at other places."""

    def metric(self, spec, case):
        """The metric with every setting that the case decides."""
        return aj.metric(spec).on(case.events)

    def value(self, metric, case):
        """The value, as results print it."""
        return metric.reading(case).value

    def ledger(self, metric, case):
        """The rows whose sums the value is made of."""
        return metric.ledger(case)

    def alarms(self, case):
        """How many alarms there are on each line."""
        judged = case.given if case.events.judged is None else case.given * case.events.judged
        return np.add.reduceat(judged.astype(int), case.events.series_bounds[:-1])

    def all_turn(self, case):  # noqa: ARG002 - points do
        """Whether nothing keeps alarms where they are, or is otherwise in time than on lines."""
        return True

    def is_same(self, one, other):
        """Whether all alarms are at the same places."""
        return np.array_equal(one.given, other.given)

    def offsets(self, rng, case, edges=None):
        """How far lines or blocks turn: those that turn together, alike."""
        together = case.together(edges)
        return rng.integers(0, 50, together.max() + 1)[together]


class InTime(Kind):
    """Alerts on lines of watched time."""

    def metric(self, spec, case):
        return resolved(aj.metric(spec), case)

    def value(self, metric, case):
        return value_of(metric, case.outcome)

    def ledger(self, metric, case):
        return metric.ledger_of(case.outcome)

    def alarms(self, case):
        return np.array([len(one.row) for one in case.turning])

    def all_turn(self, case):
        every = self.alarms(case).sum() == len(case.alerts)
        return every and all(len(part.starts) == 1 for _, part in case.parts)

    def is_same(self, one, other):
        pairs = zip(one.placed(), other.placed(), strict=True)
        return all(np.array_equal(a[:2], b[:2]) for a, b in pairs)

    def offsets(self, rng, case, edges=None):
        return rng.integers(0, SPAN, len(case.together(edges)))


def columns(rng, n, share):
    """A 0/1 column in runs."""
    found = np.zeros(n, int)
    while found.mean() < share:
        start = rng.integers(n)
        found[start : start + rng.integers(1, 6)] = 1
    return found


def points(rng):
    n = int(rng.integers(8, 40))
    where = rng.random(n) < rng.choice([0.7, 1, 1])
    where[rng.integers(n)] = True
    series = np.sort(rng.integers(0, rng.integers(1, 4), n))
    flags = columns(rng, n, rng.choice([0.05, 0.2]))
    return aj.Case(columns(rng, n, 0.2), flags, series=series, where=where)


def positions(rng):
    truth, alarms = (np.sort(rng.choice(40, rng.integers(1, 6), replace=False)) for _ in "ab")
    return aj.Case(aj.Changes(truth, 40), aj.Changes(alarms, 40))


def channels(rng):
    labels, flags = (np.stack([columns(rng, 40, 0.15) for _ in "abc"], axis=1) for _ in "xy")
    (case,) = channel_cases(labels, flags, ["a", "b", "c"])
    return case


def alerts(rng, *, wraps=True):
    """Two services; with wraps, alerts may run over the end, or be cut by an outage."""
    services = ["a", "b"]

    def table(kind, many, longest, last):
        start = 5 * rng.integers(0, last // 5, many)
        length = 5 * rng.integers(kind is aj.Incidents, longest, many)
        return kind(start, start + length, service=rng.choice(services, many))

    dark = aj.Alerts([100], [140]) if wraps and rng.random() < 0.5 else None
    watched = WatchedTime.over((0, SPAN), services, None, dark)
    last = SPAN - 10 if wraps else SPAN // 2
    incidents, own = table(aj.Incidents, 5, 16, SPAN - 100), table(aj.Alerts, 6, 9, last)
    return AlertCase("x", incidents, own, watched, early=int(rng.choice([0, 10])))


SOME = AlertCase("x", aj.Incidents([1], [2]), aj.Alerts([1], [2]), WatchedTime.over((0, 9), [""]))
IN_TIME = [name for name in OF_POINTS if resolved(aj.metric(name), SOME) is not None]
KINDS = [
    Kind("points", OF_POINTS, points, CaseShifts),
    Kind("positions", OF_POSITIONS, positions, CaseShifts),
    Kind("channels", [f"micro({spec})" for spec in OF_POINTS[::4]], channels, CaseShifts),
    InTime("alerts", IN_TIME, alerts, AlertTurns),
]
EVERY = [(kind, spec) for kind in KINDS for spec in kind.specs]


def named(given):
    """What a test is called."""
    return given.name if isinstance(given, Kind) else str(given)
