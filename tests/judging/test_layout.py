"""How results are laid out: short names, notes that explain them, one layout for all formats."""

import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import adjudge as aj
from adjudge.cli.printing import files_layout
from adjudge.judging.result_tables import Style
from adjudge.judging.words.short_names import settings_in_words, unique_names

LABELS = np.tile(np.repeat([0, 1, 0], [30, 10, 40]), 5)
RNG = np.random.default_rng(4)
MINE = RNG.random(400) + 0.4 * LABELS
THEIRS = RNG.random(400) + 0.2 * LABELS
BOTH = {"mine": MINE, "theirs": THEIRS}


@pytest.fixture(scope="module")
def one():
    return aj.evaluate(LABELS, MINE, at=0.9)


@pytest.fixture(scope="module")
def two():
    return aj.evaluate(LABELS, BOTH, ["f1_ba", "ap", "detection_delay"], at=0.9)


def test_a_value_stands_beside_chance_interval_and_p(one):
    head, _, first, *_ = str(one).splitlines()
    assert head.split("  ")[0] == "metric"
    assert re.split(r"\s{2,}", head) == ["metric", "value", "by chance", "95 % interval", "p"]
    row = one.rows[0]
    shown = ["f1", f"{row.value:.4f}", f"{row.chance:.4f}",
             f"{row.low:.3f} to {row.high:.3f}", f"{row.p_value:.3g}"]  # fmt: skip
    assert re.split(r"\s{2,}", first) == shown


def test_the_verdict_and_what_explains_the_names_stand_below(one):
    told = one.to_text(None).splitlines()
    assert told[-1] == one.verdicts["detector"]
    assert "f1_ba: width 11, islands on normal points" in told
    assert "f1_kpa: k 0.2" in told
    assert "flagged above 0.9" in told


def test_lower_is_better_is_marked_and_explained(two):
    assert "detection_delay ↓" in str(two)
    assert "↓ lower is better" in str(two).splitlines()
    assert "↓" not in str(aj.evaluate(LABELS, MINE, "f1", at=0.9, chance=False))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_is_wider_than_asked_for_and_nothing_is_cut(one, two, width):
    for judged in (one, two, aj.evaluate(LABELS, BOTH, chance=False)):
        drawn = judged.to_text(width, verbose=True)
        assert max(map(len, drawn.splitlines())) <= width
        assert "…" not in drawn
        assert "..." not in drawn
        assert all(f"{row.value:.4f}" in drawn for row in judged.rows)


def test_the_best_is_bold_and_ranks_are_written_on_request(two):
    best = "mine" if two["mine", "f1_ba"] > two["theirs", "f1_ba"] else "theirs"
    bold = f"**{two[best, 'f1_ba']:.4f}**"
    assert bold in two.to_markdown()
    quick = min(two["mine", "detection_delay"], two["theirs", "detection_delay"])
    assert rf"\textbf{{{quick:.4f}}}" in two.to_latex()
    assert f"**{two[best, 'f1_ba']:.3f} (1)**" in two.to_markdown(ranks=True, digits=3)


def test_equal_values_share_their_rank_and_none_is_bold():
    same = aj.evaluate(LABELS, {"a": MINE, "b": MINE}, "f1", at=0.9, chance=False)
    assert "**" not in same.to_markdown()


def test_an_undefined_value_is_never_the_best():
    silent = {"silent": np.zeros(400), "mine": MINE > 0.9}
    judged = aj.evaluate(LABELS, silent, "precision", chance=False)
    assert "| undefined | **" in judged.to_markdown()
    assert "undefined (" not in judged.to_markdown(ranks=True)


def test_transposed_detectors_are_rows(two):
    lines = two.to_markdown(transposed=True).splitlines()
    assert lines[0].startswith(r"| detector | f1\_ba | by chance | ap |")
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| mine", "| theirs"]


def test_a_notebook_shows_the_chance_line(one):
    shown = one._repr_html_()
    assert "by chance" in shown
    assert one.verdicts["detector"].partition(":")[0] in shown


