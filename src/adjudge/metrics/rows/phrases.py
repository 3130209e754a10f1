"""Words that the rows share: the laws they may claim, and when a value is undefined."""

LAWS = frozenset({"perfect", "nothing", "monotone", "reversal", "quiet", "doubling"})

CONSTANT = (
    "a constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q of the points "
    "is anomalous, more than many a good detector gets; ask for `{instead}` instead"
)

NO_ALARM = "no alarm"
NO_EVENT = "no event"
NEITHER = "no event and no alarm"
