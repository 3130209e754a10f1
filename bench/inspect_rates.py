"""How often `adjudge.inspect` cries wolf on clean benchmarks, and how often it finds planted flaws.

A benchmark is 20 series of 2,500 points with one to five events. Families of values: ``season``
(two harmonics and autoregressive noise; limits were chosen on such series, and on ``trend``,
``spikes``, ``load`` and ``steps``), and those that no limit was chosen on: ``pulses`` (a beat of
varying height), ``counts`` (events of a Poisson process with a daily rhythm), ``walk`` (a slow
drift with heavy tails, which nothing repeats in), ``random`` (a random walk), ``sparse`` (mostly
zeros), ``weekly`` (working days and weekends), ``shared`` (one rhythm for all series), ``gaps``
(missing stretches), ``modulated`` and ``volatile`` (a season, or its noise, that swells). Families
of labels: ``even`` lengths, ``skewed`` ones, ``tens`` (lengths that are multiples of ten, at any
start) and ``single`` (one event per series); and eight of other shapes, `SHAPES`: events in groups,
at even distances, in busy hours alone, of one point, many or few short ones, long ones, and series
of 200 to 20,000 points.

    python bench/inspect_rates.py labels --runs 400
    python bench/inspect_rates.py values --runs 400 --family pulses

One process; a line per family and flaw. `python bench/inspect_rates.py values` takes about three
seconds of CPU time per benchmark.
"""

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from time import process_time

import numpy as np
from scipy.signal import lfilter

from adjudge.lab.inspection.discords import check_discords, discord_level
from adjudge.lab.inspection.labels import check_position, check_round_borders, check_windows
from adjudge.lab.inspection.offsets import (
    check_offset,
    level_of_points,
    lies_outside,
    offset,
    one_line_level,
)
from adjudge.lab.inspection.one_liners import best_line, check_one_liners
from adjudge.lab.inspection.readings import check_copies
from adjudge.lab.inspection.run import inspect
from adjudge.lab.inspection.series import InspectedSeries
from adjudge.ranking.baselines import one_liners, period_of

N, SERIES = 2500, 20
LABELS = ("even", "skewed", "tens", "single")
VALUES = (
    "season", "pulses", "counts", "walk", "random", "sparse", "weekly", "shared", "gaps",
    "modulated", "volatile", "trend", "spikes", "load", "steps",
)  # fmt: skip
KINDS = ("faster", "louder", "level", "noise", "mirror")


def labels(rng, family="even", late=1.0):
    """Labels whose gaps are exchangeable, unless events come late: start ~ Beta(late, 1)."""
    count = 1 if family == "single" else int(rng.integers(1, 6))
    if family == "skewed":
        lengths = np.clip(np.exp(rng.normal(3.6, 0.6, count)).astype(int), 5, 250)
    elif family == "tens":
        lengths = 10 * rng.integers(3, 10, count)
    else:
        lengths = rng.integers(30, 91, count)
    free = N - int(lengths.sum())
    places = np.sort(rng.beta(late, 1, count) * (free + 1)).astype(int)
    starts = places + np.concatenate(([0], np.cumsum(lengths)[:-1]))
    found = np.zeros(N, bool)
    for start, length in zip(starts, lengths, strict=True):
        found[start : start + length] = True
    return found


def drawn_labels(n, starts, lengths):
    found = np.zeros(n, bool)
    for start, length in zip(starts, lengths, strict=True):
        found[max(start, 0) : max(start + length, 0)] = True
    return found


def groups(rng):
    """Up to five events within 150 points; a stretch of a long record."""
    first = rng.integers(0, 3 * N, rng.poisson(6))
    starts = np.concatenate(
        [own + rng.integers(0, 150, rng.integers(1, 6)) for own in first] or [[]]
    )
    starts = starts.astype(int)
    return drawn_labels(3 * N, starts, rng.integers(3, 15, len(starts)))[N : 2 * N]


def apart(rng):
    """An event about every 400 points, from any point on."""
    starts = rng.uniform(0, 400) + 400 * np.arange(-1, 8) + rng.normal(0, 60, 9)
    return drawn_labels(N, starts.astype(int), rng.integers(10, 40, 9))


