"""Attacks on a sealed folder: what is done, what must be answered, how many looks it has cost."""

import os
import shutil

import numpy as np
import pytest

import adjudge as aj
from adjudge.sealing import contract
from adjudge.sealing import sealed as sealed_module
from sealed_story import (
    LABELS,
    STARTS,
    N,
    ask,
    ask_with_key,
    chain_again,
    edit,
    ledger_lines,
    sealed,
    sealed_again,
    tell_witness,
    write_labels,
)

ATTACKS = {}
REFUSED = "refused"
"""An InputError: nothing is judged, and no look charged."""


def attack(name, *answers, charged=None):
    def keep(function):
        ATTACKS[name] = (function, answers, charged)
        return function

    return keep


def contract_edit(old, new, *, anew=False):
    def done(folder):
        path = folder / "a.seal.toml"
        edit(path, old, new)
        if anew:
            sealed_again(path)
        return ask(folder)

    return done


attack("control: an honest third look", "do not ship", charged=3)(ask)
attack("control: a good candidate", "ship", charged=3)(lambda folder: ask(folder, "good"))


@attack("control: labels written as 1.000", "do not ship")
def _(folder):
    write_labels(folder, LABELS, "%.3f")
    return ask(folder)


@attack("control: labels of which a backup is a second name", "do not ship")
def _(folder):
    os.link(folder / "labels.csv", folder / "backup")
    return ask(folder)


@attack("a candidate that is a second name of another file", REFUSED, charged=2)
def _(folder):
    os.link(folder / "good.npy", folder / "x.npy")
    return ask(folder, "x")


@attack("control: comments and line ends of the contract", "do not ship")
def _(folder):
    path = folder / "a.seal.toml"
    path.write_bytes(b"# ours\r\n" + path.read_bytes().replace(b"\n", b"\r\n"))
    return ask(folder)


@attack("control: a rule in the place of a number", "ship")
def _(folder):
    sealed(folder, "q", at="quantile(0.85)", base_at="quantile(0.9)", again=True)
    return aj.judge_sealed(folder / "q.seal.toml", folder / "good.npy")


@attack("control: id and head as they were kept", "do not ship", charged=3)
def _(folder):
    last = ask(folder, "c0")
    return ask(folder, id=last.seal, head=last.head)


@attack("one label flipped", "tampered")
def _(folder):
    write_labels(folder, np.where(np.arange(N) == 3, 1, LABELS))
    return ask(folder)


@attack("an event that the candidate misses taken away", "tampered")
def _(folder):
    labels = LABELS.copy()
    labels[STARTS[3] : STARTS[3] + 6] = 0
    write_labels(folder, labels)
    return ask(folder)


@attack("by a point", "tampered")
def _(folder):
    write_labels(folder, np.roll(LABELS, 1))
    return ask(folder)


@attack("labels in the place of a link", "tampered")
def _(folder):
    (folder / "labels.csv").rename(folder / "x.csv")
    (folder / "labels.csv").symlink_to(folder / "x.csv")
    return ask(folder)


@attack("labels taken away", "tampered")
def _(folder):
    (folder / "labels.csv").unlink()
    return ask(folder)


@attack("labels that are no labels", "tampered")
def _(folder):
    (folder / "labels.csv").write_text("label\nsecret\n")
    return ask(folder)


@attack("a weaker base", "tampered")
def _(folder):
    np.save(folder / "base.npy", np.zeros(N))
    return ask(folder)


@attack("base and candidate swapped", "tampered")
def _(folder):
    base, candidate = np.load(folder / "base.npy"), np.load(folder / "c2.npy")
    np.save(folder / "base.npy", candidate)
    np.save(folder / "c2.npy", base)
    return ask(folder)


for _name, _old, _new in (
    ("another metric", r"\nmetric = .*", '\nmetric = "f1_pa"'),
    ("another width", r"width=\d+", "width=99"),
    ("another threshold", r"\nat = .*", '\nat = "0.25"'),
    ("more looks", "looks = 4", "looks = 400"),
    ("another unit of evidence", 'unit = "auto"', 'unit = "series"'),
    ("another border", "open_until = 0", "open_until = 600"),
):
    attack(_name, "tampered")(contract_edit(_old, _new))
    attack(f"{_name}, id anew", "tampered")(contract_edit(_old, _new, anew=True))
