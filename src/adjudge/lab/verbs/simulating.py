"""The verb that simulates: simulate."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudge.cli.declaration import option
from adjudge.cli.effects import Verb
from adjudge.errors import FileError, InputError, UnknownName
from adjudge.stores.files import write_texts, writing

if TYPE_CHECKING:
    from adjudge.lab.simulation.scenario import Scenario
    from adjudge.lab.simulation.simulator import Simulation

_SHOWN = ("precision", "recall", "coverage", "separation")


@click.command(cls=Verb)
@option("--scenario FILE", "Scenario as TOML.  [default: the paper's]", name="file")
@option("--cases N", "Number of cases.  [default: 1]", default=1)
@option("--seed S", "Random seed; case i depends only on S and i.  [default: 0]", default=0)
@option("--out DIR", "Output folder.", required=True)
@option("--force", "Write into a non-empty folder.")
def simulate(file: str | None, cases: int, seed: int, out: str, force: bool) -> None:
    """Simulate labels and scores of detectors, one CSV per case.

    Each file has the columns label and score, as `adjudge evaluate` reads them; scenario.toml
    reproduces them. One line per case prints what was achieved, and achieved.json has it in full.

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
        write_texts(folder / "scenario.toml", [f"# adjudge simulate {again}\n{scenario.to_toml()}"])
    reached = _draw(scenario, cases, seed, folder)
    with writing(Path(out)):
        written = json.dumps(reached, indent=2, allow_nan=False)
        write_texts(folder / "achieved.json", [f"{written}\n"])


def _scenario(file: str | None) -> Scenario:
    from adjudge.lab.simulation.scenario import Scenario

    if file is None:
        return Scenario()
    try:
        return Scenario.from_toml(Path(file).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"--scenario must be a readable TOML file, got {file!r}: {error}") from None
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
            write_texts(folder / name, [_as_csv(case)])
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
