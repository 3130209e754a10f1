"""Options: what is given has an effect, or is refused; every verb, source and option."""

import shutil
from pathlib import Path

import click
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.cli.effects import RULES, SOURCES
from adjudge.tables.formats import DRAWN

N = 60
LABELS = np.tile(np.repeat([0, 1, 0], [7, 6, 7]), 3)
SPAN = ("--span", "2026-01-01", "2026-01-01 04:00")


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Files in which every option finds something to change."""
    folder = tmp_path_factory.mktemp("effects")
    draw = np.random.default_rng(4)
    times = pd.date_range("2026-01-01", periods=N, freq="5min")
    points = pd.DataFrame({
        "label": LABELS, "score": (LABELS + draw.normal(size=N)).round(3),
        "mine": draw.random(N).round(3), "truth": np.roll(LABELS, 3),
        "state": np.where(LABELS, "bad", "good"), "id": np.repeat(["a", "b"], N // 2),
        "used": np.arange(N) < 45, "fit": np.arange(N) < 30, "when": times,
        "mixed": times[draw.permutation(N)], "tick": np.arange(N) * 60,
        "german": times.strftime("%d.%m.%Y %H:%M"), "key": draw.permutation(N),
        "gaps": np.where(np.arange(N) % 7, draw.random(N).round(3), np.nan),
        "flags": np.roll(LABELS, 2), "never": np.zeros(N, int),
        "many": np.tile([0, 1, 0, 0], N // 4), "third": np.repeat(["x", "y", "z"], N // 3),
    })  # fmt: skip
    points.to_csv(folder / "points.csv", index=False)
    points[["label", "score"]].to_parquet(folder / "points.parquet")
    other = (
        points[["key", "mine"]].rename(columns={"mine": "theirs"}).sample(frac=1, random_state=1)
    )
    other.to_csv(folder / "other.csv", index=False)
    other[3:].to_csv(folder / "fewer.csv", index=False)
    tables = {
        "incidents": ["00:30 00:50", "02:00 02:30"], "pager": ["00:40 00:50", "01:00 01:10"],
        "rota": ["02:20 02:25", "03:00 03:10"], "silent": ["03:30 03:40"],
    }  # fmt: skip
    for name, rows in tables.items():
        lines = [
            ",".join(
                [*(f"2026-01-01 {time}" for time in row.split()), f"2026-01-01 {later}", *more]
            )
            for row, later, more in zip(
                rows, ("02:31", "03:41"), (("a", "x"), ("b", "x")), strict=False
            )
        ]
        head = "start,end,later,service,host"
        (folder / f"{name}.csv").write_text("\n".join([head, *lines, ""]))
    dark = "start,end\n2026-01-01 00:00,2026-01-01 01:30\n"
    (folder / "dark.csv").write_text(dark)
    benchmark(folder)
    (folder / "series").mkdir()
    for name in ("a", "b"):
        points.to_csv(folder / "series" / f"{name}.csv", index=False)
    made = run(
        "rank", folder / "series", "--out", folder / "ranked", "--metric", "f1(at=1)", "--no-chance"
    )
    assert made.exit_code == 0, made.output
    return folder


def benchmark(folder):
    """A file of TSB-AD with the scores of two detectors."""
    data, name = folder / "tsb", "001_X_id_1_Y_tr_20_1st_27"
    data.mkdir()
    pd.DataFrame({"Data": np.arange(N), "Label": LABELS}).to_csv(data / f"{name}.csv", index=False)
    for detector, shift in (("one", 1), ("two", 3)):
        scores = folder / "tsb_scores" / detector
        scores.mkdir(parents=True)
        values = np.roll(LABELS, shift) + np.random.default_rng(shift).random(N) / 2
        np.save(scores / f"{name}.npy", values)


def sources(folder):
    """The verbs that read data, and each source that they take, with what must be said."""
    points = folder / "points.csv"
    truth = ("--truth", folder / "incidents.csv", "--alerts", folder / "pager.csv", *SPAN)
    both = (*truth, "--alerts", folder / "rota.csv")
    one, quick = ("--at", 0.9), ("--metric", "f1_ba")
    tsb = (folder / "tsb", "--with", folder / "tsb_scores")
    out = ("--out", folder / "pages" / "page.html")
    return {
        ("evaluate", "points"): (points, *one, *quick),
        ("evaluate", "benchmark"): (*tsb, *one, *quick),
        ("evaluate", "incidents"): (*both, *quick),
        ("explain", "points"): (points, *one),
        ("explain", "incidents"): truth,
        ("compare", "points"): (points, *one),
        ("compare", "incidents"): (*truth, "--alerts", folder / "silent.csv"),
        ("report", "points"): (points, *one, *out, *quick),
        ("report", "incidents"): (*truth, *out, *quick),
        ("report", "ranking"): (folder / "ranked", *out),
        ("report", "ranked data"): (folder / "ranked", "--data", folder / "series", *out),
        ("explain-diff", "points"): (points, "--theirs", "0.5"),
    }


def command(verb):
    return main.commands[verb]


def options(verb):
    return [param for param in command(verb).params if isinstance(param, click.Option)]


WHEN = ("--time", "when")
GIVEN = {
    "channels": ["a,b"], "channel": ["channel"], "annotators": ["a,b"], "subsystem": ["groups.csv"],
    "label": ["truth"], "scores": ["mine"], "series": ["id"], "where": ["used"],
    "positive": ["bad"], "also": ["other.csv"], "on": ["key"], "inner": [], "sep": [";"],
    "decimal": [","], "judged": ["test"], "time": ["when"], "time_unit": ["s"],
    "time_format": ["%d.%m.%Y %H:%M"], "sort": [], "missing": ["skip"], "at": ["0.4"], "best": [],
    "train": ["fit"], "train_length": [30], "tune_on": ["fit"], "tune_by": ["f1"],
    "alerts": ["rota.csv"], "span": ["2026-01-01", "2026-01-01 05:00"], "every": ["1min"],
    "metrics": ["f1"], "metric": ["recall"], "chance": None, "null": ["nearby"], "shifts": [7],
    "period": [7], "white_noise": [], "per_series": [], "label_slack": [2], "seed": [3],
    "as_json": [], "as_flat_json": [], "as_csv": [], "verbose": [],
    **{f"as_{form}": [] for form in DRAWN},
    "fail_under": ["f1=0.99"], "fail_over": ["false_alarm_rate=0"], "fail_unless_better": [],
    "all_rows": [], "draws": [50], "fail_if_worse": [], "title": ["Mine"], "data": ["series"],
    "unit": ["event"], "group": ["third"], "length": [300], "changes": ["ones"],
    "theirs": ["0.6"], "truth": ["incidents.csv"], "out": ["elsewhere.html"],
    "outages": ["dark.csv"], "watched": ["dark.csv"], "early": ["1h"], "no_series": [],
    "tz": ["Europe/Berlin"], "ambiguous": ["first"], "truth_columns": ["end=later"],
    "alerts_columns": ["end=later"], "by": ["length"], "signals": ["mine"],
    "compare": ["score", "mine"], "over_time": ["1h"], "step": ["30min"],
    "growing": [], "fail_if_worse_than": ["2h"], "votes": ["majority"],
}  # fmt: skip
"""What is given for each option; paths are below the folder of the test."""
OF_INCIDENTS = {"series": ["host"]}
"""The same with --truth, where it is another."""

JOINED = ("--with", "other.csv", "--score", "theirs")
BESIDE = {
    "positive": ("--label", "state"), "on": JOINED, "also": JOINED[2:],
    "inner": ("--with", "fewer.csv", "--score", "theirs", "--on", "key"),
    "time_unit": ("--time", "tick"), "time_format": ("--time", "german"),
    "sort": ("--time", "mixed"), "missing": ("--score", "gaps"),
    "tune_by": ("--tune-on", "fit"), "per_series": ("--series", "id"),
    "fail_under": ("--metric", "f1"), "fail_over": ("--metric", "false_alarm_rate"),
    "fail_unless_better": ("--score", "mine"), "train": ("--at", "quantile(0.8)"),
    "train_length": ("--at", "quantile(0.8)"), "seed": ("--shifts", 9),
    "best": ("--score", "flags"), "all_rows": ("--label", "many"),
    "changes": ("--score", "flags", "--metric", "change_f1(margin=2)"),
    "over_time": ("--time", "when"), "step": ("--time", "when", "--over-time", "1h"),
    "growing": ("--time", "when", "--over-time", "1h"),
    "fail_if_worse_than": ("--time", "when", "--over-time", "1h"),
    "unit": ("--series", "id"), "group": ("--series", "id"), "draws": ("--best",),
}  # fmt: skip
"""What must stand beside an option for it to have an effect, on files of points."""
TWO = ("--score", "mine", "--score", "never")


def beside(folder, verb, kind, option):
    """What stands beside an option when it is tried."""
    if kind in {"benchmark", "incidents"}:
        learns = BESIDE[option] if option in {"train", "train_length"} else ()
        learns = (
            BESIDE[option][2:] if option in {"step", "growing", "fail_if_worse_than"} else learns
        )
        learns = BESIDE["seed"] if (verb, option) == ("evaluate", "seed") else learns
        return ("--metric", "detection_delay") if option == "fail_if_worse" else learns
    found = BESIDE.get(option, ())
    if verb == "compare":
        found = {
            "fail_if_worse": ("--metric", "detection_delay", *TWO), "scores": TWO[2:],
            "seed": ("--null", "nearby", *TWO), "draws": ("--best", *TWO),
            "best": ("--score", "flags", *TWO[:2]),
            "time": ("--metric", "detection_delay", "--score", "flags", *TWO[:2]),
            "tune_on": ("--score", "flags", *TWO[2:]),
        }.get(option, (*found, *(TWO[:2] if "--score" in found else TWO)))  # fmt: skip
    return tuple(placed(folder, one) for one in found)


NO_THRESHOLD_OF_THEIR_OWN = ("best", "tune_on", "tune_by", "train", "train_length", "draws")


def arguments(folder, option, kind):
    name = "--no-chance" if option.name == "chance" else option.opts[0]
    given = GIVEN | (OF_INCIDENTS if kind == "incidents" else {})
    values = [] if option.name == "chance" else given[option.name]
    return [name, *(placed(folder, value) for value in values)]


def placed(folder, value):
    return folder / value if (folder / str(value)).exists() else value


def outcome(folder, *args):
    """Exit code, what was printed and written, and what was said beside it."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir()
    result = run(*args)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    written = {path.relative_to(pages): path.read_bytes() for path in pages.rglob("*.html")}
    return result.exit_code, result.stdout, written, result.stderr


