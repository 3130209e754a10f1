r"""Formulas of events and runs: what is found, what is right, what is matched with what."""

from itertools import pairwise, permutations

from .counts import (
    balanced,
    confusion,
    default_width,
    harmonic,
    levels,
    mean,
    overlap,
    ratio,
    runs,
    touches,
)

F = r"\frac{(1 + \beta^2) P R}{\beta^2 P + R}"


def f_of(name, slow):
    """F of a family's precision and recall; `slow` gives both."""
    return (
        F,
        f"P is `{name}_precision`, R `{name}_recall`",
        lambda *c, **s: harmonic(*slow(*c, **s)),
    )


def family(name, slow, precision, recall):
    """The three rows of a family, of formulas with words for both rates."""
    return {
        f"{name}_precision": (*precision, lambda *c, **s: slow(*c, **s)[0]),
        f"{name}_recall": (*recall, lambda *c, **s: slow(*c, **s)[1]),
        f"{name}_f1": f_of(name, slow),
    }


def _hit(labels, flags):
    return [any(flags[a:b]) for a, b in runs(labels)]


def _false_runs(labels, flags):
    return sum(not any(labels[a:b]) for a, b in runs(flags))


def _event(labels, flags):
    hit, alarms = _hit(labels, flags), len(runs(flags))
    return ratio(alarms - _false_runs(labels, flags), alarms), ratio(sum(hit), len(hit))


def _segment(labels, flags):
    hit = _hit(labels, flags)
    return ratio(sum(hit), sum(hit) + _false_runs(labels, flags)), ratio(sum(hit), len(hit))


def _composite(labels, flags):
    tp, fp, _, _ = confusion(labels, flags)
    return ratio(tp, tp + fp), mean(_hit(labels, flags))


def _revised(labels, flags):
    hit, (_, fp, _, _) = _hit(labels, flags), confusion(labels, flags)
    return ratio(sum(hit), sum(hit) + fp), mean(hit)


def eventwise(labels, flags):
    """Precision and recall of events, the former times the quiet share of normal points."""
    precision, recall = _segment(labels, flags)
    _, fp, _, tn = confusion(labels, flags)
    return precision * tn / (tn + fp), recall


def _overlap(labels, flags, tau=0.5):
    taken = set()
    for run in runs(flags):
        alike = {
            e: overlap(e, run) / (e[1] - e[0] + run[1] - run[0] - overlap(e, run))
            for e in runs(labels)
        }
        best = max(alike, key=alike.get)
        if alike[best] >= tau:
            taken.add(best)
    return ratio(len(taken), len(runs(flags))), ratio(len(taken), len(runs(labels)))


def _most_pairs(events, alarms, near):
    """Try every assignment of the shorter list to the longer one."""
    few, many = sorted((events, alarms), key=len)
    pair = near if few is events else lambda a, b: near(b, a)
    return max(sum(map(pair, few, chosen)) for chosen in permutations(many, len(few)))


def _collar(labels, flags, collar=5, slack=0.5):
    def near(event, run):
        room = max(collar, slack * (event[1] - event[0]))
        return abs(run[0] - event[0]) <= collar and abs(run[1] - event[1]) <= room

    events, alarms = runs(labels), runs(flags)
    pairs = _most_pairs(events, alarms, near)
    return ratio(pairs, len(alarms)), ratio(pairs, len(events))


def _intersected(labels, flags, dtc=0.5, gtc=0.5):
    """Events found, and runs that are too little anomalous."""
    valid = [(a, b) for a, b in runs(flags) if sum(labels[a:b]) / (b - a) >= dtc]
    found = sum(
        sum(overlap(event, run) for run in valid) / (event[1] - event[0]) >= gtc
        for event in runs(labels)
    )
    return found, len(runs(flags)) - len(valid)


def _intersection(labels, flags):
    found, false = _intersected(labels, flags)
    return ratio(found, found + false), ratio(found, len(runs(labels)))


def _psds(labels, scores, per=1000, max_rate=10):
    curve = []
    for level in levels(scores):
        flags = [s > level for s in scores]
        found, false = _intersected(labels, flags)
        curve.append((false * per / len(scores), found / len(runs(labels))))
    places = [*sorted({0, *(e for e, _ in curve if e < max_rate)}), max_rate]
    steps = pairwise(places)
    return sum((y - x) * max(r for e, r in curve if e <= x) for x, y in steps) / max_rate


def _tolerant(labels, flags, before=0, after=0):
    n, near, found = len(labels), set(), 0
    for a, b in runs(labels):
        stretch = range(max(a - before, 0), min(b + after, n))
        if any(flags[t] for t in stretch):
            found += 1
            near |= {*stretch}
    false = sum(not near & {*range(a, b)} for a, b in runs(flags))
    return ratio(found, found + false), ratio(found, len(runs(labels)))


def _balanced_events(labels, flags):
    w, hit = default_width(labels), _hit(labels, flags)
    marked = sum(m and not y for m, y in zip(balanced(labels, flags), labels, strict=True))
    return 2 * sum(hit) / (len(hit) + sum(hit) + marked / w)


