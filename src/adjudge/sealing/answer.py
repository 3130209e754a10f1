"""Answer: all that a sealed judge ever says."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

SHIP, STAY, TAMPERED, SPENT = "ship", "do not ship", "tampered", "budget spent"
EXIT_CODES = {SHIP: 0, STAY: 3, TAMPERED: 4, SPENT: 5}
"""How the command line ends: 2 is a wrong call, for which no look is charged."""
SHORT = 12
"""Digits of a hash that are printed."""
Word = Literal["ship", "do not ship", "tampered", "budget spent"]


class Closed(Exception):  # noqa: N818 - an answer that is given at once
    """The judge does not look: something was tampered with, or the budget is spent."""

    def __init__(self, word: Word, why: str) -> None:
        super().__init__(why)
        self.answer = Answer(word, why)


def tampered(why: str) -> Closed:
    """Something is not as it was sealed."""
    return Closed("tampered", why)


@dataclass(frozen=True)
class Answer:
    """What `adjudge.judge_sealed` says: one bit, and where the ledger stands.

    Attributes
    ----------
    answer : str
        "ship", "do not ship", "tampered" or "budget spent".
    why : str
        What was tampered with, or why the budget is spent.
    candidate, look, replayed, left : str, int, bool, int or None
        The hash of the alarms that were judged, the look that they cost, whether this is the
        answer of an earlier look (which costs none), and how many looks are left; None: any number.
    seal, head : str
        The id of the contract, and the hash of the last line of the ledger. Keep both elsewhere:
        `adjudge.judge_sealed` takes them as ``id`` and ``head``.

    Examples
    --------
    >>> answer = Answer("do not ship", look=1, left=4, head="76122b195751")
    >>> print(answer, answer.ships, answer.exit_code)
    do not ship (look 1); 4 looks left; head 76122b195751 False 3
    """

    answer: Word
    why: str = ""
    candidate: str = ""
    look: int = 0
    replayed: bool = False
    left: int | None = 0
    seal: str = ""
    head: str = ""

    @property
    def ships(self) -> bool:
        """Whether the candidate may be shipped."""
        return self.answer == SHIP

    @property
    def exit_code(self) -> int:
        """How ``adjudge judge`` ends."""
        return EXIT_CODES[self.answer]

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    def to_json(self, **options: Any) -> str:
        """The same as JSON.

        Parameters
        ----------
        **options
            Of ``json.dumps``, such as ``indent``.
        """
        return json.dumps(self.to_dict(), **options)

    def __str__(self) -> str:
        """Say it in one line."""
        if self.why:
            return f"{self.answer}: {self.why}"
        again = f"as answered at look {self.look}: no look charged"
        look = again if self.replayed else f"look {self.look}"
        return f"{self.answer} ({look}); {in_words(self.left)}; head {self.head}"


def in_words(left: int | None) -> str:
    """How many looks are left, in words.

    >>> in_words(1), in_words(None)
    ('1 look left', 'any number of looks left')
    """
    number = "any number of" if left is None else f"{left:,}"
    return f"{number} look{'s' * (left != 1)} left"
