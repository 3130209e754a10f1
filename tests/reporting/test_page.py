"""Pages, without a browser: what is packed, what is escaped, what the policy allows."""

import base64
import hashlib
import re
import shlex
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.reporting.chance_bands import chance_bands
from adjudge.reporting.page.assembly import packed_numbers, plain_name, playground
from adjudge.reporting.page.report_page import packed_time
from reporting.unpacked import payload, unpacked, values

ROOT = Path(aj.__file__).parents[2]
BUILT = Path(aj.__file__).parent / "reporting" / "page" / "built"
WEB = ROOT / "web"


@pytest.fixture
def written(tmp_path):
    labels = [0, 0, 1, 1, 0, 0, 0, 1]
    detectors = {"mine": [0.1, 0.2, 0.9, 0.3, 0.5, 0.1, 0.2, 0.4], "</script><b>": [0, 1] * 4}
    judged = aj.evaluate(labels, detectors, shifts=19)
    return judged, judged.to_html(tmp_path / "page.html", title="<i>a & b</i>").read_text()


def test_names_are_text_in_markup_and_in_data(written):
    _, html = written
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;i&gt;a &amp; b" in html
    assert payload(html)["detectors"][1]["name"] == "</script><b>"
    assert html.count("</script>") == 2


def test_the_policy_allows_our_script_and_style_and_nothing_else(written):
    _, html = written
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1].replace("&#39;", "'")
    for tag in ("script", "style"):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_what_the_verdict_knows_travels_along(written):
    """The page says nothing of chance at the given threshold that the command line does not."""
    judged, html = written
    for detector in payload(html)["detectors"]:
        row = next(r for r in judged.of(detector["name"]) if "f1_ba" in r.metric)
        found = detector["verdict"]
        assert found["tested"]
        assert (found["value"], found["chance"]) == (row.value, row.chance)
        assert (found["p"], found["p_adjusted"]) == (row.p_value, row.p_adjusted)
        assert found["better"] == (f"{detector['name']} is better" in str(judged.verdicts))


