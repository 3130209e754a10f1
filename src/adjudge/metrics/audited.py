"""The axioms that a row claims, from the verdicts of its audit."""

from __future__ import annotations

from adjudge.metrics.audit_results import ORDER, VERDICTS


def audited_claims(name: str) -> frozenset[str]:
    """Name the axioms that a row keeps.

    >>> sorted(audited_claims("f1_ba") & {"C-1", "C-2", "C-3", "L2"})
    ['C-1', 'C-2', 'C-3']
    """
    signs = VERDICTS.get(name, "")  # a new row claims nothing yet
    return frozenset(axiom for axiom, sign in zip(ORDER, signs, strict=False) if sign == "+")


def claims_in_order(claims: frozenset[str]) -> list[str]:
    """Claims as a reader expects them: the laws, then the axioms question by question.

    >>> claims_in_order(frozenset({"L10", "perfect", "L2", "C-1"}))
    ['perfect', 'C-1', 'L10', 'L2']
    """
    return sorted(claims - set(ORDER)) + [axiom for axiom in ORDER if axiom in claims]
