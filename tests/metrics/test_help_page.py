"""Help where people look for it: ``__doc__``, ``help``, the signature and the name of a metric."""

import doctest
import inspect
import pydoc
from dataclasses import make_dataclass

import pytest

import adjudge as aj
from adjudge.metrics.help_pages import setting_docs


def test_help_is_the_page_of_the_metric():
    page = pydoc.plain(pydoc.render_doc(aj.f1_ba))
    assert "f1_ba = f1_ba\n    F-score, balanced." in page
    assert "Harmonic mean of precision and recall after balanced adjustment" in page
    assert '"normal", "spill" or "all", default: \'normal\'' in page
    assert "What it forgives" in page
    assert "A metric: called with" not in page


def test_the_class_keeps_its_own_docstring_name_and_signature():
    assert inspect.getdoc(aj.Metric).startswith("A metric")
    assert aj.Metric.__name__ == "Metric"
    assert next(iter(inspect.signature(aj.Metric).parameters)) == "name"


@pytest.mark.parametrize("name", aj.catalogue)
def test_every_page_explains_each_setting_and_its_example_runs(name):
    metric = aj.catalogue[name].metric
    for part in metric.parts:
        for doc in setting_docs(part).values():
            assert doc.text
            assert not doc.text.startswith(("See ", "As of ")), "say it here"
    examples = doctest.DocTestParser().get_doctest(metric.__doc__, {}, name, None, None)
    assert len(examples.examples) == 4
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_the_signature_holds_the_settings_that_the_metric_has():
    signature = inspect.signature(aj.f1_ba(width=5))
    assert list(signature.parameters) == [
        *("labels", "scores", "width", "islands", "margin", "border", "reading", "beta", "at"),
        *("series", "where", "time", "channels", "subsystem", "zero_division"),
    ]
    assert signature.parameters["width"].default == 5
    call = signature.bind([0, 1], [0, 1], islands="all")
    assert aj.f1_ba(*call.args, **call.kwargs) == 1


def test_an_oracle_takes_no_threshold_and_says_what_it_is():
    best = aj.best(aj.f1_ba(width=5))
    assert best.__name__ == "best_f1_ba"
    assert "at" not in inspect.signature(best).parameters
    assert "upper bound" in " ".join(best.__doc__.split())
    assert ">>> aj.metric('best(f1_ba(width=5))')(labels, scores)" in best.__doc__


def test_a_setting_that_nobody_describes_is_shown_with_its_type():
    assert setting_docs(make_dataclass("Part", [("depth", int)])(3)) == {"depth": ("int", "")}
    assert setting_docs(make_dataclass("Part", [("depth", "int")])(3)) == {"depth": ("int", "")}
    assert setting_docs(len) == {}


def test_a_metric_works_as_a_score_function_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    dummy = pytest.importorskip("sklearn.dummy")
    scorer = metrics.make_scorer(aj.f1_ba, width=3)
    assert "f1_ba" in repr(scorer)
    model = dummy.DummyClassifier(strategy="constant", constant=1).fit([[0], [1]], [0, 1])
    assert scorer(model, [[0], [1], [2]], [0, 1, 1]) == aj.f1_ba([0, 1, 1], [1, 1, 1], width=3)
