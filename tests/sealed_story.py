"""A sealed folder: labels, a detector of today, candidates; two contracts with two looks spent."""

import json
import re
import tomllib
from hashlib import sha256

import numpy as np

import adjudge as aj
from adjudge.sealing.contract import Contract, plain

EVENTS, GAP = 40, 30
N = EVENTS * GAP
STARTS = np.arange(EVENTS) * GAP + 15
LABELS = np.zeros(N, int)
for _start in STARTS:
    LABELS[_start : _start + 6] = 1
LOOKS = 4


def detector(rng, recall, false=0.3):
    """Scores of a detector that finds such a share of events; above 0.5 it alarms."""
    flags = np.zeros(N)
    for start in STARTS[rng.random(EVENTS) < recall]:
        flags[start + rng.integers(0, 3) : start + 6] = 1
    for unit in np.flatnonzero(rng.random(EVENTS) < false):
        at = unit * GAP + rng.integers(1, 8)
        flags[at : at + 3] = 1
    return (flags * 0.6 + rng.random(N) * 0.3).round(6)


def write_labels(folder, labels, form="%d"):
    np.savetxt(folder / "labels.csv", labels, form, header="label", comments="")


def made(folder):
    """A folder with two contracts, one with a key; it also holds the witness."""
    rng = np.random.default_rng(5)
    write_labels(folder, LABELS)
    np.save(folder / "base.npy", detector(rng, 0.5))
    np.save(folder / "good.npy", detector(rng, 0.97, 0.03))
    for number in range(6):
        np.save(folder / f"c{number}.npy", detector(rng, 0.5))
    (folder / "key").write_text("k" * 40)
    sealed(folder, "a")
    sealed(folder, "k", key=folder / "key", again=True)


def sealed(folder, name, **more):
    how = {"at": 0.5, "looks": LOOKS, "open_share": 0, **more}
    return aj.seal(folder / "labels.csv", folder / "base.npy", folder / f"{name}.seal.toml", **how)


def ask(folder, candidate="c2", **kept):
    return aj.judge_sealed(folder / "a.seal.toml", folder / f"{candidate}.npy", **kept)


def ask_with_key(folder, candidate="c2", key="key"):
    kept = {} if key is None else {"key": folder / key}
    return aj.judge_sealed(folder / "k.seal.toml", folder / f"{candidate}.npy", **kept)


def looks(folder, name="a"):
    return (folder / f"{name}.seal.jsonl").read_text().count('"asked"')


def edit(path, old, new):
    text = path.read_text()
    assert re.search(old, text), old
    path.write_text(re.sub(old, new, text, count=1))


def sealed_again(path):
    """Write a contract with the id of what it says now."""
    tables = tomllib.loads(path.read_text())
    tables["seal"]["id"] = Contract(tables).id
    path.write_text(Contract(tables).to_toml())
    return tables["seal"]["id"]


def ledger_lines(folder, name="a"):
    return [json.loads(line) for line in (folder / f"{name}.seal.jsonl").read_text().splitlines()]


def chain_again(folder, lines, name="a"):
    """Write a whole ledger that hangs together; its length and its head."""
    before = "0" * 64
    for number, line in enumerate(lines):
        for key in ("hash", "mac"):
            line.pop(key, None)
        line |= {"n": number, "prev": before}
        line["hash"] = before = sha256(plain(line)).hexdigest()
    (folder / f"{name}.seal.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return len(lines), before


def tell_witness(folder, contract, count, head):
    (folder / "witness" / f"{contract}.head").write_text(f"{count} {head}\n")
