"""Words that the rows share, and three rows of one counting: its F-score, precision and recall."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from adjudge.measure.rates import FBeta, precision, recall
from adjudge.metrics.metric import Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LAWS = frozenset({"perfect", "nothing", "monotone", "reversal", "quiet", "doubling"})

CONSTANT = (
    "a constant score: trapezoids from precision 1 give it (1 + Q)/2 where a share Q of the points "
    "is anomalous, more than many a good detector gets; ask for `{instead}` instead"
)

NO_ALARM = "no alarm"
NO_EVENT = "no event"
NEITHER = "no event and no alarm"


_TITLES = {
    "f1": ("F-score", NEITHER),
    "precision": ("precision", NO_ALARM),
    "recall": ("recall", NO_EVENT),
}


def three_rates(
    stem: str,
    of: str,
    definitions: Mapping[str, str],
    claims: frozenset[str],
    forgives: str | Mapping[str, str],
    *,
    of_recall: frozenset[str] = frozenset(),
    undefined: str | Mapping[str, str] = MappingProxyType({}),
    measures: Sequence[Any] = (FBeta, precision, recall),
    **common: Any,
) -> tuple[Row, ...]:
    """Make the rows ``<stem>_f1``, ``<stem>_precision`` and ``<stem>_recall``.

    Parameters
    ----------
    stem : str
        What the names begin with.
    of : str
        What the titles end with: "F-score of ...".
    definitions : mapping
        A sentence for "precision" and for "recall"; that of "f1" says what they combine to.
    claims, of_recall : frozenset
        The laws that all three obey, and what else recall does.
    forgives : str or mapping
        What all of them forgive, or each: precision asks for no event, and recall sees no alarm.
    undefined : str or mapping
        When one of the three is undefined, where it is not as usual: precision without alarm,
        recall without event, the F-score without both.
    measures : sequence
        What makes the three of a count.
    **common
        Whatever else the rows share.
    """
    sentences = {"f1": f"harmonic mean of {stem}_precision and {stem}_recall", **definitions}
    return tuple(
        Row(
            f"{stem}_{name}",
            f"{title} {of}".replace(" ,", ","),
            sentences[name],
            measure,
            undefined=undefined if isinstance(undefined, str) else undefined.get(name, usual),
            claims=claims | (of_recall if name == "recall" else frozenset()),
            forgives=forgives if isinstance(forgives, str) else forgives[name],
            **common,
        )
        for measure, (name, (title, usual)) in zip(measures, _TITLES.items(), strict=True)
    )
