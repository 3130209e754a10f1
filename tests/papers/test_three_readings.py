"""The three metrics that go by the name of balanced adjustment (arXiv:2409.13053)."""

import numpy as np
import pytest

import adjudge as aj
from adjudge import InputError
from adjudge.adjust.balanced import READINGS
from adjudge.judging.words.citation import citation


def as_printed(labels, flags, w_n):
    """Adjust flags by the equation of the paper, one case after the other."""
    events, n = [], len(labels)
    for t in range(n):  # the sets of time steps S_a^i
        if labels[t] and t and labels[t - 1]:
            events[-1].append(t)
        elif labels[t]:
            events.append([t])
    false = [u for u in range(n) if flags[u] == 1 and labels[u] == 0]
    adjusted = [0] * n
    for t in range(n):
        if (
            flags[t] == 1
            or any(t in event and any(flags[k] for k in event) for event in events)
            or any(u - w_n / 2 - 1 <= t <= u + w_n / 2 for u in false)
        ):
            adjusted[t] = 1
    return adjusted


def f1(labels, adjusted):
    both = sum(a and b for a, b in zip(labels, adjusted, strict=True))
    return 2 * both / (sum(labels) + sum(adjusted))


def differ(cases, seed, setting='reading="printed"'):
    """How many random cases of some tell a metric from the loop above."""
    rng, metric, wrong = np.random.default_rng(seed), aj.metric(f"f1_ba({setting})"), 0
    for _ in range(cases):
        n, often = int(rng.integers(2, 25)), rng.choice([0.1, 0.3, 0.6])
        labels = (rng.random(n) < often).astype(int).tolist()
        flags = (rng.random(n) < 0.25).astype(int).tolist()
        width = int(rng.integers(1, 13))
        if sum(labels) + sum(flags):
            mine = metric(labels, flags, width=width)
            wrong += mine != f1(labels, as_printed(labels, flags, width))
    return wrong


def test_the_printed_reading_is_the_printed_equation():
    assert differ(1500, 0) == 0


@pytest.mark.long
def test_the_printed_reading_is_the_printed_equation_in_20_000_cases():
    assert differ(20_000, 1) == 0


@pytest.mark.parametrize("other", ['islands="spill"', 'reading="authors"', 'reading="corrected"'])
def test_no_other_setting_is_the_printed_equation(other):
    assert differ(300, 2, other) > 20


def beside_a_missed_event():
    labels, flags = np.zeros((2, 30), int)
    labels[10:14] = flags[15] = 1
    return labels, flags


def test_each_reading_of_one_example():
    values = {r: aj.f1_ba(*beside_a_missed_event(), width=4, reading=r) for r in READINGS}
    assert values == {"corrected": 0.0, "printed": 0.4, "authors": 2 / 9}


@pytest.mark.parametrize("width", [4, 5, 6])
def test_no_width_of_spilling_islands_gives_what_is_printed(width):
    assert aj.f1_ba(*beside_a_missed_event(), width=width, islands="spill") != 0.4


@pytest.mark.parametrize("width", range(1, 12))
def test_islands_of_each_reading_have_as_many_points_as_the_page_says(width):
    flags = np.arange(41) == 20
    marked = {
        reading: aj.explain(0 * flags, flags, aj.f1_ba(width=width, reading=reading)).alarms
        for reading in READINGS
    }
    points = {name: rows.cost.tolist() for name, rows in marked.items()}
    half = width // 2
    assert points == {"corrected": [width], "printed": [2 * half + 2], "authors": [2 * half + 1]}


BALANCED = [name for name in aj.catalogue if name.endswith("_ba")]


@pytest.mark.parametrize("name", BALANCED)
def test_every_balanced_metric_takes_a_reading(name):
    metric = aj.catalogue[name].metric(width=3, border="clip")
    labels, flags = beside_a_missed_event()
    values = [metric(reading=reading)(labels, flags) for reading in ("printed", "authors")]
    assert metric(reading="corrected") == metric
    assert metric(islands="all")(labels, flags) == values[1]
    assert aj.metric(str(metric(reading="printed"))) == metric(reading="printed")


def test_results_print_the_reading_alone_and_their_spec_reads_back():
    labels, flags = beside_a_missed_event()
    judged = aj.evaluate(labels, flags, metrics=['f1_ba(reading="printed")', "f1_ba"])
    printed, corrected = judged.rows
    assert printed.metric == 'f1_ba(width=5, reading="printed")'
    assert printed.other_readings == {"corrected": 0.0, "authors": 2 / 9}
    assert corrected.other_readings == {"printed": 0.4, "authors": 2 / 9}
    assert aj.metric(printed.metric)(labels, flags) == printed.value
    assert citation(printed, "0.1") == f"to cite: {printed.metric}, printed reading, adjudge 0.1"


def test_what_is_no_reading_of_the_paper_names_all_three():
    labels, flags = beside_a_missed_event()
    (row,) = aj.evaluate(labels, flags, metrics=['f1_ba(width=3, islands="spill")']).rows
    assert set(aj.metric('f1_ba(islands="spill")').parts.adjust.other_readings) == set(READINGS)
    assert not aj.metric('f1_ba(width=4, islands="all")').parts.adjust.named_reading
    assert row.other_readings == {"printed": 0.25}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"islands": "normal", "reading": "printed"},
            "islands must be left out with reading='printed', got 'normal'; the reading",
        ),
        (
            {"border": "shift", "reading": "authors"},
            "reading must be 'corrected' with border='shift', got 'authors'",
        ),
        (
            {"reading": "literal"},
            "reading must be one of 'corrected', 'printed', 'authors', got 'literal'",
        ),
    ],
)
def test_readings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(InputError) as refused:
        aj.f1_ba(**settings)
    assert str(refused.value).startswith(message)
