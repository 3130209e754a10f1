"""The regret of a selector: a slow twin, its extremes, what is refused, and the command line."""

import json
import math
import statistics

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import t

from adjudge.cli import main
from adjudge.errors import InputError, UnknownName
from adjudge.ranking.values import rank_values

NAMES = ["lof", "mine", "other"]


def table(values, groups=None):
    """The values of detectors, a column each, as a table of values."""
    series = [f"{groups[s]}/s{s}" if groups else f"s{s}" for s in range(len(values))]
    return series, {
        "series": [name for name in series for _ in NAMES],
        "detector": NAMES * len(values),
        "value": [value for row in values for value in row],
    }


def student(values, level):
    """Student's interval of a mean, from its definition."""
    mean, count = statistics.fmean(values), len(values)
    reach = t.ppf(0.5 + level / 2, count - 1) * statistics.stdev(values) / math.sqrt(count)
    return mean - reach, mean + reach


@pytest.mark.parametrize("seed", range(12))
def test_it_equals_its_slow_twin(seed):
    rng = np.random.default_rng(seed)
    values = rng.random((int(rng.integers(3, 12)), 3)).round(2).tolist()
    series, data = table(values)
    choice = {
        name: NAMES[k] for name, k in zip(series, rng.integers(0, 3, len(series)), strict=True)
    }
    if seed == 0:
        choice = dict.fromkeys(series, "mine")
    found = rank_values(data).regret(choice)
    own = [row[NAMES.index(choice[name])] for name, row in zip(series, values, strict=True)]
    to_best = [max(row) - mine for row, mine in zip(values, own, strict=True)]
    ahead = {d: [row[k] - mine for row, mine in zip(values, own, strict=True)]
             for k, d in enumerate(NAMES)}  # fmt: skip
    means = {d: statistics.fmean(own) for d, own in ahead.items()}
    assert found.to_best == pytest.approx(statistics.fmean(to_best))
    assert found.to_single == pytest.approx(max(means.values()))
    assert means[found.detector] == max(means.values())
    apart = {d: sum(map(bool, own)) for d, own in ahead.items()}
    told = [own for d, own in ahead.items()
            if apart[d] >= min(10, len(series) / 2)]  # fmt: skip
    low, high = math.nan, math.nan
    if ahead[found.detector] in told:
        low = max(student(own, 1 - 0.05 / 3)[0] for own in told)
        high = max(student(own, 0.95)[1] for own in told)
    expected = pytest.approx((low, high), nan_ok=True)
    assert (found.to_single_low, found.to_single_high) == expected
    assert found.best == pytest.approx(statistics.fmean(map(max, values)))
    assert found.mean == pytest.approx(statistics.fmean(own))
    assert found.closed == pytest.approx(
        (found.mean - found.single) / (found.best - found.single), nan_ok=True
    )
    assert found.to_best_low <= found.to_best <= found.to_best_high
    assert sum(found.chosen.values()) == found.series == found.of == len(series)


def test_the_extremes():
    values = [[0.2, 0.9, 0.1], [0.8, 0.3, 0.2], [0.9, 0.4, 0.1], [0.1, 0.7, 0.3]]
    series, data = table(values)
    ranking = rank_values(data)
    right = ranking.regret(dict(zip(series, ["mine", "lof", "lof", "mine"], strict=True)))
    assert (right.to_best, right.closed) == (0, 1)
    assert right.to_single < 0
    single = ranking.regret(dict.fromkeys(series, right.detector))
    assert (single.to_single, single.closed) == (0, 0)
    assert math.isnan(single.to_single_low)
    assert "does not differ significantly from mine alone" in str(single)


def test_whether_choosing_pays_is_said_where_it_is_shown():
    rng = np.random.default_rng(1)
    values = rng.normal(0.4, 0.05, (40, 3)).clip(0, 1)
    values[np.arange(40), rng.integers(0, 3, 40)] += 0.3
    series, data = table(values.tolist())
    ranking = rank_values(data)
    best = {name: NAMES[k] for name, k in zip(series, values.argmax(axis=1), strict=True)}
    worst = {name: NAMES[k] for name, k in zip(series, values.argmin(axis=1), strict=True)}
    assert "the selector is better than " in str(ranking.regret(best))
    assert "the selector is worse than " in str(ranking.regret(worst))
    assert ranking.regret(best).columns()["against"] == ["best of each series", *{
        ranking.regret(best).detector}]  # fmt: skip


