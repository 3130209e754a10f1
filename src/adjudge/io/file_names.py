"""File names that say which series and which detector a file is of, by one pattern with fields.

``"{series} - {detector}.csv"`` reads ``Series 07 - Iso Forest.csv``. Everything outside braces is
literal, so brackets and dots in a name need no escape. ``{dataset}`` may hold ``/``, the others do
not; ``{seed}`` makes the run ``detector#seed`` of a detector; ``{any}`` is ignored. A field that
comes twice must be the same text both times.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.errors import FileError, InputError, shown, visible
from adjudge.io.detector_folders import SUFFIXES, agree_on_labels, suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

FIELDS = ("series", "detector", "dataset", "seed", "any")
_FIELD = re.compile(r"\{([^{}]*)\}")
_NO_NAME = "does not match the layout"
_SEPARATORS = (" - ", "__", "--", "_", "-", ".", "@", " ")
"""What people put between the parts of a name; the longer ones first."""
_FULL = 0.9
"""The share of series x detectors that must be there for names to look like both."""
_SERIES_TRIED = 3


class FileNameParts(NamedTuple):
    """What a file name says."""

    series: str
    """With the data set before it, where there is one."""
    detector: str
    """With the seed behind it, where there is one; "" if the pattern has no detector."""


@dataclass(frozen=True)
class NamePattern:
    """A pattern of file names.

    Parameters
    ----------
    text : str
        Names with fields, as paths below the folder: ``"{dataset}/{detector}/{series}.parquet"``.

    Examples
    --------
    >>> NamePattern("{series} - {detector}.csv").read("Series 07 - Iso Forest.csv")
    FileNameParts(series='Series 07', detector='Iso Forest')
    >>> NamePattern("{dataset}/{detector}_{seed}/{series}.csv").read("x/lof_3/a.csv")
    FileNameParts(series='x/a', detector='lof#3')
    """

    text: str

    def __post_init__(self) -> None:
        """Check the fields, and that they can be told apart."""
        if not isinstance(self.text, str):
            raise InputError(f"layout must be a pattern, got {shown(self.text)}")
        for name in self.fields:
            if name not in FIELDS:
                known = ", ".join(f"{{{one}}}" for one in FIELDS)
                raise InputError(f"layout must have fields of {known}, got {{{name}}}")
        if "series" not in self.fields:
            raise InputError(f"layout must name {{series}}, got {self.text!r}")
        if "seed" in self.fields and "detector" not in self.fields:
            raise InputError(f"layout must name {{detector}} with {{seed}}, got {self.text!r}")
        if "}{" in self.text:
            raise InputError(f"layout must have text between two fields, got {self.text!r}")
        if self.text.endswith("}") or self.suffix not in SUFFIXES:
            known = ", ".join(sorted(SUFFIXES))
            raise InputError(f"layout must end in one of {known}, got {self.text!r}")

    @property
    def fields(self) -> list[str]:
        """The names of the fields, in their order."""
        return _FIELD.findall(self.text)

    @property
    def suffix(self) -> str:
        """The suffix of the files, without that of a packing."""
        return suffix_of(self.text)

    @property
    def has_detectors(self) -> bool:
        """Whether every file is of one detector."""
        return "detector" in self.fields

    def read(self, name: str) -> FileNameParts | None:
        """Read a path below the folder; None where it does not match.

        Raises
        ------
        FileError
            If it matches in two ways: the first field as short as can be, and as long.
        """
        short = self._shortest.match(name)
        if short is None:
            return None
        long = self._longest.match(name)
        if long is None or short.groups() != long.groups():
            raise FileError(
                f"{visible(name)}: the layout {self.text!r} must match in one way, got "
                f"{shown(short[1])} and {shown(long[1]) if long else None} for its first field"
            )
        found = short.groupdict()
        series, run = found["series"], found.get("detector", "")
        if "dataset" in found:
            series = f"{found['dataset']}/{series}"
        return FileNameParts(series, f"{run}#{found['seed']}" if "seed" in found else run)

    @cached_property
    def _shortest(self) -> re.Pattern[str]:
        return re.compile(self._expression("+?"))

    @cached_property
    def _longest(self) -> re.Pattern[str]:
        return re.compile(self._expression("+"))

    def _expression(self, many: str) -> str:
        """A regular expression; of all ways to match, lazy and greedy fields find the outermost."""
        pieces = _FIELD.split(self.text)  # text and fields in turn
        seen: set[str] = set()
        for place in range(1, len(pieces), 2):
            name = pieces[place]
            character = "." if name == "dataset" else "[^/]"
            if name == "any":
                pieces[place] = f"({character}{many})"
            elif name in seen:
                pieces[place] = f"(?P={name})"
            else:
                pieces[place] = f"(?P<{name}>{character}{many})"
            seen.add(name)
        pieces[::2] = map(re.escape, pieces[::2])
        return "".join(pieces) + r"\Z"


class Matched(NamedTuple):
    """The files of a folder by what their names say."""

    series: dict[str, dict[str, Path]]
    """Series -> detector -> file."""
    left_out: dict[str, str]
    """Path -> why."""

    @property
    def summary(self) -> str:
        """How many series and detectors were matched, and which cells of these have no file."""
        runs = sorted({run for own in self.series.values() for run in own if run})
        files = sum(map(len, self.series.values()))
        text = f"{files:,} files match the layout: {len(self.series):,} series"
        if not runs:
            return text
        text += f" x {len(runs):,} detector{'s' * (len(runs) != 1)}"
        none = [f"{run} on {name}" for name, own in self.series.items() for run in runs
                if run not in own]  # fmt: skip
        if not none:
            return text
        named = ", ".join(map(visible, none[:3])) + ", ..." * (len(none) > 3)
        return f"{text}, {len(none):,} without a file ({named})"


def matched(pattern: NamePattern, files: Iterable[Path], folder: Path) -> Matched:
    """Read the names of files below a folder.

    Raises
    ------
    FileError
        If no name matches, one matches in two ways, or two mean the same series and detector.
    """
    found = Matched({}, {})
    for file in files:
        name = file.relative_to(folder).as_posix()
        cell = pattern.read(name)
        if cell is None:
            found.left_out[str(file)] = _NO_NAME
            continue
        own = found.series.setdefault(cell.series, {})
        if cell.detector in own:
            raise FileError(
                f"{visible(file)}: the layout must be unique per file, got the same series and "
                f"detector as {visible(own[cell.detector])}"
            )
        own[cell.detector] = file
    if not found.series:
        example = next(iter(found.left_out), None)
        got = "no file" if example is None else f"none of {len(found.left_out):,} files"
        such = "" if example is None else f", such as {visible(example)}"
        raise FileError(
            f"{visible(folder)}: the layout {pattern.text!r} must match file names, got {got}{such}"
        )
    return found


def looks_like(files: list[Path], folder: Path, **columns: Any) -> str:
    """Say which pattern would read a flat folder as series of several detectors; "" if none.

    The names must be nearly all of series x detectors, and files of one series be labelled alike.

    Parameters
    ----------
    files : list of path
        The tables in it.
    folder : path
        The folder.
    **columns
        How files are read, see `adjudge.io.detector_folders.read_series`.
    """
    if any(file.parent != folder for file in files):
        return ""
    for pattern in _candidates([file.name for file in files]):
        try:
            found = matched(pattern, files, folder)
        except FileError:  # a name that can be read in two ways
            continue
        shared: Iterator[Mapping[Any, Path]] = (
            own for own in found.series.values() if len(own) > 1
        )
        if agree_on_labels(islice(shared, _SERIES_TRIED), columns):
            runs = {run for own in found.series.values() for run in own}
            return (
                f"names match {len(found.series):,} series x {len(runs):,} detectors; to rank "
                f'them, use --layout "{pattern.text}"'
            )
    return ""


def _candidates(names: list[str]) -> Iterator[NamePattern]:
    """Patterns of two fields by which names are nearly a full grid; fewer detectors than series."""
    endings = Counter(name[_stem(name) :] for name in names)
    ending = max(endings, key=lambda one: endings[one], default="")
    stems = [name[: _stem(name)] for name in names if name.endswith(ending)]
    for separator in _SEPARATORS:
        for split in (str.partition, str.rpartition):
            parts = [split(stem, separator) for stem in stems if separator in stem]
            left, right = {one for one, _, _ in parts}, {one for _, _, one in parts}
            if min(len(left), len(right)) < 2 or len(parts) < _FULL * len(left) * len(right):
                continue
            orders = ["{series}", "{detector}"], ["{detector}", "{series}"]
            for order in orders if len(left) >= len(right) else orders[::-1]:
                yield NamePattern(separator.join(order) + ending)


def _stem(name: str) -> int:
    """How long a name is without its suffix, and that of a packing."""
    return name.lower().rindex(suffix_of(name)) if suffix_of(name) else len(name)
