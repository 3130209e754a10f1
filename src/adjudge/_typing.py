"""Names for the arrays that pass between the modules."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
"""Scores as floats, or flags as bools: every adjustment takes and gives either."""

Flags: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Positions: TypeAlias = NDArray[np.int64]

Column: TypeAlias = Any
"""Whatever a user may hold: a list, an array, a pandas, polars or Arrow column."""
