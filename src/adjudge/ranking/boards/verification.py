"""Verification: whether the values of a submission are those that its scores have.

Scores are judged anew beside the labels of the board, all of them or a sample of the series, and
compared with the values that were sent. What does not reproduce is refused, with the reason. Values
without scores can be checked for their form alone: they count as *stated*, where a board takes them
at all, and pages say so.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge._version import __version__
from adjudge.checks import SEEDS, suggest_keywords, whole
from adjudge.errors import AdjudgeError, InputError, UnknownName, shown, visible
from adjudge.io.detector_folders import read_series
from adjudge.metrics.reader import metric as read_metric
from adjudge.ranking.boards.submissions import (
    FOLDER,
    META,
    SCORES,
    Board,
    Submission,
    read_board,
    read_submission,
    spec,
    why_no_name,
)
from adjudge.ranking.folder import csv_lines
from adjudge.ranking.run import rank
from adjudge.ranking.sources import ReadOptions
from adjudge.ranking.values import read_values
from adjudge.stores.engines import alone
from adjudge.stores.files import checksum, write_texts
from adjudge.tables.table import Layout, Table

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    Key = tuple[str, str]
    """A series and a metric."""

CLOSE = 1e-9
"""How far a value may be from its own recomputation: the last digits, on other machines."""
_SHOWN = 4
"""Reasons of a kind that are written out."""
_LONGEST = 600
"""Letters of a reason."""


@dataclass(frozen=True)
class Checked:
    """What became of a submission.

    Attributes
    ----------
    name : str
        Its folder.
    reasons : list of str
        Why it is refused; none: it is accepted.
    values : dict
        (series, metric) -> value, NaN where it is undefined.
    recomputed : int
        On how many series the scores were judged anew.
    meta : dict
        What it says of itself.
    """

    name: str
    reasons: list[str]
    values: Mapping[Key, float] = field(default_factory=dict)
    recomputed: int = 0
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_accepted(self) -> bool:
        """Whether there is no reason to refuse it."""
        return not self.reasons

    @property
    def series(self) -> int:
        """On how many series it has values."""
        return len({series for series, _ in self.values})

    @property
    def says(self) -> str:
        """What became of it, in words."""
        if not self.is_accepted:
            return "refused: " + "; ".join(self.reasons)
        if not self.recomputed:
            return f"accepted as stated, without scores: {self.series:,} series"
        return f"accepted: {self.recomputed:,} of {self.series:,} series recomputed, all equal"

    def to_dict(self) -> dict[str, Any]:
        """Without the values."""
        return {
            "name": self.name, "accepted": self.is_accepted, "reasons": self.reasons,
            "series": self.series, "recomputed": self.recomputed, "says": self.says,
        }  # fmt: skip


@dataclass(frozen=True)
class Verification:
    """What became of the submissions of a board: ``rows``, one `Checked` each."""

    board: Board
    rows: list[Checked]

    @property
    def accepted(self) -> list[Checked]:
        """Those that keep the rules."""
        return [row for row in self.rows if row.is_accepted]

    @property
    def refused(self) -> list[Checked]:
        """Those that do not."""
        return [row for row in self.rows if not row.is_accepted]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the values."""
        return {
            "adjudge": __version__, "board": self.board.title,
            "accepted": len(self.accepted), "refused": len(self.refused),
            "submissions": [row.to_dict() for row in self.rows],
        }  # fmt: skip

    def layout(self) -> Layout:
        """A line per submission, and why some are refused."""
        head = ["submission", "series", "recomputed", "is"]
        rows = [
            [visible(row.name), f"{row.series:,}", f"{row.recomputed:,}",
             "accepted" if row.is_accepted else "refused"]
            for row in self.rows
        ]  # fmt: skip
        said = [f"{visible(row.name)}: {why}" for row in self.refused for why in row.reasons]
        title = f"{len(self.accepted)} of {len(self.rows)} submissions follow the rules"
        return Layout((Table.of(head, rows, title),), verdicts=tuple(said))

    def __str__(self) -> str:
        """A line per submission."""
        return "\n".join(f"{visible(row.name)}: {row.says}" for row in self.rows)