def test_the_band_of_the_best_threshold_holds_nine_places_of_ten(tmp_path):
    rng = np.random.default_rng(2)
    labels = np.repeat([0, 1, 0, 1, 0], [40, 8, 50, 6, 60])
    scores = rng.normal(size=labels.size)
    judged = aj.evaluate(labels, scores, "best(f1_ba)")
    (found,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    metric, by = judged.rows[0].resolved_metric, range(labels.size)
    every = [metric(labels, np.roll(scores, k)) for k in by]
    low, high = found["verdict"]["chance_low"], found["verdict"]["chance_high"]
    assert np.mean([low <= value <= high for value in every]) >= 0.85
    assert found["chosen_by"] == "oracle"


def test_signals_are_drawn_beside_the_scores(tmp_path):
    labels, scores = [0, 1, 1, 0], [0, 1, 0, 0]
    path = tmp_path / "a.html"
    for signal, names in (([1, 2, 3, 4], ["signal"]), ({"a": scores, "b": labels}, ["a", "b"])):
        aj.report(labels, scores, "f1", path=path, signal=signal, chance=False)
        found = payload(path.read_text())["signals"]
        assert [one["name"] for one in found] == names
    with pytest.raises(aj.InputError, match=r"signal must have one value per point, got shape"):
        aj.report(labels, scores, "f1", path=path, signal=[1, 2], chance=False)


def test_windows_of_time_are_drawn_as_over_time_judges_them(tmp_path):
    labels, flags = [0, 1, 0, 0, 1, 0, 0, 1], [0, 1, 0, 1, 0, 0, 0, 1]
    both, path = {"mine": flags, "never": [0] * 8}, tmp_path / "a.html"
    aj.report(labels, both, ["f1", "false_alarms"], path=path, over_time=3, chance=False)
    found = payload(path.read_text())["windows"]
    assert found["when"] == ["0", "3", "6"]
    assert [(one["name"], one["least"], one["most"]) for one in found["metrics"]] == [
        ("f1", 0.0, 1.0), ("false_alarms", 0.0, None),
    ]  # fmt: skip
    rows = found["metrics"][0]["rows"]
    assert [row["value"] for row in rows if row["detector"] == 0] == [1.0, 0.0, 1.0]
    assert [row["complete"] for row in rows if row["detector"] == 1] == [True, True, False]
    grown = aj.over_time(labels, flags, "f1", window=3, growing=True, chance=False)
    drawn = payload(grown.to_html(path).read_text())["windows"]
    assert drawn["when"] == ["3", "6", "9"]
    assert payload(aj.report(labels, flags, path=path, chance=False).read_text())["windows"] is None


def test_the_page_says_every_value_as_the_terminal_does(written):
    judged, html = written
    for row in judged.rows:
        assert f"<td>{row.value:.4f}</td>" in html
    for sentence in judged.verdicts.values():
        assert sentence.split(":")[0].split("</script>")[0] in html


def test_the_slider_starts_at_the_threshold_that_was_judged(tmp_path):
    labels, scores = [0, 0, 1, 1, 0], [0.1, 0.6, 0.9, 0.3, 0.2]
    given = aj.evaluate(labels, scores, at=0.25, chance=False).to_html(tmp_path / "a.html")
    oracle = aj.evaluate(labels, scores, "auc_roc", chance=False).to_html(tmp_path / "b.html")
    assert payload(given.read_text())["detectors"][0]["at"] == 0.25
    best = aj.metric("best(f1_ba)").reading(aj.Case(labels, scores)).at
    assert payload(oracle.read_text())["detectors"][0]["at"] == best


def test_metrics_of_one_name_are_told_apart_by_their_settings(tmp_path):
    metrics = ["f1_ba(width=7)", "f1_ba(width=5)", "best(f1(beta=2))", "f1_kpa(at=0.3)"]
    judged = aj.evaluate([0, 1, 1, 0], [0.1, 0.6, 0, 1], metrics, at=0.5, chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    found = [metric["title"] for metric in one["metrics"]]
    assert found == ["f1_ba(width=7)", "f1_ba(width=5)", "f1(beta=2)", "K%-PA", "F1", "PA"]
    assert [metric["asked"] for metric in one["metrics"]] == [True] * 4 + [False] * 2
    assert one["family"] == [4, 5, 0]


def test_numbers_are_packed_without_loss():
    for given in ([0.1, 0.2], [0.5, -np.inf], [1e300, 1e-300]):
        packed = packed_numbers(np.array(given))
        back = np.frombuffer(base64.b64decode(packed["data"]), f"<{packed['type']}")
        assert back.tolist() == given


def test_a_judgement_without_cases_cannot_be_drawn(tmp_path):
    judged = aj.evaluate([0, 1], [0, 1], "f1", chance=False)
    with pytest.raises(aj.InputError, match="a page needs labels and scores"):
        aj.Judgement(judged.rows, judged.events).to_html(tmp_path / "page.html")


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(aj.InputError, match="path must be a file that can be written, got"):
        aj.report([0, 1], [0, 1], "f1", path=tmp_path, chance=False)


def test_direction_marks_and_control_characters_are_spelt_out():
    assert plain_name("a\u202eb\x00\n\u2066") == "a\\u202eb\\x00\\n\\u2066"
    assert plain_name("\ud800") == "\\ud800"
    assert plain_name("Ünï 数") == "Ünï 数"


def test_the_band_is_the_mean_over_shifts():
    """A slow twin: every circular shift, each judged by the metric itself."""
    rng = np.random.default_rng(3)
    labels = np.repeat([0, 1, 0, 1, 0], [10, 4, 9, 3, 14])
    scores = rng.normal(size=labels.size)
    metrics = {"f1_ba": aj.f1_ba(width=5), "f1_kpa": aj.f1_kpa(k=0.5)}
    for name, band in chance_bands(aj.Case(labels, scores), metrics).items():
        for place in (5, 20, 40, -1):
            at = band.thresholds[place]
            every = [metrics[name](labels, np.roll(scores, by), at=at) for by in range(labels.size)]
            spread = np.std(every) / np.sqrt(99)
            assert abs(band.mean[place] - np.mean(every)) <= 4 * spread + 1e-5


def test_the_bundle_was_built_from_the_sources_beside_it():
    digest = hashlib.sha256()
    sources = WEB / "src"
    names = [path.relative_to(sources).as_posix() for path in sources.rglob("*")]
    for name in sorted(name for name in names if name.endswith((".ts", ".css"))):
        digest.update(f"{name}\n".encode() + (sources / name).read_bytes())
    look = ROOT / "src" / "adjudge" / "tables" / "look.json"
    digest.update(b"look.json\n" + look.read_bytes())
    for file in BUILT.glob("*.[jc]s*"):
        assert digest.hexdigest() in file.read_text(), f"{file.name}: run npm run build in web/"


def test_the_playground_in_the_docs_is_current():
    assert (ROOT / "docs" / "playground.html").read_text() == playground(), (
        "run adjudge playground --out docs/playground.html"
    )


def test_a_new_build_gives_the_same_bytes(tmp_path):
    if not (WEB / "node_modules" / "esbuild").exists():
        pytest.skip("no esbuild here: npm ci in web/, then run this test again")
    subprocess.run(["node", "build.mjs", tmp_path], cwd=WEB, check=True)  # noqa: S607
    for file in BUILT.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("points", "detectors", "kind", "most"),
    [(20_000, 1, "f8", 400e3), (100_000, 2, "f8", 2.5e6), (100_000, 2, "f4", 1.3e6)],
)
def test_a_page_is_small_enough_to_send(tmp_path, points, detectors, kind, most):
    rng = np.random.default_rng(0)
    labels = np.arange(points) % 500 < 30
    scores = {f"d{d}": rng.normal(size=points).astype(kind) for d in range(detectors)}
    judged = aj.evaluate(labels, scores, "f1", at=1.0, chance=False)
    assert judged.to_html(tmp_path / "page.html").stat().st_size <= most


def test_the_time_of_each_point_travels_along(tmp_path):
    days = np.datetime64("2026-01-31T23:00") + np.arange(4) * np.timedelta64(30, "m")
    for time, expected in (
        (days, {"date": True, "step": 1800.0, "first": 1769900400.0}),
        ([1, 2, 4, 8], {"date": False, "step": None, "first": 1.0}),
    ):
        path = aj.report(
            [0, 1, 1, 0], [0, 1, 0, 0], "f1", path=tmp_path / "a.html", time=time, chance=False
        )
        found = payload(path.read_text())["time"]
        assert {key: found[key] for key in expected} == expected
    with pytest.raises(aj.InputError, match=r"time must be one time per point, got shape \(3,\)"):
        aj.report([0, 1], [0, 1], "f1", path=tmp_path / "a.html", time=[1, 2, 3], chance=False)


def test_detectors_judged_on_different_points_need_a_page_each(tmp_path):
    one, other = (
        aj.evaluate([0, 1, 1, 0], {name: [0, 1, 0, 0]}, "f1", where=where, chance=False)
        for name, where in (("a", [1, 1, 1, 1]), ("b", [1, 1, 1, 0]))
    )
    both = aj.Judgement(one.rows + other.rows, (), one.cases + other.cases)
    with pytest.raises(aj.InputError, match="judged on the same points, got others for 'b'"):
        both.to_html(tmp_path / "page.html")


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (aj.tuned("f1", on="0:6"), "tuned on another part"),
        ("quantile(0.5)", "found by a rule, without the labels"),
        (0.123456789, "0.123456789, given"),
    ],
)
def test_the_page_says_who_chose_the_threshold(tmp_path, at, said):
    labels, scores = [0, 1, 0, 0, 1, 0] * 2, [0.1, 0.8, 0.3, 0.2, 0.9, 0.4] * 2
    path = tmp_path / "page.html"
    assert said in aj.report(labels, scores, "f1", at, path=path, chance=False).read_text()