def busy(rng):
    """Events from 8 to 18 o'clock alone, in series that begin at any time."""
    hours = (np.arange(N) + rng.integers(288)) % 288
    count = rng.integers(1, 6)
    starts = rng.choice(np.flatnonzero((hours >= 96) & (hours < 216)), count)
    return drawn_labels(N, starts, rng.integers(5, 40, count))


def single_points(rng):
    count = rng.integers(1, 4)
    return drawn_labels(N, rng.integers(0, N, count), np.ones(count, int))


def many(rng):
    return drawn_labels(N, rng.integers(0, N, 40), rng.integers(1, 6, 40))


def few(rng):
    """No event in four of ten series, else a short one."""
    count = int(rng.random() < 0.6)
    return drawn_labels(N, rng.integers(0, N - 5, count), rng.integers(1, 5, count))


def long(rng):
    count = rng.integers(1, 4)
    lengths = rng.integers(150, 400, count)
    places = np.sort(rng.integers(0, N - lengths.sum() + 1, count))
    return drawn_labels(N, places + np.cumsum(lengths) - lengths, lengths)


def uneven(rng):
    n = int(np.exp(rng.uniform(np.log(200), np.log(20_000))))
    count = 1 + rng.poisson(n / 1000)
    return drawn_labels(n, rng.integers(0, n, count), rng.integers(3, 20, count))


SHAPES = {
    one.__name__: one for one in (groups, apart, busy, single_points, many, few, long, uneven)
}


def base(rng, family, speed):
    """Values without anything unusual but the speed at which time goes."""
    phase = np.cumsum(speed) + rng.random()
    if family == "season":
        noise = lfilter([0.8], [1, -0.6], rng.standard_t(6, N) / math.sqrt(1.5))
        return np.sin(2 * np.pi * phase) + 0.4 * np.sin(4 * np.pi * phase + 1) + 0.3 * noise
    if family == "pulses":
        height = 1 + 0.08 * rng.normal(size=int(phase[-1]) + 2)
        place = phase % 1
        beat = np.exp(-((place - 0.3) ** 2) / 0.004) - 0.4 * np.exp(-((place - 0.6) ** 2) / 0.02)
        return height[phase.astype(int)] * beat + 0.05 * rng.normal(size=N)
    if family == "counts":
        return rng.poisson(200 * (1 + 0.7 * np.sin(2 * np.pi * phase))).astype(float)
    if family == "walk":
        return lfilter([1.0], [1, -0.99], rng.standard_t(3, N))
    return others(rng, family, phase, speed)


def others(rng, family, phase, speed):
    """Values of more families; each line is one."""
    wave = np.sin(2 * np.pi * phase) + 0.4 * np.sin(4 * np.pi * phase + 1)
    common = np.cumsum(speed / np.median(speed)) / 48
    noise, slow, place = rng.normal(size=N), np.arange(N) / N, phase % 1
    drawn = {
        "random": lambda: np.cumsum(noise),
        "sparse": lambda: np.where(rng.random(N) < 0.05, rng.poisson(4, N), 0).astype(float),
        "weekly": lambda: (
            np.exp(-((place - 0.5) ** 2) / 0.02) * np.where(phase.astype(int) % 7 < 5, 1, 0.4)
            + 0.05 * noise
        ),
        "shared": lambda: (
            rng.uniform(5, 20)
            + rng.uniform(1, 3)
            * (np.sin(2 * np.pi * common) + 0.4 * np.sin(4 * np.pi * common + 1))
            + 0.05 * noise
        ),
        "gaps": lambda: wave + 0.1 * noise,
        "modulated": lambda: (1 + 0.4 * np.sin(7 * slow + rng.uniform(0, 6))) * wave + 0.1 * noise,
        "volatile": lambda: (
            wave + 0.1 * np.exp(0.4 * lfilter([0.14], [1, -0.99], rng.normal(size=N))) * noise
        ),
        "trend": lambda: wave * (1 + slow) + 4 * slow * rng.choice([-1, 1]) + 0.1 * noise,
        "spikes": lambda: wave + 0.05 * rng.standard_t(1.5, N),
        "load": lambda: np.clip(
            np.round(30 + 10 * wave + lfilter([1], [1, -0.9], rng.standard_t(3, N))), 0, 100
        ),
        "steps": lambda: np.round(8 * wave + 0.2 * noise) / 8,
    }
    return drawn[family]()


