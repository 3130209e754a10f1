"""The simulator once more: slowly, one point at a time, with the same random draws."""

import math


def labels(widths, gaps):
    """Normal points and events in turn."""
    points = [0] * gaps[0]
    for width, gap in zip(widths, gaps[1:], strict=True):
        points += [1] * width + [0] * gap
    return points


def latent(detections, n, *, step=1):
    """Mark every step-th point of each detection (start, width)."""
    marked = [False] * n
    for start, width in detections:
        for offset in range(0, width, step):
            if 0 <= start + offset < n:
                marked[start + offset] = True
    return marked


def averaged(values, points):
    """The centred moving average; beyond the ends lie zeros."""
    half = points // 2
    averages = []
    for t in range(len(values)):
        window = [values[u] for u in range(t - half, t + half + 1) if 0 <= u < len(values)]
        averages.append(math.fsum(window) / points)
    return averages


def averaged_within(values, points):
    """The same over the points that exist."""
    half = points // 2
    averages = []
    for t in range(len(values)):
        window = values[max(0, t - half) : t + half + 1]
        averages.append(math.fsum(window) / len(window))
    return averages


def scored(latent, shares, regular, detected, smoothing):
    """Score points by their own range, then smooth them all together."""
    raw = []
    for seen, share in zip(latent, shares, strict=True):
        low, high = detected if seen else regular
        raw.append(low + (high - low) * share)
    return averaged(raw, smoothing)


def scored_apart(latent, shares, regular, detected, smoothing):
    """Score and smooth as if all points were of one kind, then take each point's own."""
    kinds = []
    for low, high in (regular, detected):
        kinds.append(averaged_within([low + (high - low) * share for share in shares], smoothing))
    return [kinds[1 if seen else 0][t] for t, seen in enumerate(latent)]


def autoregressive(noise, correlation):
    """Each value is the one before, weakened, and a new part; the variance stays one."""
    series = [noise[0]]
    for part in noise[1:]:
        series.append(correlation * series[-1] + math.sqrt(1 - correlation**2) * part)
    return series


def quantile(values, share):
    """The value below which the share lies, between neighbours by proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
