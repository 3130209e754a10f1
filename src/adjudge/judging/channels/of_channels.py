"""Judge several channels: as one, each by itself, and on which of them events were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.adjust.adjustments import raw
from adjudge.count.runs import Runs
from adjudge.judging.channels.found_events import FoundEvents
from adjudge.judging.channels.results import ChannelResults, Which
from adjudge.judging.judge.events import raw_counts
from adjudge.noise.null_models import RenamedNull
from adjudge.noise.p_values import HeldAgainst
from adjudge.noise.renamed_channels import asks_which, renamed_values
from adjudge.noise.shifting.shifted_case import CaseShifts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudge._typing import Flags
    from adjudge.judging.inputs.channels import Channels
    from adjudge.judging.judge.judge import Judged
    from adjudge.noise.ask import Ask


def results_of(data: Channels, ask: Ask, each: Sequence[Judged]) -> ChannelResults:
    """What is known of single channels.

    Parameters
    ----------
    data, ask, each : inputs.Channels, Ask, sequence of Judged
        The channels of each detector, what was asked for, and what was said of each.
    """
    events = [found for one in each if (found := FoundEvents.of(one.ready)) is not None]
    return ChannelResults(
        data.cases[0].channels.names,
        tuple(row for one in each for row in _channel_rows(data, one)),
        tuple(row for one in each for row in _which(data, one) if ask.chance),
        {case.name: case.loudest for case in data.cases if not case.is_flags},
        tuple(row for one in events for row in one.rows()),
        tuple(row for one in events for row in one.rows_by_channel()),
        {
            ready.case.name: (ready.at, raw_counts(ready.flagged, ready.at))
            for ready, metrics, _ in each
            if ready.known and any(metric.across == "micro" for metric in metrics)
        },
    )  # fmt: skip


def _which(data: Channels, judged: Judged) -> Iterator[Which]:
    """Whether a detector knows which channel, of metrics that ask it."""
    for row, asked in zip(judged.rows, judged.metrics, strict=True):
        metric, ready = judged.ready.seen(data.over(asked))
        case, metric = ready.case, metric.placed(ready.at)
        if not asks_which(metric) or len(case.parts) == 1:
            continue
        null = renamed_values(metric, case)
        test = HeldAgainst.of(row.value, null, metric.row.better)
        chance = RenamedNull().level(metric, CaseShifts(case), null)
        yield Which(case.name, row.requested, row.value, chance, test.p, test.size, test.exact)


def _share(flags: Flags, judged: Flags | None) -> float:
    """Which share of the judged points is flagged; none of those that are not judged is."""
    points = flags.size if judged is None else int(judged.sum())
    return int(flags.sum()) / points


def _channel_rows(data: Channels, judged: Judged) -> list[dict[str, Any]]:
    """What there is to say of each channel by itself."""
    ready, found = judged.ready, []
    means = [one for asked in judged.metrics if (one := data.over(asked)).across == "macro"]
    channels = zip(data.cases[0].channels.names, ready.case.parts, ready.flagged.parts, strict=True)
    for name, part, flagged in channels:
        row: dict[str, Any] = {"detector": part.name, "channel": name, "events": len(part.events)}
        if ready.known:
            flags = flagged.flags if ready.at is None else flagged.flagged(ready.at)
            tally = Runs().tally(flags, part.events, raw)
            row |= {
                "found": int(tally.found),
                "false alarms": int(tally.flagged - tally.right),
                "time in alarm": _share(flags, part.events.judged),
            }
        for metric in means:
            own = flagged if metric.needs_threshold else part
            row[str(metric.of_one)] = metric.of_one.placed(ready.at).reading(own).value
        found.append(row)
    return found