BY_DATA = {
    ("explain", "incidents", "all_rows"), ("report", "ranked data", "judged"),
    *((verb, "incidents", "ambiguous") for verb in ("evaluate", "explain", "compare", "report")),
    *((verb, "incidents", "every") for verb in ("evaluate", "report", "explain", "compare")),
    *(("report", "ranked data", name) for name in ("sort", "also", "on", "inner")),
    ("evaluate", "benchmark", "missing"), ("compare", "points", "tune_by"),
    ("compare", "incidents", "draws"), ("compare", "incidents", "seed"),
    ("compare", "incidents", "span"), ("report", "incidents", "seed"), ("report", "points", "seed"),
    ("evaluate", "benchmark", "unit"), ("evaluate", "incidents", "unit"),
    ("evaluate", "incidents", "seed"),
    ("compare", "incidents", "unit"),
    *((verb, "points", name) for verb in ("evaluate", "explain", "compare", "report")
      for name in ("channel", "channels", "subsystem", "annotators", "votes")),
}  # fmt: skip
"""What has an effect on other data of the kind (many events, a benchmark ranked, rows out of order,
lost scores, several series or channels, more than two incidents), and what goes with an option that
is refused; a report of a ranking shows the detectors that were ranked."""
SLOW = ("explain-diff", "points")  # a second or two per call, so only what no other verb passes on
PASSED_ON = {"series", "where", "at", "theirs"}
CASES = [pytest.param(*one, marks=[pytest.mark.long] * (one == SLOW)) for one in sources(Path())]


