"""Small cases for hypothesis: few points, common ties, favoured edges.

In the plain profile a case is drawn from one seed, which takes a tenth of the time but cannot be
made smaller when a law fails; with ``--hypothesis-profile=thorough`` hypothesis draws every number
itself and shows the smallest case that fails.
"""

import random
from functools import partial

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import naive
from adjudge.adjust.adjustments import Covered, Delayed, Dilated, point_adjusted, raw
from adjudge.adjust.balanced import Balanced
from count.naive_segments import delayed
from count.naive_tolerance import covered_near

READINGS = ("normal", "spill", "all")

ADJUSTMENTS = {
    "raw": (raw, naive.raw),
    "point_adjusted": (point_adjusted, naive.point_adjusted),
    **{
        f"Covered({k}, {strict})": (Covered(k, strict), partial(naive.covered, k=k, strict=strict))
        for k in (0.01, 0.1, 0.2, 0.4, 0.5, 0.75, 1.0)
        for strict in (False, True)
    },
    **{
        f"Balanced({width}, {islands}, {margin})": (
            Balanced(width, islands, margin),
            partial(naive.balanced, width=width, islands=islands, margin=margin),
        )
        for width in (None, 1, 2, 3, 4, 7, 50)
        for islands in READINGS
        for margin in (0, 1, 3)
    },
    **{
        f"Balanced({width}, {reading}, {margin})": (
            Balanced(width, margin=margin, reading=reading),
            partial(naive.balanced, width=width, margin=margin, reading=reading),
        )
        for width in (None, 1, 2, 3, 4, 7, 50)
        for reading in ("printed", "authors")
        for margin in (0, 2)
    },
    **{
        f"Balanced({width}, {margin}, shift)": (
            Balanced(width, margin=margin, border="shift"),
            partial(naive.shifted, width=width, margin=margin),
        )
        for width in (None, "iid", 1, 2, 3, 4, 7, 50)
        for margin in (0, 1, 3)
    },
    "Balanced(iid)": (Balanced("iid"), partial(naive.balanced, width="iid")),
    **{f"Delayed({k})": (Delayed(k), partial(delayed, k=k)) for k in (1, 2, 5, None)},
    **{
        f"Covered({k}, tolerance={tolerance})": (
            Covered(k, tolerance=tolerance),
            partial(covered_near, k=k, tolerance=tolerance),
        )
        for k in (0.1, 0.5)
        for tolerance in (0, 1, 3)
    },
    **{f"Dilated({w})": (Dilated(w), partial(naive.dilated, width=w)) for w in (1, 2, 5, 40)},
}


def cases(**options):
    """Labels, scores (small integers, or 0/1), series ids and judged points."""
    if settings.get_current_profile_name() == "plain":
        return st.integers(0, 2**32 - 1).map(partial(case_from_seed, **options))
    return shrinking_cases(**options)


def case_from_seed(seed, *, flags=False, series=True, where=True, least=1, most=24):
    rng = random.Random(seed)  # noqa: S311 - small cases, no secrets
    n = rng.randint(least, rng.randint(least, most))
    labels = []
    while len(labels) < n:
        labels += [rng.random() < 0.4] * rng.randint(1, 6)
    scores = rng.choices(range(2 if flags else rng.choice([2, 4, 41])), k=n)
    ids = np.cumsum(rng.choices([0, 1], k=n)).tolist() if series and rng.random() < 0.5 else None
    kept = rng.choices([False, True], k=n) if where and rng.random() < 0.5 else None
    return labels[:n], scores, ids, kept if kept and any(kept) else None


@st.composite
def shrinking_cases(draw, *, flags=False, series=True, where=True, least=1, most=24):
    n = draw(st.integers(least, most))
    runs = draw(st.lists(st.tuples(st.booleans(), st.integers(1, 6)), min_size=1))
    labels = [label for label, length in runs for _ in range(length)]
    labels = (labels + draw(st.lists(st.booleans(), min_size=n, max_size=n)))[:n]
    top = 1 if flags else draw(st.sampled_from([1, 3, 40]))
    scores = draw(st.lists(st.integers(0, top), min_size=n, max_size=n))
    ids = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) if series else [0] * n
    ids = np.cumsum(ids).tolist() if draw(st.booleans()) else None
    kept = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if where else None
    kept = kept if kept and any(kept) and draw(st.booleans()) else None
    return labels, scores, ids, kept
