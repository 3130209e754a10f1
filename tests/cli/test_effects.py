"""Options: what is given has an effect, or is refused; every verb, source and option."""

import inspect
import re
import shutil
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.cli.declaration import DATA, Option
from adjudge.cli.effects import RULES
from adjudge.judging.inputs.annotated import Annotated
from adjudge.judging.inputs.channels import Channels
from adjudge.judging.inputs.on_call import OnCall
from adjudge.judging.inputs.points import Points
from adjudge.ranking.sources import FolderColumns
from adjudge.tables.formats import FORMATS
from sampling import one_in

N = 60
LABELS = np.tile(np.repeat([0, 1, 0], [7, 6, 7]), 3)
WHEN = ("--time", "when")
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
    points.assign(
        **{
            f"{role}_{name}": np.roll(points[role], by)
            for role in ("label", "score")
            for name, by in (("a", 0), ("b", 3))
        }
    ).to_csv(folder / "wide.csv", index=False)
    (folder / "groups.csv").write_text("channel,subsystem\na,x\nb,y\n")
    for name, rows in {"changes": "10 40", "warnings": "12 30", "others": "11 41"}.items():
        (folder / f"{name}.csv").write_text("\n".join(["position", *rows.split(), ""]))
        when = [f"2026-01-01 01:{minute},x" for minute in rows.split()]
        (folder / f"timed_{name}.csv").write_text("\n".join(["time,host", *when, ""]))
    values = "series,detector,value\na,one,.5\nb,one,.6\na,two,.4\nb,two,.7\n"
    (folder / "values.csv").write_text(values)
    for name, chosen in {"chosen": "mine", "picked": "one"}.items():
        (folder / f"{name}.csv").write_text(f"series,detector\na,{chosen}\nb,{chosen}\n")
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
    for kind in ("points", "on_call"):
        asked = (*sources(folder)["evaluate", kind], "--metric", "detection_delay", "--json")
        (folder / f"judged_{kind}.json").write_text(run("evaluate", *asked).stdout)
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
    """The verbs that read data, and each kind of data that they take, with what must be said."""
    points = folder / "points.csv"
    truth = ("--truth", folder / "incidents.csv", "--alerts", folder / "pager.csv", *SPAN)
    both = (*truth, "--alerts", folder / "rota.csv")
    one, quick = ("--at", 0.9), ("--metric", "f1_ba")
    tsb = (folder / "tsb", "--with", folder / "tsb_scores")
    out = ("--out", folder / "pages" / "page.html")
    wide = (folder / "wide.csv", "--channels", "a,b", "--label", "label_{}", "--score", "score_{}")
    votes = (points, "--annotators", "label,truth", "--score", "mine")
    change = ("--truth", folder / "changes.csv", "--alerts", folder / "warnings.csv")
    change += ("--length", N, "--metric", "change_f1(margin=2)")
    timed = ("--truth", folder / "timed_changes.csv", "--alerts", folder / "timed_warnings.csv")
    timed += (*SPAN, "--metric", "change_f1(margin=2)")
    series = (folder / "series", "--out", folder / "pages" / "ranks", "--no-chance")
    ranked = folder / "ranked"
    few = ("--versions", 20, "--draws", 20, "--shifts", 9)
    week = ("--budget", "3/day", "--blocks", "1h")
    return {
        ("evaluate", "points"): (points, *one, *quick),
        ("evaluate", "benchmark"): (*tsb, *one, *quick),
        ("evaluate", "on_call"): (*both, *quick),
        ("evaluate", "channels"): (*wide, *one),
        ("evaluate", "annotators"): (*votes, *one, *quick),
        ("evaluate", "positions"): change,
        ("evaluate", "moments"): timed,
        ("explain", "points"): (points, *one),
        ("explain", "on_call"): truth,
        ("explain", "channels"): (*wide, *one, "--metric", "channel_f1"),
        ("explain", "annotators"): (*votes, *one),
        ("explain", "positions"): change,
        ("explain", "moments"): timed,
        ("compare", "points"): (points, *one),
        ("compare", "on_call"): (*truth, "--alerts", folder / "silent.csv"),
        ("compare", "channels"): (*wide, *one),
        ("compare", "annotators"): (*votes, "--score", "score", *one),
        ("compare", "positions"): (*change, "--alerts", folder / "others.csv"),
        ("compare", "moments"): (*timed, "--alerts", folder / "timed_others.csv"),
        ("decide", "points"): (points, *WHEN, *week),
        ("decide", "on_call"): (*truth, *week),
        ("report", "points"): (points, *one, *out, *quick),
        ("report", "on_call"): (*truth, *out, *quick),
        ("report", "channels"): (*wide, *one, *out),
        ("report", "annotators"): (*votes, *one, *out),
        ("report", "positions"): (*change, *out),
        ("report", "moments"): (*timed, *out),
        ("report", "ranking"): (ranked, *out),
        ("report", "ranked"): (ranked, "--data", folder / "series", *out),
        ("rank", "folder"): series,
        ("rank", "values"): (folder / "values.csv", "--values"),
        ("rank", "rankings"): (ranked, ranked, "--merge"),
        ("rank", "ranking"): (ranked,),
        ("calibrate", "points"): (points, *one, *few),
        ("calibrate", "on_call"): (*truth, "--every", "1min", *few),
        ("calibrate", "positions"): (*change, *few),
        ("calibrate", "moments"): (*timed, *few),
        ("explain-diff", "points"): (points, "--theirs", "0.5"),
    }