def test_every_format_draws_the_same_cells(two):
    cells = [cell for table in two.layout().tables for row in table.rows for cell in row if cell]
    plain = two.to_markdown().replace("\\", "").replace("*", "")
    for drawn in (two.to_text(120), plain, two.to_latex().replace("\\_", "_"), two._repr_html_()):
        assert all(cell.removesuffix(" ↓") in drawn for cell in cells)


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (["f1", "best(f1)"], ["f1", "best f1"]),
        (["best(f1_ba(width=5))"], ["best f1_ba"]),
        (["f1(at=0.5)", "f1(at=0.7)"], ["f1(at=0.5)", "f1(at=0.7)"]),
        (['f1_ba(width=5, islands="spill", margin=2)', "f1_ba"], ["f1_ba [1]", "f1_ba"]),
        (["best(f1_ba(width=5))", "best(f1_ba(width=7))"],
         ["best f1_ba(width=5)", "best f1_ba(width=7)"]),
    ],
)  # fmt: skip
def test_names_are_short_and_tell_metrics_apart(specs, names):
    assert list(unique_names(specs).values()) == names


@pytest.mark.parametrize(
    ("specs", "words"),
    [
        (["f1"], ""),
        (['f1_ba(width=9, islands="all", margin=1)'],
         "width 9, islands around every flag, margin 1"),
        (["f1(at=0.5)"], "flagged above 0.5"),
        (['f1_ba(width=9, islands="all")', 'f1_ba(width=5, islands="normal")'],
         "width 5 to 9, islands around every flag or islands on normal points"),
        (['f1_ba(width="iid")', "f1_ba(width=3)"], "width iid or 3"),
    ],
)  # fmt: skip
def test_settings_are_said_in_words(specs, words):
    assert settings_in_words(specs) == words


def test_thresholds_are_told_once_or_for_each_detector():
    same = aj.evaluate(LABELS, BOTH, "f1", at=0.9, chance=False).to_text()
    assert same.count("flagged above 0.9") == 1
    apart = aj.evaluate(LABELS, BOTH, "f1", at={"mine": 0.9, "theirs": "top(20)"}, chance=False)
    assert "mine: flagged above 0.9" in apart.to_text()
    assert re.search(r"theirs: flagged above [\d.]+, by top\(20\)", apart.to_text())
    oracle = aj.evaluate(LABELS, MINE, "best(f1)", chance=False).to_text()
    assert "chosen by looking at the labels, an upper bound, not a result" in oracle


def test_another_reading_is_told_where_it_is_down_at_chance():
    labels = np.tile(np.repeat([0, 1], [10, 20]), 10)
    told = aj.evaluate(labels, labels, "f1_ba(width=41)").to_text(None)
    assert "('authors'), no better than chance (0.8054)" in told


def test_each_series_has_a_row_and_their_mean_one():
    series = np.repeat(["left", "right"], 200)
    judged = aj.evaluate(
        LABELS, MINE, ["f1", "ap"], at=0.9, series=series, per_series=True, chance=False
    )
    told = judged.to_text()
    assert "detector by series\nseries" in told
    assert "mean over series" in told
    runs = aj.evaluate(LABELS, {"mine": [MINE, THEIRS]}, "ap", chance=False).to_text()
    assert "mine by run\nrun" in runs
    assert "run 2" in runs
    assert "spread over runs" in runs


def test_a_frame_has_the_metric_as_it_was_asked_for(one):
    frame = one.to_frame()
    assert list(frame["requested"])[3] == "f1_ba"
    assert list(frame["metric"])[3] == 'f1_ba(width=11, islands="normal")'
    assert isinstance(frame, pd.DataFrame)
    assert isinstance(one.to_frame("polars"), pl.DataFrame)


