"""Power: the smallest difference that a benchmark can tell, and who would be first elsewhere."""

import json
import math
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.result_columns import schema
from adjudge.noise.intervals.means import mean_difference
from adjudge.ranking.power import _known_by, _quantiles, _times, told_pairs
from adjudge.ranking.standings.first_place import elsewhere
from adjudge.ranking.standings.rank_sets import rank_sets
from adjudge.ranking.standings.unit_sums import UnitSums

EIGHT = [
    [0.784, 0.516, 0.16], [0.444, 0.873, 0.565], [0.965, 0.001, 0.34], [0.769, 0.686, 0.561],
    [0.664, 0.876, 0.684], [0.547, 0.562, 0.666], [0.324, 0.669, 0.615], [0.786, 0.48, 0.027],
]  # fmt: skip
SETS = [*"aaabbccc"]


def ranked(matrix, groups=None, **options):
    """Rank a table of values: a row per series, a column per detector."""
    rows = [(f"s{s:03}", f"d{d}", v, "" if groups is None else groups[s])
            for s, row in enumerate(matrix) for d, v in enumerate(row)]  # fmt: skip
    series, detector, value, group = zip(*rows, strict=True)
    data = {"series": series, "detector": detector, "value": value}
    data["metric"] = [options.pop("metric", "own")] * len(rows)
    data |= {} if groups is None else {"group": group}
    return aj.rank_values(data, **options)


def slow_pair(one, other, groups=None):
    """The smallest difference and the units needed, term by term."""
    apart = [a - b for a, b in zip(one, other, strict=True)]
    mean = sum(apart) / len(apart)
    names = range(len(apart)) if groups is None else groups
    units = {}
    for name, d in zip(names, apart, strict=True):
        units[name] = units.get(name, 0.0) + d - mean
    k = len(units)
    se = math.sqrt(k / (k - 1) * sum(s * s for s in units.values())) / len(apart)
    smallest = (stats.t.ppf(0.975, k - 1) + stats.t.ppf(0.8, k - 1)) * se
    return smallest, math.ceil(k * ((1.959963984540054 + 0.8416212335729143) * se / mean) ** 2)


@pytest.mark.parametrize("by", ["series", "group"])
def test_pairs_are_those_of_the_slow_twin(by):
    rng = np.random.default_rng(0)
    matrix, groups = rng.random((30, 4)), rng.choice([*"abcdefg"], 30).tolist()
    for row in ranked(matrix, groups).power(by=by).pairs:
        one, other = (matrix[:, int(row[name][1:])] for name in ("one", "other"))
        smallest, needed = slow_pair(one, other, groups if by == "group" else None)
        assert row["smallest_plain"] == pytest.approx(smallest)
        assert row["needed"] == needed
        assert row["difference"] == pytest.approx(np.mean(one - other))


@pytest.mark.parametrize(
    ("by", "smallest", "needed"),
    [
        ("series", [0.5158914904, 0.4706417509, 0.2991765368], [262, 31, 31]),
        ("group", [0.5737087131, 0.5071944809, 0.0720691761], None),
    ],
)
def test_eight_series_as_worked_out_elsewhere(by, smallest, needed):
    found = ranked(EIGHT, SETS).power(by=by)
    rows = {(row["one"], row["other"]): row for row in found.pairs}
    pairs = [rows[pair] for pair in (("d0", "d1"), ("d0", "d2"), ("d1", "d2"))]
    assert [row["smallest_plain"] for row in pairs] == pytest.approx(smallest, rel=1e-8)
    assert found.smallest_plain == pytest.approx(sorted(smallest)[1])
    if needed:
        assert [row["needed"] for row in pairs] == needed
        assert (found.needed, found.difference) == (262, pytest.approx(0.0775))


