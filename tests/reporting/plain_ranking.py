"""A ranking as plain tables, drawn from a seed: what the page is made of, and nothing else."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np

METRICS = ["best(f1)", "best(f1_ba)", "auc_roc"]


def plain_ranking(detectors=5, series=12, seed=0, names=None):
    rng = np.random.default_rng(seed)
    names = list(names or (f"detector {d}" for d in range(detectors)))
    places = [f"group {s % 3}/series {s}" for s in range(series)]
    values = {metric: rng.random((series, len(names))).round(3) for metric in METRICS}
    means = {metric: found.mean(axis=0) for metric, found in values.items()}
    return SimpleNamespace(
        metrics=METRICS,
        better=dict.fromkeys(METRICS, "higher"),
        detectors=names,
        series=places,
        main_metric=METRICS[1],
        leaderboard=[
            line
            for metric in METRICS
            for line in sorted(
                (_line(metric, name, values[metric][:, d]) for d, name in enumerate(names)),
                key=lambda row: row["mean_rank"],
            )
        ],
        min_coverage=0.9,
        unit="auto",
        about={"numpy": "2.0", "chance": True, "shifts": None},
        winners=[],
        group_of=lambda name: name.rpartition("/")[0],
        groups=[
            {"group": f"group {g}", **_line(metric, name, values[metric][g::3, d])}
            for g in range(min(3, series))
            for metric in METRICS
            for d, name in enumerate(names)
        ],
        comparisons=[
            _pair(metric, names, values[metric], a, b)
            for metric in METRICS
            for a, b in combinations(range(len(names)), 2)
        ],
        unknown_resources=[],
        critical_difference=[
            {
                "metric": metric,
                "critical_difference": 1.2,
                "detectors": len(names),
                "series": series,
                "p_value": 0.01,
                "of": series,
            }
            for metric in METRICS
        ],
        agreement=[
            {"one": one, "other": other, "tau": float(rng.uniform(-1, 1))}
            for one, other in combinations(METRICS, 2)
        ],
        flips=[
            {"one": names[a], "other": names[b], "for_one": METRICS[:1], "for_other": METRICS[1:]}
            for a, b in combinations(range(len(names)), 2)
            if means[METRICS[0]][a] > means[METRICS[0]][b]
        ],
        results=[
            {"series": place, "detector": name, "metric": metric, "value": values[metric][s, d]}
            for metric in METRICS
            for s, place in enumerate(places)
            for d, name in enumerate(names)
        ],
        values=values,
    )


def _line(metric, name, values):
    return {
        "metric": metric, "detector": name, "mean": values.mean(), "low": values.mean() - 0.05,
        "high": values.mean() + 0.05, "median": float(np.median(values)),
        "pooled": values.mean() / 2, "mean_rank": 6 - 5 * values.mean(),
        "better_on": 3, "better_on_low": 5,
        "p_adjusted": 0.01, "least_p": 0.0001, "chance": 0.2, "coverage": 1.0, "evidence": "",
        "unit": "series", "first_share": values.mean(), "place_low": 1.0, "place_high": 2.0,
        "tested": len(values), "series": len(values), "undefined": 0, "failed": 1, "missing": 0,
    }  # fmt: skip


def _pair(metric, names, values, a, b):
    apart = values[:, a] - values[:, b]
    return {
        "metric": metric, "one": names[a], "other": names[b], "difference": apart.mean(),
        "low": apart.mean() - 0.1, "high": apart.mean() + 0.1,
        "p_adjusted": 0.01 if abs(apart.mean()) > 0.1 else 0.5,
        "ahead": int((apart > 0).sum()), "behind": int((apart < 0).sum()), "series": len(apart),
    }  # fmt: skip
