"""Store: where the finished chunks of a study are kept, a folder or the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from adjudge.experiments.folder import Chunk, Question
    from adjudge.experiments.table import Study


class Store(Protocol):
    """What a study asks of the place where its finished chunks are kept."""

    def finished(self, experiments: int) -> Study | None:
        """The whole table, if it stands already."""

    def rows(self, chunk: Chunk) -> str | None:
        """The rows of a chunk, if they are there."""

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""

    def checkpoint(self, chunk: Chunk) -> str | None:
        """Where the draws of a chunk begin, if that is known."""

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Keep where the draws of a chunk begin."""

    def assemble(self, experiments: int) -> Study:
        """The table of all rows."""

    def close(self) -> None:
        """Let others write here again."""


class Memory(Store):
    """The chunks of a study that is not written anywhere."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._rows: dict[Chunk, str] = {}

    def finished(self, experiments: int) -> None:
        """Nothing is, at first."""

    def rows(self, chunk: Chunk) -> None:
        """Nothing is there yet."""

    def keep(self, chunk: Chunk, rows: str) -> None:
        """Keep the rows of a chunk."""
        self._rows[chunk] = rows

    def checkpoint(self, chunk: Chunk) -> None:
        """Nothing is there yet."""

    def keep_checkpoint(self, chunk: Chunk, text: str) -> None:
        """Nobody comes back for it."""

    def assemble(self, experiments: int) -> Study:
        """The table of all rows."""
        return self._question.table(experiments, [self._rows[key] for key in sorted(self._rows)])

    def close(self) -> None:
        """Nobody else can write here."""
