"""A value or a chance line that changes raises its revision: stored results are kept by it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import adjudge as aj
from adjudge.noise import chance_line
from adjudge.noise.shifting import shifted_case
from golden.make_revisions import chance_lines, given, line_hash, revisions, value_hash

HERE = Path(__file__).parent
STORED = json.loads((HERE / "revisions.json").read_text(encoding="utf-8"))
LINES = json.loads((HERE / "chance_lines.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def now():
    return revisions()


def test_every_metric_has_its_revision_written_down(now):
    assert sorted(STORED) == sorted(now), "run tools/make.py revisions"


def test_a_changed_value_has_another_revision(now):
    silent = [
        name
        for name, (revision, hashed) in now.items()
        if name in STORED and hashed != STORED[name][1] and revision == STORED[name][0]
    ]
    assert silent == [], "raise their revision, then run tools/make.py revisions"


def test_what_is_written_down_is_up_to_date(now):
    assert STORED == now, "run tools/make.py revisions"


def test_the_hash_notices_another_value():
    row = aj.catalogue["f1"]
    other = replace(row, measure=aj.catalogue["precision"].measure)
    inputs = list(given())
    assert value_hash(row.metric, inputs) != value_hash(other.metric, inputs)


@pytest.mark.long
def test_a_changed_chance_line_has_another_revision():
    now = chance_lines()
    if now["revision"] == LINES["revision"]:
        changed = [name for name, hashed in now.items() if LINES.get(name, hashed) != hashed]
        assert changed == [], "raise CHANCE_REVISION, then run tools/make.py revisions"
    assert now == LINES, "run tools/make.py revisions"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("_largest", "points at a threshold"),
        ("interval", "events at a threshold"),
        ("optimism", "the best threshold"),
        ("interval", "areas"),
    ],
)
def test_the_hash_notices_another_formula(name, kind, monkeypatch):
    how = {"null": "shifted", "shifts": 19, "seed": 3}
    before = line_hash(kind, **how)
    assert before == LINES[f"shifted, {kind}, 19 shifts"]
    home = chance_line if name in vars(chance_line) else shifted_case
    true = vars(home)[name]

    def other(*given, **options):
        found = true(*given, **options)
        return found * 0.999 if isinstance(found, float) else found._replace(low=0.999 * found.low)

    monkeypatch.setattr(home, name, other)
    assert line_hash(kind, **how) != before
