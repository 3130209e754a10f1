"""All claims, in the order of the paper; each is judged on tables drawn from its rows too.

What the paper says of its experiments, each claim with the rule that decides it.
"""

from __future__ import annotations

import numpy as np

from adjudge.lab.claims.claim import COLUMNS, RESAMPLED, ExperimentColumns, JudgedClaim
from adjudge.lab.claims.from_experiments import CONTROLLED, NEEDED, TABLE
from adjudge.lab.claims.from_theory import FURTHER, THEORY

CLAIMS = (*THEORY, *TABLE, *FURTHER, CONTROLLED)


def judged_claims(
    table: ExperimentColumns, reading: str = "corrected", *, draws: int = RESAMPLED
) -> list[JudgedClaim]:
    """Judge every claim on a table of experiments, as a reading of balanced adjustment sees it.

    A verdict that fewer than 95 % of tables drawn from its rows agree with is undecided.
    """
    columns = {name: np.asarray(table[name]) for name in (*NEEDED, *COLUMNS.values())}
    rng, rows = np.random.default_rng(0), len(columns["f1"])
    picked = [rng.integers(0, rows, rows) for _ in range(draws)]
    others = [{name: values[rows] for name, values in columns.items()} for rows in picked]
    return [claim.stable(columns, others, reading) for claim in CLAIMS]
