"""What all figures share: matplotlib if it is there, colours, the look of axes, the files.

Matplotlib is optional and imported only when something is drawn. No window is opened and no figure
registered. A user's own settings (``rcParams``) neither change what is drawn nor are changed: they
are set aside while a sheet is open, and are back when it closes.

Decimation: what to draw of a million points, so that no alarm, event or extreme disappears.

The time axis is cut into columns, about one per dot of a screen. Of each column are kept the lowest
and the highest score, the highest flag, and the dearest and the longest interval that starts there.

The time axis of a figure: where each point stands, in dates where its times are known.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.intervals import repeat
from adjudge.errors import InputError, MissingExtra
from adjudge.tables.formats import as_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from adjudge._typing import Array, Floats, Positions
    from adjudge.data.clock import Clock

COLUMNS = 2000
_LARGEST = 1e300  # what lies beyond stands for an infinite score


def drawable(scores: Floats) -> Floats:
    """The scores with infinities at the height of the lowest and highest finite ones.

    A score that is missing is drawn at the bottom: it is of a point that is not judged.

    >>> drawable(np.array([0.5, np.inf, -np.inf, 2.0]))
    array([0.5, 2. , 0.5, 2. ])
    """
    finite = scores[np.abs(scores) < _LARGEST]
    if not finite.size:
        return np.sign(np.nan_to_num(scores))
    return np.clip(np.nan_to_num(scores, nan=-np.inf), finite.min(), finite.max())


def extremes(values: Floats, columns: int = COLUMNS) -> Positions:
    """Places of the lowest and highest value of each column, in the order of time.

    >>> extremes(np.array([0.0, 5.0, 1.0, 2.0, -3.0, 2.0]), columns=2)
    array([0, 1, 4, 5])
    """
    if values.size <= 2 * columns:
        return np.arange(values.size)
    starts = np.linspace(0, values.size, columns, endpoint=False).astype(np.int64)
    column = repeat(np.arange(columns), np.diff(starts, append=values.size))
    order = np.lexsort((values, column))
    ends = np.append(starts[1:], values.size) - 1
    return np.unique(np.concatenate([order[starts], order[ends], [0, values.size - 1]]))


def highest(places: Positions, heights: Floats, n: int, columns: int = COLUMNS) -> Positions:
    """Those of some places that are the highest of their column.

    >>> highest(np.array([0, 1, 9]), np.array([3.0, 4.0, 1.0]), 10, columns=2)
    array([1, 9])
    """
    if places.size <= columns:
        return places
    column = places * columns // n
    order = np.lexsort((heights, column))
    last = np.append(np.diff(column[order]) != 0, True)
    kept: Positions = places[order[last]]
    return kept


def shown_intervals(
    starts: Positions, stops: Positions, weights: Array, n: int, columns: int = COLUMNS
) -> Positions:
    """Numbers of the intervals to draw, the lightest first, so that the dearest lies on top.

    Of those that start in one column the heaviest and the longest are enough: the others would be
    hidden behind them, for each is drawn at least one column wide.

    >>> starts, stops = np.array([0, 1, 2, 8]), np.array([1, 6, 3, 9])
    >>> shown_intervals(starts, stops, np.array([1, 5, 9, 2]), 10, columns=2)
    array([3, 1, 2])
    """
    chosen = np.arange(starts.size)
    if starts.size > columns:
        column = starts * columns // n
        kept = [np.lexsort((by, column)) for by in (weights, stops)]
        chosen = np.unique([k[np.append(np.diff(column[k]) != 0, True)] for k in kept])
    return chosen[np.argsort(weights[chosen], kind="stable")]


# Okabe and Ito's colours: told apart by colour-blind readers, and by their grey in print
BLACK, ORANGE, SKY, GREEN, BLUE, RED = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00",
)  # fmt: skip
SMALL = 8.5  # points of type in captions and legends
_DPI = 200


def check_matplotlib() -> None:
    """Refuse early where nothing can be drawn.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    try:
        import matplotlib.figure  # noqa: F401, PLC0415 - optional, and slow to import
    except ImportError as error:
        raise MissingExtra("figures", "matplotlib") from error
    except ValueError as error:  # of a setting of its own, such as MPLBACKEND
        text = str(error).partition(";")[0]
        raise InputError(f"matplotlib cannot be imported as it is set up: {text}") from None