def slow_knowledge(matrix, groups):
    """The degrees of freedom of a squared standard error, pair by pair and unit by unit."""
    names = sorted(set(groups))
    shares = [groups.count(name) / len(groups) for name in names]
    weights = [1 / (1 - share) for share in shares]
    squares, fourths = [], []
    for one, other in combinations(np.transpose(matrix), 2):
        apart = (one - other) - (one - other).mean()
        sums = [sum(d for d, g in zip(apart, groups, strict=True) if g == name) for name in names]
        squares.append(sum(w * s**2 for w, s in zip(weights, sums, strict=True)) ** 2)
        fourths.append(sum(w**2 * s**4 for w, s in zip(weights, sums, strict=True)))
    size = sum(w**2 * p**4 for w, p in zip(weights, shares, strict=True))
    size /= sum(w * p**2 for w, p in zip(weights, shares, strict=True)) ** 2
    tails = np.mean(fourths) / np.mean(squares) / size * (1 + 2 * size) - 3
    return (1 / size - 1) * 2 / (2 + min(max(tails, -1), 12))


def test_the_leaderboards_own_test_has_this_standard_error():
    rng = np.random.default_rng(1)
    matrix, groups = rng.random((40, 3)), np.repeat([*"abcdef"], [12, 10, 8, 5, 3, 2]).tolist()
    known_by, found, errors = slow_knowledge(matrix, groups), ranked(matrix, groups), []
    for row in found.power(by="group").pairs:
        one, other = (matrix[:, int(row[name][1:])] for name in ("one", "other"))
        known = mean_difference(one - other, groups)
        errors.append((known.high - known.low) / 2 / stats.t.ppf(0.975, known.df))
        times = _times(known_by, known_by, known.df)
        assert row["smallest"] == pytest.approx(times * errors[-1], rel=1e-3)
    times = _times(2 * known_by, known_by, known.df)
    typical = np.sqrt(np.mean(np.square(errors)))
    assert found.power(by="group").smallest == pytest.approx(times * typical, rel=1e-3)


@pytest.mark.parametrize("df", [3.0, 10.0, 40.0])
def test_a_standard_error_that_is_estimated_twice(df):
    rng, draws = np.random.default_rng(2), 100_000
    one, other = np.sqrt(rng.chisquare(df, (2, draws)) / df)
    told = (rng.standard_normal(draws) + _times(df, df, df) * one) / other
    assert (told > stats.t.ppf(0.975, df)).mean() == pytest.approx(0.8, abs=0.006)
    as_if_known = (rng.standard_normal(draws) + _quantiles(df) * one) / other
    assert (as_if_known > stats.t.ppf(0.975, df)).mean() < 0.79  # the plain formula promises more


def told_share(smallest, runs=300, units=10):
    """How often a benchmark tells the difference that another one was said to tell."""
    rng, told = np.random.default_rng(15), 0
    for _ in range(runs):
        apart = smallest(told_pairs([*"abcd"], rng.beta(2, 2, (units, 4)), None, 1))
        found = mean_difference(apart + np.diff(rng.beta(2, 2, (units, 2)))[:, 0])
        told += found.p_value <= 0.05 and found.mean > 0
    return told / runs


@pytest.mark.long
def test_what_ten_series_tell():
    assert told_share(lambda told: told.smallest) == pytest.approx(0.8, abs=0.06)
    assert told_share(lambda told: told.smallest / 2, 60) < 0.5  # the wrong double


def test_long_tails_leave_a_standard_error_less_known():
    rng, even = np.random.default_rng(16), np.full(50, 0.02)
    short, middle, long = (
        draw((50, 4)) for draw in (rng.random, rng.standard_normal, rng.standard_cauchy)
    )
    known = [_known_by(one - one.mean(axis=0), even) for one in (short, middle, long)]
    assert known[0] > known[1] > 2 * known[2]
    assert _known_by(np.zeros((50, 4)), even) == pytest.approx(49)


