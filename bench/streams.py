"""Streams: 1e8 points in constant memory, and what a point costs.

    python bench/streams.py [POINTS]

Prints the largest memory of the process after each tenth of the points, and the CPU time of a
point in chunks of 100,000 and one by one.
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


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8)
