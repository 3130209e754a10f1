"""Compare two detectors: what faces what, the result, and its words."""
