"""What all figures share: matplotlib if it is there, colours, the look of axes, the files.

Matplotlib is optional and imported only when something is drawn. No window is opened and no figure
registered. A user's own settings (``rcParams``) neither change what is drawn nor are changed: they
are set aside while a sheet is open, and are back when it closes.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, MissingExtra
from adjudge.tables import as_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

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
        raise MissingExtra("figures", "matplotlib", "plot") from error
    except ValueError as error:  # of a setting of its own, such as MPLBACKEND
        said = str(error).partition(";")[0]
        raise InputError(f"matplotlib cannot be imported as it is set up: {said}") from None


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
