"""The digest of a third party's code: the same for the same source, another for every edit."""

import subprocess
import sys
import threading
from types import ModuleType

import pytest

import adjudge as aj
from adjudge.metrics.code_digest import NoDigest, code_digest

SOURCE = '''
import collections
import enum
import functools
import math
import re
from dataclasses import dataclass, field

import numpy as np

import adjudge as aj
import beside

LIMIT = 0.5
WEIGHTS = np.array([1.0, 2.0])
NAMES = {"a", "b", "c"}
WORD = re.compile("ab+")
TABLE = collections.defaultdict(list, {"key": [1]})

class Side(enum.Enum):
    LEFT = 1

@functools.lru_cache
def remembered(x):
    return x + 10

def helper(x, power=2, *, shift=3):
    return math.sqrt(x) ** power + shift + remembered(0) + helper.scale

helper.scale = 20

class Base:
    factor = 4

    @property
    def width(self):
        return 5

    @functools.cached_property
    def height(self):
        return 6

    @staticmethod
    def depth():
        return 7

    @classmethod
    def made(cls):
        return [value for value in range(8)]

@dataclass(frozen=True)
class Measure(Base):
    share: float = 0.25
    parts: tuple = field(default=(1, 2))

    def __call__(self, flags, events):
        """Words about it."""
        def inner(x):
            return x + 9 if x in {100, 200} else x
        if Side.LEFT.value == 1 and WORD.match("abb") and NAMES and TABLE:
            return inner(helper(LIMIT) + WEIGHTS.sum() + beside.deeper.value(1) + aj.f1([1], [1]))
        return float("nan")

def closing(limit):
    later = None
    def measure(flags, events):
        return float(flags.mean() > limit) if later is None else sure()
    if limit > 2:
        def sure():
            return 1.0
    return measure

MEASURE = Measure
'''
EDITS = {
    "a constant of the module": ("LIMIT = 0.5", "LIMIT = 0.25"),
    "an array of the module": ("[1.0, 2.0]", "[1.0, 3.0]"),
    "a set of the module": ('{"a", "b", "c"}', '{"a", "b", "d"}'),
    "a pattern": ('"ab+"', '"ab*"'),
    "a table of another kind": ('{"key": [1]}', '{"key": [2]}'),
    "a member of an enumeration": ("LEFT = 1", "LEFT = 2"),
    "a function with a cache": ("x + 10", "x + 11"),
    "an attribute of a function": ("scale = 20", "scale = 21"),
    "a default": ("power=2", "power=3"),
    "a default by name": ("shift=3", "shift=4"),
    "an operator": ("** power", "* power"),
    "a name": ("math.sqrt", "math.cbrt"),
    "an attribute of a base class": ("factor = 4", "factor = 5"),
    "a property": ("return 5", "return 6"),
    "a cached property": ("return 6", "return 7"),
    "a static method": ("return 7", "return 8"),
    "a class method": ("range(8)", "range(9)"),
    "the default of a setting": ("share: float = 0.25", "share: float = 0.5"),
    "the default of a field": ("default=(1, 2)", "default=(1, 3)"),
    "a function in a function": ("x + 9", "x + 8"),
    "a set in a function": ("{100, 200}", "{100, 201}"),
    "what is closed over": ("MEASURE = Measure", "MEASURE = closing(0.5)"),
    "something else closed over": ("MEASURE = Measure", "MEASURE = closing(0.75)"),
    "a part of a function": ("MEASURE = Measure", "MEASURE = functools.partial(Measure(), 1)"),
    "another part": ("MEASURE = Measure", "MEASURE = functools.partial(Measure(), 2)"),
    "an object": ("MEASURE = Measure", "MEASURE = Measure(0.125)"),
    "a method of it": ("MEASURE = Measure", "MEASURE = Measure(0.125).__call__"),
    "a slot": ("MEASURE = Measure", "class Slot: __slots__ = ('x',)\nMEASURE = Slot"),
    "a function of Python": ("MEASURE = Measure", "MEASURE = math.sqrt"),
}


@pytest.fixture
def digest(monkeypatch):
    """Hash the metric of a module with some source, which lies beside another module."""

    def hashed(source, beside="def value(x): return x", file="here.py", installed="", **row):
        modules = {name: ModuleType(name) for name in ("own", "beside", "beside.deeper")}
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        if installed:
            modules[installed].__file__ = f"/x/site-packages/{installed}.py"
        modules["beside"].deeper = modules["beside.deeper"]
        modules["beside.deeper"].beside = modules["beside"]  # round in a circle
        exec(compile(beside, "beside.py", "exec"), vars(modules["beside.deeper"]))  # noqa: S102
        exec(compile(source, file, "exec"), vars(modules["own"]))  # noqa: S102
        return code_digest(aj.Row("own", "", "", modules["own"].MEASURE, count=None, **row))

    return hashed


def test_the_same_source_has_the_same_digest_wherever_it_stands(digest):
    assert digest(SOURCE) == digest("\n# moved\n\n" + SOURCE, file="there.py")


def test_every_edit_is_noticed(digest):
    digests = {"nothing": digest(SOURCE)}
    for what, (old, new) in EDITS.items():
        assert SOURCE.count(old) == 1, what
        digests[what] = digest(SOURCE.replace(old, new))
    digests["a module beside"] = digest(SOURCE, "def value(x): return x + 1")
    digests["a default of the row"] = digest(SOURCE, defaults={"share": 0.75})
    digests["which values are better"] = digest(SOURCE, better="lower")
    assert len(set(digests.values())) == len(digests)


def test_another_process_finds_the_same_digest(tmp_path):
    (tmp_path / "own.py").write_text(SOURCE.replace("import beside\n", "beside = aj\n"))
    code = """if True:
        import adjudge as aj, own
        from adjudge.metrics.code_digest import code_digest
        print(code_digest(aj.Row("own", "", "", own.MEASURE, count=None)))
    """
    found = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in "12"
    }  # fmt: skip
    assert len(found) == 1


@pytest.mark.parametrize("package", ["numpy", "adjudge.metrics.code_digest"])
def test_other_packages_count_by_their_version(digest, monkeypatch, package):
    before = digest(SOURCE)
    monkeypatch.setattr(f"{package}.__version__", "0.0.1")
    assert digest(SOURCE) != before


def test_of_what_is_installed_only_the_package_of_the_metric_is_read(digest):
    old, new = EDITS["an operator"]
    assert digest(SOURCE, installed="own") != digest(SOURCE.replace(old, new), installed="own")
    before = digest(SOURCE, "def value(x): return x", installed="beside")
    assert digest(SOURCE, "def value(x): return x + 1", installed="beside") == before


def test_what_cannot_be_read_has_no_digest():
    lock = threading.Lock()
    row = aj.Row("own", "", "", lambda flags, events: lock.locked(), count=None)  # noqa: ARG005
    with pytest.raises(NoDigest, match=r"TypeError: cannot pickle '_thread\.lock' object"):
        code_digest(row)
