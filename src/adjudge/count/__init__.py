"""Ways of counting: from adjusted scores to masses, and to the rows of a receipt."""

from adjudge.count.coverage import Coverage
from adjudge.count.event_weighted import EventWeighted
from adjudge.count.points import Points
from adjudge.count.runs import Runs

__all__ = ["Coverage", "EventWeighted", "Points", "Runs"]
