"""Results are equal when their fields are, on every Python."""

import copy
import math
import pickle
from dataclasses import replace

import pytest

import adjudge as aj

LABELS, FLAGS = [0, 1, 1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 1, 0, 0]
MAKERS = {
    "row": lambda: aj.evaluate(LABELS, FLAGS, "f1", chance=False).rows[0],
    "comparison": lambda: aj.compare(LABELS, FLAGS, FLAGS[::-1], "f1", draws=9),
    "chance": lambda: aj.chance([0, 0], "recall", rate=0.5),
}


@pytest.mark.parametrize("name", MAKERS)
def test_equal_results_are_equal_and_others_are_not(name):
    one, other = MAKERS[name](), MAKERS[name]()
    assert any(isinstance(value, float) and math.isnan(value) for value in vars(one).values())
    assert one == other == copy.deepcopy(one)
    assert len({hash(one), hash(other), hash(copy.deepcopy(one))}) == 1
    for field, value in vars(one).items():
        if isinstance(value, float):
            assert one != replace(one, **{field: 0.125})
    assert one != name


def test_fields_that_hold_several_values_are_compared_one_by_one():
    row = MAKERS["row"]()
    undefined = replace(row, other_readings={"all": math.nan})
    assert undefined == replace(row, other_readings={"all": float("nan")})
    assert undefined != replace(row, other_readings={"all": 1.0})
    assert undefined != replace(row, other_readings={"spill": math.nan})
    found = MAKERS["comparison"]()
    assert found != replace(found, at=(0.5, None))
    assert replace(found, events_needed_range=(1, 2)) != replace(found, events_needed_range=(1, 3))


def test_metrics_are_the_same_after_a_pickle_or_a_copy():
    incidents, alerts = aj.Incidents([5, 30], [9, 40]), aj.Alerts([6, 20, 35], [8, 22, None])
    specs = ["event_f1", "detection_delay", "reset_time", "alarms_per_event", "false_alarms(per=9)"]
    whole = aj.evaluate(incidents, alerts, specs, span=(0, 50))
    for again in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):  # noqa: S301 - our own
        for row in aj.catalogue.values():
            assert again(row) is row
            assert again(row.metric) == row.metric
        other = aj.evaluate(
            incidents, alerts, list(map(again, map(aj.metric, specs))), span=(0, 50)
        )
        assert other.to_json() == whole.to_json()


def test_a_row_of_somebody_else_is_copied_as_it_is():
    row = aj.Row("mine", "Mine", "m", aj.catalogue["f1"].measure)
    assert vars(copy.deepcopy(row)).keys() == vars(row).keys()
    assert copy.deepcopy(row) is not row
