"""How the time of every metric grows with the number of points: the exponent of n.

    python bench/growth.py [--rows f1_ba,vus_pr] [--defaults]
    python bench/growth.py --chance          # 1e6 points to 1e7 with the chance line
    python bench/growth.py --dear            # every row with the chance line, beside the median

Every row is judged at 100,000, 200,000 and 400,000 points on six layouts of events, among them an
event at every other point and series of 8 points, with its default settings and with each whole
number among them following n (a window of n / 4 points ...; what is refused is left out). The
exponent is log(t(400,000) / t(100,000)) / log(4), in seconds of the processor, the best of three;
times below 50 ms count as 50 ms, where fixed costs and noise are most of them. It ends with 1 if an
exponent exceeds 1.15.

With the chance line: the default metrics on 1,000,000 points with 3,000 events, then on ten times
as much of both (minutes); and every row on 20,000 points with 40 events, in units of the median
row, with the number of shifts that were made.
"""

import argparse
import math
import sys
import time

import numpy as np

import adjudge as aj
from adjudge.errors import AdjudgeError

SIZES = 100_000, 200_000, 400_000
LARGEST, FLOOR, REPEATS = 1.15, 0.05, 3
_SERIES = 8  # points of each of many series
NOT_LENGTHS = {"thresholds", "splits"}


def few_long(n):
    return np.repeat(np.arange(10) % 2, n // 10)


def alternating(n):
    return np.arange(n) % 2


def many_short(n):
    return (np.arange(n) % 4 == 1).astype(int)


def one_huge(n):
    return (np.arange(n) > n // 2).astype(int)


def mixed(n):
    rng = np.random.default_rng(0)
    labels, place = np.zeros(n, int), 0
    while place < n:
        width = int(rng.pareto(1.2) * 5) + 1
        labels[place : place + width] = 1
        place += width + int(rng.pareto(1.1) * 20) + 1
    return labels


def many_series(n):
    return (np.arange(n) % _SERIES == 3).astype(int)


LAYOUTS = {
    one.__name__: one for one in (few_long, alternating, many_short, one_huge, mixed, many_series)
}


def seconds(metric, layout, labels, scores):
    """The processor's time of one call, the best of some."""
    given = scores if metric.row.needs == "scores" else (scores > 1).astype(int)
    how = {"series": np.arange(labels.size) // _SERIES} if layout is many_series else {}
    times = []
    for _ in range(REPEATS):
        begun = time.process_time()
        metric(labels, given, **how)
        times.append(time.process_time() - begun)
        if times[-1] > 10:
            break
    return min(times)


def following(row):
    """The settings that are a number of points."""
    return [
        name
        for name, default in row.parameters.items()
        if name not in NOT_LENGTHS and _takes_points(row, name)
    ]


def _takes_points(row, name):
    try:
        row.metric(**{name: 1234})
    except AdjudgeError:
        return False
    return not isinstance(row.parameters[name], float)


def exponent(row, layout, setting):
    """How the time grows, and the time of the largest size; None if the setting is refused."""
    found = []
    for n in SIZES:
        labels = layout(n)
        scores = np.random.default_rng(1).normal(size=labels.size) + labels
        try:
            metric = row.metric(**({setting: n // 4} if setting else {}))
            found.append(seconds(metric, layout, labels, scores))
        except AdjudgeError:
            return None
    low, high = (max(one, FLOOR) for one in (found[0], found[-1]))
    return math.log(high / low) / math.log(SIZES[-1] / SIZES[0]), found[-1]


def judged(labels, scores, metric):
    """The processor's time of a row with the chance line, and the row."""
    begun = time.process_time()
    row = aj.evaluate(labels, scores, [metric]).rows[0]
    return time.process_time() - begun, row


def with_chance():
    """How much longer ten times the points with ten times the events take."""
    times = {}
    for n, events in ((10**6, 3_000), (10**7, 30_000)):
        labels, gap = np.zeros(n, int), n // events
        places = np.arange(gap // 3, n, gap)[:events, np.newaxis] + np.arange(30)
        labels[places] = 1
        scores = np.random.default_rng(0).random(n) + 0.3 * labels
        judged(labels[:2000], scores[:2000], "ap")  # imports
        for spec in ("best(f1)", "best(f1_pa)", "best(f1_kpa)", "best(f1_ba)", "auc_roc", "ap"):
            times.setdefault(spec, []).append(judged(labels, scores, spec)[0])
    for spec, (few, many) in times.items():
        print(f"{spec:<14}{few:8.2f} s {many:8.2f} s {many / few:6.1f} times")
    print(
        f"{'all':<14}{' ' * 21}{np.divide(*np.sum(list(times.values()), axis=0)[::-1]):6.1f} times"
    )


def dear():
    """The rows that cost most with the chance line."""
    labels = np.zeros(20_000, int)
    for start in range(300, labels.size - 100, 500):
        labels[start : start + 20 + start % 17] = 1
    scores = np.random.default_rng(0).random(labels.size) + 0.3 * labels
    found = {}
    for row in aj.catalogue.values():
        if row.positions or row.channels:
            continue
        given = scores if row.needs == "scores" else (scores > 0.97).astype(int)
        try:
            judged(labels[:600], given[:600], row.metric)  # imports
            found[row.name] = judged(labels, given, row.metric)
        except AdjudgeError as error:
            print(f"left out: {row.name}: {error}", file=sys.stderr)
    median = float(np.median([spent for spent, _ in found.values()]))
    print(f"{len(found)} rows, median {1e3 * median:.0f} ms")
    for name, (spent, row) in sorted(found.items(), key=lambda one: -one[1][0])[:20]:
        print(f"{name:<28}{spent / median:7.1f} times the median, {row.shifts} shifts")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chance", action="store_true", help="1e6 to 1e7 points with chance")
    parser.add_argument("--dear", action="store_true", help="rows with chance at 20,000 points")
    parser.add_argument("--rows", help="names, parted by commas; default: all")
    parser.add_argument("--layouts", help="names, parted by commas; default: all")
    parser.add_argument("--defaults", action="store_true", help="no settings that follow n")
    given = parser.parse_args()
    if given.chance or given.dear:
        return (with_chance if given.chance else dear)()
    names = given.rows.split(",") if given.rows else list(aj.catalogue)
    layouts = given.layouts.split(",") if given.layouts else list(LAYOUTS)
    tried, refused, wrong, worst = 0, 0, [], (0.0, "")
    for row in map(aj.catalogue.__getitem__, names):
        for setting in [None, *([] if given.defaults else following(row))]:
            for layout in map(LAYOUTS.__getitem__, layouts):
                found = exponent(row, layout, setting)
                if found is None:
                    refused += 1
                    continue
                tried += 1
                what = f"{row.name}({f'{setting}=n/4' if setting else ''}) on {layout.__name__}"
                line = f"{found[0]:.2f}  {what}, {found[1]:.2f} s at {SIZES[-1]:,}"
                worst = max(worst, (found[0], line))
                wrong += [line] if found[0] > LARGEST else []
    print(*sorted(wrong, reverse=True), sep="\n")
    print(f"{tried} growths of {len(names)} rows: {len(wrong)} above {LARGEST}; {refused} refused")
    print(f"largest exponent: {worst[1]}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
