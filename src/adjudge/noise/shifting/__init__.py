"""Shifting: the same alarms at other times, quickly."""
