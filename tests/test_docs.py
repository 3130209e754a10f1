"""The documents: generated pages are current, commands work, every verb is mentioned."""

import doctest
import os
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from hatchling.builders.sdist import SdistBuilder
from packaging.requirements import Requirement
from PIL import Image

import adjudge as aj
from adjudge.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
EVIDENCE = runpy.run_path(str(ROOT / "docs" / "_ext" / "evidence.py"))
sys.path.append(str(ROOT / "tools"))  # as the build of the site has it


@pytest.fixture(scope="module")
def metric_pages():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return runpy.run_path(str(ROOT / "tools" / "metric_pages.py"))
    finally:
        sys.path.remove(str(ROOT / "tools"))


def test_the_page_of_each_metric_has_an_example_that_runs(metric_pages):
    for row in aj.catalogue.values():
        text = metric_pages["code"](row)
        example = doctest.DocTestParser().get_doctest(text, {}, row.name, None, 0)
        done = doctest.DocTestRunner(verbose=False).run(example)
        assert done == (0, 4), row.name


@pytest.mark.parametrize("name", ["f1_ba", "vus_pr", "subsystem_f1", "change_f1"])
def test_the_page_of_a_metric_has_its_parts_in_order(metric_pages, name):
    text = metric_pages["page"](aj.catalogue[name])
    parts = ["Formula", "In Python", "When to use it", "Range and extremes", "Settings"]
    parts += ["Names elsewhere", "How to cite it", "Axioms"]
    parts[2:2] = ["Try it"] * (name == "f1_ba")
    assert re.findall("^## (.*)", text, re.MULTILINE) == parts
    assert f"\n# {name}\n" in text
    assert aj.catalogue[name].reference in text
    assert text.count("<svg ") == 1


def test_the_page_of_a_metric_says_what_the_ends_of_detection_score(metric_pages):
    said = metric_pages["extremes"](aj.catalogue["event_f1"])
    assert "exactly the events 1, everything flagged 1, nothing flagged 0" in said
    said = metric_pages["extremes"](aj.catalogue["auc_roc"])
    assert "exactly the events 1, one score everywhere 0.5" in said


def test_the_documents_claim_no_more_metrics_and_thresholds_than_there_are():
    for name in ("README.md", "docs/index.md"):
        assert "limits.md" in (ROOT / name).read_text()
    assert "docs/metrics.md#which-thresholds-are-tried" in README
    page = (ROOT / "docs" / "metrics.md").read_text()
    tried = page.partition("## Which thresholds are tried\n")[2].partition("\n## ")[0]
    grids = {name for name, row in aj.catalogue.items() if row.parameters.get("thresholds")}
    anew = {n for n, r in aj.catalogue.items() if r.needs == "flags" and not r.metric.sweeps}
    assert grids | anew == set(re.findall(r"`(\w+)`", tried)) - {"evaluate"}


def shown(page):
    """Give a page with what the build of the site fills in."""
    content = [(ROOT / "docs" / page).read_text("utf-8")]
    EVIDENCE["fill"](SimpleNamespace(srcdir=ROOT / "docs"), "", content)
    return content[0]


def test_the_numbers_of_the_paper_are_those_of_the_pages():
    paper = " ".join((ROOT / "paper" / "paper.md").read_text().split())
    said = {  # in the paper: on the page
        "conformance.md": {"26,158 values": "26,158", "24,530 equal": "24,530", "443 on": "443"},
        "referee.md": {"529 bounds, which are kept": "529 of 529 bounds are kept"},
        "tsb_ad.md": {"1 of 496 pairs": "496 pairs", "and 273 when series are": "273"},
        "nab.md": {"14 of 16 published detectors are better": "14 of 16 detectors are better"},
    }
    for page, numbers in said.items():
        text = " ".join(shown(page).split())
        for ours, theirs in numbers.items():
            assert ours in paper
            assert theirs in text, (page, theirs)


def test_the_papers_table_of_packages_is_that_of_the_page():
    paper = (ROOT / "paper" / "paper.md").read_text()
    page = shown("conformance.md")
    rows = re.findall(r"^\| (.*) \| (\d+) \| ([\d,]+) \|$", paper, re.MULTILINE)
    assert rows == re.findall(r"^\| `\w+` \| (.*) \| (\d+) \| ([\d,]+) \|$", page, re.MULTILINE)
    assert len(rows) == 13


