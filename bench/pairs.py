"""Two detectors, and run to failure: `compare` and the null model "aligned", measured.

    python bench/pairs.py [--runs 300] [--parts PART ...] [--only PATTERN ...] [--sizes 8 12 ...]
                          [--keep FILE]

Parts: rates, memory, areas, own, aligned, own_aligned; all by default. Patterns choose scenes with
their metrics (`"*ap*"`), sizes the numbers of units or series. With --keep runs are kept in a file:
a script that was stopped goes on, and more runs can be added. Prints the tables of
docs/chance_checked.md. Of detectors that are equally good one pair in twenty may be told apart; of
others, as many as can be seen. `own` and `own_aligned` are families that were written down before
the tests ran on them for the first time. In every run interval and p-value must agree about 0.
"""

import argparse
from fnmatch import fnmatch

import numpy as np
from kept_runs import KeptRuns

import adjudge as aj

GAP, MEAN = 30, 12


def rows(length, found, false):
    """What each stretch has: points found, points of its event, and flagged points in front."""
    return np.stack([length * found, length, false], axis=1).astype(int)


def laid_out(first, second):
    """Labels, and the flags of both: false alarms, a gap, then the event and one point more."""
    columns = [[], [], []]
    for (found_a, length, false_a), (found_b, _, false_b) in zip(first, second, strict=True):
        before = GAP + max(false_a, false_b)
        labels, a, b = np.zeros((3, before + length + 1), int)
        labels[before:-1] = 1
        for flags, found, false in ((a, found_a, false_a), (b, found_b, false_b)):
            flags[5 : 5 + false] = 1
            flags[before : before + found] = 1
        for column, own in zip(columns, (labels, a, b), strict=True):
            column.append(own)
    return [np.concatenate(column) for column in columns]


def lengths(rng, units):
    return rng.geometric(1 / MEAN, units) + 2


def runs_of(rng, units, share, mean):
    """False alarms in a share of the stretches, so long on average."""
    return (rng.random(units) < share) * rng.geometric(1 / max(mean, 1.0001), units)


def f1_of(recall):
    return 2 * recall / (1 + recall)


def finding(first, second):
    """Two that find so many of the events, and have no false alarms."""

    def scene(rng, units):
        own = lengths(rng, units)
        pair = (rows(own, rng.random(units) < p, 0 * own) for p in (first, second))
        return laid_out(*pair), {}

    return scene, f1_of(first) - f1_of(second)


def unlike(share):
    """One finds half without a false alarm, the other .85 with as many as make F1 equal."""
    mean = (2 * 0.85 / f1_of(0.5) - 1 - 0.85) * (MEAN + 2) / share

    def scene(rng, units):
        own = lengths(rng, units)
        one = rows(own, rng.random(units) < 0.5, 0 * own)
        other = rows(own, rng.random(units) < 0.85, runs_of(rng, units, share, mean))
        return laid_out(one, other), {}

    return scene, 0.0


def bursts(recall, share=0.05):
    """Both find so many, and have a long false alarm in few stretches."""

    def scene(rng, units):
        own = lengths(rng, units)
        pair = (
            rows(own, rng.random(units) < recall, runs_of(rng, units, share, 20)) for _ in range(2)
        )
        return laid_out(*pair), {}

    return scene, 0.0


def chain(rng, units, stay):
    found = rng.random(units) < 0.5
    for unit in range(1, units):
        if rng.random() < stay:
            found[unit] = found[unit - 1]
    return found


def neighbours(stay):
    """Three events in four are found or missed as the one before, where half stay as it is."""

    def scene(rng, units):
        own = lengths(rng, units)
        pair = (rows(own, chain(rng, units, stay), 3 * (rng.random(units) < 0.2)) for _ in range(2))
        return laid_out(*pair), {}

    return scene, 0.0


def noisy(kind, gain=0.0, shift=1.0):
    """Scores of both, in stretches of 70 points with an event each."""

    def scene(rng, units):
        n = 70 * units
        labels, lift = np.zeros((2, n))
        places = rng.choice(np.arange(20, n - 40, 60), units, replace=False)
        for place, height in zip(places, rng.lognormal(0.7, 0.6, units), strict=True):
            length = int(rng.geometric(1 / MEAN))
            labels[place : place + length], lift[place : place + length] = 1, height
        common, x, y = rng.normal(size=(3, n))
        if kind == "alike":
            pair = lift + 0.9 * common + 0.436 * x, lift + gain * labels + 0.9 * common + 0.436 * y
            return [labels.astype(int), *map(np.abs, pair)], {}
        if kind == "apart":
            return [labels.astype(int), np.abs(lift + x), np.abs(lift + gain * labels + y)], {}
        event = np.searchsorted(
            np.flatnonzero(np.diff(labels, append=0) < 0) + 1, np.arange(n), side="right"
        )
        clear = (rng.random(units + 1) < 0.6)[np.minimum(event, units)]
        return [labels.astype(int), 4 * labels * clear + x, shift * labels + y], {}

    return scene


