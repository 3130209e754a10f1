"""The table of a paper: marks from the comparison of each metric, widths, and that TeX takes it."""

import math
import shutil
import subprocess

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.comparing.paper import paper as paper_of_rows
from adjudge.tables.formats import html_of
from adjudge.tables.latex import latex_of
from adjudge.tables.paper import PaperValue, paper_column, paper_layout
from adjudge.tables.table import TableColumn
from adjudge.tables.text import text_of
from messages import refused

N = 300
SKILL = {"lof": 2.0, "Iso_Forest": 2.1, "50 % & more": 1.0, "noise": 0.0}


def series(seed):
    draw = np.random.default_rng(seed)
    labels = np.zeros(N, int)
    for start in (40, 120, 230):
        labels[start : start + 8] = 1
    return labels, {name: labels * own + draw.normal(size=N) for name, own in SKILL.items()}


METRICS = ["best(f1_ba)", "auc_roc", "detection_delay(at=top(20))"]


@pytest.fixture(scope="module")
def ranking():
    data = {f"{'abcdef'[k % 6]}/s{k}": series(k) for k in range(12)}
    return aj.rank(data, METRICS, shifts=39)


@pytest.fixture(scope="module")
def judged():
    return aj.evaluate(*series(3), METRICS, shifts=39)


def cells(layout):
    names = layout.tables[0].columns[0].cells
    return {
        column.title: dict(zip(names, column.cells, strict=True))
        for column in layout.tables[0].columns[1:]
    }


def naive_marks(values, p_values, lower):
    """Who is bold and who has a dagger, from values and the p-value of each pair."""
    best = min(values.values()) if lower else max(values.values())
    bold = {name for name in values if values[name] == best}
    first = next(name for name in values if name in bold)
    tied = {name for name in values if name not in bold and not p_values[first, name] <= 0.05}
    return bold, tied


def test_marks_of_a_ranking_are_of_the_comparison_by_that_metric(ranking):
    found = ranking.paper()
    (table,) = found.tables
    names = table.columns[0].cells
    for spec, column in zip([*METRICS], table.columns[1:], strict=True):
        lines = {r["detector"]: r for r in ranking.leaderboard if r["metric"] == spec}
        p_values = {}
        for row in ranking.comparisons:
            if row["metric"] == spec:
                p_values[row["one"], row["other"]] = row["p_adjusted"]
                p_values[row["other"], row["one"]] = row["p_adjusted"]
        means = {name: lines[name]["mean"] for name in names}
        bold, tied = naive_marks(means, p_values, ranking.better[spec] == "lower")
        for place, name in enumerate(names):
            line = lines[name]
            assert (place in column.bold) == (name in bold)
            blind = not line["p_adjusted"] <= 0.05
            marks = "†" * (name in tied) + "°" * blind
            assert column.cells[place] == f"{line['mean']:.3f}{marks}"
            assert column.small[place] == f"[{line['low']:.3f}, {line['high']:.3f}]"
    differ = [set(column.bold) for column in table.columns[1:]]
    assert any("†" in cell for column in table.columns for cell in column.cells)
    assert differ  # a bold one in each


def test_marks_of_a_judgement_are_those_of_compare_all(judged):
    labels, scores = series(3)
    (table,) = judged.paper().tables
    for spec, column in zip(METRICS, table.columns[1:], strict=True):
        found = aj.compare_all(labels, scores, spec)
        p_values = {}
        for pair, p in zip(found.pairs, found.p_adjusted, strict=True):
            p_values[pair.names] = p_values[pair.names[::-1]] = p
        values = {name: judged[name, spec] for name in SKILL}
        bold, tied = naive_marks(values, p_values, spec.startswith("detection_delay"))
        for name, cell, place in zip(SKILL, column.cells, range(9), strict=False):
            assert (place in column.bold) == (name in bold)
            assert ("†" in cell) == (name in tied)


def test_the_caption_says_how_it_was_judged(ranking, judged):
    text = ranking.paper().caption
    for fact in ("12 series of 6 data sets", "Unit of evidence: data sets", "Holm, 0.05",
                 "null model: the same alarms, shifted", "top(20)", "islands on normal points",
                 "Best: threshold chosen by looking", "↓: lower is better"):  # fmt: skip
        assert fact in text, fact
    text = judged.paper().caption
    for fact in ("3 events", "null model: the same alarms, shifted", "width 9", "top(20)"):
        assert fact in text, fact


