"""Inspect: judge a benchmark before the detectors that are ranked on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import SEEDS, is_whole, items, suggest_keywords, whole
from adjudge.errors import InputError, UnknownName, shown
from adjudge.lab.inspection import agreement, discords, labels, offsets, one_liners, readings
from adjudge.lab.inspection.result import CheckResult, Inspection, Remark, Suspect
from adjudge.lab.inspection.series import InspectedSeries, SeriesColumns, read_series
from adjudge.noise.p_values import holm
from adjudge.stores.engines import done_by
from adjudge.tables.progress import reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adjudge._typing import Floats

Need = Literal["labels", "signal", "time", "scores", "signal or scores"]
Work = tuple[str, int]
"""A piece of long work: a check, and the number of the series."""


@dataclass(frozen=True, eq=False)
class InspectedBenchmark:
    """The benchmark, and what is known of it so far."""

    benchmark: Sequence[InspectedSeries]
    shifts: int
    seed: int
    lines: Sequence[one_liners.BestLine | None] = ()
    discords: Sequence[Floats | None] = ()

    def work(self, piece: Work) -> one_liners.BestLine | Floats | None:
        """Do one piece of the long work."""
        check, place = piece
        if check == "one-liners":
            return one_liners.best_line(self.benchmark[place], self.shifts, self.seed)
        return discords.discord_level(self.benchmark[place])

    @cached_property
    def has_scores(self) -> bool:
        """Whether every series has scores."""
        return all(one.scores for one in self.benchmark)

    @cached_property
    def groups(self) -> list[list[str]]:
        """Detectors that say much the same."""
        return agreement.voters(self.benchmark) if self.has_scores else []

    @cached_property
    def agreed(self) -> dict[str, Floats]:
        """How much the detectors agree at each point of each series."""
        return {one.name: agreement.consensus(one, self.groups) for one in self.benchmark}

    def moved(self) -> CheckResult:
        """Ask whether labels are moved."""
        fixed = labels.sizes(self.benchmark)
        levels = {
            one.name: agreement.consensus(one, self.groups, near=0)
            if self.groups
            else offsets.one_line_level(one)
            for one in self.benchmark
        }
        own = offsets.offset(self.benchmark, levels, self.seed)
        is_fixed = fixed is not None and fixed.is_fixed
        outside = own is None or self._lies_outside(own.best, levels)
        return offsets.check_offset(
            own, by_detectors=bool(self.groups), windows=is_fixed, outside=outside
        )

    def _lies_outside(self, best: int, levels: dict[str, Floats | None]) -> bool:
        """Ask the readings, or else the scores, whether what labels would move to is unusual."""
        points = {one.name: offsets.level_of_points(one) for one in self.benchmark}
        known = {name: levels[name] if own is None else own for name, own in points.items()}
        return offsets.lies_outside(self.benchmark, known, best)


class Check(NamedTuple):
    """What a check needs, and how it is made."""

    needs: Need
    make: Callable[[InspectedBenchmark], CheckResult]


CHECKS: dict[str, Check] = {
    "events": Check("labels", lambda q: labels.check_events(q.benchmark)),
    "density": Check("labels", lambda q: labels.check_density(q.benchmark)),
    "ends": Check("labels", lambda q: labels.check_ends(q.benchmark)),
    "close events": Check("labels", lambda q: labels.check_close_events(q.benchmark)),
    "same labels": Check("labels", lambda q: labels.check_same_labels(q.benchmark)),
    "training": Check("labels", lambda q: labels.check_training(q.benchmark)),
    "position": Check("labels", lambda q: labels.check_position(q.benchmark, q.seed)),
    "windows": Check("labels", lambda q: labels.check_windows(q.benchmark)),
    "round borders": Check("labels", lambda q: labels.check_round_borders(q.benchmark)),
    "times": Check("time", lambda q: readings.check_times(q.benchmark)),
    "readings": Check("signal", lambda q: readings.check_readings(q.benchmark)),
    "copies": Check("signal", lambda q: readings.check_copies(q.benchmark)),
    "one-liners": Check("signal", lambda q: one_liners.check_one_liners(q.lines, q.shifts)),
    "missing labels": Check(
        "signal",
        lambda q: discords.check_discords(
            q.benchmark,
            {s.name: own for s, own in zip(q.benchmark, q.discords, strict=True)},
        ),
    ),
    "moved labels": Check("signal or scores", InspectedBenchmark.moved),
    "seen by detectors": Check("scores", lambda q: agreement.check_seen(q.benchmark, q.groups)),
    "agreement": Check(
        "scores", lambda q: agreement.check_agreement(q.benchmark, q.agreed, q.groups)
    ),
    "centres": Check("scores", lambda q: agreement.check_centres(q.benchmark, q.agreed, q.groups)),
}
"""The checks by name, in the order in which they are made."""
LONG = ("one-liners", "missing labels")
_WHY: dict[Need, str] = {
    "signal": "no readings: signal= or --signal names their columns",
    "time": "no times: time= or --time names their column",
    "scores": "no scores of detectors: scores= or --score names their columns",
    "signal or scores": "neither readings nor scores: --signal or --score names their columns",
}


@suggest_keywords("inspect")
def inspect(
    data: Any,
    *,
    signal: str | Sequence[str] | None = None,
    scores: str | Sequence[str] | None = None,
    label: str | None = None,
    series: str | None = None,
    time: str | None = None,
    train_length: float | None = None,
    score_folder: str | None = None,
    sep: str | None = None,
    where: str | None = None,
    checks: Sequence[str] | None = None,
    shifts: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | bool | None = None,
) -> Inspection:
    """Check a benchmark for flaws in its labels, signals and detector scores.

    Parameters
    ----------
    data : path, paths, data frame, or mapping
        A published benchmark (UCR, TSB-AD, NAB ...), a folder of files with a row per
        point, files, a data frame, or ``{name: (labels, {column: values})}``. Labels alone,
        ``{name: labels}``, are enough for the checks of labels.
    signal : str or sequence, optional
        The columns of readings, which may be patterns. Default: ``value``, ``values``, ``value_*``.
    scores : str or sequence, optional
        The columns of detectors' scores, which may be patterns. Default: ``score``, ``score_*``
        and the like; of series in memory all other columns.
    label, series, time : str, optional
        The columns of labels, of the ids of series in a long table, and of times.
    train_length : int or float, optional
        How many points, or which share of them, at the beginning of each series are for training
        and not judged. Layouts that know their training part set it themselves.
    score_folder : path, optional
        Where the detectors' scores of a published benchmark are.
    sep : str, optional
        The separator of text files. Default: a comma.
    where : str, optional
        The column of a table that says which points to judge: 0 for a training or warm-up part at
        the beginning of each series, 1 from there on.
    checks : sequence of str, optional
        Which checks to run. Default: all that the data allow.
    shifts : int, optional
        How many shifts the one-line detectors are compared with, at least 19. Default: 199.
    seed : int
        For all random draws.
    jobs : int
        Processes. More than one needs the usual ``if __name__ == "__main__":`` around the script.
    progress : callable or True, optional
        True: a bar, on a terminal or in a notebook. A function is
        called with (done, total) as the work goes on.

    Returns
    -------
    Inspection
        ``rows`` (what each check says), ``suspects`` (stretches to look at), ``series`` (a table by
        series), ``verdict``; ``to_frame()``, ``to_json()``, ``to_html(path)``.

    Raises
    ------
    InputError
        If data cannot be read, or lack what a requested check needs.

    Notes
    -----
    Levels: a *flaw* was tested, or is a plain fact beyond a stated limit; *look* is for a person,
    and promises no error rate; *fine* means no sign; and some things cannot be said. That nothing
    was found does not make a benchmark good: the last line says what was not checked.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 0], [700, 40, 260])
    >>> data = {f"s{k}": (np.roll(labels, 100 * k - 650), rng.normal(size=1000)) for k in range(9)}
    >>> found = inspect(data, checks=["windows", "position"])
    >>> found["windows"].level, found["position"].level
    ('flaw', 'fine')
    """
    shifts = whole(one_liners.SHIFTS if shifts is None else shifts, "shifts", 19)
    seed, jobs = whole(seed, "seed", 0, SEEDS), whole(jobs, "jobs", 1)
    report = reporter(progress, "series")
    if where is not None and train_length is not None:
        raise InputError(
            f"where must be left out with train_length, got {where!r}: both say what is judged"
        )
    reading = SeriesColumns(
        _names(signal, "signal"), _names(scores, "scores"), label, series, time,
        _train_length(train_length), score_folder, sep, where,
    )  # fmt: skip
    benchmark = tuple(read_series(data, reading))
    possible = {name: _allows(check.needs, benchmark) for name, check in CHECKS.items()}
    chosen = _chosen(checks, possible)
    question = _worked(InspectedBenchmark(benchmark, shifts, seed), chosen, jobs, report)
    results = [CHECKS[name].make(question) for name in chosen]
    rows = [row for one in results for row in one.findings]
    suspects = [one for result in results for one in result.suspects]
    skipped = {
        name: "not asked for" if possible[name] else _WHY[check.needs]
        for name, check in CHECKS.items()
        if name not in chosen
    }
    skipped |= _not_looked_at(question)
    table = tuple(_line(question, place, suspects) for place in range(len(benchmark)))
    return Inspection(_adjusted(rows), tuple(suspects), table, skipped, benchmark)


def _names(given: str | Sequence[str] | None, name: str) -> tuple[str, ...]:
    if given is None:
        return ()
    names = [given] if isinstance(given, str) else items(given, name, "names")
    if not all(isinstance(one, str) for one in names):
        raise InputError(f"{name} must be names, got {shown(given)}")
    return tuple(names)


def _train_length(value: float | None) -> float | None:
    """A number of points, or a share below 1."""
    if value is None or (is_whole(value) and value >= 0):
        return value
    if isinstance(value, float) and 0 <= value < 1:
        return value
    raise InputError(
        f"train_length must be a number of points or a share below 1, got {shown(value)}"
    )


def _allows(needs: Need, benchmark: Sequence[InspectedSeries]) -> bool:
    has_signal = any(one.values for one in benchmark)
    has_scores = all(one.scores for one in benchmark)
    return {
        "labels": True,
        "signal": has_signal,
        "time": any(one.clock is not None for one in benchmark),
        "scores": has_scores,
        "signal or scores": has_signal or has_scores,
    }[needs]


def _chosen(checks: Sequence[str] | None, possible: dict[str, bool]) -> list[str]:
    """The checks to make, in their order; one that is asked for must be possible."""
    if checks is None:
        return [name for name, yes in possible.items() if yes]
    asked = _names(checks, "checks")
    for name in asked:
        if name not in possible:
            raise UnknownName("check", name, possible, f"there are {', '.join(possible)}")
        if not possible[name]:
            raise InputError(f"check {name!r} cannot be made: {_WHY[CHECKS[name].needs]}")
    return [name for name in possible if name in asked]


def _worked(
    question: InspectedBenchmark,
    chosen: Sequence[str],
    jobs: int,
    report: Callable[[int, int], None],
) -> InspectedBenchmark:
    """Do the long work, series by series."""
    count = len(question.benchmark)
    pieces: list[Work] = [(name, k) for name in LONG if name in chosen for k in range(count)]
    done: dict[Work, Any] = done_by(jobs, question.work, pieces, report)
    own = {name: [done[name, k] for k in range(count)] for name in LONG if name in chosen}
    return replace(question, lines=own.get(LONG[0], ()), discords=own.get(LONG[1], ()))


def _not_looked_at(question: InspectedBenchmark) -> dict[str, str]:
    """What a check that was made left out, by its own limits."""
    skipped: dict[str, str] = {}
    for name, own in zip(LONG, (question.lines, question.discords), strict=True):
        why = Counter(
            _why_left_out(name, one)
            for one, result in zip(question.benchmark, own, strict=False)
            if result is None
        )
        if why:
            several = [f"{reason} in {count:,}" for reason, count in why.items()]
            reasons = several if len(several) > 1 else list(why)
            skipped[f"{name} in {why.total():,} series"] = ", ".join(reasons)
    return skipped


def _why_left_out(name: str, series: InspectedSeries) -> str:
    if not series.has_readings:
        return "no readings"
    if name == LONG[0]:
        return "no events between normal points"
    if series.n > discords.MOST_POINTS:
        return f"more than {discords.MOST_POINTS:,} points"
    return "no pattern repeats there"


def _adjusted(rows: Sequence[Remark]) -> tuple[Remark, ...]:
    """Adjust the p-values of all checks that test, after Holm."""
    tested = [place for place, row in enumerate(rows) if not np.isnan(row.p_value)]
    adjusted = holm(np.array([rows[place].p_value for place in tested])).tolist()
    by_place = dict(zip(tested, adjusted, strict=True))
    return tuple(
        replace(row, p_adjusted=by_place[place]) if place in by_place else row
        for place, row in enumerate(rows)
    )


def _line(question: InspectedBenchmark, place: int, suspects: Sequence[Suspect]) -> dict[str, Any]:
    """A line of the table by series."""
    one = question.benchmark[place]
    facts = labels.label_facts(one)
    line: dict[str, Any] = {"series": one.name, **facts._asdict(), "density": facts.density}
    if (times := readings.time_facts(one)) is not None:
        line |= times._asdict()
    if one.values:
        line |= readings.reading_facts(one)._asdict()
    best = question.lines[place] if question.lines else None
    if best is not None:
        line |= {"one_liner": best.name, "one_liner_value": best.value,
                 "one_liner_chance": best.chance, "one_liner_p": best.p_value}  # fmt: skip
    if question.discords:
        line["patterns_repeat"] = question.discords[place] is not None
    own = [suspect for suspect in suspects if suspect.series == one.name]
    for kind, name in (("missing", "suspected_missing"), ("unseen", "unseen")):
        line[name] = sum(suspect.kind == kind for suspect in own)
    return line
