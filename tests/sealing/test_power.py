"""What a contract says that it sees, beside candidates that are drawn; and looks without an end."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import zeta

import adjudge as aj
from adjudge.errors import InputError
from adjudge.sealing import sealed as module
from adjudge.sealing.contract import level_of
from adjudge.sealing.power import gain_seen, standard_errors
from sealed_story import GAP, STARTS, N, detector, edit, ledger_lines, sealed, sealed_again

RNG = np.random.default_rng(4)


def drawn(recall, false, units, count):
    """Found events and false alarms of detectors whose units are all alike."""
    shape = (count, units)
    return RNG.random(shape) < recall, RNG.random(shape) < false


def f1_apart(new, today):
    """The difference of event F1, and the standard error that flips of signs give it."""
    parts = []
    for found, false in (new, today):
        under = (found.sum(1) + found.shape[1] + false.sum(1))[:, np.newaxis]
        value, share = 2 * found.sum(1) / under[:, 0], (found + 1.0 + false) / under
        parts.append((value, 2 * found / under - value[:, np.newaxis] * share, share))
    (a, own_a, share_a), (b, own_b, share_b) = parts
    added = own_a - own_b + (share_a + share_b) / 2 * (a - b)[:, np.newaxis]
    return a - b, np.sqrt((added**2).sum(1)), a, np.sqrt((own_b**2).sum(1))


@pytest.mark.parametrize("units", [30, 100, 300])
@pytest.mark.parametrize("level", [0.05, 0.01])
@pytest.mark.parametrize(("recall", "false"), [(0.6, 0.35), (0.3, 0.1), (0.5, 0.8)])
def test_a_gain_as_large_as_said_is_seen_in_four_cases_of_five(units, level, recall, false):
    """Of detectors that share no luck, by the normal quantile of the flips."""
    assert 0.74 <= seen(said, units, level, recall, false) <= 0.85


def test_half_as_much_variance_again_would_see_less():
    """The test above can fail: the standard error of today's detector, times the root of 1.5."""

    def plain(se, level, *_):
        return (NormalDist().inv_cdf(1 - level) + 0.84) * se * math.sqrt(1.5)

    assert seen(plain, 300, 0.01, 0.5, 0.8) < 0.72


def said(se, level, units, value):
    needed = standard_errors(units, level, flips=True)
    return gain_seen(se, needed, 1 - value, value)


def seen(says, units, level, recall, false):
    """How often a gain as large as somebody says is seen."""
    today = drawn(recall, false, units, 2000)
    *_, own = f1_apart(today, today)
    value = 2 * recall / (1 + recall + false)
    gain = says(float(own.mean()), level, units, value)
    shares = np.linspace(0, 1, 1001)
    more, less = recall + shares * (1 - recall), false * (1 - shares)
    share = np.interp(gain, 2 * more / (1 + more + less) - value, shares)
    new = drawn(recall + share * (1 - recall), false * (1 - share), units, 2000)
    apart, spread, *_ = f1_apart(new, today)
    return np.mean(apart >= NormalDist().inv_cdf(1 - level) * spread)


def test_few_units_see_nothing_and_students_t_needs_more():
    assert standard_errors(4, 0.01, flips=True) == math.inf
    assert gain_seen(0.1, math.inf, 0.5, 0.5) == 0
    assert standard_errors(4, 0.01, flips=False) > standard_errors(1e6, 0.01, flips=False)


@pytest.mark.parametrize("ships", [1, 2, 4])
def test_looks_without_an_end_share_alpha(ships):
    """By all paths of answers: their levels add up to alpha, whatever k is the last."""
    spent = sum(
        level_of(0.05, "any", ships, k) * sum(math.comb(k - 1, j) for j in range(min(ships, k)))
        for k in range(1, 2000)
    )
    rest = 0.05 * zeta(1.1, 2000) / zeta(1.1)
    assert spent + rest == pytest.approx(0.05, rel=1e-9)


