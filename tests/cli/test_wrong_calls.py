"""Wrong calls of every verb: exit code 2, and one line that says what is wrong and the way on."""

import shlex

import pytest
from click.testing import CliRunner

from adjudge.cli import TASKS, main

FILES = {
    "scores.csv": "time,label,score\n2026-01-01,0,0.1\n2026-01-02,1,0.9\n2026-01-03,0,0.2\n",
    "nan.csv": "label,score\n0,0.1\n1,nan\n0,0.3\n",
    "columns.csv": "a,b\n1,2\n",
    "empty.csv": "",
    "incidents.csv": "start,end\n2026-01-03 10:00,2026-01-03 11:00\n",
    "space.csv": "label score\n0 1\n",
    "headless.csv": "0,0.1\n1,0.9\n",
    "long.csv": "label,score\n0,0,1\n",
    "percent.csv": "label,score\n0,50%\n",
    "broken.json": '{"label": [',
    "alerts.csv": "timestamp\n2026-01-03 10:04\n",
}
TABLES = "--truth incidents.csv --alerts alerts.csv"
EVERYWHERE = ("--foo", "--seed x --foo", "-z")
OF_SCORES = (
    "", "missing.csv", "empty.csv", "columns.csv --at 1", "scores.csv --at", "scores.csv --at what",
    "scores.csv --score nope --at 0.5", "scores.csv --label nope", "--truth incidents.csv", TABLES,
    "scores.csv --label label --time label --at 0.5", "nan.csv --at 0.2",
)  # fmt: skip
OF_ITS_OWN = {
    "demo": ("extra", "--seed -1", "--seed", "--seed 1.5", "--json", "scores.csv", "--at 0.7"),
    "evaluate": (
        "scores.csv --at 0.5 --best", "scores.csv --metrik f1", "scores.csv --at 0.5 --metric f2",
        "scores.csv --at 0.5 --null shuffled", "scores.csv --at 0.5 --fail-under f1_ba",
        "scores.csv --at 0.5 --json --csv", "scores.csv --at 0.5 --over-time 1w",
        "scores.csv --at 0.5 --no-chance --fail-unless-better",
    ),
    "explain": ("scores.csv", "scores.csv --at 0.5 --metric ap", "scores.csv scores.csv"),
    "compare": ("scores.csv", f"{TABLES} --span 2026-01-01 2026-02-01"),
    "decide": (
        "scores.csv --budget 1/day", "scores.csv --time time", "scores.csv --time time --budget 1",
        "scores.csv --time time --cost miss", "scores.csv --time time --cost mis=5",
    ),
    "report": ("scores.csv --data x", "scores.csv --compare a", "scores.csv --out no/such/a.html"),
    "rank": (
        "", "scores.csv", ". --out ranked --jobs 0", "empty --out ranked", "scores.csv --values",
        "scores.csv --merge --out ranked", "scores.csv --out ranked --metric nope", "--out",
        "scores.csv --out ranked --at what", "scores.csv --out ranked --scheduler nope",
    ),
    "verify": (
        "", "missing", "empty", "scores.csv", "empty --sample x", "empty --prepare",
        "empty --build", "empty a --build b", "empty --json --md", "empty --sample -1",
    ),
    "inspect": (
        "", "missing", "empty", "empty.csv", "columns.csv", "scores.csv --check nope",
        "scores.csv --fail-on x", "scores.csv --jobs 0", "scores.csv --signal nope",
        "scores.csv --shifts 0",
    ),
    "list": ("extra", "--js", "--all extra", "f1", "--json=1", "--metric f1", "''", "--help-al"),
    "show": ("", "nope", "f1 f1_pa", "'f1_ba(width=0)'", "''", "'f1_ba(widht=3)'", "a,b", "!"),
    "explain-diff": (
        "", "missing.csv", "scores.csv", "scores.csv --theirs x", "scores.csv --theirs",
        "missing.csv --theirs 0.5", "empty.csv --theirs 0.5", "columns.csv --theirs 0.5",
        "scores.csv --theirs 0.5 --at x", "scores.csv --theirs nan",
    ),
    "playground": (
        "extra", "--out", "--out no/such/a.html", "--out empty", "--at 3", "scores.csv", "--json",
    ),
    "audit": (
        "", "nope", "my:first", "f1 --axiom C-99", "f1 --effort huge", "f1 --jobs 0", "--all f1",
        "f1 --bounds 1", "f1 --bounds 0 1", "f1 --kind flags",
    ),
    "calibrate": ("scores.csv", "scores.csv --at 1 --metric nope", "scores.csv --at 1 --jobs 0"),
    "simulate": (
        "", "--out", "--out new --cases 0", "--out new --cases x", "--out . ", "--out scores.csv",
        "--out new --scenario missing.toml", "--out new --scenario scores.csv", "--out new extra",
        "--out new --seed x",
    ),
    "study": (
        "--experiments 0", "--experiments x", "--design nope", "--jobs 0", "extra", "--seed x",
        "--metric nope --experiments 2", "--against missing.csv", "--guard -1 --experiments 2",
        "--out scores.csv --experiments 2",
    ),
    "figure": (
        "nope", "case", "case missing.csv", "case scores.csv --at x", "case empty.csv",
        "noise --out scores.csv", "all --table missing.csv", "strip --foo",
        "case scores.csv --score nope",
    ),
    "seal": (
        "", "scores.csv", "scores.csv scores.csv", "missing.csv scores.csv --out a.seal.toml",
        "scores.csv empty.csv --out a.seal.toml", "scores.csv scores.csv --out a.seal.toml --at x",
        "scores.csv scores.csv --out a.seal.toml --at 1 --looks 0", "scores.csv scores.csv --out",
    ),
    "judge": (
        "", "missing.toml", "missing.toml scores.csv", "scores.csv scores.csv", "empty scores.csv",
        "broken.json scores.csv", "scores.csv --show", "scores.csv scores.csv --id",
    ),
    "serve": (
        "", "missing.toml", "missing.toml --stdio", "scores.csv --stdio", "empty --stdio",
        "scores.csv --stdio --socket a", "--stdio", "--socket",
    ),
    "schema": ("nope", "evaluate rank", "--json", "''", "1", "decide", "Evaluate", "scores.csv"),
}  # fmt: skip
READS_SCORES = ("evaluate", "explain", "compare", "decide", "report", "calibrate")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)


