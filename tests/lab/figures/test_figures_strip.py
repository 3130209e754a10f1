"""The strip: figure 1 of the paper, which points count after each adjustment."""

import csv
import re
from fractions import Fraction

import numpy as np
import pytest

import adjudge as aj
import naive
from adjudge.lab.figures.strip import strip_figure

matplotlib = pytest.importorskip("matplotlib")

LABELS, FLAGS = np.zeros((2, 80), int)
for start, stop in ((18, 32), (50, 60)):
    LABELS[start:stop] = 1
for start, stop in ((21, 25), (40, 44), (54, 58)):
    FLAGS[start:stop] = 1
TRUE_FLAGS = np.where(np.arange(80) // 4 == 10, 0, FLAGS)  # without [40, 44)

LANES = {
    "pointwise": (aj.f1, "4/9", "1/2"),
    "point-adjusted (PA)": (aj.f1_pa, "12/13", "1"),
    "K%-PA, K = 40 %": (aj.f1_kpa(k=0.4), "2/3", "14/19"),
    "balanced (BA), islands of 5": (aj.f1_ba(width=5), "6/7", "1"),
}
TWINS = {
    "pointwise": naive.raw,
    "point-adjusted (PA)": naive.point_adjusted,
    "K%-PA, K = 40 %": lambda *case: naive.covered(*case, k=0.4),
    "balanced (BA), islands of 5": lambda *case: naive.balanced(*case, width=5),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return strip_figure(tmp_path_factory.mktemp("figures") / "new" / "directory")


@pytest.fixture(scope="module")
def rows(written):
    with written[2].open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def points(rows, lane, *kinds):
    marked = np.zeros(80, int)
    for row in rows:
        if row["lane"] == lane and row["kind"] in kinds:
            marked[int(row["start"]) : int(row["stop"])] += 1
    return marked.tolist()


def of(rows, lane, kind):
    ((fraction, value),) = [
        (row["fraction"], float(row["value"]))
        for row in rows
        if row["lane"] == lane and row["kind"] == kind
    ]
    return fraction, value


def test_four_files_are_written_into_a_directory_that_need_not_exist(written):
    assert ["strip.png", "strip.svg", "strip.csv", "strip.pdf"] == [path.name for path in written]
    assert written[0].read_bytes().startswith(b"\x89PNG")
    assert "<svg" in written[1].read_text(encoding="utf-8")
    assert "<dc:date>" not in written[1].read_text(encoding="utf-8")


def test_truth_and_flags_are_those_of_the_paper(rows):
    assert LABELS.tolist() == points(rows, "truth", "event")
    assert FLAGS.tolist() == points(rows, "flags", "flag")


@pytest.mark.parametrize("lane", LANES)
def test_every_f1_is_the_fraction_of_the_paper_and_the_value_of_the_library(rows, lane):
    metric, fraction, without = LANES[lane]
    assert (fraction, pytest.approx(metric(LABELS, FLAGS), abs=1e-15)) == of(rows, lane, "f1")
    expected = without, pytest.approx(metric(LABELS, TRUE_FLAGS), abs=1e-15)
    assert expected == of(rows, lane, "f1 without the false run")


@pytest.mark.parametrize("lane", LANES)
def test_the_marked_points_are_those_of_a_slow_twin_and_tell_kept_from_added(rows, lane):
    expected = [int(mark) for mark in TWINS[lane](LABELS.tolist(), FLAGS.tolist())]
    assert expected == points(rows, lane, "kept", "added")
    assert FLAGS.tolist() == points(rows, lane, "kept")


@pytest.mark.parametrize("lane", LANES)
def test_the_fraction_can_be_counted_from_the_marked_points(rows, lane):
    marked = np.array(points(rows, lane, "kept", "added"))
    counted = Fraction(2 * int(marked @ LABELS), int(marked.sum() + LABELS.sum()))
    assert str(counted) == of(rows, lane, "f1")[0]


def test_every_metric_charges_for_the_false_run_and_balanced_adjustment_most(rows):
    """Erratum E6: the caption says that only balanced adjustment does."""
    costs = {
        lane: of(rows, lane, "f1 without the false run")[1] - of(rows, lane, "f1")[1]
        for lane in LANES
    }
    assert all(cost > 0.05 for cost in costs.values())
    assert max(costs, key=costs.get) == "balanced (BA), islands of 5"


def test_the_same_files_come_out_every_time_whatever_the_users_style(written, tmp_path):
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        before = dict(matplotlib.rcParams)
        again = strip_figure(tmp_path)
        assert before == dict(matplotlib.rcParams)
    for old, new in zip(written, again, strict=True):
        assert old.read_bytes() == new.read_bytes()


def test_the_settings_are_back_after_a_failure_too(tmp_path):
    before = dict(matplotlib.rcParams)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(OSError, match=re.escape(str(blocked))):
        strip_figure(blocked)
    assert before == dict(matplotlib.rcParams)
