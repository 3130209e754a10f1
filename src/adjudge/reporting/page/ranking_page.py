"""The ranking: a leaderboard of many detectors on many series, as a page.

The page is made of plain tables, so whatever has them can be drawn: see `Ranked`.

Pages of single series beside the page of a ranking, which links to them.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from adjudge.checks import file_path
from adjudge.errors import InputError, visible
from adjudge.judging.doors.evaluate import evaluate
from adjudge.metrics.reader import metric as read_metric
from adjudge.ranking.boards.board import caption, lead
from adjudge.ranking.collected import is_baseline, printed
from adjudge.reporting.page.assembly import packed_numbers, page, plain_name, write_page
from adjudge.reporting.page.report_page import write_report
from adjudge.tables.look import percent

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from adjudge._typing import Floats
    from adjudge.ranking.boards.board import Ranked
    from adjudge.ranking.sources import Unit

_SEED = re.compile(r"(.+)#\d+")
_COLUMNS = (
    "mean", "low", "high", "median", "macro", "pooled", "transferred", "gap", "mean_rank", "chance",
    "p_adjusted", "least_p", "better_on", "better_on_low", "tested", "series", "coverage",
    "first_share", "undefined", "failed", "missing", "runtime", "memory", "p_baselines",
)  # fmt: skip
_PAIR = ("difference", "low", "high", "p_adjusted", "ahead", "behind", "series")
_OF_GROUP = ("mean", "low", "high", "median", "mean_rank", "series", "chance")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


def write_ranking(
    ranking: Ranked,
    path: str | os.PathLike[str],
    *,
    title: str = "adjudge ranking",
    pages: Mapping[str, str] | None = None,
    said: Mapping[str, Sequence[str]] | None = None,
) -> Path:
    """Write the page of a ranking.

    Parameters
    ----------
    ranking : Ranked
        Tables of a ranking.
    path : path
        Where to write.
    title : str
        The page's heading.
    pages : mapping, optional
        Series to the page about it, as a path relative to this one; cells then link there.
    said : mapping, optional
        Metric to sentences that stand below the notes about it.
    """
    links = {name: _relative(href) for name, href in (pages or {}).items()}
    payload = _payload(ranking, links)
    for spec, notes in zip(ranking.metrics, payload["notes"], strict=True):
        notes.extend(map(visible, (said or {}).get(spec, ())))
    main = payload["main"]
    sets, references = len(payload["groups"]), sum(map(is_baseline, ranking.detectors))
    words = {
        "title": title,
        "facts": f"{_many(len(ranking.detectors) - references, 'detector')} on "
        f"{len(ranking.series):,} series{f' of {sets} data sets' if sets else ''} by "
        f"{_many(len(ranking.metrics), 'metric')}",
        "lead": payload["leads"][main],
        "board": [
            (
                payload["detectors"][row["detector"]],
                _shown(row["mean"], 4),
                _shown(row["mean_rank"], 2),
            )
            for row in payload["boards"][main]
        ],
        "notes": payload["notes"][main],
        "about": list(_about(ranking)),
        "coverage": percent(ranking.min_coverage),
    }
    return write_page(path, page("ranking", payload, **words))


def _about(ranking: Ranked) -> Iterator[tuple[str, str]]:
    """Versions and settings, as people say them."""
    words = {True: "yes", False: "no"}
    for name, value in ranking.about.items():
        if value is not None:
            said = words[value] if isinstance(value, bool) else plain_name(value)
            yield name.replace("_", " "), said


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"


def _payload(ranking: Ranked, links: Mapping[str, str | None]) -> dict[str, Any]:
    metrics, detectors = list(ranking.metrics), list(ranking.detectors)
    series = list(ranking.series)
    groups = _groups(ranking)
    return {
        "metrics": [plain_name(spec) for spec in metrics],
        "main": metrics.index(ranking.main_metric),
        "better": [ranking.better[spec] for spec in metrics],
        "detectors": [plain_name(name) for name in printed(detectors).values()],
        "series": [plain_name(name) for name in series],
        "leads": [list(map(visible, lead(ranking, spec))) for spec in metrics],
        "notes": [list(map(visible, caption(ranking, spec))) for spec in metrics],
        "boards": _boards(ranking, metrics, detectors),
        "critical": _critical(ranking, metrics),
        "pairs": [packed_numbers(_pairs(ranking, spec, detectors)) for spec in metrics],
        "groups": [plain_name(name or "none") for name in groups],
        "group_of": [groups.index(ranking.group_of(name)) if groups else -1 for name in series],
        "group_boards": [
            packed_numbers(_group_board(ranking, spec, detectors, groups)) for spec in metrics
        ],
        "values": [packed_numbers(part) for part in _values(ranking, metrics, detectors, series)],
        "agreement": _agreement(ranking, metrics),
        "flips": [
            {
                "one": detectors.index(row["one"]),
                "other": detectors.index(row["other"]),
                "for_one": [metrics.index(spec) for spec in row["for_one"]],
                "for_other": [metrics.index(spec) for spec in row["for_other"]],
            }
            for row in ranking.flips
        ],
        "pages": [links.get(name) for name in series],
        "asked": [plain_name(name) for name in detectors],
    }


def _groups(ranking: Ranked) -> list[str]:
    """The data sets, where there are several."""
    return list(dict.fromkeys(row["group"] for row in ranking.groups))


def _pairs(ranking: Ranked, metric: str, detectors: list[str]) -> Floats:
    """Two detectors a row: who they are, and `_PAIR`."""
    rows = [
        [detectors.index(row["one"]), detectors.index(row["other"])]
        + [math.nan if row[name] is None else row[name] for name in _PAIR]
        for row in ranking.comparisons
        if row["metric"] == metric
    ]
    return np.array(rows, np.float64).ravel()


def _group_board(ranking: Ranked, metric: str, detectors: list[str], groups: list[str]) -> Floats:
    """Of every data set and detector `_OF_GROUP`."""
    found = np.full((len(groups), len(detectors), len(_OF_GROUP)), np.nan)
    for row in ranking.groups:
        if row["metric"] == metric:
            place = groups.index(row["group"]), detectors.index(row["detector"])
            found[place] = [math.nan if row[name] is None else row[name] for name in _OF_GROUP]
    return found.ravel()


def _boards(
    ranking: Ranked, metrics: list[str], detectors: list[str]
) -> list[list[dict[str, Any]]]:
    """The lines of each metric. What was not computed is not there; null is undefined."""
    boards: list[list[dict[str, Any]]] = [[] for _ in metrics]
    for row in ranking.leaderboard:
        line = {name: row[name] for name in _COLUMNS if row.get(name) is not None}
        line["detector"] = detectors.index(row["detector"])
        boards[metrics.index(row["metric"])].append(line)
    return boards


def _critical(ranking: Ranked, metrics: list[str]) -> list[dict[str, Any]]:
    found = {row["metric"]: row for row in ranking.critical_difference}
    names = ("critical_difference", "series", "of", "p_value")
    return [{name: found[spec][name] for name in names} for spec in metrics]


def _values(
    ranking: Ranked, metrics: list[str], detectors: list[str], series: list[str]
) -> list[Floats]:
    """One value per metric, series and detector; of several seeds their mean."""
    places = [{name: i for i, name in enumerate(names)} for names in (metrics, series, detectors)]
    shape = [len(names) for names in places]
    sums, counts = np.zeros(shape), np.zeros(shape)
    for row in ranking.results:
        value = row["value"]
        place = tuple(
            part.get(name, -1)
            for part, name in zip(
                places,
                (row.get("requested", row["metric"]), row["series"], _detector(row, places[2])),
                strict=True,
            )
        )
        if value is not None and not math.isnan(value) and min(place) >= 0:
            sums[place] += value
            counts[place] += 1
    with np.errstate(divide="ignore", invalid="ignore"):
        means = (sums / counts).astype(np.float32).astype(np.float64)
    return [part.ravel() for part in means]


def _detector(row: Mapping[str, Any], known: Mapping[str, int]) -> str:
    """The detector of a run: ``lof#2`` is a seed of ``lof``."""
    name: str = row["detector"]
    match = None if name in known else _SEED.fullmatch(name)
    return match[1] if match else name


