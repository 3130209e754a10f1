"""The table behind `adjudge.catalogue`: one row per metric, and the reader of specs.

A row names its three verbs and says all that the documentation, ``adjudge list`` and the tests need
to know. The claims of a row are laws that it obeys at its default settings, and axioms that an
audit finds it to keep (``docs/axioms.md``); the tests hold both in both directions: what is
claimed holds, and what is not claimed fails somewhere.

Laws
----
perfect
    Scores that equal the labels score 1.
nothing
    No flags at all score 0, or are undefined.
monotone
    One normal point scored higher, or one anomalous point lower, never raises the value.
reversal
    Reading time backwards changes nothing.
quiet
    More quiet, normal time after the end changes nothing.
doubling
    The same series twice, with quiet time between, scores the same as once.

The axioms that a row claims, from the verdicts of its audit.

Registration: rows of third parties, checked like our own before the catalogue takes them in.

A package publishes its metrics under the entry-point group ``adjudge.metrics``; each entry point is
a `Row` or several of them, and is read when the catalogue is first looked at.

Every row, grouped by what it measures, in the order of the listing.
"""

from __future__ import annotations

import copyreg
import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from importlib import import_module
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from adjudge.checks import front_door, items, may_publish, published, word
from adjudge.data.case import Case
from adjudge.errors import AdjudgeError, InputError, UnknownName, as_text, shown
from adjudge.metrics.audit_results import ORDER, TITLES, VERDICTS
from adjudge.metrics.metric import ACROSS, Metric, Row, any_channel, best_of, macro, micro
from adjudge.metrics.spec import Call, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from adjudge._typing import Array
    from adjudge.data.events import Events


def audited_claims(name: str) -> frozenset[str]:
    """Name the axioms that a row keeps.

    >>> sorted(audited_claims("f1_ba") & {"C-1", "C-2", "C-3", "L2"})
    ['C-1', 'C-2', 'C-3']
    """
    signs = VERDICTS.get(name, "")  # a new row claims nothing yet
    return frozenset(axiom for axiom, sign in zip(ORDER, signs, strict=False) if sign == "+")


def claims_in_order(claims: frozenset[str]) -> list[str]:
    """Claims as a reader expects them: the laws, then the axioms question by question.

    >>> claims_in_order(frozenset({"L10", "perfect", "L2", "C-1"}))
    ['perfect', 'C-1', 'L10', 'L2']
    """
    return sorted(claims - set(ORDER)) + [axiom for axiom in ORDER if axiom in claims]


def claims_in_words(claims: frozenset[str]) -> list[str]:
    """Claims in the same order, with what each axiom is about.

    >>> claims_in_words(frozenset({"perfect", "C-1"}))
    ['perfect', 'C-1 (robust)']
    """
    return [f"{one} ({TITLES[one]})" if one in TITLES else one for one in claims_in_order(claims)]


GROUP = "adjudge.metrics"
_NAMES_ELSEWHERE = Path(__file__).with_name("names_elsewhere.json")
"""What other packages and papers call a metric; written by ``docs/make_crosswalk.py``."""
_SPOKEN = {
    "f1_pa": ("PA", "point adjustment", "point-adjusted"),
    "f1_kpa": ("KPA", "coverage adjustment", "coverage-adjusted"),
    "f1_ba": ("BA", "balanced", "balanced adjustment"),
}
"""What people say for the F1 after each adjustment."""
_SOME = np.array([0, 1, 1, 0, 0, 0, 1, 0])
_OTHER = np.array([0, 0, 1, 0, 1, 1, 0, 0])
_NONE, _EVERY = np.zeros(8, np.int64), np.ones(8, np.int64)
_TRIALS = {
    "some events, some flags": (_SOME, _OTHER),
    "no events": (_NONE, _OTHER),
    "no flags": (_SOME, _NONE),
    "neither events nor flags": (_NONE, _NONE),
    "nothing but events": (_EVERY, _OTHER),
    "nothing but flags": (_SOME, _EVERY),
    "one point": (_EVERY[:1], _NONE[:1]),
}


