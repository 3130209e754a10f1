"""Ways of counting: from adjusted scores to masses, and to the rows of a receipt."""

from adjudge.counting.coverage import Coverage
from adjudge.counting.event_weighted import EventWeighted
from adjudge.counting.points import Points
from adjudge.counting.runs import Runs

__all__ = ["Coverage", "EventWeighted", "Points", "Runs"]