def equalised(spec):
    """How much all events must be raised to be worth as much as six in ten clear ones."""
    metric, low, high = aj.metric(spec), 0.5, 4.0
    for _ in range(14):
        middle = (low + high) / 2
        drawn = [
            noisy("unlike", shift=middle)(np.random.default_rng([1, k]), 150)[0] for k in range(4)
        ]
        ahead = np.mean([metric(y, a) - metric(y, b) for y, a, b in drawn])
        low, high = (middle, high) if ahead > 0 else (low, middle)
    return middle


# --- families of our own, written down before the first run ---------------------------------------


def specialists(rng, units):
    """Events of two kinds: each finds nine in ten of its kind, three in ten of the other."""
    own, kind = lengths(rng, units), rng.random(units) < 0.5
    chances = np.where(kind, 0.9, 0.3), np.where(kind, 0.3, 0.9)
    pair = (rows(own, rng.random(units) < p, 3 * (rng.random(units) < 0.2)) for p in chances)
    return laid_out(*pair), {}


def heavy(rng, units):
    """Events of very unequal length; both find six in ten."""
    own = np.ceil(4 * rng.lognormal(0, 1.2, units)).astype(int)
    pair = (rows(own, rng.random(units) < 0.6, runs_of(rng, units, 0.3, 6)) for _ in range(2))
    return laid_out(*pair), {}


def hard_and_easy(rng, units):
    """Some events are easy for both, some hard for both."""
    own, chance = lengths(rng, units), rng.beta(0.5, 0.5, units)
    pair = (rows(own, rng.random(units) < chance, runs_of(rng, units, 0.3, 6)) for _ in range(2))
    return laid_out(*pair), {}


def storms_of_both(rng, units):
    """Storms of false alarms hit both in the same stretches, each for as long as it likes."""
    own, hit = lengths(rng, units), rng.random(units) < 0.2
    pair = (
        rows(own, rng.random(units) < 0.7, hit * rng.geometric(1 / 15, units)) for _ in range(2)
    )
    return laid_out(*pair), {}


def series_of_six(rng, units):
    """So many series of six events: detectors suit them unequally (log-odds sd 1.2)."""
    found, names = [], []
    own = lengths(rng, 6 * units)
    for _ in range(2):
        chance = np.repeat(1 / (1 + np.exp(-rng.normal(0.5, 1.2, units))), 6)
        found.append(rows(own, rng.random(6 * units) < chance, runs_of(rng, 6 * units, 0.2, 6)))
    labels, a, b = laid_out(*found)
    ends = np.flatnonzero(np.diff(labels, append=0) < 0)[5::6] + 1
    names = np.searchsorted(ends, np.arange(len(labels)), side="right")
    return [labels, a, b], {"series": names}


def whole_numbers(rng, units):
    """Scores that are whole numbers from 0 to 5: most are ties."""
    (labels, a, b), _ = noisy("apart")(rng, units)
    return [labels, np.minimum(np.round(a), 5), np.minimum(np.round(b), 5)], {}


def late(rng, units):
    """Both find nine in ten, each so many points after the start as it happens (lognormal)."""
    labels = np.tile(np.repeat([0, 1, 0], [30, 40, 10]), units)
    pair = []
    for _ in range(2):
        flags = np.zeros((units, 80), int)
        delays = np.minimum(rng.lognormal(1.5, 0.8, units), 39).astype(int)
        hit = rng.random(units) < 0.9
        flags[np.flatnonzero(hit), 30 + delays[hit]] = 1
        pair.append(flags.ravel())
    return [labels, *pair], {}


OWN = [
    ("specialists: each finds its own kind", "f1", specialists, 0.0),
    ("lengths of events are lognormal(1.2)", "f1", heavy, 0.0),
    ("easy and hard events", "f1_ba(width=9)", hard_and_easy, 0.0),
    ("storms hit both at once", "precision", storms_of_both, 0.0),
    ("series of six events, suited unequally", "f1", series_of_six, 0.0),
    ("scores of six levels", "ap", whole_numbers, 0.0),
    ("delays, nine in ten found", "detection_delay", late, 0.0),
    ("nearly all found by both (.95)", "event_recall", finding(0.95, 0.95)[0], 0.0),
    ("**.95 and .88 of the events found**", "event_recall", finding(0.95, 0.88)[0], 0.07),
    ("**.97 and .3 found**", "f1", *finding(0.97, 0.3)),
]


