"""Metrics of third parties: registered by a call, or published by an installed package."""

import json
import os
import signal
import subprocess
import sys
import threading
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.metrics import reader
from adjudge.metrics import reader as registration

PACKAGE = Path(__file__).parent / "example_package"
SOURCES = Path(aj.__file__).parents[1]
LABELS, FLAGS = [0, 0, 1, 1, 0, 1, 1, 0], [1, 0, 1, 0, 0, 0, 0, 0]


def row(name="own_metric", measure=lambda flags, events: float(flags.mean()), **more):  # noqa: ARG005
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
    assert "own_metric" in {found.asked for found in aj.evaluate(LABELS, FLAGS, "all").rows}
    assert aj.catalogue["own_metric"].group == "registered"
    assert aj.audit("own_metric", ["L6"]).verdicts == {"L6": "fail"}


@pytest.mark.usefixtures("forgetful")
def test_a_registered_metric_of_scores():
    aj.register(row("highest", lambda scores, events: float(scores.max()), needs="scores"))  # noqa: ARG005
    assert aj.highest([0, 1], [0.25, 0.75]) == 0.75


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("f1", "row must be an adjudge.Row, got str"),
        (row("F1"), "row.name must be lower-case words joined by _, got 'F1'"),
        (row("f1"), "row.name must be new, got 'f1', which is in the catalogue"),
        (row(forgives=""), "row.forgives must be a few words, got none; own_metric needs them"),
        (
            row(measure=lambda flags, events: 7.0),  # noqa: ARG005
            "row own_metric must give a value from 0 to 1 or NaN, got 7.0 for some events, "
            "some flags",
        ),
        (
            row(measure=lambda flags, events: 1 / len(events)),  # noqa: ARG005
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
    scores = row("spoiler", lambda s, events: float(s.__setitem__(0, 1) or 1.0), needs="scores")  # noqa: ARG005
    with pytest.raises(aj.InputError, match="row spoiler must"):
        aj.register(scores)


def test_a_metric_that_unlocks_its_input_to_change_it_is_refused():
    def cheat(scores, events):
        scores.setflags(write=True)
        scores[0] += 1
        return 0.5

    with pytest.raises(aj.InputError, match="row spoiler must leave its input alone, but it chang"):
        aj.register(row("spoiler", cheat, needs="scores"))


def test_a_wrong_setting_of_a_row_is_its_own_error():
    def refuse(flags, events):
        raise aj.InputError("it must be, got nothing")

    with pytest.raises(aj.InputError, match="it must be, got nothing"):
        aj.register(row(measure=refuse))


class Entry:
    """What `importlib.metadata` gives, as far as it is looked at."""

    def __init__(self, published, dist=None):
        self.name, self.value, self.dist, self.published = "entry", "module:ROW", dist, published

    def load(self):
        if isinstance(self.published, BaseException):
            raise self.published
        return self.published


def published(monkeypatch, *entries):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)  # noqa: ARG005
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
    "module", ["import sys; sys.exit(1)", "raise KeyboardInterrupt", "print('{\\x1b')\nROW = []"]
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
