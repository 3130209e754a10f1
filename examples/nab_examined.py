"""Examine the Numenta Anomaly Benchmark itself: what `adjudge inspect` says, with pictures.

    python examples/nab_examined.py NAB --out docs/nab_examined.md [--shifts 999] [--jobs 2]

NAB is a clone of https://github.com/numenta/NAB (MIT licence). The page is written to --out, and
the pictures of the suspects into a folder of the same name beside it. The two detectors of NAB that
know nothing on purpose, ``null`` and ``random``, are left out.

What stands above a picture was written after looking at it; `SEEN` holds these words.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np

import adjudge as aj
from adjudge.lab.inspection.one_liners import best_line
from adjudge.lab.inspection.page import drawing
from adjudge.tables.formats import as_markdown, markdown_of
from adjudge.tables.table import Layout

BLIND = {"null", "random"}
COLUMNS = 240
SEEN = {
    ("missing", "realAWSCloudwatch/ec2_cpu_utilization_53ea38", 2069): (
        "One spike at 03:10, the third highest value of the series (2.638, the highest is 2.656). "
        "In both labelled windows around it there is such a spike, at the right edge; two more, as "
        "high, lie to the right without a label. Spikes of one kind, some with a label and some "
        "without."
    ),
    ("missing", "realKnownCause/machine_temperature_system_failure", 17762): (
        "The temperature falls from about 100 to 44 within a day and comes back at once. It is as "
        "deep as the first labelled window of the picture, and clearer. A label is most likely "
        "missing."
    ),
    ("missing", "realKnownCause/nyc_taxi", 3155): (
        "The night of Saturday, 6 September: 30,373 trips in half an hour at 23:00, the third "
        "highest value of the series. The rhythm is as always, only higher. A busy night; whether "
        "that is an anomaly is for the keepers of the benchmark to say."
    ),
    ("missing", "realTweets/Twitter_volume_AMZN", 7826): (
        "One spike of 324 at 18:07, the thirteenth highest value of the series. Three spikes to "
        "the left are as high or higher and have no label, the labelled window to the right has "
        "two lower ones. Labels of spikes do not follow one rule here."
    ),
    ("missing", "realTweets/Twitter_volume_PFE", 5214): (
        "One spike of 18 at 16:42, a little higher than the labelled one to the left. Two more to "
        "the right are nearly as high. If the one is an anomaly, the other is."
    ),
    ("missing", "realTweets/Twitter_volume_PFE", 13908): (
        "One spike of 19 at 21:32, the third highest value of the series, higher than the one for "
        "which there is a label in March."
    ),
    ("unseen", "artificialWithAnomaly/art_daily_nojump", 2787): (
        "The plateau of one day is missing. Plain to the eye; detectors that wait for something to "
        "rise do not see what does not come."
    ),
    ("unseen", "realAWSCloudwatch/ec2_cpu_utilization_fe7f93", 2535): (
        "Nothing is to be seen: an even line in the middle of a quiet day between two bursts."
    ),
    ("unseen", "realAWSCloudwatch/ec2_disk_write_bytes_c0d644", 2964): (
        "A flat line at zero, as for days to both sides."
    ),
    ("unseen", "realAdExchange/exchange-4_cpm_results", 729): (
        "Hardly anything: a little more unrest in the right half, which goes on after the window. "
        "The two high spikes far to the left have no label."
    ),
    ("unseen", "realKnownCause/rogue_agent_key_hold", 669): (
        "Zero, then the same busy level as in other hours begins. The highest spike of the "
        "picture, to the left, has no label."
    ),
    ("unseen", "realKnownCause/rogue_agent_key_updown", 2243): (
        "Low spikes towards the right edge; far higher ones to the left have no label."
    ),
    ("unseen", "realKnownCause/rogue_agent_key_updown", 2877): (
        "Two spikes in the right half, lower than unlabelled ones to both sides."
    ),
    ("unseen", "realTweets/Twitter_volume_GOOG", 6728): (
        "No spike: the line becomes restless within the window and stays so afterwards. Where a "
        "change begins, if anything."
    ),
}


def detectors(data):
    """The detectors that mean to find something."""
    return sorted(one.name for one in (data / "results").iterdir() if one.name not in BLIND)


def page(found, shifts, folder):
    """The page as Markdown; pictures are written beside it."""
    parts = [HEAD, markdown_of(Layout(found.layout().tables[:1]))]
    parts += [f"{found.verdict}\n", f"{found.left_out}\n", ONE_LINERS.format(shifts=shifts)]
    parts.append(
        as_markdown(["line", "best of the family on", "of these, reaches 0.8 on"], lines(found))
    )
    parts += [BESIDE, as_markdown(["", "what", "mean best(f1_ba)"], beside(found))]
    for kind, title in (("missing", MISSING), ("unseen", UNSEEN)):
        parts.append(title)
        parts += [_suspect(one, found, folder) for one in found.suspects if one.kind == kind]
    parts += [SERIES, as_markdown(COLUMN_TITLES, [_series(one) for one in found.series])]
    return "\n".join(parts)


def lines(found):
    """On how many series each line is the best of the family, and on how many it reaches 0.8."""
    best = {}
    for one in found.series:
        if "one_liner" in one:
            best.setdefault(one["one_liner"], []).append(one["one_liner_value"])
    rows = sorted(best.items(), key=lambda item: -len(item[1]))
    return [(name, len(own), sum(value >= 0.8 for value in own)) for name, own in rows]


def beside(found):
    """The mean over series of lines and detectors, each at its best threshold in hindsight."""
    values = {}
    for one in found.data:
        line = best_line(one, 1, 0)
        if line is not None:
            judged = np.arange(one.n) >= one.first
            scores = {("detector", name): own for name, own in one.scores.items()}
            own = {key: aj.best(aj.f1_ba)(one.labels, s, where=judged) for key, s in scores.items()}
            own |= {("one line", name): value for name, value in line.values.items()}
            for key, value in own.items():
                values.setdefault(key, []).append(value)
    most = max(map(len, values.values()))
    means = {key: sum(own) / most for key, own in values.items() if len(own) == most}
    ordered = sorted(means.items(), key=lambda item: -item[1])
    return [(name, kind, f"{mean:.3f}") for (kind, name), mean in ordered]


def _suspect(one, found, folder):
    """A picture, and what it shows."""
    series = next(own for own in found.data if own.name == one.series)
    name = re.sub(r"[^a-z0-9]+", "_", f"{one.kind}_{one.series}_{one.start}".lower()) + ".svg"
    (folder / name).write_text(drawing(one, series, COLUMNS) + "\n", encoding="utf-8")
    words = SEEN.get((one.kind, one.series, one.start), "Nobody has looked at this one yet.")
    title = f"**{one.series}**, {one.time}, points {one.start:,} to {one.stop - 1:,}"
    alt = f"The signal of {one.series} around {one.time}"
    return f"{title} ({one.evidence}). {words}\n\n![{alt}]({folder.name}/{name})\n"


COLUMN_TITLES = (
    "series", "events", "labelled", "one line", "value", "chance", "p", "holes", "patterns repeat",
    "suspected missing", "unseen",
)  # fmt: skip


def _series(one):
    line = [f"{one[name]:.3f}" if name in one else "" for name in
            ("one_liner_value", "one_liner_chance", "one_liner_p")]  # fmt: skip
    repeats = "yes" if one["patterns_repeat"] else "no"
    return (
        one["series"], one["events"], f"{one['share']:.3f}", one.get("one_liner", ""), *line,
        one["holes"], repeats, one["suspected_missing"] or "", one["unseen"] or "",
    )  # fmt: skip


HEAD = """# The Numenta Anomaly Benchmark, examined

