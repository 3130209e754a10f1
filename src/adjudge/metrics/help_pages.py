"""The help page of a metric: what ``help(aj.f1_ba)`` and IPython's ``aj.f1_ba?`` show.

Nothing here runs until somebody asks: the page is put together from the row of the catalogue and
from the docstrings of the parts, and its example is computed.

What the settings of a metric are: read from the docstrings of its parts when somebody asks.
"""

from __future__ import annotations

import re
from dataclasses import Field, fields, is_dataclass
from inspect import Parameter, Signature, cleandoc, formatannotation, getmro
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric


class SettingDoc(NamedTuple):
    """One setting: what it may be, and what it does."""

    kind: str
    text: str


def setting_docs(part: Any) -> dict[str, SettingDoc]:
    """Describe each setting of a part by the section "Parameters" of its docstring.

    A setting that a part inherits may be described where it is declared.

    Parameters
    ----------
    part : object
        What adjusts, counts or measures: a dataclass, or a function, which has no settings.

    Returns
    -------
    dict of str to SettingDoc
        In the order of the fields.

    Examples
    --------
    >>> from adjudge.measure.rates import FBeta
    >>> setting_docs(FBeta())["beta"].kind
    'float'
    """
    if not is_dataclass(part):
        return {}
    found: dict[str, SettingDoc] = {}
    for owner in reversed(getmro(type(part))):
        found |= _documented_parameters(owner.__doc__ or "")
    return {item.name: found.get(item.name, _by_its_type(item)) for item in fields(part)}


def _by_its_type(item: Field[Any]) -> SettingDoc:
    """What can be said of a setting that nobody describes."""
    return SettingDoc(item.type if isinstance(item.type, str) else formatannotation(item.type), "")


def _documented_parameters(docstring: str) -> dict[str, SettingDoc]:
    """Read the entries "name : type" of the section; one without a type only refers elsewhere."""
    _, _, rest = cleandoc(docstring).partition("Parameters\n----------\n")
    section = re.split(r"\n\n[A-Z][\w ]*\n-+\n", rest)[0]
    entries: dict[str, SettingDoc] = {}
    for entry in re.split(r"\n(?=\w)", section):
        head, _, text = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        if kind:
            doc = SettingDoc(kind.removesuffix(", optional"), cleandoc(_plain(text)))
            entries |= dict.fromkeys(names.split(", "), doc)
    return entries


def _plain(text: str) -> str:
    r"""Leave out the marks of reStructuredText that mean nothing in a terminal.

    >>> _plain(r":math:`\delta(i, L)` is ``1``, see `layers`")
    'delta(i, L) is 1, see layers'
    """
    return re.sub(r":math:|`+|\\(?=[a-z])", "", text)


_LABELS = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]
_FLAGS = [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
_SCORES = [0.1, 0.6, 0.2, 0.3, 0.9, 0.8, 0.4, 0.1, 0.2, 0.3]

_TAKES = {
    "flags": "Flags (1 is an alarm); or real numbers, with at= for a threshold, or inside best().",
    "scores": "One number per point, higher is more anomalous.",
}
_ALWAYS = {
    "at": SettingDoc(
        "float or rule",
        "Points with a score above it are flagged: a number, or a rule such as quantile(0.99).",
    ),
    "series": SettingDoc("column", "Which series a point is of; equal ids stand side by side."),
    "where": SettingDoc("column of bool", "Which points are judged. None: all."),
    "time": SettingDoc("column of times", "When each point was; settings may then be durations."),
    "channels": SettingDoc("names", "The channels, where labels and scores have a column each."),
    "subsystem": SettingDoc("dict", "Groups of channels, for subsystem_*."),
    "zero_division": SettingDoc("float", "What to give where the value is undefined (0/0)."),
}
_ORACLE = "At the best threshold in hindsight, chosen by the labels: an upper bound, not a result."
_SETTINGS_ALONE = "Called with only settings, returns a new metric with them."


def call_signature(metric: Metric) -> Signature:
    """All that a call of the metric takes, with the settings it has as defaults.

    >>> import adjudge as aj
    >>> call_signature(aj.auc_roc)
    <Signature (labels=None, scores=None, *, series=None, where=None, time=None, channels=None, \
subsystem=None, zero_division=nan)>
    """
    columns = dict.fromkeys(("labels", "scores"))
    kinds = dict.fromkeys(columns, Parameter.POSITIONAL_OR_KEYWORD)
    return Signature(
        [
            Parameter(name, kinds.get(name, Parameter.KEYWORD_ONLY), default=value)
            for name, value in {**columns, **_named(metric)}.items()
        ]
    )


def _named(metric: Metric) -> dict[str, Any]:
    """What must be given by name: the settings, the threshold if it takes one, and the rest."""
    settings = {**metric.row.parameters, **dict(metric.settings)}
    threshold = {"at": metric.at} if metric.at_one_threshold else {}
    return {
        **settings,
        **threshold,
        "series": None,
        "where": None,
        "time": None,
        "channels": None,
        "subsystem": None,
        "zero_division": np.nan,
    }


def help_page(metric: Metric) -> str:
    """Say what the metric is: formula in words, settings, what it forgives, an example.

    >>> import adjudge as aj
    >>> print(help_page(aj.recall).split("Parameters")[0].strip())
    Recall.
    <BLANKLINE>
    Share of the anomalous points that are flagged.
    """
    row = metric.row
    low, high = row.range
    value = f"From {low} to {high}, {row.better} is better. NaN: {row.undefined}. {_SETTINGS_ALONE}"
    sections = {
        "Parameters": _parameters(metric),
        "Returns": _entry("float", fill(value, 76)),
        "What it forgives": _filled(row.forgives),
        "Notes": row.notes,
        "References": fill(row.reference, 80),
        "Examples": _example(metric),
    }
    summary = [_filled(row.title), _filled(row.definition), *[fill(_ORACLE, 80)] * metric.oracle]
    filled = [f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items() if text]
    return "\n\n".join([*summary, *filled]) + "\n"


def _parameters(metric: Metric) -> str:
    described = dict(_ALWAYS)
    for part in metric.parts:
        described |= setting_docs(part)
    takes = _TAKES["scores" if metric.oracle else metric.row.needs]
    entries = [
        _entry("labels : column or Events", "Which points are anomalous: 1, the others 0."),
        _entry("scores : column", fill(takes, 76)),
    ]
    for name, value in _named(metric).items():
        kind, text = described[name]
        entries.append(_entry(f"{name} : {kind}, default: {value!r}", text))
    return "\n".join(entries)


def _entry(head: str, text: str) -> str:
    return f"{head}\n{indent(text, '    ')}".rstrip()


def _example(metric: Metric) -> str:
    """A call that runs, and what it gives."""
    spec = str(metric)
    made = f"aj.{spec}" if spec == metric.name else f"aj.metric({spec!r})"
    name, column = ("flags", _FLAGS) if metric.needs_threshold else ("scores", _SCORES)
    return "\n".join(
        [
            ">>> import adjudge as aj",
            f">>> labels = {_LABELS}",
            f">>> {name} = {column}",
            f">>> {made}(labels, {name})",
            repr(metric(_LABELS, column)),
        ]
    )


def _filled(text: str) -> str:
    """A sentence of its own: a capital letter, a full stop, lines of a width that can be read."""
    return fill(f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}", 80)
