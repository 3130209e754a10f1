"""Inspection: a benchmark judged before the detectors that are ranked on it."""
