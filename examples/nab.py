"""Judge the detectors of the Numenta Anomaly Benchmark anew, by their own published alarms.

    python examples/nab.py DATA --out ranked [--jobs 2]

DATA is either a clone of https://github.com/numenta/NAB (MIT licence), or a folder with the same as
one table: ``nab_scores.parquet`` (columns series, label and one per detector) beside NAB's
``nab_thresholds.json`` and ``nab_final_results.json``. The scores of all series are 365,558 rows.

What it does: NAB's own corpus scores are reproduced from the published scores and thresholds; then
the same alarms are ranked by other metrics and compared with their own shifts in time. The first
part of every series, on which NAB lets detectors learn (15 %, at most 750 rows), is judged by none.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import adjudge as aj
from adjudge.io.layouts import series_of
from adjudge.tables.formats import as_markdown

PROFILES = {
    "standard": "standard",
    "low_fp": "reward_low_FP_rate",
    "low_fn": "reward_low_FN_rate",
}
METRICS = (
    "f1", "f1_pa", "f1_kpa", "f1_ba", "event_f1", "composite_f1", "range_f1", "affiliation_f1",
    "vus_pr", "mcc",
)  # fmt: skip


def load(data):
    """Give series -> (labels, {detector: scores}), thresholds and published scores."""
    clone = (data / "labels" / "combined_windows.json").exists()
    names = [
        data / "config" / "thresholds.json" if clone else data / "nab_thresholds.json",
        data / "results" / "final_results.json" if clone else data / "nab_final_results.json",
    ]
    thresholds, published = (json.loads(path.read_text("utf-8")) for path in names)
    if clone:
        tables = {f"{one.group}/{one.name}": one.load() for one in series_of(data, judged="all")}
        return {k: (t.labels, t.scores) for k, t in tables.items()}, thresholds, published
    names = ["series", "label", *sorted(thresholds)]  # times of one series go back by an hour once
    table = pq.read_table(data / "nab_scores.parquet", columns=names)
    columns = {name: np.asarray(table[name]) for name in names}
    found = {}
    for name in dict.fromkeys(columns["series"].tolist()):
        rows = columns["series"] == name
        scores = {detector: columns[detector][rows] for detector in names[2:]}
        found[name.removesuffix(".csv")] = (columns["label"][rows], scores)
    return found, thresholds, published


def alarms(series, thresholds, profile):
    """Flag as NAB does: at the threshold, and above it."""
    return {
        name: (
            labels,
            {
                detector: _at_least(column, thresholds[detector][profile]["threshold"])
                for detector, column in scores.items()
            },
        )
        for name, (labels, scores) in series.items()
    }


def _at_least(column, threshold):
    """Compare as NAB does, in double precision, whatever the scores are stored as."""
    return (np.asarray(column, np.float64) >= threshold).astype(np.int8)


def corpus_scores(series, thresholds, published):
    """Reproduce NAB's final scores: one value over all series, for each profile."""
    ids = np.repeat(list(series), [len(labels) for labels, _ in series.values()])
    labels = np.concatenate([labels for labels, _ in series.values()])
    rows = []
    for detector in sorted(thresholds):
        row = [detector]
        for ours, theirs in PROFILES.items():
            flagged = alarms(series, thresholds, theirs)
            column = np.concatenate([scores[detector] for _, scores in flagged.values()])
            metric = aj.nab(profile=ours, probation=0.15)
            row.append(metric(labels, column, series=ids))
            row.append(published.get(detector, {}).get(theirs, float("nan")))
        rows.append(row)
    return rows


def judged(series):
    """Leave the probation out, and series without an event behind it."""
    found = {}
    for name, (labels, scores) in series.items():
        where = np.arange(len(labels)) >= min(int(0.15 * len(labels)), 750)
        if labels[where].any():
            found[name] = (labels, scores, where)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=Path("nab-ranked"))
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    series, thresholds, published = load(given.data)
    print("## NAB's own scores\n")
    print_corpus(corpus_scores(series, thresholds, published))
    data = judged(alarms(series, thresholds, "standard"))
    options = {"jobs": given.jobs, "out": given.out}
    tested = aj.rank(data, "f1_ba", progress=told, **options)
    ranking = aj.rank(data, METRICS, chance=False, progress=told, **options)
    print_ranking(ranking, tested)
    print_disagreement(ranking)
    ranking.plot("f1_ba").figure.savefig(given.out / "nab.png", dpi=160, bbox_inches="tight")


