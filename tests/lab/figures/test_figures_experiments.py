"""Figures of experiments: bins, panels, bounds, files, and the verb that draws them."""

import csv
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import InputError, MissingExtra, UnknownName
from adjudge.lab.figures import FIGURES, FROM_EXPERIMENTS
from adjudge.lab.figures.experiments import COLUMNS, PLANS, Range, binned
from adjudge.lab.study.runner import study
from adjudge.lab.verbs.drawing import NAMES, _given, figure
from lab.figures import naive_binning

matplotlib = pytest.importorskip("matplotlib")

SERIES = ("f1", "f1_pa", "f1_kpa", "f1_ba", "f1_ba_authors")


def drawn_table(rows=4000, seed=0):
    """Experiments of no meaning, with values on edges and undefined ones among them."""
    rng = np.random.default_rng(seed)
    table = {name: rng.random(rows) for name in COLUMNS}
    events = rng.integers(4, 24, rows)
    table["recall"] = rng.integers(0, events + 1) / events
    table["precision"] = np.where(rng.random(rows) < 0.05, np.nan, rng.integers(0, 9, rows) / 8)
    table["coverage"] = rng.choice(
        [0.1, 0.2, 0.25, 0.3, 0.35, np.nan], rows, p=[0.2, 0.2, 0.2, 0.1, 0.2, 0.1]
    )
    table["separation"] = rng.random(rows) * 0.6
    return table


@pytest.fixture(scope="module")
def table():
    return drawn_table()


@pytest.fixture(scope="module")
def drawn(table, tmp_path_factory):
    out = tmp_path_factory.mktemp("figures") / "new"
    return {name: FIGURES[name](out, table) for name in sorted(FROM_EXPERIMENTS)}


def rows_of(paths):
    with paths[2].open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def texts(paths):
    """What is written in a drawing: letters are outlines there, with the text as a comment."""
    return re.findall(r"<!-- (.*?) -->", paths[1].read_text(encoding="utf-8"))


# --- bins ------------------------------------------------------------------------------------

numbers = st.one_of(st.just(math.nan), st.integers(0, 40).map(lambda k: k / 40), st.floats(0, 1))


@given(st.lists(st.tuples(numbers, numbers)), st.sampled_from([1, 10, 20]))
def test_bins_are_those_of_the_slow_twin(pairs, bins_per_unit):
    x, y = np.array(pairs).reshape(-1, 2).T
    found = list(zip(*(field.tolist() for field in binned(x, y, bins_per_unit)), strict=True))
    expected = naive_binning.binned(x.tolist(), y.tolist(), bins_per_unit)
    assert [(middle, size) for middle, size, *_ in expected] == [row[:2] for row in found]
    np.testing.assert_allclose(
        [row[2:] for row in found], [row[2:] for row in expected], rtol=1e-9, atol=1e-12
    )


def test_a_bin_that_takes_all_below_its_upper_edge_is_told_from_ours():
    wrong = np.floor(np.array([0.14, 0.16]) * 10) / 10
    assert wrong.tolist() != binned(np.array([0.14, 0.16]), np.ones(2), 10).middle.tolist()


@pytest.mark.parametrize("bins_per_unit", [10, 20])
def test_a_ratio_of_counts_goes_to_the_nearest_bin_and_halfway_to_the_even_one(bins_per_unit):
    ratios = [Fraction(found, events) for events in range(1, 61) for found in range(events + 1)]
    for ratio in ratios:
        (middle,) = binned(np.array([float(ratio)]), np.ones(1), bins_per_unit).middle
        assert round(ratio * bins_per_unit) / bins_per_unit == middle


# --- panels ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", ["[]", "[)", "(]", "()"])
def test_a_range_holds_what_lies_between_its_ends(ends):
    values = np.array([-1, 0.25, 0.3, 0.75, 2, np.nan])
    expected = [naive_binning.inside(value, 0.25, 0.75, ends) for value in values.tolist()]
    assert expected == Range(0.25, 0.75, ends).holds(values).tolist()


def test_a_range_is_written_in_per_cent():
    ranges = [
        Range(-math.inf, 0.2), Range(-math.inf, 0.2, "(]"), Range(0.2, 0.3), Range(0.3, math.inf),
        Range(0.3, math.inf, "()"),
    ]  # fmt: skip
    assert ["< 20 %", "≤ 20 %", "20 to 30 %", "≥ 30 %", "> 30 %"] == [str(one) for one in ranges]


