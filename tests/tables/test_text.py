"""Tables as text: within every width, no word broken and nothing cut off."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.tables.table import Layout, Table, TableColumn
from adjudge.tables.text import cells_wide, text_of, wrapped

NAMES = ("coin flip on 3 % of points", "pager", "alarm always")
WIDE = Table(
    (
        TableColumn("detector", NAMES, is_text=True),
        TableColumn("value", ("0.1234", "0.5", "undefined")),
        TableColumn("by chance", ("0.1", "0.2", "0.3")),
        TableColumn("95 % interval", ("0.100 to 0.200",) * 3, rank=2),
        TableColumn("flagged above", ("3.14159",) * 3, rank=5),
    ),
    "a title",
    summary_rows=1,
)


def words(text):
    return re.findall(r"[^\s]+", text.replace("-", " "))


def test_where_there_is_room_everything_stands_in_one_line():
    assert text_of(Layout((WIDE,)), 120).splitlines() == [
        "a title",
        "detector                        value  by chance   95 % interval  flagged above",
        "-------------------------------------------------------------------------------",
        "coin flip on 3 % of points     0.1234        0.1  0.100 to 0.200        3.14159",
        "pager                             0.5        0.2  0.100 to 0.200        3.14159",
        "-------------------------------------------------------------------------------",
        "alarm always                undefined        0.3  0.100 to 0.200        3.14159",
        "-------------------------------------------------------------------------------",
    ]


def test_a_column_that_few_need_goes_before_a_name_is_broken():
    drawn = text_of(Layout((WIDE,)), 69)
    assert "flagged" not in drawn
    assert NAMES[0] in drawn


def test_a_name_is_broken_before_a_column_that_matters_goes():
    drawn = text_of(Layout((WIDE,)), 50)
    assert "0.100 to 0.200" in drawn
    assert NAMES[0] not in drawn


def test_what_must_be_shown_is_shown_in_several_tables():
    columns = [TableColumn(f"metric_{i}", ("0.1234", "0.4321")) for i in range(9)]
    table = Table((TableColumn("file", ("a", "b"), is_text=True), *columns))
    drawn = text_of(Layout((table,)), 40)
    assert drawn.count("file") == 3
    assert all(f"metric_{i}" in drawn for i in range(9))
    assert max(map(len, drawn.splitlines())) <= 40


@given(st.integers(30, 130), st.lists(st.text("abc _%", max_size=30), min_size=1, max_size=4))
def test_no_line_is_too_wide_and_every_word_is_there(width, cells):
    table = Table(
        (
            TableColumn("name", tuple(cells), is_text=True),
            TableColumn("value", ("0.123",) * len(cells)),
            TableColumn("label slack", ("0.1 to 0.2",) * len(cells), rank=4),
        )
    )
    drawn = text_of(Layout((table,), ("a note on what it is", *cells)), width)
    assert all(cells_wide(line) <= width for line in drawn.splitlines())
    assert set(words(" ".join(cells))) <= set(words(drawn))
    assert drawn.count("0.123") == len(cells)


def test_a_program_gets_a_sentence_per_line():
    note = "word " * 60 + "end"
    assert text_of(Layout((WIDE,), (note,)), None).splitlines()[-1] == note


@pytest.mark.parametrize("width", range(8, 60))
def test_no_line_ends_before_a_sign_of_percent_or_within_a_p_value(width):
    lines = wrapped("the 95 % interval is wide (p <= 0.005) and so on (p = 0.1)", width)
    assert not any(line.startswith(("%", "<", "=", "0")) for line in lines)
    assert not any(line.endswith(("p", "=")) for line in lines)


@pytest.mark.parametrize(
    "kept", ["detection_delay ↓", "event [10, 20)", "2026-03-01 10:00", "20 min"]
)
def test_what_belongs_together_is_not_broken(kept):
    lines = wrapped(f"one two {kept} and so on", len(kept))
    assert kept in lines


def test_wide_characters_take_two_places_and_marks_none():
    assert cells_wide("検知") == 4
    assert cells_wide("e\N{COMBINING ACUTE ACCENT}") == 1
    table = Table.of(["name", "value"], [["検知", 1], ["abcd", 2]])
    first, second = text_of(Layout((table,))).splitlines()[2:4]
    assert first.index("1") == second.index("2") - 2


def test_an_empty_table_is_a_head():
    assert text_of(Layout((Table.of(["a", "b"], []),))).splitlines() == ["a  b", "----", "----"]
