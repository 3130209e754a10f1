"""What reading, judging in parts and finishing cost: CPU and memory, each in a process of its own.

    python bench/engines.py FOLDER read          # a long table: rank's reader, by chunks
    python bench/engines.py FOLDER finish        # 1.2e7 cells from Parquet into a leaderboard
    python bench/engines.py FOLDER dask          # chunks on Dask, compared with a loop
    python bench/engines.py FOLDER whole         # 1e5 series, two workers, without chance
    python bench/engines.py FOLDER size          # bytes of a cell in Parquet, with chance
    python bench/engines.py FOLDER equal         # parts of two processes against rank, with chance

FOLDER is for the data, which are made at first and stay. Sizes: --series, --points, --detectors.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import adjudge as aj
from adjudge.ranking.parts.gathered import Gathered
from adjudge.ranking.parts.schema import PartRows, schema
from adjudge.stores.cluster import dask as cluster
from adjudge.stores.engines import local

DETECTORS = ("good", "fair", "late", "blind", "flags")
METRICS = ["best(f1_ba)", "ap"]
SIX = ["best(f1_ba)", "ap", "best(f1)", "auc_roc", "best(f1_pa)", "auc_pr"]
TABLES = ("results.csv", "ranking.csv", "ranking.json")


def simulated(number, points):
    """Labels of a few events, and five detectors of known skill."""
    rng = np.random.default_rng([7, number])
    labels = np.zeros(points, np.int8)
    for _ in range(rng.integers(1, 5)):
        start = rng.integers(0, points - 30)
        labels[start : start + rng.integers(3, 30)] = 1
    noise = rng.standard_normal((5, points))
    skill = (2, 0.7, 1.5, 0, 1)
    moved = (labels, labels, np.roll(labels, 5), labels, labels)
    scores = [noise[k] + skill[k] * moved[k] for k in range(5)]
    scores[4] = (scores[4] > 2).astype(float)
    return labels, dict(zip(DETECTORS, scores, strict=True))


def table(number, points):
    labels, scores = simulated(number, points)
    columns = {f"score_{name}": column for name, column in scores.items()}
    ids = pa.array([f"s{number:07}"] * points)
    return pa.table({"id": ids, "time": np.arange(points), "label": labels, **columns})


def made(folder, series, points, files=1):
    """A sorted set of series, or one with a quarter of each series in each of four files."""
    place = folder / f"set_{series}_{points}_{files}"
    if not place.exists():
        half = folder / f"{place.name}.part"
        half.mkdir(parents=True)
        writers = [
            pq.ParquetWriter(half / f"{n}.parquet", table(0, points).schema, compression="zstd")
            for n in range(files)
        ]
        for start in range(0, series, 100):
            whole = pa.concat_tables(
                [table(k, points) for k in range(start, min(series, start + 100))]
            )
            day = whole["time"].to_numpy() * files // points
            for number, writer in enumerate(writers):
                writer.write_table(whole.filter(pa.array(day == number)))
        for writer in writers:
            writer.close()
        half.rename(place)
    return place


def used():
    """CPU seconds, and the highest memory in MB, of this process and of those that have ended."""
    own, below = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    cpu = [one.ru_utime + one.ru_stime for one in (own, below)]
    return cpu, [one.ru_maxrss // 1024 for one in (own, below)]


def said(what, began):
    cpu, memory = used()
    print(
        f"{what}: wall {time.perf_counter() - began:.1f} s, CPU {cpu[0]:.1f} s here and "
        f"{cpu[1]:.1f} s in workers, memory {memory[0]} MB here and {memory[1]} MB in the largest",
        flush=True,
    )


def read(place, how):
    """In a process: go through all series of a set, or rank them."""
    base, began = used(), time.perf_counter()
    if how == "rank":
        aj.rank(place, "auc_roc", series="id", chance=False, pooled=False)
    else:
        for chunk in aj.rank_chunks(place, series="id"):
            for unit in chunk.units():
                unit.read()
    print(f"imports {base[0][0]:.1f} s and {base[1][0]} MB", end="; ")
    said(f"{how} {place.name}", began)


def cells(folder, series, detectors, metrics):
    """A folder of parts without chance, with random values."""
    specs = ["best(f1_ba)", "ap", "best(f1)", "auc_roc", "best(event_f1)", "best(affiliation_f1)"]
    task = aj.rank_task(specs[:metrics], chance=False)
    place = folder / f"cells_{series}_{detectors}_{metrics}_{task.name}"
    if place.exists():
        return place, task
    half, rng = folder / f"{place.name}.part", np.random.default_rng(0)
    half.mkdir(parents=True)
    names, asked = [f"d{k:02}" for k in range(detectors)], list(map(str, task.metrics))
    for start in range(0, series, 10_000):
        some = np.arange(start, min(series, start + 10_000))
        order = rng.permutation(len(some) * detectors * metrics)
        s, d, m = order // (detectors * metrics), order // metrics % detectors, order % metrics
        said = {
            "task": ([task.name], 0 * s), "part": ([""], 0 * s), "detector": (names, d),
            "series": ([f"s{k:07}" for k in some.tolist()], s), "requested": (asked, m),
            "group": ([f"set{k % 200}" for k in some.tolist()], s), "metric": (asked, m),
        }  # fmt: skip
        columns = {
            name: pa.DictionaryArray.from_arrays(pa.array(number), pa.array(words))
            for name, (words, number) in said.items()
        } | {
            "truth": some[s] + 1, "print": 1 + order, "value": rng.random(len(order)),
            "key": 1 + order + start * detectors * metrics,
        }  # fmt: skip
        full = [
            _column(columns[one.name]).cast(one.type)
            if one.name in columns
            else pa.nulls(len(order), one.type)
            for one in schema()
        ]
        pq.write_table(
            pa.table(full, schema=schema()), half / f"{start}.parquet", compression="zstd"
        )
    half.rename(place)
    return place, task


def _column(values):
    return values if isinstance(values, pa.Array) else pa.array(values)


def finish(place, task):
    pa.set_cpu_count(1)
    began = time.perf_counter()
    Gathered(PartRows([place]), task)
    said("arrays", began)
    ranking = aj.rank_finish(place, task)
    _ = ranking.leaderboard
    said("with the leaderboard", began)
    _ = ranking.comparisons
    said("with comparisons", began)


def loop(place, task):
    began = time.process_time()
    parts = [
        aj.rank_part(chunk, task) for chunk in aj.rank_chunks(place, series="id", memory=1 << 20)
    ]
    return time.process_time() - began, parts


def part_of(call):
    chunk, task = call
    return aj.rank_part(chunk, task)


def dask(place, task, workers):
    """Chunks on Dask's own processes."""
    with cluster(f"local:{workers}") as engine:
        chunks = aj.rank_chunks(place, series="id", memory=1 << 20)
        return [part for _, part in engine.do(part_of, [(chunk, task) for chunk in chunks])]


