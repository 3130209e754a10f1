"""Name detectors, series, files and columns as badly as one can: every output shows, none obeys.

    python tests/campaigns/names.py

Each of the names below is a detector in every output of a judgement and of a ranking: text, table
of a notebook, Markdown, LaTeX, JSON, CSV, data frame, both pages. What people look at holds no
character that is obeyed; what programs read gives the name back; pages hold no element, handler or
address that the name brought along; nothing is written outside the folder that was asked for.
"""

import csv
import io
import json
import re
import sys
import tempfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import adjudge as aj

LABELS = [0] * 6 + [1] * 4 + [0] * 10
SCORES = [0.1] * 7 + [0.9] * 3 + [0.2] * 10
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\u200b\u00ad]")
NAMES = (
    *("", " ", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "con", "nul.csv", "x" * 300, "~"),
    *("$HOME", "`id`", "$(id)", "a;b", "a|b", "a&b", "-rf", "--help", "=1+1", "+1", "-1", "@x"),
    *("\tx", "\rx", "a\nb", "\x1b[31mred", "\x1b]0;t\x07", "a\x08b", "\x7f", "\x9b31m", "a\u202eb"),
    *("a\u200bb", "\u2028", "\ud800", "\u00e9", "e\u0301", "a\u0000b", "'", '"', "''", '"""'),
    *("<b>x</b>", "<script>x()</script>", "</script><b>", "<img src=x onerror=x()>", "&lt;b&gt;"),
    *("javascript:x()", "]]>", "<!--", "-->", "{{7*7}}", "{% x %}", "${7*7}", "%s%n", "\\"),
    *("\\input{x}", "$x^2$", "x_y^z", "#&%", "[x](http://a)", "|a|b|", "`x`", "*x*", "nan"),
    *("None", "0", "1e999", "label", "score", "\U0001f600", "\u0660"),
)


class Tags(HTMLParser):
    """Counts what a page is made of."""

    def __init__(self):
        super().__init__()
        self.found = Counter()

    def handle_starttag(self, tag, attrs):
        self.found[tag] += 1
        for name, value in attrs:
            if name.startswith("on") or (value or "").lower().startswith("javascript:"):
                self.found[f"handler {name}"] += 1


def tags(html):
    parser = Tags()
    parser.feed(html)
    return parser.found


def outputs(name, folder):
    """Every output with this name in it."""
    judged = aj.evaluate(LABELS, {name: SCORES, "other": LABELS}, ["ap", "auc_roc"], chance=False)
    ranked = aj.rank({"one": (LABELS, {name: SCORES, "other": LABELS})}, ["ap"], chance=False,
                     out=folder / "ranking")  # fmt: skip
    return judged, {
        "text": str(judged),
        "markdown": judged.to_markdown(),
        "latex": judged.to_latex(),
        "notebook": judged._repr_html_(),
        "page": judged.to_html(folder / "page.html").read_text("utf-8"),
        "ranking text": str(ranked),
        "ranking markdown": ranked.to_markdown(),
        "ranking latex": ranked.to_latex(),
        "ranking page": Path(ranked.to_html(folder / "ranking.html")).read_text("utf-8"),
        "ranking csv": (folder / "ranking" / "results.csv").read_bytes().decode("utf-8"),
    }


def wrong_with(name, plain, folder):
    """What is wrong with the outputs of one name; nothing, if it was refused in one line."""
    try:
        judged, found = outputs(name, folder)
    except aj.AdjudgeError as error:
        return ["refused in several lines"] if "\n" in str(error) else []
    wrong = [kind for kind in found if kind != "ranking csv" and UNSEEN.search(found[kind])]
    for kind in ("notebook", "page", "ranking page"):
        more = tags(found[kind]) - plain[kind]
        wrong += [f"{kind}: {sorted(more)}"] if more else []
    said = {row["detector"] for row in json.loads(judged.to_json())["rows"]}
    wrong += ["JSON has another name"] if said != {name, "other"} else []
    frame = (
        set(judged.to_frame("polars")["detector"].to_list())
        if name != "\ud800"
        else {name, "other"}
    )
    wrong += ["the frame has another name"] if frame != {name, "other"} else []
    rows = list(csv.DictReader(io.StringIO(found["ranking csv"], newline="")))
    written = name.encode("utf-8", "backslashreplace").decode()
    read = {row["detector"].removeprefix("'") for row in rows}
    allowed = {written, "other", written.removeprefix("'")}
    wrong += ["CSV has another name"] if not read <= allowed else []
    outside = {path.name for path in folder.iterdir()} - {"ranking", "page.html", "ranking.html"}
    return wrong + ([f"wrote {outside}"] if outside else [])


def campaign(names=NAMES):
    """Try each name; give how many outputs were looked at, and what was wrong with which."""
    with tempfile.TemporaryDirectory() as place:
        _, plain_outputs = outputs("plain", Path(place))
    plain = {kind: tags(plain_outputs[kind]) for kind in ("notebook", "page", "ranking page")}
    wrong = {}
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "inside"
            folder.mkdir()
            found = wrong_with(name, plain, folder)
            if found or [path.name for path in Path(place).iterdir()] != ["inside"]:
                wrong[name] = found
    return len(names) * (len(plain_outputs) + 2), wrong


def main():
    looked_at, wrong = campaign()
    for name, found in wrong.items():
        print(ascii(name), found)
    print(f"{len(NAMES)} names, {looked_at} outputs: {len(wrong)} names with something wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
