"""Help leads on: verbs by task, the options that most people need first, all of them on request."""

import inspect
import re
import shlex

import click
import pytest
from click.testing import CliRunner

from adjudge.cli import TASKS, main
from adjudge.cli.declaration import DATA, Option
from adjudge.cli.help import MANY, TITLES, GroupedHelp

LONG = ["calibrate", "compare", "decide", "evaluate", "explain", "rank", "report"]
PARTED = [*LONG, "seal"]


def shown(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    return result.stdout


def options_of(verb):
    return {param.name: param for param in main.commands[verb].params if isinstance(param, Option)}


def test_verbs_stand_by_task_and_the_first_are_for_a_newcomer():
    text = shown("--help")
    places = [text.index(f"\n{task}:\n") for task in TASKS]
    assert places == sorted(places)
    assert text.index("  demo ") < text.index("  evaluate ") < text.index("  audit ")


@pytest.mark.parametrize("verb", LONG)
def test_help_lists_at_most_25_options_and_names_the_way_to_all(verb):
    text = shown(verb, "--help")
    lines = [line for line in text.splitlines() if line.startswith(("  --", "  -v,", "  -h,"))]
    assert len(lines) <= MANY < len(options_of(verb))
    assert f"{len(lines)} of " in text
    assert "--help-all lists all" in " ".join(text.split())


@pytest.mark.parametrize("verb", PARTED)
def test_all_options_have_a_part_of_the_help(verb):
    text = shown(verb, "--help-all")
    assert {one.title for one in options_of(verb).values()} <= set(TITLES[:-1])
    shown_ones = [param for param in options_of(verb).values() if not param.hidden]
    assert all(param.opts[0] in text for param in shown_ones)


def test_every_part_of_the_help_is_used():
    used = {one.title for verb in PARTED for one in options_of(verb).values()}
    assert used == set(TITLES[:-1])


GIVEN = {
    "points": ("scores.csv",),
    "channels": ("scores.csv", "--channels", "a,b"),
    "annotators": ("scores.csv", "--annotators", "ann,bob"),
    "on_call": ("--truth", "i.csv", "--alerts", "a.csv", "--span", "2026-01-01", "2026-02-01"),
    "positions": ("--truth", "i.csv", "--alerts", "a.csv", "--length", "9"),
}


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("verb", ["evaluate", "explain", "compare", "report"])
def test_help_lists_what_the_data_that_are_given_have(verb, kind):
    text = shown(verb, *GIVEN[kind], "--help-all")
    for one in options_of(verb).values():
        listed = re.search(rf"^  (-v, )?{one.opts[0]}( |$)", text, re.MULTILINE) is not None
        assert listed == (not one.of or kind in one.of), one.name
    short = " ".join(shown(verb, *GIVEN[kind], "--help").split())
    count = 2 + sum(not one.of or kind in one.of for one in options_of(verb).values())
    assert count <= MANY or f"of {count} options for {DATA[kind].noun}: " in short


def test_help_says_how_to_see_less_where_there_is_less_to_see():
    hint = "Add --help to a call to see only the options for its data."
    for verb in ("evaluate", "rank", "decide"):
        assert " ".join(shown(verb, "--help").split()).endswith(hint)
        assert " ".join(shown(verb, "--help-all").split()).endswith(hint)
    assert hint not in " ".join(shown("decide", "scores.csv", "--help").split())


def test_without_a_span_things_may_be_positions():
    given = ("--truth", "i.csv", "--alerts", "a.csv", "--help")
    both = "options for incidents and alerts or positions: "
    assert both in " ".join(shown("evaluate", *given).split())
    assert "options for incidents and alerts: " in " ".join(shown("decide", *given).split())


def test_a_folder_may_be_a_benchmark_or_a_ranking(tmp_path):
    text = shown("report", str(tmp_path), "--help-all").partition("Labels and scores")[2]
    assert "--data" in text
    assert "--channels" not in text
    told = " ".join(shown("report", str(tmp_path), "--help").split())
    assert "options for points, a finished ranking or a finished ranking and its data: " in told
    assert "--data" not in shown("report", "scores.csv", "--help-all").partition("Labels and")[2]


def test_an_option_without_a_group_is_shown_all_the_same():
    many = [click.Option([f"--o{n}"]) for n in range(MANY + 1)]
    verb = GroupedHelp("verb", params=many, callback=lambda **_: None)
    assert "--o25" in CliRunner().invoke(verb, ["--help"]).stdout


def test_a_verb_with_few_options_lists_them():
    assert "--help-all" not in shown("demo", "--help")


READ_FILES = (*LONG, "explain-diff", "inspect", "verify")
NOTHING_THERE = re.compile(
    "no such file|nothing of that name|does not exist|finished ranking|folder of a ranking"
)


@pytest.mark.parametrize("verb", READ_FILES)
def test_examples_are_whole_calls_that_lack_their_files_alone(verb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = inspect.cleandoc(main.commands[verb].callback.__doc__ or "").partition("Example")[2]
    examples = re.findall(r"^ +adjudge (.*)$", text.replace("\\\n", ""), re.MULTILINE)
    assert examples
    for example in examples:
        result = CliRunner().invoke(main, shlex.split(example))
        assert result.exit_code == 2, example
        assert NOTHING_THERE.search(result.stderr), example
