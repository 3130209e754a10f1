"""What each p-value assumes: one clause, the same wherever the p-value is printed.

A p-value is true under a condition that the data do not show by themselves. Sentences, tables, JSON
and captions take the clause from here, and `docs/chance.md` lists it with what to do where the
condition fails.
"""

from __future__ import annotations

from typing import NamedTuple


class Assumption(NamedTuple):
    """What makes a p-value true."""

    of: str
    """Which p-value."""
    clause: str
    """What is printed next to it."""
    otherwise: str
    """Where it fails, and what to do then."""


def _independent(units: str, otherwise: str) -> Assumption:
    return Assumption(f"comparisons over {units}", f"if {units} are independent", otherwise)


_KINDS = "few units of several kinds, of which some kinds are missing"

ASSUMPTIONS = {
    "shifted": Assumption(
        'null="shifted"',
        "if alarms are stationary",
        'alarms that have a daily rhythm (null="seasonal") or a trend (the test nearby)',
    ),
    "several clocks": Assumption(
        "null models that shift, of several series that share no clock",
        "and series are independent",
        "series that live through the same shocks: give their times",
    ),
    "nearby": Assumption(
        'null="nearby"',
        "if alarms are stationary within each tenth of a series",
        "alarms that come in the same short part as the events, for no good reason",
    ),
    "white": Assumption(
        'null="white"', "if flags are independent", "alarms in runs, as most detectors have"
    ),
    "seasonal": Assumption(
        'null="seasonal"',
        "if alarms are stationary from period to period",
        "alarms that become more frequent over the periods",
    ),
    "periodic": Assumption(
        'null="periodic"', "if the first alarm may be anywhere", "events at equal distances"
    ),
    "renamed": Assumption(
        'null="renamed"',
        "if channels are exchangeable",
        "one channel with most of the events and most of the alarms",
    ),
    "aligned": Assumption(
        'null="aligned"', "if series are exchangeable at equal age", "machines of several kinds"
    ),
    "event": _independent("events", "neighbours that are found or missed together: group="),
    "series": _independent("series", _KINDS),
    "dataset": _independent("data sets", _KINDS),
    "group": _independent("groups", _KINDS),
    "episode": _independent("episodes", "shocks that outlast an episode, or come in spells"),
    "clock": _independent("clocks", "few clocks of several kinds, of which some kinds are missing"),
    "gate": Assumption(
        "the gate *worse than before*",
        "if blocks vary as they did before",
        "spells that last longer than a block",
    ),
    "parts": Assumption(
        "parts of on-call results",
        "if events are exchangeable",
        "events that come in groups, found or missed together",
    ),
}
"""By null model, unit of evidence, or test."""


def clause(name: str) -> str:
    """The clause of a test; "" of one that is not ours, of which nobody knows it.

    >>> clause("shifted"), clause("event"), clause("a coin")
    ('if alarms are stationary', 'if events are independent', '')
    """
    return ASSUMPTIONS[name].clause if name in ASSUMPTIONS else ""


def with_clause(p: str, said: str) -> str:
    """A p-value in words with its clause, if there is one.

    >>> with_clause("p = 0.02", clause("white")), with_clause("p = 0.02", "")
    ('p = 0.02 if flags are independent', 'p = 0.02')
    """
    return f"{p} {said}" if said else p
