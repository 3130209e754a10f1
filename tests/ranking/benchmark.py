"""A small benchmark: labels of a few events, detectors from blind to good."""

import numpy as np

SKILL = {"blind": 0.0, "fair": 0.6, "good": 1.5}


def series(seed, n=300, events=4):
    rng = np.random.default_rng(seed)
    labels = np.zeros(n, int)
    for start in rng.choice(n - 20, events, replace=False):
        labels[start : start + int(rng.integers(5, 15))] = 1
    scores = {name: rng.random(n) + skill * labels * rng.random(n) for name, skill in SKILL.items()}
    return labels, scores


def benchmark(count=6, n=300):
    """Series in two groups."""
    return {f"{'xy'[seed % 2]}/s{seed:02}": series(seed, n) for seed in range(count)}


def write(folder, data):
    """Write a benchmark as a folder of CSV files."""
    for name, (labels, scores) in data.items():
        path = folder / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = ",".join(["label", *(f"score_{detector}" for detector in scores)])
        columns = zip(
            labels.tolist(), *(column.tolist() for column in scores.values()), strict=True
        )
        path.write_text(head + "\n" + "\n".join(",".join(map(repr, row)) for row in columns) + "\n")
    return folder
