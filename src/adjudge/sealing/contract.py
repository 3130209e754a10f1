"""Contract: what is judged by which test, how often, written before anything is judged.

It is TOML that people read. Its id is the SHA-256 of what it says, without the id: comments, blanks
and line ends do not matter, every value does.
"""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from adjudge._version import __version__
from adjudge.errors import InputError, visible
from adjudge.noise.chance_line import CHANCE_REVISION
from adjudge.sealing.answer import SHORT, tampered

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Tables = dict[str, dict[str, Any]]

Looks = int | Literal["any"]
FORM = 1
ANY_LOOKS: Literal["any"] = "any"
"""Looks without an end."""
MOST_LOOKS, MOST_SHIPS = 10_000, 20
_SLOPE, _SUM = 1.1, 10.584448464950803
"""Without an end look k has a share of k^-1.1 of alpha; their sum, zeta(1.1)."""
_ANY = (int, float)
TABLES: Mapping[str, Mapping[str, Any]] = {
    "seal": {"form": int, "made": str, "adjudge": str, "chance_revision": int, "key": str,
             "id": str},
    "data": {"kind": str, "labels": str, "labels_sha256": str, "base": str, "base_sha256": str,
             "events": int, "open_events": int, "open_until": int},
    "read": {},
    "rule": {"metric": str, "at": str, "base_at": str, "null": str, "unit": str, "test": str,
             "ship_if": str, "alpha": _ANY, "looks": (int, str), "ships": int, "reveal": str},
    "power": {"level": float, "a_perfect_detector_has_p_at_most": float,
              "sees_in_four_of_five": float},
}  # fmt: skip
"""The tables of a contract, and the types of their values; what is said of files is free."""
_HEAD = (
    "# A contract of `adjudge seal`. Whatever stands below is sealed: a changed value breaks it.\n"
)


_BLIND = (
    "no gain is seen in four cases of five, hardly that of a perfect detector: seal more events, "
    "or fewer looks"
)


@dataclass(frozen=True)
class Contract:
    """What `adjudge.seal` wrote: ``tables`` by name, as the file has them.

    Attributes
    ----------
    tables : dict
        ``seal`` (id, versions), ``data`` (files and their hashes), ``read`` (how they are read),
        ``rule`` (metric, thresholds, test, level, looks) and ``power`` (what it can see).

    Examples
    --------
    >>> rule = {"alpha": 0.05, "looks": 5, "ships": 1}
    >>> contract = Contract({"seal": {"form": 1}, "rule": rule})
    >>> contract.level(1), contract.id[:12]
    (0.01, '1e7e64170a6b')
    """

    tables: Tables

    @property
    def id(self) -> str:
        """The SHA-256 of all that it says."""
        said = {name: dict(table) for name, table in self.tables.items()}
        said["seal"].pop("id", None)
        return sha256(plain(said)).hexdigest()

    @property
    def looks(self) -> Looks:
        """How many different candidates may be asked about, or "any"."""
        looks: Looks = self.tables["rule"]["looks"]
        return looks

    @property
    def ships(self) -> int:
        """After how many ships it is closed."""
        return int(self.tables["rule"]["ships"])

    def level(self, look: int) -> float:
        """The one-sided level of a look: the first one is look 1."""
        return level_of(self.tables["rule"]["alpha"], self.looks, self.ships, look)

    def to_dict(self) -> dict[str, Any]:
        """The tables."""
        return {name: dict(table) for name, table in self.tables.items()}

    def to_toml(self) -> str:
        """The text of the file."""
        parts = [_HEAD]
        for name, table in self.tables.items():
            lines = [f"{key} = {_value(value)}\n" for key, value in table.items()]
            parts.append("".join([f"[{name}]\n", *lines]))
        return "\n".join(parts)

    def _looks_in_words(self) -> str:
        level = self.tables["power"]["level"]
        if self.looks == ANY_LOOKS:
            return f"any number of looks, the first at level {level:.2g}"
        return f"{self.looks:,} look{'s' * (self.looks > 1)} at level {level:.2g}"

    def __str__(self) -> str:
        """What was sealed, and what it can see."""
        data, rule, power = (self.tables[name] for name in ("data", "rule", "power"))
        shut = data["events"] - data["open_events"]
        gain = power["sees_in_four_of_five"]
        sees = f"a gain of {gain:.2g} is seen in four cases of five" if gain else _BLIND
        return (
            f"sealed {visible(rule['metric'])} on {shut:,} events ({data['open_events']:,} open): "
            f"{self._looks_in_words()}, id {self.id[:SHORT]}\n{sees}"
        )


