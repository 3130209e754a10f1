"""Sources of notebooks become cells, outputs and pages; a cell that raises ends the build."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MADE = runpy.run_path(str(ROOT / "docs" / "_ext" / "notebooks.py"))
SOURCE = """# Title

Words.

```python
x = 20
x + 1
```

More.

```python
print('<b>', x)
```
"""


def test_a_source_is_text_and_cells_by_turns():
    pytest.importorskip("nbformat")
    kinds = [(cell.cell_type, cell.source) for cell in MADE["notebook"](SOURCE).cells]
    assert kinds == [
        ("markdown", "# Title\n\nWords."),
        ("code", "x = 20\nx + 1"),
        ("markdown", "More."),
        ("code", "print('<b>', x)"),
    ]


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_cells_share_a_kernel_and_their_outputs_stand_below_them(tmp_path):
    pytest.importorskip("nbclient")
    found = MADE["execute"](MADE["notebook"](SOURCE), tmp_path / "run")
    page = MADE["page"](found, "one")
    assert page.index("# Title") < page.index('href="one.ipynb"') < page.index("Words.")
    assert '<pre class="cell-output">21</pre>' in page
    assert '<pre class="cell-output">&lt;b&gt; 20</pre>' in page
    with pytest.raises(Exception, match="ZeroDivisionError"):
        MADE["execute"](MADE["notebook"](SOURCE.replace("x + 1", "x / 0")), tmp_path / "run")


def test_every_source_has_an_entry_and_few_cells():
    pages = sorted((ROOT / "docs" / "notebooks").glob("*.md"))
    index = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
    assert len(pages) == 5
    for path in pages:
        assert f"](notebooks/{path.name})" in index
        assert 2 <= len(MADE["CELL"].findall(path.read_text("utf-8"))) <= 6
