"""The picture of the report in the README says what the page says."""

import importlib.util
from pathlib import Path

from PIL import Image

TOOLS = Path(__file__).parents[2] / "tools"


def test_the_picture_in_the_readme_is_of_todays_page(opened, tmp_path):
    spec = importlib.util.spec_from_file_location("picture", TOOLS / "make_report_picture.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    page = opened(made.write_page(tmp_path / "report.html"), viewport=made.SIZE)
    with Image.open(made.PICTURE) as picture:
        stored = picture.info.get("said")
    assert stored == made.said(page), "run python tools/make.py report-picture"
