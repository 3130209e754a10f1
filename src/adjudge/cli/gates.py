"""Gates on the command line: which values make a verb end with exit code 3."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli.declaration import option, with_options
from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.judging.judgement import Judgement


_gate = partial(option, title="Gates", first=True)


@dataclass(frozen=True)
class Gate:
    """What every detector must reach."""

    under: dict[str, float | str]
    over: dict[str, float | str]
    better: bool

    def check(self, chance: bool | None) -> None:
        """Refuse a gate that nothing could pass."""
        if self.better and chance is False:
            raise click.UsageError("--fail-unless-better needs the chance line: drop --no-chance")

    def failures(self, judged: Sequence[tuple[str, Judgement]]) -> list[str]:
        """Say what falls short, file by file; a gate that has nothing to look at is not passed."""
        from adjudge.judging.gates import NOTHING

        if not judged and (self.under or self.over or self.better):
            return [NOTHING]
        how = {"under": self.under, "over": self.over}
        return [
            f"{name}: {short}"
            for name, one in judged
            for short in one.failures(**how, better_than_chance=self.better)
        ]


def _gate_of(given: dict[str, Any]) -> dict[str, Any]:
    under, over = (_limits(given.pop(key), key) for key in ("fail_under", "fail_over"))
    return {"gate": Gate(under, over, given.pop("fail_unless_better"))}


_limit = partial(_gate, not_with="over_time", many=True)
gate = with_options(
    (
        _limit("--fail-under METRIC=X",
            "Exit code 3 if a value is below X, or undefined; repeatable."),
        _limit("--fail-over METRIC=X",
            "Exit code 3 if a lower-is-better metric is above X, or undefined; a duration "
            "(10min) for delays if times are known."),
        _gate("--fail-unless-better", "Exit code 3 unless every detector is better than chance.",
            not_with="over_time"),
    ),
    _gate_of,
)  # fmt: skip
"""Add the options of the gate; the command gets them as one."""


def _limits(given: tuple[str, ...], key: str) -> dict[str, float | str]:
    """Read METRIC=X; the metric may have settings, so the last = counts. All limits must hold."""
    limits: dict[str, float | str] = {}
    stricter = max if key == "fail_under" else min
    for text in given:
        name, _, limit = text.rpartition("=")
        level = _level(limit.strip())
        if not name.strip() or level is None:
            option = f"--{key.replace('_', '-')}"
            raise InputError(
                f"{option} must be METRIC=X, such as f1_ba=0.5 or detection_delay=10min, got "
                f"{text!r}"
            )
        both = (level, limits.get(name.strip(), level))
        if len({type(one) for one in both}) > 1:
            raise InputError(
                f"{name.strip()} must have limits of one kind, got {both[1]} and {level}"
            )
        limits[name.strip()] = stricter(both, key=_size)
    return limits


def _level(text: str) -> float | str | None:
    """A number, or a duration as it is written; None if it is neither."""
    from adjudge.data.durations import duration

    try:
        number = float(text)
    except ValueError:
        try:
            duration(text, "limit")
        except InputError:
            return None
        return text
    return None if math.isnan(number) else number


def _size(level: float | str) -> float:
    from adjudge.data.durations import duration

    return duration(level, "limit") if isinstance(level, str) else level
