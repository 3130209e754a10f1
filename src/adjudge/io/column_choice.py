"""Choose the columns of a file by their names, and guess nothing.

In a table the label is the column called ``label``, ``Label``, ``labels`` or ``is_anomaly``, and
the scores are ``score``, ``Score``, ``scores``, ``anomaly_score`` and every column whose name
starts with ``score_``. A column called ``timestamp``, ``time`` or ``date`` is known to be the time:
it is used only when it is asked for, but its rows must not go back. The arrays of an archive have
the same names. A name that the caller gives goes before these, and a score may be given as a
pattern (``det_*``). Series ids and masks have no usual name and must be given. Where two columns
could be meant, none is taken.

Turn the cells of a text into values, many at a time, and say which cell is at fault.

Numbers are what Python's ``float`` reads, ``nan`` and ``inf`` included, with three exceptions that
would hide a mistake: ``1_000`` is no number here, a number too large for a float (``1e999``) is an
error and not infinity, and a whole number that no float is (``9007199254740993``) is not rounded.
Label and mask columns may also say ``True``, ``False``, the same in small letters or in capitals,
read as 1 and 0. Series ids and times stay text.
"""

from __future__ import annotations

import math
import re
import reprlib
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple

import numpy as np

from adjudge.data.columns import EXACT
from adjudge.errors import FileError, InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_LONGEST_HINT = 60  # characters of column names that a message gives ready to be copied
RANKS = "write their ranks instead"
_TRUTH = {"True": "1", "true": "1", "TRUE": "1", "False": "0", "false": "0", "FALSE": "0"}


@dataclass(frozen=True)
class Cells:
    """How the cells of a text are written.

    Attributes
    ----------
    sep
        What stands between two cells; None: what the suffix of the file says.
    decimal
        The decimal mark of numbers: a point or a comma.
    gaps
        Whether a score may be missing; an empty cell is then NaN.
    rows
        How many rows are of use; a file with more is refused before all of it is read.
    """

    sep: str | None = None
    decimal: str = "."
    gaps: bool = False
    rows: int | None = None

    def refuse_more(self, count: int, file: str, *, known: bool = True) -> None:
        """Refuse more rows than are of use; of a text it is not known how many there are."""
        if self.rows is not None and count > self.rows:
            got = f"{count:,}" if known else "more"
            raise FileError(f"{file}: there must be at most {self.rows:,} rows, got {got}")

    def __post_init__(self) -> None:
        """Check the marks; a shell gives a tab as two characters."""
        if self.sep == "\\t":
            object.__setattr__(self, "sep", "\t")
        if self.sep is not None and (len(self.sep) != 1 or self.sep in '"\r\n'):
            raise InputError(f"sep must be one character, such as ';', got {self.sep!r}")
        if self.decimal not in {".", ","}:
            raise InputError(f"decimal must be '.' or ',', got {self.decimal!r}")


def values(cells: Sequence[str], kind: Kind, style: Cells, *, gaps: bool) -> NDArray[Any] | None:
    """Turn the cells of one column into values, or give None if some cell is at fault.

    With ``gaps`` an empty cell is NaN, and of text it is as it is.
    """
    if kind == "seen":
        return np.array(cells, dtype=object)
    if kind in {"id", "time"}:
        return _texts(cells, often=kind == "id", blank=gaps)
    if kind == "truth":
        cells = [_TRUTH.get(cell.strip(), cell) for cell in cells]
    if gaps:
        cells = [cell if cell.strip() else "nan" for cell in cells]
    if style.decimal == ",":
        cells = [cell.replace(",", ".") if "." not in cell else "" for cell in cells]
    return _floats(cells)


def _texts(cells: Sequence[str], *, often: bool, blank: bool) -> NDArray[Any] | None:
    """Keep text as objects, since one long id must not widen every row; ids are kept once each."""
    if not blank and not all(map(str.strip, cells)):
        return None
    return np.array([sys.intern(cell) for cell in cells] if often else list(cells), dtype=object)


