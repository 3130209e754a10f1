"""Noise: what a detector that knows nothing scores."""
