"""Submissions: what others add to a board by pull request, and what must hold of it.

A board is a folder: ``board.json`` with its rules, the labels of its series, and
``submissions/NAME/`` with ``meta.json``, scores (``scores/SERIES.npy``), values (``values.csv`` or
``values.parquet``), or both. All in it was written by strangers. So names are few letters that look
like nothing else, no link is followed, nothing but the files named in ``meta.json`` may be there,
and each of these has its SHA-256 there. Whatever a file holds, no more of it is read than the board
has rows for; what takes longer or more memory than the board allows is refused all the same.
"""

from __future__ import annotations

import csv
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from unicodedata import category, normalize
from unicodedata import name as name_of_letter

from adjudge.checks import file_path
from adjudge.errors import AdjudgeError, FileError, InputError, shown, visible
from adjudge.io.detector_folders import name_below
from adjudge.io.formats import IN_FOLDERS
from adjudge.io.layouts.contract import SCORE_SUFFIXES
from adjudge.io.text_files import without_packing
from adjudge.metrics.reader import metric as read_metric
from adjudge.ranking.comparable import MIN_COVERAGE
from adjudge.stores.files import checksum

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RULES, META, FOLDER, SCORES = "board.json", "meta.json", "submissions", "scores"
VALUES = ("values.csv", "values.parquet")
_BESIDE = {META, *VALUES, "README.md"}
SECONDS, GIGABYTES = 600, 4
"""What a submission may take where the board says nothing of it."""
_LARGEST = 1 << 20
"""Bytes of a file of settings."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}")
_LETTERS = "letters A to Z, digits and . _ + - (at most 64, the first a letter or a digit)"
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}
)
_LETTERS_ALIKE = dict(zip("асеорхуіјѕһԁԛԝαεικνορτυχ", "aceopxyljshdqwaelkvoptux", strict=True))
_LIKE = str.maketrans(
    {"0": "o", "1": "l", "i": "l", "|": "l", " ": "-", "_": "-", ".": "-", "+": "-"}
    | _LETTERS_ALIKE
)
_PAIRS_ALIKE = {"rn": "m", "vv": "w", "cl": "d"}

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(one) for one in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))
}
"""Letters and marks of other categories that nobody sees."""

_TEXT = {"type": "string", "maxLength": 2000}
_LINK = {"type": "string", "pattern": "^https://[^\\s<>\"']+$", "maxLength": 500}
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SETTINGS = {
    "metrics": {"type": "array", "items": _TEXT, "minItems": 1},
    "at": {"type": ["number", "string", "null"]},
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "board": {
        "type": "object",
        "properties": {
            "schema": {"const": 1},
            "title": _TEXT,
            **_SETTINGS,
            "data": _TEXT,
            "label": _TEXT,
            "series": _TEXT,
            "stated": {"type": "boolean"},
            "min_coverage": {"type": "number"},
            "seconds": {"type": "number", "exclusiveMinimum": 0},
            "gigabytes": {"type": "number", "exclusiveMinimum": 0},
        },
        "required": ["schema", "title", "metrics"],
        "additionalProperties": False,
    },
    "submission": {
        "type": "object",
        "properties": {
            "schema": {"const": 1},
            "name": {"type": "string", "pattern": f"^{_NAME.pattern}$"},
            "title": _TEXT,
            "authors": {"type": "array", "items": _TEXT, "minItems": 1},
            "description": _TEXT,
            "code": _LINK,
            "paper": _LINK,
            "settings": {
                "type": "object",
                "properties": _SETTINGS,
                "required": ["metrics", "at"],
                "additionalProperties": False,
            },
            "adjudge": _TEXT,
            "data": _HASH,
            "files": {"type": "object", "additionalProperties": _HASH},
        },
        "required": ["schema", "name", "authors", "settings", "adjudge", "files"],
        "additionalProperties": False,
    },
}
"""What ``board.json`` and ``meta.json`` hold, as JSON Schema."""
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "number": (int, float),
    "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


def departures(value: Any, schema: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Where a value departs from a schema, of which only the words that stand above are known.

    >>> list(departures({"schema": 2}, SCHEMAS["board"]))[:2]
    ['title must be there', 'metrics must be there']
    """
    here = place or "the file"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    of_kind = any(isinstance(value, _TYPES[kind]) for kind in kinds)
    if kinds and (not of_kind or (isinstance(value, bool) and "boolean" not in kinds)):
        yield f"{here} must be of type {' or '.join(kinds)}, got {shown(value)}"
    elif "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        yield f"{here} must be {schema['const']!r}, got {shown(value)}"
    elif "exclusiveMinimum" in schema and not value > schema["exclusiveMinimum"]:
        yield f"{here} must be more than {schema['exclusiveMinimum']}, got {shown(value)}"
    elif isinstance(value, str):
        yield from _of_text(value, schema, here)
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{here} must not be empty"
        for number, one in enumerate(value):
            yield from departures(one, schema["items"], f"{place}[{number}]")
    elif isinstance(value, dict):
        yield from _of_object(value, schema, place)