def test_times_of_a_fixed_offset_need_no_browser_that_knows_it():
    plain, ahead = (
        packed_time([f"2026-01-01 0{hour}:00{zone}" for hour in range(3)], 3)
        for zone in ("", "+05:30")
    )
    assert ahead == {**plain, "zone": "UTC+05:30"}
    assert plain["zone"] is None
    assert packed_time(["2026-01-01 00:00Z", "2026-01-01 01:00Z"], 2)["zone"] == "UTC"


@pytest.mark.parametrize("reading", ["corrected", "printed", "authors"])
def test_the_page_counts_in_the_reading_that_was_asked_for(tmp_path, reading):
    """Islands of the authors have an odd number of points."""
    labels, flags = np.zeros((2, 40), int)
    labels[10:14] = flags[15] = 1
    metric = aj.f1_ba(width=4, reading=reading)
    judged = aj.evaluate(labels, flags, [metric], chance=False)
    (one,) = payload(judged.to_html(tmp_path / "a.html").read_text())["detectors"]
    main, given = one["metrics"][0], one["given"]
    assert values(main)[given] == judged.rows[0].value
    charged = np.flatnonzero(unpacked(main["lanes"]["charged"]) <= given)
    rows = aj.explain(labels, flags, metric).alarms
    assert charged.size == rows.cost.sum()


