"""A sealed judge: one bit for each new candidate, as many times as its contract says."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError
from adjudge.judging.doors.compare import compare
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.judge.verdict import is_better_than_chance
from adjudge.metrics.reader import metric as read_metric
from adjudge.metrics.spec import threshold
from adjudge.sealing.answer import SHIP, SHORT, STAY, Answer, Closed, tampered
from adjudge.sealing.contract import read_contract
from adjudge.sealing.data import NEW, TODAY, Sealable, SealedData, sealed_data
from adjudge.sealing.ledger import ContractLines, key_name, keyed

if TYPE_CHECKING:
    import os

    from adjudge.judging.comparing.comparison import Comparison
    from adjudge.judging.inputs.contract import Input
    from adjudge.metrics.metric import Metric

NO_NULL = "none"


class Terms:
    """How a contract judges: the metric, the thresholds, and what more is asked."""

    def __init__(self, said: dict[str, Any], border: int) -> None:
        self.said, self.border = said, border
        self.metric: Metric = read_metric(said["metric"])
        self.at, self.base_at = (_threshold(said[name]) for name in ("at", "base_at"))

    def alarms(self, data: SealedData, given: Any) -> Sealable:
        """The alarms of a candidate at the sealed threshold."""
        return data.alarms(given, self.metric, self.at, self.border)

    def today(self, data: SealedData) -> Sealable:
        """The alarms of the detector that runs today, at its own."""
        return data.alarms(data.today, self.metric, self.base_at, self.border)

    def compared(self, data: SealedData, alarms: Any) -> Comparison:
        """The candidate beside the detector of today, in the sealed part: by `adjudge.compare`."""
        both = data.part({NEW: alarms, TODAY: self.today(data).column}, self.border, sealed=True)
        return compare(both, metric=self.metric, unit=self.said["unit"])

    def passes(self, data: SealedData, alarms: Any, level: float) -> bool:
        """Whether a candidate is ahead at a level, and better than chance where that is asked."""
        if not one_sided(self.compared(data, alarms)) <= level:
            return False
        return self.said["null"] == NO_NULL or self.beats_null(data, alarms)

    def beats_null(self, data: SealedData, alarms: Any) -> bool:
        """Whether a candidate is better than the null model of the contract."""
        alone = data.part({NEW: alarms}, self.border, sealed=True)
        found = evaluate(alone, self.metric, null=self.said["null"], chance=True)
        return is_better_than_chance(found.rows)

    def ships(self, data: SealedData, alarms: Any, level: float) -> bool:
        """The same; whatever goes wrong with sealed labels is a no, and is not told."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning may tell of values
            try:
                return self.passes(data, alarms, level)
            except Exception:  # noqa: BLE001 - its text may tell of labels
                return False


def _threshold(text: str) -> Any:
    return None if text == NO_NULL else threshold(text)


def one_sided(found: Comparison) -> float:
    """How often detectors that are no better are as far ahead; 1 where nobody knows.

    >>> from adjudge.judging.doors.compare import compare
    >>> labels, often = [0, 0, 0, 1, 0] * 20, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> ahead, behind = compare(labels, labels, often), compare(labels, often, labels)
    >>> round(one_sided(ahead), 4), round(one_sided(behind), 4)
    (0.001, 0.999)
    """
    if math.isnan(found.p_value):
        return 1.0
    return found.p_value / 2 if found.ahead == "a" else 1 - found.p_value / 2


class Sealed:
    """A contract with its data and its ledger.

    Parameters
    ----------
    path, key, pinned : path, bytes, str
        The file of the contract, the key, and the id that the reader has kept.
    """

    def __init__(
        self, path: str | os.PathLike[str], key: bytes = b"", pinned: str | None = None
    ) -> None:
        self.path, self._key = Path(path), key
        self.contract = read_contract(self.path, pinned)
        tables = self.contract.tables
        if tables["seal"]["key"] != key_name(key):
            raise InputError(
                "key must be the file of the key that this contract was sealed with; --key says it"
                if tables["seal"]["key"]
                else "key must be left out: this contract has none"
            )
        self.data = sealed_data(self.path.parent, tables)
        for name, digest in digests(self.data, key).items():
            if tables["data"][name] != digest:
                raise tampered(f"{name.partition('_')[0]} are not what was sealed")
        self.rule = Terms(tables["rule"], tables["data"]["open_until"])

    def judge(self, given: Any, head: str | None = None) -> Answer:
        """Answer to a candidate.

        Parameters
        ----------
        given, head : file, column or Alerts; str
            The candidate, and the head of the ledger that the reader has kept.
        """
        alarms = self.rule.alarms(self.data, self.data.candidate(given))
        name = keyed(alarms.said, b"")
        with ContractLines(self.path, self.contract, self._key).held() as ledger:
            if head is not None:
                ledger.check_head(head)
            replayed = name in ledger.looks
            if name not in ledger.answers:
                self._look(ledger, name, alarms)
            return Answer(
                ledger.answers[name], "", name[:SHORT], ledger.looks[name], replayed,
                ledger.left(self.contract), self.contract.id[:SHORT], ledger.head[:SHORT],
            )  # fmt: skip

    def _look(self, ledger: ContractLines, name: str, alarms: Sealable) -> None:
        """Charge a look, then see."""
        if ledger.shipped >= self.contract.ships:
            raise Closed("budget spent", "a candidate was shipped, so this contract is closed")
        look = ledger.looks.get(name) or len(ledger.looks) + 1
        level = self.contract.level(look)
        if name not in ledger.looks:
            if ledger.left(self.contract) == 0:
                raise Closed("budget spent", f"all {self.contract.looks:,} looks are spent")
            ledger.append(what="asked", candidate=name, look=look, level=level)
        ships = self.rule.ships(self.data, alarms.column, level)
        ledger.append(what="answered", candidate=name, answer=SHIP if ships else STAY)

    @property
    def state(self) -> dict[str, Any]:
        """What the contract says, and how many looks are left."""
        with ContractLines(self.path, self.contract, self._key).held() as ledger:
            left, head = ledger.left(self.contract), ledger.head[:SHORT]
        return {**self.contract.to_dict(), "left": left, "head": head}

    def about(self, given: Any) -> dict[str, Any]:
        """What anybody may know of a candidate: no label plays a part."""
        own = self.rule.alarms(self.data, self.data.candidate(given))
        today = self.rule.today(self.data)
        beside = {f"base_{name}": count for name, count in today.counts.items()}
        return {**own.counts, **beside, "same_alarms_as_base": own.said == today.said}

    def open_part(self, given: dict[str, Any]) -> Input:
        """The open labels beside the detector of today and others."""
        border = self._open_border()
        read = {name: self.data.candidate(one) for name, one in given.items()}
        return self.data.part({**read, TODAY: self.data.today}, border, sealed=False)

    def open_benchmark(self) -> dict[str, Any]:
        """The open labels as `adjudge.inspect` takes them."""
        return self.data.benchmark(self._open_border())

    def _open_border(self) -> int:
        if not self.contract.tables["data"]["open_events"]:
            raise InputError("this contract has no open part: no label may be looked at")
        return self.rule.border


def digests(data: SealedData, key: bytes) -> dict[str, str]:
    """The hashes by which a contract knows its data.

    Parameters
    ----------
    data, key : SealedData, bytes
        What was read, and the key: with one nobody can check a guess of the labels.
    """
    return {"labels_sha256": keyed(data.labels, key), "base_sha256": keyed(data.base, key)}
