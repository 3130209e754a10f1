"""adjudge report and adjudge playground: one page out."""

import json

from click.testing import CliRunner

from adjudge.cli import main
from reporting.unpacked import payload


def run(*args):
    return CliRunner().invoke(main, ["report", *map(str, args)])


def scores(folder):
    path = folder / "scores.csv"
    rows = ["label,score_a,score_b", "0,0,.1", "0,0,.2", "1,1,.9", "1,0,.3", "0,0,.5", "0,1,.1"]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_a_page_is_written_and_its_path_is_printed(tmp_path):
    out = tmp_path / "page.html"
    result = run(scores(tmp_path), "--out", out, "--shifts", 19)
    assert result.exit_code == 0, result.output
    assert result.stdout.split() == [str(out)]
    html = out.read_text()
    assert "<h1><bdi>scores.csv</bdi></h1>" in html
    assert "<code>f1_ba(width=" in html  # flags are judged as they are
    assert "<code>best(f1_ba(width=" in html  # scores at their best threshold


def test_title_threshold_and_metrics_are_taken(tmp_path):
    out = tmp_path / "page.html"
    options = ["--title", "incidents", "--at", "0.25", "--score", "score_b", "--metric", "f1_pa"]
    result = run(scores(tmp_path), "--out", out, "--no-chance", *options)
    assert result.exit_code == 0, result.output
    html = out.read_text()
    assert "<h1><bdi>incidents</bdi></h1>" in html
    assert "<code>f1_pa</code>" in html
    assert "score_a" not in html


def test_a_folder_cannot_be_written_as_a_page(tmp_path):
    result = run(scores(tmp_path), "--out", tmp_path, "--no-chance")
    assert result.exit_code == 2
    assert "path must be a file that can be written, got" in result.stderr


def test_a_page_goes_over_a_page_and_over_nothing_else(tmp_path):
    path, link = scores(tmp_path), tmp_path / "page.html"
    link.symlink_to(path)
    text = path.read_text()
    for out in (path, link):
        result = run(path, "--out", out, "--no-chance")
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "path must be a new file or an HTML page, got" in result.stderr
        assert text == path.read_text()
    link.unlink()
    for _ in range(2):
        assert 0 == run(path, "--out", link, "--no-chance").exit_code


def test_the_playground_is_written(tmp_path):
    out = tmp_path / "play.html"
    result = CliRunner().invoke(main, ["playground", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert result.stdout.split() == [str(out)]
    assert "add an alarm" in out.read_text()


def test_the_folder_of_a_ranking_becomes_a_leaderboard_with_a_page_per_series(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    for name in ("one", "two", "three"):
        scores(data).rename(data / f"{name}.csv")
    ranked = ["rank", data, "--out", tmp_path / "ranked", "--no-chance", "--metric", "best(f1_ba)"]
    done = CliRunner().invoke(main, list(map(str, ranked)))
    assert done.exit_code == 0, done.output
    out = tmp_path / "board page.html"
    result = run(tmp_path / "ranked", "--out", out, "--data", data)
    assert result.exit_code == 0, result.output
    html = out.read_text()
    assert "<h1><bdi>ranked</bdi></h1>" in html
    assert "board%20page-series/00000.html" in json.dumps(payload(html))
    assert "<h1><bdi>one</bdi></h1>" in (tmp_path / "board page-series/00000.html").read_text()


def test_the_data_of_a_ranking_is_read_as_it_was_ranked(tmp_path):
    rows = [f"{name};{int(i in {5, 6})};{i % 7 / 10}" for name in "ab" for i in range(12)]
    data = tmp_path / "all.csv"
    data.write_text("\n".join(["who;truth;det_x", *rows, ""]))
    how = ["--series", "who", "--label", "truth", "--score", "det_*", "--sep", ";"]
    ranked = ["rank", data, "--out", tmp_path / "ranked", "--no-chance", "--metric", "ap", *how]
    done = CliRunner().invoke(main, list(map(str, ranked)))
    assert done.exit_code == 0, done.output
    result = run(tmp_path / "ranked", "--out", tmp_path / "page.html", "--data", data)
    assert result.exit_code == 0, result.output
    pages = sorted(path.name for path in (tmp_path / "page-series").iterdir())
    assert pages == ["00000.html", "00001.html"]
    other = run(
        tmp_path / "ranked", "--out", tmp_path / "page.html", "--data", data, "--label", "no"
    )
    assert other.exit_code == 2  # what is said now goes before


def test_each_page_has_the_detectors_and_thresholds_that_were_ranked(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    rows = [f"{int(i in {5, 6})},{i % 7 / 10},{i % 5 / 10}" for i in range(12)]
    for name, last in (("a", "0,0.1,0.3"), ("b", "0,,0.3"), ("c", "0,,")):
        (data / f"{name}.csv").write_text("\n".join(["label,score_x,score_y", *rows, last, ""]))
    ranked = ["rank", data, "--out", tmp_path / "ranked", "--no-chance", "--metric", "f1",
              "--at", "x=0.45", "--at", "top(2)"]  # fmt: skip
    done = CliRunner().invoke(main, list(map(str, ranked)))
    assert done.exit_code == 1, done.output  # partly failed
    result = run(tmp_path / "ranked", "--out", tmp_path / "page.html", "--data", data)
    assert result.exit_code == 0, result.output
    first, second = ((tmp_path / "page-series" / f"0000{n}.html").read_text() for n in range(2))
    assert "score_x" in first
    assert "0.45" in first
    assert [one["name"] for one in payload(second)["detectors"]] == ["score_y"]
    assert not (tmp_path / "page-series" / "00002.html").exists()


def test_data_goes_with_a_ranking_only(tmp_path):
    result = run(scores(tmp_path), "--data", tmp_path, "--out", tmp_path / "a.html")
    assert result.exit_code == 2
    assert "--data is for a finished ranking and its data, not for points" in result.stderr


def test_signals_are_read_beside_the_scores(tmp_path):
    out, path = tmp_path / "page.html", scores(tmp_path)
    result = run(path, "--score", "score_a", "--signal", "score_b", "--out", out, "--no-chance")
    assert result.exit_code == 0, result.output
    assert [one["name"] for one in payload(out.read_text())["signals"]] == ["score_b"]
    result = run(path, "--score", "score_a", "--signal", "score_z", "--out", out, "--no-chance")
    assert result.exit_code == 2
    assert "unknown column 'score_z', did you mean" in result.stderr


def test_two_columns_or_two_files_are_compared(tmp_path):
    out, path = tmp_path / "page.html", scores(tmp_path)
    result = run(path, "--compare", "score_b", "score_a", "--out", out, "--no-chance")
    assert result.exit_code == 0, result.output
    assert "<b>Compared.</b> <bdi>best(f1_ba(" in out.read_text()
    other = tmp_path / "other.csv"
    other.write_text(path.read_text().replace("score_a,score_b", "score_a,x"))
    result = run("--compare", other, path, "--out", out, "--no-chance")
    assert result.exit_code == 2
    assert "file, got 2 (score_a, score_b)" in result.stderr
    result = run("--compare", other, path, "--score", "score_a", "--out", out, "--no-chance")
    assert result.exit_code == 0, result.output
    assert "other" in out.read_text()
    other.write_text("label,score_a\n1,0\n")
    result = run("--compare", other, path, "--score", "score_a", "--out", out, "--no-chance")
    assert result.exit_code == 2
    assert "--compare needs the same labels in both files" in result.stderr
