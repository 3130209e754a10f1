"""One collection in many forms, with holes: every form gives the same leaderboard."""

import numpy as np
import pandas as pd
import pytest

from adjudge.ranking.run import rank
from sampling import one_in

METRICS = ["best(f1_ba)", "auc_roc", "detection_delay(at=0.9)"]
NAMES = ("a", "b", "c", "d")


def collection():
    """Ten series: b has a NaN on the second, c is not there on the third, d on most."""
    found = {}
    for place in range(10):
        rng = np.random.default_rng(place)
        labels = np.zeros(120, int)
        labels[30 + 5 * place : 45 + 5 * place] = 1
        scores = {name: rng.random(120) + labels * i / 4 for i, name in enumerate(NAMES)}
        found[f"s{place}"] = labels, scores
    found["s1"][1]["b"][7] = np.nan
    del found["s2"][1]["c"]
    for place in range(3, 10):
        del found[f"s{place}"][1]["d"]
    return found


def wide(labels, scores, **more):
    return pd.DataFrame({**more, "label": labels, **{f"score_{n}": s for n, s in scores.items()}})


def in_memory(data, _):
    return data, {}


def csv_files(data, root):
    for name, (labels, scores) in data.items():
        wide(labels, scores).to_csv(root / f"{name}.csv", index=False)
    return root, {}


def parquet_files(data, root):
    for name, (labels, scores) in data.items():
        wide(labels, scores).to_parquet(root / f"{name}.parquet")
    return root, {}


def npz_files(data, root):
    for name, (labels, scores) in data.items():
        np.savez(root / f"{name}.npz", label=labels, **{f"score_{n}": s for n, s in scores.items()})
    return root, {}


def one_table(data, root, suffix="csv"):
    frame = pd.concat([wide(labels, s, series=name) for name, (labels, s) in data.items()])
    path = root / f"all.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    return path, {"series": "series"}


def one_parquet(data, root):
    return one_table(data, root, "parquet")


def frame(data, _):
    found = pd.concat([wide(labels, s, series=name) for name, (labels, s) in data.items()])
    return found.reset_index(drop=True), {}


def long_table(data, root):
    rows = [
        pd.DataFrame({"series": name, "detector": d, "time": range(120), "label": labels,
                      "score": column})
        for name, (labels, scores) in data.items() for d, column in scores.items()
    ]  # fmt: skip
    pd.concat(rows).to_parquet(root / "long.parquet")
    return root / "long.parquet", {}


def long_table_without_the_row(data, root):
    path, _ = long_table(data, root)
    rows = pd.read_parquet(path)
    rows[rows["score"].notna()].to_parquet(path)
    return path, {}


def folder_per_detector(data, root):
    for name, (labels, scores) in data.items():
        (root / "test_label").mkdir(exist_ok=True)
        np.savetxt(root / "test_label" / f"machine-{name[1:]}-1.txt", labels, fmt="%d")
        for detector, column in scores.items():
            (root / "scores" / detector).mkdir(exist_ok=True, parents=True)
            np.save(root / "scores" / detector / f"machine-{name[1:]}-1.npy", column)
    return root, {"score_folder": root / "scores"}


def labels_beside_detectors(data, root):
    for name, (labels, scores) in data.items():
        (root / "labels").mkdir(exist_ok=True)
        pd.DataFrame({"label": labels}).to_csv(root / "labels" / f"{name}.csv", index=False)
        for detector, column in scores.items():
            (root / detector).mkdir(exist_ok=True)
            np.save(root / detector / f"{name}.npy", column)
    return root, {}


def labels_and_a_folder_of_scores(data, root):
    labels_beside_detectors(data, root)
    return root / "labels", {"score_folder": root}


def labels_in_every_file(data, root):
    for name, (labels, scores) in data.items():
        for detector, column in scores.items():
            (root / detector).mkdir(exist_ok=True)
            pd.DataFrame({"label": labels, "score": column}).to_csv(
                root / detector / f"{name}.csv", index=False
            )
    return root, {}


FORMS = [
    csv_files, parquet_files, npz_files, one_table, one_parquet, frame, long_table,
    long_table_without_the_row, folder_per_detector, labels_beside_detectors,
    labels_and_a_folder_of_scores, labels_in_every_file,
]  # fmt: skip


def board(found):
    lines = [
        {**line, "detector": line["detector"].removeprefix("score_")} for line in found.leaderboard
    ]
    return [repr(line) for line in lines]


def expected(**options):
    return rank(collection(), METRICS, chance=False, unit="series", **options)


def test_the_holes_are_what_they_should_be():
    lines = {r["detector"]: r for r in expected().leaderboard if r["metric"] == "auc_roc"}
    states = ("series", "failed", "missing", "compared_on")
    assert {name: tuple(line[s] for s in states) for name, line in lines.items()} == {
        "a": (10, 0, 0, 8), "b": (9, 1, 0, 8), "c": (9, 0, 1, 8), "d": (3, 0, 7, 0),
    }  # fmt: skip


@pytest.mark.parametrize("missing", ["refuse", "skip"])
@pytest.mark.parametrize("form", one_in(2, FORMS), ids=lambda form: form.__name__)
def test_every_form_gives_the_same_leaderboard(form, missing, tmp_path):
    data, options = form(collection(), tmp_path)
    found = rank(data, METRICS, chance=False, missing=missing, unit="series", **options)
    assert board(found) == board(expected(missing=missing))


def test_skipping_judges_what_is_there():
    labels, scores = collection()["s1"]
    found = expected(missing="skip")
    wanted = ("s1", "b", "auc_roc")
    (row,) = [r for r in found.results if (r["series"], r["detector"], r["requested"]) == wanted]
    alone = rank({"s1": (labels, {"b": scores["b"]}, ~np.isnan(scores["b"]))}, "auc_roc",
                 chance=False)  # fmt: skip
    assert row["value"] == alone.results[0]["value"]
    assert {line["failed"] for line in found.leaderboard} == {0}


def test_scores_that_do_not_fit_fail_that_detector_alone(tmp_path):
    data, options = folder_per_detector(collection(), tmp_path)
    np.save(tmp_path / "scores" / "a" / "machine-4-1.npy", np.zeros(119))
    (tmp_path / "scores" / "b" / "machine-5-1.npy").write_bytes(b"no array")
    out = tmp_path / "out"
    found = rank(data, "auc_roc", chance=False, out=out, **options)
    assert not found.failed
    assert {r["detector"]: r["failed"] for r in found.leaderboard} == {
        "a": 1,
        "b": 2,
        "c": 0,
        "d": 0,
    }
    errors = {
        (r["series"].rpartition("/")[2], r["detector"]): r["error"]
        for r in found.results
        if r["error"]
    }
    assert "must be as long as the labels (120), got 119" in errors["machine-4-1", "a"]
    assert "machine-5-1.npy" in errors["machine-5-1", "b"]
    again = rank(data, "auc_roc", chance=False, out=out, **options)
    assert board(again) == board(found)
