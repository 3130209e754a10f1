"""The board: what people read of a ranking, in every shape."""

import json

import jsonschema
import numpy as np
import pytest

import adjudge as aj
from adjudge.judging.result_columns import schema
from adjudge.ranking.boards.board import lead
from adjudge.tables.formats import markdown_of

BASE = {"series": [f"s{s}" for s in range(10) for _ in "abc"], "detector": list("abc") * 10}


@pytest.fixture(scope="module")
def ranking():
    rng = np.random.default_rng(0)
    values = rng.random((10, 3)) / 2 + [0.4, 0.2, 0.0]
    rows = {**BASE, "value": values.ravel().tolist(), "metric": ["auc_roc"] * 30}
    delays = rng.random((10, 3)) + np.array([2, 1, 3])
    rows = {k: [*rows[k], *more] for k, more in {
        **BASE, "value": delays.ravel().tolist(), "metric": ["detection_delay"] * 30,
    }.items()}  # fmt: skip
    return aj.rank_values(rows)


def with_a_partial_one():
    rows = {name: [*column] for name, column in BASE.items()}
    rows["value"] = (np.random.default_rng(1).random((10, 3)) / 2 + [0.4, 0.2, 0]).ravel().tolist()
    rows["series"] += ["s0", "s1"]
    rows["detector"] += ["few"] * 2
    rows["value"] += [1.0, 1.0]
    return aj.rank_values(rows)


def column(layout, title):
    (found,) = [one for one in layout.tables[0].columns if one.title == title]
    return found


def test_the_best_of_each_column_is_bold_whichever_way_is_better(ranking):
    layout = ranking.board()
    names = column(layout, "detector").cells
    assert {names[i] for i in column(layout, "auc_roc").bold} == {"a"}
    assert {names[i] for i in column(layout, "detection_delay").bold} == {"b"}
    assert {names[i] for i in column(layout, "mean rank").bold} == {"a"}


def test_the_caption_says_what_the_numbers_are(ranking):
    first, again, units, *_ = ranking.board().notes
    for part in ("auc_roc", "mean over series", "ordered by mean rank", "10 of 10 series"):
        assert part in first
    for part in ("about 76 of 100 cases (equal chances: 33)", "2 of 3 detectors", "(95 %)"):
        assert part in again
    assert units == "intervals and tests of means: 10 series"


@pytest.mark.parametrize(
    ("by", "expected"),
    [("mean_rank", "abc"), ("mean", "abc"), ("low", "abc"), ("detector", "abc"),
     ("first_share", "abc"), ("place_high", "abc")],
)  # fmt: skip
def test_any_column_gives_an_order(ranking, by, expected):
    cells = column(ranking.board(order_by=by), "detector").cells
    assert "".join(cells) == expected
    delays = column(ranking.board("detection_delay", order_by="mean"), "detector").cells
    assert "".join(delays) == "bac"


def test_an_unknown_column_is_refused(ranking):
    with pytest.raises(aj.UnknownName, match="unknown column 'wins'"):
        ranking.board(order_by="wins")


def test_those_that_are_not_ranked_stand_below_a_rule():
    found = with_a_partial_one()
    layout = found.board()
    assert layout.tables[0].summary_rows == 1
    assert column(layout, "detector").cells[-1] == "few"
    assert column(layout, "mean rank").cells[-1] == "not ranked"
    assert column(layout, "series").cells == ("10 of 10",) * 3 + ("2 of 10",)
    assert "not ranked, on less than 90 % of the series: few" in layout.notes
    means = column(layout, "value")
    assert 3 not in means.bold  # though it is the highest
    assert column(found.board(order_by="mean"), "detector").cells[-1] == "few"


def test_where_nobody_has_a_value_nobody_lacks_series():
    given = {"series": [*"aabb"], "detector": [*"xyxy"], "value": [float("nan")] * 4}
    notes = aj.rank_values(given).board().notes
    (note,) = notes[1:]
    assert "any of 2 series" in note
    failed = aj.rank({"s": ([0, 1, 0], {"x": [0.5, np.nan, 1.0]})}, "auc_roc", chance=False)
    (note,) = failed.board().notes[1:]
    assert "auc_roc on any of 1 series" in note


def test_the_share_of_the_series_is_said_as_it_was_asked_for():
    rows = {name: column[:-1] for name, column in BASE.items()}
    notes = aj.rank_values({**rows, "value": [0.5] * 29}, min_coverage=0.995).board().notes
    assert "not ranked, on less than 99.5 % of the series: c" in notes