def with_gaps(one, rng):
    values = one.values["value"]
    for _ in range(rng.integers(1, 5)):
        start = rng.integers(N)
        values[start : start + rng.integers(3, 120)] = np.nan


def series(rng, name, family, events, kinds=KINDS):
    """A series whose events are unusual in one of five ways, or (no kinds) not at all."""
    speed = np.full(N, 1 / rng.integers(24, 60))
    starts, stops = InspectedSeries("", events, {}, {}).intervals
    kind = [str(rng.choice(kinds)) for _ in starts] if kinds else []
    size = rng.uniform(0.7, 1.3, len(starts))
    for start, stop, own, much in zip(starts, stops, kind, size, strict=False):
        if own == "faster":
            speed[start:stop] *= 1 + 0.5 * much
    values = base(rng, family, speed)
    spread, middle = values.std(), float(np.median(values))
    for start, stop, own, much in zip(starts, stops, kind, size, strict=False):
        part = values[start:stop]
        if own == "louder":
            values[start:stop] = middle + (part - middle) * (1 + 0.7 * much)
        elif own == "level":
            values[start:stop] = part + 1.2 * spread * much * rng.choice([-1, 1])
        elif own == "noise":
            values[start:stop] = part + 0.5 * spread * much * rng.normal(size=stop - start)
        elif own == "mirror":
            values[start:stop] = 2 * middle - part
    found = InspectedSeries(name, events, {"value": values}, {})
    if family == "gaps":
        with_gaps(found, rng)
    return found


def benchmark(rng, family="season", kinds=KINDS, **how):
    return [series(rng, f"s{k}", family, labels(rng, **how), kinds) for k in range(SERIES)]


def relabelled(one, events, values=None):
    own = one.values if values is None else {"value": values}
    return InspectedSeries(one.name, events, own, one.scores)


def is_flaw(found):
    return found.findings[0].level == "flaw"


# -- labels ---------------------------------------------------------------------------------------


def blank(events):
    return [InspectedSeries(f"s{k}", own, {}, {}) for k, own in enumerate(events)]


def of_labels(some, seed):
    found = {
        "position": is_flaw(check_position(some, seed)),
        "round borders": is_flaw(check_round_borders(some)),
        "windows": is_flaw(check_windows(some)),
    }
    return found | {"any": any(found.values())}


def rounded(events, rng, share=0.3, step=10):
    """Some events with both ends rounded."""
    found = np.zeros(N, bool)
    for start, stop in zip(*InspectedSeries("", events, {}, {}).intervals, strict=True):
        if rng.random() < share:
            found[round(start / step) * step : max(round(stop / step), 1) * step] = True
        else:
            found[start:stop] = True
    return found


