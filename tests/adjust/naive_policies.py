"""Alarm policies by a state machine, point by point and threshold by threshold."""

import math


def firing(scores, at, times, **settings):
    """Whether the alert fires at each point; NaN: no score. Durations are in the unit of times."""
    return [since is not None for since in pending(scores, at, times, **settings)]


def pending(scores, at, times, *, after=0, keep=0, k=1, of=1, clear=None, drop=None, missing="off"):
    """Since when the alert that fires at each point was pending; None: none fires."""
    states, seen = [], []
    begun = None
    since = ended = None  # since when it is on without a break, and since when it is not
    fires = False
    absent = -math.inf if missing == "off" else math.inf
    for score, now in zip(scores, times, strict=True):
        if math.isnan(score) and missing == "hold":
            states.append(begun if fires else None)
            continue
        seen = [*seen, absent if math.isnan(score) else score][-of:]
        high = sorted(seen, reverse=True)[k - 1] if len(seen) >= k else -math.inf
        on = high > at
        since = (now if since is None else since) if on else None
        if fires:
            on = on or (clear is not None and high > clear)
            on = on or (drop is not None and high + drop > at)
            ended = None if on else now if ended is None else ended
            fires = ended is None or now - ended < keep
        if not fires and since is not None and now - since >= after:
            fires, ended, begun = True, None, since
        states.append(begun if fires else None)
    return states


def runs(flags):
    """Start and stop of each alert."""
    edges = [place for place in range(len(flags) + 1) if _at(flags, place) != _at(flags, place - 1)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _at(flags, place):
    return 0 <= place < len(flags) and bool(flags[place])


def pages(flags, *, shortest=None, merge=None, cooldown=None, wait=None, interval=None):
    """Which points of a series belong to a page; all lengths are points."""
    alerts = [a for a in runs(flags) if shortest is None or a[1] - a[0] >= shortest]
    if merge is not None:
        joined = []
        for start, stop in alerts:
            if joined and start - joined[-1][1] <= merge:
                joined[-1] = (joined[-1][0], stop)
            else:
                joined.append((start, stop))
        alerts = joined
    if cooldown is not None:
        kept = []
        for start, stop in alerts:
            if not kept or start - kept[-1][0] >= cooldown:
                kept.append((start, stop))
        alerts = kept
    if wait is not None:
        alerts = [
            (max(start, told), stop) for (start, stop), told in notified(alerts, wait, interval)
        ]
    return [any(start <= place < stop for start, stop in alerts) for place in range(len(flags))]


def notified(alerts, wait, interval):
    """Each alert with when it is told, by a clock that ticks through a group."""
    found, waiting, open_, tick = [], [], [], None
    end = max((stop for _, stop in alerts), default=0) + wait + 2 * interval
    for now in range(end + 1):
        for alert in alerts:
            if alert[0] == now:
                tick = now + wait if tick is None else tick
                waiting.append(alert)
        if now == tick:
            found += [(alert, now) for alert in waiting]
            open_, waiting = [a for a in open_ + waiting if a[1] > now], []
            tick = now + interval if open_ else None
    return found
