"""The laws that a row may claim, each as a check of one small case.

A check takes ``value(labels, scores) -> float`` and a case, and says whether the law holds there
(None: the case says nothing about it). The doubles at the end break one law each.
"""

import math

import numpy as np

ROOM = 40  # quiet points at both ends: more than any island of these small cases reaches


def same(a, b):
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)


def perfect(value, labels, scores, rng):
    """Scores that equal the labels are never beaten, and reach 1."""
    if labels.all() or not labels.any():
        return None
    return same(value(labels, labels), 1.0)


def nothing(value, labels, scores, rng):
    """No flags at all score 0, or nothing."""
    if labels.all() or not labels.any():
        return None
    found = value(labels, np.zeros_like(scores))
    return bool(math.isnan(found) or found == 0)


def monotone(value, labels, scores, rng):
    """One normal point scored higher, or one anomalous point lower, never raises the value."""
    worse = scores.copy()
    at = rng.integers(labels.size)
    worse[at] = scores.min() if labels[at] else scores.max()
    before, after = value(labels, scores), value(labels, worse)
    if math.isnan(before) or math.isnan(after):
        return None
    return bool(after <= before + 1e-12)


def reversal(value, labels, scores, rng):
    """Reading time backwards changes nothing."""
    return same(value(labels, scores), value(labels[::-1], scores[::-1]))


def quiet(value, labels, scores, rng):
    """More quiet, normal time after the end changes nothing."""
    labels, scores = roomy(labels, scores)
    more = int(rng.integers(1, 30))
    longer = np.append(labels, np.zeros(more, labels.dtype))
    return same(value(labels, scores), value(longer, np.append(scores, np.zeros(more))))


def doubling(value, labels, scores, rng):
    """The same series twice, with quiet time between, scores the same as once."""
    labels, scores = roomy(labels, scores)
    between = np.zeros(int(rng.integers(1, 30)))
    twice = np.concatenate([labels, between, labels]).astype(labels.dtype)
    return same(value(labels, scores), value(twice, np.concatenate([scores, between, scores])))


def roomy(labels, scores):
    """Put quiet time at both ends, so that no island is clipped there."""
    silence = np.zeros(ROOM)
    return (
        np.concatenate([silence, labels, silence]).astype(labels.dtype),
        np.concatenate([silence, scores, silence]),
    )


LAWS = {law.__name__: law for law in (perfect, nothing, monotone, reversal, quiet, doubling)}


def draw(rng, *, flags):
    """Draw a small case: short runs of labels, scores with many ties."""
    n = int(rng.integers(1, 20))
    labels = np.repeat(rng.integers(0, 2, n), rng.integers(1, 5, n))[:n]
    top = 2 if flags or rng.random() < 0.3 else int(rng.integers(2, 8))
    return labels, rng.integers(0, top, n).astype(float)


def first_violation(law, value, *, flags, tries=3000, seed=0):
    """Search for a case in which the law does not hold."""
    rng = np.random.default_rng(seed)
    for _ in range(tries):
        labels, scores = draw(rng, flags=flags)
        if law(value, labels, scores, rng) is False:
            return labels.tolist(), scores.tolist()
    return None


def double_of(law):
    """Give a metric that breaks just this law: pointwise F1 with a fault."""
    return {
        "perfect": lambda labels, scores: 0.99 * f1(labels, scores),
        "nothing": lambda labels, scores: 0.5 + 0.5 * f1(labels, scores),
        "monotone": lambda labels, scores: f1(labels, scores) + 0.5 * np.sum(scores > labels),
        "reversal": lambda labels, scores: f1(labels[1:], scores[1:]),
        "quiet": lambda labels, scores: float(np.mean(labels == (scores > 0))),
        "doubling": lambda labels, scores: f1(labels, scores) / (1 + np.sum(labels)),
    }[law]


def f1(labels, scores):
    flags = scores > 0
    both = np.sum(labels) + np.sum(flags)
    return float(2 * np.sum(flags & (labels > 0)) / both) if both else math.nan
