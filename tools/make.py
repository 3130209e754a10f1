"""Make every generated file: the one command after a change of what the source declares.

python tools/make.py              all that follows from the source (about a minute)
python tools/make.py --check      write nothing: name each stale file, and end with 1 if there is one
python tools/make.py metrics      some of them
python tools/make.py tutorials docs/tutorials/alerts.md    what takes minutes, data or an eye
python tools/make.py --list       what there is
"""

import math
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

TEXTS = {
    "stub": ("make_stub", "what type checkers see"),
    "tables": ("make_tables", "rules, layouts, exports and options in the docs"),
    "columns": ("make_columns", "result columns in docs/api.md"),
    "metrics": ("make_metrics", "docs/metrics.md and a page for each group"),
    "crosswalk": ("make_crosswalk", "docs/crosswalk.md and the names elsewhere"),
    "integrations": ("make_integrations", "docs/integrations.md"),
    "revisions": ("golden.make_revisions", "what tests hold values and chance lines against"),
    "readme": ("make_readme", "what the README's commands print"),
    "counts": ("make_counts", "how many metrics there are, wherever it is said"),
}
"""Name: (module with a function `made`, which gives texts by their paths; what they are)."""
AT_BUILD = {
    "axioms": ("make_axioms", "axioms, counterexamples and the matrix in docs/axioms.md"),
    "conformance": ("make_conformance", "the tables of docs/conformance.md"),
    "speed": ("make_speed", "the tables of docs/speed.md, from bench/today.json"),
}
"""Name: (module with a function `body`, which the build of the site calls; what it gives)."""
PICTURES = {
    "report-picture": ("make_report_picture", "docs/report.png, in a real browser"),
}
"""Name: (module with `stale` and `draw`, in a browser; what it makes)."""
SCRIPTS = {
    "axiom-pictures": ("tools/make_axioms.py", "docs/axioms.png and axioms_all.png"),
    "browser": (
        "tools/make_browser.py",
        "docs/browser_parts.json [pin FOLDER]; fills a site with Python",
    ),
    "chance": ("tools/make_chance.py", "docs/chance.png"),
    "sealed": ("tools/make_sealed.py", "docs/sealed.png"),
    "story": ("tools/make_story.py", "docs/story.png and story_narrow.png"),
    "terminal": ("tests/golden/make_terminal.py", "what every verb prints; read it afterwards"),
    "tutorials": ("tools/make_tutorials.py", "what tutorials print [PAGE ...]; two minutes"),
    "claims": ("tools/make_claims.py", "audits of metrics [NAME ...]; long"),
    "study": ("tools/make_study.py", "docs/study.md and its pictures [JOBS FOLDER]; long"),
    "referee": ("tools/make_referee.py", "docs/referee.md from results of bench/referee.py"),
}
"""Name: (script; what it makes, from what)."""
ROUNDED = {"readme": 0.01, "stub": 1e-9}
"""By how much decimals may differ between machines."""
NUMBER = re.compile(r"\d+\.\d+")


def made(name):
    """Give the texts of an entry by their paths, as they should be."""
    return import_module(TEXTS[name][0]).made()


def same(shown, now, rounded):
    """Compare two texts: equal, or with the same words and decimals that are as near as allowed."""
    if shown == now or not rounded:
        return shown == now
    pairs = zip(*(map(float, NUMBER.findall(text)) for text in (shown, now)), strict=False)
    return NUMBER.sub("#", shown) == NUMBER.sub("#", now) and all(
        math.isclose(a, b, rel_tol=rounded) for a, b in pairs
    )


def stale(name):
    """List the files of an entry that are not as they should be."""
    if name in PICTURES:
        module = import_module(PICTURES[name][0])
        return [str(module.PICTURE.relative_to(ROOT))] * module.stale()
    return [
        str(path.relative_to(ROOT))
        for path, text in made(name).items()
        if not same(path.read_text("utf-8"), text, ROUNDED.get(name))
    ]


def make(name):
    """Write the files of an entry; a picture, which is another one each time, only when stale."""
    if name in PICTURES:
        if stale(name):
            import_module(PICTURES[name][0]).draw()
        return
    for path, text in made(name).items():
        path.write_text(text, "utf-8")


def main(words):
    """Do what the words say, and give the exit code."""
    if words == ["--list"]:
        entries = TEXTS | PICTURES | SCRIPTS | AT_BUILD
        print("\n".join(f"{name:16}{what}" for name, (_, what) in entries.items()))
        return 0
    if words == ["--check"]:
        found = [(path, name) for name in (*TEXTS, *PICTURES) for path in stale(name)]
        print("\n".join(f"{path} is stale: python tools/make.py {name}" for path, name in found))
        return int(bool(found))
    if words and words[0] in SCRIPTS:
        command = [sys.executable, ROOT / SCRIPTS[words[0]][0], *words[1:]]
        return subprocess.run(command, check=False).returncode  # noqa: S603 - our own
    unknown = set(words) - {*TEXTS, *PICTURES}
    if unknown:
        print(f"unknown: {', '.join(sorted(unknown))}; python tools/make.py --list names all")
        return 2
    for name in words or (*TEXTS, *PICTURES):
        print(name, flush=True)
        make(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
