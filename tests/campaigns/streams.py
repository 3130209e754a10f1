"""Live with a stream, and compare it all the time with `evaluate` on all that has come.

    python tests/campaigns/streams.py --seed 0 --count 5000

Each stream lives through random calls: points or incidents and alerts, in chunks; marks and
outages, open, closed, late or beforehand; what is told too late; calls that must be refused and
change nothing; looks; copies, which must not share anything; pickles. Half-way all of them are
written to a file and go on in another process. The model keeps everything, in the plainest way.
"""

from __future__ import annotations

import argparse
import copy
import pickle
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import adjudge as aj

FAR = 2**62
BEGAN = np.datetime64("2026-01-01T00:00:00", "ns")
TOGETHER = 250  # streams that go on in one process


def minutes(number):
    """So many minutes, as a duration."""
    return None if number is None else f"{number}min"


def refused(call, *given, **named):
    """Make a call that must be refused."""
    try:
        call(*given, **named)
    except aj.AdjudgeError:
        return
    raise AssertionError(f"was not refused: {given} {named}")


class World:
    """A stream, all that it was told, and what it must say of it."""

    ACTIONS: tuple[str, ...] = ()

    def restart(self, rng):
        """Write the stream and read it again; or go on with a copy while the other lives on."""
        kind = rng.choice(["pickle", "deepcopy", "copy"])
        if kind == "pickle":
            self.stream = pickle.loads(pickle.dumps(self.stream))  # noqa: S301 - our own
            return
        other = copy.copy(self.stream) if kind == "copy" else copy.deepcopy(self.stream)
        stream, self.stream = (self.stream, other) if rng.random() < 0.5 else (other, self.stream)
        self.disturb(stream)

    def act(self, rng):
        """Do something, and see that all is well."""
        name = rng.choice(self.ACTIONS)
        getattr(self, name)(rng)
        if rng.random() < 0.5:
            self.check()
        return name


