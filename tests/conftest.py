"""One width of the terminal, and hypothesis profiles: the same every time."""

import os
import signal
from inspect import signature

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings

from processes import children

if (
    "mix_stderr" in signature(CliRunner).parameters
):  # click 8.1: keep stderr apart, as later ones do
    CliRunner.__init__.__defaults__ = (*CliRunner.__init__.__defaults__[:-1], False)

os.environ.pop("COLUMNS", None)  # what is printed must not depend on the window it runs in
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each program started compiles all sources

# A shell lets what it starts in the background ignore Ctrl-C, and all that is started from there.
signal.signal(signal.SIGINT, signal.default_int_handler)

_CALM = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}

settings.register_profile("plain", max_examples=10, **_CALM)
settings.register_profile("thorough", max_examples=40, **_CALM)
settings.register_profile("many", max_examples=100, **_CALM)
settings.load_profile("plain")


@pytest.fixture(autouse=True, scope="module")
def _no_worker_is_left_over():
    """What a test starts it ends: later ones count the workers of this process."""
    yield
    assert children(os.getpid(), b"LokyProcess") == []
