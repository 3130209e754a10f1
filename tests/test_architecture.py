"""The house: a module imports only from lines above its own."""

import ast
from pathlib import Path

import adjudge

SOURCE = Path(adjudge.__file__).parent

ORDER = """
_typing errors settings columns events case widths windows overlaps adjust tally nesting ledger
counting.coverage counting.points counting.event_weighted counting.runs
counting.segments counting.items counting.tolerant counting.batches
counting.ranges counting.tapr counting.zones counting.firsts counting.delays counting.distances
counting.nab counting.leftovers counting
rates curves sweeping spec thresholds
special.separation special.coverage_area special.range_areas special.buffers special.vus
special.vus_flags special.pate_masses special.pate special.ranking special.cce special
metric rows.words rows.trio rows.points rows.events rows.segments rows.tolerance rows.ranges
rows.affiliation rows.timing rows.buffers rows.pate rows.ranking rows.leftovers
rows.verdicts rows.claims rows.table rows
noise.closed_forms noise.nulls noise.expectation noise.moments noise.shifting noise.bootstrap
noise.level noise.line noise.doubt noise.comparison noise
receipt findings judgement demo
attributes targets scenario detectors simulator
experiments.designs experiments.measurements experiments.table experiments.folder
experiments.runner experiments.claim experiments.theory_claims experiments.table_claims
experiments.claims experiments
axioms.trial axioms.bounds axioms.axiom axioms.hearing axioms.shrinking axioms.robust
axioms.ordered axioms.duels axioms.field axioms.table axioms.claims axioms
auditor.answering auditor.sandbox auditor.witnesses auditor.record auditor.session auditor.many
auditor
io.refusal io.column_choice io.csv_text io.zip_members io.numpy_files io.parquet_files io.tables io
report.tables report.figures.drawing report.figures.noise report.figures.strip
report.figures.scenarios report.figures.experiments report.figures.axioms report.figures report
__init__ report.terminal
cli.group cli.options cli.waiting cli.judging cli.drawing cli.auditing cli.listing
cli.simulating cli.studying cli __main__
""".split()  # noqa: SIM905 - a listing is easier to read and to keep

FORBIDDEN = {"utils", "util", "helpers", "common", "core", "base", "misc"}


def module_name(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imports(path):
    """Give the modules of the package that a file imports, but for typing alone."""
    tree = ast.parse(path.read_text())
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in typing_only:
            module = node.module or ""
            if module == "adjudge":
                yield from (a.name if a.name in ORDER else "__init__" for a in node.names)
            elif module.startswith("adjudge."):
                yield module.removeprefix("adjudge.")


MODULES = {module_name(path): path for path in SOURCE.rglob("*.py")}


def test_every_module_stands_in_the_order():
    assert set(ORDER) == set(MODULES)


def from_below(modules):
    """Give the imports that go against the order."""
    return [
        (name, used)
        for name, path in modules.items()
        for used in imports(path)
        if ORDER.index(used) >= ORDER.index(name)
    ]


def test_a_module_imports_only_from_lines_above_its_own():
    assert from_below(MODULES) == []


def test_the_order_notices_an_import_from_below(tmp_path):
    wrong = tmp_path / "events.py"
    wrong.write_text("from adjudge.case import Case\nfrom adjudge.errors import InputError\n")
    assert from_below({"events": wrong}) == [("events", "case")]


def test_nothing_is_called_utils():
    words = {word for name in MODULES for word in name.split(".")}
    assert not words & FORBIDDEN


def test_modules_stay_small():
    long = {
        name: len(path.read_text().splitlines())
        for name, path in MODULES.items()
        if len(path.read_text().splitlines()) > 400
    }
    assert long == {}
