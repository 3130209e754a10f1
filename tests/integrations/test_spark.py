"""Spark itself: the recipe of the documentation, on 20 series, is the ranking of `rank`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj

pytest.importorskip("pyspark")

import pyarrow as pa
import pyarrow.parquet as pq

RECIPE = Path(__file__).parent / "spark_recipe.py"
PAGE = Path(__file__).parents[2] / "docs" / "beyond.md"
SERIES, POINTS = 20, 200


def write_set(folder):
    """Two data sets, as Hive has them; the rows of each file in a random order."""
    rng = np.random.default_rng(0)
    for name in "xy":
        tables = []
        for number in range(SERIES // 2):
            labels = np.zeros(POINTS, np.int64)
            labels[(start := int(rng.integers(5, 170))) : start + 12] = 1
            noise = rng.standard_normal((2, POINTS))
            columns = {"score_good": noise[0] + 2 * labels, "score_blind": noise[1]}
            ids = [f"{name}{number}"] * POINTS
            tables.append(
                pa.table({"id": ids, "time": np.arange(POINTS), "label": labels, **columns})
            )
        whole = pa.concat_tables(tables).take(rng.permutation(POINTS * SERIES // 2))
        (folder / f"dataset={name}").mkdir(parents=True)
        pq.write_table(whole, folder / f"dataset={name}" / "part-0.parquet")


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs java, and there is none here")
def test_the_recipe_is_the_ranking(tmp_path):
    write_set(tmp_path / "set")
    python = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    run = [sys.executable, RECIPE, tmp_path / "set", tmp_path / "parts"]
    said = subprocess.run(run, check=True, capture_output=True, env={**os.environ, **python})
    task = aj.rank_task(["best(f1_ba)", "ap"])
    found = aj.rank_finish(tmp_path / "parts", task, out=tmp_path / "spark")
    whole = aj.rank(
        tmp_path / "set", ["best(f1_ba)", "ap"], series="id", sort=True, pooled=False, clock="own",
        out=tmp_path / "rank",
    )  # fmt: skip
    assert str(found) in said.stdout.decode()
    assert found.leaderboard[0]["detector"] == "score_good"
    for name in ("results.csv", "ranking.csv", "ranking.json"):
        assert (tmp_path / "spark" / name).read_bytes() == (tmp_path / "rank" / name).read_bytes()
    assert len(whole.series) == SERIES


def test_the_page_has_the_recipe():
    code = RECIPE.read_text(encoding="utf-8")
    assert len(code.splitlines()) <= 25
    assert code in PAGE.read_text(encoding="utf-8")
