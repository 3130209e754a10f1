"""All claims, in the order of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.experiments.table_claims import TABLE
from adjudge.experiments.theory_claims import THEORY

if TYPE_CHECKING:
    from adjudge.experiments.claim import Columns, Judged

CLAIMS = (*THEORY, *TABLE)


def judged_claims(table: Columns) -> list[Judged]:
    """Judge every claim on a table of experiments."""
    return [claim.judged(table) for claim in CLAIMS]
