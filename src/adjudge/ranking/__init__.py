"""Many series, many detectors, many metrics: from stored scores to a leaderboard."""

from __future__ import annotations

from adjudge.ranking.result import Ranking
from adjudge.ranking.run import rank

__all__ = ["Ranking", "rank"]