@pytest.mark.parametrize("name", sorted(PLANS))
def test_the_parts_of_a_column_leave_nothing_out_and_take_nothing_twice(name):
    values = np.linspace(0, 1, 1001)
    for panels in PLANS[name].panels:
        assert (np.sum([part.holds(values) for part in panels.parts], axis=0) == 1).all()


PUBLISHED = tuple(series for series in SERIES if series != "f1_ba")


def expected_rows(table, axis, bins_per_unit, panels, part, kept, parted):
    """The points of one panel, one row of the table at a time."""
    for series in PUBLISHED if panels.published else SERIES:
        chosen = [
            (float(table[axis][i]), float(table[series][i]))
            for i in range(len(table[axis]))
            if naive_binning.inside(table[panels.kept_by][i], *kept)
            and naive_binning.inside(table[panels.parted_by][i], *parted)
            and (axis != "separation" or table[axis][i] < 0.5)
        ]
        for middle, size, mean, error in naive_binning.binned(
            [x for x, _ in chosen], [y for _, y in chosen], bins_per_unit
        ):
            if size >= (1 if panels.published else 20) and (axis != "separation" or middle < 0.5):
                yield (panels.title, part, series, middle, size), (mean, error)


FIGURE_4_TO_6 = [
    ("separation", 100, 0, "recall", "precision", "quarters"),
    ("separation", 20, 1, "recall", "precision", "quarters"),
    ("separation", 20, 2, "precision", "recall", "quarters"),
    ("precision", 10, 0, "recall", "coverage", "coverage"),
    ("precision", 10, 1, "recall", "coverage", "coverage"),
    ("recall", 10, 0, "precision", "coverage", "coverage"),
    ("recall", 10, 1, "precision", "coverage", "coverage"),
]
PARTS = {
    "quarters": {
        "< 25 %": (-1, 0.25, "[)"), "25 to 75 %": (0.25, 0.75, "[)"), "≥ 75 %": (0.75, 9, "[)"),
    },
    "coverage": {
        "< 20 %": (-1, 0.2, "[)"), "20 to 30 %": (0.2, 0.3, "[]"), "> 30 %": (0.3, 9, "()"),
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "bins", "line", "kept_by", "parted_by", "parts"), FIGURE_4_TO_6)
def test_every_point_is_the_mean_of_its_bin_by_the_rules_of_the_paper(
    table, drawn, name, bins, line, kept_by, parted_by, parts
):
    panels = PLANS[name].panels[line]
    assert (kept_by, parted_by) == (panels.kept_by, panels.parted_by)
    expected = dict(
        item
        for part, ends in PARTS[parts].items()
        for item in expected_rows(
            table, name, bins, panels, f"{parted_by} {part}", (0.25, 0.75, "()"), ends
        )
    )
    found = {
        (row["panels"], row["part"], row["series"], float(row["x"]), int(row["experiments"])): (
            float(row["value"]), float(row["standard_error"]),
        )
        for row in rows_of(drawn[name])
        if row["series"] in SERIES and row["panels"] == panels.title
    }  # fmt: skip
    assert set(expected) == set(found)
    assert len({key[1] for key in found}) == 3
    for key, values in expected.items():
        np.testing.assert_allclose(found[key], values, rtol=1e-9)


def test_the_published_panels_of_the_released_rows_have_the_means_by_their_rules(tmp_path):
    """Their rules: bins of a hundredth, or a tenth, however few experiments one holds."""
    with (Path(__file__).parents[2] / "golden" / "released_rows.csv").open() as file:
        published = list(csv.DictReader(file))
    with pytest.warns(UserWarning, match="panels are empty"):
        rows = rows_of(FIGURES["separation"](tmp_path, study(200, design="released")))
    means = {}
    for row in published:
        found, false, recall = (float(row[n]) for n in (
            "true_positives", "false_positives", "event_recall"))  # fmt: skip
        if found + false and found / (found + false) >= 0.75 and 0.25 < recall < 0.75:
            x = round(float(row["signal_separation"]), 2)
            means.setdefault(x, []).append(float(row["fpa"]))
    drawn = {
        float(row["x"]): float(row["value"])
        for row in rows
        if (row["panels"], row["part"], row["series"])
        == ("plotted, in their bins", "precision ≥ 75 %", "f1_ba_authors")
    }
    expected = {x: float(np.mean(values)) for x, values in means.items() if x < 0.5}
    assert len(expected) > 15
    assert pytest.approx(expected, abs=1e-6) == drawn


