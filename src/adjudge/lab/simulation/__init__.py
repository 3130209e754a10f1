"""Scenarios, and the labels and scores that are drawn from them."""
