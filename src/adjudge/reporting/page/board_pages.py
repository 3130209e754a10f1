"""The pages of a board that others extend: one per metric, and one per metric and data set.

They are plain HTML without a script, and say of every detector who submitted it, whether its values
were recomputed or are as submitted, and by which version; of the board what changed since it was
last built, and whether that is more than noise. ``all.html`` is the page of the ranking.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, visible
from adjudge.judging.safe_names import safe_names
from adjudge.ranking.boards.board import board as leaderboard_of
from adjudge.ranking.boards.board import caption, lead
from adjudge.ranking.boards.verification import Checked, Verification, verify
from adjudge.ranking.finished import is_ranking, read_ranking
from adjudge.ranking.values import rank_values
from adjudge.reporting.page.assembly import page, write_page
from adjudge.stores.files import write_texts
from adjudge.tables.result_fields import json_ready
from adjudge.tables.table import Table

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from adjudge.ranking.boards.against import RankingChange
    from adjudge.ranking.result import Ranking

    Section = tuple[str, tuple[Table, ...], tuple[str, ...]]

_STORED, _STATE, _ALL = "ranking", "build.json", "all.html"


@dataclass(frozen=True)
class Built:
    """What was built.

    Attributes
    ----------
    verification : Verification
        Which submissions were accepted; the others are not on the pages but by their names.
    pages : list of path
        What was written, the first one first.
    changes : dict
        Metric -> what changed since the last build; empty where there was none.
    """

    verification: Verification
    pages: list[Path]
    changes: Mapping[str, RankingChange]


def build_board(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    before: str | os.PathLike[str] | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> Built:
    """Verify the submissions of a board, rank those that keep the rules, and write its pages.

    Parameters
    ----------
    path : path
        The board.
    out : path
        A folder for the pages.
    before : path, optional
        The folder of an earlier build. Default: `out`, if there is one.
    sample, seed
        See `verify`.
    """
    found, target = verify(path, sample=sample, seed=seed), Path(out)
    if not found.accepted:
        why = f"; {found}" if found.rows else ""
        raise InputError(f"board must have a submission that keeps the rules, got none{why}"[:600])
    target.mkdir(parents=True, exist_ok=True)
    old = _last_build(target if before is None else Path(before), needed=before is not None)
    table = _values(found)
    ranking = rank_values(table, min_coverage=found.board.min_coverage, out=target / _STORED)
    common = [] if old is None else [spec for spec in ranking.metrics if spec in old.metrics]
    changes = {} if old is None else {spec: ranking.against(old, spec) for spec in common}
    pages = list(_pages(found, ranking, changes, target))
    write_texts(target / _STATE, [json.dumps(json_ready(_state(found, changes))) + "\n"])
    return Built(found, pages, changes)


def _last_build(folder: Path, *, needed: bool) -> Ranking | None:
    if is_ranking(folder / _STORED):
        return read_ranking(folder / _STORED)
    if needed:
        raise InputError(f"before must be the folder of an earlier build, got {str(folder)!r}")
    return None


def _values(found: Verification) -> dict[str, list[Any]]:
    """The values of all that was accepted, as one table."""
    rows = [
        (series, checked.name, metric, checked.values[series, metric], found.board.groups[series])
        for checked in found.accepted
        for metric in found.board.metrics
        for series in sorted({own for own, spec in checked.values if spec == metric})
    ]
    names = ("series", "detector", "metric", "value", "group")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _state(found: Verification, changes: Mapping[str, RankingChange]) -> dict[str, Any]:
    changed = {spec: change.to_dict() for spec, change in changes.items()}
    return {**found.to_dict(), "data": _data(found), "changes": changed}


def _data(found: Verification) -> str:
    return found.board.data[:12] if found.board.files else ""


def _pages(
    found: Verification, ranking: Ranking, changes: Mapping[str, RankingChange], out: Path
) -> Iterator[Path]:
    metrics = {spec: f"metric-{name}" for spec, name in safe_names(ranking.metrics).items()}
    groups = list(dict.fromkeys(row["group"] for row in ranking.groups))
    names = safe_names(one or "none" for one in groups)
    links = [(spec, f"{metrics[spec]}.html") for spec in ranking.metrics]
    sources = [_source(one) for one in found.accepted]
    about = [("data", _data(found))] if _data(found) else []
    shared = {"sources": sources, "about": about}
    facts = f"{len(ranking.detectors):,} detectors on {len(ranking.series):,} series"
    title = found.board.title
    index = {"title": title, "facts": facts, "lead": lead(ranking, ranking.main_metric)[:1]}
    board = _board(ranking, ranking.main_metric)
    sections = [board, *_changed(changes.values()), *_refused(found)]
    yield _write(out / "index.html", **index, links=[*links, ("everything", _ALL)],
                 sections=sections, **shared)  # fmt: skip
    yield Path(ranking.to_html(out / _ALL, title=title))
    for spec in ranking.metrics:
        beside = [(group or "none", f"{metrics[spec]}--{names[group or 'none']}.html")
                  for group in groups]  # fmt: skip
        own = [changes[spec]] if spec in changes else []
        words = {"title": f"{title}: {spec}", "facts": facts, "lead": lead(ranking, spec)[:1]}
        links = [("all metrics", "index.html"), *beside]
        yield _write(out / f"{metrics[spec]}.html", **words, links=links,
                     sections=[_board(ranking, spec), *_changed(own)], **shared)  # fmt: skip
        for group, (_, file) in zip(groups, beside, strict=True):
            words = {"title": f"{title}: {spec} on {group or 'none'}", "facts": facts, "lead": ()}
            back = [("all metrics", "index.html"), (spec, f"{metrics[spec]}.html")]
            yield _write(out / file, **words, links=back,
                         sections=[_of_group(ranking, spec, group)], **shared)  # fmt: skip


def _write(path: Path, **context: Any) -> Path:
    return write_page(path, page("board", style="ranking", **context))


def _board(ranking: Ranking, metric: str) -> Section:
    (table, *_) = leaderboard_of(ranking, metric).tables
    return "Leaderboard", (table,), tuple(caption(ranking, metric))


def _of_group(ranking: Ranking, metric: str, group: str) -> Section:
    """The leaderboard of one data set."""
    own = [row for row in ranking.groups if row["group"] == group and row["metric"] == metric]
    head = ["detector", "mean rank", "mean", "95 % interval", "median", "series"]
    rows = [
        [visible(row["detector"]), _cell(row["mean_rank"], 2), _cell(row["mean"], 4),
         "" if math.isnan(row["low"]) else f"{row['low']:.3f} to {row['high']:.3f}",
         _cell(row["median"], 4), f"{row['series']:,}"]
        for row in own
    ]  # fmt: skip
    said = (f"{metric}: mean over the series of this data set, {ranking.better[metric]} is better",)
    return "Leaderboard", (Table.of(head, rows, f"on {visible(group or 'none')}"),), said


def _cell(value: float, digits: int) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def _changed(changes: Any) -> Iterator[Section]:
    for change in changes:
        layout = change.layout()
        yield "Since the last build", layout.tables, layout.verdicts


def _refused(found: Verification) -> Iterator[Section]:
    if found.refused:
        said = tuple(f"{visible(one.name)}: {why}" for one in found.refused for why in one.reasons)
        yield "Refused", (), said


def _source(checked: Checked) -> dict[str, Any]:
    """Where the values of a detector come from."""
    meta = checked.meta
    stated = json.dumps(meta.get("files", {}), sort_keys=True)
    return {
        "name": checked.name, "authors": ", ".join(meta["authors"]),
        "links": [(word, meta[word]) for word in ("code", "paper") if word in meta],
        "judged": (
            f"recomputed on {checked.recomputed:,} of {checked.series:,} series"
            if checked.recomputed else f"as submitted, {checked.series:,} series"
        ),
        "adjudge": meta["adjudge"], "hash": sha256(stated.encode()).hexdigest()[:12],
    }  # fmt: skip