def _of_text(value: str, schema: Mapping[str, Any], here: str) -> Iterator[str]:
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{here} must have at most {schema['maxLength']} letters, got {len(value):,}"
    if not re.search(schema.get("pattern", ""), value) or value.endswith("\n"):
        yield f"{here} must be like {schema.get('pattern', 'one line')}, got {shown(value)}"
    hidden = next((one for one in value if _is_hidden(one)), "")
    if hidden:
        yield (
            f"{here} must have no control characters or invisible ones, got {hidden!a} at "
            f"letter {value.index(hidden) + 1}"
        )


def _is_hidden(letter: str) -> bool:
    r"""Tell what moves the cursor, turns the direction, ends a line, is not seen, or half a letter.

    >>> [_is_hidden(one) for one in ("a", "\n", "\xad", "\u3164", "\u202e")]
    [False, False, True, True, True]
    """
    return letter not in "\t\n" and (category(letter) in _HIDDEN or letter in _BLANK)


def _of_object(value: dict[str, Any], schema: Mapping[str, Any], place: str) -> Iterator[str]:
    known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
    dot = f"{place}." if place else ""
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{dot}{name} must be there"
    for name, one in value.items():
        if name in known:
            yield from departures(one, known[name], f"{dot}{name}")
        elif other is False:
            yield f"{dot}{visible(name)} is not known; there are {', '.join(known)}"
        elif isinstance(other, dict):
            yield from departures(one, other, f"{dot}{visible(name)}")


def why_no_name(name: str) -> str:
    """Say why a folder may not be called so; "" if it may.

    >>> print(why_no_name("../x"))
    a name must have letters A to Z, digits and . _ + - (at most 64, the first a letter or a \
digit), got '../x'
    >>> print(why_no_name("l\u043ef")[-28:])
    with CYRILLIC SMALL LETTER O
    >>> why_no_name("my-detector_2.1")
    ''
    """
    odd = next((letter for letter in name if not letter.isascii()), "")
    if odd:
        what = name_of_letter(odd, f"U+{ord(odd):04X}")
        return f"a name must have {_LETTERS}, got {shown(visible(name))} with {what}"
    if not _NAME.fullmatch(name) or name.endswith("."):
        return f"a name must have {_LETTERS}, got {shown(name)}"
    if name.lower().partition(".")[0] in _RESERVED:
        return f"a name must not be reserved on some systems, got {shown(name)}"
    return ""


def looks_like(name: str) -> str:
    """What a name looks like at a glance: two of the same cannot be told apart on a page.

    >>> looks_like("LOF_1") == looks_like("l0f-i"), looks_like("autorn") == looks_like("AUTOM")
    (True, True)
    """
    found = normalize("NFKC", name).casefold().strip().translate(_LIKE)
    for pair, letter in _PAIRS_ALIKE.items():
        found = found.replace(pair, letter)
    return found


@dataclass(frozen=True)
class Board:
    """The rules of a board, and the series that it is about.

    Attributes
    ----------
    path, title : path, str
        Where it is, and how it is called.
    metrics : tuple of str
        Specs.
    at : number, str or None
        The threshold, or the rule, of metrics that need one.
    files : dict
        Series -> the file of its labels; empty where the board has none.
    groups : dict
        Series -> its data set.
    label : str or None
        The column of the labels.
    stated : bool
        Whether values are taken from who has no scores to show.
    seconds, gigabytes : number
        What one submission may take.
    """

    path: Path
    title: str
    metrics: tuple[str, ...]
    at: Any
    files: Mapping[str, Path]
    groups: Mapping[str, str]
    label: str | None
    stated: bool
    min_coverage: float
    seconds: float
    gigabytes: float

    @cached_property
    def data(self) -> str:
        """A hash of all labels: a submission was made for these, or for others."""
        digest = sha256()
        for name in sorted(self.files):
            digest.update(f"{name}\0{checksum(self.files[name])}\0".encode())
        return digest.hexdigest()

    @property
    def settings(self) -> dict[str, Any]:
        """What a submission must have been judged by."""
        return {"metrics": list(self.metrics), "at": self.at}

    @property
    def submissions(self) -> list[str]:
        """The names of what was submitted, whatever these are."""
        folder = self.path / FOLDER
        if not folder.is_dir():
            return []
        return sorted(
            one.name for one in folder.iterdir() if one.name not in {"README.md", ".gitkeep"}
        )


