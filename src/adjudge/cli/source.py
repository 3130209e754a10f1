"""Where labels and scores come from: files, joined files, folders, benchmarks; each announced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from adjudge.cli.effects import refuse, refuse_for
from adjudge.errors import AdjudgeError, InputError, UnknownName, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.io.layouts.contract import BenchmarkLayout

INCIDENT_OPTIONS = (
    "truth", "alerts", "span", "every", "watched", "outages", "early", "tz", "ambiguous",
    "truth_columns", "alerts_columns", "no_series", "length", "changes",
)  # fmt: skip
CHANNEL_OPTIONS = ("channel", "channels", "subsystem", "annotators", "votes")
_NOT_READ = (
    "judged", "time_unit", "time_format", "sort", "missing", "by", *INCIDENT_OPTIONS,
    *CHANNEL_OPTIONS,
)  # fmt: skip
_OF_THINGS = ("span", "every", "watched", "outages", "early", "alerts_columns", "length")
PARTS_OF_POINTS = ("series", "length")
"""What events are parted by that is no column of the file."""


@dataclass(frozen=True)
class Source:
    """What the options of a verb say about its files."""

    label: str | None
    scores: tuple[str, ...]
    series: str | None
    where: str | None
    positive: str | None
    also: tuple[str, ...]
    on: tuple[str, ...]
    inner: bool
    sep: str | None
    decimal: str
    judged: str | None
    train: str | None
    tune_on: str | None
    time: str | None = None
    time_unit: str | None = None
    time_format: str | None = None
    sort: bool | None = None
    missing: str | None = None
    truth: str | None = None
    alerts: tuple[str, ...] | None = None
    span: tuple[str, str] | None = None
    every: str | None = None
    watched: str | None = None
    outages: str | None = None
    early: str | None = None
    tz: str | None = None
    ambiguous: str | None = None
    truth_columns: str | None = None
    alerts_columns: str | None = None
    no_series: bool | None = None
    group: str | None = None
    by: str | None = None
    length: int | None = None
    changes: str | None = None
    channel: str | None = None
    channels: str | None = None
    subsystem: str | None = None
    annotators: str | None = None
    votes: str | None = None

    def tables(self, files: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], LabelledScores]]]:
        """Each table that the files, folders and benchmarks hold: its name, a way to read."""
        if not files or (self.truth is not None and not self._is_table):
            yield self.truth or "", partial(self.read, *files)
            return
        if self._several is not None:
            for file in files:
                self._recognised(file)  # which refuses a benchmark
            yield from ((file, partial(self._read_channels, file)) for file in files)
            return
        found = [self._recognised(file) for file in files]  # before anything is judged
        self._check_marks(*(name for file in files for name in _files_of(file)))
        for file, layout in zip(files, found, strict=True):
            if isinstance(layout, AdjudgeError):
                yield file, partial(_fail, layout)
            elif layout is not None:
                text = visible(f"{file}: read as {layout.name}: {layout.summary}")
                click.echo(f"adjudge: {text}", err=True)
                for series in layout.series:
                    name = f"{series.group}/{series.name}" if series.group else series.name
                    yield name, partial(_announced, partial(series.load, sort=bool(self.sort)))
            elif Path(file).is_dir():
                yield from ((name, partial(self._read, name)) for name in _files_in(file))
            else:
                yield file, partial(self._read, file)

    @property
    def _several(self) -> str | None:
        """The option that says that there are several channels or annotators; None: there are not.

        What only means something beside it is refused without it.
        """
        named = next(
            (n for n in ("channel", "channels", "annotators") if vars(self)[n] is not None), None
        )
        if named is None:
            for name, needs in (("subsystem", "channels"), ("votes", "annotators")):
                if vars(self)[name] is not None:
                    refuse(name, f"without --{needs}")
            if "{}" in f"{self.label}{''.join(self.scores)}":
                raise click.UsageError(
                    "a pattern with {} needs --channels, their names or '*' for all that it fits "
                    "(or --annotators)"
                )
        return named

    @property
    def _is_table(self) -> bool:
        """Whether scores are a table of channels or annotators, with --truth or without."""
        return self._several is not None and not self.alerts

    def refuse_several(self, why: str) -> None:
        """Refuse channels and annotators where they have no effect."""
        if self._several is not None:
            refuse(self._several, why)

    def _read_channels(self, file: str) -> LabelledScores:
        from adjudge.io.channels import ChannelColumns, read_channels

        for name in ("also", "on", "positive", "tune_on", "train", "group", "judged", *_OF_THINGS):
            if vars(self)[name]:
                refuse(name, f"with --{self._several}")
        if self.truth is not None and self.label is not None:
            refuse("label", "with --truth: every row of --truth is an event")
        if self.changes is not None or self.sort:
            refuse("sort" if self.sort else "changes", f"with --{self._several}")
        names = ("label", "scores", "channel", "channels", "subsystem", "annotators", "votes",
                 "time", "series", "where", "sep", "decimal", "truth")  # fmt: skip
        times = (self.time_unit, self.time_format, self.tz, self.ambiguous)
        roles = _roles(self.truth_columns, "truth")
        how = ChannelColumns(
            **{name: vars(self)[name] for name in names}, truth_columns=roles, times=times
        )
        return self._timed(_announced(partial(read_channels, file, how)))

    def read(self, *file: str | None) -> LabelledScores:
        """Read one file, with those that are joined to it, or incidents and alerts; say how."""
        if any(file) and self._is_table:
            return self._read_channels(str(file[0]))
        if self.truth is not None or not any(file):
            return self._incidents(*file)
        refuse_for("points")
        self._check_marks(str(file[0]))
        return self._read(str(file[0]))

    def _read(self, file: str) -> LabelledScores:
        from adjudge.io.labels_and_scores import read

        options = {name: value for name, value in vars(self).items() if name not in _NOT_READ}
        if self.changes == "states":
            states = self._states(file)
            options["positive"] = str(states[0])  # so that any names of states are read
            table = _announced(partial(read, file, **self._how(options)))
            return self._as_changes(self._timed(replace(table, labels=states)))
        table = _announced(partial(read, file, **self._how(options)))
        return self._as_changes(self._timed(table))

    def _how(self, options: dict[str, Any]) -> dict[str, Any]:
        about = None if self.by in PARTS_OF_POINTS else self.by
        return {"missing": self.missing or "refuse", "sort": bool(self.sort), "about": about,
                **options}  # fmt: skip

    def _states(self, file: str) -> Any:
        """The column of states, as it is written."""
        from adjudge.io.positions import read_states

        if self.label is None or self.sort or self.also:
            raise click.UsageError(
                "--changes states needs --label for the column of states, and neither --sort nor "
                "--with"
            )
        return read_states(file, self.label, self.sep)

    def _as_changes(self, table: LabelledScores) -> LabelledScores:
        """Take labels, and flags of which every 1 is an alarm, as positions where that is asked."""
        from adjudge.data.changes import Changes
        from adjudge.data.columns import is_binary

        if self.changes is None:
            return table
        labels: Any = Changes.from_labels(table.labels, self.changes, series=table.series)  # type: ignore[arg-type]
        scores: dict[str, Any] = {
            name: Changes.from_labels(one) if self.changes == "ones" and is_binary(one) else one
            for name, one in table.scores.items()
        }
        return replace(table, labels=labels, scores=scores)

    def _check_marks(self, *files: str) -> None:
        """Refuse marks of text where no file is text."""
        from adjudge.io.formats import is_delimited

        given = [name for name in ("sep", "decimal") if vars(self)[name] not in {None, "."}]
        if given and not any(is_delimited(name) for name in (*files, *self.also)):
            refuse(given[0], f"on {files[0]}, which is no text of cells")

    def _recognised(self, file: str) -> BenchmarkLayout | AdjudgeError | None:
        """The benchmark that a file or folder is, if any; what is wrong with it is told later."""
        try:
            layout = self._layout(file)
        except AdjudgeError as error:
            return error
        if self.truth is None or layout is not None:
            refuse_for("points" if layout is None else "benchmark")
        return layout

    def _incidents(self, *file: str | None) -> LabelledScores:
        from adjudge.io.incidents import GivenTables, TimeWords, read_incidents

        if self.truth is None:
            raise click.UsageError("name a FILE, or give --truth FILE --alerts FILE --span FROM TO")
        if self._is_table:
            raise click.UsageError(
                "--truth with --channels, --channel or --annotators needs a file of scores"
            )
        if any(file):
            raise click.UsageError("--truth takes no FILE; alerts are named by --alerts FILE")
        if not self.alerts:
            raise click.UsageError("--truth takes --alerts FILE: what the detector reported")
        if (self.span is None) == (self.length is None):
            raise click.UsageError(
                "--truth takes one of --span FROM TO, the time that was watched, as in --span "
                "2026-01-01 2026-02-01, and --length N, the number of points where times are "
                "positions"
            )
        self._check_marks(self.truth, *self.alerts)
        if self.length is not None or self.span is None:
            return self._chosen(self._positions(self.truth, self.alerts, self.length or 0))
        columns = (_roles(self.truth_columns, "truth"), _roles(self.alerts_columns, "alerts"))
        given = GivenTables(
            self.truth, self.alerts, self.span, self.watched, self.outages, *columns, self.series,
            self.sep,
        )  # fmt: skip
        times = TimeWords(self.time_unit, self.time_format, self.tz, self.ambiguous)
        return self._chosen(_announced(partial(read_incidents, given, times)))

    def _positions(self, truth: str, alerts: tuple[str, ...], length: int) -> LabelledScores:
        from adjudge.io.positions import read_positions

        return _announced(partial(read_positions, truth, alerts, length, sep=self.sep))

    def _chosen(self, table: LabelledScores) -> LabelledScores:
        """The table with the detectors that were named, or with all."""
        unknown = [name for name in self.scores if name not in table.scores]
        if unknown:
            raise UnknownName("alerts", unknown[0], table.scores)
        return replace(table, scores={n: table.scores[n] for n in self.scores or table.scores})

    def reading(self, table: LabelledScores) -> dict[str, Any]:
        """Say to the judging how the columns of a table are to be taken."""
        if table.watching:
            series = False if self.no_series else True if self.series else None
            return {**table.watching, "early": self.early, "every": self.every, "series": series}
        known = {"series": table.series, "where": table.where, "time": table.time}
        if table.beside:
            return {**known, **table.beside, "missing": self.missing or "refuse"}
        if table.about is not None:
            known["kind"] = table.about
        sort = bool(self.sort) and table.time is not None  # else it was sorted when it was read
        return {**known, "missing": self.missing or "refuse", "sort": sort}

    def compared(self, file: str | None, old: str, new: str) -> LabelledScores:
        """A table of two detectors: two columns of a file, or one of each of two files."""
        if file is not None:
            table = replace(self, scores=(old, new)).read(file)
            return replace(table, scores={name: table.scores[name] for name in (old, new)})
        first, second = tables = [self.read(name) for name in (old, new)]
        for name, table in zip((old, new), tables, strict=True):
            if len(table.scores) != 1:
                known = ", ".join(table.scores)
                raise InputError(
                    f"{name}: --compare takes one detector of each file, got {len(table.scores)} "
                    f"({known}); choose it with --score"
                )
        if first.labels.tolist() != second.labels.tolist():
            raise InputError(f"--compare needs the same labels in both files: {old}, {new}")
        stems = [Path(old).stem, Path(new).stem]
        names = stems if stems[0] != stems[1] else [old, new]
        scores = [next(iter(table.scores.values())) for table in tables]
        return replace(first, scores=dict(zip(names, scores, strict=True)), name=f"{old}, {new}")

    def signals(self, file: str, names: tuple[str, ...]) -> dict[str, Any]:
        """What sensors measured, read as scores are; a cell may be empty."""
        from adjudge.io.labels_and_scores import read

        if self.sort and self.time is not None:
            refuse("signals", "on rows that are yet to be sorted; sort the file first")
        left_out = {*_NOT_READ, "group", "tune_on", "train"}
        options = {name: value for name, value in vars(self).items() if name not in left_out}
        how = {**self._how(options), "missing": "skip", "scores": names}
        return dict(read(file, **how).scores)

    def evidence(self, table: LabelledScores, unit: str) -> dict[str, Any]:
        """Say what intervals rest on; of incidents it is the incident: services are fixed."""
        fixed = self.truth is not None and unit == "auto"
        return {"unit": "event" if fixed else unit, "group": table.group}

    def _timed(self, table: LabelledScores) -> LabelledScores:
        """Read times that are numbers, or written in a form that is given."""
        from adjudge.data.clock import Clock, is_counted, times_of_form

        if self.time is None:
            return table
        if self.time_format is not None:
            times = times_of_form(table.time, self.time_format, self.time)
            return replace(table, time=Clock.read(times, self.time))
        if self.time_unit is None:
            return table
        if not is_counted(table.time):
            refuse("time_unit", f"on column {self.time}, whose times are no numbers")
        return replace(table, time=Clock.read(table.time, self.time, self.time_unit))

    def _layout(self, file: str) -> BenchmarkLayout | None:
        from adjudge.io.layouts import find_layout

        folders = [name for name in self.also if Path(name).is_dir()]
        if file == "-" or len(self.also) > len(folders) or not Path(file).exists():
            return None
        if self.sep is not None or self.decimal != ".":  # no benchmark is written so
            return None
        if len(folders) > 1:
            raise InputError(f"--with takes one folder of scores, got {', '.join(folders)}")
        return find_layout(file, next(iter(folders), None), judged=self.judged)


def _roles(text: str | None, side: str) -> dict[str, str] | None:
    """Read start=COL,end=COL."""
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    wrong = next((role for role, equals, name in pairs if not (role and equals and name)), None)
    if wrong is not None:
        raise InputError(
            f"--{side}-columns must be ROLE=COLUMN, several with commas between, as in "
            f"start=opened_at,end=resolved_at,id=number, got {text!r}"
        )
    return {role.strip(): name.strip() for role, _, name in pairs}


def _fail(error: AdjudgeError) -> NoReturn:
    raise error


def _announced(load: Callable[[], LabelledScores]) -> LabelledScores:
    table = load()
    click.echo(f"adjudge: {visible(f'{table.name}: {table.summary}')}", err=True)
    return table


def _files_of(file: str) -> list[str]:
    return [str(path) for path in Path(file).iterdir()] if Path(file).is_dir() else [file]


def _files_in(folder: str) -> list[str]:
    """The files of a folder that can be read as tables, in order."""
    from adjudge.io.formats import IN_FOLDERS
    from adjudge.io.text_files import without_packing

    names = [
        str(path)
        for path in sorted(Path(folder).iterdir())
        if path.is_file() and Path(without_packing(path.name)).suffix.lower() in IN_FOLDERS
    ]
    if not names:
        raise InputError(f"{folder}: no file in this folder can be read as a table")
    return names
