"""Write study.md: every claim of the paper's axioms and experiments, compared with the study.

usage: python tools/make.py study [JOBS [FOLDER]]     (runs 36,000 experiments: some minutes)
"""

import math
import shutil
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from adjudge.lab.claims import judged_claims
from adjudge.lab.figures import FIGURES
from adjudge.lab.study.designs import COVERAGES, PRECISIONS, RECALLS, SEPARATIONS
from adjudge.lab.study.runner import study

PAGE = Path(__file__).parents[1] / "docs" / "study.md"
EXPERIMENTS = {"authors": 15_000, "released": 15_000, "controlled": 6000}
COLUMNS = (
    ("authors", "corrected"), ("authors", "printed"), ("authors", "authors"),
    ("released", "corrected"), ("released", "authors"),
    ("controlled", "corrected"), ("controlled", "authors"),
)  # fmt: skip
PICTURES = {"released": ("separation", "precision", "recall"), "controlled": ("marginals",)}
SPREAD = {
    "precision": PRECISIONS, "recall": RECALLS, "coverage": COVERAGES, "separation": SEPARATIONS,
}  # fmt: skip
NAMES = {"authors": "our study", "released": "the released table", "controlled": "controlled"}
READINGS = {"corrected": "", "printed": " (printed)", "authors": " (authors' BA)"}

HEAD = """# The paper's study, claim by claim

The paper on balanced adjustment (D. Bhattacharya et al., *Towards Unbiased Evaluation of Time-series Anomaly Detector*,
[arXiv:2409.13053](https://arxiv.org/abs/2409.13053)) studies four F1 scores in 15,000 simulated experiments. This page repeats the study, with the authors' design, corrected where
text, captions and plots differ, and says of each claim whether it holds; [the paper in code](paper.md) goes through the paper itself, [errata](errata.md) has what is wrong in print.

```
adjudge study --experiments 15000 --seed 0 --design authors --out study --claims
adjudge figure all --table study/experiments.csv --out figures
```

The first command writes `study/experiments.csv`, one row per experiment, and prints the verdicts below; it can be interrupted and run again. The second
draws every figure with its numbers beside it; without `--table`, figures 4 to 6 draw the table that the authors released, with their bins and with ours.

![F1 scores against event precision](precision.png)

## Verdicts, by reading and by design

Each claim is judged for [three readings of balanced adjustment](paper.md#three-readings-one-setting): *corrected* (`f1_ba`), *printed* (`reading="printed"`) and *authors'*, as they ran it (`width=25, reading="authors"`: islands a third as wide as the events, raised by true alarms too).
The first three columns of verdicts are those of our study, the next of the table that the authors released, replayed experiment by experiment ([below](#the-released-table)), the last two of 6,000 experiments in which precision, recall, coverage and separation
[are under control](#the-designs). Where a claim is about experiments, 100 tables were drawn anew from the rows, and the share that comes to the same verdict stands in brackets: below 95 % the verdict is *undecided*.

With the corrected reading, of {total} claims: {counts}.

| claim | corrected | printed | authors' | released table: corrected | released: authors' | controlled: corrected | controlled: authors' |
|---|---|---|---|---|---|---|---|
"""

WORDS = """
Precision, recall and coverage are those of events: the share of flagged runs that touch an event, the share of events
touched, and the mean covered share of those. *Medium* is between 25 and 75 %.
"""

DESIGNS = """
## The designs

`--design authors` draws each experiment as the authors' program does: 10 to 23 events of 50 to 99 points, 200 to 999 points apart; true detections of 10 to 24
points in some of the events, up to 19 false ones of 2 to 4 points; scores uniform on overlapping ranges, smoothed over 15 points, marked above 0.5. What
the authors step through in order (the overlap of the ranges, the number of false detections) is drawn here, so that every experiment depends on the seed and its
own number alone: any part of the table can be computed again, by any number of processes.

`--design controlled` does what the paper says of its experiments. Precision (0.1 to 1), recall, coverage (0.13 to 0.97) and separation (0.1 to 0.52) are drawn evenly, and false detections outlast the smoothing (over 9 points) and keep
apart: as many false runs come out as are asked for in {equal:.1f} % of the experiments. The two correlate by {controlled:.4f}, in the released table by {released:.3f}, where most false detections are smoothed away and most false runs are noise.

![How 6,000 controlled experiments spread over precision, recall, coverage and separation](marginals.png)

Below how much each measurement lies in 5, 25, 50, 75 and 95 % of the experiments:

| | precision | recall | coverage | separation |
|---|---|---|---|---|
{marginals}
Precision takes few values where few events are found: with one, it is 1, 1/2, 1/3 and so on. Separation is low where few events are found and high where many are, so its ends are reached less often than its middle.
`adjudge figure 5 --design controlled` draws figures over it, with a third panel that is full.

`--design released` replays the table that the authors published, below.

In Python: `adjudge.study(experiments=15000, seed=0, design="authors")`; with `metrics=[...]` any metric of the catalogue becomes a column.

## The released table

The authors' repository holds the table behind their figures: 15,000 experiments, drawn one after the other from a single generator. `--design released`
makes the same draws in the same order, so the same numbers come out, row by row:

```
adjudge study --design released --against scenario_1.csv --out released
15,000 rows, 11 of 11 columns equal
```

`--against` takes the authors' file (`tests/output/scenario_1.csv` of their repository, which you download yourself) and ends with exit code 1 when a column
differs. Counts, rates and scores agree to 1e-9, the separation index, which they integrate numerically, to 1e-6. Every row depends on those before it,
so a study that was stopped goes on from a checkpoint of the generator's state, and several processes (`--jobs`) share the rows by handing such checkpoints on.

**The table was not made by the published program.** There a detection counts when at least *one* of its points lies inside its event or gap, which its first
point always does. In the table at least *two* must: `--guard 2`, the default here; `--guard 1` is the program, and differs from row 5 on. A detection with a
single point inside marks the rest of its width beyond the border: an alarm for an event that it hardly touches, or a false detection that runs into an event.

**Why the means differ a little.** PA averages 0.583 in our study and 0.575 in the released table. With `--guard 2` our study has 0.577, so the guard makes
0.006 of it here (0.0045 in the authors' own sequence of draws: 0.579 and 0.575). The rest is less than the standard error of such a mean, 0.0023: another
seed.
"""