def checked_row(row: Row, taken: Collection[str]) -> Row:
    """A row that may enter the catalogue: named, described, and defined where it says so.

    Parameters
    ----------
    row : Row
        The row.
    taken : collection of str
        Names that are in use.

    Returns
    -------
    Row
        The row, in the group "registered" if it names none.
    """
    if not isinstance(row, Row):
        raise InputError(f"row must be an adjudge.Row, got {type(row).__name__}")
    if not isinstance(row.name, str) or not re.fullmatch("[a-z][a-z0-9_]*", row.name):
        raise InputError(f"row.name must be lower-case words joined by _, got {row.name!r}")
    if row.name in taken:
        raise InputError(f"row.name must be new, got {row.name!r}, which is in the catalogue")
    for words in ("title", "definition", "reference", "undefined", "forgives"):
        if not getattr(row, words):
            raise InputError(f"row.{words} must be a few words, got none; {row.name} needs them")
    row = row if row.group else replace(row, group="registered")
    for what, (labels, flags) in _TRIALS.items():
        _try(row, what, Case(labels, flags))
    return row


def _try(row: Row, what: str, case: Case) -> None:
    """Judge a small case: the value must be in range, or undefined."""
    metric = row.metric
    before = case.scores.copy()
    try:
        value = metric.reading(case).value
        if metric.row.needs == "flags":
            best_of(metric).reading(case)
    except AdjudgeError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise InputError(f"row {row.name} must judge {what}, got {problem}") from error
    low, high = row.range
    if not (math.isnan(value) or low - 1e-9 <= value <= high + 1e-9):
        raise InputError(
            f"row {row.name} must give a value from {low} to {high} or NaN, got {value} for {what}"
        )
    if not np.array_equal(before, case.scores):
        raise InputError(f"row {row.name} must leave its input alone, but it changed it for {what}")


def published_rows(taken: Collection[str]) -> Iterator[Row]:
    """Rows that installed packages publish; one that is no good is named, and left out."""
    names = set(taken)
    for row in published(GROUP, lambda _, found: _checked_rows(found, names)):
        names.add(row.name)
        yield row


def _checked_rows(found: Any, taken: Collection[str]) -> Iterator[Row]:
    names = set(taken)
    for row in [found] if isinstance(found, Row) else items(found, "what it names", "rows"):
        checked = checked_row(row, names)
        names.add(checked.name)
        yield checked


_FAMILIES = (  # in the order of the listing; the first are asked for most
    *(
        f"metrics.rows.{family}"
        for family in (
            "points", "events", "matching", "ranges", "affiliation", "tolerance", "timing",
            "around_events", "changes", "early_warning", "soft_labels", "score_order",
            "scored_alerts", "channels", "other_fields",
        )
    ),
    "compat.other_names",
)  # fmt: skip


def own_rows() -> tuple[Row, ...]:
    """Read the rows of every family, without those of other packages.

    Only when asked: a dozen modules stand behind them.
    """
    return tuple(row for family in _FAMILIES for row in _family(family).values())


@cache
def _family(module: str) -> dict[str, Row]:
    """The rows of one family."""
    rows: tuple[Row, ...] = import_module(f"adjudge.{module}").ROWS
    return {row.name: replace(row, claims=row.claims | audited_claims(row.name)) for row in rows}


class _Catalogue(Mapping[str, Row]):
    """Name to row. Families are read until a name is found: importing stays quick.

    Where another package publishes rows, all are read at once: what is no good is said.
    """

    @cached_property
    def _rows(self) -> dict[str, Row]:
        own = {row.name: row for row in own_rows()}
        return own | {row.name: row for row in published_rows(own)}

    def add(self, row: Row) -> None:
        """Take in one more row."""
        self._rows[row.name] = row

    def __getitem__(self, name: str) -> Row:
        if "_rows" not in vars(self) and not may_publish(GROUP):
            for family in map(_family, _FAMILIES):
                if name in family:
                    return family[name]
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