def test_the_paper_has_the_sections_of_the_journal_and_marks_its_blanks():
    paper = (ROOT / "paper" / "paper.md").read_text()
    sections = re.findall(r"^# (.*)", paper, re.MULTILINE)
    asked = ["Summary", "Statement of need", "State of the field", "Software design"]
    assert sections[:4] == asked
    assert {"Research impact statement", "AI usage disclosure", "Acknowledgements"} < set(sections)
    assert sections[-1] == "References"
    assert paper.count("(to be filled in") == 6


def test_the_workflow_has_every_system_and_version():
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    versions = 'python: ["3.11", "3.12", "3.13", "3.14"]'
    assert workflow.count(versions) == 2
    assert "runs-on: ubuntu-latest" in workflow
    assert "system: [macos-latest, windows-latest]" in workflow


def test_every_document_says_how_many_metrics_there_are_and_is_rewritten_where_it_is_stale():
    made = runpy.run_path(str(ROOT / "tools" / "make_counts.py"))
    assert set(made["COUNTED"]) == {"README.md", "docs/index.md", "paper/paper.md", ".zenodo.json"}
    for name, words in made["COUNTED"].items():
        text = (ROOT / name).read_text()
        stale = text.replace(words.format(len(aj.catalogue)), words.format(7))
        assert stale != text, f"{name} is stale: python tools/make.py"
        assert made["counted"](name, stale) == text
    with pytest.raises(ValueError, match=r"paper\.md must say once: It has N metrics"):
        made["counted"]("paper/paper.md", "It has many metrics")
    assert "every published" not in (ROOT / ".zenodo.json").read_text()


def test_the_source_archive_holds_every_file_of_the_repository():
    listing = ["git", "ls-files"]
    tracked = subprocess.run(listing, check=False, cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("this is no clone")
    held = SdistBuilder(str(ROOT)).recurse_included_files()
    assert set(tracked.stdout.splitlines()) <= {file.relative_path for file in held}


ADDRESS = re.compile(
    r"(?:https?://|git@|git\+)[^\s\"')>`]*adjudge[^\s\"')>`]*"  # an address of the project
    r"|\b(?:install|add|run|uvx|download)\b[^\n`]*?"  # its name
    r"(?<![\w./\-])adjudge(?=[\[=<>@~]|[\"']|\s*$)"
)
"""What somebody else may have registered, and would be installed from there."""


def addresses(text, own):
    """Where the project, or a package of its name, is said to be; but for the address it has."""
    found = (match[0] for line in text.splitlines() for match in ADDRESS.finditer(line))
    return [address for address in found if own is None or not address.startswith(own)]


def test_nothing_is_installed_from_a_name_that_a_stranger_may_have():
    """The address of the project is set in pyproject.toml, as Source, and nowhere else."""
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"].get("Source")
    texts = (".md", ".py", ".yml", ".yaml", ".toml", ".cff", ".json", ".txt", ".html", ".ts", "")
    folders = ("docs", "src", "examples", "bench", "paper", ".github", ".ci", "web/src")
    paths = [*ROOT.glob("*"), *(path for name in folders for path in (ROOT / name).rglob("*"))]
    files = [path for path in paths if path.is_file() and path.suffix in texts]
    assert len(files) > 500
    named = {
        str(path.relative_to(ROOT)): addresses(path.read_text("utf-8", "replace"), own)
        for path in files
    }
    assert {name: found for name, found in named.items() if found} == {}


@pytest.mark.parametrize(
    "text",
    [
        'pip install "adjudge @ git+https://github.com/adjudge/adjudge"',
        "git clone https://github.com/adjudge/adjudge && cd adjudge",
        "`pip install adjudge==X.Y.Z` in a new environment",
        '- run: pip install "adjudge[parquet]"',
        "pip install adjudge",
        "uv add adjudge",
        'Source = "https://codeberg.org/x/adjudge"',
        "https://adjudge.readthedocs.io",
    ],
)
def test_an_address_is_found(text):
    assert addresses(text, None)
    assert not addresses(
        'pip install -e ".[all]"; pip install ./adjudge; adjudge is installed', None
    )
    assert not addresses("https://codeberg.org/x/adjudge/issues", "https://codeberg.org/x/adjudge")


def test_the_readme_has_exactly_two_set_up_commands():
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert commands == [
        'python3 -m venv .venv && .venv/bin/pip install -e ".[all]" && .venv/bin/adjudge demo',
        'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/python -m pytest',
    ]


ONLY_THESE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""


def closure(name, extras):
    """The distributions that an install brings, as their metadata say: names in lower case."""
    found, open_ones = set(), [(name, extra) for extra in ("", *extras)]
    while open_ones:
        one = open_ones.pop()
        found.add(one)
        for text in requires(one[0]) or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": one[1]}):
                asked = {(needed.name.lower(), extra) for extra in ("", *needed.extras)}
                open_ones += asked - found
    return {canonical(name) for name, _ in found}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_readme_runs_with_what_its_own_command_installs(tmp_path):
    """What the tests bring beyond that cannot be imported; .ci/run makes the real environment."""
    (extras,) = re.findall(r'install -e "\.\[(\w+)\]" && \.venv/bin/adjudge', README)
    brought = closure("adjudge", [extras])
    assert {"numpy", "pyarrow", "joblib"} <= brought
    absent = {
        module
        for module, distributions in packages_distributions().items()
        if not brought & {canonical(name) for name in distributions}
    }
    assert {"polars", "pytest"} <= absent
    (tmp_path / "sitecustomize.py").write_text(ONLY_THESE.format(absent=absent))
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "campaigns" / "readme.py"],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["chance", "story"])
def test_pictures_show_the_numbers_of_today(name):
    """Run tools/make.py NAME when they do not; nothing is drawn here, and no file is written."""
    made = runpy.run_path(str(ROOT / "tools" / f"make_{name}.py"))
    found = made["numbers"]()
    for path in {made["PICTURE"], made.get("NARROW", made["PICTURE"])}:
        with Image.open(path) as picture:
            assert picture.text["Description"] == made["words"](found)


