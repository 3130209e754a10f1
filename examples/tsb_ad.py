"""Judge TSB-AD's leaderboard anew, from the values that it publishes: what stands of it.

    python examples/tsb_ad.py VALUES.csv [--out docs/tsb_ad.md]

VALUES.csv has a row per series and a column per detector, with the name of the series as ``file``
(its second part, between underscores, is the data set): the VUS-PR of 32 detectors on the 350
univariate series of TSB-AD-U, in ``benchmark_exp/benchmark_eval_results`` of
https://github.com/TheDatumOrg/TSB-AD (Apache-2.0 licence). Columns after the detectors that say
something about the series are left out.
"""

import argparse
import csv
import math
from itertools import pairwise
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.tables.formats import as_markdown

ABOUT = {
    "file", "ts_len", "anomaly_len", "num_anomaly", "avg_anomaly_len", "anomaly_ratio",
    "point_anomaly", "seq_anomaly",
}  # fmt: skip
METRIC, SHOWN, CLEAR = "VUS-PR", 12, 0.05


def load(path):
    """Give the published values as a table with a row per series and detector."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    detectors = [name for name in rows[0] if name not in ABOUT]
    cells = [
        (row["file"], name, float(row[name]), row["file"].split("_")[1])
        for row in rows
        for name in detectors
    ]
    columns = zip(*cells, strict=True)
    table = dict(zip(("series", "detector", "value", "group"), map(list, columns), strict=True))
    return table | {"metric": [METRIC] * len(cells)}


def board(by_series, by_sets):
    """The first detectors by the mean, and where they would be on other series and data sets."""
    there = {row["detector"]: row for row in by_sets.places}
    rows = [
        [
            place, row["detector"], f"{row['mean']:.3f}",
            share(row["first"]), between(row),
            share(there[row["detector"]]["first"]), between(there[row["detector"]]),
        ]
        for place, row in enumerate(by_series.places[:SHOWN], 1)
    ]  # fmt: skip
    head = ["place", "detector", "mean", "first on other series", "its places",
            "first on other data sets", "its places there"]  # fmt: skip
    return as_markdown(head, rows)


def share(value):
    """How likely somebody is first; nothing where that is not known."""
    return "" if math.isnan(value) else f"{value:.0%}"


def between(row):
    """The places that a detector may have."""
    return "" if math.isnan(row["low"]) else f"{row['low']:.0f} to {row['high']:.0f}"


def steps(by_series, by_sets):
    """Each detector against the next one below it."""
    found = {}
    for unit, other in (("series", by_series), ("sets", by_sets)):
        found[unit] = {frozenset((row["one"], row["other"])): row for row in other.pairs}
    rows = []
    for one, other in pairwise(by_series.detectors[:SHOWN]):
        key = frozenset((one, other))
        series, sets = found["series"][key], found["sets"][key]
        rows.append([
            f"{one}, {other}", f"{abs(series['difference']):.3f}", f"{series['smallest']:.3f}",
            f"{series['needed']:,}", f"{sets['smallest']:.3f}", f"{sets['needed']:,}",
        ])  # fmt: skip
    head = ["one after the other", "apart", "told, by series", "series needed",
            "told, by data sets", "data sets needed"]  # fmt: skip
    return as_markdown(head, rows)


def standing(ranking):
    """The pairs whose difference stands after Holm over all pairs."""
    return [row for row in ranking.comparisons if row["p_adjusted"] <= CLEAR]


def sets_table(ranking, first):
    """Of each data set how many series it has, who is first there, and the first one's mean."""
    groups = {}
    for row in ranking.groups:
        groups.setdefault(row["group"], []).append(row)
    rows = []
    for group, own in sorted(groups.items(), key=lambda item: -item[1][0]["series"]):
        best = max(own, key=lambda row: row["mean"])
        (mine,) = [row for row in own if row["detector"] == first]
        place = sum(row["mean"] > mine["mean"] for row in own) + 1
        rows.append([group, own[0]["series"], best["detector"], f"{best['mean']:.3f}",
                     f"{mine['mean']:.3f}", place])  # fmt: skip
    head = ["data set", "series", "first there", "its mean", f"mean of {first}", "its place"]
    return as_markdown(head, rows)


