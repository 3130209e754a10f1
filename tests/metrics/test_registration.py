"""Metrics of third parties: registered by a call, or published by an installed package."""
# ruff: noqa: ARG002, ARG005 - all metrics have the same two parameters

import json
import math
import os
import signal
import subprocess
import sys
import threading
import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.metrics import reader, registration
from adjudge.metrics.own_function import kind_of, returned_number
from sampling import one_in

PACKAGE = Path(__file__).parent / "example_package"
SOURCES = Path(aj.__file__).parents[1]
LABELS, FLAGS = [0, 0, 1, 1, 0, 1, 1, 0], [1, 0, 1, 0, 0, 0, 0, 0]


def row(name="own_metric", measure=lambda flags, events: float(flags.mean()), **more):
    words = {"reference": "Nobody.", "undefined": "never", "forgives": "everything"}
    return aj.Row(name, "a title", "a definition", measure, count=None, **(words | more))


@pytest.fixture
def forgetful():
    """Let the catalogue forget what a test registers."""
    before = dict(aj.catalogue)
    yield
    reader._CATALOGUE.__dict__["_rows"] = before  # noqa: SLF001 - there is no way back


@pytest.mark.usefixtures("forgetful")
def test_a_registered_metric_is_one_like_any_other():
    metric = aj.register(row())
    assert metric is aj.own_metric
    assert aj.own_metric(LABELS, FLAGS) == 0.25
    assert aj.metric("best(own_metric)")(LABELS, FLAGS) == 1
    assert aj.evaluate(LABELS, FLAGS, ["own_metric", "f1"])["own_metric"] == 0.25
    assert "own_metric" in {found.requested for found in aj.evaluate(LABELS, FLAGS, "all").rows}
    assert aj.catalogue["own_metric"].group == "registered"
    assert aj.audit("own_metric", ["L6"]).verdicts == {"L6": "fail"}


@pytest.mark.usefixtures("forgetful")
def test_a_registered_metric_of_scores():
    aj.register(row("highest", lambda scores, events: float(scores.max()), needs="scores"))
    assert aj.highest([0, 1], [0.25, 0.75]) == 0.75


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("f1", "row must be an adjudge.Row, got str"),
        (row("F1"), "row.name must be lower-case words joined by _, got 'F1'"),
        (row("f1"), "row.name must be new, got 'f1', which is in the catalogue"),
        (row(forgives=""), "row.forgives must be a few words, got none; own_metric needs them"),
        (
            row(measure=lambda flags, events: 7.0),
            "row own_metric must give a value from 0 to 1 or NaN, got 7.0 for some events, "
            "some flags",
        ),
        (
            row(measure=lambda flags, events: 1 / len(events)),
            "row own_metric must judge no events, got ZeroDivisionError: division by zero",
        ),
    ],
)
def test_what_is_no_good_is_refused(wrong, message):
    with pytest.raises(aj.InputError) as error:
        aj.register(wrong)
    assert message == str(error.value)
    assert "own_metric" not in aj.catalogue


def test_a_metric_that_changes_its_input_is_refused():
    scores = row("spoiler", lambda s, events: float(s.__setitem__(0, 1) or 1.0), needs="scores")
    with pytest.raises(aj.InputError, match="row spoiler must"):
        aj.register(scores)


def test_a_metric_that_unlocks_its_input_to_change_it_is_refused():
    def cheat(scores, events):
        scores.setflags(write=True)
        scores[0] += 1
        return 0.5

    with pytest.raises(aj.InputError, match="row spoiler must"):
        aj.register(row("spoiler", cheat, needs="scores"))


def test_a_wrong_setting_of_a_row_is_its_own_error():
    def refuse(flags, events):
        raise aj.InputError("it must be, got nothing")

    with pytest.raises(aj.InputError, match="it must be, got nothing"):
        aj.register(row(measure=refuse))


# plain functions