def test_figure_4_shows_what_the_caption_says_and_what_was_plotted():
    """Erratum E32."""
    _, plotted, said = PLANS["separation"].panels
    assert ("recall", "precision") == (said.parted_by, said.kept_by)
    assert ("precision", "recall") == (plotted.parted_by, plotted.kept_by)
    assert "caption" in said.title
    assert "plotted" in PLANS["separation"].panels[0].title


def test_bins_of_fewer_than_twenty_are_left_out(drawn, table):
    rows = [row for row in rows_of(drawn["recall"]) if row["panels"] != "plotted, in their bins"]
    counts = [int(row["experiments"]) for row in rows if row["experiments"]]
    assert min(counts) >= 20
    middle = (table["precision"] > 0.25) & (table["precision"] < 0.75)
    part = middle & (table["coverage"] > 0.3)
    assert min(binned(table["recall"][part], table["f1"][part], 10).size) < 20


def test_the_bounds_on_recall_are_the_printed_one_and_the_right_one(drawn):
    """Erratum E34: with precision 0.75 and recall 1 the harmonic mean is 6/7, not 0.75."""
    rows = rows_of(drawn["recall"])
    printed = {row["value"] for row in rows if row["series"] == "bound as printed"}
    assert {"0.75"} == printed
    right = {float(row["x"]): float(row["value"]) for row in rows if row["series"] == "bound"}
    assert pytest.approx(6 / 7) == right[1.0]
    assert 0 == right[0.0]
    for recall, value in right.items():
        if recall:
            assert pytest.approx(2 / (1 / 0.75 + 1 / recall)) == value


def test_other_figures_have_no_bound(drawn):
    for name in ("precision", "separation"):
        assert set(SERIES) == {row["series"] for row in rows_of(drawn[name])}


def test_the_spread_of_experiments_is_counted(drawn, table):
    rows = [row for row in rows_of(drawn["marginals"]) if row["column"] == "recall"]
    counts, _ = np.histogram(table["recall"], np.linspace(0, 1, 21))
    assert counts.tolist() == [int(row["experiments"]) for row in rows]
    assert float(rows[3]["share"]) == counts[3] / table["recall"].size


def test_each_figure_is_four_files_with_its_panels(drawn):
    for name, paths in drawn.items():
        endings = ("png", "svg", "csv", "pdf")
        assert [f"{name}.{ending}" for ending in endings] == [path.name for path in paths]
        assert paths[0].read_bytes().startswith(b"\x89PNG")
        svg = paths[1].read_text(encoding="utf-8")
        panels = {"separation": 9, "marginals": 4}.get(name, 6)
        assert panels == len(set(re.findall(r'<g id="(axes_\d+)"', svg)))
        assert "<dc:date>" not in svg


def test_panels_say_how_many_experiments_they_show_and_leave_out(table, drawn):
    middle = (table["precision"] > 0.25) & (table["precision"] < 0.75)
    parts = [table["coverage"] < 0.2, abs(table["coverage"] - 0.25) < 0.051]
    sizes = [int(np.sum(middle & part)) for part in parts]
    rows = [row for row in rows_of(drawn["recall"]) if row["series"] == "f1"]
    rows = [row for row in rows if row["panels"] != "plotted, in their bins"]
    shown = [
        sum(int(row["experiments"]) for row in rows if row["part"] == f"coverage {part}")
        for part in ("< 20 %", "20 to 30 %")
    ]
    assert 0 < shown[0] < sizes[0]
    assert shown[1] == sizes[1]
    expected = [
        f"n = {sizes[0]}",
        f"n = {sizes[0]} ({sizes[0] - shown[0]} left out)",
        f"n = {sizes[1]:,}",
    ]
    assert set(expected) < set(texts(drawn["recall"]))


