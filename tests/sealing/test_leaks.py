"""Nothing but one bit is told: no value, no p, no number of events, and nothing by an error."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.sealing import sealed as sealed_module
from adjudge.sealing.sealed import Sealed
from sealed_story import LABELS, N, ask, detector, ledger_lines, looks

RNG = np.random.default_rng(11)
HASHES = re.compile(r"[0-9a-f]{12,64}|\d{4}-\d\d-\d\dT[\d:]+Z")


def asked(folder, candidate, *more):
    call = ["judge", str(folder / "a.seal.toml"), str(candidate), *more]
    found = CliRunner().invoke(main, call)
    return found.exit_code, found.stdout + found.stderr


def test_two_refused_candidates_differ_in_hash_and_look_alone(folder):
    texts = []
    for recall in (0.0, 0.55):  # far behind, and ahead by not enough
        np.save(folder / "x.npy", detector(RNG, recall, 0.2))
        before = ledger_lines(folder)
        code, text = asked(folder, folder / "x.npy")
        assert code == 3
        texts.append(HASHES.sub("*", text))
        _, told = asked(folder, folder / "x.npy", "--json")
        texts[-1] += HASHES.sub("*", told + json.dumps(ledger_lines(folder)[len(before) :]))
    first, second = (text.replace("1 look left", "1 looks left") for text in texts)
    assert first != second
    assert re.sub(r"\d+", "#", first) == re.sub(r"\d+", "#", second)
    numbers = [re.findall(r"\d+(?:\.\d+)?", text) for text in (first, second)]
    changed = {pair for pair in zip(*numbers, strict=True) if pair[0] != pair[1]}
    assert changed == {("3", "4"), ("1", "0"), ("5", "7"), ("6", "8")}  # look, left, lines


def test_a_value_in_the_ledger_would_be_noticed(folder, monkeypatch):
    """The test above can fail: a judge that writes how far a candidate is ahead."""
    told = Sealed._look  # noqa: SLF001 - what a weak judge does

    def telling(self, ledger, name, alarms):
        told(self, ledger, name, alarms)
        ledger.lines[-1]["level"] = 0.5 + self.rule.compared(self.data, alarms.column).difference

    monkeypatch.setattr(Sealed, "_look", telling)
    monkeypatch.setattr(
        sealed_module.ContractLines, "head", property(lambda one: str(one.lines[-1]["level"]))
    )
    with pytest.raises(AssertionError):
        test_two_refused_candidates_differ_in_hash_and_look_alone(folder)


def test_no_float_but_the_level_is_in_a_ledger(folder):
    values = [value for line in ledger_lines(folder) for value in line.values()]
    assert {value for value in values if isinstance(value, float)} == {0.05 / 4}


KINDS = ("any bytes", "a table with errors", "a header with errors")


@pytest.mark.parametrize("count", [12, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", KINDS)
def test_any_bytes_are_an_answer_or_a_wrong_call(folder, kind, count):
    """Never a traceback, and never a look for what cannot be read."""
    rng = np.random.default_rng([len(kind), count])
    np.save(folder / "good_copy.npy", detector(rng, 0.5))
    table = "score\n" + "\n".join(map(str, detector(rng, 0.5).tolist())) + "\n"
    suffix = {"a table with errors": "csv", "a header with errors": "npy"}.get(kind, "csv")
    whole = table.encode() if suffix == "csv" else (folder / "good_copy.npy").read_bytes()
    for number in range(count):
        raw = bytearray(rng.bytes(200) if kind == "any bytes" else whole)
        for place in rng.integers(0, min(len(raw), 200), 3):
            raw[place] = rng.integers(0, 256)
        file = folder / f"x.{('csv', 'npy')[number % 2] if kind == 'any bytes' else suffix}"
        file.write_bytes(raw)
        spent = looks(folder)
        found = outcome(folder, file)
        free = found == "wrong" or "budget" in found or "no look charged" in found
        assert (looks(folder) == spent) == free


def outcome(folder, file):
    code, text = asked(folder, file)
    assert code in {0, 2, 3, 5}
    told = re.sub(r"'[^'\n]*'", "", text).replace("labels have", "")  # its own cell may be quoted
    assert not re.search(r"Traceback|label|event|0\.\d{3}", told) or code != 2
    return "wrong" if code == 2 else text


def test_a_warning_of_what_is_compared_is_not_told(folder, monkeypatch):
    plain = sealed_module.compare

    def warning(*given, **more):
        np.log(np.zeros(1))
        return plain(*given, **more)

    monkeypatch.setattr(sealed_module, "compare", warning)
    assert ask(folder).answer == "do not ship"


def test_what_is_free_needs_no_label(folder, monkeypatch):
    """The same of a candidate whatever the labels are, and no look is charged."""
    own = Sealed(folder / "a.seal.toml")
    scores = np.load(folder / "c2.npy")
    found = own.about(scores)
    own.data._labels = 1 - LABELS  # noqa: SLF001 - other labels
    assert own.about(scores) == found
    flags = np.load(folder / "c2.npy") > 0.5
    assert found["flagged_points"] == np.count_nonzero(flags)
    assert found["alarms"] == np.count_nonzero(np.diff(flags.astype(int), prepend=0) == 1)
    assert looks(folder) == 2
    assert own.about(np.load(folder / "base.npy"))["same_alarms_as_base"]


def test_the_open_part_holds_no_sealed_label(folder):
    contract = aj.seal(
        folder / "labels.csv", folder / "base.npy", folder / "h.seal.toml", at=0.5, again=True
    )
    border = contract.tables["data"]["open_until"]
    own = Sealed(folder / "h.seal.toml")
    open_part = own.open_part({"mine": folder / "c2.npy"})
    assert open_part.detectors == ["mine", "base"]
    assert np.flatnonzero(open_part.cases[0].events.judged).tolist() == list(range(border))
    assert len(open_part.cases[0].events) == 20
    assert 0 < border < N
    with pytest.raises(aj.InputError, match="this contract has no open part"):
        Sealed(folder / "a.seal.toml").open_part({})
