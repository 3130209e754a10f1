"""Words that the rows share: the laws they may claim, and when a value is undefined."""

LAWS = frozenset({"perfect", "nothing", "monotone", "reversal", "quiet", "doubling"})

NO_ALARM = "no alarm"
NO_EVENT = "no event"
NEITHER = "no event and no alarm"