def _floats(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Convert numbers all at once: fast, at the price of not knowing which cell is at fault."""
    try:
        numbers = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        return None
    large = [cells[i] for i in np.flatnonzero(np.abs(numbers) >= EXACT).tolist()]
    if "_" in "".join(cells) or any(map(_is_overflow, large)) or any(map(is_rounded, large)):
        return None
    return numbers


def is_rounded(number: str | int) -> bool:
    """Tell a whole number that no 64-bit float is.

    >>> is_rounded("9007199254740993"), is_rounded("9007199254740992"), is_rounded("1e300")
    (True, False, False)
    >>> is_rounded(10**400)
    True
    """
    try:
        return int(float(whole := int(number))) != whole
    except ValueError:  # a fraction, or infinity
        return False
    except OverflowError:
        return True


WORD_HINT = "; --positive says which label is an anomaly; --where, --train, --tune-on take 0 and 1"
"""What to do about a word in a column of 0 and 1."""


def first_problem(
    name: str, cells: Sequence[str], numbers: Sequence[int], columns: ChosenColumns, style: Cells
) -> str:
    """Name the first cell that is no value."""
    kind = columns.kind(name)
    gaps = columns.may_lack(name, gaps=style.gaps)
    i = next(i for i, cell in enumerate(cells) if values((cell,), kind, style, gaps=gaps) is None)
    return f"line {numbers[i]}, column {name!r}: {_problem(cells[i], kind)}"


def _problem(cell: str, kind: Kind) -> str:
    shown = reprlib.repr(cell)
    if not cell.strip():
        return f"empty cell: {shown}{gap_hint(kind)}"
    if _is_overflow(cell):
        return f"too large for a 64-bit float: {shown}"
    if "," in cell and _floats((cell.replace(",", "."),)) is not None:
        return f"not a number: {shown}; for a decimal comma use --decimal ,"
    if cell.strip().endswith("%"):
        return f"not a number: {shown}; write it without the %"
    if is_rounded(cell):
        return f"no float64 is exactly {shown}; {RANKS}"
    word = kind == "truth" and any(map(str.isalpha, cell))
    return f"not a number: {shown}" + (WORD_HINT * word)


def gap_hint(kind: Kind) -> str:
    """Say what to do about a missing score or label."""
    if kind == "number":
        return "; --missing skip drops such rows"
    where = "; only rows judged by --where COL (where=) need a label"
    return where if kind == "truth" else ""


def _is_overflow(cell: str) -> bool:
    """Tell a number that is only too large from infinity, and from what is no number at all."""
    try:
        return "_" not in cell and math.isinf(float(cell)) and "inf" not in cell.lower()
    except ValueError:
        return False


MAX_NAME = 200

Kind = Literal["number", "truth", "id", "time", "seen"]

_SHOWN = reprlib.Repr()
_SHOWN.maxstring = 60


@dataclass(frozen=True)
class KnownNames:
    """The names that mean something by themselves in one kind of file."""

    word: str
    labels: tuple[str, ...]
    scores: tuple[str, ...]
    prefixes: tuple[str, ...]
    times: tuple[str, ...]


COLUMNS = KnownNames(
    "column",
    ("label", "Label", "labels", "is_anomaly"),
    ("score", "Score", "scores", "anomaly_score"),
    ("score_",),
    ("timestamp", "time", "date"),
)
ARRAYS = replace(COLUMNS, word="array")


ROLES: Mapping[str, Kind] = {
    "series": "id", "where": "truth", "time": "time", "train": "truth", "tune_on": "truth",
    "group": "id", "window": "id", "about": "id",
}  # fmt: skip
"""What a column may be beside label and score, in the order in which it is told, and its kind."""
_OPTIONS = {"tune_on": "tune-on", "about": "by"}


def option_of(role: str) -> str:
    """A role in the word of its option."""
    return _OPTIONS.get(role, role)


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The columns that have a role beside label and score."""

    series: str | None = None
    where: str | None = None
    time: str | None = None
    train: str | None = None
    tune_on: str | None = None
    group: str | None = None
    window: str | None = None
    about: str | None = None

    @property
    def by_role(self) -> dict[str, str]:
        """Role -> column, of those that are named."""
        return {role: vars(self)[role] for role in ROLES if vars(self)[role] is not None}


@dataclass(frozen=True)
class RequestedColumns(Roles):
    """The names the caller gave for a file; None and empty leave it to the rule.

    ``labelled`` and ``scored`` say whether the file must have a label and a score: of two files
    that are joined, one may have the labels and the other the scores, and either of them may have
    the score that is named. The label of a ``coded`` file
    may be text. ``keys`` are the columns that join it to another file; ``optional`` ones are read
    where they are there.
    """

    file: str
    rule: KnownNames
    label: str | None = None
    scores: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    labelled: bool = True
    scored: bool = True
    coded: bool = False
    signal: str | None = None
    """What a sensor measured: read as one more score."""


@dataclass(frozen=True)
class ChosenColumns(Roles):
    """The columns chosen from a file, by role."""

    label: str | None
    scores: tuple[str, ...]
    keys: tuple[str, ...] = ()
    coded: bool = False
    known_time: str | None = None
    """A column known as time by its name, which was not asked for as the time."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Every column that has a role, the label first."""
        label = () if self.label is None else (self.label,)
        return (*label, *self.scores, *self.by_role.values())

    def roles_of(self, name: str) -> list[str]:
        """What a column is asked to be, in the words of the options."""
        scores = ["score"] * self.scores.count(name)
        own = {"label": self.label, **self.by_role}
        return [*scores, *(option_of(role) for role, column in own.items() if column == name)]

    @property
    def needed(self) -> tuple[str, ...]:
        """Every column to read."""
        return tuple(dict.fromkeys((*self.roles, *self.keys)))

    @property
    def seen(self) -> tuple[str, ...]:
        """Every column to read, and the known time, of which any values will do."""
        known = () if self.known_time is None else (self.known_time,)
        return tuple(dict.fromkeys((*self.needed, *known)))

    def kind(self, name: str) -> Kind:
        """Say how the values of a column are to be read."""
        if name not in self.needed:
            return "seen"
        if name in self.scores:
            return "number"
        if name == self.label:
            return "id" if self.coded else "truth"
        kinds = {column: ROLES[role] for role, column in self.by_role.items()}
        return kinds.get(name, "time")

    def may_lack(self, name: str, *, gaps: bool) -> bool:
        """Whether values may be missing: scores on request, labels where not all are judged.

        What is said of events need not be said of other rows.
        """
        kind = self.kind(name)
        unjudged = name == self.label and kind == "truth" and self.where is not None
        return unjudged or name == self.about or (gaps and kind == "number")


Choose = Callable[[Sequence[str]], ChosenColumns]
ReadValues = tuple[ChosenColumns, dict[str, Any]]
"""What a reader gives: the columns that were chosen, and their values by name."""


class FileFormat(NamedTuple):
    """How the files of one suffix are read; a module of `adjudge.io.formats` declares its own."""

    read: Callable[[BinaryIO, str, Choose, Cells], ReadValues]
    """Takes the file, seekable, what messages call it, what picks the columns from their names, and
    how cells are written; raises `FileError` for what is damaged, hostile or of another layout."""
    rule: KnownNames = COLUMNS
    text: bool = False
    """Whether it is a text, which may be packed."""
    delimited: bool = False
    """Whether something stands between its cells."""
    in_folders: bool = True
    """Whether such a file of a folder is a series."""


def choose(requested: RequestedColumns, names: Sequence[str]) -> ChosenColumns:
    """Pick the columns of a file by what was asked and, where nothing was, by the rule."""
    roles, optional = requested.by_role, [one for one in requested.optional if one in names]
    for name in (requested.label, *roles.values(), *requested.keys, requested.signal):
        if name is not None and name not in names:
            raise _unknown(requested, name, names)
    label = _default_label(requested, names) if requested.label is None else requested.label
    taken = (label, *roles.values())
    scores = _requested_scores(requested, names, taken) if requested.scores else ()
    scores = scores or _default_scores(requested, names, taken)
    if requested.signal is not None and requested.signal not in scores:
        scores = (*scores, requested.signal)
    known = None if requested.time is not None else _known_time(requested, names, (*taken, *scores))
    keys = (*requested.keys, *optional)
    columns = ChosenColumns(label, scores, keys, requested.coded, known, **roles)
    if not columns.needed:
        *others, last = requested.optional or ("",)
        usual = f"must have a column {', '.join(others)} or {last}"
        none = f"no {requested.rule.word} to read among {_listing(names)}"
        raise FileError(f"{requested.file}: {usual if others else none}")
    _check_needed(columns, requested, names)
    return columns


def _known_time(
    requested: RequestedColumns, names: Sequence[str], used: tuple[str | None, ...]
) -> str | None:
    """Find the column that is known as time and has no other role, unless two share its name."""
    free = (name for name in requested.rule.times if names.count(name) == 1 and name not in used)
    return next(free, None)


def _unknown(requested: RequestedColumns, name: str, names: Sequence[str]) -> UnknownName:
    hint = f"{requested.file} has the {requested.rule.word}s {_listing(names)}"
    if name == requested.tune_on and re.fullmatch(r"\d*:\d*", name):
        hint += f"; for a range of points use --at 'tuned(f1_ba, on=\"{name}\")'"
    return UnknownName(requested.rule.word, name, names, hint)


def _default_label(requested: RequestedColumns, names: Sequence[str]) -> str | None:
    """Find the one column with a usual name for labels."""
    if not requested.labelled:
        return None
    word, usual = requested.rule.word, requested.rule.labels
    found = [name for name in usual if name in names]
    if not found:
        raise FileError(
            f"{requested.file}: the label {word} must be one of {_listing(usual)}, got the {word}s "
            f"{_listing(names)}; {_label_hint(names)}"
        )
    if len(found) > 1:
        raise FileError(
            f"{requested.file}: there must be one label {word}, got {_listing(found)}; "
            "name it with --label"
        )
    return found[0]


def _label_hint(names: Sequence[str]) -> str:
    """What may be wrong where no column has a usual name for labels."""
    if len(names) == 1 and " " in names[0]:
        return "name it with --label; for columns separated by a space use --sep ' '"
    if _floats(names) is not None:
        return "the first line must name the columns, as in label,score"
    return "name it with --label"


def _requested_scores(
    requested: RequestedColumns, names: Sequence[str], taken: tuple[str | None, ...]
) -> tuple[str, ...]:
    """Find the score columns that were named, one by one or by a pattern such as ``det_*``."""
    found: list[str] = []
    for name in requested.scores:
        matched = [name] if name in names else []
        if not matched and any(sign in name for sign in "*?["):
            free = (other for other in names if other not in taken and other not in requested.keys)
            matched = [other for other in free if fnmatchcase(other, name)]
        if not matched and requested.scored and requested.labelled:
            raise _unknown(requested, name, names)
        found += [other for other in matched if other == name or other not in found]
    if not found and requested.scored:
        raise _unknown(requested, requested.scores[0], names)
    return tuple(found)


def _default_scores(
    requested: RequestedColumns, names: Sequence[str], taken: tuple[str | None, ...]
) -> tuple[str, ...]:
    """Find the columns with the usual names for scores that have no other role."""
    rule = requested.rule
    if requested.scores:
        return ()
    usual = [name for name in names if name in rule.scores or name.startswith(rule.prefixes)]
    found = tuple(name for name in usual if name not in taken)
    if not found and requested.scored:
        prefixes = "".join(f" or start with {prefix!r}" for prefix in rule.prefixes)
        raise FileError(
            f"{requested.file}: a score {rule.word} must be called {_listing(rule.scores)}"
            f"{prefixes}, got the {rule.word}s {_listing(names)}; name it with --score"
            f"{_score_options(names, (*taken, *rule.times))}"
        )
    return found


def _score_options(names: Sequence[str], taken: tuple[str | None, ...]) -> str:
    """Write the options for the columns that may be scores, ready to be copied."""
    free = [shlex.quote(name) for name in names if name not in taken]
    if not free or len(" ".join(free)) > _LONGEST_HINT:
        return ""
    return ", as in " + " ".join(f"--score {name}" for name in free)


def _check_needed(
    columns: ChosenColumns, requested: RequestedColumns, names: Sequence[str]
) -> None:
    """Refuse a column with two roles, or a name that stands for two columns."""
    word, roles = requested.rule.word, columns.roles
    for name in columns.needed:
        if names.count(name) > 1:
            raise FileError(
                f"{requested.file}: {word} {_SHOWN.repr(name)} must be unique, got "
                f"{names.count(name)}"
            )
        if roles.count(name) > 1:
            raise FileError(
                f"{requested.file}: {word} {_SHOWN.repr(name)} must have one role, got "
                f"{' and '.join(columns.roles_of(name))}; name another {word} for one of them"
            )
        if len(name) > MAX_NAME:
            raise FileError(
                f"{requested.file}: the name of a {word} must be at most {MAX_NAME} characters, "
                f"got {len(name):,}: {_SHOWN.repr(name)}"
            )


def _listing(names: Sequence[str]) -> str:
    """List the first twenty names."""
    more = f", ... and {len(names) - 20:,} more" if len(names) > 20 else ""
    return ", ".join(map(_SHOWN.repr, names[:20])) + more
