"""Several channels and annotators on the command line: wide, long, and what is refused."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from adjudge.cli import main
from adjudge.io.channels import ChannelColumns, read_channels

NAMES = ["temp", "flow", "amps"]


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Wide, long and voted tables of the same story."""
    folder = tmp_path_factory.mktemp("channels")
    rng = np.random.default_rng(1)
    labels, scores = np.zeros((200, 3), int), rng.normal(size=(200, 3)).round(3)
    for number, start in enumerate([20, 75, 130, 170]):
        labels[start : start + 9, number % 3] = 1
        scores[start + 1 : start + 8, number % 3] += 6
    times = [f"2026-01-01 {i // 60:02d}:{i % 60:02d}" for i in range(200)]
    head = ["t", *(f"label_{n}" for n in NAMES), *(f"score_{n}" for n in NAMES), "label"]
    rows = [[times[i], *labels[i], *scores[i], labels[i].max()] for i in range(200)]
    write(folder / "wide.csv", head, rows)
    long = [
        [times[i], n, labels[i, c], scores[i, c]] for i in range(200) for c, n in enumerate(NAMES)
    ]
    write(folder / "long.csv", ["t", "channel", "label", "score"], long)
    write(folder / "gap.csv", ["t", "channel", "label", "score"], [*long[:4], *long[5:]])
    write(folder / "short.csv", ["t", "channel", "label", "score"], long[:-1])
    write(folder / "again.csv", ["t", "channel", "label", "score"], [*long, long[1], long[4]])
    other = np.roll(labels.max(axis=1), 2)
    votes = [[labels[i].max(), other[i] if i < 150 else "", scores[i].max()] for i in range(200)]
    write(folder / "votes.csv", ["ann_a", "ann_b", "score"], votes)
    write(folder / "groups.csv", ["Channel", "Subsystem"], zip(NAMES, "xxy", strict=True))
    write(
        folder / "twice.csv", ["channel", "subsystem"], zip([*NAMES, "temp"], "xxyy", strict=True)
    )
    (folder / "empty.csv").touch()
    events = [[f"e{i}", NAMES[i % 3], s, s + 9, ["leak", "stall"][i % 2]]
              for i, s in enumerate([20, 75, 130, 170])]  # fmt: skip
    head = ["id", "channel", "start", "end", "kind"]
    write(folder / "events.csv", head, events)
    timed = [[name, c, times[a], times[b], kind] for name, c, a, b, kind in events]
    write(folder / "timed.csv", head, timed)
    write(folder / "who.csv", ["annotator", "start", "end"],
          [[who, a, b] for _, _, a, b, _ in events for who in ("ann", "bob")])  # fmt: skip
    write(folder / "words.csv", ["label_a", "score_a"], [["no", 1], ["yes", 2]])
    return folder


def write(path, head, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [head, *rows]) + "\n")


def values(found):
    assert found.exit_code == 0, found.output
    return {row["requested"]: row["value"] for row in json.loads(found.stdout)["rows"]}


def test_wide_and_long_tables_are_the_same(place):
    how = ("--at", 4, "--no-chance", "--json", "--time", "t")
    wide = run("evaluate", place / "wide.csv", "--channels", ",".join(NAMES), *how)
    fitted = run("evaluate", place / "wide.csv", "--channels", "", *how)
    long = run("evaluate", place / "long.csv", "--channel", "channel", *how)
    assert values(wide) == values(fitted) == values(long)
    assert json.loads(wide.stdout)["channels"]["names"] == NAMES
    assert "200 points, 3 channels: temp, flow, amps" in wide.stderr


def test_patterns_groups_and_one_label_for_all(place):
    asked = (
        "evaluate",
        place / "wide.csv",
        "--channels",
        "temp,flow,amps",
        "--at",
        4,
        "--no-chance",
    )
    named = run(*asked, "--label", "label_{}", "--score", "score_{}", "--subsystem",
                place / "groups.csv", "--json")  # fmt: skip
    assert values(named)["subsystem_f1"] == 1
    assert "2 subsystems" in named.stderr
    one = run(*asked, "--label", "label", "--json")
    assert "channel_f1" not in values(one)


@pytest.mark.parametrize("name", ["label", "Label", "is_anomaly"])
def test_one_label_for_all_is_known_by_its_usual_name(tmp_path, name):
    write(tmp_path / "one.csv", [name, "score_a", "score_b"], [[0, 1, 2], [1, 3, 4]])
    found = read_channels(str(tmp_path / "one.csv"), ChannelColumns(channels="a,b"))
    assert found.labels.tolist() == [0, 1]
    assert {n: s.tolist() for n, s in found.scores["score"].items()} == {"a": [1, 3], "b": [2, 4]}