attack("another threshold of the base, id anew", "tampered")(
    contract_edit('base_at = "0.5"', 'base_at = "0.9"', anew=True)
)
attack("a larger alpha, id anew", "tampered")(contract_edit("alpha = .*", "alpha = 0.9", anew=True))
attack("a line of the contract taken away", REFUSED)(contract_edit("ships = 1\n", "", anew=True))
for _anew in (False, True):
    attack("a table added to the contract" + ", id anew" * _anew, REFUSED)(
        contract_edit(r"\Z", "\n[more]\nx = 1\n", anew=_anew)
    )
attack("a key twice in the contract", REFUSED)(contract_edit("looks = 4", "looks = 4\nlooks = 9"))
attack("a number that is a text, id anew", REFUSED)(
    contract_edit("looks = 4", 'looks = "4"', anew=True)
)
attack("a count that is a text, id anew", REFUSED)(
    contract_edit("ships = 1", 'ships = "1"', anew=True)
)
attack("no looks, id anew", REFUSED)(contract_edit("looks = 4", "looks = 0", anew=True))


def larger_alpha(folder):
    """All that somebody does who has contract, ledger and no more."""
    path = folder / "a.seal.toml"
    edit(path, "alpha = .*", "alpha = 0.2")
    found, lines = sealed_again(path), ledger_lines(folder)
    lines[0]["seal"] = found
    return found, *chain_again(folder, lines)


@attack("a larger alpha, id anew, ledger chained anew", "tampered")
def _(folder):
    larger_alpha(folder)
    return ask(folder)


@attack("the same with the witness, but the reader has kept the id", "tampered")
def _(folder):
    kept = sealed_id(folder)
    tell_witness(folder, *larger_alpha(folder))
    return ask(folder, id=kept[:12])


def sealed_id(folder):
    return ledger_lines(folder)[0]["seal"]


@attack("an id of too few digits", "tampered")
def _(folder):
    return ask(folder, id=sealed_id(folder)[:4])


@attack("ledger deleted", "tampered")
def _(folder):
    (folder / "a.seal.jsonl").unlink()
    return ask(folder)


@attack("a link in the place of the ledger", "tampered")
def _(folder):
    (folder / "a.seal.jsonl").rename(folder / "x")
    (folder / "a.seal.jsonl").symlink_to(folder / "x")
    return ask(folder)


def with_lines(change):
    def done(folder):
        path = folder / "a.seal.jsonl"
        path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
        return ask(folder)

    return done


for _name, _change in {
    "ledger emptied": lambda lines: [],  # noqa: ARG005 - nothing is left
    "last line deleted": lambda lines: lines[:-1],
    "last look deleted": lambda lines: lines[:-2],
    "a line in the middle deleted": lambda lines: lines[:2] + lines[3:],
    "two lines swapped": lambda lines: [lines[0], lines[3], lines[2], lines[1], lines[4]],
    "the last line torn": lambda lines: [*lines[:-1], lines[-1][:-9]],
    "a line that is no object": lambda lines: [*lines, "[1]\n"],
    "a line that is no JSON": lambda lines: [*lines, "{\n"],
    "bytes that are no text": lambda lines: [
        *lines,
        "\ud800\n".encode("utf-8", "replace").decode(),
    ],
    "an answer edited": lambda lines: [one.replace("do not ship", "ship") for one in lines],
}.items():
    attack(_name, "tampered")(with_lines(_change))


@attack("an answer edited, chained anew", "tampered")
def _(folder):
    lines = ledger_lines(folder)
    lines[2]["answer"] = "ship"
    chain_again(folder, lines)
    return ask(folder, "c0")


@attack("a line of another form, chained anew", "tampered")
def _(folder):
    lines = ledger_lines(folder)
    del lines[1]["look"]
    tell_witness(folder, sealed_id(folder), *chain_again(folder, lines))
    return ask(folder)


@attack("the ledger of another contract", "tampered")
def _(folder):
    shutil.copy(folder / "k.seal.jsonl", folder / "a.seal.jsonl")
    return ask(folder)


@attack("the ledger of yesterday", "tampered")
def _(folder):
    shutil.copy(folder / "before" / "a.seal.jsonl", folder / "a.seal.jsonl")
    return ask(folder)


@attack("ledger and witness of yesterday, the reader has kept the head", "tampered")
def _(folder):
    head = ledger_lines(folder)[-1]["hash"]
    yesterday(folder)
    return ask(folder, head=head[:12])


def yesterday(folder):
    shutil.copy(folder / "before" / "a.seal.jsonl", folder / "a.seal.jsonl")
    (line,) = ledger_lines(folder)
    tell_witness(folder, line["seal"], 1, line["hash"])


