"""THE list of axioms: the paper's, and what the field's other papers ask of a metric."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from adjudge.lab.audit.axiom import NOISE, ORDER, REWARD, Axiom
from adjudge.lab.audit.literature_axioms import l3, l9, l10, l11
from adjudge.lab.audit.noise_axioms import c1, c1a, c1a_mixed, c1q, c1r, l1
from adjudge.lab.audit.order_axioms import c2, c2_population, c3
from adjudge.lab.audit.pair_axioms import (
    L2,
    L4,
    L4_STRICT,
    L5,
    L5_STRICT,
    L6,
    L7,
    L8,
    L8_STRICT,
    L12,
    L13,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAPER = "D. Bhattacharya et al. (2024). arXiv:2409.13053"

_ALL = (
    Axiom(
        "C-1", "robust",
        "Noise does not score more than one half.",
        f"{_PAPER}, axiom C-1, as a statement about means: 'almost surely' is false of any score "
        "on few events.",
        "Uniform noise at 12 thresholds, and flagged wholly, on 10 events of 10 to 100 points, "
        "where a share Q of about 0.09, 0.2 and 0.3 of the points is anomalous (the lemma covers "
        "Q up to one third); again with 1 event, which is reported and does not decide.",
        "At every Q the upper bound of the largest mean over thresholds is at most 0.5 (and 0.02, "
        "since the chance level of some scores is exactly one half).",
        "A pattern of alarms that scores too much on average over all places in time.",
        c1, NOISE, drawn=True, statistical=True,
    ),
    Axiom(
        "C-1q", "seldom lucky",
        "Noise seldom comes half way from the metric's own chance level to the best value.",
        f"{_PAPER}, axiom C-1, read as a statement about single series.",
        "As C-1, with Q about 0.09; the chance level is the mean at the same threshold.",
        "At every threshold at most 5 % of the noise runs exceed (1 + chance) / 2, which is a "
        "value of 0.5 once it is corrected for chance; and chance by 0.02, since half of next to "
        "nothing is no luck.",
        "A pattern of alarms that scores so much where it happens to stand.",
        c1q, NOISE, drawn=True, statistical=True,
    ),
    Axiom(
        "C-1r", "robust to clustered alarms",
        "A detector that does not see the labels gains nothing by clustering its alarms.",
        "S. Kim et al. (2022). arXiv:2109.05257; the balanced adjustment's calibration.",
        "Autoregressive scores, blocks of 30, a comb of period 40 and bursts, each at a random "
        "circular shift, on the labels of C-1; about 5 % of the points are flagged.",
        "The upper bound of the largest mean difference to an alarm everywhere is at most 0.02. "
        "(So a metric that is won by an alarm everywhere keeps it; L1 is about that.)",
        "As for L1.",
        c1r, NOISE, drawn=True, statistical=True,
    ),
    Axiom(
        "C-1a", "threshold agnostic",
        "What noise scores does not depend on the threshold.",
        f"{_PAPER}, axiom C-1a, in the setting of its lemma: events of one width.",
        "Uniform noise at thresholds from 0.05 to 0.98 on 10 events of 100 points (Q about 0.2).",
        "The range of the means is at most 10 % of the largest (or 0.01).",
        "Few alarms and many, whose means over all places in time differ.",
        c1a, NOISE, threshold=True, drawn=True, statistical=True,
    ),
    Axiom(
        "C-1a-mixed", "threshold agnostic, mixed widths",
        "What noise scores does not depend on the threshold, though widths differ.",
        f"{_PAPER}, axiom C-1a, beyond its lemma.",
        "As C-1a, on 30 events of 5 points or, one in five, of 40 (Q about 0.2).",
        "As C-1a.",
        "As for C-1a.",
        c1a_mixed, NOISE, threshold=True, drawn=True, statistical=True,
    ),
    Axiom(
        "L1", "nothing for knowing nothing",
        "An alarm everywhere scores little, and noise no more than it.",
        "A. Garg et al. (2021). arXiv:2109.11428; Sarfraz et al. (2024). arXiv:2405.02678; "
        "Yang et al. (2025). arXiv:2511.18739",
        "All points flagged (or one constant score), and uniform noise at 12 thresholds, on the "
        "labels of C-1 with Q about 0.09.",
        "The mean of an alarm everywhere is at most 0.5 (and 0.02), and the largest mean "
        "difference between noise and an alarm everywhere on the same labels at most 0.02.",
        "All points flagged, and a high value; or a pattern of alarms that scores more, on "
        "average over all places, than an always-on alarm.",
        l1, NOISE, drawn=True, statistical=True,
    ),
    Axiom(
        "C-2", "ordered",
        "A better detector never scores less.",
        f"{_PAPER}, axiom C-2, with the direction that its text argues for (the printed one is "
        "reversed).",
        "Random small cases, and the same with one true flag dropped or one false flag added (for "
        "scores: one anomalous point lowered or one normal point raised).",
        "No pair in which the worse detector scores more.",
        "Two detectors, the better of which scores less.",
        c2, ORDER, scale=False, drawn=True,
    ),
    Axiom(
        "C-2-population", "ordered on average",
        "More hits, or fewer false alarms, never lower the expected value.",
        f"{_PAPER}, lemma to C-2, with both inequalities turned round.",
        "Independent flags on a grid of hit rates and false rates, 8 events of 20 points; the "
        "detectors of a trial share their random numbers.",
        "No step to a better detector loses more than 0.02 on average.",
        "Two detectors of neighbouring cells, the better of which scores less.",
        c2_population, ORDER, drawn=True, statistical=True,
    ),
    Axiom(
        "C-3", "one mistake costs",
        "One false alarm, and one missed event, cost a perfect detection at least 0.01.",
        f"{_PAPER}, axiom C-3 (exclusive), which asks for some epsilon > 0 where we ask for 0.01: "
        "that is ours, and what the paper asks is reported beside it. Of events: a missed point "
        "is reported, and need not cost.",
        "Perfect flags on 20 events of 50 points; each with one false point, in every gap; each "
        "without one event, for every event.",
        "Perfect flags score the maximum; the cheapest false alarm and the cheapest missed event "
        "cost at least 0.01.",
        "Perfect flags below the maximum, or one mistake that costs next to nothing.",
        c3, ORDER,
    ),
    Axiom(
        "L3", "continuity",
        "A small move of an alarm changes the value a little.",
        "S. Sørbø, M. Ruocco (2023). arXiv:2303.01272",
        "An alarm of 20 points slides over an event of 50, point by point.",
        "No step changes the value by more than 0.1.",
        "Two neighbouring positions with very different values.",
        l3, ORDER,
    ),
    Axiom(
        "L8", "coverage",
        "An event covered in full scores no less than one covered by half.",
        "N. Tatbul et al. (2018). arXiv:1803.03639",
        "All events flagged in full, or the first half of each.",
        "Full coverage scores no less.",
        "Half coverage that scores more.",
        L8, ORDER, scale=False,
    ),
    Axiom(
        "L9", "bounded and total",
        "Every valid input gives a value in the range, or is undefined.",
        "Common sense; A. Huet et al. (2022). arXiv:2206.13167",
        "Random small inputs: no events, nothing but events, no alarms, nothing but alarms, single "
        "points.",
        "No error, no value outside the range; no NaN where something is found and something "
        "spared, unless it is documented (as for every row of the catalogue).",
        "The input that broke it.",
        l9, ORDER, scale=False, drawn=True, quotes=False,
    ),
    Axiom(
        "L10", "symmetry",
        "Only what matters changes the value.",
        "S. Sørbø, M. Ruocco (2023). arXiv:2303.01272",
        "Random small inputs, every other one of scattered points, read backwards, given again, "
        "written as other numbers; scores also "
        "after increasing maps. A metric that rewards early hits need not be the same backwards.",
        "The value stays, within 1e-12.",
        "The same case, changed in what must not matter.",
        l10, ORDER, scale=False, drawn=True, quotes=False,
    ),
    Axiom(
        "L2", "no length bias",
        "Many short events found are worth more than a single long one.",
        "N. Tatbul et al. (2018). arXiv:1803.03639; A. Garg et al. (2021)",
        "One event of 600 points and nine of 20: only the nine found, or only the one.",
        "The nine score more.",
        "The long event alone scores as much or more.",
        L2, REWARD, scale=False,
    ),
    Axiom(
        "L4", "timeliness",
        "An early hit scores no less than a late one.",
        "A. Lavin, S. Ahmad (2015). arXiv:1510.03336; R. Ghorbani et al. (2024). arXiv:2405.12096",
        "The first two or the last two points of each event are flagged.",
        "The early ones score no less.",
        "Late hits that score more.",
        L4, REWARD, scale=False,
    ),
    Axiom(
        "L4-strict", "rewards early hits",
        "An early hit scores more than a late one.",
        "A. Lavin, S. Ahmad (2015). arXiv:1510.03336; R. Ghorbani et al. (2024). arXiv:2405.12096",
        "As L4.",
        "The early ones score more.",
        "Late hits that score as much.",
        L4_STRICT, REWARD, scale=False,
    ),
    Axiom(
        "L5", "near miss",
        "A false alarm close to an event scores no less than one far away.",
        "A. Huet et al. (2022). arXiv:2206.13167",
        "Perfect flags and one false point, 3 or 200 points before an event.",
        "The near one scores no less.",
        "A near miss that costs more.",
        L5, REWARD, scale=False,
    ),
    Axiom(
        "L5-strict", "rewards near misses",
        "A false alarm close to an event scores more than one far away.",
        "A. Huet et al. (2022). arXiv:2206.13167",
        "As L5.",
        "The near one scores more.",
        "A near miss that costs as much.",
        L5_STRICT, REWARD, scale=False,
    ),
    Axiom(
        "L6", "cost per alarm",
        "Ten separate false alarms cost more than one of ten points.",
        "K. Doshi et al. (2022). Reward Once, Penalize Once. IJCNN",
        "Perfect flags and ten false points, scattered or in one run.",
        "The single run scores at least 0.05 more.",
        "Scattered alarms that cost no more than one run.",
        L6, REWARD,
    ),
    Axiom(
        "L7", "indifferent to quiet time",
        "More quiet time changes nothing.",
        "J. Paparrizos et al. (2022). Volume Under the Surface. VLDB",
        "20,000 normal points without an alarm are appended.",
        "The value stays, within 1e-9.",
        "The same detection with another value.",
        L7, REWARD, scale=False,
    ),
    Axiom(
        "L8-strict", "rewards coverage",
        "An event covered in full scores more than one covered by half.",
        "N. Tatbul et al. (2018). arXiv:1803.03639",
        "As L8.",
        "Full coverage scores more.",
        "Half coverage that scores as much.",
        L8_STRICT, REWARD, scale=False,
    ),
    Axiom(
        "L11", "local cost",
        "What a false alarm costs does not depend on how long the series is.",
        "A. Huet et al. (2022). arXiv:2206.13167",
        "Perfect flags and one false point, and the same with twice the time, quiet.",
        "The cost changes by at most 1 %.",
        "The same false alarm at another price.",
        l11, REWARD, scale=False,
    ),
    Axiom(
        "L12", "boundary slack",
        "Flags a single point too wide cost little, since labels are no sharper.",
        "J. Paparrizos et al. (2022). Volume Under the Surface. VLDB",
        "20 events flagged exactly, or each one point too wide at both ends.",
        "The wide ones cost at most 0.05.",
        "Flags that are one point too wide, and a much lower value.",
        L12, REWARD,
    ),
    Axiom(
        "L13", "copies cost",
        "A second alarm for each, false and less sure, scores less.",
        "Known of detection challenges: below the last hit nothing costs, so copies of all alarms, "
        "moved a little, are added for free.",
        "20 events flagged exactly, or each of them and once more as much behind it; of scores the "
        "copies are below all hits, and above all else.",
        "The copies cost something.",
        "Alarms twice as many, and no lower value.",
        L13, REWARD, scale=False,
    ),
)  # fmt: skip

AXIOMS: Mapping[str, Axiom] = MappingProxyType({axiom.name: axiom for axiom in _ALL})
