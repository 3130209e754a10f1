"""Threshold rules; whoever imports one has them all in the registry."""

from adjudge.measure.thresholds import policy, rules  # noqa: F401 - they enter `RULES`