Before detectors are ranked on a benchmark, the benchmark itself can be judged. This is what
`adjudge inspect` ([what it checks](inspect.md)) says of NAB's 58 series and of the scores of 14
detectors on them; the detectors themselves are [judged elsewhere](nab.md). The page is written by
`examples/nab_examined.py`, from a clone of <https://github.com/numenta/NAB>:

```console
$ python examples/nab_examined.py NAB --out docs/nab_examined.md
```

The pictures are drawn from NAB's values (MIT licence); the data is not in this repository. Points
of NAB's probation (15 % of a series, at most 750) are not judged.
"""
ONE_LINERS = """## One line of arithmetic

Each line of a [fixed family](inspect.md) is tried on each series, with its best threshold in
hindsight, and the best of the family is taken; the same is done at {shifts} shifts of the lines,
all by the same offset. One-line detectors see the whole series and both sides of a point, which
NAB's own detectors, made for streams, do not: this is about the benchmark, not about them. No
single series proves anything (an event takes a tenth of most of them, and the best of twelve lines
often hits it by luck); the number of series does.
"""
BESIDE = """The same lines beside NAB's detectors, each at its best threshold in hindsight: the mean
over the 52 series with events. A line that needs a period is left out.
"""
MISSING = """## Where a label may be missing

Stretches without a label on which the detectors agree as much as on the median event of their
series. This is a list to look at: clean benchmarks have such stretches too. Black is the signal,
blue are labelled windows, the orange frame is the stretch, grey is the probation.
"""
UNSEEN = """## Events that no detector sees

Labelled windows in which none of 14 detectors peaks as high as on a tenth of the unlabelled
stretches of the same length. Either nothing is there, or it is too hard for all of them.
"""
SERIES = """## Series by series

*One line* is the best of the family, *chance* what the best of the family reaches at other times,
on average.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shifts", type=int, default=999)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="Also write everything as JSON.")
    asked = parser.parse_args()
    found = aj.inspect(
        asked.data, scores=detectors(asked.data), shifts=asked.shifts, jobs=asked.jobs
    )
    folder = asked.out.with_suffix("")
    folder.mkdir(exist_ok=True)
    asked.out.write_text(page(found, asked.shifts, folder), encoding="utf-8")
    if asked.json is not None:
        asked.json.write_text(json.dumps(json.loads(found.to_json()), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
