"""The rows of the catalogue, one file per family."""
