r"""The lines of a text, read one at a time and never past a cap.

The text is UTF-8 with or without a byte-order mark, and lines end in ``\n`` or ``\r\n``. A record
may run over several lines; none may be longer than 1 MiB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from adjudge.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_RECORD = 2**20
UNCLOSED = "a quote opened here is never closed"

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Lines:
    """The physical lines of a stream, decoded, and where the record under way stands.

    ``first`` is the line on which that record began and ``taken`` its bytes so far; who reads the
    records says when one has ended.
    """

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self.stream = stream
        self.file = file
        self.number = 0
        self.first = 1
        self.taken = 0

    def __iter__(self) -> Iterator[str]:
        """One line after another, never reading past the cap."""
        while raw := self.stream.readline(MAX_RECORD + 1 - self.taken):
            self.number += 1
            self.taken += len(raw)
            if self.taken > MAX_RECORD:
                raise FileError(self.too_long())
            if b"\0" in raw:
                raise FileError(self.not_text(raw, "a NUL byte"))
            try:
                yield raw.decode("utf-8-sig" if self.number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                fault = f"byte {error.start + 1} of the line is not UTF-8"
                raise FileError(self.not_text(raw, fault)) from error

    def ended(self) -> None:
        """Note that the record under way is complete."""
        self.first, self.taken = self.number + 1, 0

    def too_long(self) -> str:
        """Say that the record under way passes the cap, and why that may be."""
        if self.number > self.first:
            return f"{self.file}: line {self.first}: {UNCLOSED}"
        return f"{self.file}: line {self.first}: a line must be at most {MAX_RECORD:,} bytes"

    def not_text(self, raw: bytes, fault: str) -> str:
        """Say why a line is no text; UTF-16 shows as its mark, or as every other byte NUL."""
        alternating = b"\0" in raw and not (any(raw[::2]) and any(raw[1::2]))
        if self.number == 1 and (alternating or raw.startswith(_UTF16_MARKS)):
            return f"{self.file}: looks like UTF-16 or UTF-32; save it as UTF-8"
        return f"{self.file}: line {self.number}: {fault}; is this a UTF-8 text?"
