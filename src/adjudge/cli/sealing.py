"""The verbs of a judge that may be asked many times: seal, judge, serve."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NoReturn

import click

from adjudge.cli.declaration import Names, option, units_with_value
from adjudge.cli.effects import Verb
from adjudge.cli.group import note
from adjudge.cli.options import computed, null_option, printed

if TYPE_CHECKING:
    from adjudge.sealing.answer import Answer

_read = partial(option, title="How files are read")
_served = partial(option, title="Contract")
_bound = partial(option, title="Contract")
_key = partial(_bound, "--key FILE")


class _Looks(click.ParamType):  # type: ignore[type-arg]  # none before click 8.2
    """A number, or any."""

    name = "looks"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Read it."""
        if isinstance(value, str) and value.removeprefix("-").isdecimal():
            return int(value)
        return (
            value if value == "any" else self.fail(f"{value!r} is no number, nor any", param, ctx)
        )


@click.command(cls=Verb)
@click.argument("labels", metavar="LABELS")
@click.argument("base", metavar="BASE")
@_bound("--out,-o FILE", "The contract to write, NAME.toml.", first=True, required=True)
@computed("--metric SPEC", "Metric to judge by.", first=True, default="f1_ba", show_default=True)
@computed("--at X", "Threshold of candidates: a number or a rule.", first=True)
@computed("--base-at X", "Threshold of BASE.  [default: that of candidates]")
@_bound("--looks N", "How many candidates may be asked about; any: no end.  [default: 5]",
    first=True, type=_Looks())  # fmt: skip
@_bound("--alpha X", "Probability of any false ship.  [default: 0.05]", type=float)
@_bound("--ships N", "After how many ships it is closed.  [default: 1]", type=int)
@_bound("--open-share X", "Share of events open for development.  [default: 0.5]", type=float)
@_key("File with a key that the asker cannot read; it signs the ledger.")
@_bound("--again", "Seal labels that were sealed before: a new budget on the same evidence.")
@null_option("Candidates must also be better than: {}.")
@computed("--unit", "Unit of evidence, as of evaluate.  [default: series, else events]",
    type=Names("noise.intervals.units:UNITS"))  # fmt: skip
@_read("--label COL", "Column of the labels.", first=True)
@_read("--score COL", "Column of the scores, of BASE and of candidates.", first=True)
@_read("--series COL", "Column of series ids.")
@_read("--where COL", "Column that says which points are judged (0/1).")
@_read("--time COL", "Column of times.")
@_read("--positive VALUE", "The label that means an anomaly.")
@_read("--sep CHAR", "Column separator.")
@_read("--decimal CHAR", "Decimal mark of numbers.")
@_read("--channels A,B,...", "Refused: a candidate is one column.", hidden=True)
@_read("--annotators A,B,...", "Refused: a contract has one truth.", hidden=True)
@_read("--span FROM TO", "LABELS are incidents, BASE alerts; this is the time that was watched.")
@_read("--watched FILE", "When somebody watched.", needs="span")
@_read("--outages FILE", "When nobody watched.", needs="span")
@_read("--early D", "How long before an incident an alert still finds it.", needs="span")
@_read("--tz ZONE", "Zone of times without an offset.", needs="span")
@_read("--time-unit UNIT", "Unit of times that are numbers since 1970.", needs="span")
def seal(labels: str, base: str, out: str, **options: Any) -> None:
    """Write a contract for a judge that may be asked many times, before anything is judged.

    LABELS has the truth, BASE the scores of the detector that runs today, row by row. The first
    half of the events stays open for development; of the rest nothing is told but "ship" or "do
    not ship". Whatever is tried, the probability of shipping what is no better is at most --alpha.

    \b
    Examples:
      adjudge seal labels.csv base.csv --at 0.5 -o pump.seal.toml
      adjudge seal incidents.csv alerts.csv --span 2026-01-01 2026-07-01 --metric event_f1 \\
          -o pager.seal.toml
    """
    from adjudge.cli.terminal import echo_sentence
    from adjudge.sealing.doors import seal as write

    for line in str(write(labels, base, out, **units_with_value(options))).split("\n"):
        echo_sentence(line)
    echo_sentence(f"ask with: adjudge judge {out} CANDIDATE")