def test_copies_of_a_series_in_one_data_set_add_nothing():
    few = np.random.default_rng(3).random((8, 3))
    many, groups = np.repeat(few, 6, axis=0), np.repeat([*"abcdefgh"], 6).tolist()
    alone, together = ranked(few).power(), ranked(many, groups).power(by="group")
    assert together.smallest == pytest.approx(alone.smallest)
    assert together.needed == alone.needed
    assert ranked(many, groups).power(by="series").smallest < alone.smallest / 2  # the wrong double


def test_first_place_of_a_lead_and_of_none():
    rng = np.random.default_rng(4)
    sure = rng.random((20, 1)) + np.array([[0.0, 0.5, 0.1]])
    found = ranked(sure).power()
    assert found.first_place > 0.999
    assert found.tau == pytest.approx(1, abs=1e-3)
    assert (found.detectors[0], found.may_be_best) == ("d1", 1)
    assert found.places[0]["low"] == found.places[0]["high"] == 1
    assert (
        "over 99 of 100 cases (equal chances: 33); no other detector may be the best (95 %)\n"
        in f"{found}"
    )
    same = ranked(np.tile(rng.random((20, 1)), 2)).power()
    assert same.first_place == pytest.approx(0.5)
    assert same.needed is None
    assert same.difference == 0
    assert "the means of the first two, d0 and d1, differ by 0.000\n" in f"{same}\n"
    assert "2 of 2 detectors may be the best (95 %)\n" in f"{same}\n"
    assert "on 20 of 20 series detectors hardly differ" in f"{same}"
    unbounded = ranked(np.tile(rng.random((20, 1)), 3), metric="mine").power()
    assert unbounded.flat == 20  # the spread of equal values is 0, and not what rounding leaves


@pytest.mark.parametrize("by", ["series", "group"])
def test_places_are_those_of_the_means_of_all_units(by):
    matrix = np.random.default_rng(5).random((20, 3)) + np.array([0, 0.3, 0.1])
    groups = np.array([f"g{s % 8}" if s < 16 else "g0" for s in range(20)])
    found = ranked(matrix, groups.tolist()).power(by=by)
    units = UnitSums.of(matrix, groups if by == "group" else None)
    there, sets = elsewhere(units), rank_sets(units)
    assert found.tau == pytest.approx(there.tau)
    for row in found.places:
        place = int(row["detector"][1:])
        assert row["first"] == pytest.approx(there.first[place])
        assert (row["low"], row["high"]) == (sets.low[place], sets.high[place])
    assert found.may_be_best == (sets.low == 1).sum()


def test_who_is_first_without_a_data_set():
    matrix = [[0.9, 0.1], [0.9, 0.1], [0.3, 0.4], [0.3, 0.4], [0.2, 0.3], [0.2, 0.3]]
    found = ranked(matrix, [*"aabbcc"]).power(by="group")
    assert found.without == {"a": ["d1"], "b": ["d0"], "c": ["d0"]}
    assert "dropping one of these data sets changes the winner: a" in found.says
    assert ranked(matrix, [*"aabbcc"]).power().without == {}


def test_what_each_series_says():
    matrix = np.random.default_rng(7).random((10, 4)) * [1, 0.8, 0.6, 0.4]
    matrix[3], matrix[4] = 0.5, matrix[4, ::-1]
    found = ranked(matrix).power()
    order = [int(name[1:]) for name in found.detectors]
    for k, row in enumerate(found.information):
        rest = np.delete(matrix, k, axis=0).mean(axis=0)
        lead = rest[order[0]] - rest[order[1]]
        assert row["series"] == f"s{k:03}"
        assert row["spread"] == pytest.approx(matrix[k].std())
        assert row["lead_without"] == pytest.approx(lead)
        assert row["influence"] == pytest.approx(found.difference - lead)
        if k != 3:
            assert row["agrees"] == pytest.approx(stats.spearmanr(matrix[k], rest).statistic)
    assert math.isnan(found.information[3]["agrees"])
    assert found.flat == 1
    assert found.disagreeing == sum(row["agrees"] < 0 for row in found.information)


