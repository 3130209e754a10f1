"""What is public is documented as numpydoc has it: Parameters, Returns, Raises, Examples."""

import inspect
import re

import pytest

import adjudge as aj

HEADING = re.compile(r"^(\w+)\n-{3,}$", re.MULTILINE)
PUBLIC = {
    name: getattr(aj, name) for name in aj.__all__ if name not in ("catalogue", "__version__")
}
FUNCTIONS = {name: found for name, found in PUBLIC.items() if inspect.isfunction(found)}
CLASSES = {
    name: found
    for name, found in PUBLIC.items()
    if inspect.isclass(found) and not issubclass(found, Exception)
}
METHODS = {
    f"{name}.{method}": getattr(found, method)
    for name, found in CLASSES.items()
    for method in vars(found)
    if not method.startswith("_")
    and (inspect.isfunction(getattr(found, method)) or inspect.ismethod(getattr(found, method)))
}


def sections(documented):
    """The sections of a docstring: heading -> text."""
    parts = HEADING.split(inspect.getdoc(documented) or "")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def undocumented(function):
    """The parameters that a docstring does not name."""
    lines = sections(function).get("Parameters", "").splitlines()
    heads = [line.partition(" : ")[0] for line in lines if line and not line[0].isspace()]
    named = {name.strip(" *") for head in heads for name in head.split(",")}
    taken = [name for name in inspect.signature(function).parameters if name != "self"]
    return [name for name in taken if name not in named]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_gives_and_refuses_with_an_example(name):
    found = FUNCTIONS[name]
    assert undocumented(found) == []
    assert {"Parameters", "Returns", "Raises", "Examples"} <= set(sections(found))


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_it_holds_with_an_example(name):
    found = set(sections(CLASSES[name]))
    assert "Examples" in found
    assert found & {"Parameters", "Attributes"}


@pytest.mark.parametrize("name", METHODS)
def test_a_method_of_several_parameters_explains_each(name):
    """That of one parameter, or none, does so in its first sentence."""
    found = METHODS[name]
    taken = [one for one in inspect.signature(found).parameters if one != "self"]
    assert inspect.getdoc(found)
    assert len(taken) < 2 or undocumented(found) == []


def test_no_docstring_begins_with_give():
    """Its first sentence says what the caller gets."""
    assert not [
        name
        for name, found in (FUNCTIONS | METHODS | CLASSES).items()
        if inspect.getdoc(found).startswith("Give ")
    ]


def test_a_parameter_without_a_word_is_noticed():
    def halved(value, digits):
        """Half of a value.

        Parameters
        ----------
        value : float
            What is halved.
        """

    assert undocumented(halved) == ["digits"]
    assert list(sections(halved)) == ["Parameters"]
