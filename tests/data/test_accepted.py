"""The table of what may hold labels and scores, and of what is refused with which words."""

import numpy as np
import pandas as pd
import pytest

import adjudge as aj
from contract import FLAGS, LABELS, SCORES, with_flags, with_scores


def tensors():
    torch = pytest.importorskip("torch")
    return {
        "float": lambda values: torch.tensor(values, dtype=torch.float32),
        "with gradient": lambda values: torch.tensor(
            values, dtype=torch.float64, requires_grad=True
        ),
        "bfloat16": lambda values: torch.tensor(values, dtype=torch.bfloat16),
        "bool or int": torch.tensor,
        "one column": lambda values: torch.tensor(values).reshape(-1, 1),
    }


@pytest.mark.parametrize(
    "kind", ["float", "with gradient", "bfloat16", "bool or int", "one column"]
)
def test_torch_tensors_give_the_same_values(kind):
    hold = tensors()[kind]
    assert with_scores(LABELS, SCORES) == with_scores(hold(LABELS), hold(SCORES))


def test_tensors_that_cannot_be_read_are_refused_with_the_way_on():
    torch = pytest.importorskip("torch")
    with pytest.raises(aj.InputError, match=r"scores must be on the CPU, got a tensor on meta; wr"):
        aj.f1(LABELS, torch.empty(len(LABELS), device="meta"))
    with pytest.raises(aj.InputError, match=r"scores must be dense, got a sparse tensor; write sc"):
        aj.f1(LABELS, torch.tensor(FLAGS).to_sparse())


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_jax_arrays_give_the_same_values(dtype):
    jax = pytest.importorskip("jax.numpy")

    def hold(values):
        return jax.array(values, dtype=dtype)

    assert with_scores(LABELS, SCORES) == with_scores(hold(LABELS), hold(SCORES))


def test_xarray_columns_give_the_same_values():
    xarray = pytest.importorskip("xarray")
    expected = with_scores(LABELS, SCORES)
    assert expected == with_scores(xarray.DataArray(LABELS), xarray.DataArray(SCORES))


def test_darts_series_give_the_same_values():
    darts = pytest.importorskip("darts")

    def hold(values):
        return darts.TimeSeries.from_values(np.array(values, float))

    assert with_scores(LABELS, SCORES) == with_scores(hold(LABELS), hold(SCORES))
    with pytest.raises(aj.InputError, match="must be a univariate TimeSeries, got 2 components"):
        aj.f1(LABELS, hold(np.zeros((len(LABELS), 2))))


@pytest.mark.parametrize(
    "hold",
    [
        lambda values: pd.Series(values, dtype="category"),
        np.ma.array,
        lambda values: np.array(values).reshape(-1, 1),
        lambda values: pd.DataFrame({"x": values}).to_numpy(),
    ],
    ids=["categories", "masked array", "(n, 1)", "table of one column"],
)
def test_these_give_the_same_values_too(hold):
    assert with_flags(LABELS, FLAGS) == with_flags(hold(LABELS), hold(FLAGS))
    assert with_scores(LABELS, SCORES) == with_scores(hold(LABELS), hold(SCORES))


def test_a_generator_is_refused_with_the_way_on():
    with pytest.raises(aj.InputError, match=r"got <generator .*; write list\(...\) around it"):
        aj.f1(LABELS, (flag for flag in FLAGS))


def test_labels_may_be_words_or_other_numbers():
    words = np.where(LABELS, "bad", "ok")
    signs = np.where(LABELS, -1, 1)
    expected = aj.evaluate(LABELS, SCORES, "f1", 3, chance=False)["f1"]
    for labels, positive in ((words, "bad"), (signs, -1), (signs, "-1")):
        found = aj.evaluate(labels, SCORES, "f1", 3, positive=positive, chance=False)
        assert found["f1"] == expected
        assert aj.explain(labels, SCORES, "f1", at=3, positive=positive).value == expected


def test_points_without_a_score_are_left_out_and_counted():
    gaps = np.array(SCORES, float)
    gaps[:3] = np.nan
    there = ~np.isnan(gaps)
    judged = aj.evaluate(LABELS, gaps, ["f1_ba", "auc_roc"], 3, missing="skip", chance=False)
    assert judged["auc_roc"] == aj.auc_roc(LABELS, gaps, where=there)
    assert [row.skipped for row in judged.rows] == [3, 3]
    masked = np.ma.array(SCORES, mask=~there)
    again = aj.evaluate(LABELS, masked, ["f1_ba", "auc_roc"], 3, missing="skip", chance=False)
    assert again.to_flat_dict() == judged.to_flat_dict()
    for words, options in (
        (r"got nan at index 0 \(3 of 14 points\); leave them out with where=", {}),
        ("missing must be one of 'refuse', 'skip', got 'drop'", {"missing": "drop"}),
    ):
        with pytest.raises(aj.InputError, match=words):
            aj.evaluate(LABELS, gaps, "f1", 3, **options)
    with pytest.raises(aj.InputError, match="got nan at all 14 points"):
        aj.evaluate(LABELS, gaps * np.nan, "f1", 3, missing="skip")