def test_what_the_referee_measured_goes_into_both_pages():
    made = runpy.run_path(str(ROOT / "tools" / "make_referee.py"))
    line = {"table": "intervals", "scene": "equal lengths", "metric": "f1", "value": 0.9131,
            "quantity": "interval holds the truth", "bound": ">= 0.93", "verdict": "FAIL",
            "unanswered": 0.0, "runs": 1000, "error": 0.009}  # fmt: skip
    sizes = ({**line, "size": f"{count} events"} for count in (5, 10))
    files = [{"version": "0.1.0", "seed": 3, "runs": 1000, "lines": list(sizes)}]
    tables = made["tables"](files)
    for page in ("referee/intervals", "chance_checked/events"):
        assert ["**.913**", "**.913**"] == tables[made["EVIDENCE"] / f"{page}.csv"][1][-2:]
    assert "0 of 2 bounds are kept" in made["summary"](files)


def test_bounds_that_were_set_after_a_look_are_marked_and_listed():
    made = runpy.run_path(str(ROOT / "tools" / "make_referee.py"))
    before, after, tables, listed = made["marked"]()
    assert {path: made["read"](path) for path in tables} == tables, "python tools/make.py referee"
    assert made["read"](made["place"]("late")) == listed
    assert made["PAGE"].read_text("utf-8") == made["text"](before, after, "")


def test_every_table_of_evidence_is_shown_once_and_names_the_script_that_made_it():
    shown_on = re.compile(r"^```\{evidence\} (\S+)$", re.MULTILINE)
    named = [name for page in ROOT.glob("docs/*.md") for name in shown_on.findall(page.read_text())]
    files = {
        path: str(path.relative_to(ROOT / "docs" / "evidence").with_suffix(""))
        for path in ROOT.glob("docs/evidence/*/*.csv")
    }
    assert sorted(named) == sorted(files.values())
    for path in files:
        command, (titles, *rows) = EVIDENCE["read"](path)
        assert (ROOT / command.split()[1]).exists(), path
        assert {len(titles)} == {len(row) for row in rows}, path