@attack("a head of too few digits", "tampered")
def _(folder):
    return ask(folder, head=ledger_lines(folder)[-1]["hash"][:3])


@attack("witness deleted", "tampered")
def _(folder):
    (folder / "witness" / f"{sealed_id(folder)}.head").unlink()
    return ask(folder)


@attack("a witness that says nothing", "tampered")
def _(folder):
    tell_witness(folder, sealed_id(folder), 0, "")
    return ask(folder)


@attack("with a key: answer edited, chain and witness written anew", "tampered")
def _(folder):
    lines = ledger_lines(folder, "k")
    lines[2]["answer"] = "ship"
    tell_witness(folder, lines[0]["seal"], *chain_again(folder, lines, "k"))
    return ask_with_key(folder, "c0")


@attack("with a key: another key", REFUSED)
def _(folder):
    (folder / "key").write_text("z" * 40)
    return ask_with_key(folder)


attack("with a key: none given", REFUSED)(lambda folder: ask_with_key(folder, key=None))
attack("a key where there is none", REFUSED)(lambda folder: ask(folder, key=folder / "key"))
attack("control: with its key", "do not ship")(ask_with_key)
attack("replay of a candidate", "do not ship", charged=2)(lambda folder: ask(folder, "c0"))


@attack("replay with other scores of the same alarms", "do not ship", charged=2)
def _(folder):
    scores = np.load(folder / "c0.npy")
    np.save(folder / "c2.npy", np.where(scores > 0.5, scores + 0.1, scores * 0.9))
    return ask(folder)


@attack("a fifth candidate of four", "budget spent", charged=4)
def _(folder):
    for candidate in ("c2", "c3"):
        ask(folder, candidate)
    return ask(folder, "c4")


@attack("another candidate after one was shipped", "budget spent", charged=3)
def _(folder):
    ask(folder, "good")
    return ask(folder, "c3")


def with_candidate(make):
    def done(folder):
        make(folder / "c2.npy")
        return ask(folder)

    return done


def promising(path):
    """A header that says it has a hundred million million points."""
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999,), }"
    size = (118).to_bytes(2, "little")
    path.write_bytes(b"\x93NUMPY\x01\x00" + size + head.ljust(117) + b"\n")


def linked(path):
    path.unlink()
    path.symlink_to(path.with_name("good.npy"))


for _name, _make in {
    "a candidate that is too short": lambda path: np.save(path, np.zeros(N - 1)),
    "a candidate with NaN in events": lambda path: np.save(path, np.where(LABELS, np.nan, 0)),
    "a candidate with infinities": lambda path: np.save(path, np.where(LABELS, np.inf, 0)),
    "a candidate that is a pickle": lambda path: np.save(
        path, np.array([{}] * 3, object), allow_pickle=True
    ),
    "a candidate that is a link": linked,
    "a candidate that is a folder": lambda path: (path.unlink(), path.mkdir()),
    "a candidate that is not there": lambda path: path.unlink(),
    "a candidate of text": lambda path: np.save(path, np.full(N, "x")),
    "a candidate that promises too much": promising,
}.items():
    attack(_name, REFUSED, charged=2)(with_candidate(_make))


@attack("a candidate that is too large", REFUSED, charged=2)
def _(folder):
    with (folder / "c2.npy").open("wb") as file:
        file.truncate(50_000_001)
    return ask(folder)


def killed(folder):
    """A judge that ends after the charge and before the answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed_module.Terms, "ships", lambda *_: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            ask(folder)


@attack("killed after the charge: asked again", "do not ship", charged=3)
def _(folder):
    killed(folder)
    return ask(folder)


@attack("killed after the charge: another candidate, both are charged", "do not ship", charged=4)
def _(folder):
    killed(folder)
    return ask(folder, "c3")


@attack("the same labels sealed for a fresh budget", REFUSED)
def _(folder):
    return sealed(folder, "b")


@attack("a contract that is there already", REFUSED)
def _(folder):
    return sealed(folder, "a", again=True)


@attack("a contract that nothing can pass", REFUSED)
def _(folder):
    return sealed(folder, "b", again=True, looks=1000)


@attack("another revision installed", REFUSED, charged=2)
def _(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contract, "CHANCE_REVISION", contract.CHANCE_REVISION + 1)
        return ask(folder)


@attack("a failure after the charge", "do not ship", charged=3)
def _(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed_module, "compare", lambda *_, **__: {}["secret"])
        return ask(folder, "good")
