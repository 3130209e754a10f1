"""One series for all integrations: 3,000 points, eleven events of 40, values off the sine there."""

import numpy as np


def data(n=3000):
    """Values and labels."""
    rng = np.random.default_rng(0)
    labels = np.zeros(n, int)
    for start in range(130, n - 60, 280):
        labels[start : start + 40] = 1
    values = rng.normal(size=n) + np.sin(np.arange(n) / 20)
    return values + 3.0 * labels * (rng.random(n) < 0.5), labels


def smooth(values):
    """Scores that are high where values are far from zero."""
    return np.convolve(np.abs(values), np.ones(15) / 15, "same")
