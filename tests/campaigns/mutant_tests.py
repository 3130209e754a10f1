"""Which tests judge a mutant, and how they are run: in a child of this process.

A run of pytest takes longer to begin than to judge a mutant, so it begins once: this process
loads the libraries and forks a child for each mutant.
"""

import ast
import importlib
import json
import os
import random
import re
import resource
import subprocess
import sys

import pytest

WIDER = (
    "tests/adjust", "tests/count", "tests/measure", "tests/papers", "tests/laws", "tests/metrics",
    "tests/golden", "tests/judging",
)  # fmt: skip
"""The tests of the second round, the likeliest first."""
RECEIPTS = "tests/judging/test_receipt.py"
"""Quick, and most ways of counting have one."""
REWRITTEN = "ignore::pytest.PytestAssertRewriteWarning"
"""That plugins are loaded already is what we want."""
TWINS = """
import json, laws.test_twins as laws
import adjudge as aj

KINDS = {
    "RATE_SPECS": ("a_rate_of_flags_equals_its_naive_twin",
                   "the_curve_is_thresholding_then_adjusting_then_counting",
                   "the_best_is_the_highest_threshold_of_the_largest_value"),
    "AREA_SPECS": ("an_area_equals_its_naive_twin",),
    "WHOLE_RATES": ("a_whole_metric_of_flags_equals_its_naive_twin",),
    "WHOLE_AREAS": ("a_whole_metric_of_scores_equals_its_naive_twin",),
}
found = {}
for kind, tests in KINDS.items():
    for spec in vars(laws)[kind]:
        parts = [part for part in aj.metric(spec).parts if part is not None]
        modules = {getattr(part, "__module__", "") for part in parts}
        found[spec] = [sorted(modules), [f"test_{test}[{spec}]" for test in tests]]
print(json.dumps(found))
"""
"""A program that lists the twins: spec -> modules of its parts, and its tests."""


class Concerned:
    """A plugin of pytest: leaves out the tests of metrics other than the given ones."""

    def __init__(self, every, names):
        self.others = set(every) - set(names)
        self.names = set(names)

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if self.concerns(item)]

    def concerns(self, item):
        words = set(re.findall(r"\w+", item.name.partition("[")[2]))
        return not words & self.others or bool(words & self.names)


class Tests:
    """Which tests judge a module."""

    def __init__(self, folder):
        self.folder, self.source = folder, folder / "src" / "adjudge"
        where = os.pathsep.join([str(folder / "src"), str(folder / "tests")])
        listed = subprocess.run(
            [sys.executable, "-c", TWINS],
            env={**os.environ, "PYTHONPATH": where}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        self.twins = json.loads(listed.stdout)
        self.imports = {
            self.name(file): set(
                re.findall(r"^\s*from (adjudge[\w.]*) import", file.read_text(), re.MULTILINE)
            )
            for package in ("adjust", "count", "measure")
            for file in (self.source / package).rglob("*.py")
        }

    def name(self, file):
        parts = file.relative_to(self.source.parent).with_suffix("").parts
        return ".".join(part for part in parts if part != "__init__")

    def users(self, module):
        """The module, and those that import it, however far away."""
        found = {module}
        while more := {one for one, used in self.imports.items() if used & found} - found:
            found |= more
        return found

    def of(self, file, most):
        """Examples, twins of metrics with a part in the module (or beyond it), own test files."""
        module, draw = self.name(file), random.Random(str(file.name))  # noqa: S311
        near = [spec for spec, (modules, _) in self.twins.items() if module in modules]
        users = self.users(module)
        far = [spec for spec, (modules, _) in self.twins.items() if users & set(modules)]
        chosen = draw.sample(near, min(most, len(near)))
        chosen += draw.sample(far, min(most - len(chosen), len(far)))
        laws = [
            f"tests/laws/test_twins.py::{test}" for one in chosen for test in self.twins[one][1]
        ]
        return [str(file), RECEIPTS, *laws, *self.own_files(file)]

    def wider(self, file, most=12):
        """The plugin that leaves the tests of at most so many metrics that use the module."""
        module, draw = self.name(file), random.Random(str(file.name))  # noqa: S311
        users = self.users(module)
        near = [spec for spec, (modules, _) in self.twins.items() if module in modules]
        far = [spec for spec, (modules, _) in self.twins.items() if users & set(modules)]
        names = sorted({spec.partition("(")[0] for spec in near or far})
        every = {spec.partition("(")[0] for spec in self.twins}
        return Concerned(every, draw.sample(names, min(most, len(names))))

    def own_files(self, file):
        """The test file of the same name, and those of the package that import from the module."""
        package, module = file.relative_to(self.source).parts[0], self.name(file)
        names = {node.name for node in ast.parse(file.read_text()).body if hasattr(node, "name")}

        def imports(test):
            for node in ast.walk(ast.parse(test.read_text())):
                if isinstance(node, ast.ImportFrom):
                    taken = {alias.name for alias in node.names}
                    if node.module == module or (
                        node.module == f"adjudge.{package}" and taken & (names | {file.stem})
                    ):
                        return True
            return test.stem == f"test_{file.stem}"

        files = sorted((self.folder / "tests" / package).rglob("test_*.py"))
        return [str(one) for one in files if imports(one)]


def run(folder, *arguments, seconds=60, plugins=()):
    """Run pytest in the copy, in a child of this process; True if it passed.

    A child that needs more than so many seconds of the processor is ended: a test that hangs has
    noticed something. Seconds of the clock would end tests on a busy machine.
    """
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os._exit(_pytest(folder, arguments, plugins))
    return os.waitpid(child, 0)[1] == 0


def _pytest(folder, arguments, plugins):
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    how = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-W", REWRITTEN]
    return int(pytest.main([*how, *arguments], plugins=list(plugins)))


def preload():
    """Load what the tests load, so that the children need not: all but our own modules."""
    for name in ("hypothesis", "hypothesis.extra.numpy", "numpy", "pandas", "scipy.sparse.csgraph",
                 "scipy.stats", "narwhals"):  # fmt: skip
        importlib.import_module(name)
