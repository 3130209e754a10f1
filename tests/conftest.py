"""One width of the terminal, and hypothesis profiles: the same every time."""

import os
import signal
from collections import defaultdict
from inspect import signature
from pathlib import Path

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


_HERE = Path(__file__).parent
_NOT_COVERED = {"laws", "golden"}
"""Folders that CI does not run for coverage; there, what is left out is tested under `long`."""
_WHOLE = {
    "test_exhaustive", "test_calibration", "test_audit_results", "test_known_metrics",
    "test_study_kill", "test_terminal", "test_hostile_names", "test_one_line", "test_figures",
    "test_page", "test_ranking_page", "test_campaigns", "test_ranking_faults", "test_study_faults",
    "test_figures_experiments", "test_figures_scenarios", "test_figures_strip",
}  # fmt: skip
"""Modules that CI leaves out there too."""
_MANY = 6


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test with many cases the plain command runs one in five, of a law one in eight."""
    cases = defaultdict(list)
    for item in items:
        if _HERE in item.path.parents and not any(item.iter_markers("long")):
            cases[item.path, item.name.partition("[")[0]].append(item)
    for (path, _), own in cases.items():
        folder = path.relative_to(_HERE).parts[0]
        many = len(own) > _MANY and path.stem not in _WHOLE
        every = 8 if folder == "laws" else 5 if many else 1
        left_out = pytest.mark.long if folder in _NOT_COVERED else pytest.mark.rest
        for place, item in enumerate(own):
            if place % every:
                item.add_marker(left_out)


@pytest.fixture(autouse=True, scope="module")
def _no_worker_is_left_over():
    """What a test starts it ends: later ones count the workers of this process."""
    yield
    assert children(os.getpid(), b"LokyProcess") == []
