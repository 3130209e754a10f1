"""A folder per detector with a file per series: what is read, and what is said otherwise."""

import numpy as np
import pandas as pd
import pytest

from adjudge.errors import FileError, InputError
from adjudge.ranking.run import rank

N = 60
QUICK = {"metrics": "auc_roc", "chance": False}


def labels(seed):
    found = np.zeros(N, int)
    found[10 + seed : 20 + seed] = 1
    return found


def scores(seed, detector):
    return np.random.default_rng([seed, len(detector)]).random(N) + labels(seed)


def write(file, **columns):
    file.parent.mkdir(exist_ok=True, parents=True)
    frame = pd.DataFrame(columns)
    frame.to_parquet(file) if file.suffix == ".parquet" else frame.to_csv(file, index=False)


@pytest.fixture
def place(tmp_path):
    """Labels of three series, one of them in a data set, and two detectors."""
    for seed, name in enumerate(("a", "b", "set/c")):
        write(tmp_path / "truth" / f"{name}.csv", label=labels(seed))
        for detector in ("lof", "mine"):
            file = tmp_path / "scores" / detector / f"{name}.npy"
            file.parent.mkdir(exist_ok=True, parents=True)
            np.save(file, scores(seed, detector))
    return tmp_path


def values(found):
    return {(r["series"], r["detector"]): r["value"] for r in found.results if not r["error"]}


def errors(found):
    return {(r["series"], r["detector"]): r["error"] for r in found.results if r["error"]}


def expected():
    data = {
        name: (labels(seed), {d: scores(seed, d) for d in ("lof", "mine")})
        for seed, name in enumerate(("a", "b", "set/c"))
    }
    return rank(data, **QUICK)


def test_scores_are_found_by_the_names_of_detector_and_series(place):
    found = rank(place / "truth", score_folder=place / "scores", **QUICK)
    assert values(found) == values(expected())
    assert [line["detector"] for line in found.leaderboard] == ["lof", "mine"]


def test_folders_between_detector_and_series_do_not_matter_where_names_are_clear(place):
    (place / "scores" / "lof" / "a.npy").rename(place / "scores" / "lof" / "set" / "a.npy")
    assert values(rank(place / "truth", score_folder=place / "scores", **QUICK)) == values(
        expected()
    )


def test_tables_of_scores_are_read_by_their_score_column(place):
    (place / "scores" / "lof" / "a.npy").unlink()
    write(place / "scores" / "lof" / "a.parquet", time=range(N), score=scores(0, "lof"))
    (place / "scores" / "mine" / "b.npy").unlink()
    write(place / "scores" / "mine" / "b.csv", when=range(N), score=scores(1, "mine"))
    found = rank(place / "truth", score_folder=place / "scores", **QUICK)
    assert values(found) == values(expected())


def test_a_column_is_named_where_it_has_another_name(place):
    for detector in ("lof", "mine"):
        for seed, name in enumerate(("a", "b", "set/c")):
            file = place / "scores" / detector / f"{name}.npy"
            file.unlink()
            write(file.with_suffix(".csv"), distance=scores(seed, detector), other=range(N))
    found = rank(place / "truth", score_folder=place / "scores", scores="distance", **QUICK)
    assert values(found) == values(expected())


def test_what_does_not_fit_fails_that_detector_alone(place):
    np.save(place / "scores" / "lof" / "a.npy", np.zeros(N - 1))
    (place / "scores" / "mine" / "b.npy").unlink()
    write(place / "scores" / "mine" / "b.parquet", score=range(N), score_other=range(N))
    found = rank(place / "truth", score_folder=place / "scores", **QUICK)
    said = errors(found)
    assert "must be as long as the labels (60), got 59" in said["a", "lof"]
    assert "there must be one score column, got score, score_other" in said["b", "mine"]
    assert len(values(found)) == 4


def test_files_that_are_nobodys_scores_are_left_out(place):
    (place / "scores" / "lof" / "readme.md").write_text("mine")
    np.save(place / "scores" / "lof" / "z.npy", np.zeros(N))
    found = rank(place / "truth", score_folder=place / "scores", **QUICK)
    assert {path.rpartition("/")[2]: why for path, why in found.left_out.items()} == {
        "readme.md": "no <detector>/<series> of scores", "z.npy": "no series of that name",
    }  # fmt: skip


