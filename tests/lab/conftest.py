"""The laboratory's tests are a leg of their own; the plain tests keep a quick sample of them."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SAMPLE = {
    "test_blind_versions", "test_confidence", "test_counterexample", "test_drawn_cases",
    "test_event_profile", "test_order_axioms", "test_scenario",
    "test_simulate", "test_study_folder", "test_worker",
}  # fmt: skip


@pytest.hookimpl(tryfirst=True)  # before pytest picks tests by their marks
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE) and item.path.stem not in SAMPLE:
            item.add_marker(pytest.mark.lab)