def test_a_panel_without_experiments_is_empty_and_says_so(tmp_path):
    frame = pd.DataFrame({name: np.full(25, 0.5) for name in COLUMNS})
    said = r"precision: 2 of 3 panels are empty \(coverage < 20 %, coverage 20 to 30 %\)"
    with pytest.warns(UserWarning, match=said):
        paths = FIGURES["precision"](tmp_path, frame)
    assert {"coverage > 30 %"} == {row["part"] for row in rows_of(paths)}
    assert {"25"} == {row["experiments"] for row in rows_of(paths)}
    assert 4 == texts(paths).count("n = 0")
    assert 2 == texts(paths).count("no experiment")
    assert 2 == texts(paths).count("no bin has 20 experiments")


# --- what is refused -------------------------------------------------------------------------


def test_a_table_without_a_column_is_refused(table, tmp_path):
    part = {name: values for name, values in table.items() if name != "f1_ba"}
    with pytest.raises(UnknownName, match="unknown column 'f1_ba'"):
        FIGURES["recall"](tmp_path, part)


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros((4, 1))])
def test_columns_of_other_shapes_are_refused(tmp_path, wrong):
    table = {name: np.zeros(4) for name in COLUMNS} | {"recall": wrong}
    message = (
        f"columns must be 1-d and equally long, got shape {wrong.shape} for 'recall' "
        "and (4,) for 'separation'"
    )
    with pytest.raises(InputError, match=rf"\A{re.escape(message)}\Z"):
        FIGURES["recall"](tmp_path, table)


# --- the verb --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "experiments.csv"
    lines = [
        ",".join(table),
        *(",".join(map(repr, map(float, row))) for row in zip(*table.values(), strict=True)),
    ]
    path.write_text("\n".join(lines))
    return path


def run(*args):
    return CliRunner().invoke(figure, [str(arg) for arg in args])


def test_the_verb_knows_every_figure():
    assert tuple(FIGURES) == NAMES
    assert FROM_EXPERIMENTS == {*PLANS, "marginals"}


def test_a_table_from_a_file_is_the_same_table(table, file):
    read = _given(("recall",), 0, table=str(file), experiments=1, jobs=1)["recall"]["table"]
    assert set(COLUMNS) == set(read)
    for name in COLUMNS:
        np.testing.assert_array_equal(table[name], read[name])


def test_experiments_are_read_once_for_all_figures(file):
    given = _given(NAMES, 3, table=str(file), experiments=1, jobs=1)
    assert set(NAMES) == set(given)
    assert ({}, {}, {"seed": 3}) == (given["strip"], given["scenarios"], given["noise"])
    tables = {id(given[name]["table"]) for name in FROM_EXPERIMENTS}
    assert len(tables) == 1
    assert _given(("strip",), 3, table="no such file", experiments=1, jobs=1) == {"strip": {}}


def test_without_a_table_a_study_is_run(tmp_path):
    folder = tmp_path / "new" / "folder"
    asked = ("--experiments", 100, "--seed", 3, "--design", "authors")
    result = run("precision", *asked, "--out", folder)
    assert result.exit_code == 0, result.exception
    paths = [folder / f"precision.{ending}" for ending in ("png", "svg", "csv", "pdf")]
    assert [str(path) for path in paths] == result.stdout.splitlines()
    running, empty = result.stderr.splitlines()
    assert running == "adjudge: running 100 experiments; --table draws old ones"
    assert empty.startswith("adjudge: precision: ")
    assert "panels are empty" in empty
    table = study(experiments=100, seed=3)
    middle = Range(0.25, 0.75, "()").holds(table["recall"])
    part = middle & Range(0.2, 0.3, "[]").holds(table["coverage"])
    expected = np.mean(table["f1_ba"][part & (table["precision"] >= 0.95)])
    (found,) = [
        float(row["value"])
        for row in rows_of(paths)
        if (row["part"], row["series"], row["x"]) == ("coverage 20 to 30 %", "f1_ba", "1.0")
    ]
    assert pytest.approx(expected) == found


def test_a_file_without_the_columns_is_refused(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("label,score\n0,1\n")
    result = run("recall", "--table", path, "--out", tmp_path)
    assert isinstance(result.exception, UnknownName)
    assert "unknown column 'separation'" in str(result.exception)


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    result = run("all", "--out", blocked)
    assert isinstance(result.exception, InputError)
    assert str(result.exception).startswith("out must be a writable folder, got ")


def test_without_matplotlib_no_study_is_run(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    result = run("recall", "--out", tmp_path / "never")
    assert isinstance(result.exception, MissingExtra)
    assert not (tmp_path / "never").exists()
