"""Doors: the verbs that judge, each from what a caller gave to what is answered."""