def level_of(alpha: float, looks: Looks, ships: int, look: int = 1) -> float:
    r"""The level of a look, so that the probability of any false ship is at most alpha.

    Until it is closed, look k has been preceded by fewer than S ships: answers can have taken
    :math:`n_k` paths, and a union bound over all looks and paths holds whatever the asker does. K
    looks have one level; looks without an end have less and less:

    .. math:: n_k = \sum_{j<S} \binom{k - 1}{j}, \qquad \frac{\alpha}{\sum_{i \le K} n_i}
       \quad \text{or} \quad \frac{\alpha \, k^{-1.1}}{n_k \, \zeta(1.1)}

    Parameters
    ----------
    alpha, looks, ships, look : float, int or "any", int, int
        The probability, K, S and k.

    Examples
    --------
    >>> level_of(0.05, 5, 1), round(0.05 / level_of(0.05, 20, 2))
    (0.01, 210)
    >>> [round(level_of(0.05, "any", 1, k), 5) for k in (1, 2, 20)]
    [0.00472, 0.0022, 0.00018]
    """
    if looks == ANY_LOOKS:
        return float(alpha * look**-_SLOPE / (_SUM * _paths(look, ships)))
    return alpha / sum(_paths(k, ships) for k in range(1, looks + 1))


def _paths(look: int, ships: int) -> int:
    """How many answers can have been given before a look."""
    return sum(math.comb(look - 1, j) for j in range(min(ships, look)))


def plain(said: Any) -> bytes:
    """JSON of one form, to be hashed."""
    return json.dumps(said, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _value(value: Any) -> str:
    """A value as TOML writes it: JSON, but for one character that it must not leave as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_contract(path: Path, pinned: str | None = None) -> Contract:
    """Read a contract, and check that it is the one that was sealed.

    Parameters
    ----------
    path : path
        The file.
    pinned : str, optional
        The first digits of its id, 12 at least, as the reader keeps them.
    """
    name = visible(path.name)
    if path.suffix != ".toml":
        raise InputError(f"contract must be what adjudge seal wrote, NAME.toml, got {name}")
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except OSError:
        raise InputError(f"{name} must be a contract of adjudge seal, got no file") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} must be a contract of adjudge seal: {error}") from None
    wrong = _wrong(tables)
    if wrong:
        raise InputError(f"{name} must be a contract of form {FORM}: {wrong}")
    contract = Contract(tables)
    if contract.id != tables["seal"]["id"]:
        raise tampered("the contract was changed after it was sealed")
    if pinned is not None and not (len(pinned) >= SHORT and contract.id.startswith(pinned)):
        raise tampered(f"this is another contract: its id begins with {contract.id[:SHORT]}")
    check_versions(name, tables["seal"])
    return contract


def check_versions(name: str, said: Mapping[str, Any]) -> None:
    """Refuse a contract of another version, whose test may be another.

    Parameters
    ----------
    name, said : str, mapping
        The file, and what it says of how it was made.
    """
    version, revision = said["adjudge"], said["chance_revision"]
    if (version, revision) != (__version__, CHANCE_REVISION):
        raise InputError(
            f"{name} was sealed with adjudge {visible(version)}, chance revision {revision}: "
            "install that version, or seal again"
        )


def _wrong(tables: Mapping[str, Any]) -> str:
    """What is not as a contract has it; "" if nothing."""
    if tables.keys() != TABLES.keys():
        return f"it must have the tables {', '.join(TABLES)}"
    for name, known in TABLES.items():
        table = tables[name]
        if not isinstance(table, dict) or (known and table.keys() != known.keys()):
            return f"[{name}] must have {', '.join(known)}"
        for key, kind in known.items():
            if not isinstance(table[key], kind) or isinstance(table[key], bool):
                return f"{name}.{key} has another type"
    looks, ships = (tables["rule"][key] for key in ("looks", "ships"))
    counted = looks != ANY_LOOKS and (isinstance(looks, str) or not 1 <= looks <= MOST_LOOKS)
    return "looks and ships are out of range" * (counted or not 1 <= ships <= MOST_SHIPS)
