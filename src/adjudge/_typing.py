"""Names for the arrays that pass between the modules, and for the settings that a user may give."""

from __future__ import annotations

from datetime import timedelta
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

Whole: TypeAlias = int | np.integer[Any]
"""A setting that is a whole number."""

Number: TypeAlias = float | np.floating[Any] | np.integer[Any]
"""A setting that is a number."""

Boolean: TypeAlias = bool | np.bool_
"""A setting that is a yes or no."""

Duration: TypeAlias = str | timedelta | np.timedelta64
"""A length of time: "10min", or a time difference."""
