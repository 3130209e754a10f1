"""A sample for the plain test command; what is left out of it is tested under `long`."""

import pytest


def one_in(every, params, rest=pytest.mark.long):
    """Parameters of a test of which only one in `every` is run by the plain command."""
    return [
        param if place % every == 0 else pytest.param(*_values(param), marks=rest)
        for place, param in enumerate(params)
    ]


def _values(param):
    return param if isinstance(param, tuple) else (param,)
