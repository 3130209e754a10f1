"""A finished ranking is read back from its folder as it was."""

import csv
import io

import numpy as np
import pytest

import adjudge as aj
from adjudge.ranking import finished
from adjudge.ranking.finished import read_ranking
from adjudge.ranking.folder import csv_lines, read_rows


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 0], [30, 10, 30])
    names = ("=a", "lof#1", "lof#2", "x\ny")
    data = {f"g{s % 2}/s{s}": (labels, {n: rng.normal(size=70) for n in names}) for s in range(4)}
    data["g0/quiet"] = (labels * 0, {n: rng.normal(size=70) for n in names})
    out = tmp_path_factory.mktemp("ranked") / "out"
    return aj.rank(data, ["best(f1_ba)", "auc_roc"], out=out, shifts=19), out


def same(one, other):
    assert [row.keys() for row in one] == [row.keys() for row in other]
    for a, b in zip(one, other, strict=True):
        for key in a:
            assert a[key] == b[key] or (a[key] != a[key] and b[key] != b[key]), key


def test_every_table_is_the_same(ranked):
    first, out = ranked
    again = read_ranking(out)
    assert again.detectors == first.detectors
    assert again.series == first.series
    for table in ("leaderboard", "groups", "mean_ranks", "critical_difference", "flips", "results"):
        same(getattr(again, table), getattr(first, table))


def test_a_folder_without_a_ranking_is_refused(tmp_path):
    with pytest.raises(aj.InputError, match="path must be the folder of a finished ranking, got"):
        read_ranking(tmp_path)


def test_a_folder_that_was_begun_is_told_from_a_finished_one(ranked, tmp_path):
    _, out = ranked
    assert [finished.is_unfinished(path) for path in (out, tmp_path)] == [False, False]
    (tmp_path / "manifest.json").write_bytes((out / "manifest.json").read_bytes())
    assert finished.is_unfinished(tmp_path)


def test_a_table_that_was_changed_is_refused(ranked, tmp_path):
    _, out = ranked
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("manifest.json", "results.csv", "ranking.csv"):
        (copy / name).write_bytes((out / name).read_bytes())
    text = (copy / "results.csv").read_text()
    (copy / "results.csv").write_text(text.replace("0.", "1.", 1))
    with pytest.raises(aj.InputError, match=r"results.csv must be unchanged"):
        read_ranking(copy)


def test_names_with_line_ends_in_them_come_back_as_they_were():
    rows = [{"series": name, "value": 0.5} for name in ("a", "b\r\nc", "d\re", "f\ng", "=h")]
    text = "".join(csv_lines(("series", "value"), rows))
    assert text.startswith("series,value\na,0.5\n")
    assert read_rows(csv.DictReader(io.StringIO(text, newline=""))) == rows


def test_chance_lines_of_other_rules_are_refused(ranked, monkeypatch):
    """What an older version stored has no revision; without a chance line nothing is refused."""
    _, out = ranked
    now, stored = finished.CHANCE_REVISION, finished.read_manifest(out / "manifest.json", "ranking")
    older = {key: value for key, value in stored.items() if key != "chance_revision"}
    for manifest, got in ((stored | {"chance_revision": 2}, 2), (older, "an older one")):
        monkeypatch.setattr(finished, "read_manifest", lambda *_, manifest=manifest: manifest)
        with pytest.raises(aj.InputError) as refused:
            read_ranking(out)
        assert str(refused.value) == (
            f"path must hold chance lines of revision {now}, got {got} in {str(out)!r}; "
            "rank again: adjudge rank DATA --out DIR"
        )
    monkeypatch.setattr(finished, "read_manifest", lambda *_: older | {"chance": False})
    assert read_ranking(out).leaderboard
