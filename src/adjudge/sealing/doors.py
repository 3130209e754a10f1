"""Seal, and ask: `adjudge.seal` and `adjudge.judge_sealed`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from adjudge._version import __version__
from adjudge.checks import file_path, number, suggest_keywords, whole
from adjudge.errors import InputError, exact, shown
from adjudge.metrics.reader import metric as read_metric
from adjudge.noise.chance_line import CHANCE_REVISION
from adjudge.noise.null_models import read_null
from adjudge.sealing.answer import Answer, Closed, in_words
from adjudge.sealing.contract import ANY_LOOKS, FORM, MOST_LOOKS, MOST_SHIPS, Contract, Looks
from adjudge.sealing.data import FILES, TODAY, SealOptions, checked_file, data_of, refuse_unsealable
from adjudge.sealing.ledger import ContractLines, SealedLabels, key_name, ledger_of, now, read_key
from adjudge.sealing.power import LookBudget, measured
from adjudge.sealing.sealed import NO_NULL, Sealed, Terms, digests
from adjudge.stores.files import write_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge.metrics.metric import Metric

T = TypeVar("T")

LARGEST_ALPHA = 0.2
SHIP_IF = "ahead of the base, one-sided p at most the level"


@suggest_keywords("seal", passes_on=SealOptions)
def seal(
    labels: str | os.PathLike[str],
    base: str | os.PathLike[str],
    out: str | os.PathLike[str],
    metric: str | Metric = "f1_ba",
    *,
    at: Any = None,
    base_at: Any = None,
    looks: Looks = 5,
    alpha: float = 0.05,
    ships: int = 1,
    open_share: float = 0.5,
    null: str | None = None,
    unit: str = "auto",
    key: str | os.PathLike[str] | None = None,
    again: bool = False,
    **read: Unpack[SealOptions],
) -> Contract:
    r"""Write a contract for a judge that may be asked many times, before anything is judged.

    Parameters
    ----------
    labels, base : path
        The file of the labels, and that of the detector that runs today, with a score per row of
        the labels; with ``span`` a table of incidents and one of alerts.
    out : path
        Where the contract is written: a new ``NAME.toml``. Its ledger is ``NAME.jsonl``.
    metric : spec or Metric
        By what is judged: at a threshold, or an area of sums (``ap``, ``auc_roc``). Its settings
        are resolved by the sealed labels, and sealed.
    at, base_at : number or rule, optional
        The threshold of candidates, and that of `base` (default: the same). None: scores are 0/1
        flags, or the metric needs none.
    looks : int or "any"
        How many different candidates may be asked about. "any" has no end: the level falls with
        every look, so that the tenth has less than a tenth of that of one look.
    alpha : float
        The probability that anything is shipped which is no better than `base`.
    ships : int
        After how many ships the contract is closed. More than one costs level.
    open_share : float
        The share of events, from the beginning, that are open for development; the rest is sealed.
    null : str, optional
        A null model that a candidate must beat too, see `adjudge.evaluate`.
    unit : str
        The unit of evidence, see `adjudge.evaluate`.
    key : path, optional
        A file with a key that the asker cannot read: it signs the ledger.
    again : bool
        Seal labels that were sealed before. That is a new budget on the same evidence.
    **read
        How the files are read: ``label, score, series, where, time, positive, sep, decimal``; of
        incidents ``span, watched, outages, early, tz, sep``.

    Returns
    -------
    Contract
        ``print`` says how many looks there are and what gain they see.

    Raises
    ------
    InputError
        If not even a perfect detector could pass, or the labels were sealed before.

    Notes
    -----
    Whatever happens between looks, the probability that anything is shipped which is no better is
    at most alpha. Until the first ship every answer is "do not ship", so the candidate of look k is
    chosen without the sealed labels, and K tests at alpha / K add up to alpha. This assumes that

    1. nobody knows sealed labels but by answers,
    2. the units of evidence are independent draws of what comes later,
    3. the p-value of `adjudge.compare` is honest at alpha / K, and
    4. the contract was there before the candidates, and these labels were not sealed before.

    The gain that is seen in four cases of five is told from the spread of `base` alone, see
    `adjudge.sealing.power`: so candidates that share more of its luck are seen a little sooner.

    Examples
    --------
    >>> import os
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> rows = np.tile(np.repeat([0, 1], [40, 8]), 80)
    >>> with TemporaryDirectory() as folder:
    ...     os.environ["ADJUDGE_WITNESS"] = folder
    ...     place = Path(folder)
    ...     np.savetxt(place / "labels.csv", rows, "%d", header="label", comments="")
    ...     np.save(place / "base.npy", rows * np.tile(np.repeat([1, 0], 48), 40))
    ...     np.save(place / "new.npy", rows)
    ...     contract = seal(place / "labels.csv", place / "base.npy", place / "a.seal.toml")
    ...     print(contract.looks, contract.tables["power"])
    ...     print(judge_sealed(place / "a.seal.toml", place / "new.npy").answer)
    ...     del os.environ["ADJUDGE_WITNESS"]
    5 {'level': 0.01, 'a_perfect_detector_has_p_at_most': 0.001, 'sees_in_four_of_five': 0.26}
    ship
    """
    path = file_path(out, "out")
    budget, share = _budget(alpha, looks, ships), number(open_share, "open_share")
    if not 0 <= share < 1:
        raise InputError(f"open_share must be at least 0 and below 1, got {shown(open_share)}")
    _refuse_old(path)
    secret, chosen = read_key(key), read_metric(metric)
    refuse_unsealable(chosen)
    if null is not None:
        read_null(null, None)
    files = {"labels": checked_file(labels, "labels"), "base": checked_file(base, TODAY)}
    data = data_of(files["labels"], files["base"], dict(read))
    border, opened, events = data.border(share)
    said = {
        "metric": str(chosen), "at": _text(at), "null": null or NO_NULL, "unit": unit,
        "base_at": _text(at if base_at is None else base_at),
    }  # fmt: skip
    said, power = measured(data, Terms(said, border), budget)
    said |= {"ship_if": SHIP_IF, **budget._asdict(), "reveal": "answer"}
    named = {name: _beside(file, path.parent) for name, file in files.items()}
    tables: dict[str, dict[str, Any]] = {
        "seal": {"form": FORM, "made": now(), "adjudge": __version__,
                 "chance_revision": CHANCE_REVISION, "key": key_name(secret)},
        "data": {"kind": data.kind, **named, **digests(data, secret), "events": events,
                 "open_events": opened, "open_until": border},
        "read": {name: _beside(value, path.parent) if name in FILES else _listed(value)
                 for name, value in data.read.items()},
        "rule": said, "power": power,
    }  # fmt: skip
    contract = Contract(tables)
    tables["seal"]["id"] = contract.id
    _write(contract, path, secret, SealedLabels(tables["data"]["labels_sha256"]), again=again)
    return contract


def _budget(alpha: Any, looks: Any, ships: Any) -> LookBudget:
    """What is given away, checked."""
    if not 0 < number(alpha, "alpha") <= LARGEST_ALPHA:
        raise InputError(f"alpha must be over 0 and at most {LARGEST_ALPHA}, got {shown(alpha)}")
    if not (isinstance(looks, str) and looks == ANY_LOOKS):
        looks = whole(looks, "looks", 1, MOST_LOOKS, 'looks="any" has no end')
    return LookBudget(float(alpha), looks, whole(ships, "ships", 1, MOST_SHIPS))


def _refuse_old(path: Path) -> None:
    """Refuse a file that is there, or that is not called as a contract is."""
    ledger = ledger_of(path)
    if path.suffix != ".toml":
        wrong = "which has another suffix"
    elif path.exists():
        wrong = "which is there already"
    elif ledger.exists():
        wrong = f"whose ledger {shown(ledger.name)} is there already"
    else:
        return
    raise InputError(f"out must be a new file NAME.toml, got {shown(str(path))}, {wrong}")


def _write(contract: Contract, path: Path, key: bytes, book: SealedLabels, *, again: bool) -> None:
    """Write the ledger, then the contract; labels that were sealed before are refused."""
    before = book.seals
    if before and not again:
        raise InputError(
            f"labels must not be sealed twice, got labels that {before[-1][:12]} has sealed: a new "
            "contract is a new budget on the same evidence; again=True (--again) says that you "
            "want it"
        )
    book.add(contract.id)
    ContractLines(path, contract, key).begin()
    write_texts(path, [contract.to_toml()])


def _text(at: Any) -> str:
    """A threshold as it is written; none where flags are given."""
    if at is None:
        return NO_NULL
    return exact(at) if isinstance(at, (int, float)) else str(at)


def _beside(file: Any, folder: Path) -> str:
    """A file as it is named from the folder of the contract."""
    return Path(os.path.relpath(file, folder)).as_posix()


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@suggest_keywords("judge_sealed")
def judge_sealed(
    contract: str | os.PathLike[str],
    candidate: Any,
    *,
    id: str | None = None,  # noqa: A002 - as the contract calls it
    head: str | None = None,
    key: str | os.PathLike[str] | None = None,
) -> Answer:
    """Ask a sealed judge whether a candidate may be shipped; see `adjudge.seal`.

    Parameters
    ----------
    contract : path
        What `adjudge.seal` wrote.
    candidate : path, column or Alerts
        The scores of the candidate, one per row of the labels, or its alerts. The same alarms
        asked again have the same answer and cost no look.
    id, head : str, optional
        The first 12 digits, or more, of the id of the contract, and of the head that was printed
        last: what only changes if somebody changed the files.
    key : path, optional
        The key with which it was sealed.

    Returns
    -------
    Answer
        "ship", "do not ship", "tampered" or "budget spent", and how many looks are left. No value,
        p-value or number of events is ever told.

    Raises
    ------
    InputError
        If the candidate cannot be read as it is; no look is charged.

    Examples
    --------
    >>> judge_sealed("nothing.toml", [0, 1])
    Traceback (most recent call last):
    adjudge.errors.InputError: nothing.toml must be a contract of adjudge seal, got no file
    """
    return _asked((contract, key, id), lambda sealed: sealed.judge(candidate, head))


def _asked(known: tuple[Any, Any, Any], ask: Callable[[Sealed], T]) -> T | Answer:
    """Ask a sealed judge: what was tampered with, or is spent, is an answer."""
    contract, key, pinned = known
    try:
        return ask(Sealed(contract, read_key(key), pinned))
    except Closed as closed:
        return closed.answer


def sealed_text(
    contract: str | os.PathLike[str],
    *,
    id: str | None = None,  # noqa: A002 - as the contract calls it
    key: str | os.PathLike[str] | None = None,
) -> str | Answer:
    """What a contract says, and how many looks are left; or that it was tampered with.

    Parameters
    ----------
    contract, id, key : path, str, path
        As of `judge_sealed`.
    """

    def told(sealed: Sealed) -> str:
        state = sealed.state
        return f"{sealed.contract.to_toml()}\n# {in_words(state['left'])}; head {state['head']}"

    return _asked((contract, key, id), told)
