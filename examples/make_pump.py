"""Write examples/pump.csv: a week of a pump, with labels and the scores of an imagined detector."""

from pathlib import Path

import numpy as np
import pandas as pd

PAGE = Path(__file__).with_name("pump.csv")


def table():
    """Draw 8 faults of 40 minutes to two hours; 6 are noticed, and there are 3 false alarms."""
    rng = np.random.default_rng(3)
    n = 7 * 24 * 12
    label, high = np.zeros((2, n), int)
    for i, slot in enumerate(range(110, n - 60, 245)):
        start = slot + rng.integers(0, 120)
        stop = start + rng.integers(8, 24)
        label[start:stop] = 1
        if i not in {2, 6}:
            high[start + rng.integers(0, 4) : stop - rng.integers(0, 4)] = 1
    for start in (60, 905, 1560):
        high[start : start + rng.integers(1, 4)] = 1
    score = np.where(high, rng.uniform(0.72, 0.98, n), rng.beta(2, 6, n) * 0.68)
    times = pd.date_range("2026-03-02", periods=n, freq="5min").strftime("%Y-%m-%d %H:%M")
    return pd.DataFrame({"timestamp": times, "label": label, "score": score.round(2)})


if __name__ == "__main__":
    table().to_csv(PAGE, index=False)
