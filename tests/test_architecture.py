"""The order of the packages: a module imports only from its own package and from those above it."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import adjudge

SOURCE = Path(adjudge.__file__).parent
LABELS = np.repeat([0, 1, 0, 1, 0, 1, 0], [100, 40, 300, 30, 500, 20, 10])
SCORES = np.arange(LABELS.size) % 17 + 5 * LABELS
PAGE = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")

ORDER = [
    "_typing",
    "_version",
    "_interrupts",
    "errors",
    "checks",
    "settings",
    "registry",
    "tables",
    "data",
    "theory",
    "adjust",
    "count",
    "measure",
    "metrics",
    "noise",
    "judging",
    "stores",
    "io",
    "sealing",
    "ranking",
    "reporting",
    "compat",
    "integrations",
    "cli",
    "lab",
    "__init__",
    "__main__",
]

FORBIDDEN = {"utils", "helpers", "common", "core", "base", "misc", "tools"}


def module_name(path, root=SOURCE):
    parts = [part for part in path.relative_to(root).with_suffix("").parts if part != "__init__"]
    return ".".join(parts) or "__init__"


MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}


def package(module):
    return module.partition(".")[0]


@cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def import_statements(path):
    """Give every import of a module, and whether it is inside a function; one walk a module."""
    found, waiting = [], [(tree(path), False)]
    while waiting:
        node, lazy = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.append((node, lazy))
        elif not isinstance(node, ast.expr):
            inner = lazy or isinstance(node, FUNCTION)
            waiting.extend((child, inner) for child in ast.iter_child_nodes(node))
    return found


def imported(node):
    """Give the modules of adjudge that a statement imports."""
    if isinstance(node, ast.Import):
        asked = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        asked = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return set()
    return {module_of(name) for name in asked if name.split(".")[0] == "adjudge"}


def module_of(name):
    """Find the module in which a dotted name stands: the longest beginning that is one."""
    parts = name.split(".")[1:]
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in MODULES:
            return ".".join(parts[:end])
    return "__init__"


@cache
def imports(path, *, lazy):
    """Give what a module imports when it is loaded, or (lazy) when a function of it is called."""
    nodes = [node for node, inner in import_statements(path) if inner == lazy]
    return {module for node in nodes for module in imported(node)}


def against_the_order(modules, *, lazy=False):
    """Give the imports that go to a package below."""
    return {
        (name, used)
        for name, path in modules.items()
        for used in imports(path, lazy=lazy)
        if ORDER.index(package(used)) > ORDER.index(package(name))
    }


def test_every_package_stands_in_the_order():
    assert {package(name) for name in MODULES} == set(ORDER)


def test_a_module_imports_only_from_its_own_package_and_those_above():
    assert against_the_order(MODULES) == set()


def test_the_order_notices_an_import_from_below(tmp_path):
    wrong = tmp_path / "events.py"
    wrong.write_text(
        "from adjudge.count.points import Points\nfrom adjudge.errors import InputError\n"
    )
    assert against_the_order({"data.events": wrong}) == {("data.events", "count.points")}


DRAWN_LATER = {"reporting"}
"""Packages below that a function may import when it is called: results draw themselves."""


def test_a_function_imports_from_below_only_to_draw():
    found = against_the_order(MODULES, lazy=True)
    assert {package(used) for _, used in found} <= DRAWN_LATER


def test_nothing_imports_the_laboratory_but_the_front_door():
    users = {
        name
        for name, path in MODULES.items()
        if any(
            package(used) == "lab" for lazy in (False, True) for used in imports(path, lazy=lazy)
        )
    }
    assert {package(name) for name in users} <= {"lab", "__init__"}


def cycle(graph):
    """Find a way from a module back to itself, or None."""
    state, way = {}, []

    def visit(module):
        state[module] = "open"
        way.append(module)
        for used in sorted(graph[module]):
            if state.get(used) == "open":
                return [*way[way.index(used) :], used]
            if used not in state and (found := visit(used)):
                return found
        state[module] = "done"
        way.pop()
        return None

    for module in sorted(graph):
        if module not in state and (found := visit(module)):
            return found
    return None


@pytest.fixture(scope="module")
def graph():
    found = defaultdict(set)
    for name, path in MODULES.items():
        found[name] = {used for used in imports(path, lazy=False) if used != name}
    return found


def test_no_cycle(graph):
    assert cycle(graph) is None


def test_a_cycle_is_noticed():
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_nothing_is_called_utils():
    words = {word for name in MODULES for word in name.split(".")}
    assert not words & FORBIDDEN


def test_no_entry_shadows_a_function_of_the_front_door():
    stems = {path.stem for path in SOURCE.iterdir() if not path.name.startswith("_")}
    assert not stems & {name for name in dir(adjudge) if name.islower()}


def test_the_page_has_a_recipe_for_each_kind_of_change():
    recipes = re.findall(
        r"^\| an? (.+?) \(\d", PAGE.partition("## How to change it")[2], re.MULTILINE
    )
    assert len(recipes) >= 11, recipes


AS_INDEX = {"repeat", "bincount", "reduceat"}
"""What takes indices alone, which have 32 bits in a browser; our places have 64."""


def index_takers(tree):
    """The lines on which NumPy is handed counts or places as they are."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in AS_INDEX
    ]


