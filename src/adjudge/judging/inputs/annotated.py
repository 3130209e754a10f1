"""Annotated: one column of scores, and labels by each of several annotators."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from adjudge.checks import suggest_keywords, word
from adjudge.data.case import Case, score_column, time_of
from adjudge.data.channels import (
    VOTES,
    ChannelCase,
    ChannelReading,
    KnownChannels,
    any_column,
    channel_names,
    truth_table,
)
from adjudge.data.columns import check_indexes
from adjudge.data.intervals import repeat
from adjudge.data.shared_clock import RULES
from adjudge.errors import InputError
from adjudge.judging.inputs.contract import Input
from adjudge.judging.inputs.detectors import detectors_of
from adjudge.judging.judge.prepared import placed
from adjudge.judging.judge.tuning import Tuned, read_threshold
from adjudge.judging.judge.which_metrics import default_metrics
from adjudge.metrics.across_channels import macro, micro

if TYPE_CHECKING:
    from adjudge._typing import Column
    from adjudge.data.events import Events
    from adjudge.judging.comparing.facing import Facing
    from adjudge.judging.judge.judge import Judged, ThresholdKind
    from adjudge.judging.judge.prepared import Prepared
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.receipt import Account
    from adjudge.metrics.metric import Metric
    from adjudge.noise.ask import Ask


@suggest_keywords("Annotated")
@dataclass(frozen=True, eq=False, repr=False)
class Annotated(Input):
    """Scores of one channel, labelled by several annotators.

    Parameters
    ----------
    labels : table
        The truth: a column for each annotator; a gap (NaN) was not judged.
    scores : column, dict of columns, or data frame
        One detector, or several by name.
    annotators : sequence of str, or True
        Who labelled; True: the names of the columns of labels.
    votes : {"each", "pooled", "majority", "any", "all"}
        The mean over each of them; one count over all; or one label by vote.
    series, where, time, positive, missing
        See `adjudge.Case`.
    clock : {"auto", "shared", "own"}
        Which series live through the same time; see `adjudge.Points`.

    Examples
    --------
    >>> import adjudge as aj
    >>> votes = {"ann": [0, 1, 1, 0, 0, 0], "bob": [0, 0, 1, 0, 0, 1]}
    >>> data = aj.Annotated(votes, [0, 0, 1, 0, 0, 0], True, votes="any")
    >>> aj.evaluate(data, "event_recall", chance=False)["event_recall"]
    0.5
    """

    labels: Any
    scores: Column
    annotators: Any
    _: KW_ONLY
    votes: str = "each"
    series: Column = None
    where: Column = None
    time: Column = None
    positive: object = None
    missing: str = "refuse"
    clock: str = "auto"

    noun: ClassVar[str] = "several annotators"
    made: ClassVar[str] = "aj.Annotated(labels, scores, annotators, ...)"
    refused: ClassVar[tuple[str, ...]] = (*Input.refused, "metrics")

    def __post_init__(self) -> None:
        """Read all columns, so that what does not fit together is refused here."""
        word(self.votes, "votes", VOTES)
        self.cases  # noqa: B018 - read once, and kept

    @cached_property
    def _columns(self) -> dict[str, Column]:
        return dict(detectors_of(self.scores))

    @cached_property
    def voters(self) -> KnownChannels:
        """The labels of each annotator, of the points that the scores are of."""
        names = channel_names(self.annotators, self.labels, "annotator")
        if len(names) < 2:
            raise InputError(f"annotators must be at least two, got {len(names)}: {names[0]!r}")
        single = len(self._columns) == 1
        columns = {"scores" if single else name: one for name, one in self._columns.items()}
        first, any_label = next(iter(columns.values())), any_column(self.labels)
        check_indexes(labels=any_label, **columns)
        time = time_of(self.time, first, any_label, self.series)
        known = self.series, self.where, time, self.positive, self.missing
        how = ChannelReading(*known, word(self.clock, "clock", RULES))
        return truth_table(self.labels, names, score_column(first).size, how, "annotator")

    @property
    def detectors(self) -> list[str]:
        """What the detectors are called."""
        return list(self._columns)

    @property
    def by_vote(self) -> bool:
        """Whether there is one label by vote, not one of each annotator."""
        return self.votes not in {"each", "pooled"}

    @cached_property
    def cases(self) -> tuple[tuple[ChannelCase, Case], ...]:
        """Each detector beside the labels of each annotator, and beside one label."""
        truth = voted(self.voters, self.votes)
        return tuple(
            (self._beside(self.voters, name), Case(truth, column, missing=self.missing, name=name))
            for name, column in self._columns.items()
        )

    def _beside(self, voters: KnownChannels, name: str) -> ChannelCase:
        column = self._columns[name]
        parts = [Case(events, column, missing=self.missing, name=name) for events in voters.events]
        return ChannelCase.of(voters.scored(tuple(part.events for part in parts)), parts, name)

    def placed(self, at: Any) -> list[Prepared]:
        """Each detector beside the labels of each annotator, or beside one label by vote.

        Parameters
        ----------
        at : number, rule or policy
            What chooses the threshold: once, on the points that anybody judged.
        """
        level = read_threshold(at)
        if isinstance(level, Tuned):
            raise InputError(
                "at must be a number or a rule with annotators=; tune on one annotator's "
                "labels first"
            )
        found = []
        for beside, own in self.cases:
            ready = placed(own.events, own, level)._replace(skipped=beside.channels.skipped[0])
            lines = ready._replace(case=self.lines(ready), before=None)
            found.append(ready if self.by_vote else lines)
        return found

    def lines(self, ready: Prepared) -> ChannelCase:
        """A detector that was placed beside one label, beside the labels of each annotator."""
        beside, own = {own.name: (beside, own) for beside, own in self.cases}[ready.case.name]
        if ready.case is own:
            return beside
        alarms = ready.case.given  # which a policy has made of the scores
        return beside.with_scores(np.tile(alarms, len(beside.parts)))

    def over(self, metric: Metric) -> Metric:
        """The mean over annotators, one count over all of them, or the metric beside one label."""
        refuse_channels(metric)
        if self.votes == "each":
            return macro(metric)
        if self.votes != "pooled":
            return metric
        summed = micro(replace(metric, oracle=False))
        return replace(summed, oracle=metric.oracle)

    def called(self, metric: Metric) -> str:
        """The metric of one annotator, where it is taken over all of them."""
        return "" if self.by_vote else str(metric)

    def default_metrics(self, kind: ThresholdKind) -> list[Metric]:
        """The usual metrics of intervals."""
        return default_metrics(kind)

    def summed_up(self, found: Judgement, each: list[Judged], ask: Ask) -> Judgement:
        """Put what is known of single annotators beside the rows of all detectors.

        Parameters
        ----------
        found, each, ask : Judgement, list of Judged, Ask
            The rows of all detectors, what was said of each, and what was to be known of them.
        """
        from adjudge.judging.channels.annotators import results_of  # noqa: PLC0415 - it reads inputs

        return replace(found, annotators=results_of(self, ask, each, found.rows))

    def facing(self, metric: Metric, at: tuple[Any, Any], ask: Ask) -> Facing:  # noqa: ARG002
        """Two detectors beside the labels of each annotator, or beside one label by vote.

        Parameters
        ----------
        metric, at, ask : Metric, pair of thresholds, Ask
            What `adjudge.compare` was asked.
        """
        from adjudge.judging.comparing.facing import facing_channels  # noqa: PLC0415 - to compare

        cases = [own if self.by_vote else beside for beside, own in self.cases]
        return facing_channels(self.over(metric), (cases[0], cases[-1]), at)

    def explained(self, metric: Metric, at: Any) -> Account:
        """Who marked what, and what of it was found.

        Parameters
        ----------
        metric, at : Metric, threshold
            What `adjudge.explain` was asked.
        """
        from adjudge.judging.channels.receipts import explained_annotators  # noqa: PLC0415 - it reads inputs

        return explained_annotators(self, metric, at)

    def only(self, *names: str) -> Annotated:
        """The same with some of the detectors."""
        return replace(self, scores={name: self._columns[name] for name in names})


def refuse_channels(metric: Metric) -> None:
    """Refuse a metric of several channels: what annotators label is one."""
    if metric.row.channels or metric.across:
        raise InputError(f"annotators= takes metrics of one channel, got {metric}")


def voted(voters: KnownChannels, votes: str) -> Events:
    """One label for each point, by vote of those who judged it; by "each" and "pooled" of anyone.

    >>> import numpy as np
    >>> table = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]])
    >>> from adjudge.data.channels import ChannelReading, truth_table
    >>> voters = truth_table(table, ("ann", "bob", "eve"), 4, ChannelReading())
    >>> voted(voters, "majority").labels
    array([ True, False, False,  True])
    """
    joined = voters.joined
    if votes in {"each", "pooled", "any"}:
        return joined
    marked = np.sum([events.labels for events in voters.events], axis=0)
    asked = np.sum([events.judged_flags for events in voters.events], axis=0)
    label = marked * 2 > asked if votes == "majority" else (marked == asked) & (asked > 0)
    series = None
    if joined.series_count > 1:
        series = repeat(np.arange(joined.series_count), np.diff(joined.series_bounds))
    found = Case(label, np.zeros(joined.n), series=series, where=joined.judged).events
    return replace(found, names=joined.names, clock=joined.clock)
