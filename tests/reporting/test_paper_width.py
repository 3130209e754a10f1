"""Figures at the width of a column: type at its real size, nothing cut off, names on all axes."""

from itertools import pairwise

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError
from adjudge.lab.audit.axiom_list import AXIOMS
from adjudge.lab.figures import FIGURES, FROM_EXPERIMENTS
from adjudge.lab.figures.axioms import axiom_figure
from adjudge.lab.figures.experiments import COLUMNS
from adjudge.ranking.values import rank_values
from adjudge.reporting.figures import drawing
from adjudge.reporting.figures.drawing import inches
from adjudge.reporting.figures.rank_diagram import rank_figure
from adjudge.reporting.figures.receipt_plot import case_figure
from adjudge.tables.look import COLOURS, DETECTORS, SCORES

matplotlib = pytest.importorskip("matplotlib")

COLUMN = 252 / 72
LABELS = np.repeat([0, 1, 0, 1, 0, 1, 0], [100, 40, 300, 30, 500, 20, 10])
NAMES = ("isolation forest", "lof", "an autoencoder with a name that is long")
SCORED = {
    name: np.random.default_rng(0).random(1000) + share * LABELS
    for name, share in zip(NAMES, (0.8, 0.4, 0.2), strict=True)
}
TIMES = np.datetime64("2026-01-01") + np.arange(1000) * np.timedelta64(10, "m")


