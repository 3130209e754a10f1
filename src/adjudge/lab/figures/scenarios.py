"""Scenarios: seven detectors on the same four events, and how each F1 tells them apart.

The paper's figure 2 claims that only balanced adjustment makes meaningful transitions: it calls
partial detection without false alarms perfect, and falls when events are missed or false alarms
are added. This is a table of our own that puts the claim to the test.

Every detector is compared with the first one, D1, which hits each event in part and raises no false
alarm. What a metric *should* do follows from events alone:

``one``
    The detection is perfect, so the value is 1 (to within 0.01).
``lower``
    The detection is worse, so the value falls by at least 0.01.
``like``
    The value falls by at least 0.01, and by as much as for as many missed events, within a factor
    of two: a false alarm and a missed event are one mistake each.
``same``
    Each event is found and nothing else is, so the value changes by less than 0.01.

The last is the paper's reading, in which an event that is hit at all is found. Who needs coverage
wants the pointwise F1 to fall there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from adjudge.data.events import Events
from adjudge.metrics.reader import metric
from adjudge.reporting.figures.drawing import (
    BLUE,
    GREEN,
    RED,
    bare,
    caption,
    is_narrow,
    save,
    sheet,
    small,
)
from adjudge.tables.look import SCORES, on_white

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Expected = Literal["one", "lower", "like", "same"]

LEAST = 0.01  # a smaller change is none
FACTOR = 2  # falls whose ratio is at most this are alike


class DrawnDetector(NamedTuple):
    """A detector: what it did, and what that should do to a metric that knows events."""

    name: str
    text: str
    flags: tuple[tuple[int, int], ...]
    expected: Expected
    like: str = ""
    """The detector whose fall is to be matched, where one is."""


POINTS = 600
EVENTS = ((60, 90), (200, 230), (340, 370), (480, 510))
_HITS = ((64, 76), (205, 214), (352, 356), (485, 500))  # the third covers 13 % of its event
_FALSE = ((140, 144), (420, 424))
SCENARIOS = (
    DrawnDetector("D1", "every event hit in part", _HITS, "one"),
    DrawnDetector("D2", "one event missed", (_HITS[0], *_HITS[2:]), "lower"),
    DrawnDetector("D3", "two events missed", (_HITS[0], _HITS[2]), "lower"),
    DrawnDetector("D4", "one false run", tuple(sorted((*_HITS, _FALSE[0]))), "like", "D2"),
    DrawnDetector("D5", "two false runs", tuple(sorted((*_HITS, *_FALSE))), "like", "D3"),
    DrawnDetector("D6", "one point per event", tuple((a, a + 1) for a, _ in _HITS), "same"),
    DrawnDetector("D7", "always-on alarm", ((0, POINTS),), "lower"),
)
METRICS = SCORES

_ARROWS = {"one": "= 1", "lower": "↓", "like": "↓ like ", "same": "="}
_CAPTION = (
    "Each detector is compared with D1. ↓ falls, = stays, ↑ rises by at least {least:g}; "
    "“↓ like D2”: falls as far as D2 does, within a factor of {factor}. "
    "✓ (green): as expected. ✗ (orange): not. Expectations are about events: one that is hit at "
    "all is found, and a false run is a mistake as large as a missed event."
)


class ScenarioCell(NamedTuple):
    """One value of the table and its verdict; the fields are the columns of the CSV."""

    detector: str
    text: str
    metric: str
    value: float
    change: float
    expected: str
    observed: Literal["lower", "same", "higher"]
    verdict: Literal["as expected", "not as expected"]


def scenarios_figure(out: Path, *, width: str | float | None = None) -> list[Path]:
    """Draw the table of scenarios: seven detectors, four F1s, and a verdict for each value.

    Parameters
    ----------
    out : Path
        The directory for ``scenarios.png``, ``.svg``, ``.pdf`` and ``.csv`` (all values).
    width : str or float, optional
        Of paper: ``"ieee1"``, ``"ieee2"``, ``"neurips"``, or centimetres.

    Returns
    -------
    list of Path
        The four files.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    with sheet(10.5, 5.0, width, narrow=5.2) as figure:
        cells = judged_scenarios()
        _draw(figure, cells)
        return save(figure, out, "scenarios", ScenarioCell._fields, cells)


def judged_scenarios(specs: Iterable[str] = tuple(METRICS)) -> list[ScenarioCell]:
    """Judge every detector by every metric, and hold each value against its expectation.

    >>> for cell in judged_scenarios():
    ...     if cell.detector in ("D2", "D4"):
    ...         print(cell.detector, cell.metric, round(cell.change, 3), cell.verdict)
    D2 f1 -0.089 as expected
    D2 f1_pa -0.143 as expected
    D2 f1_kpa(k=0.2) -0.183 as expected
    D2 f1_ba(width=31, islands="normal") -0.143 as expected
    D4 f1 -0.012 not as expected
    D4 f1_pa -0.016 not as expected
    D4 f1_kpa(k=0.2) -0.016 not as expected
    D4 f1_ba(width=31, islands="normal") -0.124 as expected
    """
    events = Events.from_intervals(EVENTS, n=POINTS)
    cells: dict[tuple[str, str], ScenarioCell] = {}
    specs = tuple(specs)
    for spec in specs:
        values = {one.name: metric(spec)(events, _flags(one)) for one in SCENARIOS}
        named = metric(spec).resolved_spec(events)
        cells |= {(one.name, spec): _cell(one, named, values) for one in SCENARIOS}
    return [cells[one.name, spec] for one in SCENARIOS for spec in specs]


