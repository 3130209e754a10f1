"""Half hits: the share of the events of which at least half (or another share) is flagged."""

from dataclasses import dataclass

import adjudge as aj


@dataclass(frozen=True)
class HalfHits:
    """Share of the events of which a share or more is flagged; NaN without events."""

    share: float = 0.5

    def __post_init__(self):
        """Check the share."""
        if not 0 < self.share <= 1:
            raise aj.InputError(f"share must be in (0, 1], got {self.share!r}")

    def __call__(self, flags, events):
        """Judge flags."""
        covered = events.sum(flags) / events.widths
        return (covered >= self.share).mean() if len(events) else float("nan")


ROW = aj.Row(
    "half_hits",
    "share of events half covered",
    "share of the events of which a share `share` or more is flagged",
    HalfHits,
    count=None,
    group="events",
    reference="The tests of adjudge.",
    undefined="no event",
    forgives="every false alarm, and coverage beyond the share",
)
