"""Many series, many detectors, many metrics: from stored scores to a leaderboard."""
