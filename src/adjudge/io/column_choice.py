"""Choose the columns of a file by their names, and guess nothing.

In a table the label is the column called ``label``, ``Label``, ``labels`` or ``is_anomaly``, and
the scores are ``score`` and every column whose name starts with ``score_``. In an archive the
arrays are called ``labels`` and ``scores``. A name that the caller gives goes before these; series
ids and the mask have no usual name and must be given. Where two columns could be meant, none is
taken.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudge.errors import FileError, UnknownName

MAX_NAME = 200

_SHOWN = reprlib.Repr()
_SHOWN.maxstring = 60


@dataclass(frozen=True)
class Rule:
    """The names that mean something by themselves in one kind of file."""

    word: str
    labels: tuple[str, ...]
    score: str
    prefixes: tuple[str, ...]


COLUMNS = Rule("column", ("label", "Label", "labels", "is_anomaly"), "score", ("score_",))
ARRAYS = Rule("array", ("labels",), "scores", ())


@dataclass(frozen=True)
class Asked:
    """The names the caller gave for a file; None and empty leave it to the rule."""

    file: str
    rule: Rule
    label: str | None = None
    scores: tuple[str, ...] = ()
    series: str | None = None
    where: str | None = None


@dataclass(frozen=True)
class Columns:
    """The columns chosen from a file, by role."""

    label: str
    scores: tuple[str, ...]
    series: str | None
    where: str | None

    @property
    def needed(self) -> tuple[str, ...]:
        """Every column to read, the label first."""
        named = (name for name in (self.series, self.where) if name is not None)
        return (self.label, *self.scores, *named)


Choose = Callable[[Sequence[str]], Columns]


def choose(asked: Asked, names: Sequence[str]) -> Columns:
    """Pick the columns of a file by what was asked and, where nothing was, by the rule."""
    for name in (asked.label, *asked.scores, asked.series, asked.where):
        if name is not None and name not in names:
            hint = f"{asked.file} has the {asked.rule.word}s {_listing(names)}"
            raise UnknownName(asked.rule.word, name, names, hint)
    label = _default_label(asked, names) if asked.label is None else asked.label
    taken = (label, asked.series, asked.where)
    scores = asked.scores or _default_scores(asked, names, taken)
    columns = Columns(label, scores, asked.series, asked.where)
    _check_needed(columns.needed, asked, names)
    return columns


def _default_label(asked: Asked, names: Sequence[str]) -> str:
    """Find the one column with a usual name for labels."""
    word, usual = asked.rule.word, asked.rule.labels
    found = [name for name in usual if name in names]
    if not found:
        raise FileError(
            f"{asked.file}: the label {word} must be one of {_listing(usual)}, got the {word}s "
            f"{_listing(names)}; name it with --label"
        )
    if len(found) > 1:
        raise FileError(
            f"{asked.file}: there must be one label {word}, got {_listing(found)}; "
            "name it with --label"
        )
    return found[0]


def _default_scores(
    asked: Asked, names: Sequence[str], taken: tuple[str | None, ...]
) -> tuple[str, ...]:
    """Find the columns with the usual names for scores that have no other role."""
    rule = asked.rule
    usual = [name for name in names if name == rule.score or name.startswith(rule.prefixes)]
    found = tuple(name for name in usual if name not in taken)
    if not found:
        prefixes = "".join(f" or start with {prefix!r}" for prefix in rule.prefixes)
        raise FileError(
            f"{asked.file}: a score {rule.word} must be called {rule.score!r}{prefixes}, got the "
            f"{rule.word}s {_listing(names)}; name it with --score"
        )
    return found


def _check_needed(needed: Sequence[str], asked: Asked, names: Sequence[str]) -> None:
    """Refuse a column with two roles, or a name that stands for two columns."""
    word = asked.rule.word
    for name in dict.fromkeys(needed):
        if names.count(name) > 1:
            raise FileError(
                f"{asked.file}: {word} {_SHOWN.repr(name)} must be there once, got "
                f"{names.count(name)}"
            )
        if needed.count(name) > 1:
            raise FileError(
                f"{asked.file}: {word} {_SHOWN.repr(name)} must have one role among label, score, "
                f"series and where, got {needed.count(name)}"
            )
        if len(name) > MAX_NAME:
            raise FileError(
                f"{asked.file}: the name of a {word} must be at most {MAX_NAME} characters, got "
                f"{len(name):,}: {_SHOWN.repr(name)}"
            )


def _listing(names: Sequence[str]) -> str:
    """List the first twenty names."""
    more = f", ... and {len(names) - 20:,} more" if len(names) > 20 else ""
    return ", ".join(map(_SHOWN.repr, names[:20])) + more