def whole(place, task, out, workers):
    began = time.perf_counter()
    chunks = aj.rank_chunks(place, series="id", memory=64 << 20)
    said(f"{len(chunks)} chunks planned", began)
    with local(workers) as engine:
        for _ in engine.do(written, [(chunk, task, out) for chunk in chunks]):
            pass
    said("judged", began)
    ranking = aj.rank_finish(out, task)
    print(ranking)
    said("finished", began)


def written(call):
    chunk, task, out = call
    return aj.rank_part(chunk, task, out=out)


def alone(*words):
    subprocess.run([sys.executable, __file__, *map(str, words)], check=True)  # noqa: S603 - itself


def measure_read(asked):
    for files in (1, 4):
        place = made(asked.folder, asked.series or 10_000, asked.points, files)
        alone(asked.folder, "only-chunks", place)
        alone(asked.folder, "only-rank", place)


def measure_finish(asked):
    series = asked.series or 100_000
    cells(asked.folder, series, asked.detectors, 6)
    alone(asked.folder, "only-finish", "--series", series, "--detectors", asked.detectors)


def measure_dask(asked):
    cost, task = {}, aj.rank_task(METRICS, chance=False)
    for count in (300, asked.series or 1_500):
        place = made(asked.folder, count, 1_000)
        alone_cpu, parts = loop(place, task)
        before = used()[0]
        found = dask(place, task, asked.workers)
        spent = sum(used()[0]) - sum(before)
        same = aj.rank_finish(found, task).to_json() == aj.rank_finish(parts, task).to_json()
        cost[count] = alone_cpu, spent
        print(f"{count} series: loop {alone_cpu:.2f} s, Dask {spent:.2f} s CPU, equal {same}")
    (few, a), (many, b) = cost.items()
    for name, k in (("loop", 0), ("Dask", 1)):
        print(f"{name}: {1e3 * (b[k] - a[k]) / (many - few):.2f} ms CPU a further series")