def page(ranking, alone):
    """The page: what stands of the leaderboard."""
    by_series, by_sets = ranking.power(METRIC), ranking.power(METRIC, by="group")
    yield "# TSB-AD, judged anew"
    yield (
        f"TSB-AD-U (Liu and Paparrizos, 2024) orders {len(ranking.detectors)} detectors by their "
        f"mean {METRIC} over {len(ranking.series)} series of {by_sets.units} data sets. Its values "
        "are published series by series, so one can ask which of the differences would be there on "
        "other series, and on other data sets. `examples/tsb_ad.py` writes this page; the values "
        "are not in this repository."
    )
    yield "```console\n$ python examples/tsb_ad.py tsb_ad_u_vus_pr.csv --out docs/tsb_ad.md\n```"
    yield in_short(ranking, alone, by_series, by_sets)
    yield "## The first places"
    yield board(by_series, by_sets)
    yield (
        "*First on other series* is how likely a detector has the best mean on another benchmark "
        "with as many series, or as many data sets, by a model in which means are shrunk towards "
        "their median; equal chances "
        f"are {1 / len(by_series.detectors):.0%}. *Its places* hold the true place, for all "
        "detectors at once with 95 % confidence. Kendall's tau between the order here and there is "
        f"expected to be {by_series.tau:.2f} for series and {by_sets.tau:.2f} for data sets. By "
        "the mean rank, by which `adjudge rank` orders unless told otherwise, "
        f"{ranking.leaderboard[0]['detector']} is first."
    )
    yield "## Which differences stand"
    yield differences(ranking, alone, by_series, by_sets)
    yield steps(by_series, by_sets)
    yield (
        "*Told* is the smallest difference of these two that the leaderboard's test tells apart "
        "four times in five; *needed* is by the textbook's formula. See [power](power.md)."
    )
    yield "## What the data sets say"
    yield sets_table(ranking, by_sets.detectors[0])
    yield from closing(ranking, by_series, by_sets)


def in_short(ranking, alone, by_series, by_sets):
    """The page in a paragraph."""
    first, second = by_sets.detectors[:2]
    others = [name for name, who in by_sets.without.items() if who != [first]]
    without = f"; without one of {', '.join(others)} another one is first" if others else ""
    return (
        f"**In short.** {first} is first and {second} second, {by_sets.difference:.3f} apart. "
        f"Other series of the same data sets would tell a difference of {by_series.smallest:.3f} "
        f"four times in five, other data sets one of {by_sets.smallest:.3f} (by the textbook's "
        f"formula {by_series.smallest_plain:.3f} and {by_sets.smallest_plain:.3f}: it takes data "
        "sets for equal and standard errors for known). To tell the first two it would take "
        f"{by_series.needed:,} series. On as many other series it would be first in "
        f"{again(by_series)}; on as many other data sets in {again(by_sets)}{without}. Of "
        f"{len(ranking.comparisons)} pairs of detectors {len(standing(alone))} differ if series "
        f"are the evidence, and {len(standing(ranking))} if data sets are."
    )


def again(power):
    """How likely the first is first again, and how many others may be the best."""
    if math.isnan(power.first_place):
        return "a share that is not known"
    best = power.may_be_best
    who = "" if best is None else f" ({best} of {len(power.detectors)} may be the best)"
    return f"{100 * power.first_place:.0f} of 100 cases{who}"


def differences(ranking, alone, by_series, by_sets):
    """Which pairs differ, by both units of evidence."""
    pairs, stands, many = len(ranking.comparisons), standing(ranking), len(standing(alone))
    named = "; ".join(
        f"{row['one']} and {row['other']} ({row['difference']:+.3f}, p = {row['p_adjusted']:.3f})"
        for row in stands
    )
    return (
        "`adjudge rank --values` compares every two detectors over units of evidence (Student's t, "
        f"Holm over {pairs} pairs). With series as units {many} pairs differ ({many / pairs:.0%}): "
        "a statement about more series of these data sets. With data sets as units "
        f"{len(stands)} {'does' if len(stands) == 1 else 'do'}{f': {named}' if named else ''}. "
        f"Before the adjustment for the number of pairs, {by_series.told:.0%} of the pairs are at "
        f"least as far apart as would be told by series, {by_sets.told:.0%} by data sets."
    )


def closing(ranking, by_series, by_sets):
    """What the series say, and what all this does not say."""
    spread = np.median([row["spread"] for row in by_series.information])
    single = sum(len(own) == 1 for own in series_of_sets(ranking).values())
    yield (
        "Data sets prefer different detectors, which is why more series of the same ones help so "
        f"little. Of the {len(ranking.series)} series {by_series.flat} are flat: the standard "
        f"deviation over detectors is below .02 (the median is {spread:.2f}); on "
        f"{by_series.disagreeing} the order of the detectors goes against that of all other series."
    )
    yield (
        "What this does not say: that the detectors are equally good. It says that "
        f"{by_sets.units} data sets, {single} of which have one series, cannot tell most of them "
        "apart."
    )


def series_of_sets(ranking):
    """Data set -> its series."""
    found = {}
    for name in ranking.series:
        found.setdefault(ranking.group_of(name), []).append(name)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("values", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    table = load(given.values)
    text = "\n\n".join(
        part.strip() for part in page(aj.rank_values(table), aj.rank_values(table, unit="series"))
    )
    if given.out is None:
        print(text)
    else:
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