def early_share(labels, flags):
    events = aj.Events.from_labels(labels)
    hits = [
        flags[a : (a + b + 1) // 2].any() for a, b in zip(events.starts, events.stops, strict=True)
    ]
    return np.mean(hits) if hits else np.nan


def early_share_of_events(flags, events):
    """The same as the function of a row."""
    hits = [
        flags[a : (a + b + 1) // 2].any() for a, b in zip(events.starts, events.stops, strict=True)
    ]
    return float(np.mean(hits)) if hits else math.nan


def drawn(n=120):
    rng = np.random.default_rng(5)
    labels = np.repeat(rng.random(n // 6) < 0.3, 6).astype(int)
    return labels, rng.random(n) + 0.4 * labels


def test_a_function_judges_like_the_row_that_it_saves_writing():
    labels, scores = drawn()
    flags, own = (scores > 0.9).astype(int), aj.metric(early_share)
    twin = row("early_share", early_share_of_events).metric
    assert own(labels, flags) == twin(labels, flags) == early_share(labels, flags)
    found, slow = (aj.evaluate(labels, flags, one).rows[0] for one in (early_share, twin))
    assert (found.metric, found.value, found.chance) == ("early_share", slow.value, slow.chance)
    assert found.p_value == slow.p_value
    assert aj.best(own)(labels, scores) == aj.best(twin)(labels, scores)
    assert "early_share(labels, flags)" in own.__doc__


def test_a_function_of_scores_gets_scores_and_knows_its_better_side():
    def highest(y_true, y_score):
        return y_score[y_true == 0].max()

    own = aj.metric(highest, better="lower", bounds=(-math.inf, math.inf))
    assert own([0, 0, 1], [0.5, 7.5, 9.0]) == 7.5
    assert (own.row.needs, own.row.better) == ("scores", "lower")
    with pytest.raises(aj.InputError, match="sum over events and alarms, so compare cannot"):
        aj.compare([0, 1], [0, 1], [1, 0], early_share)
    flags = aj.metric(highest, needs="flags")
    assert flags([0, 0, 1], [0.5, 7.5, 9.0], at=8) == 0.0


def mean_rank(labels, scores):
    normal, found = scores[labels == 0], scores[labels == 1]
    if not len(normal) or not len(found):
        return math.nan
    above = (found[:, None] > normal).mean() + (found[:, None] == normal).mean() / 2
    return float(above)


def test_two_detectors_are_compared_by_a_function_of_scores():
    labels, scores = drawn()
    other = np.roll(scores, 40)
    found = aj.compare(labels, scores, other, mean_rank)
    auc = aj.compare(labels, scores, other, "auc_roc")
    assert found.difference == pytest.approx(auc.difference, abs=1e-12)
    assert found.low < found.difference < found.high
    assert 0 < found.p_value <= 1


def test_a_function_sees_judged_points_alone_all_series_at_once_and_cannot_change_them():
    seen = []

    def spoils(labels, scores):
        seen.append((labels.tolist(), scores.tolist()))
        labels[:] = scores[:] = 0
        return 0.5

    labels, scores = np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.8, 0.2])
    more = {"series": ["a", "a", "b", "b"], "where": [1, 1, 0, 1]}
    found = aj.evaluate(labels, scores, [spoils, "auc_roc"], chance=False, **more)
    assert seen == [([0, 1, 0], [0.1, 0.9, 0.2])]
    assert found["auc_roc"] == 1
    assert (labels.sum(), scores.max()) == (2, 0.9)


def test_two_functions_of_one_name_are_refused_and_one_given_twice_is_not():
    first = early_share

    def early_share_(labels, flags):
        return 0.5

    early_share_.__name__ = "early_share"
    with pytest.raises(aj.InputError, match="got two called 'early_share'"):
        aj.evaluate(LABELS, FLAGS, [first, early_share_])
    twice = aj.evaluate(LABELS, FLAGS, [first, aj.metric(first)], chance=False)
    assert {found.metric for found in twice.rows} == {"early_share"}


def takes_one(labels):
    return 0.5


def f1(labels, flags):
    return 0.5


def best(labels, flags):
    return 0.5


@pytest.mark.parametrize(
    ("wrong", "more", "message"),
    [
        (
            lambda labels, flags: 0.5,
            {},
            "metric must have a name: write it with def, got <function",
        ),
        (partial(f1), {}, "metric must have a name: write it with def, got functools.partial"),
        (f1, {}, "metric must have a new name, got a function f1, which is in the catal"),
        (best, {}, "metric must have a new name, got a function best"),
        (
            takes_one,
            {},
            "metric must be a function of (labels, flags) or (labels, scores), got one",
        ),
        (early_share, {"needs": "points"}, "needs must be one of 'flags', 'scores', got 'points'"),
        (early_share, {"better": "more"}, "better must be one of 'higher', 'lower', got 'more'"),
        (early_share, {"bounds": (1, 0)}, "bounds must be (low, high) with low < high, got (1, 0)"),
        ("f1", {"better": "lower"}, "better must be left out but for a function, got 'lower'"),
        (aj.f1, {"bounds": (0, 2)}, "bounds must be left out but for a function, got (0, 2)"),
    ],
)
def test_what_is_no_metric_is_refused(wrong, more, message):
    with pytest.raises(aj.InputError) as error:
        aj.metric(wrong, **more)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (lambda: 1 // 0, "number or NaN; on 8 points with 2 events it raised ZeroDivisionError: "),
        (lambda: None, "number or NaN; on 8 points with 2 events it returned a NoneType, None"),
        (lambda: -0.5, "number from 0 to 1 or NaN, got -0.5; give its range, aj.metric(mine, boun"),
        (lambda: 1.5, "number from 0 to 1 or NaN, got 1.5; give its range, aj.metric(mine, bounds"),
    ],
)
def test_what_goes_wrong_in_a_function_is_told_in_one_line(result, said):
    def mine(labels, flags):
        return result()

    with pytest.raises(aj.InputError) as error:
        aj.evaluate(LABELS, FLAGS, mine)
    assert str(error.value).startswith(f"mine must return a {said}")
    assert "\n" not in str(error.value)


def test_a_function_may_be_undefined():
    found = aj.evaluate([0, 0, 0], [0, 1, 0], early_share)
    assert math.isnan(found["early_share"])


def test_a_function_is_audited_as_it_is_and_as_a_metric():
    found = [aj.audit(one, ["C-3", "L1"]).verdicts for one in (early_share, aj.metric(early_share))]
    assert found == [{"C-3": "fail", "L1": "fail"}] * 2


def test_what_a_function_takes_is_read_from_its_parameters():
    class Metric:
        def __call__(self, truth, scores, weight=1):
            return weight

    assert kind_of(lambda labels, scores: 0) == "scores"
    assert kind_of(lambda scores, labels: 0) == "flags"
    assert kind_of(lambda *given: 0) == "flags"
    assert kind_of(Metric()) == "scores"
    assert kind_of(max) == "flags"


def test_a_value_is_a_float_whatever_kind_of_number():
    assert returned_number(np.float32(0.5)) == (0.5, "")
    assert returned_number(np.array(0.25)) == (0.25, "")
    assert returned_number(True) == (1.0, "")
    for wrong in (None, "0.5", [0.5], np.array([0.5]), 1 + 2j, np.complex128(1j), np.array("a")):
        value, said = returned_number(wrong)
        assert math.isnan(value)
        assert said.startswith(f"it returned a {type(wrong).__name__}")


class Entry:
    """What `importlib.metadata` gives, as far as it is looked at."""

    def __init__(self, published, dist=None):
        self.name, self.value, self.dist, self.published = "entry", "module:ROW", dist, published

    def load(self):
        if isinstance(self.published, BaseException):
            raise self.published
        return self.published


def published(monkeypatch, *entries):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
    return [found.name for found in registration.published_rows(aj.catalogue)]


def test_an_entry_point_is_a_row_or_several(monkeypatch):
    several = [row("one_more"), row("two_more")]
    assert published(monkeypatch, Entry(row()), Entry(several)) == [
        "own_metric", "one_more", "two_more",
    ]  # fmt: skip


def test_a_package_that_fails_is_named_and_left_out(monkeypatch):
    with pytest.warns(UserWarning, match="module:ROW publishes entry .* left out: no such module"):
        assert published(monkeypatch, Entry(ImportError("no such module")), Entry(row())) == [
            "own_metric"
        ]
    with pytest.warns(UserWarning, match="left out: what it names must be a list of rows, got 5"):
        assert published(monkeypatch, Entry(5), Entry(row())) == ["own_metric"]
    with pytest.warns(UserWarning, match="left out: row.name must be new"):
        assert published(monkeypatch, Entry([row(), row()])) == ["own_metric"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit(3), r"it raises SystemExit\(3\) when it is imported"),
        (KeyboardInterrupt(), r"it raises KeyboardInterrupt\(\) when it is imported"),
        (GeneratorExit("x"), r"it raises GeneratorExit\(x\)"),
        (ValueError(), r"it raises ValueError\(\)"),
        (ValueError("\x1b[31mred\n"), r"left out: \\x1b\[31mred\\n$"),
    ],
)
def test_a_package_that_would_end_the_program_is_named_and_left_out(monkeypatch, error, said):
    with pytest.warns(UserWarning, match=said):
        assert published(monkeypatch, Entry(error), Entry(row())) == ["own_metric"]


