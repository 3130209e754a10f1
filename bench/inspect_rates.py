"""How often `adjudge.inspect` cries wolf on clean benchmarks, and how often it finds planted flaws.

A benchmark is 20 series of 2,500 points with one to five events. Families of values: ``season``
(two harmonics and autoregressive noise; limits were chosen on such series), and three that no limit
was chosen on: ``pulses`` (a beat of varying height), ``counts`` (events of a Poisson process with a
daily rhythm) and ``walk`` (a slow drift with heavy tails, which nothing repeats in). Families of
labels: ``even`` lengths, ``skewed`` ones, ``tens`` (lengths that are multiples of ten, at any
start) and ``single`` (one event per series).

    python bench/inspect_rates.py labels --runs 400
    python bench/inspect_rates.py values --runs 400 --family pulses

One process; a line per family and flaw. `python bench/inspect_rates.py values` takes about three
seconds of CPU time per benchmark.
"""

import argparse
import json
import math
import sys
from collections import Counter
from time import process_time

import numpy as np
from scipy.signal import lfilter

from adjudge.lab.inspection.discords import check_discords, discord_level, matrix_profile
from adjudge.lab.inspection.labels import check_position, check_round_borders, check_windows
from adjudge.lab.inspection.offsets import check_offset, offset, one_line_level
from adjudge.lab.inspection.one_liners import best_line, check_one_liners
from adjudge.lab.inspection.readings import check_copies
from adjudge.lab.inspection.run import inspect
from adjudge.lab.inspection.series import InspectedSeries
from adjudge.ranking.baselines import one_liners, period_of

N, SERIES = 2500, 20
LABELS = ("even", "skewed", "tens", "single")
VALUES = ("season", "pulses", "counts", "walk")
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
    return lfilter([1.0], [1, -0.99], rng.standard_t(3, N))


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
    return InspectedSeries(name, events, {"value": values}, {})


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
    return {
        "position": is_flaw(check_position(some, seed)),
        "round borders": is_flaw(check_round_borders(some)),
        "windows": is_flaw(check_windows(some)),
    }


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


def label_rates(runs, say):
    for family in LABELS:
        counts = Counter()
        for k in range(runs):
            rng = np.random.default_rng([1, LABELS.index(family), k])
            counts.update(of_labels(blank([labels(rng, family) for _ in range(SERIES)]), k))
        say("clean", family, runs, counts, ("position", "round borders", "windows"))
    for late in (1.5, 2.0, 3.0):
        counts = Counter()
        for k in range(runs):
            rng = np.random.default_rng([2, int(10 * late), k])
            some = blank([labels(rng, late=late) for _ in range(SERIES)])
            counts["position"] += is_flaw(check_position(some, k))
        say(f"start ~ Beta({late:g}, 1)", "even", runs, counts, ("position",))
    counts = Counter()
    for k in range(runs):
        rng = np.random.default_rng([3, k])
        some = blank([rounded(labels(rng), rng) for _ in range(SERIES)])
        counts["round borders"] += is_flaw(check_round_borders(some))
        counts["windows"] += is_flaw(check_windows(blank([windowed(rng) for _ in range(SERIES)])))
    say("30 % rounded to 10; 10 % windows", "even", runs, counts, ("round borders", "windows"))


# -- values ---------------------------------------------------------------------------------------


def discords(some):
    return check_discords(some, {one.name: discord_level(one) for one in some})


def moved(some, seed):
    own = offset(some, {one.name: one_line_level(one) for one in some}, seed)
    return check_offset(own, by_detectors=False, windows=False)


def clean_values(families, checks, runs, shifts, say):
    """Events that are unusual, and labels without any tie to the values for the one-liners."""
    counts = {family: Counter() for family in families}
    asked = {family: Counter() for family in families}
    for k, family in ((k, family) for k in range(runs) for family in families):
        rng = np.random.default_rng([4, VALUES.index(family), k])
        blind, some = benchmark(rng, family, kinds=()), benchmark(rng, family)
        for check in checks:
            found = OF_VALUES[check](some, blind, shifts, k)
            asked[family][check] += found.findings[0].level != "cannot say"
            counts[family][check] += is_flaw(found)
        if (k + 1) % 20 == 0:
            say("clean", family, k + 1, counts[family], checks, asked[family])


OF_VALUES = {
    "one-liners": lambda _, blind, shifts, k: check_one_liners(
        [best_line(one, shifts, k) for one in blind], shifts
    ),
    "missing labels": lambda some, *_: discords(some),
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


def scored(one, rng):
    """A series with the scores of seven noisy detectors and one that only draws."""
    values = one.values["value"]
    lines = one_liners(values)
    window = max(20, min(60, period_of(values) or 40))
    level = np.zeros(N)
    profile = matrix_profile(values, window)
    level[window // 2 : window // 2 + len(profile)] = profile
    names = ("spread", "far from the moving median", "jump", "level", "far from the median")
    season = lines.get("unlike one period ago", lines["far from the median"]).scores
    own = {name: lines[name].scores for name in names} | {"discord": level, "season": season}
    scores = {name: z + 0.15 * z.std() * rng.normal(size=N) for name, z in own.items()}
    return InspectedSeries(one.name, one.labels, one.values, scores | {"noise": rng.normal(size=N)})


def detector_rates(family, runs, say):
    checks = ("moved labels, clean", "moved labels, by 10", "agreement lists")
    counts = Counter()
    for k in range(runs):
        rng = np.random.default_rng([6, VALUES.index(family), k])
        some = [scored(one, rng) for one in benchmark(rng, family)]
        for move, name in ((0, checks[0]), (10, checks[1])):
            data = {
                one.name: (np.roll(one.labels, move).astype(int), {**one.values, **one.scores})
                for one in some
            }
            found = inspect(data, checks=["moved labels", "agreement"])
            counts[name] += found["moved labels"].level == "flaw"
            counts[checks[2]] += 0 if move else len(found.suspects)
        if (k + 1) % 10 == 0:
            say("detectors", family, k + 1, counts, checks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("labels", "values", "planted", "detectors"))
    parser.add_argument("--family", action="append", choices=VALUES, help="default: all")
    parser.add_argument("--check", action="append", help="of values; default: all")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--shifts", type=int, default=199)
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
            label_rates(asked.runs, say)
        case "values":
            checks = asked.check or tuple(OF_VALUES)
            clean_values(asked.family or VALUES, checks, asked.runs, asked.shifts, say)
        case "planted":
            planted_values(asked.runs, asked.shifts, say)
        case _:
            for family in asked.family or VALUES:
                detector_rates(family, asked.runs, say)


if __name__ == "__main__":
    main()
