"""The verb that simulates: simulate."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudge.cli.effects import Verb
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.stores.files import writing

if TYPE_CHECKING:
    from adjudge.lab.simulation.scenario import Scenario
    from adjudge.lab.simulation.simulator import Simulation

_SHOWN = ("precision", "recall", "coverage", "separation")


@click.command(cls=Verb)
@click.option(
    "--scenario", "file", metavar="FILE", help="Scenario as TOML.  [default: the paper's]"
)
@click.option("--cases", default=1, metavar="N", help="How many cases.  [default: 1]")
@click.option(
    "--seed", default=0, metavar="S", help="Case i depends on S and i alone.  [default: 0]"
)
@click.option("--out", required=True, metavar="DIR", help="Where to write.")
@click.option("--force", is_flag=True, help="Write into a folder that holds something already.")
def simulate(file: str | None, cases: int, seed: int, out: str, force: bool) -> None:
    """Draw labels and scores of simulated detectors, one CSV per case.

    Each file has the columns label and score, as `adjudge evaluate` reads them; scenario.toml
    beside them draws the same again. A line per case says what was reached, and achieved.json
    holds it in full.

    \b
    Examples:
      adjudge simulate --out cases --cases 20 --seed 1
      adjudge simulate --out again --cases 20 --seed 1 --scenario cases/scenario.toml
    """
    from adjudge.checks import SEEDS, whole

    whole(cases, "--cases", 1)
    whole(seed, "--seed", 0, SEEDS)
    scenario = _scenario(file)
    with writing(Path(out)):
        folder = _prepared(Path(out), force=force)
        again = f"--cases {cases} --seed {seed} --scenario scenario.toml --out DIR"
        _write(folder / "scenario.toml", f"# adjudge simulate {again}\n{scenario.to_toml()}")
    reached = _draw(scenario, cases, seed, folder)
    with writing(Path(out)):
        _write(folder / "achieved.json", json.dumps(reached, indent=2, allow_nan=False) + "\n")


def _scenario(file: str | None) -> Scenario:
    from adjudge.lab.simulation.scenario import Scenario

    if file is None:
        return Scenario()
    try:
        return Scenario.from_toml(Path(file).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(
            f"--scenario must be a TOML file that can be read, got {file!r}: {error}"
        ) from None
    except (InputError, UnknownName) as error:
        raise FileError(f"{file}: {error}") from None


def _prepared(folder: Path, *, force: bool) -> Path:
    """Make the folder; an old one must be empty, or is cleared of earlier cases by force."""
    folder.mkdir(parents=True, exist_ok=True)
    held = sorted(path.name for path in folder.iterdir())
    if held and not force:
        raise InputError(
            f"--out must be a new or an empty folder, got {str(folder)!r} with {held[0]!r} "
            f"({len(held)} in all); say --force to replace the cases in it"
        )
    for name in held:
        if re.fullmatch(r"case_\d{4,}\.csv|achieved\.json", name):
            (folder / name).unlink()
    return folder


def _draw(scenario: Scenario, cases: int, seed: int, folder: Path) -> list[dict[str, object]]:
    """Write and tell every case; give what was reached."""
    import numpy as np

    from adjudge.cli.terminal import echo_sentence
    from adjudge.lab.simulation.simulator import simulate as simulated

    reached: list[dict[str, object]] = []
    for number in range(1, cases + 1):
        case = simulated(scenario, np.random.default_rng([seed, number]))
        name = f"case_{number:0{max(4, len(str(cases)))}}.csv"
        with writing(folder):
            _write(folder / name, _as_csv(case))
        reached.append({"file": name, "threshold": case.threshold, **_defined(case.achieved)})
        echo_sentence(f"{name}  {_described(case)}", indent=4)
    return reached


def _defined(achieved: dict[str, float]) -> dict[str, float | None]:
    """None where a value is undefined: JSON has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in achieved.items()}


def _as_csv(case: Simulation) -> str:
    labels = case.events.labels.astype("int64").tolist()
    rows = map("{},{!r}".format, labels, case.scores.tolist())
    return "label,score\n" + "\n".join(rows) + "\n"


def _described(case: Simulation) -> str:
    reached = [(name, case.achieved[name]) for name in _SHOWN]
    shares = (f"{name} {'undefined' if math.isnan(x) else f'{x:.3f}'}" for name, x in reached)
    return "  ".join([f"events {len(case.events):>3}", *shares, f"threshold {case.threshold!r}"])


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, "utf-8", newline="\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