def command(verb):
    return main.commands[verb]


def options(verb):
    return [param for param in command(verb).params if isinstance(param, Option)]


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
    "as_md": [], "as_latex": [], "form": ["md"],
    "fail_under": ["f1=0.99"], "fail_over": ["false_alarm_rate=0"], "fail_unless_better": [],
    "all_rows": [], "draws": [50], "fail_if_worse": [], "title": ["Mine"], "data": ["series"],
    "unit": ["event"], "group": ["third"], "clock": ["shared"], "length": [300],
    "changes": ["ones"],
    "theirs": ["0.6"], "truth": ["incidents.csv"], "out": ["elsewhere.html"],
    "outages": ["dark.csv"], "watched": ["dark.csv"], "early": ["1h"], "no_series": [],
    "tz": ["Europe/Berlin"], "ambiguous": ["first"], "truth_columns": ["end=later"],
    "alerts_columns": ["end=later"], "by": ["length"], "signals": ["mine"],
    "compare": ["score", "mine"], "over_time": ["1h"], "step": ["30min"],
    "growing": [], "fail_if_worse_than": ["2h"], "votes": ["majority"],
    "candidates": ["0.5"], "prices": ["miss=5"], "budget": ["2/day"], "blocks": ["2h"],
    "forward": [], "now": ["0.5"], "window": ["tick"], "layout": ["{series}.csv"],
    "labels": ["majority"],
    "resources": ["values.csv"], "jobs": [2],
    "scheduler": ["local:1"], "min_coverage": [0.5], "pooled": None, "retry": [], "values": [],
    "better": ["lower"], "against": ["ranked"], "merge": [], "baselines": [], "signal": ["tick"],
    "power": [], "selector": ["chosen.csv"], "paper": [], "order_by": ["mean"],
    "html": ["page.html"], "figure": [],
    "width": ["ieee1"], "versions": [21], "sample": [1], "prepare": [], "build": ["site"],
    "before": ["site"], "closed": ["both"],
}  # fmt: skip
"""What is given for each option; paths are below the folder of the test."""
OF_KIND = {
    "on_call": {"series": ["host"], "clock": ["own"], "against": ["judged_on_call.json"]},
    "points": {"against": ["judged_points.json"]},
    "moments": {"series": ["host"]},
    **{kind: {"unit": ["dataset"]} for kind in ("folder", "rankings", "ranking")},
    "values": {"unit": ["dataset"], "selector": ["picked.csv"]},
}
"""The same for other data, where it is another."""

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
    "tz": ("--time", "when", "--truth", "incidents.csv"),
    "ambiguous": ("--time", "when", "--truth", "incidents.csv", "--tz", "Europe/Berlin"),
    "truth_columns": ("--time", "when", "--truth", "incidents.csv"),
    "unit": ("--series", "id"), "group": ("--series", "id"), "draws": ("--best",),
    "clock": ("--series", "id"),
}  # fmt: skip
"""What must stand beside an option for it to have an effect, on files of points."""
TWO = ("--score", "mine", "--score", "never")


