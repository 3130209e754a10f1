"""Loops in which nothing is better: a sealed judge hardly ships luck, and plain compare does.

The whole table is that of ``bench/sealed.py``; here are fewer loops of each agent.
"""

import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCH)
        yield import_module("sealed")
    sys.modules.pop("sealed")


@pytest.mark.on_demand
@pytest.mark.parametrize("events", [10, 30, 100])
@pytest.mark.parametrize("agent", ["unrelated", "variants", "climb"])
def test_a_sealed_judge_hardly_ships_luck(bench, agent, events):
    """At most .06 is asked of 1,000 loops; the bound is what luck adds in 150."""
    assert bench.falsely_shipped(agent, events, 150) <= 0.1


@pytest.mark.on_demand
def test_plain_compare_ships_it(bench):
    """At least .4 is asked, of unrelated candidates on 30 events."""
    assert bench.called_ahead(30, 100) >= 0.3


@pytest.mark.on_demand
def test_a_judge_without_a_divided_level_ships_it(bench, monkeypatch):
    """The loop can fail: 40 looks, each at level alpha."""
    monkeypatch.setattr(bench, "LOOKS", 40)
    monkeypatch.setattr(bench, "level_of", lambda alpha, *_: alpha)
    assert bench.falsely_shipped("unrelated", 30, 40) > 0.15