def windowed(rng, share=0.1):
    found = np.zeros(N, bool)
    length = int(N * share / 2 * rng.uniform(0.97, 1.03))
    for half in (0, N // 2):
        start = half + int(rng.integers(N // 2 - length))
        found[start : start + length] = True
    return found


def broken(rng):
    """Events anywhere, and in half of the series one at the very end."""
    found = labels(rng)
    found[N - int(rng.integers(20, 60)) * int(rng.random() < 0.5) :] |= True
    return found


def label_rates(runs, seed, say):
    for family in LABELS:
        counts = Counter()
        for k in range(runs):
            rng = np.random.default_rng([1 + seed, LABELS.index(family), k])
            counts.update(of_labels(blank([labels(rng, family) for _ in range(SERIES)]), k))
        say("clean", family, runs, counts, ("position", "round borders", "windows", "any"))
    for place, (family, draw) in enumerate(SHAPES.items()):
        counts = Counter()
        for k in range(runs):
            rng = np.random.default_rng([7 + seed, place, k])
            counts.update(of_labels(blank([draw(rng) for _ in range(SERIES)]), k))
        say("clean", family, runs, counts, ("position", "round borders", "windows", "any"))
    for late in (1.5, 2.0, 3.0):
        counts = Counter()
        for k in range(runs):
            rng = np.random.default_rng([2 + seed, int(10 * late), k])
            some = blank([labels(rng, late=late) for _ in range(SERIES)])
            counts["position"] += is_flaw(check_position(some, k))
        say(f"start ~ Beta({late:g}, 1)", "even", runs, counts, ("position",))
    counts = Counter()
    for k in range(runs):
        rng = np.random.default_rng([8 + seed, k])
        counts["position"] += is_flaw(
            check_position(blank([broken(rng) for _ in range(SERIES)]), k)
        )
    say("half of the series end with an event", "even", runs, counts, ("position",))
    counts = Counter()
    for k in range(runs):
        rng = np.random.default_rng([3 + seed, k])
        some = blank([rounded(labels(rng), rng) for _ in range(SERIES)])
        counts["round borders"] += is_flaw(check_round_borders(some))
        counts["windows"] += is_flaw(check_windows(blank([windowed(rng) for _ in range(SERIES)])))
    say("30 % rounded to 10; 10 % windows", "even", runs, counts, ("round borders", "windows"))


# -- values ---------------------------------------------------------------------------------------


def discords(some):
    return check_discords(some, {one.name: discord_level(one) for one in some})


def moved(some, seed):
    own = offset(some, {one.name: one_line_level(one) for one in some}, seed)
    points = {one.name: level_of_points(one) for one in some}
    outside = own is not None and lies_outside(some, points, own.best)
    return check_offset(own, by_detectors=False, windows=False, outside=outside)


def clean_values(families, checks, runs, shifts, seed, say):
    """Events that are unusual, and labels without any tie to the values for the one-liners.

    "dropped": a fifth of the labels is missing, which "missing labels" should find.
    """
    counts = {family: Counter() for family in families}
    asked = {family: Counter() for family in families}
    runs_with = {family: defaultdict(list) for family in families}
    for k, family in ((k, family) for k in range(runs) for family in families):
        rng = np.random.default_rng([4 + seed, VALUES.index(family), k])
        blind = benchmark(rng, family, kinds=()) if "one-liners" in checks else None
        some = benchmark(rng, family)
        flaws = {"labels": of_labels(some, k)["any"]}
        for check in checks:
            found = OF_VALUES[check](some, blind, shifts, k)
            asked[family][check] += found.findings[0].level != "cannot say"
            flaws[check] = is_flaw(found)
        flaws["any, labels too"] = any(flaws.values())
        counts[family].update(flaws)
        for check in (check for check, flawed in flaws.items() if flawed):
            runs_with[family][check].append(k)
        if (k + 1) % 10 == 0 or k + 1 == runs:
            more = {"runs with a flaw": runs_with[family]}
            say("clean", family, k + 1, counts[family], tuple(flaws), asked[family], more)


OF_VALUES = {
    "one-liners": lambda _, blind, shifts, k: check_one_liners(
        [best_line(one, shifts, k) for one in blind], shifts
    ),
    "missing labels": lambda some, *_: discords(some),
    "dropped": lambda some, _, __, k: discords(dropped(some, np.random.default_rng(k))[0]),
    "moved labels": lambda some, _, __, k: moved(some, k),
    "copies": lambda some, *_: check_copies(some),
}


def planted_values(runs, shifts, say):
    counts, named = Counter(), Counter()
    for k in range(runs):
        rng = np.random.default_rng([5, k])
        for trivial in (4, 8, 12):
            found = check_one_liners(
                [best_line(spiked(one, rng) if place < trivial else one, shifts, k)
                 for place, one in enumerate(benchmark(rng, kinds=()))], shifts,
            ).findings[0]  # fmt: skip
            counts[f"one-liners, {trivial} of 20 trivial"] += found.level == "flaw"
            counts["called trivial, 12 of 20"] += trivial == 12 and "is trivial" in found.says
        some = benchmark(rng)
        late = [relabelled(one, np.roll(one.labels, 10)) for one in some]
        counts["moved labels, by 10"] += is_flaw(moved(late, k))
        copy = some[3].values["value"].copy()
        copy[100:400] = some[7].values["value"][900:1200]
        twin = [*some[:3], relabelled(some[3], some[3].labels, copy), *some[4:]]
        counts["copies, 300 points"] += is_flaw(check_copies(twin))
        fewer, lost = dropped(some, rng)
        found = discords(fewer)
        counts["missing labels, a fifth dropped"] += is_flaw(found)
        sure = [one for one in found.suspects if one.level == "flaw"]
        pairs = {
            (one.series, one.start, place)
            for one in sure
            for place, (name, start, stop) in enumerate(lost)
            if one.series == name and one.start < stop and one.stop > start
        }
        named["lost"] += len(lost)
        named["named"] += len({place for *_, place in pairs})
        named["wrongly"] += len(sure) - len({pair[:2] for pair in pairs})
        if (k + 1) % 10 == 0:
            say("planted", "season", k + 1, counts, tuple(counts), None, dict(named))


def spiked(one, rng):
    values = one.values["value"].copy()
    for start, stop in zip(*one.intervals, strict=True):
        values[(start + stop) // 2] += 8 * values.std() * rng.choice([-1, 1])
    return relabelled(one, one.labels, values)


def dropped(some, rng, share=0.2):
    found, lost = [], []
    for one in some:
        events = one.labels.copy()
        for start, stop in zip(*one.intervals, strict=True):
            if rng.random() < share and events.sum() > stop - start:
                events[start:stop] = False
                lost.append((one.name, int(start), int(stop)))
        found.append(relabelled(one, events))
    return found, lost


# -- detectors ------------------------------------------------------------------------------------


def nearest_shapes(values, window):
    """Say what `matrix_profile` says, to six digits, quicker where windows are short."""
    rows = np.lib.stride_tricks.sliding_window_view(values, window)
    rows = rows - rows.mean(axis=1, keepdims=True)
    rows = (rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))).astype(np.float32)
    nearest = []
    for first in range(0, len(rows), 256):
        alike = rows[first : first + 256] @ rows.T
        for place, row in enumerate(alike, first):
            row[max(place - window + 1, 0) : place + window] = -1
        nearest.append(alike.max(axis=1))
    return np.sqrt(2 * window * (1 - np.clip(np.concatenate(nearest), -1, 1)))


def scored(one, rng):
    """A series with the scores of seven noisy detectors and one that only draws."""
    values = one.values["value"]
    lines = one_liners(values)
    window = max(20, min(60, period_of(values) or 40))
    level = np.zeros(N)
    profile = nearest_shapes(values, window)
    level[window // 2 : window // 2 + len(profile)] = profile
    names = ("spread", "far from the moving median", "jump", "level", "far from the median")
    season = lines.get("unlike one period ago", lines["far from the median"]).scores
    own = {name: lines[name].scores for name in names} | {"discord": level, "season": season}
    scores = {name: z + 0.15 * z.std() * rng.normal(size=N) for name, z in own.items()}
    return InspectedSeries(one.name, one.labels, one.values, scores | {"noise": rng.normal(size=N)})


def detector_rates(families, runs, say):
    """Clean labels in every run, and of the first 100 runs the same labels moved by 10 points."""
    counts = {family: Counter() for family in families}
    for k, family in ((k, family) for k in range(runs) for family in families):
        rng = np.random.default_rng([6, VALUES.index(family), k])
        some = [scored(one, rng) for one in benchmark(rng, family)]
        own = counts[family]
        for move in (0, 10) if k < 100 else (0,):
            data = {
                one.name: (np.roll(one.labels, move).astype(int), {**one.values, **one.scores})
                for one in some
            }
            found = inspect(data, checks=["moved labels", "agreement"])
            own[f"{move}: {found['moved labels'].level}"] += 1
            own["listed"] += 0 if move else len(found.suspects)
        if (k + 1) % 10 == 0:
            say("detectors", family, k + 1, own, ("listed",), own)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("labels", "values", "planted", "detectors"))
    parser.add_argument("--family", action="append", choices=VALUES, help="default: all")
    parser.add_argument("--check", action="append", help="of values; default: all")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--shifts", type=int, default=199)
    parser.add_argument("--seed", type=int, default=0, help="of labels and values")
    asked = parser.parse_args()

    def say(kind, family, runs, counts, checks, said=None, more=None):
        shares = {check: round(counts[check] / runs, 4) for check in checks}
        line = {"kind": kind, "family": family, "runs": runs, "share": shares}
        line |= {"could say": dict(said)} if said else {}
        line |= {"more": more} if more else {}
        line["cpu_seconds"] = round(process_time(), 1)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    match asked.what:
        case "labels":
            label_rates(asked.runs, asked.seed, say)
        case "values":
            checks = asked.check or tuple(one for one in OF_VALUES if one != "dropped")
            clean_values(asked.family or VALUES, checks, asked.runs, asked.shifts, asked.seed, say)
        case "planted":
            planted_values(asked.runs, asked.shifts, say)
        case _:
            detector_rates(asked.family or VALUES, asked.runs, say)


if __name__ == "__main__":
    main()
