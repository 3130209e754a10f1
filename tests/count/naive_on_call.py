"""Incidents and alerts counted one instant at a time, on whole numbers: slow, and plain to see.

A thing is the set of the instants that it lasts; a moment is a set of one.
"""


def instants(start, end):
    """The instants of a thing; one that has no length has one."""
    return set(range(start, max(end, start + 1)))


def watched_by(span, outages, service):
    """The instants at which a service was watched."""
    dark = set()
    for start, end, where in outages:
        if where in ("*", service):
            dark |= set(range(start, end))
    return set(range(*span)) - dark


def count(incidents, alerts, span, outages, early=0):
    """Say of each incident how it was found, and of each alert whether it was right.

    Incidents and alerts are triples (start, end, service); an end may be None.
    """
    last = span[1]
    incidents = [(a, max(a + 1, last) if b is None else b, s) for a, b, s in incidents]
    alerts = [(a, max(a, last) if b is None else b, s) for a, b, s in alerts]
    found, right = [], []
    for start, end, service in incidents:
        eyes = watched_by(span, outages, service)
        seen = set(range(start, end)) & eyes
        if not seen:
            found.append(("unwatched", None))
            continue
        hits = [
            a for a, b, s in alerts
            if s == service and (instants(a, b) & seen or 0 < start - a <= early)
        ]  # fmt: skip
        delay = None
        if hits and start in eyes:
            delay = min(hits) - start if min(hits) - start >= -early else 0
        found.append(("found" if hits else "missed", delay))
    for a, b, service in alerts:
        if a not in watched_by(span, outages, service):
            right.append("not counted")
            continue
        meets = any(
            s == service and (instants(a, b) & set(range(x, y)) or 0 < x - a <= early)
            for x, y, s in incidents
        )
        right.append("right" if meets else "false")
    return found, right


def lengths(truth, alerts, joints, width):
    """Found, true and false time on a line, in cells of length one; ends are whole numbers."""
    line = range(joints[-1])
    inside = {cell for start, end in truth for cell in range(start, end)}
    stretch = [max(j for j in joints if j <= cell) for cell in line]
    stretches = []
    for cell in sorted(inside):
        if stretches and stretches[-1][-1] == cell - 1:
            stretches[-1].append(cell)
        else:
            stretches.append([cell])
    touched = {cell for start, end in alerts for cell in instants(start, end)}
    found = sum(len(one) for one in stretches if set(one) & touched)
    half, rest = width // 2, width - width // 2
    false = set()
    for start, end in alerts:
        parts = [(cell, cell + 1) for cell in range(start, end) if cell not in inside]
        if start == end and start not in inside:
            parts = [(start, end)]
        for x, y in parts:
            false |= {
                cell for cell in range(x - half, y + rest)
                if cell in line and cell not in inside and stretch[cell] == stretch[x]
            }  # fmt: skip
    return found, len(inside), len(false)