_CATALOGUE = _Catalogue()
catalogue: Mapping[str, Row] = _CATALOGUE


def is_own(row: object) -> bool:
    """Tell whether a row is of this library, so that its revision stands for its code."""
    return any(row is own for own in own_rows())


def _reduced(row: Row) -> Any:
    """Pickle and copy a row of this library by its name: it is the same row everywhere."""
    return (_own_row, (row.name,)) if is_own(row) else object.__reduce_ex__(row, 4)


def _own_row(name: str) -> Row:
    return next(row for row in own_rows() if row.name == name)


copyreg.pickle(Row, _reduced)


@front_door("register")
def register(row: Row) -> Metric:
    """Add a metric of your own to the catalogue: to `list`, `evaluate`, `audit` and all the rest.

    It is checked like the metrics of the library: a new name, words that say what it is and what it
    forgives, and a value in its range (or NaN) for every degenerate case. A package that wants its
    metrics to be there whenever it is installed names them as entry points of the group
    ``adjudge.metrics``.

    Parameters
    ----------
    row : Row
        The metric. With ``count=None`` its ``measure`` is ``(flags, events) -> float``, or
        ``(scores, events) -> float`` if it says ``needs="scores"``; as a dataclass its fields are
        settings.

    Returns
    -------
    Metric
        What the name now means.

    Raises
    ------
    InputError
        If the name is taken, words are missing, or a small case is judged out of range.

    Examples
    --------
    >>> import adjudge as aj
    >>> row = aj.Row(
    ...     "quiet_share", "share of quiet points", "share of the points that are not flagged",
    ...     lambda flags, events: 1 - flags.mean(), count=None, reference="An example.",
    ...     undefined="never", forgives="missed events",
    ... )
    >>> row.metric([0, 0, 1, 1], [0, 0, 0, 1])  # before it is registered
    0.75
    >>> aj.register(row)  # doctest: +SKIP
    quiet_share
    """
    checked = checked_row(row, catalogue)
    _CATALOGUE.add(checked)
    return checked.metric


