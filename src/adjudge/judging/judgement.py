"""Judgement: what `adjudge.evaluate` found, as rows, tables, frames and pages."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from adjudge.checks import DIGITS, boolean, whole, word
from adjudge.errors import InputError, UnknownName, shown
from adjudge.judging.beside import Beside, By
from adjudge.judging.comparing.paper import paper
from adjudge.judging.gates import below_gate
from adjudge.judging.judge.events import has_counts, raw_counts
from adjudge.judging.judge.parts import part_tables
from adjudge.judging.result_columns import COLUMNS, SCHEMA, Finding
from adjudge.judging.result_tables import Style, result_layout
from adjudge.judging.safe_names import safe_names
from adjudge.judging.words.remarks import remarks, skipped_notes
from adjudge.judging.words.short_names import short_names
from adjudge.judging.words.verdict import FEW, verdict, verdict_counts
from adjudge.tables.formats import markdown_of
from adjudge.tables.latex import latex_of
from adjudge.tables.result import TabledResult
from adjudge.tables.result_fields import json_ready
from adjudge.tables.table import Layout
from adjudge.tables.text import text_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from adjudge.data.case import Case
    from adjudge.judging.comparing.stored import Against
    from adjudge.judging.judge.parts import PartRow
    from adjudge.judging.on_call.case import OnCallCase
    from adjudge.judging.on_call.parts import Breakdown
    from adjudge.tables.glance import Glance


@dataclass(frozen=True, eq=False, repr=False)
class Judgement(TabledResult):
    """Result of `evaluate`.

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
    alerts: Beside | None = field(default=None, repr=False)
    """What is known of incidents and alerts, where these were judged."""
    channels: Any = field(default=None, repr=False)
    """What is known of single channels, where several were judged: `ChannelResults`."""
    annotators: Any = field(default=None, repr=False)
    """How annotators agree, and what each would score, where several were asked:
    `AnnotatorResults`."""
    compare: Any = field(default=None, repr=False)
    """Compares all detectors by a metric, as `adjudge.compare_all` does."""
    versions: Any = field(default=None, repr=False)
    """Keeps what the next version is compared with: `Versions`."""

    @property
    def alert_cases(self) -> tuple[OnCallCase, ...]:
        """Incidents and alerts of each detector, where these were judged."""
        return self._beside.alert_cases

    @property
    def _beside(self) -> Beside:
        """What is known beside the rows."""
        known: tuple[Beside | None, ...] = (self.alerts, self.channels, self.annotators)
        return next((one for one in known if one is not None), Beside())

    @property
    def on_call(self) -> Any:
        """What an on-call team asks: incidents found and missed, false alerts, delays.

        A mapping with the names ``judged found missed unwatched alerts alerts_right alerts_false
        alerts_unwatched false_per_week delay_median_seconds``; of several detectors one for each,
        by name. None where no incidents were judged.
        """
        answers = self._beside.answers
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
        return self._beside.parted(self.cases, self.events, By(column, bins))

    @property
    def counts(self) -> tuple[dict[str, Any], ...]:
        """The raw counts of each row that has a threshold: of points, of events and of alarms.

        A row per detector and metric: ``tp fp fn tn`` of points, ``events_found events_missed``,
        ``alarms_right alarms_false`` (flagged runs). Of several channels, as one; of ``micro(...)``
        the sums over channels.
        """
        return tuple(
            {"detector": row.detector, "metric": row.requested, "at": row.at} | found
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
            summed = self._beside.counts(row)
            if summed is None and case is not None and has_counts(row):
                if key not in known:
                    known[key] = raw_counts(case, row.at)
                summed = known[key]
            found.append(summed)
        return found

    @property
    def on_call_sentences(self) -> tuple[str, ...]:
        """The same in a sentence for each detector."""
        return self._beside.sentences

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
            if metric in (row.requested, row.metric):
                return row.value
        hint = f"judged were {', '.join(dict.fromkeys(row.requested for row in rows))}"
        raise UnknownName("metric", metric, [row.requested for row in rows], hint)

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
        return self._beside.to_beside()

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
                    safe_names(row.requested for row in self.of(detector)).values(),
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

    @cached_property
    def units(self) -> list[dict[str, Any]]:
        """What a later version can be compared with by `against`: the rows of each ledger.

        A dictionary per detector and metric at a threshold: five sums for each event, each false
        alarm and each quiet stretch. They hold no scores, but the places of events and alarms.
        """
        return [] if self.versions is None else list(self.versions.kept(self.rows))

    def against(self, stored: str | os.PathLike[str]) -> tuple[Against, ...]:
        """Compare each detector with a stored judgement of its version before.

        Parameters
        ----------
        stored : path
            What `to_json` or ``adjudge evaluate --json`` wrote, on the same labels.

        Returns
        -------
        tuple of Against
            One per row that stands on a ledger, with the p-value that `adjudge.compare` has, and
            the loss that such a gate sees in four cases of five.
        """
        if self.versions is None:
            raise InputError("against needs the result of evaluate, not a part of it")
        found: tuple[Against, ...] = self.versions.against(self.rows, stored)
        return found

    def to_json(self, **options: Any) -> str:
        """JSON: undefined is null, an infinite threshold is text."""
        kept = {"units": self.units} if self.units else {}
        whole = {"schema": SCHEMA, **self.to_dict(), **kept}
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

    def plot(self, *, ax: Any = None, width: str | float | None = None) -> Any:
        """Draw every value with its interval, and a tick where chance would be.

        Metrics whose values are not shares, such as delays, do not fit the axis: they are named
        below it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw. Default: a new figure.
        width : str or float, optional
            Of the new figure on paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

        Returns
        -------
        matplotlib Axes
        """
        from adjudge.reporting.figures.judgement_plot import (  # noqa: PLC0415 - draws
            plot_judgement,
        )

        return plot_judgement(self, ax=ax, width=width)

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns by name.

        ``asked`` is the metric as it was asked for, which does not change with the data;
        ``metric`` has every setting resolved.
        """
        columns = {name: [vars(row)[name] for row in self.rows] for name in COLUMNS}
        del columns["other_readings"]
        return {name: _numbers(column) for name, column in columns.items()}

    def glance(self) -> Glance:
        """What a notebook shows first: numbers, and every value beside chance."""
        from adjudge.judging.glances import glance_of_judgement  # noqa: PLC0415 - for notebooks

        return glance_of_judgement(self)

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
        beside = self._beside
        notes = (*found.notes, *more, *beside.notes)
        return Layout((*found.tables, *parts, *beside.tables), notes, verdicts, beside.sentences)

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

    def paper(self, *, digits: int = 3) -> Layout:
        """The table of a paper: detectors as rows, each value with its interval.

        The best of each metric is bold, and detectors that `adjudge.compare_all` does not tell
        apart from it by that metric are marked. The caption says how it was judged.

        Parameters
        ----------
        digits : int
            Digits behind the point.
        """
        if self.compare is None:
            raise InputError("paper must be False for merged results")
        return paper(self.rows, self.compare, whole(digits, "digits", 0, DIGITS))

    def to_markdown(
        self, *, digits: int | None = None, transposed: bool = False, ranks: bool = False,
        paper: bool = False,
    ) -> str:  # fmt: skip
        """The tables as Markdown, the best of several detectors in bold; notes as a list.

        Parameters
        ----------
        digits : int, optional
            Digits behind the point. Default: 4, for a paper 3.
        transposed : bool
            Whether each detector is a row, and each metric a column.
        ranks : bool
            Whether each value is followed by its rank among the detectors.
        paper : bool
            Whether it is the table of a paper, see `paper`.
        """
        return markdown_of(self._drawn(digits, paper, transposed=transposed, ranks=ranks))

    def to_latex(
        self, *, digits: int | None = None, transposed: bool = False, ranks: bool = False,
        paper: bool = False,
    ) -> str:  # fmt: skip
        """The tables as LaTeX (with booktabs).

        Parameters
        ----------
        digits, transposed, ranks, paper : int, bool, bool, bool
            As in `to_markdown`; the table of a paper is a float with a caption.
        """
        return latex_of(self._drawn(digits, paper, transposed=transposed, ranks=ranks))

    def _drawn(self, digits: int | None, for_paper: object, **style: bool) -> Layout:
        if not boolean(for_paper, "paper"):
            return self.layout(Style(4 if digits is None else digits, **style))
        for name, value in style.items():
            if value:
                raise InputError(f"{name} must be False with paper=True, got True")
        return self.paper(digits=3 if digits is None else digits)


def _numbers(column: list[Any]) -> list[Any]:
    """A column of numbers some of which are not there, as floats: whole numbers have no NaN."""
    return [math.nan if x is None else float(x) for x in column] if None in column else column
