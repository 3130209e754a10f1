"""Streams: 1e8 points in constant memory, and what a point costs.

    python bench/streams.py [POINTS]

Prints the largest memory of the process after each tenth of the points, and the CPU time of a
point in chunks of 100,000 and one by one. Then what an alert costs under an incident that stays
open, and a mark while many points wait: both must not grow.
"""

import resource
import sys
import time

import numpy as np

import adjudge as aj

METRICS = ["f1", "f1_pa", "f1_kpa", "f1_ba(width=101)", "event_f1", "detection_delay"]
CHUNK = 100_000


def megabytes():
    """The largest memory that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(points):
    """Judge so many points, drawn chunk by chunk."""
    rng, stream = np.random.default_rng(0), aj.Stream(METRICS, at=0.999)
    done, spent = 0, 0.0
    for tenth in range(1, 11):
        while done < points * tenth // 10:
            count = min(CHUNK, points - done)
            scores = rng.random(count)
            labels = np.repeat(rng.random(-(-count // 50)) < 0.02, 50)[:count]
            begun = time.process_time()
            stream.update(labels, scores)
            spent += time.process_time() - begun
            done += count
        print(f"{done:>12,} points  {megabytes():6.1f} MB at most  {spent / done * 1e9:6.1f} ns")
    print(stream)
    stream, begun = aj.Stream(METRICS, at=0.999), time.process_time()
    for score in scores[:20_000].tolist():
        stream.update(0, score)
    one = (time.process_time() - begun) / 20_000
    print(f"one by one: {one * 1e6:.1f} us of CPU time a point, {len(METRICS)} metrics")


def grows():
    """Print what alerts and marks cost, the more there are."""
    for count in (2_000, 8_000, 32_000):
        stream = aj.Stream("event_precision", since=0)
        stream.update(aj.Incidents([1], [None], id=["open"]), None, 2)
        begun = time.process_time()
        for now in range(3, count + 3):
            stream.update(None, aj.Alerts([now - 1], [now]), now)
        alert = (time.process_time() - begun) / count
        stream = aj.Stream("f1", at=0.5, lateness=10 * count)
        stream.update(None, np.zeros(10 * count))
        begun = time.process_time()
        for start in range(0, 10 * count, 10):
            stream.mark(start, start + 5)
        mark = (time.process_time() - begun) / count
        print(f"{count:>8,} alerts: {alert * 1e6:.0f} us each; marks: {mark * 1e6:.0f} us each")


if __name__ == "__main__":
    grows()
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8)