def _taes(labels, flags):
    """Event by event in the order of time; an alarm is used by the first event that it touches."""
    events, alarms, hit, false = runs(labels), runs(flags), 0.0, 0.0
    while events:
        event, *events = events
        own = [alarm for alarm in alarms if touches(event, alarm)]
        if own and own[0][1] >= event[1]:
            own = own[:1]
            events = [other for other in events if not touches(other, own[0])]
        for alarm in own:
            inside, s = overlap(event, alarm), event[1] - event[0]
            hit += inside / s
            false += min(1, (alarm[1] - alarm[0] - inside) / s)
            alarms.remove(alarm)
    false += len(alarms)
    return ratio(hit, hit + false), hit / len(runs(labels))


_FOUND = "m of N events are hit"
FORMULAS = {
    **family(
        "event", _event,
        (r"\frac{n}{M}", "n of M flagged runs touch an event"),
        (r"\frac{m}{N}", _FOUND),
    ),
    "event_coverage": (
        r"\frac1m \sum_{\text{hit}} \frac{h}{s}", "h of the s points of an event are flagged, and m events are hit",
        lambda labels, flags: mean(sum(flags[a:b]) / (b - a) for a, b in runs(labels) if any(flags[a:b])),
    ),
    "event_f1_ba": (
        r"\frac{(1 + \beta^2)\, m}{\beta^2 N + m + C / w}",
        f"{_FOUND}, and islands of w points mark C normal ones",
        _balanced_events,
    ),
    **family(
        "segment", _segment,
        (r"\frac{m}{m + F}", "m events are hit, and F runs touch none"), (r"\frac{m}{N}", _FOUND),
    ),
    **family(
        "composite", _composite,
        (r"\frac{TP}{TP + FP}", "TP and FP are the flagged points that are anomalous, and that are not"),
        (r"\frac{m}{N}", _FOUND),
    ),
    **family(
        "revised", _revised,
        (r"\frac{m}{m + FP}", "m events are hit, and FP normal points are flagged"), (r"\frac{m}{N}", _FOUND),
    ),
    **family(
        "eventwise", eventwise,
        (r"\frac{m}{m + F} \cdot \frac{TN}{TN + FP}", "m events are hit, F runs touch none, and FP of the TN + FP normal points are flagged"),
        (r"\frac{m}{N}", _FOUND),
    ),
    **family(
        "overlap", _overlap,
        (r"\frac{p}{M}", "p of M runs, in the order of time, match the event most like them: |E ∩ A| / |E ∪ A| is at least `tau`, and no run before took it"),
        (r"\frac{p}{N}", "p of N events are matched"),
    ),
    **family(
        "collar", _collar,
        (r"\frac{p}{M}", "p is the largest number of pairs, one to one, of a run and an event that start at most `collar` apart and end at most the larger of `collar` and `slack` · s apart; M are the runs"),
        (r"\frac{p}{N}", "p are the pairs, and N the events"),
    ),
    **family(
        "intersection", _intersection,
        (r"\frac{m}{m + F}", "a run is valid if a share `dtc` of it or more is anomalous, F are not; m events lie to a share `gtc` or more in valid runs"),
        (r"\frac{m}{N}", "m of N events lie to a share `gtc` or more in valid runs"),
    ),
    "event_precision_tolerant": (
        r"\frac{m}{m + F}", "m events have a flag in [a - before, b + after), and F runs lie in none of these", lambda *c: _tolerant(*c)[0],
    ),
    "event_recall_tolerant": (
        r"\frac{m}{N}", "m of N events have a flag in [a - before, b + after)", lambda *c: _tolerant(*c)[1],
    ),
    "event_f1_tolerant": (
        F, "P is `event_precision_tolerant`, R `event_recall_tolerant`", lambda *c: harmonic(*_tolerant(*c)),
    ),
    "alarms_per_event": (
        r"\frac1m \sum_{\text{hit}} k", "k flagged runs lie in an event, cut to it, and m events are hit",
        lambda labels, flags: mean(len(runs(flags[a:b])) for a, b in runs(labels) if any(flags[a:b])),
    ),
    "psds": (
        r"\frac{1}{e} \int_0^e \max_{\gamma:\, x(\gamma) \le x} R(\gamma)\, dx",
        "R(γ) is `intersection_recall` at the threshold γ, x(γ) the runs that are not valid there, per `per` points, and e = `max_rate`",
        _psds,
    ),
    **family(
        "taes", _taes,
        (r"\frac{H}{H + F}", "H = Σ |E ∩ A| / s over events of s points and their alarms; F = Σ min(1, |A - E| / s) over these, plus 1 for each other alarm; "
         "events are taken in the order of time, an alarm once, and one that reaches the end of its event misses the others for it"),
        (r"\frac{H}{N}", "H as above, of N events"),
    ),
    "adc": (
        r"\frac1N \sum \frac{h}{s}", "h of the s points of an event are flagged",
        lambda labels, flags: mean(sum(flags[a:b]) / (b - a) for a, b in runs(labels)),
    ),
}  # fmt: skip
