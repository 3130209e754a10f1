"""Change one operator or number of the source at a time, and see whether the tests notice.

    python tests/campaigns/mutants.py adjust count measure --sample 300 --seed 0
    python tests/campaigns/mutants.py adjust/balanced.py

Each change (a *mutant*) is made in a copy of the repository, and those tests of the package, its
examples and the twins of the catalogue run that reach the changed line, at most so many
(``--tests``), until one fails. A mutant that no test notices *survives*: either a test is missing,
or the change makes no difference. The script prints every survivor, and exits 1 if fewer than
``--least`` per cent died. What survived the last campaign, and why, stands in ``survivors.md``.

A run of pytest takes longer to begin than to judge a mutant, so it begins once: this process
loads the libraries and forks a child for each mutant.
"""

import argparse
import ast
import importlib
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import pytest
from coverage.numbits import numbits_to_nums

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
LAWS = ["tests/laws/test_twins.py", "tests/laws/test_formulas.py", "tests/laws/test_receipts.py"]
"""Of all laws, those that hold the parts of a metric against something."""


def unread(tree):
    """Give the nodes that are no behaviour: docstrings, types, decorators and error messages."""
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
    """Give the text that replaces a node, or None where there is nothing to change."""
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
    """Give (line, old text, new source) for every change that can be made in a file."""
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
                 "scipy.stats", "coverage", "pytest_cov.plugin", "narwhals"):  # fmt: skip
        importlib.import_module(name)


def tests_by_line(folder, paths):
    """Run the tests once, and give for each (file, line) the tests that reach it."""
    sys.dont_write_bytecode = False  # for the children: the copy is compiled once
    cover = ["--cov=adjudge", "--cov-context=test", "--cov-report=", "--no-cov-on-fail"]
    passed = run(folder, *paths, *cover, timeout=3600)
    sys.dont_write_bytecode = True
    if not passed:
        raise SystemExit("the tests do not pass without any change")
    found = defaultdict(list)
    with sqlite3.connect(folder / ".coverage") as base:
        rows = base.execute(
            "select file.path, context.context, numbits from line_bits "
            "join file on file.id = file_id join context on context.id = context_id"
        )
        for path, context, bits in rows:
            test = context.partition("|")[0]
            for line in numbits_to_nums(bits) if test else ():
                found[Path(path).resolve(), line].append(test)
    return found


def main():
    """Make mutants, run tests, print survivors."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="+", help="packages or files below src/adjudge")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tests", type=int, default=40, help="tests to try for one mutant")
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
    """Give the modules of a package, or the one that is named."""
    return [target] if target.suffix == ".py" else sorted(target.rglob("*.py"))


def campaign(folder, options):
    """Give the survivors, and how many mutants there were."""
    source = folder / "src" / "adjudge"
    files = [file for target in options.targets for file in files_of(source / target)]
    packages = sorted({f.relative_to(source).parts[0].removesuffix(".py") for f in files})
    paths = [f"tests/{p}" for p in packages if (folder / "tests" / p).exists()]
    paths += [*LAWS, *(f"src/adjudge/{p}" for p in packages if (source / p).exists())]
    reached = tests_by_line(folder, paths)
    every = [(file, *mutant) for file in files for mutant in mutants(file)]
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))  # noqa: S311
    survived = []
    for number, (file, line, old, new, text) in enumerate(chosen, 1):
        tests = sorted(set(reached.get((file, line), [])))
        before = file.read_text()
        file.write_text(text)
        os.utime(file, (number, number))  # unlike whatever it was compiled from
        alive = not tests or run(folder, *chosen_tests(tests, options.tests))
        file.write_text(before)
        if alive:
            survived.append((file, line))
            why = "" if tests else "  (no test reaches it)"
            where = file.relative_to(source)
            print(f"survived: {where}:{line}  {old!r} -> {new!r}{why}", flush=True)
        print(f"\r{number}/{len(chosen)}, {len(survived)} survived", end="", file=sys.stderr)
    return survived, len(chosen)


def chosen_tests(tests, most):
    """Some of the tests that reach a mutant: those of its own package first, the quick ones."""
    own = [test for test in tests if "laws/" not in test]
    laws = [test for test in tests if "laws/" in test]
    draw = random.Random(0)  # noqa: S311
    own, laws = (draw.sample(some, min(most // 2, len(some))) for some in (own, laws))
    return own + laws


if __name__ == "__main__":
    main()