class Printing(Entry):
    def load(self):
        sys.stdout.write("\x1b[31mhello there\n")
        return self.published


def test_a_package_that_prints_is_named_and_left_out(monkeypatch, capsys):
    with pytest.warns(UserWarning, match=r"left out: it prints '\\x1b\[31mhello there\\n' when"):
        assert published(monkeypatch, Printing(row()), Entry(row("other"))) == ["other"]
    assert capsys.readouterr().out == ""


class BesideAnother(Entry):
    def load(self):
        other = threading.Thread(target=print, args=("of another thread",))
        other.start()
        other.join()
        sys.stdout.flush()
        return self.published


def test_what_other_threads_print_meanwhile_is_theirs(monkeypatch, capsys):
    assert published(monkeypatch, BesideAnother(row())) == ["own_metric"]
    assert capsys.readouterr().out == "of another thread\n"


class Interrupted(Entry):
    def load(self):
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_while_a_package_is_imported_is_no_fault_of_the_package(monkeypatch):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            published(monkeypatch, Interrupted(row()))
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    "module",
    one_in(3, ["print('{\\x1b')\nROW = []", "import sys; sys.exit(1)", "raise KeyboardInterrupt"]),
)
def test_json_stays_json_whatever_an_installed_package_does(tmp_path, module):
    (tmp_path / "bad_metrics.py").write_text(module)
    info = tmp_path / "bad_metrics-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-metrics\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[adjudge.metrics]\nbad = bad_metrics:ROW\n")
    file = tmp_path / "a.csv"
    file.write_text("label,score\n0,0\n1,1\n")
    program = [sys.executable, "-m", "adjudge", "evaluate", file, "--json", "--no-chance"]
    path = os.pathsep.join(map(str, [tmp_path, SOURCES]))
    done = subprocess.run(
        program, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)
    (said,) = [line for line in done.stderr.splitlines() if "bad-metrics" in line]
    assert said.startswith("adjudge: bad-metrics publishes bad for adjudge, which is left out: it ")
    assert "\x1b" not in done.stderr


