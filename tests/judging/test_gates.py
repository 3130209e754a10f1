"""Gates: what falls short is said, and nothing that is undefined passes; names for trackers."""

import json
import re
from datetime import timedelta

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.judging.judgement import Judgement
from adjudge.judging.safe_names import safe_names

LABELS = np.tile(np.repeat([0, 1, 0], [30, 10, 40]), 5)
GOOD = np.roll(LABELS, 1)
NOISE = (np.random.default_rng(0).random(400) < 0.1).astype(int)
BOTH = {"good": GOOD, "noise": NOISE}


@pytest.fixture(scope="module")
def judged():
    return aj.evaluate(LABELS, BOTH, ["f1", "best(f1_ba)", "detection_delay", "f1_kpa(k=0.4)"])


def test_what_is_under_the_limit_is_said(judged):
    noise = judged["noise", "f1"]
    assert judged.failures(under={"f1": noise}) == []
    said = judged.failures(under={"f1": 0.5})
    assert said == [f"noise: f1 is {noise:.4f}, under 0.5"]


def test_a_value_just_short_of_its_limit_is_told_apart_from_it():
    flags = np.zeros(30_000, int)
    labels = flags.copy()
    labels[:20_000] = flags[1:20_000] = 1
    (said,) = aj.evaluate(labels, flags, "recall", chance=False).failures(under={"recall": 1})
    assert said == "detector: recall is 0.99995, under 1"


def test_a_short_name_means_what_was_judged(judged):
    assert judged.failures(under={"f1_ba": 1.1}) == judged.failures(under={"best(f1_ba)": 1.1})
    assert len(judged.failures(under={"f1_kpa": 1.1})) == 2


def test_metrics_of_which_less_is_better_have_a_limit_above(judged):
    delay = judged["good", "detection_delay"]
    assert delay == 1
    assert not any("good" in said for said in judged.failures(over={"detection_delay": 1}))
    assert judged.failures(over={"detection_delay": 0.5})[0] == (
        "good: detection_delay is 1.0000, over 0.5"
    )
    with pytest.raises(aj.InputError, match="under must not name 'detection_delay', of which less"):
        judged.failures(under={"detection_delay": 3})
    with pytest.raises(aj.InputError, match="over must not name 'f1', of which more is better"):
        judged.failures(over={"f1": 0.1})


def test_nothing_reaches_a_limit_that_is_no_number(judged):
    assert "good: f1 is 0.9000, under nan" in judged.failures(under={"f1": float("nan")})


def test_undefined_never_passes():
    empty = aj.evaluate([0, 0, 0], [0, 0, 0], "f1")
    assert empty.failures(under={"f1": 0}) == ["detector: f1 is undefined"]


def test_a_metric_that_was_not_judged_is_refused_and_one_without_threshold_fails(judged):
    with pytest.raises(aj.InputError, match=r"judged were f1"):
        judged.failures(under={"ap": 0.5})
    with pytest.raises(aj.UnknownName, match=r"unknown metric 'f2'.*; judged were f1, best"):
        judged.failures(under={"f2": 0.5})
    mixed = aj.evaluate(LABELS, {"flags": GOOD, "real": GOOD + 0.25}, oracle=False, chance=False)
    (failure,) = mixed.failures(under={"f1": 0.5})
    assert failure.startswith("real: f1 was not judged")


def test_the_gate_of_chance_is_the_verdict(judged):
    said = judged.failures(better_than_chance=True)
    for detector, verdict in judged.verdicts.items():
        assert ("is better than chance" in verdict) != any(detector in short for short in said)
    assert "noise: best(f1_ba) is not better than chance" in said
    plain = aj.evaluate(LABELS, GOOD, "f1", chance=False)
    (failure,) = plain.failures(better_than_chance=True)
    assert failure.startswith("detector: nothing to compare")


def test_safe_names_are_accepted_everywhere_and_stay_as_they_are(judged):
    flat = judged.to_flat_dict("test/", names="safe")
    assert list(flat)[:4] == [
        "test/good/f1", "test/good/best_f1_ba", "test/good/detection_delay",
        "test/good/f1_kpa_k_0_4",
    ]  # fmt: skip
    assert all(re.fullmatch(r"[A-Za-z0-9_/-]+", name) for name in flat)
    other = aj.evaluate(np.repeat(LABELS, 2), {name: np.repeat(x, 2) for name, x in BOTH.items()},
                        ["f1", "best(f1_ba)", "detection_delay", "f1_kpa(k=0.4)"])  # fmt: skip
    assert list(other.to_flat_dict("test/", names="safe")) == list(flat)
    assert list(other.to_flat_dict()) != list(judged.to_flat_dict())
    assert flat["test/noise/f1"] == judged["noise", "f1"]
    with pytest.raises(aj.InputError, match="names must be one of"):
        judged.to_flat_dict(names="short")


