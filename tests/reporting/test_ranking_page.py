"""The ranking page, without a browser: what its tables become."""

import base64
import re

import numpy as np

from adjudge.reporting.page.ranking_page import write_ranking
from reporting.plain_ranking import METRICS, plain_ranking
from reporting.unpacked import payload as of_html


def payload(path):
    return of_html(path.read_text())


def unpacked(packed):
    return np.frombuffer(base64.b64decode(packed["data"]), f"<{packed['type']}")


def test_every_value_stands_in_its_cell(tmp_path):
    ranking = plain_ranking()
    found = payload(write_ranking(ranking, tmp_path / "page.html"))
    for metric, packed in zip(METRICS, found["values"], strict=True):
        expected = ranking.values[metric].astype(np.float32).ravel()
        assert unpacked(packed).tolist() == expected.tolist()


def test_seeds_of_a_detector_are_averaged_and_what_is_missing_stays_so(tmp_path):
    ranking = plain_ranking(detectors=2, series=2)
    ranking.detectors = ["lof", "knn"]
    for row in ranking.leaderboard:
        row["detector"] = {"detector 0": "lof", "detector 1": "knn"}[row["detector"]]
    ranking.flips = ranking.groups = ranking.comparisons = []
    ranking.results = [
        {"series": ranking.series[0], "detector": name, "metric": METRICS[0], "value": value}
        for name, value in (("lof#1", 0.25), ("lof#2", 0.75), ("knn", None))
    ]
    found = unpacked(payload(write_ranking(ranking, tmp_path / "page.html"))["values"][0])
    assert found[0] == 0.5
    assert np.isnan(found[1:]).all()


def test_links_lead_to_files_beside_the_page_and_nowhere_else(tmp_path):
    ranking = plain_ranking(series=3)
    pages = dict(
        zip(ranking.series, ["pages/0.html", "javascript:alert(1)", "//example.com"], strict=True)
    )
    found = payload(write_ranking(ranking, tmp_path / "page.html", pages=pages))
    assert found["pages"] == ["pages/0.html", None, None]


def test_the_order_stands_in_the_page_without_scripts(tmp_path):
    ranking = plain_ranking()
    html = write_ranking(ranking, tmp_path / "page.html").read_text()
    board = [row for row in ranking.leaderboard if row["metric"] == ranking.main_metric]
    assert re.findall(r"<bdi>(detector \d)</bdi>", html) == [row["detector"] for row in board]
    assert all(f"<td>{row['mean']:.4f}</td>" in html for row in board)


def test_what_was_not_computed_is_not_there_and_what_is_undefined_is_null(tmp_path):
    ranking = plain_ranking()
    ranking.leaderboard[0] |= {"pooled": None}
    ranking.leaderboard[1] |= {"pooled": np.nan}
    lines = payload(write_ranking(ranking, tmp_path / "page.html"))["boards"][0]
    assert "pooled" not in lines[0]
    assert lines[1]["pooled"] is None
    assert lines[2]["pooled"] == ranking.leaderboard[2]["pooled"]
