"""Names of results for trackers of experiments, the same whatever the data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """Write names with letters, digits, ``_`` and ``-`` alone, each still by itself.

    MLflow refuses brackets, and DVC takes a dot for a step into a tree.

    >>> safe_names(["best(f1_ba(width=5))", "f1_kpa(k=0.2)", "my det", "my.det"])
    {'best(f1_ba(width=5))': 'best_f1_ba_width_5', 'f1_kpa(k=0.2)': 'f1_kpa_k_0_2', \
'my det': 'my_det', 'my.det': 'my_det_2'}
    """
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "_"
        safe, number = plain, 1
        while safe in found.values():
            number += 1
            safe = f"{plain}_{number}"
        found.setdefault(name, safe)
    return found