@front_door("metric")
def metric(
    spec: str | Metric | Callable[..., Any],
    *,
    needs: Literal["flags", "scores"] | None = None,
    better: Literal["higher", "lower"] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Metric:
    """The metric that a spec describes, or that a function of yours computes.

    ``str`` of the metric gives the spec back.

    Parameters
    ----------
    spec : str, Metric or callable
        A name of the catalogue, with settings and ``best(...)`` around it if need be. It is
        parsed, never evaluated. A metric comes back as it is. A function ``(labels, flags) ->
        float`` or ``(labels, scores) -> float`` becomes a metric with its name: `evaluate`,
        `compare`, `rank` and `chance` take it. It gets arrays of their own, labels and flags of 0
        and 1, without the points that are not judged. Several series in one table reach it in one
        call, one behind the other, and so do several channels, as one; `rank` calls it for each
        series. It returns NaN where it is undefined.
    needs : "flags" or "scores", optional
        What a function takes. Default: scores, if the name of its second parameter has ``score``
        in it, else flags.
    better : "higher" or "lower", optional
        Which of a function's values are better. Default: the higher ones.
    bounds : pair of float, optional
        The range of a function's values, whose ends may be infinite. Default: (0, 1).

    Returns
    -------
    Metric
        To be called with labels and scores.

    Raises
    ------
    UnknownName
        If there is no such metric or setting; the nearest names are offered.
    InputError
        If the text is no spec, a setting has a value that it cannot have, or a function has no
        name of its own.

    Examples
    --------
    >>> metric("best(f1_ba(width=5))")
    best(f1_ba(width=5))
    >>> def quiet_share(labels, flags):
    ...     return 1 - flags.mean()
    >>> metric(quiet_share)([0, 0, 1, 1], [0, 0, 0, 1])
    0.75
    >>> metric("f1_bq")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    adjudge.errors.UnknownName: unknown metric 'f1_bq', did you mean 'f1_ba' or 'f1_pa'?...
    """
    if callable(spec) and not isinstance(spec, Metric):
        return _of_function(spec, needs, better, bounds)
    for name, given in (("needs", needs), ("better", better), ("bounds", bounds)):
        if given is not None:
            raise InputError(f"{name} must be left out but for a function, got {shown(given)}")
    if isinstance(spec, Metric):
        return spec
    if not isinstance(spec, str):
        raise InputError(f"metric must be a spec such as 'f1_ba(width=5)', got {shown(spec)}")
    try:
        call = parse(spec)
    except InputError as error:
        raise InputError(f"{error}{_meant(spec)}") from None
    return _built(call)


class OwnFunction(NamedTuple):
    """A user's function of labels and flags (or scores), as the measure of a row."""

    function: Callable[..., Any]
    name: str
    range: tuple[float, float]

    def __call__(self, given: Array, events: Events) -> float:
        """Its value on the judged points: a number in its range, or NaN."""
        judged = slice(None) if events.judged is None else events.judged
        labels, own = events.labels[judged].astype(np.int64), given[judged].copy()  # its to change
        where = f"on {own.size} points with {len(events)} events"
        try:
            result = self.function(labels, own.astype(np.int64) if own.dtype == bool else own)
        except Exception as error:
            raised = f"it raised {type(error).__name__}: {as_text(error)}"
            raise InputError(
                f"{self.name} must return a number or NaN; {where} {raised}"
            ) from error
        value, wrong = returned_number(result)
        if wrong:
            raise InputError(f"{self.name} must return a number or NaN; {where} {wrong}")
        low, high = self.range
        if value < low - 1e-9 or value > high + 1e-9:
            raise InputError(
                f"{self.name} must return a number from {low:g} to {high:g} or NaN, got "
                f"{value:g}; give its range, aj.metric({self.name}, bounds=(low, high))"
            )
        return value


def _of_function(
    function: Callable[..., Any],
    needs: Literal["flags", "scores"] | None,
    better: Literal["higher", "lower"] | None,
    bounds: tuple[float, float] | None,
) -> Metric:
    name = getattr(function, "__name__", "")
    if not name.isidentifier():
        raise InputError(f"metric must have a name: write it with def, got {shown(function)}")
    if name in catalogue or name in {"best", *ACROSS}:
        raise InputError(
            f"metric must have a name of its own, got a function {name}, which is in the catalogue"
        )
    kind = kind_of(function) if needs is None else word(needs, "needs", ("flags", "scores"))
    side = word("higher" if better is None else better, "better", ("higher", "lower"))
    ends = (0.0, 1.0) if bounds is None else value_range(bounds)
    own = OwnFunction(function, name, ends)
    definition = f"a function of your own, {name}(labels, {kind})"
    return _function_row(own, definition, kind, side).metric


@cache
def _function_row(own: OwnFunction, definition: str, kind: Any, side: Any) -> Row:
    """One row for one function, so that two of one name are told from one that is given twice."""
    return Row(
        own.name, own.name, definition, own, count=None, needs=kind, better=side, range=own.range,
        group="registered", undefined="where the function returns it",
        forgives="what `aj.audit` finds",
    )  # fmt: skip


def kind_of(function: Callable[..., Any]) -> Literal["flags", "scores"]:
    """What a function takes: scores, if its second parameter has that in its name, else flags.

    >>> kind_of(lambda labels, y_score: 0.5), kind_of(lambda truth, prediction: 0.5)
    ('scores', 'flags')
    """
    try:
        parameters = list(signature(function).parameters.values())
    except (TypeError, ValueError):  # compiled functions need not say
        return "flags"
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return "flags"
    taken = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in taken if p.default is p.empty]
    if len(taken) < 2 or len(required) > 2:
        raise InputError(
            f"metric must be a function of (labels, flags) or (labels, scores), got one of "
            f"({', '.join(p.name for p in parameters)})"
        )
    return "scores" if "score" in taken[1].name else "flags"