def test_names_that_would_fall_together_are_numbered():
    assert list(safe_names(["a b", "a(b", "()", "a.b"]).values()) == ["a_b", "a_b_2", "_", "a_b_3"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "both.csv"
    lines = [f"{x},{a},{b}" for x, a, b in zip(LABELS, GOOD, NOISE, strict=True)]
    path.write_text("\n".join(["label,score_good,score_noise", *lines]) + "\n")
    return path


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--fail-under", "f1=0.05", "--no-chance"), 0),
        (("--fail-under", "f1=0.5", "--no-chance"), 3),
        (("--fail-under", "f1=0.5", "--fail-under", "f1=0", "--no-chance"), 3),
        (("--fail-under", "f1=0", "--fail-under", "f1=0.5", "--no-chance"), 3),
        (("--fail-under", "f1=0.5", "--fail-unless-better", "--no-chance"), 2),
        (("--fail-unless-better", "--metric", "f1_ba"), 3),
        (("--fail-unless-better", "--metric", "f1_ba", "--score", "score_good"), 0),
        (("--fail-under", "ap=2", "--metric", "f1", "--no-chance"), 2),
        (("--fail-under", "f1", "--no-chance"), 2),
        (("--fail-under", "f1=nan", "--no-chance"), 2),
        (("--fail-under", "f1=much", "--no-chance"), 2),
        (("--fail-over", "detection_delay=0", "--metric", "detection_delay", "--no-chance"), 3),
    ],
)
def test_the_gate_decides_the_exit_code(file, options, code):
    result = run("evaluate", file, *options)
    assert result.exit_code == code, result.output
    assert ("below the gate: both.csv: " in result.stderr) == (code == 3)


# --- limits in time -------------------------------------------------------------------------------

MINUTES = np.datetime64("2026-01-01", "s") + 60 * np.arange(400)
UNEVEN = MINUTES + np.arange(400) % 2


def timed(times, metrics="detection_delay", labels=LABELS, flags=GOOD):
    return aj.evaluate(labels, flags, metrics, time=times, chance=False)


@pytest.mark.parametrize("times", [MINUTES, UNEVEN])
@pytest.mark.parametrize("limit", ["2min", timedelta(minutes=2), np.timedelta64(2, "m")])
def test_a_delay_is_held_against_a_duration(times, limit):
    assert timed(times).failures(over={"detection_delay": limit}) == []
    (said,) = timed(times).failures(over={"detection_delay": "30s"})
    assert re.fullmatch(r"detector: detection_delay is (1 min|1 min 1 s), over 30 s", said)


def test_a_delay_just_over_its_limit_is_told_apart_from_it():
    times = np.datetime64("2026-01-01", "ms") + 60_001 * np.arange(400)
    assert timed(times).failures(over={"detection_delay": "1min"}) == [
        "detector: detection_delay is 1min1ms, over 1min"
    ]
    tenths = np.datetime64("2026-01-01", "ms") + 100 * np.arange(400)
    late = np.roll(LABELS, 3)  # 3 x 0.1 is not 0.3
    assert timed(tenths, flags=late).failures(over={"detection_delay": "0.3s"}) == []


def test_the_step_of_the_grid_does_not_move_the_gate():
    """An alert that ends a second later makes the grid sixty times finer."""
    for end in ("10:50:00", "10:50:01"):
        span = ("2026-01-01", "2026-01-02")
        truth = [("2026-01-01 10:00:00", "2026-01-01 11:00:00")]
        alerts = [("2026-01-01 10:37:00", f"2026-01-01 {end}")]
        step = "1min" if end.endswith(":00") else "1s"
        events = (aj.Events.from_times(one, span=span, every=step) for one in (truth, alerts))
        judged = aj.evaluate(*events, "detection_delay", chance=False)
        assert judged.failures(over={"detection_delay": "37min"}) == []
        assert judged.failures(over={"detection_delay": "36min"}) == [
            "detector: detection_delay is 37 min, over 36 min"
        ]


