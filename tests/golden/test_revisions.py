"""A value that changes raises its metric's revision: stored results are kept by it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import adjudge as aj
from golden.make_revisions import given, revisions, value_hash

STORED = json.loads((Path(__file__).parent / "revisions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def now():
    return revisions()


def test_every_metric_has_its_revision_written_down(now):
    assert sorted(STORED) == sorted(now), "run tests/golden/make_revisions.py"


def test_a_changed_value_has_another_revision(now):
    silent = [
        name
        for name, (revision, hashed) in now.items()
        if name in STORED and hashed != STORED[name][1] and revision == STORED[name][0]
    ]
    assert silent == [], "raise their revision, then run tests/golden/make_revisions.py"


def test_what_is_written_down_is_up_to_date(now):
    assert STORED == now, "run tests/golden/make_revisions.py"


def test_the_hash_notices_another_value():
    row = aj.catalogue["f1"]
    other = replace(row, measure=aj.catalogue["precision"].measure)
    inputs = list(given())
    assert value_hash(row, inputs) != value_hash(other, inputs)
