"""Settings of the documentation site: `python -m sphinx -W -n docs build/site`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from adjudge._version import __version__ as release

project = "adjudge"
version = release
author = "the adjudge authors"
copyright = author  # noqa: A001 - Sphinx's name for it
extensions = [
    "myst_parser",  # pages are Markdown
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",  # a button that copies a block
    "sphinx_design",  # cards
    "each_metric",  # a page for each row of the catalogue
    "in_browser",  # the library beside the page that runs it
    "executed",  # examples run when the site is built
    "evidence",  # tables of simulations, and what follows from the source
    "notebooks",  # sources that become pages with outputs and .ipynb files
    "mathml",  # formulas without scripts
    "accessible",  # what the theme leaves out for keyboards and screen readers
    "search_offline",  # snippets without a server
]
exclude_patterns = ["_made", "_ext", "_templates"]

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
nitpick_ignore = [("py:class", "adjudge.count.points.PointCount")]  # a default, which is a class

autosummary_generate = True
autosummary_filename_map = {  # disks that do not tell Audit from audit must hold both
    f"adjudge.{name}": f"adjudge.{name}-class"
    for name in ("Audit", "Chance", "Curve", "Metric", "Ranking", "Study")
}
autodoc_typehints = "none"  # the parameters' sections have them, in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # autodoc lists them, with their words
templates_path = ["_templates"]

html_theme = "furo"
html_title = f"adjudge {release}"
html_favicon = "_static/favicon.svg"
html_search_scorer = str(Path(__file__).parent / "_static" / "search_scorer.js")
copybutton_prompt_text = r">>> |\.\.\. |\$ "  # what is copied can be run
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["playground.html"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"  # comes with the theme
pygments_dark_style = "a11y-high-contrast-dark"


def setup(_):
    """Have threshold rules documented by the names that users write, not as aliases of classes."""
    from adjudge.measure.thresholds.contract import RULES  # noqa: PLC0415 - this file is also imported where nothing is built

    for name, rule in RULES.items():
        rule.__name__ = name
