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

_INCIDENTS = ("truth", "alerts", "span", "every")
_NOT_READ = ("judged", "time_unit", "time_format", "sort", "missing", *_INCIDENTS)


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
    group: str | None = None

    def tables(self, files: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], LabelledScores]]]:
        """Each table that the files, folders and benchmarks hold: its name, a way to read."""
        if self.truth is not None or not files:
            yield self.truth or "", partial(self.read, *files)
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

    def read(self, *file: str | None) -> LabelledScores:
        """Read one file, with those that are joined to it, or incidents and alerts; say how."""
        if self.truth is not None or not any(file):
            return self._incidents(*file)
        refuse_for("points")
        self._check_marks(str(file[0]))
        return self._read(str(file[0]))

    def _read(self, file: str) -> LabelledScores:
        from adjudge.io.labels_and_scores import read

        options = {name: value for name, value in vars(self).items() if name not in _NOT_READ}
        how = {"missing": self.missing or "refuse", "sort": bool(self.sort), **options}
        return self._timed(_announced(partial(read, file, **how)))

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
        refuse_for("points" if layout is None else "benchmark")
        return layout

    def _incidents(self, *file: str | None) -> LabelledScores:
        from adjudge.io.incidents import read_incidents

        if self.truth is None:
            raise click.UsageError("give files, or --truth with --alerts and --span")
        if any(file) or not self.alerts or not self.span:
            raise click.UsageError("--truth takes --alerts and --span, and no files")
        self._check_marks(self.truth, *self.alerts)
        how = {"every": self.every, "unit": self.time_unit, "sep": self.sep}
        how["form"] = self.time_format
        table = _announced(partial(read_incidents, self.truth, self.alerts, self.span, **how))
        unknown = [name for name in self.scores if name not in table.scores]
        if unknown:
            raise UnknownName("alerts", unknown[0], table.scores)
        return replace(table, scores={n: table.scores[n] for n in self.scores or table.scores})

    def reading(self, table: LabelledScores) -> dict[str, Any]:
        """Say to the judging how the columns of a table are to be taken."""
        known = {"series": table.series, "where": table.where, "time": table.time}
        sort = bool(self.sort) and table.time is not None  # else it was sorted when it was read
        return {**known, "missing": self.missing or "refuse", "sort": sort}

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
