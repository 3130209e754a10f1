"""Snippets in search results also where the site is opened from the file system.

Sphinx fetches every page that it found to cut a snippet from it, which browsers refuse for files. The search page therefore
gets the texts of all pages, and takes them in the place of the fetched pages when it is a file itself.
"""

import json
from html.parser import HTMLParser
from pathlib import Path

NAME = "page_texts.js"
SCRIPT = """(() => {
  if (location.protocol !== "file:") return;
  const texts = %s;
  const fetched = window.fetch;
  window.fetch = (address) => {
    const path = decodeURI(new URL(address, location.href).pathname);
    const page = Object.keys(texts).filter((name) => path.endsWith(`/${name}.html`)).sort((a, b) => b.length - a.length)[0];
    if (page === undefined) return fetched(address);
    const main = document.createElement("div");
    main.setAttribute("role", "main");
    main.textContent = texts[page];
    return Promise.resolve(new Response(main.outerHTML));
  };
})();
"""


class MainText(HTMLParser):
    """The text of the main part of a page, without formulas' sources and scripts."""

    def __init__(self, html):
        """Read the page at once."""
        super().__init__()
        self.depth, self.skipped, self.parts = 0, 0, []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        """Note where the main part begins, and what is no text."""
        values = dict(attrs)
        if tag == "article" or self.depth:
            self.depth += tag in {"article", "div"} or 0
        self.skipped += tag in {"script", "style", "annotation", "svg"} or "headerlink" in (
            values.get("class") or ""
        )

    def handle_endtag(self, tag):
        """Note where they end."""
        if self.depth and tag in {"article", "div"}:
            self.depth -= 1
        if self.skipped and tag in {"script", "style", "annotation", "svg", "a"}:
            self.skipped -= 1

    def handle_data(self, data):
        """Keep the text of the main part."""
        if self.depth and not self.skipped:
            self.parts.append(data)

    @property
    def text(self):
        """The text, with single blanks."""
        return " ".join(" ".join(self.parts).split())


def write_texts(app, problem):
    """Write the texts of all pages into one script."""
    if problem is None and app.builder.format == "html":
        root = Path(app.outdir)
        pages = (root / f"{name}.html" for name in sorted(app.env.found_docs))
        texts = {
            page.relative_to(root).with_suffix("").as_posix(): MainText(
                page.read_text("utf-8")
            ).text
            for page in pages
        }
        (root / "_static" / NAME).write_text(SCRIPT % json.dumps(texts), "utf-8")


def load_on_search(app, page, template, context, doctree):  # noqa: ARG001 - Sphinx's
    """Load the texts on the search page, and nowhere else."""
    if page == "search":
        app.add_js_file(NAME)


def setup(app):
    """Make the script, and load it."""
    app.connect("html-page-context", load_on_search)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