class Points(World):
    """A stream of points, in several series, with gaps, policies and marks."""

    ACTIONS = ("update", "update", "update", "mark", "mark", "wrong", "restart", "settle")
    SPECS = (
        *("f1", "f1_pa", "f1_kpa(k=0.4)", "f1_ba(width=5)", "event_f1", "event_recall"),
        *("detection_delay", "alarms_per_event", "segment_f1"),
    )

    def __init__(self, rng):
        """Draw what is told beforehand."""
        self.timed = rng.random() < 0.5
        self.lateness = rng.choice([None, 0, 3, 8, 20])
        self.gap = 2 if self.timed and rng.random() < 0.6 else None
        self.flags = rng.random() < 0.3
        policy = aj.policy(0.5, after=rng.randrange(3), keep=rng.randrange(3))
        at = None if self.flags else rng.choice([0.5, policy])
        specs = rng.sample(self.SPECS, 4) + [f"event_f1(at={policy})"] * self.flags
        self.metrics = [aj.metric(spec) for spec in specs]
        late = minutes(self.lateness) if self.timed else self.lateness
        self.stream = aj.Stream(self.metrics, at=at, lateness=late, gap=minutes(self.gap))
        self.metrics = [m if self.flags or m.at else m.with_settings(at=at) for m in self.metrics]
        self.names = rng.choice([[None], ["a", "b"]])
        self.points = {name: [] for name in self.names}
        self.marks = {name: [] for name in self.names}
        self.too_late = 0

    def when(self, place):
        """A place as the stream is told it."""
        return BEGAN + place * np.timedelta64(1, "m") if self.timed else place

    def update(self, rng):
        """Tell some points."""
        name, count = rng.choice(self.names), rng.choice([1, 1, 2, 5, 12])
        own = self.points[name]
        known = self.lateness is None or rng.random() < 0.5
        new = []
        for _ in range(count):
            last = (new or own or [{"place": -1}])[-1]["place"]
            place = last + (rng.randint(3, 9) if self.timed and rng.random() < 0.1 else 1)
            far = self.gap is not None and last >= 0 and place - last > self.gap
            score = rng.random() if not self.flags else float(rng.random() < 0.4)
            new.append({
                "place": place, "label": known and rng.random() < 0.4, "score": score,
                "judged": rng.random() < 0.9, "border": far, "final": None,
            })  # fmt: skip
        column = {key: [one[key] for one in new] for key in new[0]}
        label = [int(one) for one in column["label"]] if known else None
        times = list(map(self.when, column["place"])) if self.timed else None
        where = None if all(column["judged"]) else column["judged"]
        if count == 1:
            where, label, times = (x if x is None else x[0] for x in (where, label, times))
        score = column["score"][0] if count == 1 else column["score"]
        self.stream.update(label, score, times, series=name, where=where)
        own += new

    def freeze(self, name, until=None):
        """Count the points of a series that are old enough: their labels are final."""
        own = self.points[name]
        if own and until is None:
            until = own[-1]["place"] - (self.lateness or 0)
        for one in own:
            if one["final"] is None and one["place"] <= until:
                one["final"] = one["label"]
                for start, end, label in self.marks[name]:
                    if start <= one["place"] < end:
                        one["final"] = bool(label)

    def mark(self, rng):
        """Mark a stretch: late, in time or beforehand; open, closed, or closed again."""
        if self.lateness is None:
            refused(self.stream.mark, 1, 2)
            return
        name = rng.choice(self.names)
        own, marks = self.points[name], self.marks[name]
        still = [one for one in marks if one[1] == FAR]
        now = own[-1]["place"] if own else 0
        start = max(0, now - self.lateness + rng.randint(-6, 12))
        end, label = rng.choice([FAR, start + rng.randint(1, 9)]), rng.random() < 0.8
        if still and rng.random() < 0.6:
            start, _, label = rng.choice(still)
            end = rng.choice([FAR, max(start + 1, now + rng.randint(-9, 3))])
        told = None if end == FAR else self.when(end)
        self.freeze(name)
        self.stream.mark(self.when(start), told, int(label), series=name)
        before = [one for one in marks if one[1] == FAR and (one[0], one[2]) == (start, label)]
        counted = [one["place"] for one in own if one["final"] is not None]
        self.too_late += bool(counted) and (end if before else start) <= counted[-1]
        if before:
            before[0][1] = end
        else:
            marks.append([start, end, label])

    def wrong(self, rng):
        """Make calls that are refused."""
        name, some = rng.choice(self.names), self.points[self.names[0]]
        own = self.points[name]
        here = self.when((own[-1]["place"] if own else -1) + 1) if self.timed else None
        back = self.when(own[-1]["place"]) if own and self.timed else None
        also = self.when(1) if not self.timed and some else None
        calls = [
            ((2, 0.5, here), {}), ((0, "x", here), {}), (([0, 1], [0.5], here), {}),
            ((0, 0.5, here), {"series": [1]}), ((0, 0.5, here), {"series": float("nan")}),
            (([0], [0.5], None if here is None else [here]), {"where": [1, 0]}),
            ((0, 0.5, here), {"where": 3}), ((0, [[1], [1, 2]], here), {}), ((0, None, here), {}),
            ((0, 0.5, here), {"outages": []}), (([0, 1], [0.5, 0.4], [here]), {}),
            ((0, float("nan"), here), {}),
        ]  # fmt: skip
        calls += [((0, 0.5, back), {})] * (back is not None)
        calls += [((0, 0.5, np.datetime64("2026-01-01")), {})] * (also is not None)
        calls += [((0, 0.7, here), {})] * self.flags
        calls += [((None, 1.0, here), {})] * (self.lateness is None)
        given, named = rng.choice(calls)
        refused(self.stream.update, *given, **{"series": name, **named})
        if self.lateness is not None:
            wrong = rng.choice([(5, 5), (5, 9, 2), (5, 9, 1, [1]), ("x", 9), (1.5, 2), (5, [7])])
            refused(self.stream.mark, *map(self._told, wrong[:2]), *wrong[2:3],
                    series=wrong[3] if len(wrong) > 3 else name)  # fmt: skip

    def _told(self, place):
        return self.when(place) if isinstance(place, int) else place

    def settle(self, rng):
        """Say that no more labels come."""
        if rng.random() < 0.4:
            self.stream.settle()
            for name in self.names:
                self.freeze(name, FAR)

    def disturb(self, stream):
        """Live on with a copy."""
        for name in self.names:
            last = self.points[name][-1]["place"] if self.points[name] else 0
            times = [self.when(last + k) for k in (1, 2, 3)] if self.timed else None
            stream.update([1] * 3, [1.0] * 3, times, series=name)
        stream.settle()

    def check(self):
        """Compare with the judgement of all points that are old enough."""
        rows = []
        for name in self.names:
            self.freeze(name)
            part = 0
            for one in self.points[name]:
                part += one["border"]
                if one["final"] is not None:
                    rows.append((one["final"], one["score"], one["judged"], f"{name} {part}"))
        told, counts = self.stream.values, self.stream.counts
        many = sum(map(len, self.points.values()))
        assert counts == {
            "points": len(rows), "waiting": many - len(rows), "too_late": self.too_late
        }, (counts, len(rows), many, self.too_late)  # fmt: skip
        if any(row[2] for row in rows):
            labels, scores, judged, series = map(list, zip(*rows, strict=True))
            case = aj.Case(labels, scores, where=judged, series=series)
            for value, metric in zip(told.values(), self.metrics, strict=True):
                whole = metric.reading(case).value
                np.testing.assert_equal(value, whole, err_msg=str(metric))


