"""Where labels and scores come from: files, joined files, folders, benchmarks; each announced."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from adjudge.cli.declaration import is_given, kind_of, units_with_value
from adjudge.cli.effects import refuse, refuse_for
from adjudge.errors import AdjudgeError, InputError, UnknownName, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.io.layouts.contract import BenchmarkLayout
    from adjudge.judging.judgement import Judgement
    from adjudge.judging.on_call.parts import Breakdown

_PARTS_OF_POINTS = ("series", "length")
"""What events are parted by that is no column of the file."""
_OF_COLUMNS = (
    "where", "time", "also", "on", "inner", "decimal", "sort", "positive", "train",
    "tune_on", "group",
)  # fmt: skip
"""The options that name columns, or say how they are written."""


class Source:
    """What the options of a verb say about its files.

    Parameters
    ----------
    given : dict
        The options that say how files are read, by parameter; a verb need not have all of them.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given

    def __getitem__(self, name: str) -> Any:
        """The value of an option; None where a verb does not have it."""
        return self.given.get(name)

    def of(self, names: Iterable[str]) -> dict[str, Any]:
        """The options that have a value among those that something takes."""
        return units_with_value({name: self[name] for name in names})

    def tables(self, files: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], LabelledScores]]]:
        """Each table that the files, folders and benchmarks hold: its name, a way to read."""
        if not files or self._kind in {"on_call", "positions"}:
            yield self["truth"] or "", partial(self.read, *files)
            return
        found = [self._recognised(file) for file in files]  # before anything is judged
        if self._kind is not None:
            yield from ((file, partial(self.read, file)) for file in files)
            return
        self._check_marks(*(name for file in files for name in _files_of(file)))
        for file, layout in zip(files, found, strict=True):
            if isinstance(layout, AdjudgeError):
                yield file, partial(_fail, layout)
            elif layout is not None:
                text = visible(f"{file}: read as {layout.name}: {layout.summary}")
                click.echo(f"adjudge: {text}", err=True)
                for series in layout.series:
                    name = f"{series.group}/{series.name}" if series.group else series.name
                    yield name, partial(_announced, partial(series.load, sort=bool(self["sort"])))
            elif Path(file).is_dir():
                yield from ((name, partial(self._read, name)) for name in _files_in(file))
            else:
                yield file, partial(self._read, file)

    @property
    def _kind(self) -> str | None:
        """The kind of data that the options say; None: the files tell."""
        return kind_of(self.given)

    def read(self, *file: str | None) -> LabelledScores:
        """Read one file, with those that are joined to it, or incidents and alerts; say how."""
        if self._kind in {"channels", "annotators"}:
            return self._read_channels(*file)
        if self._kind in {"on_call", "positions"} or not any(file):
            return self._incidents(*file)
        refuse_for("points")
        self._check_marks(str(file[0]))
        return self._read(str(file[0]))

    def _read_channels(self, file: str | None = None) -> LabelledScores:
        from adjudge.io.channels import ChannelColumns, read_channels

        if not file:
            raise click.UsageError(f"--{self._kind} needs a FILE of scores")
        names = {one.name for one in fields(ChannelColumns)} - {"truth_columns"}
        times = (self["time_unit"], self["time_format"], self["tz"], self["ambiguous"])
        roles = _roles(self["truth_columns"], "truth")
        how = ChannelColumns(**self.of(names), truth_columns=roles, times=times)
        return self._timed(_announced(partial(read_channels, file, how)))

    def _read(self, file: str) -> LabelledScores:
        from adjudge.io.labels_and_scores import read
        from adjudge.io.prometheus_scores import is_answer

        if is_answer(file):
            return self._as_changes(self._read_answer(file))
        self._check_patterns()
        states = self._states(file) if self["changes"] == "states" else None
        how = self._how() if states is None else {**self._how(), "positive": str(states[0])}
        if self["truth"] is not None:
            load = partial(read, file, **{**how, "labelled": False, "about": None})
            return self._as_changes(_announced(lambda: self._with_incidents(self._timed(load()))))
        table = _announced(partial(read, file, **how))
        if states is not None:  # so that any names of states are read
            table = replace(table, labels=states)
        return self._as_changes(self._timed(table))

    def _read_answer(self, file: str) -> LabelledScores:
        """Scores that Prometheus has kept, with labels from incidents."""
        from adjudge.io.prometheus_scores import read_matrix

        for name in _OF_COLUMNS:
            if is_given(self[name]):
                refuse(name, "on a Prometheus response, which has no columns")
        if self["truth"] is None:
            raise InputError(
                f"{file}: Prometheus has only scores: add --truth FILE, a table of incidents"
            )
        load = partial(read_matrix, file, self["series"], self["scores"])
        return _announced(lambda: self._with_incidents(load()))

    def _with_incidents(self, table: LabelledScores) -> LabelledScores:
        """Points with the labels that incidents give them."""
        from adjudge.io.incident_labels import labelled
        from adjudge.io.incidents import TimeWords, read_truth

        times = TimeWords(self["time_unit"], self["time_format"], self["tz"], self["ambiguous"])
        roles, truth = _roles(self["truth_columns"], "truth"), self["truth"]
        is_in_points = table.time is None
        incidents, _ = read_truth(
            truth, roles, times, self["sep"], is_in_points=is_in_points, services=True
        )
        by = None if self["by"] in _PARTS_OF_POINTS else self["by"]
        return labelled(table, incidents, Path(truth).name, by)

    def _how(self) -> dict[str, Any]:
        """How a file of points is read."""
        from adjudge.io.labels_and_scores import read

        about = None if self["by"] in _PARTS_OF_POINTS else self["by"]
        return {**self.of(signature(read).parameters), "about": about}

    def _check_patterns(self) -> None:
        if "{}" in f"{self['label']}{''.join(self['scores'] or ())}":
            raise click.UsageError(
                "a pattern with {} needs --channels: their names, or '*' for all matches (or "
                "--annotators)"
            )

    def _states(self, file: str) -> Any:
        """The column of states, as it is written."""
        from adjudge.io.positions import read_states

        if self["label"] is None or self["sort"] or self["also"]:
            raise click.UsageError(
                "--changes states needs --label for the column of states, and neither --sort nor "
                "--with"
            )
        return read_states(file, self["label"], self["sep"])

    def _as_changes(self, table: LabelledScores) -> LabelledScores:
        """Take labels, and flags of which every 1 is an alarm, as positions where that is asked."""
        from adjudge.data.changes import Changes
        from adjudge.data.columns import is_binary

        kind = self["changes"]
        if kind is None:
            return table
        labels: Any = Changes.from_labels(table.labels, kind, series=table.series)
        scores: dict[str, Any] = {
            name: Changes.from_labels(one) if kind == "ones" and is_binary(one) else one
            for name, one in table.scores.items()
        }
        return replace(table, labels=labels, scores=scores)

    def _check_marks(self, *files: str) -> None:
        """Refuse marks of text where no file is text."""
        from adjudge.io.formats import is_delimited

        given = [name for name in ("sep", "decimal") if self[name] is not None]
        if given and not any(is_delimited(name) for name in (*files, *(self["also"] or ()))):
            refuse(given[0], f"on {files[0]}, which is not a text table")

    def _recognised(self, file: str) -> BenchmarkLayout | AdjudgeError | None:
        """The benchmark that a file or folder is, if any; what is wrong with it is told later."""
        try:
            layout = self._layout(file)
        except AdjudgeError as error:
            return error
        if layout is not None or self._kind is None:
            refuse_for("points" if layout is None else "benchmark")
        return layout

    def _incidents(self, *file: str | None) -> LabelledScores:
        from adjudge.io.incidents import GivenTables, TimeWords, read_incidents

        truth, alerts, span, length = self["truth"], self["alerts"], self["span"], self["length"]
        if truth is None:
            raise click.UsageError("name a FILE, or give --truth FILE --alerts FILE --span FROM TO")
        if any(file):
            raise click.UsageError(
                "--truth takes a FILE of scores, or --alerts FILE with --span or --length, not both"
            )
        if not alerts:
            raise click.UsageError(
                "--truth takes --alerts FILE, the detector's alerts, or a FILE of its scores"
            )
        if span is None and length is None:
            raise click.UsageError(
                "--truth takes either --span FROM TO, the watched time, as in --span "
                "2026-01-01 2026-02-01, or --length N, the number of points if times are "
                "positions"
            )
        self._check_marks(truth, *alerts)
        if length is not None:
            from adjudge.io.positions import read_positions

            load = partial(
                read_positions, truth, alerts, length, sep=self["sep"], closed=self["closed"]
            )
            return self._chosen(_announced(load))
        columns = (
            _roles(self["truth_columns"], "truth"), _roles(self["alerts_columns"], "alerts"),
        )  # fmt: skip
        given = GivenTables(
            truth, alerts, span, self["watched"], self["outages"], *columns, self["series"],
            self["sep"], self["every"],
        )  # fmt: skip
        times = TimeWords(self["time_unit"], self["time_format"], self["tz"], self["ambiguous"])
        table = _announced(partial(read_incidents, given, times))
        if not table.watching:  # moments without an end are changes
            refuse_for("moments")
        return self._chosen(table)

    def _chosen(self, table: LabelledScores) -> LabelledScores:
        """The table with the detectors that were named, or with all."""
        names = self["scores"] or table.scores
        unknown = [name for name in names if name not in table.scores]
        if unknown:
            raise UnknownName("alerts", unknown[0], table.scores)
        return replace(table, scores={name: table.scores[name] for name in names})

    def reading(self, table: LabelledScores) -> dict[str, Any]:
        """Say to the judging how the columns of a table are to be taken."""
        if table.watching:
            series = False if self["no_series"] else True if self["series"] else None
            return {**table.watching, **self.of(("early", "every", "clock")), "series": series}
        known = {"series": table.series, "where": table.where, "time": table.time}
        known |= self.of(("missing", "clock"))
        if table.beside:
            return {**known, **table.beside}
        if table.about is not None:
            known["kind"] = table.about
        sort = bool(self["sort"]) and table.time is not None  # else it was sorted when it was read
        return {**known, "sort": sort}

    def breakdown(self, judgement: Judgement) -> Breakdown:
        """What was found by a column; of points it was read as what says the kind."""
        column = str(self["by"])
        if self._kind is not None or column in _PARTS_OF_POINTS:
            return judgement.by(column)
        return replace(judgement.by("kind"), column=column)

    def compared(self, file: str | None, old: str, new: str) -> LabelledScores:
        """A table of two detectors: two columns of a file, or one of each of two files."""
        if file is not None:
            table = Source({**self.given, "scores": (old, new)}).read(file)
            return replace(table, scores={name: table.scores[name] for name in (old, new)})
        first, second = tables = [self.read(name) for name in (old, new)]
        for name, table in zip((old, new), tables, strict=True):
            if len(table.scores) != 1:
                known = ", ".join(table.scores)
                raise InputError(
                    f"{name}: --compare takes one detector per file, got {len(table.scores)} "
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

        if self["sort"] and self["time"] is not None:
            refuse("signals", "on unsorted rows; sort the file first")
        how = {**self._how(), "missing": "skip", "scores": names}
        return dict(read(file, **{**how, "tune_on": None, "train": None}).scores)

    def evidence(self, table: LabelledScores, unit: str | None) -> dict[str, Any]:
        """Say what intervals rest on; of incidents it is the incident: services are fixed."""
        fixed = self._kind in {"on_call", "positions"} and unit in {None, "auto"}
        return units_with_value({"unit": "event" if fixed else unit, "group": table.group})

    def _timed(self, table: LabelledScores) -> LabelledScores:
        """Read times that are numbers, or written in a form that is given."""
        from adjudge.data.clock import Clock, is_counted
        from adjudge.data.written_forms import times_of_form

        time, unit, form = self["time"], self["time_unit"], self["time_format"]
        if time is None:
            return table
        if form is not None:
            return replace(table, time=Clock.read(times_of_form(table.time, form, time), time))
        if unit is None:
            return table
        if not is_counted(table.time):
            refuse("time_unit", f"on column {time}, whose times are not numbers")
        return replace(table, time=Clock.read(table.time, time, unit))

    def _layout(self, file: str) -> BenchmarkLayout | None:
        from adjudge.io.layouts import find_layout
        from adjudge.io.prometheus_scores import is_answer

        also = self["also"] or ()
        folders = [name for name in also if Path(name).is_dir()]
        if file == "-" or len(also) > len(folders) or not Path(file).exists():
            return None
        if self["sep"] is not None or self["decimal"] is not None:  # no benchmark is written so
            return None
        if is_answer(file):
            return None
        if len(folders) > 1:
            raise InputError(f"--with takes one folder of scores, got {', '.join(folders)}")
        return find_layout(file, next(iter(folders), None), judged=self["judged"])


def _roles(text: str | None, side: str) -> dict[str, str] | None:
    """Read start=COL,end=COL."""
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    wrong = next((role for role, equals, name in pairs if not (role and equals and name)), None)
    if wrong is not None:
        raise InputError(
            f"--{side}-columns must be ROLE=COLUMN, comma-separated, as in "
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
        raise InputError(f"{folder}: no readable table in this folder")
    return names