def test_lower_values_may_be_better():
    series, data = table([[3, 5, 9], [4, 2, 8], [3, 4, 9]])
    found = rank_values(data, better="lower").regret(dict.fromkeys(series, "mine"))
    assert (found.mean, found.best, found.single) == pytest.approx((11 / 3, 8 / 3, 10 / 3))
    assert (found.detector, found.to_best, found.to_single) == pytest.approx(("lof", 1, 1 / 3))


def test_data_sets_are_the_units_where_they_are_known():
    rng = np.random.default_rng(2)
    series, data = table(rng.random((12, 3)).tolist(), groups="aaabbbcccddd")
    found = rank_values(data).regret(dict.fromkeys(series, "lof"))
    assert "4 data sets" in found.evidence
    few, data = table(rng.random((4, 3)).tolist(), groups="aabb")
    found = rank_values(data).regret(dict.fromkeys(few, "lof"))
    assert math.isnan(found.to_best_low)
    assert "too few to say" in str(found)


def test_series_that_not_all_have_are_left_out():
    series, data = table([[0.5, 0.4, 0.1]] * 20)
    data["value"][4] = math.nan
    found = rank_values(data, min_coverage=0.5).regret(dict.fromkeys(series, "lof"))
    assert (found.series, found.of) == (19, 20)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"s1": None}, InputError, "selection must name a detector for"),
        ({"s1": "lop"}, UnknownName, "lof"),
    ],
)
def test_wrong_choices_are_refused(change, error, said):
    series, data = table([[0.5, 0.4, 0.1], [0.2, 0.3, 0.3], [0.1, 0.2, 0.4]])
    choice = {**dict.fromkeys(series, "mine"), **change}
    choice = {name: own for name, own in choice.items() if own is not None}
    with pytest.raises(error, match=said):
        rank_values(data).regret(choice)


def test_without_a_series_on_which_all_have_values_there_is_no_regret():
    ranking = rank_values({"series": ["a", "b"], "detector": ["x", "y"], "value": [1.0, 0.5]})
    with pytest.raises(InputError, match="regret needs a series on which all ranked detectors"):
        ranking.regret({"a": "x", "b": "y"})


def test_the_command_line_reads_the_choices_from_a_table(tmp_path):
    values = "series,detector,value\na,one,.5\nb,one,.9\nc,one,.4\na,two,.7\nb,two,.3\nc,two,.6\n"
    (tmp_path / "values.csv").write_text(values)
    (tmp_path / "chosen.csv").write_text("series,detector\na,two\nb,one\nc,two\n")
    (tmp_path / "twice.csv").write_text("series,detector\na,two\na,one\n")
    (tmp_path / "other.csv").write_text("series,model\na,two\n")

    def run(file, *more):
        options = ["--values", "--selector", str(tmp_path / file), *more]
        return CliRunner().invoke(main, ["rank", str(tmp_path / "values.csv"), *options])

    printed = run("chosen.csv")
    assert printed.exit_code == 0, printed.output
    assert "it closes 100 % of the gap (3 of 3 series; " in printed.stdout
    found = json.loads(run("chosen.csv", "--json").stdout)
    assert found["regret"]["to_best"] == 0
    assert found["leaderboard"]
    for file, said in {
        "twice.csv": "one detector for each series, got 'two' and 'one' for 'a'",
        "other.csv": "must have the columns series and detector",
    }.items():
        refused = run(file)
        assert refused.exit_code == 2
        assert said in refused.stderr


def test_of_rare_differences_there_is_no_interval():
    rng = np.random.default_rng(3)
    series, data = table((rng.random((30, 3)) * 0.3 + [0.7, 0, 0]).tolist())
    choice = dict.fromkeys(series, "lof") | dict.fromkeys(series[:3], "mine")
    found = rank_values(data).regret(choice)
    assert math.isnan(found.to_single_low)
    assert found.to_best_low < found.to_best_high
    assert "differs from the best single" in str(found)
    wrong = rank_values(data).regret(
        {name: {"lof": "other"}.get(d, d) for name, d in choice.items()}
    )
    assert wrong.detector == "lof"
    assert wrong.to_single_low > 0