def test_named_scores_and_the_points_to_judge(tmp_path):
    head, rows = ["t", "channel", "label", "score", "mine", "theirs", "kept"], []
    for t, kept in enumerate([1, 0, 1]):
        rows += [[t, name, 0, 0, t, 10 * t, kept] for name in "ab"]
    write(tmp_path / "long.csv", head, rows)
    how = ChannelColumns(channel="channel", scores=("theirs", "mine"), where="kept")
    found = read_channels(str(tmp_path / "long.csv"), how)
    assert list(found.scores) == ["theirs", "mine"]
    assert found.scores["theirs"]["b"].tolist() == [0, 10, 20]
    assert found.where.tolist() == [True, False, True]


def test_annotators_by_name_and_by_pattern(place):
    how = ("--at", 4, "--metric", "f1", "--no-chance", "--json")
    named = run("evaluate", place / "votes.csv", "--annotators", "ann_a,ann_b", *how)
    fitted = run("evaluate", place / "votes.csv", "--annotators", "ann_*", *how)
    inside = run("evaluate", place / "votes.csv", "--annotators", "a,b", "--label", "ann_{}", *how)
    assert values(named) == values(fitted) == values(inside)
    assert json.loads(inside.stdout)["annotators"]["names"] == ["a", "b"]
    anyone = run("evaluate", place / "votes.csv", "--annotators", "ann_*", "--votes", "any", *how)
    assert values(anyone) != values(named)


@pytest.mark.parametrize(
    ("label", "names"), [("ann_*", ["ann_a", "ann_b"]), ("ann_{}", ["a", "b"])]
)
def test_a_word_for_the_votes_takes_the_annotators_that_the_label_names(place, label, names):
    how = ("--at", 4, "--metric", "f1", "--no-chance", "--json")
    told = run("evaluate", place / "votes.csv", "--label", label, "--annotators", "any", *how)
    plain = run("evaluate", place / "votes.csv", "--annotators", "ann_*", "--votes", "any", *how)
    assert values(told) == values(plain)
    assert json.loads(told.stdout)["annotators"]["names"] == names