def test_the_folder_of_one_detector_is_refused(place):
    with pytest.raises(FileError, match=r"must hold a folder per detector .* such as lof/a\.npy"):
        rank(place / "truth", score_folder=place / "scores" / "lof" / "set", **QUICK)


def test_two_files_for_one_cell_are_refused(place):
    write(place / "scores" / "lof" / "a.csv", score=scores(0, "lof"))
    with pytest.raises(FileError, match=r"a\.npy: .*a\.csv has scores of that series already"):
        rank(place / "truth", score_folder=place / "scores", **QUICK)


def test_a_series_without_any_scores_fails(place):
    write(place / "truth" / "d.csv", label=labels(1))
    found = rank(place / "truth", score_folder=place / "scores", **QUICK)
    assert found.failed == {"d": "d.csv: no detector has scores for this series"}


def test_how_to_join_is_refused(place):
    with pytest.raises(InputError, match="on has no effect on a folder per detector"):
        rank(place / "truth", score_folder=place / "scores", on="time", **QUICK)


@pytest.fixture
def labelled(tmp_path):
    """Every file has labels and one score."""
    for seed, name in enumerate(("a", "b")):
        for detector in ("lof", "mine"):
            write(tmp_path / "all" / detector / f"{name}.csv", label=labels(seed),
                  score=scores(seed, detector))  # fmt: skip
    return tmp_path / "all"


def test_folders_with_the_same_labels_are_detectors(labelled):
    found = rank(labelled, **QUICK)
    assert found.series == ["a", "b"]
    assert found.detectors == ["lof", "mine"]
    known = values(expected())
    assert values(found) == {key: known[key] for key in values(found)}


@pytest.mark.parametrize("n", [N, N - 5])
def test_folders_with_other_labels_are_data_sets(labelled, n):
    for name in ("a", "b"):
        write(labelled / "mine" / f"{name}.csv", label=labels(7)[:n], score=scores(7, "mine")[:n])
    found = rank(labelled, **QUICK)
    assert found.series == ["lof/a", "lof/b", "mine/a", "mine/b"]
    assert found.detectors == ["score"]


def test_folders_with_several_detectors_in_a_file_are_data_sets(labelled):
    for detector in ("lof", "mine"):
        for seed, name in enumerate(("a", "b")):
            write(labelled / detector / f"{name}.csv", label=labels(seed),
                  score_x=scores(seed, "x"), score_y=scores(seed, "yy"))  # fmt: skip
    found = rank(labelled, **QUICK)
    assert found.series == ["lof/a", "lof/b", "mine/a", "mine/b"]


@pytest.mark.parametrize("broken", ["b.csv", "a.csv"])
def test_files_that_cannot_be_read_are_told(labelled, broken):
    (labelled / "mine" / broken).write_text("label,score\n0,x\n")
    found = rank(labelled, **QUICK)
    assert any(
        "not a number: 'x'" in why for why in [*errors(found).values(), *found.failed.values()]
    )


def two_events(seed):
    return np.where((np.arange(N) >= 45) & (np.arange(N) < 52), 1, labels(seed))