def measure_whole(asked):
    place = made(asked.folder, asked.series or 100_000, asked.points)
    out = asked.folder / "whole_parts"
    shutil.rmtree(out, ignore_errors=True)
    whole(place, aj.rank_task(METRICS, chance=False), out, asked.workers)


def measure_size(asked):
    place, out = made(asked.folder, asked.series or 300, 1_000), asked.folder / "size_parts"
    shutil.rmtree(out, ignore_errors=True)
    task, began = aj.rank_task(METRICS), time.perf_counter()
    (chunk,) = aj.rank_chunks(place, series="id", memory=1 << 30)
    file = pq.ParquetFile(aj.rank_part(chunk, task, out=out))
    group = file.metadata.row_group(0)
    columns = [group.column(k) for k in range(file.metadata.num_columns)]
    sums = sum(c.total_compressed_size for c in columns if c.path_in_schema == "sums")
    rest = sum(c.total_compressed_size for c in columns) - sums
    rows = file.read(["series"])["series"].to_pylist()
    number = sum(map(bool, rows))
    print(f"{number:,} cells of {rest / number:.0f} B; {len(rows) - number} sums of {sums:,} B")
    said("judged with chance", began)


def halves(series, points):
    """Simulated series by name; each of two processes has most at once, the others one by one.

    Some come again: in both processes, and one by one where others have them in a sum.
    """
    data = {f"set{k % 7}/s{k:04}": simulated(k, points) for k in range(series)}
    names = np.random.default_rng(series).permutation(list(data)).tolist()
    many, repeated = 2 * series // 5, names[: series // 50] + names[-series // 10 :]
    own = [names[k::2] for k in range(2)]
    return data, [[half[:many], *([one] for one in [*half[many:], *repeated])] for half in own]


def part(out, series, points, process):
    """In a process: write the parts of half of the series, each with its rows in random order."""
    data, lots = halves(series, points)
    task, rng = aj.rank_task(SIX), np.random.default_rng(process)
    for number, names in enumerate(lots[process]):
        rows = aj.rank_part({name: data[name] for name in names}, task)
        rows = rows.take(rng.permutation(len(rows)))
        pq.write_table(rows, out / f"{process}_{number}.parquet", compression="zstd")


def measure_equal(asked):
    series, points = asked.series or 300, asked.points
    out = {name: asked.folder / f"equal_{name}" for name in ("rank", "parts", "finish")}
    for folder in out.values():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for process in range(2):
        sizes = "--series", series, "--points", points
        alone(asked.folder, "only-part", out["parts"], *sizes, "--process", process)
    aj.rank(halves(series, points)[0], SIX, pooled=False, clock="own", out=out["rank"])
    files = sorted(map(str, out["parts"].iterdir()))
    files = np.random.default_rng(0).permutation(files + files[:50]).tolist()
    aj.rank_finish(files, aj.rank_task(SIX), out=out["finish"])
    one, other = ((out[name] / TABLES[0]).read_text().splitlines() for name in ("rank", "finish"))
    differ = sum(a != b for a, b in zip(one, other, strict=True))
    same = [(out["rank"] / name).read_bytes() == (out["finish"] / name).read_bytes()
            for name in TABLES]  # fmt: skip
    print(f"{len(one) - 1:,} cells from {len(files)} parts: {differ} differ")
    print("to the byte:", dict(zip(TABLES, same, strict=True)))


WHAT = {
    "read": measure_read, "finish": measure_finish, "dask": measure_dask, "whole": measure_whole,
    "size": measure_size, "equal": measure_equal,
    "only-chunks": lambda asked: read(asked.place, "chunks"),
    "only-rank": lambda asked: read(asked.place, "rank"),
    "only-part": lambda asked: part(asked.place, asked.series, asked.points, asked.process),
    "only-finish": lambda asked: finish(*cells(asked.folder, asked.series, asked.detectors, 6)),
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("place", nargs="?", type=Path)
    parser.add_argument("--series", type=int)
    parser.add_argument("--points", type=int, default=500)
    parser.add_argument("--detectors", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--process", type=int, default=0)
    asked = parser.parse_args()
    WHAT[asked.what](asked)


if __name__ == "__main__":
    main()