def beside(folder, verb, kind, option):
    """What stands beside an option when it is tried."""
    if kind in {"benchmark", "on_call"}:
        learns = BESIDE[option] if option in {"train", "train_length"} else ()
        learns = (
            BESIDE[option][2:] if option in {"step", "growing", "fail_if_worse_than"} else learns
        )
        learns = BESIDE["seed"] if (verb, option) == ("evaluate", "seed") else learns
        return ("--metric", "detection_delay") if option == "fail_if_worse" else learns
    found = BESIDE.get(option, ())
    if (verb, option) == ("evaluate", "fail_if_worse"):
        before = ("--against", "judged_points.json", "--score", "never")
        found = (*before, "--metric", "detection_delay")
    if verb == "compare":
        found = {
            "fail_if_worse": ("--metric", "detection_delay", *TWO), "scores": TWO[2:],
            "seed": ("--null", "nearby", *TWO), "clock": (*found, *TWO),
            "draws": ("--best", *TWO),
            "best": ("--score", "flags", *TWO[:2]),
            "time": ("--metric", "detection_delay", "--score", "flags", *TWO[:2]),
            "tune_on": ("--score", "flags", *TWO[2:]),
        }.get(option, (*found, *(TWO[:2] if "--score" in found else TWO)))  # fmt: skip
    return tuple(placed(folder, one) for one in found)


NO_THRESHOLD_OF_THEIR_OWN = ("best", "tune_on", "tune_by", "train", "train_length", "draws")


def arguments(folder, option, kind):
    given = GIVEN | OF_KIND.get(kind, {})
    if given[option.name] is None:
        return [f"--no-{option.name}"]
    return [option.opts[0], *(placed(folder, value) for value in given[option.name])]


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
    ("explain", "on_call", "all_rows"), ("report", "ranked", "judged"),
    *((verb, kind, "ambiguous") for verb in ("evaluate", "explain", "compare", "report")
      for kind in ("on_call", "points")),
    *((verb, "on_call", "every") for verb in ("evaluate", "report", "explain", "compare")),
    *(("report", "ranked", name) for name in ("sort", "also", "on", "inner")),
    ("evaluate", "benchmark", "missing"), ("compare", "points", "tune_by"),
    ("compare", "on_call", "draws"), ("compare", "on_call", "seed"),
    ("compare", "on_call", "span"), ("report", "on_call", "seed"), ("report", "points", "seed"),
    ("evaluate", "benchmark", "unit"), ("evaluate", "on_call", "unit"),
    ("evaluate", "on_call", "seed"), ("evaluate", "on_call", "fail_if_worse"),
    ("evaluate", "benchmark", "fail_if_worse"),
    ("compare", "on_call", "unit"),
    *((verb, "points", name) for verb in ("evaluate", "explain", "compare", "report")
      for name in ("channel", "channels", "subsystem", "annotators", "votes")),
}  # fmt: skip
"""What has an effect on other data of the kind (many events, a benchmark ranked, rows out of order,
lost scores, several series or channels, more than two incidents), and what goes with an option that
is refused; a report of a ranking shows the detectors that were ranked."""
SLOW = ("explain-diff", "points")  # a second or two per call, so only what no other verb passes on
PASSED_ON = {"series", "where", "at", "theirs"}
TRIED = {
    ("evaluate", "points"), ("evaluate", "benchmark"), ("evaluate", "on_call"),
    ("explain", "points"), ("explain", "on_call"), ("compare", "points"), ("compare", "on_call"),
    ("report", "points"), ("report", "on_call"), ("report", "ranking"), ("report", "ranked"), SLOW,
}  # fmt: skip
"""Where each option that is not refused is tried too."""
SLOWLY = [pytest.param(*SLOW, marks=pytest.mark.long)]


