"""A decision as pictures."""

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError


def decision(**more):
    rng = np.random.default_rng(0)
    labels = np.tile(np.r_[np.zeros(100), np.ones(6), np.zeros(62)], 9)
    scores = rng.normal(size=labels.size) + 2 * labels
    time = np.datetime64("2026-01-05T00", "h") + np.arange(labels.size)
    return aj.decide(labels, scores, [1.5, 2.0, 2.5, 3.0], time=time, **more)


@pytest.mark.parametrize("kind", ["blocks", "miss", "net benefit"])
def test_every_kind_is_drawn_with_its_names(kind):
    axes = decision(costs=aj.costs(miss=300, false=10)).plot(kind=kind)
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "paging nobody" in names
    assert axes.get_xlabel()
    assert axes.get_ylabel()


def test_only_costs_have_a_price_of_a_miss():
    found = decision(metric="event_f1")
    assert len(found.plot().patches) == 9
    with pytest.raises(InputError, match="kind must be 'blocks' without one price"):
        found.plot(kind="miss")
    with pytest.raises(InputError, match="kind must be one of"):
        found.plot(kind="pie")
