"""Attack a board: each attack is refused in one line, takes little, and spares the others.

    python tests/campaigns/boards.py [--seed 0] [--count 100]

An attack is a folder that somebody submits beside an honest one: files that unpack to far more
than they are, files that say they hold what they do not, folders without end, names and titles
that pass for others, and honest submissions of which some bytes or lines are changed. The whole
board is then verified. Wrong is: an attack that is accepted although its values are not those of
its scores, an honest submission that is refused, more than half a gigabyte of memory. Raw is: an
exception, or a reason that is one, that has several lines or does not end.
"""

import argparse
import bz2
import csv
import gzip
import io
import json
import lzma
import os
import random
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

import adjudge as aj
from ranking.tampering import (
    NAME,
    RULES,
    SERIES,
    TAMPERED,
    N,
    edit,
    labels_of,
    make_board,
    rehash,
    scores_of,
    submit,
)

LIMITS = {"seconds": 60, "gigabytes": 2}
MEMORY = 2**29
"""Bytes that an attack may take beyond what verification takes anyhow."""
RAW = re.compile(r"cannot be verified: \w*(Error|Exception)\b")
ROWS = 30_000_000
SCORES = "scores/x/a"


def instead(ending, data, name=SCORES):
    """Put another file in the place of the scores of a series."""

    def attack(folder):
        (folder / f"{name}.npy").unlink()
        (folder / f"{name}{ending}").write_bytes(data() if callable(data) else data)
        rehash(folder)

    return attack


def beside(inner, data):
    """Add a file, or replace one, and name it in meta.json."""

    def attack(folder):
        (folder / inner).parent.mkdir(parents=True, exist_ok=True)
        (folder / inner).write_bytes(data() if callable(data) else data)
        rehash(folder)

    return attack


def meta(text):
    return lambda folder: (folder / "meta.json").write_bytes(text)


def said(**entries):
    return lambda folder: edit(folder, lambda found: found.update(entries))


def renamed(name):
    def attack(folder):
        edit(folder, lambda found: found.update(name=name))
        (folder / "values.csv").write_text(
            (folder / "values.csv").read_text().replace(NAME, name), "utf-8"
        )
        rehash(folder)
        folder.rename(folder.with_name(name))

    return attack


