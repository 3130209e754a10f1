"""Audit the catalogue and write down what was found: src/adjudge/metrics/audit_results.json.

Run as ``python tools/make.py claims [NAME ...] [--kept FILE] [--undecided] [--axiom A] [--more K]``
after every change of a row or of an axiom. With names, only these rows are audited again. FILE gets a
line per row as soon as it is done; called again with the same file, the script goes on from there.
With ``--undecided``, what the table has decided stays, and only its question marks are looked into;
with ``--axiom``, only that axiom; with ``--more``, by K times as many trials, however long they take.
"""

import argparse
import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory

import adjudge as aj
from adjudge.lab.audit.audits import audit
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.audit.confidence import Effort
from adjudge.lab.audit.result import LETTERS
from adjudge.metrics.audit_results import ORDER, VERDICTS

TABLE = Path(aj.__file__).parent / "metrics" / "audit_results.json"
SENTENCES = Path(__file__).parents[1] / "docs" / "axiom_sentences.json"
TEN = (
    "f1",
    "f1_pa",
    "f1_kpa",
    "f1_ba",
    "event_f1",
    "composite_f1",
    "range_f1",
    "affiliation_f1",
    "auc_roc",
    "vus_pr",
)
"""Metrics of which docs/axioms.md says everything."""
TRIALS = 44
"""Four times as many without a lucky run suffice for C-1q: they bound its share below 5 %."""
UNLIMITED = {"pairs": 3000, "fuzz": 3000, "cap": math.inf, "total": math.inf, "call": 10.0}


def page(signs):
    """Write the table for a mapping from names to signs."""
    rows = {"axioms": {name: axiom.title for name, axiom in AXIOMS.items()}, **signs}
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def audit_row(name, axioms, kept, more=0):
    """Audit a row without a limit of time, and note what is found.

    A first pass is decided by few trials; what it leaves undecided gets many more, up to a minute
    of CPU time for each axiom, or ``more`` times as many as that, without a limit.
    """
    begun = {"trials": TRIALS, **UNLIMITED}
    rows = {row.axiom: row for row in audit(name, axioms, effort=Effort("first", **begun))}
    undecided = [axiom for axiom, row in rows.items() if row.outcome == "undecided"]
    if undecided:
        limit = {"trials": 5 * more * TRIALS} if more else {"trials": 5 * TRIALS, "cap": 60.0}
        again = audit(name, undecided, effort=Effort("second", **{**begun, **limit}))
        rows |= {row.axiom: row for row in again}
    found = {axiom: [row.outcome, in_words(row)] for axiom, row in rows.items()}
    with kept.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"metric": name, "found": found}) + "\n")
    print(name, *(outcome for outcome, _ in found.values()), flush=True)


def in_words(row):
    """Say what was found, and where that decides nothing, after how many trials."""
    tried = (
        f"; undecided after {row.trials:,} trials"
        if row.outcome == "undecided" and row.trials
        else ""
    )
    return row.sentence + tried


def noted(kept):
    """Read what was found, also by a run that was stopped; the last of an axiom counts."""
    found = {}
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        row = json.loads(line)
        found.setdefault(row["metric"], {}).update(row["found"])
    return found


def left(names, table, done, *, undecided, axioms=tuple(AXIOMS)):
    """Give each row that is not done yet, with the axioms to run."""
    for name in names:
        signs = dict(zip(ORDER, table.get(name, ""), strict=name in table)) if undecided else {}
        wanted = [axiom for axiom in axioms if signs.get(axiom, "?") == "?"]
        if not set(wanted) <= set(done.get(name, ())):
            yield name, wanted


def main():
    """Audit what is asked for, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--undecided", action="store_true")
    parser.add_argument("--axiom", action="append", choices=AXIOMS, dest="axioms")
    parser.add_argument("--more", type=int, default=0, metavar="K")
    options = parser.parse_args()
    names, axioms = options.names or list(aj.catalogue), options.axioms or tuple(AXIOMS)
    with TemporaryDirectory() as folder:
        kept = options.kept or Path(folder) / "claims.jsonl"
        done, undecided = noted(kept), options.undecided
        for name, wanted in left(names, VERDICTS, done, undecided=undecided, axioms=axioms):
            audit_row(name, wanted, kept, options.more)
        write(noted(kept))


def write(new):
    """Write the table, and the sentences of ten metrics and of what is undecided of any."""
    signs = {name: dict(zip(ORDER, row, strict=True)) for name, row in VERDICTS.items()}
    said = json.loads(SENTENCES.read_text(encoding="utf-8")) if SENTENCES.exists() else {}
    for name, found in new.items():
        signs.setdefault(name, {}).update(
            {a: LETTERS[outcome] for a, (outcome, _) in found.items()}
        )
        kept = {a: row for a, row in found.items() if name in TEN or row[0] == "undecided"}
        before = {a: row for a, row in said.pop(name, {}).items() if a not in found}
        if kept or before:
            said[name] = {a: {**before, **kept}[a] for a in AXIOMS if a in {**before, **kept}}
    rows = {
        name: "".join(signs[name].get(a, "?") for a in AXIOMS)
        for name in aj.catalogue
        if name in signs
    }
    TABLE.write_text(page(rows), encoding="utf-8")
    SENTENCES.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