def verdict(one):
    """A verdict, with the share of resampled tables that agree."""
    share = "" if math.isnan(one.agreement) else f" ({100 * one.agreement:.0f}\N{NO-BREAK SPACE}%)"
    return f"{one.verdict}{share}"


def page(jobs=1, folder=None):
    """Run the studies, or read them from a folder, judge the claims on each, and write them up."""
    tables = {
        design: study(count, design=design, jobs=jobs, out=folder and Path(folder) / design)
        for design, count in EXPERIMENTS.items()
    }
    columns = [judged_claims(tables[design], reading) for design, reading in COLUMNS]
    rows = list(enumerate(zip(*columns, strict=True), 1))
    counts = Counter(one.verdict for one in columns[0])
    text = HEAD.format(
        total=len(rows), counts=", ".join(f"{count} *{v}*" for v, count in counts.items())
    )
    for number, row in rows:
        cells = [verdict(one) for one in row[:3]]
        needs = row[0].claim.needs_table
        cells += [verdict(one) if needs else "" for one in row[3:]]
        text += f"| {number}. {row[0].claim.name} | {' | '.join(cells)} |\n"
    text += WORDS
    for number, row in rows:
        text += section(number, row)
    asked = {
        name: np.corrcoef(table["false_alarms"], table["false_runs"])[0, 1]
        for name, table in tables.items()
    }
    own = tables["controlled"]
    equal = 100 * np.mean(own["false_alarms"] == own["false_runs"])
    return text + DESIGNS.format(**asked, equal=equal, marginals=marginals(tables))


def marginals(tables):
    """Quantiles of what experiments are to be spread over, and of an even spread."""
    shares, lines = (0.05, 0.25, 0.5, 0.75, 0.95), []
    for design, table in tables.items():
        cells = [np.nanquantile(table[name], shares) for name in SPREAD]
        lines.append((NAMES[design], cells))
    lines.append(("even", [np.quantile(ends, shares) for ends in SPREAD.values()]))
    written = [[" ".join(f"{one:.2f}" for one in cell) for cell in cells] for _, cells in lines]
    rows = zip(lines, written, strict=True)
    return "".join(f"| {name} | {' | '.join(cells)} |\n" for (name, _), cells in rows)


def section(number, row):
    """The numbers of a claim, in each reading and design that says something else."""
    claim, said = row[0].claim, {}
    for (design, reading), one in zip(COLUMNS, row, strict=True):
        if claim.needs_table or design == "authors":
            name = f"{NAMES[design]}{READINGS[reading]}" if claim.needs_table else reading
            said.setdefault(one.sentence, []).append(name)
    lines = [f"- {', '.join(names)}: {sentence}" for sentence, names in said.items()]
    head = f"\n## {number}. {claim.name}: {row[0].verdict}\n\n*{claim.where}.* {claim.says}\n\n"
    return head + "\n".join(lines) + f"\n- it holds if: {claim.rule}\n- source: `{claim.source}`\n"


if __name__ == "__main__":
    jobs, folder = (*sys.argv[1:], None, None)[:2]
    PAGE.write_text(page(jobs=int(jobs or 1), folder=folder), encoding="utf-8")
    with TemporaryDirectory() as out:
        for design, names in PICTURES.items():
            table = study(
                EXPERIMENTS[design],
                design=design,
                jobs=int(jobs or 1),
                out=folder and Path(folder) / design,
            )
            for name in names:
                picture, *_ = FIGURES[name](Path(out), table)
                shutil.copy(picture, PAGE.parent)