def table(part, cells, sizes, given, unit="units"):
    """Print how often the two are told apart, and how often the interval holds the truth."""
    sizes = [size for size in sizes if given.sizes is None or size in given.sizes]
    chosen = [
        (number, *cell) for number, cell in enumerate(cells) if is_asked(*cell[:2], given.only)
    ]
    if not sizes or not chosen:
        return
    print(f"| scene | metric | | {' | '.join(f'{size} {unit}' for size in sizes)} |")
    print(f"|{'---|' * 3}{'---:|' * len(sizes)}")
    for number, name, spec, scene, truth in chosen:
        shares = []
        for size in sizes:

            def one(run, size=size, number=number, spec=spec, scene=scene, truth=truth):
                columns, how = scene(np.random.default_rng([119, number, size, run]), size)
                return judged_pair(aj.compare(*columns, spec, **how), truth)

            made = given.kept.of(f"{part} {name} {spec} {size}", given.runs, one)
            found = [run for run in made if run is not None]
            shares.append(np.mean(found, axis=0) if len(found) > given.runs / 20 else [np.nan] * 2)
        apart, held = (" | ".join(map(shown, column)) for column in zip(*shares, strict=True))
        print(f"| {name} | `{spec}` | separated | {apart} |")
        if truth is not None:
            print(f"| | | interval holds | {held} |", flush=True)
    print(flush=True)


def is_asked(name, spec, patterns):
    """Whether a scene with its metric is among those that are asked for."""
    return any(fnmatch(f"{name} {spec}", pattern) for pattern in patterns)


def judged_pair(one, truth):
    """Whether two are told apart, and whether the interval holds the truth; None: no answer."""
    if np.isnan(one.p_value):
        return None
    if (one.p_value <= 0.05) != (one.low > 0 or one.high < 0):
        raise ValueError(f"interval and p-value disagree: {one}")
    inside = one.low - 1e-9 <= truth <= one.high + 1e-9 if truth is not None else np.nan
    return one.p_value <= 0.05, inside


def shown(share):
    return "" if np.isnan(share) else f"{share:.3f}".replace("0.", ".", 1)


# --- run to failure -------------------------------------------------------------------------------


def fleet(kind, skill):
    """Series that fail at 150 to 300 points, eight in ten; their scores wear with age."""

    def scene(rng, series):
        parts = []
        for _ in range(series):
            n = int(rng.integers(150, 300))
            labels = np.zeros(n, int)
            labels[-15:] = rng.random() < 0.8
            level = rng.normal(0, 0.3) if kind == "levels" else 0.0
            noise = rng.normal(0, 0.25, n)
            if kind == "wander":
                noise = np.cumsum(rng.normal(0, 0.03, n))
            parts.append((labels, np.arange(n) / 200 + level + noise + skill * labels))
        return joined(parts)

    return scene


def joined(parts):
    labels, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    return labels, scores, np.repeat(np.arange(len(parts)), [len(part) for part, _ in parts])


def short_lives(rng, series):
    """All fail between 60 and 70 points, in windows of 5 to 20: most ages are shared."""
    parts = []
    for _ in range(series):
        n = int(rng.integers(60, 70))
        labels = np.zeros(n, int)
        labels[-int(rng.integers(5, 20)) :] = 1
        parts.append((labels, np.arange(n) / 50 + rng.normal(0, 0.25, n)))
    return joined(parts)


def repairs(rng, series):
    """Each is repaired at about 100 points and lives on; the score starts anew for nobody."""
    parts = []
    for _ in range(series):
        n = int(rng.integers(180, 300))
        labels = np.zeros(n, int)
        middle = int(rng.integers(90, 110))
        labels[middle : middle + 10] = labels[-10:] = 1
        parts.append((labels, np.sqrt(np.arange(n) / 200) + rng.normal(0, 0.25, n)))
    return joined(parts)


def louder(rng, series):
    """The noise grows with age, and the score wears with its square."""
    parts = []
    for _ in range(series):
        n = int(rng.integers(100, 400))
        labels, age = np.zeros(n, int), np.arange(n) / 300
        labels[-20:] = rng.random() < 0.9
        parts.append((labels, age**2 + rng.normal(0, 0.1 + 0.4 * age)))
    return joined(parts)