@suggest_keywords("verify")
def verify(
    board: str | os.PathLike[str],
    names: Iterable[str] | None = None,
    *,
    sample: int | None = None,
    seed: int = 0,
) -> Verification:
    r"""Verify the submissions of a board: recompute their values, and refuse what differs.

    Parameters
    ----------
    board : path
        A folder with ``board.json``, labels, and ``submissions/NAME/``; ``docs/board.md`` has the
        rules, ``examples/board/`` is one to begin with.
    names : list of str, optional
        Which submissions. Default: all.
    sample : int, optional
        How many series of each submission are judged anew. Default: all.
    seed : int
        For the sample. Who cheats must not know it before: take the number of the run, say.

    Returns
    -------
    Verification
        ``rows``: each submission with the reasons why it is refused.

    Raises
    ------
    InputError
        If the board itself cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     scores = Path(folder, "submissions", "mine", "scores")
    ...     scores.mkdir(parents=True)
    ...     Path(folder, "labels").mkdir()
    ...     _ = Path(folder, "board.json").write_text(
    ...         '{"schema": 1, "title": "Ours", "metrics": ["auc_roc"], "data": "labels"}')
    ...     _ = Path(folder, "labels", "a.csv").write_text("label\n0\n0\n1\n1\n")
    ...     np.save(scores / "a.npy", [0.1, 0.3, 0.2, 0.9])
    ...     _ = (scores.parent / "meta.json").write_text('{"authors": ["A. Person"]}')
    ...     _ = prepare(folder, "mine")
    ...     print(verify(folder))
    ...     _ = (scores.parent / "values.csv").write_text("series,detector,value\na,mine,1\n")
    ...     print(verify(folder))
    mine: accepted: 1 of 1 series recomputed, all equal
    mine: refused: values.csv must be as meta.json says, got a file with another SHA-256
    """
    rules = read_board(board)  # type: ignore[arg-type]
    most = None if sample is None else whole(sample, "sample", 1)
    seed = whole(seed, "seed", 0, SEEDS)
    there = rules.submissions
    asked = there if names is None else list(names)
    for name in asked:
        if name not in there:
            hint = f"there are {', '.join(map(visible, there))}" if there else "there is none yet"
            raise UnknownName("submission", name, there, hint[:300])
    return Verification(rules, [_alone(rules, name, most, seed) for name in asked])


def _alone(board: Board, name: str, sample: int | None, seed: int) -> Checked:
    """Check a submission in a process of its own: whatever it does there, others go on."""
    check = partial(_checked, board, sample=sample, seed=seed)
    found = alone(check, name, board.seconds, int(board.gigabytes * 1e9))
    if isinstance(found, Checked):
        return found
    return Checked(name, [_short(f"cannot be verified: {found}")])


def _checked(board: Board, name: str, sample: int | None, seed: int) -> Checked:
    """All that can be said of one submission."""
    found = read_submission(board, name)
    reasons = list(found.problems)
    if reasons:
        return Checked(name, _few(reasons, found), meta=found.meta)
    sent: dict[Key, float] = {}
    if found.values is not None:
        try:
            sent = _sent(board, found)
        except AdjudgeError as error:
            return Checked(name, _few([str(error)], found), meta=found.meta)
    reasons += _of_scores(board, found, sent)
    if reasons:
        return Checked(name, _few(reasons, found), sent, meta=found.meta)
    chosen = _sampled(sorted(found.scores), sample if sent else None, seed, name)
    own = recomputed(board, found, chosen)
    reasons += list(own.failed) + list(_differences(own.values, sent))
    values = {**own.values, **sent}
    return Checked(name, _few(reasons, found), values, len(chosen), found.meta)


def _few(every: list[str], found: Submission) -> list[str]:
    """The first reasons, without where the board lies on this machine."""
    reasons = [_short(why.replace(f"{found.folder}/", "")) for why in every]
    more = len(reasons) - _SHOWN
    return reasons if more <= 1 else [*reasons[:_SHOWN], f"and {more:,} more reasons"]


def _short(why: str) -> str:
    return why if len(why) <= _LONGEST else f"{why[:_LONGEST]}..."