WRONG = {
    "a point more": lambda truth: np.where(np.arange(N) == 3, 1, truth),
    "an event less": lambda truth: np.where(np.arange(N) > 40, 0, truth),
    "those of another series": lambda truth: truth[::-1],
    "none": lambda truth: 0 * truth,
    "rows less": lambda truth: truth[:-5],
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("detectors", [2, 3, 8])
@pytest.mark.parametrize("series", ["a", "b"])
def test_no_file_decides_the_labels_of_the_others(tmp_path, wrong, detectors, series):
    """The series is refused, whichever file it is; others are judged as if it were right."""
    names = [f"d{place}" for place in range(detectors)]
    for seed, name in enumerate("ab"):
        for detector in names:
            write(
                tmp_path / detector / f"{name}.csv", label=two_events(seed), score=scores(seed, "x")
            )
    right = values(rank(tmp_path, **QUICK))
    assert len(right) == 2 * detectors
    seed = "ab".index(series)
    for odd in (names[0], names[-1]):
        file = tmp_path / odd / f"{series}.csv"
        before, column = file.read_text(), WRONG[wrong](two_events(seed))
        write(file, label=column, score=scores(seed, "x")[: len(column)])
        found = rank(tmp_path, **QUICK)
        file.write_text(before)
        assert found.detectors == names
        assert list(found.failed) == [series]
        assert values(found) == {key: value for key, value in right.items() if key[0] != series}
        why = found.failed[series]
        assert why.startswith(f"{series}.csv: labels must be the same for all detectors, got ")
        if detectors > 2:
            assert why.endswith(f"; correct the file of {odd}")
            assert f" of {odd} for " in why
            assert f" of {detectors - 1} others" in why
        else:
            assert " of d1 for " in why
            assert " of d0" in why
            assert why.endswith("; correct the file of one of them")


@pytest.fixture
def three(tmp_path):
    """Three detectors, of which one has another label of series b."""
    for seed, name in enumerate("ab"):
        for detector in ("knn", "lof", "pca"):
            write(
                tmp_path / detector / f"{name}.csv", label=two_events(seed), score=scores(seed, "x")
            )
    wrong = two_events(1)
    wrong[3] = 1 - wrong[3]
    write(tmp_path / "pca" / "b.csv", label=wrong, score=scores(1, "x"))
    return tmp_path


def test_the_labels_of_most_files_may_be_taken(three):
    """Who has others fails there, and nowhere else."""
    assert "b" in rank(three, **QUICK).failed
    found = rank(three, labels="majority", **QUICK)
    assert found.failed == {}
    assert [row["error"] for row in found.results if row["series"] == "b"] == [
        None, None, "labels differ from those of 2 of 3 files"
    ]  # fmt: skip
    alike = rank(three, labels="majority", layout="{detector}/{series}.csv", **QUICK)
    assert [row["error"] for row in alike.results] == [row["error"] for row in found.results]


def test_a_tie_and_other_lengths_have_no_majority(three):
    (three / "knn" / "b.csv").unlink()
    tied = rank(three, labels="majority", **QUICK)
    assert "correct the file of one of them" in tied.failed["b"]
    write(three / "knn" / "b.csv", label=two_events(1)[:-1], score=scores(1, "x")[:-1])
    longer = rank(three, labels="majority", **QUICK)
    assert "labels must be the same for all detectors" in longer.failed["b"]
    with pytest.raises(InputError, match="labels must be one of 'agree', 'majority', got 'most'"):
        rank(three, labels="most", **QUICK)
    with pytest.raises(InputError, match="labels has no effect on series in memory"):
        rank({"a": ([0, 1], {"x": [0, 1]})}, "f1", labels="majority", chance=False)


def test_no_file_that_can_be_read_has_no_majority(three):
    for detector in ("knn", "lof", "pca"):
        (three / detector / "b.csv").write_text("nothing\n")
    assert list(rank(three, labels="majority", **QUICK).failed) == ["b"]


def test_what_differs_is_told_with_its_place(labelled):
    wrong = labels(1)
    wrong[3] = 1
    write(labelled / "mine" / "b.csv", label=wrong, score=scores(1, "mine"))
    assert rank(labelled, **QUICK).failed["b"] == (
        "b.csv: labels must be the same for all detectors, got 1.0 of mine for 0.0 of lof at row "
        "3; correct the file of one of them"
    )
    write(labelled / "mine" / "b.csv", label=labels(1)[:-5], score=scores(1, "mine")[:-5])
    assert "got 55 rows of mine for 60 of lof; " in rank(labelled, **QUICK).failed["b"]


def test_many_other_files_are_named_and_counted(tmp_path):
    for place in range(9):
        own = labels(1 + place) if place < 4 else labels(0)
        write(tmp_path / f"d{place}" / "a.csv", label=own, score=scores(0, "x"))
    assert (
        rank(tmp_path, **QUICK).failed["a"].endswith("; correct the file of d0, d1, d2 and 1 more")
    )


def test_what_else_is_said_of_a_series_must_be_the_same_too(labelled):
    for detector in ("lof", "mine"):
        for seed, name in enumerate(("a", "b")):
            judged = np.arange(N) < (N - 10 * (detector == "mine" and name == "b"))
            write(labelled / detector / f"{name}.csv", label=labels(seed), judged=1 * judged,
                  score=scores(seed, detector))  # fmt: skip
    found = rank(labelled, where="judged", **QUICK)
    assert found.detectors == ["lof", "mine"]
    assert list(found.failed) == ["b"]
    assert "b.csv: where must be the same for all detectors, got " in found.failed["b"]


def test_a_role_that_no_file_has_fails_the_detectors(labelled):
    found = rank(labelled, where="judged", **QUICK)
    assert list(found.failed) == ["a", "b"]
    assert all("judged" in why for why in found.failed.values())


def test_labels_that_are_words_in_a_column_of_another_name_tell_detectors_too(labelled):
    for detector in ("lof", "mine"):
        for seed, name in enumerate(("a", "b")):
            words = np.where(labels(seed) == 1, "bad", "good")
            write(labelled / detector / f"{name}.csv", truth=words, score=scores(seed, detector))
    found = rank(labelled, label="truth", positive="bad", **QUICK)
    known = values(expected())
    assert values(found) == {key: known[key] for key in values(found)}
    assert found.detectors == ["lof", "mine"]


@pytest.mark.parametrize(("n", "detectors"), [(N, ["lof", "mine"]), (N - 5, ["score"])])
def test_labels_without_events_tell_data_sets_by_their_length(labelled, n, detectors):
    for detector, size in (("lof", N), ("mine", n)):
        for name in ("a", "b"):
            write(labelled / detector / f"{name}.csv", label=np.zeros(size, int),
                  score=scores(0, detector)[:size])  # fmt: skip
    assert rank(labelled, metrics="false_alarm_rate", at=0.5, chance=False).detectors == detectors


def test_labels_that_nobody_could_read_are_the_same_to_be_told_by_the_judge(labelled):
    for detector in ("lof", "mine"):
        unknown = np.where(np.arange(N) == 5, np.nan, labels(1))
        (labelled / detector / "b.csv").unlink()
        write(labelled / detector / "b.parquet", label=unknown, score=scores(1, detector))
    said = {*errors(rank(labelled, **QUICK)).values()}
    assert said
    assert not any("same for all detectors" in why for why in said)


@pytest.mark.parametrize("sort", [False, True])
def test_the_rows_of_each_file_are_put_in_order_by_themselves(labelled, sort):
    """The order of one file is not that of another."""
    for detector in ("lof", "mine"):
        rows = np.arange(N)[:: -1 if detector == "mine" else 1]
        write(labelled / detector / "b.csv", time=rows, label=labels(1)[rows],
              score=scores(1, detector)[rows])  # fmt: skip
        write(labelled / detector / "a.csv", time=range(N), label=labels(0),
              score=scores(0, detector))  # fmt: skip
    found = rank(labelled, sort=sort, **QUICK)
    known = values(expected())
    assert values(found) == {key: known[key] for key in values(found)}
    assert list(errors(found)) == ([] if sort else [("b", "mine")])


def test_two_scores_or_none_that_can_be_read_fail_there(labelled):
    write(labelled / "mine" / "b.csv", label=labels(1), score=range(N), score_2=range(N))
    found = rank(labelled, **QUICK)
    assert "there must be one score column, got score, score_2" in errors(found)["b", "mine"]
    for detector in ("lof", "mine"):
        (labelled / detector / "b.csv").write_text("label,score\n0,x\n")
    assert "not a number: 'x'" in rank(labelled, **QUICK).failed["b"]


def test_every_file_is_in_the_manifest_and_a_change_is_noticed(place, labelled, tmp_path):
    import json  # noqa: PLC0415 - here alone

    out = tmp_path / "out"
    first = rank(labelled, out=out, **QUICK)
    assert sorted(json.loads((out / "manifest.json").read_text())["inputs"]) == [
        "lof/a.csv", "lof/b.csv", "mine/a.csv", "mine/b.csv",
    ]  # fmt: skip
    write(labelled / "mine" / "b.csv", label=labels(1), score=np.arange(N))
    again = rank(labelled, out=out, **QUICK)
    assert values(again)["b", "mine"] != values(first)["b", "mine"]
    assert values(again)["b", "lof"] == values(first)["b", "lof"]
