"""The order of the packages: a module imports only from what stands above it."""

import ast
import re
from pathlib import Path

import adjudge
from adjudge import _outputs

SOURCE = Path(adjudge.__file__).parent

PACKAGES = {
    "_typing": "",
    "_version": "",
    "_command": "",
    "_text": "",
    "_equality": "",
    "_outputs": "",
    "errors": "",
    "checks": "",
    "tables": "table text markdown latex notebook spreadsheet frames",
    "data": """
        read_only tensors columns codings alignment intervals part durations since_1970 clock
        time_forms spans interval_reading event_checks events truth case windows time_windows
        time_settings unwindow""",
    "adjust": "contract island_widths simple balanced",
    "count": """
        tally ledger sweep contract points runs coverage event_weighted length_weighted segments
        matched_runs stretched interest quality tolerant soft_matches
        batches nested_runs position_weights intersections ranges tapr affiliation first_alarms
        delays distances nab soft_labels soft_points rarely_used""",
    "measure": """
        rates distances nab_score curves budgets thresholds whole.separation
        whole.weighted_difference whole.coverage_area whole.range_areas whole.vus
        whole.vus_flags whole.pate_masses
        whole.pate whole.top_k whole.cce whole.dqe whole.alarm
        whole.psds whole""",
    "metrics": """
        spec threshold_reader threshold_text parts metric sorted_rules in_time setting_docs
        help_page oracle row rows.phrases rows.three_rates rows.points rows.events rows.segments
        rows.tolerance rows.ranges rows.affiliation rows.timing rows.buffers
        rows.pate rows.ranking rows.budgets rows.matching rows.interest rows.quality
        rows.rarely_used audit_results audited rows.table rows registration reader""",
    "noise": """
        probabilities closed_forms nulls expectation moments circles tenths offsets laid_flags
        flag_shifts laid_ranks laid_islands score_levels score_shifts p_values pieces one_shift
        shifts intervals area_intervals chance_level null_model shifted_null nearby_null white_null
        null_choice chance_line label_slack overshoot paired area_pair events_needed
        comparison_result comparison""",
    "judging": """
        metric_choice tuning preparation event_list receipt receipt_layout result_row wording
        beside_values part_rows short_names threshold_notes remarks layout part_tables flat_names
        gates judgement evaluation file_tables schema demo""",
    "simulation": "event_profile scenario_fields targets scenario habits simulator",
    "stores": "files claim manifest own_folder shards",
    "experiments": """
        designs measurements released table folder store workers runner released_table
        paper_claims.claim paper_claims.theory paper_claims.table_numbers paper_claims.from_table
        paper_claims.listing paper_claims""",
    "auditing": """
        drawn_cases confidence effort subject run counterexample result axiom decision shrinking
        noise_examples noise_axioms order_axioms pair_axioms
        literature_axioms axioms one_call guard worker sandbox subject_choice audits""",
    "io": """
        refusal text_lines column_choice cells csv_text json_lines zip_members numpy_files
        arrow_files compressed one_file join tables layouts.stored layouts.tsb_ad layouts.ucr
        layouts.nab layouts.nasa layouts.smd layouts.timeeval layouts.long_table
        layouts.interval_table layouts incidents""",
    "ranking": """
        sources work engines cluster stores statistics collected leaderboard pooled result tables
        finished run""",
    "reporting": """
        threshold_grid chance_bands figures.drawing figures.decimation
        figures.time_axis figures.receipt_plot figures.curve_plot figures.judgement_plot
        figures.case_figure figures.noise figures.strip figures.scenarios
        figures.experiment_plans figures.experiments figures.axioms figures.ranks figures terminal
        receipts results
        page.plain_names page.packing page.assembly page.playground_page page.ranking_page
        page.time_axis page.overview page.report_page
        page.series_pages page""",
    "compat": "pasted_loops tsb_ad conventions differences",
    "integrations": "sklearn torchmetrics sktime timeeval dtaianomaly",
    "__init__": "",
    "cli": """
        group source asked_threshold options waiting gates judging comparing reporting
        drawing auditing listing simulating studying ranking""",
    "__main__": "",
}
"""The packages in the order of the sentence, each with its modules in their order."""

ORDER = [
    module
    for package, names in PACKAGES.items()
    for module in (*(f"{package}.{name}" for name in names.split()), package)
]

FORBIDDEN = {"utils", "util", "helpers", "common", "core", "base", "misc"}


def module_name(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imports(path):
    """The modules of the package that a file imports, be it for its types alone."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
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
    wrong.write_text("from adjudge.data.case import Case\nfrom adjudge.errors import InputError\n")
    assert from_below({"data.events": wrong}) == [("data.events", "data.case")]


def test_what_results_draw_with_is_offered_by_the_front_door():
    sources = "".join(path.read_text() for name, path in MODULES.items() if name != "_outputs")
    asked = set(re.findall(r'\boutput\("(\w+)"\)', sources))
    assert asked == set(_outputs.offered())
    assert all(callable(_outputs.output(name)) for name in asked)


def test_nothing_is_called_utils():
    words = {word for name in MODULES for word in name.split(".")}
    assert not words & FORBIDDEN


def test_the_package_is_small_enough_to_be_seen_at_once():
    entries = {path.name for path in SOURCE.iterdir() if not path.name.startswith(("_", "."))}
    assert len(entries - {"py.typed"}) <= 20


def test_no_entry_shadows_a_function_of_the_front_door():
    entries = {path.stem for path in SOURCE.iterdir() if not path.name.startswith("_")}
    assert not entries & {name for name in dir(adjudge) if name.islower()}


PAGE = (SOURCE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_page_has_a_recipe_for_each_of_ten_changes():
    recipes = re.findall(
        r"^\*\*(.+?)\.\*\*", PAGE.partition("## How to change it")[2], re.MULTILINE
    )
    assert len(recipes) == 10, recipes
