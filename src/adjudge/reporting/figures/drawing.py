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

from contextlib import contextmanager, suppress
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from adjudge.data.intervals import repeat
from adjudge.errors import InputError, MissingExtra
from adjudge.tables.formats import as_csv
from adjudge.tables.look import DETECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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


BLUE, ORANGE, GREEN, RED, SKY, BLACK = (colour for colour, _ in DETECTORS)
_DPI = 200
WIDTHS: Mapping[str, float] = {"ieee1": 3.5, "ieee2": 7.16, "neurips": 5.5}
"""Inches of a column or page: of one column and of two of an IEEE paper, and of NeurIPS."""
_LEAST, _MOST = 5, 60  # centimetres
_SCREEN: dict[Any, float] = {
    "font.size": 10, "axes.titlesize": 10.5, "axes.labelsize": 10, "xtick.labelsize": 9,
    "ytick.labelsize": 9, "legend.fontsize": 8.5, "legend.title_fontsize": 8.5,
    "figure.titlesize": 11, "figure.labelsize": 8.5,
}  # fmt: skip
_PAPER: dict[Any, float] = {
    "font.size": 7.5, "axes.titlesize": 8, "axes.labelsize": 7.5, "xtick.labelsize": 7,
    "ytick.labelsize": 7, "legend.fontsize": 7, "legend.title_fontsize": 7,
    "figure.titlesize": 8, "figure.labelsize": 7, "axes.linewidth": 0.6, "lines.markersize": 4,
    "xtick.major.size": 2.5, "ytick.major.size": 2.5, "axes.titlepad": 4,
}  # fmt: skip
"""Points of type at the real size: what a journal prints is not made smaller."""
LETTER = 0.57  # of the size of type: how wide a letter is on average


def inches(width: str | float, name: str = "width") -> float:
    """The width of a figure on paper: the name of a column, or centimetres.

    >>> inches("ieee1"), inches(8.89), inches("12")
    (3.5, 3.5, 4.724409448818897)
    """
    if isinstance(width, str) and width in WIDTHS:
        return WIDTHS[width]
    with suppress(ValueError, TypeError):
        if _LEAST <= (wide := float(width)) <= _MOST:
            return wide / 2.54
    names = ", ".join(map(repr, WIDTHS))
    raise InputError(
        f"{name} must be {names} or centimetres from {_LEAST} to {_MOST}, got {width!r}"
    )


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
def sheet(
    width: float, height: float, on: str | float | None = None, *, narrow: float | None = None
) -> Iterator[Any]:
    """Open an empty figure of so many inches, or one for paper.

    Parameters
    ----------
    width, height : float
        Of a figure for a screen.
    on : str or float, optional
        The width on paper: see `inches`.
    narrow : float, optional
        How high it is on paper that is too narrow for its layout. Default: as it is anyway.
    """
    check_matplotlib()
    import matplotlib.figure  # noqa: PLC0415 - optional, and slow to import

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SCREEN if on is None else _PAPER)
        matplotlib.rcParams["pdf.fonttype"] = 42  # journals refuse type 3 fonts
        matplotlib.rcParams["svg.hashsalt"] = "adjudge"  # the same drawing has the same names
        matplotlib.rcParams["figure.constrained_layout.w_pad"] = 0.06 if on is None else 0.03
        matplotlib.rcParams["figure.constrained_layout.h_pad"] = 0.07 if on is None else 0.03
        size = _size(width, height, on, narrow)
        yield matplotlib.figure.Figure(figsize=size, layout="constrained")


def _size(
    width: float, height: float, on: str | float | None, narrow: float | None = None
) -> tuple[float, float]:
    """Inches: type is three quarters as large on paper, and so is the height."""
    if on is None:
        return width, height
    wide = inches(on)
    if narrow is not None and is_narrow(wide):
        return wide, narrow
    return wide, height * 0.75


def is_narrow(wide: float) -> bool:
    """Whether panels have no room beside each other in so many inches."""
    return wide < 6


@contextmanager
def axes_for(ax: Any, size: tuple[float, float], on: str | float | None = None) -> Iterator[Any]:
    """The axes to draw on: those given, or those of a new figure that a notebook will show."""
    if ax is not None and on is not None:
        raise InputError("width must be None with ax: its figure has a width of its own")
    if ax is not None:
        yield ax
        return
    check_matplotlib()
    from matplotlib import pyplot as plt  # noqa: PLC0415 - optional, and slow to import

    with plt.rc_context(_SCREEN if on is None else _PAPER):
        axes = plt.subplots(figsize=_size(*size, on), layout="constrained")[1]
        axes.tick_params(labelsize=plt.rcParams["xtick.labelsize"])  # of ticks that come later too
        yield axes


