"""Figures: what a judgement, a receipt, a curve and a ranking look like."""