@contextmanager
def sheet(width: float, height: float) -> Iterator[Any]:
    """Open an empty figure of so many inches."""
    check_matplotlib()
    import matplotlib.figure  # noqa: PLC0415 - optional, and slow to import

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["pdf.fonttype"] = 42  # journals refuse type 3 fonts
        matplotlib.rcParams["svg.hashsalt"] = "adjudge"  # the same drawing has the same names
        matplotlib.rcParams["figure.constrained_layout.w_pad"] = 0.06  # inches around axes
        matplotlib.rcParams["figure.constrained_layout.h_pad"] = 0.07
        yield matplotlib.figure.Figure(figsize=(width, height), layout="constrained")


def axes_for(ax: Any, size: tuple[float, float]) -> Any:
    """The axes to draw on: those given, or those of a new figure that a notebook will show."""
    if ax is not None:
        return ax
    check_matplotlib()
    from matplotlib import pyplot as plt  # noqa: PLC0415 - optional, and slow to import

    return plt.subplots(figsize=size, layout="constrained")[1]


def tidy(axes: Any) -> None:
    """Make axes of curves look alike: a pale grid behind, no frame."""
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def bare(axes: Any) -> None:
    """Make axes of strips and cells look alike: neither frame nor ticks."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)


def save(
    figure: Any, out: Path, name: str, head: Sequence[str], rows: Sequence[Sequence[object]]
) -> list[Path]:
    """Write the figure as PNG, SVG and PDF and its numbers as CSV, and give the four paths."""
    out.mkdir(parents=True, exist_ok=True)
    paths = [out / f"{name}.{ending}" for ending in ("png", "svg", "csv", "pdf")]
    figure.savefig(paths[0], dpi=_DPI)
    figure.set_layout_engine("none")  # all has found its place: once is enough
    figure.savefig(paths[1], metadata={"Date": None})
    figure.savefig(paths[3], metadata={"CreationDate": None})
    paths[2].write_text(as_csv(head, rows), encoding="utf-8")
    return paths


_DAY = 86_400 * 10**9  # in nanoseconds; matplotlib counts days


class TimeAxis(NamedTuple):
    """Where points stand, and where the cell of each begins and ends."""

    places: Floats
    edges: Floats
    """One more than there are points."""
    zone: Any = None
    """The time zone, where the axis has dates; None: positions."""

    @classmethod
    def of(cls, n: int, clock: Clock | None) -> TimeAxis:
        """Dates where the clock only ever runs forward, else positions.

        Times of several series, one after the other, start anew: these are shown by position.
        """
        if clock is None or n < 2 or np.any(np.diff(clock.instants) <= 0):
            places = np.arange(n, dtype=np.float64)
            return cls(places, np.arange(n + 1, dtype=np.float64) - 0.5)
        places = clock.instants / _DAY
        between = (places[1:] + places[:-1]) / 2
        first, last = 2 * places[0] - between[0], 2 * places[-1] - between[-1]
        return cls(places, np.concatenate([[first], between, [last]]), clock.tzinfo)

    def label(self, axes: Any) -> None:
        """Set limits and ticks."""
        axes.set_xlim(self.edges[0], self.edges[-1])
        if self.zone is None:
            from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415 - optional

            axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 2.5, 5, 10], integer=True))
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axes.set_xlabel("point")
            return
        from matplotlib import dates  # noqa: PLC0415 - optional

        ticks: Any = dates.AutoDateLocator(tz=self.zone)  # type: ignore[no-untyped-call]
        form: Any = dates.ConciseDateFormatter(ticks, tz=self.zone)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(ticks)
        axes.xaxis.set_major_formatter(form)
