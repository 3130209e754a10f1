"""The law of specs: what is printed reads back as the same metric."""

import importlib
import math
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.adjust.adjustments import Delayed, Dilated
from adjudge.adjust.balanced import Balanced
from adjudge.count.early_utility import EarlyFlags
from adjudge.count.weighted_events import EventWeighted
from adjudge.judging.result_columns import Finding
from adjudge.judging.words.citation import citation

SETTINGS = {
    "width": st.integers(1, 10**12) | st.sampled_from(["iid", "matched"]),
    "islands": st.sampled_from(["normal", "spill", "all"]),
    "margin": st.integers(0, 99),
    "border": st.sampled_from(["clip", "shift"]),
    "reading": st.sampled_from(["corrected", "printed", "authors"]),
    "k": st.floats(0, 1, exclude_min=True),
    "strict": st.booleans(),
    "beta": st.floats(1e-3, 1e3),
}
for path in sorted(Path(__file__).parents[1].glob("*/naive_*.py")):
    family = importlib.import_module(f"{path.parent.name}.{path.stem}")
    for name, values in getattr(family, "SETTINGS", {}).items():  # some names mean several things
        SETTINGS[name] = SETTINGS[name] | values if name in SETTINGS else values
THRESHOLDS = st.one_of(
    st.floats(allow_nan=False),
    st.integers(-(2**53), 2**53),
    st.builds(aj.quantile, st.floats(0, 1)),
    st.builds(aj.top, st.integers(1, 10**9)),
)


WORDS = {Balanced: ["iid", "matched"], Dilated: []}


def possible(row, settings):
    """Leave out what does not go together, and count where a row counts."""
    if "k" in settings and (row.adjust is Delayed or row.group == "channels"):
        settings["k"] = math.ceil(settings["k"] * 50)
    if "per" in settings and row.group == "channels":
        settings["per"] = "points"
    words = ["iid"] if row.count is EventWeighted else WORDS.get(row.adjust, [])
    if isinstance(settings.get("width"), str) and settings["width"] not in words:
        del settings["width"]
    if row.count is EarlyFlags:  # where both are lengths that depend on others
        settings.pop("late", None)
        settings.pop("early", None)
    chosen = {**row.parameters, **settings}
    if chosen.get("relative") and chosen["after"] == 0:
        del settings["relative"]
    if chosen.get("width") == "matched" or chosen.get("border") == "shift":
        settings.pop("islands", None)
        settings.pop("reading", None)
    if settings.get("reading"):
        settings.pop("islands", None)
    return settings


def values_of(row, name):
    """What families say that a setting of this name may be, as far as this row takes it."""

    def fits(value):
        try:
            row.metric(**possible(row, {name: value}))
        except aj.InputError:
            return False
        return True

    return SETTINGS[name].filter(fits)


@st.composite
def metrics(draw):
    row = aj.catalogue[draw(st.sampled_from(sorted(aj.catalogue)))]
    names = draw(st.sets(st.sampled_from(sorted(row.parameters)))) if row.parameters else set()
    settings = {name: draw(values_of(row, name)) for name in sorted(names)}  # the same every time
    metric = row.metric(**possible(row, settings))
    if row.needs == "scores":
        return metric
    how = draw(st.sampled_from(["plain", "best", "at"]))
    return {
        "plain": lambda: metric,
        "best": lambda: aj.best(metric, thresholds=draw(st.integers(1, 999) | st.none())),
        "at": lambda: metric(at=draw(THRESHOLDS)),
    }[how]()


@given(metric=metrics())
def test_a_spec_reads_back_as_the_metric_it_was_printed_from(metric):
    again = aj.metric(str(metric))
    assert metric == again
    assert str(metric) == str(again)
    assert hash(metric) == hash(again)


CITED = re.compile(
    r"to cite: (.*?)(?:, \w+ reading)?(?:, threshold best in hindsight)?, adjudge 0\.1"
)


@given(metric=metrics())
@example(metric=aj.f1_ba(width=5))
@example(metric=aj.f1_ba(width=5, beta=3))
@example(metric=aj.f1_ba(width=5, border="shift"))
def test_the_line_to_cite_reads_back_as_the_metric(metric):
    """So the lines of two metrics are never the same."""
    line = citation(Finding("mine", str(metric), 0.5, None, "given"), "0.1")
    assert aj.metric(CITED.fullmatch(line)[1]) == metric


@given(metric=metrics())
def test_a_metric_survives_pickling(metric):
    assert metric == pickle.loads(pickle.dumps(metric))  # noqa: S301 - our own


@given(metric=metrics())
def test_a_resolved_spec_names_its_width_and_reads_back(metric):
    events = aj.Events.from_labels([0, 1, 1, 1, 0, 0, 1])
    spec = metric.resolved_spec(events)
    assert metric.resolved(events) == aj.metric(spec)
    assert "width" not in metric.row.parameters or "width=" in spec
    assert "width=None" not in spec


@pytest.mark.parametrize("name", aj.catalogue)
def test_default_settings_do_not_show(name):
    row = aj.catalogue[name]
    assert name == str(row.metric(**row.parameters))