def _sent(board: Board, found: Submission) -> dict[Key, float]:
    """The values that were sent, each checked for its form."""
    cells = len(board.groups) * len(board.metrics)
    table = read_values(str(found.values), rows=2 * cells)  # so that what stands twice is named
    series, detectors = (list(map(str, table[key])) for key in ("series", "detector"))
    only = board.metrics[0] if len(board.metrics) == 1 else ""
    metrics = list(map(str, table.get("metric", [only] * len(series))))
    ranges = {one: _range(one) for one in board.metrics}
    specs = {one: spec(one, known=False) for one in dict.fromkeys(metrics)}
    values: dict[Key, float] = {}
    for row, (own, who, written) in enumerate(zip(series, detectors, metrics, strict=True)):
        metric, value = specs[written], float(table["value"][row])
        key, at = (own, metric), f"at row {row} of the values"
        if who != found.name:
            raise InputError(f"detector must be {found.name!r}, got {shown(who)} {at}")
        if own not in board.groups:
            raise InputError(f"series must be one of the board's, got {shown(own)} {at}")
        if metric not in board.metrics:
            raise InputError(
                f"metric must be one of {', '.join(board.metrics)}, got {shown(written)} {at}"
            )
        if key in values:
            raise InputError(f"a series must occur once per metric, got {shown(own)} again {at}")
        least, most = ranges[metric]
        if math.isinf(value) or not (math.isnan(value) or least <= value <= most):
            raise InputError(f"value must be empty or from {least} to {most}, got {value} {at}")
        values[key] = value
    return values


def _range(written: str) -> tuple[float, float]:
    try:
        return read_metric(written).row.range
    except AdjudgeError:
        return -math.inf, math.inf


def _of_scores(board: Board, found: Submission, sent: Mapping[Key, float]) -> Iterator[str]:
    """What is wrong with which series there are."""
    unknown = sorted(found.scores.keys() - board.files.keys())
    if unknown:
        none = "" if board.files else ", and this board has no labels"
        yield f"{SCORES}/ must have files of the board's series, got {shown(unknown[0])}{none}"
    if not found.scores and not board.stated:
        yield f"{SCORES}/ must be there: this board recomputes all values from scores"
    if not sent:
        return
    units_with_value = {series for series, _ in sent}
    if found.scores:
        for lacking in sorted(units_with_value - found.scores.keys())[:1]:
            yield f"{SCORES}/ must have every series with a value, got none of {shown(lacking)}"
        for lacking in sorted(found.scores.keys() - units_with_value - set(unknown))[:1]:
            yield f"values must have every series with scores, got none of {shown(lacking)}"
    for metric in board.metrics:
        for lacking in sorted(one for one in units_with_value if (one, metric) not in sent)[:1]:
            yield f"values must have every metric, got no {metric} of {shown(lacking)}"


def _sampled(series: list[str], most: int | None, seed: int, name: str) -> list[str]:
    """Some of the series, others for each submission."""
    if most is None or most >= len(series):
        return series
    rng = np.random.default_rng([seed, *name.encode()])
    return sorted(series[place] for place in rng.choice(len(series), most, replace=False))


@dataclass(frozen=True)
class Recomputed:
    """Values of scores that were judged anew, and why some could not be."""

    values: dict[Key, float]
    failed: list[str]


def recomputed(board: Board, found: Submission, series: list[str]) -> Recomputed:
    """Judge the scores of a submission anew, on some series."""
    reading, data, failed = ReadOptions(label=board.label).of_folders, {}, []
    for name in series:
        try:
            table = read_series(board.files[name], {found.name: found.scores[name]}, **reading)
        except AdjudgeError as error:
            failed.append(str(error))
            continue
        failed += table.broken.values()
        if found.name in table.scores:
            scores = table.scores[found.name]
            failed += without_score(visible(name), scores)
            data[name] = table.labels, {found.name: scores}
    if failed or not data:  # `rank` leaves a series without scores out: stated values would stand
        return Recomputed({}, failed)
    ranking = rank(data, list(board.metrics), at=board.at, chance=False, pooled=False)
    metric_of = dict(zip(ranking.metrics, board.metrics, strict=True))
    values: dict[Key, float] = {}
    for row in ranking.each_result():
        if row["error"]:
            failed.append(f"{visible(row['series'])}: {row['error']}")
        else:
            value = math.nan if row["value"] is None else float(row["value"])
            values[row["series"], metric_of[row["requested"]]] = value
    return Recomputed(values, failed)


