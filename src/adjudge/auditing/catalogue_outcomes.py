"""What the rows of the catalogue claim, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.auditing.axiom import LETTERS
from adjudge.metrics import audit_results as verdicts

if TYPE_CHECKING:
    from adjudge.auditing.axiom import Outcome


def verdicts_of(name: str) -> dict[str, Outcome]:
    """Give the verdict on a row of the catalogue, by axiom.

    >>> verdicts_of("f1_pa")["C-3"]
    'fail'
    """
    words = {letter: outcome for outcome, letter in LETTERS.items()}
    signs = verdicts.VERDICTS[name]
    return {axiom: words[sign] for axiom, sign in zip(verdicts.ORDER, signs, strict=True)}
