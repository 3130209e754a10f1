"""Change one operator or number of the source at a time, and see whether the tests notice.

    python tests/campaigns/mutants.py adjust count measure --sample 300 --seed 0
    python tests/campaigns/mutants.py adjust/balanced.py

Each change (a *mutant*) is made in a copy of the repository. Then the examples of the module run,
the twins of a few metrics that use it, and the test files of its package that import it, until one
test fails. A mutant that no test notices *survives*: either a test is missing, or the change makes
no difference. The script prints every survivor, and exits 1 if fewer than ``--least`` per cent
died. ``--portion 2/6`` judges the second sixth of the sample. What survived the last campaign, and
why, stands in ``survivors.md``.

A run of pytest takes longer to begin than to judge a mutant, so it begins once: this process
loads the libraries and forks a child for each mutant.
"""

import argparse
import ast
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SWAPS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Pow: "*",
    ast.BitAnd: "|", ast.BitOr: "&", ast.And: "or", ast.Or: "and",
}  # fmt: skip
NAMES = {
    "minimum": "maximum", "maximum": "minimum", "min": "max", "max": "min", "any": "all",
    "all": "any", "left": "right", "right": "left", "True": "False", "False": "True",
    "argmax": "argmin", "floor": "ceil", "ceil": "floor", "starts": "stops", "stops": "starts",
}  # fmt: skip


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


def unread(tree):
    """the nodes that are no behaviour: docstrings, types, decorators and error messages."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Raise():
                yield from ast.walk(node)
            case ast.FunctionDef():
                arguments = node.args.args + node.args.kwonlyargs
                hints = [a.annotation for a in arguments] + [node.returns]
                for part in (*hints, *node.decorator_list):
                    yield from ast.walk(part) if part else ()
            case ast.AnnAssign():
                yield from ast.walk(node.annotation)
            case ast.ClassDef():
                for part in node.decorator_list:
                    yield from ast.walk(part)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from ast.walk(node)


def changed(node):  # noqa: PLR0911 - one line per kind of node
    """the text that replaces a node, or None where there is nothing to change."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[other]) if type(op) in SWAPS:
            return f"({ast.unparse(left)}) {SWAPS[type(op)]} ({ast.unparse(other)})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPS:
            return f"(({ast.unparse(left)}) {SWAPS[type(op)]} ({ast.unparse(right)}))"
        case ast.BoolOp(op=op, values=values):
            between = f" {SWAPS[type(op)]} "
            return "(" + between.join(f"({ast.unparse(value)})" for value in values) + ")"
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            return f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            return str(not value)
        case ast.Constant(value=int() | float() as value):
            return str(value + 1)
        case ast.Constant(value=str() as value) if value in NAMES:
            return repr(NAMES[value])
        case ast.Attribute(value=value, attr=attr) if attr in NAMES:
            return f"{ast.unparse(value)}.{NAMES[attr]}"
    return None


def mutants(path):
    """(line, old text, new source) for every change that can be made in a file."""
    source = path.read_text()
    tree = ast.parse(source)
    skipped = set(map(id, unread(tree)))
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = source.encode()
    for node in ast.walk(tree):
        new = None if id(node) in skipped else changed(node)
        if new is not None:
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            old = data[begin:end].decode()
            yield node.lineno, old, new, (data[:begin] + new.encode() + data[end:]).decode()


def run(folder, *arguments, timeout=60):
    """Run pytest in the copy, in a child of this process; True if it passed."""
    child = os.fork()
    if not child:
        os._exit(_pytest(folder, arguments))
    ends = time.monotonic() + timeout
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)  # a test that hangs has noticed something
    os.waitpid(child, 0)
    return False


def _pytest(folder, arguments):
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    how = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-W", REWRITTEN]
    return int(pytest.main([*how, *arguments]))


def preload():
    """Load what the tests load, so that the children need not: all but our own modules."""
    for name in ("hypothesis", "hypothesis.extra.numpy", "numpy", "pandas", "scipy.sparse.csgraph",
                 "scipy.stats", "narwhals"):  # fmt: skip
        importlib.import_module(name)


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
        return [str(file), *laws, *self.own_files(file)]

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


def main():
    """Make mutants, run tests, print survivors."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="+", help="packages or files below src/adjudge")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--portion", default="1/1", help="such as 2/6: the second sixth")
    parser.add_argument("--twins", type=int, default=5, help="metrics to try for one mutant")
    parser.add_argument("--least", type=float, default=90, help="per cent that must die")
    options = parser.parse_args()
    preload()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for part in ("src", "tests", "docs", "bench"):
            shutil.copytree(
                ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        for part in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
            shutil.copy(ROOT / part, folder)
        survived, total = campaign(folder, options)
    died = 100 * (total - len(survived)) / total
    print(f"{total} mutants, {total - len(survived)} died ({died:.0f} %)")
    raise SystemExit(died < options.least)


def files_of(target):
    """the modules of a package, or the one that is named."""
    return [target] if target.suffix == ".py" else sorted(target.rglob("*.py"))


def campaign(folder, options):
    """the survivors, and how many mutants there were."""
    source = folder / "src" / "adjudge"
    files = [file for target in options.targets for file in files_of(source / target)]
    tests = Tests(folder)
    every = [(file, *mutant) for file in files for mutant in mutants(file)]
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))  # noqa: S311
    part, parts = map(int, options.portion.split("/"))
    chosen = chosen[(part - 1) * len(chosen) // parts : part * len(chosen) // parts]
    check_all(folder, tests, {file for file, *_ in chosen}, options.twins)
    survived = []
    for number, (file, line, old, new, text) in enumerate(chosen, 1):
        before = file.read_text()
        file.write_text(text)
        os.utime(file, (number, number))  # unlike whatever it was compiled from
        alive = run(folder, *tests.of(file, options.twins))
        file.write_text(before)
        if alive:
            survived.append((file, line))
            where = file.relative_to(source)
            print(f"survived: {where}:{line}  {old!r} -> {new!r}", flush=True)
        print(f"\r{number}/{len(chosen)}, {len(survived)} survived", end="", file=sys.stderr)
    return survived, len(chosen)


def check_all(folder, tests, files, twins):
    """Refuse to begin where tests fail without any change; compile the copy on the way."""
    sys.dont_write_bytecode = False
    needed = sorted({test for file in files for test in tests.of(file, twins)})
    if not run(folder, *needed, timeout=1200):
        raise SystemExit("the tests do not pass without any change")
    sys.dont_write_bytecode = True


if __name__ == "__main__":
    main()
