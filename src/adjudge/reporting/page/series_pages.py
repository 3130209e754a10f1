"""Pages of single series beside the page of a ranking, which links to them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from adjudge.checks import file_path
from adjudge.errors import InputError
from adjudge.judging.evaluation import evaluate
from adjudge.reporting.page.report_page import write_report

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from adjudge.ranking.sources import Unit


def write_series_pages(
    beside: str | os.PathLike[str],
    units: Sequence[Unit],
    metrics: Sequence[str],
    progress: Callable[[int, int], None],
) -> dict[str, str]:
    """Write a report per series into ``NAME-series/`` beside the page ``NAME.html``; give links."""
    page = file_path(beside, "path")
    folder = page.with_name(f"{page.stem}-series")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"path must be a file that can be written, got {str(beside)!r}: {error.strerror}"
        ) from None
    links = {}
    for number, unit in enumerate(units):
        table = unit.source.read()
        judged = evaluate(table.labels, table.scores, metrics, where=table.where, chance=False)
        name = f"{number:05d}.html"
        write_report(judged, folder / name, title=unit.series, time=table.time)
        links[unit.series] = quote(f"{folder.name}/{name}")
        progress(number + 1, len(units))
    return links