def said(line):
    result = CliRunner().invoke(main, shlex.split(line), prog_name="adjudge")
    assert result.exit_code == 2, result.output
    return result.stderr.splitlines()


def calls(verb):
    return [*OF_ITS_OWN[verb], *EVERYWHERE, *(OF_SCORES if verb in READS_SCORES else ())]


def test_ten_wrong_calls_are_made_of_every_verb():
    verbs = {name for group in TASKS.values() for name in group}
    assert set(OF_ITS_OWN) == verbs
    assert min(len(set(calls(verb))) for verb in verbs) >= 10


@pytest.mark.parametrize("verb", OF_ITS_OWN)
def test_a_wrong_call_ends_in_one_line(folder, verb):
    for call in calls(verb):
        *before, last = said(f"{verb} {call}")
        assert len(before) <= 1, call  # how a file was read
        assert last.startswith("adjudge: "), call
        assert len(last) > 30, call


def test_a_wrong_call_names_the_way_to_its_help(folder):
    assert said("evaluate scores.csv --metrik f1")[0].endswith("; see adjudge evaluate --help")
    assert said("figure nope")[0].endswith("see adjudge figure --help")


def test_who_names_a_file_is_told_the_verb(folder):
    line = "adjudge: the verb comes first, as in adjudge evaluate scores.csv; see adjudge --help"
    assert said("scores.csv") == [line]
    assert said("missing.csv") == ["adjudge: No such command 'missing.csv'; see adjudge --help"]


@pytest.mark.parametrize("call", ["", "figure"])
def test_without_a_verb_the_help_is_printed_line_by_line(call):
    result = CliRunner().invoke(main, call.split(), prog_name="adjudge")
    assert result.exit_code in {0, 2}  # click 8.1 and later
    assert f"Usage: adjudge {call}".strip() in result.output
    assert len(result.output.splitlines()) > 10
    assert "\\n" not in result.output


