"""Examples that run when the site is built, so that no page shows what does not happen.

`>>>` examples are checked against the output that is printed below them. Four directives run the
rest, in a folder of the page's own (`docs/_made/<page>`), and show what came out:

`file NAME` writes its content to a file; `run` runs command lines of adjudge (`:exit:` is the exit
code they must give, `:lines:` how many lines of output to show); `python` runs a program; `printed`
holds what the block before it printed, for those who read the page in the repository. The site shows
what is printed now, and warns where the two differ (``tools/make.py tutorials`` updates them).
"""

import doctest
import re
import shutil
from contextlib import chdir
from pathlib import Path

from blocks import WrongExitError, output, run_lines, says_the_same, transcript
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

AS_IN_A_SHELL = re.compile(r'^>>> adjudge\(("""|")(.*)\1\)$', re.MULTILINE)
LOG = logging.getLogger(__name__)


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
    """What the directives share: a folder, and what was printed last."""

    has_content = True
    option_spec = {  # noqa: RUF012 - docutils' name and form
        "exit": directives.nonnegative_int,
        "lines": directives.positive_int,
        "hidden": directives.flag,
    }

    @property
    def folder(self):
        """The folder of the page."""
        return folder_of(self.env.app, self.env.docname)

    def shown(self, text, language):
        """Show a text as it is."""
        if "hidden" in self.options:
            return []
        block = nodes.literal_block(text, text, language=language)
        block["classes"].append("executed")
        return [block]

    def run(self):
        """Do what the directive is for; warn where it ends otherwise than the page says."""
        try:
            return self.run_block()
        except WrongExitError as problem:
            LOG.warning("%s", problem, location=self.get_location())
            return []


class File(Executed):
    """Write a file, and show it."""

    required_arguments = 1

    def run_block(self):
        """Write and show."""
        text = "\n".join(self.content)
        (self.folder / self.arguments[0]).write_text(text + "\n")
        return self.shown(text, "text")


class Run(Executed):
    """Run command lines of adjudge, and show them with what they print."""

    def run_block(self):
        """Run one line after the other."""
        code, most = self.options.get("exit", 0), self.options.get("lines")
        pairs = list(run_lines(self.content, self.folder, code, most))
        self.env.temp_data["printed"] = transcript(pairs, always=False)
        return self.shown(transcript(pairs), "text")


class Python(Executed):
    """Run a program, and show it with what it prints."""

    def run_block(self):
        """Run it, in a process of its own."""
        program = "\n".join(self.content)
        printed = output(["-c", program], self.folder)
        self.env.temp_data["printed"] = printed
        return self.shown(program, "python") + (self.shown(printed, "text") if printed else [])


class Printed(Executed):
    """Compare what the page holds with what the block before it has printed."""

    def run_block(self):
        """Show nothing: the block before has shown it."""
        now = self.env.temp_data.get("printed", "")
        if not says_the_same("\n".join(self.content), now):
            text = "the block above prints something else, run tools/make.py tutorials:\n%s"
            LOG.warning(text, now, location=self.get_location())
        return []


def tidy_blocks(_, doctree):
    """Leave out empty lines at the end of a block, and show what pages run as `adjudge("...")` as in a shell."""
    for block in list(doctree.findall(nodes.literal_block)):
        text = AS_IN_A_SHELL.sub(r"$ adjudge \2", block.astext().rstrip("\n"))
        if text != block.astext():
            block.rawsource = text
            block[:] = [nodes.Text(text)]


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
    app.connect("doctree-read", tidy_blocks)
    app.connect("build-finished", copy_pages)
    for directive in (File, Run, Python, Printed):
        app.add_directive(directive.__name__.lower(), directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