def test_the_report_computes_no_metric():
    """Its scripts look up and draw: no arithmetic on counts, nothing of the playground's."""
    for path in sorted((WEB / "src" / "report").glob("*.ts")):
        text = path.read_text()
        assert "arithmetic" not in text, path.name
        assert computes(text) == [], path.name
    playground = (WEB / "src" / "playground" / "arithmetic" / "masses.ts").read_text()
    assert len(computes(playground)) == 3  # F1, precision and recall


def computes(text):
    """Rates made of counts: twice something that was found, or a share of what was counted."""
    counts = r"(?:found|wrong|right|missed|truth|hits|falls|earned|lost|cost)"
    rate = rf"\(?2 \* \(?{counts}\b|\b{counts} / [(a-z]|/ \({counts} \+"
    return [line for line in text.splitlines() if re.search(rate, line)]


def test_the_command_of_the_card_holds_no_character_that_is_obeyed(tmp_path):
    judged = aj.evaluate([0, 0, 1, 1, 0, 0], {"a\u202eb": [0, 0.1, 0.9, 0.2, 0, 0]}, "ap", shifts=9)
    assert "\u202e" not in judged.to_html(tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("timed", [True, False])
def test_the_command_of_the_decision_card_runs_as_it_stands(tmp_path, monkeypatch, timed):
    """With the file, the options that read it and the column; all of them are shell words."""
    monkeypatch.chdir(tmp_path)
    labels, scores = np.tile([0] * 40 + [1] * 5, 60), np.random.default_rng(0).random(2700)
    time = np.datetime64("2026-01-01T00") + np.arange(2700) * np.timedelta64(1, "h")
    rows = zip(time, labels, np.round(scores + labels, 3), strict=True)
    text = "\n".join([f"{a};{b};{c}" for a, b, c in rows])
    Path("my pump.csv").write_text(f"when;truth;my score\n{text}\n")
    read = ["my pump.csv", "--sep", ";", "--label", "truth", "--time", "when"]
    given = [*(read if timed else read[:-2]), "--score", "my score"]
    made = CliRunner().invoke(main, ["report", *given, "--at", "0.9", "--no-chance"])
    assert made.exit_code == 0, made.output
    (one,) = payload(Path("report.html").read_text())["detectors"]
    program, *words = shlex.split(one["command"])
    assert program == "adjudge"
    assert {*given} <= {*words}
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 0, ran.output
    assert ("choose: " if timed else "threshold by tuned(f1_ba, ") in ran.output


@pytest.mark.parametrize("timed", [True, False])
def test_without_a_file_the_command_is_python(tmp_path, timed):
    labels, scores = np.tile([0] * 40 + [1] * 5, 60), np.random.default_rng(0).random(2700)
    time = np.datetime64("2026-01-01T00") + np.arange(2700) * np.timedelta64(1, "h")
    how = {"time": time} if timed else {}
    both = {"it's": scores + labels, "b": scores}
    for given, names in ((scores + labels, ["scores"]), (both, ['scores["it\'s"]', "scores['b']"])):
        judged = aj.evaluate(labels, given, ["f1_ba"], 0.9, chance=False, **how)
        page = judged.to_html(tmp_path / "a.html").read_text()
        for one, name in zip(payload(page)["detectors"], names, strict=True):
            assert name in one["command"]
            known = {"adjudge": aj, "labels": labels, "scores": given, "time": time}
            assert eval(one["command"], known) is not None  # noqa: S307 - what a user would paste