@pytest.mark.parametrize(("verb", "kind"), CASES)
def test_an_option_is_refused_or_has_an_effect(place, verb, kind, monkeypatch):
    monkeypatch.chdir(place)
    asked, known = sources(place)[verb, kind], {}
    for option in options(verb):
        if (verb, kind) == SLOW and option.name not in PASSED_ON:
            continue
        made_of = {"--truth", *map(str, asked)} - {"--at", "--alerts", "--span", "--metric"}
        if option.opts[0] in made_of or (verb, kind, option.name) in BY_DATA:
            continue
        whole = asked
        if option.name in NO_THRESHOLD_OF_THEIR_OWN:
            whole = tuple(one for one in asked if one not in {"--at", 0.9})
        given = arguments(place, option, kind)
        if option.name in SOURCES[kind].refused:
            code, _, _, said = outcome(place, verb, *whole, *given)
            assert code == 2
            said_of = SOURCES[kind].place if kind == "incidents" else ""
            assert f"{option.opts[0]} has no effect {said_of}" in " ".join(said.split())
            continue
        whole += beside(place, verb, kind, option.name)
        if whole not in known:
            known[whole] = outcome(place, verb, *whole)[:3]
        *found, said = outcome(place, verb, *whole, *given)
        assert tuple(found) != known[whole], (option.name, said)
        assert "no effect" not in said, option.name