def test_of_many_files_the_verdicts_are_counted():
    judged = [
        (f"{number}.csv", aj.evaluate(LABELS, {"mine": MINE + 0.01 * number, "quiet": 0 * LABELS},
                                      ["f1_ba", "recall"], at=0.9, shifts=39))
        for number in range(5)
    ]  # fmt: skip
    found = files_layout(judged, Style())
    values, chance = found.tables
    assert values.title == "5 files"
    assert values.summary_rows == chance.summary_rows == 2
    assert values.rows[-2][:2] == ["mean", "mine"]
    mean = np.mean([j["mine", "f1_ba"] for _, j in judged])
    assert values.rows[-2][2] == chance.rows[-2][2] == f"{mean:.4f}"
    assert found.verdicts[0].startswith("mine is better than chance on ")
    assert found.verdicts[1] == "quiet is better than chance on 0 of 5 files."
    alone = [(name, aj.evaluate(LABELS, MINE, "f1_ba", at=0.9, shifts=39)) for name in "ab"]
    (table,) = files_layout(alone, Style()).tables  # one metric: chance stands beside it at once
    assert table.head[:3] == ["file", "value", "by chance"]
    few = files_layout(judged[:2], Style())
    assert few.verdicts[0].startswith("0.csv: mine ")


def test_of_many_detectors_the_verdicts_are_counted_and_rows_and_columns_exchanged():
    names = {f"detector_number_{i}": MINE + 0.01 * i for i in range(6)} | {"quiet": 0 * LABELS}
    judged = aj.evaluate(LABELS, names, ["f1_ba", "ap"], at=0.9, shifts=39)
    told = judged.to_text(80)
    assert told.startswith("detector ")
    assert told.count("\n\n") == 1  # values in one table, then one against chance
    assert "quiet)" in told.replace("\n", " ").split("never raises an alarm: ")[1]
    assert "6 of 7" in told  # by 39 shifts
    assert "is not distinguishable" not in told
    assert all(
        verdict in judged.to_text(None, verbose=True) for verdict in judged.verdicts.values()
    )
    assert judged.to_text(300).startswith("metric ")
    perfect = {f"p{i}": 2.0 * LABELS for i in range(6)}
    found = aj.evaluate(LABELS, perfect, "best(f1_ba)")
    assert "better than chance: 6 of 6 detectors (p0, p1, p2, p3, p4, p5)" in str(found)


def test_metrics_with_the_same_settings_share_a_note():
    told = aj.evaluate(LABELS, MINE, ["f1_kpa", "recall_kpa"], at=0.9, chance=False).to_text()
    assert "f1_kpa, recall_kpa: k 0.2\n" in told


def test_flags_and_scores_in_one_table_against_chance_say_which_metric_is_whose():
    both = {"flags": LABELS, "real": LABELS + 0.5}
    *_, table = aj.evaluate(LABELS, both, shifts=19).layout().tables
    assert (table.title, table.head[:2]) == ("against chance", ["detector", "metric"])
    assert [row[1] for row in table.rows] == ["f1_ba", "best f1_ba"]


def test_the_mean_of_delays_in_time_is_that_of_all_files():
    flags = np.array([0, 0, 0, 1, 1, 0, 0, 0])
    labels = np.array([0, 1, 1, 1, 1, 0, 0, 0])

    def judged(step):
        times = np.datetime64("2026-01-01") + np.timedelta64(step, "m") * np.arange(8)
        return aj.evaluate(labels, flags, ["detection_delay"], chance=False, time=times)

    (table,) = files_layout([("a", judged(1)), ("b", judged(60))], Style()).tables
    assert [row[-1] for row in table.rows] == ["2 min", "2 h", "1 h 1 min (2.0000 points)"]
    (table,) = files_layout([("a", judged(1)), ("b", judged(1))], Style()).tables
    assert table.rows[-1] == ["mean", "2 min"]


def test_files_without_a_defined_value_have_no_mean():
    empty = aj.evaluate([0, 0], [0, 0], ["recall"], chance=False)
    (table,) = files_layout([("a", empty), ("b", empty)], Style()).tables
    assert table.rows[-1] == ["mean", "undefined"]
    assert math.isnan(empty["recall"])
