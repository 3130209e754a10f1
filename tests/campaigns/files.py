"""Read files that are damaged or made by hand: a table or one line that says what is wrong.

    python tests/campaigns/files.py --seed 0 --count 20000

Each file is a good one of some format with bytes changed, cut, doubled or put in, or one of a list
made by hand. It is read by `adjudge.io.labels_and_scores.read`: a table with columns of one length,
or an error of ours of one line; nothing takes more than five seconds of the processor or 1 GB of
memory.
"""

import argparse
import gzip
import io
import json
import random
import resource
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import feather

import adjudge as aj
from adjudge.io.labels_and_scores import read
from campaigns.limits import TooLong, time_limit

MEMORY = 3 * 2**30  # of address space beyond what is there
LABELS, SCORES = [0, 0, 1, 1, 0, 0, 1, 0], [0.1, 0.5, 0.9, 0.2, -1e-3, 1e5, 2.0, 0.25]


def good_files():
    """Good files of every format, as bytes, by their ending."""
    table = pa.table({"label": LABELS, "score": SCORES, "name": [f"é{i}" for i in range(8)]})
    rows = [f"{a},{b!r}" for a, b in zip(LABELS, SCORES, strict=True)]
    text = "\n".join(["label,score", *rows]) + "\n"
    lines = [
        json.dumps({"label": a, "score": b}) + "\n" for a, b in zip(LABELS, SCORES, strict=True)
    ]
    made = {".csv": text.encode(), ".jsonl": "".join(lines).encode()}
    made[".tsv"] = text.replace(",", "\t").encode()
    made[".csv.gz"] = gzip.compress(made[".csv"])
    for ending, write in (
        (".npz", lambda out: np.savez(out, labels=LABELS, score=np.array(SCORES))),
        (".npy", lambda out: np.save(out, np.stack([LABELS, SCORES], axis=1))),
        (".parquet", lambda out: pq.write_table(table, out)),
        (".feather", lambda out: feather.write_feather(table, out)),
        (".arrow", lambda out: _write_arrow(table, out)),
    ):
        buffer = io.BytesIO()
        write(buffer)
        made[ending] = buffer.getvalue()
    return made


def _write_arrow(table, out):
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)


def by_hand():
    """Files that somebody might think up."""
    head = b"label,score\n"
    texts = [
        *(b"", b"\n", b"\0", b"label", head, head * 2, b"a" * 10**6, b"," * 100_000 + b"\n"),
        *(
            b"\xff\xfe" + head,
            b"\xef\xbb\xbflabel,score\n0,1\n1,0\n",
            head.decode().encode("utf-16"),
        ),
        *(b'"label,score\n0,1\n', b'label,"score\n0,1\n', b"label;score\n0;1\n", b"\x1b[31m\n"),
        *(b"label,label\n0,1\n", b"score,score\n0,1\n", b"#label,score\n0,1\n", b"0,1\n1,0\n"),
        *(b"label,score\r0,1\r1,0\r", b"label,score\r\n0,1\r\n1,0", b"=cmd()|x,score\n0,1\n"),
        b"label,=1+1\n0,1\n",
    ]
    cells = (
        *("0", "0,1,2", "0,nan", "0,inf\n1,-inf", "0,1e999", "0,0x10", "0,1_0", "0,'1", "2,1"),
        *("0," + "9" * 5000, "0,1\0", "-0,1\n1,-0", "0,1\n\n\n1,2", "\u0660,1", "0,\uff11"),
        *("0, 1 \n1,\t2", "true,1", "0,", ",0", "0;1", '0,"1"', "0,1,", "1e0,1", "+1,+1"),
    )
    texts += [head + text.encode() + b"\n" for text in cells]
    files = [(".csv", text) for text in texts]
    files += [(".jsonl", text) for text in (
       b"", b"{}", b"[]", b"[" * 5000, b'{"label": 1e999, "score": 1}', b'{"label": 1, "label": 2}',
       b'{"label": NaN, "score": 1}', b'{"label": [1], "score": {}}', b'{"label": 1}\n{"score": 1}',
        b'"\\ud800"', b'{"\\u0000": 1, "label": 0, "score": 1}', b'{"label": true, "score": 1}',
    )]  # fmt: skip
    files += [(ending, b"") for ending in good_files()]
    files += [(ending, bytes(64)) for ending in good_files()]
    files += [
        (".npy", _header("(1000000000000,)")),
        (".npy", _header("(-1,)")),
        (".npy", _header("((),)")),
    ]
    files += [(".npy", _header("(2,)", "|O")), (".npy", _header("(2,)", "<U99999999"))]
    files += [
        (".npz", _zip(name, b"x" * 10)) for name in ("../x.npy", "/x.npy", "x", "x.npy", "a\\b.npy")
    ]
    files += [(".npz", _zip("label.npy", bytes(10**7))), (".csv.gz", gzip.compress(bytes(10**7)))]
    files += [
        (".csv.gz", gzip.compress(gzip.compress(head))),
        (".csv.gz", gzip.compress(head)[:-5]),
    ]
    return files


def _header(shape, kind="<f8"):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(16)


def _zip(name, data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


def damaged(rng, data):
    """The same bytes with a few changes."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        place = rng.randrange(len(data) + 1)
        way = rng.randrange(6)
        if way == 0 and place < len(data):
            data[place] ^= 1 << rng.randrange(8)
        elif way == 1:
            del data[place:]
        elif way == 2:
            data[place:place] = rng.randbytes(rng.randrange(1, 9))
        elif way == 3:
            data[place : place + 4] = rng.choice(
                [b"\xff\xff\xff\xff", bytes(4), b"\x7f\xff\xff\xff"]
            )
        elif way == 4:
            data[place:place] = data[rng.randrange(len(data) + 1) :][: rng.randrange(40)]
        else:
            data[place:place] = rng.choice(
                [b",", b"\n", b'"', b"nan", b"-", b"\0", b"e9", b";", b"{"]
            )
    return bytes(data)


def one_file(folder, ending, data):
    """What came of reading one file: "table", the name of an error of ours, or what is wrong."""
    path = folder / f"file{ending}"
    path.write_bytes(data)
    try:
        with time_limit(5):
            table = read(path)
        lengths = {len(table.labels), *map(len, table.scores.values())}
        return "table" if len(lengths) == 1 and 0 not in lengths else "columns of several lengths"
    except aj.AdjudgeError as error:
        return type(error).__name__ if "\n" not in str(error) else "an error of several lines"
    except (Exception, TooLong) as error:  # noqa: BLE001 - that is what is looked for
        return f"raised {type(error).__name__}: {error}"[:90]


def campaign(seed, count, folder):
    """Count what came of the files; name the first ones that went wrong."""
    good, hand = good_files(), by_hand()
    outcomes, wrong = Counter(), {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(count):
            if number < len(hand):
                ending, data = hand[number]
            else:
                rng = random.Random(f"{seed} {number}")  # noqa: S311
                ending = rng.choice(sorted(good))
                data = damaged(rng, good[ending])
            found = one_file(folder, ending, data)
            outcomes[found.partition(":")[0]] += 1
            if " " in found:
                wrong.setdefault(f"{ending}: {found}", number)
    return outcomes, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=20_000)
    given = parser.parse_args()
    with suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + MEMORY, resource.RLIM_INFINITY))
    with tempfile.TemporaryDirectory() as folder:
        outcomes, wrong = campaign(given.seed, given.count, Path(folder))
    for found, number in wrong.items():
        print(f"file {number}, {found}")
    print(f"{given.count:,} files, seed {given.seed}: {dict(outcomes)}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
