"""The authors' draws once more: one detection and one point at a time."""

import numpy as np


def experiments(count, guard, seed=121):
    """Labels and scores of the first experiments."""
    rng = np.random.default_rng(seed)
    spread, false_alarms = 0.0, 0
    for number in range(count):
        events = int(rng.integers(10, 24))
        gaps = [int(rng.integers(200, 1000)) for _ in range(events + 1)]
        widths = [int(rng.integers(50, 100)) for _ in range(events)]
        spread = (spread + 0.0127) % 0.5
        hits = int(rng.integers(0, events))
        if number > 0 and number % 750 == 0:
            false_alarms += 1
        labels = [0] * gaps[0]
        for width, gap in zip(widths, gaps[1:], strict=True):
            labels += [1] * width + [0] * gap
        detected = [False] * len(labels)
        if false_alarms:
            mark(detected, false_detections(rng, labels, gaps, false_alarms, guard))
        if hits:
            mark(detected, true_detections(rng, labels, widths, hits, guard))
        quiet, loud = rng.random(len(labels)), rng.random(len(labels))
        raw = [
            (0.75 - spread) + (1 - (0.75 - spread)) * b if d else (0.25 + spread) * a
            for d, a, b in zip(detected, quiet.tolist(), loud.tolist(), strict=True)
        ]
        yield labels, np.convolve(raw, np.ones(15) / 15, "same").tolist()


def stretches(labels, kind):
    """First point and length of each run of a label."""
    found = []
    for point, label in enumerate(labels):
        if label == kind:
            if point == 0 or labels[point - 1] != kind:
                found.append([point, 0])
            found[-1][1] += 1
    return found


def false_detections(rng, labels, gaps, count, guard):
    places = [point for point, label in enumerate(labels) if not label]
    tries = []
    for _ in range(5):
        chosen = sorted(rng.choice(len(places), count, replace=False).tolist())
        widths = rng.integers(2, 5, size=count).tolist()
        found = [
            home(labels, places[at], width, 0) for at, width in zip(chosen, widths, strict=True)
        ]
        tries.append((smallest_share(found, guard), found))
        if len({first for _, _, _, first, _ in found}) == count:
            break
    return best(tries, guard)


def true_detections(rng, labels, widths, hits, guard):
    events = stretches(labels, 1)
    tries = []
    for _ in range(5):
        chosen = rng.choice(len(events), hits, replace=False).tolist()
        offsets = [int(rng.integers(0, widths[event])) for event in chosen]
        spans = rng.integers(10, 25, size=hits).tolist()
        drawn = zip(chosen, offsets, spans, strict=True)
        found = [home(labels, events[event][0] + offset, span, 1) for event, offset, span in drawn]
        tries.append((smallest_share(found, guard), found))
        if tries[-1][0] >= 0.3:
            break
    return best(tries, guard)


def home(labels, start, width, kind):
    """Start, width and points inside, then the first point and the length of the stretch."""
    for first, length in stretches(labels, kind):
        if first <= start < first + length:
            return start, width, min(width, first + length - start), first, length
    raise AssertionError(start)


def smallest_share(found, guard):
    counted = [inside for _, _, inside, _, _ in found if inside >= guard]
    lengths = [length for *_, length in found]
    return min((a / b for a, b in zip(counted, lengths, strict=False)), default=0.0)


def best(tries, guard):
    share, found = max(tries, key=lambda one: one[0])
    return [one for one in found if share > 0 and one[2] >= guard]


def mark(detected, found):
    for start, width, *_ in found:
        for point in range(start, min(start + width, len(detected))):
            detected[point] = True
