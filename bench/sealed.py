"""A sealed judge in loops: how often it ships what is no better, and whether it sees what it says.

    python bench/sealed.py false [LOOPS]     # nothing is better: 3 agents x 3 numbers of events
    python bench/sealed.py plain [LOOPS]     # the same loop with compare alone, and values shown
    python bench/sealed.py power [LOOPS]     # a gain as large as the contract states
    python bench/sealed.py climb [LOOPS]     # steps that really change the detector
    python bench/sealed.py levels [PAIRS]    # p-values of equal pairs
    python bench/sealed.py gate [PAIRS]      # evaluate --against a stored judgement

A unit is an event with its normal time. On fresh data all candidates of ``false`` and ``plain`` are
as good as the detector of today, since each is drawn from its distribution; what differs is luck.
The judge is that of a contract (half of the events open, 5 looks, alpha 0.05) without its ledger.
"""

import math
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.noise.ask import Ask
from adjudge.noise.intervals.interval import interval
from adjudge.noise.intervals.student import quantile
from adjudge.sealing.contract import level_of
from adjudge.sealing.data import SealedPoints
from adjudge.sealing.sealed import Terms, one_sided

GAP, WIDE, RATE = 60, 8, 0.35
CANDIDATES, LOOKS = 200, 5
SAID = {"metric": "event_f1", "at": "none", "base_at": "none", "null": "none", "unit": "event"}


class World:
    """Labels with so many events, and detectors on them as found events and false alarms."""

    def __init__(self, events, seed, open_share=0.5):
        self.events, self.rng = events, np.random.default_rng([seed, events])
        self.starts = np.arange(events) * GAP + 30
        self.labels = np.zeros(events * GAP, int)
        for start in self.starts:
            self.labels[start : start + WIDE] = 1
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            np.savetxt(place / "l.csv", self.labels, "%d", header="label", comments="")
            np.save(place / "b.npy", self.labels)
            self.data = SealedPoints(place / "l.csv", place / "b.npy", {})
        self.open = round(open_share * events)
        self.rule = Terms(SAID, self.data.border(open_share)[0])

    def drawn(self, found, rate=RATE, loops=None):
        """Found events and false alarms, of many detectors at once."""
        shape = found.shape if loops is None else (loops, self.events)
        return self.rng.random(shape) < found, self.rng.random(shape) < rate

    def flags(self, detector):
        """The points that a detector flags."""
        flags = np.zeros(self.labels.size, int)
        for start in self.starts[detector[0]]:
            flags[start : start + 5] = 1
        for unit in np.flatnonzero(detector[1]):
            flags[unit * GAP + 5 : unit * GAP + 8] = 1
        return flags

    def ships(self, new, today, level):
        """What the judge says to a candidate."""
        vars(self.data)["_today"] = self.flags(today).astype(float)
        return self.rule.ships(self.data, self.flags(new), level)

    def open_value(self, detector):
        """The value of event_f1 on the open events."""
        found, false = (one[..., : self.open].sum(axis=-1) for one in detector)
        return 2 * found / (found + self.open + false)


def redrawn(world, detector, share, found, rate=RATE):
    """A detector of which a share of the units has other luck."""
    other = world.drawn(found, rate)
    return tuple(np.where(world.rng.random(world.events) < share, b, a)
                 for a, b in zip(detector, other, strict=True))  # fmt: skip


