r"""Shards: results as they come, one line each, never changed once they are written.

::

    {"sha256":"8c1f...","row":{"series":"a","key":"...",...}}\n

Each line carries the checksum of its row. A line that is torn or damaged is passed over, and
whoever misses it does its work again; the lines around it are not affected. A run writes a shard of
its own: it never appends to what an earlier one may have left half-written.
"""

from __future__ import annotations

import json
import os
import re
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from adjudge.stores.files import is_there

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_NAME = re.compile(r"\d{6,}\.jsonl")
_HEAD, _MIDDLE, _TAIL = b'{"sha256":"', b'","row":', b"}\n"
_DIGITS = 32
_BODY = len(_HEAD) + _DIGITS + len(_MIDDLE)
_JSON = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
_LONGEST = 1 << 22
"""Bytes of a line; what is longer is no line of ours."""
_SYNC_EVERY = 1.0
"""Seconds between forced writes: what a power cut takes in between is done again."""


class Block(NamedTuple):
    """Where lines of one key lie, one after the other."""

    shard: int
    start: int
    size: int
    seal: bytes = b""
    """The SHA-256 of all of it, where this process wrote it: then no line need be looked at."""


def encode(row: dict[str, Any]) -> bytes:
    r"""Write a row as a line.

    >>> encode({"a": 1})
    b'{"sha256":"015abd7f5cc57a2dd94b7590f04ad808","row":{"a":1}}\n'
    """
    return _line(_JSON.encode(row).encode())


def _line(text: bytes) -> bytes:
    return b"".join((_HEAD, _check(text), _MIDDLE, text, _TAIL))


_NEXT_ROW = b'},{"series":'
"""Between rows of a list that begin by their series: within text, quotes have a backslash."""


def _encoded(series: str, rows: list[dict[str, Any]]) -> bytes:
    """Write the rows of a series as lines: made into JSON at once, and cut apart."""
    texts = _JSON.encode([{"series": series, **row} for row in rows]).encode()[2:-2]
    lines = texts.split(_NEXT_ROW)
    begins = (b"{", *[b'{"series":'] * (len(lines) - 1))
    return b"".join(_line(head + text + b"}") for head, text in zip(begins, lines, strict=True))


def decode(line: bytes) -> dict[str, Any] | None:
    """Read a line; None if it is not one, or not as it was written."""
    text = _text(line)
    row = None if text is None else json.loads(text)
    return row if isinstance(row, dict) else None


def _text(line: bytes) -> bytes | None:
    """The row of a line as JSON, if it is as it was written."""
    text = line[_BODY : -len(_TAIL)]
    if line[:_BODY] != _HEAD + _check(text) + _MIDDLE or not line.endswith(_TAIL):
        return None
    return text


def _decoded(data: bytes, seal: bytes) -> list[dict[str, Any]]:
    """The rows of many lines at once, without those that are none."""
    lines = data.splitlines(keepends=True)
    if seal and sha256(data).digest() == seal:
        texts = [line[_BODY : -len(_TAIL)] for line in lines]
    else:
        texts = [text for text in map(_text, lines) if text is not None]
    return [row for row in json.loads(b"[" + b",".join(texts) + b"]") if isinstance(row, dict)]


class Shards:
    """The shards of a folder: what earlier runs have left, and one that takes more.

    Every row has a ``series``; rows of a series are found without reading the others.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._blocks: dict[str, list[Block]] = {}
        self._stream: int | None = None
        self._number = self._end = 0
        self._synced = 0.0
        self.damaged = sum(map(self._scan, self._numbers()))

    def series(self) -> Iterable[str]:
        """The series that have rows."""
        return self._blocks

    def rows(self, series: str) -> list[dict[str, Any]]:
        """Read the rows of a series, in the order in which they were written."""
        found = []
        for block in self._blocks.get(series, ()):
            with self._path(block.shard).open("rb") as stream:
                stream.seek(block.start)
                found += _decoded(stream.read(block.size), block.seal)
        return [row for row in found if row["series"] == series]

    def append(self, series: str, rows: list[dict[str, Any]]) -> None:
        """Add rows of a series, all of them in one write."""
        if not rows:
            return
        stream = self._begin() if self._stream is None else self._stream
        data = _encoded(series, rows)
        _write(stream, data)
        self._note(series, Block(self._number, self._end, len(data), sha256(data).digest()))
        self._end += len(data)
        if time.monotonic() - self._synced > _SYNC_EVERY:
            self.sync()

    def sync(self) -> None:
        """Force to disk what was written."""
        if self._stream is not None:
            os.fsync(self._stream)
            self._synced = time.monotonic()

    def close(self) -> None:
        """End this run's shard."""
        if self._stream is not None:
            os.close(self._stream)
            self._stream = None

    def _begin(self) -> int:
        self._folder.mkdir(exist_ok=True)
        self._number = max(self._numbers(), default=0) + 1
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        self._stream = os.open(self._path(self._number), flags, 0o666)
        self._end = 0
        return self._stream

    def _numbers(self) -> list[int]:
        if not self._folder.exists():
            return []
        names = (path.name for path in self._folder.iterdir())
        return sorted(int(name.partition(".")[0]) for name in names if _NAME.fullmatch(name))

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:06}.jsonl"

    def _scan(self, number: int) -> int:
        """Note where the rows of a shard lie; give the number of lines that are damaged."""
        path, start, damaged = self._path(number), 0, 0
        is_there(path)
        with path.open("rb") as stream:
            for line in _lines(stream):
                row = decode(line)
                if row is None or not isinstance(row.get("series"), str):
                    damaged += 1
                else:
                    self._note(row["series"], Block(number, start, len(line)))
                start += len(line)
        return damaged

    def _note(self, series: str, block: Block) -> None:
        blocks = self._blocks.setdefault(series, [])
        last = blocks[-1] if blocks else None
        if last and last.shard == block.shard and last.start + last.size == block.start:
            blocks[-1] = Block(last.shard, last.start, last.size + block.size)
        else:
            blocks.append(block)


def _lines(stream: Any) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST):
        yield line


def _check(text: bytes) -> bytes:
    return sha256(text).hexdigest()[:_DIGITS].encode()


def _write(handle: int, data: bytes) -> None:
    """Write all of it: a disk that is nearly full takes a part without complaint."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]
