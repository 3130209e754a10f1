"""What all results share: text, notebooks, frames and JSON from a layout and columns."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.tables.formats import html_of
from adjudge.tables.result import TabledResult
from adjudge.tables.text import text_of

SOURCE = Path(aj.__file__).parent
LABELS = np.tile([0] * 20 + [1] * 5, 8)
SCORES = np.random.default_rng(0).random(200) + LABELS
TIME = np.datetime64("2026-01-01") + np.arange(200) * np.timedelta64(1, "h")
INCIDENTS = aj.Incidents([10, 50, 80], [20, 60, 90], severity=["high", "low", "low"])


def stream():
    found = aj.Stream(["f1"], at=0.8)
    found.update(LABELS, SCORES)
    return found


MADE = {
    "Judgement": lambda: aj.evaluate(LABELS, SCORES, "auc_roc", chance=False),
    "Receipt": lambda: aj.explain(LABELS, SCORES > 0.8, "f1_ba"),
    "Comparison": lambda: aj.compare(LABELS, SCORES, SCORES[::-1], "auc_roc"),
    "Comparisons": lambda: aj.compare_all(LABELS, {"a": SCORES, "b": SCORES[::-1]}, "auc_roc"),
    "OverTime": lambda: aj.over_time(LABELS, SCORES, "auc_roc", time=TIME, window="2d"),
    "Stream": stream,
    "Breakdown": lambda: aj.evaluate(
        INCIDENTS, aj.Alerts([14, 55]), span=(0, 100), chance=False
    ).by("severity"),
    "Curve": lambda: aj.curve(LABELS, SCORES, "f1"),
    "Ranking": lambda: aj.rank({"s": (LABELS, {"d": SCORES})}, "auc_roc", chance=False),
    "Audit": lambda: aj.audit("f1", ["C-2"]),
    "Inspection": lambda: aj.inspect({"s": (LABELS, {"signal": SCORES})}),
    "Calibration": lambda: aj.calibrate(LABELS, SCORES, "f1", at=0.8, versions=20, draws=20),
}


@pytest.mark.parametrize("name", MADE)
def test_every_form_of_a_result_follows_from_its_layout_and_columns(name):
    found = MADE[name]()
    assert isinstance(found, TabledResult)
    assert type(found).__name__ == name
    assert found._repr_html_() == html_of(found.layout(), found.glance())
    assert found.to_text(60) == text_of(found.layout(), 60)
    columns = found.columns()
    for backend in ("pandas", "polars"):
        frame = found.to_frame(backend=backend)
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(next(iter(columns.values())))
    assert json.loads(found.to_json())
    assert str(found)
    assert repr(found)


def modules_with(text):
    """The modules in which a text occurs, parsed."""
    read = ((path, path.read_text("utf-8")) for path in SOURCE.rglob("*.py"))
    return [(path, ast.parse(source)) for path, source in read if text in source]


def test_no_result_has_a_copy_of_what_the_base_gives():
    copies = [
        f"{path.relative_to(SOURCE)}: {node.name}"
        for path, tree in modules_with("_repr_html_")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "_repr_html_"
    ]
    assert copies == ["tables/notebook.py: _repr_html_"]


def test_no_message_is_read_to_know_what_went_wrong():
    """Whoever handles an error knows it by its type, and not by words that somebody may change."""
    read = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path, tree in modules_with("str(error)")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"startswith", "replace", "endswith"}
        and ast.unparse(node.value) == "str(error)"
    ]
    assert read == []