def test_counts_and_places_become_indices_in_one_place():
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if index_takers(tree(path))
    }
    assert found == {"data/intervals.py"}


def narrow_numbers(tree):
    """The lines on which whole numbers may have 32 bits and are then multiplied, or hold times."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            yield from (side.lineno for side in (node.left, node.right) if counts_up(side))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = [one.value for one in node.keywords if one.arg == "dtype"]
            if node.func.attr in {"astype", "array", "asarray", "zeros", "ones", "empty", "full"}:
                yield from (
                    one.lineno
                    for one in [*node.args, *named]
                    if isinstance(one, ast.Name) and one.id == "int"
                )


def counts_up(node):
    """Whether this is np.arange without a type, or a part of it."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "arange"
        and all(one.arg != "dtype" for one in node.keywords)
    )


def test_numbers_that_may_grow_large_have_64_bits():
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in SOURCE.rglob("*.py")
        for line in narrow_numbers(tree(path))
    ]
    assert not found


@pytest.mark.parametrize(
    "written",
    ["n * np.arange(5)", "np.arange(5)[:, None] * n", "a.astype(int)", "np.zeros(5, int)"],
)
def test_numbers_that_may_have_32_bits_are_noticed(written):
    assert list(narrow_numbers(ast.parse(written))) == [1]


def test_a_count_handed_over_as_it_is_is_noticed():
    assert index_takers(ast.parse("np.repeat(values, counts)\nnp.add.reduceat(a, firsts)")) == [
        1,
        2,
    ]
    assert not index_takers(ast.parse("repeat(values, counts)"))


def refuse_wide_indices(monkeypatch):
    """NumPy as it is where an index has 32 bits: wider counts and places are refused."""
    for name, place in (("repeat", 1), ("bincount", 0)):
        real = getattr(np, name)

        def refusing(*given, real=real, place=place, **named):
            if getattr(given[place], "dtype", None) == np.int64:
                raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32')")
            return real(*given, **named)

        monkeypatch.setattr(np, name, refusing)
    monkeypatch.setattr(np, "intp", np.int32)


def test_every_metric_has_its_value_where_an_index_has_32_bits(monkeypatch):
    """Really on such a machine: .ci/bits32."""

    def values():
        flags = (SCORES > 9).astype(int)
        rows = adjudge.catalogue.values()
        return [row.metric(LABELS, SCORES if row.needs == "scores" else flags) for row in rows]

    wide = values()
    refuse_wide_indices(monkeypatch)
    assert np.array_equal(values(), wide, equal_nan=True)