CHANGES_THE_KIND = {("benchmark", "sep"), ("benchmark", "decimal"), ("ranking", "out")}
"""No benchmark is text with such marks, and with --out a ranking is made, not read."""


def is_said(option, asked):
    """Whether an option says what the data are, so that it is no other option beside them."""
    told = set(map(str, asked)) - {"--at", "--alerts", "--span", "--metric", "--score"}
    making = {"truth", "alerts", "channels", "channel", "annotators", "length", "values", "merge"}
    return option.opts[0] in told or option.name in making | {"data"}


def refused_wrongly(place, verb, kind):
    """The options that other data should have refused, or that were refused in other words."""
    wrong, asked = [], sources(place)[verb, kind]
    for option in options(verb):
        if not option.of or kind in option.of or is_said(option, asked):
            continue
        if (kind, option.name) in CHANGES_THE_KIND:
            continue
        given = arguments(place, option, kind)
        code, printed, _, said = outcome(place, verb, *asked, *given)
        noun = DATA[kind].noun
        if kind == "moments":  # which only the file tells
            noun = rf"({noun}|{DATA['on_call'].noun})"
        why = rf"{given[0]} is for .+, not for {noun}|has no effect with.* {given[0]}"
        told = " ".join(said.split())
        if code != 2 or printed or not (re.search(why, told) or f"{given[0]} has no" in told):
            wrong.append(option.name)
    return wrong


def taken_wrongly(place, verb, kind):
    """The options that these data have, and that were refused or changed nothing."""
    wrong, asked, known = [], sources(place)[verb, kind], {}
    for option in options(verb):
        if (verb, kind) == SLOW and option.name not in PASSED_ON:
            continue
        made_of = {"--truth", *map(str, asked)} - {"--at", "--alerts", "--span", "--metric"}
        if option.opts[0] in made_of or (verb, kind, option.name) in BY_DATA:
            continue
        if option.of and kind not in option.of:
            continue
        whole = asked
        if option.name in NO_THRESHOLD_OF_THEIR_OWN:
            whole = tuple(one for one in asked if one not in {"--at", 0.9})
        whole += beside(place, verb, kind, option.name)
        if whole not in known:
            known[whole] = outcome(place, verb, *whole)[:3]
        *found, said = outcome(place, verb, *whole, *arguments(place, option, kind))
        if tuple(found) == known[whole] or "no effect" in said or " is for " in said:
            wrong.append(option.name)
    return wrong


def test_the_campaign_has_every_verb_with_every_kind_of_data():
    takes = {(verb, kind) for verb in main.commands for kind in kinds(verb)}
    assert takes == set(sources(Path()))


def kinds(verb):
    return getattr(command(verb), "kinds", ())


@pytest.mark.parametrize(("verb", "kind"), sources(Path()))
def test_an_option_of_other_data_is_refused(place, verb, kind, monkeypatch):
    monkeypatch.chdir(place)
    assert refused_wrongly(place, verb, kind) == []


@pytest.mark.parametrize(
    ("verb", "kind"), one_in(3, [one for one in sources(Path()) if one in TRIED - {SLOW}]) + SLOWLY
)
def test_an_option_of_these_data_has_an_effect(place, verb, kind, monkeypatch):
    monkeypatch.chdir(place)
    assert taken_wrongly(place, verb, kind) == []