def read_board(path: str | Path) -> Board:
    """Read the rules of a board.

    Raises
    ------
    InputError
        If there are none, or they cannot be read.
    """
    root = file_path(path, "board")
    file = root / RULES
    if not file.is_file():
        raise InputError(f"board must be a folder with {RULES}, got {str(path)!r}")
    rules = _json(file)
    found = list(departures(rules, SCHEMAS["board"]))
    if found:
        raise InputError(f"{RULES}: {found[0]}")
    files = _label_files(root, rules.get("data"))
    listed = _groups(_inside(root, rules["series"], "series")) if "series" in rules else {}
    groups = listed or {name: name.rpartition("/")[0] for name in files}
    if not groups:
        raise InputError(
            f"{RULES}: data must be the folder of the labels, or series a table of names"
        )
    unlisted = sorted(files.keys() - groups.keys())
    if unlisted:
        raise InputError(
            f"{RULES}: series must name every series, got none for {shown(unlisted[0])}"
        )
    return Board(
        root, rules["title"], tuple(spec(one, known=bool(files)) for one in rules["metrics"]),
        rules.get("at"), files, groups, rules.get("label"), rules.get("stated", not files),
        rules.get("min_coverage", MIN_COVERAGE), rules.get("seconds", SECONDS),
        rules.get("gigabytes", GIGABYTES),
    )  # fmt: skip


def spec(written: str, *, known: bool) -> str:
    """A metric as it is always written; where nothing is judged it may be unknown here."""
    try:
        return str(read_metric(written))
    except AdjudgeError:
        if known:
            raise
        return written


def _groups(file: Path) -> dict[str, str]:
    """The data set of each series, by a table with the columns series and group."""
    found: dict[str, str] = {}
    with suppress(OSError, KeyError, ValueError), file.open(encoding="utf-8", newline="") as stream:
        found = {row["series"]: row.get("group") or "" for row in csv.DictReader(stream)}
    if not found:
        raise InputError(
            f"{RULES}: series must be a CSV table with the columns series and group, got "
            f"{shown(file.name)}"
        )
    return found


def _json(file: Path) -> Any:
    if file.stat().st_size > _LARGEST:
        raise FileError(f"{visible(file.name)}: must be at most {_LARGEST:,} bytes")
    try:
        return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{visible(file.name)}: must be JSON: {visible(error)}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a name that stands twice: two readers would read two things."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _inside(root: Path, written: str, name: str) -> Path:
    if not is_plain_path(written):
        raise InputError(f"{RULES}: {name} must be a path inside the board, got {shown(written)}")
    return root / written


def is_plain_path(written: str) -> bool:
    r"""Tell whether a path stays where it starts, on any system.

    >>> [is_plain_path(one) for one in ("scores/a.npy", "../a", "/a", "a\\b", "C:a", "a//b", "")]
    [True, False, False, False, False, False, False]
    """
    parts = PurePosixPath(written).parts
    plain = "/".join(parts) == written and not set(parts) & {"..", ".", "/"}
    return bool(parts) and plain and not re.search(r"[\\:\x00-\x1f]", written)


def _label_files(root: Path, written: str | None) -> dict[str, Path]:
    """The file of each series below the folder of the labels."""
    if written is None:
        return {}
    folder = _inside(root, written, "data")
    files = [file for file in _below(folder) if file.is_file() and is_table(file)]
    if not files:
        raise InputError(
            f"{RULES}: data must be a folder with a file per series, got {shown(written)}"
        )
    return {name_below(file, folder): file for file in files}


def is_table(file: Path) -> bool:
    """Tell whether a file is one that labels or scores are read from, by its suffix."""
    return Path(without_packing(file.name)).suffix.lower() in {*IN_FOLDERS, *SCORE_SUFFIXES}


@dataclass(frozen=True)
class Submission:
    """What somebody added to a board, as far as it can be read."""

    name: str
    folder: Path
    meta: Mapping[str, Any]
    problems: tuple[str, ...]
    """Why it is refused before any of its numbers is read."""

    @property
    def values(self) -> Path | None:
        """The table of values, if there is one."""
        there = (self.folder / name for name in VALUES)
        return next((file for file in there if file.is_file()), None)

    @cached_property
    def scores(self) -> dict[str, Path]:
        """Series -> the file of scores."""
        folder = self.folder / SCORES
        return {name_below(file, folder): file for file in _below(folder) if file.is_file()}


def _below(folder: Path) -> list[Path]:
    """All that lies in a folder and those below, however deep; no link is followed."""
    found: list[Path] = []
    waiting = [folder] if folder.is_dir() else []
    while waiting:
        place = waiting.pop()
        try:
            entries = list(place.iterdir())
            waiting += [one for one in entries if one.is_dir() and not one.is_symlink()]
        except OSError as error:  # deeper than a path can say, for one
            inner = visible(place.relative_to(folder))
            raise FileError(f"{inner}: cannot be read: {error.strerror}") from None
        found += entries
    return sorted(found)


