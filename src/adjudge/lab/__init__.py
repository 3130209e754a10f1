"""The laboratory: simulations, the paper's study and claims, audits of metrics, and their figures.

Nobody who judges a detector needs it; the front door imports it when it is asked for.
"""
