"""Examples that run when the site is built, so that no page shows what does not happen.

`>>>` examples are checked against the output that is printed below them. Three directives run the
rest, in a folder of the page's own (`docs/_made/<page>`), and show what came out:

`file NAME` writes its content to a file; `run` runs command lines of adjudge (`:exit:` is the exit
code they must give, `:lines:` how many lines of output to show); `python` runs a program.
"""

import doctest
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOG = logging.getLogger(__name__)
ENVIRONMENT = {**os.environ, "COLUMNS": "88", "NO_COLOR": "1", "MPLBACKEND": "svg"}


def folder_of(app, docname):
    """Give the folder in which the examples of a page run."""
    folder = Path(app.srcdir) / "_made" / docname
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def check_examples(app, docname, content):
    """Run the `>>>` examples of a page, and warn where the output is another."""
    shutil.rmtree(folder_of(app, docname))
    examples = doctest.DocTestParser().get_doctest(content[0], {}, docname, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False)
    report = []
    with chdir(folder_of(app, docname)):
        runner.run(examples, out=report.append)
    if report:
        LOG.warning("an example fails:\n%s", "".join(report), location=docname)


class Executed(SphinxDirective):
    """What the directives share: a folder, and a process in it."""

    has_content = True
    option_spec = {  # noqa: RUF012 - docutils' name and form
        "exit": directives.nonnegative_int,
        "lines": directives.positive_int,
        "hidden": directives.flag,
    }

    def shown(self, text, language):
        """Show a text as it is."""
        if "hidden" in self.options:
            return []
        block = nodes.literal_block(text, text, language=language)
        block["classes"].append("executed")
        return [block]

    def output(self, command):
        """Run a command in the page's folder, and give what it printed."""
        folder = folder_of(self.env.app, self.env.docname)
        result = subprocess.run(  # noqa: S603 - the pages are ours
            [sys.executable, *command],
            cwd=folder, env=ENVIRONMENT, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if result.returncode != self.options.get("exit", 0):
            LOG.warning("%s\n%s", command, result.stdout, location=self.get_location())
        return result.stdout.rstrip()


class File(Executed):
    """Write a file, and show it."""

    required_arguments = 1

    def run(self):
        """Write and show."""
        text = "\n".join(self.content)
        (folder_of(self.env.app, self.env.docname) / self.arguments[0]).write_text(text + "\n")
        return self.shown(text, "text")


class Run(Executed):
    """Run command lines of adjudge, and show them with what they print."""

    def run(self):
        """Run one line after the other."""
        lines = []
        for line in filter(None, self.content):
            printed = self.output(["-m", *shlex.split(line)]).splitlines()
            most = self.options.get("lines", len(printed))
            lines += [f"$ {line}", *printed[:most], *(["..."] if most < len(printed) else []), ""]
        return self.shown("\n".join(lines).rstrip(), "text")


class Python(Executed):
    """Run a program, and show it with what it prints."""

    def run(self):
        """Run it, in a process of its own."""
        program = "\n".join(self.content)
        printed = self.output(["-c", program])
        return self.shown(program, "python") + (self.shown(printed, "text") if printed else [])


def copy_pages(app, problem):
    """Put the HTML files that examples have written into the site, below `made`."""
    if problem is None and app.builder.format == "html":
        goal = Path(app.outdir) / "made"
        goal.mkdir(exist_ok=True)
        for page in sorted((Path(app.srcdir) / "_made" / "live").glob("*.html")):
            shutil.copy(page, goal)


def setup(app):
    """Offer the directives, and have every page's examples checked."""
    app.connect("source-read", check_examples)
    app.connect("build-finished", copy_pages)
    for name, directive in {"file": File, "run": Run, "python": Python}.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