def test_the_glossary_and_the_page_of_chance_mean_the_same_interval():
    glossary, page = ((ROOT / "docs" / f"{n}.md").read_text() for n in ("glossary", "chance"))
    (meant,) = re.findall("It is the 95 % confidence interval[^.]+[.]", " ".join(page.split()))
    assert meant in " ".join(glossary.partition("## interval")[2].partition("\n## ")[0].split())


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/tutorials/*.md")), ids=lambda p: p.stem)
def test_tutorials_hold_what_their_commands_print(path):
    """Run tools/make.py tutorials; whether it is still true the build of the site tells."""
    made = runpy.run_path(str(ROOT / "tools" / "make_tutorials.py"))
    found = [(kind, now) for kind, *_, now in made["BLOCK"].findall(path.read_text())]
    assert {"run", "python"} & {kind for kind, _ in found}
    assert all(now for kind, now in found if kind == "run")


def test_a_printed_text_is_stale_with_other_words_or_numbers():
    same = runpy.run_path(str(ROOT / "docs" / "_ext" / "blocks.py"))["says_the_same"]
    assert same("f1  0.5430 of 12\n", "f1 0.5431 of 12")
    assert not same("f1 0.54", "f1 0.64")
    assert not same("f1 0.54 of 12", "f1 0.54 of 13")
    assert not same("f1 0.54", "f1 0.54 0.54")


@pytest.mark.parametrize("verb", main.commands)
def test_every_verb_is_on_its_page_with_an_example(verb):
    page = (ROOT / "docs" / "cli.md").read_text()
    examples = page.partition("## Every command by example\n")[2].partition("\n## ")[0]
    assert f"\nadjudge {verb}" in examples
    assert f"adjudge {verb} --help" in page


def test_the_readme_is_short():
    assert len(README.split()) <= 1200


def test_the_list_of_verbs_is_cut_nowhere():
    assert "..." not in CliRunner().invoke(main, ["--help"]).stdout.partition("Judge detectors:")[2]


def command_lines(text):
    """The calls of adjudge in blocks and between backticks: verb and long options of each."""
    text = text.replace("\\\n", " ")
    calls = re.findall(r"^[ \-|$]*adjudge ([a-z-]+ .*)$", text, re.MULTILINE)
    calls += re.findall(r"`adjudge ([a-z-]+ [^`\n]*)`", text)
    quoted = re.compile(r"'[^']*'|\"[^\"]*\"|#.*")  # a rule, or what a call is for
    for call in calls:
        verb, *words = quoted.sub("", call).split()
        if verb in main.commands:
            yield verb, {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}


PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/*/*.md"))]


def options_of(command):
    """The options of a verb, and of those below it."""
    own = {opt for param in command.params for opt in (*param.opts, *param.secondary_opts)}
    return own.union(*map(options_of, getattr(command, "commands", {}).values()))


def test_the_command_lines_of_all_pages_use_options_that_exist():
    known = {verb: options_of(main.get_command(None, verb)) for verb in main.commands}
    calls = [(page.name, *call) for page in PAGES for call in command_lines(page.read_text())]
    assert len(calls) > 100
    helps = {"--help", "--help-all"}
    wrong = [(page, verb, own - known[verb] - helps) for page, verb, own in calls]
    assert [one for one in wrong if one[2]] == []


def test_an_option_that_does_not_exist_is_found_on_a_page():
    text = "say `adjudge rank DIR --wrong 3`\n$ adjudge evaluate a.csv --best # --not\n"
    assert list(command_lines(text)) == [("evaluate", {"--best"}), ("rank", {"--wrong"})]


def test_every_public_name_stands_in_the_python_reference():
    listed = (ROOT / "docs" / "api.md").read_text().split()
    assert set(aj.__all__) - {"__version__", "catalogue"} <= set(listed)


def tree(page):
    """The pages that a page lists below it, as its toctrees name them, shelf by shelf."""
    shelves = re.findall(r"```\{toctree\}\n((?:.+\n|\n)*?)```", page.read_text())
    return [
        [page.parent / f"{line}.md" for line in shelf.splitlines() if line and line[0] != ":"]
        for shelf in shelves
    ]


def test_every_page_stands_on_one_of_four_shelves_with_at_most_seven_entries_a_level():
    shelves = tree(ROOT / "docs" / "index.md")
    assert len(shelves) == 4
    listed, levels = [], shelves
    while levels:
        assert max(map(len, levels)) <= 7
        listed += (pages := [page for level in levels for page in level])
        levels = [below for page in pages for below in tree(page)]
    assert len(listed) == len(set(listed))
    assert set(listed) == {*ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md")} - {
        ROOT / "docs" / "index.md"
    }


def test_links_lead_somewhere():
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "bench" / "README.md"]
    for page in pages:
        for target in re.findall(r"\]\((?!http|_made/)([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)


def test_the_page_of_the_architecture_names_what_there_is():
    page = (ROOT / "docs" / "architecture.md").read_text()
    source = ROOT / "src" / "adjudge"
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?|[a-z_]+\.py)`", page)
    for path in set(named):
        assert any((folder / path).exists() for folder in (source, source.parent, ROOT)), path
    entries = {path.name for path in source.iterdir() if not path.name.startswith("_")}
    packages = {name.rstrip("/") for name in named}
    assert entries - {"py.typed"} <= packages
