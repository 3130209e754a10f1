"""The tools that agents have: one bit of the sealed part, and everything of the open one."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, shown
from adjudge.judging.doors.compare import compare
from adjudge.judging.doors.evaluate import evaluate
from adjudge.judging.doors.explain import explain
from adjudge.sealing.answer import Closed
from adjudge.sealing.data import NEW
from adjudge.sealing.ledger import read_key
from adjudge.sealing.sealed import Sealed

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

FILE = "Name of a file in the inbox: a score per row of the labels, or alerts"
METRIC = "Spec of a metric; default: the metric of the contract"
AT = "Threshold: a number or a rule; default: that of the contract"


@dataclass(frozen=True)
class Tool:
    """What an agent can call.

    Attributes
    ----------
    words : str
        What it does.
    call : callable
        Takes the judge and the arguments, and gives what is told.
    needs, takes : dict
        The arguments that it must have, and those that it may have, with what they are.
    charges : bool
        Whether a call may cost a look.
    """

    words: str
    call: Callable[..., dict[str, Any]]
    needs: dict[str, str]
    takes: dict[str, str]
    charges: bool = False

    def described(self, name: str) -> dict[str, Any]:
        """The tool as the protocol lists it."""
        texts = {key: {"type": "string", "description": words}
                 for key, words in {**self.needs, **self.takes}.items()}  # fmt: skip
        return {
            "name": name, "description": self.words,
            "inputSchema": {"type": "object", "properties": texts, "required": [*self.needs],
                            "additionalProperties": False},
            "annotations": {"readOnlyHint": not self.charges, "idempotentHint": True,
                            "openWorldHint": False},
        }  # fmt: skip

    def check(self, name: str, given: Any) -> dict[str, str]:
        """Refuse arguments that it does not take."""
        known = {**self.needs, **self.takes}
        if not isinstance(given, dict) or not self.needs.keys() <= given.keys() <= known.keys():
            raise InputError(f"{name} must have {', '.join(known) or 'no arguments'}")
        for key, value in given.items():
            if not isinstance(value, str):
                raise InputError(f"{key} must be a text, got {shown(value)}")
        return given


class Judge:
    """A sealed judge that answers to tools, and remembers its contract and its ledger.

    Parameters
    ----------
    contract, inbox, key : Path, Path, path
        The contract, the folder in which candidates lie, and the file of the key.
    inspect : callable
        Finds flaws of a benchmark: `adjudge.inspect`.
    """

    def __init__(
        self,
        contract: Path,
        inbox: Path,
        key: str | os.PathLike[str] | None,
        inspect: Callable[[dict[str, Any]], Any],
    ) -> None:
        if not inbox.is_dir():
            raise InputError(f"inbox must be a folder, got {shown(str(inbox))}")
        self._contract, self._inbox, self._key = contract, inbox, read_key(key)
        self._inspect, self._one_at_a_time = inspect, Lock()
        state = self._sealed(None).state
        self._id, self._head = state["seal"]["id"], state["head"]

    def call(self, name: str, given: Any) -> dict[str, Any]:
        """Call a tool: an answer of the judge, or what else it tells."""
        tool = TOOLS.get(name)
        if tool is None:
            raise InputError(f"tool must be one of {', '.join(TOOLS)}, got {shown(name)}")
        own = tool.check(name, {} if given is None else given)
        with self._one_at_a_time:
            try:
                return tool.call(self, self._sealed(self._id), **own)
            except Closed as closed:
                return closed.answer.to_dict()

    def _sealed(self, pinned: str | None) -> Sealed:
        return Sealed(self._contract, self._key, pinned)

    def file(self, name: str) -> Path:
        """A file of the inbox: no way leads out of it."""
        if not name or name.startswith(".") or not set(name).isdisjoint("/\\:\0"):
            raise InputError(f"file must be the name of a file in the inbox, got {shown(name)}")
        return self._inbox / name

    def judge(self, sealed: Sealed, file: str) -> dict[str, Any]:
        """Ask whether a candidate may be shipped."""
        found = sealed.judge(self.file(file), self._head)
        self._head = found.head
        return found.to_dict()

    def about(self, sealed: Sealed, file: str) -> dict[str, Any]:
        """What needs no label."""
        return sealed.about(self.file(file))

    def contract(self, sealed: Sealed) -> dict[str, Any]:
        """The contract, with the looks that are left."""
        return sealed.state

    def evaluate(self, sealed: Sealed, file: str, **asked: str) -> dict[str, Any]:
        """Judge a candidate and the detector of today on the open part."""
        both, (metric, *levels) = sealed.open_part({NEW: self.file(file)}), _asked(sealed, asked)
        found = evaluate(both, metric, at=_by_name(both.detectors, levels))
        return {"text": str(found), "rows": found.to_dict()["rows"]}

    def explain(self, sealed: Sealed, file: str, **asked: str) -> dict[str, Any]:
        """What each open event earned, and each false alarm cost."""
        metric, at, _ = _asked(sealed, asked)
        own = sealed.open_part({NEW: self.file(file)}).only(NEW)
        return {"text": str(explain(own, metric, at=at))}

    def compare(self, sealed: Sealed, file: str, **asked: str) -> dict[str, Any]:
        """Compare a candidate with the detector of today on the open part."""
        metric, *levels = _asked(sealed, asked)
        found = compare(sealed.open_part({NEW: self.file(file)}), metric=metric, at=tuple(levels))
        return {"text": str(found)}

    def inspect(self, sealed: Sealed) -> dict[str, Any]:
        """Flaws of the open labels."""
        return {"text": str(self._inspect(sealed.open_benchmark()))}


def _asked(sealed: Sealed, given: dict[str, str]) -> tuple[Any, Any, Any]:
    """The metric, the threshold, and that of today: those of the contract unless they are given."""
    rule = sealed.rule
    at = given.get("at", rule.at)
    return given.get("metric", rule.metric), at, given.get("at", rule.base_at)


def _by_name(names: Any, levels: list[Any]) -> Any:
    """Thresholds by detector; None where there are flags."""
    known = dict(zip(names, levels, strict=True))
    return None if None in known.values() else known


_MORE = {"metric": METRIC, "at": AT}
TOOLS = {
    "judge": Tool(
        "Ask whether a candidate may be shipped. A new candidate costs a look; the same alarms "
        "asked again have the same answer.", Judge.judge, {"file": FILE}, {}, charges=True),
    "about": Tool(
        "Alarms of a candidate, and whether they are those of today. No label plays a part; free.",
        Judge.about, {"file": FILE}, {}),
    "contract": Tool(
        "The sealed contract: metric, threshold, looks left, gain that it sees. Free.",
        Judge.contract, {}, {}),
    "evaluate": Tool(
        "Judge a candidate and the detector of today on the open events. Free.",
        Judge.evaluate, {"file": FILE}, _MORE),
    "explain": Tool(
        "What each open event earned and each false alarm cost. Free.",
        Judge.explain, {"file": FILE}, _MORE),
    "compare": Tool(
        "Compare a candidate with the detector of today on the open events. Free.",
        Judge.compare, {"file": FILE}, _MORE),
    "inspect": Tool("Find flaws of the open labels. Free.", Judge.inspect, {}, {}),
}  # fmt: skip
