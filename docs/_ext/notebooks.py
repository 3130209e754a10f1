"""Notebooks: `docs/notebooks/NAME.md` is the source of a page with outputs and of `NAME.ipynb`.

A source is Markdown whose blocks of Python are cells. They run in one kernel when the site is built,
in a folder of their own; a cell that raises ends the build. The notebook is beside its page, with
outputs, to be downloaded.
"""

import html
import re
import shutil
from pathlib import Path

CELL = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
FOLDER = "notebooks/"
SECONDS = 300


def notebook(source):
    """Make a notebook of a source: text and cells by turns."""
    from nbformat import v4  # noqa: PLC0415 - the tests of the library need none

    pieces = CELL.split(source)  # text, code, text, ...
    kinds = [v4.new_markdown_cell, v4.new_code_cell]
    cells = [
        kinds[place % 2](piece.strip(), id=f"cell-{place}")
        for place, piece in enumerate(pieces)
        if piece.strip()
    ]
    return v4.new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})


def execute(found, folder):
    """Run all cells in one kernel; the first that raises ends it."""
    from nbclient import NotebookClient  # noqa: PLC0415 - the same

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(
        found, timeout=SECONDS, kernel_name="python3", resources=place, record_timing=False
    ).execute()
    return found


def page(found, name):
    """Write an executed notebook as Markdown, with a link to itself below the title."""
    title, *rest = found.cells
    head, _, more = title.source.partition("\n")
    link = f'<p><a href="{name}.ipynb" download>Download this notebook</a></p>'
    return "\n\n".join([head, raw(link), more, *map(shown, rest)]) + "\n"


def shown(cell):
    """Write a cell, and what came out of it."""
    if cell.cell_type == "markdown":
        return cell.source
    return "\n\n".join([fenced(cell.source, "python"), *map(printed, cell.outputs)])


def printed(output):
    """Write one output: the richest form that a page can show."""
    if output.output_type == "stream":
        return raw(f'<pre class="cell-output">{html.escape(output.text.rstrip())}</pre>')
    if "text/html" in output.data:
        return raw(f'<div class="cell-output">{output.data["text/html"]}</div>')
    if "image/png" in output.data:
        picture = output.data["image/png"].replace("\n", "")
        return raw(
            f'<p><img alt="the figure of the cell above" src="data:image/png;base64,{picture}"></p>'
        )
    return raw(f'<pre class="cell-output">{html.escape(output.data["text/plain"])}</pre>')


def raw(content):
    """Have Markdown leave HTML as it is."""
    return fenced(content, "{raw} html")


def fenced(content, info):
    """Put a text between fences that are longer than any in it."""
    ticks = max(map(len, re.findall(r"`+", content)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{info}\n{content}\n{fence}"


def replace(app, docname, content):
    """Put the executed notebook where its source is."""
    if docname.startswith(FOLDER):
        folder = Path(app.srcdir) / "_made" / docname
        found = execute(notebook(content[0]), folder / "run")
        write(found, folder.with_suffix(".ipynb"))
        content[0] = page(found, folder.name)


def write(found, path):
    """Write a notebook as Jupyter reads it."""
    import nbformat  # noqa: PLC0415 - the same

    nbformat.validate(found)
    nbformat.write(found, path)


def copy_notebooks(app, problem):
    """Put the notebooks beside their pages."""
    if problem is None and app.builder.format == "html":
        for path in sorted((Path(app.srcdir) / "_made" / FOLDER).glob("*.ipynb")):
            shutil.copy(path, Path(app.outdir) / FOLDER)


def setup(app):
    """Run before examples are checked, and copy at the end."""
    app.connect("source-read", replace, priority=900)  # after `executed` has emptied the folder
    app.connect("build-finished", copy_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
