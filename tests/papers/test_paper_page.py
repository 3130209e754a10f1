"""The page of the paper has a row for each part of it, and the page of errata has all."""

import re
from pathlib import Path

import pytest

from adjudge.cli import main

ROOT = Path(__file__).parents[2]
PAPER = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
ERRATA = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (.+)\n((?:(?!^##).*\n?)*)", PAPER, re.MULTILINE))
LABELS = (
    "fig:overview", "fig:fair-comparison", "eqn:detector-thresholding", "eq:order-axiom",
    "eqn:thresholding_PA", "eqn:point_adjustment_PA", "eqn:f1_score_PA", "thm:f1_pa_formulation",
    "eqn:PA_formula", "eqn:r_pa", "eqn:p_pa", "fig:pa_vs_BA_in_noise", "thm:f1_BA_formulation",
    "eqn:p_BA", "lemma:randomness", "eqn:f1_less_than_chance", "def-sep", "def-prec", "def-recall",
    "def-cov", "fig:sep-sens", "fig:prec-sens", "fig:recall-sens",
)  # fmt: skip
WITHOUT_LABEL = {
    "X = (x_1 ... x_T), and delta in {0, 1}": "Series and labels",
    "the segment (a_i, w_i, s_i), and delta_t": "Events",
    "M(y, delta)": "A metric",
    "axiom C-1": "C-1, robust",
    "axiom C-1a": "C-1a, threshold agnostic",
    "axiom C-3": "C-3, one mistake costs",
    "S_N(u)": "Definition 2: islands",
    "|S_N(u)| = w_N": "Definition 2: the width of an island",
    "the adjusted prediction": "Definition 2: balanced adjustment",
    "F1 BA": "Definition 2: F1 BA",
    "lemma C-1a": "Lemma C-1a: flat over thresholds",
    "the derivative, q / (1 + q - gamma^s) < 1, s gamma^(s-1) -> 0, lim x b^(x-1)": (
        "Lemma C-1a: the slope, and why it vanishes"
    ),
    "alpha, beta, F1 BA of a detector, lemma C-2": "Lemma C-2: the better detector scores more",
    "1 without FP and FN, 1 - epsilon, P_BA, lemma C-3": "Lemma C-3: one false alarm costs",
    "15,000 controlled experiments": "The simulation",
    "two steps, three sub-steps": "The two steps of the simulation",
    "N, M, m, n, c": "The counts",
    "coverage and separation are sampled uniformly": ("Coverage and separation, sampled uniformly"),
    "control on the number of FP": "False positives under control",
    "adopted F1 K%-PA": "K%-adjustment elsewhere",
    "K = 20 %": "K of the K%-adjustment",
    "BA follows the axioms better": "The summary",
    **{f"figure {number}": f"Figure {number}" for number in range(1, 7)},
}


@pytest.mark.parametrize("label", LABELS)
def test_each_label_of_the_paper_has_one_row(label):
    assert sum(f"`{label}`" in body for body in SECTIONS.values()) == 1


@pytest.mark.parametrize("part", WITHOUT_LABEL)
def test_each_part_without_a_label_has_a_row(part):
    assert WITHOUT_LABEL[part] in SECTIONS


@pytest.mark.parametrize("title", SECTIONS)
def test_a_row_has_a_call_with_its_output_and_says_where_the_code_is(title):
    body = SECTIONS[title]
    assert ">>> " in body or "```{run}" in body
    code = re.search(r"\*Code:\* (.+)", body)
    assert code, "*Code:* is missing"
    places = re.findall(r"`([a-z_/]+(?:/|\.py|\.json))`", code[1])
    assert places
    assert all((ROOT / "src" / "adjudge" / place).exists() for place in places), places


def test_the_page_links_all_errata():
    linked = set(re.findall(r"\[E(\d+)\]\(errata\.md#e(\d+)\)", PAPER))
    assert all(shown == target for shown, target in linked)
    assert {int(number) for number, _ in linked} == set(range(1, 40))


def test_all_errata_are_there_in_order_each_with_an_example_of_a_few_lines():
    found = re.findall(r"^### E(\d+)\n((?:(?!^##).*\n?)*)", ERRATA, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, 40))
    for number, body in found:
        lines = re.findall(r"^(?:>>>|\.\.\.) ", body, re.MULTILINE)
        assert 1 <= len(lines) <= 3, number
        assert re.search(r"\*\*(Printed|Open|Not said|The authors' code)", body), number


def test_the_figures_have_the_numbers_of_the_paper():
    figures = main.commands["figure"].commands
    names = ("strip", "scenarios", "noise", "separation", "precision", "recall")
    assert [figures[str(number)].callback for number in range(1, 7)] == [
        figures[name].callback for name in names
    ]


def test_the_page_is_on_a_shelf_of_the_site_and_on_the_first_screen_of_the_readme():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    trees = re.findall(r"```\{toctree\}\n((?:.*\n)*?)```", index)
    assert [tree.split().count("paper") for tree in trees] == [0, 0, 1, 0]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "docs/paper.md" in readme.partition("## Install")[0]
