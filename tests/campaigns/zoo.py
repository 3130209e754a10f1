"""What the campaigns throw at the library: columns, numbers and names, good and bad."""

import math

import numpy as np

NUMBERS = (
    *(0, 1, 2, 3, 5, -1, 10**6, 2**31, 2**53 + 1, 2**63, 10**400, 0.0, -0.0, 0.1, 0.5, 1.0, 1.5),
    *(1e-300, 1e308, 5e-324, math.nan, math.inf, -math.inf, True, None, "3", "", "auto", b"1"),
    *((), (1,), (0.1, 2), [], [1, 2], {}, 1j, np.int8(3), np.float16(6e4), np.float32(0.1)),
    *(np.array(3), np.array([1, 2]), np.datetime64("2026-01-01"), np.timedelta64(3, "s")),
)


class NoRepr:
    """Cannot be shown."""

    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __repr__


class NoArray:
    """Says that it is an array, and is none."""

    def __array__(self, *_, **__):
        raise OSError("no")


class NoIter:
    """Has a length, and nothing else."""

    def __len__(self):
        return 8

    def __iter__(self):
        raise KeyError("no")

    def __getitem__(self, place):
        raise ArithmeticError("no")


class NoTruth:
    """Cannot be compared."""

    def __eq__(self, other):
        raise TypeError("no")

    __hash__ = None


OBJECTS = (NoRepr, NoArray, NoIter, NoTruth, object, dict, set, Exception)


def number(rng):
    """One of the numbers, or an object that is none."""
    if rng.random() < 0.1:
        return OBJECTS[rng.integers(len(OBJECTS))]()
    return NUMBERS[rng.integers(len(NUMBERS))]


def labels(rng, n):
    """A column of labels: mostly a good one."""
    events = np.repeat(rng.random(-(-n // 3)) < rng.choice([0, 0.2, 0.5, 1]), 3)[:n]
    return column(rng, events.astype(np.int64))


def scores(rng, n, flags=0.4):
    """A column of scores, or of flags: mostly a good one."""
    if rng.random() < flags:
        return column(rng, (rng.random(n) < rng.choice([0, 0.3, 1])).astype(np.int64))
    values = rng.normal(size=n) if rng.random() < 0.7 else rng.integers(0, 3, n).astype(float)
    return column(rng, values)


def column(rng, good):
    """The same numbers in some container, or made bad; mostly as they are."""
    if rng.random() < 0.7 or not good.size:
        return good
    return _WAYS[rng.integers(len(_WAYS))](rng, good)


def _as_other_type(rng, good):
    return good.astype(rng.choice(["f4", "f2", "u1", "i2", "O", ">f8", "c16", "U4", "M8[s]"]))


def _with_wrong_numbers(rng, good):
    bad = good.astype(float)
    wrong = rng.choice([np.nan, np.inf, -np.inf, 0.5, 2, -1, 1e308, -0.0])
    bad[rng.integers(bad.size, size=rng.integers(1, 4))] = wrong
    return bad


def _in_other_shape(rng, good):
    shapes = good[:, None], good[None], good[:0], good[:-1], np.append(good, good), good[::-1]
    return shapes[rng.integers(len(shapes))]


def _with_a_stranger(rng, good):
    listed = good.tolist()
    listed[rng.integers(len(listed))] = number(rng)
    return listed


_WAYS = (
    lambda _, good: good.tolist(),
    _as_other_type,
    _with_wrong_numbers,
    _in_other_shape,
    _with_a_stranger,
    lambda rng, good: np.ma.masked_array(good, rng.random(good.size) < 0.2),
    lambda rng, _: number(rng),
)
