"""The table of what may hold labels and scores, and of what is refused with which words."""

from functools import partial

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


class Tensor:
    """As much of a tensor of torch as is looked at, where torch is not installed."""

    def __init__(self, values, dtype="torch.float32", device="cpu", layout="torch.strided"):
        self.values, self.dtype, self.layout = np.array(values), dtype, layout
        self.device = type("Device", (), {"type": device, "__str__": lambda _: device})()

    def detach(self):
        return self

    def float(self):
        return Tensor(self.values.astype(np.float32))

    def numpy(self):
        assert self.dtype != "torch.bfloat16", "torch has no such array"
        return self.values


Tensor.__module__ = "torch"


def test_what_looks_like_a_tensor_is_read_like_one():
    expected = with_scores(LABELS, SCORES)
    for dtype in ("torch.float32", "torch.bfloat16"):
        assert expected == with_scores(Tensor(LABELS, dtype), Tensor(SCORES, dtype))
    with pytest.raises(aj.InputError, match=r"scores must be on the CPU, got a tensor on cuda"):
        aj.f1(LABELS, Tensor(FLAGS, device="cuda"))
    with pytest.raises(aj.InputError, match=r"scores must be dense, got a sparse tensor"):
        aj.f1(LABELS, Tensor(FLAGS, layout="torch.sparse_coo"))


class JaxArray:
    """As much of an array of JAX as is looked at, where JAX is not installed."""

    def __init__(self, values, dtype):
        self.values, self.dtype = values, dtype

    def __array__(self, dtype=None, copy=None):
        assert (self.dtype == "bfloat16") == (dtype == np.float32)
        return np.array(self.values, dtype or self.dtype)


JaxArray.__module__ = "jaxlib.xla_extension"


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_what_looks_like_an_array_of_jax_is_read_like_one(dtype):
    hold = partial(JaxArray, dtype=dtype)
    assert with_scores(LABELS, SCORES) == with_scores(hold(LABELS), hold(SCORES))


class TimeSeries:
    """As much of a series of Darts as is looked at, where Darts is not installed."""

    def __init__(self, values):
        self.values = np.array(values, float)
        self.width = self.values.shape[1] if self.values.ndim == 2 else 1

    def univariate_values(self):
        return self.values


TimeSeries.__module__ = "darts.timeseries"


def test_what_looks_like_a_series_of_darts_is_read_like_one():
    assert with_scores(LABELS, SCORES) == with_scores(TimeSeries(LABELS), TimeSeries(SCORES))
    with pytest.raises(aj.InputError, match="must be a univariate TimeSeries, got 2 components"):
        aj.f1(LABELS, TimeSeries(np.zeros((len(LABELS), 2))))


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