def test_numbers_may_have_another_decimal_mark(place, tmp_path):
    text = (place / "long.csv").read_text()
    (tmp_path / "long.csv").write_text(text.replace(",", ";").replace(".", ","))
    how = ("--channel", "channel", "--time", "t", "--at", 4, "--no-chance", "--json")
    written = run("evaluate", tmp_path / "long.csv", "--sep", ";", "--decimal", ",", *how)
    assert values(written) == values(run("evaluate", place / "long.csv", *how))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("wide.csv", "--label", "label_{}"), "or '*' for all"),
        (("wide.csv", "--channels", "v*"), "no column fits 'score_v*'; there are temp, flow, amps"),
        (("again.csv", "--channel", "channel", "--time", "t"),
         "twice at 2026-01-01 00:00"),
        (("again.csv", "--channel", "channel"), "got 202 rows of 'flow' for 200 of 'temp'; --time"),
        (("short.csv", "--channel", "channel", "--time", "t"),
         "got none of 'amps' at 2026-01-01 03:19, where 'temp' has one; add the row"),
        (("wide.csv", "--channels", "temp,flow,amps", "--truth", "events.csv", "--by", "knd"),
         "by='knd' needs events that have one; these have channel, kind, length"),
        (("wide.csv", "--channels", "temp,flow", "--metric", "subsystem_f1"),
         "a dict of groups to their channels (--subsystem FILE)"),
        (("wide.csv", "--subsystem", "groups.csv"),
         "--subsystem is for several channels (--channels), not for points"),
        (("votes.csv", "--votes", "any"),
         "--votes is for several annotators (--annotators), not for points"),
        (("wide.csv", "--channels", "temp,flw"), "unknown column 'label_flw'"),
        (("wide.csv", "--channels", "", "--score", "s_{}"), "no column fits 's_{}'"),
        (("long.csv", "--channel", "chan"), "unknown column 'chan'"),
        (("gap.csv", "--channel", "channel", "--time", "t"), "must have the same times, got"),
        (("short.csv", "--channel", "channel"), "199 rows of 'amps' for 200 of 'temp'"),
        (("votes.csv", "--annotators", "ann_a,ann_c"), "unknown column 'ann_c'"),
        (("votes.csv", "--annotators", "ann_*", "--score", "scor"), "unknown column 'scor'"),
        (("words.csv", "--channels", "a"), "column label_a must hold numbers, got 'no' in row 1"),
        (("empty.csv", "--channels", "a"), "several channels need a table with columns"),
        (("wide.csv", "--channels", "", "--subsystem", "wide.csv"), "unknown column 'channel'"),
        (("wide.csv", "--channels", "", "--with", "long.csv"),
         "--with is for points or a published benchmark, not for several channels"),
        (("wide.csv", "--channels", "", "--sort"),
         "--sort is for points or a published benchmark, not for several channels"),
        (("long.csv", "--channel", "channel", "--subsystem", "twice.csv"),
         "twice.csv: every channel must be in one subsystem, got 'temp' in 'x' and 'y'"),
        (("groups.csv", "--annotators", "Channel"), "no column of scores; name it with --score"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(place, arguments, said, monkeypatch):
    monkeypatch.chdir(place)
    found = run("evaluate", *arguments, "--at", 4, "--no-chance")
    assert found.exit_code == 2, found.output
    assert said in " ".join(found.stderr.split())


def test_which_points_are_judged_may_be_said_in_words(tmp_path):
    head = ["label_a", "score_a", "label_b", "score_b", "kept"]
    rows = [[0, 1, 0, 2, "True"], [1, 3, 0, 1, "False"], [1, 2, 1, 5, "true"]]
    write(tmp_path / "kept.csv", head, rows)
    asked = ("evaluate", tmp_path / "kept.csv", "--channels", "a,b", "--no-chance", "--at", 1.5)
    how = ("--label", "label_{}", "--score", "score_{}", "--where", "kept")
    found = run(*asked, *how)
    assert found.exit_code == 0, found.output
    write(tmp_path / "kept.csv", head, [[*row[:4], "maybe"] for row in rows])
    refused = run(*asked, *how)
    assert refused.exit_code == 2
    assert "column 'kept' must hold 0 or 1, got 'maybe'" in refused.stderr


ALL = ("--channels", "temp,flow,amps")
QUICK = ("--at", 4, "--no-chance", "--json")


def test_events_with_ids_channels_and_kinds_are_read_from_a_table_of_their_own(place):
    wide = (place / "wide.csv", *ALL)
    plain = values(run("evaluate", *wide, *QUICK))
    in_points = run("evaluate", *wide, "--truth", place / "events.csv", *QUICK, "--by", "kind")
    assert values(in_points) == plain
    assert "4 events of 2 kinds in events.csv" in in_points.stderr
    assert [row["judged"] for row in json.loads(in_points.stdout)["by"]] == [2, 2]
    timed = ("--truth", place / "timed.csv", "--time", "t")
    assert values(run("evaluate", *wide, *timed, *QUICK)) == plain
    long = run("evaluate", place / "long.csv", "--channel", "channel", *timed, *QUICK)
    assert values(long) == plain
    by = run("evaluate", *wide, *timed, *QUICK, "--by", "channel")
    assert [row["part"] for row in json.loads(by.stdout)["by"]] == sorted(NAMES)
    one = run("evaluate", *wide, *timed, *QUICK, "--metric", 'incident_recall(kind="leak")')
    assert list(values(one).values()) == [1]


def test_annotators_may_stand_in_a_table_of_events(place):
    given = ("--annotators", "ann,bob", "--truth", place / "who.csv", "--score", "score_temp")
    found = run("evaluate", place / "wide.csv", *given, *QUICK)
    assert values(found)["event_recall"] == 0.5
    assert json.loads(found.stdout)["annotators"]["names"] == ["ann", "bob"]


def test_explain_compare_and_report_take_channels_and_annotators(place, tmp_path):
    wide, votes = (place / "wide.csv", *ALL), (place / "votes.csv", "--annotators", "ann_*")
    told = run("explain", *wide, "--at", 4, "--metric", "channel_f1")
    assert "events by channel, those that lost most first" in told.stdout
    assert json.loads(run("explain", *wide, "--at", 4, "--json").stdout)["events"][0]["found"]
    assert "side,channel" in run("explain", *wide, "--at", 4, "--csv").stdout.splitlines()[0]
    disputed = run("explain", *votes, "--at", 4, "--metric", "event_f1", "--all")
    assert "events by annotator, the disputed first" in disputed.stdout
    same = run("compare", *wide, "--score", "score_{}", "--score", "label_{}", "--at", 0.5)
    assert "any_channel(f1_ba" in same.stdout
    page = tmp_path / "page.html"
    for given in ((*wide, "--at", 4), wide, (*votes, "--at", 4)):
        made = run("report", *given, "--no-chance", "--out", page)
        assert made.exit_code == 0, made.output
        assert "By channel" in page.read_text() or "By annotator" in page.read_text()
        told = page.read_text()
        by_two = "marked by any of 2 annotators" in told and "event_<wbr>recall" in told
        assert by_two or "3 channels as one" in told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--truth", "timed.csv"), "start must be a point, a whole number"),
        (("--truth", "events.csv", "--label", "label_{}"), "--label has no effect with --truth"),
        (
            ("--truth", "events.csv", "--early", "1h"),
            "--early is for incidents and alerts (--truth), not for several channels",
        ),
        (("--truth", "events.csv", "--truth-columns", "end=nothing"), "unknown column 'nothing'"),
    ],
)
def test_tables_of_events_that_do_not_fit_are_refused(place, given, said):
    given = [place / one if one.endswith(".csv") else one for one in given]
    found = run("evaluate", place / "wide.csv", *ALL, "--at", 4, *given)
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.split())