@pytest.mark.parametrize(
    ("times", "limits", "words"),
    [
        (MINUTES, {"detection_delay": 10}, "must be a duration such as 10min .* known, got 10$"),
        (UNEVEN, {"detection_delay": 10}, "must be a duration such as 10min"),
        (None, {"detection_delay": "10min"}, "must be a number of points without times"),
        (MINUTES, {"detection_delay": "soon"}, "limit of detection_delay must be a duration such"),
        (MINUTES, {"false_alarm_rate": "10min"}, "must be a number"),
    ],
)
def test_limits_that_mean_nothing_are_refused(times, limits, words):
    judged = timed(times, ["detection_delay", "false_alarm_rate"])
    with pytest.raises(aj.InputError, match=words):
        judged.failures(over=limits)


def test_an_undefined_delay_passes_no_duration():
    nothing = timed(MINUTES, flags=np.zeros(400, int))
    assert nothing.failures(over={"detection_delay": "1d"}) == [
        "detector: detection_delay is undefined"
    ]


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (["detection_delay=1min"], 0),
        (["detection_delay= 1h30min"], 0),
        (["detection_delay=59s"], 3),
        (["detection_delay=1h", "detection_delay=59s"], 3),
        (["detection_delay=59s", "detection_delay=1h"], 3),
        (["detection_delay=1"], 2),
        (["detection_delay=1h", "detection_delay=1"], 2),
        (["detection_delay=1 hour"], 2),
        (["=1h"], 2),
    ],
)
def test_durations_on_the_command_line(tmp_path, limits, code):
    path = tmp_path / "timed.csv"
    lines = [f"{t},{x},{a}" for t, x, a in zip(MINUTES, LABELS, GOOD, strict=True)]
    path.write_text("\n".join(["timestamp,label,score", *lines]) + "\n")
    gates = [word for limit in limits for word in ("--fail-over", limit)]
    asked = ("--time", "timestamp", "--metric", "detection_delay", "--no-chance")
    result = run("evaluate", path, *asked, *gates)
    assert result.exit_code == code, result.output


# --- nothing to look at ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "gate",
    [("--fail-under", "f1=0"), ("--fail-over", "detection_delay=1"), ("--fail-unless-better",)],
)
def test_a_gate_that_judged_nothing_is_not_passed(tmp_path, gate):
    (tmp_path / "combined_windows.json").write_text("{}")
    assert run("evaluate", tmp_path).exit_code == 0
    result = run("evaluate", tmp_path, *gate)
    assert result.exit_code == 3
    assert "adjudge: below the gate: nothing was judged\n" in result.stderr


def test_a_judgement_without_rows_passes_no_gate():
    empty = Judgement((), (), ())
    assert empty.failures() == []
    for gate in ({"under": {"f1": 0}}, {"over": {"cce": 1}}, {"better_than_chance": True}):
        assert empty.failures(**gate) == ["nothing was judged"]


def test_flat_json_is_detector_metric_value(file):
    flat = json.loads(run("evaluate", file, "--no-chance", "--metric", "f1", "--flat-json").stdout)
    assert flat == {"score_good": {"f1": aj.f1(LABELS, GOOD)},
                    "score_noise": {"f1": aj.f1(LABELS, NOISE)}}  # fmt: skip
    again = run("evaluate", file, file, "--no-chance", "--metric", "recall", "--flat-json").stdout
    assert list(json.loads(again)) == ["both_csv"]


@pytest.mark.parametrize("verb", ["evaluate", "compare", "explain"])
def test_two_formats_at_once_are_refused(file, verb):
    result = run(verb, file, "--json", "--csv")
    assert result.exit_code == 2
    assert "--json and --csv exclude each other: one output has one format" in result.stderr


def test_files_of_one_name_are_told_apart_by_their_paths(tmp_path):
    for folder, flag in (("a", 1), ("b", 0)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.csv").write_text(f"label,score\n0,0\n1,{flag}\n0,1\n")
    files = [str(tmp_path / folder / "x.csv") for folder in ("a", "b")]
    asked = ["evaluate", *files, "--metric", "recall", "--no-chance"]
    flat = json.loads(CliRunner().invoke(main, [*asked, "--flat-json"]).stdout)
    assert [list(of.values()) for of in flat.values()] == [[{"recall": 1}], [{"recall": 0}]]
    rows = json.loads(CliRunner().invoke(main, [*asked, "--json"]).stdout)["rows"]
    assert [row["file"] for row in rows] == files


def test_a_gate_does_not_say_no_better_where_shifts_are_too_few():
    named = {f"d{number}": GOOD for number in range(6)}
    said = aj.evaluate(LABELS, named, "f1_ba", shifts=39).failures(better_than_chance=True)
    assert said == [f"d{number}: f1_ba is not distinguishable from chance" for number in range(6)]
