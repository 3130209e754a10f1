"""Change one operator or number of the source at a time, and see whether the tests notice.

    python tests/campaigns/mutants.py adjust count measure --sample 300 --seed 0
    python tests/campaigns/mutants.py adjust/balanced.py

Each change (a *mutant*) is made in a copy of the repository. Then the examples of the module run,
the twins of a few metrics that use it, and the test files of its package that import it, until one
test fails. If none does, a second, wider round runs the plain tests of ``mutant_tests.WIDER``, but
for those of metrics that do not use the module. A mutant that no test notices *survives*: either a
test is missing, or the change makes no difference. The script prints every survivor, and exits 1
if fewer than ``--least`` per cent died. ``--portion 2/6`` judges the second sixth of the sample,
``--only count/runs.py:91`` those of the sample that stand in a line. What survived the last
campaign, and why, stands in ``survivors.md``.
"""

import argparse
import ast
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # the copy of a script is found by its folder

from campaigns.mutant_tests import WIDER, Tests, preload, run  # noqa: E402

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


def main():
    """Make mutants, run tests, print survivors."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="+", help="packages or files below src/adjudge")
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--portion", default="1/1", help="such as 2/6: the second sixth")
    parser.add_argument("--twins", type=int, default=5, help="metrics to try for one mutant")
    parser.add_argument("--rounds", type=int, default=2, choices=[1, 2], help="1: quick, rough")
    parser.add_argument("--only", action="append", metavar="FILE:LINE", help="judge these alone")
    parser.add_argument("--unchecked", action="store_true", help="the tests are known to pass")
    parser.add_argument("--least", type=float, default=90, help="per cent that must die")
    options = parser.parse_args()
    preload()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for part in ("src", "tests", "docs", "tools", "bench"):
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
    if options.only:
        chosen = [one for one in chosen if f"{one[0].relative_to(source)}:{one[1]}" in options.only]
    if not options.unchecked:
        check_all(folder, tests, {file for file, *_ in chosen}, options.twins)
    survived = []
    for number, (file, line, old, new, text) in enumerate(chosen, 1):
        before = file.read_text()
        file.write_text(text)
        os.utime(file, (number, number))  # unlike whatever it was compiled from
        where = file.relative_to(source)
        if judged := died_at(folder, tests, file, options):
            print(f"died in round {judged}: {where}:{line}  {old!r} -> {new!r}", flush=True)
        else:
            survived.append((file, line))
            print(f"survived: {where}:{line}  {old!r} -> {new!r}", flush=True)
        file.write_text(before)
    return survived, len(chosen)


def died_at(folder, tests, file, options):
    """the round whose tests noticed the change: 1 or 2, 0 if none did."""
    if not run(folder, *tests.of(file, options.twins)):
        return 1
    if options.rounds == 1 or run(folder, *WIDER, seconds=600, plugins=[tests.wider(file)]):
        return 0
    return 2


def check_all(folder, tests, files, twins):
    """Refuse to begin where tests fail without any change; compile the copy on the way."""
    sys.dont_write_bytecode = False
    needed = sorted({test for file in files for test in tests.of(file, twins)})
    if not (run(folder, *needed, seconds=1200) and run(folder, *WIDER, seconds=1200)):
        raise SystemExit("the tests do not pass without any change")
    sys.dont_write_bytecode = True


if __name__ == "__main__":
    main()
