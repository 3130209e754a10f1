"""Rewrite study_curves.json from the binned curves of the paper's released table of experiments.

usage: python tests/golden/make_study_curves.py FILE

FILE holds, for each figure and facet, rows of x, count, and the means of four scores. Here the
facets of a figure are pooled (the means weighted by the counts), and separation is gathered into
bins of 0.05. Read the first lines of make_golden.py before you run this.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent


def pooled(figure, place):
    sums = defaultdict(lambda: [0, 0.0, 0.0, 0.0, 0.0])
    for facet in figure["facets"].values():
        for x, count, *means in facet:
            total = sums[place(x)]
            total[0] += count
            for column, mean in enumerate(means[:4], 1):
                total[column] += count * mean
    return [
        [x, count, *(round(total / count, 6) for total in totals)]
        for x, (count, *totals) in sorted(sums.items())
    ]


def main(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    golden = {
        "source": "arXiv 2409.13053, table of 15,000 experiments released by its authors "
        "(summukhe/balanced_f1score at 6bcd3dc, Apache-2.0), binned",
        "columns": ["x", "count", "f1", "f1_pa", "f1_kpa", "f1_ba_authors"],
        "precision": pooled(data["score_vs_precision"], lambda x: round(x, 1)),
        "recall": pooled(data["score_vs_recall"], lambda x: round(x, 1)),
        "separation": pooled(data["score_vs_separation"], lambda x: round(x * 100) // 5 * 5 / 100),
    }
    rows = [
        f" {json.dumps(name)}: "
        + (
            "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
            if name in ("precision", "recall", "separation")
            else json.dumps(value)
        )
        for name, value in golden.items()
    ]
    text = "{\n" + ",\n".join(rows) + "\n}\n"
    (HERE / "study_curves.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/golden/make_study_curves.py FILE")
    main(Path(sys.argv[1]))
