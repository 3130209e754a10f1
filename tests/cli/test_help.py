"""Help leads on: verbs by task, the options that most people need first, all of them on request."""

import inspect
import re
import shlex

import click
import pytest
from click.testing import CliRunner

from adjudge.cli import TASKS, main
from adjudge.cli.help import GROUPS, MANY, GroupedHelp

LONG = ["calibrate", "compare", "decide", "evaluate", "explain", "rank", "report"]


def shown(*arguments):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    return result.stdout


def options_of(verb):
    return {
        param.name: param for param in main.commands[verb].params if isinstance(param, click.Option)
    }


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


@pytest.mark.parametrize("verb", LONG)
def test_all_options_have_a_group(verb):
    text = shown(verb, "--help-all")
    grouped = {name for group in GROUPS.values() for part in group for name in part.split()}
    assert set(options_of(verb)) - grouped == set()
    assert all(param.opts[0] in text for param in options_of(verb).values())


def test_no_group_names_an_option_that_is_nowhere_or_twice():
    known = {name for verb in LONG for name in options_of(verb)}
    grouped = [name for group in GROUPS.values() for part in group for name in part.split()]
    assert sorted(set(grouped) - known) == []
    assert len(grouped) == len(set(grouped))


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