def test_alerts_of_another_service_answer_no_incident_in_silence(place):
    asked = ("evaluate", *sources(place)["evaluate", "incidents"])
    for option in ("--where", "--label", "--time", "--tune-on", "--on", "--with"):
        refused = run(*asked, option, "no_such_column")
        assert refused.exit_code == 2
        assert f"{option} has no effect with --truth: " in " ".join(refused.stderr.split())
        assert refused.stdout == ""


POINTS = ("evaluate", "points.csv", "--at", "0.9")
TRUTH = ("--truth", "incidents.csv", "--alerts", "pager.csv", "--span", "2026-01-01", "2026-01-02")
EXAMPLES = [
    (*POINTS, "--on", "key"),
    (*POINTS, "--with", "other.csv", "--inner"),
    (*POINTS, "--time-format", "%Y"),
    (*POINTS, "--time-unit", "s"),
    (*POINTS, "--time", "german", "--time-format", "%d.%m.%Y %H:%M", "--time-unit", "s"),
    ("evaluate", *TRUTH, "--ambiguous", "first"),
    ("evaluate", "--truth", "a.csv", "--alerts", "b.csv", "--length", "9", "--tz", "UTC"),
    ("evaluate", *TRUTH, "--by", "length", "--csv"),
    ("evaluate", *TRUTH, "--series", "host", "--no-series"),
    ("explain", *TRUTH, "--at", "0.5", "--every", "1h"),
    (*POINTS, "--growing"),
    (*POINTS, "--over-time", "9", "--per-series"),
    (*POINTS, "--over-time", "9", "--channels", "a,b"),
    (*POINTS, "--annotators", "a,b", "--channels", "a,b"),
    (*POINTS, "--channel", "key", "--channels", "a,b"),
    (*POINTS, "--over-time", "9", "--growing", "--step", "3"),
    (*POINTS, "--over-time", "9", "--step", "3", "--fail-if-worse-than", "9"),
    (*POINTS, "--tune-by", "f1"),
    (*POINTS, "--tune-on", "fit"),
    ("evaluate", "points.csv", "--tune-on", "fit", "--best"),
    ("explain", "points.csv", "--tune-on", "fit", "--train-length", "9"),
    ("compare", "points.csv", "--tune-by", "f1"),
    (*POINTS, "--train", "fit", "--train-length", "30"),
    (*POINTS, "--no-chance", "--null", "white"),
    (*POINTS, "--metric", "all", "--null", "white"),
    (*POINTS, "--no-chance", "--shifts", "9"),
    ("report", "points.csv", "--no-chance", "--shifts", "9"),
    (*POINTS, "--no-chance", "--seed", "1"),
    ("report", "points.csv", "--no-chance", "--seed", "1"),
    (*POINTS, "--per-series"),
    (*POINTS, "--json", "--verbose"),
    (*POINTS, "--csv", "--verbose"),
    (*POINTS, "--flat-json", "--verbose"),
    (*POINTS, "--csv", "--series", "id", "--per-series"),
    (*POINTS, "--flat-json", "--white-noise"),
    (*POINTS, "--flat-json", "--label-slack", "1"),
    (*POINTS, "--flat-json", "--shifts", "9"),
    ("explain", "points.csv", "--at", "0.9", "--all", "--csv"),
    ("explain", "points.csv", "--at", "0.9", "--all", "--json"),
    ("rank", "series", "--out", "r", "--jobs", "2", "--scheduler", "local:2"),
    ("rank", "series", "--out", "r", "--no-chance", "--null", "white"),
    ("rank", "v.csv", "--values", "--metric", "f1"),
    ("rank", "ranked", "ranked", "--merge", "--unit", "series"),
    ("rank", "ranked", "--json", "--order-by", "mean"),
    ("rank", "ranked", "--min-coverage", "0.5"),
    ("rank", "ranked", "--unit", "series"),
    ("rank", "ranked", "--against", "ranked", "--metric", "f1"),
    ("rank", "series", "--out", "r", "--better", "lower"),
    ("rank", "ranked", "--against", "ranked", "--power"),
    ("rank", "series", "--out", "r", "--signal", "value"),
    ("rank", "series", "--out", "r", "--baselines", "--sort"),
    ("verify", "ranked", "mine", "--prepare", "--json"),
    ("verify", "ranked", "--before", "site"),
    ("verify", "ranked", "--seed", "4"),
    ("report", "points.csv", "--no-chance", "--null", "white"),
    ("report", "points.csv", "--compare", "score", "mine", "--score", "flags"),
    ("figure", "recall", "--table", "t.csv", "--experiments", "9"),
    ("figure", "all", "--table", "t.csv", "--jobs", "2"),
    ("figure", "precision", "--table", "t.csv", "--seed", "2"),
]


