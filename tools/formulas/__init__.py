"""The formula of every metric, each with a slow function written from it, and the examples of both.

``tools/make.py metrics`` prints the formula below the metric with its value of the example, and
refuses one whose slow function gives another value than the metric does. One series, all points
judged, default settings but those of `SETTINGS`.
"""

from . import buffers, changes, channels, elsewhere, events, points, ranges, ranking, timing

FORMULAS = {
    name: row
    for part in (points, events, ranges, timing, changes, buffers, ranking, channels, elsewhere)
    for name, row in part.FORMULAS.items()
}
SETTINGS = {
    "sdqe": {"near": 3}, "dqe": {"near": 3}, "early_utility": {"early": 4, "best": 2, "late": 2},
    **{key: {"early": 3, "delay": 4} for key in ("pate", "pate_precision", "pate_recall", "pate_f1")},
    **{key: {"window": 6} for key in ("vus_roc", "vus_pr", "range_auc_roc", "range_auc_pr", "vus_precision", "vus_recall", "vus_f1")},
    "recall_at": {"rate": 1, "per": 20}, "froc": {"rates": (0, 1, 2), "per": 20},
    "psds": {"per": 20, "max_rate": 2}, "alert_ap": {"tolerance": 4, "parts": (1, 2, 4)},
}  # fmt: skip
"""Settings of the example where the defaults are wider than it."""

LABELS = [int(t in {*range(6, 12), *range(20, 24), *range(32, 36)}) for t in range(40)]
FLAGS = [int(t in {2, 3, 8, 10, 11, 12, 19, 20, 21, 22, 27}) for t in range(40)]
SCORES = [
    *(1, 2, 6, 7, 3, 2, 4, 3, 8, 4, 7, 9, 7, 5, 2, 1, 1, 3, 4, 6),
    *(9, 8, 8, 5, 3, 2, 4, 7, 4, 2, 1, 3, 4, 5, 3, 5, 4, 2, 1, 2),
]  # fmt: skip
CHANNELS = {"channels": ["temp", "flow", "amps"]}
SUBSYSTEM = {"subsystem": {"wet": ["temp", "flow"], "dry": ["amps"]}}
TABLES = {
    "labels": ({*range(8, 14)}, {*range(9, 16)}, {*range(24, 30)}),
    "flags": ({10, 11, 12}, {25, 26, 27}, {26, 27, 33, 34}),
}


def _table(kind):
    return [[int(t in column) for column in TABLES[kind]] for t in range(40)]


def example(row):
    """Labels, what is judged by them, and the settings and columns that the row needs."""
    settings = SETTINGS.get(row.name, {})
    if row.group == "channels":
        scores = [[SCORES[(t + 9 * c) % 40] for c in range(3)] for t in range(40)]
        given = _table("flags") if row.needs == "flags" else scores
        return (
            _table("labels"),
            given,
            settings,
            CHANNELS | (SUBSYSTEM if "subsystem" in row.name else {}),
        )
    labels = [y * (t < 16) for t, y in enumerate(LABELS)] if row.name == "ucr" else LABELS
    return labels, FLAGS if row.needs == "flags" else SCORES, settings, {}


def both(row):
    """The value that the slow function gives of the example, and that of the metric."""
    labels, given, settings, columns = example(row)
    return FORMULAS[row.name][2](labels, given, **settings), row.metric(
        labels, given, **settings, **columns
    )
