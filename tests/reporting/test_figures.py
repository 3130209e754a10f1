"""Figures: figure 3 of the paper, its files and its numbers; what all figures have in common."""

import csv
import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge import theory
from adjudge.errors import InputError, MissingExtra
from adjudge.lab.figures import FIGURES, FROM_EXPERIMENTS
from adjudge.lab.figures.noise import noise_figure

matplotlib = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.long

DRAWS = 20
SHARES = (0.05, 0.1, 0.2, 0.3)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return noise_figure(tmp_path_factory.mktemp("figures") / "new" / "directory", draws=DRAWS)


@pytest.fixture(scope="module")
def rows(written):
    numbers = ("q", "gamma", "value")
    with written[2].open(encoding="utf-8") as file:
        return [row | {key: float(row[key]) for key in numbers} for row in csv.DictReader(file)]


def theorem(series, q, gamma):
    if series.startswith("recall"):
        return theory.recall_pa(100, gamma)
    return getattr(theory, series)(q, 100, gamma)


def exact(series, q, gamma):
    """The ratio of expected masses with every border counted: 40 events of 100 points."""
    n = round(4000 / q)
    starts = ((np.arange(40) + 0.5) * n / 40).astype(int) - 50
    normal = np.ones(n, bool)
    for start in starts:
        normal[start : start + 100] = False
    before = np.concatenate([[0], np.cumsum(normal)])
    t = np.arange(n)
    window = before[np.minimum(t + 49, n - 1) + 1] - before[np.maximum(t - 50, 0)]
    reach = window[normal] if series.endswith("ba") else np.ones(n - 4000)
    right, false = 4000 * (1 - gamma**100), (1 - gamma**reach).sum()
    return {
        "recall": right / 4000,
        "precision": right / (right + false),
        "f1": 2 * right / (4000 + right + false),
    }[series.partition("_")[0]]


def test_four_files_are_written_into_a_directory_that_need_not_exist(written):
    assert ["noise.png", "noise.svg", "noise.csv", "noise.pdf"] == [path.name for path in written]
    assert all(path.is_file() for path in written)


def test_the_png_is_an_image_that_a_page_can_print(written):
    head = written[0].read_bytes()
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", head[16:24])
    assert (width >= 1500, height >= 700, len(head) > 20_000) == (True, True, True)
    assert head.endswith(b"IEND\xaeB`\x82")


def test_the_svg_is_a_drawing_with_both_panels(written):
    text = written[1].read_text(encoding="utf-8")
    assert "<svg" in text
    assert {"axes_1", "axes_2"} <= set(re.findall(r'<g id="(axes_\d)"', text))


def test_the_table_holds_every_series_of_both_panels(rows):
    shown = {(row["panel"], row["series"], row["q"]) for row in rows}
    rates = [f"{rate}_{by}" for rate in ("precision", "recall", "f1") for by in ("pa", "ba")]
    expected = {("a", series, 0.2) for series in rates}
    expected |= {("b", series, q) for series in ("f1_pa", "f1_ba", "plateau") for q in SHARES}
    assert expected == shown
    drawn = {row["gamma"] for row in rows if row["kind"] == "monte carlo"}
    assert {0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999} <= drawn


def test_the_lines_are_the_closed_forms(rows):
    lines = [row for row in rows if row["kind"] == "theory"]
    expected = [
        theory.chance_limit(row["q"])
        if row["series"] == "plateau"
        else theorem(row["series"], row["q"], row["gamma"])
        for row in lines
    ]
    np.testing.assert_allclose([row["value"] for row in lines], expected, rtol=1e-12)
    assert {""} == {row["standard_error"] for row in lines}


def test_the_points_lie_around_the_ratio_of_exact_expected_masses(rows):
    points = [row for row in rows if row["kind"] == "monte carlo"]
    assert len(points) == 10 * (6 + 8)
    far = [
        row
        for row in points
        if abs(exact(row["series"], row["q"], row["gamma"]) - row["value"])
        > 4 * float(row["standard_error"]) + 1e-4
    ]
    assert far == []


@pytest.mark.parametrize("q", SHARES)
def test_borders_are_why_points_of_balanced_adjustment_lie_above_the_lines(q):
    gap = exact("f1_ba", q, 0.99) - theorem("f1_ba", q, 0.99)
    assert 0 < gap < 0.02
    assert abs(exact("f1_pa", q, 0.99) - theorem("f1_pa", q, 0.99)) < 1e-4


def test_the_setting_of_the_paper_has_the_known_border_effect():
    """Erratum E13."""
    found = theorem("f1_ba", 0.2, 0.99), exact("f1_ba", 0.2, 0.99)
    assert (0.3041, 0.3125) == tuple(round(float(value), 4) for value in found)


def test_both_adjustments_see_the_same_scores(rows):
    pa, ba = (
        [r["value"] for r in rows if r["series"] == series and r["kind"] == "monte carlo"]
        for series in ("recall_pa", "recall_ba")
    )
    assert pa == ba


def test_one_seed_gives_one_table_and_one_picture_and_changes_no_setting(written, tmp_path):
    before = dict(matplotlib.rcParams)
    same = noise_figure(tmp_path, draws=DRAWS, seed=0)
    assert written[0].read_bytes() == same[0].read_bytes()
    assert written[2].read_bytes() == same[2].read_bytes()
    assert before == dict(matplotlib.rcParams)


def test_another_seed_gives_other_points_without_a_window_or_pyplot(written, tmp_path):
    code = (
        "import sys; from pathlib import Path; from adjudge.lab.figures.noise import noise_figure; "
        "assert 'matplotlib' not in sys.modules; "
        f"noise_figure(Path({str(tmp_path)!r}), draws={DRAWS}, seed=1); "
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    source = Path(aj.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert written[2].read_bytes() != (tmp_path / written[2].name).read_bytes()


@pytest.mark.parametrize("name", FIGURES)
def test_without_matplotlib_the_error_gives_the_command(tmp_path, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    message = "figures needs matplotlib: pip install matplotlib"
    given = {"table": {}} if name in FROM_EXPERIMENTS else {}
    with pytest.raises(MissingExtra, match=rf"\A{re.escape(message)}\Z"):
        FIGURES[name](tmp_path / "never", **given)
    assert not (tmp_path / "never").exists()


@pytest.mark.parametrize("draws", [0, 1, 2.0, True])
def test_an_error_bar_needs_two_draws(tmp_path, draws):
    message = f"draws must be a whole number, at least 2, got {draws!r}"
    with pytest.raises(InputError, match=rf"\A{re.escape(message)}\Z"):
        noise_figure(tmp_path, draws=draws)