@pytest.mark.parametrize(
    ("verb", "kind"),
    one_in(4, [(v, k) for v in ("explain", "evaluate") for k in ("on_call", "points")]),
)
def test_every_declaration_that_takes_too_much_is_found(place, verb, kind, monkeypatch):
    """The law is shown to fail: each option of other data, declared for these too."""
    monkeypatch.chdir(place)
    asked = sources(place)[verb, kind]
    others = [
        one for one in options(verb)
        if one.of and kind not in one.of and not is_said(one, asked)
        and (verb, kind, one.name) not in BY_DATA
    ]  # fmt: skip
    assert len(others) > 7
    for one in others:
        monkeypatch.setattr(one, "of", (*one.of, kind))
    found = taken_wrongly(place, verb, kind)
    assert len(found) > 3
    for one in others:  # what is not found, the library refuses
        given = arguments(place, one, kind)
        assert one.name in found or outcome(place, verb, *asked, *given)[0] == 2, one.name


@pytest.mark.parametrize(
    ("verb", "kind", "name"), [("explain", "on_call", "early"), ("explain", "points", "where")]
)
def test_a_declaration_that_takes_too_little_is_found(place, verb, kind, name, monkeypatch):
    monkeypatch.chdir(place)
    option = next(one for one in options(verb) if one.name == name)
    monkeypatch.setattr(option, "of", ("annotators",))
    given = outcome(place, verb, *sources(place)[verb, kind], *arguments(place, option, kind))
    assert given[0] == 2
    assert owners_declared(option) != owners(option.name)


INPUTS = {"points": Points, "channels": Channels, "annotators": Annotated, "on_call": OnCall}
READ_ELSEWHERE = {"positive": ("channels", "annotators"), "kind": (), "severity": ()}
"""What Python takes and the reading of files does not have for these data."""


def owners(name):
    """The kinds of data whose input takes an argument in Python."""
    found = {kind for kind, one in INPUTS.items() if name in one.own()}
    return found - set(READ_ELSEWHERE.get(name, ()))


def owners_declared(option):
    return set(option.of) & set(INPUTS)


def test_an_option_has_a_meaning_where_the_input_of_python_has_it():
    known = {name for one in INPUTS.values() for name in one.own()}
    both = [one for one in options("evaluate") if one.name in known]
    assert len(both) > 12
    for option in both:
        assert owners_declared(option) == owners(option.name), option.name


def test_data_are_called_as_python_calls_them():
    for kind, one in INPUTS.items():
        assert DATA[kind].noun == one.noun
        for name, way in one.instead.items():
            assert among("evaluate")[name].instead[kind] == re.sub(r"(\w+)=", r"--\1", way)


def test_a_ranking_takes_what_a_folder_of_python_takes():
    declared = {one.name for one in options("rank") if "folder" in one.of}
    assert set(FolderColumns.__annotations__) - {"score_folder"} <= declared


ALONE = [
    pytest.param(verb, option, id=f"{verb}-{option.name}")
    for verb in main.commands
    for option in options(verb)
    if option.needs or option.not_with or option.not_in
]
BASES = {
    "verify": ("ranked", "mine"),
    **{verb: asked for (verb, _), asked in reversed(sources(Path()).items())},
}


def among(verb):
    return {one.name: one for one in options(verb)}


def base(place, verb, option):
    """A call of a verb on data for which an option has a meaning."""
    kinds = [kind for one, kind in sources(place) if one == verb and kind in (option.of or [kind])]
    plain = ("ranked", "mine", *(("-o", "x.toml") if verb == "seal" else ()))
    return sources(place)[verb, kinds[0]] if kinds else plain


