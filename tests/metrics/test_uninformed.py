"""Detectors that know nothing: where they beat an honest one, the row and the readme say so."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.judge.which_metrics import default_metrics

README = (Path(__file__).parents[2] / "README.md").read_text()
N, WIDTH = 10_000, 100
STARTS = [420, 1330, 2250, 3610, 4540, 5170, 6480, 7290, 8350, 9700]
FALSE = [900, 2800, 5800, 7800, 9200]
LABELS, HONEST_FLAGS = np.zeros((2, N), int)
HONEST_SCORES = np.convolve(np.random.default_rng(1).normal(size=N), np.ones(20) / 20**0.5, "same")
for start in STARTS:
    LABELS[start : start + WIDTH] = 1
for start in STARTS[:7]:  # finds seven of ten events, a third of each, soon
    HONEST_FLAGS[start + 3 : start + 36] = 1
    HONEST_SCORES[start + 5 : start + 60] += 2
for start in FALSE:
    HONEST_FLAGS[start : start + 20] = 1
EARLY = -8  # who warns comes before the event
RATES = (HONEST_FLAGS.mean(), 0.01, 0.001)
SAID = {  # what the sentence about a row must hold
    "constant": "a constant score",
    "random": "random alarms|every false alarm",
    "everything": "alarm over everything|every false alarm",
}
ROWS = [row for row in aj.catalogue.values() if row.name != "ucr"]  # which judges one event alone


def detectors(needs):
    """Give detectors that do not look at the data, each as draws of which the median counts."""
    rng = np.random.default_rng(2)
    if needs == "scores":
        return {"constant": [[np.zeros(N)]], "random": [list(rng.normal(size=(3, N)))]}
    noise = [[(rng.random(N) < rate).astype(int) for _ in range(3)] for rate in RATES]
    return {"random": noise, "everything": [[np.ones(N, int)]]}


KNOW_NOTHING = {needs: detectors(needs) for needs in ("flags", "scores")}


def winners(row):
    """Name the detectors that know nothing and do better than the honest one."""
    sign = -1 if row.better == "lower" else 1
    metric = row.metric
    own = HONEST_SCORES if row.needs == "scores" else HONEST_FLAGS
    honest = metric(LABELS, np.roll(own, EARLY) if "max_lead" in row.parameters else own)
    assert math.isfinite(honest)
    return {
        name
        for name, kinds in KNOW_NOTHING[row.needs].items()
        for draws in kinds
        if sign * np.median([metric(LABELS, draw) for draw in draws]) > sign * honest
    }


def test_the_honest_detector_is_a_good_one():
    assert aj.event_recall(LABELS, HONEST_FLAGS) == 0.7
    assert aj.precision(LABELS, HONEST_FLAGS) > 0.6  # where one point in ten is anomalous
    assert aj.auc_roc(LABELS, HONEST_SCORES) > 0.6
    assert aj.ap(LABELS, HONEST_SCORES) > 0.25


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_who_is_beaten_by_knowing_nothing_says_it(row):
    for name in winners(row):
        assert re.search(SAID[name], row.forgives), f"{name} wins {row.name}"


def test_no_row_says_that_it_forgives_nothing_where_the_audit_found_something():
    """A mistake of one point that costs next to nothing, or a long event that outweighs many."""
    for row in aj.catalogue.values():
        if row.forgives.startswith("nothing"):
            assert {"C-3", "L2"} <= row.claims, row.name


def recommendations():
    """Read the readme's table: a metric, and what stands beside it; not "what others printed"."""
    _, table = README.split("## Which metric when\n")
    lines = [line for line in table.split("\n##")[0].splitlines() if line.startswith("| ")][1:]
    for line in lines:
        question, asked, forgives = (cell.strip() for cell in line.strip("|").split("|"))
        if question != "what others printed":
            yield from ((spec, forgives) for spec in re.findall("`(.*?)`", asked))


RECOMMENDED = dict(recommendations())


@pytest.mark.parametrize("spec", RECOMMENDED)
def test_what_is_recommended_is_not_won_by_knowing_nothing_or_comes_with_a_warning(spec):
    metric = aj.metric(spec)
    warned = "alarm over everything" in RECOMMENDED[spec]
    assert winners(metric.row) <= ({"everything", "random"} if warned else set())


def test_what_is_recommended_without_a_warning():
    free = {spec for spec, said in RECOMMENDED.items() if "alarm over everything" not in said}
    assert {"f1_ba", "f1", "ap_ba", "ap", "auc_roc"} <= free
    assert "auc_pr" not in RECOMMENDED


def test_the_default_table_has_no_area_that_a_constant_score_wins():
    areas = {m.row.name for m in default_metrics("none")}
    assert areas == {"auc_roc", "ap"}
    assert not any(winners(aj.catalogue[name]) for name in areas)
    assert winners(aj.catalogue["auc_pr"]) == {"constant"}  # so the test can tell


@pytest.mark.parametrize("name", ["auc_pr", "auc_pr_pa", "auc_pr_kpa", "auc_pr_ba"])
def test_a_constant_score_gets_half_and_more_by_trapezoids(name):
    share = LABELS.mean()
    assert aj.catalogue[name].metric(LABELS, np.zeros(N)) == pytest.approx((1 + share) / 2)
    assert aj.metric(name.replace("auc_pr", "ap"))(LABELS, np.zeros(N)) == pytest.approx(share)
    assert f"`{name.replace('auc_pr', 'ap')}` instead" in aj.catalogue[name].forgives
