"""Integrations say what to install where a package is missing; each is tested and in the docs."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge as aj
from adjudge import integrations

NEEDS = {
    "sklearn": ("sklearn.base", "scikit-learn"),
    "torchmetrics": ("torch", "torchmetrics"),
    "sktime": ("sktime.performance_metrics.detection._base", "sktime"),
    "timeeval": ("timeeval.metrics", "TimeEval"),
    "dtaianomaly": ("dtaianomaly.evaluation", "dtaianomaly"),
}
HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "name", [found.name for found in pkgutil.iter_modules(integrations.__path__)]
)
def test_an_integration_is_tested_against_the_real_package_and_in_the_docs(name):
    assert name in NEEDS
    assert (HERE / "requirements" / f"{name}.txt").is_file()
    assert (HERE / f"test_{name}.py").is_file()
    assert f"adjudge.integrations.{name}" in (HERE.parents[1] / "docs/integrations.md").read_text()


@pytest.mark.parametrize("name", NEEDS)
def test_a_missing_package_is_named(name, monkeypatch):
    module, package = NEEDS[name]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, f"adjudge.integrations.{name}", raising=False)
    with pytest.raises(aj.MissingExtra) as error:
        importlib.import_module(f"adjudge.integrations.{name}")
    assert str(error.value) == (
        f"adjudge.integrations.{name} needs {package}: pip install {package}"
    )


def test_the_front_door_loads_no_integration():
    seen = "import sys, adjudge; print([m for m in sys.modules if 'adjudge.integrations' in m])"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