def _agreement(ranking: Ranked, metrics: list[str]) -> list[list[float]]:
    size = len(metrics)
    found = [[1.0 if i == j else math.nan for j in range(size)] for i in range(size)]
    for row in ranking.agreement:
        one, other = metrics.index(row["one"]), metrics.index(row["other"])
        found[one][other] = found[other][one] = row["tau"]
    return found


def _relative(href: str) -> str | None:
    """Let a link lead to a file beside the page and nowhere else."""
    return None if _SCHEME.match(href.strip()) else href


def _shown(value: float, digits: int) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def write_series_pages(
    beside: str | os.PathLike[str],
    units: Sequence[Unit],
    ranking: Ranked,
    progress: Callable[[int, int], None],
) -> dict[str, str]:
    """Write a report per series into ``NAME-series/`` beside the page ``NAME.html``; give links.

    Detectors are judged as they were ranked, each at its threshold; those that failed on a series
    are not on its page, and a series of which nobody is left has none.
    """
    page = file_path(beside, "path")
    folder = page.with_name(f"{page.stem}-series")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"path must be a file that can be written, got {str(beside)!r}: {error.strerror}"
        ) from None
    levels = _levels(ranking)
    links = {}
    for number, unit in enumerate(units):
        progress(number + 1, len(units))
        own = levels.get(unit.series, {})
        if not own:
            continue
        table = unit.read()
        scores = {name: table.scores[name] for name in table.scores if name in own}
        at = None if None in own.values() else {name: own[name] for name in scores}
        judged = evaluate(
            table.labels, scores, ranking.metrics, at, where=table.where, chance=False,
            missing=ranking.about.get("missing", "refuse"),
        )  # fmt: skip
        name = f"{number:05d}.html"
        write_report(judged, folder / name, title=unit.series, time=table.time)
        links[unit.series] = quote(f"{folder.name}/{name}")
    return links


def _levels(ranking: Ranked) -> dict[str, dict[str, float | None]]:
    """Of every series and detector that was judged there: the threshold that was chosen beside."""
    beside = {str(one) for one in map(read_metric, ranking.metrics) if one.needs_threshold}
    levels: dict[str, dict[str, float | None]] = {}
    for row in ranking.results:
        if not row["error"]:
            own = levels.setdefault(row["series"], {})
            found = row["at"] if row["requested"] in beside else None
            own[row["detector"]] = own.get(row["detector"]) if found is None else found
    return levels
