"""A sealed judge in loops: how often it ships what is no better, and whether it sees what it says.

    python bench/sealed.py false [LOOPS]     # nothing is better: 3 agents x 3 numbers of events
    python bench/sealed.py plain [LOOPS]     # the same loop with compare alone, and values shown
    python bench/sealed.py power [LOOPS]     # a gain as large as the contract states
    python bench/sealed.py quick [LOOPS]     # the same by the normal quantile of flips
    python bench/sealed.py climb [LOOPS]     # steps that really change the detector
    python bench/sealed.py levels [PAIRS]    # p-values of equal pairs
    python bench/sealed.py gate [PAIRS]      # evaluate --against a stored judgement

A unit is an event with its normal time. On fresh data all candidates of ``false`` and ``plain`` are
as good as the detector of today, since each is drawn from its distribution; what differs is luck.
The judge is that of a contract (half of the events open, 5 looks, alpha 0.05) without its ledger.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import NormalDist

import numpy as np

import adjudge as aj
from adjudge.judging.comparing.stored import loss_seen, losses
from adjudge.judging.inputs.points import Points
from adjudge.noise.ask import Ask
from adjudge.noise.comparing.rivals import compared
from adjudge.sealing.contract import level_of
from adjudge.sealing.data import SealedPoints
from adjudge.sealing.power import LookBudget, measured
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
        self.data.today = self.flags(today).astype(float)
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


def falsely_shipped(agent, events, loops):
    """The share of loops that ship, where nothing is better."""
    world, level, count = World(events, 1), level_of(0.05, LOOKS, 1), 0
    for _ in range(loops):
        found = world.rng.random(events)
        today = world.drawn(found)
        count += any(world.ships(new, today, level) for new in asked(world, agent, found, today))
    return count / loops


def false_ships(loops):
    """Nothing is better: the share of loops that ship."""
    print("| agent | events | loops | ships | seconds |\n|---|---|---|---|---|")
    for agent in ("unrelated", "variants", "climb"):
        for events in (10, 30, 100):
            begun = time.process_time()
            share = falsely_shipped(agent, events, loops)
            spent = time.process_time() - begun
            print(f"| {agent} | {events} | {loops} | {share:.3f} | {spent:.0f} |", flush=True)


def flips_apart(new, today):
    """By how many standard errors of all flips detectors are ahead of one, by event_f1."""
    (a, wrong_a), (b, wrong_b) = ([one.astype(float) for one in each] for each in (new, today))
    events = b.shape[-1]
    under_a = a.sum(-1) + events + wrong_a.sum(-1)
    under_b = b.sum() + events + wrong_b.sum()
    f_a, f_b = 2 * a.sum(-1) / under_a, 2 * b.sum() / under_b
    share_a, share_b = (a + 1 + wrong_a) / under_a[..., None], (b + 1 + wrong_b) / under_b
    own = 2 * a / under_a[..., None] - f_a[..., None] * share_a - 2 * b / under_b + f_b * share_b
    added = own + (share_a + share_b) / 2 * (f_a - f_b)[..., None]
    return (f_a - f_b) / np.maximum(np.sqrt((added**2).sum(-1)), 1e-12)


def called_ahead(events, loops):
    """The share of loops in which compare calls one of 200 equals ahead, with p at most .05.

    All events are judged, and only the 20 candidates that are most standard errors ahead are
    compared: the share is a lower bound.
    """
    world, count = World(events, 2, 0), 0
    truth = aj.Events.from_labels(world.labels)
    for _ in range(loops):
        found = world.rng.random(events)
        today = world.drawn(found)
        every = world.drawn(found, loops=CANDIDATES)
        order, own = np.argsort(-flips_apart(every, today))[:20], world.flags(today)
        told = (
            aj.compare(truth, world.flags(tuple(part[i] for part in every)), own, "event_f1")
            for i in order
        )
        count += any(one.ahead == "a" and one.separated for one in told)
    return count / loops


def plain(loops):
    """The same with compare alone: unrelated candidates, all events, p at most .05 and ahead."""
    print("| events | loops | really ahead, of 200 equals |\n|---|---|---|")
    for events in (10, 30, 100):
        print(f"| {events} | {loops} | {called_ahead(events, loops):.3f} |", flush=True)


WORLDS = {
    "uneven": (lambda rng, events: rng.random(events), RATE),
    "even": (lambda _, events: np.full(events, 0.6), RATE),
    "mostly found": (lambda rng, events: rng.beta(4, 2, events), RATE),
    "mostly missed": (lambda rng, events: rng.beta(1, 3, events), RATE),
    "few false alarms": (lambda rng, events: 0.3 + 0.6 * rng.random(events), 0.1),
    "many false alarms": (lambda _, events: np.full(events, 0.5), 0.8),
    "two kinds": (lambda rng, events: np.where(rng.random(events) < 0.5, 0.9, 0.3), RATE),
}
"""How likely each event is found, and a false alarm in its time: what two detectors share is chosen
on the first three, and the others were chosen before the first run on them."""


def better(found, rate, gain):
    """A detector that is better by a share of what is left."""
    return found + gain * (1 - found), rate * (1 - gain)


def gain_stated(world, budget):
    """The gain that a contract says it sees; 0 where it says none, or is refused."""
    try:
        return measured(world.data, world.rule, budget)[1]["sees_in_four_of_five"]
    except aj.InputError:
        return 0.0


def share_of(gain, mean, rate):
    """The share of what is left that is such a gain of event_f1."""
    steps = np.linspace(0, 1, 201)
    values = [2 * r / (1 + r + w) for r, w in (better(mean, rate, s) for s in steps)]
    return float(np.interp(gain, np.array(values) - values[0], steps))


def quick(loops):
    """The same over more settings: what ships is ahead by the normal quantile of flips of signs.

    The gain is that which contracts of the first 40 state; it is asked in all loops.
    """
    print("| world | sealed events | looks | states | ships |\n|---|---|---|---|---|")
    for name, (draw, rate) in WORLDS.items():
        for events in (20, 40, 100, 300):
            world, cases = World(events, 8, 0), []
            for _ in range(loops):
                found = draw(world.rng, events)
                cases.append((found, world.drawn(found, rate)))
            mean = float(np.mean([found.mean() for found, _ in cases]))
            for looks in (1, 5):
                budget, stated = LookBudget(0.05, looks, 1), []
                for _, today in cases[:40]:
                    world.data.today = world.flags(today).astype(float)
                    stated.append(gain_stated(world, budget))
                gain = float(np.mean([one for one in stated if one] or [0]))
                step, least = share_of(gain, mean, rate), NormalDist().inv_cdf(1 - budget.level)
                ahead = [
                    flips_apart(tuple(one[np.newaxis] for one in new), today)[0]
                    for new, today in (
                        (world.drawn(*better(found, rate, step)), today) for found, today in cases
                    )
                ]
                none = np.mean(np.array(stated) == 0)
                says = f"{gain:.2f}" + f" (none in {none:.2f})" * bool(none)
                ships = np.mean(np.array(ahead) >= least)
                print(f"| {name} | {events} | {looks} | {says} | {ships:.2f} |", flush=True)


def power(loops):
    """A gain as large as stated: how often it ships, where a gain is stated."""
    print("| world | sealed events | looks | states | ships |\n|---|---|---|---|---|")
    for name, (draw, rate) in WORLDS.items():
        for events in (20, 40, 100, 300):
            world, cases = World(events, 3, 0), []
            for _ in range(loops):
                found = draw(world.rng, events)
                cases.append((found, world.drawn(found, rate)))
            for looks in (1, 5):
                budget = LookBudget(0.05, looks, 1)
                stated = []
                for _, today in cases:
                    world.data.today = world.flags(today).astype(float)
                    stated.append(gain_stated(world, budget))
                gain = float(np.mean([one for one in stated if one]))
                mean = float(np.mean([found.mean() for found, _ in cases]))
                step = share_of(gain, mean, rate)
                told = [case for case, one in zip(cases, stated, strict=True) if one]
                shipped = np.mean([
                    world.ships(world.drawn(*better(found, rate, step)), today, budget.level)
                    for found, today in told
                ])  # fmt: skip
                none = np.mean(np.array(stated) == 0)
                says = f"{gain:.2f}" + f" (none in {none:.2f})" * bool(none)
                print(f"| {name} | {events} | {looks} | {says} | {shipped:.2f} |", flush=True)


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
    """Equal pairs: how often the one-sided p is at most a level.

    Only pairs that are at least 1.3 standard errors of the flips ahead are compared: others have a
    p of about .1 and more.
    """
    world, found = World(30, 5, 0), []
    truth = aj.Events.from_labels(world.labels)
    for _ in range(pairs):
        likely = world.rng.random(30)
        new, today = world.drawn(likely), world.drawn(likely)
        if flips_apart(tuple(one[np.newaxis] for one in new), today)[0] < 1.3:
            found.append(1.0)
            continue
        found.append(one_sided(aj.compare(truth, world.flags(new), world.flags(today), "event_f1")))
    for level in (0.05, 0.01, 0.0025, 0.00025):
        print(f"p <= {level}: {np.mean(np.array(found) <= level):.5f} of {pairs:,}")


GATES = {"note's": (0.3, 0.7, 0.3), "other": (0.6, 0.3, 0.15), "third": (0.4, 0.2, 0.6)}
"""Least recall, how much more, and false alarms; the third was chosen after the formula."""


def gate(pairs):
    """Gates against a stored judgement: equals, and versions with a loss as large as stated."""
    print("| world | events | versions | lower value | fails equals | states | fails that |")
    print("|---|---|---|---|---|---|---|")
    for name, (least, more, rate) in GATES.items():
        for events in (10, 30, 100):
            for share, versions in ((1.0, "unrelated"), (0.3, "variants")):
                world, recall = World(events, 6, 0), least + more / 2
                world.open, value = events, 2 * recall / (1 + recall + rate)

                equals = []
                for _ in range(pairs):
                    found = least + more * world.rng.random(events)
                    old = world.drawn(found, rate)
                    equals.append((old, redrawn(world, old, share, found, rate)))
                lower = np.mean([
                    world.open_value(new) < world.open_value(old) - 1e-12 for old, new in equals
                ])  # fmt: skip
                told = np.array([gated(world, *pair) for pair in equals])
                loss = float(np.nanmean(told[:, 1]))
                less = max((value - loss) * (1 + rate) / (2 - value + loss) / recall, 0)
                fails = np.mean([
                    gated(world, old, (hits & (world.rng.random(events) < less), false))[0] <= 0.05
                    for (old, (hits, false)), (_, sees) in zip(equals, told, strict=True)
                    if not np.isnan(sees)
                ])  # fmt: skip
                none = np.mean(np.isnan(told[:, 1]))
                says = f"{loss:.2f}" + f" (none in {none:.2f})" * bool(none)
                row = f"{np.mean(told[:, 0] <= 0.05):.3f} | {says} | {fails:.2f}"
                print(f"| {name} | {events} | {versions} | {lower:.2f} | {row} |", flush=True)


def gated(world, old, new):
    """What a gate says of a new version: p that it is no worse, and the loss that is seen.

    The same as `Judgement.against` says, without a file (tests/judging/test_versions.py).
    """
    both = Points(world.labels, {"new": world.flags(new), "old": world.flags(old)})
    ours, theirs = both.facing(aj.metric("event_f1"), (None, None), Ask()).rivals
    found = compared(ours, theirs, Ask()).difference
    p = found.tested.p_value / 2
    behind = ours.value < theirs.value
    sees, _ = loss_seen(found.spread.se, found.spread.df, *losses(theirs.side))
    return p if behind else 1 - p, sees


RUNS = {"false": (false_ships, 1000), "plain": (plain, 1000), "power": (power, 400),
        "quick": (quick, 2000), "climb": (climb, 300), "levels": (levels, 80_000),
        "gate": (gate, 300)}  # fmt: skip

if __name__ == "__main__":
    run, usual = RUNS[sys.argv[1]]
    run(int(sys.argv[2]) if len(sys.argv) > 2 else usual)
