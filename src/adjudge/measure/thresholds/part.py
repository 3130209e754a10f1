"""A part of the points, such as those that a threshold is learnt on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.columns import binary
from adjudge.data.intervals import runs
from adjudge.errors import InputError, shown

if TYPE_CHECKING:
    from adjudge._typing import Column, Flags, Positions

_STRETCH = re.compile(r"(\d{0,18}):(\d{0,18})")
_MOST_POINTS_SHOWN = 12  # stretches that are written out


@dataclass(frozen=True)
class Part:
    """Half-open stretches of points, ascending; frozen, comparable and printable.

    Examples
    --------
    >>> Part.read([1, 1, 0, 0, 1])
    Part('0:2,4:5')
    >>> Part.read("0:1000").mask(1500).sum()
    np.int64(1000)
    """

    stretches: tuple[tuple[int, int | None], ...]
    """Start and stop of each stretch; None: to the end."""
    n: int | None = None
    """How many points there are, if a mask said so."""

    @classmethod
    def read(cls, on: Column, name: str = "on") -> Part:
        """Read a part: a mask (0/1 or bools per point), a slice, or text such as "0:1000"."""
        if isinstance(on, Part):
            return on
        if isinstance(on, slice) and on.step in (None, 1):
            begin, end = on.start, on.stop
            on = f"{'' if begin is None else begin}:{'' if end is None else end}"
        if isinstance(on, str):
            return cls(tuple(_stretch(text, name, on) for text in on.split(",")))
        mask = binary(on, name)
        if not mask.any():
            raise InputError(f"{name} must hold at least one point, got none of {mask.size}")
        starts, stops = runs(mask, np.array([0]))
        return cls(tuple(zip(starts.tolist(), stops.tolist(), strict=True)), mask.size)

    def mask(self, n: int, name: str = "on") -> Flags:
        """A bool per point."""
        if self.n not in (None, n):
            raise InputError(f"{name} must be one bool per point, got {self.n} for {n} points")
        mask = np.zeros(n, bool)
        for start, stop in self.stretches:
            if start >= n or (stop or 0) > n:
                raise InputError(f"{name} must lie within the {n} points, got {self}")
            mask[start:stop] = True
        return mask

    def reordered(self, order: Positions) -> Part:
        """The part after all points were put in another order.

        A mask goes with its points; a stretch, ``"0:1000"``, counts the points in their new order.

        >>> Part.read([1, 0, 0, 1]).reordered(np.array([0, 3, 1, 2]))
        Part('0:2')
        """
        return self if self.n is None else Part.read(self.mask(order.size)[order])

    def __str__(self) -> str:
        """Write the stretches; of many, only how many there are."""
        if len(self.stretches) > _MOST_POINTS_SHOWN:
            points = sum((stop or start) - start for start, stop in self.stretches)
            return f"{points:,} points in {len(self.stretches)} stretches"
        return ",".join(f"{start}:{'' if stop is None else stop}" for start, stop in self.stretches)

    def __repr__(self) -> str:
        """Show it as it is written."""
        return f"Part({str(self)!r})"


def _stretch(text: str, name: str, whole: str) -> tuple[int, int | None]:
    found = _STRETCH.fullmatch(text.strip())
    start = int(found[1] or 0) if found else 0
    stop = int(found[2]) if found and found[2] else None
    if found is None or (stop is not None and stop <= start):
        rule = "a mask, a slice, or text such as '0:1000' or '0:500,900:1000'"
        raise InputError(f"{name} must be {rule}, got {shown(whole)}")
    return start, stop
