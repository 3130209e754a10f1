"""Comparing: which of two detectors is ahead, unit by unit."""