class Alerts(World):
    """A stream of incidents and alerts, with services, outages and things that are late."""

    ACTIONS = ("update", "update", "update", "update", "wrong", "restart", "settle")
    KINDS: ClassVar = {"incidents": aj.Incidents, "alerts": aj.Alerts}

    def __init__(self, rng):
        """Draw what is told beforehand."""
        self.timed = rng.random() < 0.4
        self.lateness, self.early = rng.choice([0, 5, 20]), rng.choice([0, 0, 4])
        self.services = rng.choice([None, ["a", "b"]])
        self.watched = rng.choice([None, [(-20, 60), (64, 10_000)]])
        per = '"1h"' if self.timed else "60"
        self.specs = [
            *("event_recall", "event_precision", "event_f1", f"false_alarms(per={per})"),
            *(f"false_alarm_rate(per={per})", "detection_delay", "reset_time", "alarms_per_event"),
        ]
        length = minutes if self.timed else int
        self.stream = aj.Stream(
            self.specs, since=self.when(0), lateness=length(self.lateness),
            early=length(self.early), services=self.services, watched=self.pairs(self.watched),
        )  # fmt: skip
        self.now = self.apply_policy = self.number = self.too_late = 0
        self.things = {"incidents": {}, "alerts": {}}
        self.outages = []

    def when(self, place):
        """A place as the stream is told it."""
        return BEGAN + place * np.timedelta64(1, "m") if self.timed else place

    def pairs(self, stretches):
        """Stretches as they are told."""
        return stretches and [tuple(map(self.when, pair)) for pair in stretches]

    @property
    def until(self):
        """Up to when all was told."""
        return max(self.apply_policy, self.now - self.lateness)

    def rows(self, rng, kind, now):
        """Things that are told now: new ones, late ones, and those that are known."""
        found = {}
        known = [(key, start) for key, own in self.things[kind].items() for start in own]
        for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
            start = rng.randint(max(-9, self.now - self.lateness - 4), now + 3)
            name = rng.choice([None, str(rng.randrange(5)), str(rng.randrange(500))])
            key = rng.choice(self.services or [""]), name
            if known and rng.random() < 0.4:
                key, start = rng.choice(known)
            if isinstance(key[1], int):
                key = key[0], None  # which has no id: told again it is another one
            end = rng.choice([FAR, start + rng.randint(kind == "incidents", 12), now + 1 + start])
            if key[1] is None:
                self.number += 1
                key = key[0], self.number
            found[key, start] = max(end, start + (kind == "incidents"))
        return found

    def table(self, kind, rows):
        """The table of some rows."""
        if not rows:
            return None
        ids = [f"n{key[1]}" if isinstance(key[1], int) else key[1] for key, _ in rows]
        return self.KINDS[kind](
            [self.when(start) for _, start in rows],
            [None if end == FAR else self.when(end) for end in rows.values()],
            service=[key[0] for key, _ in rows] if self.services else None, id=ids,
        )  # fmt: skip

    def gone(self, rng):
        """Outages that are told now."""
        still = [one for one in self.outages if one[1] == FAR]
        found = []
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            start = rng.randint(max(-5, self.now - self.lateness - 5), self.now + 9)
            row = [start, rng.choice([FAR, start + rng.randint(1, 9)]), self._place(rng)]
            if still and rng.random() < 0.6:
                row = list(rng.choice(still)[2:])
                row = [row[1], max(row[1], self.now + rng.randint(-9, 3)), row[0]]
            found.append(row)
        return found

    def _place(self, rng):
        return rng.choice([*(self.services or []), "*"])

    def stretches(self, rows):
        """A table of stretches of time of services."""
        if not rows:
            return None
        ends = [None if end >= FAR // 2 else self.when(end) for _, end, _ in rows]
        services = [place for *_, place in rows] if self.services else None
        return aj.data.incidents.TimedRows(
            [self.when(row[0]) for row in rows], ends, service=services
        )

    def update(self, rng):
        """Tell things, and what time it is."""
        now = self.now + rng.choice([0, 1, 4, 15])
        told = {kind: self.rows(rng, kind, now) for kind in self.KINDS}
        gone = self.gone(rng)
        tables = [self.table(kind, rows) for kind, rows in told.items()]
        self.stream.update(*tables, self.when(now), outages=self.stretches(gone))
        until = self.until if self.until > 0 else -FAR
        for kind, rows in told.items():
            for (key, start), end in rows.items():
                self.take(self.things[kind], key, start, end, until)
        for start, end, place in gone:
            before = [o for o in self.outages if o[1] == FAR and o[2:] == [place, start]]
            self.too_late += (end if before else start) < until
            if before:
                before[0][1] = max(end, until)
            else:
                self.outages.append([max(start, until), max(end, until), place, start])
        self.now = now

    def take(self, own, key, start, end, until):
        """Take one thing, unless it is too late."""
        known = own.get(key, {})
        if start < until and not known.get(start, -FAR) > until:
            self.too_late += 1
            return
        if known and all(s < until and e <= until for s, e in known.items()):
            self.number += 1  # it was over, and is counted: the same id is another thing now
            own[key[0], self.number] = own.pop(key)
        own.setdefault(key, {})[start] = end

    def wrong(self, rng):
        """Make calls that are refused, with things in them that are right."""
        later = self.when(self.now + 1)
        rows = {((self.services or [""])[0], f"w{self.now}"): self.now}
        rows = dict.fromkeys(rows.items(), FAR)
        right = [self.table(kind, rows) for kind in self.KINDS]
        gone = self.stretches([(self.now, FAR, "*")])
        stranger = aj.Alerts([later], service=["x"])
        other = aj.Alerts([5] if self.timed else ["2026-01-01"])
        calls = [
            ((right[0], stranger, later), {}), ((*right, None), {}), ((*right, "x"), {}),
            ((*right, later), {"series": 1}), ((*right, later), {"where": True}),
            ((*right[::-1], later), {}), ((right[0], [1], later), {}),
            ((*right, later), {"outages": [(1, 2, 3)]}), ((*right, later), {"outages": ["x"]}),
            ((*right, later), {"outages": aj.data.incidents.TimedRows([later], service=["x"])}),
            ((*right, self.when(self.now - 1)), {}), ((*right, [later]), {}),
        ]  # fmt: skip
        if self.services is None:
            calls.append(((right[0], other, later), {}))
        else:
            calls.append(((right[0], aj.Alerts([later]), later), {}))
        given, named = rng.choice(calls)
        refused(self.stream.update, *given, **{"outages": gone, **named})
        refused(self.stream.mark, 1, 2)

    def settle(self, rng):
        """Say that nothing more is told of the time up to now."""
        if rng.random() < 0.4:
            self.stream.settle()
            self.apply_policy = self.now

    def disturb(self, stream):
        """Live on with a copy."""
        key = (self.services or [""])[0], "disturbed"
        tables = [self.table(kind, {(key, self.now): self.now + 5}) for kind in self.KINDS]
        stream.update(*tables, self.when(self.now + 50))
        stream.settle()
        _ = stream.values

    def check(self):
        """Compare with the judgement of all that was told in time."""
        told, counts = self.stream.values, self.stream.counts
        assert counts["too_late"] == self.too_late, (counts, self.too_late)
        last = self.until
        if last <= 0:
            return
        places = self.services or [""]
        stretches = [(a, b, one) for a, b in self.watched or [(-99, 9999)] for one in places]
        outages = [one[:3] for one in self.outages]
        tables = []
        for kind in self.KINDS:
            rows = {(key, s): e for key, own in self.things[kind].items() for s, e in own.items()}
            rows[(places[0], "after the end"), last + 999] = (
                last + 1000
            )  # so that no table is empty
            tables.append(self.table(kind, rows))
        whole = aj.evaluate(
            *tables, self.specs, span=(self.when(0), self.when(last)), early=self.early_said,
            watched=self.stretches(stretches), outages=self.stretches(outages), chance=False,
            series=None if self.services else False,
        )  # fmt: skip
        for spec in self.specs:
            np.testing.assert_allclose(told[spec], whole[spec], rtol=1e-12, err_msg=spec)
        found = dict(whole.on_call)
        begun = [min(own) for own in self.things["incidents"].values()]
        found["unwatched"] -= 1 + sum(start >= last for start in begun)
        starts = [start for own in self.things["alerts"].values() for start in own]
        found["alerts_unwatched"] -= 1 + sum(start >= last for start in starts)
        for name in ("judged", "found", "missed", "unwatched", "alerts_right", "alerts_false",
                     "alerts_unwatched"):  # fmt: skip
            assert counts[name] == found[name], (name, counts, found)

    @property
    def early_said(self):
        """How early, as evaluate takes it."""
        return (minutes(self.early) if self.timed else self.early) or None


def begun(seed):
    """A world, and how it goes on."""
    rng = random.Random(seed)  # noqa: S311 - no secrets
    return rng.choice([Points, Alerts])(rng), rng


def lived(seed, world, rng, steps):
    """Let a world live for some steps; what happened, and what went wrong."""
    done = Counter([type(world).__name__])
    try:
        for _ in range(steps):
            done[world.act(rng)] += 1
        world.check()
    except Exception as error:  # noqa: BLE001 - whatever a stream does is told
        text = " ".join(str(error).split())
        return done, f"seed {seed}: {type(world).__name__}: {type(error).__name__}: {text[:300]}"
    return done, None


def go_on(path):
    """Let the streams of a file live on."""
    worlds = pickle.loads(path.read_bytes())  # noqa: S301 - our own
    found = [lived(*world, steps=20) for world in worlds]
    path.write_bytes(pickle.dumps(found))


def campaign(seed, count, *, restarts=True):
    """Let so many streams live; the counts of what was done, and what went wrong."""
    done, wrong = Counter(), []
    for first in range(0, count, TOGETHER):
        numbers = range(seed * 10**6 + first, seed * 10**6 + min(first + TOGETHER, count))
        worlds = [(number, *begun(number)) for number in numbers]
        found = [lived(*world, steps=20) for world in worlds]
        going = [one for one, (_, what) in zip(worlds, found, strict=True) if what is None]
        if restarts:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "streams"
                path.write_bytes(pickle.dumps(going))
                subprocess.run([sys.executable, __file__, "--go-on", str(path)], check=True)
                found += pickle.loads(path.read_bytes())  # noqa: S301 - our own
            done["in a second process"] += len(going)
        for counts, what in found:
            done += counts
            wrong += [what] if what else []
    return done, wrong


def main():
    """Read the options, run, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--go-on", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.go_on:
        go_on(options.go_on)
        return 0
    done, wrong = campaign(options.seed, options.count)
    print(f"{options.count} streams: {dict(sorted(done.items()))}, {len(wrong)} wrong")
    for line in wrong[:20]:
        print(line)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