@pytest.mark.parametrize(
    ("call", "way"),
    [
        ("compare " + TABLES + " --span 2026-01-01 2026-02-01", "--alerts A --alerts B"),
        ("compare scores.csv", "--score A --score B"),
        ("evaluate nan.csv --at 0.2", "--missing skip"),
        ("inspect scores.csv --signal nope", "has the columns 'time', 'label', 'score'"),
        ("evaluate scores.csv --tune-on 0:2", """--at 'tuned(f1_ba, on="0:2")'"""),
        ("evaluate scores.csv --tune-on part", "the columns 'time', 'label', 'score'"),
        ("inspect scores.csv --check nope", "there are events, density"),
        ("demo --seed -1", "seed must be a whole number, at least 0"),
        ("evaluate scores.csv --at scroe=0.5", "unknown detector 'scroe', did you mean 'score'?"),
        ("evaluate scores.csv --at score=0.5 --at other=0.5", "unknown detector 'other'"),
        ("evaluate ''", "FILE must be a name, got ''; is a"),
        ("rank '' --out ranked", "must be a name, got ''"),
        ("evaluate scores.csv --threshold 0.5", "Did you mean '--at'?"),
        ("evaluate scores.csv --treshold 0.5", "No such option '--treshold'. Did you mean '--at'?"),
        ("evaluate scores.csv --output a.json", "the result"),
        ("evaluate scores.csv --out a.json", "the result"),
        ("report scores.csv --output a.html", "Did you mean '--out'?"),
        ("decide scores.csv --treshold 1", "Did you mean '--candidate'?"),
        ("report scores.csv --out a.pdf", "write 'a.html'"),
        ("figure case scores.csv --at 0.5 --out a.png", "--out must be a folder, got 'a.png'"),
        ("evaluate https://host/a.csv --at 1", "or pipe it: curl -s URL | adjudge evaluate -"),
        ("evaluate 's*.csv' --at 1", "the quotes"),
        ("evaluate space.csv --at 1", "--sep ' '"),
        ("evaluate headless.csv --at 1", "the first line must name the columns"),
        ("evaluate long.csv --at 1", "the separator"),
        ("evaluate percent.csv --at 1", "not a number: '50%'; write it without the %"),
        ("evaluate broken.json --at 1", "char 11); records are a list, [{...}, ...]"),
        ("evaluate scores.csv --channels a,b --at 1", "has the columns 'time', 'label', 'score'"),
        ("evaluate scores.csv --annotators a,b --at 1", "'score'; --annotators names them"),
        ("evaluate scores.csv --annotators label --score x", "'score'; --score names them"),
        (f"evaluate {TABLES} --span 2026-01-01", "2 arguments; see adjudge evaluate --help"),
        (f"evaluate {TABLES} --span 2026-01-01 2026-02-01 --by service", "no column 'service'"),
        ("evaluate scores.csv --at 0.5 --train-length 1", "--train-length needs a rule"),
    ],
)
def test_the_way_on_is_the_one_of_the_call(folder, call, way):
    assert way in said(call)[-1]


@pytest.mark.parametrize(
    ("spoken", "name"),
    [("BA", "f1_ba"), ("PA", "f1_pa"), ("point-adjusted", "f1_pa"), ("balanced", "f1_ba")],
)
def test_what_people_say_for_a_metric_is_shown(spoken, name):
    result = CliRunner().invoke(main, ["show", spoken])
    assert result.stdout.startswith(f"{name}: ")
    assert f"{spoken!r} is called {name} here" in result.stderr


def test_of_an_option_that_is_taken_once_the_last_counts_and_that_is_said(folder):
    once, twice = (
        CliRunner().invoke(main, shlex.split(f"explain scores.csv --at 0.5 {metrics} --csv"))
        for metrics in ("--metric f1", "--metric recall --metric f1")
    )
    assert once.exit_code == twice.exit_code == 0
    assert once.stdout == twice.stdout
    said = "adjudge: --metric given twice; using the last\n"
    assert twice.stderr == said + once.stderr
