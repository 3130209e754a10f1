"""Every result has a frame and shows itself in a notebook."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import adjudge as aj

LABELS = np.tile(np.repeat([0, 1, 0], [30, 10, 40]), 3)
SCORES = np.random.default_rng(1).random(240) + 0.4 * LABELS
FLAGS = SCORES > 0.9
RESULTS = {
    "judgement": lambda: aj.evaluate(LABELS, FLAGS, "f1", chance=False),
    "receipt": lambda: aj.explain(LABELS, FLAGS),
    "curve": lambda: aj.curve(LABELS, SCORES),
    "comparison": lambda: aj.compare(LABELS, FLAGS, SCORES > 1.1, draws=20),
    "audit": lambda: aj.audit("f1_pa", ["C-2"], effort="quick"),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_every_result_has_a_frame_and_a_notebook_s_table(kind):
    result = RESULTS[kind]()
    assert isinstance(result.to_frame(), pd.DataFrame)
    assert isinstance(result.to_frame("polars"), pl.DataFrame)
    assert len(result.to_frame()) > 0
    shown = result._repr_html_()
    assert shown.startswith("<div>")
    assert "<table>" in shown
    assert shown.count("<tr>") > 1


def test_the_frame_of_a_curve_has_a_row_per_threshold():
    curve = aj.curve(LABELS, SCORES, "f1_ba")
    assert isinstance(curve, aj.Curve)
    frame = curve.to_frame()
    assert list(frame.columns) == ["threshold", "precision", "recall", "f", "value"]
    assert frame["value"].max() == curve.best().value
    assert math.isnan(frame["precision"][0])  # nothing is flagged


def test_a_notebook_shows_ten_thresholds_and_the_best_one():
    curve = aj.curve(LABELS, SCORES, "f1_ba")
    (table,) = curve.layout().tables
    threshold, value = curve.best()
    assert 10 <= len(table.rows) <= 11
    assert [str(threshold), f"{value:.4f}"] in [[row[0], row[-1]] for row in table.rows]
    assert curve._repr_html_().count("<b>") == 1


def test_the_frame_of_a_receipt_has_both_sides():
    receipt = aj.explain(LABELS, FLAGS, "f1_ba")
    frame = receipt.to_frame()
    events, alarms = frame[frame.side == "event"], frame[frame.side == "alarm"]
    assert events.credit.sum() == receipt.tally.found
    assert alarms.cost.sum() == receipt.tally.flagged - receipt.tally.right
    assert events.cost.isna().all()


def test_a_receipt_shows_what_matters_most_first():
    flags = FLAGS & (np.arange(240) > 100)  # the first event is missed
    receipt = aj.explain(LABELS, flags, "f1_ba")
    rows = receipt.layout(most=1).tables[0].rows
    assert rows[0] == ["event [30, 40)", "missed", "earns 0 of 10"]
    assert rows[1][2] == f"costs {receipt.alarms.cost.max()}"
    assert "2 more events and " in receipt.to_text(most=1)
    every = receipt.to_text(most=None)
    assert "more" not in every
    assert every.count("event [") == 3


def test_a_receipt_without_rows_has_a_head():
    assert "0 of 0 events found, 0 of 0 alarms false" in str(aj.explain([0, 0], [0, 0]))
