"""Each attack is answered as listed, and has cost as many looks; each weakened judge is caught."""

import os
import secrets

import pytest

from adjudge.errors import AdjudgeError
from adjudge.sealing import contract, data, ledger, power, sealed
from adjudge.sealing.answer import SHIP, STAY
from sealed_attacks import ATTACKS, REFUSED
from sealed_story import looks


def outcome(name, folder):
    """What is answered, and whether it is as listed."""
    function, answers, charged = ATTACKS[name]
    try:
        found = getattr(function(folder), "answer", "sealed")
    except AdjudgeError:
        found = REFUSED
    return found, found in answers and (charged is None or charged == looks(folder))


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_answered_as_listed(name, folder):
    found, right = outcome(name, folder)
    assert right, (found, looks(folder))


def told_first(self, lines, name, alarms):
    ships = self.rule.ships(self.data, alarms.column, self.contract.level(1))
    if name not in lines.looks:
        look = len(lines.looks) + 1
        lines.append(what="asked", candidate=name, look=look, level=self.contract.level(1))
    lines.append(what="answered", candidate=name, answer=SHIP if ships else STAY)


def _weak(target, name, value):
    return lambda patch: patch.setattr(target, name, value)


_alarms = sealed.Terms.alarms


def by_scores(self, own, given):
    return _alarms(self, own, given)._replace(said=given.tobytes())


def as_it_stands(self, text, place, before):
    return ledger.json.loads(text)


def told(self, own, alarms, level):
    return self.passes(own, alarms, level)


WEAKENED = {
    "no witness": (
        _weak(ledger.ContractLines, "_check_witness", lambda _: None),
        "last look deleted",
    ),
    "no chain": (_weak(ledger.ContractLines, "_checked", as_it_stands), "an answer edited"),
    "no mac": (
        _weak(ledger.hmac, "compare_digest", lambda *_: True),
        "with a key: answer edited, chain and witness written anew",
    ),
    "data not hashed": (_weak(sealed, "digests", lambda *_: {}), "one label flipped"),
    "id not checked": (
        _weak(contract.Contract, "id", property(lambda one: one.tables["seal"]["id"])),
        "another metric",
    ),
    "id not pinned": (
        _weak(sealed, "read_contract", lambda path, _: contract.read_contract(path)),
        "the same with the witness, but the reader has kept the id",
    ),
    "head not checked": (
        _weak(ledger.ContractLines, "check_head", lambda *_: None),
        "ledger and witness of yesterday, the reader has kept the head",
    ),
    "replay charged": (
        _weak(sealed, "keyed", lambda *_: secrets.token_hex()), "replay of a candidate",
    ),
    "scores hashed, not alarms": (
        _weak(sealed.Terms, "alarms", by_scores), "replay with other scores of the same alarms",
    ),
    "charged after the answer is known": (
        _weak(sealed.Sealed, "_look", told_first),
        "killed after the charge: another candidate, both are charged",
    ),
    "no end of looks": (
        _weak(contract.Contract, "looks", 10**6), "a fifth candidate of four",
    ),
    "no end after a ship": (
        _weak(ledger.ContractLines, "shipped", 0), "another candidate after one was shipped",
    ),
    "no check that anything can pass": (
        _weak(power, "one_sided", lambda _: 1e-9),
        "a contract that nothing can pass",
    ),
    "revision not checked": (
        _weak(contract, "check_versions", lambda *_: None), "another revision installed",
    ),
    "labels sealed twice": (
        _weak(ledger.SealedLabels, "seals", ()), "the same labels sealed for a fresh budget",
    ),
    "links followed": (
        _weak(data, "_opened", lambda path, _: os.open(path, os.O_RDONLY)),
        "a candidate that is a link",
    ),
    "failures told": (_weak(sealed.Terms, "ships", told), "a failure after the charge"),
    "key not asked for": (
        _weak(sealed, "key_name", lambda _: ledger.key_name(b"k" * 40)), "with a key: none given",
    ),
}  # fmt: skip
"""Judges that lack a part, and the attack that shows it."""


@pytest.mark.parametrize("name", WEAKENED)
def test_a_weakened_judge_is_caught(name, folder, monkeypatch):
    weaken, caught_by = WEAKENED[name]
    weaken(monkeypatch)
    try:
        found, right = outcome(caught_by, folder)
    except KeyError:
        found, right = "a traceback", False
    assert not right, found