def test_of_values_without_bounds_only_equal_ones_are_flat():
    matrix = np.random.default_rng(8).random((5, 2)) / 100
    matrix[1] = 0.005
    assert ranked(matrix, metric="mine").power().flat == 1
    assert ranked(matrix, metric="auc_roc").power().flat == 5


def test_lower_values_may_be_better():
    matrix = np.random.default_rng(9).random((15, 3))
    low, high = ranked(matrix, better="lower").power(), ranked(-matrix, metric="mine").power()
    assert low.detectors == high.detectors
    assert low.smallest == pytest.approx(high.smallest)
    assert [row["mean"] for row in low.places] == pytest.approx([-r["mean"] for r in high.places])
    own = {(r["one"], r["other"]): r["difference"] for r in low.pairs}
    for one, other in combinations(low.detectors, 2):
        assert own[one, other] == pytest.approx(
            matrix[:, int(one[1:])].mean() - matrix[:, int(other[1:])].mean()
        )


def test_series_that_a_ranked_detector_has_no_value_on_are_left_out():
    matrix = np.random.default_rng(10).random((20, 3))
    holes = matrix.copy()
    holes[4, 1] = np.nan  # judged, and undefined
    found = ranked(holes).power()
    assert (found.series, found.units) == (19, 19)
    assert found.smallest == pytest.approx(ranked(np.delete(matrix, 4, axis=0)).power().smallest)


def test_needed_for_a_difference():
    found = ranked(np.random.default_rng(11).random((20, 3))).power()
    assert found.needed_for(found.smallest) < 20 < found.needed_for(found.smallest / 2)
    with pytest.raises(aj.InputError, match="difference must be"):
        found.needed_for(0)


@pytest.mark.parametrize("shape", [(2, 3), (5, 1)])
def test_too_little_says_so(shape):
    found = ranked(np.random.default_rng(12).random(shape)).power()
    assert math.isnan(found.smallest)
    assert math.isnan(found.told)
    assert "is unknown" in str(found)
    assert found.needed is None
    assert "this benchmark" in found.layout().verdicts[0]
    if shape == (2, 3):
        assert math.isnan(found.first_place)


def test_nobody_with_a_value_everywhere_leaves_nothing():
    matrix = np.array([[0.5, np.nan], [np.nan, 0.5], [0.5, np.nan], [np.nan, 0.5]])
    found = ranked(matrix).power()
    assert (found.series, found.pairs, found.information) == (0, [], [])


def test_one_data_set_with_most_of_the_series_is_no_test():
    matrix = np.random.default_rng(13).random((20, 2))
    found = ranked(matrix, [*"a" * 16, *"bbcc"]).power(by="group")
    assert math.isnan(found.smallest)
    assert math.isnan(found.first_place)
    why = "data sets"
    assert why in str(found)
    assert "6 units" not in str(ranked(matrix, [*"a" * 14, *"bbcdef"]).power(by="group"))
    assert "one data set has more than 60 % of the series" in str(
        ranked(matrix, [*"a" * 14, *"bbcdef"]).power(by="group")
    )


def test_few_units_tell_nothing_of_that_kind():
    few = ranked(np.random.default_rng(17).random((5, 3))).power()
    assert math.isnan(few.smallest)
    assert few.smallest_plain > 0
    assert (
        "the smallest difference that 5 series can detect is unknown: at least 6 series are needed"
        in few.says
    )
    assert math.isnan(few.told)
    assert few.first_place > 0
    assert few.may_be_best is None
    assert "Which detectors may be the best" in str(few)
    assert few.layout().tables[0].columns[-1].cells == ("",)


def test_data_sets_must_be_known_and_words_right():
    ranking = ranked(EIGHT)
    with pytest.raises(aj.InputError, match="by='group' needs the data set of each series"):
        ranking.power(by="group")
    with pytest.raises(aj.InputError, match="by must be"):
        ranking.power(by="points")
    assert [one.by for one in ranking.powers()] == ["series"]


