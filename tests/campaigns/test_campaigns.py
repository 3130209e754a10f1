"""The campaigns notice what they look for: each is shown a defect, and names it."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.io.exports import contract
from adjudge.ranking.boards import verification
from campaigns import (
    api_calls,
    bad_metrics,
    boards,
    csv_readers,
    exports,
    files,
    names,
    settings_at_sizes,
    signals,
)
from ranking.tampering import TAMPERED

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")


def wrong_reading(*_, **__):
    raise KeyError("label")


def test_calls_that_raise_something_else_are_named(monkeypatch):
    assert not api_calls.campaign(3, 200)[1]
    monkeypatch.setattr(aj.Metric, "reading", wrong_reading)
    assert any("raised KeyError" in found for _, found in api_calls.campaign(3, 200)[1])


def test_calls_that_change_their_input_are_named(monkeypatch):
    def sorts(labels, *_, **__):
        if isinstance(labels, np.ndarray) and labels.size and labels.dtype.kind in "if":
            labels.fill(7)

    monkeypatch.setattr(aj, "evaluate", sorts)
    found = api_calls.campaign(3, 600)[1]
    assert ("an_evaluation", "changed its input") in found


def test_files_that_end_in_something_else_are_named(monkeypatch, tmp_path):
    assert not files.campaign(3, 150, tmp_path)[1]
    monkeypatch.setattr(files, "read", wrong_reading)
    assert files.campaign(3, 20, tmp_path)[1]


def test_exports_that_are_read_wrongly_are_named(monkeypatch, tmp_path):
    assert not exports.campaign(3, 150, tmp_path)[1]
    guard = contract.checked

    def lets_all_pass(value, fields, record, name=""):
        with suppress(aj.AdjudgeError):
            return guard(value, fields, record, name)

    monkeypatch.setattr(contract, "checked", lets_all_pass)
    wrong = " ".join(exports.campaign(3, 150, tmp_path)[1])
    assert "raised TypeError" in wrong
    assert "silently wrong: " in wrong


@pytest.mark.filterwarnings("ignore:no explicit representation of timezones")
@pytest.mark.long
def test_texts_that_two_readers_read_otherwise_are_named(monkeypatch, tmp_path):
    counts, wrong = csv_readers.campaign(3, 120, tmp_path)
    assert not wrong
    assert min(counts.values()) > 0
    monkeypatch.setattr("adjudge.io.formats.csv_text._Watched.readinto", _lets_all_pass)
    assert csv_readers.campaign(3, 400, tmp_path)[1]


def _lets_all_pass(watched, buffer):
    data = watched.stream.read(len(buffer))
    buffer[: len(data)] = data
    return len(data)


def test_settings_that_leave_the_range_are_named(monkeypatch):
    assert not settings_at_sizes.campaign(3, (5,), share=0.02)[1]
    monkeypatch.setattr(aj.Metric, "__call__", lambda *_, **__: 99.0)
    assert any("out of range" in found for found in settings_at_sizes.campaign(3, (5,), 0.02)[1])


def test_names_that_are_obeyed_are_named(monkeypatch):
    assert not names.campaign(("plain too",))[1]
    monkeypatch.setattr(aj.Judgement, "to_markdown", lambda judged: judged.detectors[0])
    assert ["markdown"] == names.campaign(("\x1b[31mred",))[1]["\x1b[31mred"]


def test_a_metric_that_is_not_noted_is_named(monkeypatch):
    bad = {"text": bad_metrics.BAD["text"], "good": (lambda *_: 0.5, "prints")}
    monkeypatch.setattr(bad_metrics, "BAD", bad)
    _, wrong = bad_metrics.campaign(tuple(bad))
    assert ["good"] == [one.partition(":")[0] for one in wrong]


def test_only_what_comes_before_the_second_line_of_the_package_is_no_traceback_of_ours():
    place = Path(aj.__file__).parent
    first = f'File "<frozen runpy>", line 1\nFile "{place / "__init__.py"}", line 16\n'
    assert not signals.ours(f"Traceback\n{first}KeyboardInterrupt")
    assert signals.ours(f'Traceback\n{first}File "{place / "cli" / "group.py"}", line 3\n')


def test_attacks_on_a_board_that_go_through_are_named(monkeypatch, tmp_path):
    values, title = TAMPERED["all perfect"][0], boards.BY_HAND["the same in Cyrillic"]
    monkeypatch.setattr(boards, "BY_HAND", {"values": values, "title": title})
    assert not boards.campaign(0, 3, tmp_path / "all")[1]
    monkeypatch.setattr(verification, "_differences", lambda *_: [])
    assert list(boards.campaign(0, 2, tmp_path / "values")[1]) == ["values"]
    monkeypatch.setattr("adjudge.ranking.boards.submissions.looks_like", str)
    assert list(boards.campaign(0, 2, tmp_path / "both")[1]) == ["values", "title"]
    monkeypatch.setattr(verification, "_of_scores", wrong_reading)
    monkeypatch.setattr(
        boards.aj, "verify", lambda board: verification.verify(board, [boards.NAME])
    )
    found = boards.campaign(0, 1, tmp_path / "raw")[1]
    assert found["values"].startswith("raw refused: cannot be verified: KeyError")
