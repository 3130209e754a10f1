"""The table: every row, grouped by what it measures, in the order of the listing."""

from __future__ import annotations

from dataclasses import replace

from adjudge.metrics.audited import audited_claims
from adjudge.metrics.rows.affiliation import ROWS as AFFILIATION
from adjudge.metrics.rows.budgets import ROWS as BUDGETS
from adjudge.metrics.rows.buffers import ROWS as BUFFERS
from adjudge.metrics.rows.events import ROWS as EVENTS
from adjudge.metrics.rows.interest import ROWS as INTEREST
from adjudge.metrics.rows.matching import ROWS as MATCHING
from adjudge.metrics.rows.pate import ROWS as PATE
from adjudge.metrics.rows.points import ROWS as POINTS
from adjudge.metrics.rows.quality import ROWS as QUALITY
from adjudge.metrics.rows.ranges import ROWS as RANGES
from adjudge.metrics.rows.ranking import ROWS as RANKING
from adjudge.metrics.rows.rarely_used import ROWS as RARELY_USED
from adjudge.metrics.rows.segments import ROWS as SEGMENTS
from adjudge.metrics.rows.timing import ROWS as TIMING
from adjudge.metrics.rows.tolerance import ROWS as TOLERANCE

_ALL = (
    *POINTS,
    *EVENTS,
    *SEGMENTS,
    *MATCHING,
    *RANGES,
    *AFFILIATION,
    *TOLERANCE,
    *TIMING,
    *INTEREST,
    *QUALITY,
    *BUFFERS,
    *PATE,
    *BUDGETS,
    *RANKING,
    *RARELY_USED,
)

ROWS = tuple(replace(row, claims=row.claims | audited_claims(row.name)) for row in _ALL)
