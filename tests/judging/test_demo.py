"""The demonstration: what it says is what the numbers show, for this seed and for others."""

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.demonstration import (
    ALWAYS,
    COIN,
    DECENT,
    PAGER,
    WIDE,
    demonstration,
    detectors,
)


def test_the_seed_is_not_chosen_for_its_effect():
    """Point adjustment prefers the coin flip under nearly every seed."""
    cases = [detectors(seed) for seed in range(40)]
    preferred = [aj.f1_pa(e, flags[COIN]) > aj.f1_pa(e, flags[DECENT]) for e, flags in cases]
    assert sum(preferred) >= 36


@pytest.mark.parametrize("seed", range(40))
def test_what_is_said_of_balanced_adjustment_holds_for_any_seed(seed):
    events, flags = detectors(seed)
    judged = aj.evaluate(events, flags, ["f1_ba"], chance=False)
    assert judged[COIN, "f1_ba"] < 0.5 * judged[DECENT, "f1_ba"]
    assert judged[PAGER, "f1_ba"] == 1
    assert judged[WIDE, "f1_ba"] < 0.7
    assert aj.f1_ba(events, flags[WIDE], margin=1) > 0.98


@pytest.mark.parametrize("seed", range(3))
def test_the_cast_is_as_announced(seed):
    events, flags = detectors(seed)
    assert (events.n, len(events)) == (10_000, 12)
    assert np.mean(flags[COIN]) == pytest.approx(0.03, abs=0.006)
    found = {row[0]: row[1:3] for row in demonstration(seed)[1]}
    assert found[DECENT] == ["8/12", 5]
    assert found[PAGER] == ["12/12", 0]
    assert found[ALWAYS] == ["12/12", 0]


@pytest.mark.parametrize(("seed", "place"), [(0, "above"), (17, "below")])
def test_the_first_sentence_tells_what_the_numbers_show(seed, place):
    _, _, (sentence, *_) = demonstration(seed)
    assert f"{place} the detector that works" in sentence


def test_the_demo_prints_five_rows_and_three_sentences():
    result = CliRunner().invoke(main, ["demo"])
    assert result.exit_code == 0
    for name in (COIN, DECENT, PAGER, ALWAYS, WIDE):
        assert name in result.stdout
    numbered = [line for line in result.stdout.splitlines() if line[:2] in ("1.", "2.", "3.")]
    assert len(numbered) == 3
    assert CliRunner().invoke(main, ["demo", "--seed", "1"]).stdout != result.stdout