@pytest.mark.parametrize(("verb", "option"), ALONE)
def test_what_an_option_needs_or_excludes_is_refused(place, verb, option, monkeypatch):
    monkeypatch.chdir(place)
    asked, known = base(place, verb, option), among(verb)
    flag, *values = arguments(place, option, "points")
    plain = [one for one in asked if one not in {"--at", 0.9, "--no-chance"}]
    needs = [name for name in option.needs if name in known]
    asks = []
    if needs and not any(known[name].opts[0] in asked for name in needs):
        asks.append(((), f"{flag} has no effect without {known[needs[0]].opts[0]}"))
    for name in option.not_with:
        if name in known and name != option.name:
            other = arguments(place, known[name], "points")
            more = [known[one].opts[0] for one in needs if one != name]
            needed = [
                x for n in needs[:1] if n != name for x in arguments(place, known[n], "points")
            ]
            told = f"{flag} has no effect with {other[0]}"
            asks.append(((*other, *(needed if more else ())), told))
    asks += [
        ((*(x for n in needs[:1] for x in arguments(place, known[n], "points")), "--format", form),
         f"{flag} has no effect with --{form}")
        for form in option.not_in
    ]  # fmt: skip
    for more, told in asks:
        refused = run(verb, *plain, flag, *values, *more)
        said = " ".join(refused.stderr.split())
        assert refused.exit_code == 2, (more, refused.output)
        assert refused.stdout == ""
        others = [f"{one} has no effect with" for one in more]
        assert any(one in said for one in (told, f"{flag} is for ", *others)), said


def test_alerts_of_another_service_answer_no_incident_in_silence(place):
    asked = ("evaluate", *sources(place)["evaluate", "on_call"])
    for option in ("--where", "--label", "--time", "--tune-on", "--on", "--with"):
        refused = run(*asked, option, "no_such_column")
        assert refused.exit_code == 2
        assert f"{option} is for " in " ".join(refused.stderr.split())
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
        why = ("has no effect", "is for")
        assert any(f"{option} {words}" in told[-1] for option in example for words in why), told[-1]
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


@pytest.mark.parametrize("verb", ["evaluate", "explain", "compare", "rank"])
def test_a_format_by_name_is_that_of_its_own_option(place, verb, monkeypatch):
    monkeypatch.chdir(place)
    asked = {"compare": ("points.csv", "--at", "0.9", *TWO), "rank": ("ranked",)}.get(
        verb, POINTS[1:]
    )
    tables = run(verb, *asked).stdout
    assert run(verb, *asked, "--format", "table").stdout == tables
    known = [name for name in FORMATS if f"as_{name.replace('-', '_')}" in among(verb)]
    assert {"json", "md", "latex"} <= set(known)
    for name in known:
        by_name = run(verb, *asked, "--format", name)
        assert by_name.exit_code == 0
        assert by_name.stdout == run(verb, *asked, f"--{name}").stdout != tables
        twice = run(verb, *asked, "--format", name, f"--{name}")
        assert twice.stdout == by_name.stdout
    both = run(verb, *asked, "--format", "md", "--json")
    assert both.exit_code == 2
    assert "--json and --md exclude each other" in both.stderr
    assert run(verb, *asked, "--format", "xml").exit_code == 2


DEFAULTS = {
    "evaluate": "judging.doors.evaluate:evaluate",
    "compare": "judging.doors.compare:compare_all",
    "decide": "judging.doors.decide:decide",
    "rank": "ranking.run:rank",
    "calibrate": "lab.calibration.run:calibrate",
}
BY_NAME = {("calibrate", "metric")}
"""None in Python, which then takes ``f1_ba`` too."""


@pytest.mark.parametrize("verb", DEFAULTS)
def test_a_default_is_that_of_python(verb):
    known = inspect.signature(resolve_name(f"adjudge.{DEFAULTS[verb]}")).parameters
    mine = command(verb).make_context(verb, ["scores.csv"]).params
    both = [one for one in options(verb) if one.name in known and not one.multiple]
    assert len(both) > 4
    for one in both:
        python = known[one.name].default
        assert mine[one.name] in {None, python} or (verb, one.name) in BY_NAME, one.name
        told = re.search(r"\[default: ([\w.]+)\]", one.help or "")
        if told and python is not None:
            assert told[1] == str(python), one.name


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
        assert f"{option} has no effect on {table}, which is" in refused.stderr
    refused = run("evaluate", place / "points.csv", "--best", *WHEN, "--time-unit", "s")
    assert refused.exit_code == 2
    assert "--time-unit has no effect on column when, whose times are" in refused.stderr
    truth = sources(place)["evaluate", "on_call"]
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