def test_values_without_chance_and_without_groups(judged):
    labels, scores = series(1)
    plain = aj.evaluate(labels, scores, ["f1", "mcc"], at=1, chance=False).paper()
    assert plain.caption.startswith("Value. Bold")
    assert "Without a test between detectors" not in plain.caption
    stored = aj.rank_values({"series": [*"ab"] * 2, "detector": ["x"] * 2 + ["y"] * 2,
                             "metric": ["VUS (mine"] * 4,
                             "value": [0.5, 0.6, 0.7, 0.9]})  # fmt: skip
    text = stored.to_markdown(paper=True)
    assert "**0.800**" in text
    assert "0.550†" in text  # two series are no test
    assert "null" not in text
    del judged


def test_what_no_test_compares_is_said():
    rows = aj.evaluate(*series(2), ["auc_roc"], chance=False).rows

    def refuse(metric):
        raise aj.InputError(metric)

    found = paper_of_rows(rows, refuse)
    assert "test between detectors: auc_roc" in found.caption
    assert sum("†" in cell for cell in cells(found)["auc_roc"].values()) == 3


def test_flags_beside_scores_and_values_that_are_undefined():
    labels, scores = series(2)
    both = {"flags": (scores["lof"] > 1).astype(int), "lof": scores["lof"]}
    found = aj.evaluate(labels, both, chance=False).paper()
    by_metric = cells(found)
    assert by_metric["best f1"]["flags"] == ""
    assert by_metric["f1"]["lof"] == ""
    none = aj.evaluate(np.zeros(50, int), {"a": np.arange(50), "b": np.arange(50) % 7}, "auc_roc",
                       chance=False).paper()  # fmt: skip
    assert cells(none)["auc_roc"] == {"a": "", "b": ""}


def test_detectors_that_are_not_ranked_stand_below_and_are_never_best(ranking):
    data = {f"s{k}": series(k) for k in range(4)}
    for name in ("s0", "s1"):
        data[name] = data[name][0], {**data[name][1], "rare": data[name][0]}
    found = aj.rank(data, ["auc_roc"], chance=False).paper()
    (table,) = found.tables
    assert table.summary_rows == 1
    assert table.columns[0].cells[-1] == "rare"
    assert table.columns[1].cells[-1] == "1.000"
    assert len(table.columns[0].cells) - 1 not in table.columns[1].bold
    assert "Not ranked: less than 90 % of the series" in found.caption
    assert "\\midrule" in latex_of(found).split("noise")[0]
    del ranking


def test_thresholds_by_detector_failures_and_values_that_nobody_has():
    labels, scores = series(0)
    two = {name: scores[name] for name in ("lof", "noise")}
    found = aj.rank({"a": (labels, two), "b": (labels, {"lof": scores["lof"], "noise": [1, 2]})},
                    ["f1"], at={"lof": 1.0, None: "top(20)"}, chance=False).paper()  # fmt: skip
    assert "Thresholds: " in found.caption
    assert "top(20)" in found.caption
    none = aj.rank({"a": (np.zeros(N, int), two)}, ["auc_roc"], chance=False).paper()
    assert "Unit of evidence" not in none.caption
    assert set(cells(none)["auc_roc"].values()) == {""}


def test_nothing_stands_out_where_all_are_equal():
    same = {name: PaperValue(1.0, "1", "") for name in "ab"}
    column = paper_column("m", same, lambda _: {"b"}, lower=False)
    assert (column.cells, column.bold, column.small) == (("1", "1"), frozenset(), ())


def test_the_same_table_in_every_format(ranking, judged):
    for result in (ranking, judged):
        layout = result.paper()
        assert "**" in result.to_markdown(paper=True)
        assert result.to_latex(paper=True).startswith("\\begin{table*}[t]\n\\centering")
        assert layout.caption.split(",")[0] in result.to_latex(paper=True)
        assert f"<p>{layout.caption}</p>" in html_of(layout)
        assert "</b> [" in html_of(layout)
        assert text_of(layout, None).splitlines()[-1] == layout.caption


@pytest.mark.parametrize("result", ["ranking", "judged"])
def test_what_a_paper_has_no_place_for_is_refused(result, request):
    found = request.getfixturevalue(result)
    with refused("paper must be True or False, got 'yes'"):
        found.to_latex(paper="yes")
    with refused("digits must be between 0"):
        found.to_markdown(paper=True, digits=-1)