KINDS_OF_DATA = (
    "data.case", "data.channels", "data.incidents", "data.changes", "data.events",
    "count.alert_case", "judging.inputs", "judging.on_call.case",
)  # fmt: skip
"""Where the classes are that hold data of one kind."""
ASKS = {"is_positions", "of_channels", "things", "alert_cases"}
"""What tells a kind of data in a condition."""
MAY_BE_NONE = {"changes", "channels", "alerts"}
"""What is there for one kind of data alone."""
KIND_BLIND = {"judging", "noise", "metrics", "lab", "reporting", "cli"}
BRANCHES_ON_KINDS = {
    "judging/inputs/door.py": 4,
    "judging/inputs/points.py": 3,
    "judging/over_time/point_stream.py": 1,
    "metrics/metric.py": 4,
    "reporting/page/report_page.py": 7,
}
"""How often a module asks for the kind of data. Elsewhere the case, the input or the result answers
by itself; only what reads the arguments of a caller has to ask."""


def kind_classes(tree):
    """The names by which a module knows classes that hold data of one kind."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("adjudge.")
        and node.module.removeprefix("adjudge.").startswith(KINDS_OF_DATA)
        for alias in node.names
        if alias.name[0].isupper()
    }  # fmt: skip


def conditions(tree):
    """The parts of a module that decide which way it goes."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.BoolOp):
            yield from node.values[:-1]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node.operand
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "bool":
            yield from node.args


def branches_on_kinds(tree):
    """The places of a module that ask what kind of data there is."""
    known, found = kind_classes(tree), set()
    for node in ast.walk(tree):
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"isinstance", "issubclass"}:
            if names & known:
                found.add((node.lineno, node.col_offset))
        elif isinstance(node, ast.Compare):
            sides = [ast.unparse(one) for one in (node.left, *node.comparators)]
            is_none = isinstance(node.ops[0], (ast.Is, ast.IsNot)) and "None" in sides
            kind = isinstance(node.left, ast.Attribute) and node.left.attr in MAY_BE_NONE
            if (is_none and kind) or (sides[0].startswith("type(") and names & known):
                found.add((node.lineno, node.col_offset))
    for condition in conditions(tree):
        found |= {
            (one.lineno, one.col_offset)
            for one in ast.walk(condition)
            if isinstance(one, ast.Attribute) and one.attr in ASKS
        }
    return found


def test_only_what_reads_arguments_asks_for_the_kind_of_data():
    found = {
        path.relative_to(SOURCE).as_posix(): len(branches_on_kinds(tree(path)))
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] in KIND_BLIND
    }
    assert {name: count for name, count in found.items() if count} == BRANCHES_ON_KINDS


@pytest.mark.parametrize(
    "written",
    [
        "from adjudge.data.incidents import Alerts\nx = isinstance(y, Alerts)",
        "from adjudge.data.channels import ChannelCase as One\nx = isinstance(y, (int, One))",
        "from adjudge.judging.inputs.on_call import OnCall\nif type(data) is OnCall:\n    pass",
        "from adjudge.judging.inputs.on_call import OnCall\nif type(data) in {OnCall}:\n    pass",
        "x = case.marks if case.is_positions else case.flags",
        "if found.alert_cases:\n    pass",
        "x = [one for one in every if not one.of_channels]",
        "x = found.things and 1",
        "x = 1 if case.events.changes is None else 2",
        "if case.channels is not None:\n    pass",
    ],
)
def test_a_branch_on_the_kind_of_data_is_noticed(written):
    assert len(branches_on_kinds(ast.parse(written))) == 1


def test_what_is_no_branch_on_the_kind_of_data_is_let_pass():
    written = """
from adjudge.count.points import PointCount
from adjudge.data.case import Case
x = isinstance(counting, PointCount)
y = Case(labels, scores)
z = [case.name for case in found.alert_cases]
if case.events.gaps is None:
    pass
"""
    assert not branches_on_kinds(ast.parse(written))


def classes():
    """Every class of the source by its name. Adapters are called alike in each package's module."""
    found = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not name.startswith("integrations/"):
                found[node.name].append(name)
    return found


def test_one_class_name_has_one_meaning():
    assert not {name: where for name, where in classes().items() if len(where) > 1}
