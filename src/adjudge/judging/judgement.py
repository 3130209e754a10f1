"""Judgement: what `adjudge.evaluate` found, as rows, tables, frames and pages.

Names of results for trackers of experiments, the same whatever the data.

Gates: which detectors of a judgement fall short of what was asked for.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from adjudge.checks import word
from adjudge.data.clock import NANOSECONDS, duration, in_words, spelt
from adjudge.data.time_settings import is_duration
from adjudge.errors import InputError, UnknownName, exact, shown, visible
from adjudge.judging.breakdowns import has_counts, part_tables, raw_counts
from adjudge.judging.result_columns import COLUMNS, SCHEMA, Finding
from adjudge.judging.result_tables import Style, result_layout
from adjudge.judging.result_words import (
    FEW,
    is_better_than_chance,
    is_lower,
    is_undecided,
    main_row,
    remarks,
    short_names,
    skipped_notes,
    told_apart,
    verdict,
    verdict_counts,
)
from adjudge.metrics.reader import catalogue
from adjudge.tables.formats import latex_of, markdown_of
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import json_ready
from adjudge.tables.table import Layout
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from adjudge.data.case import Case
    from adjudge.judging.breakdowns import PartRow
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.judging.on_call.parts import Breakdown


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """Write names with letters, digits, ``_`` and ``-`` alone, each still by itself.

    MLflow refuses brackets, and DVC takes a dot for a step into a tree.

    >>> safe_names(["best(f1_ba(width=5))", "f1_kpa(k=0.2)", "my det", "my.det"])
    {'best(f1_ba(width=5))': 'best_f1_ba_width_5', 'f1_kpa(k=0.2)': 'f1_kpa_k_0_2', \
'my det': 'my_det', 'my.det': 'my_det_2'}
    """
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "_"
        safe, number = plain, 1
        while safe in found.values():
            number += 1
            safe = f"{plain}_{number}"
        found.setdefault(name, safe)
    return found


Limit = Any
"""A number, or for what is measured in time a duration: text such as "10min", or a timedelta."""
NOTHING = "nothing was judged"


def below_gate(
    rows: Sequence[Finding],
    under: Mapping[str, Limit],
    over: Mapping[str, Limit],
    *,
    better_than_chance: bool,
) -> list[str]:
    """Say in one sentence each what falls short; an empty list: nothing does.

    Parameters
    ----------
    rows : sequence of Finding
        Results of one or several detectors.
    under, over : mapping
        By metric, the least value (``under``), or of metrics of which less is better the largest
        (``over``). ``f1_ba`` also means ``best(f1_ba)`` and ``f1_ba(width=5)``, if that was judged.
        Delays and distances take a duration where the time is known, and a number where it is not.
    better_than_chance : bool
        Whether every detector must be better than chance.
    """
    limits = [(name, limit, False) for name, limit in under.items()]
    limits += [(name, limit, True) for name, limit in over.items()]
    if not rows and (limits or better_than_chance):
        return [NOTHING]
    messages = []
    for name, limit, lower in limits:
        _check(name, rows, lower=lower)
        for detector in dict.fromkeys(row.detector for row in rows):
            own = [row for row in rows if row.detector == detector]
            messages += _short_of(detector, name, limit, [row for row in own if _is(name, row)])
    return messages + (_like_chance(rows) if better_than_chance else [])


def _is(name: str, row: Finding) -> bool:
    asked = row.asked or row.metric
    short = told_apart([asked])[asked]
    return name in (asked, row.metric, short, short.removeprefix("best "))


def _check(name: str, rows: Sequence[Finding], *, lower: bool) -> None:
    judged = [row for row in rows if _is(name, row)]
    if not judged:
        asked = dict.fromkeys(row.asked for row in rows)
        judged_were = f"judged were {', '.join(asked)}"
        if name in catalogue:
            advice = f"ask for it too (--metric {name})"
            raise InputError(
                f"{name} must be judged to be compared with a limit; {judged_were}; {advice}"
            )
        raise UnknownName("metric", name, asked, judged_were)
    if is_lower(judged[0]) != lower:
        given, other, side = ("over", "under", "more") if lower else ("under", "over", "less")
        raise InputError(
            f"{given} must not name {name!r}, of which {side} is better; give its limit as {other} "
            f"(--fail-{other})"
        )


def _short_of(detector: str, name: str, limit: Limit, rows: Sequence[Finding]) -> list[str]:
    who = visible(detector)
    if not rows:
        return [f"{who}: {name} was not judged, for want of a threshold"]
    messages = []
    for row in rows:
        if math.isnan(row.value):
            messages.append(f"{who}: {row.asked} is undefined")
            continue
        value, level, texts = _comparable(row, name, limit)
        reached = value <= level if is_lower(row) else value >= level  # False for NaN
        if not reached:
            side = "over" if is_lower(row) else "under"
            messages.append(f"{who}: {row.asked} is {texts[0]}, {side} {texts[1]}")
    return messages


def _comparable(row: Finding, name: str, limit: Limit) -> tuple[float, float, tuple[str, str]]:
    """A value and its limit as they are compared, in time or as numbers, and as they are said."""
    if not is_duration(limit):
        level = float(limit)
        if not math.isnan(row.seconds):
            raise InputError(
                f"the limit of {name} must be a duration such as 10min where the time is known, "
                f"got {exact(level)}"
            )
        return row.value, level, (_value_text(row.value, level), exact(level))
    longest = duration(limit, f"the limit of {name}")
    if not row.unit:
        raise InputError(
            f"the limit of {name} must be a number, for it is no time, got {spelt(longest)}"
        )
    if math.isnan(row.seconds):
        raise InputError(
            f"the limit of {name} must be a number of points where there is no time, got "
            f"{spelt(longest)}; say time= (on the command line --time COL)"
        )
    taken = round(row.seconds * NANOSECONDS["s"])  # as a clock counts, free of rounding
    both = in_words(taken), in_words(longest)
    return taken, longest, both if both[0] != both[1] else (spelt(taken), spelt(longest))


def _value_text(value: float, limit: float) -> str:
    """Print a value, with all its digits where fewer would read as the limit."""
    text = f"{value:.4f}"
    return exact(value) if float(text) == limit else text


def _like_chance(rows: Sequence[Finding]) -> list[str]:
    messages = []
    for detector in dict.fromkeys(row.detector for row in rows):
        own = [row for row in rows if row.detector == detector]
        main = main_row(own)
        if main is None:
            messages.append(f"{visible(detector)}: nothing that can be compared with chance")
        elif not is_better_than_chance(own):
            said = "cannot be told from" if is_undecided(own) else "is not better than"
            messages.append(f"{visible(detector)}: {main.asked} {said} chance")
    return messages


@dataclass(frozen=True, eq=False, repr=False)
class Judgement(TabledResult):
    """What `evaluate` found.

    Attributes
    ----------
    rows : tuple of Finding
        One per detector and metric: value, threshold and who chose it, chance, interval, p-value.
    events : tuple of dict
        One per detector and event: start, stop, found, coverage, delay; found as the first metric
        counts it that judges flags event by event.
    cases : tuple of Case
        The labels and scores that were judged.
    details : tuple of PartRow
        Values of single series and of single runs.
    on_call : mapping
        With incidents and alerts: what was found, missed and false, and how late.

    Examples
    --------
    >>> from adjudge.judging.doors.evaluate import evaluate
    >>> judged = evaluate([0, 0, 1, 1, 0, 0], [0, 0, 1, 0, 0, 1])
    >>> judged["f1_ba"]
    0.6666666666666666
    >>> judged.events[0]["delay"]
    0.0
    """

    rows: tuple[Finding, ...]
    events: tuple[dict[str, Any], ...]
    """Without a threshold found, coverage and delay are None; with a time there are also from, to
    (the last point), and the delay in words and in seconds."""
    cases: tuple[Case, ...] = field(default=(), repr=False)
    details: tuple[PartRow, ...] = field(default=(), repr=False)
    things: tuple[OnCallCase, ...] = field(default=(), repr=False)
    """Incidents and alerts of each detector, where these were judged as things."""
    channels: Any = field(default=None, repr=False)
    """What is known of single channels, where several were judged: `ChannelResults`."""
    annotators: Any = field(default=None, repr=False)
    """How annotators agree, and what each would score, where several were asked:
    `AnnotatorResults`."""

    @property
    def on_call(self) -> Any:
        """What an on-call team asks: incidents found and missed, false alerts, delays.

        A mapping with the names ``judged found missed unwatched alerts alerts_right alerts_false
        alerts_not_counted false_per_week delay_median_seconds``; of several detectors one for each,
        by name. None where no incidents were judged.
        """
        answers = {case.name: case.answer for case in self.things}
        return next(iter(answers.values()), None) if len(answers) <= 1 else answers

    def by(self, column: str, *, bins: Sequence[Any] | None = None) -> Breakdown:
        """Which events were found, by their kind, series or length; of incidents by more.

        Parameters
        ----------
        column : str
            Of points "kind" (``evaluate(..., kind=)``), "series" or "length"; of several channels
            also "channel" (where an event is found if that channel alarms during it), "id" and
            "severity"; of incidents "service", "severity", "kind", "channel", "annotator" or
            "length".
        bins : sequence of durations, or of numbers of points, optional
            Where lengths are cut. Default: 10 min, 1 h and 6 h; where there is no time 10, 100 and
            1000 points.

        Returns
        -------
        Breakdown
            A row per part with the share found, how much of found events is covered and how late
            they are found, each with its 95 % interval; and whether a part is missed more often
            than the others (exact test, Holm's method).
        """
        from adjudge.judging.on_call.parts import (  # noqa: PLC0415 - for who asks
            breakdown,
            breakdown_of_ids,
            breakdown_of_points,
        )

        if self.channels is not None and column != "series":
            return breakdown_of_ids(self.cases, self.channels.parted_by(column), column, bins)
        if self.things:
            return breakdown(self.things, column, bins)
        return breakdown_of_points(self.cases, self.events, column, bins)

    @property
    def counts(self) -> tuple[dict[str, Any], ...]:
        """The raw counts of each row that has a threshold: of points, of events and of alarms.

        A row per detector and metric: ``tp fp fn tn`` of points, ``events_found events_missed``,
        ``alarms_right alarms_false`` (flagged runs). Of several channels, as one; of ``micro(...)``
        the sums over channels.
        """
        return tuple(
            {"detector": row.detector, "metric": row.asked, "at": row.at} | found
            for row, found in zip(self.rows, self._counts, strict=True)
            if found is not None
        )

    @cached_property
    def _counts(self) -> list[dict[str, int] | None]:
        """The raw counts of each row; None where it has none."""
        cases, known = {case.name: case for case in self.cases}, {}
        found: list[dict[str, int] | None] = []
        for row in self.rows:
            case, key = cases.get(row.detector), (row.detector, row.at)
            if (summed := self._summed_counts(row)) is not None:
                found.append(summed)
                continue
            if case is None or not has_counts(row, case):
                found.append(None)
                continue
            if key not in known:
                known[key] = raw_counts(case, row.at)
            found.append(known[key])
        return found

    def _summed_counts(self, row: Finding) -> dict[str, int] | None:
        """The counts of ``micro(...)``, over all channels, at the threshold that was given."""
        metric, sums = row.judged_by, None if self.channels is None else self.channels.sums
        if not sums or metric is None or metric.across != "micro" or metric.row.needs == "scores":
            return None
        level, counts = sums.get(row.detector, (None, {}))
        return counts if counts and row.at == level else None

    @property
    def answers(self) -> tuple[str, ...]:
        """The same in a sentence for each detector."""
        several = len(self.things) > 1
        return tuple(f"{case.name}: " * several + case.sentence for case in self.things)

    @property
    def detectors(self) -> list[str]:
        """The detectors, in the order they were given."""
        return list(dict.fromkeys(row.detector for row in self.rows))

    def __getitem__(self, key: str | tuple[str, str]) -> float:
        """The value of a metric; with several detectors ask for ``[detector, metric]``."""
        if isinstance(key, tuple) and len(key) != 2:
            raise InputError(f"key must be a metric, or (detector, metric), got {shown(key)}")
        detector, metric = key if isinstance(key, tuple) else (None, key)
        if detector is None and len(self.detectors) > 1:
            raise InputError(
                f"several detectors were judged; ask for [detector, {metric!r}] with one of "
                f"{', '.join(map(repr, self.detectors))}"
            )
        if detector is not None and detector not in self.detectors:
            raise UnknownName("detector", detector, self.detectors)
        rows = [row for row in self.rows if detector in (None, row.detector)]
        for row in rows:
            if metric in (row.asked, row.metric):
                return row.value
        hint = f"judged were {', '.join(dict.fromkeys(row.asked for row in rows))}"
        raise UnknownName("metric", metric, [row.asked for row in rows], hint)

    def of(self, detector: str) -> tuple[Finding, ...]:
        """The rows of one detector."""
        return tuple(row for row in self.rows if row.detector == detector)

    @property
    def verdicts(self) -> dict[str, str]:
        """Say of each detector, in one sentence, whether it is better than chance."""
        count = len(self.detectors)
        return {detector: verdict(self.of(detector), count) for detector in self.detectors}

    def to_dict(self) -> dict[str, Any]:
        """Rows and events as plain lists and dictionaries; rows at a threshold with raw counts."""
        rows = [
            {name: getattr(row, name) for name in COLUMNS}
            | ({} if found is None else {"counts": found})
            for row, found in zip(self.rows, self._counts, strict=True)
        ]
        found = {"rows": rows, "events": [dict(event) for event in self.events]}
        if self.details:
            found["details"] = [dict(vars(row)) for row in self.details]
        return found | self.to_beside()

    def to_beside(self) -> dict[str, Any]:
        """What is known of incidents, single channels and annotators as plain values."""
        several = {"channels": self.channels, "annotators": self.annotators}
        known = {name: one.to_dict() for name, one in several.items() if one is not None}
        if not self.things:
            return known
        each = {case.name: dict(case.answer) for case in self.things}
        told = {"on_call": each if len(each) > 1 else next(iter(each.values()))}
        told |= {"said": list(self.answers)} | known
        return told | ({"by": list(self.by("service").rows)} if self._by_service else {})

    @property
    def _by_service(self) -> bool:
        """Whether there are several services to part incidents by."""
        return any(len(case.watched.parts) > 1 for case in self.things)

    def to_flat_dict(
        self, prefix: str = "", *, names: Literal["resolved", "safe"] = "resolved"
    ) -> dict[str, float]:
        """One float per name, as experiment trackers want it.

        Parameters
        ----------
        prefix : str
            What every name begins with.
        names : "resolved" or "safe"
            "resolved": the spec with every setting that the labels decided. "safe": the metric
            as it was asked for, in letters, digits, ``_`` and ``-``, which MLflow and DVC accept
            and which does not change with the data.

        Examples
        --------
        >>> from adjudge.judging.doors.evaluate import evaluate
        >>> judged = evaluate([0, 1, 1, 0, 0], [0, 1, 0, 0, 0], ["f1_ba", "f1_kpa(k=0.4)"])
        >>> judged.to_flat_dict("test/", names="safe")
        {'test/f1_ba': 1.0, 'test/f1_kpa_k_0_4': 1.0}
        """
        word(names, "names", ("resolved", "safe"))
        several = len(self.detectors) > 1
        found = {(row.detector, row.metric): row.value for row in self.rows}
        if names == "safe":
            found = {
                (d, m): value for d, of in self.by_safe_name().items() for m, value in of.items()
            }
        return {
            f"{prefix}{f'{detector}/' if several else ''}{metric}": value
            for (detector, metric), value in found.items()
        }

    def by_safe_name(self) -> dict[str, dict[str, float]]:
        """Values by detector and metric, both in names that trackers of experiments accept."""
        detectors = safe_names(self.detectors)
        return {
            detectors[detector]: dict(
                zip(
                    safe_names(row.asked for row in self.of(detector)).values(),
                    (row.value for row in self.of(detector)),
                    strict=True,
                )
            )
            for detector in self.detectors
        }

    def failures(
        self,
        under: Mapping[str, Any] | None = None,
        over: Mapping[str, Any] | None = None,
        *,
        better_than_chance: bool = False,
    ) -> list[str]:
        """What falls short of a gate, in a sentence each: nothing, if the gate is passed.

        Parameters
        ----------
        under : mapping, optional
            By metric, the least value that passes. Undefined values never do, nor does a gate
            that has nothing to look at.
        over : mapping, optional
            The same for metrics of which less is better: the largest value that passes. Delays and
            distances take a duration, such as ``"10min"``, where the time is known.
        better_than_chance : bool
            Whether every detector must be better than chance, by its verdict.

        Examples
        --------
        >>> from adjudge.judging.doors.evaluate import evaluate
        >>> judged = evaluate([0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 0, 1], ["f1", "f1_ba"])
        >>> judged.failures(under={"f1_ba": 0.7, "f1": 0.5})
        ['detector: f1_ba is 0.6667, under 0.7']
        """
        for name, given in (("under", under), ("over", over)):
            if given is not None and not isinstance(given, Mapping):
                raise InputError(
                    f"{name} must be limits by metric, as in {{'f1_ba': 0.5}}, got {shown(given)}"
                )
        return below_gate(self.rows, under or {}, over or {}, better_than_chance=better_than_chance)

    def to_json(self, **options: Any) -> str:
        """JSON: undefined is null, an infinite threshold is text."""
        whole = {"schema": SCHEMA, **self.to_dict()}
        return json.dumps(json_ready(whole), allow_nan=False, **options)

    def to_html(self, path: str | os.PathLike[str] = "report.html", **options: Any) -> Path:
        """Write a page, as `adjudge.report` does; the path of it.

        Parameters
        ----------
        path : path
            Where to write.
        **options
            Title and time, as of `adjudge.report`.
        """
        from adjudge.reporting.page.report_page import write_report  # noqa: PLC0415 - draws

        return write_report(self, path, **options)

    def plot(self, *, ax: Any = None) -> Any:
        """Draw every value with its interval, and a tick where chance would be.

        Metrics whose values are not shares, such as delays, do not fit the axis: they are named
        below it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.judgement_plot import (  # noqa: PLC0415 - draws
            plot_judgement,
        )

        return plot_judgement(self, ax=ax)

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns by name.

        ``asked`` is the metric as it was asked for, which does not change with the data;
        ``metric`` has every setting resolved.
        """
        columns = {name: [vars(row)[name] for row in self.rows] for name in COLUMNS}
        del columns["readings"]
        return {name: _numbers(column) for name, column in columns.items()}

    def layout(self, style: Style | None = None, title: str = "") -> Layout:
        """Lay the results out as tables and notes, which each format then draws.

        Parameters
        ----------
        style, title : Style, str
            Digits and direction of the table, and what stands above it.
        """
        style = style or Style()
        found = result_layout(self.rows, style, title)
        parts = part_tables(self.details, short_names(self.rows), style.digits)
        more = [*skipped_notes(self.rows), *remarks(self.rows, verbose=style.verbose)]
        tested = any(row.null for row in self.rows)
        few = style.verbose or len(self.detectors) <= FEW
        sentences = self.verdicts.values() if few else verdict_counts(self.rows)
        verdicts = tuple(sentences) if tested else ()
        asked = ((case.name, said) for case in self.things for said in (case.silent, case.offset))
        notes = (*found.notes, *more, *(f"{name}: {said}" for name, said in asked if said))
        if len(self.detectors) == 1 and self._by_service:
            parts += self.by("service").tables
        for beside in (self.channels, self.annotators):
            if beside is not None:
                parts += beside.tables
                notes = (*notes, *beside.notes)
        return Layout((*found.tables, *parts), notes, verdicts, self.answers)

    def to_text(self, width: int | None = 80, *, verbose: bool = False) -> str:
        """The tables and notes as text.

        Parameters
        ----------
        width : int or None
            How many characters a line may have; columns that matter least are left out first.
            None: tables up to 120 characters, and each note on one line.
        verbose : bool
            Also show what an always-on alarm scores, corrected values, the optimism of best
            thresholds, and the other readings of balanced adjustment.
        """
        return text_of(self.layout(Style(verbose=verbose)), width)

    def to_markdown(self, *, digits: int = 4, transposed: bool = False, ranks: bool = False) -> str:
        """The tables as Markdown, the best of several detectors in bold; notes as a list.

        Parameters
        ----------
        digits : int
            Digits behind the point.
        transposed : bool
            Whether each detector is a row, and each metric a column.
        ranks : bool
            Whether each value is followed by its rank among the detectors.
        """
        return markdown_of(self.layout(Style(digits, transposed=transposed, ranks=ranks)))

    def to_latex(self, *, digits: int = 4, transposed: bool = False, ranks: bool = False) -> str:
        """The tables as LaTeX (with booktabs).

        Parameters
        ----------
        digits, transposed, ranks : int, bool, bool
            As in `to_markdown`.
        """
        return latex_of(self.layout(Style(digits, transposed=transposed, ranks=ranks)))


def _numbers(column: list[Any]) -> list[Any]:
    """A column of numbers some of which are not there, as floats: whole numbers have no NaN."""
    return [math.nan if x is None else float(x) for x in column] if None in column else column
