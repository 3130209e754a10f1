"""Scores that Prometheus has kept, and other scores, with labels from a table of incidents."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.data.clock import Clock
from adjudge.errors import FileError, InputError
from adjudge.io.incident_labels import labelled
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.prometheus_scores import is_answer, read_matrix

FIRST = 1767225600  # 2026-01-01 in UTC
STEP = 60


def run(*arguments):
    found = CliRunner().invoke(main, [str(one) for one in arguments])
    return found.exit_code, found.stdout, found.stderr


def values(*arguments):
    code, out, err = run(*arguments, "--no-chance", "--json")
    assert code == 0, err
    return {
        (row["detector"], row["requested"]): row["value"] for row in json.loads(out)["rows"]
    }, err


def series(samples, **labels):
    """Samples by minute, as an answer has them."""
    pairs = [[FIRST + STEP * minute, str(value)] for minute, value in samples.items()]
    return {"metric": labels, "values": pairs}


def answer(*result, kind="matrix"):
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": list(result)}})


def minute(number):
    return str(np.datetime64(FIRST, "s") + np.timedelta64(number, "m")) + "Z"


SHOP = {k: [0.1, 0.9][k in (3, 4, 13)] for k in range(20) if not 7 <= k < 12}
MAIL = {k: [0.2, 0.8][k in (2, 15, 16)] for k in range(20)}
INCIDENTS = [
    # id, service, severity, first minute, end
    ("I1", "shop", "high", 3, 5),
    ("I2", "mail", "low", 2, 4),
    ("I3", "mail", "high", 15, 18),
    ("I4", "shop", "low", 8, 10),  # no sample
    ("I5", "shop", "low", 17, None),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    score = {"__name__": "anomaly_score"}
    (tmp_path / "score.json").write_text(
        answer(series(SHOP, service="shop", **score), series(MAIL, service="mail", **score))
    )
    rows = [
        f"{id_},{service},{severity},{minute(start)},{'' if end is None else minute(end)}"
        for id_, service, severity, start, end in INCIDENTS
    ]
    (tmp_path / "incidents.csv").write_text("\n".join(["id,service,severity,start,end", *rows]))
    return tmp_path


def by_hand():
    """The same as columns of Python: labels, scores, series and times."""
    times = np.array([*SHOP, *MAIL])
    names = np.repeat(["shop", "mail"], [len(SHOP), len(MAIL)])
    labels = [
        any(service == name and start <= now < (99 if end is None else end)
            for _, service, _, start, end in INCIDENTS)
        for name, now in zip(names, times, strict=True)
    ]  # fmt: skip
    scores = np.array([*SHOP.values(), *MAIL.values()])
    time = np.datetime64(FIRST, "s") + times * np.timedelta64(STEP, "s")
    return np.array(labels, int), scores, {"series": names, "time": time}


METRICS = ("event_f1", "f1", "f1_ba", "ap", "detection_delay")


def asked(metrics):
    return [word for metric in metrics for word in ("--metric", metric)]


def test_scores_of_prometheus_are_judged_as_columns_of_python(folder):
    given = ("evaluate", "score.json", "--truth", "incidents.csv", "--at", "0.5", *asked(METRICS))
    found, said = values(*given)
    labels, scores, columns = by_hand()
    expected = aj.evaluate(labels, scores, METRICS, at=0.5, chance=False, **columns)
    assert found == {("anomaly_score", name): expected[name] for name in METRICS}
    assert found["anomaly_score", "event_f1"] == 0.75
    assert "35 samples of anomaly_score, 2 series by service" in said
    assert "5 incidents in incidents.csv label 10 of 35 points, warning: 1 of them holds no" in said


def test_time_without_samples_is_not_judged(folder):
    code, out, _ = run("evaluate", "score.json", "--truth", "incidents.csv", "--at", "0.5",
                       "--metric", "f1", "--no-chance")  # fmt: skip
    assert code == 0
    assert "1 gap in time (6 min) is not watched" in out


def test_every_verb_takes_them(folder):
    given = ("score.json", "--truth", "incidents.csv")
    code, out, _ = run("explain", *given, "--at", "0.5", "--metric", "event_recall")
    assert (code, "event_recall = 0.75" in out) == (0, True)
    page = folder / "page.html"
    code, *_ = run("report", *given, "--at", "0.5", "--out", page, "--no-chance")
    assert (code, page.exists()) == (0, True)
    code, out, _ = run(
        "decide", *given, "--candidate", "0.5", "--budget", "3/h", "--blocks", "5min"
    )
    assert code == 0
    assert "expr: anomaly_score > 0.5" in out
    assert "adjudge evaluate score.json --truth incidents.csv" in out
    code, out, _ = run("evaluate", *given, "--at", "0.5", "--metric", "event_recall", "--over-time",
                       "10min", "--no-chance")  # fmt: skip
    assert code == 0
    parted = run(
        "evaluate", *given, "--at", "0.5", "--metric", "f1", "--no-chance", "--by", "severity"
    )
    assert "severity  judged  found" in parted[1]
    policy, _ = values("evaluate", *given, "--at", 'policy(0.5, after="1min")', "--metric",
                       "event_recall")  # fmt: skip
    assert set(policy.values()) == {0.5}


def test_metrics_are_detectors_and_what_one_lacks_is_missing(folder):
    more = [series(MAIL, __name__="a", job="x"), series({**SHOP, 30: "NaN"}, __name__="b", job="x")]
    (folder / "two.json").write_text(answer(*more))
    (folder / "bare.csv").write_text(f"start,end\n{minute(3)},{minute(5)}\n")
    given = ("two.json", "--truth", "bare.csv", "--at", "0.5", "--metric", "f1")
    code, _, err = run("evaluate", *given)
    assert (code, "missing" in err) == (2, True)
    found, said = values("evaluate", *given, "--missing", "skip")
    assert found == {("a", "f1"): 0, ("b", "f1"): pytest.approx(0.8)}
    assert "21 samples of a, b;" in said  # one series, which needs no name
    found, _ = values("evaluate", *given, "--score", "a", "--missing", "skip")
    assert list(found) == [("a", "f1")]
    code, out, _ = run("compare", *given[:-1], "event_f1", "--missing", "skip")
    assert (code, "event_f1: a" in out) == (0, True)


def test_parts_of_a_long_query_are_joined(folder):
    whole = read_matrix("score.json")
    parts = [dict(list(SHOP.items())[:8]), dict(list(SHOP.items())[7:])]  # an end is in both
    for number, part in enumerate(parts):
        own = [series(part, __name__="anomaly_score", service="shop")]
        own += [series(MAIL, __name__="anomaly_score", service="mail")] * (number == 0)
        (folder / f"part{number}.json").write_text(answer(*own))
    assert is_answer("part*.json")
    joined = read_matrix("part*.json")
    assert joined.time.instants.tolist() == whole.time.instants.tolist()
    assert joined.scores["anomaly_score"].tolist() == whole.scores["anomaly_score"].tolist()
    found, _ = values(
        "evaluate", "part*.json", "--truth", "incidents.csv", "--at", "0.5", *asked(["f1"])
    )
    assert found == values("evaluate", "score.json", "--truth", "incidents.csv", "--at", "0.5",
                           *asked(["f1"]))[0]  # fmt: skip


def test_series_are_told_apart_by_a_label_or_by_all(folder):
    one, two = ({"job": "x", "host": name} for name in "ab")
    (folder / "hosts.json").write_text(answer(series(SHOP, **one), series(MAIL, **two)))
    every = read_matrix("hosts.json")
    assert list(dict.fromkeys(every.series)) == ["job=x, host=a", "job=x, host=b"] or list(
        dict.fromkeys(every.series)
    ) == ["host=a, job=x", "host=b, job=x"]
    assert set(read_matrix("hosts.json", "host").series) == {"a", "b"}
    assert list(every.scores) == ["score"]
    with pytest.raises(FileError, match=r"job 'x' must be one series, got 2, which differ in host"):
        read_matrix("hosts.json", "job")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (answer(kind="vector"), "to a range query"),
        (answer(), "there must be at least one series, got none"),
        (answer(series({}, a="b")), "there must be at least one sample, got none"),
        (
            answer(series({1: "high"}, a="b")),
            r"data.result\[0\]: a sample must be a number as text",
        ),
        (answer(series({1: 1}, __name__="ALERTS", alertstate="firing")), "it as --alerts"),
        ('{"status": "error", "errorType": "bad", "error": "too many"}', "too many"),
    ],
)
def test_what_holds_no_scores_is_refused(folder, text, message):
    (folder / "bad.json").write_text(text)
    with pytest.raises(FileError, match=message):
        read_matrix("bad.json")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "--truth FILE"),
        (("--truth", "incidents.csv", "--time", "t"), "--time has no effect on "),
        (("--truth", "incidents.csv", "--label", "t"), "--label has no effect with --truth"),
        (("--truth", "incidents.csv", "--score", "x"), "unknown metric 'x'"),
        (("--truth", "incidents.csv", "--series", "x"), "unknown label 'x'"),
        (("--truth", "incidents.csv", "--by", "colour"), "unknown column 'colour'"),
        (
            ("--truth", "other.csv"),
            "incidents must be of the series shop, mail, got the services web",
        ),
        (("--truth", "points.csv"), "start must be timestamps, got the number"),
        (
            ("--truth", "incidents.csv", "--span", "2026-01-01", "2026-01-02"),
            "--truth takes a FILE",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(folder, more, message):
    (folder / "other.csv").write_text(f"service,start,end\nweb,{minute(1)},{minute(2)}\n")
    (folder / "points.csv").write_text("start,end\n3,5\n")
    code, out, err = run("evaluate", "score.json", "--at", "0.5", *more)
    assert (code, out) == (2, "")
    assert message in err


def test_an_answer_may_be_packed_and_its_keys_sorted(folder):
    content = json.loads((folder / "score.json").read_text("utf-8"))
    with gzip.open(folder / "sorted.json.gz", "wt") as file:
        json.dump(content, file, sort_keys=True, indent=2)
    given = ("--truth", "incidents.csv", "--at", "0.5", *asked(["f1"]))
    assert (
        values("evaluate", "sorted.json.gz", *given)[0]
        == values("evaluate", "score.json", *given)[0]
    )


def test_what_is_no_answer_is_read_as_before(folder):
    (folder / "plain.json").write_text('[{"label": 0, "score": 0.1}, {"label": 1, "score": 0.9}]')
    assert not is_answer("plain.json")
    assert not is_answer("nowhere*.json")
    assert not is_answer("incidents.csv")
    assert values("evaluate", "plain.json", "--at", "0.5", "--metric", "f1")[0] == {
        ("score", "f1"): 1
    }


def drawn(seed):
    rng = np.random.default_rng(seed)
    when = rng.permutation(40)
    start = rng.integers(-5, 40, 6)
    names = rng.choice(["a", "b", "*"], 6)
    incidents = aj.Incidents(start, start + rng.integers(1, 9, 6), service=names, unit="ns")
    return rng.choice(["a", "b"], 40), when, incidents


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_those_of_the_slow_twin(seed):
    ids, when, incidents = drawn(seed)
    table = LabelledScores(
        np.zeros(40), {"x": np.zeros(40)}, ids.astype(object), None, "x", time=Clock(when)
    )
    found = labelled(table, incidents, "i.csv", "id")
    rows = list(zip(incidents.service, incidents.start, incidents.end, strict=True))
    expected = [
        any(name in (own, "*") and start <= now < end for name, start, end in rows)
        for own, now in zip(ids, when, strict=True)
    ]
    assert found.labels.tolist() == expected
    assert (found.about != "").tolist() == expected


@pytest.fixture
def columns(folder):
    """The scores of one service as a table, in time and by position."""
    times = pd.Timestamp(FIRST, unit="s", tz="UTC") + pd.to_timedelta(list(SHOP), unit="min")
    frame = pd.DataFrame({"when": times.strftime("%Y-%m-%dT%H:%M:%SZ"), "score": SHOP.values()})
    frame.to_csv(folder / "shop.csv", index=False)
    frame.sample(frac=1, random_state=1).to_csv(folder / "mixed.csv", index=False)
    rows = [f"{minute(start)},{minute(end)}" for start, end in ((3, 5), (13, 15))]
    (folder / "bare.csv").write_text("\n".join(["start,end", *rows]))
    (folder / "places.csv").write_text("start,end\n3,5\n8,10\n")
    return folder


def test_any_scores_take_their_labels_from_incidents(columns):
    more = ("--at", "0.5", *asked(["f1", "event_recall"]))
    timed, said = values("evaluate", "shop.csv", "--time", "when", "--truth", "bare.csv", *more)
    assert timed == {("score", "f1"): pytest.approx(6 / 7), ("score", "event_recall"): 1}
    assert "2 incidents in bare.csv label 4 of 15 points" in said
    assert "label column" not in said
    for given in (("mixed.csv", "--time", "when", "--sort", "--truth", "bare.csv"),
                  ("shop.csv", "--truth", "places.csv")):  # fmt: skip
        assert values("evaluate", *given, *more)[0] == timed


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--truth", "bare.csv"), "--time COL says when each point of the scores was"),
        (("--truth", "naive.csv", "--time", "when"), "times must all have a"),
        (("--truth", "places.csv", "--time", "when"), "start must be timestamps, got the number"),
    ],
)
def test_times_and_positions_are_not_mixed(columns, given, message):
    (columns / "naive.csv").write_text("start,end\n2026-01-01 00:03,2026-01-01 00:05\n")
    code, _, err = run("evaluate", "shop.csv", "--at", "0.5", *given)
    assert (code, message in " ".join(err.split())) == (2, True), err


def test_tables_of_python_are_checked_too():
    table = LabelledScores(
        np.zeros(3), {"x": np.zeros(3)}, None, None, "x", time=Clock(np.arange(3))
    )
    with pytest.raises(InputError, match="incidents must have times as the points have"):
        labelled(table, aj.Incidents([1], [2]), "i.csv")
    timed = aj.Incidents(["2026-01-01"], ["2026-01-02"])
    bare = LabelledScores(np.zeros(3), {"x": np.zeros(3)}, None, None, "x")
    with pytest.raises(InputError, match="name the column of the points, --time COL"):
        labelled(bare, timed, "i.csv")
    found = labelled(bare, aj.Incidents([], []), "i.csv")
    assert "0 incidents in i.csv label 0 of 3 points" in found.summary


def test_incidents_of_services_without_scores_are_named(folder):
    more = (
        f"id,service,start,end\nI1,shop,{minute(3)},{minute(5)}\nI2,web,{minute(3)},{minute(5)}\n"
    )
    (folder / "more.csv").write_text(more)
    _, said = values("evaluate", "score.json", "--truth", "more.csv", "--at", "0.5", *asked(["f1"]))
    assert "warning: 1 of them holds no point, no score is of web" in said