def asked(world, agent, found, today):
    """The candidates that an agent asks about, by what the open part tells it."""
    if agent != "climb":
        share = 1.0 if agent == "unrelated" else 0.3
        every = [redrawn(world, today, share, found) for _ in range(CANDIDATES)]
        return sorted(every, key=world.open_value, reverse=True)[:LOOKS]
    kept, best, sent = today, world.open_value(today), []
    for step in range(CANDIDATES):
        new = redrawn(world, kept, max(0.1, 1 / world.events), found)
        if world.open_value(new) > best:
            kept, best = new, world.open_value(new)
        if (step + 1) % (CANDIDATES // LOOKS) == 0:
            sent.append(kept)
    return sent


def false_ships(loops):
    """Nothing is better: the share of loops that ship."""
    print("| agent | events | loops | ships | seconds |\n|---|---|---|---|---|")
    level = level_of(0.05, LOOKS, 1)
    for agent in ("unrelated", "variants", "climb"):
        for events in (10, 30, 100):
            world, count, begun = World(events, 1), 0, time.process_time()
            for _ in range(loops):
                found = world.rng.random(events)
                today = world.drawn(found)
                sent = asked(world, agent, found, today)
                count += any(world.ships(new, today, level) for new in sent)
            spent = time.process_time() - begun
            print(
                f"| {agent} | {events} | {loops} | {count / loops:.3f} | {spent:.0f} |", flush=True
            )


def plain(loops):
    """The same with compare alone: unrelated candidates, all events, p at most .05 and ahead.

    Only the 20 that are furthest ahead are compared, so that the share is a lower bound.
    """
    print("| events | loops | really ahead, of 200 equals |\n|---|---|---|")
    for events in (10, 30, 100):
        world, count = World(events, 2, 0), 0
        truth = aj.Events.from_labels(world.labels)
        world.open = events
        for _ in range(loops):
            found = world.rng.random(events)
            today = world.drawn(found)
            every = [world.drawn(found) for _ in range(CANDIDATES)]
            first = sorted(every, key=world.open_value, reverse=True)[:20]
            own = world.flags(today)
            count += any(
                found.ahead == "a" and found.separated
                for found in (aj.compare(truth, world.flags(new), own, "event_f1") for new in first)
            )
        print(f"| {events} | {loops} | {count / loops:.3f} |", flush=True)


WORLDS = {
    "uneven": lambda rng, events: rng.random(events),
    "even": lambda _, events: np.full(events, 0.6),
    "mostly found": lambda rng, events: rng.beta(4, 2, events),
}
"""How likely each event is found: the first is the world on which the formula was chosen."""


def better(found, rate, gain):
    """A detector that is better by a share of what is left."""
    return found + gain * (1 - found), rate * (1 - gain)


def power(loops):
    """A gain as large as stated: how often it ships."""
    print("| world | sealed events | looks | states | ships |\n|---|---|---|---|---|")
    for name, draw in WORLDS.items():
        for events in (20, 40, 100, 300):
            for looks in (1, 5):
                world, level = World(events, 3, 0), level_of(0.05, looks, 1)
                cases, stated = [], []
                for _ in range(loops):
                    found = draw(world.rng, events)
                    today = world.drawn(found)
                    flags = world.flags(today)
                    both = world.data.part({"candidate": flags, "base": flags}, 0, sealed=True)
                    own = both.facing(world.rule.metric, (None, None), Ask()).rivals[1]
                    spread = interval(own.metric, own.turning.case, "event")
                    t = quantile(spread.df, 1 - 2 * level) + 0.8416
                    stated.append(t * spread.se * math.sqrt(1.5))
                    cases.append((found, today))
                gain, steps = float(np.mean(stated)), np.linspace(0, 0.99, 200)
                mean = float(np.mean([found.mean() for found, _ in cases]))
                values = [2 * r / (1 + r + w) for r, w in (better(mean, RATE, s) for s in steps)]
                if gain > values[-1] - values[0]:
                    print(f"| {name} | {events} | {looks} | {gain:.2f} | over the range |")
                    continue
                step = float(np.interp(gain, np.array(values) - values[0], steps))
                shipped = np.mean([
                    world.ships(world.drawn(*better(found, RATE, step)), today, level)
                    for found, today in cases
                ])  # fmt: skip
                print(f"| {name} | {events} | {looks} | {gain:.2f} | {shipped:.2f} |", flush=True)


def climb(loops):
    """Steps that change the quality by -0.01 +- 0.04: what is shipped, and what is no better."""
    print("| events | loops | ships | ships what is no better |\n|---|---|---|---|")
    level = level_of(0.05, LOOKS, 1)
    for events in (30, 100, 300):
        world, shipped, worse = World(events, 4), 0, 0
        for _ in range(loops):
            found, gain = world.rng.random(events), 0.0
            luck = world.rng.random((2, events))

            def seen(luck, gain, found=found):
                up, down = max(gain, 0), min(gain, 0)
                recall = (found + up * (1 - found)) * (1 + down)
                return luck[0] < recall, luck[1] < RATE * (1 - up) * (1 - down)

            today = seen(luck, 0.0)
            best, done = world.open_value(today), False
            for step in range(CANDIDATES):
                at = world.rng.random(events) < 0.1
                other = np.where(at, world.rng.random((2, events)), luck)
                to = float(np.clip(gain + world.rng.normal(-0.01, 0.04), -0.9, 0.95))
                if world.open_value(seen(other, to)) > best:
                    luck, gain = other, to
                    best = world.open_value(seen(luck, gain))
                turn = (step + 1) % (CANDIDATES // LOOKS) == 0
                if turn and not done and world.ships(seen(luck, gain), today, level):
                    done, worse = True, worse + (gain <= 0)
            shipped += done
        print(f"| {events} | {loops} | {shipped / loops:.3f} | {worse / loops:.3f} |", flush=True)


def levels(pairs):
    """Equal pairs: how often the one-sided p is at most a level."""
    world, found = World(30, 5, 0), []
    truth = aj.Events.from_labels(world.labels)
    for _ in range(pairs):
        likely = world.rng.random(30)
        pair = (world.flags(world.drawn(likely)) for _ in range(2))
        found.append(one_sided(aj.compare(truth, *pair, "event_f1")))
    for level in (0.05, 0.01, 0.0025, 0.00025):
        print(f"p <= {level}: {np.mean(np.array(found) <= level):.5f} of {pairs:,}")


def gate(pairs):
    """Gates against a stored judgement: equals, and versions with a loss as large as stated."""
    print(
        "| world | events | versions | below the old value | fails equals | states | fails that |"
    )
    print("|---|---|---|---|---|---|---|")
    rates = {"note's": (0.3, 0.7, 0.3), "other": (0.6, 0.3, 0.15)}
    for name, (least, more, rate) in rates.items():
        for events in (10, 30, 100):
            for share, versions in ((1.0, "unrelated"), (0.3, "variants")):
                world = World(events, 6, 0)
                world.open, lower, equal, stated, losses = events, 0, 0, [], []
                for _ in range(pairs):
                    found = least + more * world.rng.random(events)
                    old = world.drawn(found, rate)
                    new = redrawn(world, old, share, found, rate)
                    told = gated(world, old, new)
                    lower += world.open_value(new) < world.open_value(old) - 1e-12
                    equal += told.worse
                    stated.append(told.sees)
                loss, recall = float(np.nanmean(stated)), least + more / 2
                value = 2 * recall / (recall + 1 + rate) - loss
                less = value * (1 + rate) / (2 - value) / recall
                for _ in range(pairs):
                    found = least + more * world.rng.random(events)
                    old = world.drawn(found, rate)
                    new = redrawn(world, old, share, found, rate)
                    kept = world.rng.random(events) < max(less, 0)
                    losses.append(gated(world, old, (new[0] & kept, new[1])).worse)
                row = (name, events, versions, f"{lower / pairs:.2f}", f"{equal / pairs:.3f}",
                       f"{loss:.2f}", f"{np.mean(losses):.2f}")  # fmt: skip
                print("| " + " | ".join(map(str, row)) + " |", flush=True)


def gated(world, old, new):
    """What a gate says of a new version."""
    truth = aj.Events.from_labels(world.labels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "judged.json")
        path.write_text(aj.evaluate(truth, world.flags(old), "event_f1", chance=False).to_json())
        return aj.evaluate(truth, world.flags(new), "event_f1", chance=False).against(path)[0]


RUNS = {"false": (false_ships, 1000), "plain": (plain, 1000), "power": (power, 400),
        "climb": (climb, 300), "levels": (levels, 80_000), "gate": (gate, 300)}  # fmt: skip

if __name__ == "__main__":
    run, usual = RUNS[sys.argv[1]]
    run(int(sys.argv[2]) if len(sys.argv) > 2 else usual)
