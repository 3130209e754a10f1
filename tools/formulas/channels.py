r"""Formulas of several channels: columns of labels and of flags or scores."""

from itertools import permutations
from math import isnan, log2

from .counts import harmonic, mean, ratio, runs
from .elsewhere import timing
from .events import F, eventwise
from .ranges import of_zone, zones


def _any(table):
    return [int(any(row)) for row in table]


def _events(labels):
    """Stretches in which any channel is anomalous, and the channels that are."""
    found = runs(_any(labels))
    return [(a, b, {c for row in labels[a:b] for c, y in enumerate(row) if y}) for a, b in found]


def _cells(labels, flags, groups):
    """Precision and recall of the groups of channels that alarm during each event."""
    for a, b, own in _events(labels):
        affected = {g for g, members in groups.items() if own & members}
        alarm = {
            g for g, members in groups.items() if any(row[c] for row in flags[a:b] for c in members)
        }
        both = len(affected & alarm)
        yield ratio(both, len(alarm)) if alarm else 0.0, ratio(both, len(affected))


def _channels(labels, flags):
    return list(_cells(labels, flags, {c: {c} for c in range(len(labels[0]))}))


def _subsystems(labels, flags):
    return list(_cells(labels, flags, {"wet": {0, 1}, "dry": {2}}))


def _of_groups(stem, cells):
    what = {"channel": "channels", "subsystem": "subsystems"}[stem]
    words = f"TP {what} have a part in event e and an alarm during it, FP only an alarm, FN only a part; of N events"
    return {
        f"{stem}_precision": (r"\frac1N \sum_e \frac{TP_e}{TP_e + FP_e}", words, lambda *c: mean(p for p, _ in cells(*c))),
        f"{stem}_recall": (r"\frac1N \sum_e \frac{TP_e}{TP_e + FN_e}", words, lambda *c: mean(r for _, r in cells(*c))),
        f"{stem}_f1": (
            r"\frac1N \sum_e \frac{(1 + \beta^2)\, TP_e}{(1 + \beta^2)\, TP_e + \beta^2 FN_e + FP_e}", words,
            lambda *c: mean(harmonic(p, r) for p, r in cells(*c)),
        ),
    }  # fmt: skip


def _incident(labels, flags):
    return eventwise(_any(labels), _any(flags))


def _affiliation(labels, flags):
    """A zone counts once for each row of its event: a run of anomalous points on a channel."""
    values = []
    for event, zone in zones(_any(labels)):
        precision, recall = of_zone(event, zone, _any(flags))
        values.append((0.5 if isnan(precision) else precision, recall))
    return mean(p for p, _ in values), mean(r for _, r in values)


def _alarming(labels, flags):
    flags = _any(flags)
    alarms = [len(runs(flags[a:b])) for a, b in runs(_any(labels))]
    found = [k for k in alarms if k]
    return ratio(len(found), sum(found))


def _timing(labels, flags):
    values, begins = [], [a for a, _, _ in _events(labels)]
    for k, (a, b, own) in enumerate(_events(labels)):
        first = [
            p
            for c in own
            for p, q in runs([row[c] for row in flags])
            if any(labels[t][c] for t in range(max(p, a), min(q, b)))
        ]
        values += [
            timing(p - a, b - a, a - begins[k - 1] if k else b - a) for p in sorted(first)[:1]
        ]
    return mean(values)


def _orders(scores):
    """All orders from the highest score down: equal scores in each."""
    falling = sorted(scores, reverse=True)
    return [o for o in permutations(range(len(scores))) if [scores[c] for c in o] == falling]


def _ranked(worth):
    """The mean over events of what their mean scores on the channels say of the causes."""

    def value(labels, scores):
        found = []
        for a, b, causes in _events(labels):
            means = [mean(column) for column in zip(*scores[a:b], strict=True)]
            found.append(mean(worth(order, causes) for order in _orders(means)))
        return mean(found)

    return value


def _hit_rate(order, causes, k=None):
    return len(causes & {*order[: k or len(causes)]}) / len(causes)


def _ndcg(order, causes):
    gain = sum(1 / log2(i + 2) for i, c in enumerate(order[: len(causes)]) if c in causes)
    return gain / sum(1 / log2(i + 2) for i in range(len(causes)))


def _average(order, causes, k=5):
    return mean(_hit_rate(order, causes, j) for j in range(1, k + 1))


_RANKED = "channels stand in the order of their mean score during the event; where scores are equal, the mean over the orders"
_ZONE = "P and R of an event are those of the affiliation of its zone, with the alarms of all channels as one (1/2 and 0 without an alarm)"
FORMULAS = {
    **_of_groups("channel", _channels),
    **_of_groups("subsystem", _subsystems),
    "incident_precision": (
        r"\frac{m}{m + F} \cdot \frac{TN}{TN + FP}", "m events are found on any channel, F alarms touch no event, and FP of the TN + FP normal points are flagged", lambda *c: _incident(*c)[0],
    ),
    "incident_recall": (r"\frac{m}{N}", "m of N events are found on any channel", lambda *c: _incident(*c)[1]),
    "incident_f1": (F, "P is `incident_precision`, R `incident_recall`", lambda *c: harmonic(*_incident(*c))),
    "incident_affiliation_precision": (r"\frac1N \sum_e P_e", _ZONE, lambda *c: _affiliation(*c)[0]),
    "incident_affiliation_recall": (r"\frac1N \sum_e R_e", _ZONE, lambda *c: _affiliation(*c)[1]),
    "incident_affiliation_f1": (
        F, "P is `incident_affiliation_precision`, R `incident_affiliation_recall`", lambda *c: harmonic(*_affiliation(*c)),
    ),
    "alarming_precision": (r"\frac{m}{m + k}", "m events are found, and k alarms come after the first in a piece of one", _alarming),
    "channel_adtqc": (
        r"\frac1m \sum q(x), q(x) = (1 + x / r)^e \text{ for } -r < x \le 0, 1 / (1 + (x / (w - x))^e) \text{ for } 0 < x < w, \text{ else } 0",
        "x is the start of the first alarm on a channel of an event, from the event's start; w the event's length, r the smaller of w and the distance from the start of the event before; m events have one",
        _timing,
    ),
    "cause_hit_rate": (r"\frac1N \sum_e \frac{|C \cap T_k|}{|C|}", f"C are an event's channels, T the first k = p |C| / 100 channels; {_RANKED}", _ranked(_hit_rate)),
    "cause_ndcg": (
        r"\frac1N \sum_e \frac{\sum_{i \le k,\, c_i \in C} 1 / \log_2(i + 1)}{\sum_{i \le \min(k, |C|)} 1 / \log_2(i + 1)}",
        f"C are an event's channels, c the i-th of the first k = p |C| / 100; {_RANKED}", _ranked(_ndcg),
    ),
    "cause_in_top": (
        r"\frac1N \sum_e [C \cap T_k \ne \emptyset]", f"C are an event's channels, T the first `k`; {_RANKED}", _ranked(lambda order, causes: bool(causes & {*order[:3]})),
    ),
    "cause_recall_at_k": (
        r"\frac1N \sum_e \frac{|C \cap T_k|}{|C|}", f"C are an event's channels, T the first `k`; {_RANKED}", _ranked(lambda order, causes: _hit_rate(order, causes, 5)),
    ),
    "cause_average_at_k": (r"\frac1k \sum_{j=1}^{k} r_j", "r is `cause_recall_at_k` of the first j", _ranked(_average)),
}  # fmt: skip
