"""Several channels, or several annotators of one: what was judged, and what stands beside it."""
