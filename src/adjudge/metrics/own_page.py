"""The page and the signature that each metric has of its own, made when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect import Signature


class OwnHelp:
    """The docstring of a class of which each metric has a page of its own, made when asked for."""

    def __init__(self, of_the_class: str | None) -> None:
        self.of_the_class = of_the_class

    def __get__(self, metric: Any, owner: object = None) -> str | None:
        """The page of a metric, or the docstring of the class."""
        from adjudge.metrics.help_pages import help_page  # noqa: PLC0415 - it reads metrics

        return self.of_the_class if metric is None else help_page(metric)


class OwnSignature:
    """The signature of a call, by which editors and libraries learn the settings of a metric."""

    def __get__(self, metric: Any, owner: object = None) -> Signature | None:
        """The signature of a metric; None for the class, which Python works out by itself."""
        from adjudge.metrics.help_pages import call_signature  # noqa: PLC0415 - it reads metrics

        return None if metric is None else call_signature(metric)
