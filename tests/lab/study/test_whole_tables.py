"""Two whole studies of 15,000 experiments: the published sums, means and curves, and the page."""

import csv
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from adjudge.lab.study.measurements import columns_of
from adjudge.lab.study.released import COLUMNS
from adjudge.lab.study.runner import study

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
from study_curves import ANYWHERE, FIGURES, ON_AVERAGE, apart, compared

ROOT = Path(__file__).parents[3]
SUMS = ROOT / "tests" / "golden" / "released_sums.csv"

pytestmark = pytest.mark.on_demand  # they take minutes


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """Run both once for all tests: they take a minute and a half of CPU time."""
    out = tmp_path_factory.mktemp("studies")
    for design, count in (("authors", 15_000), ("released", 15_000), ("controlled", 6000)):
        study(count, design=design, jobs=2, out=out / design)
    return out


def read(studies, design):
    return study(15_000, design=design, out=studies / design)


def test_every_block_of_the_table_sums_to_that_of_the_published_one(studies):
    table = read(studies, "released")
    with SUMS.open() as stream:
        published = list(csv.DictReader(stream))
    for name, ours in COLUMNS.items():
        sums = np.nan_to_num(table.column(ours).astype(float)).reshape(30, 500).sum(axis=1)
        within = 500 * 1e-6 if name == "signal_separation" else 1e-8
        expected = [float(row[name]) for row in published]
        np.testing.assert_allclose(sums, expected, rtol=0, atol=within, err_msg=name)


def test_the_curves_are_the_papers(studies):
    for figure in FIGURES:
        mean, worst = apart(compared(read(studies, "authors"), figure))
        assert mean.max() <= ON_AVERAGE
        assert worst.max() <= ANYWHERE


def test_means_and_order_are_the_papers(studies):
    table = read(studies, "authors")
    published = {"f1": 0.1781, "f1_pa": 0.5746, "f1_kpa": 0.4248, "f1_ba_authors": 0.5491}
    assert pytest.approx(published, abs=0.02) == {n: table[n].mean() for n in published}
    assert columns_of(()) == table.columns


def test_the_page_is_current(studies):
    made = runpy.run_path(str(ROOT / "tools" / "make_study.py"))
    assert made["PAGE"].read_text(encoding="utf-8") == made["page"](folder=studies)
