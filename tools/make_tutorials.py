"""Write what the examples of the tutorials print below each of them, for those who read them in the repository.

Run ``python tools/make.py tutorials [PAGE ...]``, about two minutes for all. The site runs the examples too, shows what they print then, and
its build fails where a page holds something else.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "docs" / "_ext"))

from blocks import output, run_lines, says_the_same, transcript

TUTORIALS = sorted((Path(__file__).parents[1] / "docs" / "tutorials").glob("*.md"))
FENCE = r"^```\{%s\}(.*)\n((?:(?!```).*\n)*)```\n"
BLOCK = re.compile(
    FENCE % "(file|run|python)" + r"(?:\n" + (FENCE % "printed").lstrip("^") + r")?", re.MULTILINE
)


def printed_by(kind, name, body, folder):
    """Run a block in the page's folder, and give what it prints."""
    options = dict(re.findall(r"^:(\w+): *(\d*)$", body, re.MULTILINE))
    lines = re.sub(r"^:\w+:.*\n", "", body, flags=re.MULTILINE).splitlines()
    if kind == "file":
        (folder / name.strip()).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ""
    if kind == "python":
        return output(["-c", "\n".join(lines)], folder)
    most = int(options["lines"]) if "lines" in options else None
    return transcript(run_lines(lines, folder, int(options.get("exit", 0)), most), always=False)


def page(path):
    """Give a page with what each of its examples prints now; texts that say the same stay."""

    def with_output(match):
        kind, name, body, _, before = match.groups()
        now = printed_by(kind, name, body, Path(folder))
        block = f"```{{{kind}}}{name}\n{body}```\n"
        if not now:
            return block
        kept = before if before and says_the_same(before, now) else f"{now}\n"
        return f"{block}\n```{{printed}}\n{kept}```\n"

    with TemporaryDirectory() as folder:
        return BLOCK.sub(with_output, path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for PATH in map(Path, sys.argv[1:] or TUTORIALS):
        PATH.write_text(page(PATH), encoding="utf-8")