def test_many_data_sets_that_matter_are_counted():
    rng = np.random.default_rng(14)
    matrix = np.repeat(rng.random((12, 1)), 2, axis=1)
    matrix[0] += [1.2, 0]
    matrix[1:] += [0, 0.1]
    found = ranked(matrix, [f"g{place:02}" for place in range(12)]).power(by="group")
    assert found.without["g00"] == ["d1"]
    matrix[0] -= [0.101, 0]
    close = ranked(matrix, [f"g{place:02}" for place in range(12)]).power(by="group")
    assert len([1 for first in close.without.values() if first != ["d0"]]) >= 1


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("power") / "values.csv"
    lines = ["series,detector,value,group"]
    lines += [f"s{s},d{d},{v},{SETS[s]}" for s, row in enumerate(EIGHT) for d, v in enumerate(row)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_example_that_judges_published_values(tmp_path, capsys, monkeypatch):
    place = Path(__file__).parents[2] / "examples" / "tsb_ad.py"
    spec = spec_from_file_location("tsb_ad", place)
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    rng = np.random.default_rng(0)
    rows = [",".join([f"{k:03}_set{k % 4}_x.csv", *map(repr, map(float, rng.random(4))), "100"])
            for k in range(8)]  # fmt: skip
    head = ",".join(["file", *(f"d{d}" for d in range(4)), "ts_len"])
    values = tmp_path / "values.csv"
    values.write_text("\n".join([head, *rows]) + "\n")
    monkeypatch.setattr("sys.argv", ["tsb_ad.py", str(values)])
    example.main()
    text = capsys.readouterr().out
    assert "## Which differences stand" in text
    assert "orders 4 detectors by their mean VUS-PR over 8 series of 4 data sets" in text


def run(*arguments):
    return CliRunner().invoke(main, ["rank", *map(str, arguments)])


def test_the_command_line_prints_both_readings(table, tmp_path):
    found = run(table, "--values", "--power", "--html", tmp_path / "page.html")
    assert found.exit_code == 0, found.output
    assert "8 series" in found.stdout
    assert "if their means differ by 0.4" in found.stdout
    unknown = "the smallest difference that 3 data sets can detect is unknown"
    assert unknown in found.stdout
    assert unknown in (tmp_path / "page.html").read_text("utf-8")


def test_json_keeps_its_schema(table):
    found = json.loads(run(table, "--values", "--power", "--json").stdout)
    jsonschema.Draft202012Validator(schema("rank")).validate(found)
    assert [one["by"] for one in found["power"]] == ["series", "group"]
    assert len(found["power"][0]["information"]) == 8
    del found["power"][0]["smallest"]
    with pytest.raises(jsonschema.ValidationError, match="smallest"):
        jsonschema.Draft202012Validator(schema("rank")).validate(found)
    assert "power" not in json.loads(run(table, "--values", "--json").stdout)


def test_power_has_no_effect_on_what_moved(table, tmp_path):
    assert run(table, "--values", "--out", tmp_path / "old").exit_code == 0
    found = run(table, "--values", "--against", tmp_path / "old", "--power")
    assert found.exit_code == 2
    assert "--power has no effect with --against" in found.output


def test_names_are_printed_without_their_prefix_and_first_place_is_shared():
    values = {f"s{k}": (0.5 + k / 10, 0.5 + k / 10) for k in range(4)}
    frame = {
        "series": [name for name in values for _ in range(2)],
        "detector": ["score_a", "score_b"] * len(values),
        "value": [value for pair in values.values() for value in pair],
        "group": [f"g{k}" for k in range(4) for _ in range(2)],
    }
    says = " ".join(aj.rank_values(frame).power(by="group").says)
    assert "the means of the first two, a and b, differ by 0.000" in says
    assert "data sets" in says
    assert "changes the winner" not in says  # it shares the place
