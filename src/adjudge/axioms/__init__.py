"""The axioms: what a fair metric owes, each with an experiment that decides whether it pays.

`table.AXIOMS` is the list; `adjudge.auditor` runs it on a metric.
"""