@pytest.fixture
def place(folder):
    np.save(folder / "none.npy", np.zeros(N))
    return folder


def test_any_number_of_looks(place):
    contract = sealed(place, "any", again=True, looks="any")
    assert "any number of looks, the first at level 0.0047" in str(contract)
    path, levels = place / "any.seal.toml", []
    for number in range(7):
        answer = aj.judge_sealed(path, detector(RNG, 0.3))
        assert (answer.look, answer.left) == (number + 1, None)
        assert "any number of looks left" in str(answer)
    levels = [line["level"] for line in ledger_lines(place, "any") if "level" in line]
    assert levels == [level_of(0.05, "any", 1, look) for look in range(1, 8)]
    assert aj.judge_sealed(path, place / "good.npy").ships
    assert aj.judge_sealed(path, place / "none.npy").answer == "budget spent"


def test_a_look_that_was_killed_keeps_its_level(place, monkeypatch):
    """The second look is asked again after a third: it is judged at the level of the second."""
    sealed(place, "any", again=True, looks="any")
    path, levels = place / "any.seal.toml", []
    aj.judge_sealed(path, place / "c0.npy")
    with monkeypatch.context() as patch:
        patch.setattr(module.Terms, "ships", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            aj.judge_sealed(path, place / "c1.npy")
    aj.judge_sealed(path, place / "c2.npy")
    monkeypatch.setattr(module.Terms, "ships", lambda *given: bool(levels.append(given[-1])))
    assert aj.judge_sealed(path, place / "c1.npy").look == 2
    assert levels == [level_of(0.05, "any", 1, 2)]


@pytest.mark.parametrize("looks", ["many", 0, 20_000, 2.5])
def test_other_looks_are_refused(place, looks):
    with pytest.raises(InputError, match="looks must be"):
        sealed(place, "x", again=True, looks=looks)


def test_a_contract_of_other_looks_is_refused(place):
    for looks in ('"many"', "0", "20000"):
        sealed(place, "x", again=True)
        edit(place / "x.seal.toml", "looks = 4", f"looks = {looks}")
        sealed_again(place / "x.seal.toml")
        with pytest.raises(InputError, match="looks and ships are out of range"):
            aj.judge_sealed(place / "x.seal.toml", place / "c2.npy")
        for file in ("x.seal.toml", "x.seal.jsonl"):
            (place / file).unlink()


def test_too_few_events_for_any_number_of_looks_say_how_many_can(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJUDGE_WITNESS", str(tmp_path / "witness"))
    labels = np.zeros(9 * GAP, int)
    for start in STARTS[:9]:
        labels[start : start + 6] = 1
    np.savetxt(tmp_path / "labels.csv", labels, "%d", header="label", comments="")
    np.save(tmp_path / "base.npy", labels * (np.arange(9 * GAP) < 4 * GAP))
    for looks, way in (("any", "at most 1 look can"), (5, "at most 1 look can")):
        with pytest.raises(InputError, match=way):
            sealed(tmp_path, "a", looks=looks, at=None, metric="event_f1")


def test_what_sees_nothing_says_so(tmp_path, monkeypatch):
    """A detector that misses a few events and is never wrong can hardly be surpassed."""
    monkeypatch.setenv("ADJUDGE_WITNESS", str(tmp_path / "witness"))
    labels = np.zeros(N, int)
    for start in STARTS:
        labels[start : start + 6] = 1
    np.savetxt(tmp_path / "labels.csv", labels, "%d", header="label", comments="")
    np.save(tmp_path / "base.npy", labels * (np.arange(N) % (5 * GAP) > GAP))
    contract = sealed(tmp_path, "a", looks=2, at=None, metric="event_f1")
    assert contract.tables["power"]["sees_in_four_of_five"] == 0
    assert "no gain is seen in four cases of five" in str(contract)
