"""The catalogue, one row per metric, and the reader of specs.

A row names its three verbs and says all that the documentation, ``adjudge list`` and the tests need
to know. Rows are grouped by what they measure, in the order of the listing.
"""

from __future__ import annotations

import copyreg
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from adjudge.checks import suggest_keywords, word
from adjudge.errors import InputError, UnknownName, shown
from adjudge.metrics.across_channels import any_channel, macro, micro
from adjudge.metrics.claims import audited_claims
from adjudge.metrics.metric import ACROSS, Metric, Row
from adjudge.metrics.oracle import best_of
from adjudge.metrics.own_function import OwnFunction, function_row, kind_of, value_range
from adjudge.metrics.registration import GROUP, checked_row, published_rows
from adjudge.metrics.spec import Call, parse
from adjudge.registry import may_publish

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES_ELSEWHERE = Path(__file__).with_name("names_elsewhere.json")
"""What other packages and papers call a metric; written by ``tools/make.py crosswalk``."""
_SPOKEN = {
    "f1_pa": ("PA", "point adjustment", "point-adjusted"),
    "f1_kpa": ("KPA", "coverage adjustment", "coverage-adjusted"),
    "f1_ba": ("BA", "balanced", "balanced adjustment"),
}
"""What people say for the F1 after each adjustment."""


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
    """Mapping of names to rows, loaded lazily.

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


@suggest_keywords("register")
def register(row: Row) -> Metric:
    """Register your own metric, for `evaluate`, `audit`, `list` and everything else.

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


@suggest_keywords("metric")
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
            f"metric must have a new name, got a function {name}, which is in the catalogue"
        )
    kind = kind_of(function) if needs is None else word(needs, "needs", ("flags", "scores"))
    side = word("higher" if better is None else better, "better", ("higher", "lower"))
    ends = (0.0, 1.0) if bounds is None else value_range(bounds)
    own = OwnFunction(function, name, ends)
    definition = f"a function of your own, {name}(labels, {kind})"
    return function_row(own, definition, kind, side).metric


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
    return f"; give each metric separately (--metric {' --metric '.join(one for one, *_ in parts)})"


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