def without_score(series: str, scores: Any) -> list[str]:
    """Say that a point has no score, if one has none.

    >>> without_score("a", np.array([0.5, np.nan, np.nan]))
    ['a: every point must have a score, got nan at index 1 (2 of 3 points); a series that the \
detector cannot judge has no file']
    """
    given = np.asarray(scores)
    missing = np.flatnonzero(np.isnan(given)) if given.dtype.kind == "f" else np.zeros(0, np.int64)
    if not missing.size:
        return []
    return [
        f"{series}: every point must have a score, got nan at index {missing[0]} "
        f"({missing.size:,} of {given.size:,} points); a series that the detector cannot judge "
        "has no file"
    ]


def _differences(own: Mapping[Key, float], sent: Mapping[Key, float]) -> Iterator[str]:
    """Values that were sent and are not those of the scores, and what these may be instead."""
    for (series, metric), value in own.items():
        got = sent.get((series, metric), value)
        if not _same(got, value):
            other = next(
                (
                    name
                    for (name, spec_), one in own.items()
                    if spec_ == metric and name != series and _same(one, got)
                ),
                "",
            )
            hint = f", which is that of {visible(other)}: were series swapped?" if other else ""
            yield (
                f"{metric} on {visible(series)} must be {value:.9g}, recomputed from its "
                f"scores, got {got:.9g}{hint}"
            )


def _same(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return abs(one - other) <= CLOSE * max(1.0, abs(other))


def prepare(board: str | os.PathLike[str], name: str) -> list[str]:
    """Judge the scores of one's own submission, and write ``values.csv`` and ``meta.json``.

    What stands in ``meta.json`` about the detector stays; settings, versions and hashes are filled
    in. Who the authors are only they know: `verify` refuses a submission until they are named.

    Parameters
    ----------
    board : path
        The board.
    name : str
        A folder of ``submissions`` with ``scores/``, or with a table of values.

    Returns
    -------
    list of str
        The files that were written.

    Raises
    ------
    InputError
        If there is nothing to judge, or it cannot be judged.
    """
    rules = read_board(board)  # type: ignore[arg-type]
    folder = rules.path / FOLDER / name
    if why := why_no_name(name):
        raise InputError(why)
    if not folder.is_dir():
        raise InputError(f"name must be a folder of {FOLDER}/ with {SCORES}/, got {shown(name)}")
    found, written = Submission(name, folder, _known_meta(folder), ()), []
    if found.scores:
        unknown = sorted(found.scores.keys() - rules.files.keys())
        if unknown:
            raise InputError(f"{SCORES}/ must be of the board's series, got {shown(unknown[0])}")
        own = recomputed(rules, found, sorted(found.scores))
        if own.failed:
            raise InputError(own.failed[0])
        rows = ({"series": s, "detector": name, "metric": m, "value": "" if math.isnan(v) else v}
                for (s, m), v in own.values.items())  # fmt: skip
        write_texts(
            folder / "values.csv", csv_lines(("series", "detector", "metric", "value"), rows)
        )
        written.append(str(folder / "values.csv"))
    elif found.values is None:
        raise InputError(f"{visible(name)}: {SCORES}/ or a table of values must be there")
    write_texts(folder / META, [_meta_text(rules, found)])
    return [*written, str(folder / META)]


def _known_meta(folder: Any) -> dict[str, Any]:
    """What somebody wrote about a detector already."""
    try:
        found = json.loads((folder / META).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _meta_text(board: Board, found: Submission) -> str:
    files = [found.values, *found.scores.values()] if found.values else [*found.scores.values()]
    stated = {"authors": [], **found.meta}
    stated |= {
        "schema": 1, "name": found.name, "settings": board.settings, "adjudge": __version__,
        "files": {one.relative_to(found.folder).as_posix(): checksum(one) for one in files},
    }  # fmt: skip
    stated |= {"data": board.data} if board.files else {}
    return json.dumps(stated, indent=2, ensure_ascii=False) + "\n"
