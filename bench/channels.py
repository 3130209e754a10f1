"""Whether verdicts about several channels are right, and what many channels cost.

``python bench/channels.py calibration [RUNS]`` judges detectors that know nothing: how often is p
at most .05?
``python bench/channels.py growth`` judges ever more points and channels: CPU time and memory.
"""

import resource
import subprocess
import sys
import time

import numpy as np

import adjudge as aj
from adjudge.data.channels import channel_cases
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import chance_line
from adjudge.noise.p_values import NullTest
from adjudge.noise.renamed_channels import renamed_values
from adjudge.noise.shifting.shifted_case import CaseShifts

METRICS = (
    "any_channel(f1)",
    "any_channel(event_f1)",
    "micro(f1)",
    "macro(f1)",
    "channel_f1",
    "channel_f1(beta=0.5)",
    "cause_hit_rate",
    "incident_f1",
    "channel_adtqc",
)
SCENES = {  # points, channels, events, alarms, share of alike channels
    "six alike": (300, 6, 4, 4, 1.0),
    "seven of ten alike": (300, 10, 4, 4, 0.7),
    "six apart": (300, 6, 4, 4, 0.0),
    "eight, longer": (1500, 8, 8, 12, 0.6),
}


def runs_of(rng, n, count, longest=15):
    flags = np.zeros(n, int)
    for start in rng.integers(0, n, count):
        flags[start : start + rng.integers(3, longest)] = 1
    return flags


def blind(rng, n, channels, events, alarms, alike):
    """Labels and alarms that know nothing of each other; alike channels share both."""
    labels, flags = (
        np.stack(
            [one if i < alike * channels else runs_of(rng, n, count) for i in range(channels)],
            axis=1,
        )
        for count in (events, alarms)
        for one in [runs_of(rng, n, count)]
    )
    return labels, flags


def which_only(rng, n, channels, events):
    """A detector that finds every event, on channels at random; each event is on one or two."""
    labels, flags = np.zeros((2, n, channels), int)
    for start in np.arange(events) * (n // events) + 10:
        labels[start : start + 12, rng.choice(channels, rng.integers(1, 3), replace=False)] = 1
        flags[start : start + 12, rng.choice(channels, rng.integers(1, 3), replace=False)] = 1
    return labels, flags


def p_of(metric, case):
    """The larger of the p-values everywhere and nearby, as a verdict takes it."""
    if metric.across == "any_channel":
        shifting, metric = CaseShifts(case.joined), metric.per_channel
    else:
        shifting = CaseShifts(case)
    value = metric.reading(shifting.case).value
    line = chance_line(metric, shifting, value, Ask())
    return line.p_value, line.p_joint


def calibration(runs):
    for scene, (n, channels, events, alarms, alike) in SCENES.items():
        rng, names = np.random.default_rng(17), [f"c{i}" for i in range(channels)]
        small = {name: [0, 0] for name in METRICS}
        for _ in range(runs):
            labels, flags = blind(rng, n, channels, events, alarms, alike)
            scores = flags + 0.1 * rng.random(flags.shape)
            for name in METRICS:
                metric = aj.metric(name)
                (case,) = channel_cases(
                    labels, scores if metric.row.needs == "scores" else flags, names
                )
                for place, p in enumerate(p_of(metric, case)):
                    small[name][place] += p <= 0.05
        print(
            f"{scene} ({n} points, {channels} channels), {runs} runs: "
            "p <= .05 everywhere / with nearby"
        )
        for name, (alone, joint) in small.items():
            print(f"  {name:24} {alone / runs:.3f} / {joint / runs:.3f}", flush=True)
    renamed(runs)


def renamed(runs):
    rng, channels = np.random.default_rng(5), 6
    names, small = [f"c{i}" for i in range(channels)], {"channel_f1": 0, "cause_hit_rate": 0}
    means = dict.fromkeys(small, 0.0)
    for _ in range(runs):
        labels, flags = which_only(rng, 400, channels, 8)
        for name in small:
            metric = aj.metric(name)
            given = flags + 0.1 * rng.random(flags.shape) if name.startswith("cause") else flags
            (case,) = channel_cases(labels, given, names)
            null, value = renamed_values(metric, case), metric.reading(case).value
            small[name] += NullTest.of(value, null, "higher").p <= 0.05
            means[name] += value / runs
    print(f"right times, channels at random, names permuted, {runs} runs: p <= .05")
    for name, count in small.items():
        print(f"  {name:24} {count / runs:.3f} (mean value {means[name]:.2f})", flush=True)


SIZES = ((100_000, 5), (100_000, 50), (1_000_000, 5), (1_000_000, 10), (1_000_000, 50))
GROWN = ("any_channel(f1_ba)", "micro(f1)", "macro(f1)", "channel_f1", "cause_hit_rate")


def growth():
    """Each size without and with chance in a process of its own, whose most memory is known."""
    print("points x channels: CPU seconds of each metric, and most memory (GB) with the input")
    for size in SIZES:
        for chance in ("0", "1"):
            asked = [sys.executable, __file__, "grown", *map(str, size), chance]
            subprocess.run(asked, check=True)  # noqa: S603 - this script


def grown(n, channels, chance):
    rng, used = np.random.default_rng(0), []
    labels = np.zeros((n, channels), bool)
    for place, start in enumerate(range(1000, n - 1000, n // 50)):
        labels[start : start + 200, [place % channels, (place + 1) % channels]] = True
    scores = rng.normal(size=(n, channels)).astype(np.float32)
    scores[labels] += 2
    given = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    for name in GROWN:
        begun = time.process_time()
        at = None if name.startswith("cause") else 3.0
        names = [f"c{i}" for i in range(channels)]
        aj.evaluate(labels, scores, name, at=at, channels=names, chance=chance)
        used.append(f"{name} {time.process_time() - begun:.2f}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    what = "with chance" if chance else "values"
    print(
        f"  {n:>9,} x {channels:<3} {what:12} {', '.join(used)}; {most:.2f} ({given:.2f} given)",
        flush=True,
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["growth"]:
        growth()
    elif sys.argv[1:2] == ["grown"]:
        grown(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "1")
    else:
        calibration(int(sys.argv[2]) if len(sys.argv) > 2 else 400)