def small() -> Any:
    """The size of type in captions, cells and legends."""
    import matplotlib  # noqa: ICN001, PLC0415 - optional, and slow to import

    return matplotlib.rcParams["legend.fontsize"]


def _points(axes: Any) -> float:
    """About how wide axes are, in points of type, before a layout has placed them."""
    return float(axes.get_position().width * axes.figure.get_figwidth() * 72 * 1.08)


def broken(text: str, axes: Any, size: float, share: float = 1.0) -> str:
    """Break a text into lines that fit above axes, or into a share of their width."""
    letters = max(10, int(share * _points(axes) / (LETTER * size)))
    return "\n".join(fill(line, letters, break_long_words=False) for line in text.split("\n"))


def caption(figure: Any, text: str) -> str:
    """Break a caption into lines of the width of a figure."""
    letters = int(figure.get_figwidth() * 72 * 0.96 / (LETTER * size_of(small())))
    return fill(text, letters)


def legend_above(axes: Any, handles: Sequence[Any] | None = None, title: str = "") -> None:
    """Put a legend above axes, in as many columns as there is room for, and a title above it."""
    if handles is None:
        handles = axes.get_legend_handles_labels()[0]
    size = size_of(small())
    labels = [broken(str(handle.get_label()), axes, size, 0.9) for handle in handles]
    columns = _columns(labels, _points(axes), size)
    axes.legend(
        handles, labels, loc="lower left", bbox_to_anchor=(-0.01, 1), ncols=columns, frameon=False,
        handlelength=1.6, columnspacing=1.2, borderaxespad=0.2, handletextpad=0.6,
    )  # fmt: skip
    if title:
        parts = np.array_split([one.count("\n") + 1 for one in labels], columns)
        lines = max(int(part.sum()) for part in parts)
        import matplotlib  # noqa: ICN001, PLC0415 - optional

        high = size_of(matplotlib.rcParams["axes.titlesize"])
        axes.set_title(broken(title, axes, high), loc="left", y=1, pad=lines * 1.5 * size + 8)


def legend_below(figure: Any, handles: Sequence[Any], labels: Sequence[str], **how: Any) -> Any:
    """Put a legend below a figure, in as many columns as there is room for."""
    size = size_of(small())
    columns = _columns(labels, figure.get_figwidth() * 72 * 0.96, size)
    return figure.legend(
        handles, labels, loc="outside lower center", ncols=columns, frameon=False,
        handlelength=1.6, columnspacing=1.2, handletextpad=0.6, **how,
    )  # fmt: skip


def _columns(labels: Sequence[str], room: float, size: float) -> int:
    """The most columns in which a legend fits into so many points; 1 if it does not."""
    wide = [
        (3.8 + LETTER * max(map(len, label.split("\n")))) * size for label in labels
    ]  # the sign, the gaps and the longest line
    for columns in range(min(5, len(wide)), 1, -1):
        if sum(part.max() for part in np.array_split(wide, columns)) <= room:
            return columns
    return 1


def size_of(size: Any) -> float:
    """A size of type in points, whatever it is given as."""
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415 - optional

    return float(FontProperties(size=size).get_size_in_points())


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
    title: str = "point"

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
        title = f"time ({clock.zone})" if clock.zone else "time"
        return cls(places, np.concatenate([[first], between, [last]]), clock.tzinfo, title)

    def label(self, axes: Any) -> None:
        """Set limits and ticks."""
        axes.set_xlim(self.edges[0], self.edges[-1])
        if self.zone is None:
            from matplotlib.ticker import MaxNLocator, StrMethodFormatter  # noqa: PLC0415 - optional

            axes.xaxis.set_major_locator(
                MaxNLocator(
                    5 if is_narrow(axes.figure.get_figwidth()) else 8,
                    steps=[1, 2, 2.5, 5, 10],
                    integer=True,
                )
            )
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
            axes.set_xlabel(self.title)
            return
        from matplotlib import dates  # noqa: PLC0415 - optional

        ticks: Any = dates.AutoDateLocator(
            tz=self.zone, maxticks=5 if is_narrow(axes.figure.get_figwidth()) else 9
        )  # type: ignore[no-untyped-call]
        form: Any = dates.ConciseDateFormatter(ticks, tz=self.zone)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(ticks)
        axes.xaxis.set_major_formatter(form)
        axes.set_xlabel(self.title)
