"""Judge one detector by the labels of several annotators, and the annotators by each other.

Each annotator is a line of its own, beside the same scores: the value is the mean over annotators
(or one of all sums, or of one label by vote), all of whom the alarms are shifted against at once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from adjudge.data.channels import judged_flags
from adjudge.judging.channels.agreement import agreement
from adjudge.judging.channels.annotator_results import AnnotatorResults
from adjudge.judging.channels.humans import humans_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.data.channels import KnownChannels
    from adjudge.judging.channels.humans import Human
    from adjudge.judging.inputs.annotated import Annotated
    from adjudge.judging.judge.judge import Judged
    from adjudge.judging.result_columns import Finding
    from adjudge.noise.ask import Ask


def results_of(
    data: Annotated, ask: Ask, each: Sequence[Judged], rows: Sequence[Finding]
) -> AnnotatorResults:
    """How annotators agree, and what each of them would score.

    Parameters
    ----------
    data, ask, each, rows : Annotated, Ask, sequence of Judged, sequence of Finding
        The labels of each annotator and the scores, what was asked for, what was said of each
        detector, and the rows of all.
    """
    voters = data.voters
    humans = humans_of(voters, each[-1].metrics, ask)
    return AnnotatorResults(
        voters.names, data.votes, tuple(row for one in each for row in _by_annotator(data, one)),
        humans, agreement(voters), tuple(event_votes(voters)), tuple(_compared(rows, humans)),
    )  # fmt: skip


def _by_annotator(data: Annotated, judged: Judged) -> list[dict[str, Any]]:
    """The value of each metric against each annotator."""
    ready = judged.ready
    lines = data.lines(ready) if data.by_vote else ready.case
    return [
        {"detector": part.name, "annotator": name, "events": len(part.events)}
        | {str(one): one.placed(ready.at).reading(part).value for one in judged.metrics}
        for name, part in zip(data.voters.names, lines.parts, strict=True)
    ]


def _compared(rows: Sequence[Finding], humans: Sequence[Human]) -> list[dict[str, Any]]:
    """What stands side by side: the detector, chance, and humans."""
    known = {one.metric: one for one in humans if not math.isnan(one.value)}
    return [
        {
            "detector": row.detector, "metric": row.requested, "value": row.value,
            "chance": row.chance, "humans": human.value, "least": human.least,
            "pairs": human.pairs,
        }
        for row in rows
        if (human := known.get(row.requested)) is not None
    ]  # fmt: skip


def event_votes(voters: KnownChannels) -> list[dict[str, Any]]:
    """The stretches that anyone marked, with who marked any point of them and who did not."""
    joined = voters.joined
    marked = [joined.max(events.labels) for events in voters.events]
    judged = [joined.max(judged_flags(events)) for events in voters.events]
    found = []
    for place, (start, stop) in enumerate(zip(joined.starts, joined.stops, strict=True)):
        by = [n for n, one in zip(voters.names, marked, strict=True) if one[place]]
        asked = [n for n, one in zip(voters.names, judged, strict=True) if one[place]]
        not_by = [name for name in asked if name not in by]
        row = {"start": int(start), "stop": int(stop), "by": by, "not_by": not_by}
        if joined.clock is not None:
            row |= {"from": joined.clock.text(start), "to": joined.clock.text(stop - 1)}
        found.append(row)
    return found