def installed(folder):
    """Lay the example package out as an installer does."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    info = folder / "half_hits-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n"
    )
    lines = [f"{k} = {v}" for k, v in project["entry-points"]["adjudge.metrics"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[adjudge.metrics]", *lines, ""]))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(
        map(str, [folder, PACKAGE / "src", SOURCES]))}  # fmt: skip


def test_the_metric_of_an_installed_package_is_there_for_everybody(tmp_path):
    code = """if True:
        import json, adjudge as aj
        labels, flags = [0, 0, 1, 1, 0, 1, 1, 0], [1, 0, 1, 0, 0, 0, 0, 0]
        from click.testing import CliRunner
        from adjudge.cli import main
        listed = CliRunner().invoke(main, ["list"]).output
        print(json.dumps({
            "value": aj.half_hits(labels, flags),
            "setting": aj.metric("half_hits(share=0.9)")(labels, flags),
            "judged": aj.evaluate(labels, flags, "half_hits")["half_hits"],
            "listed": "half_hits" in listed,
            "audited": aj.audit("half_hits", ["L6"]).verdicts,
        }))
    """
    done = subprocess.run(
        [sys.executable, "-c", code], env=installed(tmp_path), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == {
        "value": 0.5, "setting": 0.0, "judged": 0.5, "listed": True, "audited": {"L6": "fail"},
    }  # fmt: skip


def test_rows_keep_what_they_say():
    given = row()
    checked = registration.checked_row(given, ())
    assert replace(checked, group="").name == given.name
    assert registration.checked_row(row(group="events"), ()).group == "events"
    assert np.isclose(checked.metric([0, 1], [0, 1]), 0.5)


def test_where_nothing_is_published_a_family_is_read_until_a_name_is_found(monkeypatch):
    monkeypatch.setattr(reader, "may_publish", lambda _: False)
    fresh = type(aj.catalogue)()
    assert fresh["f1_ba"] == aj.catalogue["f1_ba"]
    assert "_rows" not in vars(fresh)
    with pytest.raises(KeyError):
        fresh["f1_baa"]
