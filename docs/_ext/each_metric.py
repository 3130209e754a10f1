"""A page for each metric, as `metrics/NAME.html`: written before the site is built, removed when it stands."""

import sys
from pathlib import Path

import adjudge as aj


def written(app):
    """Where the pages lie while the site is built."""
    return {row: Path(app.srcdir) / "metrics" / f"{row.name}.md" for row in aj.catalogue.values()}


def write(app):
    """Write every page."""
    sys.path.insert(0, str(Path(app.srcdir).parent / "tools"))
    from metric_pages import page  # noqa: PLC0415 - no part of a package

    for row, path in written(app).items():
        path.write_text(page(row), encoding="utf-8")


def remove(app, _):
    """Leave the folder as it was."""
    for path in written(app).values():
        path.unlink(missing_ok=True)


def setup(app):
    """Come before the pages are read, and after all are written."""
    app.connect("builder-inited", write)
    app.connect("build-finished", remove)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
