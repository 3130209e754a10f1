"""The table: every row, grouped by what it measures, in the order of the listing."""

from __future__ import annotations

from dataclasses import replace

from adjudge.rows.affiliation import ROWS as AFFILIATION
from adjudge.rows.buffers import ROWS as BUFFERS
from adjudge.rows.claims import kept
from adjudge.rows.events import ROWS as EVENTS
from adjudge.rows.leftovers import ROWS as LEFTOVERS
from adjudge.rows.pate import ROWS as PATE
from adjudge.rows.points import ROWS as POINTS
from adjudge.rows.ranges import ROWS as RANGES
from adjudge.rows.ranking import ROWS as RANKING
from adjudge.rows.segments import ROWS as SEGMENTS
from adjudge.rows.timing import ROWS as TIMING
from adjudge.rows.tolerance import ROWS as TOLERANCE

_ALL = (
    *POINTS,
    *EVENTS,
    *SEGMENTS,
    *RANGES,
    *AFFILIATION,
    *TOLERANCE,
    *TIMING,
    *BUFFERS,
    *PATE,
    *RANKING,
    *LEFTOVERS,
)

ROWS = tuple(replace(row, claims=row.claims | kept(row.name)) for row in _ALL)