@click.command(cls=Verb)
@click.argument("contract", metavar="CONTRACT")
@click.argument("candidate", metavar="CANDIDATE", required=False)
@_bound("--show", "Print the contract and the looks left; no look is charged.", first=True)
@_bound("--id HEX", "First digits of the contract's id, 12 or more, as you keep them.", first=True)
@_bound("--head HEX", "The head that was printed last, as you keep it.", first=True)
@_key("The key that it was sealed with.")
@printed("--json", "Print JSON.", name="as_json", first=True)
def judge(
    contract: str, candidate: str | None, show: bool, as_json: bool, key: str | None, **kept: Any
) -> None:
    """Ask a sealed judge whether CANDIDATE may be shipped.

    Exit codes: 0 ship, 2 a wrong call (no look is charged), 3 do not ship, 4 tampered, 5 budget
    spent. The same alarms asked again have the same answer and cost no look.

    \b
    Examples:
      adjudge judge pump.seal.toml candidate.csv
      adjudge judge pump.seal.toml --show
    """
    from adjudge.sealing.doors import judge_sealed, sealed_text

    if show == (candidate is not None):
        raise click.UsageError("give one of CANDIDATE and --show")
    if candidate is None:
        found = sealed_text(contract, id=kept["id"], key=key)
        if isinstance(found, str):
            click.echo(found)
            return
    else:
        found = judge_sealed(contract, candidate, key=key, **kept)
    _end(found, as_json=as_json)


def _end(answer: Answer, *, as_json: bool) -> NoReturn:
    """Print an answer, and leave with its exit code."""
    text = answer.to_json() if as_json else str(answer)
    click.echo(text, err=bool(answer.why) and not as_json)
    sys.exit(answer.exit_code)


@click.command(cls=Verb)
@click.argument("contract", metavar="CONTRACT", required=False)
@_served("--stdio", "Talk on standard input and output.", first=True)
@_served("--socket PATH", "Talk on a socket of this machine, to other users too.", first=True)
@_served("--inbox FOLDER", "Where candidates lie.  [default: this folder]", first=True)
@_key("The key that it was sealed with.")
@_served("--skill", "Print a page for agents that says how to ask.", first=True)
def serve(
    contract: str | None,
    stdio: bool,
    socket: str | None,
    inbox: str | None,
    key: str | None,
    skill: bool,
) -> None:
    """Let agents ask a sealed judge: tools of the Model Context Protocol.

    What an agent starts itself has the agent's rights. To keep labels from it, run this as another
    user with --socket, or as sudo -u judge adjudge serve ... --stdio.

    \b
    Examples:
      adjudge serve pump.seal.toml --stdio --inbox candidates
      adjudge serve pump.seal.toml --socket /run/judge/judge.sock --inbox /srv/candidates
      adjudge serve --skill > SKILL.md
    """
    if skill:
        from importlib.resources import files

        text = files("adjudge").joinpath("sealing", "SKILL.md").read_text("utf-8")
        click.echo(text, nl=False)
        return
    if contract is None or stdio == (socket is not None):
        raise click.UsageError("name a CONTRACT, with one of --stdio and --socket PATH")
    from adjudge.sealing.agent_tools import Judge
    from adjudge.sealing.answer import Closed
    from adjudge.sealing.server import serve_lines, serve_socket

    inspect = resolve_name("adjudge.lab.inspection.run:inspect")
    try:
        judge = Judge(Path(contract), Path(inbox or "."), key, inspect)
    except Closed as closed:
        _end(closed.answer, as_json=False)
    if socket is None:
        serve_lines(judge, sys.stdin.buffer, sys.stdout.buffer)
    else:
        serve_socket(judge, socket, lambda: note(f"ready at {socket}"))
