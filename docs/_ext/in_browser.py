"""The page *In the browser*: an archive of the library beside it, and the hashes of all that it loads.

`parts` in a page stands for its controls. What is loaded from `parts/` is written down in the page
with its hash: the archive by this build, the rest by `docs/browser_parts.json`.
"""

import json
import sys
from pathlib import Path
from shutil import copy

from docutils import nodes
from docutils.parsers.rst import Directive

HERE = Path(__file__).parent
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-src blob:; form-action 'none'"
)
"""What the browser lets the page do: everything it loads is from the site's own host, and nothing can be sent elsewhere."""


def make(app):
    """Pack the library once per build."""
    sys.path.insert(0, str(Path(app.srcdir).parent / "tools"))
    from make_browser import ARCHIVE, archive, hash_of, pinned  # noqa: PLC0415 - no part of a package

    if app.builder.format == "html":
        content = archive()
        goal = Path(app.outdir) / "parts"
        goal.mkdir(parents=True, exist_ok=True)
        (goal / ARCHIVE).write_bytes(content)
        copy(Path(app.srcdir).parent / "examples" / "pump.csv", goal)
        app.config.browser_parts = pinned() | {ARCHIVE: hash_of(content)}


class Judge(Directive):
    """The controls of the page, and the hashes of what it loads."""

    def run(self):
        """Give them as HTML."""
        parts = self.state.document.settings.env.config.browser_parts
        controls = (HERE / "in_browser.html").read_text("utf-8")
        data = f'<script type="application/json" id="judge-parts">{json.dumps(parts)}</script>'
        return [nodes.raw("", controls + data, format="html")]


def restrict(app, pagename, _template, context, _doctree):
    """Have the browser itself forbid the page to send anything anywhere."""
    if pagename == "browser":
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        context["metatags"] = policy + context.get("metatags", "")
        app.add_js_file("in_browser.js", defer="defer")


def setup(app):
    """Offer the directive, and pack the library before pages are read."""
    app.add_config_value("browser_parts", {}, "env")
    app.add_directive("judge-in-browser", Judge)
    app.connect("builder-inited", make)
    app.connect("html-page-context", restrict)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
