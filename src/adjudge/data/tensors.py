"""Tensors and time series of other libraries, as arrays; none of them is imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def _from_torch(values: Any, name: str) -> Any:
    """A tensor as an array: without its gradient, and bfloat16 as the same float32."""
    if values.device.type != "cpu":
        raise InputError(
            f"{name} must be on the CPU, got a tensor on {values.device}; write {name}.cpu()"
        )
    if "strided" not in str(values.layout):
        raise InputError(f"{name} must be dense, got a sparse tensor; write {name}.to_dense()")
    plain = values.detach()
    return (plain.float() if str(plain.dtype) == "torch.bfloat16" else plain).numpy()


def _from_jax(values: Any, _name: str) -> Any:
    """An array of JAX, bfloat16 as the same float32."""
    return np.asarray(values, np.float32 if str(values.dtype) == "bfloat16" else None)


def _from_darts(values: Any, name: str) -> Any:
    """The one column of a TimeSeries."""
    if values.width != 1:
        raise InputError(
            f"{name} must be a univariate TimeSeries, got {values.width} components; judge one at "
            "a time"
        )
    return values.univariate_values()


OTHER_LIBRARIES: dict[str, Callable[[Any, str], Any]] = {
    "torch": _from_torch,
    "jax": _from_jax,
    "jaxlib": _from_jax,
    "darts": _from_darts,
}
