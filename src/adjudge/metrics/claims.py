"""The claims of a row: laws that it obeys, and axioms that an audit finds it to keep.

Laws hold at the default settings, and ``docs/axioms.md`` has the axioms. The tests hold claims in
both directions: what is claimed holds, and what is not claimed fails somewhere.

Laws
----
perfect
    Scores that equal the labels score 1.
nothing
    No flags at all score 0, or are undefined.
monotone
    One normal point scored higher, or one anomalous point lower, never raises the value.
reversal
    Reading time backwards changes nothing.
quiet
    More quiet, normal time after the end changes nothing.
doubling
    The same series twice, with quiet time between, scores the same as once.
"""

from __future__ import annotations

from adjudge.metrics.audit_results import ORDER, TITLES, VERDICTS


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


def claims_in_words(claims: frozenset[str]) -> list[str]:
    """Claims in the same order, with what each axiom is about.

    >>> claims_in_words(frozenset({"perfect", "C-1"}))
    ['perfect', 'C-1 (robust)']
    """
    return [f"{one} ({TITLES[one]})" if one in TITLES else one for one in claims_in_order(claims)]
