"""Row: one line of the catalogue, from which a metric is made."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from adjudge.adjust import raw
from adjudge.count import Points
from adjudge.metrics.metric import Metric
from adjudge.metrics.parts import Parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudge.data.time_settings import Length


@dataclass(frozen=True, eq=False)
class Row:
    """One row of the catalogue: what a metric is made of, and all there is to say about it.

    A part (``measure``, ``adjust``, ``count``) is a function, or a dataclass whose fields become
    settings of the metric. A metric that is not made of these three has ``count=None``, and its
    ``measure`` takes scores (or flags) and events.

    Parameters
    ----------
    name, title, definition : str
        What it is called, in a word, in a line, and what it is.
    measure, adjust, count : callable or dataclass
        The parts.
    needs : "flags" or "scores"
        Whether it has one value per threshold, or judges them all.
    range : pair of float
        The lowest and the highest value.
    better : "higher" or "lower"
        Which values are better.
    group, reference, undefined, forgives, notes : str
        Where it is listed, who published it, when it is NaN, what it does not punish, and more.

    Examples
    --------
    >>> import adjudge as aj
    >>> row = aj.catalogue["f1_pa"]
    >>> row.title, row.needs, row.range
    ('F-score, point-adjusted', 'flags', (0, 1))
    """

    name: str
    title: str
    definition: str
    measure: Any
    adjust: Any = raw
    count: Any = Points
    needs: Literal["flags", "scores"] = "flags"
    range: tuple[float, float] = (0, 1)
    better: Literal["higher", "lower"] = "higher"
    group: str = ""
    reference: str = ""
    undefined: str = ""
    forgives: str = ""
    notes: str = ""
    claims: frozenset[str] = frozenset()
    always_shown: tuple[str, ...] = ()
    """Settings that a result prints even at their defaults: what a reader must know."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of this row where they are not those of its parts."""
    revision: int = 1
    """Raised whenever the value of the same scores changes: stored results are then made again."""
    listed: bool = True
    """Whether ``adjudge list`` shows it without being asked for all."""

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """Name and default of each setting."""
        return {item.name: self.defaults.get(item.name, item.default) for item in self._fields}

    @cached_property
    def lengths(self) -> Mapping[str, Length]:
        """The settings that are lengths of time, and how they become points."""
        return {i.name: i.metadata["length"] for i in self._fields if "length" in i.metadata}

    @property
    def _fields(self) -> list[Field[Any]]:
        parts = (part for part in (self.adjust, self.count, self.measure) if isinstance(part, type))
        return [item for part in parts for item in fields(part)]

    def parts(self, settings: Mapping[str, Any]) -> Parts:
        """Put the three verbs together."""
        settings = {**self.defaults, **settings}
        made = (
            part(**{f.name: settings[f.name] for f in fields(part) if f.name in settings})
            if isinstance(part, type)
            else part
            for part in (self.measure, self.adjust, self.count)
        )
        return Parts(*made)

    @cached_property
    def metric(self) -> Metric:
        """The metric with its default settings."""
        return Metric(self.name, self)
