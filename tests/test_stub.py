"""The stub of the catalogue: what type checkers and editors know of the metrics."""

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from inspect import signature
from pathlib import Path

import pytest

import adjudge as aj
from adjudge.metrics.reader import own_rows

ROOT = Path(__file__).parents[1]
STUB = ROOT / "src" / "adjudge" / "_catalogue.pyi"
PARSED = ast.parse(STUB.read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in PARSED.body if isinstance(node, ast.ClassDef)}
METRICS = {
    node.target.id: CLASSES[node.annotation.id]
    for node in PARSED.body
    if isinstance(node, ast.AnnAssign)
}


def test_nothing_loads_the_stub():
    assert find_spec("adjudge._catalogue") is None


@pytest.mark.parametrize("row", own_rows(), ids=lambda row: row.name)
def test_the_stub_takes_what_the_metric_takes(row):
    judging, changing = (call.args for call in METRICS[row.name].body)
    known = {name: one.default for name, one in signature(getattr(aj, row.name)).parameters.items()}
    assert [one.arg for one in judging.args + judging.kwonlyargs] == list(known)
    names = [one.arg for one in changing.kwonlyargs]
    assert names == [*row.parameters, *["at"] * (row.needs == "flags")]
    assert [ast.literal_eval(one) for one in changing.kw_defaults] == [known[one] for one in names]


@pytest.mark.parametrize("name", METRICS)
def test_a_setting_that_is_text_has_listed_words_or_is_a_duration(name):
    for one in METRICS[name].body[1].args.kwonlyargs:
        words = {node.id for node in ast.walk(one.annotation) if isinstance(node, ast.Name)}
        free = {"at", "kind"} | (
            {"miss", "delay", "hours", "zone", "per"} if name == "costs" else set()
        )
        assert "str" not in words or one.arg in free


HEAD = """\
from datetime import timedelta
import numpy as np
import adjudge as aj
y = [0, 0, 1, 1]
s = np.array([0.1, 0.4, 0.3, 0.8])
value: float
metric: aj.Metric
"""
RIGHT = [
    "value = aj.f1_ba(y, s, width=np.int64(5), at=0.5)",
    "value = aj.f1_ba(width=5)(labels=y, scores=s, at=aj.quantile(0.99))",
    "value = aj.f1(y, s, beta=np.float32(2), at='top(10)')",
    "value = aj.f1(y, s, beta=len(y), series=y, zero_division=0)",
    "value = aj.tolerant_f1(y, s, tolerance='10min')",
    "value = aj.tolerant_f1(y, s, tolerance=timedelta(minutes=10))",
    "value = aj.oipr_f1(y, s, linger='auto', tire=np.timedelta64(3, 's'))",
    "value = aj.froc(y, s, rates=[1, 2.5])",
    "metric = aj.best(aj.f1_ba)",
    "aj.evaluate(y, s, [aj.f1, aj.f1_ba(width=5), 'ap'])",
    "aj.rank('folder', [aj.f1]).leaderboard",
    "aj.report(y, s, [aj.f1]).name",
    "aj.audit(aj.f1_ba).verdicts",
]
WRONG = {
    "aj.f1_baa": "attr-defined",
    "from adjudge import f1_baa": "attr-defined",
    "aj.f1_ba(y, s, widht=5)": "call-overload",
    "aj.f1_ba(widht=5)": "call-overload",
    "aj.f1_ba(y, s, width=[3])": "call-overload",
    "aj.f1_ba(y, s, width=2.5)": "call-overload",
    "aj.f1_ba(y, s, islands='al')": "call-overload",
    "aj.tolerant_f1(y, s, tolerance=2.5)": "call-overload",
    "aj.nab(y, s, profile='low')": "call-overload",
    "aj.f1(y, s, beta='2')": "call-overload",
    "aj.f1(y)": "call-overload",
    "aj.auc_roc(y, s, at=0.5)": "call-overload",
    "text: str = aj.f1(y, s)": "assignment",
    "aj.rank()": "call-arg",
    "aj.rank('folder').leaderbord": "attr-defined",
    "aj.report()": "call-arg",
    "aj.audit(aj.f1, axiom=['L6'])": "call-arg",
}
for row in own_rows():
    given = ", ".join(f"{name}={default!r}" for name, default in row.parameters.items())
    RIGHT += [f"value = aj.{row.name}(y, s, {given})", f"metric = aj.{row.name}({given})"]
    WRONG |= {f"aj.{row.name}(y, s, of_no_metric=1)": "call-overload"}
    WRONG |= {f"aj.{row.name}_misspelt": "attr-defined"}


@pytest.mark.long  # mypy reads all of the library, once
def test_mypy_knows_every_metric_and_its_settings(tmp_path):
    pytest.importorskip("mypy", reason="comes with the extra lint")
    lines = [*HEAD.splitlines(), *RIGHT, *WRONG]
    file = tmp_path / "uses.py"
    file.write_text("\n".join(lines))
    said = subprocess.run(
        [sys.executable, "-m", "mypy", file], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    errors = re.findall(r"^\S+uses\.py:(\d+): error: .*\[([a-z-]+)\]$", said, re.MULTILINE)
    assert {lines[int(number) - 1]: code for number, code in errors} == WRONG