def test_a_table_of_events_needs_scores_beside_it(place):
    found = run("evaluate", "--truth", place / "events.csv", *ALL)
    assert "--channels needs a FILE of scores" in found.stderr
    changed = run("report", place / "wide.csv", *ALL, "--compare", "a", "b", "--at", 4)
    assert "--compare is for points, not for several channels; see adjudge compare" in " ".join(
        changed.stderr.split()
    )


def test_a_channel_in_another_order_of_time_is_told_to_be_sorted(place, tmp_path):
    head, *rows = (place / "long.csv").read_text().splitlines()
    rows[1], rows[4] = rows[4], rows[1]
    (tmp_path / "order.csv").write_text("\n".join([head, *rows]))
    given = ("--channel", "channel", "--time", "t", "--at", 3, "--no-chance")
    found = run("evaluate", tmp_path / "order.csv", *given)
    assert "got 2026-01-01 00:01 of 'flow' where 'temp' has 2026-01-01 00:00 (its row 1); sort" in (
        " ".join(found.stderr.split())
    )


def test_series_may_have_the_same_times(place, tmp_path):
    head, *rows = (place / "long.csv").read_text().splitlines()
    twice = [f"{row},{series}" for series in "pq" for row in rows]
    (tmp_path / "two.csv").write_text("\n".join([f"{head},series", *twice]))
    given = ("--channel", "channel", "--time", "t", "--series", "series", "--at", 3, "--no-chance")
    assert "400 points, 3 channels" in run("evaluate", tmp_path / "two.csv", *given).stderr
    (tmp_path / "two.csv").write_text("\n".join([f"{head},series", *twice[:-1]]))
    said = run("evaluate", tmp_path / "two.csv", *given).stderr
    assert "got none of 'amps' at q, 2026-01-01 03:19, where" in " ".join(said.split())


def test_channels_may_be_a_pattern(place):
    """Thirty names are too many to write."""
    every, some = (
        run("evaluate", place / "wide.csv", "--channels", c, "--at", 3, "--no-chance")
        for c in ("*", "temp,*o*")
    )
    assert "3 channels: temp, flow, amps" in every.stderr
    assert "2 channels: temp, flow" in some.stderr


def test_a_detector_is_named_by_its_pattern_without_the_mark_at_its_end(place):
    text = (place / "wide.csv").read_text().replace("score_", "mine.")
    (place / "dots.csv").write_text(text)
    found = run("evaluate", place / "dots.csv", "--channels", "*", "--score", "mine.{}", "--at", 3,
                "--no-chance", "--json")  # fmt: skip
    assert {row["detector"] for row in json.loads(found.stdout)["rows"]} == {"mine"}


def test_humans_stand_beside_chance_only_where_it_is_known(place):
    asked = ("evaluate", place / "votes.csv", "--annotators", "ann_a,ann_b", "--at", 3)
    bare = run(*asked, "--no-chance").stdout
    head = next(line for line in bare.splitlines() if "humans " in line)
    assert head.split() == ["metric", "value", "humans", "lowest", "pair"]
    assert "undefined" not in bare