def heavy_lives(rng, series):
    """Lives are lognormal: the longest has hardly an equal."""
    parts = []
    for _ in range(series):
        n = 60 + int(80 * rng.lognormal(0, 0.7))
        labels = np.zeros(n, int)
        labels[-12:] = 1
        parts.append((labels, np.log1p(np.arange(n) / 50) + rng.normal(0, 0.25, n)))
    return joined(parts)


WEAR = [
    ("wear by age", fleet("age", 0)),
    ("levels of their own", fleet("levels", 0)),
    ("wandering", fleet("wander", 0)),
    ("**wear by age, skill .3**", fleet("age", 0.3)),
    ("**levels of their own, skill .3**", fleet("levels", 0.3)),
    ("**wandering, skill .5**", fleet("wander", 0.5)),
]
OWN_WEAR = [
    ("short lives, windows of 5 to 20", short_lives),
    ("repaired once", repairs),
    ("noise grows with age", louder),
    ("lognormal lives", heavy_lives),
]


def wear_table(part, cells, given):
    """Print how often p is at most .05, by shifts and aligned, and who is called better."""
    print("| scene | metric | series | shifted, p <= .05 | aligned, p <= .05 | called better |")
    print("|---|---|---:|---:|---:|---:|")
    for number, (name, scene) in enumerate(cells):
        for spec, at in (("f1", 1.3), ("auc_roc", None)):
            for size in (12, 6):
                if not is_asked(name, spec, given.only) or size not in (given.sizes or (12, 6)):
                    continue

                def one(run, size=size, number=number, spec=spec, at=at, scene=scene):
                    rng = np.random.default_rng([120, number, size, run])
                    return judged_wear(*scene(rng, size), spec, at)

                made = given.kept.of(f"{part} {name} {spec} {size}", given.runs, one)
                found = [run for run in made if run is not None]
                cells_ = " | ".join(map(shown, np.mean(found, axis=0)))
                print(f"| {name} | `{spec}` | {size} | {cells_} |", flush=True)
    print(flush=True)


def judged_wear(labels, scores, series, spec, at):
    """Whether p is small by shifts, and aligned, and what the verdict says; None: no event."""
    if not labels.any():
        return None
    by, own = (
        aj.evaluate(labels, scores, spec, at, null=null, series=series, shifts=199).rows[0]
        for null in ("shifted", "aligned")
    )
    better = max(own.p_adjusted, own.p_joint) <= 0.05
    return by.p_value <= 0.05, own.p_value <= 0.05, better


PARTS = ["rates", "memory", "areas", "own", "aligned", "own_aligned"]


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--runs", type=int, default=300)
    asked.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    asked.add_argument("--only", nargs="+", default=["*"], help="patterns of scenes and metrics")
    asked.add_argument("--sizes", nargs="+", type=int)
    asked.add_argument("--keep", help="a file in which runs are kept")
    given = asked.parse_args()
    given.kept, parts = KeptRuns(given.keep), given.parts
    if "rates" in parts:
        better, apart = finding(0.85, 0.35)
        cells = [
            ("equal F1: half, or .85 with false alarms", "f1", *unlike(0.5)),
            ("the same, false alarms in storms", "f1", *unlike(1 / 16)),
            ("all found, rare bursts of false alarms", "f1", *bursts(1.0)),
            ("seven in ten found, rare bursts", "f1", *bursts(0.7)),
            ("**.85 and .35 of the events found**", "f1", better, apart),
        ]
        table("rates", cells, (6, 8, 12, 20, 40), given, "events")
    if "memory" in parts:
        cells = [("three in four fare like the last", "f1", *neighbours(0.5))]
        table("memory", cells, (8, 12, 20, 40, 80), given, "events")
    if "areas" in parts:
        cells = []
        for spec in ("ap", "auc_roc"):
            cells += [
                ("with much in common, equal", spec, noisy("alike"), 0.0),
                ("**the same, better by .7**", spec, noisy("alike", 0.7), None),
                ("nothing in common, equal", spec, noisy("apart"), 0.0),
                ("**the same, better by .7**", spec, noisy("apart", 0.7), None),
                (
                    "unlike: six in ten clearly, or all a little",
                    spec,
                    noisy("unlike", shift=equalised(spec)),
                    0.0,
                ),
            ]
        table("areas", cells, (8, 15), given, "events")
    if "own" in parts:
        table("own", OWN, (8, 12, 20), given)
    if "aligned" in parts:
        wear_table("aligned", WEAR, given)
    if "own_aligned" in parts:
        wear_table("own_aligned", OWN_WEAR, given)


if __name__ == "__main__":
    main()