def test_what_has_no_effect_beside_other_options_is_refused(place, monkeypatch):
    monkeypatch.chdir(place)
    told = []
    for example in EXAMPLES:
        refused = run(*example)
        told.append(" ".join(refused.stderr.split()))
        assert refused.exit_code == 2, (example, refused.output)
        assert any(f"{option} has no effect " in told[-1] for option in example), told[-1]
    for rule in RULES:
        assert any(rule.why in said for said in told), rule.why


@pytest.mark.parametrize("shape", [(), ("--json",), ("--md",)])
def test_what_has_an_effect_beside_other_options_is_taken(place, shape, monkeypatch):
    monkeypatch.chdir(place)
    for more in (
        ("--no-chance", "--white-noise", "--seed", "1"),
        ("--no-chance", "--label-slack", "1", "--seed", "1"),
        ("--metric", "f1", "--metric", "auc_roc", "--shifts", "9", "--null", "nearby"),
    ):
        assert run(*POINTS, *more, *shape).exit_code == 0
    gated = run(*POINTS, "--flat-json", "--fail-unless-better", "--null", "white", "--shifts", "9")
    assert gated.exit_code in {0, 3}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--metric", "auc_roc", "--at", "0.7"), "--at has no effect on auc_roc, which judges"),
        (("--metric", "auc_roc", "--best"), "--best has no effect on auc_roc, which judges"),
        (("--metric", "best(f1)", "--best"), "--best has no effect on best(f1), which chooses"),
        (("--metric", "f1(at=1)", "--tune-on", "fit"), "--tune-on has no effect on f1(at=1.0)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["evaluate", "explain", "report"])
def test_a_threshold_that_no_metric_takes_is_refused(place, verb, more, words):
    refused = run(verb, place / "points.csv", *more)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert refused.stdout == ""


def test_marks_of_text_and_units_have_no_effect_elsewhere(place):
    table = place / "points.parquet"
    for option, value in (("--sep", ";"), ("--decimal", ",")):
        refused = run("evaluate", table, "--best", option, value)
        assert refused.exit_code == 2
        assert f"{option} has no effect on {table}, which is no text of cells" in refused.stderr
    refused = run("evaluate", place / "points.csv", "--best", *WHEN, "--time-unit", "s")
    assert refused.exit_code == 2
    assert "--time-unit has no effect on column when, whose times are no numbers" in refused.stderr
    truth = sources(place)["evaluate", "incidents"]
    refused = run("evaluate", *truth, "--time-unit", "s")
    assert "unit must be left out, since no time is a number, got 's'" in refused.stderr


def test_a_file_that_cannot_be_read_does_not_take_the_others_down(place):
    (place / "empty.csv").write_text("")
    found = run("evaluate", place / "points.csv", place / "empty.csv", "--at", "0.9", "--no-chance")
    assert found.exit_code == 1
    assert "empty.csv: the file is empty" in found.stderr
    assert "f1_ba" in found.stdout


def test_a_ranking_refuses_what_it_would_ignore(place):
    files, tsb = (place / "series",), (place / "tsb", "--with", place / "tsb_scores")
    for data, options in (
        (files, [("--judged", "test"), ("--on", "key"), ("--inner",)]),
        ((place / "points.parquet",), [("--sep", ";"), ("--decimal", ",")]),
        (tsb, [("--label", "x"), ("--score", "x"), ("--where", "x"), ("--positive", "x"),
               ("--on", "x"), ("--sep", ";"), ("--decimal", ",")]),
    ):  # fmt: skip
        for option in options:
            refused = run("rank", *data, "--out", place / "never", "--no-chance", *option)
            assert refused.exit_code == 2, (option, refused.output)
            assert "no effect" in refused.stderr
            assert not (place / "never").exists()
