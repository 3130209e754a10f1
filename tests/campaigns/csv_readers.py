"""Read mutated CSV texts by both readers: the same values bit for bit, or the same message.

    python tests/campaigns/csv_readers.py --seed 0 --count 6000

Each text is a good one (numbers, times of one length, counted times, ids; parted by commas, or by
semicolons with decimal commas; packed or not) in which cells are replaced, or bytes put in, taken
out or changed. It is read once by the careful reader alone and once with pyarrow tried
first, however short it is. What is compared is the table as the judging takes it: columns, the
instants of its times, its summary; or the message.
"""

import argparse
import gzip
import random
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import adjudge as aj
from adjudge.data.clock import Clock
from adjudge.io.formats import csv_text
from adjudge.io.labels_and_scores import read

BITS = [
    *(b'"', b",", b"\n", b"\r", b"\r\n", b"\n\n", b"nan", b"inf", b"1e999", b"1_0", b" ", b"\t"),
    *(b"+", b"-", b"", b"NA", b"null", b"True", b"0x1p3", b"1.5.2", b".5", b"5.", b"1e-400"),
    *(b"4.9e-324", b"Infinity", b"-nan", b"nan(1)", b"\xc3\xa9", b"\xff", b"\0", b";", b"1,5"),
    *(b"'", b"1d5", b"1f", b"\xd9\xa1", b"\xef\xbb\xbf", b"#", b"1E5", b"-0", b"00012", b"e5"),
    *(b"12345678901234567890123", b"0.1000000000000000055511151231257827", b"9007199254740993"),
    *(b"9007199254740992", b"\x0b", b"\x0c", b"\xa0", b"\x1c", b"2026-01-01", b"2026-02-30 00:00"),
    *(b"1677-01-01 00:00", b"00:00Z", b"0" * 140_000, b"2026-03-02T00:05", b"2026-03-02 24:00"),
    b"2026-03-02 00:05+01:00",
]  # fmt: skip
ROWS = 30


def good_text(rng):
    """A text, and how it is to be read."""
    kind = rng.choice(["even", "zoned", "dates", "counted", "plain"])
    step, options = rng.choice([5, 5, 5, 5, 5, 5, 0, -5]), {}
    minutes = [
        max(0, 100 + (i + 1 if i != 9 else 9) * (5 if i != 9 else step)) for i in range(ROWS)
    ]
    times = {
        "even": [f"2026-03-02 {m // 60:02d}:{m % 60:02d}" for m in minutes],
        "zoned": [f"2026-03-02T{m // 60:02d}:{m % 60:02d}:00Z" for m in minutes],
        "dates": [f"2026-01-{i + 1:02d}" for i in range(ROWS)],
        "counted": [str(7 * i) for i in range(ROWS)],
        "plain": [str(rng.random()) for i in range(ROWS)],
    }[kind]
    name = "when" if kind == "plain" else rng.choice(["time", "timestamp", "when"])
    labels = [str(int(i % 7 == 0)) for i in range(ROWS)]
    columns = {name: times, "label": labels, "id": [f"m{i // 10}" for i in range(ROWS)]}
    for score in ("score", "score_b"):
        columns[score] = [
            rng.choice([repr(rng.gauss(0, 1e3)), f"{rng.random():.6f}"]) for _ in times
        ]
    options |= {"time": name} if rng.random() < 0.3 else {}
    options |= {"series": "id"} if rng.random() < 0.3 else {}
    options |= {"sort": True} if rng.random() < 0.1 else {}
    options |= {"missing": "skip"} if rng.random() < 0.2 else {}
    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    if rng.random() < 0.15:
        options |= {"sep": ";", "decimal": ","}
        rows = [[cell.replace(".", ",") for cell in row] for row in rows]
    mark, end = options.get("sep", ","), rng.choice(["\n", "\n", "\r\n"])
    return "".join(mark.join(row) + end for row in rows).encode(), options


def mutated(text, rng):
    """Change a few bytes, or a whole cell."""
    data = bytearray(text)
    for _ in range(rng.choice([0, 1, 1, 2])):
        place = rng.randrange(len(data))
        data[place : place + rng.choice([0, 0, 1, 3])] = rng.choice(BITS)
    if rng.random() < 0.4:
        lines = bytes(data).split(b"\n")
        row = rng.randrange(1, len(lines))
        cells = lines[row].split(b",")
        cells[rng.randrange(len(cells))] = rng.choice(BITS) + rng.choice([b"", b"", b" ", b"0"])
        lines[row] = b",".join(cells)
        data = b"\n".join(lines)
    return bytes(data)


def outcome(path, options):
    """The table as plain values, or the message."""
    try:
        table = read(path, **options)
    except aj.AdjudgeError as error:
        return type(error).__name__, str(error)
    columns = {"labels": table.labels, **table.scores}
    found = {name: np.asarray(column).tobytes() for name, column in columns.items()}
    series = None if table.series is None else np.asarray(table.series).tolist()
    return found, series, table.summary, times_of(table.time)


def times_of(time):
    """Times as they are told and read."""
    if time is None:
        return None
    told = [str(text) for text in np.asarray(time).tolist()]
    try:
        clock = Clock.read(time, unit=None)
    except aj.AdjudgeError as error:
        return told, str(error)
    return told, clock.instants.tolist(), clock.zone


def by_both(path, options):
    """The outcome of the careful reader, and of both together, and whether pyarrow read it."""
    limit, quick = csv_text.LONG, csv_text._by_arrow  # noqa: SLF001 - who reads is the question
    taken = []

    def refused(*_):
        raise ValueError

    def noted(*given):
        taken.append(quick(*given))
        return taken[-1]

    found = []
    try:
        csv_text.LONG = 0
        for csv_text._by_arrow in (refused, noted):  # noqa: SLF001
            found.append(outcome(path, options))
    finally:
        csv_text.LONG, csv_text._by_arrow = limit, quick  # noqa: SLF001
    return *found, bool(taken)


def campaign(seed, count, folder):
    """How often each reader read, and the texts that they read otherwise."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    counts, wrong = Counter(), []
    for number in range(count):
        good, options = good_text(rng)
        data = mutated(good, rng)
        path = Path(folder) / f"text.csv{'.gz' * (number % 5 == 0)}"
        path.write_bytes(gzip.compress(data, 1) if number % 5 == 0 else data)
        careful, both, quick = by_both(path, options)
        said = isinstance(careful[0], str)
        counts["refused" if said else "read by pyarrow" if quick else "read with care"] += 1
        if careful != both:
            wrong.append((data, options, careful, both))
    return counts, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=6000)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of NumPy, about zones: both readers meet it
    with tempfile.TemporaryDirectory() as folder:
        counts, wrong = campaign(asked.seed, asked.count, folder)
    print(f"{asked.count:,} texts: {dict(counts)}; {len(wrong)} read otherwise")
    for data, options, careful, both in wrong[:5]:
        print(f"\n{data[:400]!r}\n{options}\ncareful: {careful}\nboth: {both}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
