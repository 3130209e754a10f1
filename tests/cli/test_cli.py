"""The command line as a newcomer meets it: files good and bad, formats, exit codes."""

import csv
import io
import json
import os
import signal
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.metrics.spec import parse

LABELS = np.repeat([0, 1, 0, 1, 0], 20)
SCORES = np.random.default_rng(0).random(100).round(3) + 0.3 * LABELS
FLAGS = (SCORES > 0.9).astype(int)


def run(*args, stdin=None):
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


def text(**columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n"


@pytest.fixture
def scored(tmp_path):
    path = tmp_path / "scored.csv"
    path.write_text(text(label=LABELS, score=SCORES))
    return path


@pytest.fixture
def flagged(tmp_path):
    path = tmp_path / "flagged.csv"
    path.write_text(text(label=LABELS, score_a=FLAGS, score_b=1 - FLAGS))
    return path


def rows_of(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["rows"]


def test_flags_are_judged_as_they_are_side_by_side(flagged):
    result = run("evaluate", flagged)
    assert result.exit_code == 0
    assert "score_a" in result.stdout
    assert f"{aj.f1_ba(LABELS, FLAGS):.4f}" in result.stdout
    said = "flagged.csv: label column label, 2 detectors (score_a, score_b), 100 rows\n"
    assert result.stderr == f"adjudge: {said}"


def test_real_scores_without_a_threshold_get_the_free_rows_and_a_hint(scored):
    result = run("evaluate", scored)
    assert result.exit_code == 0
    assert "auc_roc" in result.stdout
    assert "f1" not in result.stdout
    assert {"--at", "--best"} <= set(result.stderr.split())


def test_flags_and_scores_in_one_file_are_each_treated_as_what_they_are(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text(text(label=LABELS, score_flags=FLAGS, score_real=SCORES))
    rows = rows_of(run("evaluate", path, "--json"))
    judged = {(row["detector"], row["requested"]) for row in rows}
    assert ("score_flags", "f1_ba") in judged
    assert ("score_real", "auc_roc") in judged
    assert not any(
        asked.startswith(("f1", "best")) for name, asked in judged if name == "score_real"
    )


def test_a_threshold_and_the_best_one(scored):
    at = {
        row["requested"]: row for row in rows_of(run("evaluate", scored, "--at", "0.9", "--json"))
    }
    best = {row["requested"]: row for row in rows_of(run("evaluate", scored, "--best", "--json"))}
    assert at["f1_ba"]["value"] == aj.f1_ba(LABELS, SCORES, at=0.9)
    assert best["best(f1_ba)"]["value"] == aj.best(aj.f1_ba)(LABELS, SCORES)
    assert best["best(f1_ba)"]["chosen_by"] == "oracle"
    assert "an upper bound, not a result" in run("evaluate", scored, "--best").stdout


def test_rules_and_specs_are_passed_through(scored):
    spec = 'f1_ba(width=41, islands="spill")'
    rows = rows_of(run("evaluate", scored, "--at", "quantile(0.9)", "--metric", spec, "--json"))
    assert [row["metric"] for row in rows] == [spec]
    assert rows[0]["chosen_by"] == "rule"
    assert rows[0]["value"] == aj.metric(spec)(LABELS, SCORES, at=aj.quantile(0.9))


def test_best_wraps_the_metrics_that_need_a_threshold(scored):
    specs = ("--metric", "f1", "--metric", "ap", "--metric", "f1_pa(at=0.9)")
    rows = rows_of(run("evaluate", scored, "--best", "--json", *specs))
    assert [row["requested"] for row in rows] == ["best(f1)", "ap", "f1_pa(at=0.9)"]


def test_a_metric_that_needs_a_threshold_and_has_none_is_refused(scored):
    result = run("evaluate", scored, "--metric", "f1_ba")
    assert result.exit_code == 2
    assert "f1_ba has one value per threshold" in result.stderr


def test_standard_input_is_a_dash():
    rows = rows_of(run("evaluate", "-", "--json", stdin=text(label=LABELS, score=FLAGS)))
    assert rows[0]["file"] == "standard input"
    assert rows[0]["value"] == aj.f1(LABELS, FLAGS)


def files(tmp_path):
    """The same case in every format."""
    both = np.column_stack([LABELS, SCORES, FLAGS])
    named = np.zeros(100, [("label", int), ("score_x", float), ("score_y", int)])
    named["label"], named["score_x"], named["score_y"] = LABELS, SCORES, FLAGS
    np.save(tmp_path / "plain.npy", both)
    np.save(tmp_path / "named.npy", named)
    np.savez(tmp_path / "both.npz", labels=LABELS, scores=both[:, 1:])
    np.savez_compressed(tmp_path / "one.npz", labels=LABELS, scores=SCORES)
    table = pa.table({"is_anomaly": LABELS, "score_x": SCORES, "score_y": FLAGS})
    pq.write_table(table, tmp_path / "table.parquet")
    return sorted(path for path in tmp_path.iterdir())


def test_every_format_gives_the_same_value(tmp_path):
    for path in files(tmp_path):
        rows = rows_of(run("evaluate", path, "--metric", "best(f1_ba)", "--json"))
        assert rows[0]["value"] == aj.best(aj.f1_ba)(LABELS, SCORES), path.name


def test_columns_are_named_by_options_and_never_guessed(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text(text(truth=LABELS, mine=FLAGS, ids=["a"] * 50 + ["b"] * 50, use=[1] * 100))
    refused = run("evaluate", path)
    assert refused.exit_code == 2
    assert "'truth', 'mine', 'ids', 'use'" in refused.stderr
    assert "--label" in refused.stderr
    options = ("--label", "truth", "--score", "mine", "--series", "ids", "--where", "use")
    rows = rows_of(run("evaluate", path, *options, "--json"))
    series = ["a"] * 50 + ["b"] * 50
    assert rows[3]["value"] == aj.f1_ba(LABELS, FLAGS, series=series)


def test_csv_output_is_a_row_per_value_at_full_precision(flagged):
    result = run("evaluate", flagged, "--csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    expected = ["file", "detector", "metric", "requested", "value", "at", "chosen_by", "chance"]
    assert expected == list(rows[0])[:8]
    assert (rows[3]["requested"], rows[3]["metric"]) == (
        "f1_ba",
        'f1_ba(width=21, islands="normal")',
    )
    assert float(rows[0]["chance"]) == aj.chance(LABELS, "f1", like=FLAGS).expected
    assert float(rows[0]["value"]) == aj.f1(LABELS, FLAGS)


def test_markdown_and_latex_are_tables_of_metrics_by_detectors(flagged):
    markdown = run("evaluate", flagged, "--md").stdout.splitlines()
    latex = run("evaluate", flagged, "--latex").stdout.splitlines()
    assert r"| metric | score\_a | by chance | score\_b | by chance |" in markdown
    assert r"metric & score\_a & by chance & score\_b & by chance \\" in latex
    assert r"f1\_ba: width 21, islands on normal points\par" in latex


def test_hostile_names_are_disarmed_in_every_output(tmp_path):
    name = 'score_=cmd|"<script>\\input{x}[b]'
    path = tmp_path / "names.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["label", name])
        writer.writerows(zip(LABELS, FLAGS, strict=True))
    assert "<script>" not in run("evaluate", path, "--md").stdout.replace(r"\<script\>", "")
    assert r"\input{x}" not in run("evaluate", path, "--latex").stdout
    plain = run("evaluate", path)
    assert plain.exit_code == 0
    assert "[b]" in plain.stdout  # no console markup is obeyed
    assert json.loads(run("evaluate", path, "--json").stdout)["rows"][0]["detector"] == name


def test_undefined_is_null_in_json_and_said_in_the_table(tmp_path):
    path = tmp_path / "quiet.csv"
    path.write_text(text(label=[0, 0, 0], score=[0, 0, 0]))
    assert rows_of(run("evaluate", path, "--json"))[0]["value"] is None
    assert "undefined" in run("evaluate", path).stdout


def test_one_bad_file_among_good_ones_is_a_partial_failure(flagged, tmp_path):
    missing = tmp_path / "missing.csv"
    result = run("evaluate", flagged, missing, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert {row["file"] for row in told["rows"]} == {"flagged.csv"}
    assert len(told["errors"]) == 1
    assert result.stderr.count("missing.csv") == 1


BAD = {
    "missing": None,
    "empty.csv": "",
    "header.csv": "label,score\n",
    "quote.csv": 'label,score\n0,"1\n',
    "hex.csv": "label,score\n0,0x10\n",
    "huge.csv": "label,score\n0,1e999\n",
    "ragged.csv": "label,score\n0,1\n0\n",
    "labels.csv": "label,score\n2,0\n1,1\n",
    "swapped.csv": "label,score\n0.5,0\n0.25,1\n",
    "nan.csv": "label,score\n0,nan\n1,0.5\n",
    "nolabel.csv": "truth,score\n0,1\n",
    "noscore.csv": "label,value\n0,1\n",
    "notes.docx": "label,score\n0,1\n",
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("verb", ["evaluate", "explain"])
def test_bad_input_ends_in_one_clear_line_and_exit_code_two(name, verb, tmp_path):
    path = tmp_path / name
    if BAD[name] is not None:
        path.write_text(BAD[name])
    result = run(verb, path)
    assert result.exit_code == 2
    assert result.stdout == ""
    *announced, last = result.stderr.splitlines()
    assert last.startswith("adjudge: ")
    assert all(line.startswith(f"adjudge: {name}: label column") for line in announced)
    assert "Traceback" not in result.stderr


def test_a_pickle_is_refused_from_the_command_line(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, labels=np.array([print], object), scores=np.array([1.0]))
    result = run("evaluate", path)
    assert result.exit_code == 2
    assert "pickle" in result.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("evaluate",), "name a FILE, or give --truth FILE --alerts FILE --span"),
        (
            ("evaluate", "-", "--at", "1", "--best"),
            "with --at",
        ),
        (("evaluate", "-", "--at", "soon"), "unknown threshold rule 'soon'"),
        (("evaluate", "-", "--metric", "f1_bq"), "did you mean 'f1_ba'"),
        (("evaluate", "-", "--metric", "f1_ba(width=0)"), "width must be a whole number"),
        (("judg",), "No such command"),
        (("show", "nothing"), "unknown metric 'nothing'"),
        (("explain", "-", "--metric", "ap"), "flags at one threshold"),
    ],
)
def test_wrong_use_ends_with_exit_code_two_and_a_hint(args, said):
    result = run(*args, stdin=text(label=LABELS, score=FLAGS))
    assert result.exit_code == 2
    assert said in result.stderr


def test_explain_prints_the_receipt_and_the_strip(tmp_path):
    labels, flags = np.zeros((2, 80), int)
    labels[18:32] = labels[50:60] = 1
    flags[21:25] = flags[40:44] = flags[54:58] = 1
    path = tmp_path / "figure1.csv"
    path.write_text(text(label=labels, score=flags))
    result = run("explain", path, "--metric", "f1_ba(width=5)")
    assert result.exit_code == 0
    assert 'f1_ba(width=5, islands="normal") = 0.857143' in result.stdout
    row = next(line for line in result.stdout.splitlines() if line.startswith("alarm [40, 44)"))
    assert " ".join(row.split()) == "alarm [40, 44) false, charged over [38, 46) costs 8"
    assert "--!!!!--" in result.stdout
    told = json.loads(run("explain", path, "--metric", "f1_ba(width=5)", "--json").stdout)
    assert told["sums"] == {"found": 24, "truth": 24, "right": 24, "flagged": 32}


@pytest.mark.parametrize("columns", [None, "60", "80", "120"])
@pytest.mark.parametrize("time", [False, True])
def test_explain_shows_what_matters_most_in_sixty_lines(tmp_path, monkeypatch, columns, time):
    labels = np.tile(np.repeat([0, 1, 0], [60, 20, 20]), 40)
    flags = (np.arange(4000) % 16 == 0) * (1 - labels) | labels * (np.arange(4000) > 400)
    path = tmp_path / "long.csv"
    stamps = np.datetime64("2026-01-01T00:00:00") + np.arange(4000) * np.timedelta64(7, "s")
    path.write_text(text(label=labels, score=flags, when=stamps))
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    told = run("explain", path, *(("--time", "when") if time else ())).stdout.splitlines()
    assert len(told) <= 60
    assert max(map(len, told)) <= int(columns or 120)
    if not time:
        assert next(line for line in told if line.startswith("event [")).startswith(
            "event [60, 80)"
        )
        assert "30 more events and " in "\n".join(told)
    assert any(line.endswith("(--all)") for line in told)
    whole = run("explain", path, "--all").stdout
    assert whole.count("\nevent ") == 40 + whole.count("\nevent or")
    assert "--all" not in whole


def test_explain_writes_every_row_as_csv(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text(text(label=[0, 1, 1, 0, 0], score=[1, 0, 1, 0, 1]))
    rows = list(csv.DictReader(io.StringIO(run("explain", path, "--csv").stdout)))
    assert [row["side"] for row in rows] == ["event", "alarm", "alarm", "alarm"]
    receipt = aj.explain([0, 1, 1, 0, 0], [1, 0, 1, 0, 1])
    assert [float(row["cost"]) for row in rows[1:]] == receipt.alarms.cost.tolist()
    assert "| event or alarm | what happened | worth |" in run("explain", path, "--md").stdout
    assert r"event [1, 3) & found after 1" in run("explain", path, "--latex").stdout


def test_explain_takes_one_detector(flagged):
    result = run("explain", flagged)
    assert result.exit_code == 2
    assert "score_a, score_b" in result.stderr
    assert "--score score_a" in result.stderr
    assert run("explain", flagged, "--score", "score_b").exit_code == 0


def test_explain_at_a_threshold_and_at_the_best_one(scored):
    assert "flagged above 0.9" in run("explain", scored, "--at", "0.9").stdout
    assert "best(f1_ba(width=21" in run("explain", scored, "--best").stdout


def test_list_names_every_metric_and_show_explains_it():
    listed = run("list").stdout
    shown = [name for name, row in aj.catalogue.items() if row.listed]
    assert all(f"  {name} " in listed for name in shown)
    assert all(f"  {name} " in run("list", "--all").stdout for name in aj.catalogue)
    assert [row["name"] for row in json.loads(run("list", "--json").stdout)] == shown
    assert run("list").stdout.count("\npoints\n") == 1
    for name, row in aj.catalogue.items():
        shown = run("show", name).stdout
        assert row.definition in shown
        assert row.forgives in shown
        assert json.loads(run("show", name, "--json").stdout)["reference"] == row.reference


@pytest.mark.parametrize("name", aj.catalogue)
def test_the_settings_that_show_prints_can_be_pasted(name):
    row = aj.catalogue[name]
    settings = json.loads(run("show", name, "--json").stdout)["settings"]
    assert settings in " ".join(run("show", name).stdout.split())
    for text in (settings, settings.replace("True", "true").replace("None", "null")):
        pasted = parse(f"{name}({text})").settings
        assert pasted == dict(row.parameters) | ({"at": None} if row.needs == "flags" else {})
        assert aj.metric(f"{name}({text})") == row.metric


def test_show_follows_names_from_elsewhere():
    for theirs, ours in (("PA%K", "f1_kpa"), ("roc_auc", "auc_roc"), ("R-based-F1", "range_f1")):
        shown = run("show", theirs)
        assert shown.exit_code == 0
        assert shown.stdout == run("show", ours).stdout
        assert shown.stderr.startswith(f"adjudge: {theirs!r} is called {ours} here")
    both = run("show", "pak")
    assert both.stdout == run("show", "f1_kpa").stdout + run("show", "precision_at_k").stdout
    one = run("show", "pak", "--json")
    assert one.exit_code == 2
    assert "say f1_kpa or precision_at_k" in one.stderr
    assert json.loads(run("show", "roc_auc", "--json").stdout)["name"] == "auc_roc"
    assert run("show", "nothing_like_it").exit_code == 2


def test_show_gives_the_crosswalk_of_balanced_adjustment():
    shown = " ".join(run("show", "f1_ba").stdout.split())
    assert 'authors\' code, adjust_width=h width=2h+1, reading="authors"' in shown
    assert 'the paper\'s experiments width=25, reading="authors"' in shown
    assert 'tsadmetrics bpaf, w width=2*ceil(w/2)+1, islands="spill"' in shown


def test_every_command_has_help_that_ends_with_an_example():
    for name in main.commands:
        shown = run(name, "--help").stdout
        assert f"adjudge {name}" in shown.partition("Example")[2], name


def test_a_closed_pipe_is_no_error(scored):
    command = [sys.executable, "-m", "adjudge", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_an_interrupt_ends_with_exit_code_130():
    command = [sys.executable, "-m", "adjudge", "evaluate", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        process.stdin.write(b"label,score\n" + b"0,1\n" * 40_000)  # more than a pipe holds
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.wait() == 130
        assert process.stderr.read().strip() == b"adjudge: interrupted"


def test_every_value_stands_beside_its_chance(flagged):
    one = run("evaluate", flagged, "--score", "score_a").stdout
    assert all(word in one for word in ("value", "by chance", " p\n", "too few to say: 2 events"))
    assert "score_a is " in one
    assert 'to cite: f1_ba(width=21, islands="normal"), corrected reading, adjudge ' in one
    both = run("evaluate", flagged).stdout
    assert "f1_ba against chance" in both
    assert both.count("; the same alarms shifted in time score ") == 2


def test_what_few_need_is_told_on_request_or_where_it_matters(flagged):
    plain = run("evaluate", flagged, "--score", "score_a").stdout
    assert not any(word in plain for word in ("always-on", "it would be", "islands of", "code"))
    more = run("evaluate", flagged, "--score", "score_a", "--verbose").stdout
    assert all(word in more for word in ("always-on", "as in the authors' code"))
    assert "islands of 21 points: " in more
    assert "up to 1.1 % more" in more
    narrow = run("evaluate", flagged, "--score", "score_a", "--metric", "f1_ba(width=2)").stdout
    assert "up to 43.3 % more" in narrow
    assert "islands of" not in run("evaluate", flagged, "--metric", "f1_pa", "--verbose").stdout


def test_several_files_are_one_table_with_a_mean(flagged, scored):
    told = run("evaluate", flagged, scored, "--metric", "ap", "--metric", "auc_roc").stdout
    assert told.startswith("2 files\nfile ")
    means = [line.split() for line in told.splitlines() if line.startswith("mean")]
    assert [line[1] for line in means[:3]] == ["score_a", "score_b", "score"]
    assert means[2][2] == f"{aj.ap(LABELS, SCORES):.4f}"


def test_chance_can_be_left_out_or_made_quicker(flagged):
    quick = run("evaluate", flagged, "--no-chance").stdout
    assert "chance" not in quick
    rows = rows_of(run("evaluate", flagged, "--shifts", "25", "--json"))
    assert {row["shifts"] for row in rows} == {25}
    none = rows_of(run("evaluate", flagged, "--no-chance", "--json"))
    assert none[0]["chance"] is None


def test_long_work_says_that_it_is_under_way(tmp_path):
    path = tmp_path / "long.npz"
    labels = np.tile(LABELS, 2500)
    np.savez(path, labels=labels, scores=np.tile(FLAGS, 2500))
    result = run("evaluate", path, "--metric", "f1", "--shifts", "2")
    said = "adjudge: long.npz: label column labels, 1 detector (score), 250,000 rows\n"
    assert result.stderr == said + (
        "adjudge: long.npz: testing 250,000 points against chance; --no-chance is faster\n"
    )
    assert run("evaluate", path, "--metric", "f1", "--no-chance").stderr == said


def test_white_noise_and_label_slack_on_request(flagged):
    options = ("--white-noise", "--label-slack", "2", "--metric", "f1_ba")
    rows = rows_of(run("evaluate", flagged, *options, "--json"))
    assert rows[0]["white_noise"] == aj.chance(LABELS, "f1_ba", rate=FLAGS.mean()).expected
    assert rows[0]["label_shift_low"] <= rows[0]["value"] <= rows[0]["label_shift_high"]
    table = run("evaluate", flagged, *options, "--score", "score_a").stdout
    assert "white noise" in table
    assert "label slack" in table


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--shifts", "0"), "shifts must be a whole number, at least 1, got 0"),
        (("--label-slack", "-1"), "slack must be a whole number, at least 0, got -1"),
        (("--seed", "-1"), "seed must be a whole number, at least 0, got -1"),
    ],
)
def test_wrong_options_of_chance_are_told(flagged, options, said):
    result = run("evaluate", flagged, *options)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.long
def test_the_noise_figure_is_drawn_with_its_numbers(tmp_path):
    result = run("figure", "noise", "--out", tmp_path / "new" / "folder")
    assert result.exit_code == 0
    assert [line.rpartition(".")[2] for line in result.stdout.split()] == [
        *("png", "svg", "csv", "pdf")
    ]
    refused = run("figure", "nothing")
    assert refused.exit_code == 2
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run("figure", "noise", "--out", blocked).exit_code == 2


def test_all_metrics_are_shown_without_chance_unless_it_is_asked_for(flagged):
    result = run("evaluate", flagged, "--score", "score_a", "--metric", "all", "--json")
    rows = rows_of(result)
    listed = [name for name, row in aj.catalogue.items() if row.listed]
    assert len(listed) == len(rows)
    assert all(row["p_value"] is None for row in rows)
    asked = run("evaluate", flagged, "--score", "score_a", "--metric", "all", "--metric", "f1",
                "--shifts", "2", "--json")  # fmt: skip
    assert rows_of(asked)[0]["p_value"] is not None
