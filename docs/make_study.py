"""Write study.md: every claim of the paper's axioms and experiments, compared with the study.

usage: python docs/make_study.py [JOBS [FOLDER]]     (runs twice 15,000 experiments: some minutes)
"""

import sys
from collections import Counter
from pathlib import Path

from adjudge.lab.claims import judged_claims
from adjudge.lab.study.runner import study

PAGE = Path(__file__).parent / "study.md"
EXPERIMENTS = 15_000
WITHOUT = ("coverage is a mean over n", "separation is a Hellinger distance")
"""Claims of the experiments section that need no table."""

HEAD = """# The paper's study, claim by claim

The paper on balanced adjustment (D. Bhattacharya et al., *Towards Unbiased Evaluation of Time-series Anomaly Detector*,
[arXiv:2409.13053](https://arxiv.org/abs/2409.13053)) studies four F1 scores in 15,000 simulated experiments. This page repeats the study, with the authors' design, corrected where
text, captions and plots differ, and says of each claim whether it holds:

```
adjudge study --experiments 15000 --seed 0 --design authors --out study --claims
adjudge figure all --table study/experiments.csv --out figures
```

The first command writes `study/experiments.csv`, one row per experiment, and prints the verdicts below; it can be interrupted and run again. The second
draws every figure with its numbers beside it.

![F1 scores against event precision](precision.png)

The verdicts on {total} claims: {counts}. Beside our own numbers stand those of the table that the authors released, replayed experiment by experiment
([below](#the-released-table)); its scores of *BA* with the default width are ours, all others are in their file too. *BA* is balanced adjustment with its default width and islands on normal
points; *BA of width 25* is what the authors ran (`f1_ba(width=25, islands="all")`: islands a third as wide as the events, raised by true alarms too).
Precision, recall and coverage are those of events: the share of flagged runs that touch an event, the share of events
touched, and the mean covered share of those. *Medium* is between 25 and 75 %.

| | claim | verdict | on the released table |
|---|---|---|---|
"""

DESIGNS = """
## The three designs

`--design authors` draws each experiment as the authors' program does: 10 to 23 events of 50 to 99 points, 200 to 999 points apart; true detections of 10 to 24
points in some of the events, up to 19 false ones of 2 to 4 points; scores uniform on overlapping ranges, smoothed over 15 points, marked above 0.5. What
the authors step through in order (the overlap of the ranges, the number of false detections) is drawn here, so that every experiment depends on the seed and its
own number alone: any part of the table can be computed again, by any number of processes.

`--design grid` is the paper's sentence instead: uniform over coverage and separation, by a grid of targets.

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


def page(experiments=EXPERIMENTS, jobs=1, folder=None):
    """Run both studies, or read them from a folder, judge the claims on each, and write them up."""
    ours, theirs = (
        judged_claims(
            study(experiments, design=design, jobs=jobs, out=folder and Path(folder) / design)
        )
        for design in ("authors", "released")
    )
    claims = list(enumerate(zip(ours, theirs, strict=True), 1))
    counts = Counter(one.verdict for one in ours)
    text = HEAD.format(
        total=len(ours), counts=", ".join(f"{count} *{v}*" for v, count in counts.items())
    )
    for number, (one, other) in claims:
        text += f"| {number} | {one.claim.name} | {one.verdict} | {_released(one, other)} |\n"
    for number, (one, other) in claims:
        claim = one.claim
        text += f"\n## {number}. {claim.name}: {one.verdict}\n\n"
        text += f"*{claim.where}.* {claim.says}\n\n"
        in_table = claim.needs_table and claim.name not in WITHOUT
        text += f"- {'our study' if in_table else 'theory'}: {one.sentence}\n"
        if in_table:
            same = "" if one.verdict == other.verdict else f" ({other.verdict})"
            text += f"- the released table{same}: {other.sentence}\n"
        text += f"- it holds if: {claim.rule}\n- source: `{claim.source}`\n"
    return text + DESIGNS


def _released(one, other):
    """Say what the released table says, where it can be asked."""
    if not one.claim.needs_table or one.claim.name in WITHOUT:
        return ""
    return "the same" if one.verdict == other.verdict else other.verdict


if __name__ == "__main__":
    jobs, folder = (*sys.argv[1:], None, None)[:2]
    PAGE.write_text(page(jobs=int(jobs or 1), folder=folder), encoding="utf-8")