def returned_number(result: Any) -> tuple[float, str]:
    """Float that a function returned, or NaN and the reason why it is none.

    >>> returned_number(np.float32(0.5)), returned_number(None)
    ((0.5, ''), (nan, 'it returned a NoneType, None'))
    """
    with suppress(Exception):  # whatever the object that was returned does
        if isinstance(result, (Real, np.integer, np.floating, np.bool_)) or (
            getattr(result, "shape", None) == () and not np.iscomplexobj(result)
        ):
            return float(result), ""
    return math.nan, f"it returned a {type(result).__name__}, {shown(result)}"


def value_range(bounds: object) -> tuple[float, float]:
    """Both ends of a range, which may be infinite.

    >>> value_range((0, np.inf))
    (0.0, inf)
    """
    with suppress(TypeError, ValueError):  # no pair, or not of numbers
        low, high = map(float, bounds)  # type: ignore[call-overload]
        if low < high:
            return low, high
    raise InputError(f"bounds must be (low, high) with low < high, got {shown(bounds)}")


def meant_by(name: str) -> tuple[str, ...]:
    """The metrics that somebody means by a name: ours, written otherwise, or one from elsewhere.

    >>> meant_by("VUS-PR"), meant_by("roc_auc_score"), meant_by("pak")
    (('vus_pr',), ('auc_roc',), ('f1_kpa', 'precision_at_k'))
    """
    letters = _letters(name)
    own = [known for known in catalogue if _letters(known) == letters]
    elsewhere = json.loads(_NAMES_ELSEWHERE.read_text("utf-8"))
    others = [
        metric
        for metric, names in [*_SPOKEN.items(), *elsewhere.items()]
        if letters in map(_letters, names)
    ]
    return tuple(dict.fromkeys([*own, *others])) if letters else ()


def _letters(name: str) -> str:
    """What is left of a name when only its letters count, and the sign that PA%K has."""
    return re.sub(r"[^a-z0-9%]", "", name.lower()).removesuffix("score")


def _meant(spec: str) -> str:
    """Guess what somebody meant by what is no spec: several metrics, or one by another name."""
    parts = [meant_by(part) for part in spec.split(",")]
    if not all(parts):
        return ""
    if len(parts) == 1:
        return f"; did you mean {' or '.join(map(repr, parts[0]))}?"
    return f"; give each metric by itself (--metric {' --metric '.join(one for one, *_ in parts)})"


_WRAPPERS = dict(zip(ACROSS, (any_channel, micro, macro), strict=True))


def _built(call: Call) -> Metric:
    if call.name == "best":
        match call:
            case Call(values=(Call() as inner,)) if call.settings.keys() <= {"thresholds"}:
                return best_of(_built(inner), **call.settings)
        raise InputError(f"best(...) takes one metric, got {call}")
    if call.name in ACROSS:
        match call:
            case Call(values=(Call() as inner,)) if not call.settings:
                return _WRAPPERS[call.name](_built(inner))
        raise InputError(f"{call.name}(...) takes one metric, got {call}")
    if call.name not in catalogue:
        listed = sum(row.listed for row in catalogue.values())
        hint = f"`adjudge list` shows {listed}, `adjudge list --all` all {len(catalogue)}"
        raise UnknownName("metric", call.name, catalogue, hint, meant_by(call.name))
    if call.values:
        raise InputError(f"settings must be named, as in {call.name}(name=value), got {call}")
    return catalogue[call.name].metric.with_settings(**call.settings)
