"""Wrong calls: whatever is passed, what is raised is an error of ours, on one line."""

import inspect
from contextlib import suppress

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import LONGEST

LABELS, FLAGS = [0, 1, 1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 1, 0, 0]
SCORES = [0.1, 0.9, 0.3, 0.2, 0.5, 0.6, 0.1, 0.2]


class NoRepr:
    """An object that cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __repr__


class NoArray:
    """An object that says it is an array, and is none."""

    def __array__(self, *_, **__):
        raise RuntimeError("no")


def judged():
    return aj.evaluate(LABELS, FLAGS, ["f1"], chance=False)


def ranked(**options):
    return aj.rank({"a": (LABELS, {"d": SCORES})}, ["ap"], **options)


WRONG = {
    "a setting called self": lambda: aj.metric("f1(self=1)"),
    "metrics: a number": lambda: aj.evaluate(LABELS, SCORES, 5),
    "metrics: a list of numbers": lambda: aj.evaluate(LABELS, SCORES, [5]),
    "progress: text": lambda: aj.evaluate(LABELS, FLAGS, ["f1"], progress="x"),
    "per_series: text": lambda: aj.evaluate(LABELS, FLAGS, ["f1"], per_series="x"),
    "zero_division: None": lambda: aj.f1(LABELS, FLAGS, zero_division=None),
    "zero_division: huge": lambda: aj.f1(LABELS, FLAGS, zero_division=10**400),
    "label_slack: huge": lambda: aj.evaluate(LABELS, FLAGS, ["f1"], label_slack=10**400),
    "digits: huge": lambda: judged().to_latex(digits=10**31),
    "digits: text": lambda: judged().to_markdown(digits="4"),
    "digits of a ranking: huge": lambda: ranked(chance=False).to_markdown(10**31),
    "shifts of a ranking: huge": lambda: ranked(shifts=10**400),
    "columns of a ranking: a number": lambda: ranked(scores=5),
    "a duration beyond every float": lambda: aj.event_recall_tolerant(before="9" * 400 + "min"),
    "axioms: a number": lambda: aj.audit("f1", 5),
    "axioms: a list of numbers": lambda: aj.audit("f1", [5]),
    "events: numbers": lambda: aj.Events(5, 6, 20),
    "events: None": lambda: aj.Events(None, None, 20),
    "intervals: None": lambda: aj.Events.from_intervals(None, 5),
    "intervals: a number": lambda: aj.Events.from_intervals(5, 5),
    "chance of a number": lambda: aj.chance(5, rate=0.1),
    "chance of None": lambda: aj.chance(None, rate=0.1),
    "half a draw": lambda: aj.chance(LABELS, "f1", like=FLAGS, draws=2.5),
    "draws without end": lambda: aj.compare(LABELS, FLAGS, FLAGS, "f1", draws=2**63),
    "2,000 brackets": lambda: aj.Scenario.from_toml("a=" + "[" * 2000 + "]" * 2000),
    "no text": lambda: aj.Scenario.from_toml(5),
    "labels without a repr": lambda: aj.f1(NoRepr(), FLAGS),
    "scores without a repr": lambda: aj.f1(LABELS, [NoRepr()] * 8),
    "a setting without a repr": lambda: aj.f1_ba(width=NoRepr()),
    "a threshold without a repr": lambda: aj.f1(LABELS, SCORES, at=NoRepr()),
    "a metric without a repr": lambda: aj.metric(NoRepr()),
    "a key without a repr": lambda: judged()[NoRepr()],
    "a seed without a repr": lambda: aj.chance(LABELS, "f1", like=FLAGS, seed=NoRepr()),
    "labels that are no array": lambda: aj.f1(NoArray(), FLAGS),
    "scores that are no array": lambda: aj.f1(LABELS, NoArray()),
    "where that is no array": lambda: aj.f1(LABELS, FLAGS, where=NoArray()),
    "huge labels": lambda: aj.f1([10**400] * 8, FLAGS),
    "three keys": lambda: judged()["a", "b", "c"],
    "a frame of 5": lambda: judged().to_frame(5),
    "a page at 5": lambda: judged().to_html(5),
    "a report at 5": lambda: aj.report(LABELS, SCORES, path=5),
    "a ranking of pairs without names": lambda: aj.rank([(1, (LABELS, {"d": SCORES}))], "ap"),
    "a ranking of a generator": lambda: aj.rank((pair for pair in [(LABELS, SCORES)]), "ap"),
    "a ranking of one pair": lambda: aj.rank((LABELS, SCORES), "ap"),
    "a ranking of bytes": lambda: aj.rank([b"a.csv"], "ap"),
    "a ranking of an array": lambda: aj.rank(np.zeros(3), "ap"),
    "a ranking with a generator of labels": lambda: aj.rank(
        {"a": ((label for label in LABELS), {"d": SCORES})}, "ap"
    ),
    "a ranking with a generator of scores": lambda: aj.rank(
        {"a": (LABELS, {"d": (score for score in SCORES)})}, "ap"
    ),
    "a ranking with two columns of scores": lambda: aj.rank(
        {"a": (LABELS, {"d": np.ones((8, 2))}), "b": (LABELS, {"d": SCORES})}, "ap"
    ),
    "a ranking with ragged scores": lambda: aj.rank({"a": (LABELS, {"d": [1, [2]]})}, "ap"),
    "a ranking in 5": lambda: aj.rank({"a": (LABELS, {"d": SCORES})}, ["ap"], out=5),
    "a ranking by 5": lambda: aj.rank({"a": (LABELS, {"d": SCORES})}, 5),
    "a study in 5": lambda: aj.study(2, out=5),
    "a study told to 5": lambda: aj.study(2, progress=5),
}


WORDS = ["normal"] * 7 + ["anomaly"]
INCIDENTS = {"start": ["2026-01-03 10:00"], "end": ["2026-01-03 11:00"]}
SPAN = ("2026-01-01", "2026-02-01")
FIXES = {
    "a share in per cent": (lambda: aj.f1_kpa(k=20), "got 20; 20 % is 0.2"),
    "a share far off": (lambda: aj.f1_kpa(k=200), "k must be a share in (0, 1], got 200"),
    "labels of words": (lambda: aj.f1(WORDS, FLAGS), "write labels =="),
    "scores of words": (lambda: aj.ap(LABELS, WORDS), "scores must be numbers, got 'normal'"),
    "labels of 0 and 2": (
        lambda: aj.f1([0, 2] * 4, FLAGS),
        "write labels == 2 if 2 marks the anomalies (--positive 2)",
    ),
    "labels of 1 and 2": (
        lambda: aj.f1([1, 2] * 4, FLAGS), "labels must be 0 or 1, got 2 at index 1 (4 of 8 points)"
    ),
    "a file as labels": (lambda: aj.f1("scores.csv", FLAGS), "read the file first"),
    "a width in quotes": (
        lambda: aj.f1_ba(width="5"), "its unit, as in '5min', or 5 without quotes for points"
    ),
    "a duration without a unit": (
        lambda: aj.evaluate(
            aj.Incidents(INCIDENTS), aj.Alerts(INCIDENTS), span=SPAN, early="5"
        ),
        "got '5'; give its unit, as in '5min'",
    ),
    "a month or a minute": (
        lambda: aj.over_time(
            aj.Incidents(INCIDENTS), aj.Alerts(INCIDENTS), "event_recall", window="1m", span=SPAN
        ),
        "got '1m'; did you mean '1min' or '1mo'?",
    ),
    "a minute by one letter": (lambda: aj.f1_ba(width="5m"), "; did you mean '5min'?"),
    "a setting called threshold": (
        lambda: aj.f1(treshold=0.5), "unknown setting 'treshold', did you mean 'at'?; f1 takes"
    ),
    "covering": (lambda: aj.metric("covering"), "did you mean 'regime_recall'?"),
    "events that overlap": (
        lambda: aj.Events.from_intervals([(0, 5), (3, 8)], n=9),
        "got [3, 8) at index 1; from_intervals(..., merge=True) sorts and joins them",
    ),
    "events without n": (
        lambda: aj.Events.from_intervals([(0, 5)]), "got None; give the number of points, as n="
    ),
    "a spec inside best": (lambda: aj.best("f1_ba"), "got 'f1_ba'; write metric('best(f1_ba)')"),
    "a spec inside micro": (lambda: aj.micro("f1"), "got 'f1'; write metric('micro(f1)')"),
    "a number inside best": (lambda: aj.best(5), "best(...) takes a metric, got 5"),
    "a bracket": (lambda: aj.metric("f1_ba(width=5"), "a bracket is not closed"),
    "a file as a metric": (lambda: aj.metric("early.py"), "takes a function of your own as mod"),
    "incidents as pairs": (
        lambda: aj.Incidents([SPAN]), "at index 0; write aj.Incidents(starts, ends), or give a ta"
    ),
    "alerts as labels": (
        lambda: aj.evaluate(aj.Alerts(INCIDENTS), aj.Incidents(INCIDENTS)),
        "labels must be Incidents, got Alerts; are labels and scores swapped?",
    ),
    "too few annotators": (
        lambda: aj.evaluate(np.zeros((8, 2)), FLAGS, "f1", annotators=["a", "b", "c"]),
        "a column for each of the 3 annotators, got shape (8, 2)",
    ),
    "a limit without a metric": (
        lambda: judged().failures(under=0.5), "under must be limits by metric, as in {'f1_ba': 0.5}"
    ),
    "incidents by a service that they do not have": (
        lambda: aj.evaluate(
            aj.Incidents(INCIDENTS), aj.Alerts(INCIDENTS), "event_recall", span=SPAN, chance=False
        ).by("service"),
        "the incidents have no column 'service' to group by; name it",
    ),
    "a page that is no page": (
        lambda: aj.report(LABELS, FLAGS, path="page.pdf", chance=False), "write 'page.html'"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "way"), FIXES.values(), ids=FIXES)
def test_a_wrong_call_names_the_fix(call, way):
    with pytest.raises(aj.AdjudgeError) as caught:
        call()
    assert way in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("call", [aj.evaluate, aj.explain, aj.rank])
def test_threshold_is_at_here(call):
    with pytest.raises(TypeError, match=r"'threshold'\. Did you mean 'at'\?"):
        call(LABELS, threshold=0.5)


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_refused_in_one_line(call):
    with pytest.raises(aj.AdjudgeError) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_detector_may_have_a_name_that_cannot_be_written():
    judgement = aj.evaluate(LABELS, {NoRepr(): FLAGS}, ["f1"], chance=False)
    assert ["a value of type NoRepr"] == judgement.detectors


def test_scores_too_far_apart_for_a_number_are_undefined_without_a_warning():
    assert np.isnan(aj.catalogue["cce"].metric(LABELS, [1e308, -1e308] * 4))


@pytest.mark.parametrize("name", ["temporal_distance", "chamfer_distance", "hausdorff_distance"])
def test_distances_are_no_shares(name):
    curve = aj.curve(LABELS, SCORES, name)
    assert np.isnan([curve.precision, curve.recall, curve.f]).all()
    assert aj.best(aj.metric(name))(LABELS, SCORES) == curve.best().value


def test_means_of_windows_beyond_the_largest_number_are_infinite_without_a_warning():
    assert np.isinf(aj.unwindow([1e308, 1e308, 1e308], window=2)).any()


def test_a_name_wider_than_the_terminal_is_printed():
    name = "x" * 300
    shown = str(aj.evaluate(LABELS, {name: FLAGS, "b": FLAGS}, ["f1", "ap"], chance=False))
    assert "b" in shown
    assert "0.6667" in shown


@pytest.mark.parametrize("rule", [aj.sigma(3), aj.mad(3), aj.pot(level=0.5)])
def test_rules_that_square_scores_say_how_large_they_may_be(rule):
    scores = np.linspace(-1, 1, 40) * 1.7e308
    with pytest.raises(
        aj.InputError, match=r"scores must be at most 1e\+150 for .*, got -1\.7e\+308"
    ):
        aj.f1(np.arange(40) > 30, scores, at=rule)
    aj.f1(np.arange(40) > 30, np.linspace(-1e150, 1e150, 40), at=rule)


def test_a_path_with_a_nul_is_refused():
    with pytest.raises(aj.InputError, match="path must be the name of a file or a folder"):
        aj.report([0, 1], [0, 1], path="a\0b.html", chance=False)


def test_a_name_in_the_place_of_a_number_is_shown_as_it_was_written():
    with pytest.raises(aj.InputError, match=r"k must be a share in \(0, 1\], got nan$"):
        aj.metric("f1_kpa(k=nan)")


DOORS = [
    "Case", "Events", "Row", "Scenario", "Stream", "any_channel", "audit", "best", "calibrate",
    "chance", "compare", "compare_all", "curve", "decide", "evaluate", "explain", "inspect",
    "judge_sealed", "macro", "mad", "merge_parts", "metric", "micro", "over_time", "peaks", "pot",
    "quantile", "rank", "rank_chunks", "rank_finish", "rank_part", "rank_task", "rank_values",
    "read_ranking", "register", "report", "seal", "sigma", "simulate",
    "study", "top", "tuned", "unwindow", "verify",
]  # fmt: skip


@pytest.mark.parametrize("name", DOORS)
def test_a_misspelt_argument_names_the_function_and_what_was_meant(name):
    for right, parameter in inspect.signature(getattr(aj, name)).parameters.items():
        if parameter.kind in {parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL}:
            continue
        wrong = f"{right}x"
        with pytest.raises(TypeError) as caught:
            getattr(aj, name)(**{wrong: 1})
        said = f"{name}() got an unexpected keyword argument {wrong!r}. Did you mean "
        assert str(caught.value).startswith(said)


def test_every_function_of_the_front_door_is_walked():
    functions = {name for name in aj.__all__ if inspect.isfunction(getattr(aj, name))}
    assert functions <= set(DOORS)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: aj.rank({}, "f1", job=2), "rank() got .* argument 'job'. Did you mean 'jobs'?"),
        (lambda: aj.report([0], [0], shift=9), "report() got .* 'shift'. Did you mean 'shifts'?"),
        (lambda: aj.top(count=9), "top() got an unexpected keyword argument 'count'"),
    ],
)
def test_the_nearest_argument_is_offered_where_one_is_near(call, said):
    pattern = said.replace("()", r"\(\)").replace("?", r"\?")
    with pytest.raises(TypeError, match=f"^{pattern}$"):
        call()


LONG = "x" * 10**5
HUGE = {
    "text": LONG,
    "controls": "\x1b[31m" * 10**4,
    "a list": [LONG, LONG],
    "a number": 10**4000,
    "a number beyond 64 bits": 10**25,
    "a time of the year 1": "0001-01-01T00:00:00+02:00",
    "a dict": {LONG: LONG},
}
TAKES = {
    "a metric": aj.metric,
    "a setting": lambda huge: aj.f1_ba(width=huge),
    "a word": lambda huge: aj.f1_ba(islands=huge),
    "an argument": lambda huge: aj.f1_ba(**{str(huge)[: 10**5]: 1}),
    "a threshold": lambda huge: aj.f1(LABELS, SCORES, at=huge),
    "labels": lambda huge: aj.f1([huge] * 8, FLAGS),
    "scores": lambda huge: aj.ap(LABELS, [huge] * 8),
    "metrics": lambda huge: aj.evaluate(LABELS, SCORES, huge),
    "time": lambda huge: aj.evaluate(LABELS, FLAGS, "f1", time=[huge] * 8),
    "times": lambda huge: aj.evaluate(LABELS, FLAGS, "f1", time=["2026-01-01", huge] * 4),
    "a null model": lambda huge: aj.evaluate(LABELS, FLAGS, "f1", null=huge),
    "a key": lambda huge: judged()[huge],
    "starts": lambda huge: aj.Alerts([huge, "2026-01-01T00:00:00+01:00"]),
    "starts that are numbers": lambda huge: aj.Alerts([1, huge]),
    "starts with a unit": lambda huge: aj.Alerts([1, huge], unit="s"),
    "ends": lambda huge: aj.Incidents(["2026-01-01T00:00:00+01:00"], [huge]),
    "a zone": lambda huge: aj.Alerts(["2026-01-01"], tz=huge),
    "a unit": lambda huge: aj.Alerts([1], unit=huge),
    "a form": lambda huge: aj.Alerts(["2026-01-01"], time_format=huge),
    "a score": lambda huge: aj.Alerts([1], score=[huge]),
    "a span": lambda huge: aj.evaluate(aj.Incidents([1], [2]), aj.Alerts([1]), span=(0, huge)),
    "intervals": lambda huge: aj.Events.from_intervals([(huge, huge)], 9),
    "a scenario": lambda huge: aj.Scenario.from_toml(f"{str(huge)[: 10**5]} = 1"),
    "an axiom": lambda huge: aj.audit("f1", [huge]),
}


@pytest.mark.parametrize("huge", HUGE)
@pytest.mark.parametrize("takes", TAKES)
def test_no_message_is_longer_than_a_screen(takes, huge):
    try:
        message = str(TAKES[takes](HUGE[huge]))  # a few may stand there
    except (aj.AdjudgeError, TypeError) as error:
        message = str(error)
    assert len(message) <= LONGEST
    assert "\n" not in message


SMALLEST = {"normal": [0], "anomalous": [1], "all normal": [0] * 4, "all anomalous": [1] * 4,
            "one of each": [0, 1]}  # fmt: skip
NOWHERE = {"span": SPAN, "outages": [SPAN]}


def frame(labels):
    pd = pytest.importorskip("pandas")
    times = pd.date_range("2026-01-01", periods=len(labels), freq="h")
    values = np.arange(len(labels)) / 3
    return pd.DataFrame({"time": times, "label": labels, "value": values, "score": values})


def decided(labels, metric, **how):
    table = frame(labels)
    return aj.decide(table["label"], {"a": table["score"]}, **metric, time=table["time"], **how)


VERBS = {
    "evaluate": lambda y, s: aj.evaluate(y, s, ["ap", "auc_roc_ba", "best(f1_ba)"]),
    "compare by ap": lambda y, s: aj.compare(y, s, s[::-1], "ap"),
    "compare by auc_pr_ba": lambda y, s: aj.compare(y, s, s[::-1], "auc_pr_ba"),
    "compare by best": lambda y, s: aj.compare(y, s, s[::-1], "best(f1_ba)"),
    "explain": lambda y, s: aj.explain(y, s, "f1_ba", at=0.1),
    "decide by costs": lambda y, s: decided(y, {"costs": aj.costs(miss=9)}),  # noqa: ARG005
    "decide by f1": lambda y, s: decided(y, {"metric": "f1"}, candidates=[0.1]),  # noqa: ARG005
    "inspect": lambda y, s: aj.inspect(frame(y), label="label", scores="score"),  # noqa: ARG005
    "inspect a signal": lambda y, s: aj.inspect(  # noqa: ARG005
        frame(y), label="label", signal="value", scores="score", time="time"
    ),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("labels", SMALLEST.values(), ids=SMALLEST)
@pytest.mark.filterwarnings("ignore:no score of series")
def test_the_smallest_data_have_an_answer_or_an_error_of_ours(verb, labels):
    with suppress(aj.AdjudgeError):
        assert str(VERBS[verb](labels, [k / 3 for k in range(len(labels))]))


def test_one_row_is_too_little_to_decide_on():
    with pytest.raises(aj.InputError, match="watched time"):
        decided([1], {"metric": "f1"}, candidates=[0.1])


def test_where_nothing_is_watched_every_value_is_undefined():
    incidents, alerts = aj.Incidents(INCIDENTS), aj.Alerts(INCIDENTS)
    found = aj.evaluate(incidents, alerts, **NOWHERE)
    assert np.isnan([row.value for row in found.rows]).all()
    assert np.isnan(aj.explain(incidents, alerts, "f1_ba", **NOWHERE).value)
    assert "the difference is undefined" in str(aj.compare(incidents, alerts, alerts, **NOWHERE))


@pytest.mark.parametrize("setting", ["k=2, of=3", "clear=0.2", "drop=0.1", 'missing="hold"'])
def test_what_needs_scores_at_points_is_refused_of_alerts(setting):
    scored = aj.Alerts({**INCIDENTS, "score": [0.6]})
    with pytest.raises(aj.InputError, match="needs scores"):
        aj.evaluate(aj.Incidents(INCIDENTS), scored, at=f"policy(0.5, {setting})", span=SPAN)


@pytest.mark.parametrize("name", ["x" * 10**5, "x" * 256, "folder/" + "\u00e4" * 128, "a\0b"])
@pytest.mark.parametrize(
    "verb", [aj.rank, aj.inspect, aj.verify, aj.read_ranking, lambda out: aj.study(10, out=out)]
)
def test_names_that_no_system_takes_are_refused(verb, name):
    with pytest.raises(aj.InputError, match="must be the name of a file or a folder") as caught:
        verb(name)
    assert len(str(caught.value)) < 300


def test_a_grid_needs_watched_time():
    incidents, alerts = aj.Incidents([10], [20]), aj.Alerts([10], [12])
    how = {"span": (0, 100), "outages": [(0, 100)]}
    assert np.isnan(aj.evaluate(incidents, alerts, "event_f1", **how)["event_f1"])
    with pytest.raises(aj.InputError, match="every must be left out"):
        aj.evaluate(incidents, alerts, "f1", every=5, **how)
