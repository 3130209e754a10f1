"""Inputs: what is judged, by kind of data; each owns its arguments and checks them once."""
