"""The public face: what can be imported, what it costs, and that it is documented."""

import ast
import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import adjudge as aj

HEAVY = ("scipy", "pandas", "matplotlib", "pyarrow", "polars", "sklearn")


def test_a_small_file_is_judged_without_what_is_slow_to_import():
    example = str(Path(__file__).parents[1] / "examples" / "pump.csv")
    seen = (*HEAVY, "numpy.ma", "importlib.metadata", "adjudge.count.early_warnings")
    program = (
        "import sys\nfrom adjudge.__main__ import main\n"
        f"sys.argv = ['adjudge', 'evaluate', {example!r}]\n"
        f"try:\n    main()\nfinally:\n    print([m for m in {seen} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"


def test_all_names_can_be_imported_and_are_sorted():
    assert aj.__all__ == sorted(aj.__all__)
    assert all(hasattr(aj, name) for name in aj.__all__)


def test_each_name_is_what_type_checkers_take_it_for():
    tree = ast.parse(Path(aj.__file__).with_suffix(".pyi").read_text())
    seen = {
        alias.asname: getattr(import_module(node.module), alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module.startswith("adjudge.")
        for alias in node.names
        if alias.name != "*"
    }
    assert seen == {name: getattr(aj, name) for name in aj.__all__ if name != "__version__"}


def test_a_star_imports_the_front_door():
    names = {}
    exec("from adjudge import *", names)  # noqa: S102 - the statement is what is tested
    assert set(aj.__all__) <= set(names)


def test_modules_are_there_without_an_import_of_their_own():
    program = "import adjudge; print(adjudge.errors.InputError is adjudge.InputError)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert b"True" == done.stdout.strip()
    assert aj.__getattr__("errors") is sys.modules["adjudge.errors"]
    assert not hasattr(aj, "utils")


def test_every_metric_is_a_name_of_the_package():
    for name, row in aj.catalogue.items():
        assert getattr(aj, name) is row.metric
        assert name in dir(aj)


def test_a_metric_is_found_where_the_catalogue_is_not_loaded_yet(monkeypatch):
    f1 = aj.catalogue["f1"].metric
    monkeypatch.setattr(aj, "sys", SimpleNamespace(modules={}))
    assert aj.f1 is f1


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(
        AttributeError, match="unknown attribute of adjudge 'vuspr', did you mean 'vus_pr'"
    ):
        aj.vuspr  # noqa: B018


def test_no_metric_hides_a_function_or_a_module():
    assert not set(aj.catalogue) & set(aj.__all__)
    modules = {name.partition(".")[2] for name in sys.modules if name.startswith("adjudge.")}
    functions = {"chance", "simulate", "study", "audit", "curve", "evaluate", "explain", "compare"}
    assert not modules & (functions | {"catalogue", "best"} | set(aj.catalogue))


@pytest.mark.parametrize("command", [["-c", "import adjudge"], ["-m", "adjudge", "--help"]])
def test_neither_the_import_nor_the_help_loads_anything_heavy(command):
    listing = subprocess.run(
        [sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True
    ).stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in listing.splitlines()}
    assert "adjudge" in loaded
    assert not loaded & set(HEAVY)


@pytest.mark.parametrize("name", [name for name in aj.__all__ if name != "catalogue"])
def test_every_public_name_has_a_docstring(name):
    assert inspect.getdoc(getattr(aj, name))


@pytest.mark.parametrize(
    "name",
    [
        "Case",
        "Events",
        "Judgement",
        "Metric",
        "best",
        "curve",
        "evaluate",
        "explain",
        "metric",
        "quantile",
        "top",
    ],
)
def test_every_public_thing_has_an_example_that_runs(name):
    """The doctests of the modules run in this same test command; here, that there are any."""
    found = doctest.DocTestFinder(recurse=True).find(getattr(aj, name), name)
    assert any(test.examples for test in found)


@pytest.mark.parametrize("name", aj.catalogue)
def test_every_row_says_what_there_is_to_say(name):
    row = aj.catalogue[name]
    for word in ("title", "definition", "reference", "undefined", "forgives", "group"):
        assert getattr(row, word), word
    assert row.range[0] < row.range[1]
