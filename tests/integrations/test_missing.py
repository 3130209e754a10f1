"""Without its package, an integration says in one line what to install."""

import importlib
import subprocess
import sys

import pytest

import adjudge as aj

NEEDS = {
    "sklearn": ("sklearn.base", "scikit-learn"),
    "torchmetrics": ("torch", "torchmetrics"),
    "sktime": ("sktime.performance_metrics.detection._base", "sktime"),
    "timeeval": ("timeeval.metrics", "TimeEval"),
    "dtaianomaly": ("dtaianomaly.evaluation", "dtaianomaly"),
}


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
