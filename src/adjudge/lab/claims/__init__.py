"""All claims, in the order of the paper.

What the paper says of its experiments, each claim with the rule that decides it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.lab.claims.from_experiments import TABLE
from adjudge.lab.claims.from_theory import THEORY

if TYPE_CHECKING:
    from adjudge.lab.claims.claim import ExperimentColumns, Judged

CLAIMS = (*THEORY, *TABLE)


def judged_claims(table: ExperimentColumns) -> list[Judged]:
    """Judge every claim on a table of experiments."""
    return [claim.judged(table) for claim in CLAIMS]
