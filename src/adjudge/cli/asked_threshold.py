"""The threshold that was asked for on the command line, for each detector of a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from adjudge.cli.group import note
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudge.io.tables import Table


@dataclass(frozen=True)
class AskedThreshold:
    """What ``--at``, ``--best``, ``--train-length`` and ``--tune-by`` say."""

    at: tuple[str, ...]
    best: bool
    tune_by: str
    train_length: int | None
    learns: bool
    """Whether the rule is to learn on a part: ``--train`` or ``--train-length``."""

    def of(self, table: Table, detector: str) -> Any:
        """The threshold of one detector: a number, a rule, or None."""
        from adjudge.judging.tuning import tuned
        from adjudge.measure.thresholds import Rule
        from adjudge.metrics.threshold_reader import threshold

        if table.tune_on is not None:
            if self.at or self.best:
                raise InputError("--tune-on chooses the threshold; leave out --at and --best")
            return tuned(self.tune_by, on=table.tune_on)
        text = self._text(table, detector)
        if not self.learns:
            return text
        rule = None if text is None else threshold(text)
        if not isinstance(rule, Rule):
            raise InputError(
                "--train needs a rule to learn, such as --at 'quantile(0.99)', got "
                f"{text or 'none'}"
            )
        if self.train_length is None and table.train is None:
            raise InputError(f"{table.name}: no training part is known; say --train-length N")
        return replace(rule, on=table.train if self.train_length is None else self._first)

    def tell_without_effect(self, metrics: Iterable[str]) -> None:
        """Say of which metrics the threshold is not asked: those with one of their own."""
        from adjudge.metrics.reader import metric as read_metric

        chosen = [read_metric(spec) for spec in metrics if spec != "all"] if self.at else []
        for metric in chosen:
            if metric.oracle:
                note(f"--at has no effect on {metric}, which chooses its own threshold")
            elif metric.at is not None:
                note(f"--at has no effect on {metric}, which has its own threshold")

    @property
    def _first(self) -> str:
        return f"0:{self.train_length}"

    def _text(self, table: Table, detector: str) -> str | None:
        """Find what was said for a detector: NAME=X, or X for all."""
        named, general = {}, None
        for text in self.at:
            name, equals, rest = text.partition("=")
            if equals and name in table.scores:
                named[name] = rest
            elif general is not None:
                raise InputError(
                    f"--at must be given once, or once per detector as NAME=X, got {text!r}; "
                    f"detectors are {', '.join(table.scores)}"
                )
            else:
                general = text
        if named and general is None and detector not in named:
            raise InputError(f"--at must name every detector, got none for {detector!r}")
        return named.get(detector, general)