def test_a_judgement_of_others_and_other_styles_have_no_paper(judged):
    with refused("transposed must be False with paper=True, got True"):
        judged.to_latex(paper=True, transposed=True)
    with refused("paper must be False"):
        aj.Judgement(judged.rows, ()).to_latex(paper=True)
    assert "0.9" in judged.to_markdown(paper=True, digits=1)


def tables_of(text):
    return text.split("\\begin{tabular}")[1:]


def column_of(number):
    return TableColumn(f"metric_{number}", ("0.123", "0.456"), small=("[0.111, 0.222]",) * 2)


@pytest.mark.parametrize(
    ("metrics", "float_name", "parts"), [(2, "table", 1), (5, "table*", 1), (12, "table*", 2)]
)
def test_a_table_is_as_wide_as_it_must_be(metrics, float_name, parts):
    layout = paper_layout(["lof", "k-NN"], [column_of(n) for n in range(metrics)], ["what"])
    text = latex_of(layout)
    assert text.startswith(f"\\begin{{{float_name}}}[t]")
    assert len(tables_of(text)) == parts
    assert all(part.count("lof") == 1 for part in tables_of(text))
    assert text.count("metric\\_") == metrics


def test_a_name_that_fills_the_page_has_no_empty_part():
    layout = paper_layout(["x" * 200], [TableColumn("m", ("1",))], ["what"])
    assert len(tables_of(latex_of(layout))) == 1


def test_a_row_without_intervals_has_no_second_line():
    column = TableColumn("m", ("1", "2"), small=("[0, 1]", ""))
    text = latex_of(paper_layout(["a", "b"], [column], ["what"]))
    assert text.count("\\\\\n") == 4  # head, two values, one interval


def test_rank_and_evaluate_print_it(tmp_path):
    (tmp_path / "scores").mkdir()
    for k in range(3):
        labels, scores = series(k)
        rows = np.column_stack([labels, *scores.values()])
        head = ",".join(["label", *(f"score_{name}" for name in SKILL)])
        np.savetxt(
            tmp_path / "scores" / f"{k}.csv", rows, delimiter=",", header=head, comments="",
            fmt="%.3f",
        )  # fmt: skip
    scores, out = str(tmp_path / "scores"), str(tmp_path / "ranked")

    def run(*args):
        done = CliRunner().invoke(main, args)
        assert done.exit_code == 0, done.output
        return done.stdout

    first = run("rank", scores, "--out", out, "--metric", "auc_roc", "--no-chance", "--paper")
    assert first == aj.read_ranking(out).to_latex(paper=True) == run("rank", out, "--paper")
    assert run("rank", out, "--paper", "--md") == aj.read_ranking(out).to_markdown(paper=True)
    file = str(tmp_path / "scores" / "0.csv")
    text = run("evaluate", file, "--metric", "auc_roc", "--no-chance", "--paper", "--md")
    assert "**" in text
    both = CliRunner().invoke(
        main, ["evaluate", file, str(tmp_path / "scores" / "1.csv"), "--paper", "--no-chance"]
    )
    assert both.exit_code == 2
    assert "--paper" in both.stderr


@pytest.mark.on_demand
def test_tex_takes_it_within_one_and_two_columns(ranking, judged, tmp_path):
    """With pdflatex (apt-get install texlive-latex-recommended)."""
    tex = shutil.which("pdflatex")
    if tex is None:
        pytest.skip("there is no pdflatex")
    one = aj.rank({f"s{k}": series(k) for k in range(6)}, ["auc_roc", "ap"], chance=False)
    many = [column_of(n) for n in range(12)]
    names = ["detector_" + "x" * 10, "a"]
    floats = [
        ranking.to_latex(paper=True), judged.to_latex(paper=True), one.to_latex(paper=True),
        latex_of(paper_layout(names, many, ["what"])),
    ]  # fmt: skip
    page = (
        "\\documentclass[10pt,twocolumn]{article}\\usepackage{booktabs}\\setlength{\\textwidth}"
        "{506pt}\\setlength{\\columnsep}{24pt}\\setlength{\\oddsidemargin}{-20pt}"
        "\\begin{document}Text.\n" + "\n".join(floats) + "\\end{document}\n"
    )
    (tmp_path / "paper.tex").write_text(page)
    done = subprocess.run(
        [tex, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    assert math.isfinite((tmp_path / "paper.pdf").stat().st_size)
