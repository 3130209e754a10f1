"""Change one operator or number of the source at a time, and see whether the tests notice.

    python tests/campaigns/mutants.py count --sample 100 --seed 0
    python tests/campaigns/mutants.py adjust/balanced.py

Each change (a *mutant*) is made in a copy of the repository, and those tests of the package run
that reach the changed line, at most so many (``--tests``). A mutant that no test notices
*survives*: either a test is missing, or the change makes no difference. The
script prints every survivor, and exits 1 if fewer than ``--least`` per cent died.
"""

import argparse
import ast
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import defaultdict
from os import environ
from pathlib import Path

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


def run(folder, *arguments, timeout=600):
    """Run pytest in the copy; True if it passed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env={**environ, "PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return done.returncode == 0


def tests_by_line(folder, paths):
    """Run the tests once, and give for each (file, line) the tests that reach it."""
    if not run(
        folder, *paths, "--cov=adjudge", "--cov-context=test", "--cov-report=", timeout=1800
    ):
        raise SystemExit("the tests do not pass without any change")
    from coverage.numbits import numbits_to_nums  # noqa: PLC0415 - a tool of the tests

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
    paths += ["tests/laws", *(f"src/adjudge/{p}" for p in packages if (source / p).exists())]
    reached = tests_by_line(folder, paths)
    every = [(file, *mutant) for file in files for mutant in mutants(file)]
    chosen = random.Random(options.seed).sample(every, min(options.sample, len(every)))  # noqa: S311
    survived = []
    for number, (file, line, old, new, text) in enumerate(chosen, 1):
        tests = sorted(set(reached.get((file, line), [])))
        before = file.read_text()
        file.write_text(text)
        alive = not tests or passes(folder, tests, options.tests)
        file.write_text(before)
        if alive:
            survived.append((file, line))
            why = "" if tests else "  (no test reaches it)"
            where = file.relative_to(source)
            print(f"survived: {where}:{line}  {old!r} -> {new!r}{why}", flush=True)
        print(f"\r{number}/{len(chosen)}, {len(survived)} survived", end="", file=sys.stderr)
    return survived, len(chosen)


def passes(folder, tests, most):
    """Whether the tests that reach a mutant still pass; a test that hangs has noticed it."""
    chosen = random.Random(0).sample(tests, min(most, len(tests)))  # noqa: S311
    try:
        return run(folder, *chosen)
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    main()
