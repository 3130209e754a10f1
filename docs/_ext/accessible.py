"""What the theme leaves out for readers who use a keyboard or a screen reader: put into the finished pages.

Headings in the list of pages have a level, the two side bars a name, what can be scrolled can be reached by the keyboard, an empty
head of a column is a cell, and the page of search results has a heading. `docs/check_pages.py` looks whether axe-core agrees.
"""

import re
from pathlib import Path

REPAIRS = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="all pages">'),
    ('<aside class="toc-drawer">', '<aside class="toc-drawer" aria-label="on this page">'),
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="formula">', '<div class="formula" tabindex="0">'),
    (r"<p>(<img [^>]*>\s*</p>)", r'<p tabindex="0">\1'),
    (r'<div class="(table-wrapper[^"]*)">', r'<div class="\1" tabindex="0">'),
    (r'<th class="(head[^"]*)"><p></p></th>', r'<td class="\1"></td>'),
    ('<div role="list" class="citation-list">', '<div class="citation-list">'),
    (' role="doc-biblioentry"', ""),
    ('<div id="search-results">', '<h1>Search</h1><div id="search-results">'),
)  # fmt: skip


def repair(app, problem):
    """Write every page anew, repaired."""
    if problem is not None or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if "made" not in path.parts and path.name != "playground.html":
            text = path.read_text(encoding="utf-8")
            for pattern, instead in REPAIRS:
                text = re.sub(pattern, instead, text)
            path.write_text(text, encoding="utf-8")


def setup(app):
    """Repair when everything is written."""
    app.connect("build-finished", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
