"""Labels that are words or other numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import adjudge as aj
from adjudge.data.columns import coded
from adjudge.errors import InputError


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (["ok", "bad", "ok"], "bad"),
        (np.array(["ok", "bad ", "ok"]), "bad"),
        (pd.Series(["ok", "bad", "ok"]), "bad"),
        (pd.Series(["ok", "bad", "ok"], dtype="category"), "bad"),
        (pl.Series(["ok", "bad", "ok"]), "bad"),
        (pl.Series(["ok", "bad", "ok"], dtype=pl.Categorical), "bad"),
        ([1, -1, 1], -1),
        ([1, -1, 1], "-1"),
        (["1", "2.0", "1"], 2),
        (np.array([False, True, False]), True),
        ([0.5, 2.0, 0.5], 2),
    ],
)
def test_the_positive_label_is_found(labels, positive):
    assert coded(labels, positive).tolist() == [False, True, False]


def test_one_value_alone_is_a_series_without_anomalies():
    assert coded(["ok", "ok"], "bad").tolist() == [False, False]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", "b", "c", "d", "e", "f"], "'a', 'b', 'c', 'd', 'e', ..., got 'x'"),
        (["a", None], "labels must be one id per point, got None at index 1"),
        ([], "labels must be one-dimensional"),
    ],
)
def test_what_cannot_be_meant_is_refused(labels, words):
    with pytest.raises(InputError, match=words):
        coded(labels, "x")


def test_what_cannot_be_compared_with_a_label_is_refused():
    with pytest.raises(InputError, match="positive must be one label, got"):
        coded(["a", "b"], np.zeros((2, 2)))


class Unreadable:
    def __iter__(self):
        raise RuntimeError


def test_ids_that_cannot_be_read_are_refused():
    with pytest.raises(InputError, match="series must be one id per point, got"):
        aj.f1([0, 1], [0, 1], series=Unreadable())
