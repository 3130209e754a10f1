"""Formulas as MathML, which browsers draw by themselves: no script, nothing from the network."""

from docutils.nodes import SkipNode
from latex2mathml.converter import convert


def inline(self, node):
    """Write a formula within a sentence."""
    self.body.append(convert(node.astext(), display="inline"))
    raise SkipNode


def block(self, node):
    """Write a formula on its own line; a wide one scrolls."""
    self.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise SkipNode


def setup(app):
    """Offer the renderer to Sphinx by its name."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