@pytest.mark.parametrize(
    ("series", "detectors", "said"),
    [
        (3, 2, "mean ranks are tied: on 3 series a significant difference is 1.13 (Nemenyi, 0.05), "
         "and 2 detectors differ by at most 1"),
        (4, 2, "mean ranks 0.98 apart differ significantly (Nemenyi, 0.05)"),
    ],
)  # fmt: skip
def test_a_critical_difference_that_cannot_be_reached_is_called_so(series, detectors, said):
    names = [(f"s{s}", f"d{d}") for s in range(series) for d in range(detectors)]
    given = {"series": [s for s, _ in names], "detector": [d for _, d in names],
             "value": np.random.default_rng(0).random(len(names))}  # fmt: skip
    assert aj.rank_values(given).board().notes[-1] == said


def test_what_was_not_judged_on_a_data_set_is_not_undefined_there():
    given = {"series": ["u/a", "u/b", "v/c", "u/a", "u/b", "w/d"], "detector": [*"xxxyyy"],
             "value": [0.1, 0.2, 0.3, 0.4, 0.5, float("nan")]}  # fmt: skip
    given = {key: [*column, *more] for (key, column), more in
             zip(given.items(), (["w/d"], ["x"], [0.5]), strict=True)}  # fmt: skip
    table = aj.rank_values(given).board().tables[1]
    cells = {column.title: column.cells for column in table.columns}
    assert cells["data set"] == ("u", "v", "w")
    assert cells["y"] == ("0.450", "", "undefined")


def test_several_names_are_a_list():
    labels = np.repeat([0, 1, 0], [40, 10, 50])
    data = {f"s{s}": (np.roll(labels, 5 * s), {d: np.roll(labels, 5 * s) for d in "abc"})
            for s in range(6)}  # fmt: skip
    title = aj.rank(data, "f1", shifts=39).board().tables[0].title
    assert title == "3 detectors on 6 series: a, b and c are better than chance"


def test_the_difference_from_the_first_is_beside_each(ranking):
    cells = column(ranking.board(), "p against a").cells
    rows = {r["other"]: r["p_adjusted"] for r in ranking.comparisons
            if r["metric"] == "auc_roc" and r["one"] == "a"}  # fmt: skip
    assert cells[0] == ""
    assert cells[2] == ("< 0.001" if rows["c"] < 0.001 else f"{rows['c']:.3f}")


def test_a_winner_that_hangs_on_one_data_set_is_named():
    matrix = np.array([[0.9, 0.1]] * 3 + [[0.2, 0.5]] * 2 + [[0.3, 0.4]])
    groups = list("xxxyzz")
    rows = {"series": [f"s{s}" for s in range(6) for _ in range(2)], "detector": ["a", "b"] * 6}
    rows |= {"value": matrix.ravel().tolist(), "group": [g for g in groups for _ in range(2)]}
    assert "without x the first is b" in aj.rank_values(rows).board().notes


def test_json_has_everything_that_is_printed_and_keeps_its_schema(ranking):
    text = ranking.to_json()
    found = json.loads(text)
    jsonschema.Draft202012Validator(schema("rank")).validate(found)
    layout = ranking.board()
    assert found["notes"] == list(layout.notes)
    for line in found["leaderboard"]:
        for name in ("detector", "mean", "low", "high", "median", "mean_rank", "series",
                     "compared_on", "first_share", "evidence"):  # fmt: skip
            assert name in line
    del found["leaderboard"][0]["mean_rank"]
    with pytest.raises(jsonschema.ValidationError, match="mean_rank"):
        jsonschema.Draft202012Validator(schema("rank")).validate(found)


def test_the_folder_has_the_same_json(tmp_path, ranking):
    rows = {**BASE, "value": np.linspace(0, 1, 30).tolist()}
    found = aj.rank_values(rows, out=tmp_path)
    assert (tmp_path / "ranking.json").read_text() == found.to_json() + "\n"


def test_the_shapes_are_of_one_layout(ranking):
    assert ranking.to_markdown() == markdown_of(ranking.board())
    assert r"\textbf{" in ranking.to_latex()
    assert "<b>" in ranking._repr_html_()
    assert "0.6" in ranking.to_markdown(digits=1)
    with pytest.raises(aj.InputError, match="digits must be"):
        ranking.to_markdown(digits=-1)


