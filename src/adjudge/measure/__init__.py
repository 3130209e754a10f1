"""Measures: from masses to a value, at one threshold or over all of them."""