def drawn(figure):
    """What a figure takes, in inches, and its texts."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - optional
    from matplotlib.text import Text  # noqa: PLC0415 - optional

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts = [text for text in figure.findobj(Text) if text.get_text().strip()]
    return figure.get_tightbbox(canvas.get_renderer()), texts


def check(figure, width=COLUMN):
    box, texts = drawn(figure)
    assert figure.get_figwidth() == pytest.approx(width)
    assert (box.x0 >= 0, box.y0 >= 0) == (True, True)
    assert (box.x1 <= figure.get_figwidth(), box.y1 <= figure.get_figheight()) == (True, True)
    sizes = {text.get_fontsize() for text in texts}
    assert 7 <= min(sizes)
    assert max(sizes) <= 8


def named(axes):
    return bool(axes.get_xlabel()), bool(axes.get_ylabel())


def ranked(detectors):
    rng = np.random.default_rng(3)
    rows = [
        (f"s{s}", f"detector with the number {d}", "vus_pr", value)
        for s in range(24)
        for d, value in enumerate(rng.random(detectors) / 3 + np.arange(detectors) / detectors / 2)
    ]
    names = ("series", "detector", "metric", "value")
    return rank_values(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


@pytest.fixture
def plots():
    plt = pytest.importorskip("matplotlib.pyplot")
    yield
    plt.close("all")


PLOTS = {
    "judgement": lambda **how: aj.evaluate(
        LABELS, SCORED, ["f1", "f1_ba", "detection_delay"], at=0.9
    ).plot(**how),
    "receipt": lambda **how: aj.explain(
        LABELS, SCORED["lof"], "f1_ba", at=0.95, time=TIMES
    ).plot(**how),
    "curve": lambda **how: aj.f1_ba.curve(aj.Case(LABELS, SCORED["lof"])).plot(**how),
    "skewed curve": lambda **how: aj.f1_ba.curve(
        aj.Case(LABELS, SCORED["lof"] ** 40)
    ).plot(chance=False, **how),
    "over time": lambda **how: aj.over_time(
        LABELS, SCORED, "f1_ba", at=0.9, time=TIMES, window="1d"
    ).plot(**how),
}  # fmt: skip


@pytest.mark.parametrize("kind", PLOTS)
def test_a_plot_fits_a_column_and_names_its_axes(plots, kind):
    axes = PLOTS[kind](width="ieee1")
    check(axes.figure)
    x, y = named(axes)
    assert (x, y) == (True, kind != "judgement")  # of which the lines have names


@pytest.mark.parametrize("detectors", [3, 8, 15])
def test_a_rank_diagram_fits_a_column(plots, detectors):
    check(ranked(detectors).plot(width="ieee1").figure)


def test_a_map_of_pairs_says_how_wide_it_must_be(plots):
    check(ranked(18).plot(width="ieee2").figure, 7.16)
    with pytest.raises(InputError, match=r"width must be at least \d+\.\d centimetres for 40 det"):
        ranked(40).plot(width="ieee1")


@pytest.fixture
def kept(monkeypatch):
    """Figures that are saved, instead of files."""
    figures = []
    import adjudge.lab.figures as folder  # noqa: PLC0415 - its modules are looked at

    modules = (folder.experiments, folder.noise, folder.scenarios, folder.strip)
    from adjudge.lab.figures import axioms  # noqa: PLC0415 - as above
    from adjudge.reporting.figures import rank_diagram, receipt_plot  # noqa: PLC0415 - as above

    for module in (*modules, axioms, rank_diagram, receipt_plot):
        monkeypatch.setattr(module, "save", lambda figure, *_: figures.append(figure) or [])
    return figures


@pytest.mark.parametrize(
    "width", ["ieee1", *(pytest.param(one, marks=pytest.mark.long) for one in ("ieee2", "neurips"))]
)
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_of_the_paper_fits_every_column(kept, tmp_path, name, width):
    rng = np.random.default_rng(0)
    given = {"draws": 2} if name == "noise" else {}
    if name in FROM_EXPERIMENTS:
        given = {"table": {column: rng.random(9000) for column in COLUMNS}}
    FIGURES[name](tmp_path, **given, width=width)
    (figure,) = kept
    check(figure, inches(width))


def test_a_case_fits_a_column_and_names_its_axes(kept, tmp_path):
    receipts = {name: aj.explain(LABELS, SCORED[name], "f1_ba", at=0.95) for name in NAMES}
    case_figure(tmp_path, receipts, "ieee1")
    (figure,) = kept
    check(figure)
    assert [named(axes) for axes in figure.axes] == [(True, True)] * 3


def test_a_matrix_of_axioms_says_how_wide_it_must_be(kept, tmp_path):
    outcomes = ("pass", "fail", "undecided", "not applicable")
    rows = {
        name: {axiom: outcomes[(place + len(name)) % 4] for place, axiom in enumerate(AXIOMS)}
        for name in SCORES
    }
    axiom_figure(tmp_path, rows, width="ieee2")
    check(kept[0], 7.16)
    with pytest.raises(InputError, match=r"width must be at least \d+\.\d centimetres for \d+ ax"):
        axiom_figure(tmp_path, rows, width="ieee1")


def test_ranks_are_written_for_paper_as_vectors(tmp_path):
    paths = rank_figure(tmp_path, ranked(4), "vus_pr", 8.89)
    assert [path.suffix for path in paths] == [".png", ".svg", ".csv", ".pdf"]
    assert paths[1].read_text().count('width="252pt"') == 1
    assert b"/Type3" not in paths[3].read_bytes()


@pytest.mark.parametrize("width", ["ieee3", 4.9, 61, "0", "wide", None, float("nan")])
def test_a_width_that_is_none_is_refused(width):
    with pytest.raises(InputError, match=r"width must be 'ieee1', 'ieee2', 'neurips' or centim"):
        inches(width)


def test_axes_have_a_width_of_their_own(plots):
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional

    with pytest.raises(InputError, match="width must be None with ax"):
        PLOTS["curve"](ax=Figure().subplots(), width="ieee1")


def lightness(colour):
    """CIE L* of a colour: what is left of it in grey."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415 - optional

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    shine = float(np.dot(linear, [0.2126, 0.7152, 0.0722]))
    return 116 * np.cbrt(shine) - 16 if shine > 0.008856 else 903.3 * shine


def test_in_grey_detectors_have_signs_and_events_are_lighter_than_alarms():
    assert len({marker for _, marker in DETECTORS}) == len(DETECTORS)
    event, right = (lightness(COLOURS[part][0]) for part in ("event", "right"))
    assert event - right > 10
    assert lightness(COLOURS["island"][0]) - lightness(COLOURS["wrong"][0]) > 20


def test_a_legend_takes_the_columns_that_fit():
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional

    counts = []
    for width in (3.5, 5.5, 7.5, 12):
        axes = Figure(figsize=(width, 3)).subplots()
        for name in ("score", "threshold", "a true alarm", "an event"):
            axes.plot([0, 1], label=name)
        drawing.legend_above(axes)
        counts.append(axes.get_legend()._ncols)  # noqa: SLF001 - matplotlib has no other word
    assert all(less <= more for less, more in pairwise(counts))
    assert (counts[0] < 4, counts[-1]) == (True, 4)
