"""What file names say of series and detectors, by a pattern with named fields."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import adjudge as aj
from adjudge.cli import main
from adjudge.errors import FileError
from adjudge.io.file_names import NamePattern, matched
from messages import refused

SERIES = "{series} - {detector}.csv"
N = 40


def naive_readings(text, name):
    """All ways to read a name, by trying every cut of it."""
    pieces = re.split(r"\{(\w+)\}", text)

    def ways(place, rest, known):
        if place == len(pieces):
            return [known] if not rest else []
        if place % 2 == 0:
            literal = pieces[place]
            return ways(place + 1, rest[len(literal) :], known) if rest.startswith(literal) else []
        field, found = pieces[place], []
        for end in range(1, len(rest) + 1):
            own = rest[:end]
            if "/" in own and field != "dataset":
                break
            before = [value for one, value in known if one == field and field != "any"]
            if not before or before[0] == own:
                found += ways(place + 1, rest[end:], [*known, (field, own)])
        return found

    return ways(0, name, [])


@given(
    text=st.sampled_from([
        "{series}-{detector}.csv", "{dataset}/{series}-{detector}.csv", "{any}-{series}.csv",
        "{series}/{detector}-{series}.csv", "{series}-{detector}-{seed}.csv",
    ]),
    name=st.text(alphabet="ab-/", min_size=1, max_size=9).map(lambda stem: f"{stem}.csv"),
)  # fmt: skip
def test_a_name_is_read_where_there_is_one_way_and_refused_where_there_are_two(text, name):
    ways = naive_readings(text, name)
    if len(ways) > 1:
        with pytest.raises(FileError):
            NamePattern(text).read(name)
        return
    cell = NamePattern(text).read(name)
    if not ways:
        assert cell is None
        return
    said = dict(ways[0])
    series = f"{said['dataset']}/{said['series']}" if "dataset" in said else said["series"]
    seed = f"#{said['seed']}" if "seed" in said else ""
    assert cell == (series, said.get("detector", "") + seed)


def test_brackets_and_dots_in_a_pattern_are_literal():
    pattern = NamePattern("x[1].{series}_{detector}.csv.gz")
    assert pattern.read("x[1].a_lof.csv.gz") == ("a", "lof")
    assert pattern.read("x1.a_lof.csv.gz") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{serie}.csv", "layout must have fields of {series}, {detector}, got {serie}"),
        ("{detector}.csv", "layout must name {series}, got '{detector}.csv'"),
        ("{series}_{seed}.csv", "layout must name {detector} with {seed}"),
        ("{series}{detector}.csv", "layout must have text, got '{series}{detector}.csv'"),
        ("{series}_{detector}", "layout must end in .csv, got '{series}_{detector}'"),
        ("{series}.xlsx", "layout must end in .csv, got '{series}.xlsx'"),
        (5, "layout must be a pattern, got 5"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(text, message):
    with refused(message):
        NamePattern(text)


def test_a_name_with_two_readings_is_refused():
    with pytest.raises(FileError, match=r"^c - 2 - lof\.csv: .* got 'c' and 'c - 2'"):
        NamePattern(SERIES).read("c - 2 - lof.csv")


def test_two_files_of_one_cell_and_no_match_are_refused():
    files = [Path("d/a/x_lof.csv"), Path("d/b/x_lof.csv")]
    with pytest.raises(FileError, match=r"^d/b/x_lof.csv: .*d/a/x_lof.csv"):
        matched(NamePattern("{any}/{series}_{detector}.csv"), files, Path("d"))
    with pytest.raises(FileError, match=r"^d: .*none of 2 files, such as d/a/x_lof.csv"):
        matched(NamePattern(SERIES), files, Path("d"))
    with pytest.raises(FileError, match=r"^d: .*got no file"):
        matched(NamePattern(SERIES), [], Path("d"))


def write(path, seed, labels):
    path.parent.mkdir(parents=True, exist_ok=True)
    scores = np.random.default_rng(seed).random(N)
    rows = (f"{label},{score:.3f}" for label, score in zip(labels, scores, strict=True))
    path.write_text("\n".join(["label,score", *rows, ""]))


def labels_of(series):
    at = 5 + 7 * series % 31
    return [int(at <= point < at + 4) for point in range(N)]


def fill(folder, series, detectors, *, missing=(), name="Series {:02d} - {}.csv"):
    for place, (number, detector) in enumerate(product(range(series), detectors)):
        if (number, detector) not in missing:
            write(folder / name.format(number, detector), place, labels_of(number))


DETECTORS = ["Iso Forest", "LOF", "PCA", "k-NN", "OCSVM", "HBOS", "Auto Encoder", "Noise"]


def cli(*args):
    return CliRunner().invoke(main, [str(one) for one in args])


def test_478_files_of_a_flat_folder_are_ranked_in_one_try(tmp_path):
    holes = [(7, "Iso Forest"), (41, "LOF")]
    fill(tmp_path / "scores", 60, DETECTORS, missing=holes)
    (tmp_path / "scores" / "notes.md").write_text("not a series")
    done = cli("rank", tmp_path / "scores", "--layout", SERIES, "--out", tmp_path / "ranked",
               "--metric", "auc_roc", "--no-chance")  # fmt: skip
    assert done.exit_code == 0, done.output
    line = done.output.splitlines()[0]
    for fact in (
        "60 series found", "478 files", "60 series x 8 detectors", "2 without a file",
        "Iso Forest on Series 07", "LOF on Series 41", "notes.md (does not match the layout)",
    ):  # fmt: skip
        assert fact in line
    ranking = aj.read_ranking(tmp_path / "ranked")
    assert sorted(ranking.detectors) == sorted(DETECTORS)
    assert len(ranking.series) == 60
    assert len(ranking.results) == 478
    series = {row["detector"]: row["series"] for row in ranking.leaderboard}
    assert series == {name: 60 - (name in {"Iso Forest", "LOF"}) for name in DETECTORS}


def test_a_flat_folder_of_series_and_detectors_gets_its_pattern_as_a_hint(tmp_path):
    fill(tmp_path, 6, DETECTORS[:3])
    told = []
    found = aj.rank(tmp_path, "auc_roc", chance=False, listed=told.append)
    assert len(found.series) == 18  # as they are, each a series
    assert f'--layout "{SERIES}"' in told[0]
    told.clear()
    assert len(aj.rank(tmp_path, "auc_roc", chance=False, layout=SERIES).detectors) == 3


def test_the_hint_puts_the_detector_where_labels_agree(tmp_path):
    fill(tmp_path, 3, DETECTORS[:4], name="{1}__{0}.csv")
    told = []
    aj.rank(tmp_path, "auc_roc", chance=False, listed=told.append)
    assert '"{detector}__{series}.csv"' in told[0]


@pytest.mark.parametrize("name", ["machine-{0}-{1}.csv", "{0}{1}.csv", "x/{0}-{1}.csv"])
def test_names_without_shared_labels_or_in_folders_get_no_hint(tmp_path, name):
    for number, detector in product(range(3), range(3)):
        write(tmp_path / name.format(number, detector), 0, labels_of(5 * number + detector))
    told = []
    aj.rank(tmp_path, "auc_roc", chance=False, listed=told.append)
    assert told == ["9 series found"]


def test_names_that_the_pattern_reads_in_two_ways_get_no_hint(tmp_path):
    for number, detector in product(range(3), ["a-b", "c-d"]):
        write(tmp_path / f"{number}-{detector}.csv", 0, labels_of(number))
    told = []
    aj.rank(tmp_path, "auc_roc", chance=False, listed=told.append)
    assert told == ["6 series found"]


def test_files_of_which_a_layout_needs_no_hint_are_those_of_other_suffixes(tmp_path):
    np.savez(tmp_path / "a.npz", label=labels_of(1), score=np.arange(N))
    told = []
    aj.rank(tmp_path, "auc_roc", chance=False, listed=told.append)
    assert told == ["1 series found"]


def test_data_sets_and_folders_are_fields_as_well(tmp_path):
    fill(tmp_path / "nab" / "lof", 2, ["s"], name="{1}{0}.csv")
    fill(tmp_path / "nab" / "pca", 2, ["s"], name="{1}{0}.csv")
    found = aj.rank(tmp_path, "auc_roc", chance=False, layout="{dataset}/{detector}/{series}.csv")
    assert found.series == ["nab/s0", "nab/s1"]
    assert sorted(found.detectors) == ["lof", "pca"]


def test_a_pattern_without_detectors_names_series_alone(tmp_path):
    write(tmp_path / "run-a-2026.csv", 1, labels_of(1))
    write(tmp_path / "run-b-2027.csv", 2, labels_of(2))
    found = aj.rank(tmp_path, "auc_roc", chance=False, layout="run-{series}-{any}.csv")
    assert found.series == ["a", "b"]
    assert found.detectors == ["score"]


def test_labels_may_lie_apart_from_scores(tmp_path):
    fill(tmp_path / "labels", 2, [""], name="s{0}{1}.csv")
    for number, detector in product(range(2), ["lof", "pca"]):
        (tmp_path / "scores").mkdir(exist_ok=True)
        np.save(tmp_path / "scores" / f"s{number}_{detector}.npy", np.arange(N) % 7)
    how = {"metrics": "auc_roc", "chance": False, "score_folder": tmp_path / "scores"}
    found = aj.rank(tmp_path / "labels", layout="{series}_{detector}.npy", **how)
    assert found.series == ["s0", "s1"]
    assert {"lof", "pca"} <= set(found.detectors)
    np.save(tmp_path / "scores" / "s9_lof.npy", np.arange(N))
    with pytest.raises(FileError, match=r"labels: must hold the labels .*s9"):
        aj.rank(tmp_path / "labels", layout="{series}_{detector}.npy", **how)
    with refused("layout must name {detector} with score_folder=, got '{series}.npy'"):
        aj.rank(tmp_path / "labels", layout="{series}.npy", **how)


def test_a_layout_where_no_folder_is_has_no_effect(tmp_path):
    write(tmp_path / "a - lof.csv", 1, labels_of(1))
    with refused("layout has no effect on files of points"):
        aj.rank(tmp_path / "a - lof.csv", "auc_roc", chance=False, layout=SERIES)
