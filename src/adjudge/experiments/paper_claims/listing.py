"""All claims, in the order of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.experiments.paper_claims.from_table import TABLE
from adjudge.experiments.paper_claims.theory import THEORY

if TYPE_CHECKING:
    from adjudge.experiments.paper_claims.claim import Columns, Judged

CLAIMS = (*THEORY, *TABLE)


def judged_claims(table: Columns) -> list[Judged]:
    """Judge every claim on a table of experiments."""
    return [claim.judged(table) for claim in CLAIMS]
