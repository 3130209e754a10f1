"""Write study.md: every claim of the paper's axioms and experiments, held against the study.

usage: python docs/make_study.py     (runs 15,000 experiments: about a minute on two cores)
"""

import sys
from pathlib import Path

from adjudge.experiments import study
from adjudge.experiments.paper_claims.listing import judged_claims

PAGE = Path(__file__).parent / "study.md"
EXPERIMENTS = 15_000

HEAD = """# The paper's study, claim by claim

The paper ([arXiv:2409.13053](https://arxiv.org/abs/2409.13053)) studies four F1 scores in 15,000 simulated experiments. The same study, with
the authors' design and corrected where text, captions and plots differ:

```
adjudge study --experiments 15000 --seed 0 --design authors --out study --claims
adjudge figure all --table study/experiments.csv --out figures
```

The first command writes `study/experiments.csv`, one row per experiment, and prints the verdicts below; it can be interrupted and run again. The second
draws every figure with its numbers beside it.

![F1 scores against event precision](precision.png)

Of {total} claims {holds} hold, {corrected} hold when corrected, and {fails} do not hold. *BA* is balanced adjustment with its default width and islands on normal
points; *BA of width 25* is what the authors ran (`f1_ba(width=25, islands="all")`: islands a third as wide as the events, raised by true alarms too).
Precision, recall and coverage are those of events: the share of flagged runs that touch an event, the share of events
touched, and the mean covered share of those. *Medium* is between 25 and 75 %.

| | claim | verdict |
|---|---|---|
"""

DESIGNS = """
## The two designs

`--design authors` draws each experiment as the authors' code does: 10 to 23 events of 50 to 99 points, 200 to 999 points apart; true detections of 10 to 24
points in some of the events, up to 19 false ones of 2 to 4 points; scores uniform on overlapping ranges, smoothed over 15 points, marked above 0.5. What
the authors step through in order (the overlap of the ranges, the number of false detections) is drawn here, so that every experiment depends on the seed and its
own number alone: any part of the table can be computed again, by any number of processes.

`--design grid` is the paper's sentence instead: uniform over coverage and separation, by a grid of targets.

In Python: `adjudge.study(experiments=15000, seed=0, design="authors")`; with `metrics=[...]` any metric of the catalogue becomes a column.
"""


def page(experiments=EXPERIMENTS, jobs=1):
    """Run the study, judge the claims, and write them up."""
    claims = judged_claims(study(experiments, seed=0, jobs=jobs))
    verdicts = [judged.verdict for judged in claims]
    text = HEAD.format(
        total=len(claims),
        holds=verdicts.count("holds"),
        corrected=verdicts.count("holds when corrected"),
        fails=verdicts.count("does not hold"),
    )
    for number, judged in enumerate(claims, 1):
        text += f"| {number} | {judged.claim.name} | {judged.verdict} |\n"
    for number, judged in enumerate(claims, 1):
        claim = judged.claim
        text += f"\n## {number}. {claim.name}: {judged.verdict}\n\n"
        text += f"*{claim.where}.* {claim.says}\n\n{judged.sentence}\n\n"
        text += f"It would hold if: {claim.rule}. `{claim.source}`\n"
    return text + DESIGNS


if __name__ == "__main__":
    PAGE.write_text(page(jobs=int(sys.argv[1]) if len(sys.argv) > 1 else 1), encoding="utf-8")