def test_a_ranking_of_nothing_can_be_read():
    labels, scores = [0, 2, 0], {"d": [0.1, 0.2, 0.3]}
    found = aj.rank({"a": (labels, scores)}, "auc_roc", chance=False)
    assert found.board().tables[0].rows == []
    assert json.loads(found.to_json())["failed"].keys() == {"a"}


def test_detectors_with_names_of_columns_are_printed_without_the_prefix():
    rows = {**BASE, "detector": ["score_a", "score_b", "c"] * 10, "value": [1, 2, 3] * 10}
    assert column(aj.rank_values(rows).board(), "detector").cells == ("c", "b", "a")


def test_metrics_of_stored_values_may_have_any_name():
    rows = {**BASE, "value": np.linspace(0, 1, 30).tolist(), "metric": ["F1 (mine"] * 30}
    layout = aj.rank_values(rows).board()
    assert column(layout, "F1 (mine").cells
    assert layout.notes[0].startswith("F1 (mine: mean over series, higher is better")


def by_data_set(groups, better=None):
    values = np.random.default_rng(5).random((10, 3)) + np.array([0.2, 0.1, 0.0])
    found = {**BASE, "value": values.ravel().tolist()}
    found["group"] = [groups[int(name[1:])] for name in found["series"]]
    return aj.rank_values(found, better=better), values


@pytest.mark.parametrize(("better", "best"), [("higher", np.argmax), ("lower", np.argmin)])
def test_each_data_set_has_a_line_with_the_means_of_all(better, best):
    ranking, values = by_data_set(["x"] * 4 + ["y"] * 6, better)
    _, table = ranking.board(digits=6).tables
    cells = {column.title: column for column in table.columns}
    assert (cells["data set"].cells, cells["series"].cells) == (("x", "y"), ("4", "6"))
    for line, rows in enumerate((values[:4], values[4:])):
        means = rows.mean(axis=0)
        for place, name in enumerate("abc"):
            assert float(cells[name].cells[line]) == pytest.approx(means[place], abs=1e-6)
            assert (line in cells[name].bold) == (best(means) == place)
    order = [column.title for column in table.columns[2:]]
    assert order == list(ranking.board().tables[0].columns[0].cells)
    assert table.title == "mean of value by data set"


def test_one_data_set_or_very_many_have_no_lines():
    assert len(by_data_set(["x"] * 10)[0].board().tables) == 1
    rows = {"series": [f"s{s}" for s in range(41)], "detector": ["a"] * 41, "value": [0.5] * 41}
    rows["group"] = [f"g{s}" for s in range(41)]
    assert len(aj.rank_values(rows).board().tables) == 1
    assert len(aj.rank_values({k: v[:40] for k, v in rows.items()}).board().tables) == 2


def leads(values):
    rows = {"series": [], "detector": [], "value": []}
    for name, column in values.items():
        for place, value in enumerate(column):
            rows["series"].append(f"s{place}")
            rows["detector"].append(name)
            rows["value"].append(value)
    return lead(aj.rank_values(rows), "value")


def test_two_sentences_say_who_leads():
    steps = np.linspace(0, 0.1, 12)
    far, near = 0.8 + steps, 0.799 + steps[::-1]
    assert (
        leads({"a": far})[0]
        == "a has the best mean rank (mean 0.850); no other detector is ranked."
    )
    assert leads({"a": far, "b": far - 0.5 - steps / 9})[0] == (
        "a has the best mean rank (mean 0.850), significantly ahead of all others."
    )
    assert leads({"a": far, "b": near})[0] == (
        "a has the best mean rank (mean 0.850); all others are statistically tied with it."
    )
    assert leads({"a": far, "b": near, "c": far - 0.5 - steps / 9})[0] == (
        "a has the best mean rank (mean 0.850); 1 of 2 others are statistically tied with it."
    )
    assert "too few units" in leads({"a": far[:2], "b": near[:2]})[0]
    apart = {"series": ["x", "y"], "detector": ["a", "b"], "value": [0.5, 0.5]}
    nobody = lead(aj.rank_values(apart), "value")
    assert nobody[0] == "No detector has enough series to be ranked."
    assert nobody[1] == "Nothing was compared with chance."


def test_the_second_sentence_is_about_chance():
    labels = [0] * 40 + [1] * 5 + [0] * 40
    data = {f"s{s}": (labels, {"good": labels, "blind": [1] + [0] * 84}) for s in range(6)}
    assert lead(aj.rank(data, "f1_ba", clock="own"), "f1_ba")[1] == (
        "1 of 2 ranked detectors are better than chance over all their series."
    )
