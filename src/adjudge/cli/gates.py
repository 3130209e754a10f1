"""Gates on the command line: which values make a verb end with exit code 3."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from adjudge.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.judging.judgement import Judgement


@dataclass(frozen=True)
class Gate:
    """What every detector must reach."""

    under: dict[str, float]
    over: dict[str, float]
    better: bool

    def check(self, chance: bool | None) -> None:
        """Refuse a gate that nothing could pass."""
        if self.better and chance is False:
            raise click.UsageError("--fail-unless-better needs the chance line: no --no-chance")

    def failures(self, judged: Judgement) -> list[str]:
        """Say what falls short."""
        return judged.failures(self.under, self.over, better_than_chance=self.better)


def gate(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the gate; the command gets them as one."""

    @wraps(command)
    def with_gate(**options: Any) -> None:
        under, over = (_limits(options.pop(key), key) for key in ("fail_under", "fail_over"))
        command(gate=Gate(under, over, options.pop("fail_unless_better")), **options)

    for option in reversed(_GATE):
        with_gate = option(with_gate)
    return with_gate


_GATE = (
    click.option(
        "--fail-under",
        metavar="METRIC=X",
        multiple=True,
        help="Exit code 3 if a value is below X, or undefined; repeatable.",
    ),
    click.option(
        "--fail-over",
        metavar="METRIC=X",
        multiple=True,
        help="The same for metrics where lower is better: exit code 3 if above X.",
    ),
    click.option(
        "--fail-unless-better",
        is_flag=True,
        help="Exit code 3 unless every detector is better than chance.",
    ),
)


def _limits(given: tuple[str, ...], key: str) -> dict[str, float]:
    """Read METRIC=X; the metric may have settings, so the last = counts. All limits must hold."""
    limits: dict[str, float] = {}
    stricter = max if key == "fail_under" else min
    for text in given:
        name, equals, limit = text.rpartition("=")
        try:
            level = float(limit)
        except ValueError:
            equals = ""
        if not equals or not name or level != level:  # noqa: PLR0124 - only NaN is not itself
            option = f"--{key.replace('_', '-')}"
            raise InputError(f"{option} must be METRIC=X, such as f1_ba=0.5, got {text!r}")
        limits[name.strip()] = stricter(level, limits.get(name.strip(), level))
    return limits