def parquet(rows=ROWS, **columns):
    """Many rows in few bytes: all of them are the same."""
    table = pa.table(columns or {"score": pa.array(np.zeros(rows // 10))})
    out = io.BytesIO()
    with pa.parquet.ParquetWriter(out, table.schema, compression="zstd") as writer:
        for _ in range(1 if columns else 10):
            writer.write_table(table)
    return out.getvalue()


def feather(rows=ROWS):
    out = io.BytesIO()
    table = pa.table({"score": np.zeros(rows)})
    pa.feather.write_feather(table, out, compression="zstd", chunksize=rows)
    return out.getvalue()


def npz(rows=ROWS, **arrays):
    out = io.BytesIO()
    np.savez_compressed(out, **(arrays or {"score": np.zeros(rows)}))
    return out.getvalue()


def npy(array, **how):
    out = io.BytesIO()
    np.save(out, array, **how)
    return out.getvalue()


def claimed(shape, kind="<f8"):
    """An array of which the header claims more than there is."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(8 * N)


def archive(*names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as found, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that stands twice
        for name in names:
            found.writestr(name, npy(np.zeros(N)))
    return out.getvalue()


def deep(depth):
    """Folders within folders; those too deep for one path are made step by step."""

    def attack(folder):
        here = os.getcwd()  # noqa: PTH109 - a path this long cannot be named
        os.chdir(folder / "scores")
        try:
            for _ in range(depth):
                os.mkdir("d")  # noqa: PTH102 - the same
                os.chdir("d")
            np.save("a.npy", np.zeros(N))
        finally:
            os.chdir(here)

    return attack


def many(count):
    def attack(folder):
        for number in range(count):
            (folder / "scores" / f"{number}.csv").write_bytes(b"")

    return attack


def socketed(folder):
    here = os.getcwd()  # noqa: PTH109
    os.chdir(folder / "scores")
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("a.npy")
    finally:
        os.chdir(here)


def looped(folder):
    (folder / "scores" / "x" / "up").symlink_to(folder / "scores", target_is_directory=True)


def in_its_place(folder):
    (folder / f"{SCORES}.npy").unlink()
    (folder / f"{SCORES}.npy").mkdir()
    rehash(folder)


def odd_file_name(name):
    def attack(folder):
        with open(os.path.join(os.fsencode(folder / "scores"), name), "wb"):  # noqa: PTH118, PTH123
            pass

    return attack


def lines(text, count=ROWS):
    return b"score\n" + text * count


HEAD = b"series,detector,metric,value\n"
ROW = f"x/a,{NAME},auc_roc,0.5\n".encode()
GOOD = b"score\n" + b"".join(b"%r\n" % one for one in scores_of(1, 0).tolist())

BY_HAND = {
    # far more than it is
    "gzip": instead(".csv.gz", lambda: gzip.compress(lines(b"0\n"), 1)),
    "gzip of blank lines": instead(".csv.gz", lambda: gzip.compress(GOOD + b"\n" * ROWS, 1)),
    "gzip of one line": instead(".csv.gz", lambda: gzip.compress(b"score\n" + b"1" * ROWS, 1)),
    "gzip of many members": instead(".csv.gz", lambda: gzip.compress(lines(b"0\n", 10**6)) * 30),
    "bzip2": instead(".csv.bz2", lambda: bz2.compress(lines(b"0\n"))),
    "xz": instead(".csv.xz", lambda: lzma.compress(lines(b"0\n"), preset=0)),
    "zstd": instead(".csv.zst", lambda: pa.compress(lines(b"0\n"), "zstd", asbytes=True)),
    "gzip of JSON": instead(".jsonl.gz", lambda: gzip.compress(b'{"score": 0}\n' * 5_000_000, 1)),
    "gzip that is none": instead(".csv.gz", b"score\n1\n"),
    "gzip cut short": instead(".csv.gz", lambda: gzip.compress(GOOD)[:-9]),
    "gzip in gzip": instead(".csv.gz", lambda: gzip.compress(gzip.compress(lines(b"0\n")))),
    "Parquet": instead(".parquet", parquet),
    "Parquet of no column": instead(".parquet", lambda: parquet(a=pa.nulls(N))),
    "Parquet of lists": instead(".parquet", lambda: parquet(score=pa.array([[0.5]] * N))),
    "Parquet cut short": instead(".parquet", lambda: parquet(1000)[:-9]),
    "Parquet that is none": instead(".parquet", b"PAR1" + bytes(100) + b"PAR1"),
    "Feather": instead(".feather", feather),
    "Arrow that is none": instead(".arrow", b"ARROW1" + bytes(200)),
    "npz": instead(".npz", npz),
    "npz of many": instead(".npz", lambda: npz(**{f"s{n}": np.zeros(N) for n in range(1200)})),
    "npz with a way out": instead(".npz", lambda: archive("../../score.npy")),
    "npz of one name twice": instead(".npz", lambda: archive("score.npy", "score.npy")),
    "npz that is none": instead(".npz", b"PK\5\6" + bytes(18)),
    "npy that claims": instead(".npy", claimed((2**40,))),
    "npy that claims less": instead(".npy", claimed((3,))),
    "npy of a negative length": instead(".npy", claimed((-1,))),
    "npy of nothing each": instead(".npy", claimed((2**40,), "|V0")),
    "npy of objects": instead(".npy", lambda: npy(np.array([{}] * N, object), allow_pickle=True)),
    "npy of text": instead(".npy", lambda: npy(np.array(["a"] * N))),
    "npy of complex numbers": instead(".npy", lambda: npy(np.zeros(N, complex))),
    "npy of many columns": instead(".npy", lambda: npy(np.zeros((N, 3)))),
    "npy of times": instead(".npy", lambda: npy(np.zeros(N, "M8[s]"))),
    "npy, ten million": instead(".npy", lambda: npy(np.zeros(10**7))),
    "text, ten million": instead(".csv", lambda: lines(b"0\n", 10**7)),
    "text of one line": instead(".csv", b"score\n" + b"1" * 2**22),
    "text of 20,000 columns": instead(".csv", b",".join(b"c%d" % n for n in range(20_000))),
    "text with a quote": instead(".csv", b'score\n"' + b"1\n" * 2**20),
    "text with NUL": instead(".csv", GOOD.replace(b".", b"\0")),
    "UTF-16": instead(".csv", GOOD.decode().encode("utf-16")),
    "infinite": instead(".csv", GOOD.rsplit(b"\n", 2)[0] + b"\n1e999\n"),
    "numbers of 100,000 digits": instead(".csv", b"score\n" + (b"9" * 10**5 + b"\n") * N),
    "deep JSON": instead(".jsonl", b'{"score": ' + b"[" * 10**5 + b"\n"),
    "JSON of long numbers": instead(".jsonl", b'{"score": ' + b"9" * 10**4 + b"}\n"),
    "2,000,000 values": beside("values.csv", lambda: HEAD + ROW * 2_000_000),
    "2,000,000 metrics": beside(
        "values.csv",
        lambda: HEAD + b"".join(b"x/a,%s,f1(at=%d),0\n" % (NAME.encode(), n) for n in range(10**6)),
    ),
    "values of 10,001 columns": beside("values.csv", b"a," * 10_000 + b"b\n"),
    "values of long texts": beside("values.csv", HEAD + b"x" * 10**5 + b"," + ROW),
    # what lies in a folder
    "990 folders": deep(990),
    "3,000 folders": deep(3000),
    "5,000 files": many(5000),
    "a socket": socketed,
    "a loop": looped,
    "a name that is no text": odd_file_name(b"\xff\xfe.npy"),
    "a name of lines": odd_file_name(b"a\nb\x1b[2J.npy"),
    "a name of 250 letters": odd_file_name(b"a" * 246 + b".npy"),
    "a folder called as scores": in_its_place,
    # what is said
    "meta.json of a megabyte": meta(b'{"' + b"a" * 1_000_000 + b'": 1}'),
    "meta.json of many names": meta(
        json.dumps({f"a{n}": n for n in range(60_000)}).encode()
    ),
    "meta.json of long numbers": meta(b'{"schema": ' + b"9" * 10**5 + b"}"),
    "meta.json that nests": meta(b'{"a":' * 10**5),
    "meta.json in UTF-16": meta("{}".encode("utf-16")),
    "meta.json with NaN": said(settings={"metrics": RULES["metrics"], "at": float("nan")}),
    "a metric that nests": said(settings={"metrics": ["best(" * 5000], "at": None}),
    "a metric of a long number": said(settings={"metrics": ["f1(at=" + "9" * 1900], "at": None}),
    "files in files": said(files={"a/../b": "0" * 64, "a" * 10_000: "1" * 64}),
    # who says it
    "rn for m": renamed("autorn"),
    "cl for d": renamed("seclan"),
    "vv for w": renamed("vvave"),
    "1 for l": renamed("a1pha"),
    "another's name as a title": said(title="autom"),
    "the same in capitals": said(title=" AUTOM "),
    "the same in Cyrillic": said(title="\u0430ut\u043em"),
    "the same in wide letters": said(title="\uff41\uff55\uff54\uff4f\uff4d"),
    "the same with a soft hyphen": said(title="au\u00adtom"),
    "a letter that nobody sees": said(authors=["me\u3164"]),
    "a variation of a letter": said(description="a\ufe0f"),
    "a tag that nobody sees": said(title="a\U000e0041"),
    "a joiner": said(title="au\u200dtom"),
}  # fmt: skip
OTHERS = ("autom", "sedan", "wave", "alpha")
"""Honest submissions to the board: names that an attack may try to pass for."""


def changed(rng, folder):
    """Tamper in ways that are known, and change some bytes or lines of a file."""
    ways = [way for way, _ in TAMPERED.values()]
    if rng.random() < 0.5:
        rng.choice(ways)(folder)
    folder = next((one for one in folder.parent.iterdir() if one.name not in OTHERS), folder)
    if folder.is_symlink():
        return
    files = [one for one in sorted(folder.rglob("*")) if one.is_file() and not one.is_symlink()]
    for file in rng.sample(files, min(len(files), rng.randint(1, 3))):
        data = bytearray(file.read_bytes())
        for _ in range(rng.randint(1, 4)):
            begin = rng.randrange(len(data) + 1)
            end = min(len(data), begin + rng.choice((0, 1, 1, 8, 100)))
            data[begin:end] = rng.randbytes(rng.choice((0, 1, 1, 8)))
        file.write_bytes(data)
    if rng.random() < 0.8:
        try:
            rehash(folder)
        except (OSError, ValueError, KeyError, TypeError):
            return  # meta.json itself was changed


def is_true(folder):
    """Tell whether the values of a submission are those of its scores, read in another way."""
    for row in csv.DictReader(io.StringIO((folder / "values.csv").read_text("utf-8"))):
        place = SERIES.index(row["series"])
        scores = np.load(folder / "scores" / f"{row['series']}.npy", allow_pickle=False)
        own = aj.metric(row["metric"])(labels_of(place), scores.ravel())
        if not np.isclose(own, float(row["value"] or "nan"), 1e-8, 1e-8, equal_nan=True):
            return False
    return True


def one_attack(clean, place, attack, *, may_be_true):
    """What came of an attack: "refused", "accepted", or what is wrong or raw."""
    board = Path(shutil.copytree(clean, place, symlinks=True))
    attack(board / "submissions" / NAME)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = aj.verify(board)
        except (Exception, RecursionError) as error:  # noqa: BLE001 - that is what is looked for
            return f"raw {type(error).__name__}: {error}"[:200]
    taken = 1024 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before)
    (row,) = [row for row in found.rows if row.name not in OTHERS]
    others = [one for one in found.refused if one is not row]
    subprocess.run(["rm", "-rf", board], check=True)  # noqa: S607 - rmtree recurses
    if any("look like that of another" not in one.says for one in others):
        return f"wrong: an honest one is {others[0].says}"[:200]
    if RAW.search(row.says) or not row.says.isprintable() or len(row.says) > 3500:
        return f"raw {row.says}"[:200]
    if taken > MEMORY:
        return f"wrong: {taken:,} bytes"
    if row.is_accepted and not may_be_true:
        return f"wrong: {row.says}"
    return "accepted" if row.is_accepted else "refused"


def campaign(seed, count, folder):
    """Count what came of the attacks; name those that went wrong, or ended in something raw."""
    clean = make_board(folder / "clean", **LIMITS)
    for place, name in enumerate((*OTHERS, NAME)):
        submit(clean, name, 1 if name == NAME else 10 + place)
    outcomes, wrong = Counter(), {}
    names = list(BY_HAND)
    for number in range(count):
        rng = random.Random(f"{seed} {number}")  # noqa: S311
        way = names[number] if number < len(names) else f"changed {number}"
        kept = folder / "kept"

        def attack(own, way=way, rng=rng, kept=kept):
            if way in BY_HAND:
                BY_HAND[way](own)
            else:
                changed(rng, own)
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(own.parent, kept, symlinks=True, ignore=ignored)

        found = one_attack(clean, folder / f"{number}", attack, may_be_true=way not in BY_HAND)
        if found == "accepted" and not is_true(
            next(o for o in kept.iterdir() if o.name not in OTHERS)
        ):
            found = "wrong: accepted with other values"
        outcomes[found.partition(" ")[0].rstrip(":")] += 1
        if found not in {"accepted", "refused"}:
            wrong[way] = found
    return outcomes, wrong


def ignored(_, names):
    return [name for name in names if name.endswith("pipe.npy")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcomes, wrong = campaign(given.seed, given.count, Path(folder))
    for way, found in wrong.items():
        print(f"{way}: {found}")
    print(f"{given.count:,} attacks, seed {given.seed}: {dict(outcomes)}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
