"""Ledger: every look, in lines that each hold the hash of the one before.

A look is charged before anything is computed: the line ``asked`` is on the disk by then. The hash
of the last line is also kept by a **witness** in another place (``ADJUDGE_WITNESS``, else the state
folder of the user), so that lines cannot be taken away. A key that the asker does not have signs
the lines, so that they cannot all be written anew.
"""

from __future__ import annotations

import hmac
import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError
from adjudge.sealing.answer import SHIP, SHORT, Word, tampered
from adjudge.sealing.contract import ANY_LOOKS, Contract, plain
from adjudge.stores.files import write_texts
from adjudge.stores.locks import take_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    Line = dict[str, Any]

_NONE = "0" * 64
_SHORTEST_KEY = 16
_BINARY = getattr(os, "O_BINARY", 0)
LINES = {
    "sealed": {"seal"}, "asked": {"candidate", "look", "level"},
    "answered": {"candidate", "answer"},
}  # fmt: skip
"""What a line of each kind says, beside its place, its time and the hashes."""
EVERY = {"n", "what", "at", "prev"}


def now() -> str:
    """The time as lines and contracts have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def witness_folder() -> Path:
    """Where heads of ledgers and hashes of sealed labels are kept."""
    given = os.environ.get("ADJUDGE_WITNESS")
    return Path(given) if given else Path.home() / ".local" / "state" / "adjudge" / "seals"


def read_key(path: str | os.PathLike[str] | None) -> bytes:
    """The key in a file; none without one."""
    if path is None:
        return b""
    try:
        key = Path(path).read_bytes().strip()
    except OSError as error:
        raise InputError(f"key must be a file that can be read: {error.strerror}") from None
    if len(key) < _SHORTEST_KEY:
        raise InputError(f"key must have at least {_SHORTEST_KEY} bytes, got {len(key)}")
    return key


def key_name(key: bytes) -> str:
    """What names a key in a contract without telling it."""
    return sha256(b"key" + key).hexdigest()[:16] if key else ""


def keyed(data: bytes, key: bytes) -> str:
    """The hash of data; with a key nobody can check a guess of the data without it."""
    return hmac.new(key, data, "sha256").hexdigest() if key else sha256(data).hexdigest()


class SealedLabels:
    """The book of labels that were sealed before: a second seal would be a second budget."""

    def __init__(self, digest: str) -> None:
        self._path = witness_folder() / "labels" / f"{digest}.txt"

    @property
    def seals(self) -> list[str]:
        """The ids of the contracts that sealed them."""
        return self._path.read_text().split() if self._path.exists() else []

    def add(self, contract: str) -> None:
        """Note one more contract."""
        lines = [*self.seals, contract]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_texts(self._path, [f"{line}\n" for line in lines])


class ContractLines:
    """The lines of one contract, while nobody else can write them.

    Parameters
    ----------
    path, contract, key : Path, Contract, bytes
        The file of the contract, what it says, and the key, if there is one.
    """

    def __init__(self, path: Path, contract: Contract, key: bytes) -> None:
        self.path, self._key, self._id = ledger_of(path), key, contract.id
        self._witness = witness_folder() / f"{self._id}.head"
        self.lines: list[Line] = []

    def begin(self) -> None:
        """Write the first line."""
        self._witness.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        try:
            self._write(handle, {"what": "sealed", "seal": self._id})
        finally:
            os.close(handle)

    @contextmanager
    def held(self) -> Iterator[ContractLines]:
        """Read and check all lines; others wait until it is let go."""
        if self.path.is_symlink() or not self.path.is_file():
            raise tampered("the ledger is not there")
        self._handle = os.open(self.path, os.O_RDWR | os.O_APPEND | _BINARY)
        try:
            take_lock(self._handle, wait=True)
            self._read(os.read(self._handle, os.fstat(self._handle).st_size))
            self._check_witness()
            yield self
        finally:
            os.close(self._handle)

    def append(self, **said: Any) -> None:
        """Write one more line to the disk, then tell the witness."""
        self._write(self._handle, said)

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return str(self.lines[-1]["hash"])

    @property
    def looks(self) -> dict[str, int]:
        """The look at which each candidate was asked for."""
        return {line["candidate"]: line["look"] for line in self._of("asked")}

    @property
    def answers(self) -> dict[str, Word]:
        """What was answered to each candidate."""
        return {line["candidate"]: line["answer"] for line in self._of("answered")}

    @property
    def shipped(self) -> int:
        """How many candidates were shipped."""
        return sum(answer == SHIP for answer in self.answers.values())

    def left(self, contract: Contract) -> int | None:
        """How many looks are left; None: any number."""
        if self.shipped >= contract.ships:
            return 0
        return None if contract.looks == ANY_LOOKS else contract.looks - len(self.looks)

    def check_head(self, head: str) -> None:
        """Refuse a ledger in which a line that its reader has seen is not."""
        if not any(line["hash"].startswith(head) for line in self.lines) or len(head) < SHORT:
            raise tampered("the head that is given is not in the ledger: lines were taken away")

    def _of(self, what: str) -> list[Line]:
        return [line for line in self.lines if line["what"] == what]

    def _write(self, handle: int, said: Line) -> None:
        before = self.head if self.lines else _NONE
        line = {"n": len(self.lines), **said, "at": now(), "prev": before}
        line["hash"] = sha256(plain(line)).hexdigest()
        if self._key:
            line["mac"] = keyed(line["hash"].encode(), self._key)
        os.write(handle, json.dumps(line).encode() + b"\n")  # at once: a kill leaves no half of it
        os.fsync(handle)
        self.lines.append(line)
        write_texts(self._witness, [f"{len(self.lines)} {line['hash']}\n"])

    def _read(self, raw: bytes) -> None:
        if not raw.endswith(b"\n"):
            raise tampered("the last line of the ledger is torn")
        before = _NONE
        for place, text in enumerate(raw.splitlines()):
            line = self._checked(text, place, before)
            self.lines.append(line)
            before = line["hash"]
        if self.lines[0].get("seal") != self._id:
            raise tampered("the ledger is that of another contract")

    def _checked(self, text: bytes, place: int, before: str) -> Line:
        changed = tampered(f"line {place + 1} of the ledger was changed, moved or left out")
        try:
            line = json.loads(text)
            mac, own = line.pop("mac", ""), line.pop("hash")
            right = own == sha256(plain(line)).hexdigest()
            right &= line.keys() == LINES[line["what"]] | EVERY
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            raise changed from None
        if not right or line.get("prev") != before or line.get("n") != place:
            raise changed
        if self._key and not hmac.compare_digest(str(mac), keyed(own.encode(), self._key)):
            raise tampered(f"line {place + 1} of the ledger was not written with the key")
        return {**line, "hash": own}

    def _check_witness(self) -> None:
        """Compare with the witness, which a crash leaves one line behind and never ahead."""
        try:
            count, head = self._witness.read_text().split()
            known = self.lines[int(count) - 1]["hash"] if int(count) > 0 else ""
        except (OSError, ValueError, IndexError):
            raise tampered(
                "the ledger is shorter than its witness knows, or that is gone"
            ) from None
        if known != head:
            raise tampered("the ledger is not the one that its witness knows")


def ledger_of(path: Path) -> Path:
    """The file of the ledger, beside its contract."""
    return path.with_suffix(".jsonl")