def read_submission(board: Board, name: str) -> Submission:
    """Read what is in a submission's folder, and all reasons to refuse it."""
    folder = board.path / FOLDER / name
    if why := why_no_name(name):
        return Submission(name, folder, {}, (why,))
    if folder.is_symlink() or not folder.is_dir():
        return Submission(name, folder, {}, ("a submission must be a folder, and no link",))
    like = [one for one in board.submissions if one != name and looks_like(one) == looks_like(name)]
    found = [
        f"a name must not look like that of another, got {name} beside {visible(one)}"
        for one in like
    ]
    files, odd = _files(folder)
    found += odd
    if META not in files:
        return Submission(name, folder, {}, (*found, f"{META} must be there"))
    try:
        meta = _json(folder / META)
    except AdjudgeError as error:
        return Submission(name, folder, {}, (*found, str(error)))
    found += [f"{META}: {one}" for one in departures(meta, SCHEMAS["submission"])]
    if not found:
        found += _other_than_named(board, name, meta)
        found += _of_meta(board, name, meta, files)
    return Submission(name, folder, meta if isinstance(meta, dict) else {}, tuple(found))


def _other_than_named(board: Board, name: str, meta: Mapping[str, Any]) -> Iterator[str]:
    """Refuse a title that passes for another submission."""
    title = meta.get("title", "")
    for other in board.submissions:
        if other != name and looks_like(title) == looks_like(other):
            yield (
                f"{META}: title must not look like the name of another, got {shown(title)} beside "
                f"{visible(other)}"
            )


def _files(folder: Path) -> tuple[dict[str, Path], list[str]]:
    """All files of a submission by their paths within it, and what may not be there."""
    files, odd = {}, []
    for entry in _below(folder):
        inner = entry.relative_to(folder).as_posix()
        if entry.is_symlink():
            odd.append(f"{visible(inner)} must be no link")
        elif entry.is_dir():
            odd += [] if inner.split("/")[0] == SCORES else [f"{visible(inner)} must not be there"]
        elif not entry.is_file() or not is_plain_path(inner):
            odd.append(f"{visible(inner)} must be a plain file")
        elif inner in _BESIDE or (inner.startswith(f"{SCORES}/") and is_table(entry)):
            files[inner] = entry
        else:
            odd.append(f"{visible(inner)} must not be there")
    return files, odd


def _of_meta(
    board: Board, name: str, meta: Mapping[str, Any], files: Mapping[str, Path]
) -> Iterator[str]:
    """What ``meta.json`` says that is not so."""
    if meta["name"] != name:
        yield f"{META}: name must be that of the folder, {name!r}, got {shown(meta['name'])}"
    yield from _other_settings(board, meta["settings"])
    if board.files and meta.get("data") != board.data:
        got = f"{meta['data'][:12]}..." if "data" in meta else "none"
        yield (
            f"{META}: data must be the hash of this board's labels, {board.data[:12]}..., got "
            f"{got}; it was made for other labels"
        )
    stated = meta["files"]
    for inner in sorted({*stated, *files} - {META, "README.md"}):
        if inner not in files:
            yield f"{META}: files must name what is there, got {shown(inner)}, which is not"
        elif inner not in stated:
            yield f"{META}: files must name {visible(inner)} with its SHA-256"
        elif checksum(files[inner]) != stated[inner]:
            yield f"{visible(inner)} must be as {META} says, got a file with another SHA-256"
    scores = [
        name_below(file, Path(SCORES)) for file in map(Path, files) if file.parts[0] == SCORES
    ]
    for series in sorted({one for one in scores if scores.count(one) > 1}):
        yield f"{SCORES}/ must have one file per series, got two of {visible(series)}"
    if not scores and not set(VALUES) & files.keys():
        yield "scores/ or a table of values must be there"
    if set(VALUES) <= files.keys():
        yield "values must be in one table, got values.csv and values.parquet"


def _other_settings(board: Board, settings: Mapping[str, Any]) -> Iterator[str]:
    try:
        metrics = [spec(one, known=bool(board.files)) for one in settings["metrics"]]
    except AdjudgeError as error:
        yield f"{META}: settings.metrics: {error}"
        return
    if metrics != list(board.metrics):
        named = ", ".join(map(visible, metrics))
        yield f"{META}: settings.metrics must be {', '.join(board.metrics)}, got {named}"
    if settings["at"] != board.at:
        at, got = (json.dumps(one) for one in (board.at, settings["at"]))
        yield f"{META}: settings.at must be {at}, got {got}"