def print_corpus(rows):
    head = ["detector", *(f"{word} {p}" for p in PROFILES for word in ("ours", "published"))]
    cells = [[row[0], *(_cell(value, 4) for value in row[1:])] for row in rows]
    print(as_markdown(head, cells))
    both = [(row[i], row[i + 1]) for row in rows for i in (1, 3, 5)]
    known = [(ours, theirs) for ours, theirs in both if theirs == theirs]  # noqa: PLR0124
    equal = sum(round(ours, 4) == round(theirs, 4) for ours, theirs in known)
    print(f"{equal} of {len(known)} published scores are equal to four decimals.\n")


def print_ranking(ranking, tested):
    chance = {row["detector"]: row for row in tested.leaderboard}
    rows = {(row["metric"], row["detector"]): row for row in ranking.leaderboard}
    order = [row["detector"] for row in tested.leaderboard]
    print(f"## The same alarms by other metrics: means over {len(ranking.series)} series\n")
    beside = ("mean rank by f1_ba", "95 % interval", "p against chance", "on", "alone")
    head = ["detector", *METRICS, *beside]
    print(as_markdown(head, [
        [name, *(_cell(rows[m, name]["mean"], 3) for m in METRICS),
         f"{chance[name]['mean_rank']:.2f}",
         _interval(chance[name]),
         f"{chance[name]['p_adjusted']:.4f}",
         f"{chance[name]['better_on_low']}+ of {chance[name]['tested']}",
         chance[name]["better_on"]]
        for name in order
    ]))  # fmt: skip
    print("Pooled over all series:\n")
    print(as_markdown(["detector", *METRICS], [
        [name, *(_cell(rows[m, name]["pooled"], 3) for m in METRICS)] for name in order
    ]))  # fmt: skip
    for row in ranking.critical_difference:
        if row["metric"] == "f1_ba":
            print(f"Friedman p = {row['p_value']:.2g}, critical difference of mean ranks "
                  f"{row['critical_difference']:.2f} on {row['series']} series.\n")  # fmt: skip
    pairs = [row for row in tested.comparisons if row["p_adjusted"] <= 0.05]
    ranks = [row for row in tested.comparisons if row["p_wilcoxon_adjusted"] <= 0.05]
    lines = tested.leaderboard
    print(f"{len(pairs)} of {len(tested.comparisons)} pairs differ in their mean f1_ba over "
          f"{lines[0]['units']} data sets (Holm), {len(ranks)} in their ranks over the series "
          f"(Wilcoxon, Holm).\n")  # fmt: skip
    says = [*tested.board().notes, *tested.power(by="group").says]
    first = [one for one in says if one.startswith("first again") or " has the best mean;" in one]
    print("By mean rank and by mean: " + ". ".join(first) + ".\n")


def print_disagreement(ranking):
    print("## Where the metrics disagree\n\nKendall's tau between the orders of the detectors:\n")
    tau = {(row["one"], row["other"]): row["tau"] for row in ranking.agreement}
    tau |= {(other, one): value for (one, other), value in tau.items()}
    cells = [
        [one, *("" if one == other else f"{tau[one, other]:.2f}" for other in METRICS)]
        for one in METRICS
    ]
    print(as_markdown(["", *METRICS], cells))
    pairs = len(ranking.detectors) * (len(ranking.detectors) - 1) // 2
    print(
        f"The order of {len(ranking.flips)} of {pairs} pairs depends on the metric, among them:\n"
    )
    even = sorted(ranking.flips, key=lambda p: -min(len(p["for_one"]), len(p["for_other"])))
    print(as_markdown(["one", "is ahead by", "other", "is ahead by"], [
        [p["one"], ", ".join(p["for_one"]), p["other"], ", ".join(p["for_other"])]
        for p in even[:12]
    ]))  # fmt: skip


def told(done, total, failures):
    if done == total or done % 10 == 0:
        import sys  # noqa: PLC0415

        print(f"{done} of {total} series, {failures} rows failed", file=sys.stderr)


def _interval(row):
    return "none" if math.isnan(row["low"]) else f"{row['low']:.3f} to {row['high']:.3f}"


def _cell(value, digits):
    return "" if value is None or value != value else f"{value:.{digits}f}"  # noqa: PLR0124


if __name__ == "__main__":
    main()
