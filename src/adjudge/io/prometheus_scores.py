"""Read a score that Prometheus has kept: the answer to a range query, a matrix in JSON.

Each set of labels is a series with samples of its own, and each name of a metric a detector. A
sample that is not there is no point: time without samples is a gap, which nobody watched. What lies
in several answers, since one has at most 11,000 samples, is read by a pattern such as
``part*.json``.
"""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.data.clock import Clock
from adjudge.data.intervals import repeat
from adjudge.errors import FileError, UnknownName
from adjudge.io.exports.contract import inside
from adjudge.io.exports.prometheus import matrix_of
from adjudge.io.labels_and_scores import LabelledScores
from adjudge.io.records import read_records
from adjudge.io.text_files import opened, unpacked, without_packing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge._typing import Floats

    Labels = Mapping[str, str]

_NAME = "__name__"
_START = 4096
"""So many bytes say what a file is."""
_KEYS = ((b'"resultType"',), (b'"errorType"',), (b'"result"', b'"metric"'))
"""What stands at the start of an answer; the last where its keys were sorted."""
_UNNAMED = "score"
"""What a detector is called that is an expression, which has no name."""


def is_answer(path: str) -> bool:
    """Whether a file, or the first that a pattern fits, is an answer of Prometheus."""
    first = path
    if any(sign in path for sign in "*?[") and not Path(path).exists():
        first = next(iter(sorted(map(str, Path(path).parent.glob(Path(path).name)))), path)
    if not without_packing(first).endswith(".json") or not Path(first).is_file():
        return False
    with opened(first) as stream:
        start = unpacked(stream, first, first).read(_START)
    return start.lstrip()[:1] == b"{" and any(all(k in start for k in keys) for keys in _KEYS)


def read_matrix(path: str, series: str | None = None, names: Sequence[str] = ()) -> LabelledScores:
    """Read scores, and when each sample was; labels are yet to come from incidents.

    Parameters
    ----------
    path
        The file, or a pattern that several fit.
    series
        The label that tells series apart. Default: ``service``, else all labels.
    names
        The metrics to take, or patterns; none: all.

    Returns
    -------
    LabelledScores
        No point is labelled. Where a detector lacks a sample that another has, its score is NaN.
    """
    records = read_records(path)
    result = matrix_of(records)
    if result is None:
        raise FileError(
            f"{records.file}: must be the response to a range query (data.resultType is "
            f"matrix), got {inside(records.content, 'data.resultType')!r}"
        )
    if not result:
        raise FileError(f"{records.file}: there must be at least one series, got none")
    found: dict[str, dict[tuple[tuple[str, str], ...], dict[int, float]]] = {}
    for number, one in enumerate(result):
        labels = dict(one["metric"])
        name = labels.pop(_NAME, _UNNAMED)
        if name == "ALERTS":
            raise FileError(
                f"{records.file}: holds ALERTS, which are alerts, not scores: pass it as "
                "--alerts, with --truth and --span"
            )
        place = f"{records.file}: data.result[{number}]"
        samples = {_instant(at): _score(value, place) for at, value in one["values"]}
        found.setdefault(name, {}).setdefault(tuple(sorted(labels.items())), {}).update(samples)
    chosen = {name: own for name, own in found.items() if _fits(name, names)}
    unknown = next((one for one in names if not any(fnmatchcase(n, one) for n in found)), None)
    if unknown is not None:
        raise UnknownName("metric", unknown, found, f"{records.file} has {', '.join(found)}")
    sets = list(dict.fromkeys(labels for own in chosen.values() for labels in own))
    ids, label = _ids([dict(labels) for labels in sets], series, records.file)
    times = [sorted({at for own in chosen.values() for at in own.get(one, ())}) for one in sets]
    scores: dict[str, Any] = {
        name: _column([own.get(one, {}) for one in sets], times) for name, own in chosen.items()
    }
    instants = np.array([at for own in times for at in own], np.int64)
    if not instants.size:
        raise FileError(f"{records.file}: there must be at least one sample, got none")
    of = repeat(np.array(ids, object), [len(own) for own in times]) if label else None
    return LabelledScores(
        np.zeros(instants.size, bool), scores, of, None, records.name, time=Clock(instants, "UTC"),
        summary=_summary(scores, ids if label else [], label, instants.size),
        from_prometheus=True,
    )  # fmt: skip


def _instant(seconds: Any) -> int:
    return round(float(seconds) * 1000) * 1_000_000


def _score(text: Any, place: str) -> float:
    """A value as Prometheus writes it: "0.93", "NaN", "+Inf"."""
    try:
        return float(text)
    except (TypeError, ValueError):
        raise FileError(
            f"{place}: a sample must be a number as text, got {json.dumps(text)}"
        ) from None


def _fits(name: str, wanted: Sequence[str]) -> bool:
    return not wanted or any(fnmatchcase(name, one) for one in wanted)


def _ids(sets: Sequence[Labels], label: str | None, file: str) -> tuple[list[str], str]:
    """What each series is called, and by which label; "": there is one, and it has no name."""
    known = dict.fromkeys(name for labels in sets for name in labels)
    if label is not None and label not in known:
        raise UnknownName("label", label, known, f"{file} has the labels {', '.join(known)}")
    usual = "service" if all("service" in labels for labels in sets) else ""
    wanted = label or usual
    if not wanted and len(sets) == 1:
        return [""], ""
    if not wanted:
        return [", ".join(f"{k}={v}" for k, v in labels.items()) for labels in sets], "all labels"
    ids = [labels.get(wanted, "") for labels in sets]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        own = [labels for labels in sets if labels.get(wanted, "") == twice]
        apart = [name for name in known if len({labels.get(name) for labels in own}) > 1]
        raise FileError(
            f"{file}: {wanted} {twice!r} must be one series, got {len(own)}, which differ in "
            f"{', '.join(apart)}: ask for max by ({wanted}) (...), or use --series {apart[0]}"
        )
    return ids, wanted


def _column(samples: Sequence[Mapping[int, float]], times: Sequence[Sequence[int]]) -> Floats:
    """The scores of one detector at all times; NaN: it has none there."""
    return np.array(
        [own.get(at, np.nan) for own, when in zip(samples, times, strict=True) for at in when]
    )


def _summary(scores: Mapping[str, Any], ids: Sequence[str], label: str, samples: int) -> str:
    """Say in one line what an answer holds."""
    listed = f"prometheus: {samples:,} samples of {', '.join(scores)}"
    return listed + (f", {len(ids)} series by {label}" if label else "")