def _flags(scenario: DrawnDetector) -> Any:
    return Events.from_intervals(scenario.flags, n=POINTS).labels


def _cell(scenario: DrawnDetector, named: str, values: Mapping[str, float]) -> ScenarioCell:
    first = values[SCENARIOS[0].name]
    value = values[scenario.name]
    change = value - first
    matched = values[scenario.like] - first if scenario.like else 0.0
    expected = f"{scenario.expected} {scenario.like}".strip()
    verdict = as_expected(scenario.expected, value, change, matched)
    return ScenarioCell(
        scenario.name, scenario.text, named, value, change, expected, observed(change),
        "as expected" if verdict else "not as expected",
    )  # fmt: skip


def observed(change: float) -> Literal["lower", "same", "higher"]:
    """Name the direction of a change.

    >>> observed(-0.2), observed(0.009), observed(0.01)
    ('lower', 'same', 'higher')
    """
    if abs(change) < LEAST:
        return "same"
    return "lower" if change < 0 else "higher"


def as_expected(expected: Expected, value: float, change: float, matched: float) -> bool:
    """Hold a value and its change from D1 against an expectation (see the module's rules).

    ``matched`` is the change of the detector that is to be matched, where one is.

    >>> as_expected("like", 0.88, -0.12, matched=-0.14), as_expected("like", 0.98, -0.02, -0.14)
    (True, False)
    """
    if expected == "one":
        return value > 1 - LEAST
    if expected == "same":
        return observed(change) == "same"
    falls = observed(change) == "lower"
    if expected == "lower":
        return falls
    return falls and change * FACTOR <= matched and matched * FACTOR <= change


def _draw(figure: Any, cells: list[ScenarioCell]) -> None:
    narrow = is_narrow(figure.get_figwidth())
    if narrow:
        left, right = figure.subplots(2, 1, height_ratios=(0.7, 1))
    else:
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1), sharey=True)
    for axes in (left, right):
        bare(axes)
        axes.set_ylim(-0.25, len(SCENARIOS) + 1.0)
    for place, one in enumerate(reversed(SCENARIOS)):
        _draw_strip(left, place, one.flags, BLUE)
        left.text(-15, place + 0.3, f"{one.name}  {one.text}", ha="right", va="center")
    _draw_strip(left, len(SCENARIOS), EVENTS, on_white("event"))
    left.text(-15, len(SCENARIOS) + 0.3, "events", ha="right", va="center")
    for start, stop in EVENTS:
        left.axvspan(start, stop, color="0.93", lw=0, zorder=0)
    left.set_xlim((-450 if narrow else -330), POINTS + 5)
    _draw_cells(right, cells, names=narrow)
    text = _CAPTION.format(least=LEAST, factor=FACTOR)
    figure.supxlabel(caption(figure, text), ha="center")


def _draw_strip(axes: Any, place: int, intervals: Iterable[tuple[int, int]], color: str) -> None:
    spans = [(start, stop - start) for start, stop in intervals]
    axes.plot([0, POINTS], [place + 0.05, place + 0.05], color="0.6", lw=0.8)
    # a single point must still be seen, so bars have an edge
    axes.broken_barh(spans, (place + 0.05, 0.5), facecolor=color, edgecolor=color, lw=1)


def _draw_cells(axes: Any, cells: list[ScenarioCell], *, names: bool) -> None:
    rows = {one.name: place for place, one in enumerate(reversed(SCENARIOS))}
    heads = ["expected", *(_head(cell) for cell in cells[: len(METRICS)])]
    for column, head in enumerate(heads):
        axes.text(column, len(SCENARIOS) + 0.3, head, ha="center", va="center")
    for one in SCENARIOS:
        text = _ARROWS[one.expected] + one.like
        axes.text(0, rows[one.name] + 0.3, text, ha="center", va="center")
        if names:
            axes.text(-0.85, rows[one.name] + 0.3, one.name, ha="left", va="center")
    for number, cell in enumerate(cells):
        _draw_cell(axes, 1 + number % len(METRICS), rows[cell.detector], cell)
    axes.set_xlim(-0.9 if names else -0.5, len(METRICS) + 0.55)


def _head(cell: ScenarioCell) -> str:
    name, _, rest = cell.metric.partition("(")
    first = rest.split(",")[0].rstrip(")").replace("=", " = ")
    return METRICS[name] + (f"\n{first}" if first else "\n")


def _draw_cell(axes: Any, column: int, place: int, cell: ScenarioCell) -> None:
    good = cell.verdict == "as expected"
    color, mark = (GREEN, "✓") if good else (RED, "✗")
    axes.bar(column, 0.86, width=0.94, bottom=place - 0.13, color=color, alpha=0.35)
    arrow = {"lower": "↓", "same": "=", "higher": "↑"}[cell.observed]
    change = f"{arrow} {abs(cell.change):.3f}" if cell.detector != SCENARIOS[0].name else ""
    high = place + (0.45 if change else 0.3)
    axes.text(column + 0.04, high, f"{mark} {cell.value:.3f}", ha="center", va="center",
              fontweight="bold")  # fmt: skip
    axes.text(column + 0.1, place + 0.08, change, ha="center", va="center", fontsize=small())
