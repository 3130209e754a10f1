"""The catalogue: rows, the metrics made of them, and the specs that name them."""
